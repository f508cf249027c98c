#!/usr/bin/env python3
"""While a question runs, Python goes on: Ctrl-C ends it, others run at the same time, and progress is told.

The questions here have no end of their own, so that a test that passes has ended them.
"""

import os
import signal
import subprocess
import sys
import threading
import unittest

from support import ENDLESS, ENVIRONMENT, TURN

import weir


class Enough(Exception):
    pass


class Running(unittest.TestCase):
    def test_progress_is_told_and_may_end_it(self):
        seen = []

        def tell(progress):
            seen.append(progress)
            if len(seen) == 3:
                raise Enough

        with self.assertRaises(Enough):
            weir.check(TURN, **ENDLESS, progress=tell)
        self.assertEqual(len(seen), 3)
        self.assertLessEqual(seen[0].states, seen[2].states)
        self.assertLess(seen[0].seconds, seen[2].seconds)

    def test_two_at_the_same_time(self):
        # Each waits in its callback for the other one, so neither ends unless both run.
        both = threading.Barrier(2, timeout=300)
        raised = []

        def meet(progress):
            both.wait()
            raise Enough

        def ask(program):
            try:
                weir.check(program, **ENDLESS, progress=meet)
            except Enough as error:
                raised.append(error)

        program = weir.load(TURN)
        for programs in ((TURN, TURN), (program, program)):
            raised.clear()
            both.reset()
            threads = [threading.Thread(target=ask, args=(program,)) for program in programs]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(len(raised), 2)

    def test_other_threads_go_on(self):
        # The question ends when the main thread says so: it must be running meanwhile.
        enough = threading.Event()
        ended = []

        def until_told(progress):
            if enough.is_set():
                raise Enough

        def ask():
            try:
                weir.check(TURN, **ENDLESS, progress=until_told)
            except Enough:
                ended.append(True)

        thread = threading.Thread(target=ask)
        thread.start()
        enough.set()
        thread.join()
        self.assertEqual(ended, [True])


PROGRAM = """
import sys, weir

def tell(progress):
    print("running", flush=True)

try:
    weir.check({program!r}, **{options!r}, progress=tell)
except KeyboardInterrupt:
    print("interrupted")
    answer = weir.check({program!r})  # and the next question is answered
    print(answer.verdict)
"""


@unittest.skipIf(os.name != "posix", "signals")
class Interrupts(unittest.TestCase):
    def interrupted(self, options):
        program = subprocess.Popen([sys.executable, "-c", PROGRAM.format(program=TURN, options=options)], text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT)  # fmt: skip
        with program:
            try:
                self.assertEqual(program.stdout.readline(), "running\n")
                program.send_signal(signal.SIGINT)
                output, errors = program.communicate(timeout=300)
            finally:
                program.kill()
        self.assertEqual(program.returncode, 0, errors)
        return [line for line in output.splitlines() if line != "running"]

    def test_ctrl_c(self):
        self.assertEqual(self.interrupted(ENDLESS), ["interrupted", "safe"])

    def test_without_a_handler_of_python(self):
        # A process that ignores the signal goes on, until something else ends it.
        program = (
            "import signal, weir\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nseen = []\n"
            "def tell(progress):\n    signal.raise_signal(signal.SIGINT)\n    seen.append(progress)\n"
            "    if len(seen) == 3: raise ValueError('enough')\n"
            f"weir.check({TURN!r}, **{ENDLESS!r}, progress=tell)\n"
        )
        result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=ENVIRONMENT, timeout=300)
        self.assertIn("ValueError: enough", result.stderr)

    def test_handlers_of_users_are_called(self):
        program = (
            "import os, signal, weir\n"
            "class Hangup(Exception): pass\n"
            "def hear(*_): raise Hangup('heard')\n"
            "signal.signal(signal.SIGHUP, hear)\n"
            f"weir.check({TURN!r}, **{ENDLESS!r}, progress=lambda p: os.kill(os.getpid(), signal.SIGHUP))\n"
        )
        result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=ENVIRONMENT, timeout=300)
        self.assertIn("Hangup: heard", result.stderr)


unittest.main()
