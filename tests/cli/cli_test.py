#!/usr/bin/env python3
"""Runs the weir program as its users do: exit codes, messages, files and the JSON answer.

Usage: cli_test.py PATH_TO_WEIR [SOURCE_DIR] [OPTIONS OF UNITTEST]

With PART=K/N in the environment it runs the K-th of N parts, which can be run at the same time.
"""

import json
import os
import pathlib
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

WEIR = os.path.abspath(sys.argv.pop(1))
SOURCE = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2]).absolute()

sys.path.insert(0, str(SOURCE / "tests/schema"))
import validation  # noqa: E402: found by the line above

COMMANDS = ("check", "robust", "fence", "replay", "explain", "convert", "outcomes", "consistent", "explore", "generate",
            "fair", "selfcheck", "bench", "doctor")

DEKKER = """program dekker
variables x = 0, y = 0
exclusive P:cs, Q:cs
process P begin
  x := 1;
  if y = 0 then
    cs: skip
  fi
end
process Q begin
  y := 1;
  if x = 0 then
    cs: skip
  fi
end
"""

TRENCHER = """thread t0
initial a
transition a b write 1 0
transition b c read r 1
transition c d check == r 0
final d
end
thread t1
initial a
transition a b write 1 1
transition b c read r 0
transition c d check == r 0
final d
end
"""

# Tickets count up for ever.
TICKET = """name 0 next
name 1 serving
name 2 done
thread t1
initial q0
transition q0 q1 lock
transition q1 q2 read mine 0
transition q2 q3 write + mine 1 0
transition q3 q4 unlock
transition q4 q5 read now 1
transition q5 q4 check != now mine
transition q5 cs check == now mine
transition cs q6 write 1 2
transition q6 q7 write + mine 1 1
transition q7 q0 read done 2
end
thread t2
initial q0
transition q0 q1 lock
transition q1 q2 read mine 0
transition q2 q3 write + mine 1 0
transition q3 q4 unlock
transition q4 q5 read now 1
transition q5 q4 check != now mine
transition q5 cs check == now mine
transition cs q6 write 1 2
transition q6 q7 write + mine 1 1
transition q7 q0 read done 2
end
"""

ENDLESS = """weir 1
shared x
shared y
function f(me)
  register r
  s:
    r := load x -> t
  t:
    store x := r * 3 + me -> u
  u:
    r := load y -> v
  v:
    store y := r * 5 - me -> s
end
thread A = f(1)
thread B = f(2)
invariant x * 0 == 0
"""


class Cli(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.write("dekker.imp", DEKKER)
        self.write("sb.trn", TRENCHER)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, name, text):
        mode = "wb" if isinstance(text, bytes) else "w"
        with open(self.path(name), mode) as file:
            file.write(text)
        return name

    def weir(self, *arguments, code=None, timeout=60, **keywords):
        folder = keywords.pop("cwd", self.folder.name)
        result = subprocess.run([WEIR, *arguments], cwd=folder, capture_output=True, text=True, errors="replace",
                                timeout=timeout, **keywords)
        if code is not None:
            self.assertEqual(result.returncode, code, f"weir {' '.join(arguments)}\n{result.stdout}{result.stderr}")
        self.assertEqual(validation.output_mistakes(arguments, result.returncode, result.stdout, folder), [],
                         f"weir {' '.join(arguments)}")
        return result

    def fails(self, code, message, *arguments):
        """One clear message on standard error, nothing on standard output, quickly."""
        start = time.monotonic()
        result = self.weir(*arguments, code=code)
        self.assertLess(time.monotonic() - start, 5)
        self.assertIn(message, result.stderr)
        self.assertEqual(result.stderr.count("error:"), 1, result.stderr)
        self.assertEqual(result.stdout, "")
        return result.stderr


class Answers(Cli):
    def test_safe_is_0(self):
        result = self.weir("check", "dekker.imp", code=0)
        self.assertTrue(result.stdout.startswith("SAFE under sc"), result.stdout)
        self.assertIn("--model tso", result.stdout)

    def test_violation_is_10_and_explained(self):
        result = self.weir("check", "dekker.imp", "--model", "tso", code=10)
        self.assertTrue(result.stdout.startswith("UNSAFE under tso: mutual exclusion violated"), result.stdout)
        self.assertIn("write x = 1 (to buffer)", result.stdout)
        self.assertIn("dekker.imp:", result.stdout)

    def test_quiet_is_one_line(self):
        result = self.weir("check", "dekker.imp", "--model=pso", "-q", code=10)
        self.assertEqual(result.stdout.count("\n"), 1)
        self.assertEqual(result.stderr, "")

    def test_trencher_goal(self):
        self.weir("check", "sb.trn", code=0)
        self.weir("check", "sb.trn", "--model", "tso", code=10)

    def test_format_by_content_and_by_option(self):
        self.write("sb.txt", TRENCHER)
        self.write("dekker", DEKKER)
        self.weir("check", "sb.txt", code=0)
        self.weir("check", "dekker", code=0)
        self.weir("check", "sb.txt", "--format", "trencher", code=0)
        self.fails(2, "sb.txt:1:1", "check", "sb.txt", "--format", "weir")

    def test_every_switch_gives_the_same_verdict(self):
        for extra in (["--search", "dfs"], ["--no-symmetry"], ["--no-live-variables"], ["--engine", "explicit"],
                      ["--buffer", "3"], ["--local-steps", "1000"], ["--seed", "7"], ["--memory", "4000"],
                      ["--timeout", "50"], ["-v"], ["--color", "always"],
                      *(["--reduction", r] for r in "none local-first persistent dynamic cartesian".split())):
            with self.subTest(extra=extra):
                self.weir("check", "dekker.imp", "--model", "tso", *extra, code=10)

    def test_properties_on_the_command_line(self):
        self.weir("check", "dekker.imp", "--invariant", "x + y <= 1", code=10)
        self.weir("check", "dekker.imp", "--invariant", "x + y <= 2", "--deadlock", code=0)
        self.weir("check", "dekker.imp", "--goal", "P:cs", code=10)
        self.weir("check", "dekker.imp", "--goal", "P:cs", "--goal", "Q:cs", code=0)
        self.weir("check", "sb.trn", "--goal", "t0:b", code=10)  # besides the goal in the file
        self.weir("check", "dekker.imp", "--exclusive", "cs", "--model", "tso", code=10)
        self.weir("check", "dekker.imp", "--exclusive", "P:cs, Q:cs", code=0)

    def test_program_without_property_gets_a_warning(self):
        self.write("p.imp", "program p\nvariables x = 0\nprocess P begin x := 1 end\n")
        self.assertIn("states no property", self.weir("check", "p.imp", code=0).stderr)
        self.assertEqual(self.weir("check", "p.imp", "-q", code=0).stderr, "")

    def test_json_is_the_contract(self):
        answer = json.loads(self.weir("check", "dekker.imp", "--model", "tso", "--json", code=10).stdout)
        self.assertEqual((answer["schema"], answer["tool"], answer["command"]), (1, "weir", "check"))
        self.assertEqual((answer["file"], answer["model"], answer["verdict"]), ("dekker.imp", "tso", "unsafe"))
        for figure in "seconds peak_mb states transitions traces blocked configurations".split():
            self.assertIn(figure, answer["stats"])
        self.assertEqual(answer["violation"]["kind"], "forbidden")
        self.assertGreater(answer["violation"]["line"], 0)
        self.assertEqual(answer["options"]["model"], "tso")
        for step in answer["witness"]:
            self.assertTrue({"thread", "action", "file", "line"} <= step.keys(), step)
        stores = [s for s in answer["witness"] if s["action"] == "store"]
        self.assertTrue(stores and all(s["buffered"] for s in stores))
        more = json.loads(self.weir("check", "dekker.imp", "--model", "tso", "--json", "-v", code=10).stdout)
        self.assertGreater(len(more["witness"]), len(answer["witness"]))
        safe = json.loads(self.weir("check", "dekker.imp", "--json", code=0).stdout)
        self.assertEqual(safe["verdict"], "safe")
        self.assertNotIn("witness", safe)

    def test_timeout_is_unknown(self):
        self.write("endless.weir", ENDLESS)
        start = time.monotonic()
        result = self.weir("check", "endless.weir", "--timeout", "1", "--json", code=5)
        self.assertLess(time.monotonic() - start, 20)
        answer = json.loads(result.stdout)
        self.assertEqual(answer["verdict"], "unknown")
        self.assertIn("time", answer["reason"])
        self.assertGreater(answer["stats"]["states"], 0)

    def test_memory_limit_is_unknown(self):
        self.write("endless.weir", ENDLESS)
        answer = json.loads(self.weir("check", "endless.weir", "--memory", "60", "--json", "--timeout", "50", code=5).stdout)
        self.assertIn("memory", answer["reason"])

    def test_interrupt_is_unknown_with_figures(self):
        self.write("endless.weir", ENDLESS)
        process = subprocess.Popen([WEIR, "check", "endless.weir", "--json", "--timeout", "60"], cwd=self.folder.name,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(1.5)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 5)
        answer = json.loads(out)
        self.assertEqual(validation.mistakes(answer, validation.SCHEMAS["answer"]), [])
        self.assertIn("interrupted", answer["reason"])
        self.assertGreater(answer["stats"]["states"], 0)

    def test_progress_goes_to_standard_error(self):
        self.write("endless.weir", ENDLESS)
        result = self.weir("check", "endless.weir", "--timeout", "8", code=5)
        self.assertRegex(result.stderr, r"weir: .*states .*queued.*MB.* s\n")
        self.assertEqual(self.weir("check", "endless.weir", "--timeout", "6", "-q", code=5).stderr, "")


class ManyPrograms(Cli):
    def setUp(self):
        super().setUp()
        for folder, pattern in (("bench/robustness", "*.trn"), ("examples", "*.imp"), ("examples", "*.rmm")):
            for path in sorted((SOURCE / folder).glob(pattern)):
                self.write(path.name, path.read_text())


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

    def test_for_safety(self):
        for model in ("tso", "pso"):
            with self.subTest(model=model):
                answer = self.fence("dekker.imp", "--for", "safety", "--model", model)
                self.assertEqual((answer["verdict"], answer["engine"], answer["model"]), ("safe", "explicit", model))
                self.write("safe.imp", (SOURCE / "examples/dekker.imp").read_text())
                self.apply(answer["patch"].replace("dekker.imp", "safe.imp"))
                self.weir("check", "safe.imp", "--model", model, "-q", code=0)
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


class Pages(Cli):
    """--html: one file with the data of the answer; tests/web looks at it in a browser."""

    def data(self, name):
        text = pathlib.Path(self.path(name)).read_text()
        self.assertEqual(text.count("<script"), 2)  # the data and the page's own
        found = re.search(r'<script type="application/json" id="weir-data">([^<]*)</script>', text)
        return json.loads(found.group(1))

    def test_violation(self):
        printed = self.weir("check", "dekker.imp", "--model", "tso", code=10).stdout
        with_page = self.weir("check", "dekker.imp", "--model", "tso", "--html", "p.html", code=10).stdout
        timeless = lambda text: re.sub(r"[\d.]+ s, \d+ MB", "", text)
        self.assertIn("Step by step, in a browser:  weir check dekker.imp --model tso --html", printed)
        self.assertEqual(timeless(with_page), timeless(re.sub(r"Step by step.*\n", "", printed)))
        page = self.data("p.html")
        answer = json.loads(self.weir("check", "dekker.imp", "--model", "tso", "--json", code=10).stdout)
        steps = [step for step in page["executions"][0]["steps"] if not step.get("local")]
        self.assertEqual([step["action"] for step in steps], [step["action"] for step in answer["witness"]])
        self.assertEqual([page["threads"][step["thread"]] for step in steps],
                         [step["thread"] for step in answer["witness"]])
        self.assertEqual(page["sources"], [{"path": "dekker.imp", "text": DEKKER}])
        self.assertEqual(page["commandLine"], "weir check dekker.imp --model tso")

    def test_safe_and_robust_answers_have_pages(self):
        self.weir("check", "dekker.imp", "--html", "p.html", "-q", code=0)
        self.assertEqual(self.data("p.html")["executions"], [])
        self.weir("robust", "dekker.imp", "--all", "--html", "p.html", "-q", code=10)
        self.assertEqual(len(self.data("p.html")["executions"]), 2)
        self.weir("fence", "dekker.imp", "--html", "p.html", "-q", code=0)
        self.assertEqual([fence["line"] for fence in self.data("p.html")["fences"]], [6, 12])

    def test_fences_in_place(self):
        for command in (("check", "--model", "tso"), ("check", "--model", "pso"), ("robust",)):
            self.weir(command[0], "dekker.imp", *command[1:], "--html", "p.html", "-q", code=10)
            self.assertEqual([fence["line"] for fence in self.data("p.html")["fences"]], [6, 12])
        self.weir("check", "dekker.imp", "--model", "tso", "-n", "2", "--html", "p.html", "-q", code=10)
        self.assertEqual(self.data("p.html")["fences"], [])

    def test_array_systems(self):
        self.weir("check", str(SOURCE / "examples/array/dijkstra.cub"), "--html", "p.html", "-q", code=0)
        self.assertEqual(self.data("p.html")["executions"], [])
        bug = str(SOURCE / "examples/array/mesi_bug.cub")
        self.weir("check", bug, "--html", "p.html", "-q", code=10)
        page = self.data("p.html")
        answer = json.loads(self.weir("check", bug, "--json", code=10).stdout)
        steps = [step for step in page["executions"][0]["steps"] if not step.get("local")]
        self.assertEqual([step["text"] for step in steps],
                         [f"{step['transition']}: {step['effect']}" for step in answer["witness"]])
        self.assertEqual([page["threads"][step["thread"]] for step in steps], ["#2", "#1", "#1"])

    def test_outcomes_of_c_programs(self):
        self.write("sb.c", """#include <pthread.h>
#include <stdlib.h>
int x, stop;
static void *late(void *unused) { x = 2; return unused; }
int main(int argc, char **argv) {
  pthread_t t;
  x = 1;
  if (stop) pthread_create(&t, 0, late, 0);
  return 0;
}
""")
        self.weir("outcomes", "sb.c", "--model", "sc,tso", "--html", "p.html", "-q", code=0)
        (execution,) = self.data("p.html")["executions"]  # with a thread that is never created
        self.assertEqual(execution["title"], "x=1, stop=0")

    def test_replay_shows_what_the_file_has(self):
        self.weir("check", "dekker.imp", "--model", "tso", "--witness", "w.json", "-q", code=10)
        self.weir("replay", "w.json", "--html", "p.html", code=10)
        self.assertIn("x := 1;", self.data("p.html")["sources"][0]["text"])

    def test_where_there_is_none(self):
        self.write("s.aut", 'des (0, 1, 1)\n(0, "a", 0)\n')
        self.fails(1, "--html shows executions of programs", "fair", "s.aut", "--html", "p.html")
        self.fails(2, "no/such/folder", "check", "dekker.imp", "--html", "no/such/folder/p.html")


class Conversions(Cli):
    def test_to_weir_and_back(self):
        first = self.weir("convert", "dekker.imp", "--to", "weir", code=0).stdout
        self.write("d.weir", first)
        self.assertEqual(self.weir("convert", "d.weir", "--to", "weir", code=0).stdout, first)
        self.weir("check", "d.weir", "--model", "tso", code=10)
        self.weir("check", "d.weir", code=0)

    def test_every_format(self):
        for target in ("weir", "trencher", "imp", "rmm", "dot", "promela"):
            with self.subTest(target=target):
                self.weir("convert", "sb.trn", "--to", target, "-o", "out", code=0)
                self.assertGreater(os.path.getsize(self.path("out")), 20)

    def test_to_trencher_and_imp_keep_the_verdict(self):
        for target, suffix in (("trencher", "trn"), ("imp", "imp"), ("rmm", "rmm")):
            with self.subTest(target=target):
                self.weir("convert", "sb.trn", "--to", target, "-o", "out." + suffix, code=0)
                self.weir("check", "out." + suffix, code=0)
                self.weir("check", "out." + suffix, "--model", "tso", code=10)

    def test_what_cannot_be_said(self):
        self.write("calls.weir", "weir 1\nfunction g()\n s:\n return\nend\nfunction f()\n s:\n call g() -> t\n t:\nend\n"
                                 "thread T = f()\n")
        self.fails(2, "calls.weir:8:2", "convert", "calls.weir", "--to", "promela")

    def test_needs_a_target(self):
        self.fails(1, "format", "convert", "dekker.imp")


COUNTER = """/* counts as far as the range goes */
forbidden
  End *
data
  x = 0 : [0:2]
process
registers
  $r = 0
text
  while $r < 3 do { $r := $r + 1; write: x := $r };
  End: nop
process
text
  nop
"""


class Rmm(Cli):
    def test_recognised_by_suffix_and_content(self):
        text = (SOURCE / "examples/peterson.rmm").read_text()
        for name in ("p.rmm", "p.unknown"):
            self.write(name, "/* by content,\n after comments */\n" + text)
            self.weir("check", name, code=0)
            self.assertIn("P0 at CS, P1 at CS", self.weir("check", name, "--model", "tso", code=10).stdout)
        self.write("p.imp", text)
        self.weir("check", "p.imp", "--format", "rmm", code=0)

    def test_mistakes_are_located(self):
        self.write("bad.rmm", "forbidden CS\nprocess text\n  CS: read: x = 0\n")
        self.assertIn("bad.rmm:3:13: error: unknown variable 'x'", self.fails(2, "unknown", "check", "bad.rmm"))

    def test_values_outside_of_a_range(self):
        self.write("counter.rmm", COUNTER)
        self.weir("check", "counter.rmm", code=0)
        failing = self.weir("check", "counter.rmm", "--outside-range", "fail", code=10)
        self.assertIn("outside of [0:2], the range of x", failing.stdout)

    def test_copies_of_threads_of_a_c_program(self):
        self.write("n.c", "int main(void) { return 0; }\n")
        for command in ("check", "robust"):
            for number in ("2", "any"):
                self.assertIn("creates its own threads", self.fails(1, "-n", command, "n.c", "-n", number))

    def test_executions_that_a_bound_cuts_are_counted_apart(self):
        self.write("cut.c", """
#include <pthread.h>
#include <stdatomic.h>
atomic_int y;
static void *p(void *a) {
  for (int i = 0; i < 3; i++) atomic_fetch_add(&y, 1);
  return a;
}
int main(void) {
  pthread_t t;
  for (int i = 0; i < 2; i++) pthread_create(&t, 0, p, 0);
}
""")
        count = lambda *options: json.loads(self.weir("explore", "cut.c", "--json", *options).stdout)
        all_of_them = count()
        self.assertEqual(all_of_them["cut"], 0)
        for bound in ("1", "2"):
            bounded = count("--unroll", bound)
            self.assertEqual(bounded["traces"], 0)
            self.assertGreater(bounded["cut"], 0)
        self.assertEqual(count("--unroll", "3")["traces"], all_of_them["traces"])

    def test_outcomes_are_numbers(self):
        self.write("n.imp", "program P variables a = b = c = 0 process A begin a := 2; b := 7 end\n")
        self.assertIn("  a  b  c\n  2  7  0\n", self.weir("outcomes", "n.imp", code=0).stdout)

    def test_locked_blocks_that_only_read(self):
        process = "process text write: {0} := 1; locked {{ {1} }}; CS: nop\n"
        start = "forbidden CS CS data x = 0 : [0:1] y = 0 : [0:1]\n"
        self.write("one.rmm", start + process.format("x", "read: y = 0") + process.format("y", "read: x = 0"))
        self.weir("check", "one.rmm", code=0)
        for engine in ("explicit", "dual", "abstraction"):
            self.weir("check", "one.rmm", "--model", "tso", "--engine", engine, code=10)
        both = "read: x = 0; read: y = 0"
        self.write("two.rmm", start + process.format("x", both) + process.format("y", both))
        for engine in ("explicit", "dual", "abstraction", "lazy"):
            unknown = self.weir("check", "two.rmm", "--model", "tso", "--engine", engine, code=5).stdout
            self.assertIn("the locked block in line 2 only reads", unknown)

    def test_any_number_of_processes(self):
        sb = "forbidden * * data x = 0 y = 0 process text A: write: x := 1; read: y = 0 process text write: y := 1; read: x = 0"
        self.write("sb.rmm", sb.replace("* *", "A *"))
        self.weir("robust", "sb.rmm", "-n", "any", code=10)
        self.weir("robust", "sb.rmm", "-n", "2", code=10)
        self.write("any.rmm", sb.replace("* *", "A *").replace("x = 0 y", "x = * : [0:1] y", 1))
        answer = json.loads(self.weir("robust", "any.rmm", "-n", "any", "--json", code=5).stdout)
        self.assertIn("thread init is no template", answer["reason"])

    def test_from_every_language_and_back(self):
        self.write("p.rmm", (SOURCE / "bench/dual/peterson.rmm").read_text())
        for target, suffix in (("trencher", "trn"), ("imp", "imp"), ("weir", "weir"), ("rmm", "rmm")):
            with self.subTest(target=target):
                self.weir("convert", "p.rmm", "--to", target, "-o", "q." + suffix, code=0)
                self.weir("convert", "q." + suffix, "--to", "rmm", "-o", "r.rmm", code=0)
                for name in ("q." + suffix, "r.rmm"):
                    self.weir("check", name, code=0)
                    self.weir("check", name, "--model", "tso", code=10)

    def test_what_cannot_be_said(self):
        self.write("f.imp", "program f\nvariables x = 0\nprocess P begin\n  x := x * 2\nend\n")
        self.assertIn("f.imp:4:", self.fails(2, "RMM cannot express a multiplication", "convert", "f.imp", "--to", "rmm"))
        self.write("two.rmm", "forbidden A * ; * A process(2) text A: nop")
        self.fails(2, "IMP cannot express several goals", "convert", "two.rmm", "--to", "imp")
        self.fails(2, "several properties at once", "convert", "two.rmm", "--to", "trencher")

    def test_families(self):
        family = str(SOURCE / "bench/dual/family.py")
        for arguments, code in ((("sb", "3"), 10), (("mutex", "3", "fenced"), 0), (("burns", "3"), 10),
                                (("lamport", "2", "fenced"), 0), (("ticket", "3"), 0), (("spinlock", "4"), 0),
                                (("tas", "2"), 0), (("ttas", "2"), 0), (("lb", "3"), 0)):
            with self.subTest(family=arguments):
                made = subprocess.run([sys.executable, family, *arguments], capture_output=True, text=True)
                self.write("family.rmm", made.stdout)
                self.assertIn("expect tso: " + ("safe" if code == 0 else "unsafe"), made.stdout)
                self.weir("check", "family.rmm", "--model", "tso", code=code)


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


STORE_BUFFERING = """#include <assert.h>
#include <pthread.h>
int x, y, a, b;
static void *left(void *p) { x = 1; a = y; return 0; }
static void *right(void *p) { y = 1; b = x; return 0; }
int main(void) {
  pthread_t l, r;
  pthread_create(&l, 0, left, 0);
  pthread_create(&r, 0, right, 0);
  pthread_join(l, 0);
  pthread_join(r, 0);
  assert(a || b);
}
"""

HAS_C = os.path.exists(os.path.join(os.path.dirname(WEIR), "libweir_c.so"))


@unittest.skipUnless(HAS_C, "this weir reads no C programs")
class Outcomes(Cli):
    def outcomes(self, *arguments, code=0):
        return json.loads(self.weir("outcomes", *arguments, "--json", code=code).stdout)

    def test_padding_is_not_shown(self):
        self.write("padded.c", "struct { char a; int b; } x;\nint main(void) { x.a = 1; }\n")
        self.assertEqual(self.outcomes("padded.c")["outcomes"], [{"x.a": 1, "x.b": 0}])

    def test_store_buffering(self):
        self.write("sb.c", "#include <pthread.h>\n#include <stdatomic.h>\natomic_int x, y;\nint r, s;\n"
                           "static void* a(void* p) { atomic_store_explicit(&x, 1, memory_order_relaxed);\n"
                           "  r = atomic_load_explicit(&y, memory_order_relaxed); return p; }\n"
                           "static void* b(void* p) { atomic_store_explicit(&y, 1, memory_order_relaxed);\n"
                           "  s = atomic_load_explicit(&x, memory_order_relaxed); return p; }\n"
                           "int main(void) { pthread_t t, u; pthread_create(&t, 0, a, 0);\n"
                           "  pthread_create(&u, 0, b, 0); pthread_join(t, 0); pthread_join(u, 0); }\n")
        both = [{"r": r, "s": s} for r in (0, 1) for s in (0, 1)]
        show = ["--show", "r", "--show", "s"]
        self.assertEqual(self.outcomes("sb.c", *show)["outcomes"], both[1:])
        self.assertEqual(self.outcomes("sb.c", *show, "--model", "tso")["outcomes"], both)
        everything = self.outcomes("sb.c", "--model", "pso")["outcomes"]
        self.assertEqual(everything, [{"x": 1, "y": 1, **outcome} for outcome in both])
        self.fails(1, "there is no shared variable 'q'", "outcomes", "sb.c", "--show", "q")

    def test_what_is_no_outcome(self):
        self.write("stuck.c", "#include <assert.h>\n#include <pthread.h>\n#include <semaphore.h>\n"
                              "#include <stdatomic.h>\natomic_int x;\nsem_t never;\n"
                              "static void* set(void* p) { x = 1; assert(x != 2); return p; }\n"
                              "int main(void) { pthread_t t; pthread_create(&t, 0, set, 0); x = 2;\n"
                              "  if (x == 2) sem_wait(&never); }\n")
        answer = self.outcomes("stuck.c", "--show", "x")
        self.assertEqual(answer["outcomes"], [{"x": 1}])
        self.assertGreater(answer["stuck"], 0)
        self.assertIn("ends by a violation", self.weir("outcomes", "stuck.c", code=0).stdout)

    def test_incomplete_outcomes_are_unknown(self):
        self.write("grow.c", "#include <stdatomic.h>\natomic_long n;\nint main(void) { for (;;) n++; }\n")
        self.assertEqual(self.outcomes("grow.c", "--values", "10", code=5)["verdict"], "unknown")


SB = """X86 SB
{ x=0; y=0; }
 P0          | P1          ;
 MOV [x],$1  | MOV [y],$1  ;
 MOV EAX,[y] | MOV EAX,[x] ;
exists (0:EAX=0 /\\ 1:EAX=0)
"""


class Litmus(Cli):
    def setUp(self):
        super().setUp()
        self.write("SB.litmus", SB)

    def outcomes(self, *arguments, code=0):
        return json.loads(self.weir("outcomes", *arguments, "--json", code=code).stdout)

    def test_text_is_that_of_herd(self):
        text = self.weir("outcomes", "SB.litmus", "--model", "tso").stdout
        self.assertEqual(re.sub(r"Time SB .*", "Time SB", text), """Test SB Allowed
States 4
0:EAX=0; 1:EAX=0;
0:EAX=0; 1:EAX=1;
0:EAX=1; 1:EAX=0;
0:EAX=1; 1:EAX=1;
Ok
Witnesses
Positive: 1 Negative: 3
Condition exists (0:EAX=0 /\\ 1:EAX=0)
Observation SB Sometimes 1 3
Time SB

""")
        self.write("no.litmus", SB.replace("exists", "locations [x;]\n~exists"))
        text = self.weir("outcomes", "no.litmus", "--model", "tso").stdout
        self.assertIn("Test SB Forbidden\nStates 4\n0:EAX=0; 1:EAX=0; [x]=1;\n", text)
        self.assertIn("No\nWitnesses\nPositive: 3 Negative: 1\n", text)

    def test_json(self):
        answer = self.outcomes("SB.litmus")
        self.assertEqual(answer["outcomes"], [{"0:EAX": a, "1:EAX": b} for a, b in ((0, 1), (1, 0), (1, 1))])
        self.assertEqual((answer["holds"], answer["observation"]), (False, "Never"))
        self.assertEqual(answer["condition"], "exists (0:EAX=0 /\\ 1:EAX=0)")
        models = self.outcomes("SB.litmus", "--model", "sc,pso")["models"]
        self.assertEqual([(m["model"], m["holds"], len(m["outcomes"])) for m in models],
                         [("sc", False, 3), ("pso", True, 4)])

    def test_table_of_models(self):
        text = self.weir("outcomes", "SB.litmus", "--model", "sc,tso,pso", "--cross-check").stdout
        self.assertIn("      0      0    -  yes  yes  *\n      0      1  yes  yes  yes\n", text)
        self.assertIn("The axioms give the same final states.", text)
        self.fails(1, "--model cannot be 'arm'", "outcomes", "SB.litmus", "--model", "sc,arm")

    def test_an_execution_on_demand(self):
        show = ["--show", "0:EAX=0 /\\ 1:EAX=0"]
        text = self.weir("outcomes", "SB.litmus", "--model", "sc,tso", *show, "--svg", "a.svg", "--dot", "a.dot").stdout
        self.assertIn("No execution under sc ends with 0:EAX=0 /\\ 1:EAX=0.", text)
        self.assertIn("An execution under tso that ends with 0:EAX=0 /\\ 1:EAX=0:", text)
        self.assertEqual(text.count("flush"), 2)
        picture = pathlib.Path(self.path("a.svg")).read_text()
        self.assertEqual((picture.count("<path d=\"M0"), picture.count(">W x=1<"), picture.count(">fr<")), (4, 1, 2))
        self.assertEqual(pathlib.Path(self.path("a.dot")).read_text().count('label="fr"'), 2)
        shown = self.outcomes("SB.litmus", "--model", "tso", *show)["shown"][0]
        self.assertEqual([step["action"] for step in shown["witness"]].count("store"), 2)
        self.fails(2, "there is no variable 'q'", "outcomes", "SB.litmus", "--show", "q=1")

    def test_mistakes_are_located(self):
        self.write("bad.litmus", SB.replace("MOV [y],$1", "MOVX [y],$1"))
        self.assertIn("bad.litmus:4:16", self.fails(2, "the instruction 'MOVX' is not modelled", "outcomes", "bad.litmus"))

    def test_no_axioms(self):
        self.write("loop.litmus", "X86 loop\n{}\nP0 | P1;\nL: MOV EAX,[x] | MOV [x],$1;\nCMP EAX,$1 | ;\nJNE L | ;\nforall (0:EAX=1)\n")
        self.assertTrue(self.outcomes("loop.litmus", "--model", "tso")["holds"])
        self.assertIn("no cross-check", self.weir("outcomes", "loop.litmus", "--cross-check", code=5).stderr)

    def test_other_commands_read_them(self):
        self.weir("robust", "SB.litmus", code=10)
        self.weir("check", "SB.litmus", code=0)
        self.assertIn("2 fences", self.weir("fence", "SB.litmus", code=0).stdout)
        self.write("SB", SB)
        self.assertEqual(len(self.outcomes("SB", "--format", "litmus", "--model", "tso")["outcomes"]), 4)


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


class Exploration(Cli):
    MUTEX = ("#include <assert.h>\n#include <pthread.h>\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nint x;\n"
             "static void* f(void* p) { pthread_mutex_lock(&m); x++; assert(x < %d); pthread_mutex_unlock(&m);\n"
             "  return p; }\n"
             "int main(void) { pthread_t t[3]; for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, f, 0);\n"
             "  for (int i = 0; i < 3; i++) pthread_join(t[i], 0); }\n")

    def explore(self, *arguments, code=0):
        return json.loads(self.weir("explore", *arguments, "--json", code=code).stdout)

    def test_counts_critical_sections(self):
        self.write("m.c", self.MUTEX % 9)
        for model in ("sc", "tso", "pso"):
            answer = self.explore("m.c", "--model", model)
            self.assertEqual((answer["traces"], answer["blocked"], answer["equivalence"]), (6, 0, "mazurkiewicz"))
        self.assertIn("6 executions under sc", self.weir("explore", "m.c", code=0).stdout)

    WRITERS = ("#include <pthread.h>\n#include <stdatomic.h>\natomic_int x, y, z;\n"
               "#define GET(v) atomic_load_explicit(&v, memory_order_relaxed)\n"
               "#define PUT(v, e) atomic_store_explicit(&v, e, memory_order_relaxed)\n"
               "static void* f(void* p) {\n"
               "  int k = (int)(long)p;\n"
               "  PUT(x, k); int a = GET(y); PUT(y, k + a); int b = GET(x); PUT(z, a + b);\n"
               "  return p; }\n"
               "int main(void) { pthread_t t; for (long i = 0; i < %d; i++) pthread_create(&t, 0, f, (void*)i); }\n")

    def test_equivalences_from_fine_to_coarse(self):
        self.write("w.c", self.WRITERS % 3)
        counts = [self.explore("w.c", "--equivalence", each)["traces"] for each in ("mazurkiewicz", "observers", "rf")]
        self.assertGreater(counts[0], counts[1])
        self.assertGreater(counts[1], counts[2])

    def test_values_have_fewer_executions_than_sources(self):
        self.write("w.c", self.WRITERS % 3)
        by_source = self.explore("w.c", "--equivalence", "rf")["traces"]
        for model in ("sc", "tso", "pso"):
            self.assertLess(self.explore("w.c", "--equivalence", "rvf", "--model", model)["traces"], by_source * 2)
        dc, vc, rvf = (self.explore("w.c", "--equivalence", each)["traces"] for each in ("dc", "vc", "rvf"))
        self.assertGreaterEqual(dc, vc)
        self.assertGreaterEqual(vc, rvf)
        self.assertLess(rvf, by_source)

    def test_what_values_can_do_without(self):
        self.write("w.c", self.WRITERS % 2)
        count = self.explore("w.c", "--equivalence", "rvf")["traces"]
        for each in ("closure", "greedy", "guidance", "signals", "closure,greedy,guidance,signals"):
            self.assertEqual(self.explore("w.c", "--equivalence", "rvf", "--without", each)["traces"], count, each)
        self.assertIn("any of closure", self.weir("explore", "w.c", "--equivalence", "rvf", "--without", "x", code=1).stderr)

    def test_roots(self):
        self.write("w.c", self.WRITERS % 2)
        first = self.explore("w.c", "--equivalence", "vc")["traces"]
        self.assertEqual(self.explore("w.c", "--equivalence", "vc", "--root", "1")["traces"], first)
        wrong = self.weir("explore", "w.c", "--equivalence", "vc", "--root", "nobody", code=1).stderr
        self.assertIn("there is no thread 'nobody'", wrong)
        self.assertIn("main", wrong)
        for arguments in (["vc", "--model", "tso"], ["rf", "--root", "1"], ["rf", "--without", "closure"], ["rvf", "--estimate"]):
            self.weir("explore", "w.c", "--equivalence", *arguments, code=1)

    def test_failed_assumptions_are_counted_apart(self):
        self.write("a.c", "#include <pthread.h>\n#include <stdatomic.h>\n"
                   "extern void __VERIFIER_assume(int);\nstatic atomic_int x;\n"
                   "static void* f(void* p) { atomic_store(&x, 1); return p; }\n"
                   "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); __VERIFIER_assume(atomic_load(&x) == 1); }\n")
        for equivalence in ("mazurkiewicz", "rf", "rvf"):
            answer = self.explore("a.c", "--equivalence", equivalence)
            self.assertEqual((answer["traces"], answer["blocked"]), (1, 1), equivalence)

    def test_estimate_is_near_the_count(self):
        self.write("w.c", self.WRITERS % 3)
        count = self.explore("w.c")["traces"]
        estimate = self.explore("w.c", "--estimate")["estimate"]
        self.assertLess(estimate["executions"], 2 * count)
        self.assertGreater(estimate["executions"], count / 2)
        self.assertRegex(self.weir("explore", "w.c", "--estimate", code=0).stdout, "about .* executions .* 95 %")

    def test_auto_turns_to_executions_if_they_are_fewer_than_states(self):
        self.write("w.c", self.WRITERS % 4)
        answer = json.loads(self.weir("check", "w.c", "--model", "tso", "--json", code=0).stdout)
        self.assertEqual((answer["engine"], answer["verdict"]), ("smc", "safe"))

    def test_violations_stop_it_only_if_asked(self):
        self.write("m.c", self.MUTEX % 3)
        answer = self.explore("m.c")
        self.assertEqual(answer["violating"], answer["blocked"])  # main waits for the thread that failed
        self.assertEqual(answer["violation"]["kind"], "assertion")
        self.assertEqual(self.explore("m.c", "--stop", code=10)["verdict"], "unsafe")
        self.weir("explore", "m.c", "--witness", "w.json", code=0)
        self.weir("replay", "w.json", code=10)

    def test_blocked_executions_are_counted_apart(self):
        self.write("d.c", "#include <pthread.h>\npthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, "
                          "b = PTHREAD_MUTEX_INITIALIZER;\n"
                          "static void* f(void* p) { pthread_mutex_lock(&b); pthread_mutex_lock(&a);\n"
                          "  pthread_mutex_unlock(&a); pthread_mutex_unlock(&b); return p; }\n"
                          "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_mutex_lock(&a);\n"
                          "  pthread_mutex_lock(&b); pthread_mutex_unlock(&b); pthread_mutex_unlock(&a); }\n")
        answer = self.explore("d.c")
        self.assertEqual((answer["traces"], answer["blocked"]), (2, 1))
        self.assertEqual(answer["violation"]["kind"], "deadlock")
        checked = json.loads(self.weir("check", "d.c", "--engine", "smc", "--json", code=10).stdout)
        self.assertEqual((checked["engine"], checked["violation"]["kind"]), ("smc", "deadlock"))

    def test_what_it_cannot_do(self):
        answer = json.loads(self.weir("check", "dekker.imp", "--engine", "smc", "--json", code=5).stdout)
        self.assertIn("smc does not look for", answer["reason"])


class Schedules(Cli):
    """--random and --bound-preemptions."""

    def check(self, *arguments, code):
        return json.loads(self.weir("check", *arguments, "--json", code=code).stdout)

    def test_random_finds_and_explains(self):
        answer = self.check("dekker.imp", "--model", "tso", "--random", "1000", "--seed", "3", code=10)
        self.assertEqual((answer["verdict"], answer["engine"]), ("unsafe", "random-schedules"))
        self.assertIn("(seed 3)", answer["reason"])
        self.assertEqual(answer["violation"]["kind"], "forbidden")
        again = self.check("dekker.imp", "--model", "tso", "--random", "1000", "--seed", "3", code=10)
        self.assertEqual(again["witness"], answer["witness"])
        text = self.weir("explain", "dekker.imp", "--model", "tso", "--random", "1000", code=10).stdout
        self.assertIn("(to buffer)", text)

    def test_random_without_violation_is_unknown(self):
        answer = self.check("dekker.imp", "--random", "200", code=5)
        self.assertEqual((answer["verdict"], answer["bound"]), ("unknown", {"schedules": 200}))
        self.assertEqual(answer["reason"], "no violation in 200 random schedules (seed 0)")
        self.assertEqual((answer["stats"]["schedules"], answer["stats"]["schedules_cut"]), (200, 0))
        self.assertGreater(answer["stats"]["steps"], 200)
        self.assertIn("--seed", self.weir("check", "dekker.imp", "--random", "20", code=5).stdout)

    def test_random_obeys_limits(self):
        self.write("endless.weir", ENDLESS)
        answer = self.check("endless.weir", "--random", "20", "--steps", "100", code=5)
        self.assertEqual((answer["stats"]["steps"], answer["stats"]["schedules_cut"]), (2000, 20))
        answer = self.check("endless.weir", "--random", "1000000000", "--timeout", "1", code=5)
        self.assertIn("time limit reached: no violation in", answer["reason"])
        result = self.weir("check", "endless.weir", "--random", "1000000000", "--timeout", "6", code=5)
        self.assertRegex(result.stderr, r"weir: random sc.*schedules ")

    def test_few_preemptions(self):
        answer = self.check("dekker.imp", "--model", "tso", "--bound-preemptions", "2", code=10)
        self.assertEqual((answer["verdict"], answer["engine"]), ("unsafe", "bounded-preemptions"))
        self.assertEqual(answer["stats"]["preemptions"], 1)
        self.assertIn("after 1 preemption, and never after fewer", answer["reason"])
        answer = self.check("dekker.imp", "--model", "tso", "--bound-preemptions", "0", code=5)
        self.assertEqual((answer["verdict"], answer["bound"]), ("unknown", {"preemptions": 0}))
        self.assertEqual(answer["reason"], "no violation with at most 0 preemptions")
        self.assertEqual(self.check("dekker.imp", "--bound-preemptions", "5", code=0)["verdict"], "safe")

    def test_what_does_not_go_together(self):
        self.fails(1, "do not go together", "check", "dekker.imp", "--random", "3", "--bound-preemptions", "1")
        self.fails(1, "takes the place of --engine", "check", "dekker.imp", "--random", "3", "--engine", "smc")
        self.fails(1, "takes the place of --engine", "check", "dekker.imp", "--bound-preemptions", "3", "--search", "dfs")
        self.fails(1, "at least one schedule", "check", "dekker.imp", "--random", "0")

    @unittest.skipUnless(HAS_C, "this weir reads no C programs")
    def test_c_programs(self):
        for name in ("dekker", "peterson", "parker", "chase-lev-deque"):
            with self.subTest(name):
                path = str(SOURCE / "examples/c" / (name + ".c"))
                self.check(path, "--model", "tso", "--random", "1000", code=10)
                self.assertEqual(self.check(path, "--model", "tso", "--bound-preemptions", "2", code=10)
                                 ["stats"]["preemptions"], 1)

    @unittest.skipUnless(HAS_C, "this weir reads no C programs")
    def test_program_in_the_manual(self):
        manual = (SOURCE / "docs/manual/check.md").read_text()
        self.write("eight.c", re.search(r"```c\n(.*?atomic_int taken.*?)```", manual, re.S)[1])
        self.check("eight.c", "--random", "100", code=10)
        answer = self.check("eight.c", "--bound-preemptions", "3", code=10)
        self.assertEqual(answer["stats"]["preemptions"], 2)


class CPrograms(Cli):
    def setUp(self):
        super().setUp()
        self.write("sb.c", STORE_BUFFERING)

    def test_check(self):
        result = self.weir("check", "sb.c", code=0)
        self.assertTrue(result.stdout.startswith("SAFE under sc"), result.stdout)
        self.assertEqual(result.stderr, "")
        result = self.weir("check", "sb.c", "--model", "tso", code=10)
        self.assertIn('assertion "a || b" fails', result.stdout)
        self.assertIn("sb.c:12:", result.stdout)

    def test_mixed_sizes_are_no_internal_error(self):
        self.write("mixed.c", "#include <pthread.h>\n#include <stdlib.h>\n"
                              "int main(void) { pthread_mutex_t *m = malloc(sizeof *m);\n"
                              "  for (int i = 0; i < 5; i++) ((long *)m)[i] = 0;\n"
                              "  pthread_mutex_lock(m); pthread_mutex_lock(m); }\n")
        for command in ("check", "robust", "explore"):
            with self.subTest(command=command):
                text = self.weir(command, "mixed.c", code=5).stdout
                self.assertRegex(text, "with 32 bits, and before|with different sizes")

    def test_json_names_the_first_file(self):
        self.write("other.c", "int unused;")
        answer = json.loads(self.weir("check", "sb.c", "other.c", "--model", "tso", "--json", code=10).stdout)
        self.assertEqual((answer["file"], answer["verdict"]), ("sb.c", "unsafe"))
        self.assertEqual(answer["violation"]["kind"], "assertion")

    def test_replay_and_explain(self):
        self.weir("check", "sb.c", "--model", "tso", "--witness", "w.json", "-q", code=10)
        self.weir("replay", "w.json", code=10)
        self.assertIn("to buffer", self.weir("explain", "w.json", code=10).stdout)
        self.assertIn("to buffer", self.weir("explain", "sb.c", "--model", "tso", code=10).stdout)

    def test_robust_fence_convert(self):
        self.assertIn("sb.c:4:", self.weir("robust", "sb.c", code=10).stdout)
        self.assertIn("sb.c:4:", self.weir("fence", "sb.c", code=0).stdout)
        self.weir("fence", "sb.c", "--patch", "p.diff", code=0)
        with open(self.path("p.diff"), encoding="utf-8") as patch:
            self.assertEqual(patch.read().count("atomic_thread_fence(memory_order_seq_cst);"), 2)
        self.weir("convert", "sb.c", "--to", "weir", "-o", "sb.weir", code=0)
        self.weir("check", "sb.weir", "-q", code=0)
        self.weir("check", "sb.weir", "--model", "tso", "-q", code=10)

    def test_several_files_and_compiler_options(self):
        self.write("a.c", "#include <assert.h>\nint next(void);\nint main(void) { int n = N; assert(next() == n); }\n")
        self.write("b.c", "int next(void) { static int n; return ++n; }\n")
        self.weir("check", "a.c", "b.c", "--", "-DN=1", code=0)
        self.weir("check", "a.c", "b.c", "--", "-D", "N=2", code=10)
        text = self.weir("check", "a.c", "b.c", "--races", "--", "-D", "N=2", code=10).stdout
        self.assertIn("weir check a.c b.c --model sc --html w.html --races -- -D N=2\n", text)
        self.fails(2, "use of undeclared identifier 'N'", "check", "a.c", "b.c")
        self.fails(2, "a.c:3:", "check", "a.c", "--", "-DN=1")

    def test_llvm_and_preprocessed_files(self):
        self.weir("check", self.write("m.ll", "define i32 @main() {\n  ret i32 0\n}\n"), code=0)
        self.weir("check", self.write("m.i", "int main(void) { return 0; }\n"), code=0)
        self.fails(2, "m.ll:1:", "check", self.write("m.ll", "define nothing\n"))
        self.fails(2, "bc.bc", "check", self.write("bc.bc", b"BC\xc0\xde" + bytes(range(256))))

    def test_modules_that_count_zeros(self):
        """A count of the zeros of 0 is undefined where it is taken, and only there."""
        module = ("declare i32 @llvm.cttz.i32(i32, i1)\n@g = global i32 0\ndefine i32 @main() {\n"
                  "  %x = load i32, ptr @g\n  %c = call i32 @llvm.cttz.i32(i32 %x, i1 true)\n"
                  "  %z = icmp eq i32 %x, 0\n  %r = select i1 %z, i32 ONE, i32 OTHER\n  ret i32 %r\n}\n")
        for one, other, code in (("%c", "0", 10), ("0", "%c", 0)):
            self.weir("check", self.write("m.ll", module.replace("ONE", one).replace("OTHER", other)), code=code)

    def test_clang_speaks_for_itself(self):
        self.write("wrong.c", "int main(void) {\n  return zero;\n}\n")
        said = self.fails(2, "wrong.c:2:10: error: use of undeclared identifier 'zero'", "check", "wrong.c")
        self.assertIn("return zero;", said)
        self.fails(2, "none.c: error: No such file", "check", "none.c")
        self.fails(2, "there is no main", "check", self.write("empty.c", ""))

    def test_no_compiler(self):
        result = self.weir("check", "sb.c", env={**os.environ, "WEIR_CLANG": "/nowhere/clang"}, code=2)
        self.assertIn("install clang 19", result.stderr)

    def test_deadlock_is_looked_for(self):
        self.write("d.c", "#include <pthread.h>\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
                          "int main(void) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); }\n")
        answer = json.loads(self.weir("check", "d.c", "--json", code=10).stdout)
        self.assertEqual(answer["violation"]["kind"], "deadlock")
        self.weir("check", "d.c", "--no-deadlock", code=0)
        self.fails(1, "contradict", "check", "d.c", "--deadlock", "--no-deadlock")

    def test_races_and_leaks(self):
        answer = json.loads(self.weir("check", "sb.c", "--races", "--json", code=10).stdout)
        self.assertEqual(answer["violation"]["kind"], "race")
        self.write("l.c", "#include <stdlib.h>\nint main(void) { malloc(4); }\n")
        self.weir("check", "l.c", code=0)
        self.weir("check", "l.c", "--leaks", code=10)

    def test_bounds_make_the_answer_unknown(self):
        self.write("loop.c", "volatile int n;\nint main(void) {\n  while (n < 5)\n    n++;\n}\n")
        self.weir("check", "loop.c", code=0)
        self.weir("check", "loop.c", "--unroll", "5", code=0)
        answer = json.loads(self.weir("check", "loop.c", "--unroll", "4", "--json", code=5).stdout)
        self.assertIn("the loop at loop.c:3 is repeated more than 4 times", answer["reason"])
        answer = json.loads(self.weir("check", "sb.c", "--threads", "2", "--json", code=5).stdout)
        self.assertIn("--threads", answer["reason"])

    def test_restrictions_make_the_answer_unknown(self):
        self.write("n.c", "#include <assert.h>\nint __VERIFIER_nondet_int(void);\n"
                          "int main(void) { int n = __VERIFIER_nondet_int(); assert(n != 7); }\n")
        answer = json.loads(self.weir("check", "n.c", "--json", code=5).stdout)
        self.assertIn("__VERIFIER_nondet_int", answer["reason"])
        self.weir("check", "n.c", "--nondet-range", "-1..7", code=10)
        self.assertIn("__VERIFIER_nondet_int", self.weir("robust", "n.c", code=5).stdout)

    def test_wrong_options(self):
        self.fails(1, "--threads needs a number from 1 to 64", "check", "sb.c", "--threads", "65")
        self.fails(1, "--unroll needs a number from 1", "check", "sb.c", "--unroll", "0")
        self.fails(1, "--nondet-range cannot be '3'", "check", "sb.c", "--nondet-range", "3")
        self.fails(1, "no value", "check", "sb.c", "--nondet-range", "3..1")
        self.fails(1, "at most", "check", "sb.c", "--nondet-range", "0..10000000000")
        self.fails(1, "'dekker.imp' is no C file", "robust", "sb.c", "dekker.imp")
        self.fails(1, "--unroll is for C programs", "check", "dekker.imp", "--unroll", "3")
        self.fails(1, "'dekker.imp' is no C program", "check", "dekker.imp", "--", "-DN")

    def test_other_formats_do_not_load_llvm(self):
        trace = subprocess.run([WEIR, "check", "dekker.imp"], cwd=self.folder.name, capture_output=True, text=True,
                               env={**os.environ, "LD_DEBUG": "files"})
        self.assertEqual(trace.returncode, 0)
        self.assertNotIn("libLLVM", trace.stderr)


class BadInputs(Cli):
    def test_missing_file(self):
        self.fails(2, "none.imp: error: No such file or directory", "check", "none.imp")

    def test_directory(self):
        self.fails(2, "directory", "robust", ".")

    def test_empty_and_blank_files(self):
        for name in ("e.imp", "e.trn", "e.weir", "e.txt", "e"):
            self.write(name, "")
            self.fails(2, "empty", "check", name)
        self.write("b.imp", " \n\n\t\n")
        self.fails(2, "empty", "check", "b.imp")

    def test_unknown_format(self):
        self.write("letter.txt", "Dear reader,\nhow are you?\n")
        self.fails(2, "format of this file is not known", "check", "letter.txt")

    def test_noise(self):
        generator = random.Random(1)
        noise = generator.randbytes(1 << 20) * 100
        printable = bytes(32 + b % 95 for b in noise[:1 << 20]) * 100
        for name in ("n.imp", "n.trn", "n.weir", "n.txt", "n.json"):
            self.write(name, noise)
            self.fails(2, name, "check", name)
            self.write(name, printable)
            self.fails(2, name, "check", name)
        self.fails(2, "n.json", "replay", "n.json")

    def test_undeclared_state(self):
        self.write("u.trn", "thread t\ninitial a\ntransition a b noop\nfinal nowhere\nend\n")
        self.fails(2, "u.trn:4", "check", "u.trn")
        self.write("u.weir", "weir 1\nfunction f()\n s:\n nop -> t\nend\nthread T = f()\n")
        self.fails(2, "u.weir:4:9: error: there is no location 't'", "check", "u.weir")

    def test_invalid_program(self):
        self.write("v.weir", "weir 1\nfunction f(a)\n s:\nend\nthread T = f()\n")
        self.fails(2, "v.weir:5:1: error: thread 'T' gives 0 arguments", "check", "v.weir")

    def test_standard_input(self):
        result = subprocess.run([WEIR, "check", "-"], input=DEKKER, capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)


class Usage(Cli):
    def test_no_command(self):
        self.assertIn("Usage: weir", self.weir(code=1).stderr)

    def test_unknown_command(self):
        self.assertIn("did you mean check?", self.fails(1, "no command 'chek'", "chek", "x"))

    def test_unknown_options(self):
        self.assertIn("did you mean --model?", self.fails(1, "no option --modle", "check", "dekker.imp", "--modle", "tso"))
        self.assertIn("did you mean --reduction?", self.fails(1, "--reduct", "check", "dekker.imp", "--reduct=none"))
        self.fails(1, "no option --zzz", "check", "dekker.imp", "--zzz")
        self.fails(1, "no option --to", "check", "dekker.imp", "--to", "weir")

    def test_bad_values(self):
        self.assertIn("did you mean tso?", self.fails(1, "--model cannot be 'tos'", "check", "dekker.imp", "--model", "tos"))
        self.assertIn("sc, tso, pso", self.fails(1, "--model", "check", "dekker.imp", "--model", "power"))
        self.fails(1, "--buffer needs a whole number, not 'many'", "check", "dekker.imp", "--buffer", "many")
        self.fails(1, "--buffer needs a whole number", "check", "dekker.imp", "--buffer=-1")
        self.fails(1, "--timeout needs a positive number", "check", "dekker.imp", "--timeout", "soon")
        self.fails(1, "--timeout needs a positive number", "check", "dekker.imp", "--timeout", "0")
        self.fails(1, "--model needs a value", "check", "dekker.imp", "--model")
        self.fails(1, "--model is given more than once", "check", "dekker.imp", "--model", "sc", "--model", "tso")

    def test_files(self):
        self.fails(1, "needs a file", "check")
        self.fails(1, "takes one file", "robust", "dekker.imp", "sb.trn")

    def test_properties_that_do_not_fit(self):
        self.fails(1, "there is no thread 'Z'", "check", "dekker.imp", "--goal", "Z:cs")
        self.assertIn("did you mean cs?", self.fails(1, "no state 'ca'", "check", "dekker.imp", "--goal", "P:ca"))
        self.fails(1, "THREAD:STATE", "check", "dekker.imp", "--goal", "cs")
        self.fails(1, "no thread has a label", "check", "dekker.imp", "--exclusive", "nowhere")
        self.fails(1, "only one thread", "check", "dekker.imp", "--exclusive", "P:cs")
        self.weir("check", "dekker.imp", "--invariant", "x +", code=1)
        self.weir("check", "dekker.imp", "--invariant", "nothing == 0", code=1)

    def test_help(self):
        self.assertIn("Usage: weir COMMAND", self.weir("--help", code=0).stdout)
        self.assertRegex(self.weir("--version", code=0).stdout, r"^weir \d+\.\d+\.\d+\n$")
        self.assertIn(".SH OPTIONS", self.weir("--man", code=0).stdout)
        for command in COMMANDS:
            self.assertIn("Usage: weir " + command, self.weir(command, "--help", code=0).stdout)


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


class Consistent(Cli):
    """weir consistent: the examples, what they say about themselves, and bad instances."""
    EXPECTED = {  # sc, tso, pso
        "store_buffering": (10, 0, 0), "message_passing": (10, 10, 0), "message_passing_store_fence": (10, 10, 10),
        "counter": (10, 10, 10), "lock": (10, 10, 10), "fibonacci": (0, 0, 0), "fibonacci_too_fast": (10, 10, 10)}

    def example(self, name):
        return str(SOURCE / "examples/consistency" / (name + ".json"))

    def instance(self, *threads, **more):
        text = json.dumps({"threads": {f"P{i}": events for i, events in enumerate(threads)}, **more}, indent=1)
        return self.write("instance.json", text)

    def test_examples_by_every_algorithm(self):
        for name, codes in self.EXPECTED.items():
            for model, code in zip(("sc", "tso", "pso"), codes):
                for options in ((), ("--no-closure",), ("--algorithm", "naive"), ("--algorithm", "naive", "--no-closure")):
                    self.weir("consistent", self.example(name), "--model", model, *options, code=code)

    def test_witness_is_readable(self):
        text = self.weir("consistent", self.example("store_buffering"), "--model", "tso", code=0).stdout
        self.assertIn("CONSISTENT under tso: 6 steps in this order", text)
        self.assertRegex(text, r"P0  write x = 1  enters the buffer")
        self.assertRegex(text, r"P1  read x = 0   reads the initial write")
        self.assertRegex(text, r"P0  write x = 1  reaches memory")

    def test_cycle_explains(self):
        text = self.weir("consistent", self.example("message_passing"), "--model", "tso", code=10).stdout
        self.assertIn("INCONSISTENT under tso: 4 steps would each have to precede the next", text)
        self.assertIn("because the stores of a buffer reach memory in order", text)
        self.assertIn("because it reads the initial write, which the latter overwrites", text)

    def test_json_is_the_contract(self):
        answer = json.loads(self.weir("consistent", self.example("store_buffering"), "--model", "tso", "--json",
                                      code=0).stdout)
        self.assertEqual((answer["command"], answer["verdict"], answer["model"]), ("consistent", "consistent", "tso"))
        self.assertEqual(sorted(step["action"] for step in answer["witness"]),
                         ["flush", "flush", "load", "load", "store", "store"])
        answer = json.loads(self.weir("consistent", self.example("store_buffering"), "--json", code=10).stdout)
        self.assertEqual((answer["verdict"], answer["witness"]), ("inconsistent", []))
        for edge, following in zip(answer["cycle"], answer["cycle"][1:] + answer["cycle"][:1]):
            self.assertEqual(edge["to"], following["from"])

    def test_several_sources_need_sc(self):
        self.weir("consistent", self.example("good_writes"), code=0)
        self.assertIn("good_writes.json:15:7", self.fails(2, "every read needs exactly one source", "consistent",
                                                          self.example("good_writes"), "--model", "tso"))

    def test_failed_compare_and_swap_drains(self):
        for success, code in ((True, 10), (False, 10)):
            swap = {"op": "cas", "variable": "z", "value": 0, "success": success}
            file = self.instance(
                [{"op": "write", "variable": "x", "value": 1}, dict(swap, variable="z0"),
                 {"op": "read", "variable": "y", "value": 0}],
                [{"op": "write", "variable": "y", "value": 1}, dict(swap, variable="z1"),
                 {"op": "read", "variable": "x", "value": 0}])
            self.weir("consistent", file, "--model", "tso", code=code)

    def test_own_thread_contradicts(self):
        file = self.instance([{"op": "write", "variable": "x", "value": 1, "id": "a"},
                              {"op": "read", "variable": "x", "value": 0, "from": "initial"}])
        for model in ("tso", "pso"):
            self.assertIn("its own thread has written P0: write x = 1 (a) in between",
                          self.weir("consistent", file, "--model", model, code=10).stdout)

    def test_limits(self):
        threads = [[{"op": "write", "variable": f"v{t}_{i}"} for i in range(30)] for t in range(4)]
        threads[0][28]["id"], threads[0][29]["id"] = "a", "b"
        threads.append([{"op": "read", "variable": "v0_29", "from": "b"}, {"op": "read", "variable": "v0_28", "from": "initial"}])
        file = self.instance(*threads)
        self.weir("consistent", file, "--model", "tso", code=10)
        self.assertIn("UNKNOWN under tso: ", self.weir("consistent", file, "--model", "tso", "--algorithm", "naive",
                                                       "--no-closure", "--timeout", "0.3", "-q", code=5).stdout)

    def test_bad_instances(self):
        read = {"op": "read", "variable": "x", "from": "initial"}
        for message, place, text in (
                ("this is not JSON", "1:14", '{"threads": [}'),
                ("this is not JSON", "1:1", ""),
                ('"threads" is missing', "1:1", "{}"),
                ("an instance is an object, not a list", "1:1", "[]"),
                ('an instance has no "thread"', "1:2", '{"thread": {}}'),
                ("a thread is a list, not a string", "1:19", '{"threads": {"P": "x"}}'),
                ('"op" is missing', "2:2", '{"threads": {"P": [\n {}]}}'),
                ('there is no operation "load"', "1:27", '{"threads": {"P": [{"op": "load"}]}}'),
                ('no event has the id "w"', "1:60", '{"threads": {"P": [{"op": "read", "variable": "x", "from": "w"}]}}'),
                ("nobody writes 3 to x", "1:61", '{"threads": {"P": [{"op": "read", "variable": "x", "value": 3}]}}'),
                ("what does it read?", "1:20", '{"threads": {"P": [{"op": "read", "variable": "x"}]}}'),
                ('"value" is an integer, not a number that is no 64-bit integer', "1:62",
                 '{"threads": {"P": [{"op": "write", "variable": "x", "value": 1.5}]}}'),
                ('the key "op" is given twice', "1:36", '{"threads": {"P": [{"op": "fence", "op": "fence"}]}}'),
                ("nested too deeply", "1:76", '{"threads": ' + "[" * 100000)):
            with self.subTest(message):
                self.write("bad.json", text)
                self.assertIn(f"bad.json:{place}:", self.fails(2, message, "consistent", "bad.json"))
        for message, events in (
                ("the read returns 1, but \"a\" writes 2",
                 [{"op": "write", "id": "a", "variable": "x", "value": 2}, dict(read, value=1, **{"from": "a"})]),
                ('"a" writes y, but x is read', [{"op": "write", "id": "a", "variable": "y"}, dict(read, **{"from": "a"})]),
                ('"a" writes nothing', [dict(read, id="a"), dict(read, **{"from": "a"})]),
                ('two events have the id "a"', [dict(read, id="a"), dict(read, id="a")]),
                ("does not read what it writes itself", [{"op": "rmw", "id": "a", "variable": "x", "from": "a"}]),
                ("used as a mutex and as a variable", [read, {"op": "lock", "variable": "x", "from": "initial"}]),
                ("a lock waits for an unlock", [{"op": "lock", "id": "a", "variable": "m", "from": "initial"},
                                                {"op": "lock", "variable": "m", "from": "a"}])):
            with self.subTest(message):
                self.fails(2, message, "consistent", self.instance(events))
        self.fails(1, "takes one file", "consistent", "a.json", "b.json")


RACE = """#include <pthread.h>
int x, y;
static void *writer(void *arg) {
  x = 1;
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  y = x;
  pthread_join(t, 0);
  return y;
}
"""

CHOICE = """#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *);
void reach_error(void) { __assert_fail("0", "choice.c", 4, "reach_error"); }
int x, y;
static void *writer(void *arg) {
  x = y + 1;
  return arg;
}
int main(void) {
  pthread_t t;
  y = __VERIFIER_nondet_int();
  pthread_create(&t, 0, writer, 0);
  if (x == 3) reach_error();
  pthread_join(t, 0);
  return 0;
}
"""


class Schemas(Cli):
    """The schemas refuse what the answers are compared with them for. That all answers fit is checked for each run."""

    def test_misspelt_and_missing_fields_are_found(self):
        answer = json.loads(self.weir("check", "dekker.imp", "--model", "tso", "--json", code=10).stdout)
        schema = validation.SCHEMAS["answer"]

        def broken(change):
            copy = json.loads(json.dumps(answer))
            change(copy)
            return validation.mistakes(copy, schema)

        self.assertEqual(broken(lambda a: None), [])
        for change in (lambda a: a.update(verdic="safe"), lambda a: a.pop("model"), lambda a: a.pop("witness"),
                       lambda a: a["witness"][0].update(buferred=True), lambda a: a["witness"][0].pop("buffered"),
                       lambda a: a["violation"].update(kind="other"), lambda a: a.update(traces=1),
                       lambda a: a["stats"].pop("states"), lambda a: a.update(verdict="safe"),
                       lambda a: a.update(command="chek"), lambda a: a.update(schema=2)):
            self.assertNotEqual(broken(change), [])

    def test_replay_files(self):
        self.weir("check", "dekker.imp", "--model", "tso", "--witness", "w.json", "-q", code=10)
        replay = json.loads(pathlib.Path(self.path("w.json")).read_text())
        self.assertEqual(validation.mistakes(replay, validation.SCHEMAS["replay"]), [])
        for change in (lambda r: r.update(schema=2), lambda r: r["steps"][0].pop("thread"),
                       lambda r: r["steps"][0].update(tread=1), lambda r: r.pop("model"),
                       lambda r: r.update(starvation={})):
            copy = json.loads(json.dumps(replay))
            change(copy)
            self.assertNotEqual(validation.mistakes(copy, validation.SCHEMAS["replay"]), [])


class Sarif(Cli):
    def log(self, *arguments, code):
        self.weir(*arguments, "--sarif", "out.sarif", "-q", code=code)
        return json.loads(pathlib.Path(self.path("out.sarif")).read_text())["runs"][0]

    def test_violation(self):
        run = self.log("check", "dekker.imp", "--model", "tso", code=10)
        self.assertEqual(run["invocations"][0]["exitCode"], 10)
        self.assertEqual(run["properties"]["model"], "tso")
        (result,) = run["results"]
        self.assertEqual((result["ruleId"], result["level"]), ("forbidden", "error"))
        flows = result["codeFlows"][0]["threadFlows"]
        self.assertEqual({flow["id"] for flow in flows}, {"P", "Q"})
        # The steps of all threads together are those of the explanation, in its order.
        steps = sorted((step["executionOrder"], step["location"]["message"]["text"]) for flow in flows
                       for step in flow["locations"])
        explained = self.weir("explain", "dekker.imp", "--model", "tso", code=10).stdout
        for number, text in steps:
            shown = text.split(" [")[0]
            self.assertRegex(explained, "-- at cs" if shown == "at cs" else rf"(?m)^ *{number} .*{re.escape(shown)}")

    def test_no_violation_and_no_answer(self):
        self.assertEqual(self.log("check", "dekker.imp", code=0)["results"], [])
        self.write("endless.weir", ENDLESS)
        run = self.log("check", "endless.weir", "--timeout", "0.5", code=5)
        self.assertEqual(run["results"], [])
        self.assertIn("time limit", run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"])

    def test_race_has_both_accesses(self):
        self.write("race.c", RACE)
        (result,) = self.log("check", "race.c", "--races", code=10)["results"]
        places = [(place["physicalLocation"]["region"]["startLine"], place["message"]["text"])
                  for place in result["relatedLocations"]]
        self.assertEqual(sorted(places), [(4, "thread t1 writes x"), (10, "thread main reads x")])
        text = self.weir("check", "race.c", "--races", code=10).stdout
        self.assertIn("race.c:4:5: note: thread t1 writes x here\n    4 |   x = 1;", text)
        self.assertIn("note: thread main reads x here\n   10 |   y = x;", text)

    def test_attacks(self):
        run = self.log("robust", "sb.trn", "--all", code=10)
        self.assertEqual([result["ruleId"] for result in run["results"]], ["robustness"] * 2)
        self.assertEqual([place["physicalLocation"]["region"]["startLine"]
                          for place in run["results"][0]["relatedLocations"]], [3, 4])

    def apply(self, fix):
        """What an editor does with a fix: replaces regions, the last one first."""
        for change in fix["artifactChanges"]:
            path = pathlib.Path(self.path(change["artifactLocation"]["uri"]))
            lines = path.read_text().split("\n")

            def offset(line, column):
                return sum(len(text) + 1 for text in lines[:line - 1]) + column - 1

            text = path.read_text()
            edits = [(offset(r["deletedRegion"]["startLine"], r["deletedRegion"]["startColumn"]),
                      offset(r["deletedRegion"]["endLine"], r["deletedRegion"]["endColumn"]),
                      r["insertedContent"]["text"]) for r in change["replacements"]]
            for start, end, inserted in sorted(edits, reverse=True):
                text = text[:start] + inserted + text[end:]
            path.write_text(text)

    def test_fences_are_a_fix_that_works(self):
        self.write("sb.c", (SOURCE / "tests/cmake/main.c").read_text() + "\n"
                   + (SOURCE / "tests/cmake/other.c").read_text().replace("int x, y, saw_x;", "", 1))
        text = pathlib.Path(self.path("sb.c")).read_text().replace("extern int", "int")
        self.write("sb.c", "// Über: a line that is longer in bytes than in characters\n" + text)
        for name in ("dekker.imp", "sb.trn", "sb.c"):
            with self.subTest(name):
                (result,) = self.log("fence", name, "--for", "safety", code=0)["results"]
                self.assertEqual(len(result["codeFlows"]), len(result["relatedLocations"]))
                self.apply(result["fixes"][0])
                self.weir("check", name, "--model", "tso", "-q", code=0)
                self.assertEqual(self.log("fence", name, "--for", "safety", code=0)["results"], [])

    def test_other_commands(self):
        self.weir("check", "dekker.imp", "--model", "tso", "--witness", "w.json", "-q", code=10)
        again = self.log("replay", "w.json", code=10)
        self.assertEqual(again["results"][0]["ruleId"], "forbidden")
        shutil.copy(SOURCE / "examples/array/bakery_bug.cub", self.path("bug.cub"))
        self.assertEqual(self.log("check", "bug.cub", code=10)["results"][0]["ruleId"], "unsafe")
        self.write("choice.c", CHOICE)
        run = self.log("explore", "choice.c", "--stop", code=10)
        self.assertEqual(run["properties"]["verdict"], "unsafe")
        self.assertEqual(self.log("explain", "dekker.imp", "--model", "pso", code=10)["properties"]["model"], "pso")
        shutil.copy(SOURCE / "examples/simplified_dekker.imp", self.path("loop.imp"))
        starved = self.log("fair", "loop.imp", "--request", "P0:2", "--grant", "P0:5", "--model", "tso", code=10)
        self.assertEqual(json.dumps(starved["results"]).count("from here on, again and again"), 1)
        self.assertEqual(self.log("fence", "loop.imp", "--for", "safety", "--invariant", "flag_0 == 0", code=10)
                         ["results"][0]["ruleId"], "unsafe")
        self.fails(2, "cannot write /nowhere/o.sarif", "check", "dekker.imp", "--sarif", "/nowhere/o.sarif")

    def test_paths(self):
        """Relative where they can be, and always URIs."""
        os.mkdir(self.path("a b"))
        self.write("a b/50%.imp", DEKKER)
        run = self.log("check", "a b/50%.imp", code=0)
        self.assertEqual(run["artifacts"][0]["location"], {"uri": "a%20b/50%25.imp", "uriBaseId": "%SRCROOT%"})
        run = self.log("check", self.path("dekker.imp"), code=0)
        self.assertEqual(run["artifacts"][0]["location"]["uri"], "dekker.imp")
        with tempfile.TemporaryDirectory() as other:
            shutil.copy(self.path("dekker.imp"), other)
            uri = self.log("check", other + "/dekker.imp", code=0)["artifacts"][0]["location"]["uri"]
            self.assertEqual(uri, f"file://{other}/dekker.imp")

    def test_c_files_elsewhere_keep_their_path(self):
        """The compiler names files from a folder it shares with them; that is not what the user wrote."""
        os.mkdir(self.path("here"))
        self.write("race.c", RACE)
        answer = self.weir("check", self.path("race.c"), "--races", "--json", code=10, cwd=self.path("here"))
        self.assertEqual(json.loads(answer.stdout)["violation"]["file"], self.path("race.c"))


class SvcompWitness(Cli):
    def entry(self, name, *arguments, code):
        import yaml
        self.weir("check", name, *arguments, "--svcomp-witness", "w.yml", "-q", code=code)
        (entry,) = yaml.safe_load(pathlib.Path(self.path("w.yml")).read_text())
        return entry

    def test_violation_in_yaml(self):
        self.write("choice.c", CHOICE)
        entry = self.entry("choice.c", code=10)
        self.assertEqual(entry["entry_type"], "violation_sequence")
        self.assertIn("reach_error", entry["metadata"]["task"]["specification"])
        points = [segment["segment"][0]["waypoint"] for segment in entry["content"]]
        self.assertEqual((points[0]["type"], points[0]["constraint"]["value"]), ("function_return", r"\result == 2"))
        self.assertEqual((points[0]["location"]["line"], points[0]["location"]["column"]), (12, 29))
        # Lines in the order in which threads pass them; the target is the call, not what the function does.
        self.assertEqual([(point["thread_id"], point["location"]["line"]) for point in points],
                         [(0, 12), (0, 13), (1, 7), (0, 14), (0, 14)])
        self.assertEqual((points[-1]["type"], points[-1]["location"]["column"]), ("target", 15))

    def test_race_has_two_targets(self):
        self.write("race.c", RACE)
        entry = self.entry("race.c", "--races", code=10)
        targets = [item["waypoint"] for item in entry["content"][-1]["segment"]]
        self.assertEqual(sorted((t["thread_id"], t["location"]["line"]) for t in targets), [(0, 10), (1, 4)])

    def test_graphml(self):
        self.write("choice.c", CHOICE)
        self.weir("check", "choice.c", "--svcomp-witness", "w.graphml", "-q", code=10)
        text = pathlib.Path(self.path("w.graphml")).read_text()
        for part in ('<data key="createThread">1</data>', '<data key="enterFunction">writer</data>',
                     '<data key="assumption">\\result == 2;</data>', '<data key="witness-type">violation_witness</data>'):
            self.assertIn(part, text)

    def test_data_model(self):
        self.write("choice.c", CHOICE)
        for option, name, bits in (("-m64", "LP64", "64bit"), ("-m32", "ILP32", "32bit")):
            for file, part in (("w.yml", f"data_model: {name}"), ("w.graphml", f'"architecture">{bits}<')):
                self.weir("check", "choice.c", "--svcomp-witness", file, "-q", "--", option, code=10)
                self.assertIn(part, pathlib.Path(self.path(file)).read_text())

    def test_correctness(self):
        self.write("fine.c", RACE.replace("y = x;", ""))
        self.assertEqual(self.entry("fine.c", code=0)["entry_type"], "invariant_set")
        self.weir("check", "fine.c", "--svcomp-witness", "w.graphml", "-q", code=0)
        self.assertIn("correctness_witness", pathlib.Path(self.path("w.graphml")).read_text())

    def test_what_cannot_be_said(self):
        self.write("race.c", RACE)
        self.fails(1, "is for C programs", "check", "dekker.imp", "--svcomp-witness", "w.yml")
        self.fails(1, "the suffix says which format", "check", "race.c", "--svcomp-witness", "w.json")
        self.fails(1, "sequential consistency only", "check", "race.c", "--model", "tso", "--svcomp-witness", "w.yml")
        self.write("stuck.c", "#include <pthread.h>\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
                   "int main(void) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); return 0; }\n")
        result = self.weir("check", "stuck.c", "--svcomp-witness", "w.yml", code=10)
        self.assertIn("no witness for SV-COMP", result.stderr)
        self.assertFalse(os.path.exists(self.path("w.yml")))

    def test_checker_of_witnesses_finds_mistakes(self):
        import svcomp
        self.write("choice.c", CHOICE)
        self.weir("check", "choice.c", "--svcomp-witness", "w.graphml", "-q", code=10)
        text = pathlib.Path(self.path("w.graphml")).read_text()
        for old, new in (('<data key="createThread">1</data>', ""), ("programhash", "programmhash"),
                         ('target="N3"', 'target="N4"'), ('<data key="entry">true</data>', "")):
            self.assertIn(old, text)
            self.assertNotEqual(list(svcomp.graphml_mistakes(text.replace(old, new))), [], old)


class Suites(Cli):
    def setUp(self):
        super().setUp()
        os.makedirs(self.path("suite/deep"))
        self.write("suite/a.imp", "// expect: sc safe, tso unsafe forbidden\n" + DEKKER)
        self.write("suite/deep/b.trn", "# expect: all safe\n" + TRENCHER.replace("transition a b write 1 0",
                   "transition a a2 write 1 0\ntransition a2 b mfence").replace("transition a b write 1 1",
                   "transition a a2 write 1 1\ntransition a2 b mfence"))
        shutil.copy(SOURCE / "examples/litmus/SB.litmus", self.path("suite/SB.litmus"))
        self.write("suite/notes.txt", "no input")

    def suite(self, *arguments, code):
        return json.loads(self.weir("check", *arguments, "--json", code=code).stdout)

    def outcomes(self, answer):
        return {(os.path.basename(run["file"]), run["model"]): (run["verdict"], run["outcome"])
                for run in answer["answers"]}

    def test_folder(self):
        answer = self.suite("suite", "--junit", "j.xml", code=0)
        self.assertEqual(self.outcomes(answer), {
            ("a.imp", "sc"): ("safe", "expected"), ("a.imp", "tso"): ("unsafe", "expected"),
            ("b.trn", "sc"): ("safe", "expected"), ("b.trn", "tso"): ("safe", "expected"),
            ("b.trn", "pso"): ("safe", "expected"), ("SB.litmus", "sc"): ("never", "expected"),
            ("SB.litmus", "tso"): ("sometimes", "expected"), ("SB.litmus", "pso"): ("sometimes", "expected")})
        self.assertEqual(answer["summary"]["runs"], 8)
        import xml.etree.ElementTree as ElementTree
        root = ElementTree.parse(self.path("j.xml")).getroot()
        self.assertEqual((root.get("tests"), root.get("failures"), root.get("errors")), ("8", "0", "0"))
        self.assertEqual(len(root.findall("testsuite/testcase")), 8)

    def test_text(self):
        result = self.weir("check", "suite", "--jobs", "2", code=0)
        self.assertRegex(result.stdout, r"(?m)^suite/a.imp +safe +unsafe +- ")
        self.assertIn("8 of 8 as expected", result.stdout)
        quiet = self.weir("check", "suite", "-q", code=0)
        self.assertEqual((quiet.stdout.count("\n"), quiet.stderr), (1, ""))
        narrow = self.weir("check", "suite", code=0, env={**os.environ, "COLUMNS": "50"})
        self.assertLessEqual(max(map(len, narrow.stdout.splitlines()[:4])), 50)

    def test_wrong_expectations(self):
        self.write("suite/a.imp", "// expect: sc unsafe, tso unsafe assertion\n" + DEKKER)
        answer = self.suite("suite", code=10)
        self.assertEqual(self.outcomes(answer)["a.imp", "sc"], ("safe", "unexpected"))
        self.assertEqual(self.outcomes(answer)["a.imp", "tso"], ("unsafe", "unexpected"))
        text = self.weir("check", "suite", "--junit", "j.xml", code=10).stdout
        self.assertIn("suite/a.imp under sc: safe, but unsafe is expected", text)
        self.assertIn("To see how:  weir check suite/a.imp --model tso\n", text)
        self.assertIn('<failure message="safe, but unsafe is expected', pathlib.Path(self.path("j.xml")).read_text())

    def test_without_expectations_a_violation_is_unexpected(self):
        self.assertEqual(self.suite("dekker.imp", "sb.trn", code=0)["summary"]["expected"], 2)
        self.assertEqual(self.suite("dekker.imp", "sb.trn", "--model", "tso", code=10)["summary"]["unexpected"], 2)

    def test_bad_inputs_and_limits_do_not_stop_the_others(self):
        self.write("suite/bad.imp", "program bad begin")
        answer = self.suite("suite", code=2)
        self.assertEqual(self.outcomes(answer)["bad.imp", "sc"], ("error", "error"))
        self.assertEqual(answer["summary"]["expected"], 8)
        self.assertIn("bad.imp:1:", [run["message"] for run in answer["answers"] if "message" in run][0])
        self.write("suite/bad.imp", "// expect: error\nprogram bad begin")
        self.assertEqual(self.suite("suite", code=0)["summary"]["expected"], 9)
        self.write("suite/endless.weir", ENDLESS)
        answer = self.suite("suite", "--timeout", "1", code=5)
        self.assertEqual(self.outcomes(answer)["endless.weir", "sc"], ("unknown", "unknown"))
        self.assertEqual(answer["summary"]["expected"], 9)

    def test_manifest(self):
        self.write("expected", "# what we know\nsuite/a.imp: sc safe  # not under tso\n\nsuite/SB.litmus: tso sometimes\n")
        answer = self.suite("suite", "--expected", "expected", code=0)
        self.assertEqual({key for key in self.outcomes(answer) if key[0] != "b.trn"}, {("a.imp", "sc"), ("SB.litmus", "tso")})
        for line, message in (("suite/none.imp: all safe", "no input of this suite has this path"),
                              ("suite/a.imp", "a line has the form"),
                              ("suite/a.imp: tso fine", "'tso fine' is no expectation")):
            self.write("expected", "\n" + line + "\n")
            said = self.weir("check", "suite", "--expected", "expected", code=2).stderr
            self.assertIn("expected:2:1", said)
            self.assertIn(message, said)
        self.write("suite/a.imp", "// expect: tso unsave\n" + DEKKER)
        self.assertIn("'tso unsave' is no expectation", self.weir("check", "suite", code=2).stderr)

    def test_c_programs(self):
        for name in ("main.c", "other.c"):
            shutil.copy(SOURCE / "tests/cmake" / name, self.path("suite"))
        text = pathlib.Path(self.path("suite/main.c")).read_text()
        self.write("suite/main.c", "// expect: sc safe, tso unsafe assertion\n// with: other.c\n// compiler: -DUNUSED\n" + text)
        self.write("suite/race.c", "// expect: sc unsafe race\n// options: --races\n" + RACE)
        answer = self.suite("suite", "--unroll", "9", code=0)
        self.assertEqual(self.outcomes(answer)["main.c", "tso"], ("unsafe", "expected"))
        self.assertEqual(self.outcomes(answer)["race.c", "sc"], ("unsafe", "expected"))
        self.assertNotIn(("other.c", "sc"), self.outcomes(answer))
        # Several C files are one program, as ever, unless each is said to be one.
        self.weir("check", "suite/main.c", "suite/other.c", "--model", "tso", "-q", code=10)
        self.assertEqual(self.suite("suite/race.c", "suite/main.c", "--suite", code=0)["summary"]["runs"], 3)

    def test_inputs_cannot_ask_for_everything(self):
        for line in ("compiler: -fplugin=x.so", "options: --witness w.json", "options: --dot=x", "options: -- -fplugin=x.so",
                     "options: --suite", "options: --help"):
            self.write("suite/evil.c", f"// {line}\n" + RACE)
            self.assertIn("an input cannot ask for", self.weir("check", "suite", code=2).stderr)

    def test_sarif_of_a_suite(self):
        self.weir("check", "suite", "--sarif", "all.sarif", "-q", code=0)
        runs = json.loads(pathlib.Path(self.path("all.sarif")).read_text())["runs"]
        self.assertEqual(sorted((run["properties"]["model"], len(run["results"])) for run in runs),
                         [("pso", 0), ("sc", 0), ("sc", 0), ("tso", 0), ("tso", 1)])

    def test_interrupt(self):
        for i in range(6):
            self.write(f"suite/endless{i}.weir", ENDLESS)
        process = subprocess.Popen([WEIR, "check", "suite", "--json", "--jobs", "2"], cwd=self.folder.name,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
        time.sleep(2)
        os.killpg(process.pid, signal.SIGINT)
        out, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 5)
        answer = json.loads(out)
        self.assertEqual(validation.mistakes(answer, validation.SCHEMAS["answer"]), [])
        self.assertEqual(answer["summary"]["runs"], 14)
        self.assertGreaterEqual(answer["summary"]["unknown"], 6)

    def test_usage(self):
        self.fails(1, "--witness is about one input", "check", "suite", "--witness", "w.json")
        os.mkdir(self.path("empty"))
        self.fails(2, "there is no input in this suite", "check", "empty")

    def test_ctest_helper(self):
        """A user's project, with the module as it is installed."""
        with_c = "ON" if shutil.which("clang-19") else "OFF"
        self.assertEqual(subprocess.run(
            ["cmake", "-S", SOURCE / "tests/cmake", "-B", self.path("user"), f"-DWITH_C={with_c}", f"-DWEIR_PROGRAM={WEIR}",
             f"-DWEIR_MODULE={SOURCE}/cmake/WeirAddTest.cmake"], capture_output=True, text=True).returncode, 0)
        done = subprocess.run(["ctest", "--test-dir", self.path("user"), "--output-on-failure"], capture_output=True, text=True)
        for name, status in (("sb_sc", "Passed"), ("sb_tso", "Passed"), ("wrong", r"\*\*\*Failed"), ("suite", "Passed")) + (
                (("two_files", "Passed"), ("two_files_wrong", r"\*\*\*Failed")) if with_c == "ON" else ()):
            self.assertRegex(done.stdout, rf"(?m) {name} \.+ *{status}")
        self.assertIn("unsafe, but safe is expected", done.stdout)
        self.assertTrue(os.path.exists(self.path("user/suite.junit.xml")))


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


class Plots(Cli):
    def test_explore_plot(self):
        import xml.etree.ElementTree as ElementTree
        self.weir("explore", "dekker.imp", "--plot", "p.svg", "-q")
        root = ElementTree.parse(self.path("p.svg")).getroot()
        texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
        for name in ("mazurkiewicz", "observers", "rf", "dc", "vc", "rvf"):
            count = json.loads(self.weir("explore", "dekker.imp", "--equivalence", name, "--json").stdout)
            visited = count["traces"] + count["blocked"]
            self.assertTrue(any(text.startswith(f"{name}: {visited}") for text in texts), (name, texts))


class OptionTable(Cli):
    """One table: every option in it is used by the code, helped with, and in the manual."""

    def table(self):
        text = (SOURCE / "src/cli/options/options.cpp").read_text()
        rows = re.findall(r'OptionDescription\{\s*(k\w+),\s*"([^"]+)"', text)
        self.assertGreater(len(rows), 20)
        return rows

    def test_every_option_is_used(self):
        code = "".join(p.read_text() for p in (SOURCE / "src/cli").rglob("*.cpp") if p.name != "options.cpp")
        for identifier, _ in self.table():
            self.assertIn("OptionId::" + identifier, code)

    def test_every_option_is_documented(self):
        helps = "".join(self.weir(c, "--help").stdout for c in COMMANDS)
        man = self.weir("--man").stdout.replace("\\", "")
        for _, names in self.table():
            name = names.split(",")[-1]
            self.assertIn(name, helps)
            self.assertIn(name, man)

    def test_the_manual_has_the_options_of_every_command(self):
        pages = {p.stem for p in (SOURCE / "docs/manual").glob("*.md")} - {"README"}
        self.assertEqual(pages, set(COMMANDS))
        index = (SOURCE / "docs/manual/README.md").read_text()
        for command in COMMANDS:
            page = (SOURCE / f"docs/manual/{command}.md").read_text()
            self.assertIn(self.weir("--markdown", command).stdout, page, f"run scripts/manual.sh: {command}.md is out of date")
            self.assertIn(f"({command}.md)", index)

    def test_examples_in_the_help_can_be_run(self):
        os.symlink(SOURCE / "examples", self.path("examples"))
        for command in COMMANDS:
            example = re.search(r"^Example: weir (.*)$", self.weir(command, "--help").stdout, re.M)[1]
            if command == "replay" or (not HAS_C and ".c " in example):
                continue  # of a file that has to be made first
            with self.subTest(example):
                self.assertIn(self.weir(*shlex.split(example.split(" | ")[0])).returncode, (0, 10))

    def test_manual_pages(self):
        for command in COMMANDS:
            page = self.weir("--man", command).stdout
            self.assertIn(f".TH WEIR\\-{command.upper()} 1", page)
            for option in re.findall(r"^  (?:-\w, )?(--[a-z-]+)", self.weir(command, "--help").stdout, re.M):
                self.assertTrue(option == "--help" or option.replace("-", "\\-") in page, (command, option))
        self.fails(1, "--man cannot be 'chek'", "--man", "chek")


class Completion(Cli):
    """The scripts are run by the shells they are for."""

    def complete(self, *words):
        script = self.weir("--completion", "bash").stdout
        line = " ".join(f"'{w}'" for w in words)
        code = f"{script}\nCOMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _weir; printf '%s\\n' \"${{COMPREPLY[@]}}\""
        return subprocess.run(["bash", "-c", code], capture_output=True, text=True, check=True, cwd=self.folder.name).stdout.split()

    def test_bash(self):
        self.assertEqual(self.complete("weir", "rob"), ["robust"])
        self.assertEqual(self.complete("weir", "check", "--mod"), ["--model"])
        self.assertEqual(self.complete("weir", "check", "--model", "t"), ["tso"])
        self.assertEqual(self.complete("weir", "check", "--model", "=", "p"), ["pso"])
        self.assertEqual(self.complete("weir", "fence", "--model", ""), ["tso", "pso"])
        self.assertEqual(self.complete("weir", "check", "dek"), ["dekker.imp"])
        self.assertEqual(self.complete("weir", "check", "--witness", "dek"), ["dekker.imp"])
        self.assertEqual(self.complete("weir", "check", "--timeout", ""), [])
        self.assertEqual(self.complete("weir", "replay", "--model"), [])
        self.assertEqual(self.complete("weir", "--completion", ""), ["bash", "zsh"])

    @unittest.skipUnless(shutil.which("zsh"), "there is no zsh")
    def test_zsh(self):
        script = self.weir("--completion", "zsh").stdout
        self.write("_weir", script)
        self.assertEqual(subprocess.run(["zsh", "-n", "_weir"], cwd=self.folder.name).returncode, 0)
        # What the completion system would be told, by the functions that it provides.
        told = """compdef() {}
_describe() { print -rl -- ${(P)2} }
_arguments() { print -rl -- "$@" }
_values() { print -rl -- "$@" }
source ./_weir
words=(weir ''); CURRENT=2; _weir
print END
words=(weir check ''); CURRENT=3; _weir
print END
words=(weir --completion ''); CURRENT=3; _weir
"""
        out = subprocess.run(["zsh", "-f", "-c", told], cwd=self.folder.name, capture_output=True, text=True, check=True).stdout
        commands, options, shells = out.split("END\n")
        self.assertEqual([line.split(":")[0] for line in commands.split("\n") if line], list(COMMANDS))
        self.assertIn("--model[memory model\\: sequential consistency, total or partial store order]:value:(sc tso pso)", options)
        self.assertIn("*:file:_files", options)
        self.assertEqual(shells, "shell\nbash\nzsh\n")

    def test_usage(self):
        self.fails(1, "possible are bash, zsh", "--completion", "fish")
        self.fails(1, "--completion needs a word", "--completion")


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


@unittest.skipUnless(HAS_C, "this weir reads no C programs")
class HostileSources(Cli):
    """What a C source cannot make the compiler do, and what of other files it cannot make Weir show (docs/security.md)."""

    MAIN = "int main(void) { return 0; }\n"

    def secret(self):
        """A file outside of the folder of the program."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = pathlib.Path(folder.name) / "secret"
        path.write_text("".join(f"user{i}:password{i}:{i}\n" for i in range(40)))
        return str(path)

    def shown(self, text):
        return len(set(re.findall(r"password\d+", text)))

    def sandbox(self):
        answer = json.loads(self.weir("doctor", "--json").stdout)
        return next(finding for finding in answer["findings"] if finding["name"] == "sandbox")

    def test_an_include_shows_one_line(self):
        secret = self.secret()
        self.write("a.c", f'#include "{secret}"\n{self.MAIN}')
        for options in ((), ("--json",)):
            result = self.weir("check", "a.c", *options, code=2)
            self.assertLessEqual(self.shown(result.stdout + result.stderr), 1)
        self.write("b.c", "int f(void) { return x; }\nint g(void) { return y; }\n")  # all mistakes of the program itself
        result = self.weir("check", "b.c", code=2)
        self.assertIn("'x'", result.stderr)
        self.assertIn("'y'", result.stderr)

    def test_line_directives_show_nothing(self):
        secret = self.secret()
        self.write("a.c", f'#include <assert.h>\n#line 3 "{secret}"\nint main(void) {{ assert(0); }}\n')
        result = self.weir("check", "a.c", "--html", "page.html", "--sarif", "a.sarif", "--witness", "w.json", code=10)
        for name in ("page.html", "a.sarif", "w.json"):
            with open(self.path(name), encoding="utf-8") as file:
                self.assertEqual(self.shown(file.read()), 0, name)
        self.assertEqual(self.shown(result.stdout + result.stderr), 0)
        self.weir("convert", "a.c", "--to", "weir", "-o", "a.weir")
        with open(self.path("a.weir"), encoding="utf-8") as file:
            self.assertEqual(self.shown(file.read()), 0)

    def test_line_directives_show_sources_beside_the_program(self):
        self.write("part.h", "// first\nint main(void) { __VERIFIER_assert(0); } // shown\n")
        self.write("a.i", '# 2 "part.h"\nvoid reach_error(void); int main(void) { reach_error(); }\n')
        self.assertIn("// shown", self.weir("check", "a.i", code=10).stdout)

    def test_modules_show_nothing(self):
        secret = self.secret()
        folder, name = os.path.split(secret)
        self.write("a.ll", f'''declare void @abort()
define i32 @main() !dbg !3 {{
  call void @abort(), !dbg !4
  ret i32 0
}}
!llvm.module.flags = !{{!0}}
!llvm.dbg.cu = !{{!1}}
!0 = !{{i32 2, !"Debug Info Version", i32 3}}
!1 = distinct !DICompileUnit(language: DW_LANG_C99, file: !2, emissionKind: FullDebug)
!2 = !DIFile(filename: "{name}", directory: "{folder}", checksumkind: CSK_MD5, checksum: "00000000000000000000000000000000")
!3 = distinct !DISubprogram(name: "main", file: !2, line: 1, type: !5, unit: !1, spFlags: DISPFlagDefinition)
!4 = !DILocation(line: 2, column: 1, scope: !3)
!5 = !DISubroutineType(types: !{{null}})
''')
        result = self.weir("check", "a.ll", "--html", "page.html")
        self.assertIn(result.returncode, (0, 2, 10))
        self.assertEqual(self.shown(result.stdout + result.stderr), 0)
        if os.path.exists(self.path("page.html")):
            with open(self.path("page.html"), encoding="utf-8") as file:
                self.assertEqual(self.shown(file.read()), 0)

    def test_an_endless_file_ends(self):
        self.write("a.c", f'#include "/dev/zero"\n{self.MAIN}')
        self.assertIn(self.weir("check", "a.c", "--memory", "300", "--timeout", "20").returncode, (0, 2, 5))  # to clang it is empty
        self.write("b.c", f"int first = 1\n#embed \"/dev/zero\"\n;{self.MAIN}")
        self.assertIn(self.weir("check", "b.c", "--memory", "300", "--timeout", "20").returncode, (0, 2, 5))

    def test_assembly_brings_in_no_files(self):
        self.write("a.c", f'__asm__(".incbin \\"{self.secret()}\\"");\n{self.MAIN}')
        result = self.weir("check", "a.c", code=2)
        self.assertIn("assembly outside functions is not supported", result.stderr)
        self.assertEqual(self.shown(result.stderr), 0)

    def test_nothing_of_the_program_runs(self):
        mark = self.path("mark")
        self.write("a.c", f'''#include <fcntl.h>
__attribute__((constructor)) static void first(void) {{ creat("{mark}", 0600); }}
int main(void) {{ creat("{mark}", 0600); return 0; }}
''')
        self.weir("check", "a.c")
        self.assertFalse(os.path.exists(mark))

    def test_comments_are_no_arguments(self):
        mark = self.path("mark")
        os.mkdir(self.path("suite"))
        for line in (f"// compiler: -o {mark}", f"// compiler: -fplugin={mark}", "// compiler: @file", f"// options: -- -o {mark}"):
            self.write("suite/a.c", f"{line}\n{self.MAIN}")
            self.weir("check", "suite", code=2)
            self.weir("check", "suite/a.c", code=0)  # outside of suites nobody reads them
            self.assertFalse(os.path.exists(mark))

    def compiler_that_misbehaves(self):
        """Stands for a compiler that was taken over, or has loaded a plug-in."""
        self.write("clang", f'''#!/bin/sh
echo x > "{self.path("written")}"
rm -f "{self.path("precious")}"
exec clang-19 "$@"
''')
        os.chmod(self.path("clang"), 0o755)
        self.write("precious", "")
        self.write("a.c", self.MAIN)

    def test_the_compiler_writes_nothing(self):
        self.compiler_that_misbehaves()
        can_write = "writes no files" not in self.sandbox()["detail"]  # an old kernel: doctor must say so
        environment = {**os.environ, "WEIR_CLANG": self.path("clang")}
        self.weir("check", "a.c", env=environment, code=0)
        self.assertEqual(os.path.exists(self.path("written")), can_write)
        self.assertEqual(os.path.exists(self.path("precious")), not can_write)
        self.weir("check", "a.c", env={**environment, "WEIR_SANDBOX": "off"}, code=0)
        self.assertTrue(os.path.exists(self.path("written")))

    def test_other_outputs_are_refused_with_a_hint(self):
        self.write("a.c", self.MAIN)
        can_write = "writes no files" not in self.sandbox()["detail"]
        result = self.weir("check", "a.c", "--", "-MD", "-MF", self.path("a.d"))
        self.assertEqual(os.path.exists(self.path("a.d")), can_write)
        if not can_write:
            self.assertEqual(result.returncode, 2)
            self.assertIn("WEIR_SANDBOX=off", result.stderr)

    def test_doctor_tells_when_it_is_off(self):
        answer = json.loads(self.weir("doctor", "--json", env={**os.environ, "WEIR_SANDBOX": "off"}).stdout)
        finding = next(finding for finding in answer["findings"] if finding["name"] == "sandbox")
        self.assertFalse(finding["found"])
        self.assertIn("unset", finding["remedy"])


class Doctor(Cli):
    """What is missing is told, with what it is for and how to get it."""

    def test_what_weir_needs(self):
        answer = json.loads(self.weir("doctor", "--json").stdout)
        needed = {f["name"] for f in answer["findings"] if f["needed"]}
        self.assertLessEqual({"libweir_c.so", "BuDDy"}, needed)

    @unittest.skipUnless(HAS_C, "this weir reads no C programs")
    def test_missing_compiler(self):
        out = self.weir("doctor", code=2, env={**os.environ, "WEIR_CLANG": "/nowhere/clang"}).stdout
        self.assertIn("MISSING  /nowhere/clang", out)
        self.assertIn("set WEIR_CLANG to the path of clang 19", out)
        self.assertIn("Weir needs /nowhere/clang", out)

    @unittest.skipUnless(HAS_C, "this weir reads no C programs")
    def test_another_compiler(self):
        self.write("clang", "#!/bin/sh\necho clang version 14.0.6\n")
        os.chmod(self.path("clang"), 0o755)
        out = self.weir("doctor", code=2, env={**os.environ, "WEIR_CLANG": self.path("clang")}).stdout
        self.assertIn("is another version: clang version 14.0.6", out)


def load_tests(loader, tests, pattern):
    """All tests, or those of one part: every N-th one."""
    part, parts = map(int, os.environ.get("PART", "1/1").split("/"))
    each = [test for of_class in tests for test in of_class]
    return unittest.TestSuite(each[part - 1::parts])


if __name__ == "__main__":
    unittest.main()
