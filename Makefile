# The commands a newcomer needs; CMake does the work. Every target installs what it is missing.
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)

.PHONY: all demo test test-long mutation mutation-c newcomer sanitize fuzz fuzz-command-line second-opinion wild reliability bench web pictures map how-to-add install package package-test format tidy clean

all: build/release/build.ninja
	@cmake --build --preset release --target weir -j $(JOBS)

build/%/build.ninja: CMakeLists.txt CMakePresets.json
	@scripts/setup.sh $(if $(filter release,$*),build,test)
	@cmake --preset $* $(if $(filter release,$*),-DWEIR_TESTS=OFF) --log-level=WARNING >/dev/null

# Checks a small program under TSO, shows the violation, and that a fence repairs it.
demo: all
	@scripts/demo.sh build/release/weir

# All tests that fit into a quarter of an hour on two cores: optimised with assertions, and the parts that parse
# foreign input once more under the sanitizers.
test: build/test/build.ninja build/sanitize/build.ninja
	@scripts/setup.sh test
	@cmake --build --preset test -j $(JOBS)
	@cmake --build --preset sanitize -j $(JOBS) --target parser_fuzz
	@scripts/test.sh $(JOBS)

# The full comparisons with the reference machine and with brute force, and the largest examples (an hour).
test-long: build/test/build.ninja
	@cmake --build --preset test -j $(JOBS) --target agreement robust_agreement fence_agreement abstraction_agreement smc_agreement value_agreement consistency_agreement dual_agreement array_agreement array_axiomatic_agreement streett_agreement streett_bench engine_test
	@build/test/tests/agreement 10000
	@build/test/tests/robust_agreement 5500
	@build/test/tests/fence_agreement 1000
	@build/test/tests/abstraction_agreement 5000
	@build/test/tests/smc_agreement 20000
	@build/test/tests/value_agreement 20000
	@build/test/tests/consistency_agreement 50000
	@build/test/tests/dual_agreement 10000
	@build/test/tests/array_agreement 4000
	@build/test/tests/array_axiomatic_agreement 1000
	@build/test/tests/streett_agreement 20000
	@build/test/tests/streett_bench agree 200
	@WEIR_LONG_TESTS=1 build/test/tests/engine_test --gtest_filter='*Examples*'

# Asked limits against measured ends, for each engine and phase (a quarter of an hour); writes the tables of the page.
reliability: all
	@python3 scripts/reliability.py build/release/weir --write docs/reliability.md

# What the README promises, from a fresh clone (ten minutes without ccache).
newcomer:
	@tests/newcomer_test.sh .

# Does the self-check find mistakes? Builds Weir with some that can be switched on, and tries each (minutes).
mutation:
	@scripts/setup.sh build
	@python3 tests/selfcheck/mutation_test.py . build/faults --jobs $(JOBS)

# The same question about the second opinion: builds the C front end with some mistakes, and tries each (an hour).
mutation-c: all
	@python3 tests/second_opinion/faults_test.py . build/release/weir build/faults-c --jobs $(JOBS)

sanitize: build/sanitize/build.ninja
	@cmake --build --preset sanitize -j $(JOBS)
	@ctest --preset sanitize -j $(JOBS)

# Two million inputs to the parsers; changed LLVM modules and C programs to the C front end; and the command line itself under
# libFuzzer, a million inputs for each front end (hours). FUZZ="--seconds 60" or FUZZ="--front imp" make it shorter.
fuzz: build/sanitize/build.ninja fuzz-command-line
	@cmake --build --preset sanitize -j $(JOBS) --target parser_fuzz c_fuzz
	@build/sanitize/tests/parser_fuzz 1000000
	@build/sanitize/tests/c_fuzz modules 100000
	@build/sanitize/tests/c_fuzz sources 20000

fuzz-command-line:
	@scripts/setup.sh fuzz
	@cmake --preset fuzz --log-level=WARNING >/dev/null
	@cmake --build --preset fuzz -j $(JOBS) --target command_line_fuzz
	@python3 tests/fuzz/fuzz.py build/fuzz/tests/command_line_fuzz . build/fuzz/run $(FUZZ)

# Harnesses for libraries that Debian ships, against their headers, and defects put into these (minutes); writes the page.
wild: all
	@scripts/setup.sh wild
	@python3 tests/wild/wild.py build/release/weir --write docs/wild.md

# Weir against the running program: every unsafe C program of the tests and examples, and random ones (hours).
second-opinion: all
	@python3 tests/native/confirm_all.py build/release/weir tests/c/conformance examples/c --jobs $(JOBS) --quiet
	@python3 tests/native/safe_all.py build/release/weir tests/c/conformance examples/c --jobs $(JOBS)
	@python3 tests/second_opinion/second_opinion.py build/release/weir --count 100000 --jobs $(JOBS) --output build/second-opinion

# States per second on Lamport's mutex, and SPIN's in the same run; C programs; the tables of robustness and lazy
# reachability.
bench: all build/test/build.ninja
	@scripts/setup.sh test
	@python3 bench/explicit.py build/release
	@python3 bench/c.py build/release
	@python3 bench/smc/explore.py build/release
	@python3 bench/robustness/run.py build/release/weir
	@python3 bench/array/run.py build/release/weir --all
	@cmake --build --preset test -j $(JOBS) --target consistency_bench
	@python3 bench/smc/consistency.py build/test/tests/consistency_bench build/bench/consistency
	@cmake --build --preset test -j $(JOBS) --target streett_bench
	@python3 bench/fairness/run.py build/test/tests/streett_bench build/bench/fairness --quick

# Builds the explorer page anew, which weir carries; needs npm and a network for its packages.
web:
	@scripts/setup.sh test
	@scripts/web.sh build/web
	@cp build/web/dist/explorer.html web/dist/explorer.html

# The pictures of the explorer page in docs/images.
pictures: all web
	@WEIR=$(CURDIR)/build/release/weir WEIR_SOURCE=$(CURDIR) WEIR_WEB=$(CURDIR)/build/web WEIR_PICTURES=write \
	  node --test tests/web/pictures_test.mjs

# The picture of the rooms of src in docs/architecture.md, from their includes.
map:
	@python3 scripts/map.py docs/images/rooms.svg

# What docs/architecture.md says of adding an engine and a language, done in a copy (minutes; less with ccache).
how-to-add:
	@scripts/setup.sh build
	@python3 tests/how_to_add_test.py . build/how-to-add --jobs $(JOBS)

# PREFIX=… is where it goes, DESTDIR=… a folder before that, for packagers.
install: build/release/build.ninja
	@cmake --build --preset release --target weir weir_library -j $(JOBS)
	@umask 022 && cmake --install build/release --prefix $(abspath $(PREFIX))

# build/release/package/weir_VERSION_ARCHITECTURE.deb (docs/packaging.md).
package: build/release/build.ninja
	@scripts/setup.sh package
	@rm -f build/release/package/*.deb
	@umask 022 && cmake --build --preset release --target package -j $(JOBS)

# Installs the package on a new, minimal Debian 12 in a folder, uses and removes it; needs root and a Debian mirror.
package-test: package
	@tests/package/package_test.sh build/release/package/*.deb

format:
	@find src tests bench -name '*.cpp' -o -name '*.hpp' | xargs clang-format -i

# Style and mistakes that the compiler does not see; needs clang-tidy.
tidy: build/test/build.ninja
	@find src -name '*.cpp' | xargs clang-tidy -p build/test --quiet --extra-arg=-Wno-unknown-warning-option

clean:
	@rm -rf build
