#!/bin/bash
# What a Kubernetes node needs of the system: kernel modules and settings, no swap, containerd, a kubelet that waits.
# shellcheck source=step.sh
. /var/lib/kubehenge-build/step.sh

printf 'overlay\nbr_netfilter\n' >/etc/modules-load.d/kubernetes.conf
modprobe overlay || fail 4 "The kernel module overlay cannot be loaded."
modprobe br_netfilter || fail 4 "The kernel module br_netfilter cannot be loaded."

# A file of its own: Ubuntu 26.04 has no /etc/sysctl.conf. The dash: a kernel without IPv6 is no failure.
cat >/etc/sysctl.d/90-kubernetes.conf <<'SETTINGS'
net.ipv4.ip_forward = 1
net.bridge.bridge-nf-call-iptables = 1
-net.bridge.bridge-nf-call-ip6tables = 1
-net.ipv6.conf.all.forwarding = 1
# kubelet wants these and sets them itself unless it protects the kernel's defaults.
vm.overcommit_memory = 1
kernel.panic = 10
kernel.panic_on_oops = 1
fs.inotify.max_user_instances = 8192
fs.inotify.max_user_watches = 524288
SETTINGS
sysctl --quiet --system

swapoff --all
sed -i -E '/^[^#]+[[:space:]]swap[[:space:]]/d' /etc/fstab
rm -f /swap.img /swapfile

kubeadm_images >"$state/images" || fail 1 "kubeadm does not name the images of $KUBERNETES_VERSION."
sandbox=$(grep -m 1 '/pause:' "$state/images") || fail 1 "kubeadm names no pause image for $KUBERNETES_VERSION."
printf '%s\n' "$sandbox" >"$state/sandbox"

mkdir -p /etc/containerd/certs.d
containerd config default | /bin/bash "$build/containerd-config.sh" "$sandbox" >"$state/config.toml" ||
  fail 2 "containerd's default configuration has no place for what Kubernetes needs."
install -m 0644 "$state/config.toml" /etc/containerd/config.toml

cat >/etc/crictl.yaml <<'SETTINGS'
runtime-endpoint: unix:///run/containerd/containerd.sock
image-endpoint: unix:///run/containerd/containerd.sock
timeout: 10
SETTINGS

systemctl enable --quiet containerd.service
systemctl restart containerd.service || fail 3 "containerd does not start: $(systemctl status --no-pager --lines=5 containerd.service 2>&1 | tr '\n' ' ')"
# Not `grep -q`, which stops reading: under pipefail its writer's broken pipe would count.
cri_answers() { ctr plugins ls 2>/dev/null | grep '[[:space:]]cri[[:space:]].*[[:space:]]ok' >/dev/null; }
wait_for 60 cri_answers || fail 3 "containerd runs, but its CRI plugin does not: $(ctr plugins ls 2>&1 | grep '[[:space:]]cri[[:space:]]')"

# Enabled and not started: kubeadm starts it in the clone.
systemctl stop kubelet.service
systemctl enable --quiet kubelet.service
