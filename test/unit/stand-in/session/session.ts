import assert from "node:assert/strict";
import { type ProxmoxStandIn, startProxmox, type StandInOptions } from "../../../stand-in/proxmox/index.ts";
import { form, multipart, type RawAnswer, send, tokenHeader } from "./client.ts";

/** Tasks that are over at once, and no wait that a test does not ask for. */
const AT_ONCE: StandInOptions = {
  unauthorizedMs: 0,
  agentTimeoutMs: 0,
  taskMs: {
    download: 0,
    imgcopy: 0,
    imgdel: 0,
    qmclone: 0,
    qmconfig: 0,
    qmcreate: 0,
    qmdestroy: 0,
    qmshutdown: 0,
    qmstart: 0,
    qmstop: 0,
    qmtemplate: 0,
    resize: 0,
  },
};

export interface JsonAnswer extends RawAnswer {
  data: unknown;
  errors: Record<string, string> | undefined;
  message: string | undefined;
}

/** A stand-in and somebody who asks it. */
export class Session implements AsyncDisposable {
  readonly pve: ProxmoxStandIn;
  token: string;

  constructor(pve: ProxmoxStandIn) {
    this.pve = pve;
    this.token = pve.token;
  }

  static async start(options: StandInOptions = {}): Promise<Session> {
    return new Session(
      await startProxmox({ ...AT_ONCE, ...options, taskMs: { ...AT_ONCE.taskMs, ...options.taskMs } }),
    );
  }

  get state(): ProxmoxStandIn["state"] {
    return this.pve.state;
  }

  async ask(method: string, path: string, params: Record<string, unknown> = {}): Promise<JsonAnswer> {
    const headers: Record<string, string> = tokenHeader(this.token);
    const query = method === "GET" || method === "DELETE" ? form(params) : "";
    if (method === "POST" || method === "PUT") headers["content-type"] = "application/x-www-form-urlencoded";
    const answer = await send(this.pve, {
      method,
      path: query === "" ? path : `${path}?${query}`,
      headers,
      ...(headers["content-type"] === undefined ? {} : { body: form(params) }),
    });
    return jsonOf(answer);
  }

  /** Asks for what must succeed, and gives its data. */
  async get(path: string, params: Record<string, unknown> = {}): Promise<unknown> {
    return succeeded(await this.ask("GET", path, params)).data;
  }

  async put(path: string, params: Record<string, unknown> = {}): Promise<unknown> {
    return succeeded(await this.ask("PUT", path, params)).data;
  }

  /** Starts a task and gives its exit status. */
  async task(method: string, path: string, params: Record<string, unknown> = {}): Promise<string> {
    return await this.exitOf(String(succeeded(await this.ask(method, path, params)).data));
  }

  async exitOf(upid: string): Promise<string> {
    const task = this.state.tasks.find(upid);
    assert.ok(task, `${upid} is no task`);
    await task.done;
    return task.exitstatus ?? "";
  }

  async config(vmid: number): Promise<Record<string, unknown>> {
    return (await this.get(`/nodes/pve1/qemu/${vmid}/config`)) as Record<string, unknown>;
  }

  async upload(name: string, bytes: Buffer, fields: Record<string, string> = {}): Promise<JsonAnswer> {
    const body = multipart([["content", "iso"], ...Object.entries(fields), ["filename", { name, bytes }]]);
    const headers = { ...tokenHeader(this.token), "content-type": "multipart/form-data; boundary=XBOUNDX" };
    return jsonOf(await send(this.pve, { method: "POST", path: "/nodes/pve1/storage/local/upload", headers, body }));
  }

  /** A VM made from an image that lies in the import storage. */
  async makeVm(vmid: number, more: Record<string, unknown> = {}): Promise<string> {
    if (!this.state.volumes.find("local", "import/image.qcow2", "pve1"))
      this.state.addVolume({ storage: "local", name: "import/image.qcow2" });
    const scsi0 = "shared-storage:0,import-from=local:import/image.qcow2";
    return await this.task("POST", "/nodes/pve1/qemu", { vmid, name: `vm${vmid}`, scsi0, ...more });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.pve.close();
  }
}

function jsonOf(answer: RawAnswer): JsonAnswer {
  const body = answer.body.startsWith("{") ? (JSON.parse(answer.body) as Record<string, unknown>) : {};
  const errors = body["errors"] as Record<string, string> | undefined;
  return { ...answer, data: body["data"], errors, message: body["message"] as string | undefined };
}

export function succeeded(answer: JsonAnswer): JsonAnswer {
  assert.equal(answer.status, 200, `${answer.status} ${answer.reason} ${answer.body}`);
  return answer;
}
