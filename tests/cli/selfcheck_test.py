#!/usr/bin/env python3
"""weir selfcheck: all agree, whatever the number of jobs, and it ends when it is told to.

Usage: selfcheck_test.py PATH_TO_WEIR [SOURCE_DIR] [OPTIONS OF UNITTEST]
"""

import json
import unittest

from cli_support import DEKKER, TRENCHER, Cli


class Selfcheck(Cli):
    def selfcheck(self, *arguments, code=0):
        return json.loads(self.weir("selfcheck", *arguments, "--json", code=code).stdout)

    def test_all_agree(self):
        text = self.weir("selfcheck", "--count", "40").stdout
        self.assertIn("all agree: 40 programs", text)
        self.assertRegex(text, r"explicit dynamic +reference machine +\d+ +\d+ +\d+")
        self.assertRegex(self.weir("selfcheck", "--count", "5", "-q").stdout, r"^all agree: 5 programs, .*\n$")

    def test_json_counts_comparisons(self):
        answer = self.selfcheck("--count", "30", "--engines", "lazy,outcomes", "--models", "tso")
        self.assertEqual(answer["verdict"], "done")
        self.assertEqual(answer["stats"]["programs"], 30)
        self.assertEqual({line["model"] for line in answer["comparisons"]}, {"tso"})
        self.assertEqual({line["engine"] for line in answer["comparisons"]}, {"lazy", "final states by search"})
        self.assertGreater(sum(line["compared"] for line in answer["comparisons"]), 20)
        self.assertNotIn("disagreement", answer)

    def test_same_whatever_the_jobs(self):
        some = [self.selfcheck("--count", "25", "--seed", "3", "--engines", "robust,smc", "--jobs", jobs)["comparisons"]
                for jobs in ("1", "2")]
        self.assertEqual(some[0], some[1])

    def test_files(self):
        self.write("dekker.imp", DEKKER)
        self.write("t.trn", TRENCHER)
        answer = self.selfcheck("dekker.imp", "t.trn")
        self.assertEqual(answer["stats"]["programs"], 2)
        self.fails(2, "nothing.imp", "selfcheck", "nothing.imp")

    def test_timeout_ends_it(self):
        answer = self.selfcheck("--timeout", "1", "--engines", "outcomes")
        self.assertGreater(answer["stats"]["programs"], 0)

    def test_wrong_options(self):
        self.fails(1, "--engines cannot be 'dualling'", "selfcheck", "--engines", "dualling")
        self.fails(1, "--models cannot be 'rmo'", "selfcheck", "--models", "sc,rmo")
        self.fails(1, "--features cannot be 'locking'", "selfcheck", "--features", "locking")
        self.fails(1, "--threads needs a number from 1 to 8, not 0", "selfcheck", "--threads", "0")


if __name__ == "__main__":
    unittest.main()
