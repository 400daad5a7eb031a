#!/bin/bash
# The package lists, from the image's own sources or from the mirror that stands in for them.
# shellcheck source=step.sh
. /var/lib/kubehenge-build/step.sh
# shellcheck source=apt.sh
. /var/lib/kubehenge-build/apt.sh

# bootcmd has masked them in /run before they could start; one that was quicker is stopped here.
# shellcheck disable=SC2086 # a list of unit names
timeout 120 systemctl stop $QUIET_UNITS || true

if [ -n "$APT_MIRROR" ]; then
  rm -rf "$mirrored_sources"
  mkdir -p "$mirrored_sources"
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
    [ -e "$file" ] || continue
    sed -E "s#https?://([A-Za-z0-9-]+\.)*(archive|security|ports)\.ubuntu\.com/ubuntu(-ports)?/?([[:space:]]|$)#${APT_MIRROR%/}/\4#g" \
      "$file" >"$mirrored_sources/${file##*/}"
  done
  grep -rqF -- "${APT_MIRROR%/}/" "$mirrored_sources" ||
    fail 1 "None of the image's package sources names Ubuntu's archive, so the mirror $APT_MIRROR stands in for nothing."
  # apt reads one-line sources only from names that end in .list
  if [ -e "$mirrored_sources/sources.list" ]; then mv "$mirrored_sources/sources.list" "$mirrored_sources/00-image.list"; fi
fi

# A build that was interrupted by a reboot may have left packages half installed.
if [ -n "$(dpkg --audit)" ]; then dpkg --force-confdef --force-confold --configure -a; fi
update_lists 2 3
