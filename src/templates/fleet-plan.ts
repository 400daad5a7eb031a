import { listNodes } from "../proxmox/cluster.ts";
import { liveClaims, sayClaim } from "./claim.ts";
import type { Context } from "./context.ts";
import { planAll } from "./create.ts";
import type { CreateRequest } from "./request.ts";

/** One template that has to be built: an entry of a matrix, by the names of the Action's inputs. */
export interface Work {
  distribution: string;
  versions: string;
  "ubuntu-release": string;
  node: string;
  why: string;
}

/**
 * What a fleet of runners would have to build: nothing for templates that are there and fresh, or that another run
 * builds at this moment. Reads and never writes.
 * @throws Failure
 */
export async function planFleet(context: Context, requests: readonly CreateRequest[]): Promise<Work[]> {
  const work: Work[] = [];
  for (const request of requests) {
    const nodes =
      request.perNode && request.node === undefined
        ? (await listNodes(context.proxmox)).filter(({ online }) => online).map(({ name }) => name)
        : [request.node];
    for (const node of nodes) work.push(...(await planOne(context, { ...request, node, dryRun: true })));
  }
  return work;
}

async function planOne(context: Context, request: CreateRequest): Promise<Work[]> {
  const { plans, claims } = await planAll(context, request);
  return plans.flatMap((plan): Work[] => {
    if (plan.action !== "build") return [];
    const { target } = plan;
    const [other] = liveClaims(claims, target, context.proxmox.clock.now());
    if (other) {
      context.reporter.note(`Nothing to do here: ${sayClaim(other)}`, target.title);
      return [];
    }
    return [
      {
        distribution: target.distribution,
        versions: target.version,
        "ubuntu-release": target.distribution === "kubeadm" ? (target.ubuntuRelease ?? "") : "",
        node: request.node ?? "",
        why: plan.why,
      },
    ];
  });
}
