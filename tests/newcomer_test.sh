#!/usr/bin/env bash
# From a fresh clone to an understood violation and an applied fence, with the commands of the README and nothing else:
# what it says under "Start", `make install`, and then its example with the installed program. Builds everything, so it is
# no part of `make test`.
#   newcomer_test.sh SOURCE_DIR
set -euo pipefail

source=$(realpath "${1:?usage: newcomer_test.sh SOURCE_DIR}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
git clone --quiet "$source" "$folder/weir"
cd "$folder/weir"

# The first block: one command per line, with a remark behind it. The tests have their own place.
start=$(sed -n '/^## Start/,/^## /p' README.md | sed -n '/^```/,/^```/p' | grep '^make' | sed 's/ *#.*//' | grep -v '^make test')
[ -n "$start" ]
while read -r command; do
  echo "\$ $command"
  $command </dev/null
done <<<"$start"
make install PREFIX="$folder/installed"
python3 tests/transcript_test.py "$folder/installed/bin/weir" . README.md
