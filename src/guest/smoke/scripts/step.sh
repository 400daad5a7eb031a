#!/bin/bash
# What every proof begins with: the settings, and the way to fail. Sourced.
# shellcheck disable=SC2034 # the scripts that source this use the variables
set -Eeuo pipefail
export LC_ALL=C

smoke=/run/kubehenge-smoke
state=/run/kubehenge
# shellcheck source=/dev/null
. "$smoke/settings"

trap 'printf "FAILED: line %s: %s\n" "$LINENO" "$BASH_COMMAND"' ERR

# fail NUMBER TEXT: ends the proof. The number is the reason that the builder reads from the marker disk.
fail() {
  trap - ERR
  printf '%s\n' "$1" >"$state/reason"
  shift
  printf 'FAILED: %s\n' "$*"
  exit 1
}

# wait_for SECONDS COMMAND...: until the command succeeds.
wait_for() {
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    if [ "$SECONDS" -ge "$end" ]; then return 1; fi
    sleep 1
  done
}
