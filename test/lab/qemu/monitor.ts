import { setTimeout as pause } from "node:timers/promises";
import type { BlockCounters } from "../../stand-in/proxmox/backend/backend.ts";
import { JsonSocket } from "./json-socket.ts";

const answerMs = 20_000;

/** QEMU's monitor: docs/interop/qmp-spec of QEMU. Commands go one after the other. */
export class Monitor {
  readonly #socket: JsonSocket;
  #queue: Promise<unknown> = Promise.resolve();

  private constructor(socket: JsonSocket) {
    this.#socket = socket;
  }

  /** Waits until QEMU has made its socket. */
  static async open(path: string, stillThere: () => boolean): Promise<Monitor> {
    for (;;) {
      try {
        const monitor = new Monitor(await JsonSocket.open(path));
        await monitor.ask("qmp_capabilities");
        return monitor;
      } catch (error) {
        if (!stillThere()) throw error;
        await pause(50);
      }
    }
  }

  ask(execute: string, argumentsOf: Record<string, unknown> = {}): Promise<unknown> {
    const asked = this.#queue.then(async () => {
      const answer = this.#socket.next((object) => "return" in object || "error" in object, answerMs);
      this.#socket.send({ execute, arguments: argumentsOf });
      const { error, return: value } = await answer;
      if (error !== undefined) throw new Error(`QEMU, ${execute}: ${(error as { desc: string }).desc}`);
      return value;
    });
    this.#queue = asked.catch(() => {});
    return asked;
  }

  onEvent(name: string, listener: () => void): void {
    this.#socket.each(({ event }) => {
      if (event === name) listener();
    });
  }

  /** query-blockstats by the options' own names: the drive of scsi1 is `drive-scsi1`. */
  async blockstat(): Promise<Record<string, BlockCounters>> {
    const rows = (await this.ask("query-blockstats")) as { device: string; stats: BlockCounters }[];
    return Object.fromEntries(
      rows
        .filter(({ device }) => device.startsWith("drive-"))
        .map(({ device, stats: { rd_bytes, rd_operations, wr_bytes, wr_operations, wr_highest_offset } }) => [
          device.slice("drive-".length),
          { rd_bytes, rd_operations, wr_bytes, wr_operations, wr_highest_offset },
        ]),
    );
  }

  close(): void {
    this.#socket.close();
  }
}
