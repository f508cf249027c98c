#!/usr/bin/env python3
"""Nothing is lost: a search that is killed again and again and resumed answers what it would have answered.

Usage: checkpoint_test.py PATH_TO_WEIR [SOURCE_DIR] [OPTIONS OF UNITTEST]

Each search is run once without being disturbed, and once with `kill -9` at random moments: some as soon as there is a
new checkpoint, some after a random time, in which a process may be loading, searching or writing. When there were
enough kills, the search goes on to its end, and its whole answer must be the same. How far a process comes before it
is killed depends on the machine; what comes out in the end does not.

KILLS=50 in the environment means that many kills for each search, and a line with what was done for each.
"""

import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest

WEIR = os.path.abspath(sys.argv.pop(1))
SOURCE = pathlib.Path(sys.argv.pop(1) if sys.argv[1:] and "/" in sys.argv[1] else pathlib.Path(__file__).parents[2]).absolute()
KILLS = int(os.environ.get("KILLS", "3"))
MANY = KILLS > 10
INTERVAL = "0.03"
GENEROUS = 120  # seconds

EXAMPLES = SOURCE / "examples"



def counters(largest):
    """Threads that count, each for itself."""
    threads = [f"process {name.upper()} begin\n  while {name} < {largest} do {name} := {name} + 1 od\nend\n"
               for name in "xyz"]
    return "program counters\nvariables x = 0, y = 0, z = 0\n" + "".join(threads)


def sharing(*rounds):
    """Threads that read and write the same variables, each so many times."""
    text = "program sharing\nvariables x = 0, y = 0\n"
    for thread, count in enumerate(rounds, 1):
        body = [f"x := x + {thread};\n  if y = {i} then y := y + {thread} fi" for i in range(count)]
        text += f"process P{thread} begin\n  " + ";\n  ".join(body) + "\nend\n"
    return text


def mutex(threads):
    """Lamport's fast mutex with fences, as a system of any number of each thread."""
    command = [sys.executable, SOURCE / "bench/dual/family.py", "lamport", str(threads), "fenced"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


PROGRAMS = {"counters.imp": counters(45), "sharing.imp": sharing(2, 2, 1), "sharing_more.imp": sharing(2, 2, 2), "mutex.rmm": mutex(4)}


def explore(equivalence, *options):
    return (["explore", "sharing.imp", "--equivalence", equivalence, *options],
            ["explore", "sharing_more.imp", "--equivalence", equivalence, *options])


# What is asked: briefly, and at length for many kills. Those that have only the second are not asked briefly.
SEARCHES = {
    "explicit": (
        ["check", EXAMPLES / "lamport4_fenced.imp", "--engine", "explicit"],
        ["check", EXAMPLES / "lamport4_fenced.imp", "--engine", "explicit", "--model", "tso"]),
    "explicit, depth-first": (
        None, ["check", EXAMPLES / "lamport4_fenced.imp", "--search", "dfs", "--model", "tso", "--buffer", "3"]),
    "explicit, in rounds": (
        ["check", EXAMPLES / "lamport3_fenced.imp", "--search", "dfs", "--model", "tso"],
        ["check", EXAMPLES / "lamport3_fenced.imp", "--search", "dfs", "--model", "tso", "--reduction", "none"]),
    "explicit, every instruction": (
        None, ["check", EXAMPLES / "lamport3_fenced.imp", "--reduction", "none", "--model", "tso"]),
    "explicit, local-first": (
        None, ["check", EXAMPLES / "lamport3_fenced.imp", "--reduction", "local-first", "--model", "tso"]),
    "explicit, local-first, depth-first": (
        None, ["check", EXAMPLES / "lamport3_fenced.imp", "--reduction", "local-first", "--search", "dfs",
               "--no-symmetry"]),
    "explicit, a violation": (
        ["check", "counters.imp", "--invariant", "x + y + z < 60"],
        ["check", "counters.imp", "--invariant", "x + y + z < 130"]),
    "explore, mazurkiewicz": (None, explore("mazurkiewicz", "--jobs", "1")[1]),
    "explore, observers": (None, explore("observers", "--jobs", "2")[1]),
    "explore, rf": explore("rf", "--jobs", "2"),
    "explore, rf, tso": (None, explore("rf", "--jobs", "3", "--model", "tso")[0]),
    "explore, dc": (None, explore("dc")[1]),
    "explore, vc": (None, explore("vc")[1]),
    "explore, rvf": explore("rvf"),
    "explore, rvf, tso": (None, explore("rvf", "--model", "tso")[0]),
    "smc": (None, ["check", "sharing_more.imp", "--engine", "smc"]),
    "dual": (
        ["check", EXAMPLES / "lamport3_fenced.imp", "--engine", "dual", "--model", "tso"],
        ["check", EXAMPLES / "lamport3_fenced.imp", "--engine", "dual", "--model", "tso"]),
    "dual, any number": (None, ["check", "mutex.rmm", "--model", "tso", "-n", "any"]),
    "array": (
        ["check", SOURCE / "bench/array/arbiter_flags.cub"],
        ["check", EXAMPLES / "array/german_data.cub"]),
}

# What may differ from run to run.
VOLATILE = ("seconds", "peak_mb")


def without_time(answer):
    answer = dict(answer, stats={k: v for k, v in answer["stats"].items() if k not in VOLATILE})
    for name in ("options", "started", "command_line"):
        answer.pop(name, None)
    return answer


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.home = pathlib.Path(folder.name)
        self.folder = self.home / "runs"
        for name, text in PROGRAMS.items():
            (self.home / name).write_text(text)
        self.file = self.folder / "weir.checkpoint"

    def weir(self, *arguments):
        return subprocess.run([WEIR, *map(str, arguments)], capture_output=True, text=True, timeout=GENEROUS,
                              cwd=self.home, check=False)

    def answer(self, *arguments):
        run = self.weir(*arguments, "--json", "-q")
        try:
            return json.loads(run.stdout)
        except json.JSONDecodeError:
            self.fail(f"no answer: {run.returncode} {run.stdout} {run.stderr}")


class Kills(Folder):
    def version(self):
        """Which checkpoint is there; none at first."""
        try:
            about = self.file.stat()
            return about.st_ino, about.st_mtime_ns
        except FileNotFoundError:
            return None

    def run_and_kill(self, arguments, dice):
        """Starts or goes on, and kills; the answer if it came to its end before that."""
        before = self.version()
        process = subprocess.Popen([WEIR, *map(str, arguments), "--json", "-q", "--resume", str(self.folder),
                                    "--checkpoint-interval", INTERVAL],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.home)
        end = time.monotonic() + GENEROUS
        if dice.random() < 0.75:
            while self.version() == before and process.poll() is None and time.monotonic() < end:
                time.sleep(0.001)
            time.sleep(dice.random() * 0.01)
        else:
            time.sleep(dice.random() * 0.1)
        killed = process.poll() is None
        process.send_signal(signal.SIGKILL)
        out, err = process.communicate()
        if killed and process.returncode == -signal.SIGKILL:
            return None
        self.assertTrue(out, err)
        return json.loads(out)

    def check(self, name):
        dice = random.Random(name)
        arguments = SEARCHES[name][1 if MANY else 0]
        # Without checkpoints, smc may change its equivalence on the way.
        saving = ["--checkpoint", self.home / "undisturbed"] if "smc" in arguments else []
        expected = self.answer(*arguments, *saving)
        kills = checkpoints = resumed = ends = 0
        answer = None
        while kills < KILLS and ends < KILLS:
            last = self.version()
            answer = self.run_and_kill(arguments, dice)
            if answer is None:
                kills += 1
                resumed += last is not None
                checkpoints += self.version() != last
                continue
            self.assertEqual(without_time(answer), without_time(expected))
            ends += 1
            self.file.unlink(missing_ok=True)  # from the start, for more kills
        answer = self.answer(*arguments, "--resume", self.folder)
        self.assertEqual(without_time(answer), without_time(expected))
        self.assertGreater(checkpoints, 0, "the search is too short to be killed after a checkpoint")
        self.assertFalse((self.folder / "weir.checkpoint.new").exists())
        if MANY:
            print(f"{name}: {kills} kills, {checkpoints} after a new checkpoint, {resumed} of a resumed search, "
                  f"{ends + 1} answers, all the same: {answer['verdict']}", flush=True)


def add_tests():
    for number, name in enumerate(SEARCHES):
        if not MANY and SEARCHES[name][0] is None:
            continue
        setattr(Kills, f"test_{number:02d}_" + name.replace(", ", "_").replace(" ", "_").replace("-", "_"),
                lambda self, name=name: self.check(name))


class Refusals(Folder):
    QUESTION = ["check", EXAMPLES / "lamport4_fenced.imp", "--model", "tso"]

    def setUp(self):
        super().setUp()
        run = self.weir(*self.QUESTION, "--checkpoint", self.folder, "--timeout", "0.3")
        self.assertEqual(run.returncode, 5, run.stderr)
        self.assertTrue(self.file.exists(), "a search that was stopped leaves a checkpoint")

    def refused(self, *arguments, words, code=2):
        run = self.weir(*arguments)
        self.assertEqual(run.returncode, code, run.stderr)
        self.assertIn(words, run.stderr)
        answer = self.answer(*arguments)
        self.assertEqual(answer["verdict"], "error")
        self.assertIn(words, answer["reason"])

    def test_damaged(self):
        right = self.file.read_bytes()
        resume = [*self.QUESTION, "--resume", self.folder]
        for at in range(0, len(right), len(right) // 7):
            wrong = bytearray(right)
            wrong[at] ^= 4
            self.file.write_bytes(wrong)
            run = self.weir(*resume)
            self.assertEqual(run.returncode, 2, f"byte {at}: {run.stderr}")
        self.file.write_bytes(right[:-1])
        self.refused(*resume, words="cut off")
        self.file.write_bytes(right + b"x")
        self.refused(*resume, words="appended")
        self.file.write_bytes(right)
        self.assertEqual(self.answer(*resume)["verdict"], "safe")

    def test_foreign(self):
        program = EXAMPLES / "lamport4_fenced.imp"
        self.refused("check", EXAMPLES / "lamport3_fenced.imp", "--model", "tso", "--resume", self.folder,
                     words="of another program")
        self.refused("check", program, "--resume", self.folder, words="--model tso, now sc")
        self.refused(*self.QUESTION, "--search", "dfs", "--resume", self.folder, words="--search bfs, now dfs")
        self.refused(*self.QUESTION, "--engine", "dual", "--resume", self.folder, words="--engine explicit, now dual")
        self.refused("explore", program, "--model", "tso", "--resume", self.folder, words="of another")

    def test_folders(self):
        self.refused(*self.QUESTION, "--checkpoint", self.folder, words="holds a checkpoint already")
        (self.folder / "notes.txt").write_text("mine")
        self.refused(*self.QUESTION, "--resume", self.folder, words="notes.txt")
        self.assertEqual((self.folder / "notes.txt").read_text(), "mine")

    def test_a_folder_belongs_to_one_run(self):
        process = subprocess.Popen([WEIR, "check", str(EXAMPLES / "lamport5_fenced.imp"), "--model", "tso",
                                    "--checkpoint", str(self.folder / ".." / "other"), "--checkpoint-interval",
                                    INTERVAL], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        other = self.folder.parent / "other"
        end = time.monotonic() + GENEROUS
        while not (other / "weir.checkpoint").exists() and time.monotonic() < end:
            time.sleep(0.01)
        self.refused("check", EXAMPLES / "lamport5_fenced.imp", "--model", "tso", "--resume", other, words="in use")

    def test_what_has_none_says_so(self):
        for more, words in ((["--engine", "lazy"], "lazy has no checkpoints"),
                            (["--reduction", "dynamic"], "dynamic has no checkpoints"),
                            (["--random", "5"], "schedules have no checkpoints")):
            self.refused(*self.QUESTION, *more, "--resume", self.folder, words=words, code=1)
        self.refused(*self.QUESTION, "--checkpoint-interval", "5", words="--checkpoint-interval is for", code=1)
        self.refused(*self.QUESTION, "--checkpoint", "a", "--resume", "b", words="different folders", code=1)

    def test_a_folder_without_one_begins_from_the_start(self):
        run = self.weir("check", EXAMPLES / "peterson.imp", "--resume", self.folder.parent / "new")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("from the start", run.stderr)


if __name__ == "__main__":
    add_tests()
    unittest.main()
