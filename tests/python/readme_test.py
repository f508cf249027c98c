#!/usr/bin/env python3
"""The Python program of the README is short, runs beside the examples, and prints what the README shows."""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from support import ENVIRONMENT, SOURCE


class Readme(unittest.TestCase):
    def test_its_program(self):
        match = re.search(r"^```python\n(.*?)^```\n\n^```\n(.*?)^```", (SOURCE / "README.md").read_text(), re.M | re.S)
        self.assertIsNotNone(match, "no Python program with its output")
        program, shown = match.groups()
        self.assertLessEqual(len(program.splitlines()), 10)
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "examples").symlink_to(SOURCE / "examples")
            result = subprocess.run([sys.executable, "-c", program], cwd=folder, env=ENVIRONMENT, capture_output=True, text=True,
                                    timeout=300)  # fmt: skip
        self.assertEqual(result.returncode, 0, result.stderr)
        pattern = "".join(r"(?:.*\n)*?" if line == "…" else re.escape(line) + "\n" for line in shown.splitlines())
        self.assertRegex(result.stdout, f"^{pattern}$")


unittest.main()
