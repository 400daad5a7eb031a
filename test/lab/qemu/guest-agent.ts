import { randomInt } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { AgentError, type ExecResult, type MachineAgent } from "../../stand-in/proxmox/backend/backend.ts";
import { JsonSocket } from "./json-socket.ts";

/** As long as Proxmox VE waits for the agent to take part at all. */
const syncMs = 3000;
const answerMs = 30_000;
const execMs = 120_000;
const chunkBytes = 64 * 1024;

/** The real agent of a guest, over the socket of its virtio-serial port (docs/interop/qemu-ga-ref of QEMU). */
export class GuestAgent implements MachineAgent {
  readonly #path: string;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
  }

  /** Several commands in one conversation; conversations do not overlap. */
  #talk<T>(run: (ask: (command: string, argumentsOf?: Record<string, unknown>) => Promise<unknown>) => Promise<T>) {
    const talked = this.#queue.then(async () => {
      const socket = await JsonSocket.open(this.#path);
      try {
        // What an agent that was not there yet would have answered may still come: only after our own sync it is ours.
        const id = randomInt(1, 2 ** 31);
        const inStep = socket.next((object) => object["return"] === id, syncMs);
        socket.send({ execute: "guest-sync-delimited", arguments: { id } }, "\u00ff");
        await inStep;
        return await run(async (execute, argumentsOf = {}) => {
          const answer = socket.next((object) => "return" in object || "error" in object, answerMs);
          socket.send({ execute, arguments: argumentsOf });
          const { error, return: value } = await answer;
          if (error !== undefined) throw new AgentError((error as { desc: string }).desc);
          return value;
        });
      } finally {
        socket.close();
      }
    });
    this.#queue = talked.catch(() => {});
    return talked;
  }

  async up(): Promise<boolean> {
    try {
      await this.#talk((ask) => ask("guest-ping"));
      return true;
    } catch {
      return false;
    }
  }

  async hostname(): Promise<string> {
    return ((await this.#talk((ask) => ask("guest-get-host-name"))) as { "host-name": string })["host-name"];
  }

  async readFile(path: string): Promise<string | undefined> {
    return await this.#talk(async (ask) => {
      let handle: unknown;
      try {
        handle = await ask("guest-file-open", { path });
      } catch (error) {
        if (error instanceof AgentError && /No such file/.test(error.message)) return undefined;
        throw error;
      }
      const parts: Buffer[] = [];
      for (;;) {
        const part = (await ask("guest-file-read", { handle, count: chunkBytes })) as {
          "buf-b64": string;
          eof: boolean;
        };
        parts.push(Buffer.from(part["buf-b64"], "base64"));
        if (part.eof) break;
      }
      await ask("guest-file-close", { handle });
      return Buffer.concat(parts).toString("utf8");
    });
  }

  async exec(argv: readonly string[], input?: string): Promise<ExecResult> {
    const [path, ...rest] = argv;
    const { pid } = (await this.#talk((ask) =>
      ask("guest-exec", {
        path,
        arg: rest,
        "capture-output": true,
        ...(input === undefined ? {} : { "input-data": Buffer.from(input).toString("base64") }),
      }),
    )) as { pid: number };
    const end = performance.now() + execMs;
    for (;;) {
      const status = (await this.#talk((ask) => ask("guest-exec-status", { pid }))) as {
        exited: boolean;
        exitcode?: number;
        "out-data"?: string;
        "err-data"?: string;
      };
      if (status.exited) {
        const text = (data: string | undefined): string => Buffer.from(data ?? "", "base64").toString("utf8");
        return { exitcode: status.exitcode ?? 255, out: text(status["out-data"]), err: text(status["err-data"]) };
      }
      if (performance.now() > end) throw new AgentError(`'${argv.join(" ")}' has not ended`);
      await pause(300);
    }
  }

  async query(command: string): Promise<unknown> {
    return await this.#talk((ask) => ask(`guest-${command}`));
  }
}
