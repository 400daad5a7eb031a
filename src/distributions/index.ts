import type { Distribution } from "./distribution.ts";
import { kubeadm } from "./kubeadm.ts";
import { talos } from "./talos.ts";
import type { DistributionName } from "./target.ts";
import { ubuntu } from "./ubuntu.ts";

export const distributions: Record<DistributionName, Distribution> = {
  talos,
  rke2: ubuntu("rke2"),
  k3s: ubuntu("k3s"),
  kubeadm,
};
