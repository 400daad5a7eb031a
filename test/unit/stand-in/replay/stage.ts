import { emptyQcow2, type ProxmoxStandIn, startProxmox, type StandInOptions } from "../../../stand-in/proxmox/index.ts";
import type { GuestEvents, GuestPlayer } from "../../../stand-in/guest-contract.ts";
import { form, send, tokenHeader } from "../session/client.ts";
import { Replay } from "./replay.ts";
import { startUpstream, type Upstream } from "../session/upstream.ts";

/** Bytes of the disk in the recorded guest image. */
const GUEST_DISK = 2_411_724_800;
const GUEST_IMAGE = 261_357_568;

/** What the recordings were made on: one node, `local` with every content, a directory as shared storage. */
const AS_RECORDED: StandInOptions = {
  storages: [
    {
      name: "local",
      type: "dir",
      content: ["iso", "import", "vztmpl", "snippets", "backup", "images"],
      path: "/var/lib/vz",
    },
    { name: "shared-storage", type: "dir", content: ["images"], shared: true, path: "/mnt/pve/shared" },
  ],
  unauthorizedMs: 0,
  agentTimeoutMs: 1,
  resourcesLagMs: 3_600_000_000,
  taskMs: {
    download: 1,
    imgcopy: 1,
    imgdel: 1,
    qmclone: 1,
    qmconfig: 1,
    qmcreate: 1,
    qmdestroy: 1,
    qmshutdown: 1,
    qmstart: 1,
    qmstop: 1,
    qmtemplate: 1,
    resize: 1,
  },
};

/** A cluster as it was at the recordings, with what people did to it between the recorded calls. */
export class Stage {
  readonly pve: ProxmoxStandIn;
  readonly replay: Replay;
  readonly upstream: Upstream;
  /** Events of the machines that run, by VMID; what they say is for the scenario to decide. */
  readonly guests: Map<number, GuestEvents>;

  readonly #withAgent: Set<number>;
  readonly #secrets = new Map<string, string>();

  private constructor(
    pve: ProxmoxStandIn,
    upstream: Upstream,
    guests: Map<number, GuestEvents>,
    withAgent: Set<number>,
  ) {
    this.#withAgent = withAgent;
    this.pve = pve;
    this.upstream = upstream;
    this.guests = guests;
    this.replay = new Replay(pve, upstream);
  }

  static async start(): Promise<Stage> {
    const guests = new Map<number, GuestEvents>();
    const withAgent = new Set<number>();
    const guest: GuestPlayer = (hardware, events) => {
      guests.set(hardware.vmid, events);
      return {
        readFile: (path) => (path === "/etc/hostname" ? "lab-agent\n" : undefined),
        hostname: () => "lab-agent",
        exec: ([command]) =>
          command === "cat" ? { exitcode: 0, out: "lab-agent\n", err: "" } : { exitcode: 1, out: "", err: "" },
        shutdown: () => {
          // The recorded guest follows a shutdown only once its agent runs.
          if (withAgent.has(hardware.vmid)) events.poweredOff();
        },
        kill: () => {},
      };
    };
    const pve = await startProxmox({ ...AS_RECORDED, guest, speed: 1000 });
    return new Stage(pve, await startUpstream(), guests, withAgent);
  }

  get world(): ProxmoxStandIn["state"] {
    return this.pve.state;
  }

  /** An image as the recorded guest's, put there by hand. */
  addGuestImage(name: string): void {
    this.world.addVolume({
      storage: "local",
      name: `import/${name}`,
      bytes: emptyQcow2(GUEST_DISK),
      sizeBytes: GUEST_IMAGE,
    });
  }

  addIso(name: string): void {
    this.world.addVolume({ storage: "local", name: `iso/${name}`, bytes: Buffer.alloc(374_784) });
  }

  addPool(id: string): void {
    this.world.pools.set(id, { id, vms: new Set(), storages: new Set() });
  }

  /** Somebody removed this VM between two recorded calls. */
  async forget(vmid: number): Promise<void> {
    const vm = this.world.vms.get(vmid);
    if (!vm) return;
    await vm.machine?.kill();
    for (const volume of this.world.volumes) if (volume.vmid === vmid) this.world.volumes.remove(volume);
    for (const pool of this.world.pools.values()) pool.vms.delete(vmid);
    this.world.vms.delete(vmid);
  }

  /** A call by root that was not recorded; gives its data, and waits for its task. */
  async asRoot(method: string, path: string, params: Record<string, unknown> = {}): Promise<unknown> {
    const answer = await send(this.pve, {
      method,
      path,
      headers: { ...tokenHeader(this.pve.token), "content-type": "application/x-www-form-urlencoded" },
      body: form(params),
    });
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.reason}`);
    const { data } = JSON.parse(answer.body) as { data: unknown };
    if (typeof data === "string" && data.startsWith("UPID:")) await this.world.tasks.find(data)?.done;
    return data;
  }

  /** Signs in and sends what follows by this session. */
  useTicket(data: unknown, csrf: boolean): void {
    const { ticket, CSRFPreventionToken } = data as { ticket: string; CSRFPreventionToken: string };
    this.replay.headers = {
      cookie: `PVEAuthCookie=${encodeURIComponent(ticket)}`,
      ...(csrf ? { CSRFPreventionToken } : {}),
    };
  }

  /** The guest agent of a running VM answers from now on. */
  agentUp(vmid: number): void {
    this.#withAgent.add(vmid);
    this.guests.get(vmid)?.agent(true);
  }

  /** Sends what follows by this token, also when it is no more. */
  useToken(id: string): void {
    const secret = this.world.access.tokens.get(id)?.secret ?? this.#secrets.get(id) ?? "";
    this.#secrets.set(id, secret);
    this.replay.headers = tokenHeader(`${id}=${secret}`);
  }

  useRoot(): void {
    this.replay.headers = tokenHeader(this.pve.token);
  }

  async close(): Promise<void> {
    await this.upstream.close();
    await this.pve.close();
  }
}
