#!/usr/bin/env bash
# Runs the built tests: `test.sh JOBS`. Called by `make test`.
set -euo pipefail
jobs=${1:-2}
# Foreign input under the sanitizers, briefly; `make fuzz` does millions.
build/sanitize/tests/parser_fuzz 10000 1 &
build/sanitize/tests/parser_fuzz 10000 2
wait $!
# The last lines are the summary.
ctest --preset test -j "$jobs"
