import type { GuestEvents, RunningGuest } from "../guest-contract.ts";

export type TalosFault =
  /** Says nothing on its serial console. */
  | "talos-silent"
  /** The kernel finds no root and stops. */
  | "talos-panics"
  | "talos-powers-off";

/** Whether a disk was made from an image of the Image Factory's, by its file's name. */
export function isTalosImage(content: unknown): boolean {
  return (
    typeof content === "object" &&
    content !== null &&
    "name" in content &&
    typeof content.name === "string" &&
    /(^|\/)kubehenge-talos-/.test(content.name)
  );
}

const boot = [
  "[    0.000000] Linux version 6.18.54-talos (@buildkitsandbox) #1 SMP PREEMPT_DYNAMIC\r\n",
  "[    0.000000] Command line: talos.platform=nocloud console=tty1 console=ttyS0 net.ifnames=0\r\n",
  '[    2.418332] [talos] [initramfs] booting Talos v1.14.4\r\n[    3.100421] [talos] volume "META" phase "waiting -> ready"\r\n',
];
// As acquire.go logs it, here with the colours that zap may put around a level.
const maintenance =
  '\u001b[0m[    9.851478] [talos] entering maintenance service {"component": "controller-runtime", "controller": "config.AcquireController"}\r\n';

/**
 * Plays Talos without a configuration: its boot on the serial console, then maintenance mode, without an agent.
 * @param bootMs milliseconds until maintenance mode; long enough for somebody to connect to the console meanwhile
 */
export function talosGuest(events: GuestEvents, bootMs: number, fault: TalosFault | undefined): RunningGuest {
  const timers: NodeJS.Timeout[] = [];
  const after = (ms: number, action: () => void) => void timers.push(setTimeout(action, ms));
  const print = (text: string) => {
    if (fault !== "talos-silent") events.console?.(text);
  };
  const off = () => {
    for (const timer of timers) clearTimeout(timer);
    events.poweredOff();
  };
  boot.forEach((line, at) => after((bootMs * (at + 1)) / (boot.length + 1), () => print(line)));
  after(bootMs, () => {
    if (fault === "talos-panics")
      return print("[    9.8] Kernel panic - not syncing: VFS: Unable to mount root fs\r\n");
    if (fault === "talos-powers-off") return off();
    // In two pieces, as a serial port may hand it over.
    print(maintenance.slice(0, 40));
    return print(maintenance.slice(40));
  });
  return {
    readFile: () => undefined,
    hostname: () => "talos",
    exec: () => ({ exitcode: 127, out: "", err: "" }),
    shutdown: () => after(10, off),
    kill: () => {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
