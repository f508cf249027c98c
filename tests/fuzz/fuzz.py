#!/usr/bin/env python3
"""Drives weir's command line with libFuzzer, one front end after the other.

Usage: fuzz.py PATH_TO_COMMAND_LINE_FUZZ SOURCE_DIR RUN_FOLDER [--front NAME]... [--runs N] [--seconds N]

Seeds are the examples and test programs of each language, and tests/fuzz/corpus; each is given as it is, and with bytes behind it
that choose commands and options. Words for the mutations are those of the seeds. What libFuzzer finds interesting is kept in
RUN_FOLDER/NAME/corpus, so that a second run goes on where the first one ended; an input that fails is left in RUN_FOLDER/NAME.
The exit code is 1 if there is one.
"""

import argparse
import pathlib
import random
import re
import subprocess
import sys
import time

LARGEST_SEED = 6000
MOST_SEEDS = 60
MOST_WORDS = 300

# Each front end: the suffix of its inputs, and the folders they are in.
FRONTS = {
    "imp": (".imp", ("examples", "bench")),
    "rmm": (".rmm", ("examples", "bench")),
    "trencher": (".trn", ("examples", "tests/programs", "bench")),
    "weir": (".weir", ("tests/programs", "examples")),
    "litmus": (".litmus", ("examples",)),
    "array": (".cub", ("examples", "bench")),
    "aut": (".aut", ()),
    "tra": (".tra", ()),
    "pairs": (".pairs", ()),
    "automaton": (".hoa", ()),
    "consistency": (".json", ("examples/consistency",)),
    "replay": (".json", ()),
    "llvm": (".ll", ()),
    "c": (".c", ("examples/c", "tests/programs/smc")),
    "arguments": (".txt", ()),
}
OPTIONS = (f"-max_len={LARGEST_SEED + 20}", "-timeout=60", "-rss_limit_mb=6000", "-close_fd_mask=3", "-dict=words", "-artifact_prefix=./",
           "-print_final_stats=1", "-reload=0")
TEXT_RUNS, LLVM_RUNS, C_RUNS = 1_000_000, 100_000, 10_000


def seeds_of(source, front):
    suffix, folders = FRONTS[front]
    found = sorted((source / "tests/fuzz/corpus" / front).glob("*")) if (source / "tests/fuzz/corpus" / front).is_dir() else []
    for folder in folders:
        found += sorted(path for path in (source / folder).rglob("*" + suffix) if path.stat().st_size <= LARGEST_SEED)
    step = max(1, len(found) // MOST_SEEDS)
    return [path.read_bytes() for path in found[::step]]


def write_seeds(folder, seeds):
    """Each seed as it is, and three times with bytes that choose a command and options."""
    folder.mkdir(parents=True, exist_ok=True)
    choice = random.Random(1)
    for number, seed in enumerate(seeds):
        (folder / f"{number}").write_bytes(seed)
        for variant in range(3):
            (folder / f"{number}-{variant}").write_bytes(seed + b"\0" + bytes(choice.randrange(1, 256) for _ in range(1 + 3 * variant)))


def write_words(path, seeds):
    words = {}
    for seed in seeds:
        for word in re.findall(rb"[A-Za-z_]\w*|[^\w\s]{1,3}|\d+", seed):
            words[word] = words.get(word, 0) + 1
    often = sorted(words, key=lambda word: (-words[word], word))[:MOST_WORDS]
    path.write_text("".join('"' + "".join(f"\\x{byte:02x}" for byte in word) + '"\n' for word in often))


def fuzz(command, folder, runs, seconds):
    """One process of libFuzzer: what it says at its end."""
    with open(folder / "log", "w", encoding="utf-8", errors="replace") as log:
        code = subprocess.run([*command, f"-runs={runs}", f"-max_total_time={seconds}", *OPTIONS, "corpus", "seeds"], cwd=folder,
                              stdout=log, stderr=log, check=False).returncode
    text = (folder / "log").read_text(encoding="utf-8", errors="replace")
    executed = [int(number) for number in re.findall(r"^#(\d+)\t", text, re.M)]
    covered = [int(number) for number in re.findall(r"cov: (\d+)", text)]
    return code, max(executed, default=0), max(covered, default=0)


def is_late_again(command, folder):
    """A run that took longer than it may, on a machine that has other things to do, is tried alone."""
    for _ in range(3):
        (folder / "overdue-command").unlink()
        again = subprocess.run([*command, "-close_fd_mask=3", "overdue-input"], cwd=folder, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, check=False)
        if again.returncode == 0:
            return False
    return True


def run(binary, source, folder, front, runs, seconds):
    folder.mkdir(parents=True, exist_ok=True)
    seeds = seeds_of(source, front)
    write_seeds(folder / "seeds", seeds)
    write_words(folder / "words", seeds)
    (folder / "corpus").mkdir(exist_ok=True)
    command = [str(binary), f"--front={front}"]
    done, late, edges, failed, begin = 0, 0, 0, False, time.monotonic()
    while not failed and done < runs and (seconds == 0 or time.monotonic() - begin < seconds):
        left = max(1, int(seconds - (time.monotonic() - begin))) if seconds else 0
        code, executed, covered = fuzz(command, folder, runs - done, left)
        done, edges = done + max(1, executed), max(edges, covered)
        if code != 0 and (folder / "overdue-command").exists():
            late += 1
            failed = is_late_again(command, folder)
        else:
            failed = code != 0
    took = time.monotonic() - begin
    print(f"{front:12} {done:>8} inputs in {took:5.0f} s, {done / took:5.0f} per second, {edges:>6} edges covered"
          + (f", {late} late but not again" if late and not failed else "") + (f": FAILED, see {folder}" if failed else ""), flush=True)
    return not failed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--front", action="append", choices=FRONTS)
    parser.add_argument("--runs", type=int, help="by default a million, and fewer where a compiler or LLVM is started for each")
    parser.add_argument("--seconds", type=int, default=0, help="for each front end; 0: as long as it takes")
    options = parser.parse_args()
    usual = {"c": C_RUNS, "llvm": LLVM_RUNS}
    good = [run(options.binary.resolve(), options.source.resolve(), options.folder.resolve() / front, front,
                options.runs or usual.get(front, TEXT_RUNS), options.seconds) for front in options.front or FRONTS]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
