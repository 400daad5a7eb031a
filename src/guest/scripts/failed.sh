#!/bin/bash
# Tells the builder that the build has failed, where and why. The machine stays up, so that a person can look.
set -uo pipefail

build=/var/lib/kubehenge-build
state=/run/kubehenge
# shellcheck source=signal.sh
. "$build/signal.sh"

# A reboot stops the build unit, which then counts as failed although the next boot takes it up again.
if [ "$(systemctl is-system-running 2>/dev/null)" = stopping ]; then exit 0; fi

mkdir -p "$state"
touch "$state/log"
code=1
name=seed
if [ -s "$state/step" ]; then read -r code name <"$state/step"; fi
result=$(systemctl show --property=Result --value kubehenge-build.service)
free=$(df --output=avail --block-size=1M / | tail -n 1 | tr -d ' ')
printf 'Root file system: %s MiB free. Result of the build unit: %s.\n' "$free" "$result" >>"$state/log"

reason=
if [ -s "$state/reason" ]; then
  read -r reason <"$state/reason"
elif [ "$result" = timeout ]; then
  reason=8
fi
# Whatever it says of itself, what fails on a full disk fails because of that.
if [ "$free" -lt 16 ]; then reason=9; fi

if [ -n "$reason" ]; then
  failure=$((1000 + 10 * code + reason))
else
  failure=$((500 + code))
fi
signal "$failure" "FAILED step=$name"
{
  printf 'KUBEHENGE-LOG-BEGIN\n'
  tail -n 40 "$state/log" | tr '\r' '\n' | cut -c1-300
  printf 'KUBEHENGE-LOG-END\n'
} | to_console
