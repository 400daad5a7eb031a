#!/bin/bash
# The images that kubeadm names, in containerd before a clone asks for them.
# shellcheck source=step.sh
. /var/lib/kubehenge-build/step.sh

pull() {
  kubeadm config images pull --kubernetes-version "$KUBERNETES_VERSION" \
    ${IMAGE_REPOSITORY:+--image-repository "$IMAGE_REPOSITORY"} \
    --cri-socket unix:///run/containerd/containerd.sock >"$state/pull-output" 2>&1
}

pulled=
for try in 1 2 3; do
  if pull; then
    pulled=yes
    break
  fi
  cat "$state/pull-output"
  if grep -q 'no space left on device' "$state/pull-output"; then fail 9 "The root file system is too small for the images."; fi
  printf 'kubeadm config images pull failed, try %s of 3\n' "$try"
  sleep $((try * 5))
done
if [ -z "$pulled" ]; then fail 1 "kubeadm cannot pull its images; see its lines above."; fi
cat "$state/pull-output"

# "check -q" names only images that are whole and unpacked.
ctr --namespace k8s.io images check -q >"$state/whole-images"
while read -r image; do
  grep -qxF -- "$image" "$state/whole-images" || fail 2 "The image $image is not in containerd after the pull."
done <"$state/images"
