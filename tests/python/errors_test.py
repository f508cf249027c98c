#!/usr/bin/env python3
"""What cannot be answered raises weir.Error with a place; wrong words and names raise what Python raises for them."""

import unittest

from support import EXAMPLES, run

import weir

PETERSON = EXAMPLES / "peterson.imp"


class Errors(unittest.TestCase):
    def raised(self, ask, kind):
        with self.assertRaises(weir.Error) as caught:
            ask()
        self.assertEqual(caught.exception.kind, kind)
        self.assertGreater(len(caught.exception.diagnostics), 0)
        return caught.exception

    def test_mistake_in_a_program(self):
        text = "program P\nvariables x = 0\nprocess A begin\n  1: x := ;\nend\n"
        error = self.raised(lambda: weir.check("p.imp", text=text), "input")
        first = error.diagnostics[0]
        self.assertEqual((first.severity, first.file, first.line), ("error", "p.imp", 4))
        self.assertGreater(first.column, 1)
        self.assertIn("p.imp:4:", str(error))
        self.assertIn("x := ;", str(error))

    def test_mistake_in_c(self):
        error = self.raised(lambda: weir.check("p.c", text="int main(void) {\n  return y;\n}\n"), "input")
        self.assertIn("p.c:2:", str(error))

    def test_no_such_file(self):
        error = self.raised(lambda: weir.load("nowhere.imp"), "input")
        self.assertIn("nowhere.imp", str(error))

    def test_options_that_do_not_go_together(self):
        self.raised(lambda: weir.check(PETERSON, model="sc", engine="lazy"), "usage")
        self.raised(lambda: weir.check(PETERSON, engine="steam"), "usage")
        self.raised(lambda: weir.check(PETERSON, invariant="x +"), "usage")

    def test_wrong_words_and_types(self):
        with self.assertRaisesRegex(ValueError, "model is one of 'sc', 'tso', 'pso', not 'x86'"):
            weir.check(PETERSON, model="x86")
        with self.assertRaisesRegex(TypeError, "modle"):
            weir.check(PETERSON, modle="tso")
        with self.assertRaisesRegex(TypeError, "buffer cannot be 'many'"):
            weir.check(PETERSON, buffer="many")
        with self.assertRaisesRegex(TypeError, "unroll came too late"):
            weir.check(weir.load(PETERSON), unroll=3)
        with self.assertRaises(TypeError):
            weir.load(["a.c", "b.c"], text="")
        with self.assertRaises(TypeError):
            weir.load([])

    def test_errors_end_a_program_as_python_errors_do(self):
        result = run('import weir; weir.check("nowhere.imp")')
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r"weir\._?e?r?r?o?r?\.?Error: .*nowhere\.imp")


unittest.main()
