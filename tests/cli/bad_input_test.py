#!/usr/bin/env python3
"""Files that are no programs: missing, empty, noise, or with a mistake that has a place.

Usage: bad_input_test.py PATH_TO_WEIR [SOURCE_DIR] [OPTIONS OF UNITTEST]
"""

import random
import subprocess
import unittest

from cli_support import DEKKER, WEIR, Cli


class BadInputs(Cli):
    def test_missing_file(self):
        self.fails(2, "none.imp: error: No such file or directory", "check", "none.imp")

    def test_directory(self):
        self.fails(2, "directory", "robust", ".")

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


if __name__ == "__main__":
    unittest.main()
