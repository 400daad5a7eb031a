import { connect, type Socket } from "node:net";

/** A Unix socket on which each line is a JSON object: QEMU's monitor (QMP) and its guest agent speak so. */
export class JsonSocket {
  readonly #socket: Socket;
  #waiting: ((line: Record<string, unknown>) => boolean)[] = [];
  #rest = "";

  private constructor(socket: Socket) {
    this.#socket = socket;
    // The agent puts a byte 0xFF before the answer to guest-sync-delimited.
    socket.setEncoding("latin1").on("data", (text: string) => this.#take(text.replaceAll("\u00ff", "")));
    socket.on("error", () => socket.destroy());
  }

  /** @throws Error when nobody listens there */
  static async open(path: string): Promise<JsonSocket> {
    const socket = connect(path);
    await new Promise<void>((resolve, reject) => {
      socket.once("connect", () => resolve()).once("error", reject);
    });
    return new JsonSocket(socket);
  }

  #take(text: string): void {
    const lines = `${this.#rest}${text}`.split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) {
      const object = parsed(line);
      if (object === undefined) continue;
      this.#waiting = this.#waiting.filter((wants) => !wants(object));
    }
  }

  /** Writes an object; with `prefix` before it. */
  send(object: unknown, prefix = ""): void {
    this.#socket.write(Buffer.from(`${prefix}${JSON.stringify(object)}\n`, prefix === "" ? "utf8" : "latin1"));
  }

  /** The first object from now on that is `wanted`. @throws Error after `ms` milliseconds, or when the socket closes */
  next(wanted: (object: Record<string, unknown>) => boolean, ms: number): Promise<Record<string, unknown>> {
    return new Promise((resolve, reject) => {
      const wants = (object: Record<string, unknown>): boolean => {
        if (!wanted(object)) return false;
        settle();
        resolve(object);
        return true;
      };
      const give = (why: string) => () => {
        settle();
        this.#waiting = this.#waiting.filter((other) => other !== wants);
        reject(new Error(why));
      };
      const closed = give("the socket was closed");
      const timer = setTimeout(give(`no answer within ${ms} ms`), ms);
      const settle = () => {
        clearTimeout(timer);
        this.#socket.off("close", closed);
      };
      this.#socket.once("close", closed);
      this.#waiting.push(wants);
    });
  }

  /** Calls for each object that comes, until the socket closes. */
  each(listener: (object: Record<string, unknown>) => void): void {
    this.#waiting.push((object) => {
      listener(object);
      return false;
    });
  }

  close(): void {
    this.#socket.destroy();
  }
}

function parsed(line: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(Buffer.from(line, "latin1").toString("utf8")) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
