#!/bin/bash
# How a step ends before its time, and how it waits. Sourced, where `state` names the folder of what the builder reads.
# shellcheck disable=SC2154 # who sources this gives state

trap 'printf "FAILED: line %s: %s\n" "$LINENO" "$BASH_COMMAND"' ERR

# fail NUMBER TEXT: ends the step. The number is the reason that the builder reads from the marker disk.
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
