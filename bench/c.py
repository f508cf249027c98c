#!/usr/bin/env python3
"""C programs: how fast threads execute what is not in their tables yet, and how long loading takes.

    bench/c.py BUILD_FOLDER

Prints instructions per second of processor time on loops of different kinds, and the time to load and lower a file of
5,000 lines beyond what clang alone takes for it. One instruction is one assignment, branch or access of the program as
Weir sees it; an assignment computes a whole expression.
"""
import json
import pathlib
import resource
import subprocess
import sys
import tempfile

RUNS = 3
RATE_TARGET = 50e6  # per second
LOADING_TARGET = 2.0  # seconds
LINES = 5000

LOOPS = {
    "arithmetic": """
int main(void) {
  unsigned x = 1, sum = 0;
  for (unsigned i = 0; i < 10000000; i++) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    sum += x & 7;
  }
  return sum == 0;
}
""",
    "arrays": """
static int primes_below(int n) {
  char composite[20000];
  int count = 0;
  for (int i = 0; i < n; i++) composite[i] = 0;
  for (int i = 2; i < n; i++) {
    if (composite[i]) continue;
    count++;
    for (int j = 2 * i; j < n; j += i) composite[j] = 1;
  }
  return count;
}
int main(void) {
  int total = 0;
  for (int k = 0; k < 150; k++) total += primes_below(20000);
  return total == 0;
}
""",
    "branches": """
int main(void) {
  int longest = 0;
  for (int start = 1; start < 60000; start++) {
    long n = start;
    int steps = 0;
    while (n != 1) {
      n = n % 2 ? 3 * n + 1 : n / 2;
      steps++;
    }
    if (steps > longest) longest = steps;
  }
  return longest == 0;
}
""",
}


def seconds_of(*command):
    """Processor time of the command and its children, and what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if run.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: {run.stdout}{run.stderr}")
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, run.stdout


def execution(weir, folder):
    print(f"{'loop':12} {'instructions':>14} {'per second':>14} {'target':>12}")
    for name, text in LOOPS.items():
        path = folder / f"{name}.c"
        path.write_text(text)
        rates = []
        for _ in range(RUNS):
            loading, _ = seconds_of(weir, "convert", path, "--to", "weir")
            total, output = seconds_of(weir, "check", path, "--local-steps", "1000000000", "--json", "-q")
            instructions = json.loads(output)["stats"]["instructions"]
            rates.append(instructions / (total - loading))
        print(f"{name:12} {instructions:14,} {max(rates):14,.0f} {RATE_TARGET:12,.0f}")


def long_file():
    """About LINES lines of functions that main calls from two threads."""
    lines = ["#include <assert.h>", "#include <pthread.h>", "#include <stdatomic.h>", "atomic_int cells[64];",
             "struct Pair { int a; long b; };"]
    count = 0
    while len(lines) < LINES - 260:
        lines += [f"static int work_{count}(int x) {{", "  struct Pair pair = {x, x + 1};", "  int sum = 0;",
                  "  for (int i = 0; i < 3; i++) {", "    pair.b += pair.a * i;",
                  f"    if (pair.b > {count}) sum += (int)pair.b;", f"    else sum ^= x + {count};", "  }",
                  f"  switch (sum & 3) {{ case 0: sum += 3; break; case 1: sum -= {count}; break; default: sum++; }}",
                  f"  atomic_store_explicit(&cells[{count % 64}], sum, memory_order_relaxed);", "  return sum;", "}"]
        count += 1
    half = count // 2
    for name, numbers in (("first", range(half)), ("second", range(half, count))):
        lines += [f"static void* {name}(void* argument) {{"]
        numbers = list(numbers)
        for i in range(0, len(numbers), 4):
            lines.append("  " + " ".join(f"work_{n}({n});" for n in numbers[i:i + 4]))
        lines += ["  return argument;", "}"]
    lines += ["int main(void) {", "  pthread_t a, b;", "  pthread_create(&a, 0, first, 0);",
              "  pthread_create(&b, 0, second, 0);", "  pthread_join(a, 0);", "  pthread_join(b, 0);",
              "  return 0;", "}"]
    lines += ["// the end"] * (LINES - len(lines))
    return "\n".join(lines) + "\n"


def loading(weir, folder):
    path = folder / "long.c"
    path.write_text(long_file())
    compiler, whole = [], []
    for _ in range(RUNS):
        compiler.append(seconds_of("clang-19", "-g", "-O0", "-emit-llvm", "-c", path, "-o", folder / "long.bc")[0])
        whole.append(seconds_of(weir, "convert", path, "--to", "weir", "-o", folder / "long.weir")[0])
    print(f"\n{LINES} lines: clang {min(compiler):.2f} s, loading, lowering and printing {min(whole) - min(compiler):.2f} s "
          f"more (target: {LOADING_TARGET} s)")


def main(build):
    weir = pathlib.Path(build).resolve() / "weir"
    with tempfile.TemporaryDirectory() as folder:
        execution(weir, pathlib.Path(folder))
        loading(weir, pathlib.Path(folder))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "build/release")
