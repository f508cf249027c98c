#!/usr/bin/env python3
"""Runs the weir program as its users do: exit codes, messages, files and the JSON answer.

Usage: cli_test.py PATH_TO_WEIR [SOURCE_DIR]
"""

import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

WEIR = os.path.abspath(sys.argv.pop(1))
SOURCE = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2]).absolute()

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
        result = subprocess.run([WEIR, *arguments], cwd=self.folder.name, capture_output=True, text=True,
                                errors="replace", timeout=timeout, **keywords)
        if code is not None:
            self.assertEqual(result.returncode, code, f"weir {' '.join(arguments)}\n{result.stdout}{result.stderr}")
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
        self.assertIn("interrupted", answer["reason"])
        self.assertGreater(answer["stats"]["states"], 0)

    def test_progress_goes_to_standard_error(self):
        self.write("endless.weir", ENDLESS)
        result = self.weir("check", "endless.weir", "--timeout", "8", code=5)
        self.assertRegex(result.stderr, r"weir: .*states .*queued.*MB.* s\n")
        self.assertEqual(self.weir("check", "endless.weir", "--timeout", "6", "-q", code=5).stderr, "")


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


class Conversions(Cli):
    def test_to_weir_and_back(self):
        first = self.weir("convert", "dekker.imp", "--to", "weir", code=0).stdout
        self.write("d.weir", first)
        self.assertEqual(self.weir("convert", "d.weir", "--to", "weir", code=0).stdout, first)
        self.weir("check", "d.weir", "--model", "tso", code=10)
        self.weir("check", "d.weir", code=0)

    def test_every_format(self):
        for target in ("weir", "trencher", "imp", "dot", "promela"):
            with self.subTest(target=target):
                self.weir("convert", "sb.trn", "--to", target, "-o", "out", code=0)
                self.assertGreater(os.path.getsize(self.path("out")), 20)

    def test_to_trencher_and_imp_keep_the_verdict(self):
        for target, suffix in (("trencher", "trn"), ("imp", "imp")):
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


class BadInputs(Cli):
    def test_missing_file(self):
        self.fails(2, "none.imp: error: No such file or directory", "check", "none.imp")

    def test_directory(self):
        self.fails(2, "directory", "check", ".")

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
        self.fails(1, "takes one file", "check", "dekker.imp", "sb.trn")

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
        for command in ("check", "replay", "explain", "convert"):
            self.assertIn("Usage: weir " + command, self.weir(command, "--help", code=0).stdout)


class OptionTable(Cli):
    """One table: every option in it is used by the code, helped with, and in the manual."""

    def table(self):
        text = (SOURCE / "src/cli/options.cpp").read_text()
        rows = re.findall(r'OptionDescription\{\s*(k\w+),\s*"([^"]+)"', text)
        self.assertGreater(len(rows), 20)
        return rows

    def test_every_option_is_used(self):
        code = "".join(p.read_text() for p in (SOURCE / "src/cli").glob("*.cpp") if p.name != "options.cpp")
        for identifier, _ in self.table():
            # The seed has no engine to use it yet; it is recorded in the JSON answer.
            if identifier != "kSeed":
                self.assertIn("OptionId::" + identifier, code)

    def test_every_option_is_documented(self):
        helps = "".join(self.weir(c, "--help").stdout for c in ("check", "replay", "explain", "convert"))
        manual = (SOURCE / "docs/manual.md").read_text()
        man = self.weir("--man").stdout.replace("\\", "")
        for _, names in self.table():
            name = names.split(",")[-1]
            self.assertIn(name, helps)
            self.assertIn(name, man)
            self.assertIn(f"`{name}", manual)


if __name__ == "__main__":
    unittest.main()
