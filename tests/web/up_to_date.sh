#!/usr/bin/env bash
# The page that the binary carries is the one that web/ builds to: `up_to_date.sh SOURCE_DIR BUILD_DIR`.
set -euo pipefail
"$1/scripts/web.sh" "$2/web"
if ! cmp "$2/web/dist/explorer.html" "$1/web/dist/explorer.html"; then
  echo "web/dist/explorer.html is not what web/ builds to: make web" >&2
  exit 1
fi
