#!/bin/sh
# Usage: [BASE=IMAGE] [POSTGRES=no] [TAG=NAME] deploy/image.sh [OPTIONS OF buildah build]
# Builds the image with buildah. Without BASE it needs no registry: it makes a base image of Debian's packages
# (mmdebstrap), the Node of this checkout and this machine's npm, once.
set -eu
cd "$(dirname "$0")/.."
POSTGRES=${POSTGRES:-yes}
TAG=${TAG:-localhost/terse:latest}

if [ -z "${BASE:-}" ]; then
  BASE=localhost/terse-base:latest
  if ! buildah inspect --type image "$BASE" >/dev/null 2>&1; then
    npm run --silent setup >&2
    archive=$(mktemp --suffix=.tar)
    trap 'rm -f "$archive"' EXIT
    mmdebstrap --quiet --variant=minbase --include=binutils,ca-certificates,libstdc++6 \
      "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$archive"
    base=$(buildah from scratch)
    buildah add --quiet "$base" "$archive" / >/dev/null
    buildah copy --quiet --chmod 755 "$base" node_modules/node/bin/node /usr/local/bin/node >/dev/null
    npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
    buildah copy --quiet "$base" "$npm" /usr/local/lib/node_modules/npm >/dev/null
    buildah run "$base" -- sh -c 'cd /usr/local/bin &&
      ln -s ../lib/node_modules/npm/bin/npm-cli.js npm && ln -s ../lib/node_modules/npm/bin/npx-cli.js npx'
    buildah commit --quiet --rm "$base" "$BASE" >/dev/null
  fi
fi

# Only this format has HEALTHCHECK.
exec buildah build --format docker --build-arg BASE="$BASE" --build-arg POSTGRES="$POSTGRES" --tag "$TAG" \
  --file deploy/Containerfile "$@" .
