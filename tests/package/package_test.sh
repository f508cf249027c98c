#!/usr/bin/env bash
# The Debian package on a bare system: makes a minimal Debian of this machine's release in a folder, installs the package there
# with apt, uses it, removes it, and looks for what is left. Needs root, debootstrap and a Debian mirror: the one that apt is
# set up with here.
#   package_test.sh WEIR.deb
set -euo pipefail

deb=$(realpath "${1:?usage: package_test.sh WEIR.deb}")
[ "$(id -u)" -eq 0 ] || { echo "package_test: chroot needs root" >&2; exit 1; }
# In a mount namespace of our own nothing stays mounted, however this ends.
[ -n "${WEIR_PACKAGE_TEST_ALONE:-}" ] || WEIR_PACKAGE_TEST_ALONE=1 exec unshare --mount --propagation private "$0" "$deb"

folder=$(mktemp -d)
root=$folder/root
trap 'umount "$root/proc" 2>/dev/null; rm -rf --one-file-system "$folder"' EXIT
fail() { echo "package_test: FAILED: $*" >&2; exit 1; }
passed=0
pass() { passed=$((passed + 1)); echo "  $*"; }

# The mirrors, suites and keys of this machine's apt, without saying here what they are.
release=$(. /etc/os-release && echo "$VERSION_CODENAME")
targets=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT) $(ORIGIN)' 'Created-By: Packages' |
  awk -v release="$release" '$4 == "Debian" && $2 ~ "^" release' | sort -u)
mirror=$(awk -v release="$release" '$2 == release { print $1; exit }' <<<"$targets")
[ -n "$mirror" ] || fail "apt knows no mirror of Debian's $release"
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
eval "$(apt-config shell http_proxy Acquire::http::Proxy https_proxy Acquire::https::Proxy)"
export http_proxy https_proxy DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8

echo "A minimal Debian ($release):"
debootstrap --variant=minbase --keyring="$keyring" "$release" "$root" "$mirror" >"$folder/log" 2>&1 ||
  { tail -20 "$folder/log" >&2; fail "debootstrap"; }
rm -f "$root"/etc/apt/sources.list.d/* "$root/etc/apt/sources.list"
while read -r uri suite component _; do
  echo "deb [signed-by=$keyring] $uri $suite $component" >>"$root/etc/apt/sources.list"
done <<<"$targets"
for protocol in http https; do
  proxy=${protocol}_proxy
  [ -z "${!proxy:-}" ] || echo "Acquire::$protocol::Proxy \"${!proxy}\";" >>"$root/etc/apt/apt.conf.d/proxy"
done
for file in resolv.conf hosts; do
  [ ! -e /etc/$file ] || cp -L "/etc/$file" "$root/etc/$file"
done
mount -t proc proc "$root/proc"
inside() { chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb LC_ALL=C.UTF-8 \
  DEBIAN_FRONTEND=noninteractive http_proxy="${http_proxy:-}" https_proxy="${https_proxy:-}" "$@"; }
apt() { inside apt-get -qq -y "$@" >"$folder/log" 2>&1 || { tail -20 "$folder/log" >&2; fail "apt-get $*"; }; }
apt update
cp "$deb" "$root/root/weir.deb"
pass "made"

# expect CODE TEXT COMMAND…: the exit code, and a text that is printed.
expect() {
  local code=0 wanted=$1 text=$2
  shift 2
  inside "$@" >"$folder/out" 2>&1 || code=$?
  [ "$code" -eq "$wanted" ] || { cat "$folder/out" >&2; fail "$*: exit code $code, not $wanted"; }
  [ -z "$text" ] || grep -qF -- "$text" "$folder/out" || { cat "$folder/out" >&2; fail "$*: does not print \"$text\""; }
  pass "$*"
}

# All files but those that apt and dpkg write on every use; /root is ours.
files() { (cd "$root" && find . -xdev \( -path ./proc -o -path ./root -o -path ./tmp -o -path ./var/cache -o -path ./var/log \
  -o -path ./var/lib/apt -o -path ./var/lib/dpkg -o -name 'ld.so.cache' -o -path ./var/lib/systemd \) -prune -o -print | sort); }

remove() {
  inside dpkg -L weir | sed 's/^/./' | sort -u >"$folder/packed"
  apt purge --autoremove weir
  files >"$folder/after"
  # What the packages that came along leave behind is theirs; what weir brought must be gone.
  comm -13 "$folder/before" "$folder/after" | grep -Fxf "$folder/packed" >"$folder/left" && { cat "$folder/left" >&2; fail "left after purge"; }
  comm -13 "$folder/before" "$folder/after" | grep -i weir && fail "left after purge"
  comm -23 "$folder/before" "$folder/after" | grep . && fail "the removal took what was there before"
  inside dpkg -s weir >/dev/null 2>&1 && fail "dpkg still knows weir"
  pass "apt-get purge weir: nothing is left"
}

examples=/usr/share/doc/weir/examples
files >"$folder/before"

echo "Without what is recommended:"
apt install --no-install-recommends /root/weir.deb
! inside sh -c 'command -v clang-19 >/dev/null' || fail "clang-19 came without being asked for"
expect 0 "weir " weir --version
expect 10 "UNSAFE under tso" weir check $examples/peterson.imp --model tso
expect 0 "SAFE under tso" weir check $examples/peterson_fenced.imp --model tso
expect 2 "apt-get install clang-19" weir check $examples/c/peterson.c --model tso
remove

echo "As apt installs it:"
apt install /root/weir.deb
expect 0 "weir " weir --version
expect 10 "UNSAFE under tso" weir check $examples/peterson.imp --model tso
expect 10 "UNSAFE under tso" weir check $examples/c/peterson.c --model tso
expect 0 "SAFE under tso" weir check $examples/c/peterson-fenced.c --model tso
cat >"$root/root/announce.cpp" <<'END'
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> x, y;
int a, b;

int main() {
  std::thread p([] { x.store(1, std::memory_order_relaxed), a = y.load(std::memory_order_relaxed); });
  std::thread q([] { y.store(1, std::memory_order_relaxed), b = x.load(std::memory_order_relaxed); });
  p.join(), q.join();
  assert(a || b);
}
END
expect 0 "SAFE under sc" weir check /root/announce.cpp --model sc
expect 10 "UNSAFE under tso" weir check /root/announce.cpp --model tso
expect 0 "clang" weir doctor
# The program of the README, by the compiler that came along.
sed -n '/^```cpp/,/^```/p' "$root/usr/share/doc/weir/README.md" | sed '/^```/d' >"$root/root/program.cpp"
expect 0 "" clang++-19 -std=c++20 /root/program.cpp -o /root/program -lweir
expect 0 "UNSAFE under tso" sh -c "cd /usr/share/doc/weir && /root/program"
expect 0 "Weir::weir" sh -c "cat /usr/lib/cmake/Weir/*.cmake"
expect 0 "-lweir" cat /usr/lib/pkgconfig/weir.pc
for page in weir weir-check weir-fence; do
  expect 0 ".TH" gzip -dc /usr/share/man/man1/$page.1.gz
done
expect 0 "weir" cat /usr/share/bash-completion/completions/weir
expect 0 "#compdef weir" cat /usr/share/zsh/vendor-completions/_weir
expect 0 "Apache-2.0" cat /usr/share/doc/weir/copyright
expect 0 "weir_add_test" cat /usr/share/weir/cmake/WeirAddTest.cmake
expect 0 "# Weir" cat /usr/share/doc/weir/README.md
remove

echo "$passed passed, 0 failed"
