#!/bin/bash
# kubeadm's own checks before `kubeadm init`. Left out is what a clone as small as this one cannot have; the images are
# there, so nothing is pulled.
# shellcheck source=step.sh
. /run/kubehenge-smoke/step.sh

# The newest version of the configuration that this kubeadm knows, as it writes it itself.
api=$(kubeadm config print init-defaults | awk '$1 == "apiVersion:" && $2 ~ /^kubeadm\.k8s\.io\// { print $2; exit }')
config="$state/kubeadm.yaml"
{
  printf 'apiVersion: %s\nkind: InitConfiguration\n' "$api"
  printf 'nodeRegistration:\n  criSocket: unix:///run/containerd/containerd.sock\n---\n'
  # Without the version kubeadm would ask the internet for the newest one.
  printf 'apiVersion: %s\nkind: ClusterConfiguration\nkubernetesVersion: %s\n' "$api" "$KUBERNETES_VERSION"
  if [ -n "$IMAGE_REPOSITORY" ]; then printf 'imageRepository: %s\n' "$IMAGE_REPOSITORY"; fi
} >"$config"

said="$state/preflight"
timeout 220 kubeadm init phase preflight --config "$config" --ignore-preflight-errors=NumCPU,Mem >"$said" 2>&1 &&
  code=0 || code=$?
cat "$said"
if [ "$code" -ne 0 ]; then
  fail 1 "kubeadm init phase preflight ended with $code: $(grep -F '[ERROR' "$said" | tr -s '\t\n' ' ' | cut -c1-300)"
fi
# Warnings about the network or the machine's size are not the template's; these are.
blame=$(grep -E '\[WARNING (FileExisting-|Service-|Swap)' "$said" | tr -s '\t\n' ' ' | cut -c1-300 || true)
if [ -n "$blame" ]; then fail 2 "kubeadm init phase preflight warns: $blame"; fi
