#!/usr/bin/env python3
"""The stubs say what the package has: the same names, parameters and defaults; its options are those of the command line."""

import ast
import inspect
import re
import subprocess
import unittest

from support import PACKAGE, SOURCE, WEIR

import weir

STUBS = ast.parse((SOURCE / "python/weir/__init__.pyi").read_text())

# Parameters of Python that are no options of the command line, or have another name there.
OF_PYTHON = {
    "text",  # instead of what is in the file
    "compiler_arguments",  # what follows --
    "progress",
    "for_",  # `for` is a word of Python
    "spurious_wakeups",  # --no-spurious-wakeups
    "closure",  # --no-closure
}


def functions(body):
    return {node.name: node for node in body if isinstance(node, ast.FunctionDef)}


def parameters(node):
    """Names and defaults, as far as stubs write them."""
    names = [argument.arg for argument in node.args.posonlyargs + node.args.args + node.args.kwonlyargs]
    return names, [argument.arg for argument in node.args.kwonlyargs]


class Stubs(unittest.TestCase):
    def test_they_are_installed(self):
        for name in ("__init__.pyi", "py.typed"):
            self.assertTrue((PACKAGE / "weir" / name).exists(), name)

    def test_functions(self):
        stubs = functions(STUBS.body)
        real = {name: getattr(weir, name) for name in weir.__all__ if inspect.isfunction(getattr(weir, name))}
        self.assertEqual(set(stubs), set(real))
        for name, function in real.items():
            with self.subTest(function=name):
                names, keywords = parameters(stubs[name])
                signature = inspect.signature(function).parameters.values()
                self.assertEqual(names, [each.name for each in signature if each.kind != each.VAR_KEYWORD])
                self.assertEqual(keywords, [each.name for each in signature if each.kind == each.KEYWORD_ONLY])
                self.assertEqual(stubs[name].args.kwarg is not None, any(each.kind == each.VAR_KEYWORD for each in signature))
                self.assertTrue(inspect.getdoc(function))

    def test_classes(self):
        stubs = {node.name: node for node in STUBS.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_")}
        real = {name: getattr(weir, name) for name in weir.__all__ if inspect.isclass(getattr(weir, name))}
        self.assertEqual(set(stubs), set(real))
        known = {node.name: node for node in STUBS.body if isinstance(node, ast.ClassDef)}

        def members(node):
            found = {each.target.id for each in node.body if isinstance(each, ast.AnnAssign)}
            found |= {name for name in functions(node.body)}
            for base in node.bases:
                if isinstance(base, ast.Name) and base.id in known:
                    found |= members(known[base.id])
            return {name for name in found if not name.startswith("_")}

        for name, type_ in real.items():
            with self.subTest(type=name):
                self.assertTrue(inspect.getdoc(type_))
                if name == "Error":
                    self.assertEqual(members(stubs[name]), {"kind", "diagnostics"})
                    continue
                self.assertEqual(members(stubs[name]), {member for member in dir(type_) if not member.startswith("_")})

    def test_options_are_those_of_the_command_line(self):
        for name in ("check", "robust", "fence", "explore", "outcomes", "consistent", "fair", "replay"):
            table = subprocess.run([WEIR, "--markdown", name], capture_output=True, text=True, check=True).stdout
            options = {option.replace("-", "_") for option in re.findall(r"--([a-z-]+)", table)} - {"no"}
            with self.subTest(command=name):
                keywords = {each.name for each in inspect.signature(getattr(weir, name)).parameters.values()
                            if each.kind == each.KEYWORD_ONLY} - OF_PYTHON  # fmt: skip
                self.assertLessEqual(keywords, options)


unittest.main()
