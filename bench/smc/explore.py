#!/usr/bin/env python3
"""Executions per second of `weir explore` on two threads that add up Fibonacci numbers, start-up included.

    bench/smc/explore.py BUILD_FOLDER

Prints the rate and the peak memory with one search, and how much faster two searches at the same time are, for two
equivalences. The counts must be the same.
"""
import json
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUNS = 3
RATE_TARGETS = {"mazurkiewicz": 250_000, "rf": 100_000}  # per second, on fib 5 under tso
SPEEDUP_TARGET = 1.8
PROGRAMS = (("fib_4.c", "tso"), ("fib_5.c", "sc"), ("fib_5.c", "tso"), ("fib_5.c", "pso"))


def explored(weir, program, model, equivalence, jobs):
    """The best of several runs: seconds, count, megabytes."""
    best = None
    for _ in range(RUNS):
        start = time.monotonic()
        run = subprocess.run([weir, "explore", ROOT / "tests/programs/smc" / program, "--model", model,
                              "--equivalence", equivalence, "--jobs", str(jobs), "--json", "-q"],
                             capture_output=True, text=True, check=True)
        seconds = time.monotonic() - start
        answer = json.loads(run.stdout)
        if best is None or seconds < best[0]:
            best = (seconds, answer["traces"], answer["stats"]["peak_mb"])
    return best


def main(build):
    weir = pathlib.Path(build).resolve() / "weir"
    print(f"{'program':10} {'model':5} {'equivalence':12} {'executions':>11} {'seconds':>8} {'per second':>11} {'MB':>5} "
          f"{'two jobs':>9}")
    for program, model in PROGRAMS:
        for equivalence in RATE_TARGETS:
            seconds, count, memory = explored(weir, program, model, equivalence, 1)
            both, same, _ = explored(weir, program, model, equivalence, 2)
            if count != same:
                sys.exit(f"{program} under {model}: {count} executions with one job, {same} with two")
            print(f"{program:10} {model:5} {equivalence:12} {count:11,} {seconds:8.2f} {count / seconds:11,.0f} "
                  f"{memory:5.0f} {seconds / both:8.2f}x")
    targets = ", ".join(f"{rate:,} per second in {equivalence}" for equivalence, rate in RATE_TARGETS.items())
    print(f"targets on fib_5.c under tso: {targets}; {SPEEDUP_TARGET}x with two jobs "
          f"(this machine has {os.cpu_count()} cores)")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "build/release")
