#!/usr/bin/env python3
"""weir explore: how many executions there are, by each equivalence, and their plot.

Usage: explore_test.py PATH_TO_WEIR [SOURCE_DIR] [OPTIONS OF UNITTEST]
"""

import json
import unittest

from cli_support import Cli


class Exploration(Cli):
    MUTEX = ("#include <assert.h>\n#include <pthread.h>\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nint x;\n"
             "static void* f(void* p) { pthread_mutex_lock(&m); x++; assert(x < %d); pthread_mutex_unlock(&m);\n"
             "  return p; }\n"
             "int main(void) { pthread_t t[3]; for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, f, 0);\n"
             "  for (int i = 0; i < 3; i++) pthread_join(t[i], 0); }\n")

    def explore(self, *arguments, code=0):
        return json.loads(self.weir("explore", *arguments, "--json", code=code).stdout)

    def test_counts_critical_sections(self):
        self.write("m.c", self.MUTEX % 9)
        for model in ("sc", "tso", "pso"):
            answer = self.explore("m.c", "--model", model)
            self.assertEqual((answer["traces"], answer["blocked"], answer["equivalence"]), (6, 0, "mazurkiewicz"))
        self.assertIn("6 executions under sc", self.weir("explore", "m.c", code=0).stdout)

    WRITERS = ("#include <pthread.h>\n#include <stdatomic.h>\natomic_int x, y, z;\n"
               "#define GET(v) atomic_load_explicit(&v, memory_order_relaxed)\n"
               "#define PUT(v, e) atomic_store_explicit(&v, e, memory_order_relaxed)\n"
               "static void* f(void* p) {\n"
               "  int k = (int)(long)p;\n"
               "  PUT(x, k); int a = GET(y); PUT(y, k + a); int b = GET(x); PUT(z, a + b);\n"
               "  return p; }\n"
               "int main(void) { pthread_t t; for (long i = 0; i < %d; i++) pthread_create(&t, 0, f, (void*)i); }\n")

    def test_equivalences_from_fine_to_coarse(self):
        self.write("w.c", self.WRITERS % 3)
        counts = [self.explore("w.c", "--equivalence", each)["traces"] for each in ("mazurkiewicz", "observers", "rf")]
        self.assertGreater(counts[0], counts[1])
        self.assertGreater(counts[1], counts[2])

    def test_values_have_fewer_executions_than_sources(self):
        self.write("w.c", self.WRITERS % 3)
        by_source = self.explore("w.c", "--equivalence", "rf")["traces"]
        for model in ("sc", "tso", "pso"):
            self.assertLess(self.explore("w.c", "--equivalence", "rvf", "--model", model)["traces"], by_source * 2)
        dc, vc, rvf = (self.explore("w.c", "--equivalence", each)["traces"] for each in ("dc", "vc", "rvf"))
        self.assertGreaterEqual(dc, vc)
        self.assertGreaterEqual(vc, rvf)
        self.assertLess(rvf, by_source)

    def test_what_values_can_do_without(self):
        self.write("w.c", self.WRITERS % 2)
        count = self.explore("w.c", "--equivalence", "rvf")["traces"]
        for each in ("closure", "greedy", "guidance", "signals", "closure,greedy,guidance,signals"):
            self.assertEqual(self.explore("w.c", "--equivalence", "rvf", "--without", each)["traces"], count, each)
        self.assertIn("any of closure", self.weir("explore", "w.c", "--equivalence", "rvf", "--without", "x", code=1).stderr)

    def test_roots(self):
        self.write("w.c", self.WRITERS % 2)
        first = self.explore("w.c", "--equivalence", "vc")["traces"]
        self.assertEqual(self.explore("w.c", "--equivalence", "vc", "--root", "1")["traces"], first)
        wrong = self.weir("explore", "w.c", "--equivalence", "vc", "--root", "nobody", code=1).stderr
        self.assertIn("there is no thread 'nobody'", wrong)
        self.assertIn("main", wrong)
        for arguments in (["vc", "--model", "tso"], ["rf", "--root", "1"], ["rf", "--without", "closure"], ["rvf", "--estimate"]):
            self.weir("explore", "w.c", "--equivalence", *arguments, code=1)

    def test_failed_assumptions_are_counted_apart(self):
        self.write("a.c", "#include <pthread.h>\n#include <stdatomic.h>\n"
                   "extern void __VERIFIER_assume(int);\nstatic atomic_int x;\n"
                   "static void* f(void* p) { atomic_store(&x, 1); return p; }\n"
                   "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); __VERIFIER_assume(atomic_load(&x) == 1); }\n")
        for equivalence in ("mazurkiewicz", "rf", "rvf"):
            answer = self.explore("a.c", "--equivalence", equivalence)
            self.assertEqual((answer["traces"], answer["blocked"]), (1, 1), equivalence)

    def test_estimate_is_near_the_count(self):
        self.write("w.c", self.WRITERS % 3)
        count = self.explore("w.c")["traces"]
        estimate = self.explore("w.c", "--estimate")["estimate"]
        self.assertLess(estimate["executions"], 2 * count)
        self.assertGreater(estimate["executions"], count / 2)
        self.assertRegex(self.weir("explore", "w.c", "--estimate", code=0).stdout, "about .* executions .* 95 %")

    def test_auto_turns_to_executions_if_they_are_fewer_than_states(self):
        self.write("w.c", self.WRITERS % 4)
        answer = json.loads(self.weir("check", "w.c", "--model", "tso", "--json", code=0).stdout)
        self.assertEqual((answer["engine"], answer["verdict"]), ("smc", "safe"))

    def test_violations_stop_it_only_if_asked(self):
        self.write("m.c", self.MUTEX % 3)
        answer = self.explore("m.c")
        self.assertEqual(answer["violating"], answer["blocked"])  # main waits for the thread that failed
        self.assertEqual(answer["violation"]["kind"], "assertion")
        self.assertEqual(self.explore("m.c", "--stop", code=10)["verdict"], "unsafe")
        self.weir("explore", "m.c", "--witness", "w.json", code=0)
        self.weir("replay", "w.json", code=10)

    def test_blocked_executions_are_counted_apart(self):
        self.write("d.c", "#include <pthread.h>\npthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, "
                          "b = PTHREAD_MUTEX_INITIALIZER;\n"
                          "static void* f(void* p) { pthread_mutex_lock(&b); pthread_mutex_lock(&a);\n"
                          "  pthread_mutex_unlock(&a); pthread_mutex_unlock(&b); return p; }\n"
                          "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_mutex_lock(&a);\n"
                          "  pthread_mutex_lock(&b); pthread_mutex_unlock(&b); pthread_mutex_unlock(&a); }\n")
        answer = self.explore("d.c")
        self.assertEqual((answer["traces"], answer["blocked"]), (2, 1))
        self.assertEqual(answer["violation"]["kind"], "deadlock")
        checked = json.loads(self.weir("check", "d.c", "--engine", "smc", "--json", code=10).stdout)
        self.assertEqual((checked["engine"], checked["violation"]["kind"]), ("smc", "deadlock"))

    def test_what_it_cannot_do(self):
        answer = json.loads(self.weir("check", "dekker.imp", "--engine", "smc", "--json", code=5).stdout)
        self.assertIn("smc does not look for", answer["reason"])


class Plots(Cli):
    def test_explore_plot(self):
        import xml.etree.ElementTree as ElementTree
        self.weir("explore", "dekker.imp", "--plot", "p.svg", "-q")
        root = ElementTree.parse(self.path("p.svg")).getroot()
        texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
        for name in ("mazurkiewicz", "observers", "rf", "dc", "vc", "rvf"):
            count = json.loads(self.weir("explore", "dekker.imp", "--equivalence", name, "--json").stdout)
            visited = count["traces"] + count["blocked"]
            self.assertTrue(any(text.startswith(f"{name}: {visited}") for text in texts), (name, texts))


if __name__ == "__main__":
    unittest.main()
