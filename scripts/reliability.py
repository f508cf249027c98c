#!/usr/bin/env python3
"""Measures whether limits hold: in each engine and phase, the limit that is asked for against the end of the process.

Usage: reliability.py PATH_TO_WEIR [--write docs/reliability.md] [--timeouts 2,5,20] [--memory 200,1000]

Two runs at a time. With --write the tables replace those in the page. The exit code is 1 if a limit was missed: by more than a second and a
tenth of it, by more than 50 megabytes, or, for signals, by more than half a second.
"""

import argparse
import concurrent.futures
import json
import multiprocessing
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

AT_ONCE = 2  # runs at the same time
LONGEST = 30  # seconds, for a run that is to use all its memory

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

# Few characters that become many.
BOMB = "".join(f"#define {name} {', '.join([part] * 10)}\n" for name, part in zip("ABCDEF", "1ABCDE")) + (
    "int a[] = { " + "F, " * 24 + "};\nint main(void) { return a[0] - 1; }\n")

BIG_OBJECT = "int main(void) { char a[512 << 20]; a[5] = 1; return a[7]; }\n"


def alive():
    """As many registers that are alive at the same time as there are places."""
    count = range(30000)
    return ("int x[4];\nint main(void) {\n" + "".join(f"  int a{i} = x[{i % 4}];\n" for i in count) + "  x[0] = 0"
            + "".join(f" + a{i}" for i in count[::10]) + ";\n" + "".join(f"  x[1] = a{i};\n" for i in count) + "}\n")


def module():
    """A module, not a source: what reads it is LLVM alone."""
    return "@x = global i32 0\ndefine i32 @main() {\n" + "".join(
        f"  %a{i} = load i32, ptr @x\n  %b{i} = add i32 %a{i}, {i}\n  store i32 %b{i}, ptr @x\n" for i in range(600000)
    ) + "  ret i32 0\n}\n"


# Counts until the invariant breaks. `{most}` decides how long the execution is.
COUNT = """weir 1
shared x
shared y
function f()
  register r
  s:
    r := load x -> t
  t:
    store x := r + 1 -> u
  u:
    r := load y -> v
  v:
    store y := r + 1 -> s
end
thread A = f()
thread B = f()
invariant x < {most}
"""

# How far to count, so that the search is over long before so many seconds, and what follows is not.
COUNTED = {2: 20000, 5: 50000, 20: 200000}
REPLAYED = {2: 250000, 5: 600000, 20: 2500000}  # steps

GRAPH_STATES = 200000


def graph():
    """A system without a structure."""
    random = 1
    lines = [f"des (0, {3 * GRAPH_STATES}, {GRAPH_STATES})"]
    for edge in range(3 * GRAPH_STATES):
        random = random * 6364136223846793005 + 1442695040888963407 & (1 << 64) - 1
        lines.append(f'({edge // 3}, "{"abcd"[random >> 62]}", {(random >> 33) % GRAPH_STATES})')
    return "\n".join(lines) + "\n"


def trace():
    """Writes that can be ordered in very many ways, and reads that fit none of them."""
    threads = {f"W{t}": [{"op": "write", "id": f"w{t}{i}", "variable": "x", "value": 10 * t + i} for i in range(9)] for t in range(9)}
    threads["R"] = [{"op": "read", "variable": "x", "value": 10 * t + i, "from": f"w{t}{i}"} for t, i in ((0, 1), (0, 0))]
    return json.dumps({"initial": {"x": 100}, "threads": threads})


def long_replay(weir, folder, steps):
    """A replay file that counts by one thread; of an execution that weir has found only the steps are made longer."""
    (folder / "short.weir").write_text(COUNT.format(most=1))
    subprocess.run([weir, "check", "short.weir", "--witness", "short.json", "-q"], cwd=folder, stdout=subprocess.DEVNULL, check=False)
    replay = json.loads((folder / "short.json").read_text())
    del replay["sha256"]
    rounds = steps // 4
    replay["program"]["text"] = replay["program"]["text"].replace("x < 1\n", f"x < {rounds}\n")
    replay["steps"] = []
    for i in range(rounds):
        value = {"value": i} if i else {}
        replay["steps"] += [{"thread": 0, "edge": 0, **value}, {"thread": 0, "edge": 1, "value": i + 1}]
        if i + 1 < rounds:
            replay["steps"] += [{"thread": 0, "edge": 2, "address": 1, **value}, {"thread": 0, "edge": 3, "address": 1, "value": i + 1}]
    return json.dumps(replay)


def inputs(weir, folder):
    source = pathlib.Path(__file__).resolve().parents[1]
    (folder / "endless.weir").write_text(ENDLESS)
    (folder / "many.imp").write_text(MANY)
    (folder / "bomb.c").write_text(BOMB)
    (folder / "object.c").write_text(BIG_OBJECT)
    (folder / "alive.c").write_text(alive())
    (folder / "module.ll").write_text(module())
    (folder / "graph.aut").write_text(graph())
    (folder / "trace.json").write_text(trace())
    for limit, most in COUNTED.items():
        (folder / f"count{limit}.weir").write_text(COUNT.format(most=most))
        (folder / f"replay{limit}.json").write_text(long_replay(weir, folder, REPLAYED[limit]))
    (folder / "report.json").write_text(long_replay(weir, folder, 80000))
    for threads in (5, 7):
        family = [sys.executable, source / "bench/dual/family.py", "lamport", str(threads), "fenced"]
        (folder / f"mutex{threads}.rmm").write_text(subprocess.run(family, capture_output=True, text=True, check=True).stdout)
    for name in ("array/ticket_lock.cub", "array/german.cub", "lamport5.imp"):
        shutil.copy(source / "examples" / name, folder)
    os.mkfifo(folder / "fifo.imp")
    os.mkfifo(folder / "fifo.c")


# What takes long in each phase, and the command that does it. `{limit}` is the time limit, for inputs that are made for one.
PHASES = [
    ("reading a pipe that nobody writes", ("check", "fifo.imp")),
    ("clang", ("check", "fifo.c")),
    ("LLVM, reading a module", ("check", "module.ll")),
    ("lowering a large C program", ("check", "alive.c")),
    ("search: explicit", ("check", "endless.weir", "--engine", "explicit")),
    ("search: explicit, depth first", ("check", "endless.weir", "--engine", "explicit", "--search", "dfs")),
    ("search: auto", ("check", "endless.weir", "--model", "tso")),
    ("search: lazy", ("check", "endless.weir", "--engine", "lazy", "--model", "tso")),
    ("search: abstraction", ("check", "endless.weir", "--engine", "abstraction", "--model", "tso")),
    ("search: smc", ("check", "many.imp", "--engine", "smc")),
    ("search: dual", ("check", "mutex5.rmm", "--engine", "dual", "--model", "tso")),
    ("search: dual, any number of threads (multisets)", ("check", "mutex5.rmm", "-n", "any", "--model", "tso")),
    ("search: dual, any number of threads, sc", ("check", "mutex7.rmm", "-n", "any", "--model", "sc")),
    ("search: array", ("check", "ticket_lock.cub", "--inference", "never")),
    ("search: instance of an array system", ("check", "german.cub", "-n", "6")),
    ("search: random schedules", ("check", "endless.weir", "--random", "1000000000")),
    ("search: few preemptions", ("check", "endless.weir", "--bound-preemptions", "3")),
    ("robust", ("robust", "mutex5.rmm")),
    ("fence", ("fence", "lamport5.imp")),
    ("fence, for safety", ("fence", "endless.weir", "--for", "safety")),
    ("explore", ("explore", "many.imp")),
    ("explore, with an estimate", ("explore", "many.imp", "--estimate", "--equivalence", "rf")),
    ("explore by values", ("explore", "many.imp", "--equivalence", "rvf")),
    ("outcomes", ("outcomes", "endless.weir")),
    ("consistent", ("consistent", "trace.json", "--algorithm", "naive", "--no-closure")),
    ("fair, of a program", ("fair", "endless.weir", "--request", "s", "--grant", "v")),
    ("fair, of a system", ("fair", "graph.aut", "--pair", "a=>b", "--pair", "c=>d")),
    ("generate", ("generate", "--all", "--size", "9", "--cross-check")),
    ("selfcheck", ("selfcheck",)),
    ("minimisation", ("check", "count{limit}.weir", "--random", "1", "--steps", "100000000")),
    ("replay", ("replay", "replay{limit}.json")),
    ("reports: a page", ("replay", "report.json", "--html", "page{limit}.html")),
]

VALUES = ("--values", "1000000000")  # otherwise the number of values is what ends the search

MEMORY = [
    ("clang", ("check", "bomb.c")),
    ("lowering a large object", ("check", "object.c")),
    ("lowering a large C program", ("check", "alive.c")),
    ("search: explicit", ("check", "endless.weir", "--engine", "explicit", *VALUES)),
    ("search: auto", ("check", "endless.weir", "--model", "tso", *VALUES)),
    ("search: lazy", ("check", "endless.weir", "--engine", "lazy", "--model", "tso", *VALUES)),
    ("search: abstraction", ("check", "endless.weir", "--engine", "abstraction", "--model", "tso", *VALUES)),
    ("search: dual", ("check", "mutex5.rmm", "--engine", "dual", "--model", "tso")),
    ("search: dual, any number of threads (multisets)", ("check", "mutex5.rmm", "-n", "any", "--model", "tso")),
    ("search: array", ("check", "ticket_lock.cub", "--inference", "never")),
    ("search: instance of an array system", ("check", "german.cub", "-n", "6")),
    ("robust", ("robust", "mutex5.rmm")),
    ("fence", ("fence", "lamport5.imp")),
    ("outcomes", ("outcomes", "endless.weir")),
    ("fair, of a program", ("fair", "endless.weir", "--request", "s", "--grant", "v")),
    ("minimisation", ("check", "count20.weir", "--random", "1", "--steps", "100000000")),
    ("replay", ("replay", "replay20.json")),
    ("reports: a page", ("replay", "report.json", "--html", "page.html")),
]


class Measurement:
    def __init__(self, weir, folder):
        self.weir, self.folder, self.missed = weir, folder, []

    def start(self, *arguments):
        """Answers can be long: they go to a file, so that nobody waits for who reads them."""
        out = tempfile.TemporaryFile(dir=self.folder)
        process = subprocess.Popen([self.weir, *arguments, "--json"], cwd=self.folder, stdout=out, stderr=subprocess.DEVNULL)
        return process, out

    def verdict(self, out):
        """Of an object that is whole; its text may be too long to be read as one. And whether time was what ended the run."""
        with out:
            size = out.seek(0, os.SEEK_END)
            out.seek(0)
            begin = out.read(100000).decode(errors="replace")
            out.seek(max(0, size - 10))
            end = out.read().decode(errors="replace")
        found = re.search(r'"verdict": "([\w-]+)"', begin)
        return found[1] if found and end.rstrip().endswith("}") else "no answer", '"reason": "time limit' in begin

    def clock(self, what, command, limit):
        begin = time.monotonic()
        process, out = self.start(*[word.format(limit=limit) for word in command], "--timeout", str(limit))
        process.wait(timeout=10 * limit + 60)
        took = time.monotonic() - begin
        return self.cell(what, f"{took:.2f} s", took <= limit + max(1, limit / 10), self.verdict(out)[0])

    def signal(self, what, command, number):
        process, out = self.start(*[word.format(limit=5) for word in command])
        time.sleep(1)
        begin = time.monotonic()
        process.send_signal(number)
        process.wait(timeout=60)
        took = time.monotonic() - begin
        return self.cell(what, f"{took:.2f} s", took <= 0.5, self.verdict(out)[0])

    def memory(self, what, command, limit):
        process, out = self.start(*command, "--memory", str(limit), "--timeout", str(LONGEST))
        _, _, usage = os.wait4(process.pid, 0)
        process.returncode = 0
        peak = usage.ru_maxrss // 1024
        verdict, late = self.verdict(out)
        return self.cell(what, f"{peak} MB" + (f" in {LONGEST} s" if late else ""), peak <= limit + 50, verdict)

    def cell(self, what, figure, kept, verdict):
        if not kept or verdict == "no answer":
            self.missed.append(what)
        words = "" if verdict == "unknown" else f" ({verdict})"
        return figure + words + ("" if kept else " **missed**")


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "| " + " | ".join(["---"] * len(head)) + " |"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def fifty_kills(weir):
    """Every search with checkpoints is killed and resumed fifty times; prints a line for each."""
    test = pathlib.Path(__file__).parents[1] / "tests/cli/checkpoint_test.py"
    run = subprocess.run([sys.executable, str(test), str(weir.absolute()), "Kills"], check=False,
                         env={**os.environ, "KILLS": "50"})
    return ["kills and resumes"] if run.returncode else []


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("weir", type=pathlib.Path)
    parser.add_argument("--write", type=pathlib.Path)
    parser.add_argument("--timeouts", default="2,5,20")
    parser.add_argument("--memory", default="200,1000")
    parser.add_argument("--only", default="", help="only phases whose name has this in it, for trying")
    options = parser.parse_args()
    timeouts = [int(word) for word in options.timeouts.split(",")]
    sizes = [int(word) for word in options.memory.split(",")]
    has_c = shutil.which("clang-19") is not None
    usable = lambda phase: options.only in phase[0] and (has_c or not any(word.endswith((".c", ".ll")) for word in phase[1]))  # noqa: E731
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        weir = str(options.weir.absolute())
        maker = multiprocessing.Process(target=inputs, args=(weir, folder))  # what it needs would count as what weir needs
        maker.start()
        maker.join()
        measure = Measurement(weir, folder)

        def ends(phase):
            what, command = phase
            cells = [measure.clock(f"{what}, --timeout {limit}", command, limit) for limit in timeouts]
            cells += [measure.signal(f"{what}, {number.name}", command, number) for number in (signal.SIGINT, signal.SIGTERM)]
            print(" | ".join([what, *cells]), flush=True)
            return [what, *cells]

        def peaks(phase):
            what, command = phase
            row = [what, *(measure.memory(f"{what}, --memory {limit}", command, limit) for limit in sizes)]
            print(" | ".join(row), flush=True)
            return row

        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            rows = list(pool.map(ends, filter(usable, PHASES)))
            text = table(["phase", *(f"`--timeout {limit}`" for limit in timeouts), "SIGINT", "SIGTERM"], rows)
            rows = list(pool.map(peaks, filter(usable, MEMORY)))
            text += "\n" + table(["phase", *(f"`--memory {limit}`" for limit in sizes)], rows)
    if options.write:
        page = options.write.read_text(encoding="utf-8")
        page = re.sub(r"(<!-- tables[^\n]*-->\n).*(<!-- end of tables -->)", lambda m: m[1] + text + m[2], page, flags=re.DOTALL)
        options.write.write_text(page, encoding="utf-8")
    measure.missed += fifty_kills(options.weir)
    for what in measure.missed:
        print(f"missed: {what}", file=sys.stderr)
    return 1 if measure.missed else 0


if __name__ == "__main__":
    sys.exit(main())
