#!/usr/bin/env python3
"""weir convert: to every format and back, and what a format cannot say.

Usage: convert_test.py PATH_TO_WEIR [SOURCE_DIR] [OPTIONS OF UNITTEST]
"""

import os
import unittest

from cli_support import Cli


class Conversions(Cli):
    def test_to_weir_and_back(self):
        first = self.weir("convert", "dekker.imp", "--to", "weir", code=0).stdout
        self.write("d.weir", first)
        self.assertEqual(self.weir("convert", "d.weir", "--to", "weir", code=0).stdout, first)
        self.weir("check", "d.weir", "--model", "tso", code=10)
        self.weir("check", "d.weir", code=0)

    def test_every_format(self):
        for target in ("weir", "trencher", "imp", "rmm", "dot", "promela"):
            with self.subTest(target=target):
                self.weir("convert", "sb.trn", "--to", target, "-o", "out", code=0)
                self.assertGreater(os.path.getsize(self.path("out")), 20)

    def test_to_trencher_and_imp_keep_the_verdict(self):
        for target, suffix in (("trencher", "trn"), ("imp", "imp"), ("rmm", "rmm")):
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


if __name__ == "__main__":
    unittest.main()
