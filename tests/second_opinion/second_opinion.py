#!/usr/bin/env python3
"""Compares weir with the running program, on random C programs.

Usage: second_opinion.py PATH_TO_WEIR [--seed S] [--first K] [--count N] [--jobs J] [--seconds T] [--output DIR]
                         [--known FILE]

Each program is asked about under one memory model. A disagreement is
  (a) weir says safe, and a native schedule fails under that model, or the address sanitizer reports something;
  (b) weir says unsafe, and the compiled program does not follow its execution (weir check --native).
A program on which there is one is made smaller and written to DIR with the commands that show it. The exit code is 1
if there was a disagreement. The same seed and number give the same program, model and schedules.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

import programs

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUNTIME = ROOT / "src" / "native" / "runtime" / "runtime.c"
CLANG = os.environ.get("WEIR_CLANG", "clang-19")
INSTRUMENTED = ["-w", "-g", "-gdwarf-4", "-O0", "-fno-omit-frame-pointer", "-fno-pie",
                "-fsanitize=thread,array-bounds,unreachable", "-fsanitize-trap=array-bounds,unreachable", "-mllvm",
                "-tsan-instrument-read-before-write=1"]
SANITIZED = ["-w", "-g", "-O0", "-pthread", "-fsanitize=address,undefined", "-fno-sanitize-recover=all",
             "-fno-sanitize=signed-integer-overflow,shift"]
SCHEDULES = 150
SECONDS = 20


def run(command, seconds=SECONDS, **more):
    """(exit code, output, errors); the code is None if it takes too long."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=seconds,
                              stdin=subprocess.DEVNULL, **more)
        return done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        return None, "", ""


class Tester:
    def __init__(self, weir, folder):
        self.weir = weir
        self.runtime = os.path.join(folder, "runtime.o")
        code, _, errors = run([CLANG, "-O1", "-fno-builtin", "-fno-omit-frame-pointer", "-w", "-c", str(RUNTIME), "-o",
                               self.runtime], 120)
        if code != 0:
            raise RuntimeError("the runtime cannot be compiled: " + errors[:500])

    def ask_weir(self, source, model):
        """(verdict, JSON answer or None)"""
        code, output, _ = run([self.weir, "check", "--json", "--native", "--jobs", "1", "--timeout", "5", "--memory",
                               "2000", "--model", model, source], env=os.environ | {"WEIR_NATIVE_RUNTIME": self.runtime})
        try:
            answer = json.loads(output)
        except ValueError:
            return ("late" if code is None else "rejected"), None
        return answer["verdict"], answer

    def native_failure(self, source, folder, model, seed, schedules=SCHEDULES):
        """What random schedules find: the first failure, or None; "" if the program cannot be built."""
        program, result = os.path.join(folder, "native"), os.path.join(folder, "result")
        code, _, _ = run([CLANG, *INSTRUMENTED, "-c", source, "-o", program + ".o"])
        if code == 0:
            code, _, _ = run([CLANG, "-no-pie", "-pthread", "-Wl,--wrap=main", program + ".o", self.runtime, "-o",
                              program, "-ldl", "-lm"])
        if code != 0:
            return ""
        pathlib.Path(result).write_text("")
        run([program], env=os.environ | {"WEIR_NATIVE_MODEL": model, "WEIR_NATIVE_RESULT": result,
                                         "WEIR_NATIVE_RUNS": str(schedules), "WEIR_NATIVE_SEED": str(seed * 1000 + 1)})
        for line in pathlib.Path(result).read_text(errors="replace").splitlines():
            fields = line.split("\t")
            if fields[0] == "violation":
                return f"{fields[1]}: {fields[4]}"
        return None

    def sanitizer_report(self, source, folder):
        program = os.path.join(folder, "sanitized")
        code, _, errors = run(["gcc", *SANITIZED, source, "-o", program])  # its sanitizers come with it
        if code != 0:
            raise RuntimeError(f"the sanitizers cannot be used: {errors}")
        options = {"ASAN_OPTIONS": "detect_stack_use_after_return=1:detect_leaks=0:abort_on_error=0"}
        for _ in range(3):
            code, _, errors = run([program], 3, env=os.environ | options)
            found = re.search(r"(AddressSanitizer: [\w-]+|runtime error: .*|Assertion .*failed)", errors)
            if code not in (None, 0) and found:
                return "sanitizers: " + found[1]
        return None

    def disagreement(self, text, model, seed, sanitize):
        """(kind of outcome, what the disagreement is or None)"""
        with tempfile.TemporaryDirectory() as folder:
            source = os.path.join(folder, "program.c")
            pathlib.Path(source).write_text(text)
            verdict, answer = self.ask_weir(source, model)
            if verdict == "safe":
                failure = self.native_failure(source, folder, model, seed)
                if not failure and sanitize:
                    failure = self.sanitizer_report(source, folder)
                return verdict, f"safe, but {failure}" if failure else None
            if verdict != "unsafe":
                return verdict, None
            native = answer.get("native")
            if native != "diverged":
                return f"unsafe, {native}", None
            said = answer["violation"]["message"]
            found = self.native_failure(source, folder, model, seed, 1000)
            if found and found.split(": ", 1)[-1] in said:
                return "unsafe, found by other schedules", None
            return verdict, f"unsafe, but diverged: {said} | {answer['native_message']} | schedules: {found}"


def kind_of(difference):
    """Equal for differences that are probably one: what was said, without names and places."""
    said = re.sub(r"\d+", "", re.sub(r"\"[^\"]*\"|'[^']*'", "", difference)).split(" | ")[0]
    return re.sub(r"(released|initialised|bounds): .*|(deadlock): .*", r"\1\2", said)


def shrink(tester, pieces, model, seed, sanitize, kind):
    changed = True
    while changed:
        changed = False
        for i in range(len(pieces) - 1, -1, -1):
            if not pieces[i][1]:
                continue
            fewer = pieces[:i] + pieces[i + 1:]
            found = tester.disagreement(programs.text_of(fewer), model, seed, sanitize)[1]
            if found and kind_of(found) == kind:
                pieces, changed = fewer, True
    return pieces


def question(seed, number):
    """The program with this number, the model, and whether it also runs under the sanitizers."""
    numbers = random.Random(f"{seed} {number}")
    return programs.generate(f"{seed} {number} program"), numbers.choice(("sc", "tso", "pso")), number % 4 == 0


def look(tester, seed, number):
    pieces, model, sanitize = question(seed, number)
    outcome, difference = tester.disagreement(programs.text_of(pieces), model, number, sanitize)
    return number, model, outcome, difference


def write(output, number, model, difference, pieces):
    output.mkdir(parents=True, exist_ok=True)
    path = output / f"{number:06}.c"
    path.write_text(f"// {difference}\n// weir check {path.name} --model {model} --native\n" + programs.text_of(pieces))
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weir")
    parser.add_argument("--seed", default="0")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=float, default=None, help="stop after so long")
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path("second-opinion"))
    parser.add_argument("--each", type=int, default=3, help="how many of one kind are made smaller and written")
    arguments = parser.parse_args()
    start, counts, kinds = time.time(), collections.Counter(), collections.Counter()
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        tester = Tester(os.path.abspath(arguments.weir), folder)
        numbers = iter(range(arguments.first, arguments.first + arguments.count))

        def work():
            for number in numbers_left():
                yield_result(look(tester, arguments.seed, number))

        def numbers_left():
            while arguments.seconds is None or time.time() - start < arguments.seconds:
                try:
                    yield next(numbers)
                except StopIteration:
                    return

        def yield_result(result):
            number, model, outcome, difference = result
            counts[outcome] += 1
            if not difference:
                return
            kind = kind_of(difference)
            kinds[kind] += 1
            if kinds[kind] > arguments.each:
                return
            pieces, _, sanitize = question(arguments.seed, number)
            pieces = shrink(tester, pieces, model, number, sanitize, kind)
            path = write(arguments.output, number, model, difference, pieces)
            print(f"program {number} under {model}: {difference}\n  {path}", flush=True)

        for worker in [pool.submit(work) for _ in range(arguments.jobs)]:
            worker.result()
    total, seconds = sum(counts.values()), time.time() - start
    print(f"{total} programs in {seconds:.0f} s, {total / max(seconds, 1):.1f} per second: " +
          ", ".join(f"{count} {outcome}" for outcome, count in counts.most_common()))
    for kind, count in kinds.most_common():
        print(f"  {count} times: {kind}")
    return 1 if kinds else 0


sys.exit(main())
