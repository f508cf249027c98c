#!/usr/bin/env python3
"""Derives the strategy of `auto` from what was measured: who takes part under which model, and how long the turns are.

    bench/auto/derive.py            prints src/verify/strategy_table.hpp
    bench/auto/derive.py --check    says whether it is what the data say, and how far from the best engine `auto` should be

The data are bench/auto/measured*.json, as written by `weir bench --auto --json`: what each engine takes by itself. `auto` is
played with them, as src/engine/portfolio/race.cpp says: one contender starts, after a moment the others take turns, each
as long as its share says. Of all orders of magnitude of shares, those are best with which most programs are decided in 1.5
times the best engine's time with two jobs and in three times with one, and then those with which the sum of all ratios is
least. Times are those of the processor, as far as there are any: machines have other things to do.
"""
import itertools
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
TABLE = HERE.parent.parent / "src" / "verify" / "strategy_table.hpp"

FIRST = "explicit"  # the only one whose violations are shortest, so it answers what is small
ENGINES = {"sc": ("smc", "dual"), "tso": ("lazy", "smc", "dual", "abstraction"), "pso": ("smc",)}
SHARES = (1, 2, 3, 4, 6)
HEAD_START, FIRST_SLICE, LONGEST_SLICE, GROWTH = 0.05, 0.01, 2.0, 1.25
NEAR, CLOSE, MORE = 1.5, 3.0, 0.1


def read():
    """For each model, for each program that an engine decides: seconds by engine, and whether it decides then."""
    programs = {}
    for path in sorted(HERE.glob("measured*.json")):
        for run in json.loads(path.read_text())["runs"]:
            if run["engine"].startswith("auto"):
                continue
            seconds = run["processor_seconds"] or run["seconds"]
            decided = run["verdict"] in ("safe", "unsafe")
            programs.setdefault((run["model"], run["file"]), {})[run["engine"]] = (seconds, decided)
    models = {model: [] for model in ENGINES}
    for (model, _), engines in sorted(programs.items()):
        if any(decided for _, decided in engines.values()):
            models[model].append(engines)
    return models


def best(engines):
    return min(seconds for seconds, decided in engines.values() if decided)


class Lane:
    def __init__(self, share, seconds, decides):
        self.share, self.left, self.decides = share, seconds, decides


def played(engines, shares, seats):
    """When the race is decided; infinite if it never is."""
    lanes = {name: Lane(share, *engines[name]) for name, share in shares.items() if name in engines}
    first = lanes.pop(FIRST)
    if first.decides and first.left <= HEAD_START:
        return first.left
    now = min(HEAD_START, first.left)
    first.left -= now
    waiting = list(lanes.values())
    if seats == 1 and first.left > 0:
        waiting.insert(0, first)
    slice_length = FIRST_SLICE
    while waiting or first.left > 0:
        keeps_seat = seats > 1 and first.left > 0
        if not waiting:
            return now + first.left if first.decides else float("inf")
        lane = waiting.pop(0)
        turn = min(lane.left, slice_length * lane.share)
        if keeps_seat and first.left <= turn:
            if first.decides:
                return min(now + first.left, now + lane.left if lane.decides and lane.left <= turn else float("inf"))
        now += turn
        lane.left -= turn
        if keeps_seat:
            first.left = max(0.0, first.left - turn)
        if lane.left <= 0:
            if lane.decides:
                return now
            continue
        waiting.append(lane)
        slice_length = min(slice_length * GROWTH, LONGEST_SLICE)
    return float("inf")


def judged(programs, shares):
    """How many are near with two jobs, and close with one; and the sum of all ratios, which is to be small."""
    near = close = 0
    ratios = 0.0
    for engines in programs:
        target = best(engines)
        two, one = (played(engines, shares, seats) for seats in (2, 1))
        near += two <= NEAR * target + MORE
        close += one <= CLOSE * target + MORE
        ratios += sum(min(time, 1000.0) / (target + MORE) for time in (two, one))
    return near + close, -ratios, near, close


def strategy(model, programs):
    """The best shares, with the greatest first, which is the order in which the engines enter."""
    candidates = []
    for order in itertools.permutations(ENGINES[model]):
        for own, *numbers in itertools.product(SHARES, repeat=len(order) + 1):
            if numbers == sorted(numbers, reverse=True) and 1 in (own, numbers[-1]):
                candidates.append({FIRST: own, **dict(zip(order, numbers))})
    return max(candidates, key=lambda shares: judged(programs, shares))


def table(models):
    lines = [
        "// Who takes part in `auto` under which model, the one that begins first, and how long the turns of each",
        "// are. Written by bench/auto/derive.py from what was measured (bench/auto/measured*.json), not by hand.",
        "#pragma once", "",
        "#include <string_view>", "", "namespace weir::verify {", "", "struct Entrant {", "  std::string_view engine;",
        "  unsigned share;", "};", ""]
    for model, programs in models.items():
        entrants = ", ".join(f'{{"{name}", {share}}}' for name, share in strategy(model, programs).items())
        lines.append(f"inline constexpr Entrant kUnder{model.capitalize()}[] = {{{entrants}}};")
    return "\n".join([*lines, "", "}  // namespace weir::verify", ""])


def tell(models):
    for model, programs in models.items():
        _, _, near, close = judged(programs, strategy(model, programs))
        print(f"{model}: {len(programs)} programs that an engine decides; with two jobs {near} in {NEAR} times the best "
              f"engine's time, with one {close} in {CLOSE} times")


def main(arguments):
    models = read()
    if arguments != ["--check"]:
        print(table(models), end="")
        return 0
    tell(models)
    if "".join(TABLE.read_text().split()) == "".join(table(models).split()):
        return 0
    print("src/verify/strategy_table.hpp is not what bench/auto/derive.py writes")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
