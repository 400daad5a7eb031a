#!/bin/bash
# Proves each promise of the template, names what does not hold, and drafts the report; it counts when all is sealed.
# shellcheck source=step.sh
. /var/lib/kubehenge-build/step.sh
# shellcheck source=apt.sh
. /var/lib/kubehenge-build/apt.sh

installed() { dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null | grep -x installed >/dev/null; }
at_version() { installed "$1" && [ "$(dpkg-query -W -f '${Version}' "$1")" = "$2" ]; }
held() { apt-mark showhold | grep -x "$1" >/dev/null; }
no_output() { [ -z "$("$@" 2>&1)" ]; }
active() { systemctl is-active --quiet "$1"; }
enabled() { [ "$(systemctl is-enabled "$1")" = enabled ]; }
inactive() { [ "$(systemctl is-active "$1")" = inactive ]; }
gone() { [ ! -e "$1" ]; }
no_swap() { [ "$(wc -l </proc/swaps)" -le 1 ] && ! grep -qE '^[^#]+[[:space:]]swap[[:space:]]' /etc/fstab; }
setting() { [ "$(sysctl -n "$1")" = "$2" ]; }

# cloud-init from 23.4 on ends with 2 for warnings; only 1 says that it failed.
cloud_init=$(timeout 120 cloud-init status --wait --long 2>&1) && status=0 || status=$?
cloud_init_state=$(printf '%s\n' "$cloud_init" | awk -F': ' '
  $1 ~ /^\.*status$/ && !plain { plain = $2 }
  $1 == "extended_status" && !extended { extended = $2 }
  END { print extended ? extended : plain }')
case $status in
  0) printf 'ok: cloud-init: %s\n' "$cloud_init_state" ;;
  2) warn "cloud-init in the build's boot: $cloud_init_state" && printf '%s\n' "$cloud_init" ;;
  *)
    printf '%s\n' "$cloud_init"
    missing+=("a boot without errors of cloud-init: $(printf '%s' "$cloud_init" | tr '\n' ' ' | tr -s '. ' | cut -c1-300)")
    ;;
esac

run_apt_get --simulate full-upgrade >"$state/simulated-upgrade" || fail 1 "apt cannot say whether upgrades are left."
pending=$(awk '$1 == "Inst" && count++ < 20 { printf "%s ", $2 }' "$state/simulated-upgrade")
if [ -n "$pending" ]; then missing+=("the newest version of: $pending"); fi
check 'all packages whole (dpkg --audit)' no_output dpkg --audit
check 'the package qemu-guest-agent' installed qemu-guest-agent
check "the guest agent's port (the VM's option agent)" test -e /dev/virtio-ports/org.qemu.guest_agent.0
check 'the guest agent running' active qemu-guest-agent.service
check 'the command curl' command -v curl
check 'the certificates of public authorities' test -s /etc/ssl/certs/ca-certificates.crt

# GRUB takes the first entry, which is the newest kernel unless somebody has set it otherwise.
kernel=$(find /boot -maxdepth 1 -name 'vmlinuz-*' -printf '%f\n' | sed 's/^vmlinuz-//' | sort -V | tail -n 1)
if [ -n "$kernel" ] && [ -e /boot/grub/grub.cfg ]; then
  default=$(awk 'match($0, /vmlinuz-[^ \t]+/) { print substr($0, RSTART, RLENGTH); exit }' /boot/grub/grub.cfg)
  check "the newest kernel $kernel as GRUB's first (found: ${default#vmlinuz-})" test "$default" = "vmlinuz-$kernel"
  check "the modules of kernel $kernel" test -d "/lib/modules/$kernel"
fi

if [ -n "$KUBERNETES_VERSION" ]; then
  check "kubeadm $KUBEADM_PACKAGE" at_version kubeadm "$KUBEADM_PACKAGE"
  check "kubelet $KUBELET_PACKAGE" at_version kubelet "$KUBELET_PACKAGE"
  check "kubectl $KUBECTL_PACKAGE" at_version kubectl "$KUBECTL_PACKAGE"
  check "cri-tools $CRI_TOOLS_PACKAGE" at_version cri-tools "$CRI_TOOLS_PACKAGE"
  if [ -n "$KUBERNETES_CNI_PACKAGE" ]; then
    check "kubernetes-cni $KUBERNETES_CNI_PACKAGE" at_version kubernetes-cni "$KUBERNETES_CNI_PACKAGE"
  fi
  for package in kubeadm kubelet kubectl cri-tools kubernetes-cni; do
    check "$package held" held "$package"
  done
  for package in containerd conntrack ethtool iptables socat; do
    check "the package $package" installed "$package"
  done
  check "kubeadm that calls itself $KUBERNETES_VERSION" test "$(kubeadm version -o short)" = "$KUBERNETES_VERSION"
  check "kubelet that calls itself $KUBERNETES_VERSION" test "$(kubelet --version)" = "Kubernetes $KUBERNETES_VERSION"
  check 'kubelet enabled' enabled kubelet.service
  check 'kubelet not started' inactive kubelet.service
  check 'no file of a started kubelet' gone /var/lib/kubelet/pki
  check 'containerd enabled' enabled containerd.service
  check 'containerd running' active containerd.service
  containerd config dump >"$state/config-dump" 2>/dev/null || true
  check "systemd's cgroups in containerd" grep -q 'SystemdCgroup = true' "$state/config-dump"
  check "the sandbox image $(cat "$state/sandbox") in containerd" grep -qF "$(cat "$state/sandbox")" "$state/config-dump"
  check 'no swap' no_swap
  check 'the kernel module overlay' grep -qw overlay /proc/filesystems
  check 'net.ipv4.ip_forward = 1' setting net.ipv4.ip_forward 1
  check 'net.bridge.bridge-nf-call-iptables = 1' setting net.bridge.bridge-nf-call-iptables 1
  ctr --namespace k8s.io images check -q >"$state/whole-images" 2>/dev/null || true
  while read -r image; do
    check "the image $image" grep -qxF -- "$image" "$state/whole-images"
  done <"$state/images"
fi

fail_if_missing 1 'Not as promised'

# Words that go into JSON: printable ASCII without quotes and backslashes, which no package name or version has.
plain() { tr -cd ' !#-[]-~' | cut -c1-400; }
string_list() {
  local line comma=
  while IFS= read -r line; do
    line=$(printf '%s' "$line" | plain)
    printf '%s"%s"' "$comma" "$line"
    comma=,
  done
}
touch "$state/warnings" "$state/images"
# What a tag means changes; the digest that the registry gave with it does not.
ctr --namespace k8s.io images ls >"$state/image-list" 2>/dev/null || true
with_digests() {
  local image digest
  while IFS= read -r image; do
    digest=$(awk -v ref="$image" '$1 == ref && $3 ~ /^sha256:/ { print $3; exit }' "$state/image-list")
    printf '%s\n' "$image${digest:+@$digest}"
  done
}
{
  printf '{"kernel":"%s",' "$(printf '%s' "${kernel:-$(uname -r)}" | plain)"
  printf '"cloudInit":"%s",' "$(printf '%s' "$cloud_init_state" | plain)"
  printf '"packages":{'
  dpkg-query -W -f '${db:Status-Status} ${binary:Package} ${Version}\n' |
    awk '$1 == "installed" { printf "%s\"%s\":\"%s\"", comma, $2, $3; comma = "," }'
  printf '},"images":['
  with_digests <"$state/images" | string_list
  printf '],"warnings":['
  string_list <"$state/warnings"
  printf ']}\n'
} >"$state/report-draft.json"
