#!/usr/bin/env python3
"""Runs every C program that is expected to be safe under random schedules: none may fail.

Usage: safe_all.py PATH_TO_WEIR FOLDER_OR_FILE... [--only TEXT] [--part K/N] [--jobs N] [--schedules N] [--one-model]

This is a test of the runtime behind the running program as much as of weir: what the standards decide, it must do too.
Programs are left out that are safe only because weir is told to look away (--no-deadlock, --no-spurious-wakeups).
"""

import argparse
import concurrent.futures
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

SECONDS = 120
# What runs otherwise by itself, and why.
OTHERWISE = {"unreached_undefined_variable.c": "a variable that no file defines has no address of its own"}


def build(weir, runtime, path, said, folder):
    """The program, compiled and instrumented."""
    objects = []
    for number, source in enumerate([path, *(path.parent / name for name in shlex.split(said.get("with", "")))]):
        objects.append(os.path.join(folder, f"{number}.o"))
        native_build.must([native_build.CLANG, *shlex.split(said.get("compiler", "")), *native_build.INSTRUMENTED,
                           f"-fpass-plugin={native_build.stack_pass(weir)}", "-c", str(source), "-o",
                           objects[-1]])
    program = os.path.join(folder, "program")
    native_build.must([native_build.CLANG, "-no-pie", "-pthread", "-Wl,--wrap=main", "-Wl,--unresolved-symbols=ignore-all",
                       *objects, runtime, "-o", program, "-ldl", "-lm", "-lstdc++"])
    return program


def failures(program, model, schedules, folder, races):
    result = os.path.join(folder, model)
    pathlib.Path(result).write_text("")
    subprocess.run([program], capture_output=True, timeout=SECONDS,
                   env=os.environ | {"WEIR_NATIVE_MODEL": model, "WEIR_NATIVE_RESULT": result,
                                     "WEIR_NATIVE_RUNS": str(schedules), "WEIR_NATIVE_SEED": "1"} |
                   ({"WEIR_NATIVE_RACES": "1"} if races else {}))
    lines = pathlib.Path(result).read_text(errors="replace").splitlines()
    if len(lines) != schedules:
        return [f"{len(lines)} of {schedules} runs said how they ended"]
    return [line for line in lines if line.split("\t")[0] in ("violation", "killed", "unavailable")]


def look(weir, runtime, arguments, path, said):
    """(number of questions, what is wrong)"""
    models = expectations.models_with("safe", said.get("expect", ""))
    if arguments.one_model:
        models = models[-1:]
    if not models or "--no-" in said.get("options", "") or path.name in OTHERWISE:
        return 0, []
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        program = build(weir, runtime, path, said, folder)
        for model in models:
            found = failures(program, model, arguments.schedules, folder, "--races" in said.get("options", ""))
            wrong += [f"{path.name} {model}: {len(found)} times, {found[0]}"] if found else []
    return len(models), wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weir")
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--only", default="")
    parser.add_argument("--part", type=parts.part, default=parts.WHOLE)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--schedules", type=int, default=100)
    parser.add_argument("--one-model", action="store_true", help="only the weakest under which a program is safe")
    arguments = parser.parse_args()
    weir = os.path.abspath(arguments.weir)
    asked = wrong = 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        runtime = native_build.compile_runtime(folder)
        for count, found in pool.map(lambda p: look(weir, runtime, arguments, *p),
                                     list(expectations.programs(arguments.paths, arguments.only))[arguments.part]):
            asked += count
            wrong += len(found)
            for line in found:
                print(line, flush=True)
    print(f"{asked} asked, {wrong} fail")
    return 1 if wrong or not asked else 0


sys.exit(main())
