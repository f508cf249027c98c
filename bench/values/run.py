#!/usr/bin/env python3
"""How many executions the equivalences of `weir explore` tell apart on the programs of this folder, and in what time.

    run.py WEIR [--quick] [--only NAME] [--model sc|tso|pso] [--timeout SECONDS] [--json FILE] [--plot FILE.svg]

One row per program and size, in the manner of Tables 3.1 to 3.4 and 4.1 of [Toman21]: executions and seconds per
equivalence, and whether there is a violation. A dash is a run that took too long, `n/a` an equivalence that is not
defined for this model, `?` another answer without a count, `error` a run that failed; the last two are
explained below the table. Every run has one search at a time.

A coarser equivalence must not have more executions than a finer one, and all must agree on whether there is a
violation. What breaks this is listed at the end, and makes the exit code 1, as do failed runs. `--plot` draws
executions of fib modulo m over the number of rounds, the shape of Figure 3.7.
"""
import argparse
import json
import pathlib
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent))
sys.dont_write_bytecode = True  # leave no cache next to the sources
from plot import MARGIN, IntegerAxis, LogAxis, Plot

EQUIVALENCES = ("mazurkiewicz", "observers", "dc", "vc", "rf", "rvf")
ONLY_SC = ("dc", "vc")
COARSER = [("rvf", "rf"), ("rf", "dc"), ("dc", "mazurkiewicz"), ("vc", "mazurkiewicz"), ("observers", "mazurkiewicz")]

# Name, file, the two sizes (N), and the other macros. The number in the names of table-filling programs and of burns3
# counts threads, as in [Toman21]; in `bin_nocon_td4` three fill the table and one reads.
PROGRAMS = [
    *((f"fib_{m}", "fib", (3, 4), {"M": m}) for m in (1, 2, 3)),
    ("fib", "fib", (3, 4), {}),
    ("peterson", "peterson", (2, 3), {}),
    ("dekker", "dekker", (2, 3), {}),
    ("lamport", "lamport", (2, 3), {}),
    ("bakery", "bakery", (1, 2), {}),
    ("burns", "burns", (2, 3), {}),
    ("burns3", "burns", (1,), {"THREADS": 3}),
    ("szymanski", "szymanski", (1, 2), {}),
    ("tsay", "tsay", (1, 2), {}),
    ("peterson_fischer", "peterson_fischer", (1, 2), {}),
    ("kessels", "kessels", (2, 3), {}),
    ("dijkstra", "dijkstra", (2, 3), {}),
    ("rod_cut_td3", "rod_cut_td", (4, 5), {"WORKERS": 2}),
    ("rod_cut_td4", "rod_cut_td", (2, 3), {"WORKERS": 3}),
    ("rod_cut_bu3", "rod_cut_bu", (4, 6), {"WORKERS": 2}),
    ("rod_cut_bu4", "rod_cut_bu", (2,), {"WORKERS": 3}),
    ("lis_bu3", "lis_bu", (3, 4), {"WORKERS": 2}),
    ("lis_bu4", "lis_bu", (2,), {"WORKERS": 3}),
    ("coin_all_td3", "coin_all_td", (3, 4), {"WORKERS": 2}),
    ("coin_all_td4", "coin_all_td", (2,), {"WORKERS": 3}),
    ("coin_min_td3", "coin_min_td", (4, 6), {"WORKERS": 2}),
    ("coin_min_td4", "coin_min_td", (2, 3), {"WORKERS": 3}),
    ("bin_nocon_td3", "bin_nocon_td", (3, 4), {"WORKERS": 2}),
    ("bin_nocon_td4", "bin_nocon_td", (2,), {"WORKERS": 3}),
    ("bin_nocon_bu3", "bin_nocon_bu", (2, 3), {"WORKERS": 2}),
    ("eratosthenes", "eratosthenes", (12, 16), {}),
    ("redundant_co", "redundant_co", (3, 6), {}),
    ("float_read", "float_read", (5, 7), {}),
    ("opt_lock", "opt_lock", (1, 2), {}),
    ("reorder", "reorder", (3, 4), {}),
    ("singleton", "singleton", (5, 8), {}),
    ("monabsex", "monabsex", (4, 5), {}),
    ("fkp2013", "fkp2013", (4, 5), {}),
    ("sigma", "sigma", (5, 7), {}),
    ("stack", "stack", (5, 8), {}),
    ("ticket_lock", "ticket_lock", (4, 5), {}),
    ("unverif", "unverif", (4, 5), {}),
    ("casrot", "casrot", (5, 6), {}),
    ("readers", "readers", (5, 8), {}),
    ("last_zero", "last_zero", (6, 10), {}),
    ("boop", "boop", (2, 3), {}),
]

PLOT_EQUIVALENCES = {"rf": "#888", "vc": "#1f5fbf", "rvf": "#2a9a3a"}
PLOT_MODULI = {None: "", 3: 'stroke-dasharray="8 3"', 2: 'stroke-dasharray="4 3"', 1: 'stroke-dasharray="1 3"'}
PLOT_ROUNDS = range(1, 7)
PLOT_ROUNDS_QUICK = range(1, 5)


def explore(arguments, file, macros, equivalence):
    """What weir answers, as an outcome (`done`, `late`, `n/a`, `?` or `error`) with counts or a message."""
    if equivalence in ONLY_SC and arguments.model != "sc":
        return {"outcome": "n/a", "message": "defined under sc only"}
    command = [arguments.weir, "explore", FOLDER / f"{file}.c", "--model", arguments.model, "--equivalence",
               equivalence, "--jobs", "1", "--timeout", str(arguments.timeout), "--json", "-q", "--",
               *(f"-D{name}={value}" for name, value in macros.items())]
    try:
        run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=arguments.timeout + 30)
    except subprocess.TimeoutExpired:
        return {"outcome": "error", "message": f"did not end within {arguments.timeout + 30} seconds"}
    try:
        answer = json.loads(run.stdout)
        result = {"executions": answer["traces"], "blocked": answer["blocked"], "violating": answer["violating"],
                  "seconds": answer["stats"]["seconds"], "message": answer["reason"]}
    except (json.JSONDecodeError, KeyError):
        return {"outcome": "error", "message": f"exit code {run.returncode}: {run.stderr.strip()}"}
    if answer["verdict"] == "done":
        return {"outcome": "done", **result}
    return {"outcome": "late" if "time limit" in answer["reason"] else "?", **result}


def violated(result):
    """Whether a run says that there is a violation; None if it does not say."""
    if result.get("violating", 0) > 0:
        return True
    return False if result["outcome"] == "done" else None


def verdict(results):
    said = {violated(result) for result in results.values()} - {None}
    if not said:
        return "unknown"
    return "differ" if len(said) == 2 else "violation" if True in said else "none"


def broken_promises(results):
    def count(equivalence):
        result = results.get(equivalence, {"outcome": "n/a"})
        return result["executions"] if result["outcome"] == "done" else None

    for coarse, fine in COARSER:
        if None not in (count(coarse), count(fine)) and count(coarse) > count(fine):
            yield f"{coarse} has {count(coarse):,} executions, {fine} only {count(fine):,}"
    if verdict(results) == "differ":
        yield "not all find a violation: " + ", ".join(
            f"{equivalence} {'does' if violated(result) else 'does not'}"
            for equivalence, result in results.items() if violated(result) is not None)
    for equivalence, result in results.items():
        if result["outcome"] == "error":
            yield f"{equivalence} failed: {result['message']}"


def cells(result):
    if result["outcome"] == "done":
        return f"{result['executions']:>9,} {result['seconds']:>6.2f}"
    return f"{'-' if result['outcome'] == 'late' else result['outcome']:>9} {'':6}"


def chosen_programs(only):
    """`only` is a row's name, or that of a file for all its rows."""
    chosen = [program for program in PROGRAMS if only in (None, program[0], program[1])]
    if not chosen:
        sys.exit(f"there is no program {only}")
    return chosen


def table(arguments):
    """Prints the table; the rows, and what is broken."""
    rows, broken, remarks = [], [], []
    programs = chosen_programs(arguments.only)
    print(f"{'under ' + arguments.model:20} " + " ".join(f"{name:>16}" for name in EQUIVALENCES) + "  violation")
    for name, file, sizes, macros in programs:
        for size in sizes[:1] if arguments.quick else sizes:
            title = f"{name}({size})"
            print(f"{title:20}", end="", flush=True)
            results = {}
            for equivalence in EQUIVALENCES:
                results[equivalence] = explore(arguments, file, {"N": size, **macros}, equivalence)
                print(f" {cells(results[equivalence])}", end="", flush=True)
            print(f"  {verdict(results)}")
            rows.append({"program": name, "size": size, "macros": macros, "results": results})
            broken += [f"{title}: {promise}" for promise in broken_promises(results)]
            remarks += [f"{title}, {equivalence}: {result['message']}" for equivalence, result in results.items()
                        if result["outcome"] == "?"]
    for remark in remarks:
        print(f"? {remark}")
    return rows, broken


def curve(arguments, equivalence, modulus):
    """Executions of fib by rounds, up to the first run without a count."""
    counts = {}
    for rounds in PLOT_ROUNDS_QUICK if arguments.quick else PLOT_ROUNDS:
        result = explore(arguments, "fib", {"N": rounds, **({"M": modulus} if modulus else {})}, equivalence)
        if result["outcome"] != "done":
            break
        counts[rounds] = result["executions"]
    return counts


def draw(arguments):
    curves = {}
    for equivalence in PLOT_EQUIVALENCES:
        for modulus in PLOT_MODULI:
            if equivalence == "rf" and modulus:
                continue  # rf does not look at values: the same for all moduli
            counts = curve(arguments, equivalence, modulus)
            if counts:
                curves[equivalence, modulus] = counts
    if not curves:
        print("nothing to plot")
        return
    plot = Plot(f"fib modulo m, {arguments.model}", "rounds (N)", IntegerAxis([n for c in curves.values() for n in c]),
                "executions", LogAxis([n for c in curves.values() for n in c.values()]))
    for line, ((equivalence, modulus), counts) in enumerate(curves.items()):
        color = PLOT_EQUIVALENCES[equivalence]
        style = f'stroke="{color}" {PLOT_MODULI[modulus]}'
        plot.line([plot.at(rounds, count) for rounds, count in counts.items()], style)
        for rounds, count in counts.items():
            plot.circle(plot.at(rounds, count), f'fill="{color}"')
        y = MARGIN + 14 + 14 * line
        plot.line([(MARGIN + 8, y), (MARGIN + 36, y)], style)
        plot.text((MARGIN + 42, y + 4), equivalence if equivalence == "rf" else
                  f"{equivalence}, {f'm = {modulus}' if modulus else 'no modulo'}")
    plot.write(arguments.plot)
    print(f"the plot is in {arguments.plot}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weir")
    parser.add_argument("--quick", action="store_true", help="only the first size of each program")
    parser.add_argument("--only", metavar="NAME", help="only this program")
    parser.add_argument("--model", choices=("sc", "tso", "pso"), default="sc")
    parser.add_argument("--timeout", type=int, default=60, metavar="SECONDS", help="per run; 60 if not given")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write all results to FILE")
    parser.add_argument("--plot", type=pathlib.Path, metavar="FILE.svg", help="draw executions of fib modulo m")
    arguments = parser.parse_args()
    rows, broken = table(arguments)
    if arguments.json:
        report = {"model": arguments.model, "rows": rows, "broken": broken}
        arguments.json.write_text(json.dumps(report, indent=1) + "\n")
    if arguments.plot:
        draw(arguments)
    for promise in broken:
        print(f"broken: {promise}")
    if not broken:
        print("the equivalences that ran agree, and none has more executions than a finer one")
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
