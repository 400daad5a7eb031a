#!/bin/bash
# Runs the steps of the build one after the other, each within its bound, and says which one it is in. Started by
# kubehenge-build.service; after a reboot it starts again from the top, so every step can be done twice.
set -Eeuo pipefail

build=/var/lib/kubehenge-build
state=/run/kubehenge
# shellcheck source=signal.sh
. "$build/signal.sh"

# A function, so that bash has read all of it before the last step removes this file.
main() {
  local steps code bound name status
  mkdir -p "$state"
  exec </dev/null >>"$state/log" 2>&1
  mapfile -t steps <"$build/steps"
  for step in "${steps[@]}"; do
    read -r code bound name <<<"$step"
    rm -f "$state/reason"
    printf '%s %s\n' "$code" "$name" >"$state/step"
    signal "$code" "step=$name"
    printf '== %s, at most %s s\n' "$name" "$bound"
    status=0
    timeout --kill-after=10 "$bound" /bin/bash "$build/$name.sh" || status=$?
    case $status in
      0) ;;
      124 | 137)
        printf 'FAILED: the step "%s" took longer than %s s.\n' "$name" "$bound"
        printf '8\n' >"$state/reason"
        exit 1
        ;;
      *) exit 1 ;;
    esac
  done
  sync
  # Only now: where a builder cannot see the marker disk, it takes the report's presence for the success.
  mv "$state/report-draft.json" "$state/report.json"
  signal 100 'prepared and sealed'
}

main
exit 0
