"""What the tests of the command line share: the program under test, small programs to give it, and a test case that
runs it in a folder of its own and holds every JSON answer against its schema.

A test that imports this takes PATH_TO_WEIR [SOURCE_DIR] from the front of its arguments; the others are for unittest.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

WEIR = os.path.abspath(sys.argv.pop(1))
GIVEN = sys.argv[1:] and os.path.isdir(sys.argv[1])
SOURCE = pathlib.Path(sys.argv.pop(1) if GIVEN else pathlib.Path(__file__).parents[2]).absolute()
HAS_C = os.path.exists(os.path.join(os.path.dirname(WEIR), "libweir_c.so"))

sys.path.insert(0, str(SOURCE / "tests/schema"))
import validation  # noqa: E402: found by the line above

DEKKER = """program dekker
variables x = 0, y = 0
exclusive P:cs, Q:cs
process P begin
  x := 1;
  if y = 0 then
    cs: skip
  fi
end
process Q begin
  y := 1;
  if x = 0 then
    cs: skip
  fi
end
"""

TRENCHER = """thread t0
initial a
transition a b write 1 0
transition b c read r 1
transition c d check == r 0
final d
end
thread t1
initial a
transition a b write 1 1
transition b c read r 0
transition c d check == r 0
final d
end
"""

# Tickets count up for ever.
TICKET = """name 0 next
name 1 serving
name 2 done
thread t1
initial q0
transition q0 q1 lock
transition q1 q2 read mine 0
transition q2 q3 write + mine 1 0
transition q3 q4 unlock
transition q4 q5 read now 1
transition q5 q4 check != now mine
transition q5 cs check == now mine
transition cs q6 write 1 2
transition q6 q7 write + mine 1 1
transition q7 q0 read done 2
end
thread t2
initial q0
transition q0 q1 lock
transition q1 q2 read mine 0
transition q2 q3 write + mine 1 0
transition q3 q4 unlock
transition q4 q5 read now 1
transition q5 q4 check != now mine
transition q5 cs check == now mine
transition cs q6 write 1 2
transition q6 q7 write + mine 1 1
transition q7 q0 read done 2
end
"""

ENDLESS = """weir 1
shared x
shared y
function f(me)
  register r
  s:
    r := load x -> t
  t:
    store x := r * 3 + me -> u
  u:
    r := load y -> v
  v:
    store y := r * 5 - me -> s
end
thread A = f(1)
thread B = f(2)
invariant x * 0 == 0
"""

RACE = """#include <pthread.h>
int x, y;
static void *writer(void *arg) {
  x = 1;
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  y = x;
  pthread_join(t, 0);
  return y;
}
"""


class Cli(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.write("dekker.imp", DEKKER)
        self.write("sb.trn", TRENCHER)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, name, text):
        mode = "wb" if isinstance(text, bytes) else "w"
        with open(self.path(name), mode) as file:
            file.write(text)
        return name

    def weir(self, *arguments, code=None, timeout=60, **keywords):
        folder = keywords.pop("cwd", self.folder.name)
        result = subprocess.run([WEIR, *arguments], cwd=folder, capture_output=True, text=True, errors="replace",
                                timeout=timeout, **keywords)
        if code is not None:
            self.assertEqual(result.returncode, code, f"weir {' '.join(arguments)}\n{result.stdout}{result.stderr}")
        self.assertEqual(validation.output_mistakes(arguments, result.returncode, result.stdout, folder), [],
                         f"weir {' '.join(arguments)}")
        return result

    def fails(self, code, message, *arguments):
        """One clear message on standard error, nothing on standard output, quickly."""
        start = time.monotonic()
        result = self.weir(*arguments, code=code)
        self.assertLess(time.monotonic() - start, 5)
        self.assertIn(message, result.stderr)
        self.assertEqual(result.stderr.count("error:"), 1, result.stderr)
        self.assertEqual(result.stdout, "")
        return result.stderr


class ManyPrograms(Cli):
    def setUp(self):
        super().setUp()
        for folder, pattern in (("bench/robustness", "*.trn"), ("examples", "*.imp"), ("examples", "*.rmm")):
            for path in sorted((SOURCE / folder).glob(pattern)):
                self.write(path.name, path.read_text())
