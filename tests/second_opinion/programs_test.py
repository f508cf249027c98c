#!/usr/bin/env python3
"""The generated programs have all that they should, the same seed gives the same, and pieces can be left out."""

import unittest

import second_opinion

PROGRAMS = [second_opinion.question("families", number) for number in range(1500)]
IN_C = {
    "locals that escape": "escape();", "scopes": "for (int i = 0; i < 2; i++) {", "alloca": "room();",
    "arrays of variable length": "[n];", "compound literals": "&(int){", "heap": "malloc(", "structures by value": "total(",
    "unions": "union {", "bit-fields": "bits.", "thread-local variables": "tl", "values of threads": "pthread_setspecific(",
    "condition variables": "pthread_cond_wait(", "timed waits": "pthread_cond_timedwait(", "try-locks": "pthread_mutex_trylock(",
    "recursive mutexes": "PTHREAD_MUTEX_RECURSIVE", "read-write locks": "pthread_rwlock_wrlock(", "spin locks": "pthread_spin_lock(",
    "once": "pthread_once(", "semaphores": "sem_wait(", "barriers": "pthread_barrier_wait(", "recursion": "sum(n - 1)",
    "strings": "strlen(", "printing": "puts(", "formats": "snprintf(", "copies": "memcpy(", "leaving a thread": "pthread_exit(0)",
    "leaving the process": "exit(0)", "handlers at exit": "atexit(", "C11 threads": "mtx_lock(", "goto": "goto ",
    "narrow atomics": "_Atomic short", "fences": "atomic_thread_fence(", "arithmetic": "<< (", "indices": "arr[",
}
IN_CPP = {
    "guards": "std::lock_guard<", "locks that are tried": "std::try_to_lock", "several locks": "std::scoped_lock",
    "owners": "std::unique_ptr<", "shared owners": "std::shared_ptr<", "destructors": "~Setter()", "threads": "std::thread ",
    "atomics": "std::atomic<int>", "condition variables": "std::condition_variable", "once": "std::call_once(",
    "static objects": "static Single only;", "thread-local objects": "thread_local Own", "lambdas": "[&]",
    "temporary objects": "Node(5).value", "leaving": "std::exit(0)",
}


class Programs(unittest.TestCase):
    def test_all_families_occur(self):
        for language, families in (("c", IN_C), ("cpp", IN_CPP)):
            texts = [asked.program.text for asked in PROGRAMS if asked.program.language == language]
            for family, text in families.items():
                with self.subTest(family=family, language=language):
                    self.assertTrue(any(text in program for program in texts))

    def test_all_models_occur(self):
        self.assertEqual({asked.model for asked in PROGRAMS}, {"sc", "tso", "pso"})

    def test_a_number_names_a_program(self):
        for number in (0, 9, 77):
            again = second_opinion.question("families", number)
            self.assertEqual(again.program.text, PROGRAMS[number].program.text)
            self.assertNotEqual(second_opinion.question("others", number).program.text, again.program.text)

    def test_one_piece_less(self):
        program = PROGRAMS[3].program
        removable = [i for i, (_, can_go) in enumerate(program.pieces) if can_go]
        fewer = program.without(removable[0])
        self.assertEqual(len(fewer.pieces), len(program.pieces) - 1)
        self.assertEqual(fewer.text, program.text.replace(program.pieces[removable[0]][0], "", 1))


class Kinds(unittest.TestCase):
    def test_names_and_places_make_no_difference(self):
        kind = second_opinion.kind_of
        self.assertEqual(kind('safe, but assertion: assertion "x == 1" fails'),
                         kind('safe, but assertion: assertion "y <= 2" fails'))
        self.assertNotEqual(kind("safe, but dead-stack: uses 'k', a variable that has ended"),
                            kind("safe, but deadlock: no thread can go on"))

    def test_a_failure_of_another_kind_is_not_the_same(self):
        deadlock = {"kind": "deadlock", "message": "deadlock: main cannot go on"}
        failed = {"kind": "assertion", "message": 'assertion "x" fails'}
        self.assertTrue(second_opinion.is_same(deadlock, "deadlock", "no thread can go on"))
        self.assertFalse(second_opinion.is_same(deadlock, "assertion", 'assertion "x" fails'))
        self.assertTrue(second_opinion.is_same(failed, "assertion", 'assertion "x" fails'))
        self.assertFalse(second_opinion.is_same(failed, "assertion", 'assertion "y" fails'))


if __name__ == "__main__":
    unittest.main()
