#!/usr/bin/env python3
"""An engine, a language and a folder of tests are added as docs/architecture.md says, to a copy of the project.

Usage: how_to_add_test.py SOURCE_DIR SCRATCH_DIR [--jobs N]

The toys below touch three existing files each: the list of rooms in CMakeLists.txt, the table of rooms in
docs/architecture.md, and the table of engines or of languages. Then the copy is built, and everything that asks the
tables knows them: the command line, its help, --format, --engine, recognition by suffix and by the first word,
suites, and the engines behind every language. Not a part of `make test`, since it builds Weir anew: make how-to-add.
"""

import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys

ENGINE = {
    "src/engine/toy/toy.hpp": """// An engine that looks at one state: the first.
#pragma once

#include "base/context.hpp"
#include "engine/answer.hpp"

namespace weir {

Answer check_toy(const Program& program, Model model, Context& context);

}  // namespace weir
""",
    "src/engine/toy/toy.cpp": """#include "engine/toy/toy.hpp"

namespace weir {

Answer check_toy(const Program& program, Model model, Context& context) {
  Answer answer;
  answer.engine = "toy";
  answer.reason = std::string(context.stopped() ? "stopped" : "only the first state was looked at") + ", of " +
                  std::to_string(program.threads.size()) + " threads, under " + name(model);
  return answer;
}

}  // namespace weir
""",
}
LANGUAGE = {
    "src/frontend/toy/toy.hpp": """// Store buffering in four words: "toy STORED LOADED", as in "toy x y".
#pragma once

#include <string>

#include "base/diagnostic.hpp"
#include "program/program.hpp"

namespace weir {

Expected<Program> parse_toy(const std::string& path, std::string text);

}  // namespace weir
""",
    "src/frontend/toy/toy.cpp": """#include "frontend/toy/toy.hpp"

#include <fmt/format.h>
#include <sstream>

#include "program/text/text.hpp"

namespace weir {

namespace {

std::string function(const std::string& name, const std::string& own, const std::string& other) {
  return fmt::format("function {0}()\\n  register r\\n  begin:\\n    store {1} := 1 -> look\\n"
                     "  look:\\n    r := load {2} -> test\\n  test:\\n    assume r == 0 -> cs\\n  cs:\\nend\\n",
                     name, own, other);
}

}  // namespace

Expected<Program> parse_toy(const std::string& path, std::string text) {
  std::istringstream in(text);
  std::string word, own, other;
  in >> word >> own >> other;
  if (other.empty() || own == other) {
    InputError error;
    const FileId file = error.sources.add(path, std::move(text));
    error.diagnostics.push_back({Severity::kError, "a toy has the form: toy STORED LOADED", {file, 1, 1}, ""});
    return error;
  }
  return parse_program_text(
      path, fmt::format("weir 1\\nprogram \\"toy\\"\\nshared {0} = 0\\nshared {1} = 0\\n{2}{3}thread P = P()\\n"
                        "thread Q = Q()\\nexclusive P at cs, Q at cs\\n",
                        own, other, function("P", own, other), function("Q", other, own)));
}

}  // namespace weir
""",
}


def copy(source, scratch):
    """What git knows, as it is now. What was built there stays."""
    names = subprocess.run(["git", "-C", source, "ls-files", "-z"], capture_output=True, text=True, check=True).stdout
    listed = {name for name in names.split("\0") if name and (source / name).is_file()}
    for old in scratch.rglob("*"):
        name = str(old.relative_to(scratch))
        if old.is_file() and not name.startswith("build/") and name not in listed:
            old.unlink()
    for name in listed:
        (scratch / name).parent.mkdir(parents=True, exist_ok=True)
        if not (scratch / name).exists() or (scratch / name).read_bytes() != (source / name).read_bytes():
            shutil.copy(source / name, scratch / name)


class Copy:
    """The copy, and which of its files were changed."""

    def __init__(self, folder):
        self.folder, self.changed = folder, set()

    def add(self, files):
        for name, text in files.items():
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_text(text)

    def insert(self, name, before, text):
        """Puts the text in front of the line that begins with `before`, which there is once."""
        path = self.folder / name
        lines = path.read_text().split("\n")
        found = [i for i, line in enumerate(lines) if line.startswith(before)]
        assert len(found) == 1, f"{name} has {len(found)} lines that begin with {before!r}"
        lines.insert(found[0], text)
        path.write_text("\n".join(lines))
        self.changed.add(name)

    def let_see(self, room, needs, *other):
        """In CMakeLists.txt a library may link another; in the table of rooms one may include another."""
        path = self.folder / "CMakeLists.txt"
        text, count = re.subn(rf"(?m)^(room\({room} [^)]*)\)", rf"\1 {needs})", path.read_text())
        assert count == 1, f"CMakeLists.txt makes the library {room} {count} times"
        path.write_text(text)
        path = self.folder / "docs/architecture.md"
        for row, included in other:
            text, count = re.subn(rf"(?m)^(\| `{row}` \|.*) \|$", rf"\1, `{included}` |", path.read_text())
            assert count == 1, f"docs/architecture.md has {count} rows for {row}"
            path.write_text(text)


def add_engine(copy):
    copy.changed.clear()
    copy.add(ENGINE)
    copy.insert("CMakeLists.txt", "room(portfolio ", "room(toy engine/toy NEEDS weir_engine)")
    copy.insert("docs/architecture.md", "| `engine/portfolio` |",
                "| `engine/toy` | an engine that looks at one state | `program`, `trace`, `engine` |")
    copy.let_see("verify", "weir_toy", ("verify", "engine/toy"))
    copy.insert("src/verify/engines.cpp", '#include "verify/engine_options.hpp"', '#include "engine/toy/toy.hpp"')
    copy.insert("src/verify/engines.cpp", "constexpr Engine kEngines[] = {",
                "Answer by_toy(const Program& program, const Question& question, Context& context) {\n"
                "  return check_toy(program, question.model, context);\n}\n")
    copy.insert("src/verify/engines.cpp", '    {.name = "lazy"',
                '    {.name = "toy", .models = kAllModels, .obstacle = nothing, .run = by_toy},')
    assert len(copy.changed) == 3, f"an engine touches {sorted(copy.changed)}"


def add_language(copy):
    copy.changed.clear()
    copy.add(LANGUAGE)
    copy.insert("CMakeLists.txt", "room(litmus ", "room(toy_front frontend/toy NEEDS weir_program)")
    copy.insert("docs/architecture.md", "| `frontend/litmus` |",
                "| `frontend/toy` | store buffering in four words | `program` |")
    copy.let_see("verify", "weir_toy_front", ("verify", "frontend/toy"))
    copy.insert("src/verify/languages.cpp", '#include "frontend/trencher/fence_edits.hpp"', '#include "frontend/toy/toy.hpp"')
    copy.insert("src/verify/languages.cpp", "constexpr Language kLanguages[] = {",
                'constexpr std::string_view kToySuffixes[] = {".toy"}, kToyWords[] = {"toy"};\n\n'
                "Expected<Program> parse_four_words(const std::string& path, std::string text, const Dialect&) {\n"
                "  return parse_toy(path, std::move(text));\n}\n")
    copy.insert("src/verify/languages.cpp", '    {.name = "c",',
                '    {.name = "toy", .suffixes = kToySuffixes, .first_words = kToyWords, .parse = parse_four_words},')
    assert len(copy.changed) == 3, f"a language touches {sorted(copy.changed)}"


def build(folder, jobs):
    subprocess.run(["cmake", "--preset", "release", "-DWEIR_TESTS=OFF", "--log-level=WARNING"], cwd=folder, check=True,
                   stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", "--preset", "release", "--target", "weir", "-j", str(jobs)], cwd=folder, check=True)
    return folder / "build/release/weir"


def ask(weir, *arguments, text=None):
    done = subprocess.run([weir, *arguments], capture_output=True, text=True, input=text, check=False)
    return done.returncode, done.stdout, done.stderr


def expect(what, wanted, got):
    assert wanted == got, f"{what}: expected {wanted!r}, not {got!r}"


def check_answers(weir, folder):
    (folder / "build/ab.toy").write_text("toy a b\n")
    (folder / "build/bad.toy").write_text("toy a\n")
    toy = str(folder / "build/ab.toy")
    for model, code in (("sc", 0), ("tso", 10), ("pso", 10)):
        expect(f"the toy program under {model}", code, ask(weir, "check", toy, "--model", model)[0])
    expect("robustness of it", 10, ask(weir, "robust", toy)[0])
    fences = json.loads(ask(weir, "fence", toy, "--json")[1])
    expect("its fences", 2, len(fences["fences"]))
    expect("by its first word", 10, ask(weir, "check", "-", "--model", "tso", text="toy a b\n")[0])
    expect("by --format", 10, ask(weir, "check", "-", "--format", "toy", "--model", "tso", text="toy a b\n")[0])
    code, _, message = ask(weir, "check", str(folder / "build/bad.toy"))
    expect("a bad toy", 2, code)
    assert "bad.toy:1:1: error: a toy has the form" in message, message
    code, answer, _ = ask(weir, "check", toy, "--engine", "toy", "--json")
    expect("the toy engine", (5, "toy"), (code, json.loads(answer)["engine"]))
    code, _, message = ask(weir, "check", toy, "--engine", "tay")
    expect("an engine that there is not", 1, code)
    assert "did you mean toy?" in message, message
    shown = ask(weir, "check", "--help")[1] + ask(weir, "--markdown", "check")[1]
    assert "|lazy" in shown.replace(" ", "") and "toy" in shown, "the help does not know the toys"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("scratch", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    source, scratch = arguments.source.resolve(), arguments.scratch.resolve()
    scratch.mkdir(parents=True, exist_ok=True)
    copy(source, scratch)
    toys = Copy(scratch)
    add_engine(toys)
    add_language(toys)
    subprocess.run([sys.executable, scratch / "tests/rooms_test.py", scratch], check=True)
    check_answers(build(scratch, arguments.jobs), scratch)
    print("an engine and a language were added, each with a folder and three lines elsewhere")


if __name__ == "__main__":
    main()
