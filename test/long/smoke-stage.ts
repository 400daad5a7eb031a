import assert from "node:assert/strict";

export const pool = "kubehenge-templates";
export const kubeadm = "template create kubeadm --kubernetes-version 1.37.1 --ubuntu-release 26.04 --node pve1";

export interface Reported {
  result: string;
  smokeTest?: { what: string; ok: boolean }[];
  phases?: { title: string }[];
}

/** The first outcome of what `-o json` prints. */
export const reported = (stdout: string): Reported =>
  (JSON.parse(stdout) as Reported[])[0] ?? assert.fail("no outcome");
