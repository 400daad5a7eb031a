#!/bin/bash
# The guest agent, early: from here on the builder can read the log. And what the installers of clusters fetch with.
# shellcheck source=step.sh
. /var/lib/kubehenge-build/step.sh
# shellcheck source=apt.sh
. /var/lib/kubehenge-build/apt.sh

apt_get install --no-install-recommends qemu-guest-agent ca-certificates curl ||
  fail 1 "qemu-guest-agent, ca-certificates and curl cannot be installed; see apt's lines above."
# Never `systemctl enable`: the unit is static, udev starts it with the agent's port, and enabling it is an error.
systemctl start qemu-guest-agent.service || printf 'The guest agent did not start at once.\n'
