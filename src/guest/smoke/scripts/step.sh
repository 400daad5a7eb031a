#!/bin/bash
# What every proof begins with: the settings, and the ways to fail and to wait. Sourced.
# shellcheck disable=SC2034 # the scripts that source this use the variables
set -Eeuo pipefail
export LC_ALL=C

smoke=/run/kubehenge-smoke
state=/run/kubehenge
# shellcheck source=/dev/null
. "$smoke/settings"
# shellcheck source=../../scripts/fail.sh
. "$smoke/fail.sh"
