#!/usr/bin/env python3
"""The tutorial notebook runs from its first to its last cell, and says what its text promises."""

import ast
import contextlib
import io
import json
import unittest

from support import SOURCE

NOTEBOOK = SOURCE / "python/tutorial.ipynb"


def execute(cells):
    """As a notebook does: one namespace, and of each cell what it prints and the value of its last expression."""
    namespace = {"__name__": "__main__"}
    for number, source in enumerate(cells):
        tree = ast.parse(source, f"cell {number}")
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(tree, f"cell {number}", "exec"), namespace)
            value = eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), namespace) if last else None
        yield source, printed.getvalue(), value


class Notebook(unittest.TestCase):
    def test_it_runs(self):
        notebook = json.loads(NOTEBOOK.read_text())
        self.assertEqual(notebook["nbformat"], 4)
        code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        self.assertTrue(all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code))
        values, printed, shown = [], "", 0
        for source, text, value in execute("".join(cell["source"]) for cell in code):
            printed += text
            values.append(value)
            if hasattr(value, "_repr_html_"):
                shown += 1
                self.assertIn("srcdoc", value._repr_html_(), source)
        self.assertEqual([value for value in values if isinstance(value, str)], ["safe", "unsafe", "safe"])
        self.assertEqual(shown, 2)
        verdict, fences = next(value for value in values if isinstance(value, tuple) and value[0] == "safe")
        self.assertEqual(len(fences), 2)
        self.assertIn({"sc": "safe", "tso": "unsafe", "pso": "unsafe"}, values)
        self.assertRegex(printed, r"P  line \d+  write x = 1 \(to buffer\)")
        self.assertIn("wrong.imp:2:", printed)


unittest.main()
