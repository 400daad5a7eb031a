#!/bin/bash
# make-image.sh DIRECTORY: makes a guest image that stands in for Ubuntu's, from this Debian machine's own package sources.
# Writes there: disk.qcow2 (one GPT partition, its file system labelled as Ubuntu's), vmlinuz, initrd, and in debs/ what a
# build installs. Needs root, mmdebstrap, qemu-img, sfdisk and mke2fs. Ends with 4 when the sources cannot be reached.
set -euo pipefail

out=$1
here=$(dirname "$(readlink -f "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out/debs"

# Each source of this machine that is Debian's, as a line; mmdebstrap finds the keyring to it.
sources() {
  # shellcheck disable=SC2016 # fields of apt's
  apt-get indextargets --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' 'Origin: Debian' | sort -u
}
apt-get update -q -o APT::Update::Error-Mode=any || exit 4
sources >"$work/sources.list"
if [ ! -s "$work/sources.list" ]; then
  echo "this machine has no package source of Debian's" >&2
  exit 1
fi
# shellcheck source=/dev/null
suite=$(. /etc/os-release && printf '%s' "$VERSION_CODENAME")

image_packages=systemd,systemd-sysv,systemd-resolved,udev,dbus,cloud-init,cloud-guest-utils,fdisk,netplan.io
image_packages+=,openssh-server,linux-image-cloud-amd64,initramfs-tools,iproute2,procps,kmod,e2fsprogs,gpgv,curl
image_packages+=,ca-certificates,rsyslog
build_packages="qemu-guest-agent containerd conntrack ethtool iptables socat ebtables"

mmdebstrap --mode=root --variant=minbase --include="$image_packages" \
  --aptopt='Acquire::Languages "none"' \
  --essential-hook="mkdir -p \"\$1/etc/initramfs-tools/conf.d\" && install -m 0644 '$here/initramfs.conf' \"\$1/etc/initramfs-tools/conf.d/lab\"" \
  --essential-hook="install -m 0644 '$here/initramfs-modules' \"\$1/etc/initramfs-tools/modules\"" \
  --customize-hook="APT_CONFIG=\"\$MMDEBSTRAP_APT_CONFIG\" apt-get -y --no-install-recommends --download-only install $build_packages" \
  --customize-hook="sh -c 'find \"\$1/var/cache/apt/archives\" -name \"*.deb\" -exec cp -t \"$out/debs\" {} +' sh \"\$1\"" \
  "$suite" "$work/root" "$work/sources.list"

root=$work/root
cp "$root"/boot/vmlinuz-* "$out/vmlinuz"
cp "$root"/boot/initrd.img-* "$out/initrd"

printf 'LABEL=cloudimg-rootfs / ext4 defaults 0 1\n/swap.img none swap sw 0 0\n' >"$root/etc/fstab"
truncate --size=0 "$root/etc/machine-id"
rm -f "$root/etc/hostname" "$root/etc/apt/sources.list" "$root"/etc/apt/sources.list.d/* "$root"/etc/ssh/ssh_host_*
ln -sf /run/systemd/resolve/stub-resolv.conf "$root/etc/resolv.conf"
mkdir -p "$root/var/log/journal"
# Not zeros, which mke2fs would leave out: a swap file has no holes.
dd if=/dev/urandom of="$root/swap.img" bs=1M count=8 status=none
chmod 0600 "$root/swap.img"
mkswap -q "$root/swap.img"

# As Ubuntu's images have it: archive and security in one deb822 file. The key is put in when the archive is signed.
cp "$here/image/ubuntu.sources" "$root/etc/apt/sources.list.d/ubuntu.sources"
cp "$out/archive.asc" "$root/usr/share/keyrings/ubuntu-archive-keyring.asc"
printf 'LANG=C.UTF-8\n' >"$root/etc/default/locale"
cp "$here/image/90_lab.cfg" "$root/etc/cloud/cloud.cfg.d/90_lab.cfg"

# Units that a build must keep quiet and a clone must find as they were; what they did shows in /var/lib/planted.
mkdir -p "$root/var/lib/planted"
for unit in unattended-upgrades snapd snapd.seeded; do
  sed "s/@UNIT@/$unit/" "$here/image/planted.service" >"$root/usr/lib/systemd/system/$unit.service"
  chroot "$root" systemctl enable --quiet "$unit.service"
done
chroot "$root" systemctl enable --quiet systemd-networkd.service systemd-resolved.service

# A package that the archive has a newer version of.
dpkg-deb --root-owner-group --build "$here/image/old-package" "$work/old.deb" >/dev/null
dpkg --root="$root" --install "$work/old.deb" >/dev/null
dpkg-deb --root-owner-group --build "$here/image/new-package" "$out/debs/lab-tool_2.0_all.deb" >/dev/null

disk=$work/disk.raw
truncate --size=3584M "$disk"
printf 'label: gpt\nstart=2048, type=0FC63DAF-8483-4772-8E79-3D69D8477DE4\n' | sfdisk --quiet "$disk"
# One MiB before it, one behind it for the second table.
mke2fs -q -t ext4 -L cloudimg-rootfs -E offset=1048576 -d "$root" "$disk" 3582M
qemu-img convert -c -O qcow2 "$disk" "$out/disk.qcow2.part"
mv "$out/disk.qcow2.part" "$out/disk.qcow2"
