#!/usr/bin/env python3
"""Compares Weir with the processor on random sequential C programs.

Usage: random_programs.py PATH_TO_WEIR [--count N] [--seed N] [--keep FOLDER]

Each program computes with integers of all widths, floating point, arrays, structures, pointers, loops, switches,
recursion and bit fields, without undefined behaviour, and folds everything into one checksum. The compiled program
prints the checksum. Weir must say that it is this number, and that it is no other.
"""

import argparse
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "schema"))
import validation  # noqa: E402: found by the line above

TYPES = ["int8_t", "uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t", "int64_t", "uint64_t"]
SECONDS = 120

PRELUDE = """#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t checksum = 14695981039346656037u;

static void fold(uint64_t value) {
  checksum ^= value;
  checksum *= 1099511628211u;
}
static uint64_t bits_of(double number) {
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  return number != number ? 1 : bits;
}
"""

POSTLUDE = """
int main(void) {
  run();
#ifdef EXPECTED
  assert(checksum == EXPECTED);
#elif defined(REFUTED)
  assert(checksum != REFUTED);
#else
  printf("%llu\\n", (unsigned long long)checksum);
#endif
  return 0;
}
"""


class Generator:
    """Makes one program. Every operation that could be undefined is guarded."""

    def __init__(self, random_source):
        self.random = random_source
        self.lines = []
        self.variables = []  # (name, type) that can be read and written
        self.read_only = []
        self.doubles = []
        self.functions = []
        self.next_name = 0

    def name(self, prefix):
        self.next_name += 1
        return f"{prefix}{self.next_name}"

    def constant(self, kind):
        r = self.random
        bits = int("".join(c for c in kind if c.isdigit()))
        sign = 1 << (bits - 1)
        value = r.choice([r.randrange(0, 16), r.getrandbits(bits), sign - 1, sign, 2 * sign - 1])
        return f"(({kind}){value & ((1 << bits) - 1)}u{'ll' if bits == 64 else ''})"

    def leaf(self):
        readable = self.variables + self.read_only
        if readable and self.random.random() < 0.75:
            return self.random.choice(readable)
        kind = self.random.choice(TYPES)
        return self.constant(kind), kind

    def expression(self, depth):
        """(text, type). Arithmetic is done in 32 or 64 bits without sign, where it is defined to wrap."""
        r = self.random
        if depth == 0 or r.random() < 0.15:
            return self.leaf()
        kind = r.choice(TYPES)
        wide = r.choice(["uint32_t", "uint64_t"])
        left = f"({wide})({self.expression(depth - 1)[0]})"
        right = f"({wide})({self.expression(depth - 1)[0]})"
        form = r.randrange(12)
        if form < 4:
            return f"(({kind})({left} {r.choice('+-*&|^')} {right}))", kind
        if form == 4:
            return f"(({kind})({left} {r.choice('/%')} ({right} | 1u)))", kind
        if form == 5:
            bits = 31 if wide == "uint32_t" else 63
            return f"(({kind})({left} {r.choice(['<<', '>>'])} ({right} & {bits}u)))", kind
        if form == 6:
            signed = "int32_t" if wide == "uint32_t" else "int64_t"
            operation = r.choice(["<", "<=", ">", ">=", "==", "!="])
            side = signed if r.random() < 0.5 else wide
            return f"(({kind})(({side})({left}) {operation} ({side})({right})))", kind
        if form == 7:
            return f"({self.expression(depth - 1)[0]} ? ({kind}){left} : ({kind}){right})", kind
        if form == 8:
            return f"(({kind})({left} {r.choice(['&&', '||'])} {right}))", kind
        if form == 9:  # signed division and shift, made safe
            return f"(({kind})((int64_t)(int32_t)({left}) {r.choice('/%')} ((int64_t)(int32_t)({right}) | 1)))", kind
        if form == 10:
            return f"(({kind})((int64_t)({left}) >> ({right} & 63u)))", kind
        return f"(({kind}){r.choice(['~', '-', '!'])}({left}))", kind

    def double_expression(self, depth):
        r = self.random
        if depth == 0 or not self.doubles or r.random() < 0.2:
            if self.doubles and r.random() < 0.6:
                return r.choice(self.doubles)
            if r.random() < 0.5:
                return f"(double)({self.expression(1)[0]})"
            return repr(round(r.uniform(-100, 100), 3))
        a, b = self.double_expression(depth - 1), self.double_expression(depth - 1)
        form = r.randrange(6)
        if form < 4:
            return f"({a} {'+-*/'[form]} {b})"
        if form == 4:
            return f"({a} {r.choice(['<', '>=', '=='])} {b} ? {a} : {b})"
        return f"(double)(float)({a})"

    def emit(self, text, indent=1):
        self.lines.append("  " * indent + text)

    def statement(self, indent, depth):
        r = self.random
        form = r.randrange(12)
        if form < 4 and self.variables:
            name, kind = r.choice(self.variables)
            self.emit(f"{name} = ({kind})({self.expression(3)[0]});", indent)
        elif form == 4 and self.variables:
            name, kind = r.choice(self.variables)
            self.emit(f"{name} {r.choice(['^=', '|=', '&='])} ({kind})({self.expression(2)[0]});", indent)
        elif form == 5 and self.doubles:
            self.emit(f"{r.choice(self.doubles)} = {self.double_expression(2)};", indent)
        elif form == 6:
            self.emit(f"fold((uint64_t)({self.expression(2)[0]}));", indent)
        elif form == 7 and depth:
            self.emit(f"if ({self.expression(2)[0]}) {{", indent)
            self.block(indent + 1, depth - 1)
            self.emit("} else {", indent)
            self.block(indent + 1, depth - 1)
            self.emit("}", indent)
        elif form == 8 and depth:
            counter = self.name("i")
            self.emit(f"for (int {counter} = 0; {counter} < {r.randrange(1, 4)}; {counter}++) {{", indent)
            self.read_only.append((counter, "int32_t"))
            self.block(indent + 1, depth - 1)
            self.read_only.pop()
            self.emit("}", indent)
        elif form == 9 and depth:
            self.switch(indent, depth)
        elif form == 10 and self.functions:
            function, kinds = r.choice(self.functions)
            arguments = ", ".join(self.expression(1)[0] for _ in kinds)
            self.emit(f"fold((uint64_t){function}({arguments}));", indent)
        elif form == 11 and self.doubles:
            self.emit(f"fold(bits_of({r.choice(self.doubles)}));", indent)

    def switch(self, indent, depth):
        self.emit(f"switch (({self.expression(2)[0]}) & 3) {{", indent)
        for case in range(3):
            self.emit(f"case {case}:", indent)
            self.statement(indent + 1, depth - 1)
            if self.random.random() < 0.7:
                self.emit("break;", indent + 1)
        self.emit("default:", indent)
        self.emit("fold(3);", indent + 1)
        self.emit("}", indent)

    def block(self, indent, depth):
        for _ in range(self.random.randrange(1, 4)):
            self.statement(indent, depth)

    def declare_globals(self):
        r = self.random
        for _ in range(3):
            kind, name = r.choice(TYPES), self.name("g")
            self.emit(f"static {kind} {name} = {self.constant(kind)};", 0)
            self.variables.append((name, kind))
        kind, name = r.choice(TYPES), self.name("table")
        self.emit(f"static const {kind} {name}[4] = {{{', '.join(self.constant(kind) for _ in range(4))}}};", 0)
        self.read_only += [(f"{name}[{i}]", kind) for i in range(4)]
        self.read_only.append((f"{name}[(uint32_t)({self.leaf()[0]}) & 3u]", kind))
        self.emit("struct record {", 0)
        self.emit("int8_t a; uint16_t b; int32_t c; uint64_t d; unsigned e : 5; int f : 7; int16_t g[3];")
        self.emit("};", 0)
        self.emit("static struct record shared;", 0)
        self.members("shared")

    def members(self, record):
        self.variables += [(f"{record}.a", "int8_t"), (f"{record}.b", "uint16_t"), (f"{record}.c", "int32_t"),
                           (f"{record}.d", "uint64_t"), (f"{record}.e", "uint8_t"), (f"{record}.g[1]", "int16_t")]
        self.read_only.append((f"{record}.f", "int8_t"))

    def declare_function(self):
        """A function of a few parameters; some call themselves."""
        r = self.random
        name, kinds, result = self.name("f"), [r.choice(TYPES) for _ in range(r.randrange(1, 4))], r.choice(TYPES)
        parameters = ", ".join(f"{kind} p{i}" for i, kind in enumerate(kinds))
        outer = self.variables, self.read_only, self.doubles
        self.variables = [(f"p{i}", kind) for i, kind in enumerate(kinds)]
        self.read_only, self.doubles = [], []
        recursive = r.random() < 0.3
        self.emit(f"static {result} {name}({parameters}{', int depth' if recursive else ''}) {{", 0)
        if recursive:
            arguments = ", ".join(f"({kind})(p{i} + 1u)" for i, kind in enumerate(kinds))
            self.emit(f"if (depth > 0) p0 ^= {name}({arguments}, depth - 1);")
        self.emit(f"return ({result})({self.expression(3)[0]});")
        self.emit("}", 0)
        self.variables, self.read_only, self.doubles = outer
        if recursive:
            wrapper = self.name("f")
            passed = ", ".join(f"p{i}" for i in range(len(kinds)))
            self.emit(f"static {result} {wrapper}({parameters}) {{ return {name}({passed}, 2); }}", 0)
            name = wrapper
        self.functions.append((name, kinds))

    def declare_locals(self):
        r = self.random
        for _ in range(4):
            kind, name = r.choice(TYPES), self.name("v")
            self.emit(f"{kind} {name} = {self.constant(kind)};")
            self.variables.append((name, kind))
        kind, name = r.choice(TYPES), self.name("array")
        self.emit(f"{kind} {name}[4] = {{{', '.join(self.constant(kind) for _ in range(4))}}};")
        self.variables += [(f"{name}[{i}]", kind) for i in range(4)]
        self.variables.append((f"{name}[(uint32_t)({self.leaf()[0]}) & 3u]", kind))
        self.emit("struct record own = shared;")
        self.members("own")
        target, kind = r.choice([v for v in self.variables if v[0].startswith(("v", "g", "own.c", "own.d"))])
        self.emit(f"{kind}* pointer = &{target};")
        self.variables.append(("*pointer", kind))
        self.emit("struct record* record = " + r.choice(["&own;", "&shared;"]))
        self.variables += [("record->c", "int32_t"), ("record->g[2]", "int16_t")]
        for _ in range(2):
            name = self.name("d")
            self.emit(f"double {name} = {round(r.uniform(-10, 10), 2)!r};")
            self.doubles.append(name)

    def program(self):
        self.declare_globals()
        for _ in range(3):
            self.declare_function()
        self.emit("static void run(void) {", 0)
        self.declare_locals()
        for _ in range(14):
            self.statement(1, 2)
        for name, _ in self.variables + self.read_only:
            self.emit(f"fold((uint64_t){name});")
        for name in self.doubles:
            self.emit(f"fold(bits_of({name}));")
        self.emit("}", 0)
        return PRELUDE + "\n".join(self.lines) + POSTLUDE


def native_checksum(source, folder):
    binary = os.path.join(folder, "program")
    compiler = shutil.which("clang-19") or shutil.which("clang")
    # Conversions of doubles that do not fit are the only thing that is not defined; none are generated.
    subprocess.run([compiler, "-O0", "-w", str(source), "-o", binary], check=True, timeout=SECONDS)
    return subprocess.run([binary], check=True, capture_output=True, text=True, timeout=SECONDS).stdout.strip()


def verdict(weir, source, model, definition):
    command = [weir, "check", "--json", "--model", model, str(source), "--", f"-D{definition}ull"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    try:
        answer = json.loads(done.stdout)
    except ValueError:
        return "no answer: " + done.stderr[:800]
    if mistakes := validation.mistakes(answer, validation.SCHEMAS["answer"]):
        return f"the answer does not fit its schema: {mistakes}"
    if answer["verdict"] == "unsafe" and "checksum" not in answer["violation"]["message"]:
        return "unsafe: " + json.dumps(answer["violation"])
    return answer["verdict"] if answer["verdict"] != "unknown" else "unknown: " + answer["reason"]


def compare(weir, seed, folder):
    source = pathlib.Path(folder) / f"random_{seed}.c"
    source.write_text(Generator(random.Random(seed)).program())
    checksum = native_checksum(source, folder)
    problems = []
    for model in ("sc", "tso"):
        found = verdict(weir, source, model, f"EXPECTED={checksum}")
        if found != "safe":
            problems.append(f"{source}: {model}: {found} instead of safe")
    found = verdict(weir, source, "sc", f"REFUTED={checksum}")
    if found != "unsafe":
        problems.append(f"{source}: sc: {found} instead of unsafe")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weir")
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", default="")
    arguments = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.keep or temporary
        os.makedirs(folder, exist_ok=True)
        for seed in range(arguments.seed, arguments.seed + arguments.count):
            problems = compare(os.path.abspath(arguments.weir), seed, folder)
            failed += bool(problems)
            print("\n".join(problems), end="\n" if problems else "", flush=True)
    print(f"{arguments.count - failed} of {arguments.count} random programs as the processor computes them")
    return 1 if failed else 0


sys.exit(main())
