#!/bin/bash
# cloud-init has ended, without errors and without warnings: Cluster API's Proxmox provider takes any exit code of
# `cloud-init status` but 0 for a failed machine, and cloud-init from 23.4 on ends with 2 for mere warnings.
# shellcheck source=step.sh
. /run/kubehenge-smoke/step.sh

said=$(timeout 270 cloud-init status --wait --long 2>&1) && code=0 || code=$?
printf '%s\n' "$said"
words=$(printf '%s' "$said" | tr '\n' ' ' | tr -s '. ' | cut -c1-300)
case $code in
  0) ;;
  1) fail 1 "cloud-init ended with an error: $words" ;;
  2) fail 2 "cloud-init ended with warnings: $words" ;;
  124 | 137) fail 3 "cloud-init did not end within 270 s." ;;
  *) fail 1 "cloud-init status ended with $code: $words" ;;
esac
case $said in
  *degraded*) fail 2 "cloud-init ended with warnings: $words" ;;
esac
