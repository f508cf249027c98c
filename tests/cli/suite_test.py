#!/usr/bin/env python3
"""weir check on many inputs: expectations, manifests, reports for build servers, and the module for CMake.

Usage: suite_test.py PATH_TO_WEIR [SOURCE_DIR] [OPTIONS OF UNITTEST]
"""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import time
import unittest

from cli_support import DEKKER, ENDLESS, RACE, SOURCE, TRENCHER, WEIR, Cli, validation


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


if __name__ == "__main__":
    unittest.main()
