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
        self.work = self.folder / "inputs"
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
        # A process that was killed is seen until the system has taken it away, which a busy machine does later.
        end = time.monotonic() + GENEROUS
        while self.left() and time.monotonic() < end:
            time.sleep(0.05)
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


WITNESSING = ("--model", "tso")  # what makes DEKKER unsafe


class Outputs(Run):
    """Files are written whole or not at all, never over an input, and never cost the verdict."""

    FILES = {  # of each command: options that write, and the rest of the command line
        "check": (("--html", "--witness", "--dot", "--sarif"), ("dekker.imp", "--model", "tso")),
        "robust": (("--html", "--witness", "--dot", "--sarif", "--emit-instrumented"), ("dekker.imp",)),
        "fence": (("--html", "--sarif", "--patch"), ("dekker.imp",)),
        "explain": (("--html", "--witness"), ("dekker.imp", "--model", "tso")),
        "explore": (("--html", "--plot"), ("dekker.imp", "--model", "tso", "--timeout", "5")),
        "outcomes": (("--html", "--dot", "--svg"), ("sb.litmus", "--model", "tso")),
        "consistent": (("--html",), ("instance.json",)),
        "replay": (("--html", "--dot", "--sarif"), ("saved.json",)),
        "convert": (("--output",), ("dekker.imp", "--to", "weir")),
        "bench": (("--plot",), ("dekker.imp", "--timeout", "5", "--engines", "explicit")),
    }

    def setUp(self):
        super().setUp()
        self.write("dekker.imp", DEKKER)
        self.write("sb.litmus", (SOURCE / "examples/litmus/SB.litmus").read_text())
        self.write("instance.json", (SOURCE / "examples/consistency/store_buffering.json").read_text())
        self.weir("check", "dekker.imp", *WITNESSING, "--witness", "saved.json", code=10)

    def each(self):
        for command, (options, rest) in self.FILES.items():
            for option in options:
                yield command, option, rest

    def files(self):
        return {path.name: path.read_bytes() for path in self.work.iterdir() if path.is_file()}

    def test_what_cannot_be_written_is_known_before_the_search(self):
        self.write("endless.weir", ENDLESS)
        self.write("a file", "")
        for path in ("/nonexistent/x", ".", "a file/x", "/proc/x", "x" * 300):
            for option in ("--html", "--witness", "--dot", "--sarif", "--certificate"):
                before = self.files()
                answer = self.answer("check", "endless.weir", option, path, code=2)
                self.assertEqual(answer["verdict"], "error")
                self.assertIn(f"cannot write {path}", answer["reason"])
                self.assertEqual(self.files(), before)
        self.weir("check", "endless.weir", "dekker.imp", "--junit", "/nonexistent/x", code=2)
        self.weir("generate", "--all", "-o", "a file", code=2)
        self.weir("selfcheck", "-o", "a file/x", code=2)

    def test_inputs_are_never_overwritten(self):
        os.link(self.work / "dekker.imp", self.work / "hard")
        os.symlink("dekker.imp", self.work / "soft")
        os.symlink("soft", self.work / "softer")
        for command, option, rest in self.each():
            names = [rest[0], f"./{rest[0]}", str(self.work / rest[0]), f"../inputs/{rest[0]}"]
            if rest[0] == "dekker.imp":
                names += ["hard", "soft", "softer"]
            for name in names:
                before = self.files()
                result = self.weir(command, *rest, option, name, code=1)
                self.assertIn("would overwrite the input", result.stderr)
                self.assertEqual(self.files(), before)

    def test_other_inputs_are_never_overwritten(self):
        self.write("costs", "")
        self.write("system.aut", 'des (0, 1, 1)\n(0, "a", 0)\n')
        self.write("suite/one.imp", SAFE)
        self.write("suite/two.imp", SAFE)
        self.write("expected", "suite/one.imp: all safe\n")
        for arguments in (("fence", "dekker.imp", "--cost", "costs", "--html", "costs"),
                          ("check", "suite", "--junit", "suite/two.imp"),
                          ("check", "suite", "--sarif", "suite/one.imp"),
                          ("check", "suite", "--expected", "expected", "--junit", "expected")):
            before = [path.read_bytes() for path in sorted(self.work.rglob("*")) if path.is_file()]
            self.assertIn("would overwrite the input", self.weir(*arguments, code=1).stderr)
            self.assertEqual(before, [path.read_bytes() for path in sorted(self.work.rglob("*")) if path.is_file()])
        with open(self.work / "dekker.imp", encoding="utf-8") as text:
            result = self.weir("check", "-", "--format", "imp", "--html", "dekker.imp", stdin=text)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertEqual((self.work / "dekker.imp").read_text(), DEKKER)

    @unittest.skipUnless(HAS_C, "this weir reads no C programs")
    def test_headers_are_inputs(self):
        self.write("header.h", "int g;\nstatic void set(void) { g = 1; }\n")
        self.write("a.c", '#include "header.h"\nint main(void) { set(); return g - 1; }\n')
        for name in ("a.c", "header.h"):
            result = self.weir("check", "a.c", "--html", name)
            self.assertIn(result.returncode, (1, 2))
            self.assertIn("would overwrite the input", result.stderr)
        self.assertNotIn("html", (self.work / "header.h").read_text())

    def test_outputs_are_different_files(self):
        os.symlink("page", self.work / "soft")  # to a file that is not there yet
        for other in ("page", "./page", "soft", "../inputs/page"):
            self.assertIn("the same file", self.weir("check", "dekker.imp", "--html", "page", "--dot", other, code=1).stderr)
        self.write("page", "")
        os.link(self.work / "page", self.work / "hard")
        self.assertIn("the same file", self.weir("check", "dekker.imp", "--html", "page", "--dot", "hard", code=1).stderr)
        with open(self.work / "page", "w", encoding="utf-8") as out:  # where the answer goes, too
            code = subprocess.run([WEIR, "check", "dekker.imp", "--html", "page"], cwd=self.work, stdout=out,
                                  stderr=subprocess.DEVNULL, timeout=GENEROUS).returncode
        self.assertEqual(code, 1)
        self.weir("check", "dekker.imp", "--html", "/dev/null", "--dot", "/dev/null", code=0)

    def test_a_failed_report_never_costs_the_verdict(self):
        expected = {"check": 10, "robust": 10, "fence": 0, "explain": 10, "explore": 0, "outcomes": 0, "consistent": None,
                    "replay": 10, "bench": 0}
        for command, option, rest in self.each():
            if command == "convert":
                continue
            plain = self.weir(command, *rest, "-q")
            result = self.weir(command, *rest, option, "/dev/full", "-q")
            self.assertEqual(result.returncode, plain.returncode)
            self.assertIn(expected[command], (None, plain.returncode))
            if command != "bench" and (command, option) != ("fence", "--patch"):  # which say what they cost
                self.assertEqual(result.stdout, plain.stdout)
            self.assertIn("cannot write /dev/full", result.stderr, (command, option))
            if command not in ("bench", "consistent"):
                whole = self.answer(command, *rest, option, "/dev/full")
                self.assertNotIn(whole["verdict"], ("error",))
        self.weir("convert", "dekker.imp", "--to", "weir", "-o", "/dev/full", code=2)

    def test_files_keep_their_old_content_until_the_new_one_is_whole(self):
        self.write("folder/page.html", "old")
        os.chmod(self.work / "folder/page.html", 0o640)
        os.symlink("folder/page.html", self.work / "link.html")
        old = os.open(self.work / "folder/page.html", os.O_RDONLY)
        self.weir("check", "dekker.imp", *WITNESSING, "--html", "link.html", code=10)
        self.assertEqual(os.read(old, 10), b"old")  # who reads it reads all of it
        os.close(old)
        self.assertTrue((self.work / "link.html").is_symlink())
        self.assertIn("<html", (self.work / "folder/page.html").read_text())
        self.assertEqual((self.work / "folder/page.html").stat().st_mode & 0o777, 0o640)
        self.assertEqual([path.name for path in (self.work / "folder").iterdir()], ["page.html"])

    def test_pipes_are_written_as_they_are(self):
        os.mkfifo(self.work / "pipe")
        reader = subprocess.Popen(["cat", self.work / "pipe"], stdout=subprocess.PIPE)
        self.weir("check", "dekker.imp", *WITNESSING, "--html", "pipe", code=10)
        self.assertIn(b"<html", reader.communicate(timeout=GENEROUS)[0])
        self.weir("check", "dekker.imp", *WITNESSING, "--witness", "/dev/stdout", code=10)

    def test_a_pipe_that_nobody_reads_costs_no_verdict(self):
        os.mkfifo(self.work / "pipe")
        answer = self.answer("check", "dekker.imp", *WITNESSING, "--html", "pipe", "--timeout", "1", code=10)
        self.assertEqual(answer["verdict"], "unsafe")


class Json(Run):
    """With --json there is one JSON object on standard output, whatever goes wrong."""

    def test_usage(self):
        self.write("a.imp", SAFE)
        for arguments in (("check",), ("nothing",), ("check", "a.imp", "--no-such-option"), ("check", "a.imp", "--timeout", "-1"),
                          ("convert", "a.imp"), ("explore", "a.imp", "--root", "x"),
                          ("fair", "a.imp"), ("robust", "a.imp", "-n", "x"), ("generate",), ("consistent", "a", "b")):
            answer = self.answer(*arguments, code=1)
            self.assertEqual((answer["verdict"], len(answer["diagnostics"])), ("error", 1))
            self.assertIn(answer["reason"], self.weir(*arguments, code=1).stderr)

    def test_mistakes_have_their_places(self):
        self.write("bad.imp", "program bad\nvariables x = 0\nprocess P begin\n  y := 1\nend\n")
        for command in ("check", "robust", "fence", "explore", "outcomes", "explain"):
            answer = self.answer(command, "bad.imp", code=2)
            self.assertEqual(answer["command"], command)
            first = answer["diagnostics"][0]
            self.assertEqual((first["severity"], first["file"], first["line"], first["column"]), ("error", "bad.imp", 4, 3))
        self.answer("convert", "bad.imp", "--to", "weir", code=2)
        self.answer("check", "missing.imp", code=2)
        self.write("bad.json", "{")
        self.answer("consistent", "bad.json", code=2)
        self.answer("replay", "bad.json", code=2)

    @unittest.skipUnless(HAS_C, "this weir reads no C programs")
    def test_mistakes_that_the_compiler_finds(self):
        self.write("bad.c", "int main(void) {\n  return x;\n}\n")
        first = self.answer("check", "bad.c", code=2)["diagnostics"][0]
        self.assertEqual((first["file"], first["line"], first["column"]), ("bad.c", 2, 10))
        self.assertIn("undeclared identifier", first["message"])

    def test_answers_without_files(self):
        self.write("a.imp", SAFE)
        answer = self.answer("generate", "--cycle", "PodWR Fre PodWR Fre", code=0)
        self.assertIn("X86", answer["litmus"][0]["text"])
        answer = self.answer("convert", "a.imp", "--to", "weir", code=0)
        self.assertTrue(answer["text"].startswith("weir 1"))
        self.assertEqual(self.answer("convert", "a.imp", "--to", "weir", "-o", "a.weir", code=0)["output"], "a.weir")


class ReplayFiles(Run):
    """What stands in a replay file is what Weir wrote there, or the file is refused."""

    def setUp(self):
        super().setUp()
        self.write("dekker.imp", DEKKER)
        self.weir("check", "dekker.imp", *WITNESSING, "--witness", "w.json", code=10)
        self.saved = json.loads((self.work / "w.json").read_text())
        self.assertEqual(validation.mistakes(self.saved, validation.SCHEMAS["replay"]), [])

    def refused(self, replay, *words):
        self.write("x.json", json.dumps(replay))
        for command in ("replay", "explain"):
            answer = self.answer(command, "x.json", code=2)
            self.assertEqual((answer["verdict"], answer["diagnostics"][0]["file"]), ("error", "x.json"))
            for word in words:
                self.assertIn(word, answer["reason"])

    def test_order_and_blanks_do_not_matter(self):
        self.write("x.json", json.dumps(dict(reversed(self.saved.items())), indent=7))
        self.weir("replay", "x.json", code=10)

    def test_files_of_older_versions_have_no_digest(self):
        del self.saved["sha256"]
        self.write("x.json", json.dumps(self.saved))
        self.weir("replay", "x.json", code=10)

    def test_edited_words_are_refused(self):
        for path in (("violation", "message"), ("program", "path"), ("program", "sources", 0, "text"), ("version",)):
            copy = json.loads(json.dumps(self.saved))
            place = copy
            for name in path[:-1]:
                place = place[name]
            place[path[-1]] = "1.0.0"
            self.refused(copy, "changed")

    def test_wrong_types_are_refused(self):
        """Every member in turn becomes something else, or goes, or gets company."""
        def variants(value, path=()):
            if isinstance(value, dict):
                for name in value:
                    yield from variants(value[name], path + (name,))
                yield path, {**value, "unknown": 1}
                for name in value:
                    yield path, {key: value[key] for key in value if key != name}
            elif isinstance(value, list) and value:
                yield from variants(value[0], path + (0,))
            for other in (None, -1, 1.5, "words", [], {}, True, 2**70):
                if path and type(other) is not type(value):
                    yield path, other

        tried = 0
        for path, other in variants(self.saved):
            copy = json.loads(json.dumps(self.saved))
            place = copy
            for name in path[:-1]:
                place = place[name]
            if path:
                place[path[-1]] = other
            else:
                copy = other
            if not validation.mistakes(copy, validation.SCHEMAS["replay"]):
                continue  # the digest, or something that may be left out
            tried += 1
            self.write("x.json", json.dumps(copy))
            result = subprocess.run([WEIR, "replay", "x.json"], cwd=self.work, capture_output=True, text=True,
                                    timeout=GENEROUS)
            self.assertEqual(result.returncode, 2, f"{path} {other}\n{result.stdout}{result.stderr}")
            self.assertIn("x.json", result.stderr)
        self.assertGreater(tried, 100)


# So many executions that nobody visits them all, and a sample of them takes a while.
MANY_EXECUTIONS = "program many\nvariables x = 0\n" + "".join(
    f"process W{i} begin\n  x := {i};\n  x := {i}\nend\n" for i in range(6)) + "".join(
    f"process R{i} begin\n  local r := 0;\n  r := x;\n  r := x\nend\n" for i in range(10))


class Terminal(Run):
    def on_terminal(self, *arguments, environment):
        """What a run writes to a terminal that is its standard output and error."""
        import pty
        controller, terminal = pty.openpty()
        process = subprocess.Popen([WEIR, *arguments], cwd=self.work, stdout=terminal, stderr=terminal,
                                   env={**self.environment, **environment})
        os.close(terminal)
        out = b""
        with contextlib.suppress(OSError):
            while chunk := os.read(controller, 4096):
                out += chunk
        process.wait(timeout=GENEROUS)
        os.close(controller)
        return out.decode(errors="replace")

    def test_a_dumb_terminal_gets_text_only(self):
        self.write("dekker.imp", DEKKER)
        self.write("endless.weir", ENDLESS)
        clean = {key: "" for key in ("NO_COLOR",) if key in os.environ}
        self.environment.pop("NO_COLOR", None)
        coloured = self.on_terminal("check", "dekker.imp", *WITNESSING, environment={**clean, "TERM": "xterm"})
        self.assertIn("\x1b[", coloured)
        dumb = self.on_terminal("check", "dekker.imp", *WITNESSING, environment={**clean, "TERM": "dumb"})
        self.assertNotIn("\x1b", dumb)
        self.assertIn("UNSAFE", dumb)
        progress = self.on_terminal("check", "endless.weir", "--timeout", "3", environment={"TERM": "dumb"})
        self.assertNotIn("\x1b", progress)

    def test_control_characters_are_shown_escaped(self):
        evil = "ev\x1b[2Jil\x07\r\u009b31m\u202e"
        text = DEKKER.replace("program dekker", f'program "{evil}"').replace("process P", f'process "{evil}"')
        self.write("evil.imp", text)
        name = f"{evil}.imp".replace("/", "")
        self.write(name, DEKKER)
        self.write("evil.weir", f'weir 1\nprogram "{evil}"\nshared "{evil}"\nfunction f()\n  s:\n    store "{evil}" := 1 -> t\n'
                   f'  t:\n    nop -> t\nend\nthread "{evil}" = f()\ninvariant "{evil}" == 0\n')
        for command in ("check", "robust", "explain", "outcomes", "explore", "fence"):
            for file in ("evil.imp", "evil.weir", name, f"missing {name}"):
                for more in ((), ("--color", "always"), ("-v",), ("-q",)):
                    result = self.weir(command, file, *more)
                    shown = result.stdout + result.stderr
                    for bad in ("\x1b[2J", "\x07", "\r", "\u009b", "\u202e"):
                        self.assertNotIn(bad, shown, (command, file, more))
        self.assertIn("\\x1b[2Jil", self.weir("check", name, *WITNESSING, code=10).stdout +
                      self.weir("check", f"missing {name}", code=2).stderr)

    def test_help_fits(self):
        commands = [line.split()[0] for line in self.weir("--help", code=0).stdout.splitlines() if line.startswith("  ")]
        commands = [command for command in commands if self.weir(command, "--help").returncode == 0]
        self.assertIn("check", commands)
        for width in (40, 60, 80, 100):
            for arguments in (("--help",), *((command, "--help") for command in commands)):
                text = self.weir(*arguments, code=0, environment={"COLUMNS": str(width)}).stdout
                self.assertLessEqual(max(map(len, text.splitlines())), width, arguments)

    def test_progress_costs_little(self):
        """By the time of the processor, which others on the machine do not change."""
        self.write("many.imp", MANY_EXECUTIONS)

        def rate(*more):
            import resource
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            answer = self.answer("explore", "many.imp", "--equivalence", "rf", "--jobs", "1", "--timeout", "6", *more, code=5)
            return answer["traces"] / (resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)

        self.assertGreater(rate(), 0.7 * rate("-q"))  # 0.98 is the promise, 0.3 it was


# One execution of many steps, found at once, that takes long to shorten and to show.
LONG_EXECUTION = """#include <assert.h>
int x[64];
int main(void) {
  for (int i = 0; i < 200000; i++) x[i % 64] += i;
  assert(x[0] == 0);
}
"""


class Limits(Run):
    """In every phase of every command: --timeout, SIGTERM and SIGINT end the run, with an answer and exit code 5."""

    def check_answer(self, out, reason):
        answer = json.loads(out)
        self.assertEqual(validation.mistakes(answer, validation.SCHEMAS["answer"]), [], out)
        self.assertEqual(answer["verdict"], "unknown")
        self.assertIn(reason, answer["reason"])

    def ends(self, *arguments, quickly=GENEROUS):
        """By the clock and by both signals."""
        start = time.monotonic()
        result = self.weir(*arguments, "--json", "--timeout", "1", code=5)
        self.check_answer(result.stdout, "time limit reached")
        self.assertLess(time.monotonic() - start, quickly)
        self.assertIn("time limit reached", self.weir(*arguments, "--timeout", "1", "-q", code=5).stdout)
        for signal_number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            process = self.start(*arguments, "--json")
            time.sleep(0.7)
            sent = time.monotonic()
            process.send_signal(signal_number)
            out, _ = process.communicate(timeout=GENEROUS)
            self.assertLess(time.monotonic() - sent, 10)  # half a second is the promise
            self.assertEqual(process.returncode, 5)
            self.check_answer(out, "interrupted")
            self.assert_nothing_left()

    def test_inputs_that_never_come(self):
        os.mkfifo(self.work / "fifo")
        for arguments in (("check", "fifo"), ("robust", "fifo"), ("fence", "fifo"), ("explore", "fifo"), ("outcomes", "fifo"),
                          ("consistent", "fifo"), ("fair", "fifo"), ("replay", "fifo"), ("explain", "fifo"),
                          ("convert", "fifo", "--to", "weir")):
            with self.subTest(arguments=arguments):
                self.ends(*arguments)

    def test_engines(self):
        self.write("endless.weir", ENDLESS)
        self.write("many.imp", MANY_EXECUTIONS)
        for engine in ("auto", "explicit", "lazy", "abstraction"):
            with self.subTest(engine=engine):
                self.ends("check", "endless.weir", "--engine", engine, "--model", "tso")
        for arguments in (("check", "many.imp", "--engine", "smc"), ("explore", "many.imp"),
                          ("explore", "many.imp", "--equivalence", "rf"), ("explore", "many.imp", "--equivalence", "rvf"),
                          ("outcomes", "endless.weir"),
                          ("generate", "--all", "--size", "9", "--cross-check")):
            with self.subTest(arguments=arguments):
                self.ends(*arguments)

    @unittest.skipUnless(HAS_C, "this weir reads no C programs")
    def test_compiler(self):
        self.write("a.c", C_SAFE)
        self.write("clang", "#!/bin/sh\nsleep 1000\n")
        os.chmod(self.work / "clang", 0o755)
        os.mkfifo(self.work / "fifo.c")
        for command in (("check",), ("robust",), ("explore",), ("outcomes",), ("convert", "--to", "weir")):
            self.ends(command[0], "fifo.c", *command[1:])
        self.environment["WEIR_CLANG"] = str(self.work / "clang")
        self.ends("check", "a.c")
        self.ends("check", "a.c", "a.c")

    @unittest.skipUnless(HAS_C, "this weir reads no C programs")
    def test_large_sources(self):
        lines = "".join(f"  x[{i % 64}] = x[{(i * 7) % 64}] + {i};\n" for i in range(40000))
        self.write("large.c", "int x[64];\nint main(void) {\n" + lines + "}\n")
        self.ends("check", "large.c")

    @unittest.skipUnless(HAS_C, "this weir reads no C programs")
    def test_verdicts_that_are_certain_are_told(self):
        """Whatever takes long after a violation was replayed, the verdict is not unknown any more."""
        self.write("long.c", LONG_EXECUTION)
        os.mkfifo(self.work / "pipe")
        for seconds in ("2", "4"):
            result = self.weir("check", "long.c", "--json", "--timeout", seconds, "--html", "pipe")
            answer = json.loads(result.stdout)
            self.assertEqual(validation.mistakes(answer, validation.SCHEMAS["answer"]), [])
            self.assertEqual({"unsafe": 10, "unknown": 5}[answer["verdict"]], result.returncode)

    def test_the_clock_starts_with_the_process(self):
        """Time that reading takes is not given to the search again."""
        self.write("endless.weir", ENDLESS)
        start = time.monotonic()
        answer = self.answer("check", "-", "--format", "weir", "--timeout", "3", code=5, stdin=self.slow(ENDLESS, 2))
        self.assertLess(answer["stats"]["seconds"], 5)
        self.assertGreaterEqual(time.monotonic() - start, 3)
        self.assertGreaterEqual(answer["stats"]["seconds"], 3)

    def slow(self, text, seconds):
        """A pipe from which the text comes late."""
        read, write = os.pipe()
        process = subprocess.Popen(["sh", "-c", f"sleep {seconds}; cat"], stdin=subprocess.PIPE, stdout=write)
        self.addCleanup(process.wait)
        process.stdin.write(text.encode())
        process.stdin.close()
        os.close(write)
        self.addCleanup(os.close, read)
        return read

    def test_answers_that_nobody_takes(self):
        """Standard output is a pipe that is full: the process ends nevertheless."""
        self.write("a.imp", SAFE)
        read, write = os.pipe()
        os.set_blocking(write, False)
        with contextlib.suppress(BlockingIOError):
            while True:
                os.write(write, b"x" * 4096)
        os.set_blocking(write, True)
        process = subprocess.Popen([WEIR, "check", "a.imp", "--timeout", "1"], cwd=self.work, stdout=write,
                                   stderr=subprocess.DEVNULL, env=self.environment)
        self.assertIn(process.wait(timeout=GENEROUS), (0, 5))
        os.close(read)
        os.close(write)


class Memory(Run):
    """--memory holds for all that the run is: the compiler, reading, searching, reports."""

    TOLERANCE = 150  # megabytes; 50 is the promise, but what the libraries' code takes depends on the machine

    def peak(self, *arguments, megabytes, reasons=("memory limit reached",)):
        """Runs it, which ends unknown for one of the reasons: the largest resident size, in megabytes, of it and of what
        it started."""
        script = ("import resource, subprocess, sys\n"
                  "done = subprocess.run(sys.argv[1:], capture_output=True, text=True)\n"
                  "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024, done.returncode)\n"
                  "print(done.stdout)\nprint(done.stderr, file=sys.stderr)\n")
        done = subprocess.run([sys.executable, "-c", script, WEIR, *map(str, arguments), "--json", "--memory", str(megabytes),
                               "--timeout", "600"], cwd=self.work, capture_output=True, text=True, timeout=700,
                              env=self.environment)
        figures, text = done.stdout.split("\n", 1)
        peak, code = map(int, figures.split())
        self.assertEqual(code, 5, done.stdout[:2000] + done.stderr[:2000])
        answer = json.loads(text)
        self.assertEqual(validation.mistakes(answer, validation.SCHEMAS["answer"]), [])
        self.assertEqual(answer["verdict"], "unknown")
        self.assertTrue(any(reason in answer["reason"] for reason in reasons), answer["reason"])
        self.assertLess(peak, megabytes + self.TOLERANCE)
        self.assert_nothing_left()

    def test_searches(self):
        self.write("endless.weir", ENDLESS)
        for engine in ("explicit", "auto", "lazy"):
            with self.subTest(engine=engine):
                self.peak("check", "endless.weir", "--engine", engine, "--model", "tso", megabytes=200)
        self.peak("outcomes", "endless.weir", megabytes=200)

    @unittest.skipUnless(HAS_C, "this weir reads no C programs")
    def test_large_objects(self):
        for text in ("int main(void) { char a[512 << 20]; a[5] = 1; return a[7]; }\n",
                     "char a[512 << 20] = {1};\nint main(void) { return a[7]; }\n"):
            self.write("large.c", text)
            result = self.weir("check", "large.c", "--json", "--memory", "300", "--timeout", "60", timeout=200)
            self.assertIn(result.returncode, (0, 2, 5, 10), result.stderr)
            if result.returncode == 5:
                self.peak("check", "large.c", megabytes=300, reasons=("memory limit reached", "the variable `a` is too big"))

    @unittest.skipUnless(HAS_C, "this weir reads no C programs")
    def test_compiler(self):
        self.write("bomb.c", "#define A 1, 1, 1, 1, 1, 1, 1, 1, 1, 1\n#define B A, A, A, A, A, A, A, A, A, A\n"
                   "#define C B, B, B, B, B, B, B, B, B, B\n#define D C, C, C, C, C, C, C, C, C, C\n"
                   "#define E D, D, D, D, D, D, D, D, D, D\n#define F E, E, E, E, E, E, E, E, E, E\n"
                   "int a[] = { F, F, F, F, F };\nint main(void) { return a[0] - 1; }\n")
        self.peak("check", "bomb.c", megabytes=200)

    def test_values(self):
        self.write("a.imp", SAFE)
        for value, megabytes in (("500", 500), ("4G", 4096), ("4g", 4096), ("500M", 500), ("500MB", 500), ("1GiB", 1024),
                                 ("1T", 1 << 20), ("2048K", 2)):
            if megabytes >= 500:
                self.assertEqual(self.answer("check", "a.imp", "--memory", value, code=0)["options"]["memory"], megabytes)
        for value in ("0", "0G", "-1", "4X", "4GG", "G", "", "1e3", "1.5G", "99999999999999999999", "18446744073709551615",
                      "17592186044416", "99999999999T", " 5", "5 "):
            self.assertEqual(self.answer("check", "a.imp", f"--memory={value}", code=1)["verdict"], "error", value)


if __name__ == "__main__":
    unittest.main()
