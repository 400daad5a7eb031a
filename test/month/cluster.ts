import { setTimeout as pause } from "node:timers/promises";
import { api, type Form } from "../stand-in/api.ts";
import { findTemplates, type ResourceRow } from "../e2e/harness/capmox.ts";
import type { MonthWorld } from "./world.ts";
import type { Proofs } from "./proofs.ts";

const firstWorker = 9000;
const pauseMs = 60;
const workersKept = 3;

/** A cluster that replaces its machines all the time, and finds its template each time as Cluster API's provider does. */
export class Cluster {
  clones = 0;
  /** Times that it found no template, and asked again. */
  misses = 0;
  readonly wrong: string[] = [];
  readonly #month: MonthWorld;
  readonly #proofs: Proofs;
  readonly #workers: number[] = [];
  readonly #end = new AbortController();
  #next = firstWorker;
  #loop: Promise<void> = Promise.resolve();
  /** The sets of tags that its machine templates name at present. */
  wanted: readonly (readonly string[])[] = [];

  constructor(month: MonthWorld, proofs: Proofs) {
    this.#month = month;
    this.#proofs = proofs;
  }

  start(): void {
    this.#loop = this.#run();
  }

  get workers(): number {
    return this.#workers.length;
  }

  /** Ends the cluster with all its machines. */
  async end(): Promise<void> {
    this.#end.abort();
    await this.#loop;
    for (const vmid of this.#workers.splice(0)) await this.#isGone(vmid);
  }

  async #isGone(vmid: number): Promise<boolean> {
    if (!this.#month.proxmox.state.vms.has(vmid)) return true;
    return await this.#task("DELETE", `/nodes/pve1/qemu/${vmid}`);
  }

  async #run(): Promise<void> {
    for (let turn = 0; !this.#end.signal.aborted; turn += 1) {
      await pause(pauseMs);
      const tags = this.wanted[turn % Math.max(1, this.wanted.length)];
      if (!tags) continue;
      try {
        await this.#replaceOne(tags);
      } catch {
        // Proxmox VE does not answer at the moment: the controller tries again later.
        await pause(pauseMs);
      }
    }
  }

  async #replaceOne(tags: readonly string[]): Promise<void> {
    const rows = (await api(this.#month.proxmox, "GET", "/cluster/resources", { type: "vm" })) as ResourceRow[];
    const found = findTemplates(rows, tags);
    const [vmid] = found;
    if (found.length > 1) this.wrong.push(`two templates match ${tags.join(";")}: ${found.join(", ")}`);
    if (vmid === undefined) {
      this.misses += 1;
      return;
    }
    if (!this.#proofs.isProven(vmid)) this.wrong.push(`a clone of VM ${vmid}, which no clone has proven`);
    this.#next += 1;
    const worker = this.#next;
    // Whether the call came through or not: what it may have made is deleted in its turn.
    this.#workers.push(worker);
    // What was found a moment ago may have been pruned since; then the provider looks again.
    if (
      await this.#task("POST", `/nodes/pve1/qemu/${vmid}/clone`, { newid: worker, name: `worker-${worker}`, full: 0 })
    )
      this.clones += 1;
    if (this.#workers.length <= workersKept) return;
    const [oldest] = this.#workers;
    if (oldest === undefined || (await this.#isGone(oldest))) this.#workers.shift();
  }

  /** Whether the task ended well; a call that is refused throws. */
  async #task(method: string, path: string, form?: Form): Promise<boolean> {
    const { proxmox } = this.#month;
    const task = proxmox.state.tasks.find(String(await api(proxmox, method, path, form)));
    await task?.done;
    return task?.exitstatus === "OK";
  }
}
