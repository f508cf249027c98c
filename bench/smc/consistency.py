#!/usr/bin/env python3
"""Consistency verification: the shape of Figures 5.9 to 5.14 of [Toman21].

    bench/smc/consistency.py BENCH_BINARY FOLDER [--quick]

BENCH_BINARY is the build's `consistency_bench`. Runs VerifyTSO, VerifyPSO and the naive algorithms, with and without closure, on
generated instances, realizable and not, also with read-modify-writes under TSO; writes one scatter plot per
comparison to FOLDER as SVG (logarithmic; the lines are identity and a factor of ten), and prints median and total ratios, and
the median time of each algorithm. Times are processor times. VerifyTSO and VerifyPSO are Weir's, which choose less than those
of the thesis (see src/engine/consistency/prefix.cpp), so ratios to the naive algorithms are not those of the thesis.
"""
import json
import pathlib
import statistics
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
sys.dont_write_bytecode = True  # leave no cache next to the sources
from plot import MARGIN, LogAxis, Plot

# What is compared: figure, name, the algorithm on the x axis and the one on the y axis.
COMPARISONS = [
    ("5.9", "with closure", "naive+closure", "verify+closure"),
    ("5.10", "without closure", "naive", "verify"),
    ("5.11", "effect of closure on verify", "verify", "verify+closure"),
    ("5.12", "effect of closure on naive", "naive", "naive+closure"),
]
ATOMIC_COMPARISONS = [
    ("5.13 left", "read-modify-writes, with closure", "naive+closure", "verify+closure"),
    ("5.13 right", "read-modify-writes, without closure", "naive", "verify"),
    ("5.14 left", "read-modify-writes, effect of closure on verify", "verify", "verify+closure"),
    ("5.14 right", "read-modify-writes, effect of closure on naive", "naive", "naive+closure"),
]
OURS = [("-", "late closure", "verify+closure", "verify+late closure")]


def run(binary, model, realizable, unrealizable, limit, atomics):
    arguments = [binary, model, str(realizable), str(unrealizable), str(limit)] + (["atomics"] if atomics else [])
    output = subprocess.run(arguments, capture_output=True, text=True, check=True).stdout
    instances = {}
    for line in output.splitlines():
        row = json.loads(line)
        entry = instances.setdefault(row["seed"], {"realizable": row["realizable"], "events": row["events"]})
        entry[row["variant"]] = row["seconds"]
    return list(instances.values())


def scatter(path, title, x_name, y_name, points):
    """points: (x, y, realizable) in seconds."""
    axis = LogAxis([v for x, y, _ in points for v in (x, y)])
    plot = Plot(title, f"{x_name}, seconds", axis, f"{y_name}, seconds", axis)
    least, most = 10.0 ** axis.low, 10.0 ** axis.high
    plot.line([plot.at(least, least), plot.at(most, most)], 'stroke="#c00"')
    plot.line([plot.at(least * 10, least), plot.at(most, most / 10)], 'stroke="#c00" stroke-opacity="0.35"')
    plot.line([plot.at(least, least * 10), plot.at(most / 10, most)], 'stroke="#c00" stroke-opacity="0.35"')
    for x, y, realizable in points:
        if realizable:
            plot.circle(plot.at(x, y), 'fill="#1f5fbf" fill-opacity="0.6"')
        else:
            plot.square(plot.at(x, y), 'fill="#2a9a3a" fill-opacity="0.6"')
    plot.circle((MARGIN + 12, MARGIN + 12), 'fill="#1f5fbf"')
    plot.text((MARGIN + 20, MARGIN + 16), "realizable")
    plot.square((MARGIN + 12, MARGIN + 28), 'fill="#2a9a3a"')
    plot.text((MARGIN + 20, MARGIN + 32), "not realizable")
    plot.write(path)


def compare(folder, model, instances, comparisons):
    for figure, name, x_name, y_name in comparisons:
        points = [(i[x_name], i[y_name], i["realizable"]) for i in instances]
        slug = f"{model}_{name}".replace(" ", "_").replace(",", "").replace("-", "_")
        scatter(folder / f"{slug}.svg", f"{model}: {name}", x_name, y_name, points)
        for realizable in (True, False):
            chosen = [(x, y) for x, y, r in points if r == realizable]
            if not chosen:
                continue
            median = statistics.median(x / y for x, y in chosen)
            total = sum(x for x, _ in chosen) / sum(y for _, y in chosen)
            print(f"{figure:10} {model:4} {x_name + ' / ' + y_name:38} {'realizable' if realizable else 'not realizable':15} "
                  f"{len(chosen):5} {median:10.2f} {total:10.2f}")


def medians(title, instances):
    for realizable in (True, False):
        chosen = [i for i in instances if i["realizable"] == realizable]
        if chosen:
            times = ", ".join(f"{name} {1e6 * statistics.median(i[name] for i in chosen):.1f}"
                              for name in ("verify", "verify+closure", "verify+late closure", "naive", "naive+closure"))
            print(f"{title}, {'' if realizable else 'not '}realizable, {statistics.median(i['events'] for i in chosen):.0f} "
                  f"events: microseconds: {times}")


def main(binary, folder, quick):
    binary = pathlib.Path(binary).resolve()
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    realizable, unrealizable, limit = (60, 30, 1) if quick else (500, 250, 10)
    print(f"{'figure':10} {'model':4} {'ratio of times':38} {'instances':15} {'count':>5} {'median':>10} {'total':>10}")
    for model in ("tso", "pso"):
        instances = run(binary, model, realizable, unrealizable, limit, False)
        compare(folder, model, instances, COMPARISONS + OURS)
        medians(model, instances)
    instances = run(binary, "tso", realizable, unrealizable, limit, True)
    compare(folder, "tso", instances, ATOMIC_COMPARISONS)
    medians("tso, read-modify-writes", instances)
    print(f"plots are in {folder}")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2], "--quick" in sys.argv)
