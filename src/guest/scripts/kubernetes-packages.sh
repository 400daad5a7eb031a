#!/bin/bash
# containerd from Ubuntu, and Kubernetes' packages at exactly the wanted versions, held.
# shellcheck source=step.sh
. /var/lib/kubehenge-build/step.sh
# shellcheck source=apt.sh
. /var/lib/kubehenge-build/apt.sh

# The names that Kubernetes' own guide uses, so that its words on upgrades hold in a clone.
key=/etc/apt/keyrings/kubernetes-apt-keyring.asc
list=/etc/apt/sources.list.d/kubernetes.list
install -d -m 0755 /etc/apt/keyrings
install -m 0644 "$build/kubernetes.asc" "$key"
printf 'deb [signed-by=%s] %s /\n' "$key" "$KUBERNETES_REPOSITORY" >"$list"
chmod 0644 "$list"
if [ -n "$APT_MIRROR" ]; then cp "$list" "$mirrored_sources/"; fi
update_lists 3 1

wanted=("kubeadm=$KUBEADM_PACKAGE" "kubelet=$KUBELET_PACKAGE" "kubectl=$KUBECTL_PACKAGE" "cri-tools=$CRI_TOOLS_PACKAGE")
if [ -n "$KUBERNETES_CNI_PACKAGE" ]; then
  wanted+=("kubernetes-cni=$KUBERNETES_CNI_PACKAGE")
else
  wanted+=(kubernetes-cni)
fi
# The exit code says nothing: it is 0 for a name that other packages mention, whether there is such a version or not.
is_there() {
  [ -n "$(apt-cache show "$1" 2>/dev/null)" ]
}
for package in "${wanted[@]}"; do
  is_there "$package" ||
    fail 2 "The package $package is not in $KUBERNETES_REPOSITORY."
done

# kubeadm names them in its preflight, and since 1.32 depends on none. ebtables only where the archive still has it.
tools=(conntrack ethtool iptables socat)
if is_there ebtables; then tools+=(ebtables); fi

# Masked while it is installed: a kubelet that was started once leaves files of this machine.
systemctl mask --runtime --quiet kubelet.service
apt_get install --no-install-recommends --allow-downgrades --allow-change-held-packages \
  containerd "${tools[@]}" "${wanted[@]}" ||
  fail 1 "containerd and the Kubernetes packages cannot be installed; see apt's lines above."
systemctl unmask --runtime --quiet kubelet.service
apt-mark hold kubeadm kubelet kubectl cri-tools kubernetes-cni
