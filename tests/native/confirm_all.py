#!/usr/bin/env python3
"""Runs every C program that is expected to be unsafe along the execution that weir finds, and prints a table.

Usage: confirm_all.py PATH_TO_WEIR FOLDER_OR_FILE... [--only TEXT] [--part K/N] [--jobs N] [--quiet] [--one-model]

For each program and each model under which an `// expect:` line says `unsafe`: does the compiled program fail as
`weir check --native` says? All must, but for those of UNSEEN, which must not. The exit code is 1 otherwise.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

import expectations

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / folder) for folder in ("second_opinion", "support")]
import native_build
import parts

# What no run of the program shows, and why.
UNSEEN = {
    "bit_field_local_not_initialised.c": "there is always some value in a variable that only its own function sees",
    "deadlock_partial_sleep.c": "a thread that only sleeps has no step at which the run could be looked at",
    "inner_array_atomic.c": "one past the end of an inner array is the next inner array, which may be accessed",
    "memory_uninitialised_array.c": "there is always some value in a variable that only its own function sees",
    "memory_uninitialised_local.c": "there is always some value in a variable that only its own function sees",
    "memory_uninitialised_structure.c": "there is always some value in a variable that only its own function sees",
    "own_thread_types_unlocked.c": "the C library writes 64 bits where the program has declared a 32-bit pthread_t",
    "print_list_overflow.c": "behind a global array stands another variable, or nothing, which may be written, too",
    "pointer_truncated.c": "the program is put below 4 GB, where a pointer loses nothing in 32 bits",
}
SECONDS = 120


def questions(arguments):
    for path, said in expectations.programs(arguments.paths, arguments.only):
        for model in expectations.models_with("unsafe", said.get("expect", ""))[:1 if arguments.one_model else None]:
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
    parser.add_argument("--part", type=parts.part, default=parts.WHOLE)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--quiet", action="store_true", help="only what is not confirmed")
    parser.add_argument("--one-model", action="store_true", help="only the first that breaks a program")
    arguments = parser.parse_args()
    weir = os.path.abspath(arguments.weir)
    asked = list(questions(arguments))[arguments.part]
    counts, wrong = collections.Counter(), 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        os.environ["WEIR_NATIVE_RUNTIME"] = native_build.compile_runtime(folder)  # once; weir does it for each
        for (path, model, _), (outcome, message) in zip(asked, pool.map(lambda q: answer(weir, q), asked)):
            counts[outcome] += 1
            as_told = (outcome == "confirmed") != (path.name in UNSEEN)
            wrong += not as_told
            if not arguments.quiet or not as_told:
                print(f"{path.name:38} {model:4} {outcome:15} {message}", flush=True)
    print(", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items())) or "no programs")
    return 0 if asked and not wrong else 1


sys.exit(main())
