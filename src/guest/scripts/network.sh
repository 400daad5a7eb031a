#!/bin/bash
# Is there a network that leads to all that the build needs? Each way to fail has its own words.
# shellcheck source=step.sh
. /var/lib/kubehenge-build/step.sh
# shellcheck source=apt.sh
. /var/lib/kubehenge-build/apt.sh

has_card() {
  local card
  for card in /sys/class/net/*; do
    if [ -e "$card/device" ]; then return 0; fi
  done
  return 1
}

has_address() { ip -o address show up scope global | awk '/ inet/ && !/ tentative/ { found = 1 } END { exit !found }'; }

has_default_route() { [ -n "$(ip -4 route show default)$(ip -6 route show default)" ]; }

# The first gateway that should have answered on the link and did not.
silent_gateway() {
  local gateway
  for gateway in $(ip -4 route show default | sed -n 's/.* via \([^ ]*\).*/\1/p') \
    $(ip -6 route show default | sed -n 's/.* via \([^ ]*\).*/\1/p'); do
    if ip neighbour show to "$gateway" | grep 'FAILED\|INCOMPLETE' >/dev/null; then
      printf '%s\n' "$gateway"
      return 0
    fi
  done
  return 1
}

# fail_beyond_link NUMBER TEXT: blames the gateway where it is the gateway.
fail_beyond_link() {
  local gateway
  if gateway=$(silent_gateway); then fail 4 "The gateway $gateway does not answer on the link. $2"; fi
  fail "$1" "$2"
}

name_servers() { { cat /run/systemd/resolve/resolv.conf 2>/dev/null || cat /etc/resolv.conf; } | sed -n 's/^nameserver //p' | tr '\n' ' '; }

resolves() { timeout 15 getent ahosts "$1" >/dev/null; }

connects() {
  # shellcheck disable=SC2016 # expanded by the inner shell, from its arguments
  timeout 10 /bin/bash -c 'exec 3<>"/dev/tcp/$1/$2"' connects "$1" "$2" 2>/dev/null
}

# reach NUMBER URL: the URL's host has an address and takes a connection.
reach() {
  local number=$1 url=$2 authority host port
  authority=${url#*://}
  authority=${authority%%/*}
  case $authority in
    \[*\]:*) host=${authority%%]*} host=${host#[} port=${authority##*:} ;;
    \[*\]) host=${authority%]} host=${host#[} port= ;;
    *:*) host=${authority%%:*} port=${authority##*:} ;;
    *) host=$authority port= ;;
  esac
  if [ -z "$port" ]; then
    case $url in
      https:*) port=443 ;;
      *) port=80 ;;
    esac
  fi
  wait_for 20 resolves "$host" ||
    fail_beyond_link 5 "The name $host cannot be resolved. Name servers: $(name_servers)"
  wait_for 20 connects "$host" "$port" ||
    fail_beyond_link "$number" "No connection to $host, port $port."
  printf 'ok: %s, port %s\n' "$host" "$port"
}

# The registry of an image repository, as a URL; nothing where the name holds no host or containerd is told another way.
registry_url() {
  local host=${IMAGE_REPOSITORY:-registry.k8s.io}
  host=${host%%/*}
  if [ -e "/etc/containerd/certs.d/$host/hosts.toml" ] || [ -e /etc/containerd/certs.d/_default/hosts.toml ]; then return 0; fi
  case $host in
    *.* | *:*) printf 'https://%s/\n' "$host" ;;
  esac
}

wait_for 30 has_card || fail 1 "The machine has no network card."
wait_for 45 has_address || fail 2 "No network card has an address: $(ip -br address | tr -s ' \n' ' ')"
wait_for 15 has_default_route || fail 3 "There is an address, but no default route: $(ip route | tr '\n' ';')"

if [ -n "$APT_MIRROR" ]; then
  reach 6 "$APT_MIRROR"
else
  # Not `indextargets`, which names only lists that are there already.
  apt-get --print-uris update | sed -n "s#^'\(https\?://[^/']*\)/.*#\1/#p" | sort -u >"$state/mirrors"
  while read -r mirror; do reach 6 "$mirror"; done <"$state/mirrors"
fi
if [ -n "$KUBERNETES_VERSION" ]; then
  reach 7 "$KUBERNETES_REPOSITORY"
  registry=$(registry_url)
  if [ -n "$registry" ]; then reach 7 "$registry"; fi
fi
