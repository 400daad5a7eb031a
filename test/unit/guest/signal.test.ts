import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { guestSteps, lastLines, parseReport, readHostNameSignal, readSignal } from "../../../src/guest/index.ts";
import { reasonsOf } from "../../../src/guest/reasons.ts";
import { failureCode } from "../../../src/guest/signal.ts";
import { doneCode } from "../../../src/guest/steps.ts";
import { kubeadmPlan, ubuntuPlan } from "./plans.ts";

const steps = guestSteps(kubeadmPlan);
/** What `wr_highest_offset` is after sector `code` was written. */
const offset = (code: number): number => (code + 1) * 512;
const kindAndStep = (code: number): [string, string | undefined] => {
  const signal = readSignal(steps, offset(code));
  return [signal.kind, "step" in signal ? signal.step.name : undefined];
};

describe("the steps", () => {
  it("have codes that grow, below the code of success, with bounds and words", () => {
    for (const plan of [ubuntuPlan, kubeadmPlan]) {
      const codes = guestSteps(plan).map((step) => step.code);
      assert.deepEqual(
        codes,
        codes.toSorted((a, b) => a - b),
      );
      assert.equal(new Set(codes).size, codes.length);
      for (const step of guestSteps(plan))
        assert.ok(step.code < doneCode && step.boundSeconds > 60 && step.title !== "");
    }
  });

  it("have Kubernetes' steps only where Kubernetes is asked for", () => {
    assert.ok(!guestSteps(ubuntuPlan).some((step) => step.name.startsWith("kubernetes")));
    assert.equal(steps.filter((step) => step.name.startsWith("kubernetes")).length, 3);
  });
});

describe("the signal on the marker disk", () => {
  it("is nothing before the first code", () => {
    for (const value of [undefined, 0, 512, -1, Number.NaN])
      assert.deepEqual(readSignal(steps, value), { kind: "nothing" });
  });

  it("reads 4096 bytes as code 7, as it was recorded on Proxmox VE 9.2", () => {
    assert.deepEqual(kindAndStep(7), ["step", "seed"]);
    const signal = readSignal(steps, 4096);
    assert.equal(signal.kind === "step" && signal.code, 7);
  });

  it("names the step of each code, and success", () => {
    for (const step of steps) assert.deepEqual(kindAndStep(step.code), ["step", step.name]);
    assert.deepEqual(kindAndStep(100), ["done", undefined]);
  });

  it("B59: names the failing step and the guest's reason without network or agent", () => {
    assert.deepEqual(kindAndStep(510), ["failed", "network"]);
    assert.deepEqual(kindAndStep(501), ["failed", "seed"]);
    const signal = readSignal(steps, offset(1102));
    assert.equal(signal.kind, "failed");
    if (signal.kind !== "failed") return;
    assert.equal(signal.step.name, "network");
    assert.match(signal.reason?.title ?? "", /address/);
    assert.match(signal.reason?.remedy ?? "", /DHCP/);
  });

  it("has a code of its own for every failure, above success, so that the highest offset can only tell the truth", () => {
    const codes = steps.flatMap((step) => [
      failureCode(step),
      ...reasonsOf(step.name).map((reason) => failureCode(step, reason.number)),
    ]);
    assert.equal(new Set(codes).size, codes.length);
    for (const step of steps) {
      for (const reason of reasonsOf(step.name)) {
        const signal = readSignal(steps, offset(failureCode(step, reason.number)));
        assert.deepEqual(signal.kind === "failed" && [signal.step.name, signal.reason], [step.name, reason]);
      }
    }
    // 0.01 GiB, the smallest disk that Proxmox VE makes of a fraction.
    assert.ok(Math.min(...codes) > doneCode && Math.max(...codes) * 512 < 0.01 * 1024 ** 3);
  });

  it("takes a code that is none of ours for a failure", () => {
    for (const code of [101, 499, 577, 9999]) assert.equal(kindAndStep(code)[0], "failed");
  });

  it("can be read from the host name where there is no blockstat", () => {
    assert.equal(readHostNameSignal(steps, "kubehenge-code-100").kind, "done");
    assert.equal(readHostNameSignal(steps, "kubehenge-code-540").kind, "failed");
    assert.equal(readHostNameSignal(steps, "kubehenge-build").kind, "nothing");
    assert.equal(readHostNameSignal(steps, "kubehenge-code-100.example.org").kind, "nothing");
  });
});

describe("what the agent reads", () => {
  it("is a report of packages, kernel and images", () => {
    const report = {
      kernel: "7.0.0-14-generic",
      cloudInit: "done",
      packages: { curl: "8.18.0" },
      images: ["registry.k8s.io/pause:3.10.2"],
      warnings: [],
    };
    assert.deepEqual(parseReport(JSON.stringify(report)), report);
  });

  it("is refused as a proof when it is anything else", () => {
    for (const content of [
      "",
      "{}",
      "[]",
      '{"kernel":1}',
      '{"kernel":"a\\nb","cloudInit":"done","packages":{},"images":[],"warnings":[]}',
    ]) {
      assert.throws(() => parseReport(content), { kind: "verification" });
    }
  });

  it("is shown as its last lines without control characters", () => {
    const log = `${Array.from({ length: 60 }, (_, index) => `line ${index}`).join("\n")}\n\u001b[31mred\u001b[0m\u0007\r\n\n`;
    const lines = lastLines(log);
    assert.equal(lines.length, 40);
    assert.equal(lines.at(-1), "red");
    assert.equal(lines.at(-2), "line 59");
    assert.equal(lastLines("x".repeat(1000))[0]?.length, 300);
  });
});
