#!/usr/bin/env python3
"""Rates of the explicit engine on Lamport's fast mutex with 4 threads, and SPIN's on the same protocol.

    bench/explicit.py BUILD_FOLDER

Prints states per second (best of several runs) and bytes per stored state. SPIN gets the Promela text that
`weir convert --to promela` writes, compiled with -O2 -DSAFETY, and runs in the same session, so the ratio means
something even where absolute times do not.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
RUNS = 5
TARGETS = {"sc": 3.0e6, "tso": 1.5e6}


def weir_rates(weir, example, model, *options):
    best = None
    for _ in range(RUNS):
        run = subprocess.run([weir, "check", ROOT / "examples" / example, "--model", model, "--json", "-q", *options],
                             capture_output=True, text=True, check=False)
        answer = json.loads(run.stdout)
        stats = answer["stats"]
        rate = stats["states"] / stats["seconds"]
        if best is None or rate > best["rate"]:
            best = {"rate": rate, "states": stats["states"], "bytes": stats["bytes_per_state"],
                    "peak": stats["peak_mb"], "verdict": answer["verdict"]}
    return best


def spin_rate(weir, example):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        subprocess.run([weir, "convert", ROOT / "examples" / example, "--to", "promela", "-o", folder / "p.pml"],
                       check=True)
        subprocess.run(["spin", "-a", "p.pml"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["gcc", "-O2", "-w", "-DSAFETY", "-o", "pan", "pan.c"], cwd=folder, check=True)
        best = None
        for _ in range(RUNS):
            text = subprocess.run(["./pan", "-m10000000", "-w24"], cwd=folder, capture_output=True, text=True).stdout
            states = float(re.search(r"([\d.e+]+) states, stored", text).group(1))
            # The engine reports rates only for longer runs; the time is always there.
            seconds = float(re.search(r"elapsed time ([\d.e+-]+) seconds", text).group(1))
            rate = states / max(seconds, 0.001)
            if best is None or rate > best["rate"]:
                size = re.search(r"State-vector (\d+) byte", text)
                best = {"rate": rate, "states": int(states), "bytes": int(size.group(1)),
                        "errors": int(re.search(r"errors: (\d+)", text).group(1))}
        return best


def main(build):
    weir = pathlib.Path(build).resolve() / "weir"
    print(f"{'program':24} {'model':5} {'states':>10} {'states/s':>12} {'bytes/state':>12} {'target/s':>10}")
    rates = {}
    for example in ("lamport4.imp", "lamport4_fenced.imp"):
        for model in ("sc", "tso"):
            if example == "lamport4.imp" and model == "tso":
                continue  # violated after a few states
            found = weir_rates(weir, example, model)
            rates[example, model] = found["rate"]
            print(f"{example:24} {model:5} {found['states']:10} {found['rate']:12,.0f} {found['bytes']:12.1f} "
                  f"{TARGETS[model]:10,.0f}")
    if shutil.which("spin") is None:
        print("spin is not installed: no comparison")
        return
    for example in ("lamport4.imp", "lamport4_fenced.imp"):
        spin = spin_rate(weir, example)
        print(f"{example:24} spin  {spin['states']:10} {spin['rate']:12,.0f} {spin['bytes']:12.1f} "
              f"   Weir is {rates[example, 'sc'] / spin['rate']:.1f} times as fast")


main(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build" / "release")
