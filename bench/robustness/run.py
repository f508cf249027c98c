#!/usr/bin/env python3
"""What weir says about the programs of this folder, compared with what their comments promise.

    run.py WEIR [--jobs N] [--no-fences] [FILE.trn ...]

The first comment of a program promises what reachability gives under each memory model; only programs with `final`
marks are asked, as the others have no goal. The second comment promises robustness:

    # robust: no, fences: 2, triangular: yes

One row per program: threads, labels, instructions, attacks (all, pruned, infeasible, feasible), the least number of
fences, triangular races, seconds for robustness. A broken promise is shown and makes the exit code 1.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import time

COLUMNS = "{:18} {:>2} {:>3} {:>3} {:>8} {:>7} {:>4} {:>4} {:>3} {:>5} {:>8}"
FOLDER = pathlib.Path(__file__).resolve().parent


def promises(text):
    reachability, robustness = text.splitlines()[:2]
    verdicts = dict(re.findall(r"(sc|tso|pso) (safe|unsafe)", reachability)) if "\nfinal " in text else {}
    robust = re.search(r"robust: (yes|no)", robustness)
    fences = re.search(r"fences: (\d+)", robustness)
    triangular = re.search(r"triangular: (yes|no)", robustness)
    return {**{("check", model): verdict for model, verdict in verdicts.items()},
            ("robust",): robust and {"yes": "robust", "no": "not-robust"}[robust[1]],
            ("triangular",): triangular and {"yes": "not-robust", "no": "robust"}[triangular[1]],
            ("fences",): int(fences[1]) if fences else 0 if robust and robust[1] == "yes" else None}


def shape(text):
    states = set()
    for number, thread in enumerate(text.split("\nthread ")[1:]):
        for source, target in re.findall(r"^transition (\S+) (\S+)", thread, re.M):
            states |= {(number, source), (number, target)}
    return text.count("\nthread "), len(states), text.count("\ntransition ")


def weir(binary, *arguments):
    run = subprocess.run([binary, *map(str, arguments), "--json", "-q"], capture_output=True, text=True, check=False)
    try:
        return json.loads(run.stdout)
    except json.JSONDecodeError:
        return {"verdict": f"exit code {run.returncode}: {run.stderr.strip()}"}


def measure(binary, path, promised, arguments):
    jobs = ["--jobs", arguments.jobs] if arguments.jobs else []
    seen = {key: weir(binary, "check", "--model", key[1], path)["verdict"] for key in promised if key[0] == "check"}
    start = time.monotonic()
    answer = weir(binary, "robust", "--all", path, *jobs)
    seconds = time.monotonic() - start
    seen["robust",] = answer["verdict"]
    seen["triangular",] = weir(binary, "robust", "--triangular", path, *jobs)["verdict"]
    if not arguments.no_fences:
        fenced = weir(binary, "fence", path, *jobs)
        seen["fences",] = len(fenced["fences"]) if "fences" in fenced else fenced["verdict"]
    return seen, answer.get("queries", {}), seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weir")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--no-fences", action="store_true")
    arguments = parser.parse_intermixed_args()

    broken = 0
    print(COLUMNS.format("program", "T", "L", "I", "attacks", "pruned", "no", "yes", "F", "racy", "s"))
    for path in arguments.files or sorted(FOLDER.glob("*.trn")):
        text = path.read_text()
        promised = promises(text)
        seen, queries, seconds = measure(arguments.weir, path, promised, arguments)
        racy = {"not-robust": "yes", "robust": "no"}.get(seen["triangular",], "?")
        counts = [queries.get(key, "-") for key in ("total", "pruned", "infeasible", "feasible")]
        print(COLUMNS.format(path.stem, *shape(text), *counts, seen.get(("fences",), "-"), racy, f"{seconds:.3f}"))
        for key, verdict in seen.items():
            if promised.get(key) is not None and promised[key] != verdict:
                broken += 1
                print(f"    {' '.join(key)}: promised {promised[key]}, seen {verdict}")
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
