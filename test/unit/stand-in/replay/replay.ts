import type { ProxmoxStandIn } from "../../../stand-in/proxmox/index.ts";
import { form, multipart, type RawAnswer, send, sendRaw, tokenHeader } from "../session/client.ts";
import { differences, logDifferences, normal } from "./compare.ts";
import { sha256, TINY_SHA256, TINY2, TINY2_SHA256, type Upstream } from "../session/upstream.ts";

/** One line of recordings.jsonl. */
export interface Recording {
  name: string;
  method: string;
  path: string;
  request_params: unknown;
  status: number;
  reason: string;
  body: unknown;
  content_type?: string | null;
}

/** Hashes of the recorded downloads; ours have other bytes. */
const RECORDED_TINY = "a2ef0fb4ffeab6117107601b8277b418648a001e9c5ab431b5cd9857722e878e";
const RECORDED_TINY2 = "e1fdb1fb2b8b0fd7a8e9f41f54858c1c55bbf28060e778f0b74acdf3b8d8c723";
const RECORDED_ISO = "79ee087792f5df31388da58fc417251bbf75919ea58b814fa6aca8d2c6a0dc29";

const isoBytes = (length: number) => Buffer.alloc(length, 7);
const ISO_SHA256 = sha256(isoBytes(374_784));
/** As the recorded client encoded a path: `!` too. */
const encoded = (upid: string) => encodeURIComponent(upid).replaceAll("!", "%21");

type Data = { data: unknown } | undefined;
const pidOf = (answer: Data) => (answer?.data as { pid: number } | undefined)?.pid ?? 0;

/** A task's status without what tells whether it has ended. */
function withoutEnd(answer: Data): unknown {
  const fields = Object.entries(answer?.data ?? {});
  return Object.fromEntries(fields.filter(([name]) => name !== "status" && name !== "exitstatus"));
}

/** Sends recorded requests to a stand-in, with the ids of ours in place of the recorded ones. */
export class Replay {
  readonly pve: ProxmoxStandIn;
  readonly #upstream: Upstream;
  readonly #upids = new Map<string, string>();
  /** Pids of commands in a guest, by the recorded ones. */
  readonly #pids = new Map<number, number>();
  /** Headers that say who asks. */
  headers: Record<string, string>;

  constructor(pve: ProxmoxStandIn, upstream: Upstream) {
    this.pve = pve;
    this.#upstream = upstream;
    this.headers = tokenHeader(pve.token);
  }

  /** From now on the recorded task is this one of ours. */
  knowTask(recorded: string, ours: string): void {
    this.#upids.set(recorded, ours);
  }

  #ours(text: string): string {
    let replaced = text
      .replaceAll("127.0.0.1:8765", `127.0.0.1:${this.#upstream.port}`)
      .replaceAll(RECORDED_TINY, TINY_SHA256)
      .replaceAll(RECORDED_TINY.toUpperCase(), TINY_SHA256.toUpperCase())
      .replaceAll(RECORDED_TINY2, TINY2_SHA256)
      .replaceAll(RECORDED_ISO, ISO_SHA256);
    if (!replaced.includes("UPID")) return replaced;
    for (const [recorded, own] of this.#upids) {
      replaced = replaced.replaceAll(recorded, own).replaceAll(encoded(recorded), encoded(own));
    }
    return replaced;
  }

  /** Waits for the task of a status or log that was recorded at its end. */
  async #awaitTask(recording: Recording): Promise<void> {
    if (!/\.task-(status|log)$/.test(recording.name)) return;
    const upid = /(UPID:[^/]+)/.exec(this.#ours(recording.path))?.[1];
    await this.pve.state.tasks.find(upid ?? "")?.done;
  }

  async send(recording: Recording): Promise<RawAnswer> {
    await this.#awaitTask(recording);
    const { method, request_params: params } = recording;
    const path = this.#ours(recording.path).replaceAll(" ", "%20");
    const raw = params as { raw?: string; "content-type"?: string; raw_request_head?: string } | null;
    if (raw?.raw_request_head !== undefined) return await this.#sendHead(recording);
    if (raw?.raw !== undefined) {
      return await send(this.pve, {
        method,
        path,
        headers: { ...this.headers, "content-type": raw["content-type"] ?? "" },
        body: raw.raw,
      });
    }
    if (Array.isArray(params)) return await this.#upload(path, params as [string, string][]);
    const values = JSON.parse(this.#ours(JSON.stringify(params ?? {}))) as Record<string, unknown>;
    if (typeof values["pid"] === "number") values["pid"] = this.#pids.get(values["pid"]) ?? values["pid"];
    if (method === "GET" || method === "DELETE") {
      const query = form(values);
      return await send(this.pve, { method, path: query === "" ? path : `${path}?${query}`, headers: this.headers });
    }
    const headers = { ...this.headers, "content-type": "application/x-www-form-urlencoded" };
    return await send(this.pve, { method, path, headers, body: form(values) });
  }

  async #upload(path: string, fields: [string, string][]): Promise<RawAnswer> {
    const parts = fields.map(([name, value]): [string, string | { name: string; bytes: Buffer }] => {
      const [, fileName, length] = /^<file (.*), (\d+) bytes>$/.exec(value) ?? [];
      if (fileName === undefined) return [name, this.#ours(value)];
      const bytes = fileName.endsWith(".qcow2") && length === "196616" ? TINY2 : isoBytes(Number(length));
      return [name, { name: fileName, bytes }];
    });
    const headers = { ...this.headers, "content-type": "multipart/form-data; boundary=XBOUNDX" };
    return await send(this.pve, { method: "POST", path, headers, body: multipart(parts) });
  }

  /** A recorded head goes out as it is; a long body is made up to its recorded length and start. */
  async #sendHead(recording: Recording): Promise<RawAnswer> {
    const {
      raw_request_head: head,
      raw_body_bytes: length,
      raw_body_start: start,
    } = recording.request_params as {
      raw_request_head: string;
      raw_body_bytes: number;
      raw_body_start: string;
    };
    const token = this.headers["authorization"] ?? "";
    const chunked = /transfer-encoding/i.test(head);
    const isUpload = recording.path.endsWith("/upload");
    const boundary = /boundary="?([^"\s]+)"?/.exec(head)?.[1] ?? "";
    const tmp = start.includes("tmpfilename") ? ([["tmpfilename", "/etc/passwd"]] as const) : [];
    const file = { name: "h.iso", bytes: isoBytes(374_784) };
    let body: Buffer = Buffer.from(start);
    if (isUpload)
      body = chunked
        ? Buffer.from("3\r\nabc\r\n0\r\n\r\n")
        : multipart([["content", "iso"], ...tmp, ["filename", file]], boundary);
    else if (!chunked && length > body.length) body = Buffer.concat([body, Buffer.alloc(length - body.length, "x")]);
    const sized =
      chunked || !/content-length/i.test(head)
        ? head
        : head.replace(/content-length: \d+/i, `Content-Length: ${body.length}`);
    return await sendRaw(this.pve, sized.replace("Authorization: PVEAPIToken=...", `Authorization: ${token}`), body);
  }

  /** Sends and compares; gives what differs. */
  async check(recording: Recording): Promise<string[]> {
    const answer = await this.send(recording);
    const recordedBody = typeof recording.body === "string" ? recording.body : JSON.stringify(recording.body);
    const found: string[] = [];
    if (answer.status !== recording.status)
      found.push(`status ${recording.status} was recorded, not ${answer.status} ${answer.reason} ${answer.body}`);
    else if (normal(answer.reason) !== normal(recording.reason))
      found.push(`reason '${recording.reason}' was recorded, not '${answer.reason}'`);
    if (found.length > 0) return found;
    const isJson = recordedBody.startsWith("{");
    if (!isJson)
      return answer.body.trim() === recordedBody.trim()
        ? []
        : [`body '${recordedBody}' was recorded, not '${answer.body}'`];
    if (
      recording.content_type !== undefined &&
      recording.content_type !== null &&
      answer.contentType !== recording.content_type
    ) {
      found.push(`content type '${recording.content_type}' was recorded, not '${answer.contentType}'`);
    }
    const [theirs, ours] = [JSON.parse(recordedBody), JSON.parse(answer.body)] as { data: unknown }[];
    if (typeof theirs?.data === "string" && theirs.data.startsWith("UPID:") && typeof ours?.data === "string") {
      this.#upids.set(theirs.data, ours.data);
      return normal(theirs.data) === normal(ours.data)
        ? found
        : [`task ${normal(theirs.data)} was recorded, not ${normal(ours.data)}`];
    }
    if (recording.path.endsWith("/agent/exec")) {
      this.#pids.set(pidOf(theirs), pidOf(ours));
    }
    return [...found, ...this.#compareData(recording, theirs, ours)];
  }

  #compareData(
    recording: Recording,
    theirs: { data: unknown } | undefined,
    ours: { data: unknown } | undefined,
  ): string[] {
    if (recording.name.endsWith(".task-log")) {
      const lines = (value: unknown) => (value as { t: string }[]).map((line) => line.t);
      return logDifferences(lines(theirs?.data), lines(ours?.data));
    }
    if (recording.name.endsWith(".task-status-running")) {
      // It was asked as soon as could be: by then a task may have ended, or not.
      return differences(withoutEnd(theirs), withoutEnd(ours), recording.name);
    }
    const wholeConfig = recording.method === "GET" && /\/(config|pending)$/.test(recording.path);
    return differences(theirs, ours, recording.name, "", wholeConfig);
  }
}
