#!/bin/bash
# What every step begins with: the settings, and the ways to fail, to wait and to warn. Sourced.
# shellcheck disable=SC2034 # the scripts that source this use the variables
set -Eeuo pipefail
export LC_ALL=C

build=/var/lib/kubehenge-build
state=/run/kubehenge
# shellcheck source=/dev/null
. "$build/settings"
# shellcheck source=fail.sh
. "$build/fail.sh"

# warn TEXT: goes into the report.
warn() {
  printf 'Warning: %s\n' "$*"
  printf '%s\n' "$*" >>"$state/warnings"
}

# check WHAT COMMAND...: remembers WHAT in `missing` when the command fails.
missing=()
check() {
  local what=$1
  shift
  if "$@" >/dev/null 2>&1; then
    printf 'ok: %s\n' "$what"
  else
    printf 'MISSING: %s\n' "$what"
    missing+=("$what")
  fi
}

# fail_if_missing NUMBER TEXT: ends the step when a check failed, naming each.
fail_if_missing() {
  local number=$1 text=$2 list
  if [ "${#missing[@]}" -eq 0 ]; then return 0; fi
  list=$(printf '; %s' "${missing[@]}")
  fail "$number" "$text: ${list#; }"
}

# The images that kubeadm of the wanted version names, one a line.
kubeadm_images() {
  kubeadm config images list --kubernetes-version "$KUBERNETES_VERSION" \
    ${IMAGE_REPOSITORY:+--image-repository "$IMAGE_REPOSITORY"}
}
