import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { parse } from "yaml";
import { Failure } from "../../../src/failure/failure.ts";
import { readSignal, seedIso } from "../../../src/guest/index.ts";
import { reasonsOf } from "../../../src/guest/reasons.ts";
import { proofsOf, smokeSeedFiles, smokeSeedIso, smokeSteps, type SmokePlan } from "../../../src/guest/smoke/index.ts";
import { smokeReasons } from "../../../src/guest/smoke/reasons.ts";
import { readIso } from "../../stand-in/guest/index.ts";
import { ubuntuPlan } from "./plans.ts";
import { run, without } from "./programs.ts";

const folder = join(import.meta.dirname, "../../../src/guest/smoke/scripts");
const names = readdirSync(folder).filter((name) => name.endsWith(".sh"));
const code = (name: string): string => readFileSync(join(folder, name), "utf8").replace(/^\s*#.*$/gm, "");

const plan: SmokePlan = {
  uuid: "6F1C0B1E-6a0e-4c8e-9d52-0123456789ab",
  templateUuid: "11111111-2222-3333-4444-555555555555",
  hostname: "kubehenge-smoke-0123456789ab",
  mac: "BC:24:11:00:00:01",
  network: { kind: "dhcp" },
  kubernetes: { version: "v1.37.1", imageRepository: "registry.example.org/k8s" },
};

interface UserData {
  bootcmd: string[][];
  write_files: { path: string; content: string }[];
  runcmd: string[][];
}
const userData = (of: SmokePlan) => parse(smokeSeedFiles(of)["user-data"], { version: "1.1" }) as UserData;

describe("the seed of a clone", () => {
  it("is of the kind that Cluster API's Proxmox provider injects", () => {
    const files = smokeSeedFiles(plan);
    const uuid = "6f1c0b1e-6a0e-4c8e-9d52-0123456789ab";
    assert.deepEqual(parse(files["meta-data"]), {
      "instance-id": uuid,
      "local-hostname": plan.hostname,
      hostname: plan.hostname,
      "provider-id": `proxmox://${uuid}`,
      "kubernetes-version": "v1.37.1",
    });
    assert.deepEqual(parse(files["network-config"]), {
      network: {
        version: 2,
        renderer: "networkd",
        ethernets: { eth0: { match: { macaddress: "bc:24:11:00:00:01" }, dhcp4: true } },
      },
    });
  });

  it("names no Kubernetes version and proves none where the template has none", () => {
    const files = smokeSeedFiles({ ...plan, kubernetes: undefined });
    assert.ok(!("kubernetes-version" in (parse(files["meta-data"]) as object)));
    assert.doesNotMatch(files["user-data"], /kubeadm|crictl/);
  });

  it("has the address that the build had where one was given", () => {
    const network = { kind: "static", address: "192.0.2.10/24", gateway: "192.0.2.1", dns: ["192.0.2.53"] } as const;
    const { ethernets } = (
      parse(smokeSeedFiles({ ...plan, network })["network-config"]) as {
        network: { ethernets: { eth0: { addresses: string[] } } };
      }
    ).network;
    assert.deepEqual(ethernets.eth0.addresses, ["192.0.2.10/24"]);
  });

  it("writes to tmpfs alone, installs nothing and makes no user of its own", () => {
    const data = userData(plan);
    for (const { path } of data.write_files) assert.match(path, /^\/run\//);
    assert.deepEqual(Object.keys(data).sort(), ["bootcmd", "runcmd", "write_files"]);
    // What is enabled would lie on the disk.
    assert.ok(!data.runcmd.flat().includes("enable"));
  });

  it("lists its steps for the scripts that it brings", () => {
    const files = new Map(userData(plan).write_files.map(({ path, content }) => [path, content]));
    const steps = files.get("/run/kubehenge-smoke/steps") ?? assert.fail();
    const listed = steps
      .trimEnd()
      .split("\n")
      .map((line) => line.split(" ")[2] ?? "");
    assert.deepEqual(
      listed,
      smokeSteps(true)
        .slice(1)
        .map(({ name }) => name),
    );
    for (const name of listed) assert.ok(files.has(`/run/kubehenge-smoke/${name}.sh`), name);
  });

  it("is an ISO that the guest reads as it reads a build's", () => {
    const iso = smokeSeedIso(plan, new Date("2026-11-30T10:00:00Z"));
    const volume = readIso(iso) ?? assert.fail("no ISO");
    assert.equal(volume.label, readIso(seedIso(ubuntuPlan, new Date()))?.label);
    assert.deepEqual([...volume.files.keys()].sort(), ["meta-data", "network-config", "user-data"]);
  });

  it("passes cloud-init's own schema", { skip: without("cloud-init") }, () => {
    const directory = mkdtempSync(join(tmpdir(), "smoke-seed-"));
    try {
      writeFileSync(join(directory, "user-data"), smokeSeedFiles(plan)["user-data"]);
      const { code: exit, out } = run("cloud-init", ["schema", "-c", join(directory, "user-data")]);
      assert.equal(exit, 0, out);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  for (const [title, wrong] of [
    ["a uuid that is none", { uuid: "x\ny: z" }],
    ["a host name with a quote", { hostname: "a'b" }],
    ["a version with a shell's words", { kubernetes: { version: "v1.37.1; reboot" } }],
    ["a registry with a quote", { kubernetes: { version: "v1.37.1", imageRepository: "x'y" } }],
  ] as [string, Partial<SmokePlan>][]) {
    it(`refuses ${title}`, () => {
      assert.throws(() => smokeSeedFiles({ ...plan, ...wrong }), Failure);
    });
  }
});

describe("the scripts of a clone", () => {
  it("are clean to shellcheck", { skip: without("shellcheck") }, () => {
    const files = names.map((name) => join(folder, name));
    const { code: exit, out } = run("shellcheck", ["-x", `--source-path=${folder}`, ...files]);
    assert.equal(exit, 0, out);
  });

  it("parse in bash", () => {
    for (const name of names) assert.equal(run("/bin/bash", ["-n", join(folder, name)]).code, 0, name);
  });

  it("give just the reasons that the builder knows, and each reason belongs to a proof", () => {
    for (const { name, code: step } of smokeSteps(true).slice(1)) {
      const given = [...code(`${name}.sh`).matchAll(/\bfail ([0-9]+)/g)].map((match) => Number(match[1]));
      const own = (smokeReasons[name] ?? []).map(({ number }) => number);
      assert.deepEqual(new Set(given), new Set(own), name);
      const known = reasonsOf(name).map(({ number }) => number);
      for (const number of [...own, 8, 9]) assert.ok(known.includes(number));
      for (const number of own) {
        const signal = readSignal(smokeSteps(true), (1000 + 10 * step + number + 1) * 512);
        const last = proofsOf(smokeSteps(true), signal).at(-1);
        assert.equal(last?.ok, false);
        assert.doesNotMatch(last?.what ?? "", /^an end of/, `${name} ${number} disproves nothing`);
      }
    }
  });

  it("leave the host name alone until all is over", () => {
    const before = code("run.sh").slice(0, code("run.sh").indexOf("give_up()"));
    assert.doesNotMatch(before, /kernel\/hostname/);
    assert.match(code("run.sh"), /tell "\$code"/);
  });
});

describe("the proofs of a clone", () => {
  const steps = smokeSteps(true);
  const whats = (code_: number | undefined) =>
    proofsOf(steps, readSignal(steps, code_ === undefined ? undefined : (code_ + 1) * 512)).map(
      ({ what, ok }) => `${ok ? "+" : "-"}${what}`,
    );

  it("are all there when it is done", () => {
    const all = whats(100);
    assert.equal(all.length, 10);
    assert.ok(all.every((one) => one.startsWith("+")));
  });

  it("end at the first that fails", () => {
    assert.deepEqual(whats(1000 + 200 + 3), [
      "+it boots and reads its seed",
      "+cloud-init ends without errors and warnings",
      "+the host name of its seed",
      "-a machine-id of its own",
    ]);
    assert.deepEqual(whats(undefined), ["-it boots and reads its seed"]);
    assert.match(whats(530).at(-1) ?? "", /^-an end of "asking containerd"/);
  });
});
