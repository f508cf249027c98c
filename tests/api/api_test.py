#!/usr/bin/env python3
"""The library as its users meet it: installed, found by CMake and by pkg-config, asked from a program of their own.

Usage: api_test.py BUILD_DIR SOURCE_DIR [without-c] [without-fairness] [OPTIONS OF UNITTEST]
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()
MISSING = [sys.argv.pop(1) for word in sys.argv[1:] if word.startswith("without-")]
WORK = BUILD / "api"
PREFIX = WORK / "moved"
COMPILER = os.environ.get("CXX", "g++")

sys.path.insert(0, str(SOURCE / "tests/schema"))
import validation  # noqa: E402: found by the line above


def run(*command, **options):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    assert result.returncode == 0, f"{command} ended with {result.returncode}:\n{result.stdout}{result.stderr}"
    return result.stdout


def compile_with_pkg_config(sources, program):
    environment = {**os.environ, "PKG_CONFIG_PATH": str(PREFIX / "lib/pkgconfig")}
    flags = run("pkg-config", "--cflags", "--libs", "weir", env=environment).split()
    run(COMPILER, "-std=c++20", *sources, "-o", program, *flags, "-pthread", f"-Wl,-rpath,{PREFIX / 'lib'}")
    return program


def setUpModule():
    """Installed in one place and moved to another: nothing in it knows where it was built or installed."""
    shutil.rmtree(WORK, ignore_errors=True)
    run("cmake", "--install", BUILD, "--prefix", WORK / "installed")
    (WORK / "installed").rename(PREFIX)


class Library(unittest.TestCase):
    def test_cmake(self):
        run("cmake", "-S", SOURCE / "tests/api", "-B", WORK / "user", f"-DCMAKE_PREFIX_PATH={PREFIX}",
            f"-DCMAKE_CXX_COMPILER={COMPILER}", "-DCMAKE_BUILD_TYPE=Release")
        run("cmake", "--build", WORK / "user")
        self.ask(WORK / "user/user")

    def test_pkg_config(self):
        program = compile_with_pkg_config(sorted((SOURCE / "tests/api").glob("*.cpp")), WORK / "user_by_pkg_config")
        self.assertIn(str(PREFIX / "lib"), run("ldd", program))

    def ask(self, program):
        outputs = WORK / "outputs"
        outputs.mkdir()
        result = subprocess.run([program, SOURCE / "examples", outputs, *MISSING], capture_output=True, text=True)
        print(result.stdout.strip().splitlines()[-1])
        self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)
        kinds = {".json": "answer", ".replay": "replay", ".certificate": "certificate"}
        files = [file for file in outputs.iterdir() if file.suffix in kinds]
        self.assertGreater(len(files), 20)
        for file in files:
            mistakes = validation.file_mistakes(kinds[file.suffix], file)
            self.assertEqual(mistakes, [], file)
        for page in outputs.glob("*.html"):
            self.assertTrue(page.read_text().lower().startswith("<!doctype html>"), page)
        self.compare_with_command(outputs)

    def compare_with_command(self, outputs):
        """The same object as `weir … --json`, but for what it cost and the options of the command line alone."""
        weir, dekker = PREFIX / "bin/weir", SOURCE / "examples/dekker.imp"
        for name, command in {"unsafe": ["check", "--model", "tso", "--jobs", "1"], "not_robust": ["robust", "--jobs", "1"],
                              "fences": ["fence", "--jobs", "1"]}.items():
            printed = subprocess.run([weir, command[0], dekker, *command[1:], "--json"], capture_output=True, text=True)
            theirs, ours = json.loads(printed.stdout), json.loads((outputs / f"{name}.json").read_text())
            self.assertLessEqual(set(ours["options"]), set(theirs["options"]), "options have the command line's names")
            for answer in (theirs, ours):
                del answer["options"], answer["stats"]["seconds"], answer["stats"]["peak_mb"]
            self.assertEqual(ours, theirs, name)
        again = subprocess.run([weir, "replay", outputs / "unsafe.replay"], capture_output=True, text=True)
        self.assertEqual(again.returncode, 10, again.stderr)

    def test_symbols(self):
        """Nothing but weir::v1 is to be seen, so that what else is in the library cannot meet what users have."""
        library = PREFIX / "lib/libweir.so"
        symbols = [line.split(None, 2)[2] for line in
                   run("nm", "-D", "--defined-only", "-C", library).splitlines()]
        self.assertGreater(len(symbols), 10)
        others = [s for s in symbols if not re.match(r"((typeinfo|typeinfo name|vtable) for )?weir::v1::", s)]
        self.assertEqual(others, [])
        self.assertRegex(run("readelf", "-d", library), r"SONAME.*\[libweir\.so\.\d+\]")

    def test_headers(self):
        """Each header stands alone, and includes the standard library and its own kind only."""
        headers = sorted((PREFIX / "include/weir").iterdir())
        self.assertIn("weir.hpp", [header.name for header in headers])
        for header in headers:
            run(COMPILER, "-std=c++20", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I", PREFIX / "include",
                "-include", header, "-x", "c++", "/dev/null")
            for include in re.findall(r'^#include (.*)$', header.read_text(), re.M):
                # Those for programs that are checked (.h) are for C, too.
                known = r"<\w+\.h>" if header.suffix == ".h" else r'<[a-z_]+>|"weir/\w+\.hpp"'
                self.assertRegex(include, f"^({known})$", header)

    def test_readme(self):
        """The program of the README works, and shows what the README shows."""
        text = (SOURCE / "README.md").read_text()
        program = re.search(r"^```cpp\n(.*?)^```", text, re.S | re.M)[1]
        self.assertLessEqual(len(program.splitlines()), 20)
        source = WORK / "readme.cpp"
        source.write_text(program)
        compile_with_pkg_config([source], WORK / "readme")
        printed = run(WORK / "readme", cwd=SOURCE)
        shown = re.search(r"^```cpp\n.*?^```.*?^```\n(.*?)^```", text, re.S | re.M)[1]
        self.assertEqual(printed, shown)


if __name__ == "__main__":
    unittest.main()
