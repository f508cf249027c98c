#!/usr/bin/env python3
"""Symbolic Streett objectives: the shape of Figures 6.2 to 6.5 of [Toman21].

    bench/fairness/run.py BENCH_BINARY FOLDER [--quick] [--count N] [--seed N]

BENCH_BINARY is the build's `streett_bench`. Runs the basic and the improved algorithm on generated graphs and MDPs of the
thesis's sizes (50,000 to 200,000 vertices, ten minutes of processor time; --quick: 2,500 to 10,000, one minute) with 10, 20 and
50 % random vertices, N of each kind, and writes scatter plots of symbolic steps and of seconds of processor time to FOLDER as
SVG; the lines are equality and a factor of ten. As in the thesis, what both do first (all components, all maximal end components)
is not counted. Many instances are decided by that alone; figures are about those for which the basic algorithm needs at least
HARD steps more. Then a family with many pairs, where the gap grows with n.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
sys.dont_write_bytecode = True  # leave no cache next to the sources
from plot import LogAxis, Plot

HARD = 100
COLOURS = {"graphs": "#1f5fbf", "10 %": "#2a9d2a", "20 %": "#d98200", "50 %": "#b02a8f"}


def instances(binary, *arguments):
    """Per instance: algorithm to figures. Says every few seconds how far it is."""
    found, said = {}, time.monotonic()
    with subprocess.Popen([binary, *map(str, arguments)], stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            row = json.loads(line)
            found.setdefault(row["seed"], {})[row["algorithm"]] = row
            if time.monotonic() - said > 5:
                said = time.monotonic()
                print(f"{' '.join(map(str, arguments))}: {len(found)} instances", file=sys.stderr, flush=True)
    if process.returncode != 0:
        sys.exit(f"{binary} failed with {process.returncode}")
    return list(found.values())


def scatter(path, title, unit, figure, groups):
    groups = {name: hard(rows) for name, rows in groups.items()}
    if not any(groups.values()):
        return
    values = [max(row[a][figure], 1e-4) for rows in groups.values() for row in rows for a in ("basic", "improved")]
    axis = LogAxis(values)
    plot = Plot(title, f"basic, {unit}", axis, f"improved, {unit}", axis)
    least, most = 10.0 ** axis.low, 10.0 ** axis.high
    plot.line([plot.at(least, least), plot.at(most, most)], 'stroke="#c00"')
    plot.line([plot.at(least * 10, least), plot.at(most, most / 10)], 'stroke="#c00" stroke-opacity="0.35"')
    for name, rows in groups.items():
        for row in rows:
            plot.circle(plot.at(max(row["basic"][figure], 1e-4), max(row["improved"][figure], 1e-4)),
                        f'fill="{COLOURS[name]}" fill-opacity="0.6"')
    legend(plot, axis, groups)
    plot.write(path)


def legend(plot, axis, groups):
    """In the upper left corner, where no point is unless improved is far worse."""
    x, y = plot.at(10.0 ** axis.low, 10.0 ** axis.high)
    for i, (name, rows) in enumerate(groups.items()):
        plot.circle((x + 12, y + 14 + 15 * i), f'fill="{COLOURS[name]}"')
        plot.text((x + 20, y + 18 + 15 * i), f"{name if name == 'graphs' else name + ' random'} ({len(rows)})")


def hard(rows):
    return [row for row in rows if row["basic"]["steps"] >= HARD]


def summary(name, rows):
    counted = hard(rows)
    if not counted:
        return print(f"{name:8} {len(rows):3} instances, none of them hard", flush=True)
    ratios = [row["improved"]["steps"] / row["basic"]["steps"] for row in counted]
    fewer, equal = sum(ratio < 1 for ratio in ratios), sum(ratio == 1 for ratio in ratios)
    seconds = {a: sum(row[a]["seconds"] for row in counted) for a in ("basic", "improved")}
    sizes = [row["basic"]["vertices"] for row in rows]
    edges = [row["basic"]["edges"] for row in rows]
    print(f"{name:8} {len(rows)} instances, {min(sizes)} to {max(sizes)} vertices, {min(edges)} to {max(edges)} edges; {len(counted)} "
          f"of them hard: improved needs at most the steps of basic in {fewer + equal} ({100 * (fewer + equal) / len(counted):.0f} %), "
          f"fewer in {fewer}, as many in {equal}, more in {len(counted) - fewer - equal}; mean reduction "
          f"{100 * (1 - statistics.mean(ratios)):.0f} % (thesis: 30 % on MDPs), seconds {seconds['basic']:.1f} and "
          f"{seconds['improved']:.1f}", flush=True)


def family(binary, folder, quick):
    sizes = [100, 200, 400, 800] if quick else [100, 200, 400, 800, 1600, 3200]
    steps = {n: {a: row["steps"] for a, row in instances(binary, "family", n)[0].items()} for n in sizes}
    plot = Plot("A pair for every fourth vertex", "vertices", LogAxis(sizes), "symbolic steps",
                LogAxis([s for row in steps.values() for s in row.values()]))
    for algorithm, colour in (("basic", "#b02a8f"), ("improved", "#1f5fbf")):
        plot.line([plot.at(n, steps[n][algorithm]) for n in sizes], f'stroke="{colour}"')
        plot.text(plot.at(sizes[-2], steps[sizes[-2]][algorithm]), algorithm)
    plot.write(folder / "family.svg")
    for n in sizes:
        print(f"family {n:5}: basic {steps[n]['basic']}, improved {steps[n]['improved']}, "
              f"factor {steps[n]['basic'] / steps[n]['improved']:.1f}")


def main(options):
    folder = pathlib.Path(options.folder)
    folder.mkdir(parents=True, exist_ok=True)
    least, most = (2_500, 10_000) if options.quick else (50_000, 200_000)
    count = options.count or (40 if options.quick else 15)
    family(options.binary, folder, options.quick)
    graphs = {"graphs": instances(options.binary, "systems", count, least, most, 0, options.seed)}
    summary("graphs", graphs["graphs"])
    scatter(folder / "figure_6_2.svg", "Graphs, symbolic steps", "steps", "steps", graphs)
    scatter(folder / "figure_6_4.svg", "Graphs, time", "seconds", "seconds", graphs)
    mdps = {}
    for name, share in (("10 %", 0.1), ("20 %", 0.2), ("50 %", 0.5)):
        mdps[name] = instances(options.binary, "systems", count, least, most, share, options.seed)
        summary(name, mdps[name])
        scatter(folder / "figure_6_3.svg", "MDPs, symbolic steps", "steps", "steps", mdps)
        scatter(folder / "figure_6_5.svg", "MDPs, time", "seconds", "seconds", mdps)
    summary("all MDPs", [row for rows in mdps.values() for row in rows])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("folder")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--count", type=int)
    parser.add_argument("--seed", type=int, default=1, help="the first; each instance takes the next")
    main(parser.parse_args())
