#!/usr/bin/env python3
"""Programs in the .rmm language: recognised, ranges, conversions, families.

Usage: rmm_test.py PATH_TO_WEIR [SOURCE_DIR] [OPTIONS OF UNITTEST]
"""

import json
import subprocess
import sys
import unittest

from cli_support import SOURCE, Cli

COUNTER = """/* counts as far as the range goes */
forbidden
  End *
data
  x = 0 : [0:2]
process
registers
  $r = 0
text
  while $r < 3 do { $r := $r + 1; write: x := $r };
  End: nop
process
text
  nop
"""


class Rmm(Cli):
    def test_recognised_by_suffix_and_content(self):
        text = (SOURCE / "examples/peterson.rmm").read_text()
        for name in ("p.rmm", "p.unknown"):
            self.write(name, "/* by content,\n after comments */\n" + text)
            self.weir("check", name, code=0)
            self.assertIn("P0 at CS, P1 at CS", self.weir("check", name, "--model", "tso", code=10).stdout)
        self.write("p.imp", text)
        self.weir("check", "p.imp", "--format", "rmm", code=0)

    def test_mistakes_are_located(self):
        self.write("bad.rmm", "forbidden CS\nprocess text\n  CS: read: x = 0\n")
        self.assertIn("bad.rmm:3:13: error: unknown variable 'x'", self.fails(2, "unknown", "check", "bad.rmm"))

    def test_values_outside_of_a_range(self):
        self.write("counter.rmm", COUNTER)
        self.weir("check", "counter.rmm", code=0)
        failing = self.weir("check", "counter.rmm", "--outside-range", "fail", code=10)
        self.assertIn("outside of [0:2], the range of x", failing.stdout)

    def test_copies_of_threads_of_a_c_program(self):
        self.write("n.c", "int main(void) { return 0; }\n")
        for command in ("check", "robust"):
            for number in ("2", "any"):
                self.assertIn("creates its own threads", self.fails(1, "-n", command, "n.c", "-n", number))

    def test_executions_that_a_bound_cuts_are_counted_apart(self):
        self.write("cut.c", """
#include <pthread.h>
#include <stdatomic.h>
atomic_int y;
static void *p(void *a) {
  for (int i = 0; i < 3; i++) atomic_fetch_add(&y, 1);
  return a;
}
int main(void) {
  pthread_t t;
  for (int i = 0; i < 2; i++) pthread_create(&t, 0, p, 0);
}
""")
        count = lambda *options: json.loads(self.weir("explore", "cut.c", "--json", *options).stdout)
        all_of_them = count()
        self.assertEqual(all_of_them["cut"], 0)
        for bound in ("1", "2"):
            bounded = count("--unroll", bound)
            self.assertEqual(bounded["traces"], 0)
            self.assertGreater(bounded["cut"], 0)
        self.assertEqual(count("--unroll", "3")["traces"], all_of_them["traces"])

    def test_outcomes_are_numbers(self):
        self.write("n.imp", "program P variables a = b = c = 0 process A begin a := 2; b := 7 end\n")
        self.assertIn("  a  b  c\n  2  7  0\n", self.weir("outcomes", "n.imp", code=0).stdout)

    def test_locked_blocks_that_only_read(self):
        process = "process text write: {0} := 1; locked {{ {1} }}; CS: nop\n"
        start = "forbidden CS CS data x = 0 : [0:1] y = 0 : [0:1]\n"
        self.write("one.rmm", start + process.format("x", "read: y = 0") + process.format("y", "read: x = 0"))
        self.weir("check", "one.rmm", code=0)
        for engine in ("explicit", "dual", "abstraction"):
            self.weir("check", "one.rmm", "--model", "tso", "--engine", engine, code=10)
        both = "read: x = 0; read: y = 0"
        self.write("two.rmm", start + process.format("x", both) + process.format("y", both))
        for engine in ("explicit", "dual", "abstraction", "lazy"):
            unknown = self.weir("check", "two.rmm", "--model", "tso", "--engine", engine, code=5).stdout
            self.assertIn("the locked block in line 2 only reads", unknown)

    def test_any_number_of_processes(self):
        sb = "forbidden * * data x = 0 y = 0 process text A: write: x := 1; read: y = 0 process text write: y := 1; read: x = 0"
        self.write("sb.rmm", sb.replace("* *", "A *"))
        self.weir("robust", "sb.rmm", "-n", "any", code=10)
        self.weir("robust", "sb.rmm", "-n", "2", code=10)
        self.write("any.rmm", sb.replace("* *", "A *").replace("x = 0 y", "x = * : [0:1] y", 1))
        answer = json.loads(self.weir("robust", "any.rmm", "-n", "any", "--json", code=5).stdout)
        self.assertIn("thread init is no template", answer["reason"])

    def test_from_every_language_and_back(self):
        self.write("p.rmm", (SOURCE / "bench/dual/peterson.rmm").read_text())
        for target, suffix in (("trencher", "trn"), ("imp", "imp"), ("weir", "weir"), ("rmm", "rmm")):
            with self.subTest(target=target):
                self.weir("convert", "p.rmm", "--to", target, "-o", "q." + suffix, code=0)
                self.weir("convert", "q." + suffix, "--to", "rmm", "-o", "r.rmm", code=0)
                for name in ("q." + suffix, "r.rmm"):
                    self.weir("check", name, code=0)
                    self.weir("check", name, "--model", "tso", code=10)

    def test_what_cannot_be_said(self):
        self.write("f.imp", "program f\nvariables x = 0\nprocess P begin\n  x := x * 2\nend\n")
        self.assertIn("f.imp:4:", self.fails(2, "RMM cannot express a multiplication", "convert", "f.imp", "--to", "rmm"))
        self.write("two.rmm", "forbidden A * ; * A process(2) text A: nop")
        self.fails(2, "IMP cannot express several goals", "convert", "two.rmm", "--to", "imp")
        self.fails(2, "several properties at once", "convert", "two.rmm", "--to", "trencher")

    def test_families(self):
        family = str(SOURCE / "bench/dual/family.py")
        for arguments, code in ((("sb", "3"), 10), (("mutex", "3", "fenced"), 0), (("burns", "3"), 10),
                                (("lamport", "2", "fenced"), 0), (("ticket", "3"), 0), (("spinlock", "4"), 0),
                                (("tas", "2"), 0), (("ttas", "2"), 0), (("lb", "3"), 0)):
            with self.subTest(family=arguments):
                made = subprocess.run([sys.executable, family, *arguments], capture_output=True, text=True)
                self.write("family.rmm", made.stdout)
                self.assertIn("expect tso: " + ("safe" if code == 0 else "unsafe"), made.stdout)
                self.weir("check", "family.rmm", "--model", "tso", code=code)


if __name__ == "__main__":
    unittest.main()
