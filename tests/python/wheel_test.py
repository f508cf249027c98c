#!/usr/bin/env python3
"""The wheel holds all that the package needs: pip installs it without a network, and it answers from where it is then.

It packs the module that is built already; python/backend/weir_build.py otherwise builds it in a folder of its own.
"""

import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import zipfile

from support import EXAMPLES, PACKAGE, SOURCE

BUILD = {**os.environ, "WEIR_PYTHON_BUILD": str(PACKAGE.parent)}
QUESTION = "import sys, weir; print(weir.__file__); print(weir.check(sys.argv[1], model='tso').verdict)"


class Wheel(unittest.TestCase):
    def assert_it_answers(self, folder):
        environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        for example in ("peterson.imp", "c/peterson.c"):
            result = subprocess.run([sys.executable, "-c", QUESTION, EXAMPLES / example], capture_output=True, text=True,
                                    env={**environment, "PYTHONPATH": str(folder)}, timeout=300)  # fmt: skip
            self.assertEqual(result.returncode, 0, result.stderr)
            place, verdict = result.stdout.split()
            self.assertTrue(pathlib.Path(place).is_relative_to(folder), place)
            self.assertEqual(verdict, "unsafe")

    def test_the_backend(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder).resolve()
            program = f"import sys; sys.path.insert(0, {str(SOURCE / 'python/backend')!r}); import weir_build; " \
                      "print('wheel:', weir_build.build_wheel(sys.argv[1]))"  # fmt: skip
            result = subprocess.run([sys.executable, "-c", program, folder], capture_output=True, text=True, env=BUILD, timeout=600)
            self.assertEqual(result.returncode, 0, result.stderr + result.stdout)
            name = result.stdout.split("wheel:")[1].strip()
            with zipfile.ZipFile(folder / name) as wheel:
                self.assertIsNone(wheel.testzip())
                names = wheel.namelist()
                record = wheel.read(next(each for each in names if each.endswith("/RECORD"))).decode()
                self.assertEqual(sorted(line.split(",")[0] for line in record.splitlines()), sorted(names))
                wheel.extractall(folder / "unpacked")
            self.assert_it_answers(folder / "unpacked")

    @unittest.skipUnless(importlib.util.find_spec("pip"), "this Python has no pip")
    def test_pip(self):
        for isolation in ([], ["--no-build-isolation"]):
            with self.subTest(isolation=isolation), tempfile.TemporaryDirectory() as folder:
                folder = pathlib.Path(folder).resolve()
                pip = [sys.executable, "-m", "pip", "install", "--no-index", "--disable-pip-version-check", *isolation]
                result = subprocess.run([*pip, "--target", folder, SOURCE / "python"], capture_output=True, text=True, env=BUILD,
                                        timeout=600)  # fmt: skip
                self.assertEqual(result.returncode, 0, result.stderr + result.stdout)
                self.assert_it_answers(folder)


unittest.main()
