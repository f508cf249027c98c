#!/usr/bin/env python3
"""Does the second opinion find mistakes? Each of faults.py is put into a copy of the C front end, which is built, and
second_opinion.py must disagree with it within a number of programs; with none it must not.

    faults_test.py ROOT PATH_TO_WEIR FOLDER [--jobs N] [--programs N] [--only FAULT...]

FOLDER is for the copy and what is built of it; it is used again the next time. The rest of weir is the one given.
Prints for each fault the number of the program that showed it, and what that said.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys

import faults

COPIED = ("CMakeLists.txt", "CMakePresets.json", "cmake", "src", "web/dist", "LICENSE")
NONE = faults.Fault("(none)", "", ())


def files_in(path):
    return sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]


def refresh(origin, copy):
    """The copy becomes as the origin. A file that has not changed keeps its time, and is not built again."""
    for path in files_in(copy):
        if copy.is_dir() and not (origin / path.relative_to(copy)).exists():
            path.unlink()
    for path in files_in(origin):
        target = copy / path.relative_to(origin) if origin.is_dir() else copy
        if target.exists() and target.read_bytes() == path.read_bytes():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)


class Copy:
    """A copy of the sources, in which one fault at a time is made."""

    def __init__(self, root, weir, folder, jobs):
        self.root, self.weir, self.folder, self.jobs = root, weir, folder, jobs
        self.source, self.build = folder / "source", folder / "build"

    def prepare(self):
        for name in COPIED:
            if (self.root / name).exists():
                refresh(self.root / name, self.source / name)
        subprocess.run(["cmake", "--preset", "release", "-S", self.source, "-B", self.build, "-DWEIR_TESTS=OFF",
                        "--log-level=WARNING"], check=True, stdout=subprocess.DEVNULL, cwd=self.source)

    def file_of(self, fault):
        found = list((self.source / "src" / "frontend" / "c").rglob(fault.file))
        if len(found) != 1:
            raise SystemExit(f"{fault.name}: there are {len(found)} files {fault.file} in the C front end")
        return found[0]

    def changed(self, fault, text):
        for old, new in fault.changes:
            if old not in text:
                raise SystemExit(f"{fault.name}: {fault.file} no longer has the text\n{old}")
            text = text.replace(old, new)
        return text

    def build_with(self, fault):
        """weir, next to a front end that has the fault."""
        if not fault.changes:
            return self.built("none")
        path = self.file_of(fault)
        right = path.read_text()
        path.write_text(self.changed(fault, right))
        try:
            return self.built(fault.name)
        finally:
            path.write_text(right)

    def built(self, name):
        subprocess.run(["cmake", "--build", self.build, "--target", "weir_c_module", "-j", str(self.jobs)], check=True,
                       stdout=subprocess.DEVNULL)
        result = self.folder / name
        result.mkdir(exist_ok=True)
        shutil.copy2(self.weir, result / "weir")
        shutil.copy2(self.build / "libweir_c.so", result)
        shutil.copy2(pathlib.Path(self.weir).resolve().parent / "libweir_native.so", result)
        return result / "weir"


def first_disagreement(weir, seed, programs, jobs, output):
    """(number of the program or None, what it said)"""
    done = subprocess.run([sys.executable, pathlib.Path(__file__).with_name("second_opinion.py"), weir, "--seed", seed,
                           "--count", str(programs), "--jobs", str(jobs), "--stop", "--output", output],
                          capture_output=True, text=True)
    found = re.search(r"^program (\d+) under (\w+): (.*)", done.stdout, re.M)
    if found:
        return int(found[1]), f"{found[2]}: {found[3]}"
    if done.returncode != 0:
        raise SystemExit(done.stdout + done.stderr)
    return None, ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("weir", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--programs", type=int, default=5000)
    parser.add_argument("--seed", default="faults")
    parser.add_argument("--only", nargs="*", metavar="FAULT")
    options = parser.parse_args()
    copy = Copy(options.root.resolve(), options.weir.resolve(), options.folder.resolve(), options.jobs)
    copy.prepare()
    chosen = [f for f in (NONE, *faults.FAULTS) if not options.only or f.name in options.only]
    wrong = 0
    print(f"{'fault':<32}{'in':<24}{'program':>8}  what was seen", flush=True)
    for fault in chosen:
        weir = copy.build_with(fault)
        number, said = first_disagreement(weir, options.seed, options.programs, options.jobs, weir.parent / "found")
        wrong += (number is None) != (fault is NONE)
        print(f"{fault.name:<32}{fault.file:<24}{'none' if number is None else number:>8}  {said[:140]}", flush=True)
    print(f"{len(chosen)} tried, {wrong} problems")
    return 1 if wrong or not chosen else 0


sys.exit(main())
