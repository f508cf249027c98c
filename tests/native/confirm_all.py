#!/usr/bin/env python3
"""Runs every C program that is expected to be unsafe along the execution that weir finds, and prints a table.

Usage: confirm_all.py PATH_TO_WEIR FOLDER_OR_FILE... [--only TEXT] [--jobs N] [--quiet] [--observable]

For each program and each model under which an `// expect:` line says `unsafe`: does the compiled program fail as
`weir check --native` says? The exit code is 1 if one diverges, or if the native run is not available.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

MODELS = ("sc", "tso", "pso")
SECONDS = 120


def says(path):
    result = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        match = re.match(r"// (expect|options|compiler|with): (.*)", line)
        if match:
            result[match[1]] = match[2].strip()
        elif not line.startswith("//"):
            break
    return result


def unsafe_models(expectation):
    models = []
    for part in expectation.split(","):
        words = part.split()
        if len(words) > 1 and words[1] == "unsafe":
            models += MODELS if words[0] == "all" else [words[0]]
    return models


def questions(arguments):
    paths = []
    for name in map(pathlib.Path, arguments.paths):
        paths += sorted(p for p in name.glob("*") if p.suffix in (".c", ".cpp")) if name.is_dir() else [name]
    for path in paths:
        said = says(path)
        if arguments.only in path.name:
            for model in unsafe_models(said.get("expect", "")):
                yield path, model, said


def answer(weir, question):
    """(outcome, message) of one program under one model."""
    path, model, said = question
    files = [str(path)] + [str(path.parent / name) for name in shlex.split(said.get("with", ""))]
    command = [weir, "check", "--json", "--native", "--model", model, *shlex.split(said.get("options", "")), *files]
    if "compiler" in said:
        command += ["--", *shlex.split(said["compiler"])]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return "late", f"no answer within {SECONDS} s"
    try:
        found = json.loads(done.stdout)
    except ValueError:
        return "error", (done.stderr or done.stdout)[:300]
    if found["verdict"] != "unsafe":
        return "error", f"weir says {found['verdict']}"
    message = found["native_message"]
    if found["native"] != "confirmed":
        message += f"   [weir: {found['violation']['message']}, line {found['violation'].get('line')}]"
    return found["native"], message


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weir")
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--quiet", action="store_true", help="only what is not confirmed")
    parser.add_argument("--observable", action="store_true", help="all must be confirmed")
    arguments = parser.parse_args()
    weir = os.path.abspath(arguments.weir)
    asked = list(questions(arguments))
    counts = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for (path, model, _), (outcome, message) in zip(asked, pool.map(lambda q: answer(weir, q), asked)):
            counts[outcome] += 1
            if not arguments.quiet or outcome != "confirmed":
                print(f"{path.name:38} {model:4} {outcome:15} {message}", flush=True)
    print(", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items())) or "no programs")
    fine = {"confirmed"} if arguments.observable else {"confirmed", "not-observable"}
    return 0 if asked and not set(counts) - fine else 1


sys.exit(main())
