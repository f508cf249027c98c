#!/usr/bin/env python3
"""The answers of the Python package are those of the command line, and show themselves as text, JSON and pages."""

import html
import json
import pathlib
import re
import subprocess
import tempfile
import unittest

from support import EXAMPLES, WEIR

import weir


def command_line(*arguments):
    return json.loads(subprocess.run([WEIR, *arguments, "--json"], capture_output=True, text=True, timeout=300).stdout)


PETERSON = str(EXAMPLES / "peterson.imp")
PETERSON_C = str(EXAMPLES / "c/peterson.c")


class Answers(unittest.TestCase):
    def assert_same(self, answer, *arguments):
        """What does not depend on the run: all but the times and the echo of the options."""
        theirs, ours = command_line(*arguments), answer.to_json()
        for key in ("command", "file", "model", "verdict", "violation", "witness", "attacks", "fences", "cost", "patch", "traces",
                    "blocked", "equivalence", "outcomes", "condition", "holds", "observation"):  # fmt: skip
            self.assertEqual(theirs.get(key), ours.get(key), key)

    def test_check_is_that_of_the_command_line(self):
        for file in (PETERSON, PETERSON_C):
            with self.subTest(file=file):
                answer = weir.check(file, model="tso")
                self.assertEqual((answer.verdict, answer.model), ("unsafe", "tso"))
                self.assert_same(answer, "check", file, "--model", "tso")

    def test_witness(self):
        answer = weir.check(PETERSON_C, model="tso")
        kinds = {step.action for step in answer.witness}
        self.assertLessEqual({"store", "load", "flush"}, kinds)
        self.assertEqual(len(answer.witness), len(answer.execution))
        self.assertEqual(answer.violation.kind, "assertion")
        self.assertEqual(pathlib.Path(answer.violation.place.file).name, "peterson.c")
        late = next(step for step in answer.witness if step.buffered)
        self.assertEqual((late.action, late.value is not None), ("store", True))
        self.assertGreater(late.line, 0)
        self.assertEqual(str(late), f"{late.thread}: {late.text}")

    def test_safe_has_no_witness(self):
        answer = weir.check(PETERSON, model="sc")
        self.assertEqual((answer.verdict, answer.witness, answer.violation), ("safe", [], None))
        self.assertGreater(answer.stats["states"], 0)

    def test_violation_at_once(self):
        answer = weir.check("p.imp", text="program P\nvariables x = 1\nprocess A begin 1: x := 2 end\n", invariant="x = 2")
        self.assertEqual((answer.verdict, answer.witness), ("unsafe", []))
        self.assertIn("x = 2", answer.violation.message)

    def test_any_number_of_threads(self):
        self.assertEqual(weir.check(EXAMPLES / "spinlock.rmm", model="tso", instances="any").verdict, "safe")
        answer = weir.check(EXAMPLES / "peterson.imp", model="tso", instances=1)
        self.assertEqual(answer.verdict, "unsafe")

    def test_properties(self):
        text = "program P\nvariables x = 0\nprocess A begin 1: x := 1; 2: x := 2 end\n"
        program = weir.load("p.imp", text=text)
        self.assertEqual(weir.check(program).verdict, "safe")
        self.assertEqual(weir.check(program, invariant="x <= 1").verdict, "unsafe")
        self.assertEqual(weir.check(program, invariant=["x <= 2", "x >= 0"]).verdict, "safe")
        self.assertEqual(weir.check(program, goal=["A:2"]).violation.kind, "goal")

    def test_c_options(self):
        text = "#include <assert.h>\nint main(void) { assert(N == 2); }\n"
        for n, verdict in ((2, "safe"), (3, "unsafe")):
            self.assertEqual(weir.check("n.c", text=text, compiler_arguments=[f"-DN={n}"]).verdict, verdict)

    def test_races(self):
        text = (
            "#include <pthread.h>\nint x;\nvoid* f(void* p) { x = 1; return p; }\n"
            "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x = 2; pthread_join(t, 0); }\n"
        )
        self.assertEqual(weir.check("r.c", text=text).verdict, "safe")
        self.assertEqual(weir.check("r.c", text=text, races=True).violation.kind, "race")

    def test_robust_and_fence(self):
        answer = weir.robust(PETERSON)
        self.assertEqual(answer.verdict, "not-robust")
        self.assert_same(answer, "robust", PETERSON)
        self.assertIn("feasible", {attack.verdict for attack in answer.attacks})
        fences = weir.fence(PETERSON)
        self.assertEqual((fences.verdict, len(fences.fences), fences.cost), ("robust", 2, 2))
        self.assert_same(fences, "fence", PETERSON)
        self.assertEqual([fence.line for fence in answer.fences().fences], [fence.line for fence in fences.fences])
        self.assertIn("+++", fences.patch)

    def test_fences_of_a_violation_repair_it(self):
        answer = weir.check(PETERSON_C, model="tso").fences()
        self.assertEqual(answer.verdict, "safe")
        (edits,) = answer.edits
        self.assertEqual(edits.before, pathlib.Path(PETERSON_C).read_text())
        self.assertEqual(weir.check("peterson.c", text=edits.after, model="tso").verdict, "safe")

    def test_explore(self):
        answer = weir.explore(PETERSON_C, equivalence="rf", unroll=2)
        self.assertGreater(answer.executions, 0)
        self.assert_same(answer, "explore", PETERSON_C, "--equivalence", "rf", "--unroll", "2")

    def test_outcomes(self):
        test = EXAMPLES / "litmus/SB.litmus"
        answer = weir.outcomes(test, model="sc,tso")
        self.assertEqual([(each.model, each.observation) for each in answer.models], [("sc", "Never"), ("tso", "Sometimes")])
        self.assertEqual(answer.observation, "Never")
        self.assertEqual(len(answer.models[1].outcomes), len(answer.outcomes) + 1)
        self.assertEqual(weir.outcomes(test, model=["tso"]).outcomes, answer.models[1].outcomes)
        self.assertTrue(all(isinstance(value, int) for outcome in answer.outcomes for value in outcome.values()))

    def test_outcomes_are_numbers(self):
        # In the small languages the first variable has address 1.
        text = "program P\nvariables x = y = 0\nprocess A begin 1: x := 1; 2: y := 2 end\n"
        self.assertEqual(weir.outcomes("p.imp", text=text).outcomes, [{"x": 1, "y": 2}])

    def test_consistent(self):
        instance = EXAMPLES / "consistency/store_buffering.json"
        self.assertEqual(weir.consistent(instance, model="sc").verdict, "inconsistent")
        answer = weir.consistent(instance, model="tso")
        self.assertEqual(answer.verdict, "consistent")
        self.assertEqual(answer.verdict, weir.consistent("same.json", text=instance.read_text(), model="tso").verdict)
        self.assertGreater(len(answer.witness), 0)

    def test_fair(self):
        lock = EXAMPLES / "fairness/ticket_lock.imp"
        answer = weir.fair(lock, request="3", grant="4")
        self.assertEqual(answer.verdict, command_line("fair", lock, "--request", "3", "--grant", "4")["verdict"])
        self.assertEqual(weir.fair(lock, request=["3"], grant=["4"], fairness="none").verdict, "unfair")

    def test_fair_system(self):
        with tempfile.TemporaryDirectory() as folder:
            system = pathlib.Path(folder) / "system.aut"
            system.write_text('des (0, 3, 2)\n(0, "ask", 1)\n(1, "give", 0)\n(1, "wait", 1)\n')
            answer = weir.fair(system, pair="ask=>give")
            self.assertEqual(answer.verdict, command_line("fair", system, "--pair", "ask=>give")["verdict"])
            self.assertEqual((answer.verdict, answer.winning), ("fair", [True] * len(answer.winning)))

    def test_replay(self):
        answer = weir.check(PETERSON_C, model="tso")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "violation.json"
            answer.save(path)
            again = weir.replay(path)
            self.assertEqual(again.verdict, "unsafe")
            self.assertEqual([str(step) for step in again.witness], [str(step) for step in answer.witness])
            self.assertEqual(command_line("replay", path)["verdict"], "unsafe")

    def test_program(self):
        program = weir.load(PETERSON)
        self.assertEqual((program.language, program.threads), ("imp", ["P0", "P1"]))
        self.assertLessEqual({"flag_0", "flag_1", "turn"}, set(program.variables))
        self.assertEqual(weir.load("again.weir", text=program.text()).threads, program.threads)
        self.assertIs(weir.check(program).program, program)
        self.assertIn("peterson.imp", repr(program))

    def test_several_files_are_one_program(self):
        with tempfile.TemporaryDirectory() as folder:
            paths = [pathlib.Path(folder) / name for name in ("a.c", "b.c")]
            paths[0].write_text("#include <assert.h>\nint f(void);\nint main(void) { assert(f() == 1); }\n")
            paths[1].write_text("int f(void) { return 2; }\n")
            self.assertEqual(weir.check(paths).verdict, "unsafe")

    def test_limits(self):
        answer = weir.check(PETERSON, model="tso", buffer=1, engine="explicit")
        self.assertEqual(answer.verdict, "unsafe")
        answer = weir.check(EXAMPLES / "turn_fenced.imp", random=10**15, timeout=0.2)
        self.assertEqual((answer.verdict, answer.stopped), ("unknown", "timeout"))


class Looks(unittest.TestCase):
    def test_text_is_that_of_the_command_line(self):
        answer = weir.check(PETERSON, model="tso")
        shown = subprocess.run([WEIR, "check", PETERSON, "--model", "tso"], capture_output=True, text=True, timeout=300).stdout

        def without_times(text):
            return re.sub(r"\d+(\.\d+)? (s|MB|ms)\b", "", text).split("How it happens")[0].split()

        self.assertEqual(without_times(str(answer))[:6], without_times(shown)[:6])
        self.assertIn("UNSAFE under tso", str(answer))

    def test_repr_is_short(self):
        answer = weir.check(PETERSON, model="tso")
        self.assertTrue(repr(answer).startswith("<CheckAnswer unsafe under tso: "), repr(answer))
        self.assertNotIn("\n", repr(answer))
        self.assertRegex(repr(answer.witness[0]), r"^<Step P[01]: ")
        self.assertRegex(repr(answer.fences().fences[0]), r"^<Fence before .*peterson.imp:\d+")

    def test_notebooks_show_the_explorer_page(self):
        for answer in (weir.check(PETERSON, model="tso"), weir.check(PETERSON), weir.robust(PETERSON), weir.fence(PETERSON)):
            shown = answer._repr_html_()
            inner = re.fullmatch(r'<iframe srcdoc="([^"]*)" sandbox="allow-scripts" [^<>]*></iframe>', shown)
            self.assertIsNotNone(inner, shown[:200])
            self.assertEqual(html.unescape(inner[1]), answer.page())
            self.assertTrue(answer.page().lstrip().lower().startswith("<!doctype html>"))

    def test_json_is_that_of_the_schema(self):
        answer = weir.check(PETERSON, model="tso").to_json()
        self.assertEqual((answer["schema"], answer["tool"], answer["command"]), (1, "weir", "check"))
        self.assertEqual(answer["version"], weir.__version__)
        self.assertEqual(answer["options"]["model"], "tso")


unittest.main()
