#!/bin/bash
# Puts a clone to the proof in its first boot, one step after the other, each within its bound, and says which one it is
# in. The machine stays up: the builder switches it off.
set -Eeuo pipefail

smoke=/run/kubehenge-smoke
state=/run/kubehenge
# shellcheck source=../../scripts/signal.sh
. "$smoke/signal.sh"

# tell CODE TEXT: as signal, but without the host name, which is among what is proven.
tell() {
  local disk
  disk=$(marker_disk)
  if [ -n "$disk" ]; then
    dd if=/dev/zero of="$disk" bs=512 seek="$1" count=1 oflag=direct conv=notrunc,nocreat status=none || true
  fi
  printf 'KUBEHENGE code=%s %s\n' "$1" "$2" | to_console
}

# give_up CODE NAME: the verdict, and the last words on the console.
give_up() {
  local reason failure=$((500 + $1))
  if [ -s "$state/reason" ]; then
    read -r reason <"$state/reason"
    failure=$((1000 + 10 * $1 + reason))
  fi
  signal "$failure" "FAILED step=$2"
  {
    printf 'KUBEHENGE-LOG-BEGIN\n'
    tail -n 40 "$state/log" | cut -c1-300
    printf 'KUBEHENGE-LOG-END\n'
  } | to_console
}

main() {
  local steps step code bound name status
  mkdir -p "$state"
  exec </dev/null >>"$state/log" 2>&1
  mapfile -t steps <"$smoke/steps"
  for step in "${steps[@]}"; do
    read -r code bound name <<<"$step"
    rm -f "$state/reason"
    tell "$code" "step=$name"
    printf '== %s, at most %s s\n' "$name" "$bound"
    status=0
    timeout --kill-after=10 "$bound" /bin/bash "$smoke/$name.sh" || status=$?
    if [ "$status" -eq 124 ] || [ "$status" -eq 137 ]; then
      printf 'FAILED: the step "%s" took longer than %s s.\n' "$name" "$bound"
      printf '8\n' >"$state/reason"
    fi
    if [ "$status" -ne 0 ]; then
      give_up "$code" "$name"
      exit 1
    fi
  done
  signal 100 'proven'
}

main
exit 0
