#!/usr/bin/env bash
# Runs one of the tests here, `run.sh NODE TEST`, unless the packages it needs could not be fetched.
set -euo pipefail
[ -e "$WEIR_WEB/.fetched" ] || { echo "the packages of web/ are not there"; exit 77; }
exec "$1" --test "$2"
