#!/usr/bin/env python3
"""Checks C and C++ programs that say themselves what is right, and compares.

Usage: conformance_test.py PATH_TO_WEIR FOLDER... [--only TEXT] [--part K/N] [--jobs N] [--list] [--no-native] [--no-weir]

A program says it in comments before its first line of code:

  // expect: sc safe, tso unsafe assertion, pso unsafe     the verdict per model, with the kind if it matters
  // expect: all safe                                       the same under sc, tso and pso
  // expect: error                                          exit code 2 and a message on standard error
  // message: unlocks a mutex that it does not hold         part of what is said (violation, error, or reason)
  // options: --races                                       more options of weir
  // compiler: -std=c89                                     more options of the compiler, in both uses
  // with: other.c                                          more files of the same program, beside this one
  // preprocess: yes                                        weir gets the output of the preprocessor, as a .i file
  // native: 0                                              compiled and run it ends with this exit code
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.path[:0] = [str(pathlib.Path(__file__).parents[1] / folder) for folder in ("schema", "support")]
import parts  # noqa: E402: found by the line above
import validation  # noqa: E402

MODELS = ("sc", "tso", "pso")
EXIT_CODES = {"safe": 0, "unsafe": 10, "unknown": 5}
KEYS = ("expect", "message", "options", "compiler", "with", "preprocess", "native")
SECONDS = 120


class Program:
    """A source file and what its opening comments say."""

    def __init__(self, path):
        self.path = path
        self.says = {}
        for line in path.read_text(encoding="utf-8").splitlines():
            match = re.match(r"// (\w+): (.*)", line)
            if match and match[1] in KEYS:
                self.says[match[1]] = match[2].strip()
            elif not line.startswith("//"):
                break
        if "expect" not in self.says:
            raise ValueError(f"{path}: no `// expect:` line")

    def words(self, key):
        return shlex.split(self.says.get(key, ""))

    def files(self):
        return [self.path] + [self.path.parent / name for name in self.words("with")]

    def is_cplusplus(self):
        return self.path.suffix == ".cpp"

    def expectations(self):
        """A list of (model, verdict, kind or None)."""
        result = []
        for part in self.says["expect"].split(","):
            words = part.split()
            if words == ["error"]:
                return [("sc", "error", None)]
            models = MODELS if words[0] == "all" else (words[0],)
            if not set(models) <= set(MODELS) or words[1] not in EXIT_CODES or len(words) > 3:
                raise ValueError(f"{self.path}: cannot read `{part.strip()}`")
            result += [(model, words[1], words[2] if len(words) > 2 else None) for model in models]
        return result


def compiler(program):
    name = "clang++-19" if program.is_cplusplus() else "clang-19"
    return shutil.which(name) or shutil.which(name.removesuffix("-19"))


def preprocessed(program, folder):
    target = pathlib.Path(folder) / (program.path.stem + (".ii" if program.is_cplusplus() else ".i"))
    command = [compiler(program), "-E", *program.words("compiler"), str(program.path), "-o", str(target)]
    subprocess.run(command, check=True, timeout=SECONDS)
    return target


def run_weir(weir, program, model):
    """One answer: (exit code, JSON or None, standard error)."""
    with tempfile.TemporaryDirectory() as folder:
        files = [str(file) for file in program.files()]
        if "preprocess" in program.says:
            files = [str(preprocessed(program, folder))]
        command = [weir, "check", "--json", "--model", model, *program.words("options"), *files]
        if program.words("compiler"):
            command += ["--", *program.words("compiler")]
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    try:
        answer = json.loads(done.stdout)
    except ValueError:
        answer = None
    mistakes = validation.output_mistakes(command, done.returncode, done.stdout) if answer else []
    if mistakes:
        return done.returncode, None, f"the answer does not fit its schema: {mistakes}"
    return done.returncode, answer, done.stderr


def said(answer, errors):
    if answer is None:
        return errors
    return " ".join([answer.get("violation", {}).get("message", ""), str(answer.get("reason", "")), errors])


def compare(program, model, verdict, kind, outcome):
    """What is wrong with an answer, or None."""
    code, answer, errors = outcome
    short = " ".join(errors.split())[:600]
    if verdict == "error":
        if code != 2:
            return f"exit code {code} instead of 2; {short}"
    else:
        found = answer and answer.get("verdict")
        if found != verdict or code != EXIT_CODES[verdict]:
            details = json.dumps(answer.get("violation") or answer.get("reason")) if answer else short
            return f"{model}: {found or 'no answer'} (exit code {code}) instead of {verdict}: {details}"
        found_kind = answer.get("violation", {}).get("kind")
        if kind and found_kind != kind:
            return f"{model}: a violation of kind {found_kind} instead of {kind}: {json.dumps(answer['violation'])}"
    wanted = program.says.get("message")
    if wanted and verdict != "safe" and wanted not in said(answer, errors):
        return f"{model}: \"{wanted}\" is not said, but: {said(answer, errors)[:600]}"
    return None


def check_with_weir(weir, program):
    problems = []
    for model, verdict, kind in program.expectations():
        try:
            problems.append(compare(program, model, verdict, kind, run_weir(weir, program, model)))
        except subprocess.TimeoutExpired:
            problems.append(f"{model}: no answer within {SECONDS} s")
    return [problem for problem in problems if problem]


def check_natively(program):
    """The real compiler and processor must agree with what the program claims about itself."""
    if "native" not in program.says:
        return []
    with tempfile.TemporaryDirectory() as folder:
        binary = os.path.join(folder, "program")
        sources = [str(file) for file in program.files()]
        options = ["-O1", "-w", "-pthread", *program.words("compiler")]
        built = subprocess.run([compiler(program), *options, *sources, "-o", binary, "-lm"],
                               capture_output=True, text=True, timeout=SECONDS)
        if built.returncode != 0:
            return ["does not compile: " + built.stderr[:600]]
        try:
            ran = subprocess.run([binary], capture_output=True, text=True, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return ["the native program does not end"]
    wanted = int(program.says["native"])
    if ran.returncode != wanted:
        return [f"the native program ends with {ran.returncode} instead of {wanted}: {ran.stderr[:300]}"]
    return []


def check(program, arguments):
    problems = [] if arguments.no_native else check_natively(program)
    return problems + ([] if arguments.no_weir else check_with_weir(arguments.weir, program))


def find_programs(arguments):
    paths = []
    for folder in arguments.folders:
        paths += [p for p in sorted(pathlib.Path(folder).glob("*")) if p.suffix in (".c", ".cpp", ".i")]
    return [Program(path) for path in paths if arguments.only in path.name]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weir")
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--only", default="")
    parser.add_argument("--part", type=parts.part, default=parts.WHOLE)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--no-native", action="store_true")
    parser.add_argument("--no-weir", action="store_true")
    arguments = parser.parse_args()
    arguments.weir = os.path.abspath(arguments.weir)
    programs = find_programs(arguments)[arguments.part]
    if arguments.list:
        print("\n".join(f"{program.path.name}: {program.says['expect']}" for program in programs))
        return 0
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for program, problems in zip(programs, pool.map(lambda p: check(p, arguments), programs)):
            failed += bool(problems)
            for problem in problems:
                print(f"{program.path.name}: {problem}", flush=True)
    print(f"{len(programs) - failed} of {len(programs)} programs as expected")
    return 1 if failed or not programs else 0


sys.exit(main())
