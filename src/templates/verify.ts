import { targetOfTags, type Target } from "../distributions/target.ts";
import { Failure } from "../failure/failure.ts";
import { listGuests } from "../proxmox/cluster.ts";
import { readConfig, updateConfig } from "../proxmox/vm.ts";
import type { Context } from "./context.ts";
import { targetMatcher } from "./find-targets.ts";
import { templateOf, type Template } from "./outcome.ts";
import { checkPin } from "./pins.ts";
import { planTarget, type Found } from "./plan.ts";
import type { VerifyRequest } from "./upkeep-requests.ts";
import { confirmWrite } from "./write.ts";

/** A template that is the pinned one. */
export interface Verified {
  target: Target;
  template: Template;
  /** Its protection is on: it is neither deleted, pruned nor refreshed. */
  pinned: boolean;
}

/**
 * Proves that the template which is there is the one that was pinned, and protects it if asked to.
 * @throws Failure `verification` when it is another one, `not-found` when there is none, `conflict` when several fit
 */
export async function verifyTemplate(context: Context, request: VerifyRequest): Promise<Verified> {
  const { proxmox } = context;
  const guests = await listGuests(proxmox);
  const there = guests
    .filter((row) => request.pool === undefined || row.pool === request.pool)
    .flatMap((row) => targetOfTags(row.tags) ?? []);
  const isNamed = await targetMatcher(context.sources, request, there);
  const named = [...new Map(there.filter(isNamed).map((target) => [target.name, target])).values()];
  if (named.length > 1) {
    throw new Failure("conflict", `Several templates fit: ${named.map(({ title }) => title).join("; ")}`, {
      remedy: ["name one by its exact version (and --ubuntu-release)"],
    });
  }
  const [target] = named;
  const pool =
    target && guests.find((row) => targetOfTags(row.tags)?.name === target.name && row.pool !== undefined)?.pool;
  const plan =
    target && pool !== undefined ? await planTarget(proxmox, target, guests, { pool, node: undefined }) : undefined;
  if (!target || plan?.action !== "reuse") {
    throw new Failure(
      "not-found",
      `There is no template of ${[request.distribution, ...request.versions].join(" ")}, so it is not the pinned one`,
      { remedy: ["`kubehenge template list` shows what there is"] },
    );
  }
  const template = templateOf(target, plan.found);
  checkPin(target, template, request.digest);
  if (request.protect !== undefined) await setProtection(context, plan.found, request.protect);
  return { target, template, pinned: request.protect ?? plan.found.config.protection };
}

/** Switches Proxmox VE's own protection of a template on or off; it keeps anybody from deleting it. */
export async function setProtection({ proxmox }: Context, { row, config }: Found, on: boolean): Promise<void> {
  if (config.protection === on) return;
  await confirmWrite(
    proxmox,
    () => updateConfig(proxmox, row.node, row.vmid, { protection: on ? 1 : 0 }),
    async () => (await readConfig(proxmox, row.node, row.vmid)).protection === on,
  );
}
