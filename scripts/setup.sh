#!/usr/bin/env bash
# Installs the Debian packages that Weir is built and tested with, if any is missing. Needs root or sudo for that;
# does nothing, quickly and silently, when everything is there.
#   setup.sh build    what the tool needs            setup.sh test    and what its tests and benchmarks need
#   setup.sh fuzz     and what libFuzzer needs       setup.sh package  and what the Debian package and its test need
#   setup.sh python   and what the Python package needs
#   setup.sh wild     and the libraries that `make wild` checks
set -euo pipefail

build=(g++ make cmake ninja-build ccache pkg-config libfmt-dev libabsl-dev libmimalloc-dev libcli11-dev nlohmann-json3-dev tao-pegtl-dev
       coinor-libcbc-dev libbdd-dev libz3-dev libseccomp-dev llvm-19-dev clang-19)
test=(libgtest-dev libgmock-dev librapidcheck-dev python3 python3-jsonschema python3-yaml patch spin z3 zsh chromium fonts-inter fonts-jetbrains-mono)
# Node, to build and test the explorer page; it may also come from elsewhere.
command -v npm >/dev/null || test+=(nodejs npm)

fuzz=(libclang-rt-19-dev)
packaging=(dpkg-dev file debootstrap)
python=(python3-dev pybind11-dev)
wild=(python3 libck-dev liburcu-dev libboost1.81-dev libconcurrentqueue-dev libreaderwriterqueue-dev libdpdk-dev libtbb-dev libatomic-ops-dev)

packages=("${build[@]}")
case ${1:-build} in
  build) ;;
  test) packages+=("${python[@]}" "${test[@]}") ;;
  fuzz) packages+=("${test[@]}" "${fuzz[@]}") ;;
  package) packages+=("${packaging[@]}") ;;
  python) packages+=("${python[@]}") ;;
  wild) packages+=("${wild[@]}") ;;
  *) echo "usage: setup.sh build|test|fuzz|package|python|wild" >&2; exit 1 ;;
esac

missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

if ! command -v apt-get >/dev/null; then
  echo "weir: these packages are needed, under their Debian names: ${missing[*]}" >&2
  exit 1
fi
as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "weir: run as root, or install: ${missing[*]}" >&2; exit 1; }
  as_root=(sudo)
fi
echo "weir: installing ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
export DEBIAN_FRONTEND=noninteractive
if ! { "${as_root[@]}" apt-get update -qq && "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}"; } \
    >"$log" 2>&1; then
  cat "$log" >&2
  exit 1
fi
