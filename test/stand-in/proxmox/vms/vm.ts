import { createHash } from "node:crypto";
import type { Machine } from "../backend/backend.ts";
import type { Clock } from "../clock.ts";
import { died, Refusal } from "../refusal.ts";
import { CONFIG_OPTIONS } from "../schema/schema.ts";
import { findParameter } from "../schema/validate.ts";

/** Stand-in milliseconds after which a wait for the configuration's file lock ends (PVE::AbstractConfig). */
const LOCK_TIMEOUT_MS = 10_000;

/** A VM: its configuration file, its lock, and the machine while it runs. */
export class Vm {
  readonly vmid: number;
  node: string;
  config = new Map<string, string>();
  /** Changes that a running machine takes on only when it is started anew; null takes an option away. */
  pending = new Map<string, string | null>();
  machine: Machine | undefined;
  /** Stand-in milliseconds since the epoch. */
  startedAt = 0;
  readonly seeded: boolean;
  #queue: Promise<void> = Promise.resolve();
  readonly #stopWaiters = new Set<() => void>();
  readonly #consoles = new Set<(text: string) => void>();

  constructor(vmid: number, node: string, seeded = false) {
    this.vmid = vmid;
    this.node = node;
    this.seeded = seeded;
  }

  get lock(): string | undefined {
    return this.config.get("lock");
  }

  get isTemplate(): boolean {
    return this.config.get("template") === "1";
  }

  get name(): string {
    return this.config.get("name") ?? `VM ${this.vmid}`;
  }

  /** SHA-1 over the configuration file, as `digest` has it. */
  get digest(): string {
    const lines: string[] = [];
    for (const line of (this.config.get("description") ?? "").split("\n")) {
      if (this.config.has("description")) lines.push(`#${encodeURI(line)}`);
    }
    for (const [option, value] of [...this.config].sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (option !== "description") lines.push(`${option}: ${value}`);
    }
    if (this.pending.size > 0) lines.push("[PENDING]", JSON.stringify([...this.pending]));
    return createHash("sha1")
      .update(`${lines.join("\n")}\n`)
      .digest("hex");
  }

  /** Throws as Proxmox VE does when the VM bears a lock. */
  checkLock(): void {
    if (this.lock !== undefined) throw died(`VM is locked (${this.lock})`);
  }

  /** The configuration with the changes that wait for a new start. */
  merged(): Map<string, string> {
    const merged = new Map(this.config);
    for (const [option, value] of this.pending) {
      if (value === null) merged.delete(option);
      else merged.set(option, value);
    }
    return merged;
  }

  /** Puts waiting changes into the configuration, as a stop or start does. */
  applyPending(): void {
    this.config = this.merged();
    this.pending.clear();
  }

  /** The machine is gone, by itself or by a stop. */
  stopped(): void {
    this.machine = undefined;
    this.applyPending();
    for (const tell of this.#stopWaiters) tell();
    this.#stopWaiters.clear();
  }

  /** The machine prints on its serial port; what nobody reads is lost. */
  printed(text: string): void {
    for (const print of this.#consoles) print(text);
  }

  onConsole(print: (text: string) => void): void {
    this.#consoles.add(print);
  }

  offConsole(print: (text: string) => void): void {
    this.#consoles.delete(print);
  }

  /** Settles when the machine is gone. */
  whenStopped(): Promise<void> {
    if (this.machine === undefined) return Promise.resolve();
    return new Promise((resolve) => this.#stopWaiters.add(resolve));
  }

  /**
   * Runs alone among the callers of this VM, as under `lock-VMID.conf`; throws the API's own words when the wait takes
   * over 10 s.
   */
  async exclusive<T>(clock: Clock, run: () => Promise<T> | T): Promise<T> {
    const before = this.#queue;
    let release = (): void => {};
    this.#queue = new Promise((resolve) => (release = resolve));
    const abort = new AbortController();
    try {
      const timeout = clock.sleep(LOCK_TIMEOUT_MS, abort.signal).then(
        () => {
          throw died(`can't lock file '/var/lock/qemu-server/lock-${this.vmid}.conf' - got timeout`);
        },
        () => {},
      );
      await Promise.race([before, timeout]);
      abort.abort();
      return await run();
    } catch (error) {
      if (error instanceof Refusal && error.message.startsWith("can't lock file")) {
        void before.then(release);
        release = () => {};
      }
      throw error;
    } finally {
      abort.abort();
      release();
    }
  }
}

/** A configuration as the API answers it: whole numbers and flags as numbers, everything else as text. */
export function typedConfig(config: ReadonlyMap<string, string>): Record<string, string | number> {
  const typed: Record<string, string | number> = {};
  for (const [option, value] of config) {
    const type = findParameter(CONFIG_OPTIONS, option)?.type;
    typed[option] = type === "integer" || type === "boolean" || type === "number" ? Number(value) : value;
  }
  return typed;
}
