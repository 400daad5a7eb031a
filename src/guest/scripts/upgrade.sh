#!/bin/bash
# Every package at its newest. The kernel too: a clone boots the new one, this boot stays with the old.
# shellcheck source=step.sh
. /var/lib/kubehenge-build/step.sh
# shellcheck source=apt.sh
. /var/lib/kubehenge-build/apt.sh

apt_get full-upgrade || fail 1 "The upgrade of all packages failed; see apt's lines above."
apt_get autoremove --purge || fail 1 "What is no longer needed cannot be removed; see apt's lines above."
