#!/usr/bin/env bash
# Builds the image without a container engine's daemon, runs a job in it as user 10001 with a read-only root, and prints
# its size, the time of the job and the time to stop. Needs root, and Debian's buildah and debootstrap. The base images
# are made here, from Debian's packages and the machine's npm, so that no image registry is needed.
#
#   sudo deploy/build-image.sh [work folder]      # 5 GB while it runs; /var/tmp/clipmill-image by default
set -euo pipefail
cd "$(dirname "$0")/.."

MAX_MB=800
MAX_STOP_MS=5000
missing=()
for tool in buildah debootstrap; do command -v "$tool" > /dev/null || missing+=("$tool"); done
if ((${#missing[@]} > 0)); then
  echo "The image was not built: ${missing[*]} not found. On Debian: apt-get install buildah debootstrap" >&2
  exit 3
fi
if ((EUID != 0)); then echo "The image was not built: run as root, which debootstrap and chroot need." >&2; exit 3; fi
if [[ ! -x node_modules/.bin/node ]]; then echo "The image was not built: run npm ci first." >&2; exit 3; fi

work=${1:-/var/tmp/clipmill-image}
mkdir -p "$work"
export BUILDAH_ISOLATION=chroot
# vfs needs no file system features; set STORAGE_DRIVER for another one.
store=(--root "$work/store" --runroot "$work/run" --storage-driver "${STORAGE_DRIVER:-vfs}")
buildah=(buildah "${store[@]}")
mounted=""
cleanup() {
  rm -f "$work/npmrc"
  if [[ -n $mounted ]]; then "${buildah[@]}" rm "$mounted" > /dev/null || true; fi
}
trap cleanup EXIT

# Makes an image of a folder.
commit_folder() {
  local container
  container=$("${buildah[@]}" from scratch)
  "${buildah[@]}" add --quiet "$container" "$1" / > /dev/null
  "${buildah[@]}" config --env PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin "$container"
  "${buildah[@]}" commit --quiet --rm "$container" "$2" > /dev/null
}

if ! "${buildah[@]}" inspect --type image clipmill-debian > /dev/null 2>&1; then
  echo "Making the Debian image."
  rm -rf "$work/debian"
  debootstrap --variant=minbase --include=ca-certificates trixie "$work/debian" > "$work/debootstrap.log"
  echo "deb http://deb.debian.org/debian-security trixie-security main" >> "$work/debian/etc/apt/sources.list"
  rm -rf "$work"/debian/var/{cache/apt/archives/*.deb,lib/apt/lists/*,log/*} "$work"/debian/usr/share/{doc,locale,man}/*
  commit_folder "$work/debian" clipmill-debian
fi
if ! "${buildah[@]}" inspect --type image clipmill-node > /dev/null 2>&1; then
  echo "Making the build image."
  rm -rf "$work/node"
  cp -a "$work/debian" "$work/node"
  cp "$(readlink -f node_modules/.bin/node)" "$work/node/usr/local/bin/node"
  chroot "$work/node" sh -c "apt-get update -qq && apt-get install -qq --yes --no-install-recommends libatomic1 libstdc++6" \
    >> "$work/debootstrap.log" 2>&1
  mkdir -p "$work/node/usr/local/lib/node_modules"
  cp -rL "$(npm root --global)/npm" "$work/node/usr/local/lib/node_modules/npm"
  ln -sf ../lib/node_modules/npm/bin/npm-cli.js "$work/node/usr/local/bin/npm"
  commit_folder "$work/node" clipmill-node
  rm -rf "$work/node"
fi

echo "Building the image."
# The machine's npm settings and certificates are used while building and do not get into the image.
cat "$(npm config get globalconfig)" "$(npm config get userconfig)" 2> /dev/null | grep -v "^cafile" > "$work/npmrc" || true
volumes=(--volume "$work/npmrc:/root/.npmrc:ro")
certificates=$(npm config get cafile)
if [[ -f $certificates ]]; then
  echo "cafile=/run/certificates.crt" >> "$work/npmrc"
  volumes+=(--volume "$certificates:/run/certificates.crt:ro")
fi
"${buildah[@]}" build --quiet --tag clipmill --network host --format docker "${volumes[@]}" \
  --build-arg NODE_IMAGE=localhost/clipmill-node --build-arg DEBIAN_IMAGE=localhost/clipmill-debian . > "$work/build.log"

mounted=$("${buildah[@]}" from --pull-never clipmill)
root=$("${buildah[@]}" mount "$mounted")
mb=$(du --summarize --apparent-size --block-size=1000000 "$root" | cut --fields=1)
echo "Size: $mb MB, at most $MAX_MB. In MB:"
du --summarize --apparent-size --block-size=1000000 "$root"/app/node_modules "$root"/usr/lib "$root"/usr/bin "$root"/app/dist | sort -rn
node_modules/.bin/node dev/run-image.ts "$root" "$MAX_STOP_MS"
if ((mb > MAX_MB)); then echo "The image is too large." >&2; exit 1; fi
