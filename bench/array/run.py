#!/usr/bin/env python3
"""The table of "Parameterized Model Checking on the TSO Weak Memory Model", and the systems of examples/array.

    run.py [path/to/weir] [--all]

Prints for every system the answer, whether it is the expected one (the first line of each file), the regions visited and
the best of three times, beside the time of Cubicle-W on the paper's own version of the row. Ends with 1 if an answer is
wrong; a system without an answer is counted, not wrong. --all adds the ordinary systems.
"""
import json
import pathlib
import re
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
# Seconds of the public tool on this kind of machine, for its authors' version of the row.
PUBLIC = {
    "naive_mutex": 0.02,
    "spinlock": 0.05,
    "sense_barrier": 0.05,
    "arbiter_mailbox": 0.15,
    "lamport": 1.2,
    "arbiter_flags": 12.2,
    "two_phase_commit": 57.0,
}


def expected(path):
    found = re.match(r"\(\*\s*expect:\s*(\w+)", path.read_text())
    return found.group(1) if found else "?"


def measure(weir, path):
    best, answer = None, None
    for _ in range(3):
        start = time.perf_counter()
        run = subprocess.run([weir, "check", str(path), "--json", "--timeout", "60", "-q"], capture_output=True, text=True)
        seconds = time.perf_counter() - start
        answer = json.loads(run.stdout)
        best = seconds if best is None else min(best, seconds)
        if seconds > 5:
            break
    return best, answer


def main():
    arguments = [a for a in sys.argv[1:] if not a.startswith("--")]
    weir = arguments[0] if arguments else str(HERE.parents[1] / "build/release/weir")
    folders = [HERE] + ([HERE.parents[1] / "examples/array"] if "--all" in sys.argv else [])
    wrong = unknown = 0
    print(f"{'system':34} {'answer':8} {'expected':9} {'regions':>8} {'seconds':>8} {'Cubicle-W':>9} {'ratio':>7}")
    for folder in folders:
        for path in sorted(folder.glob("*.cub")):
            seconds, answer = measure(weir, path)
            verdict = answer["verdict"]
            public = PUBLIC.get(path.stem) if folder == HERE else None
            mark = ""
            if verdict == "unknown":
                unknown += 1
                mark = "  (no answer)"
            elif verdict != expected(path):
                wrong += 1
                mark = "  WRONG"
            ratio = f"{public / seconds:7.0f}" if public else " " * 7
            print(f"{path.stem:34} {verdict:8} {expected(path):9} {answer['stats'].get('regions', 0):8} {seconds:8.3f} "
                  f"{public if public else '':>9} {ratio}{mark}")
    print(f"{wrong} wrong, {unknown} without an answer")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
