#!/usr/bin/env python3
"""Counts the executions of C programs that say themselves how many they have.

Usage: explore_test.py PATH_TO_WEIR FOLDER [--only TEXT]

A program says it in comments before its first line of code, once per memory model and equivalence:

  // explore tso mazurkiewicz 144
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "schema"))
import validation  # noqa: E402: found by the line above

MODELS = ("sc", "tso", "pso")
EQUIVALENCES = ("mazurkiewicz", "observers", "rf", "dc", "vc", "rvf")
SECONDS = 600


def expected_counts(path):
    """A list of (model, equivalence, count)."""
    counts = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("//"):
            break
        if not line.startswith("// explore"):
            continue
        match = re.fullmatch(r"// explore (\w+) (\w+) (\d+)", line)
        if not match or match[1] not in MODELS or match[2] not in EQUIVALENCES:
            raise ValueError(f"{path}: cannot read `{line}`")
        counts.append((match[1], match[2], int(match[3])))
    if not counts:
        raise ValueError(f"{path}: no `// explore` line")
    return counts


def problem_with(weir, path, model, equivalence, count):
    """What is wrong, or None."""
    command = [weir, "explore", str(path), "--model", model, "--equivalence", equivalence, "--json"]
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return f"no answer after {SECONDS} seconds"
    if run.returncode != 0:
        return f"exit code {run.returncode}: {(run.stderr or run.stdout).strip()}"
    try:
        answer = json.loads(run.stdout)
    except json.JSONDecodeError as error:
        return f"no JSON: {error}"
    if mistakes := validation.output_mistakes(command, run.returncode, run.stdout):
        return f"the answer does not fit its schema: {mistakes}"
    found, blocked = answer.get("traces"), answer.get("blocked")
    if found != count or blocked != 0:
        return f"{found} executions and {blocked} blocked ones instead of {count} and 0"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weir")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--only", default="", help="only programs with this in their name")
    arguments = parser.parse_args()
    checked = wrong = 0
    for path in sorted(arguments.folder.glob("*.c")):
        if arguments.only not in path.name:
            continue
        for model, equivalence, count in expected_counts(path):
            start = time.monotonic()
            problem = problem_with(arguments.weir, path, model, equivalence, count)
            seconds = time.monotonic() - start
            print(f"{path.name} {model} {equivalence}: {problem or count} ({seconds:.1f} s)", flush=True)
            checked += 1
            wrong += problem is not None
    print(f"{checked} counts, {wrong} wrong")
    return 1 if wrong or checked == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
