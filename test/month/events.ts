import { Failure } from "../../src/failure/failure.ts";
import { retiredTag, tagsSet } from "../e2e/harness/retirement.ts";
import type { FaultHook } from "../stand-in/proxmox/index.ts";
import { dayMs, type MonthWorld } from "./world.ts";

/** What a night brings beside its usual work. */
export interface Night {
  /** For the table. */
  what: string;
  /** Before the runs start. */
  before?: (world: MonthWorld) => void | Promise<void>;
  /** While they run: asked at every request. `cancel` ends the runs as a cancelled job does. */
  hook?: (cancel: () => void) => FaultHook;
  /** After the runs. */
  after?: (world: MonthWorld) => void;
  /** Distributions that must fail that night. */
  fails?: readonly string[];
  /** Whatever was under way may fail that night. */
  mayFail?: boolean;
  /** Rolls this distribution back once the runs are over. */
  rollback?: string;
}

/** Nights after the start when the key of the Kubernetes packages ends, unless it is renewed. */
export const kubernetesKeyDays = 14.5;

export const cancelled = () => new Failure("interrupted", "The run was cancelled");

/** Proxmox VE's proxy restarts, or its host is gone, for so many milliseconds from the first request that fits. */
const outage =
  (fits: Parameters<typeof once>[0], ms: number): NonNullable<Night["hook"]> =>
  () =>
    once(fits, () => ({ kind: "refuse", ms }));

function once(fits: (request: Parameters<FaultHook>[0]) => boolean, answer: () => ReturnType<FaultHook>): FaultHook {
  let met = false;
  return (request) => {
    if (met || request.phase !== "before" || !fits(request)) return undefined;
    met = true;
    return answer();
  };
}

const isStart = ({ method, path }: Parameters<FaultHook>[0]) => method === "POST" && path.endsWith("/status/start");
const retires = ({ method, params }: Parameters<FaultHook>[0]) =>
  method === "PUT" && tagsSet(params).includes(retiredTag);

const ubuntu = "26.04";

/** By the number of the night, from 1. */
export const nights: Readonly<Record<number, Night>> = {
  1: { what: "the first night" },
  3: { what: "new Ubuntu image", before: ({ upstreams }) => upstreams.replaceUbuntuImage(ubuntu) },
  5: { what: "Talos 1.14.5", before: ({ upstreams }) => upstreams.addTalos("1.14.5") },
  6: {
    what: "new Ubuntu image; the API is gone for a moment",
    before: ({ upstreams }) => upstreams.replaceUbuntuImage(ubuntu),
    hook: outage(isStart, 60),
  },
  8: { what: "Kubernetes 1.37.2", before: ({ upstreams }) => upstreams.addKubernetes("1.37.2") },
  9: {
    what: "new Ubuntu image under a tampered list",
    before: ({ upstreams }) => {
      upstreams.replaceUbuntuImage(ubuntu);
      upstreams.tamperUbuntu(ubuntu, "byte-changed");
    },
    after: ({ upstreams }) => upstreams.tamperUbuntu(ubuntu, undefined),
    fails: ["rke2", "kubeadm"],
  },
  10: { what: "the list is right again" },
  12: {
    what: "new Ubuntu image; the runs are cancelled in the guests' boot",
    before: ({ upstreams }) => upstreams.replaceUbuntuImage(ubuntu),
    hook: (cancel) =>
      once(isStart, () => {
        cancel();
        return undefined;
      }),
    mayFail: true,
  },
  14: {
    what: "the packages' key is renewed",
    before: async ({ proxmox, upstreams }) => {
      await upstreams.setKubernetesKeyExpiry(new Date(proxmox.state.clock.now() + 365 * dayMs));
    },
  },
  16: { what: "Kubernetes 1.37.3", before: ({ upstreams }) => upstreams.addKubernetes("1.37.3") },
  17: {
    what: "Ubuntu's servers are down",
    before: ({ upstreams }) => {
      endOutage = upstreams.fault({ upstream: "ubuntu", fault: { status: 503 } });
    },
    after: () => endOutage(),
    fails: ["rke2", "kubeadm"],
  },
  19: {
    what: "new Ubuntu image; the runs are cancelled while the tags change hands",
    mayFail: true,
    before: ({ upstreams }) => upstreams.replaceUbuntuImage(ubuntu),
    hook: (cancel) =>
      once(retires, () => {
        cancel();
        return undefined;
      }),
  },
  21: { what: "Talos 1.15.0", before: ({ upstreams }) => upstreams.addTalos("1.15.0") },
  23: {
    what: "new Ubuntu image; the API is gone for good that night",
    before: ({ upstreams }) => upstreams.replaceUbuntuImage(ubuntu),
    hook: outage(isStart, 4000),
    mayFail: true,
  },
  25: { what: "rolled back by hand", rollback: "rke2" },
  27: { what: "Kubernetes 1.38.0", before: ({ upstreams }) => upstreams.addKubernetes("1.38.0") },
  29: { what: "new Ubuntu image", before: ({ upstreams }) => upstreams.replaceUbuntuImage(ubuntu) },
};

let endOutage: () => void = () => {};
