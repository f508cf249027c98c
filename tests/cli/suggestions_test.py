#!/usr/bin/env python3
"""What Weir says to try next is a command that it accepts: no wrong usage, no question that the input cannot be asked.
The suggestions are those of all examples, under every model and with the options that make commands differ; of those
that are alike but for the file, one is run for each language."""

import pathlib
import re
import shlex
import unittest

from cli_support import HAS_C, SOURCE, Cli

SAFE_UNSAFE_UNKNOWN = (0, 5, 10)
# After a colon or a question mark, to the end of the line; a hint consists of a command.
SUGGESTION = re.compile(r"^(?:.*[:?]  |.*hint: )(weir [a-z]+ .*)$", re.M)


def questions(path):
    """Command lines about an example that may lead to different suggestions."""
    suffix = path.suffix
    if suffix == ".cub":
        return [["check"], ["check", "--model", "tso"]]
    if suffix == ".litmus":
        return [["check"], ["check", "--model", "tso"], ["robust"], ["fence"]]
    if suffix in (".c", ".cpp"):
        first = path.read_text().split("\n")[0]
        broken = re.findall(r"(sc|tso|pso) unsafe", first)
        asked = [["check", "--model", (broken or ["sc"])[0]]]
        return asked + ([["check", "--races", "--model", "tso"], ["robust"]] if path.parent.name == "gallery" else [])
    asked = [["check", "--model", model] for model in ("sc", "tso", "pso")]
    asked += [["robust"], ["fence"], ["explore", "--model", "tso"], ["check", "--model", "tso", "--deadlock"]]
    asked += [["check", "--model", "tso", "--buffer", "1"], ["check", "--random", "2"]]
    for number in ("2", "any"):
        asked += [["check", "--model", "tso", "-n", number], ["robust", "-n", number], ["fence", "-n", number]]
    return asked


def shape(command, suffix):
    """What is the same for all examples of a language."""
    return suffix, re.sub(r"[\w./-]*examples/\S+", "FILE", command)


class Suggestions(Cli):
    def setUp(self):
        super().setUp()
        (pathlib.Path(self.folder.name) / "examples").symlink_to(SOURCE / "examples")

    def examples(self):
        folders = ["examples"] + (["examples/gallery"] if HAS_C else [])
        found = [path for folder in folders for path in sorted((SOURCE / folder).glob("*.*"))]
        found = [path for path in found if not re.match("indexer|lamport[345]", path.name)]  # larger, and no different
        found += sorted((SOURCE / "examples/array").glob("*.cub"))[:4] + sorted((SOURCE / "examples/litmus").glob("*"))[:4]
        if HAS_C:
            found += [SOURCE / "examples/c" / name for name in ("peterson.c", "peterson-fenced.c", "treiber-stack.c")]
        return [path for path in found if path.suffix in (".imp", ".trn", ".rmm", ".cub", ".litmus", ".c", ".cpp")]

    def test_suggestions_are_accepted(self):
        seen = {}
        for path in self.examples():
            name = str(path.relative_to(SOURCE))
            for command, *options in questions(path):
                result = self.weir(command, name, *options, "--timeout", "1")
                in_brackets = re.findall(r"\((weir .*)\)\.$", result.stdout, re.M)
                for found in SUGGESTION.findall(result.stdout + result.stderr) + in_brackets:
                    seen.setdefault(shape(found, path.suffix), (found, f"weir {command} {name} {' '.join(options)}"))
        self.assertGreater(len(seen), 20, "the reports still suggest something")
        for suggestion, asked in sorted(seen.values()):
            with self.subTest(suggestion, asked=asked):
                words = shlex.split(suggestion.split(" | ")[0])
                result = self.weir(*words[1:], *([] if words[1] == "explain" else ["--timeout", "1"]))
                self.assertIn(result.returncode, SAFE_UNSAFE_UNKNOWN, f"{suggestion}\n{result.stderr}")

    @unittest.skipUnless(HAS_C, "a C front end")
    def test_options_not_checked_are_options(self):
        for path in ("examples/gallery/hazard-pointer.c", "examples/dekker.imp"):
            said = self.weir("check", path).stdout
            options = re.findall(r"\((--[a-z-]+)\)", said)
            self.assertTrue(options, said)
            for option in options:
                self.assertIn(self.weir("check", path, option, "--timeout", "5").returncode, SAFE_UNSAFE_UNKNOWN)


if __name__ == "__main__":
    unittest.main()
