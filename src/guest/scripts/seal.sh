#!/bin/bash
# Takes away all that belongs to this boot and this machine, so that each clone's first boot is its own. The machine stays
# up afterwards until the builder shuts it down: nothing that an orderly shutdown writes may bring any of it back.
# shellcheck source=step.sh
. /var/lib/kubehenge-build/step.sh

# Services that write to disk when they stop. Stopped now, they have nothing left to write at the shutdown.
for unit in containerd syslog.socket rsyslog.service systemd-random-seed systemd-update-utmp chrony systemd-timesyncd; do
  if systemctl is-active --quiet "$unit"; then timeout 60 systemctl stop "$unit"; fi
done

# The end of a getty is a record in wtmp, which an orderly shutdown would write after all logs were emptied.
timeout 60 systemctl stop 'getty@*.service' 'serial-getty@*.service' || true

# The units that were quiet for the build are again as the image has them. The masks were in /run only.
# shellcheck disable=SC2086 # a list of unit names
systemctl unmask --runtime --quiet $QUIET_UNITS

# Packages: caches, lists (a mirror's too) and what apt remembers of its last runs.
apt-get clean
find /var/lib/apt/lists -mindepth 1 -delete
rm -f /var/cache/apt/pkgcache.bin /var/cache/apt/srcpkgcache.bin /var/lib/apt/periodic/*
rm -f /var/lib/systemd/timers/stamp-*

# cloud-init: the instance, its logs, and what it wrote for this machine. Newer ones can also take back their files.
clean=(--logs --machine-id)
if cloud-init clean --help | grep -- --configs >/dev/null; then clean+=(--configs all); fi
cloud-init clean "${clean[@]}"
find /var/lib/cloud -mindepth 1 -delete
rm -f /etc/netplan/50-cloud-init.yaml /etc/network/interfaces.d/50-cloud-init /etc/systemd/network/10-cloud-init-* \
  /etc/udev/rules.d/70-persistent-net.rules /etc/udev/rules.d/85-persistent-net-cloud-init.rules \
  /etc/sudoers.d/90-cloud-init-users /etc/ssh/sshd_config.d/50-cloud-init.conf
# What installers leave to keep cloud-init from a machine that they have set up.
rm -f /etc/cloud/cloud-init.disabled /etc/cloud/ds-identify.cfg /etc/cloud/cloud.cfg.d/99-installer.cfg \
  /etc/cloud/cloud.cfg.d/90-installer-network.cfg /etc/cloud/cloud.cfg.d/curtin-preserve-sources.cfg \
  /etc/cloud/cloud.cfg.d/subiquity-disable-cloudinit-networking.cfg \
  /etc/cloud/cloud.cfg.d/00-subiquity-disable-cloudinit-networking.cfg

# Names and identities. An empty machine-id, not a missing one or "uninitialized": with these the clone's boot runs
# systemd's presets anew and takes twice as long.
: >/etc/machine-id
if [ ! -L /var/lib/dbus/machine-id ]; then rm -f /var/lib/dbus/machine-id; fi
printf 'localhost\n' >/etc/hostname
if [ -e /etc/hosts ]; then sed -i -E "/[[:space:]]$BUILD_HOSTNAME([[:space:]]|\$)/d" /etc/hosts; fi
rm -f /etc/ssh/ssh_host_* /var/lib/systemd/random-seed /var/lib/systemd/credential.secret /boot/efi/loader/random-seed
rm -rf /var/lib/containerd/io.containerd.grpc.v1.introspection /var/lib/containerd/io.containerd.introspection.*
if [ -e /usr/lib/open-iscsi/startup-checks.sh ]; then
  printf 'GenerateName=yes\n' >/etc/iscsi/initiatorname.iscsi
else
  rm -f /etc/iscsi/initiatorname.iscsi
fi
for folder in /var/lib/dhcp /var/lib/dhclient /var/lib/dhcpcd /var/lib/systemd/network /var/lib/systemd/timesync /var/lib/NetworkManager; do
  if [ -d "$folder" ]; then find -L "$folder" -xdev -type f -delete; fi
done

# People: keys, histories.
for home in /root /home/*; do
  [ -d "$home" ] || continue
  rm -rf "$home/.ssh" "$home/.cache" "$home/.bash_history" "$home/.wget-hsts"
done

# The journal first gives up its folder, or it would write there again.
journalctl --quiet --relinquish-var || true
if [ -d /var/log/journal ]; then find /var/log/journal -mindepth 1 -delete; fi
find /var/log -type f \( -name '*.gz' -o -name '*.xz' -o -name '*.[0-9]' -o -name '*.old' \) -delete
find /var/log -type f -exec truncate --size=0 {} +
rm -rf /var/crash/*
find /tmp /var/tmp -mindepth 1 -maxdepth 1 ! -name 'systemd-private-*' -exec rm -rf {} +

no_match() { ! compgen -G "$1" >/dev/null; }
empty_folder() { [ ! -d "$1" ] || [ -z "$(find "$1" -mindepth 1 -print -quit)" ]; }
not_masked() { [ "$(readlink "/etc/systemd/system/$1")" != /dev/null ]; }
nowhere() { ! grep -rqiF -- "$1" /etc/netplan /etc/systemd /etc/udev /etc/network /etc/cloud /etc/apt /etc/hosts 2>/dev/null; }
check 'an empty machine-id' test ! -s /etc/machine-id -a -e /etc/machine-id
check 'no instance of cloud-init' empty_folder /var/lib/cloud
check 'no host key' no_match '/etc/ssh/ssh_host_*'
check "no netplan file of cloud-init's" test ! -e /etc/netplan/50-cloud-init.yaml
check "nothing that names the build's network card" nowhere "$BUILD_MAC"
check 'no package list' empty_folder /var/lib/apt/lists
check 'no journal' empty_folder /var/log/journal
check 'no random seed' test ! -e /var/lib/systemd/random-seed
for unit in $QUIET_UNITS; do check "$unit not masked" not_masked "$unit"; done
fail_if_missing 1 'Left of the build'

# Our own traces last: the unit that reports a failure lies among them.
rm -f /etc/systemd/system/cloud-init.target.wants/kubehenge-build.service
rmdir --ignore-fail-on-non-empty /etc/systemd/system/cloud-init.target.wants
rm -rf /etc/systemd/system/kubehenge-build.service /etc/systemd/system/kubehenge-build.service.d \
  /etc/systemd/system/kubehenge-build-failed.service "$build"
sync
fstrim --all --verbose || printf 'The file systems could not be trimmed.\n'
sync
