#!/usr/bin/env python3
"""How the time for one execution grows with the number of threads: seconds per execution and a fitted exponent.

    bench/smc/growth.py BUILD_FOLDER [--runs 3] [--only NAME]

Each row of a program is a size: the executions, CPU seconds without the start-up (that of one reader), and microseconds for
one execution. The exponent e is the one for which N**e fits these best. docs/performance.md shows what came out.
"""
import argparse
import math
import sys

from peers import explored

PROGRAMS = {
    "readers": range(14, 19, 2),
    "last_zero": range(11, 16, 2),
    "fib": range(4, 6),
    "indexer": range(13, 16),
}
LEAST = 0.04  # CPU seconds; less tells nothing


def measured(arguments, program, size):
    """Executions and the least CPU seconds of several runs."""
    runs = [explored(arguments, program, size, "sc", "mazurkiewicz") for _ in range(arguments.runs)]
    return runs[0][0]["traces"] + runs[0][0]["blocked"], min(seconds for _, seconds in runs)


def slope(points):
    """Of the line through the points that fits best."""
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    return (sum((x - mean_x) * (y - mean_y) for x, y in points)
            / sum((x - mean_x) ** 2 for x, _ in points))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build", nargs="?", default="build/release")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    arguments.jobs, arguments.timeout = 1, 300
    _, start_up = measured(arguments, "readers", 1)
    print(f"start-up: {start_up:.3f} s\n{'program':10} {'N':>3} {'executions':>11} {'seconds':>8} {'us each':>9}")
    for program, sizes in PROGRAMS.items():
        if arguments.only not in program:
            continue
        points = []
        for size in sizes:
            executions, seconds = measured(arguments, program, size)
            each = max(seconds - start_up, 1e-4) / executions
            if seconds - start_up >= LEAST:
                points.append((math.log(size), math.log(each)))
            print(f"{program:10} {size:3} {executions:11,} {seconds - start_up:8.2f} {each * 1e6:9.2f}", flush=True)
        print(f"{program:10} exponent {slope(points):.1f}" if len(points) > 1 else f"{program:10} too quick to be told")
    return 0


if __name__ == "__main__":
    sys.exit(main())
