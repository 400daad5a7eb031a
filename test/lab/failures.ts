import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { gunzipSync, gzipSync } from "node:zlib";
import { writeIso } from "../../src/guest/iso9660/write-iso.ts";
import { readIso } from "../stand-in/guest/index.ts";
import { api, apiTask } from "../stand-in/api.ts";
import { assertNothingLeft, assertTemplate, templateWith } from "./checks.ts";
import { kubehenge, type CommandEnd } from "./command.ts";
import { network } from "./network.ts";
import { deadBridge, type Lab } from "./world.ts";

export interface GuestFailure {
  /** A statement about what happens. */
  name: string;
  run(lab: Lab): Promise<void>;
}

const build = ["template", "create", "rke2", "--timeout", "600"];
const byHand = ["--build-address", network.guestAddress];

/** Templates out of the way, so that the next command builds. */
async function forgetTemplates(lab: Lab): Promise<void> {
  for (const vm of lab.proxmox.state.vms.values())
    await apiTask(lab.proxmox, "DELETE", `/nodes/${vm.node}/qemu/${vm.vmid}`);
}

/** The build's VM while it runs. */
function buildVm(lab: Lab): number {
  return [...lab.proxmox.state.vms.values()].find((vm) => vm.machine !== undefined)?.vmid ?? 0;
}

/** A build that fails, and says why in these words. */
function fails(name: string, words: readonly RegExp[], spoil: (lab: Lab) => Promise<CommandEnd>): GuestFailure {
  return {
    name,
    run: async (lab) => {
      await forgetTemplates(lab);
      const end = await spoil(lab);
      assert.notEqual(end.code, 0, "the command fails");
      for (const word of words) assert.match(`${end.stdout}${end.stderr}`, word);
      assertNothingLeft(lab);
    },
  };
}

/** Calls once, when the command has said `words`; what it throws fails the test. */
function when(words: string, call: () => Promise<void>): { during: (text: string) => void; done: () => Promise<void> } {
  let called: Promise<void> | undefined;
  return {
    during: (text) => {
      if (called === undefined && text.includes(words)) called = call();
    },
    done: async () => {
      assert.ok(called, `the command never said "${words}"`);
      await called;
    },
  };
}

/** A command in the build's guest, as soon as its agent answers. */
async function inGuest(lab: Lab, script: string): Promise<void> {
  const vmid = buildVm(lab);
  const agent = lab.machines.machineOf(vmid)?.agent;
  assert.ok(agent, `VM ${vmid} does not run`);
  while (!(await agent.up())) await pause(500);
  await agent.exec(["/bin/sh", "-c", script]);
}

/** A build in whose guest `script` is run while it upgrades. */
async function buildWith(lab: Lab, script: string, argv: readonly string[] = build): Promise<CommandEnd> {
  // Run in the background: what reboots or stops the guest gives no answer.
  const spoil = when("upgrading all packages", () => inGuest(lab, `(${script}) >/dev/null 2>&1 </dev/null &`));
  const end = await kubehenge(lab, argv, spoil.during);
  await spoil.done();
  return end;
}

/** User-data that is no YAML, in the place of what was uploaded. */
function breakSeed(file: string): void {
  const files = new Map(readIso(readFileSync(file))?.files);
  const userData = gunzipSync(files.get("user-data") ?? assert.fail("the seed holds user-data")).toString();
  files.set("user-data", gzipSync(userData.replace("#cloud-config\n", "#cloud-config\n}")));
  const broken = Array.from(files, ([name, bytes]) => ({ name, bytes }));
  writeFileSync(file, writeIso(broken, { label: "cidata", created: new Date() }));
}

/** The most telling first, for a slow machine has no time for all. */
export const failures: readonly GuestFailure[] = [
  fails("a mirror that refuses is named", [/cannot connect to the package mirror/, /--apt-mirror/], (lab) =>
    kubehenge(lab, [...build, "--apt-mirror", `http://${network.gateway}:81/ubuntu`]),
  ),
  fails("a guest that somebody switches off is a failure at once", [/is switched off/], async (lab) => {
    const off = when("cloud-init has read the seed", async () => {
      await api(lab.proxmox, "POST", `/nodes/pve1/qemu/${buildVm(lab)}/status/stop`);
    });
    const end = await kubehenge(lab, build, off.during);
    await off.done();
    return end;
  }),
  fails(
    "a list that a stranger signed is refused by the guest",
    [/signature of a package list does not hold/],
    async (lab) => {
      const signer = lab.archiveSigner;
      lab.archiveSigner = lab.strangeKey;
      try {
        return await kubehenge(lab, build);
      } finally {
        lab.archiveSigner = signer;
      }
    },
  ),
  fails("dead name servers are named", [/cannot resolve names/], (lab) =>
    kubehenge(lab, [...build, ...byHand, "--build-gateway", network.gateway, "--build-dns", network.nobody]),
  ),
  fails("a gateway that does not answer is named", [/gateway does not answer/], (lab) =>
    kubehenge(lab, [...build, ...byHand, "--build-gateway", network.nobody, "--build-dns", network.nobody]),
  ),
  fails("a package version that the guest does not find is named", [/not in the repository/], async (lab) => {
    const { minors } = lab.upstreams.world.packages;
    const versions = minors.get("1.37") ?? [];
    const gone = when("checking the network", async () => {
      minors.set("1.37", ["1.37.0"]);
    });
    try {
      return await kubehenge(
        lab,
        ["template", "create", "kubeadm", "--kubernetes-version", "1.37.1", "--timeout", "600"],
        gone.during,
      );
    } finally {
      minors.set("1.37", versions);
    }
  }),
  fails("a guest whose kernel panics is given up by its step's bound", [/shown nothing new/], async (lab) => {
    const panic = when("cloud-init has read the seed", async () => {
      const machine = lab.machines.machineOf(buildVm(lab));
      assert.ok(machine, "the build VM runs");
      await machine.panic();
      lab.setSpeed(60);
    });
    try {
      const end = await kubehenge(lab, build, panic.during);
      await panic.done();
      return end;
    } finally {
      lab.setSpeed(undefined);
    }
  }),
  fails(
    "a seed that cannot be read is told from a guest that does not boot",
    [/has not read its seed|nothing of it ran/],
    async (lab) => {
      lab.proxmox.inject(({ method, path, phase }) => {
        if (method === "POST" && path.endsWith("/status/start") && phase === "before") {
          const seed = [...lab.proxmox.state.volumes].find(({ content, seeded }) => content === "iso" && !seeded);
          if (seed?.file !== undefined) breakSeed(seed.file);
        }
        return undefined;
      });
      const hurry = when("preparing the guest", async () => {
        // Long enough that a guest with a good seed would have spoken.
        await pause(lab.accelerator === "kvm" ? 60_000 : 240_000);
        lab.setSpeed(60);
      });
      try {
        return await kubehenge(lab, build, hurry.during);
      } finally {
        lab.proxmox.inject(undefined);
        lab.setSpeed(undefined);
      }
    },
  ),
  {
    name: "a package lock that is held for a minute is waited for, and a guest that reboots in the middle goes on",
    run: async (lab) => {
      await forgetTemplates(lab);
      const hold =
        "import fcntl, time; f = open('/var/lib/dpkg/lock-frontend', 'w'); fcntl.lockf(f, fcntl.LOCK_EX); time.sleep(60)";
      const end = await buildWith(lab, `python3 -c "${hold}"; systemctl reboot`);
      assert.equal(end.code, 0, end.stderr);
      assertNothingLeft(lab);
    },
  },
  fails("a full disk is named", [/root file system is full/], (lab) =>
    buildWith(lab, "fallocate -l $(($(df --output=avail --block-size=1M / | tail -n 1) - 4))M /filler", [
      "template",
      "create",
      "kubeadm",
      "--kubernetes-version",
      "1.37.1",
      "--timeout",
      "600",
    ]),
  ),
  fails(
    "a guest without its agent's port is named as not as promised",
    [/something promised is not there/],
    async (lab) => {
      lab.withoutAgentPort(true);
      try {
        return await kubehenge(lab, build);
      } finally {
        lab.withoutAgentPort(false);
      }
    },
  ),
  fails("a network without DHCP is named", [/it got no address/], (lab) =>
    kubehenge(lab, [...build, "--bridge", deadBridge]),
  ),
  {
    name: "a clone of the new template proves itself in its smoke test, and nothing of it stays",
    run: async (lab) => {
      await forgetTemplates(lab);
      const end = await kubehenge(lab, [...build, "--smoke-test", "true", "-o", "json"]);
      assert.equal(end.code, 0, end.stderr);
      const [outcome] = JSON.parse(end.stdout) as { smokeTest: { what: string; ok: boolean }[] }[];
      assert.deepEqual(
        outcome?.smokeTest.filter(({ ok }) => !ok),
        [],
      );
      assert.ok(outcome.smokeTest.length >= 7, `proven: ${outcome.smokeTest.map(({ what }) => what).join("; ")}`);
      assertTemplate(templateWith(lab, "ubuntu-26.04"));
      assertNothingLeft(lab);
    },
  },
];
