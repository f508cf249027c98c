#!/usr/bin/env python3
"""Systems with any number of processes: verdicts, instances, and certificates that convince z3.

Usage: array_systems_test.py PATH_TO_WEIR [SOURCE_DIR] [OPTIONS OF UNITTEST]
"""

import json
import pathlib
import shutil
import subprocess
import unittest

from cli_support import SOURCE, Cli

TWO_AT_MOST = """number_procs 2

type place = Idle | In

array At[proc] : place

init (p) { At[p] = Idle }

unsafe (p q) { At[p] = In && At[q] = In }

transition enter (p q)
requires { At[p] = Idle && At[q] = Idle }
{ At[p] := In }

transition leave (p)
requires { At[p] = In }
{ At[p] := Idle }
"""

ARRAY_MUTEX = """type place = Idle | Want | Crit
array At[proc] : place
weak array Flag[proc] : bool
init (p) { At[p] = Idle && Flag[p] = False }
unsafe both (p q) { At[p] = Crit && At[q] = Crit }
transition ask ([p]) requires { At[p] = Idle } { At[p] := Want; Flag[p] := True }
transition enter ([p]) requires { At[p] = Want && FENCE forall_other q. Flag[q] = False } { At[p] := Crit }
transition leave ([p]) requires { At[p] = Crit } { At[p] := Idle; Flag[p] := False }
"""


class ArraySystems(Cli):
    def setUp(self):
        super().setUp()
        self.write("fenced.cub", ARRAY_MUTEX.replace("FENCE", "fence() &&"))
        self.write("open.cub", ARRAY_MUTEX.replace("FENCE", ""))

    def test_at_most_so_many_processes(self):
        self.write("two.cub", TWO_AT_MOST)
        self.write("three.cub", TWO_AT_MOST.replace("number_procs 2", "number_procs 3"))
        self.write("any.cub", TWO_AT_MOST.replace("number_procs 2", ""))
        answer = json.loads(self.weir("check", "two.cub", "--json", code=0).stdout)
        self.assertEqual(answer["most_processes"], 2)
        self.assertIn("SAFE under sc, for at most 2 processes", self.weir("check", "two.cub", code=0).stdout)
        for name in ("three.cub", "any.cub"):
            self.assertIn("reachable with 3 processes", self.weir("check", name, code=10).stdout)
        self.weir("check", "two.cub", "-n", "2", code=0)
        self.assertIn("for 1 to 2 processes, as number_procs says", self.fails(2, "program", "check", "two.cub", "-n", "3"))
        self.weir("convert", "two.cub", "--to", "array", "-o", "again.cub", code=0)
        self.weir("check", "again.cub", "-q", "--certificate", "two.smt2", code=0)
        if shutil.which("z3"):
            said = subprocess.run(["z3", self.path("two.smt2")], capture_output=True, text=True, check=True).stdout
            self.assertEqual(set(said.split()), {"unsat"})

    def test_any_number_of_processes(self):
        answer = json.loads(self.weir("check", "fenced.cub", "--json", code=0).stdout)
        self.assertEqual((answer["verdict"], answer["model"], answer["engine"]), ("safe", "tso", "array"))
        self.assertGreater(answer["stats"]["regions"], 2)
        self.assertIn("for any number of processes", self.weir("check", "fenced.cub", "-n", "any", code=0).stdout)
        for inference in ("never", "always"):
            self.weir("check", "fenced.cub", "--inference", inference, "-q", code=0)

    def test_a_violation_is_shown_on_an_instance(self):
        answer = json.loads(self.weir("check", "open.cub", "--json", code=10).stdout)
        self.assertEqual(answer["violation"]["kind"], "unsafe")
        self.assertEqual((answer["processes"], answer["violation"]["line"]), (2, 5))
        self.assertIn("Flag[#1] := True (buffered)", [step["effect"].split(", ")[-1] for step in answer["witness"]])
        text = self.weir("check", "open.cub", code=10).stdout
        self.assertIn("UNSAFE under tso: the unsafe state both is reachable with 2 processes", text)
        self.assertIn("enter(#1)", text)

    def test_without_buffers_the_mutex_holds(self):
        self.assertIn("SAFE under sc", self.weir("check", "open.cub", "--model", "sc", code=0).stdout)

    def test_instances_go_to_the_other_engines(self):
        self.weir("check", "open.cub", "-n", "2", "--model", "tso", "-q", code=10)
        self.weir("check", "fenced.cub", "-n", "2", "--model", "tso", "--engine", "explicit", "-q", code=0)
        self.weir("convert", "open.cub", "--processes", "2", "--to", "weir", "-o", "two.weir", code=0)
        self.weir("check", "two.weir", "--model", "tso", "-q", code=10)
        self.weir("check", "two.weir", "--model", "sc", "-q", code=0)

    def test_programs_become_systems_and_systems_print(self):
        self.weir("convert", "open.cub", "--to", "array", "-o", "again.cub", code=0)
        self.weir("check", "again.cub", "-q", code=10)
        self.write("p.trn", (SOURCE / "examples/dekker.trn").read_text())
        self.weir("convert", "p.trn", "--to", "array", "-o", "p.cub", code=0)

    @unittest.skipUnless(shutil.which("z3"), "z3 is not installed")
    def test_certificates_convince_z3(self):
        copies = ("german.cub", "tokens.cub", "budget_lock.cub", "exchange_rate.cub", "ticket_lock.cub")
        for name in copies:
            self.write(name, (SOURCE / "examples/array" / name).read_text())
        for name in ("fenced.cub", *copies):
            with self.subTest(system=name):
                answer = json.loads(self.weir("check", name, "--json", "--certificate", "c.smt2", code=0).stdout)
                solver = subprocess.run(["z3", "-T:60", "c.smt2"], cwd=self.folder.name, capture_output=True, text=True)
                self.assertEqual(solver.stdout.split(), ["unsat"] * answer["stats"]["certificate_questions"])
        # A certificate with a region taken out convinces nobody.
        text = (pathlib.Path(self.folder.name) / "c.smt2").read_text()
        lines = text.split("\n")
        assertions = [i for i, line in enumerate(lines) if line.startswith("(assert (not (exists")]
        del lines[assertions[0]]
        self.write("wrong.smt2", "\n".join(lines))
        solver = subprocess.run(["z3", "-T:60", "wrong.smt2"], cwd=self.folder.name, capture_output=True, text=True)
        self.assertIn("sat", solver.stdout.split())

    def test_mistakes_are_located(self):
        self.write("bad.cub", ARRAY_MUTEX.replace("FENCE", "Flagg[p] = True &&"))
        self.assertIn("bad.cub:7:", self.fails(2, "Flagg", "check", "bad.cub"))
        self.write("who.cub", ARRAY_MUTEX.replace("FENCE", "").replace("ask ([p])", "ask (p)"))
        self.assertIn("who.cub:6:", self.fails(2, "error", "check", "who.cub"))
        self.fails(1, "a given number of processes", "check", "open.cub", "--engine", "smc")
        self.fails(2, "no program", "robust", "open.cub")
        self.fails(2, "no program", "convert", "open.cub", "--to", "weir")

    def test_numbers_that_do_not_fit_are_not_cut_off(self):
        text = "var X : int\ninit { X = 0 }\nunsafe () { X + X > SIZE }\n" \
               "transition t (p) requires { X < 2 } { X := X + 1 }\n"
        self.write("fits.cub", text.replace("SIZE", "4000000"))
        self.weir("check", "fits.cub", "-q", code=0)
        self.write("large.cub", text.replace("SIZE", "9000000000000000000"))
        answer = json.loads(self.weir("check", "large.cub", "--json", code=5).stdout)
        self.assertIn("numbers, were weakened", answer["reason"])

    def test_shared_ordinary_memory_is_refused_under_tso(self):
        text = ARRAY_MUTEX.replace("FENCE", "Turn = False &&").replace("weak array", "var Turn : bool\nweak array")
        self.write("mixed.cub", text.replace("At[p] := Crit", "At[p] := Crit; Turn := True"))
        answer = json.loads(self.weir("check", "mixed.cub", "--json", code=5).stdout)
        self.assertIn("Turn is not weak, but processes share it", answer["reason"])

    def test_axioms_give_the_same_answers(self):
        answer = json.loads(self.weir("check", "fenced.cub", "--axiomatic", "--json", code=0).stdout)
        self.assertIn("by the axioms", answer["reason"])
        self.weir("check", "open.cub", "--axiomatic", "-q", code=10)
        for name, code in (("tokens", 0), ("tokens_bug", 10), ("exchange_rate", 0)):  # sums
            self.weir("check", str(SOURCE / f"examples/array/{name}.cub"), "--axiomatic", "-q", code=code)
        self.fails(1, "no certificate", "check", "open.cub", "--axiomatic", "--certificate", "c")


if __name__ == "__main__":
    unittest.main()
