#!/usr/bin/env python3
"""Measures whether limits hold: in each engine and phase, the limit that is asked for against the end of the process.

Usage: reliability.py PATH_TO_WEIR [--write docs/reliability.md] [--timeouts 2,5,20] [--memory 200,1000]

With --write the tables replace those in the page. The exit code is 1 if a limit was missed: by more than a second and a
tenth of it, by more than 50 megabytes, or, for signals, by more than half a second.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ENDLESS = """weir 1
shared x
shared y
function f(me)
  register r
  s:
    r := load x -> t
  t:
    store x := r * 3 + me -> u
  u:
    r := load y -> v
  v:
    store y := r * 5 - me -> s
end
thread A = f(1)
thread B = f(2)
invariant x * 0 == 0
"""

MANY = "program many\nvariables x = 0\n" + "".join(
    f"process W{i} begin\n  x := {i};\n  x := {i}\nend\n" for i in range(6)) + "".join(
    f"process R{i} begin\n  local r := 0;\n  r := x;\n  r := x\nend\n" for i in range(10))

LARGE = "int x[64];\nint main(void) {\n" + "".join(
    f"  x[{i % 64}] = x[{(i * 7) % 64}] + {i};\n" for i in range(60000)) + "}\n"

# Few characters that become many.
BOMB = "".join(f"#define {name} {', '.join([part] * 10)}\n" for name, part in zip("ABCDEF", "1ABCDE")) + (
    "int a[] = { F, F, F, F, F };\nint main(void) { return a[0] - 1; }\n")

BIG_OBJECT = "int main(void) { char a[512 << 20]; a[5] = 1; return a[7]; }\n"


def inputs(folder):
    (folder / "endless.weir").write_text(ENDLESS)
    (folder / "many.imp").write_text(MANY)
    (folder / "large.c").write_text(LARGE)
    (folder / "bomb.c").write_text(BOMB)
    (folder / "object.c").write_text(BIG_OBJECT)
    os.mkfifo(folder / "fifo.imp")
    os.mkfifo(folder / "fifo.c")


# What takes long in each phase, and the command that does it.
PHASES = [
    ("reading a pipe that nobody writes", ("check", "fifo.imp")),
    ("clang", ("check", "fifo.c")),
    ("lowering a large C program", ("check", "large.c")),
    ("search: explicit", ("check", "endless.weir", "--engine", "explicit")),
    ("search: auto", ("check", "endless.weir", "--model", "tso")),
    ("search: lazy", ("check", "endless.weir", "--engine", "lazy", "--model", "tso")),
    ("search: abstraction", ("check", "endless.weir", "--engine", "abstraction", "--model", "tso")),
    ("search: smc", ("check", "many.imp", "--engine", "smc")),
    ("explore", ("explore", "many.imp")),
    ("explore, with an estimate", ("explore", "many.imp", "--estimate", "--equivalence", "rf")),
    ("explore by values", ("explore", "many.imp", "--equivalence", "rvf")),
    ("outcomes", ("outcomes", "endless.weir")),
    ("generate", ("generate", "--all", "--size", "9", "--cross-check")),
]

MEMORY = [
    ("clang", ("check", "bomb.c")),
    ("lowering a large object", ("check", "object.c")),
    ("search: explicit", ("check", "endless.weir", "--engine", "explicit")),
    ("search: auto", ("check", "endless.weir", "--model", "tso")),
    ("search: lazy", ("check", "endless.weir", "--engine", "lazy", "--model", "tso")),
    ("outcomes", ("outcomes", "endless.weir")),
]


class Measurement:
    def __init__(self, weir, folder):
        self.weir, self.folder, self.missed = weir, folder, []

    def start(self, *arguments):
        return subprocess.Popen([self.weir, *arguments, "--json"], cwd=self.folder, stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL, text=True)

    def verdict(self, text):
        try:
            return json.loads(text)["verdict"]
        except (ValueError, KeyError):
            return "no answer"

    def clock(self, what, command, limit):
        begin = time.monotonic()
        process = self.start(*command, "--timeout", str(limit))
        out, _ = process.communicate(timeout=10 * limit + 60)
        took = time.monotonic() - begin
        return self.cell(what, f"{took:.2f} s", took <= limit + max(1, limit / 10), self.verdict(out))

    def signal(self, what, command, number):
        process = self.start(*command)
        time.sleep(1)
        begin = time.monotonic()
        process.send_signal(number)
        out, _ = process.communicate(timeout=60)
        took = time.monotonic() - begin
        return self.cell(what, f"{took:.2f} s", took <= 0.5, self.verdict(out))

    def memory(self, what, command, limit):
        process = self.start(*command, "--memory", str(limit), "--timeout", "120")
        out = process.stdout.read()
        _, _, usage = os.wait4(process.pid, 0)
        peak = usage.ru_maxrss // 1024
        return self.cell(what, f"{peak} MB", peak <= limit + 50, self.verdict(out))

    def cell(self, what, figure, kept, verdict):
        if not kept or verdict == "no answer":
            self.missed.append(what)
        words = "" if verdict == "unknown" else f" ({verdict})"
        return figure + words + ("" if kept else " **missed**")


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "| " + " | ".join(["---"] * len(head)) + " |"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("weir", type=pathlib.Path)
    parser.add_argument("--write", type=pathlib.Path)
    parser.add_argument("--timeouts", default="2,5,20")
    parser.add_argument("--memory", default="200,1000")
    options = parser.parse_args()
    timeouts = [int(word) for word in options.timeouts.split(",")]
    sizes = [int(word) for word in options.memory.split(",")]
    has_c = shutil.which("clang-19") is not None
    usable = lambda command: has_c or not any(word.endswith(".c") for word in command)  # noqa: E731
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        inputs(folder)
        measure = Measurement(str(options.weir.absolute()), folder)
        rows = []
        for what, command in filter(lambda phase: usable(phase[1]), PHASES):
            cells = [measure.clock(f"{what}, --timeout {limit}", command, limit) for limit in timeouts]
            cells += [measure.signal(f"{what}, {number.name}", command, number) for number in (signal.SIGINT, signal.SIGTERM)]
            rows.append([what, *cells])
            print(" | ".join(rows[-1]), flush=True)
        text = table(["phase", *(f"`--timeout {limit}`" for limit in timeouts), "SIGINT", "SIGTERM"], rows)
        rows = []
        for what, command in filter(lambda phase: usable(phase[1]), MEMORY):
            rows.append([what, *(measure.memory(f"{what}, --memory {limit}", command, limit) for limit in sizes)])
            print(" | ".join(rows[-1]), flush=True)
        text += "\n" + table(["phase", *(f"`--memory {limit}`" for limit in sizes)], rows)
    if options.write:
        page = options.write.read_text(encoding="utf-8")
        page = re.sub(r"(<!-- tables[^\n]*-->\n).*(<!-- end of tables -->)", lambda m: m[1] + text + m[2], page, flags=re.DOTALL)
        options.write.write_text(page, encoding="utf-8")
    for what in measure.missed:
        print(f"missed: {what}", file=sys.stderr)
    return 1 if measure.missed else 0


if __name__ == "__main__":
    sys.exit(main())
