#!/usr/bin/env python3
"""C programs and LLVM modules through all commands, and what clang says about them.

Usage: c_programs_test.py PATH_TO_WEIR [SOURCE_DIR] [OPTIONS OF UNITTEST]
"""

import json
import os
import subprocess
import unittest

from cli_support import WEIR, Cli

STORE_BUFFERING = """#include <assert.h>
#include <pthread.h>
int x, y, a, b;
static void *left(void *p) { x = 1; a = y; return 0; }
static void *right(void *p) { y = 1; b = x; return 0; }
int main(void) {
  pthread_t l, r;
  pthread_create(&l, 0, left, 0);
  pthread_create(&r, 0, right, 0);
  pthread_join(l, 0);
  pthread_join(r, 0);
  assert(a || b);
}
"""


class CPrograms(Cli):
    def setUp(self):
        super().setUp()
        self.write("sb.c", STORE_BUFFERING)

    def test_check(self):
        result = self.weir("check", "sb.c", code=0)
        self.assertTrue(result.stdout.startswith("SAFE under sc"), result.stdout)
        self.assertEqual(result.stderr, "")
        result = self.weir("check", "sb.c", "--model", "tso", code=10)
        self.assertIn('assertion "a || b" fails', result.stdout)
        self.assertIn("sb.c:12:", result.stdout)

    def test_sizes_may_be_mixed(self):
        self.write("mixed.c", "#include <pthread.h>\n#include <stdlib.h>\n"
                              "int main(void) { pthread_mutex_t *m = malloc(sizeof *m);\n"
                              "  for (int i = 0; i < 5; i++) ((long *)m)[i] = 0;\n"
                              "  pthread_mutex_lock(m); pthread_mutex_lock(m); }\n")
        self.assertIn("main holds m (line 5) and waits for m (line 5), which it holds already", self.weir("check", "mixed.c", code=10).stdout)
        for command in ("robust", "explore"):
            with self.subTest(command=command):
                text = self.weir(command, "mixed.c", code=5).stdout
                self.assertRegex(text, "with 32 bits, and before|with different sizes")

    def test_json_names_the_first_file(self):
        self.write("other.c", "int unused;")
        answer = json.loads(self.weir("check", "sb.c", "other.c", "--model", "tso", "--json", code=10).stdout)
        self.assertEqual((answer["file"], answer["verdict"]), ("sb.c", "unsafe"))
        self.assertEqual(answer["violation"]["kind"], "assertion")

    def test_replay_and_explain(self):
        self.weir("check", "sb.c", "--model", "tso", "--witness", "w.json", "-q", code=10)
        self.weir("replay", "w.json", code=10)
        self.assertIn("to buffer", self.weir("explain", "w.json", code=10).stdout)
        self.assertIn("to buffer", self.weir("explain", "sb.c", "--model", "tso", code=10).stdout)

    def test_robust_fence_convert(self):
        self.assertIn("sb.c:4:", self.weir("robust", "sb.c", code=10).stdout)
        self.assertIn("sb.c:4:", self.weir("fence", "sb.c", code=0).stdout)
        self.weir("fence", "sb.c", "--patch", "p.diff", code=0)
        with open(self.path("p.diff"), encoding="utf-8") as patch:
            self.assertEqual(patch.read().count("atomic_thread_fence(memory_order_seq_cst);"), 2)
        self.write("lost.c", "#include <assert.h>\n#include <pthread.h>\nint hits;\n"
                             "static void *visit(void *p) { int seen = hits; hits = seen + 1; return p; }\n"
                             "int main(void) { pthread_t a, b; pthread_create(&a, 0, visit, 0); pthread_create(&b, 0, visit, 0);\n"
                             "  pthread_join(a, 0); pthread_join(b, 0); assert(hits == 2); }\n")
        self.assertIn(": an update is lost\n", self.weir("fence", "lost.c", "--for", "safety", code=10).stdout)
        self.weir("convert", "sb.c", "--to", "weir", "-o", "sb.weir", code=0)
        self.weir("check", "sb.weir", "-q", code=0)
        self.weir("check", "sb.weir", "--model", "tso", "-q", code=10)

    def test_several_files_and_compiler_options(self):
        self.write("a.c", "#include <assert.h>\nint next(void);\nint main(void) { int n = N; assert(next() == n); }\n")
        self.write("b.c", "int next(void) { static int n; return ++n; }\n")
        self.weir("check", "a.c", "b.c", "--", "-DN=1", code=0)
        self.weir("check", "a.c", "b.c", "--", "-D", "N=2", code=10)
        text = self.weir("check", "a.c", "b.c", "--races", "--", "-D", "N=2", code=10).stdout
        self.assertIn("weir check a.c b.c --model sc --html w.html --races -- -D N=2\n", text)
        self.fails(2, "use of undeclared identifier 'N'", "check", "a.c", "b.c")
        self.fails(2, "a.c:3:", "check", "a.c", "--strict", "--", "-DN=1")
        result = self.weir("check", "a.c", "--", "-DN=1", code=5)
        self.assertIn("`next` is called, but nobody defines it", result.stdout)
        self.assertIn("a.c:3:", result.stderr)

    def test_standard_input_and_other_suffixes(self):
        text = STORE_BUFFERING.replace("#include", '#include "nothing.h"\n#include', 1)
        self.write("nothing.h", "")
        for model, code in (("sc", 0), ("tso", 10)):
            result = self.weir("check", "-", "--format", "c", "--model", model, code=code, input=text)
            self.assertEqual(result.stderr, "")
        self.assertIn("\n-:13:", result.stdout)
        self.write("sb.txt", text)
        self.assertIn("\nsb.txt:13:", self.weir("check", "sb.txt", "--format", "c", "--model", "tso", code=10).stdout)
        patch = self.weir("fence", "-", "--format", "c", "--patch", code=0, input=text).stdout
        self.assertEqual(patch.count("atomic_thread_fence(memory_order_seq_cst);"), 2)
        wrong = self.weir("check", "-", "--format", "c", code=2, input="int main(void) {\n  return zero;\n}\n")
        self.assertIn("-:2:10: error: use of undeclared identifier 'zero'", wrong.stderr)

    def test_llvm_and_preprocessed_files(self):
        self.weir("check", self.write("m.ll", "define i32 @main() {\n  ret i32 0\n}\n"), code=0)
        self.weir("check", self.write("m.i", "int main(void) { return 0; }\n"), code=0)
        self.fails(2, "m.ll:1:", "check", self.write("m.ll", "define nothing\n"))
        self.fails(2, "bc.bc", "check", self.write("bc.bc", b"BC\xc0\xde" + bytes(range(256))))

    def test_modules_that_count_zeros(self):
        """A count of the zeros of 0 is undefined where it is taken, and only there."""
        module = ("declare i32 @llvm.cttz.i32(i32, i1)\n@g = global i32 0\ndefine i32 @main() {\n"
                  "  %x = load i32, ptr @g\n  %c = call i32 @llvm.cttz.i32(i32 %x, i1 true)\n"
                  "  %z = icmp eq i32 %x, 0\n  %r = select i1 %z, i32 ONE, i32 OTHER\n  ret i32 %r\n}\n")
        for one, other, code in (("%c", "0", 10), ("0", "%c", 0)):
            self.weir("check", self.write("m.ll", module.replace("ONE", one).replace("OTHER", other)), code=code)

    def test_clang_speaks_for_itself(self):
        self.write("wrong.c", "int main(void) {\n  return zero;\n}\n")
        said = self.fails(2, "wrong.c:2:10: error: use of undeclared identifier 'zero'", "check", "wrong.c")
        self.assertIn("return zero;", said)
        self.fails(2, "none.c: error: No such file", "check", "none.c")
        self.fails(2, "there is no main", "check", self.write("empty.c", ""))

    def test_no_compiler(self):
        result = self.weir("check", "sb.c", env={**os.environ, "WEIR_CLANG": "/nowhere/clang"}, code=2)
        self.assertIn("install clang 19", result.stderr)

    def test_deadlock_is_looked_for(self):
        self.write("d.c", "#include <pthread.h>\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
                          "int main(void) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); }\n")
        answer = json.loads(self.weir("check", "d.c", "--json", code=10).stdout)
        self.assertEqual(answer["violation"]["kind"], "deadlock")
        self.weir("check", "d.c", "--no-deadlock", code=0)
        self.fails(1, "contradict", "check", "d.c", "--deadlock", "--no-deadlock")

    def test_races_and_leaks(self):
        answer = json.loads(self.weir("check", "sb.c", "--races", "--json", code=10).stdout)
        self.assertEqual(answer["violation"]["kind"], "race")
        self.write("l.c", "#include <stdlib.h>\nint main(void) { malloc(4); }\n")
        self.weir("check", "l.c", code=0)
        self.weir("check", "l.c", "--leaks", code=10)

    def test_bounds_make_the_answer_unknown(self):
        self.write("loop.c", "volatile int n;\nint main(void) {\n  while (n < 5)\n    n++;\n}\n")
        self.weir("check", "loop.c", code=0)
        self.weir("check", "loop.c", "--unroll", "5", code=0)
        answer = json.loads(self.weir("check", "loop.c", "--unroll", "4", "--json", code=5).stdout)
        self.assertIn("the loop at loop.c:3 is repeated more than 4 times", answer["reason"])
        answer = json.loads(self.weir("check", "sb.c", "--threads", "2", "--json", code=5).stdout)
        self.assertIn("--threads", answer["reason"])

    def test_restrictions_make_the_answer_unknown(self):
        self.write("n.c", "#include <assert.h>\nint __VERIFIER_nondet_int(void);\n"
                          "int main(void) { int n = __VERIFIER_nondet_int(); assert(n != 7); }\n")
        answer = json.loads(self.weir("check", "n.c", "--json", code=5).stdout)
        self.assertIn("__VERIFIER_nondet_int", answer["reason"])
        self.weir("check", "n.c", "--nondet-range", "-1..7", code=10)
        self.assertIn("__VERIFIER_nondet_int", self.weir("robust", "n.c", code=5).stdout)

    def test_wrong_options(self):
        self.fails(1, "--threads needs a number from 1 to 64", "check", "sb.c", "--threads", "65")
        self.fails(1, "--unroll needs a number from 1", "check", "sb.c", "--unroll", "0")
        self.fails(1, "--nondet-range cannot be '3'", "check", "sb.c", "--nondet-range", "3")
        self.fails(1, "no value", "check", "sb.c", "--nondet-range", "3..1")
        self.fails(1, "at most", "check", "sb.c", "--nondet-range", "0..10000000000")
        self.fails(1, "'dekker.imp' is no C file", "robust", "sb.c", "dekker.imp")
        self.fails(1, "--unroll is for C programs", "check", "dekker.imp", "--unroll", "3")
        self.fails(1, "'dekker.imp' is no C program", "check", "dekker.imp", "--", "-DN")

    def test_other_formats_do_not_load_llvm(self):
        trace = subprocess.run([WEIR, "check", "dekker.imp"], cwd=self.folder.name, capture_output=True, text=True,
                               env={**os.environ, "LD_DEBUG": "files"})
        self.assertEqual(trace.returncode, 0)
        self.assertNotIn("libLLVM", trace.stderr)


if __name__ == "__main__":
    unittest.main()
