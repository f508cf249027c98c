#!/usr/bin/env python3
"""Compares weir with the running program, on random C and C++ programs.

Usage: second_opinion.py PATH_TO_WEIR [--seed S] [--first K] [--count N] [--jobs J] [--seconds T] [--output DIR]
                         [--stop] [--cpp]

Each program is asked about under one memory model. A disagreement is
  (a) weir says safe, and a native schedule fails under that model, or the address sanitizer reports something;
  (b) weir says unsafe, and the compiled program does not fail along its execution (weir check --native); reads of
      memory that is not initialised apart, which need not be seen;
  (c) weir has an internal error, or cannot read the program.
A program on which there is one is made smaller and written to DIR with the commands that show it. The exit code is 1
if there was a disagreement. The same seed and number give the same program, model and schedules.
"""

import argparse
import collections
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import threading
import time

import cpp_programs
import native_build
import programs

SCHEDULES, MORE_SCHEDULES = 150, 1000
SECONDS = 30
BATCH = 100
INTERNAL_ERROR = 6


@dataclasses.dataclass
class Question:
    number: int
    program: programs.Program
    model: str
    sanitize: bool  # also run it with the sanitizers
    races: bool     # are data races violations?


def question(seed, number, only_cpp=False):
    """The program with this number; one of ten is in C++."""
    numbers = random.Random(f"{seed} {number}")
    writer = cpp_programs.CppWriter if only_cpp or number % 10 == 9 else programs.Writer
    return Question(number, writer(f"{seed} {number} program").program(), numbers.choice(("sc", "tso", "pso")),
                    number % 4 == 0, number % 7 == 3)


def run(command, seconds=SECONDS, **more):
    """(exit code, output, errors); the code is None if it takes too long."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=seconds,
                              stdin=subprocess.DEVNULL, **more)
        return done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        return None, "", ""


class Tester:
    """Asks all about the programs of a batch."""

    def __init__(self, weir, batch, headers):
        self.weir, self.batch = weir, batch
        self.compiler = {"c": [], "cpp": ["--", "-include-pch", headers]}  # options, by language

    def ask_weir(self, question):
        """(verdict, JSON answer or None)"""
        environment = os.environ | {"WEIR_NATIVE_EXECUTABLE": self.batch.native[question.number],
                                    "WEIR_NATIVE_PROGRAM": str(question.number)}
        code, output, _ = run([self.weir, "check", "--json", "--native", "--jobs", "1", "--timeout", "5", "--memory",
                               "2000", "--model", question.model, *(["--races"] if question.races else []),
                               self.batch.paths[question.number],
                               *self.compiler[question.program.language]], env=environment)
        if code is None:
            return "late", None
        if code == INTERNAL_ERROR or code < 0:
            return "internal error", None
        try:
            answer = json.loads(output)
        except ValueError:
            return "rejected", None
        return answer.get("verdict", "rejected"), answer

    def native_failure(self, question, schedules, more=None):
        """What random schedules find first: (kind, message), or None."""
        result = str(self.batch.folder / f"result{question.number}")
        pathlib.Path(result).write_text("")
        run([self.batch.native[question.number]],
            env=os.environ | {"WEIR_NATIVE_PROGRAM": str(question.number), "WEIR_NATIVE_MODEL": question.model,
                              "WEIR_NATIVE_RESULT": result, "WEIR_NATIVE_RUNS": str(schedules),
                              "WEIR_NATIVE_SEED": str(question.number * 1000 + 1)} | (more or {}) |
            ({"WEIR_NATIVE_RACES": "1"} if question.races else {}))
        for line in pathlib.Path(result).read_text(errors="replace").splitlines():
            fields = line.split("\t")
            if fields[0] == "violation":
                return fields[1], fields[4]
        return None

    def sanitizer_report(self, question):
        options = {"ASAN_OPTIONS": "detect_stack_use_after_return=1:detect_leaks=0:abort_on_error=0",
                   "WEIR_NATIVE_PROGRAM": str(question.number)}
        for _ in range(3):
            code, _, errors = run([self.batch.sanitized[question.number]], 3, env=os.environ | options)
            found = re.search(r"(AddressSanitizer: [\w-]+|runtime error: .*|Assertion .*failed)", errors)
            if code not in (None, 0) and found:
                return "sanitizers", found[1]
        return None

    def disagreement(self, question):
        """(kind of outcome, what the disagreement is or None)"""
        verdict, answer = self.ask_weir(question)
        if verdict == "safe":
            failure = self.native_failure(question, SCHEDULES, what_may_fail(answer))
            if not failure and question.sanitize:
                failure = self.sanitizer_report(question)
            return verdict, f"safe, but {failure[0]}: {failure[1]}" if failure else None
        if verdict == "internal error":
            return verdict, verdict
        if verdict == "error":
            return verdict, f"not read: {answer.get('reason')}"
        if verdict != "unsafe":
            return verdict, None
        return self.confirmation(question, answer)

    def confirmation(self, question, answer):
        native, violation = answer.get("native"), answer.get("violation")
        if not violation:
            return "unsafe, and then the time was over", None
        if native == "confirmed" or (native == "not-observable" and "initialised" in violation["message"]):
            return f"unsafe, {native}", None
        found = self.native_failure(question, MORE_SCHEDULES)
        if found and is_same(violation, *found):
            return "unsafe, found by other schedules", None
        return "unsafe", (f"unsafe, but {native}: {violation['message']} | {answer.get('native_message')} | "
                          f"schedules: {found}")


def what_may_fail(answer):
    """Without a reason, as weak exchanges may: the answer names it if it does not count on that."""
    ruled_out = any("fails only if" in phrase for phrase in answer.get("assumptions", ()))
    return {} if ruled_out else {"WEIR_NATIVE_CHANCE": "1"}


def is_same(violation, kind, message):
    """Does a native failure show what weir says?"""
    if violation["kind"] == "assertion":
        return message in violation["message"] or kind not in ("assertion", "deadlock", "race")
    if violation["kind"] in ("deadlock", "race"):
        return kind == violation["kind"]
    return kind not in ("assertion", "deadlock", "race")


def kind_of(difference):
    """Equal for differences that are probably one: what was said, without names and places."""
    said = re.sub(r"\d+", "", re.sub(r"\"[^\"]*\"|'[^']*'", "", difference)).split(" | ")[0]
    return re.sub(r"(released|initialised|bounds): .*|(deadlock): .*", r"\1\2", said)


class Run:
    """All questions, some at a time; what was found."""

    def __init__(self, arguments):
        self.weir = os.path.abspath(arguments.weir)
        self.arguments = arguments
        self.start = time.time()
        self.outcomes, self.kinds = collections.Counter(), collections.Counter()
        self.first_found = None  # the number of the first program that shows a disagreement
        self.lock = threading.Lock()

    def go(self):
        with tempfile.TemporaryDirectory() as folder, \
                concurrent.futures.ThreadPoolExecutor(self.arguments.jobs) as pool:
            self.runtime = native_build.compile_runtime(folder)
            self.headers = native_build.precompile_headers(folder, cpp_programs.HEAD)
            numbers = range(self.arguments.first, self.arguments.first + self.arguments.count)
            batches = [numbers[i:i + BATCH] for i in range(0, len(numbers), BATCH)]
            for _ in pool.map(self.look_at_batch, batches):
                pass
        return self.report()

    def is_over(self):
        late = self.arguments.seconds is not None and time.time() - self.start > self.arguments.seconds
        return late or (self.arguments.stop and self.first_found is not None)

    def look_at_batch(self, numbers):
        if self.is_over():
            return
        questions = [question(self.arguments.seed, number, self.arguments.cpp) for number in numbers]
        with tempfile.TemporaryDirectory() as folder:
            tester = self.tester(questions, folder)
            for asked in questions:
                if self.is_over():
                    return
                self.note(asked, *tester.disagreement(asked))

    def tester(self, questions, folder):
        numbered = {asked.number: asked.program for asked in questions}
        sanitized = {asked.number for asked in questions if asked.sanitize}
        return Tester(self.weir, native_build.Batch(folder, numbered, sanitized, self.weir, self.runtime), self.headers)

    def note(self, asked, outcome, difference):
        with self.lock:
            self.outcomes[outcome] += 1
            if sum(self.outcomes.values()) % 1000 == 0:
                print(self.summary(), file=sys.stderr, flush=True)
            if not difference:
                return
            if self.first_found is None or asked.number < self.first_found:
                self.first_found = asked.number
            kind = kind_of(difference)
            self.kinds[kind] += 1
            if self.kinds[kind] > self.arguments.each:
                return
        if not self.arguments.stop:
            asked = self.shrunk(asked, kind)
        path = self.write(asked, difference)
        print(f"program {asked.number} under {asked.model}: {difference}\n  {path}", flush=True)

    def still_differs(self, asked, kind):
        try:
            with tempfile.TemporaryDirectory() as folder:
                found = self.tester([asked], folder).disagreement(asked)[1]
        except RuntimeError:
            return False  # it does not compile
        return found and kind_of(found) == kind

    def shrunk(self, asked, kind):
        changed = True
        while changed:
            changed = False
            for i in reversed(range(len(asked.program.pieces))):
                if not asked.program.pieces[i][1]:
                    continue
                fewer = dataclasses.replace(asked, program=asked.program.without(i))
                if self.still_differs(fewer, kind):
                    asked, changed = fewer, True
        return asked

    def write(self, asked, difference):
        self.arguments.output.mkdir(parents=True, exist_ok=True)
        path = self.arguments.output / f"{asked.number:06}.{asked.program.language}"
        races = " --races" if asked.races else ""
        path.write_text(f"// {difference}\n// weir check {path.name} --model {asked.model}{races} --native\n"
                        f"{asked.program.text}")
        return path

    def summary(self):
        total, seconds = sum(self.outcomes.values()), time.time() - self.start
        return (f"{total} programs in {seconds:.0f} s, {total / max(seconds, 1):.1f} per second: " +
                ", ".join(f"{count} {outcome}" for outcome, count in self.outcomes.most_common()))

    def report(self):
        print(self.summary())
        for kind, count in self.kinds.most_common():
            print(f"  {count} times: {kind}")
        return 1 if self.kinds else 0


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
    parser.add_argument("--cpp", action="store_true", help="all programs are in C++")
    parser.add_argument("--stop", action="store_true", help="stop at the first disagreement, and leave it as it is")
    return Run(parser.parse_args()).go()


if __name__ == "__main__":
    sys.exit(main())
