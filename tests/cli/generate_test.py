#!/usr/bin/env python3
"""weir generate: litmus tests from cycles of relations.

Usage: generate_test.py PATH_TO_WEIR [SOURCE_DIR] [OPTIONS OF UNITTEST]
"""

import json
import os
import unittest

from cli_support import Cli


class Generation(Cli):
    def test_a_cycle_becomes_a_test(self):
        text = self.weir("generate", "--cycle", "PodWR Fre PodWR Fre").stdout
        self.assertIn("MOV [x],$1  | MOV [y],$1  ;", text)
        self.write("SB.litmus", text)
        self.assertIn("Sometimes 1 3", self.weir("outcomes", "SB.litmus", "--model", "tso").stdout)

    def test_all_cycles(self):
        self.weir("generate", "--all", "--size", "4", "-o", "tests")
        self.assertEqual(len(os.listdir(self.path("tests"))), 55)
        answer = json.loads(self.weir("generate", "--all", "--cross-check", "--json").stdout)
        self.assertEqual((answer["stats"]["tests"], answer["allowed"]), (55, {"sc": 0, "tso": 5, "pso": 13}))

    def test_wrong_usage(self):
        self.fails(1, "needs either --cycle or --all", "generate")
        self.fails(1, "there is no edge 'Podxy'", "generate", "--cycle", "Podxy Fre")
        self.fails(1, "takes no file", "generate", "SB.litmus", "--all")
        self.fails(1, "--size needs a number from 2 to", "generate", "--all", "--size", "99")


if __name__ == "__main__":
    unittest.main()
