#!/usr/bin/env python3
"""Checks harnesses for libraries that Debian ships, against the headers that are installed.

Usage: wild.py PATH_TO_WEIR [--only TEXT] [--seconds N] [--memory MB] [--write docs/wild.md]

A harness says in comments before its first line of code:

  // expect: sc safe, tso safe               the verdicts
  // package: libck-dev                      where its headers come from
  // compiler: -DN=1                         more options of the compiler
  // defect: FILE | TEXT | OTHER | MODEL     the same with a copy of FILE in which TEXT is OTHER: must be unsafe under MODEL

Only wrong answers, and defects that are not found, make it fail. What could not be decided is in the table, with the reason.
"""

import argparse
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).parent
INCLUDES = ["/usr/include", "/usr/include/x86_64-linux-gnu", "/usr/include/dpdk", "/usr/include/x86_64-linux-gnu/dpdk"]
TAIL = """
What stays unknown:

- `boost_spinlock.cpp`, `boost_atomic_shared_ptr.cpp`: Boost's back-off counts its rounds, and the counts tell states apart.
- `dpdk_spinlock.c`: its lock is assembly with jumps. `dpdk_spinlock_recursive.c` takes the one in C (`RTE_FORCE_INTRINSICS`).

What gives no harness: the headers of `libcds-dev` and `libatomic-queue-dev` want another version of Boost than Debian installs beside
the others; `libnsync-dev` and `musl-dev` have no source; the slow paths of `libabsl-dev` are in the library; the files of `linux-source` want a kernel
around them.
"""

HEAD = """# Code as it is in the wild

Written by `make wild`. Harnesses in [tests/wild](../tests/wild) use libraries that Debian 12 ships, unchanged, with two threads, and assert
what a user would. Every line is one harness under one memory model; a defect is put into a copy of the header when the harness is checked.
"""


class Harness:
    def __init__(self, path):
        self.path = path
        self.says = {"defect": []}
        for line in path.read_text(encoding="utf-8").splitlines():
            match = re.match(r"// (\w+): (.*)", line)
            if not match:
                break
            if match[1] == "defect":
                self.says["defect"].append(match[2])
            else:
                self.says[match[1]] = match[2].strip()

    def expectations(self):
        return [tuple(part.split()) for part in self.says["expect"].split(",")]

    def compiler(self):
        return shlex.split(self.says.get("compiler", ""))


def installed(name):
    """The folder of the system in which the header is."""
    for folder in INCLUDES:
        if (pathlib.Path(folder) / name).exists():
            return pathlib.Path(folder)
    raise SystemExit(f"{name} is not installed: scripts/setup.sh wild")


def put_in(defect, folder):
    """Lets the compiler see another header in place of the one that is installed; returns its options, and the model."""
    name, old, new, model = [part.strip() for part in re.split(r" \|(?= )", defect)]
    header = installed(name) / name
    text = header.read_text(encoding="utf-8", errors="replace")
    if old not in text:
        raise SystemExit(f"{name} has no `{old}` any more")
    changed = pathlib.Path(folder) / header.name
    changed.write_text(text.replace(old, new), encoding="utf-8")
    entry = {"type": "file", "name": header.name, "external-contents": str(changed)}
    overlay = pathlib.Path(folder) / "overlay.yaml"
    overlay.write_text(json.dumps({"version": 0, "roots": [
        {"type": "directory", "name": str(header.parent), "contents": [entry]}]}), encoding="utf-8")
    return ["-ivfsoverlay", str(overlay)], model


def ask(arguments, harness, model, more=()):
    command = [arguments.weir, "check", "--json", "--model", model, "--timeout", str(arguments.seconds),
               "--memory", str(arguments.memory), str(harness.path), "--", *more, *harness.compiler()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=10 * arguments.seconds)
    try:
        return json.loads(done.stdout)
    except ValueError:
        said = [line for line in done.stderr.splitlines() if "error" in line] or done.stderr.splitlines()
        return {"verdict": "not loaded", "reason": said[0] if said else f"exit code {done.returncode}"}


def first_sentence(text):
    return re.sub(r"\s+", " ", text).replace("|", "\\|")[:160]


def row(name, model, wanted, answer):
    stats = answer.get("stats", {})
    remark = "" if answer["verdict"] == wanted else first_sentence(str(answer.get("reason") or ""))
    assumed = answer.get("assumptions") or []
    if assumed and not remark:
        remark = "assuming that " + "; ".join(map(str, assumed))
    return (name, model, answer["verdict"], stats.get("states", ""), f"{stats.get('seconds', 0):.1f}",
            f"{stats.get('peak_mb', 0):.0f}", answer.get("engine", ""), remark)


def check(arguments, harness):
    rows, wrong = [], []
    name = harness.path.name
    for model, wanted in harness.expectations():
        answer = ask(arguments, harness, model)
        rows.append(row(name, model, wanted, answer))
        if answer["verdict"] in ("safe", "unsafe") and answer["verdict"] != wanted:
            wrong.append(f"{name}: {answer['verdict']} under {model}: {answer.get('violation', {}).get('message')}")
    for defect in harness.says["defect"]:
        with tempfile.TemporaryDirectory() as folder:
            options, model = put_in(defect, folder)
            answer = ask(arguments, harness, model, options)
        rows.append(row(f"{name} with a defect in {defect.split(' | ')[0]}", model, "unsafe", answer))
        if answer["verdict"] != "unsafe":
            wrong.append(f"{name}: the defect is not found ({answer['verdict']}, {answer.get('reason')}): {defect}")
    return rows, wrong


def summary(rows):
    plain = [r for r in rows if " with a defect" not in r[0]]
    defects = [r for r in rows if " with a defect" in r[0]]
    loaded = sum(r[2] != "not loaded" for r in plain)
    decided = sum(r[2] in ("safe", "unsafe") for r in plain)
    found = sum(r[2] == "unsafe" for r in defects)
    return (f"{len({r[0] for r in plain})} harnesses, {len(plain)} questions: {loaded} loaded, {decided} decided; "
            f"{found} of {len(defects)} defects found.")


def page(arguments, rows):
    lines = [HEAD, f"At most {arguments.seconds} seconds and {arguments.memory} MB each. {summary(rows)}\n",
             "| harness | model | verdict | states | seconds | MB | engine | remarks |",
             "| --- | --- | --- | ---: | ---: | ---: | --- | --- |"]
    lines += ["| " + " | ".join(map(str, r)) + " |" for r in rows]
    return "\n".join(lines) + "\n" + TAIL


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weir")
    parser.add_argument("--only", default="")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--memory", type=int, default=4096)
    parser.add_argument("--write", type=pathlib.Path)
    arguments = parser.parse_args()
    arguments.weir = str(pathlib.Path(arguments.weir).resolve())
    rows, wrong = [], []
    for path in sorted(FOLDER.glob("*.c*")):
        if arguments.only not in path.name:
            continue
        found, mistakes = check(arguments, Harness(path))
        rows += found
        wrong += mistakes
        for line in found:
            print("  ".join(map(str, line)), flush=True)
    for mistake in wrong:
        print(mistake, file=sys.stderr)
    print(summary(rows))
    if arguments.write:
        arguments.write.write_text(page(arguments, rows), encoding="utf-8")
    return 1 if wrong or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
