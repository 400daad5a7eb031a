import type { Sources } from "../distributions/distribution.ts";
import type { Proxmox } from "../proxmox/client.ts";
import type { Journal } from "./remnant.ts";
import type { Reporter } from "./reporter.ts";

/** Who runs this: written into leases and manifests, for people and for other runs. */
export interface RunIdentity {
  /** Unique for this run: `RUN_ID-ATTEMPT` of GitHub Actions, or host and pid of the command. */
  id: string;
  /** Address of the run, where it has one. */
  url?: string | undefined;
  /** `kubehenge/VERSION` */
  program: string;
}

/** What the work takes from its shell. */
export interface Context {
  proxmox: Proxmox;
  sources: Sources;
  reporter: Reporter;
  journal: Journal;
  run: RunIdentity;
}
