#!/usr/bin/env python3
"""weir outcomes: the final states of C programs and of litmus tests, as herd prints them.

Usage: outcomes_test.py PATH_TO_WEIR [SOURCE_DIR] [OPTIONS OF UNITTEST]
"""

import json
import pathlib
import re
import unittest

from cli_support import HAS_C, Cli


@unittest.skipUnless(HAS_C, "this weir reads no C programs")
class Outcomes(Cli):
    def outcomes(self, *arguments, code=0):
        return json.loads(self.weir("outcomes", *arguments, "--json", code=code).stdout)

    def test_padding_is_not_shown(self):
        self.write("padded.c", "struct { char a; int b; } x;\nint main(void) { x.a = 1; }\n")
        self.assertEqual(self.outcomes("padded.c")["outcomes"], [{"x.a": 1, "x.b": 0}])

    def test_numbers_are_no_addresses(self):
        # In the small languages the first variable has address 1.
        self.write("numbers.imp", "program P\nvariables x = y = 0\nprocess A begin 1: x := 1; 2: y := 2 end\n")
        self.assertEqual(self.outcomes("numbers.imp")["outcomes"], [{"x": 1, "y": 2}])

    def test_store_buffering(self):
        self.write("sb.c", "#include <pthread.h>\n#include <stdatomic.h>\natomic_int x, y;\nint r, s;\n"
                           "static void* a(void* p) { atomic_store_explicit(&x, 1, memory_order_relaxed);\n"
                           "  r = atomic_load_explicit(&y, memory_order_relaxed); return p; }\n"
                           "static void* b(void* p) { atomic_store_explicit(&y, 1, memory_order_relaxed);\n"
                           "  s = atomic_load_explicit(&x, memory_order_relaxed); return p; }\n"
                           "int main(void) { pthread_t t, u; pthread_create(&t, 0, a, 0);\n"
                           "  pthread_create(&u, 0, b, 0); pthread_join(t, 0); pthread_join(u, 0); }\n")
        both = [{"r": r, "s": s} for r in (0, 1) for s in (0, 1)]
        show = ["--show", "r", "--show", "s"]
        self.assertEqual(self.outcomes("sb.c", *show)["outcomes"], both[1:])
        self.assertEqual(self.outcomes("sb.c", *show, "--model", "tso")["outcomes"], both)
        everything = self.outcomes("sb.c", "--model", "pso")["outcomes"]
        self.assertEqual(everything, [{"x": 1, "y": 1, **outcome} for outcome in both])
        self.fails(1, "there is no shared variable 'q'", "outcomes", "sb.c", "--show", "q")

    def test_what_is_no_outcome(self):
        self.write("stuck.c", "#include <assert.h>\n#include <pthread.h>\n#include <semaphore.h>\n"
                              "#include <stdatomic.h>\natomic_int x;\nsem_t never;\n"
                              "static void* set(void* p) { x = 1; assert(x != 2); return p; }\n"
                              "int main(void) { pthread_t t; pthread_create(&t, 0, set, 0); x = 2;\n"
                              "  if (x == 2) sem_wait(&never); }\n")
        answer = self.outcomes("stuck.c", "--show", "x")
        self.assertEqual(answer["outcomes"], [{"x": 1}])
        self.assertGreater(answer["stuck"], 0)
        self.assertIn("ends by a violation", self.weir("outcomes", "stuck.c", code=0).stdout)

    def test_incomplete_outcomes_are_unknown(self):
        self.write("grow.c", "#include <stdatomic.h>\natomic_long n;\nint main(void) { for (;;) n++; }\n")
        self.assertEqual(self.outcomes("grow.c", "--values", "10", code=5)["verdict"], "unknown")


SB = """X86 SB
{ x=0; y=0; }
 P0          | P1          ;
 MOV [x],$1  | MOV [y],$1  ;
 MOV EAX,[y] | MOV EAX,[x] ;
exists (0:EAX=0 /\\ 1:EAX=0)
"""


class Litmus(Cli):
    def setUp(self):
        super().setUp()
        self.write("SB.litmus", SB)

    def outcomes(self, *arguments, code=0):
        return json.loads(self.weir("outcomes", *arguments, "--json", code=code).stdout)

    def test_text_is_that_of_herd(self):
        text = self.weir("outcomes", "SB.litmus", "--model", "tso").stdout
        self.assertEqual(re.sub(r"Time SB .*", "Time SB", text), """Test SB Allowed
States 4
0:EAX=0; 1:EAX=0;
0:EAX=0; 1:EAX=1;
0:EAX=1; 1:EAX=0;
0:EAX=1; 1:EAX=1;
Ok
Witnesses
Positive: 1 Negative: 3
Condition exists (0:EAX=0 /\\ 1:EAX=0)
Observation SB Sometimes 1 3
Time SB

""")
        self.write("no.litmus", SB.replace("exists", "locations [x;]\n~exists"))
        text = self.weir("outcomes", "no.litmus", "--model", "tso").stdout
        self.assertIn("Test SB Forbidden\nStates 4\n0:EAX=0; 1:EAX=0; [x]=1;\n", text)
        self.assertIn("No\nWitnesses\nPositive: 3 Negative: 1\n", text)

    def test_json(self):
        answer = self.outcomes("SB.litmus")
        self.assertEqual(answer["outcomes"], [{"0:EAX": a, "1:EAX": b} for a, b in ((0, 1), (1, 0), (1, 1))])
        self.assertEqual((answer["holds"], answer["observation"]), (False, "Never"))
        self.assertEqual(answer["condition"], "exists (0:EAX=0 /\\ 1:EAX=0)")
        models = self.outcomes("SB.litmus", "--model", "sc,pso")["models"]
        self.assertEqual([(m["model"], m["holds"], len(m["outcomes"])) for m in models],
                         [("sc", False, 3), ("pso", True, 4)])

    def test_table_of_models(self):
        text = self.weir("outcomes", "SB.litmus", "--model", "sc,tso,pso", "--cross-check").stdout
        self.assertIn("      0      0    -  yes  yes  *\n      0      1  yes  yes  yes\n", text)
        self.assertIn("The axioms give the same final states.", text)
        self.fails(1, "--model cannot be 'arm'", "outcomes", "SB.litmus", "--model", "sc,arm")

    def test_an_execution_on_demand(self):
        show = ["--show", "0:EAX=0 /\\ 1:EAX=0"]
        text = self.weir("outcomes", "SB.litmus", "--model", "sc,tso", *show, "--svg", "a.svg", "--dot", "a.dot").stdout
        self.assertIn("No execution under sc ends with 0:EAX=0 /\\ 1:EAX=0.", text)
        self.assertIn("An execution under tso that ends with 0:EAX=0 /\\ 1:EAX=0:", text)
        self.assertEqual(text.count("flush"), 2)
        picture = pathlib.Path(self.path("a.svg")).read_text()
        self.assertEqual((picture.count("<path d=\"M0"), picture.count(">W x=1<"), picture.count(">fr<")), (4, 1, 2))
        self.assertEqual(pathlib.Path(self.path("a.dot")).read_text().count('label="fr"'), 2)
        shown = self.outcomes("SB.litmus", "--model", "tso", *show)["shown"][0]
        self.assertEqual([step["action"] for step in shown["witness"]].count("store"), 2)
        self.fails(2, "there is no variable 'q'", "outcomes", "SB.litmus", "--show", "q=1")

    def test_mistakes_are_located(self):
        self.write("bad.litmus", SB.replace("MOV [y],$1", "MOVX [y],$1"))
        self.assertIn("bad.litmus:4:16", self.fails(2, "the instruction 'MOVX' is not modelled", "outcomes", "bad.litmus"))

    def test_no_axioms(self):
        self.write("loop.litmus", "X86 loop\n{}\nP0 | P1;\nL: MOV EAX,[x] | MOV [x],$1;\nCMP EAX,$1 | ;\nJNE L | ;\nforall (0:EAX=1)\n")
        self.assertTrue(self.outcomes("loop.litmus", "--model", "tso")["holds"])
        self.assertIn("no cross-check", self.weir("outcomes", "loop.litmus", "--cross-check", code=5).stderr)

    def test_other_commands_read_them(self):
        self.weir("robust", "SB.litmus", code=10)
        self.weir("check", "SB.litmus", code=0)
        self.assertIn("2 fences", self.weir("fence", "SB.litmus", code=0).stdout)
        self.write("SB", SB)
        self.assertEqual(len(self.outcomes("SB", "--format", "litmus", "--model", "tso")["outcomes"]), 4)


if __name__ == "__main__":
    unittest.main()
