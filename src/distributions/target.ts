export const distributionNames = ["talos", "rke2", "k3s", "kubeadm"] as const;
export type DistributionName = (typeof distributionNames)[number];

/** What one template is one per, with every version exact. */
export interface Target {
  distribution: DistributionName;
  /** The exact version as users name it: `v1.14.4` of Talos, `v1.37.1` of Kubernetes, `26.04` of Ubuntu. */
  version: string;
  /** Such as `26.04`; not for Talos. */
  ubuntuRelease?: string;
  /** The node whose template it is, where there is one per node. */
  node?: string;
  /** The set of tags that finds this template and no other; sorted. */
  tags: readonly string[];
  /** The template's name as a VM: a DNS name. */
  name: string;
  /** For people: `Talos v1.14.4`. */
  title: string;
}

/** The tag that every template of this product carries; with `talos`, `ubuntu` or `kubeadm` it is never another kind's set. */
export const ownTag = "kubehenge";

export function talosTarget(version: string): Target {
  return {
    distribution: "talos",
    version,
    tags: tagSet("talos", `talos-${version}`),
    name: `talos-${version}`,
    title: `Talos ${version}`,
  };
}

/** RKE2 and k3s install themselves when a node boots: one template per Ubuntu release serves both. */
export function ubuntuTarget(distribution: "rke2" | "k3s", release: string): Target {
  return {
    distribution,
    version: release,
    ubuntuRelease: release,
    tags: tagSet("ubuntu", `ubuntu-${release}`),
    name: `ubuntu-${release}`,
    title: `Ubuntu ${release} for RKE2 and k3s`,
  };
}

export function kubeadmTarget(version: string, release: string): Target {
  return {
    distribution: "kubeadm",
    version,
    ubuntuRelease: release,
    tags: tagSet("kubeadm", `kubernetes-${version}`, `ubuntu-${release}`),
    name: `kubeadm-${version}-ubuntu-${release}`,
    title: `kubeadm ${version} on Ubuntu ${release}`,
  };
}

/**
 * One template per node, for clusters without shared storage: with a tag of its node, since CAPMOX allows one match per
 * set of tags in the whole cluster.
 */
export function onNode(target: Target, node: string): Target {
  return {
    ...target,
    node,
    tags: [...target.tags, `${nodePrefix}${node.toLowerCase()}`].sort(),
    name: `${target.name}-${node.toLowerCase()}`,
    title: `${target.title} for node ${node}`,
  };
}

const nodePrefix = "node-";

function tagSet(...tags: string[]): readonly string[] {
  return [ownTag, ...tags].map((tag) => tag.toLowerCase()).sort();
}

export function sameTags(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((tag) => other.includes(tag));
}

/** What a set of tags says, or nothing when it is not exactly one of this product's sets. */
export function targetOfTags(tags: readonly string[]): Target | undefined {
  const value = (prefix: string) => tags.find((tag) => tag.startsWith(prefix))?.slice(prefix.length);
  const talos = value("talos-");
  const kubernetes = value("kubernetes-");
  const ubuntu = value("ubuntu-");
  const node = value(nodePrefix);
  const general =
    kubernetes && ubuntu
      ? kubeadmTarget(kubernetes, ubuntu)
      : ubuntu
        ? ubuntuTarget("rke2", ubuntu)
        : talos
          ? talosTarget(talos)
          : undefined;
  const candidate = general && node ? onNode(general, node) : general;
  return candidate && sameTags(candidate.tags, tags) ? candidate : undefined;
}
