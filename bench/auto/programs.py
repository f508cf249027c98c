#!/usr/bin/env python3
"""The programs on which `auto` is measured, each with the models that it is asked about.

    bench/auto/programs.py FOLDER [BUILD_FOLDER]

Writes them into a folder for each set of models (sc, sc-tso, sc-tso-pso, tso): programs of examples/, bench/ and tests/programs as
they are, and generated ones of growing size. Prints how many there are. Programs in C that come in sizes are a line that
includes the source, with the definitions in front. With a build folder there are instances of array systems, too.
"""
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HERE = ROOT / "bench" / "auto" / "programs"
VALUES = ROOT / "bench" / "values"
SMC = ROOT / "tests" / "programs" / "smc"

ALL, BOTH, SC, TSO = "sc-tso-pso", "sc-tso", "sc", "tso"

# (source, macro, sizes, models)
SIZED_C = [
    (HERE / "ring-cached-indices.c", "ITEMS", (2, 3, 4, 6, 8), ALL),
    (HERE / "queue-of-blocks.c", "ITEMS", (2, 3, 4, 5, 6), ALL),
    (HERE / "circular-buffer.cpp", "PRODUCERS", (1, 2, 3), BOTH),
    (HERE / "chase-lev-exclusion.c", "THIEVES", (1, 2, 3), BOTH),
    (HERE / "hazard-pointers.c", "VERSIONS", (1, 2, 3, 4), BOTH),
    (HERE / "file-system.c", "THREADS", (8, 12, 14, 16, 18), SC),
    (HERE / "readers.c", "READERS", (6, 8, 10, 12, 14), BOTH),
    (HERE / "indexers.c", "THREADS", (8, 11, 12, 13), SC),
    (VALUES / "readers.c", "N", (4, 6, 8, 10), BOTH),
    (VALUES / "ticket_lock.c", "N", (3, 4, 5, 6), BOTH),
    (VALUES / "fib.c", "N", (2, 3, 4, 5), BOTH),
    (VALUES / "last_zero.c", "N", (4, 6, 8, 10), BOTH),
    (VALUES / "casrot.c", "N", (3, 4, 5, 6), SC),
    (VALUES / "sigma.c", "N", (3, 4, 5, 6), BOTH),
    (VALUES / "singleton.c", "N", (4, 6, 8, 10), BOTH),
    (VALUES / "eratosthenes.c", "N", (8, 16, 24), SC),
    (VALUES / "lis_bu.c", "N", (3, 4, 5), SC),
    (VALUES / "rod_cut_bu.c", "N", (3, 4, 5), SC),
    (VALUES / "coin_all_td.c", "N", (3, 4, 5), SC),
    (VALUES / "unverif.c", "N", (2, 3, 4, 5), BOTH),
    (VALUES / "float_read.c", "N", (4, 6, 8, 10), BOTH),
    (VALUES / "fkp2013.c", "N", (2, 3, 4), BOTH),
    (VALUES / "redundant_co.c", "N", (3, 4, 5), BOTH),
    (VALUES / "reorder.c", "N", (2, 3, 4, 5), BOTH),
    (VALUES / "stack.c", "N", (4, 6, 8), BOTH),
    (VALUES / "opt_lock.c", "N", (1, 2, 3), BOTH),
    (VALUES / "monabsex.c", "N", (3, 4, 5, 6), BOTH),
]

# (family of bench/robustness/families.py, sizes, models)
ROBUSTNESS = [("lamport", (2, 3, 4), ALL), ("dekker_branching", (4, 8, 16, 32), ALL),
              ("dekker_unwinding", (3, 5, 8, 12), ALL), ("barrier", (2, 3, 4), ALL),
              ("two_phase_commit", (2, 4, 6), BOTH), ("ticket", (2, 3), BOTH), ("bakery", (2, 3), BOTH)]

# (family of bench/dual/family.py, whether with fences, sizes, models)
DUAL = [("sb", False, (3, 5, 7, 9), BOTH), ("sb", True, (3, 5, 7, 9), BOTH), ("lb", False, (3, 5, 7, 9), BOTH),
        ("mp", False, (3, 5, 7), BOTH), ("iriw", False, (4, 6, 8), BOTH), ("mutex", False, (2, 3, 4), BOTH),
        ("mutex", True, (2, 3, 4), BOTH), ("tas", False, (3, 5, 7), BOTH), ("ttas", False, (3, 5, 7), BOTH),
        ("spinlock", False, (3, 4, 5), BOTH), ("ticket", False, (3, 4, 5), BOTH), ("lamport", False, (2, 3), BOTH),
        ("lamport", True, (2, 3), BOTH), ("burns", False, (2, 3, 4), BOTH), ("burns", True, (2, 3, 4), BOTH),
        ("nbw", False, (2, 3, 4), BOTH), ("barrier", False, (2, 3, 4), BOTH), ("arbiter", False, (2, 3, 4), BOTH),
        ("commit", False, (2, 3, 4), BOTH)]

# (file, models)
AS_THEY_ARE = [(ROOT / "examples", "*.imp", ALL), (ROOT / "examples", "*.trn", ALL), (ROOT / "examples", "*.rmm", BOTH),
               (ROOT / "examples" / "c", "*.c", ALL), (ROOT / "bench" / "robustness", "*.trn", BOTH),
               (ROOT / "bench" / "dual", "*.rmm", BOTH), (ROOT / "tests" / "programs" / "abstraction", "*.trn", TSO),
               (HERE, "*.imp", BOTH)]

# (system, numbers of processes)
ARRAY = [("moesi.cub", (3, 5, 7, 9)), ("mesi.cub", (4, 8)), ("german.cub", (2, 3)), ("szymanski.cub", (2, 3, 4))]


class Writer:
    def __init__(self, folder):
        self.folder, self.count = pathlib.Path(folder), 0

    def write(self, models, name, text):
        path = self.folder / models / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        self.count += len(models.split("-"))


def printed(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True).stdout


def sized_c(writer):
    for source, macro, sizes, models in SIZED_C:
        for size in sizes:
            writer.write(models, f"{source.parent.name}-{source.stem}-{size}{source.suffix}",
                         f"// compiler: -D{macro}={size}\n#include \"{source}\"\n")


def families(writer):
    for family, sizes, models in ROBUSTNESS:
        for size in sizes:
            text = printed(sys.executable, ROOT / "bench" / "robustness" / "families.py", family, size)
            writer.write(models, f"{family}-{size}.trn", without_promises(text))
    for family, fenced, sizes, models in DUAL:
        for size in sizes:
            words = ["fenced"] if fenced else []
            text = printed(sys.executable, ROOT / "bench" / "dual" / "family.py", family, size, *words)
            writer.write(models, f"{family}{'-fenced' * fenced}-{size}.rmm", without_promises(text))


def without_promises(text):
    """What a file says about verdicts and options is left to the suites: here only times are compared."""
    lines = [line for line in text.splitlines() if "expect" not in line or not line.startswith(("#", "//"))]
    return "\n".join(lines) + "\n"


def as_they_are(writer):
    for folder, pattern, models in AS_THEY_ARE:
        for path in sorted(folder.glob(pattern)):
            text = path.read_text()
            if path.suffix == ".c":
                text = f"#include \"{path}\"\n"
            writer.write(models, f"{folder.parent.name}-{folder.name}-{path.name}", without_promises(text))


def instances(writer, weir):
    for system, numbers in ARRAY:
        for path in (ROOT / "examples" / "array" / system, ROOT / "bench" / "array" / system):
            for number in numbers if path.exists() else ():
                writer.write(BOTH, f"{path.stem}-{number}.weir",
                             printed(weir, "convert", path, "--to", "weir", "--processes", number))


def main(folder, build=None):
    writer = Writer(folder)
    sized_c(writer)
    families(writer)
    as_they_are(writer)
    if build:
        instances(writer, pathlib.Path(build) / "weir")
    print(writer.count, "questions")


if __name__ == "__main__":
    main(*sys.argv[1:])
