#!/usr/bin/env bash
# Writes the options of every command, as the program has them, into the pages of docs/manual.
#   manual.sh PATH_TO_WEIR
set -euo pipefail

if [ $# -ne 1 ] || [ ! -x "$1" ]; then
  echo "usage: manual.sh PATH_TO_WEIR" >&2
  exit 1
fi
weir=$(realpath "$1")
cd "$(dirname "$0")/../docs/manual"

for page in *.md; do
  [ "$page" = README.md ] && continue
  table=$("$weir" --markdown "${page%.md}")
  table=$table awk '
    /^<!-- end of options -->/ { inside = 0 }
    !inside { print }
    /^<!-- options/ { inside = 1; print ENVIRON["table"] }' "$page" >"$page.new"
  mv "$page.new" "$page"
done
