#!/usr/bin/env python3
"""weir fair: graphs, MDPs, automata, locks, and the loop of a request that is never granted.

Usage: fair_test.py PATH_TO_WEIR [SOURCE_DIR] [OPTIONS OF UNITTEST]
"""

import json
import pathlib
import unittest

from cli_support import SOURCE, Cli


class Fair(Cli):
    """weir fair: systems in all their formats, programs with their loops, and bad input."""

    RING = 'des (0, 7, 5)\n(0,"req",1)\n(1,work,2)\n(2,"grant !1",0)\n(1,"tau",3)\n(3,i,3)\n(3,"req",4)\n(4,"loop",3)\n'

    def answer(self, *arguments, code):
        return json.loads(self.weir("fair", *arguments, "--json", code=code).stdout)

    def test_graph(self):
        self.write("g.aut", self.RING)
        self.write("pairs", "L: 3 U: 0\nL: 0 U: 2\n")
        for algorithm in ("basic", "improved"):
            answer = self.answer("g.aut", "--pairs", "pairs", "--list", "--algorithm", algorithm, code=0)
            self.assertEqual((answer["verdict"], answer["kind"], answer["winning"]), ("fair", "graph", 3))
            self.assertEqual(answer["winning_vertices"], [0, 1, 2])
            self.assertEqual(answer["lasso"], {"stem": [], "loop": [0, 1, 2]})
        self.write("pairs", "L: 0 3 4 U:\n")
        self.assertEqual(self.answer("g.aut", "--pairs", "pairs", code=10)["winning"], 0)

    def test_actions(self):
        self.write("g.aut", self.RING)
        self.assertEqual(self.answer("g.aut", "--pair", "req=>grant", code=0)["winning"], 5)
        self.assertEqual(self.answer("g.aut", "--pair", "*=>grant", code=0)["winning"], 3)

    def test_mdp(self):
        self.write("g.aut", self.RING)
        self.write("pairs", "L: 3 U: 0\n")
        self.write("random", "1\n")
        answer = self.answer("g.aut", "--pairs", "pairs", "--random-vertices", "random", "--list", code=10)
        self.assertEqual((answer["kind"], answer["winning"]), ("mdp", 0))
        self.write("random", "0\n2\n")
        answer = self.answer("g.aut", "--pairs", "pairs", "--random-vertices", "random", "--list", code=0)
        self.assertEqual((answer["winning"], answer["strategy"]), (3, {"1": [2]}))
        first = self.answer("g.aut", "--random", "0.4", "--seed", "7", "--list", code=0)
        self.assertEqual(first["winning_vertices"],
                         self.answer("g.aut", "--random", "0.4", "--seed", "7", "--list", code=0)["winning_vertices"])

    def test_prism(self):
        self.write("m.tra", "3 4 6\n0 0 1 0.5 a\n0 0 2 0.5 a\n0 1 0 1 b\n1 0 0 1\n2 0 2 0.9\n2 0 0 0.1\n")
        self.write("m.lab", '0="init" 1="req" 2="ok"\n0: 0 1\n1: 2\n')
        answer = self.answer("m.tra", "--pair", "req=>ok", "--list", code=0)
        self.assertEqual((answer["winning_vertices"], answer["strategy"]["0"], answer["added"]),
                         ([0, 1, 2], [0, 3], {"3": [1, 2]}))

    def test_automaton(self):
        self.write("g.aut", self.RING)
        head = 'HOA: v1\nStates: 1\nStart: 0\nAP: 2 "req" "grant !1"\n'
        body = "--BODY--\nState: 0\n[0&!1] 0 {0}\n[1&!0] 0 {1}\n[!0&!1] 0\n--END--\n"
        self.write("buchi.hoa", head + "Acceptance: 2 Inf(0)&Inf(1)\n" + body)
        self.write("rabin.hoa", head + "Acceptance: 4 (Fin(0)&Inf(1))|(Fin(2)&Inf(3))\n" + body)
        self.answer("g.aut", "--automaton", "buchi.hoa", code=0)
        self.assertIn("rabin.hoa:5:1", self.fails(2, "not a Streett condition", "fair", "g.aut", "--automaton", "rabin.hoa"))
        self.write("partial.hoa", head + "Acceptance: 1 Inf(0)\n--BODY--\nState: 0\n[0] 0 {0}\n--END--\n")
        self.fails(2, "deterministic and complete", "fair", "g.aut", "--automaton", "partial.hoa", "--negate")
        self.answer("g.aut", "--automaton", "rabin.hoa", "--negate", code=0)
        self.write("strange.hoa", (head + "Acceptance: 2 Inf(0)&Inf(1)\n" + body).replace('"req"', '"request"'))
        asked = ("fair", "g.aut", "--automaton", "strange.hoa")
        self.assertIn("strange.hoa:5:1: warning: the proposition 'request' never holds", self.weir(*asked, code=10).stderr)
        self.assertNotIn("warning", self.weir(*asked, "-q", code=10).stderr)

    def test_bad_systems(self):
        self.write("g.aut", self.RING)
        self.write("bad.aut", self.RING.replace("(1,work,2)", "(1,work,7)"))
        self.write("pairs", "L: 9 U: 1\n")
        self.assertIn("bad.aut:3:9", self.fails(2, "the number of a state is at most 4", "fair", "bad.aut"))
        self.assertIn("pairs:1:4", self.fails(2, "the number of a vertex is at most 4", "fair", "g.aut", "--pairs", "pairs"))
        self.fails(1, "no label or action 'foo'", "fair", "g.aut", "--pair", "foo=>req")
        self.fails(1, "REQUEST=>GRANT", "fair", "g.aut", "--pair", "foo")
        self.fails(1, "share between 0 and 1", "fair", "g.aut", "--random", "2")
        self.fails(1, "--threshold cannot be", "fair", "g.aut", "--threshold", "x")
        self.fails(2, "No such file", "fair", "missing.aut")

    def program(self, name):
        return str(SOURCE / "examples" / name)

    LOCKS = (  # name, what each process requests and is granted, fair?
        ("dekker", ("P0:3=P0:9", "P1:14=P1:20"), True), ("dekker_fenced", ("P0:3=P0:9", "P1:14=P1:20"), True),
        ("peterson", ("P0:4=P0:5", "P1:14=P1:15"), True), ("peterson_fenced", ("P0:4=P0:5", "P1:14=P1:15"), True),
        ("fairness/ticket_lock", ("P0:3=P0:4", "P1:3=P1:4"), True),
        ("simplified_dekker", ("P0:3=P0:5", "P1:9=P1:11"), False),
        ("simplified_dekker_fenced", ("P0:3=P0:5", "P1:9=P1:11"), False),
        ("fairness/test_and_set_lock", ("P0:3=P0:5", "P1:3=P1:5"), False))

    def test_locks(self):
        """Who waits gets in, with a fair scheduler: the table of docs/fairness.md. Every answer is definite under TSO, too, and
        every loop is explained and runs again."""
        for name, places, fair in self.LOCKS:
            for model in ("sc", "tso"):
                for place in places:
                    with self.subTest(name=name, model=model, place=place):
                        request, grant = place.split("=")
                        answer = self.answer(self.program(name + ".imp"), "--request", request, "--grant", grant, "--model", model,
                                             "--witness", "w.json", code=0 if fair else 10)
                        self.assertEqual((answer["verdict"], answer["bound"]), ("fair" if fair else "unfair", {}))
                        if not fair:
                            self.assertIn("UNFAIR under " + model, self.weir("replay", "w.json", code=10).stdout)
                            self.assertIn("again and again", self.weir("explain", "w.json", code=10).stdout)

    def test_bounded_answers(self):
        """Where a buffer was full and coarser buffers prove nothing, the answer says up to where it goes."""
        answer = self.answer(self.program("dekker.imp"), "--request", "P0:3", "--grant", "P0:9", "--model", "pso", "--buffer", "2",
                             code=5)
        self.assertEqual((answer["verdict"], answer["bound"]), ("unknown", {"buffer": 2}))
        text = self.weir("fair", self.program("dekker.imp"), "--request", "P0:3", "--grant", "P0:9", code=0).stdout
        self.assertIn("Checked: that requests are granted, with 2 threads.\nNot checked: other mistakes (weir check ", text)
        reason = self.answer(self.program("dekker.imp"), "--request", "P0:3", "--grant", "P0:9", "--model", "tso", code=0)["reason"]
        self.assertIn("with buffers of any length", reason)
        self.answer(self.program("dekker.imp"), "--request", "P0:3", "--grant", "P0:9", "--model", "tso", "--lazy-flushes", code=10)

    def test_dice(self):
        """Chance helps whoever comes too late again and again, not who is caught in a tie."""
        options = ("--fairness", "random")
        self.answer(self.program("fairness/test_and_set_lock.imp"), "--request", "3", "--grant", "5", *options, code=0)
        self.answer(self.program("simplified_dekker.imp"), "--request", "P0:3", "--grant", "P0:5", *options, code=10)

    def test_loop_is_kept_and_replayed(self):
        for model in ("sc", "tso", "pso"):
            self.weir("fair", self.program("simplified_dekker.imp"), "--request", "P0:3", "--grant", "P0:5", "--model", model,
                      "--witness", "w.json", code=10)
            self.assertIn("UNFAIR under " + model, self.weir("replay", "w.json", code=10).stdout)
            self.assertIn("again and again", self.weir("explain", "w.json", code=10).stdout)
        kept = json.loads(pathlib.Path(self.path("w.json")).read_text())
        kept["starvation"]["loop"] += 1
        self.write("w.json", json.dumps(kept))
        self.fails(2, "cannot be replayed", "replay", "w.json")

    def test_fairness_of_the_scheduler(self):
        """Without it nobody is sure of anything."""
        ticket = self.program("fairness/ticket_lock.imp")
        self.answer(ticket, "--request", "3", "--grant", "4", "--fairness", "none", code=10)
        self.answer(ticket, "--request", "3", "--grant", "4", "--model", "tso", "--lazy-flushes", code=10)

    def test_bad_places(self):
        self.fails(1, "needs --request", "fair", self.program("dekker.imp"))
        self.fails(1, "no thread has a label 'x'", "fair", self.program("dekker.imp"), "--request", "x", "--grant", "9")


if __name__ == "__main__":
    unittest.main()
