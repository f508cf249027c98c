#!/usr/bin/env python3
"""C sources that mean harm (docs/security.md).

Usage: hostile_sources_test.py PATH_TO_WEIR [SOURCE_DIR] [OPTIONS OF UNITTEST]
"""

import json
import os
import pathlib
import re
import tempfile
import unittest

from cli_support import HAS_C, Cli


@unittest.skipUnless(HAS_C, "this weir reads no C programs")
class HostileSources(Cli):
    """What a C source cannot make the compiler do, and what of other files it cannot make Weir show (docs/security.md)."""

    MAIN = "int main(void) { return 0; }\n"

    def secret(self):
        """A file outside of the folder of the program."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = pathlib.Path(folder.name) / "secret"
        path.write_text("".join(f"user{i}:password{i}:{i}\n" for i in range(40)))
        return str(path)

    def shown(self, text):
        return len(set(re.findall(r"password\d+", text)))

    def sandbox(self):
        answer = json.loads(self.weir("doctor", "--json").stdout)
        return next(finding for finding in answer["findings"] if finding["name"] == "sandbox")

    def test_an_include_shows_one_line(self):
        secret = self.secret()
        self.write("a.c", f'#include "{secret}"\n{self.MAIN}')
        for options in ((), ("--json",)):
            result = self.weir("check", "a.c", *options, code=2)
            self.assertLessEqual(self.shown(result.stdout + result.stderr), 1)
        self.write("b.c", "int f(void) { return x; }\nint g(void) { return y; }\n")  # all mistakes of the program itself
        result = self.weir("check", "b.c", code=2)
        self.assertIn("'x'", result.stderr)
        self.assertIn("'y'", result.stderr)

    def test_line_directives_show_nothing(self):
        secret = self.secret()
        self.write("a.c", f'#include <assert.h>\n#line 3 "{secret}"\nint main(void) {{ assert(0); }}\n')
        result = self.weir("check", "a.c", "--html", "page.html", "--sarif", "a.sarif", "--witness", "w.json", code=10)
        for name in ("page.html", "a.sarif", "w.json"):
            with open(self.path(name), encoding="utf-8") as file:
                self.assertEqual(self.shown(file.read()), 0, name)
        self.assertEqual(self.shown(result.stdout + result.stderr), 0)
        self.weir("convert", "a.c", "--to", "weir", "-o", "a.weir")
        with open(self.path("a.weir"), encoding="utf-8") as file:
            self.assertEqual(self.shown(file.read()), 0)

    def test_line_directives_show_sources_beside_the_program(self):
        self.write("part.h", "// first\nint main(void) { __VERIFIER_assert(0); } // shown\n")
        self.write("a.i", '# 2 "part.h"\nvoid reach_error(void); int main(void) { reach_error(); }\n')
        self.assertIn("// shown", self.weir("check", "a.i", code=10).stdout)

    def test_modules_show_nothing(self):
        secret = self.secret()
        folder, name = os.path.split(secret)
        self.write("a.ll", f'''declare void @abort()
define i32 @main() !dbg !3 {{
  call void @abort(), !dbg !4
  ret i32 0
}}
!llvm.module.flags = !{{!0}}
!llvm.dbg.cu = !{{!1}}
!0 = !{{i32 2, !"Debug Info Version", i32 3}}
!1 = distinct !DICompileUnit(language: DW_LANG_C99, file: !2, emissionKind: FullDebug)
!2 = !DIFile(filename: "{name}", directory: "{folder}", checksumkind: CSK_MD5, checksum: "00000000000000000000000000000000")
!3 = distinct !DISubprogram(name: "main", file: !2, line: 1, type: !5, unit: !1, spFlags: DISPFlagDefinition)
!4 = !DILocation(line: 2, column: 1, scope: !3)
!5 = !DISubroutineType(types: !{{null}})
''')
        result = self.weir("check", "a.ll", "--html", "page.html")
        self.assertIn(result.returncode, (0, 2, 10))
        self.assertEqual(self.shown(result.stdout + result.stderr), 0)
        if os.path.exists(self.path("page.html")):
            with open(self.path("page.html"), encoding="utf-8") as file:
                self.assertEqual(self.shown(file.read()), 0)

    def test_an_endless_file_ends(self):
        self.write("a.c", f'#include "/dev/zero"\n{self.MAIN}')
        self.assertIn(self.weir("check", "a.c", "--memory", "300", "--timeout", "20").returncode, (0, 2, 5))  # to clang it is empty
        self.write("b.c", f"int first = 1\n#embed \"/dev/zero\"\n;{self.MAIN}")
        self.assertIn(self.weir("check", "b.c", "--memory", "300", "--timeout", "20").returncode, (0, 2, 5))

    def test_assembly_brings_in_no_files(self):
        self.write("a.c", f'__asm__(".incbin \\"{self.secret()}\\"");\n{self.MAIN}')
        result = self.weir("check", "a.c", code=2)
        self.assertIn("assembly outside functions is not supported", result.stderr)
        self.assertEqual(self.shown(result.stderr), 0)

    def test_nothing_of_the_program_runs(self):
        mark = self.path("mark")
        self.write("a.c", f'''#include <fcntl.h>
__attribute__((constructor)) static void first(void) {{ creat("{mark}", 0600); }}
int main(void) {{ creat("{mark}", 0600); return 0; }}
''')
        self.weir("check", "a.c")
        self.assertFalse(os.path.exists(mark))

    def test_comments_are_no_arguments(self):
        mark = self.path("mark")
        os.mkdir(self.path("suite"))
        for line in (f"// compiler: -o {mark}", f"// compiler: -fplugin={mark}", "// compiler: @file", f"// options: -- -o {mark}"):
            self.write("suite/a.c", f"{line}\n{self.MAIN}")
            self.weir("check", "suite", code=2)
            self.weir("check", "suite/a.c", code=0)  # outside of suites nobody reads them
            self.assertFalse(os.path.exists(mark))

    def compiler_that_misbehaves(self):
        """Stands for a compiler that was taken over, or has loaded a plug-in."""
        self.write("clang", f'''#!/bin/sh
echo x > "{self.path("written")}"
rm -f "{self.path("precious")}"
exec clang-19 "$@"
''')
        os.chmod(self.path("clang"), 0o755)
        self.write("precious", "")
        self.write("a.c", self.MAIN)

    def test_the_compiler_writes_nothing(self):
        self.compiler_that_misbehaves()
        can_write = "writes no files" not in self.sandbox()["detail"]  # an old kernel: doctor must say so
        environment = {**os.environ, "WEIR_CLANG": self.path("clang")}
        self.weir("check", "a.c", env=environment, code=0)
        self.assertEqual(os.path.exists(self.path("written")), can_write)
        self.assertEqual(os.path.exists(self.path("precious")), not can_write)
        self.weir("check", "a.c", env={**environment, "WEIR_SANDBOX": "off"}, code=0)
        self.assertTrue(os.path.exists(self.path("written")))

    def test_other_outputs_are_refused_with_a_hint(self):
        self.write("a.c", self.MAIN)
        can_write = "writes no files" not in self.sandbox()["detail"]
        result = self.weir("check", "a.c", "--", "-MD", "-MF", self.path("a.d"))
        self.assertEqual(os.path.exists(self.path("a.d")), can_write)
        if not can_write:
            self.assertEqual(result.returncode, 2)
            self.assertIn("WEIR_SANDBOX=off", result.stderr)

    def test_doctor_tells_when_it_is_off(self):
        answer = json.loads(self.weir("doctor", "--json", env={**os.environ, "WEIR_SANDBOX": "off"}).stdout)
        finding = next(finding for finding in answer["findings"] if finding["name"] == "sandbox")
        self.assertFalse(finding["found"])
        self.assertIn("unset", finding["remedy"])


if __name__ == "__main__":
    unittest.main()
