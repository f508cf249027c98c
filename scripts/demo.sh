#!/usr/bin/env bash
# A short demonstration: Dekker's algorithm in C is correct under sequential consistency, breaks under TSO, and is
# repaired by fences that Weir places. `make demo` runs it.
#   demo.sh PATH_TO_WEIR
set -euo pipefail

if [ $# -ne 1 ] || [ ! -x "$1" ]; then
  echo "usage: demo.sh PATH_TO_WEIR" >&2
  exit 1
fi
weir=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
cd "$(dirname "$0")/.."

bold='' plain=''
if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then
  bold=$'\e[1m' plain=$'\e[0m'
fi

# Shows a command, runs it, and insists on the exit code that its answer should have (0 safe, 10 violation).
expect() {
  local wanted=$1 code=0
  shift
  printf '%s$ weir %s%s\n' "$bold" "$*" "$plain"
  "$weir" "$@" || code=$?
  if [ "$code" -ne "$wanted" ]; then
    echo "demo.sh: expected exit code $wanted, got $code" >&2
    exit 1
  fi
  echo
}

echo "1. Dekker's algorithm, in C, keeps two threads apart, if memory is sequentially consistent:"
expect 0 check examples/c/dekker.c --model sc

echo "2. On x86 a store waits in a buffer while later loads go ahead, and both threads get in:"
expect 10 check examples/c/dekker.c --model tso

echo "3. The cheapest fences that take away what the buffers add, and where they go:"
expect 0 fence examples/c/dekker.c
expect 0 fence examples/c/dekker.c --patch -

echo "4. With the fence it is right on x86:"
expect 0 check examples/c/dekker-fenced.c --model tso

echo "Next: $1 check examples/c/dekker-fenced.c --model pso   (is that enough where stores may swap, too?)"
