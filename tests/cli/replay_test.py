#!/usr/bin/env python3
"""weir replay and weir explain: executions in files, files that were damaged, and a view of only some threads.

Usage: replay_test.py PATH_TO_WEIR [SOURCE_DIR] [OPTIONS OF UNITTEST]
"""

import json
import os
import subprocess
import unittest

from cli_support import WEIR, Cli


class WitnessFiles(Cli):
    def setUp(self):
        super().setUp()
        self.weir("check", "dekker.imp", "--model", "tso", "--witness", "w.json", "--dot", "w.dot", "-q", code=10)

    def test_replay_and_explain(self):
        self.assertIn("UNSAFE under tso", self.weir("replay", "w.json", code=10).stdout)
        explained = self.weir("explain", "w.json", code=10).stdout
        self.assertIn("write x = 1 (to buffer)", explained)
        self.assertIn("cs: skip", explained)
        self.assertIn("assume", self.weir("explain", "w.json", "-v", code=10).stdout)
        self.assertEqual(json.loads(self.weir("replay", "w.json", "--json", code=10).stdout)["command"], "replay")

    def test_explain_a_program(self):
        self.assertIn("to buffer", self.weir("explain", "dekker.imp", "--model", "tso", code=10).stdout)
        self.weir("explain", "dekker.imp", code=0)

    def test_replay_works_without_the_program(self):
        os.remove(self.path("dekker.imp"))
        self.weir("replay", "w.json", code=10)

    def test_dot_is_written(self):
        with open(self.path("w.dot")) as file:
            self.assertTrue(file.read().startswith("digraph"))

    def test_impossible_execution_is_bad_input(self):
        with open(self.path("w.json")) as file:
            replay = json.load(file)
        replay["steps"] = replay["steps"][:-1]
        self.write("cut.json", json.dumps(replay))
        self.fails(2, "cannot be replayed", "replay", "cut.json")

    def test_damaged_files_are_bad_input(self):
        self.write("a.json", '{"tool": "weir", ')
        self.fails(2, "a.json:1:", "replay", "a.json")
        self.write("b.json", "{}")
        self.fails(2, "not a replay file", "replay", "b.json")
        self.fails(2, "b.json", "explain", "b.json")
        self.fails(2, "dekker.imp:1:", "replay", "dekker.imp")
        self.fails(2, "weir explain w.json", "check", "w.json")

    def test_witness_that_cannot_be_written(self):
        self.fails(2, "cannot write /nowhere/w.json", "check", "dekker.imp", "--model", "tso", "--witness",
                   "/nowhere/w.json")

    def test_answer_that_cannot_be_written(self):
        with open("/dev/full", "w") as full:
            result = subprocess.run([WEIR, "check", "dekker.imp"], cwd=self.folder.name, stdout=full,
                                    stderr=subprocess.PIPE, text=True)
        self.assertEqual(result.returncode, 2)
        self.assertIn("standard output", result.stderr)


class Focus(Cli):
    def test_threads_and_variables(self):
        whole = self.weir("explain", "dekker.imp", "--model", "tso", code=10).stdout
        thread = self.weir("explain", "dekker.imp", "--model", "tso", "--focus", "P", code=10).stdout
        self.assertIn("write y = 1", whole)
        self.assertNotIn("write y = 1", thread)
        self.assertEqual((whole.count("-- at cs"), thread.count("-- at cs")), (2, 1))
        self.assertIn("write x = 1", thread)
        variable = self.weir("check", "dekker.imp", "--model", "tso", "--focus", "y", code=10).stdout
        self.assertIn("write y = 1", variable)
        self.assertIn("read y = 0", variable)
        self.assertNotIn("x = ", variable)
        both = self.weir("check", "dekker.imp", "--model", "tso", "--focus", "P", "--focus", "y", code=10).stdout
        self.assertIn("read y = 0", both)
        self.assertNotIn("write y = 1", both)
        self.assertIn("not shown", both)
        self.fails(1, "there is no such thread or variable", "check", "dekker.imp", "--focus", "nobody")


if __name__ == "__main__":
    unittest.main()
