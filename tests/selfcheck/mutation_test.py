"""Does the self-check find mistakes? Each fault of src/base/fault.hpp is switched on by itself in a build that has
them, and `weir selfcheck` must disagree within a few programs; with none switched on it must not.

    mutation_test.py ROOT BUILD [--jobs N] [--programs N] [--only FAULT...]

Prints for each fault the number of the program that showed it, and by which comparison."""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile


def faults(source):
    """All names in calls of fault(…), with the file they are in."""
    found = {}
    for path in sorted(source.rglob("*.?pp")):
        for name in re.findall(r'\bfault\("([a-z-]+)"\)', path.read_text()):
            found[name] = path.relative_to(source)
    return found


def build(root, folder, jobs):
    subprocess.run(["cmake", "--preset", "release", "-S", root, "-B", folder,
                    "-DWEIR_FAULTS=ON", "-DWEIR_TESTS=OFF",
                    "--log-level=WARNING"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", folder, "--target", "weir", "-j", str(jobs)], check=True,
                   stdout=subprocess.DEVNULL)
    return pathlib.Path(folder) / "weir"


def selfcheck(weir, fault, programs, jobs):
    """The JSON answer with this fault; what went wrong if there is none."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([weir, "selfcheck", "--count", str(programs), "--jobs", str(jobs), "--json", "-q",
                               "--output", folder], env={**os.environ, "WEIR_FAULT": fault}, capture_output=True,
                              text=True, timeout=1800)
    if done.returncode not in (0, 6) or not done.stdout:
        return None, f"exit {done.returncode}: {done.stderr.strip()[:200]}"
    return json.loads(done.stdout), ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("root")
    parser.add_argument("build")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--programs", type=int, default=2000)
    parser.add_argument("--only", nargs="*", metavar="FAULT")
    options = parser.parse_args()
    weir = build(options.root, options.build, options.jobs)
    known = faults(pathlib.Path(options.root) / "src")
    wrong = 0
    print(f"{'fault':<24}{'in':<46}{'program':>8}  {'comparison':<14}model", flush=True)
    for name in ["", *(options.only or known)]:
        answer, problem = selfcheck(weir, name, options.programs, options.jobs)
        found = answer.get("disagreement") if answer else None
        if problem or bool(found) != bool(name):
            wrong += 1
        place = str(known.get(name, ""))
        if found:
            print(f"{name or '(none)':<24}{place:<46}{found['number']:>8}  {found['comparison']:<14}{found['model']}",
                  flush=True)
        else:
            print(f"{name or '(none)':<24}{place:<46}{'none':>8}  {problem}", flush=True)
    print(f"{len(options.only or known)} faults, {wrong} problems")
    return 1 if wrong else 0


sys.exit(main())
