import { randomUUID } from "node:crypto";
import type { GuestEvents, GuestHardware, GuestPlayer, RunningGuest } from "../guest-contract.ts";
import { readBuild, type BuildWork } from "./build-seed.ts";
import { guestDisk, type GuestDisk } from "./disk-content.ts";
import { faultOf, type Fault, type FaultName } from "./faults.ts";
import { findSeed, type Seed } from "./nocloud.ts";
import { playStep } from "./step-effects.ts";
import { isTalosImage, talosGuest, type TalosFault } from "./talos-guest.ts";
import { usualWorld, type GuestWorld } from "./world.ts";

export interface SimulatedGuestOptions {
  /** Milliseconds that the boot and each step take. Default 10. */
  stepMs?: number;
  /** Milliseconds of an orderly shutdown; as a step when left out. */
  powerOffMs?: number;
  fault?: FaultName;
  /** Moves the fault to another step than its own. */
  faultStep?: string;
  /** Milliseconds that Talos takes to its maintenance mode, so that a console can be opened before. Default 3000. */
  talosBootMs?: number;
  /** Which starts of a VM are hit; default all. */
  faulty?: (hardware: GuestHardware) => boolean;
  /** What lies around the guest, where it is not as usual. */
  world?: Partial<GuestWorld>;
}

/**
 * Plays Ubuntu's cloud image: a build when the seed asks for one, else the first and later boots of a clone, which proves
 * itself where its seed asks for that. A disk made from Talos' image plays Talos.
 */
export function simulatedGuest(options: SimulatedGuestOptions = {}): GuestPlayer {
  return (hardware, events) => {
    if (!isTalosImage(hardware.disks.get("scsi0")?.content)) return new SimulatedGuest(hardware, events, options);
    const fault = options.fault?.startsWith("talos-") ? (options.fault as TalosFault) : undefined;
    return talosGuest(events, options.talosBootMs ?? 3000, fault);
  };
}

const runFolder = "/run/kubehenge";

class SimulatedGuest implements RunningGuest {
  readonly #hardware: GuestHardware;
  readonly #events: GuestEvents;
  readonly #stepMs: number;
  readonly #powerOffMs: number;
  readonly #faultName: FaultName | undefined;
  readonly #world: GuestWorld;
  #fault: Fault | undefined;
  #timer: NodeJS.Timeout | undefined;
  #disk: GuestDisk;
  #hostname: string;
  #cloudInit: "not run" | "running" | "done" | "error" = "not run";
  #state: "on" | "panicked" | "off" = "on";
  /** tmpfs: gone with the power and with a reboot. */
  readonly #runFiles = new Map<string, string>();

  constructor(hardware: GuestHardware, events: GuestEvents, options: SimulatedGuestOptions) {
    this.#hardware = hardware;
    this.#events = events;
    this.#stepMs = options.stepMs ?? 10;
    this.#powerOffMs = options.powerOffMs ?? this.#stepMs;
    const hit = options.faulty?.(hardware) ?? true;
    this.#faultName = hit ? options.fault : undefined;
    this.#fault = faultOf(this.#faultName, options.faultStep);
    this.#world = { ...usualWorld, ...options.world };
    this.#disk = guestDisk(hardware.disks.get("scsi0")?.content);
    this.#hostname = this.#disk.hostname;
    // The firmware looks at each medium before anything boots.
    for (const { device } of hardware.cdroms) events.readBytes(device, 2048);
    this.#after(() => this.#boot());
  }

  readFile(path: string): string | undefined {
    if (path === "/etc/hostname") return `${this.#disk.hostname}\n`;
    if (path === "/etc/machine-id") return this.#disk.machineId === "" ? "" : `${this.#disk.machineId}\n`;
    return this.#runFiles.get(path);
  }

  hostname(): string {
    return this.#hostname;
  }

  exec(argv: readonly string[]): { exitcode: number; out: string; err: string } {
    const [program, argument] = argv;
    if (program === "cloud-init" && argument === "status") {
      return { exitcode: this.#cloudInit === "error" ? 1 : 0, out: `status: ${this.#cloudInit}\n`, err: "" };
    }
    if (program === "hostname") return { exitcode: 0, out: `${this.#hostname}\n`, err: "" };
    if (program === "cat" && argument !== undefined) {
      const content = this.readFile(argument);
      if (content === undefined) return { exitcode: 1, out: "", err: `cat: ${argument}: No such file or directory\n` };
      return { exitcode: 0, out: content, err: "" };
    }
    return { exitcode: 127, out: "", err: `${program ?? ""}: not found\n` };
  }

  shutdown(): void {
    if (this.#state !== "on" || this.#faultName === "ignores-shutdown") return;
    this.#after(() => this.#powerOff(), this.#powerOffMs / this.#stepMs);
  }

  kill(): void {
    this.#state = "off";
    clearTimeout(this.#timer);
  }

  #boot(): void {
    if (this.#faultName === "panic-at-boot") return this.#panic();
    this.#runFiles.clear();
    this.#disk.boots++;
    if (this.#disk.machineId === "") this.#disk.machineId = this.#hardware.smbiosUuid.replaceAll("-", "").toLowerCase();
    const seed = findSeed(this.#hardware, (device, bytes) => this.#events.readBytes(device, bytes));
    if (this.#faultName === "broken-seed" || (seed !== undefined && seed.config === undefined)) {
      this.#cloudInit = "error";
      return this.#keep();
    }
    if (seed?.config === undefined) {
      this.#cloudInit = "done";
      return this.#settle();
    }
    const firstBoot = this.#disk.instanceId !== seed.instanceId;
    if (firstBoot) this.#newInstance(seed);
    this.#cloudInit = "running";
    const work = readBuild(seed.config);
    if (work === undefined) {
      if (firstBoot) this.#disk.commands.push(...seed.config.runcmd.map((words) => [words].flat().join(" ")));
      return this.#after(() => {
        this.#cloudInit = "done";
        this.#settle();
      });
    }
    this.#disk.sealed = false;
    // What lies on tmpfs is not on the disk.
    this.#disk.buildFiles = work.proves ? [] : [...work.files.keys()];
    this.#keep();
    if (work.seedRead !== undefined) this.#signal(work.seedRead.sector, work.seedRead.device);
    this.#after(() => {
      this.#cloudInit = "done";
      if (this.#disk.packages["qemu-guest-agent"] !== undefined) this.#agentUp();
      this.#step(work, 0);
    });
  }

  /** What cloud-init does once for every instance-id. */
  #newInstance(seed: Seed): void {
    this.#disk.instanceId = seed.instanceId;
    this.#disk.sealed = false;
    if (this.#faultName !== "no-hostname") this.#disk.hostname = seed.hostname ?? this.#disk.hostname;
    this.#hostname = this.#disk.hostname;
    this.#disk.hostKeys = this.#faultName === "no-host-keys" ? [] : [`ssh-ed25519 ${randomUUID()}`];
    delete this.#disk.netplan;
    for (const card of this.#hardware.networks) {
      const wanted = Object.values(seed.network?.ethernets ?? {}).find(
        (entry) => entry.match?.macaddress.toLowerCase() === card.mac.toLowerCase(),
      );
      if (wanted === undefined) continue;
      const leased = wanted.dhcp4 === true && this.#world.dhcp ? ["192.0.2.100/24"] : [];
      this.#disk.netplan = { mac: card.mac, addresses: [...(wanted.addresses ?? []), ...leased] };
    }
  }

  /** The boot of a clone, or of an image without seed, is over. */
  #settle(): void {
    this.#keep();
    if (this.#disk.packages["qemu-guest-agent"] !== undefined) this.#agentUp();
  }

  #step(work: BuildWork, index: number): void {
    const step = work.steps[index];
    if (step === undefined) {
      if (!work.proves) this.#runFiles.set(`${runFolder}/report.json`, this.#report());
      this.#signal(100);
      return;
    }
    this.#log(`== ${step.name}, at most ${step.seconds} s`);
    this.#signal(step.code, "scsi1", work.proves);
    if (this.#fault?.step === step.name) return this.#misbehave(this.#fault, work, index);
    this.#after(() => this.#finish(work, index));
  }

  #finish(work: BuildWork, index: number): void {
    const step = work.steps[index];
    if (step === undefined) return;
    const failure = playStep(step.name, {
      work,
      disk: this.#disk,
      world: this.#world,
      keepsMachineId: this.#faultName === "seal-keeps-machine-id",
    });
    this.#keep();
    if (failure !== undefined) return this.#fail(step.code, failure.reason, failure.words);
    if (step.name === "agent") this.#agentUp();
    this.#step(work, index + 1);
  }

  #misbehave(fault: Fault, work: BuildWork, index: number): void {
    const code = work.steps[index]?.code ?? 0;
    switch (fault.does) {
      case "fail":
        return this.#after(() => this.#fail(code, fault.reason, fault.words ?? "line 1: false"));
      case "hang":
        return;
      case "panic":
        return this.#after(() => this.#panic());
      case "power-off":
        return this.#after(() => this.#powerOff());
      case "reboot":
        this.#fault = undefined;
        return this.#after(() => {
          this.#events.agent(false);
          this.#after(() => this.#boot());
        });
      case "wait":
        return this.#after(() => this.#finish(work, index), 6);
    }
  }

  #fail(code: number, reason: number | undefined, words: string): void {
    this.#log(`FAILED: ${words}`);
    this.#log("Root file system: 2048 MiB free. Result of the build unit: exit-code.");
    this.#signal(reason === undefined ? 500 + code : 1000 + 10 * code + reason);
  }

  #panic(): void {
    this.#state = "panicked";
    this.#events.agent(false);
  }

  #powerOff(): void {
    this.#state = "off";
    clearTimeout(this.#timer);
    this.#events.agent(false);
    this.#events.poweredOff();
  }

  #agentUp(): void {
    if (this.#faultName !== "no-agent") this.#events.agent(true);
  }

  /** As signal.sh does it, and the smoke test's run.sh: the sector, the transient host name, the file. */
  #signal(code: number, device = "scsi1", silentAgent = false): void {
    if (this.#faultName !== "no-blockstat" && this.#hardware.disks.has(device)) this.#events.wroteSector(device, code);
    // A clone's host name is among what it proves, so that it tells its verdict by it and nothing before.
    if (code === 1 || silentAgent) return;
    this.#hostname = `kubehenge-code-${code}`;
  }

  #log(line: string): void {
    const path = `${runFolder}/log`;
    this.#runFiles.set(path, `${this.#runFiles.get(path) ?? ""}${line}\n`);
  }

  #report(): string {
    return `${JSON.stringify({
      kernel: `${(this.#disk.packages["linux-image-virtual"] ?? "").replace(/\.\d+$/, "")}-generic`,
      cloudInit: "done",
      packages: this.#disk.packages,
      images: this.#disk.images,
      warnings: [],
    })}\n`;
  }

  /** The disk as it is now; a copy, for the machine's storage may copy it at any moment. */
  #keep(): void {
    const disk = this.#hardware.disks.get("scsi0");
    if (disk !== undefined) disk.content = structuredClone(this.#disk);
  }

  #after(action: () => void, times = 1): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#state === "on") action();
    }, this.#stepMs * times);
  }
}
