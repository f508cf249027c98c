#!/usr/bin/env bash
# Builds the explorer page: `web.sh FOLDER` copies web/ there, fetches the packages of its lock file, checks the types
# and leaves the page in FOLDER/dist/explorer.html. Needs npm. Exits with 77 if
# the packages cannot be fetched because there is no network.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
folder=$1
command -v npm >/dev/null || { echo "weir: npm is not installed" >&2; exit 77; }

mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
rm -rf "$folder/src" "$folder/dist"
cp -r "$root"/web/{src,index.html,package.json,package-lock.json,tsconfig.json,vite.config.ts} "$folder"
cd "$folder"
if ! cmp -s package-lock.json .fetched; then
  if ! npm ci --no-audit --no-fund --loglevel=error; then
    npm ping --loglevel=silent >/dev/null 2>&1 && exit 1
    echo "weir: the packages of web/ cannot be fetched: no network" >&2
    exit 77
  fi
  cp package-lock.json .fetched
fi
npx --no-install tsc --noEmit
npx --no-install vite build --logLevel error
