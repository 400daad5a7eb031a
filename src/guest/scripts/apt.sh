#!/bin/bash
# apt without questions, with patience for locks and networks. Sourced after step.sh.
# shellcheck disable=SC2154 # step.sh gives build, state and the settings

export DEBIAN_FRONTEND=noninteractive UCF_FORCE_CONFFOLD=1 APT_LISTCHANGES_FRONTEND=none
# needrestart would ask, or restart services of a machine that is about to be switched off.
export NEEDRESTART_SUSPEND=1 NEEDRESTART_MODE=l

# A mirror stands in for Ubuntu's archive by sources of the build's own; the image's are not touched.
mirrored_sources="$build/mirrored-sources"
if [ -n "$APT_MIRROR" ]; then
  export APT_CONFIG="$build/mirrored-apt.conf"
  printf 'Dir::Etc::SourceList "/dev/null";\nDir::Etc::SourceParts "%s";\n' "$mirrored_sources" >"$APT_CONFIG"
fi

# What another process may hold: the lock of the package lists is not waited for by DPkg::Lock::Timeout.
lock_seconds=300

# apt_get COMMAND...: runs apt-get; a held lock is waited for, and named when that lasts too long.
apt_get() {
  local end=$((SECONDS + lock_seconds)) output="$state/apt-output"
  while ! run_apt_get "$@" 2>&1 | tee "$output"; do
    if grep -qs 'No space left on device\|enough free space' "$output"; then
      fail 9 "The root file system is too small for the packages."
    fi
    if ! grep -qs '^E: \(Could not get lock\|Unable to lock\|Unable to acquire\)' "$output"; then return 1; fi
    if [ "$SECONDS" -ge "$end" ]; then fail 4 "Another process kept the package lock for $lock_seconds s."; fi
    sleep 3
  done
}

run_apt_get() {
  # Phased updates would come or not by the machine's id; a template is the same whoever builds it.
  apt-get -q -y \
    -o DPkg::Lock::Timeout="$lock_seconds" \
    -o APT::Update::Error-Mode=any \
    -o APT::Get::Always-Include-Phased-Updates=true \
    -o Acquire::Retries=2 -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20 \
    -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold -o Dpkg::Use-Pty=0 \
    "$@"
}

# update_lists SIGNATURE-REASON OTHER-REASON: reads the package lists; a signature that does not hold is not tried again.
update_lists() {
  local try
  for try in 1 2 3; do
    if apt_get update; then return 0; fi
    if grep -qs 'GPG error\|OpenPGP\|NO_PUBKEY\|BADSIG\|EXPKEYSIG\|is not signed\|no longer signed\|not valid yet\|is expired' "$state/apt-output"; then
      fail "$1" "The signature of a package list does not hold; see apt's lines above."
    fi
    printf 'apt-get update failed, try %s of 3\n' "$try"
    sleep $((try * 3))
  done
  fail "$2" "The package lists cannot be fetched; see apt's lines above."
}
