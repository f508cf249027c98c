#!/usr/bin/env python3
"""weir check: verdicts, exit codes, limits, and some schedules instead of all.

Usage: check_test.py PATH_TO_WEIR [SOURCE_DIR] [OPTIONS OF UNITTEST]
"""

import json
import re
import signal
import subprocess
import time
import unittest

from cli_support import DEKKER, ENDLESS, HAS_C, SOURCE, TRENCHER, WEIR, Cli, validation


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


if __name__ == "__main__":
    unittest.main()
