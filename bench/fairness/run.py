#!/usr/bin/env python3
"""Symbolic Streett objectives: the shape of Figures 6.2 to 6.5 of [Toman21].

    bench/fairness/run.py BENCH_BINARY FOLDER [--quick]

BENCH_BINARY is the build's `streett_bench`. Runs the basic and the improved algorithm on generated graphs and MDPs of the
thesis's sizes (50,000 to 200,000 vertices; --quick: a tenth) with 10, 20 and 50 % random vertices, and writes scatter plots of
symbolic steps and of seconds to FOLDER as SVG; the lines are equality and a factor of ten. As in the thesis, what both do
first (all components, all maximal end components) is not counted. Then a family with as many pairs as vertices, where the gap
grows with n.
"""
import json
import pathlib
import statistics
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
sys.dont_write_bytecode = True  # leave no cache next to the sources
from plot import LogAxis, Plot

COLOURS = {"graphs": "#1f5fbf", "10 %": "#2a9d2a", "20 %": "#d98200", "50 %": "#b02a8f"}


def instances(binary, *arguments):
    """Per instance: algorithm to figures."""
    output = subprocess.run([binary, *map(str, arguments)], capture_output=True, text=True, check=True).stdout
    found = {}
    for line in output.splitlines():
        row = json.loads(line)
        found.setdefault(row["seed"], {})[row["algorithm"]] = row
    return list(found.values())


def scatter(path, title, unit, figure, groups):
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
    plot.write(path)


def summary(name, rows):
    ratios = [row["improved"]["steps"] / max(1, row["basic"]["steps"]) for row in rows]
    not_more = sum(row["improved"]["steps"] <= row["basic"]["steps"] for row in rows)
    seconds = {a: sum(row[a]["seconds"] for row in rows) for a in ("basic", "improved")}
    sizes = [row["basic"]["vertices"] for row in rows]
    edges = [row["basic"]["edges"] for row in rows]
    print(f"{name:8} {len(rows):3} instances, {min(sizes)} to {max(sizes)} vertices, {min(edges)} to {max(edges)} edges: improved "
          f"needs at most the steps of basic in {100 * not_more / len(rows):.0f} %, mean reduction "
          f"{100 * (1 - statistics.mean(ratios)):.0f} % (thesis: 30 %), seconds {seconds['basic']:.1f} and {seconds['improved']:.1f}",
          flush=True)


def family(binary, folder, quick):
    sizes = [50, 100, 200, 400] if quick else [50, 100, 200, 400, 800, 1600]
    steps = {n: {a: row["steps"] for a, row in instances(binary, "family", n)[0].items()} for n in sizes}
    plot = Plot("As many pairs as vertices", "vertices", LogAxis(sizes), "symbolic steps",
                LogAxis([s for row in steps.values() for s in row.values()]))
    for algorithm, colour in (("basic", "#b02a8f"), ("improved", "#1f5fbf")):
        plot.line([plot.at(n, steps[n][algorithm]) for n in sizes], f'stroke="{colour}"')
        plot.text(plot.at(sizes[-2], steps[sizes[-2]][algorithm]), algorithm)
    plot.write(folder / "family.svg")
    for n in sizes:
        print(f"family {n:5}: basic {steps[n]['basic']}, improved {steps[n]['improved']}, "
              f"factor {steps[n]['basic'] / steps[n]['improved']:.1f}")


def main(binary, folder, quick):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    count, least, most = (12, 5_000, 20_000) if quick else (25, 50_000, 200_000)
    graphs = {"graphs": instances(binary, "systems", count, least, most, 0)}
    summary("graphs", graphs["graphs"])
    mdps = {}
    for name, share in (("10 %", 0.1), ("20 %", 0.2), ("50 %", 0.5)):
        mdps[name] = instances(binary, "systems", count, least, most, share)
        summary(name, mdps[name])
    summary("all MDPs", [row for rows in mdps.values() for row in rows])
    scatter(folder / "figure_6_2.svg", "Graphs, symbolic steps", "steps", "steps", graphs)
    scatter(folder / "figure_6_3.svg", "MDPs, symbolic steps", "steps", "steps", mdps)
    scatter(folder / "figure_6_4.svg", "Graphs, time", "seconds", "seconds", graphs)
    scatter(folder / "figure_6_5.svg", "MDPs, time", "seconds", "seconds", mdps)
    family(binary, folder, quick)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2], "--quick" in sys.argv[3:])
