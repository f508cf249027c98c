#!/usr/bin/env python3
"""Options and help: wrong usage, the one table of options, the manual, and completion in the shells.

Usage: options_test.py PATH_TO_WEIR [SOURCE_DIR] [OPTIONS OF UNITTEST]
"""

import os
import re
import shlex
import shutil
import subprocess
import unittest

from cli_support import HAS_C, SOURCE, Cli

COMMANDS = ("check", "robust", "fence", "replay", "explain", "convert", "outcomes", "consistent", "explore", "generate",
            "fair", "selfcheck", "bench", "doctor")


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
        helps = "".join(self.weir(c, "--help-all").stdout for c in COMMANDS)
        man = self.weir("--man").stdout.replace("\\", "")
        for _, names in self.table():
            name = names.split(",")[-1]
            self.assertIn(name, helps)
            self.assertIn(name, man)

    def test_help_comes_in_layers(self):
        for command in COMMANDS:
            few, all_options = (self.weir(command, option).stdout for option in ("--help", "--help-all"))
            self.assertLessEqual(len(few.splitlines()), len(all_options.splitlines()) + 1)
        few = self.weir("check", "--help").stdout
        self.assertLess(len(few.splitlines()), 24, "one screen")
        for option in ("--model", "--races", "--leaks", "--html", "--help-all"):
            self.assertIn(option, few)
        self.assertNotIn("--reduction", few)

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
            for option in re.findall(r"^  (?:-\w, )?(--[a-z-]+)", self.weir(command, "--help-all").stdout, re.M):
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


if __name__ == "__main__":
    unittest.main()
