#!/bin/bash
# What a machine is called by and known by is this clone's own, and neither the template's nor nobody's.
# shellcheck source=step.sh
. /run/kubehenge-smoke/step.sh

name=$(cat /proc/sys/kernel/hostname)
[ "$name" = "$SMOKE_HOSTNAME" ] || fail 1 "The host name is $name, not $SMOKE_HOSTNAME."
saved=$(cat /etc/hostname)
[ "$saved" = "$SMOKE_HOSTNAME" ] || fail 1 "The host name in /etc/hostname is $saved, not $SMOKE_HOSTNAME."

id=$(cat /etc/machine-id 2>/dev/null || true)
printf '%s\n' "$id" | grep -xE '[0-9a-f]{32}' >/dev/null || fail 2 "/etc/machine-id holds no machine-id: $id"
if [ -n "$TEMPLATE_MACHINE_ID" ] && [ "$id" = "$TEMPLATE_MACHINE_ID" ]; then
  fail 3 "The machine-id $id is made of the template's SMBIOS UUID."
fi

keys=$(find /etc/ssh -maxdepth 1 -name 'ssh_host_*_key')
[ -n "$keys" ] || fail 4 "There is no host key in /etc/ssh."
while read -r key; do
  # bootcmd has touched that file in this boot, before cloud-init made the keys.
  [ "$key" -nt "$state/started" ] || fail 5 "The host key $key is older than this boot."
done <<<"$keys"

has_address() { ip -o address show up scope global | awk '/ inet/ && !/ tentative/ { found = 1 } END { exit !found }'; }
wait_for 60 has_address || fail 6 "No network card has an address: $(ip -br address | tr -s ' \n' ' ')"

agent_runs() { systemctl is-active --quiet qemu-guest-agent.service; }
wait_for 60 agent_runs || fail 7 "qemu-guest-agent does not run: $(systemctl is-active qemu-guest-agent.service)"
