#!/bin/bash
# containerd answers as a container runtime, and holds the images that kubeadm names.
# shellcheck source=step.sh
. /run/kubehenge-smoke/step.sh

runs() { systemctl is-active --quiet containerd.service; }
wait_for 60 runs ||
  fail 1 "containerd does not run: $(systemctl status --no-pager --lines=5 containerd.service 2>&1 | tr '\n' ' ')"
answers() { timeout 20 crictl version >"$state/runtime" 2>&1; }
wait_for 60 answers || fail 2 "containerd does not answer crictl: $(tr '\n' ' ' <"$state/runtime")"
cat "$state/runtime"

kubeadm config images list --kubernetes-version "$KUBERNETES_VERSION" \
  ${IMAGE_REPOSITORY:+--image-repository "$IMAGE_REPOSITORY"} >"$state/wanted-images"
# "check -q" names only images that are whole and unpacked.
ctr --namespace k8s.io images check -q >"$state/whole-images"
while read -r image; do
  grep -qxF -- "$image" "$state/whole-images" || fail 3 "The image $image is not in containerd."
done <"$state/wanted-images"
