#!/usr/bin/env python3
"""What went wrong is told in the words of the source: who holds what and waits for whom, which delay of a store is
needed, names and values as the program has them; and an answer says what it is about. The classic bugs are in
tests/gallery_test.py; here are the ways in which programs differ from those."""

import json
import re
import unittest

from cli_support import HAS_C, SOURCE, Cli

START = "#include <pthread.h>\n#include <stdlib.h>\n#include <assert.h>\n#include <stdatomic.h>"
MAIN = """
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, one, 0);
  pthread_create(&u, 0, two, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
}
"""


@unittest.skipUnless(HAS_C, "a C front end")
class Words(Cli):
    def report(self, text, *options, name="p.c", code=10):
        self.write(name, text)
        shown = self.weir("check", name, *options, code=code).stdout
        self.assertNotRegex(shown, r"__weir|heap\d|\b\d{13,}\b|_M_")
        return shown

    def head(self, *arguments, **keywords):
        """The first five lines: what went wrong, and where."""
        return "\n".join(self.report(*arguments, **keywords).split("\n")[:5])

    def test_read_write_locks_have_holders(self):
        shown = self.head(START + """
static pthread_rwlock_t settings = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t log = PTHREAD_MUTEX_INITIALIZER;
static void *one(void *a) {
  pthread_rwlock_rdlock(&settings);
  pthread_mutex_lock(&log);
  pthread_mutex_unlock(&log);
  pthread_rwlock_unlock(&settings);
  return a;
}
static void *two(void *a) {
  pthread_mutex_lock(&log);
  pthread_rwlock_wrlock(&settings);
  pthread_rwlock_unlock(&settings);
  pthread_mutex_unlock(&log);
  return a;
}
""" + MAIN)
        self.assertIn("t1 (one) holds settings (line 8) and waits for log (line 9), which t2 holds", shown)
        self.assertIn("t2 (two) holds log (line 15) and waits for settings (line 16), which t1 holds", shown)

    def test_a_lock_that_is_never_given_back(self):
        shown = self.head(START + """
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *one(void *a) {
  pthread_mutex_lock(&m);
  return a;
}
static void *two(void *a) { return one(a); }
""" + MAIN)
        self.assertRegex(shown, r"waits for m \(line 7\), which t\d locked \(line 7\) and had not unlocked when it ended")

    def test_a_lock_that_is_held_already(self):
        shown = self.head(START + """
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void add(void) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); }
static void *one(void *a) {
  pthread_mutex_lock(&m);
  add();
  return a;
}
static void *two(void *a) { return a; }
""" + MAIN)
        self.assertIn("t1 (one) holds m (line 8) and waits for m (line 6), which it holds already", shown)

    def test_spin_locks_are_given_back_by_a_store(self):
        shown = self.head(START + """
static pthread_spinlock_t s;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *one(void *a) {
  pthread_spin_init(&s, 0);
  pthread_spin_lock(&s);
  pthread_spin_unlock(&s);
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&m);
  return a;
}
static void *two(void *a) { return a; }
""" + MAIN)
        self.assertIn("t1 (one) holds m (line 11) and waits for m (line 12)", shown)

    def test_semaphores_and_barriers(self):
        shown = self.report("#include <semaphore.h>\n" + START + """
static sem_t items;
static pthread_barrier_t gate;
static void *one(void *a) { sem_wait(&items); return a; }
static void *two(void *a) { pthread_barrier_wait(&gate); return a; }
int main(void) {
  sem_init(&items, 0, 0);
  pthread_barrier_init(&gate, 0, 2);
""" + MAIN.split("{", 1)[1])
        self.assertIn("t1 (one) waits for a post of items (line 8)", shown)
        self.assertIn("t2 (two) waits for more threads to arrive at gate (line 9)", shown)
        self.assertRegex(shown, r"arrives at gate\n")
        self.assertIn("waits for a post of items  <-- for ever", shown)

    def test_a_leak_is_where_it_was_allocated(self):
        shown = self.head(START + """
struct message { struct message *next; int id; };
static void *one(void *a) {
  struct message *m = malloc(sizeof *m);
  if (m) m->next = 0;
  return a;
}
static void *two(void *a) { return a; }
""" + MAIN, "--leaks")
        self.assertIn("memory is never released: message", shown.split("\n")[0])
        self.assertNotIn("message.next", shown)
        self.assertIn("t1 (one) allocates message (line 7), and nobody frees it", shown)
        self.assertIn("p.c:7:23: note: it is allocated here", shown)

    def test_arrays_of_numbers_have_elements(self):
        shown = self.report(START + """
static int *buffer;
static atomic_uint next;
static void *one(void *a) { buffer[++next] = 7; return a; }
static void *two(void *a) { return one(a); }
int main(void) {
  buffer = malloc(2 * sizeof *buffer);
""" + MAIN.split("{", 1)[1])
        self.assertIn("access out of bounds: block[2]", shown)
        self.assertIn("block was allocated in main, line 10", shown)

    def test_a_null_pointer_comes_from_somewhere(self):
        shown = self.head(START + """
struct config { int level; };
static struct config *_Atomic current;
static void *one(void *a) { if (current) current->level = 1; return a; }
static void *two(void *a) { current = NULL; return a; }
int main(void) {
  static struct config c;
  current = &c;
""" + MAIN.split("{", 1)[1])
        self.assertIn("reads current = NULL (line 7), written by t2 (two) at line 8", shown)
        self.assertRegex(shown, r"Cause: t1 is interrupted after it reads current = &c \(line 7\) and before it")

    def test_variables_of_main_are_declared_in_main(self):
        shown = self.report(START + """
static int *_Atomic shared;
static void *one(void *a) { if (shared) *shared = 1; return a; }
static void *two(void *a) { return a; }
static void lend(void) { int mine; shared = &mine; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, one, 0);
  lend();
  pthread_join(t, 0);
}
""")
        self.assertIn("main leaves the block of mine (line 8), and then t1 (one) writes *shared (line 6)", shown)
        self.assertIn("mine: declared in ", shown)

    def test_the_delay_that_is_needed(self):
        text = START + """
static atomic_int x, y, in;
static void *one(void *a) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  if (!atomic_load_explicit(&y, memory_order_relaxed)) assert(in++ == 0);
  return a;
}
static void *two(void *a) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  if (!atomic_load_explicit(&x, memory_order_relaxed)) assert(in++ == 0);
  return a;
}
""" + MAIN
        shown = self.head(text, "--model", "tso")
        self.assertRegex(shown, r"Cause: t\d.* reads [xy] = 0 \(line \d+\) before its write [xy] = 1 \(line \d+\) reaches memory")
        self.assertEqual(shown.count("reaches memory"), 1, "the delay of the thread that comes last is not needed")

    def test_no_delay_is_a_cause_of_what_happens_without(self):
        shown = self.report(START + """
static int x;
static void *one(void *a) { x = x + 1; return a; }
static void *two(void *a) { x = x + 1; return a; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, one, 0);
  pthread_create(&u, 0, two, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(x == 2);
}
""", "--model", "tso")
        self.assertIn("an update is lost", shown)
        self.assertNotIn("reaches memory", shown)

    def test_members_of_library_types_are_one_step(self):
        shown = self.report("""#include <atomic>
#include <cassert>
#include <thread>
#include <vector>
static std::vector<int> list;
static std::atomic<bool> ready, done;
int main() {
  std::thread a([] { list.push_back(3); ready = true; done = true; });
  std::thread b([] { if (ready) assert(done); });
  a.join();
  b.join();
}
""", name="p.cpp")
        self.assertIn("looks at list", shown)
        self.assertLess(len(re.findall(r"\blist\b", shown)), 8, shown)
        self.assertIn("t2 (lambda) reads ready = true (line 9), written by t1 (lambda) at line 8", shown)

    def test_values_have_the_names_of_the_source(self):
        shown = self.report(START + """
enum state { IDLE, BUSY };
struct job { enum state state; _Bool urgent; char grade; int *where; int parts[3]; };
static struct job jobs[2];
static int target;
static void *one(void *a) {
  struct job *j = &jobs[1];
  j->where = &target; j->parts[2] = 9; j->grade = 'A'; j->urgent = 1; j->state = BUSY;
  return a;
}
static void *two(void *a) {
  if (jobs[1].urgent && jobs[1].grade == 'A' && jobs[1].where && jobs[1].parts[2]) assert(jobs[1].state == BUSY);
  return a;
}
""" + MAIN)
        for words in ("jobs[1].where = &target", "jobs[1].parts[2] = 9", "jobs[1].grade = 'A'",
                      "jobs[1].urgent = true", "jobs[1].state = IDLE"):
            self.assertIn(words, shown)

    def test_wrappers_and_calls(self):
        self.write("locks.h", """#include <stdatomic.h>
static inline int get(atomic_int *p) { return atomic_load(p); }
""")
        text = START + """
#include "locks.h"
static atomic_int x;
static void *one(void *a) { x = 1; return a; }
static void *two(void *a) { assert(get(&x) == 0); return a; }
""" + MAIN
        own = self.report(text)
        self.assertNotIn("locks.h", own)
        self.assertRegex(own, r"\n +\d+  8 .*read x = 1")
        frames = self.report(text, "--frames", "all")
        self.assertRegex(frames, r"in get \(.*locks.h:2\)")

    def test_answers_say_their_scope(self):
        text = START + "\nstatic int n;\nstatic void *one(void *a) { n++; return a; }\n" + MAIN.replace("two", "one")
        shown = self.report(text, code=0)
        self.assertIn("Checked: assertions, wrong accesses to memory and deadlocks, with 3 threads.", shown)
        self.assertIn("Not checked: data races (--races).", shown)
        self.assertNotIn("Not checked", self.report(text, "--races"))
        self.assertIn("Looked for: ", self.report(text, "--races"))
        self.assertIn("deadlocks (leave out --no-deadlock)", self.report(text, "--no-deadlock", code=0))
        answer = json.loads(self.weir("check", "p.c", "--json").stdout)
        self.assertEqual(answer["scope"]["not_checked"], [{"what": "data races", "option": "--races"}])


class OtherLanguages(Cli):
    def test_any_number_of_threads_is_said(self):
        path = str(SOURCE / "examples/spinlock.rmm")
        self.assertIn("with any number of threads", self.weir("check", path, "--model", "tso", "-n", "any", code=0).stdout)
        self.assertIn("with 6 threads", self.weir("check", path, "--model", "tso", "-n", "2", code=0).stdout)

    def test_the_cause_is_told(self):
        shown = self.weir("check", "dekker.imp", "--model", "tso", code=10).stdout.split("\n")
        self.assertRegex(shown[1], r"Cause: [PQ] reads [xy] = 0 \(line \d+\) before its write [xy] = 1 \(line \d+\) reaches memory")
        self.assertNotIn("Cause", self.weir("robust", "dekker.imp", code=10).stdout)

    def test_robust_is_not_safe(self):
        path = str(SOURCE / "examples/peterson_fenced.imp")
        shown = self.weir("robust", path, code=0).stdout
        self.assertIn("Checked: what store buffers add, with 2 threads.", shown)
        self.assertIn(f"Not checked: what goes wrong without them (weir check {path}).", shown)

    def test_conditions_and_the_lock_are_waited_for(self):
        shown = self.weir("check", "sb.trn", "--deadlock", code=10).stdout
        self.assertRegex(shown, r"t\d waits for .*r.* == 0 \(line \d+\)")
        self.write("lock.trn", "thread t0\ninitial a\ntransition a b lock\nfinal b\nend\n"
                               "thread t1\ninitial a\ntransition a b lock\nfinal b\nend\n")
        self.assertRegex(self.weir("check", "lock.trn", "--deadlock", code=10).stdout, r"t\d waits for the lock \(line \d\)")

    def test_a_litmus_test_is_sent_to_outcomes(self):
        result = self.weir("check", str(SOURCE / "examples/litmus/SB.litmus"))
        self.assertIn("weir outcomes", result.stderr)
        self.assertIn("the program states no property", result.stdout)


if __name__ == "__main__":
    unittest.main()
