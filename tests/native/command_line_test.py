#!/usr/bin/env python3
"""weir replay --native on the command line: what it says, its exit codes, and that nothing is left behind.

Usage: command_line_test.py PATH_TO_WEIR FOLDER_OF_C_PROGRAMS
"""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

WEIR, PROGRAMS = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()


class Native(unittest.TestCase):
    def setUp(self):
        self.keep = tempfile.TemporaryDirectory()
        self.addCleanup(self.keep.cleanup)
        self.folder = pathlib.Path(self.keep.name)
        (self.folder / "tmp").mkdir()

    def weir(self, *arguments, input=""):
        return subprocess.run([WEIR, *arguments], capture_output=True, text=True, cwd=self.folder, timeout=120, input=input,
                              env=os.environ | {"TMPDIR": str(self.folder / "tmp")})

    def source(self, name, text):
        (self.folder / name).write_text(text)
        return name

    def witness(self, source, *options):
        done = self.weir("check", source, "--witness", "w.json", "-q", *options)
        self.assertEqual(done.returncode, 10, done.stdout + done.stderr)
        return json.loads((self.folder / "w.json").read_text())

    def test_the_replay_file_names_its_sources(self):
        source = self.source("a.c", "#include <assert.h>\nint main(void) { assert(N == 1); }\n")
        saved = self.witness(source, "--", "-DN=2")
        self.assertEqual(saved["c"], {"directory": str(self.folder), "files": ["a.c"], "arguments": ["-DN=2"]})
        done = self.weir("replay", "w.json", "--native")
        self.assertEqual(done.returncode, 10, done.stdout)
        self.assertIn("native: confirmed: assertion \"N == 1\" fails at a.c:2\n", done.stdout)

    def test_a_program_that_does_not_follow_is_told(self):
        """The source has changed since: what the execution says is no longer true of it."""
        source = self.source("a.c", "#include <assert.h>\nint x;\nint main(void) {\n  x = 1;\n  assert(x == 2);\n}\n")
        self.witness(source)
        self.source("a.c", "#include <assert.h>\nint x;\nint main(void) {\n  x = 2;\n  assert(x == 2);\n}\n")
        done = self.weir("replay", "w.json", "--native")
        self.assertEqual(done.returncode, 5, done.stdout)
        self.assertIn("native: not confirmed: ", done.stdout)
        answer = json.loads(self.weir("replay", "w.json", "--native", "--json").stdout)
        self.assertEqual(answer["native"], "diverged")

    def test_another_line_is_no_confirmation(self):
        source = self.source("a.c", "#include <assert.h>\nint x;\nint main(void) {\n  x = 1;\n  assert(x == 2);\n}\n")
        self.witness(source)
        self.source("a.c", "#include <assert.h>\nint x;\nint main(void) {\n  x = 1;\n\n  assert(x == 2);\n}\n")
        done = self.weir("replay", "w.json", "--native")
        self.assertEqual(done.returncode, 5, done.stdout)

    def test_a_file_without_sources(self):
        source = self.source("a.c", "#include <assert.h>\nint main(void) { assert(0); }\n")
        saved = self.witness(source)
        del saved["c"], saved["sha256"]
        (self.folder / "old.json").write_text(json.dumps(saved))
        done = self.weir("replay", "old.json", "--native")
        self.assertEqual(done.returncode, 10)
        self.assertIn("native: unavailable: the file does not name the C files of the program\n", done.stdout)

    def test_a_program_that_hangs_is_ended(self):
        """The native run waits where the search said it would not."""
        source = self.source("a.c", "#include <assert.h>\nint main(void) { assert(0); }\n")
        self.witness(source)
        self.source("a.c", "int main(void) { for (;;) ; }\n")
        done = self.weir("replay", "w.json", "--native")
        self.assertEqual(done.returncode, 5)
        self.assertIn("nothing for ten seconds", done.stdout)

    def test_an_uninitialised_read_cannot_be_observed(self):
        done = self.weir("check", str(PROGRAMS / "memory_uninitialised_array.c"), "--native")
        self.assertEqual(done.returncode, 10)
        self.assertIn("native: not observable: ", done.stdout)

    def confirmed(self, name, text, *options):
        done = self.weir("check", self.source(name, text), "--native", *options)
        self.assertEqual(done.returncode, 10, done.stdout + done.stderr)
        self.assertIn("native: confirmed", done.stdout)

    def test_a_weak_exchange_fails_without_a_reason(self):
        self.confirmed("a.c", """#include <assert.h>
#include <stdatomic.h>
atomic_int a;
int main(void) {
  int expected = 0, done = atomic_compare_exchange_weak(&a, &expected, 5);
  assert(expected == 0);
  assert(done);
}
""")

    def test_try_lock_fails_without_a_reason(self):
        self.confirmed("a.cpp", """#include <cassert>
#include <mutex>
std::mutex m;
int main() {
  const bool got = m.try_lock();
  if (got) m.unlock();
  assert(got);
}
""")
        self.confirmed("b.c", """#include <assert.h>
#include <threads.h>
mtx_t m;
int main(void) {
  mtx_init(&m, mtx_plain);
  assert(mtx_trylock(&m) == thrd_success);
}
""")

    def test_there_is_no_memory_left(self):
        self.confirmed("a.c", """#include <stdlib.h>
int main(void) {
  int* kept = malloc(4);
  if (!kept) return 0;
  int* zeroed = calloc(1, 4);
  *zeroed = 2;
}
""", "--failing-malloc")

    def test_a_static_object_is_destroyed_before_a_thread_uses_it(self):
        self.confirmed("a.cpp", """#include <condition_variable>
#include <mutex>
#include <thread>
std::mutex m;
std::condition_variable c;
static void work() {
  std::unique_lock<std::mutex> lock(m);
  c.wait(lock);
}
int main() {
  std::thread(work).detach();
}
""")

    @unittest.skipUnless(shutil.which("gdb"), "there is no gdb")
    def test_the_debugger_stops_where_the_program_fails(self):
        source = self.source("a.c", """#include <assert.h>
#include <pthread.h>
struct job { int number; };
static int total;
static void* work(void* argument) {
  struct job* mine = argument;
  total += mine->number;
  return 0;
}
int main(void) {
  pthread_t thread;
  struct job first = {4};
  pthread_create(&thread, 0, work, &first);
  pthread_join(thread, 0);
  assert(total == 5);
}
""")
        self.witness(source)
        done = self.weir("replay", "w.json", "--debugger", input="print first.number + 1\nprint total\nquit\n")
        if "ptrace: Operation not permitted" in done.stdout + done.stderr:
            self.skipTest("processes may not be looked into here")
        self.assertEqual(done.returncode, 10, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"main \(\) at .*a\.c:15")
        self.assertIn("$1 = 5\n", done.stdout)
        self.assertIn("$2 = 4\n", done.stdout)
        self.assertIn("native: confirmed: assertion \"total == 5\" fails at a.c:15\n", done.stdout)

    @unittest.skipUnless(shutil.which("gdb"), "there is no gdb")
    def test_the_debugger_shows_a_crash_in_its_thread(self):
        source = self.source("a.c", """#include <pthread.h>
static int* nothing;
static void* work(void* argument) {
  return *nothing ? argument : 0;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
}
""")
        self.witness(source)
        done = self.weir("replay", "w.json", "--debugger", input="info threads\nprint nothing\nquit\n")
        if "ptrace: Operation not permitted" in done.stdout + done.stderr:
            self.skipTest("processes may not be looked into here")
        self.assertRegex(done.stdout, r"work \(argument=0x0\) at .*a\.c:4")
        self.assertIn("(int *) 0x0", done.stdout)
        self.assertIn("native: confirmed", done.stdout)

    def test_without_a_debugger_the_program_waits(self):
        source = self.source("a.c", "#include <assert.h>\nint main(void) { assert(0); }\n")
        self.witness(source)
        tools = self.folder / "tools"
        tools.mkdir()
        for name in ("clang-19", "ld"):
            (tools / name).symlink_to(shutil.which(name))
        running = subprocess.Popen([WEIR, "replay", "w.json", "--debugger"], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, cwd=self.folder,
                                   env={"PATH": str(tools), "TMPDIR": str(self.folder / "tmp")})
        said = running.stderr.readline()
        process = int(re.fullmatch(r"there is no gdb here; the program waits:  gdb -p (\d+)\n", said)[1])
        os.kill(process, signal.SIGKILL)
        output, _ = running.communicate(timeout=60)
        self.assertIn("native: confirmed", output)

    def tearDown(self):
        self.assertEqual(list((self.folder / "tmp").iterdir()), [], "temporary files are left")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
