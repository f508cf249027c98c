#!/usr/bin/env python3
"""The programs on which stateless checkers are compared: how many executions, at what rate, at what cost.

    bench/smc/peers.py BUILD_FOLDER [--only NAME] [--quick] [--jobs N] [--timeout SECONDS]

Each row is a program of bench/smc/programs with a size, a model and an equivalence. The numbers of executions are asserted: they
are known from formulas, from the literature, or from two equivalences and the state space. Printed are CPU seconds
(start-up included), executions per second, graphs built per execution, peak memory and, where there is one, the time of
the best public checker for the same program and count on a machine of this kind, and how many times faster Weir is.
`--quick` takes smaller sizes, for a look at the counts.
"""
import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys

PROGRAMS = pathlib.Path(__file__).resolve().parent / "programs"

# Name, file, N, model and equivalence, executions, of which blocked, public seconds; then N and executions of the quick run.
# No public time where that checker counts something else: rounds of a loop that fail are executions here (docs/engines.md).
ROWS = [
    ("file system 18", "file_system", 18, "sc mazurkiewicz", 32, 0, 0.16, 14, 2),
    ("file system 20", "file_system", 20, "sc mazurkiewicz", 128, 0, 0.31, 16, 8),
    ("indexer 12", "indexer", 12, "sc mazurkiewicz", 8, 0, 0.11, 12, 8),
    ("indexer 13", "indexer", 13, "sc mazurkiewicz", 64, 0, 0.27, 12, 8),
    ("readers 14", "readers", 14, "sc mazurkiewicz", 16384, 0, 0.71, 8, 256),
    ("readers 16", "readers", 16, "sc mazurkiewicz", 65536, 0, 2.95, 8, 256),
    ("last zero 13", "last_zero", 13, "sc mazurkiewicz", 32768, 0, 1.5, 10, 3328),
    ("last zero 15", "last_zero", 15, "sc mazurkiewicz", 147456, 0, 10.2, 10, 3328),
    ("sigma 7", "sigma", 7, "sc mazurkiewicz", 135135, 0, 2.5, 5, 945),
    ("floating read 8", "floating_read", 8, "sc mazurkiewicz", 362880, 0, 4.9, 6, 5040),
    ("last write 9", "last_write", 9, "sc mazurkiewicz", 362880, 0, 5.6, 6, 720),
    ("circular buffer 8", "circular_buffer", 8, "sc mazurkiewicz", 12870, 0, 8.3, 5, 252),
    ("two writes 5", "two_writes", 5, "sc mazurkiewicz", 113400, 0, 1.37, 4, 2520),
    ("fetch and add 9", "fetch_and_add", 9, "sc mazurkiewicz", 362880, 0, 12.0, 6, 720),
    ("fib 5", "fib", 5, "sc mazurkiewicz", 218243, 0, 4.1, 4, 19605),
    ("race-parametric 6", "race_parametric", 6, "sc mazurkiewicz", 372436, 0, 24.0, 3, 328),
    ("Lamport 3", "lamport", 3, "sc mazurkiewicz", 22380, 8806, None, 2, 678),
    ("Treiber stack 3", "treiber_stack", 3, "sc mazurkiewicz", 18192, 0, None, 2, 36),
    ("casrot 12", "casrot", 12, "sc mazurkiewicz", 919146, 0, 6.4, 8, 2048),
    ("control flow 7", "control_flow", 7, "sc mazurkiewicz", 408240, 0, None, 4, 864),
    ("Linux rw lock 2", "linux_rw_lock", 2, "sc mazurkiewicz", 222, 0, None, 2, 222),
    ("floating read 30, rf", "floating_read", 30, "sc rf", 31, 0, 0.07, 6, 7),
    ("circular buffer 6, rf", "circular_buffer", 6, "sc rf", 924, 0, 0.26, 5, 252),
    ("control flow 10, rf", "control_flow", 10, "sc rf", 144, 0, None, 4, 36),
    ("last zero 12, rf, tso", "last_zero", 12, "tso rf", 15360, 0, 0.79, 10, 3328),
    ("fib 5, tso", "fib", 5, "tso mazurkiewicz", 525630, 0, None, 4, 34205),
]


def explored(arguments, file, size, model, equivalence):
    """The answer as JSON, and the CPU seconds of the run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run([pathlib.Path(arguments.build) / "weir", "explore", PROGRAMS / f"{file}.c", "--json", "-q",
                          "--model", model, "--equivalence", equivalence, "--jobs", str(arguments.jobs),
                          "--timeout", str(arguments.timeout), "--", f"-DN={size}"],
                         capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if not run.stdout:
        sys.exit(f"{file} {size}: exit code {run.returncode}: {run.stderr}")
    return json.loads(run.stdout), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def row_text(name, answer, seconds, public):
    stats, executions = answer["stats"], answer["traces"] + answer["blocked"]
    text = (f"{name:22} {executions:11,} {seconds:8.2f} {executions / seconds:11,.0f} "
            f"{stats['graphs'] / max(1, executions):7.2f} {stats['peak_mb']:6.0f}")
    return text if public is None else f"{text} {public:8.2f} {public / seconds:7.1f}x"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build", nargs="?", default="build/release")
    parser.add_argument("--only", default="", help="rows with this in their name")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--timeout", type=int, default=120)
    arguments = parser.parse_args()
    print(f"{'program':22} {'executions':>11} {'seconds':>8} {'per second':>11} {'graphs':>7} {'MB':>6} {'public':>8} "
          f"{'faster':>8}")
    wrong = 0
    for name, file, size, question, count, blocked, public, small, small_count in ROWS:
        if arguments.only not in name:
            continue
        if arguments.quick:
            size, count, blocked, public = small, small_count, None, None
        answer, seconds = explored(arguments, file, size, *question.split())
        label = name if not arguments.quick else f"{file} {size}"
        print(row_text(label, answer, seconds, public), flush=True)
        found = answer["traces"] + answer["blocked"]
        if answer["verdict"] != "done" or found != count or blocked not in (None, answer["blocked"]):
            wrong += 1
            print(f"  WRONG: {count:,} executions are expected; {answer['verdict']}: {answer['reason']}")
    print(f"one search at a time on one of {os.cpu_count()} cores" if arguments.jobs == 1 else f"{arguments.jobs} jobs")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
