#!/usr/bin/env python3
"""What a run promises it keeps: suites, files, limits, signals.

Usage: reliability_test.py PATH_TO_WEIR [SOURCE_DIR] [OPTIONS OF UNITTEST]

No test depends on how fast the machine is: where a time is the promise, the bound is several times of it, and what is
compared otherwise is what is there in the end: exit code, verdict, files, processes.
"""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import uuid

WEIR = os.path.abspath(sys.argv.pop(1))
SOURCE = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2]).absolute()

sys.path.insert(0, str(SOURCE / "tests/schema"))
import validation  # noqa: E402: found by the line above

HAS_C = shutil.which("clang-19") is not None
GENEROUS = 30  # seconds, for what should take one

SAFE = "program safe\nvariables x = 0\nprocess P begin\n  x := 1\nend\n"

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

C_SAFE = "int main(void) { return 0; }\n"


class Run(unittest.TestCase):
    """Every run has a folder for temporary files and a mark in its environment, which what it starts inherits."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.temporary = self.folder / "temporary files"
        self.temporary.mkdir()
        self.work = self.folder / "work"
        self.work.mkdir()
        self.mark = f"WEIR_TEST_MARK={uuid.uuid4()}"
        name, value = self.mark.split("=")
        self.environment = {**os.environ, "TMPDIR": str(self.temporary), name: value}
        self.addCleanup(self.kill_left)

    def write(self, name, text):
        path = self.work / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return str(path)

    def left(self):
        """The processes that carry the mark."""
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            with contextlib.suppress(OSError):
                if entry.name.isdigit() and self.mark.encode() in (entry / "environ").read_bytes():
                    found.append(int(entry.name))
        return found

    def kill_left(self):
        for process in self.left():
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)

    def assert_nothing_left(self):
        self.assertEqual(self.left(), [])
        self.assertEqual(list(self.temporary.iterdir()), [])

    def weir(self, *arguments, code=None, timeout=GENEROUS, environment=None, **keywords):
        result = subprocess.run([WEIR, *map(str, arguments)], cwd=self.work, capture_output=True, text=True,
                                errors="replace", timeout=timeout, env={**self.environment, **(environment or {})},
                                **keywords)
        if code is not None:
            self.assertEqual(result.returncode, code, f"{arguments}\n{result.stdout}{result.stderr}")
        self.assert_nothing_left()
        return result

    def answer(self, *arguments, **keywords):
        """What --json prints, which must be one object that the schema allows."""
        result = self.weir(*arguments, "--json", **keywords)
        answer = json.loads(result.stdout)
        self.assertEqual(validation.mistakes(answer, validation.SCHEMAS["answer"]), [], result.stdout)
        return answer

    def start(self, *arguments, **keywords):
        process = subprocess.Popen([WEIR, *map(str, arguments)], cwd=self.work, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, env=self.environment, **keywords)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def wait_until(self, condition):
        end = time.monotonic() + GENEROUS
        while not condition():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.02)


class Suites(Run):
    def runs(self, answer):
        return {run["file"]: (run["verdict"], run["outcome"], run.get("message", "")) for run in answer["answers"]}

    def test_with_names_a_source_in_the_same_folder(self):
        self.write("suite/queue.h", "")
        self.write("suite/notes.txt", "")
        self.write("suite/parts/part.c", "")
        self.write("beside/part.c", "")
        os.mkfifo(self.work / "suite/fifo.c")
        os.symlink(".", self.work / "suite/folder.c")
        for name in ("queue.h", "../../../etc/passwd", "/etc/passwd", ".", "..", "parts/part.c", "../beside/part.c",
                     "missing.c", "notes.txt", "fifo.c", "folder.c", "user.c", "-", "--suite"):
            self.write("suite/user.c", f"// with: {name}\n{C_SAFE}")
            answer = self.answer("check", "suite/user.c", "--suite", "--timeout", 5, code=2)
            (verdict, outcome, message), = self.runs(answer).values()
            self.assertEqual((verdict, outcome), ("error", "error"), name)
            self.assertTrue(message.startswith("suite/user.c:1:1: error: "), message)

    def test_a_child_is_never_a_suite(self):
        """Whatever an input says, its run has no runs of its own."""
        self.write("suite/other.imp", SAFE)
        for line in ("options: .", "options: other.imp", "options: --races .", "options: --suite", "options: --junit x",
                     "options: --single", "options: --expected=x", "options: --native", "options: --no-such-option",
                     "options: --races other.c"):
            for name, text in (("user.imp", SAFE), ("user.c", C_SAFE)):
                self.write(f"suite/{name}", f"// {line}\n{text}")
                answer = self.answer("check", "suite", "--timeout", 5, code=2)
                runs = self.runs(answer)
                self.assertEqual(runs["suite/other.imp"][1], "expected")
                self.assertEqual(runs[f"suite/{name}"][:2], ("error", "error"), line)
                os.remove(self.work / "suite" / name)

    def test_single(self):
        self.write("suite/a.imp", SAFE)
        for arguments in (("suite",), ("suite/a.imp", "suite/a.imp")):
            result = self.weir("check", *arguments, "--single")
            self.assertIn(result.returncode, (1, 2))
        self.weir("check", "suite/a.imp", "--single", "--suite", code=1)
        self.weir("check", "suite/a.imp", "--single", code=0)

    def test_one_bad_comment_is_the_failure_of_its_input(self):
        self.write("suite/good.imp", "// expect: all safe\n" + SAFE)
        self.write("suite/bad.imp", "// expect: bogus\n" + SAFE)
        self.write("suite/bad.litmus", (SOURCE / "examples/litmus/SB.litmus").read_text().replace(
            "\n", "\nExpect=sc:Bogus\n", 1))
        answer = self.answer("check", "suite", "--junit", "j.xml", code=2)
        self.assertEqual(answer["summary"]["expected"], 3)
        self.assertEqual(answer["summary"]["errors"], 2)
        self.assertIn("bad.imp:1:1: error: 'bogus' is no expectation", self.runs(answer)["suite/bad.imp"][2])
        junit = (self.work / "j.xml").read_text()
        self.assertIn("bogus", junit)
        self.assertIn('tests="5" failures="0" errors="2"', junit)

    def test_mistakes_in_the_manifest_do_not_cost_the_suite(self):
        self.write("suite/good.imp", SAFE)
        self.write("expected", "suite/good.imp: sc safe\nsuite/none.imp: all safe\nnonsense\n")
        answer = self.answer("check", "suite", "--expected", "expected", "--junit", "j.xml", code=2)
        self.assertEqual(answer["summary"]["expected"], 1)
        self.assertEqual(self.runs(answer)["expected"][:2], ("error", "error"))
        self.assertIn("expected:2:1", (self.work / "j.xml").read_text())

    @unittest.skipUnless(HAS_C, "this weir reads no C programs")
    def test_inputs_that_name_each_other_are_both_checked(self):
        self.write("suite/a.c", "// with: b.c\n" + C_SAFE)
        self.write("suite/b.c", "// with: a.c\n" + C_SAFE)
        self.assertEqual(self.answer("check", "suite", code=2)["summary"]["runs"], 2)  # main twice

    def endless_suite(self):
        for i in range(4):
            self.write(f"suite/endless{i}.weir", ENDLESS)
        if HAS_C:  # a compiler that never ends, and has started another program
            self.write("suite/a.c", C_SAFE)
            self.write("clang", "#!/bin/sh\nsetsid sleep 1000 &\nsleep 1000\n")
            os.chmod(self.work / "clang", 0o755)
            self.environment["WEIR_CLANG"] = str(self.work / "clang")

    def test_signals_end_every_process_and_remove_every_file(self):
        self.endless_suite()
        for signal_number in (signal.SIGTERM, signal.SIGINT):
            process = self.start("check", "suite", "--json", "--jobs", "2")
            self.wait_until(lambda: len(self.left()) > (5 if HAS_C else 2))
            process.send_signal(signal_number)  # to the suite alone
            out, _ = process.communicate(timeout=GENEROUS)
            self.assertEqual(process.returncode, 5)
            self.assertEqual(json.loads(out)["summary"]["runs"], 5 if HAS_C else 4)
            self.assert_nothing_left()

    def test_a_killed_suite_leaves_no_process(self):
        self.endless_suite()
        process = self.start("check", "suite", "--jobs", "2")
        self.wait_until(lambda: len(self.left()) > 2)
        process.kill()
        sleeper = {"sleep"} if HAS_C else set()  # in a session of its own, without any parent: nobody can know

        def names():
            found = set()
            for number in self.left():
                with contextlib.suppress(OSError):
                    found.add(pathlib.Path(f"/proc/{number}/comm").read_text().strip())
            return found
        self.wait_until(lambda: names() <= sleeper)

    def test_the_end_of_a_suite_is_the_end_of_what_it_started(self):
        self.endless_suite()
        answer = self.answer("check", "suite", "--timeout", "1", code=5)
        self.assertEqual({run["verdict"] for run in answer["answers"]}, {"unknown"})

    def test_a_fifo_among_the_inputs_has_its_own_time(self):
        self.write("good.imp", SAFE)
        os.mkfifo(self.work / "fifo.imp")
        answer = self.answer("check", "good.imp", "fifo.imp", "--timeout", "1", code=5)
        self.assertEqual([run["verdict"] for run in answer["answers"]], ["safe", "unknown"])

    def test_comparisons_of_engines_have_no_suites_either(self):
        self.write("suite/bad.imp", "// options: .\n" + SAFE)
        self.write("suite/good.imp", SAFE)
        answer = self.answer("bench", "suite", "--timeout", "5", "--engines", "explicit", code=2)
        self.assertEqual([run["verdict"] for run in answer["runs"]], ["error", "safe"])


if __name__ == "__main__":
    unittest.main()
