#!/usr/bin/env python3
"""weir fence: each fence with its reason, patches that apply, costs, and fences for safety only.

Usage: fence_test.py PATH_TO_WEIR [SOURCE_DIR] [OPTIONS OF UNITTEST]
"""

import json
import re
import subprocess
import unittest

from cli_support import DEKKER, SOURCE, ManyPrograms


# Alone it is robust; two copies may take different ways.
TWO_ROLES = """thread worker
initial a
transition a b write 1 0
transition b f read r 1
transition a c write 1 1
transition c f read r 0
end
"""

# The store is executed eight times, the load behind the loop once.
EIGHT_TIMES = """thread t0
initial a
transition a loop local i 0
transition loop body check < i 8
transition body stored write 1 0
transition stored loop local i + i 1
transition loop behind check == i 8
transition behind end read r 1
end
thread t1
initial a
transition a b write 1 1
transition b c mfence
transition c d read r 0
end
"""


class Fences(ManyPrograms):
    def fence(self, *arguments, code=0):
        return json.loads(self.weir("fence", *arguments, "--json", code=code).stdout)

    def places(self, fences):
        return [(fence["thread"], fence["label"]) for fence in fences]

    def apply(self, patch):
        applied = subprocess.run(["patch", "-p0", "--fuzz=0"], cwd=self.folder.name, input=patch, capture_output=True,
                                 text=True)
        self.assertEqual(applied.returncode, 0, applied.stdout + applied.stderr + patch)
        self.assertNotIn("offset", applied.stdout)

    def test_each_fence_with_its_reason(self):
        text = self.weir("fence", "peterson.trn", code=0).stdout
        self.assertTrue(text.startswith("2 fences make it robust against tso (cost 2):\n"), text)
        self.assertRegex(text, r"peterson.trn:\d+:12: note: a fence before this, in t0 at q2\n")
        self.assertIn("= without it, thread t0 delays its store at q1 past its load at q2\n", text)
        self.assertIn("weir fence peterson.trn --patch | patch -p0", text)
        self.assertIn("Checked: what store buffers add, with 2 threads.\n"
                      "Not checked: what goes wrong without them (weir check peterson.trn).\n", text)
        self.assertIn("with any number of threads.", self.weir("fence", "peterson.trn", "-n", "any", code=0).stdout)
        self.assertEqual(self.weir("fence", "peterson.trn", "-q", code=0).stdout.count("\n"), 1)

    def test_json_is_the_contract(self):
        answer = self.fence("dekker.trn")
        self.assertEqual((answer["command"], answer["verdict"], answer["cost"]), ("fence", "robust", 4))
        self.assertEqual(self.places(answer["fences"]), [("t0", "q1"), ("t0", "q6"), ("t1", "q1"), ("t1", "q6")])
        for fence in answer["fences"]:
            self.assertEqual(fence["file"], "dekker.trn")
            self.assertGreater(fence["line"], 0)
        self.assertEqual(answer["alternatives"], [])
        self.assertTrue(answer["patch"].startswith("--- dekker.trn\n+++ dekker.trn\n@@ -"))

    def test_as_many_fences_as_the_programs_say(self):
        for path in sorted((SOURCE / "bench/robustness").glob("*.trn")):
            says = re.search(r"^# robust: no, fences: (\d+)", path.read_text(), re.M)
            if says:
                with self.subTest(file=path.name):
                    self.assertEqual(len(self.fence(path.name)["fences"]), int(says[1]))

    def test_patches_apply_and_make_it_robust(self):
        for name in ("dekker.trn", "peterson.trn", "lamport.trn", "cilk.trn", "dekker.imp", "peterson.imp",
                     "simplified_dekker.imp", "lamport2.imp", "lamport3.imp", "peterson.rmm"):
            with self.subTest(file=name):
                self.weir("convert", name, "--to", "weir", "-o", name + ".weir", code=0)
                for file in (name, name + ".weir"):
                    self.weir("robust", file, "-q", code=10)
                    self.apply(self.weir("fence", file, "--patch", code=0).stdout)
                    self.weir("robust", file, "-q", code=0)
                    self.assertEqual(self.weir("fence", file, "--patch", code=0).stdout, "")

    def test_patch_file(self):
        text = self.weir("fence", "dekker.imp", "--patch", "d.patch", code=0).stdout
        self.assertIn("The patch is in d.patch. To apply it:  patch -p0 < d.patch\n", text)
        with open(self.path("d.patch")) as file:
            self.apply(file.read())
        self.weir("robust", "dekker.imp", code=0)
        self.fails(2, "cannot write /nowhere/d.patch", "fence", "peterson.imp", "--patch", "/nowhere/d.patch")
        self.assertIn("--patch took 'dekker.imp'", self.fails(1, "needs a file", "fence", "--patch", "dekker.imp"))

    def test_second_fence_of_a_loop_only_where_it_is_needed(self):
        self.assertEqual(self.fence("peterson.imp")["patch"].count("+    4: fence;\n"), 1)
        self.assertEqual(self.fence("peterson.imp")["patch"].count("fence"), 2)

    def test_no_fence_is_needed(self):
        self.assertIn("no fence is needed", self.weir("fence", "nbw4.trn", code=0).stdout)
        answer = self.fence("nbw4.trn")
        self.assertEqual((answer["verdict"], answer["fences"], answer["cost"], answer["patch"]), ("robust", [], 0, ""))

    def test_alternatives(self):
        answer = self.fence("sb.trn", "--alternatives", "5")
        self.assertEqual((answer["cost"], len(answer["fences"])), (2, 2))
        sets = [sorted(self.places(fences)) for fences in [answer["fences"], *answer["alternatives"]]]
        self.assertEqual(len(sets), len({tuple(s) for s in sets}))

    def test_costs(self):
        plain = self.fence("dekker.trn")
        self.assertEqual(self.fence("dekker.trn", "--cost", "size")["fences"], plain["fences"])
        self.assertGreater(self.fence("dekker.trn", "--cost", "frequency")["cost"], plain["cost"])
        self.write("costs", "# where it hurts\nt0:q1 3.5  # a hot place\n\nq6 2\n")
        self.assertEqual(self.fence("dekker.trn", "--cost", "costs")["cost"], 3.5 + 1 + 2 + 2)
        answer = self.fence("sb.trn", "--cost", self.write("b", "b never\n"), code=10)
        self.assertEqual((answer["verdict"], answer["fences"]), ("not-robust", []))
        self.assertEqual(answer["violation"]["kind"], "robustness")
        self.assertIn("No fence stops it", self.weir("fence", "sb.trn", "--cost", "b", code=10).stdout)

    def test_frequency_is_measured(self):
        self.write("eight.trn", EIGHT_TIMES)
        answer = self.fence("eight.trn", "--cost", "frequency")
        self.assertEqual((self.places(answer["fences"]), answer["cost"]), ([("t0", "behind")], 1))
        self.assertRegex(answer["cost_basis"], "random schedules .*within 0 % with 95 % confidence")
        self.assertIn("Costs: a fence costs as often", self.weir("fence", "eight.trn", "--cost", "frequency",
                                                                 code=0).stdout)
        for inside in ("stored", "body", "loop"):
            self.write("never", "behind never\n" + "".join(f"{other} never\n" for other in ("stored", "body", "loop")
                                                           if other != inside))
            self.fence("eight.trn", "--cost", "never", code=0 if inside in ("stored", "loop") else 10)

    def test_frequency_is_estimated_where_nothing_ends(self):
        self.write("endless.trn", "thread t0\ninitial a\ntransition a b write 1 0\ntransition b a read r 1\nend\n"
                                  "thread t1\ninitial a\ntransition a b write 1 1\ntransition b c read r 0\nend\n")
        answer = self.fence("endless.trn", "--cost", "frequency")
        self.assertIn("estimated", answer["cost_basis"])
        self.assertGreater(answer["cost"], 10)

    def test_costs_of_places_in_files(self):
        line = next(number for number, text in enumerate(EIGHT_TIMES.splitlines(), 1) if "behind end" in text)
        self.write("eight.trn", EIGHT_TIMES)
        for place in (f"eight.trn:{line}", f"eight.trn:{line}:12", "behind"):
            self.write("costs", f"{place} never\n")
            self.assertEqual(self.places(self.fence("eight.trn", "--cost", "costs")["fences"])[0][0], "t0")
            self.assertNotIn(("t0", "behind"), self.places(self.fence("eight.trn", "--cost", "costs")["fences"]))
        self.write("costs", "eight.trn:1 2\n")
        self.fails(2, "costs:1:1: error: there is no instruction at eight.trn:1", "fence", "eight.trn", "--cost", "costs")

    def test_bad_costs(self):
        self.write("bad", "q1 2\nt0:q1 -1\n")
        self.assertIn("'never'", self.fails(2, "bad:2:7: error: '-1' is not a cost", "fence", "dekker.trn", "--cost", "bad"))
        self.write("bad", "t0:qq 1\n")
        self.fails(2, "bad:1:1: error: thread t0 has no state 'qq'", "fence", "dekker.trn", "--cost", "bad")
        self.write("bad", "# none\n  nowhere 1")
        self.fails(2, "bad:2:3: error: no thread has a label 'nowhere'", "fence", "dekker.trn", "--cost", "bad")
        self.write("bad", "q1\n")
        self.fails(2, "bad:1:1: error: a line has the form", "fence", "dekker.trn", "--cost", "bad")
        self.fails(2, "none: error: No such file", "fence", "dekker.trn", "--cost", "none")

    def test_copies_of_each_thread(self):
        self.write("par.trn", TWO_ROLES)
        self.weir("robust", "par.trn", code=0)
        for copies in ("2", "4", "any"):
            with self.subTest(copies=copies):
                asked = self.weir("robust", "par.trn", "-n", copies, code=10).stdout
                command = re.search(r"weir (fence par.trn --instances \w+)\n", asked)
                self.assertIsNotNone(command, asked)
                text = self.weir(*command[1].split(), code=0).stdout
                extent = "for any number of threads" if copies == "any" else f"with {copies} copies of each thread"
                self.assertTrue(text.startswith(f"2 fences make it robust against tso, {extent} (cost 2):\n"), text)
                answer = self.fence("par.trn", "-n", copies)
                self.assertEqual(answer["instances"], "any" if copies == "any" else int(copies))
                self.assertEqual(self.places(answer["fences"]), [("worker", "b"), ("worker", "c")])
                self.assertIn("worker delays its store at a past its load at b", answer["fences"][0]["without"])
                self.apply(answer["patch"])
                for fixed in ("2", "3", "any"):
                    self.weir("robust", "par.trn", "-n", fixed, "-q", code=0)
                self.assertIn("no fence is needed", self.weir("fence", "par.trn", "-n", copies, code=0).stdout)
                self.write("par.trn", TWO_ROLES)

    def test_the_instance_that_needs_a_fence(self):
        self.write("par.trn", TWO_ROLES)
        self.assertIn("= without it, with threads worker and worker.2: thread worker delays",
                      self.weir("fence", "par.trn", "-n", "any", code=0).stdout)
        self.write("never", "b never\n")
        answer = self.fence("par.trn", "-n", "any", "--cost", "never", code=10)
        self.assertEqual(answer["verdict"], "not-robust")
        self.assertIn("worker.2", {step["thread"] for step in answer["witness"]})

    # The third fence of the THE queue is needed as soon as its lock can be given back twice: by five threads.
    def test_locks_and_queues_for_any_number(self):
        for name, cost in (("nbwl.trn", 0), ("clh.trn", 4), ("nbw2.trn", 1), ("cilk.trn", 5), ("peterson.trn", 2)):
            with self.subTest(file=name):
                self.assertEqual(self.fence(name, "-n", "any")["cost"], cost)
        without = [fence["without"] for fence in self.fence("cilk.trn", "-n", "any")["fences"]]
        self.assertTrue(any(text.count("release") == 2 for text in without), without)

    def test_safety_of_copies(self):
        program = DEKKER.replace("exclusive P:cs, Q:cs\n", "")
        self.write("d.imp", program)
        self.fence("d.imp", "--for", "safety", "--exclusive", "P:cs,Q:cs", "-n", "1")
        answer = self.fence("d.imp", "--for", "safety", "--exclusive", "P:cs,Q:cs", "-n", "2", code=10)
        self.assertEqual((answer["verdict"], answer["instances"]), ("unsafe", 2))

    def test_for_safety(self):
        for model in ("tso", "pso"):
            with self.subTest(model=model):
                answer = self.fence("dekker.imp", "--for", "safety", "--model", model)
                self.assertEqual((answer["verdict"], answer["engine"], answer["model"]), ("safe", "explicit", model))
                self.write("safe.imp", (SOURCE / "examples/dekker.imp").read_text())
                self.apply(answer["patch"].replace("dekker.imp", "safe.imp"))
                self.weir("check", "safe.imp", "--model", model, "-q", code=0)
        self.assertIn("Checked: mutual exclusion, with 2 threads.\nNot checked: deadlocks (--deadlock).\n",
                      self.weir("fence", "dekker.imp", "--for", "safety", code=0).stdout)
        self.assertEqual(len(self.fence("dekker.imp", "--for", "safety")["fences"]), 2)
        self.assertEqual(len(self.fence("dekker.imp")["fences"]), 4)

    def test_no_fence_helps_where_sc_is_unsafe(self):
        text = self.weir("fence", "dekker.imp", "--for", "safety", "--goal", "P0:9", code=10).stdout
        self.assertTrue(text.startswith("UNSAFE under sc: "), text)
        self.assertIn("under sequential consistency, too", text)
        self.assertIn("How it happens", text)
        answer = self.fence("dekker.imp", "--for", "safety", "--goal", "P0:9", code=10)
        self.assertEqual((answer["verdict"], answer["violation"]["kind"]), ("unsafe", "goal"))

    def test_triangular(self):
        answer = self.fence("nbwl.trn", "--triangular")
        self.assertEqual(answer["engine"], "triangular")
        self.apply(answer["patch"])
        self.weir("robust", "nbwl.trn", "--triangular", code=0)

    def test_options_that_do_not_go_together(self):
        self.fails(1, "--for safety", "fence", "dekker.trn", "--model", "pso")
        self.fails(1, "--triangular", "fence", "dekker.trn", "--triangular", "--for", "safety")
        self.fails(1, "--model cannot be 'sc'", "fence", "dekker.trn", "--model", "sc")
        self.fails(1, "-n any goes neither with", "fence", "dekker.trn", "-n", "any", "--for", "safety")
        self.fails(1, "-n any goes neither with", "fence", "dekker.trn", "-n", "any", "--triangular")
        self.fails(1, "-n needs a number", "fence", "dekker.trn", "-n", "0")


if __name__ == "__main__":
    unittest.main()
