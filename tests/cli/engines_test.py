#!/usr/bin/env python3
"""weir check with the engines that one has to ask for: lazy reachability, abstractions, and the backward search.

Usage: engines_test.py PATH_TO_WEIR [SOURCE_DIR] [OPTIONS OF UNITTEST]
"""

import json
import os
import subprocess
import sys
import unittest

from cli_support import SOURCE, Cli, ManyPrograms


class LazyReachability(ManyPrograms):
    def test_what_the_programs_say_about_themselves(self):
        for path in sorted((SOURCE / "bench/robustness").glob("reach_*.trn")):
            unsafe = "tso unsafe" in path.read_text().splitlines()[0]
            with self.subTest(file=path.name):
                self.weir("check", path.name, "--engine", "lazy", "--model", "tso", "-q", code=10 if unsafe else 0)

    def test_time_limit_is_unknown(self):
        figure = subprocess.run([sys.executable, SOURCE / "bench/robustness/families.py", "figure_3_3"],
                                capture_output=True, text=True, check=True).stdout
        self.write("figure_3_3.trn", figure)
        answer = self.weir("check", "figure_3_3.trn", "--engine", "lazy", "--model", "tso", "--timeout", "0.5", "--json", code=5)
        self.assertIn("time limit", json.loads(answer.stdout)["reason"])

    def test_only_under_tso(self):
        for model in ("sc", "pso"):
            result = self.weir("check", "reach_dekker.trn", "--engine", "lazy", "--model", model, code=1)
            self.assertIn("--model tso", result.stderr)


class Abstractions(Cli):
    def setUp(self):
        super().setUp()
        for folder, pattern in (("bench/robustness", "reach_*.trn"), ("examples", "*.trn")):
            for path in sorted((SOURCE / folder).glob(pattern)):
                self.write(path.name, path.read_text())

    def test_what_each_can_prove(self):
        for abstraction, code in {"set": 5, "0": 5, "1": 5, "2": 5, "3": 0, "multiset": 0}.items():
            answer = self.weir("check", "figure_3_7.trn", "--engine", "abstraction", "--abstraction", abstraction,
                               "--model", "tso", "--json", code=code)
            self.assertIn("buffered store", json.loads(answer.stdout)["reason"])

    def test_unbounded_buffers_are_no_obstacle(self):
        answer = self.weir("check", "figure_3_3.trn", "--engine", "abstraction", "--model", "tso", "--json", code=0)
        self.assertIn("the multiset of buffered stores", json.loads(answer.stdout)["reason"])
        self.weir("check", "figure_3_3.trn", "--engine", "abstraction", "--abstraction", "set", "--model", "tso", "-q", code=0)

    def test_violations_have_a_witness(self):
        self.weir("check", "dekker.trn", "--engine", "abstraction", "--model", "tso", "--witness", "w.json", "-q", code=10)
        self.weir("replay", "w.json", "-q", code=10)

    def test_programs_of_the_literature(self):
        for path in sorted((SOURCE / "bench/robustness").glob("reach_*.trn")):
            unsafe = "tso unsafe" in path.read_text().splitlines()[0]
            with self.subTest(file=path.name):
                self.weir("check", path.name, "--engine", "abstraction", "--model", "tso", "-q", code=10 if unsafe else 0)

    def test_usage(self):
        for model in ("sc", "pso"):
            self.fails(1, "--model tso", "check", "dekker.trn", "--engine", "abstraction", "--model", model)
        self.fails(1, "--engine abstraction", "check", "dekker.trn", "--abstraction", "set", "--model", "tso")
        self.fails(1, "is no abstraction", "check", "dekker.trn", "--engine", "abstraction", "--abstraction", "bag", "--model", "tso")

    def test_deadlocks_are_not_looked_for(self):
        answer = self.weir("check", "dekker_fenced.trn", "--engine", "abstraction", "--model", "tso", "--deadlock", "--json", code=5)
        self.assertIn("deadlocks", json.loads(answer.stdout)["reason"])


# A ticket lock whose counters wrap at 3: enough for three processes.
TICKETS_OF_THREE = """forbidden CS CS
data next = 0 : [0:2], serving = 0 : [0:2]
process(2)
registers $t = 0 : [0:2], $s = 0 : [0:2]
text
  Start: locked { read: $t := next; if $t = 2 then write: next := 0 else write: next := $t + 1 };
  Wait: read: $s := serving;
  if $s != $t then goto Wait;
  CS: nop;
  if $t = 2 then write: serving := 0 else write: serving := $t + 1;
  goto Start
"""


class Backwards(Cli):
    """The engine that searches backwards, and any number of threads."""

    def answer(self, *arguments, code):
        return json.loads(self.weir("check", *arguments, "--json", code=code).stdout)

    def test_violation_is_replayed(self):
        answer = self.answer("dekker.imp", "--model", "tso", "--engine", "dual", "--witness", "w.json", code=10)
        self.assertEqual(answer["engine"], "dual")
        self.assertEqual(answer["violation"]["kind"], "forbidden")
        self.assertTrue(answer["witness"])
        self.assertGreater(answer["stats"]["configurations"], 0)
        self.weir("replay", "w.json", "-q", code=10)

    def test_safe_says_with_what(self):
        self.assertIn("buffers of any length", self.answer("dekker.imp", "--engine", "dual", code=0)["reason"])

    def test_any_number(self):
        self.write("t.rmm", TICKETS_OF_THREE)  # two processes
        for copies, code in (("1", 0), ("2", 10), ("any", 10)):
            self.weir("check", "t.rmm", "--model", "tso", "-n", copies, "-q", code=code)
        answer = self.answer("t.rmm", "--model", "tso", "-n", "any", code=10)
        self.assertEqual(answer["violating"]["threads"], 4)
        self.assertTrue(answer["violating"]["least"])
        self.assertEqual(len({step["thread"] for step in answer["witness"]}), 4)
        text = self.weir("check", "t.rmm", "--model", "tso", "-n", "any", code=10).stdout
        self.assertIn("It takes 4 threads", text)
        self.assertIn("with fewer it is safe", text)

    def test_usage(self):
        self.fails(1, "under sc and tso only", "check", "dekker.imp", "--engine", "dual", "--model", "pso")
        self.fails(1, "under sc and tso only", "check", "dekker.imp", "-n", "any", "--model", "pso")
        self.fails(1, "a given number of threads", "check", "dekker.imp", "-n", "any", "--engine", "explicit")
        self.fails(1, "a given number of threads", "check", "dekker.imp", "-n", "any", "--random", "5")
        self.fails(1, "a number from 1 to 1000, or any", "check", "dekker.imp", "-n", "0")

    def test_certificate(self):
        self.write("t.rmm", TICKETS_OF_THREE)
        self.weir("check", "t.rmm", "--model", "tso", "--certificate", "c.json", "-q", code=0)
        with open(self.path("c.json")) as file:
            certificate = json.load(file)
        self.assertEqual((certificate["kind"], certificate["model"]), ("certificate", "tso"))
        self.assertTrue(certificate["basis"])
        self.assertEqual(set(certificate["values"]), {"next", "serving"})
        self.weir("check", "t.rmm", "--model", "tso", "-n", "any", "--certificate", "none.json", "-q", code=10)
        self.assertFalse(os.path.exists(self.path("none.json")))
        self.fails(1, "under sc and tso only", "check", "t.rmm", "--model", "pso", "--certificate", "c.json")

    def test_deadlocks_are_not_its_business(self):
        self.assertIn("deadlocks", self.answer("dekker.imp", "--engine", "dual", "--deadlock", code=5)["reason"])


if __name__ == "__main__":
    unittest.main()
