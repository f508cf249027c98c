#!/usr/bin/env python3
"""The commands in the documents work, and print what the documents show.

In a block, a line that starts with "$ " is a command, and what follows is what it prints; a line "…" stands for any
number of lines, and times and megabytes may differ. A block in C that follows the words "Save this as `NAME`" is written to that file first. Commands run one
after the other, in a folder that starts with the examples and nothing else, with weir on the PATH.

Usage: transcript_test.py PATH_TO_WEIR SOURCE_DIR DOCUMENT...
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

WEIR = pathlib.Path(sys.argv[1]).resolve()
SOURCE = pathlib.Path(sys.argv[2]).resolve()


def blocks(text):
    """Of a document: pairs of the name of a file to save and its text, or of nothing and a transcript."""
    for match in re.finditer(r"^```(\w*)\n(.*?)^```", text, re.S | re.M):
        saved = re.search(r"[Ss]ave this as `([\w.-]+)`:?\s*$", text[: match.start()])
        if saved:
            yield saved[1], match[2]
        elif match[2].startswith("$ "):
            yield None, match[2]


def steps(transcript):
    """Commands, each with the lines that it is said to print."""
    for part in re.split(r"^\$ ", transcript, flags=re.M)[1:]:
        command, _, shown = part.partition("\n")
        yield command, shown.rstrip("\n").split("\n") if shown.strip() else []


def line_pattern(line):
    """Time and memory differ between machines."""
    if line.strip() == "…":
        return "(?:.*\n)*?"
    line = re.escape(line.rstrip())
    line = re.sub(r"\d+\\\.\d+\\ s\b", r"\\d+\\.\\d+ s", line)
    return re.sub(r"\b\d+\\ MB\b", r"\\d+ MB", line) + " *\n"


def matches(shown, printed):
    pattern = "".join(line_pattern(line) for line in shown)
    return re.fullmatch(pattern, "".join(line.rstrip() + "\n" for line in printed.strip("\n").split("\n"))) is not None


def run(document, folder):
    environment = {**os.environ, "PATH": f"{WEIR.parent}:{os.environ['PATH']}", "COLUMNS": "100", "NO_COLOR": "1"}
    wrong = count = 0
    for saved, text in blocks(document.read_text()):
        if saved:
            (folder / saved).write_text(text)
            continue
        for command, shown in steps(text):
            count += 1
            result = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, text=True, timeout=120,
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            if result.returncode not in (0, 2, 5, 10) or (shown and not matches(shown, result.stdout)):
                wrong += 1
                print(f"{document.name}: $ {command}\nexit code {result.returncode}, shown:\n" + "\n".join(shown))
                print("printed:\n" + result.stdout)
    print(f"{document.name}: {count} commands, {wrong} that print something else")
    return wrong == 0 and count > 0


def main():
    good = True
    for name in sys.argv[3:]:
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "examples").symlink_to(SOURCE / "examples")
            good = run(SOURCE / name, pathlib.Path(folder)) and good
    return 0 if good else 1


sys.exit(main())
