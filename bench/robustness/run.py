#!/usr/bin/env python3
"""What weir says about the programs of this folder, compared with what their comments promise.

    run.py WEIR [--jobs N] [--no-fences] [FILE.trn ...]

The first comment of a program promises what reachability gives under each memory model; only programs with `final`
marks are asked, as the others have no goal. The second comment promises robustness:

    # robust: no, fences: 2, triangular: yes

One row per program, as in Table 2 of [Bouajjani13]: threads, labels, instructions, attacks (all, pruned, infeasible,
feasible), the least number of fences for robustness (F) and against triangular races (TF), the paper's number, seconds
of CPU for `robust --all` and for `fence`, and how many times less the latter is than what Trencher needs on a comparable
machine, where that is known. A second table compares lazy reachability with the explicit engine under TSO, in seconds
and states. A broken promise is shown and makes the exit code 1.
"""
import argparse
import json
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

COLUMNS = "{:<16} {:>2} {:>3} {:>3} {:>7} {:>6} {:>3} {:>3} {:>3} {:>3} {:>5} {:>7} {:>7} {:>6}"
LAZY = "{:<20} {:>7} {:>8} {:>7} {:>6} {:>10} {:>7} {:>6}"
FOLDER = pathlib.Path(__file__).resolve().parent
PAPER = {"peterson": 2, "dekker": 4, "lamport": 6, "cilk": 3, "nbw2": 1, "parker": 1, "peterson_robust": 0,
         "dekker_robust": 0, "lamport_robust": 0, "clh": 0, "mcs": 0, "stack": 0, "nbw3": 0, "nbw4": 0, "nbwl": 0,
         "parker_robust": 0}
TRENCHER = {"cilk": 4.2, "lamport": 0.26, "dekker": 0.04}  # seconds of CPU for all fences
FAMILIES = [("dekker_branching", range(10, 51, 10)), ("dekker_unwinding", range(5, 21, 5)), ("lamport", (2, 3))]


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


def cpu_seconds(call):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = call()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return result, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def fence_count(answer):
    return len(answer["fences"]) if "fences" in answer else answer["verdict"]


def measure(binary, path, promised, arguments):
    jobs = ["--jobs", arguments.jobs] if arguments.jobs else []
    seen = {key: weir(binary, "check", "--model", key[1], path)["verdict"] for key in promised if key[0] == "check"}
    answer, robust_seconds = cpu_seconds(lambda: weir(binary, "robust", "--all", path, *jobs))
    seen["robust",] = answer["verdict"]
    seen["triangular",] = weir(binary, "robust", "--triangular", path, *jobs)["verdict"]
    row = {"queries": answer.get("queries", {}), "robust": robust_seconds}
    if not arguments.no_fences:
        fenced, row["fence"] = cpu_seconds(lambda: weir(binary, "fence", path, *jobs))
        seen["fences",] = fence_count(fenced)
        row["triangular"] = fence_count(weir(binary, "fence", "--triangular", path, *jobs))
    return seen, row


def print_row(path, text, seen, row):
    counts = [row["queries"].get(key, "-") for key in ("total", "pruned", "infeasible", "feasible")]
    fence = row.get("fence")
    known = TRENCHER.get(path.stem)
    print(COLUMNS.format(path.stem, *shape(text), *counts, seen.get(("fences",), "-"), row.get("triangular", "-"),
                         PAPER.get(path.stem, "-"), f"{row['robust']:.3f}", f"{fence:.3f}" if fence is not None else "-",
                         f"{known / max(fence, 1e-3):.0f}x" if known and fence is not None else ""))


def robustness_table(arguments):
    broken = 0
    print(COLUMNS.format("program", "T", "L", "I", "attacks", "pruned", "no", "yes", "F", "TF", "paper", "robust",
                         "fence", "faster"))
    for path in arguments.files or sorted(FOLDER.glob("*.trn")):
        text = path.read_text()
        promised = promises(text)
        seen, row = measure(arguments.weir, path, promised, arguments)
        print_row(path, text, seen, row)
        for key, verdict in seen.items():
            if promised.get(key) is not None and promised[key] != verdict:
                broken += 1
                print(f"    {' '.join(key)}: promised {promised[key]}, seen {verdict}")
    return broken


def lazy_inputs(folder):
    for path in sorted(FOLDER.glob("reach_*.trn")):
        yield path.stem, path
    for family, sizes in FAMILIES:
        for size in sizes:
            path = pathlib.Path(folder) / f"{family}{size}.trn"
            text = subprocess.run([sys.executable, FOLDER / "families.py", family, str(size)], capture_output=True,
                                  text=True, check=True).stdout
            path.write_text(text)
            yield f"{family} {size}", path


def lazy_table(arguments):
    broken = 0
    print("\n" + LAZY.format("under tso", "verdict", "lazy s", "states", "rounds", "explicit s", "states", "ratio"))
    with tempfile.TemporaryDirectory() as folder:
        for name, path in lazy_inputs(folder):
            lazy, plain = (weir(arguments.weir, "check", "--model", "tso", "--engine", engine, path)
                           for engine in ("lazy", "explicit"))
            seconds = lazy["stats"]["seconds"], plain["stats"]["seconds"]
            print(LAZY.format(name, lazy["verdict"], f"{seconds[0]:.4f}", lazy["stats"]["states"],
                              lazy["stats"]["rounds"], f"{seconds[1]:.4f}", plain["stats"]["states"],
                              f"{seconds[1] / seconds[0]:.1f}"))
            if lazy["verdict"] != plain["verdict"]:
                broken += 1
                print(f"    the explicit engine says {plain['verdict']}")
    return broken


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weir")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--no-fences", action="store_true")
    arguments = parser.parse_intermixed_args()
    broken = robustness_table(arguments)
    if not arguments.files:
        broken += lazy_table(arguments)
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
