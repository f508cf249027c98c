#!/usr/bin/env python3
"""Programs on which an engine was once wrong: all engines agree about each, and give the answers that it promises.

Usage: selfcheck_corpus_test.py PATH_TO_WEIR FOLDER

A program promises in comments before its first line:

  // expect: sc safe, tso unsafe, pso unsafe
  // explore tso mazurkiewicz 6 0        (executions that end, and that block)
"""
import json
import pathlib
import re
import subprocess
import sys

SECONDS = 300


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=SECONDS)


def answer(*command):
    done = run(*command, "--json", "-q")
    if not done.stdout:
        raise ValueError(f"exit code {done.returncode}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def problems(weir, path):
    """What is wrong with one program, as sentences."""
    text = path.read_text(encoding="utf-8")
    promised = re.search(r"expect: (.*)", text)
    if not promised:
        yield "no `expect:` line"
        return
    for model, verdict in re.findall(r"(sc|tso|pso) (safe|unsafe)", promised[1]):
        found = answer(weir, "check", path, "--model", model)["verdict"]
        if found != verdict:
            yield f"{model}: {found} instead of {verdict}"
    for model, equivalence, ending, blocked in re.findall(r"// explore (\w+) (\w+) (\d+) (\d+)", text):
        found = answer(weir, "explore", path, "--model", model, "--equivalence", equivalence)
        if (found["traces"], found["blocked"]) != (int(ending), int(blocked)):
            yield f"{model} {equivalence}: {found['traces']} and {found['blocked']} instead of {ending} and {blocked}"


def main():
    weir, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    programs = sorted(path for path in folder.iterdir() if path.suffix in (".weir", ".imp", ".trn", ".c", ".cub"))
    wrong = 0
    for path in programs:
        for problem in problems(weir, path):
            print(f"{path.name}: {problem}")
            wrong += 1
    together = run(weir, "selfcheck", *programs, "-q")
    print(together.stdout + together.stderr, end="")
    print(f"{len(programs)} programs, {wrong} broken promises")
    return 1 if wrong or together.returncode != 0 or not programs else 0


sys.exit(main())
