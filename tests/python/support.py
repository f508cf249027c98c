"""What the tests of the Python package share: they run against the package that CMake has built.

Usage of each test: NAME_test.py PACKAGE_DIR PATH_TO_WEIR SOURCE_DIR [OPTIONS OF UNITTEST]
"""

import os
import pathlib
import subprocess
import sys

PACKAGE, WEIR, SOURCE = (pathlib.Path(path).resolve() for path in sys.argv[1:4])
del sys.argv[1:4]
sys.path.insert(0, str(PACKAGE))

EXAMPLES = SOURCE / "examples"
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(PACKAGE)}

# Safe, and without an end when it is asked for so many random schedules.
TURN = str(EXAMPLES / "turn_fenced.imp")
ENDLESS = {"random": 10**15}


def run(program, **options):
    """A Python program in a process of its own."""
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=ENVIRONMENT, timeout=300,
                          **options)  # fmt: skip
