#!/bin/bash
# containerd-config.sh SANDBOX-IMAGE: reads containerd's default configuration (version 2 of containerd 1.x, version 3 of
# containerd 2.x) and writes it with systemd's cgroups, the sandbox image, and /etc/containerd/certs.d for registries.
set -euo pipefail

SANDBOX_IMAGE=$1 exec awk '
  function set(name, line) { print line; drop = name; done[name] = 1 }
  /^[[:space:]]*\[/ {
    print
    drop = ""
    table = $0
    gsub(/[[:space:]"\047]|^[[:space:]]*\[+|\]+[[:space:]]*$/, "", table)
    gsub(/[][]/, "", table)
    if (table ~ /\.containerd\.runtimes\.runc\.options$/) set("SystemdCgroup", "SystemdCgroup = true")
    if (table == "plugins.io.containerd.grpc.v1.cri") set("sandbox_image", "sandbox_image = \"" ENVIRON["SANDBOX_IMAGE"] "\"")
    if (table == "plugins.io.containerd.cri.v1.images.pinned_images") set("sandbox", "sandbox = \"" ENVIRON["SANDBOX_IMAGE"] "\"")
    if (table ~ /^plugins\.io\.containerd\.(grpc\.v1\.cri|cri\.v1\.images)\.registry$/) set("config_path", "config_path = \"/etc/containerd/certs.d\"")
    next
  }
  drop != "" {
    key = $0
    sub(/^[[:space:]]*/, "", key)
    sub(/[[:space:]]*=.*/, "", key)
    if (key == drop) next
  }
  # From 2.1 on the CRI plugin pulls through this one, which knows registries by a setting of its own, where it has it.
  table == "plugins.io.containerd.transfer.v1.local" && /^[[:space:]]*config_path[[:space:]]*=/ {
    print "config_path = \"/etc/containerd/certs.d\""
    next
  }
  { print }
  END {
    if (!done["SystemdCgroup"]) wrong = wrong " SystemdCgroup"
    if (!done["sandbox_image"] && !done["sandbox"]) wrong = wrong " sandbox"
    if (!done["config_path"]) wrong = wrong " config_path"
    if (wrong != "") {
      print "containerd has no place for:" wrong > "/dev/stderr"
      exit 1
    }
  }
'
