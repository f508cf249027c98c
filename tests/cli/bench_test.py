#!/usr/bin/env python3
"""weir bench: the engines side by side.

Usage: bench_test.py PATH_TO_WEIR [SOURCE_DIR] [OPTIONS OF UNITTEST]
"""

import json
import unittest

from cli_support import TICKET, Cli


class Bench(Cli):
    """The engines side by side."""

    def test_table_and_plot(self):
        out = self.weir("bench", "dekker.imp", "sb.trn", "--model", "sc,tso", "--plot", "p.svg", "-q", code=0).stdout
        self.assertRegex(out, r"(?m)^program +model +explicit +smc +lazy +abstraction +dual$")
        self.assertRegex(out, r"(?m)^dekker.imp +sc +safe \d+\.\d\d s +unknown .* - +- +safe")
        self.assertRegex(out, r"(?m)^dekker.imp +tso +unsafe .*unsafe .*unsafe")
        self.assertIn("explicit: 4 of 4 decided", out)
        self.assertIn("smc does not look for mutual exclusion by labels", out)
        self.assertIn("<svg", open(self.path("p.svg")).read())

    def test_json(self):
        answer = json.loads(self.weir("bench", ".", "--engines", "explicit,dual", "--json", "-q", code=0).stdout)
        self.assertEqual([(r["file"], r["engine"]) for r in answer["runs"]],
                         [(f, e) for f in ("dekker.imp", "sb.trn") for e in ("explicit", "dual")])
        self.assertEqual({r["verdict"] for r in answer["runs"]}, {"safe"})

    def test_auto_beside_the_best(self):
        answer = json.loads(self.weir("bench", "sb.trn", "--auto", "--model", "tso", "--json", "-q", "--plot", "p.svg", code=0).stdout)
        columns = [run["engine"] for run in answer["runs"]]
        self.assertEqual(columns[-2:], ["auto", "auto-2"])
        self.assertEqual(len(set(columns)), 7)
        verdicts = {run["verdict"] for run in answer["runs"]} - {"unknown"}
        self.assertEqual(len(verdicts), 1)
        self.assertTrue(all(run["processor_seconds"] > 0 for run in answer["runs"]))
        self.assertIn("auto-2", open(self.path("p.svg")).read())
        text = self.weir("bench", "sb.trn", "--auto", "-q", code=0).stdout
        self.assertRegex(text, r"auto-2: decided 1 of 1 that an engine decided; \d+\.\d % in 1.5 times the best")

    def test_limits(self):
        self.write("ticket.trn", TICKET)
        answer = json.loads(self.weir("bench", "ticket.trn", "--engines", "explicit", "--timeout", "0.3", "--model", "tso",
                                      "--json", "-q", code=0).stdout)
        self.assertEqual(answer["runs"][0]["verdict"], "unknown")
        self.assertLess(answer["runs"][0]["seconds"], 10)

    def test_usage(self):
        self.fails(1, "did you mean dual?", "bench", "dekker.imp", "--engines", "dul")
        self.fails(1, "there is no model 'arm'", "bench", "dekker.imp", "--model", "arm")
        self.assertIn("No such file", self.weir("bench", "nowhere.imp", "-q", code=2).stdout)


if __name__ == "__main__":
    unittest.main()
