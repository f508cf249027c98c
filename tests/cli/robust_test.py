#!/usr/bin/env python3
"""weir robust: attacks, their explanation, any number of threads, and what it says about values without end.

Usage: robust_test.py PATH_TO_WEIR [SOURCE_DIR] [OPTIONS OF UNITTEST]
"""

import json
import os
import re
import time
import unittest

from cli_support import SOURCE, TICKET, TRENCHER, ManyPrograms


class Robustness(ManyPrograms):
    def robust(self, *arguments, code):
        return json.loads(self.weir("robust", *arguments, "--json", code=code).stdout)

    def test_attack_is_10_and_explained(self):
        text = self.weir("robust", "dekker.trn", code=10).stdout
        self.assertTrue(text.startswith("NOT ROBUST against tso: thread t0 delays its store at q0 past its load at q1\n"))
        self.assertRegex(text, r"dekker.trn:\d+:12: note: the store that is delayed\n +\d+ \| transition q0 q1 write 1 0")
        self.assertRegex(text, r"dekker.trn:\d+:12: note: the load that overtakes it\n +\d+ \| transition q1 q2 read r 1")
        self.assertIn("write flag[0] = 1 (to buffer)", text)
        self.assertRegex(text, r"  t0 writes flag\[0\] \(dekker.trn:\d+\)\n    --po-->  t0 reads flag\[1\] ")
        self.assertIn("weir fence dekker.trn", text)

    def test_narrow_terminal(self):
        text = self.weir("robust", "dekker.trn", code=10, env={**os.environ, "COLUMNS": "40"}).stdout
        cycle = [line for line in text.splitlines() if "--po-->" in line or "--fr-->" in line]
        self.assertEqual(len(cycle), 4)
        self.assertTrue(all(len(line) <= 40 for line in cycle), cycle)

    def test_robust_is_0_and_says_why(self):
        text = self.weir("robust", "peterson_robust.trn", code=0).stdout
        self.assertTrue(text.startswith("ROBUST against tso: "), text)
        self.assertRegex(text, r"rule out each of the \d+ pairs")

    def test_what_the_programs_say_about_themselves(self):
        for path in sorted((SOURCE / "bench/robustness").glob("*.trn")):
            says = re.search(r"^# robust: (yes|no)", path.read_text(), re.M)
            if says:
                with self.subTest(file=path.name):
                    self.weir("robust", path.name, "-q", code=0 if says[1] == "yes" else 10)

    def test_any_number_of_threads(self):
        text = self.weir("robust", "mcs.trn", "-n", "any", code=10).stdout
        self.assertIn("It takes 3 threads, 3 of t1; with fewer it is robust.", text)
        self.assertIn("t1.2 writes", text)
        answer = self.robust("mcs.trn", "-n", "any", code=10)
        self.assertEqual((answer["attacking"]["threads"], answer["attacking"]["least"]), (3, True))
        self.assertIn("for any number of threads", self.weir("robust", "nbw4.trn", "-n", "any", code=0).stdout)
        self.weir("robust", "mcs.trn", "-n", "any", "--witness", "any.json", "-q", code=10)
        self.weir("replay", "any.json", "-q", code=10)

    def test_several_copies(self):
        self.weir("robust", "mcs.trn", "-n", "1", "-q", code=0)
        self.weir("robust", "parker_robust.trn", "-n", "2", "-q", code=0)
        for wrong in ("0", "many", "-1"):
            self.weir("robust", "mcs.trn", "-n", wrong, code=1)
        self.weir("robust", "mcs.trn", "-n", "any", "--triangular", code=1)

    def test_json_is_the_contract(self):
        answer = self.robust("peterson.imp", code=10)
        self.assertEqual((answer["command"], answer["model"], answer["engine"]), ("robust", "tso", "attacks"))
        self.assertEqual(answer["verdict"], "not-robust")
        self.assertEqual(answer["queries"]["total"], sum(n for q, n in answer["queries"].items() if q != "total"))
        self.assertEqual(answer["queries"]["feasible"], len(answer["attacks"]))
        attack = answer["attacks"][0]
        self.assertTrue({"thread", "store", "load", "verdict", "store_line", "load_line", "file"} <= attack.keys())
        self.assertEqual((attack["verdict"], attack["file"]), ("feasible", "peterson.imp"))
        edges = attack["cycle"]
        self.assertTrue(all(edge["relation"] in ("po", "rf", "co", "fr") for edge in edges))
        self.assertEqual(answer["violation"]["kind"], "robustness")
        self.assertEqual(answer["witness"], attack["witness"])
        robust = self.robust("peterson_fenced.imp", code=0)
        self.assertEqual((robust["verdict"], robust["attacks"]), ("robust", []))
        self.assertNotIn("witness", robust)

    def test_all_attacks(self):
        answer = self.robust("dekker.imp", "--all", code=10)
        self.assertEqual(len(answer["attacks"]), answer["queries"]["total"])
        self.assertEqual(answer["queries"]["undecided"], 0)
        self.assertGreater(answer["queries"]["feasible"], 1)
        self.assertGreater(answer["queries"]["infeasible"], 0)
        for attack in answer["attacks"]:
            self.assertEqual("witness" in attack, attack["verdict"] == "feasible")
        text = self.weir("robust", "dekker.imp", "--all", code=10).stdout
        self.assertEqual(text.count("How it happens"), 1)
        self.assertRegex(text, r"thread +store +load +verdict +lines\n +P0 +2 +3 +feasible +\d+, \d+\n")
        text = self.weir("robust", "dekker.imp", "--all", "-v", code=10).stdout
        self.assertEqual(text.count("How it happens"), answer["queries"]["feasible"])

    def test_jobs_do_not_change_the_answer(self):
        answers = [self.robust("dekker.trn", "--all", "--jobs", jobs, code=10) for jobs in ("1", "3")]
        self.assertEqual(answers[0]["queries"], answers[1]["queries"])
        self.assertEqual(answers[0]["attacks"], answers[1]["attacks"])

    def test_triangular_race_in_a_robust_program(self):
        self.weir("robust", "nbwl.trn", code=0)
        text = self.weir("robust", "nbwl.trn", "--triangular", code=10).stdout
        self.assertTrue(text.startswith("RACY against tso: thread writer1 stores at q5 and loads at q6"), text)
        self.assertIn("weir robust nbwl.trn", text)
        answer = self.robust("nbwl.trn", "--triangular", code=10)
        self.assertEqual((answer["engine"], answer["violation"]["kind"]), ("triangular", "triangular-race"))
        self.weir("robust", "nbw3.trn", "--triangular", code=0)

    def test_unbounded_values_are_unknown_with_advice(self):
        self.write("ticket.trn", TICKET)
        start = time.monotonic()
        result = self.weir("robust", "ticket.trn", code=5)
        self.assertLess(time.monotonic() - start, 30)
        self.assertIn("UNKNOWN against tso: next takes more than", result.stdout)
        self.assertIn("--range next=", result.stderr)
        bounded = self.robust("ticket.trn", "--range", "next=0:3", "--range", "serving=0:3", code=5)
        self.assertIn("range", bounded["bound"])
        fences = json.loads(self.weir("fence", "ticket.trn", "--json", code=5).stdout)
        self.assertEqual((fences["verdict"], fences["fences"]), ("unknown", []))

    def test_a_range_is_no_deadlock(self):
        self.write("out.weir", 'weir 1\nprogram "out"\nsources\nshared x : u8 = 0\nfunction f()\n  "0":\n'
                               '    store u8 x := 5u8 -> "1"\n  "1":\nend\nthread P = f()\n')
        for model in ("sc", "tso"):
            answer = json.loads(self.weir("check", "out.weir", "--range", "x=0:1", "--deadlock", "--model", model, "--json",
                                          code=5).stdout)
            self.assertIn("range", answer["bound"])

    def test_bad_ranges(self):
        self.write("cells.trn", TRENCHER)
        self.fails(1, "a range has the form VAR=LO:HI", "robust", "sb.trn", "--range", "x")
        self.fails(1, "a range has the form VAR=LO:HI", "robust", "sb.trn", "--range", "x=3")
        self.fails(1, "not whole numbers", "robust", "sb.trn", "--range", "x=a:b")
        self.fails(1, "no value in this range", "robust", "sb.trn", "--range", "[0]=3:1")
        self.fails(1, "no variable 'z'", "robust", "dekker.trn", "--range", "z=0:1")
        self.assertIn("did you mean turn?", self.fails(1, "no variable 'tern'", "robust", "dekker.trn", "--range",
                                                       "tern=0:1"))
        self.weir("robust", "dekker.trn", "--range", "flag[0]=0:1", "--range", "turn=-1:1", code=10)
        self.weir("robust", "cells.trn", "--range", "[7]=0:1", code=10)

    def test_values_without_end(self):
        self.write("ticket.trn", TICKET)
        answer = self.robust("ticket.trn", "--values", "50", code=5)
        self.assertEqual(answer["bound"], {"values": 50})
        result = self.weir("check", "ticket.trn", "--model", "tso", "--values", "50", "--engine", "explicit", code=5)
        self.assertIn("takes more than 50 different values", result.stdout)
        self.assertIn("--range", result.stderr)
        self.weir("check", "ticket.trn", "--goal", "t1:q4", "--range", "next=0:3", "--range", "serving=0:1", code=10)
        self.fails(1, "no variable 'z'", "check", "ticket.trn", "--range", "z=0:1")

    def test_limits(self):
        self.write("ticket.trn", TICKET)
        answer = self.robust("ticket.trn", "--values", "1000000000", "--timeout", "1", code=5)
        self.assertEqual(answer["verdict"], "unknown")
        self.assertIn("time", answer["reason"])

    def test_witness_can_be_replayed_and_explained(self):
        for extra in ([], ["--triangular"]):
            with self.subTest(extra=extra):
                self.weir("robust", "dekker.trn", *extra, "--witness", "w.json", "--dot", "w.dot", code=10)
                head = "RACY" if extra else "NOT ROBUST"
                self.assertTrue(self.weir("replay", "w.json", code=10).stdout.startswith(head))
                explained = self.weir("explain", "w.json", code=10).stdout
                self.assertTrue(explained.startswith(head))
                self.assertEqual("--fr-->" in explained, not extra)
                again = json.loads(self.weir("replay", "w.json", "--json", code=10).stdout)
                self.assertEqual(again["verdict"], "not-robust")
        with open(self.path("w.json")) as file:
            replay = json.load(file)
        replay["steps"] = replay["steps"][:-1]
        self.write("cut.json", json.dumps(replay))
        self.fails(2, "cannot be replayed", "replay", "cut.json")

    def test_instrumented_program_shows_the_attack_under_sc(self):
        self.weir("robust", "dekker.trn", "--emit-instrumented", "i.weir", code=10)
        self.weir("check", "i.weir", "--model", "sc", code=10)
        self.weir("robust", "nbw4.trn", "--emit-instrumented", "i.weir", code=0)
        self.weir("check", "i.weir", "--model", "sc", code=0)
        result = self.weir("robust", "peterson_robust.trn", "--emit-instrumented", "none.weir", code=0)
        self.assertIn("no attack is possible", result.stderr)
        self.assertFalse(os.path.exists(self.path("none.weir")))
        self.fails(2, "cannot write /nowhere/i.weir", "robust", "dekker.trn", "--emit-instrumented", "/nowhere/i.weir")

    def test_check_suggests_it(self):
        text = self.weir("check", "dekker.imp", "--model", "tso", code=10).stdout
        self.assertIn("weir robust dekker.imp", text)
        self.assertIn("weir fence dekker.imp --for safety", text)


if __name__ == "__main__":
    unittest.main()
