#!/usr/bin/env python3
"""weir doctor: what is missing, what it is for and how to get it.

Usage: doctor_test.py PATH_TO_WEIR [SOURCE_DIR] [OPTIONS OF UNITTEST]
"""

import json
import os
import unittest

from cli_support import HAS_C, Cli


class Doctor(Cli):
    """What is missing is told, with what it is for and how to get it."""

    def test_what_weir_needs(self):
        answer = json.loads(self.weir("doctor", "--json").stdout)
        needed = {f["name"] for f in answer["findings"] if f["needed"]}
        self.assertLessEqual({"libweir_c.so", "BuDDy"}, needed)

    @unittest.skipUnless(HAS_C, "this weir reads no C programs")
    def test_missing_compiler(self):
        out = self.weir("doctor", code=2, env={**os.environ, "WEIR_CLANG": "/nowhere/clang"}).stdout
        self.assertIn("MISSING  /nowhere/clang", out)
        self.assertIn("set WEIR_CLANG to the path of clang 19", out)
        self.assertIn("Weir needs /nowhere/clang", out)

    @unittest.skipUnless(HAS_C, "this weir reads no C programs")
    def test_another_compiler(self):
        self.write("clang", "#!/bin/sh\necho clang version 14.0.6\n")
        os.chmod(self.path("clang"), 0o755)
        out = self.weir("doctor", code=2, env={**os.environ, "WEIR_CLANG": self.path("clang")}).stdout
        self.assertIn("is another version: clang version 14.0.6", out)


if __name__ == "__main__":
    unittest.main()
