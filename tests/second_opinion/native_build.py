"""Many generated programs in one executable, because compilers and linkers take most of their time to start.

A program is chosen by the environment variable WEIR_NATIVE_PROGRAM. Its file is included as it is, so that lines and
columns are its own: the names of a C program are made different by macros, a C++ program stands in a namespace.
"""

import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUNTIME = ROOT / "src" / "native" / "runtime" / "runtime.c"
CLANG = os.environ.get("WEIR_CLANG", "clang-19")
CHECKS = "array-bounds,unreachable,shift-exponent,float-cast-overflow,builtin,alignment"
INSTRUMENTED = ["-w", "-g", "-gdwarf-4", "-O0", "-fno-omit-frame-pointer", "-fno-pie", "-D__WEIR__=1",
                "-mcx16", "-U__GCC_HAVE_SYNC_COMPARE_AND_SWAP_16", "-D__malloc__(...)=__malloc__",
                "-fdebug-compilation-dir=/weir", "-fno-discard-value-names", "-Xclang",
                "-fsanitize-address-use-after-scope", f"-fsanitize=thread,{CHECKS}", f"-fsanitize-trap={CHECKS}",
                "-mllvm", "-tsan-instrument-read-before-write=1"]
SANITIZED = ["-w", "-g", "-O0", "-pthread", "-fsanitize=address,undefined", "-fno-sanitize-recover=all",
             "-fno-sanitize=signed-integer-overflow,shift"]
SECONDS = 300


def stack_pass(weir):
    """The pass for clang that is built with weir."""
    folder = pathlib.Path(weir).resolve().parent
    built = folder / "libweir_native.so"
    return str(built if built.exists() else folder.parent / "lib" / "weir" / "libweir_native.so")


def must(command):
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=SECONDS)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}\n{done.stderr[:3000]}")


def compile_runtime(folder):
    compiled = os.path.join(folder, "runtime.o")
    must([CLANG, "-O1", "-fno-builtin", "-fno-omit-frame-pointer", "-fexceptions", "-w", "-c", str(RUNTIME), "-o", compiled])
    return compiled


def precompile_headers(folder, head):
    """The headers of C++ take longer than the program; the options are those of weir's front end."""
    header, compiled = os.path.join(folder, "head.hpp"), os.path.join(folder, "head.pch")
    pathlib.Path(header).write_text(head)
    must([CLANG, "-w", "-D__WEIR__=1", "-mcx16", "-U__GCC_HAVE_SYNC_COMPARE_AND_SWAP_16", "-g", "-O0",
          "-Xclang", "-disable-O0-optnone", "-fno-discard-value-names", "-Xclang", "-fsanitize-address-use-after-scope", "-fpch-instantiate-templates", "-x",
          "c++-header", header, "-o", compiled])
    return compiled


def wrapped(number, program, path):
    """The program, with names that are its own."""
    if program.language == "cpp":
        return f"namespace p{number} {{\n#include \"{path}\"\n}}\n"
    defines = "".join(f"#define {name} {name}_{number}\n" for name in program.names)
    undefines = "".join(f"#undef {name}\n" for name in program.names)
    return f"{defines}#include \"{path}\"\n{undefines}"


def source_of(numbered, paths):
    """One source for programs of one language, by their numbers."""
    programs = list(numbered.values())
    cpp = programs[0].language == "cpp"
    cases = "".join(f"    case {n}: return {f'p{n}::main' if cpp else f'main_{n}'}();\n" for n in numbered)
    return (programs[0].head + "".join(wrapped(n, p, paths[n]) for n, p in numbered.items()) +
            "__attribute__((no_sanitize(\"thread\", \"address\"))) int main(void) {\n"
            "  switch (atoi(getenv(\"WEIR_NATIVE_PROGRAM\"))) {\n" + cases + "  }\n  return 99;\n}\n")


class Batch:
    """The executables of some programs, by number; those of `sanitized` also with the sanitizers."""

    def __init__(self, folder, numbered, sanitized, weir, runtime):
        self.folder = pathlib.Path(folder)
        self.paths = {n: str(self.folder / f"p{n}.{p.language}") for n, p in numbered.items()}
        self.native, self.sanitized = {}, {}
        for number, program in numbered.items():
            pathlib.Path(self.paths[number]).write_text(program.text)
        for language in ("c", "cpp"):
            chosen = {n: p for n, p in numbered.items() if p.language == language}
            watched = {n: p for n, p in chosen.items() if n in sanitized}
            if chosen:
                self.native |= dict.fromkeys(chosen, self.build_native(language, chosen, weir, runtime))
            if watched:
                self.sanitized |= dict.fromkeys(watched, self.build_sanitized(language, watched))

    def build_native(self, language, chosen, weir, runtime):
        source, program = self.folder / f"native.{language}", self.folder / f"native-{language}"
        source.write_text(source_of(chosen, self.paths))
        must([CLANG, *INSTRUMENTED, f"-fpass-plugin={stack_pass(weir)}", "-c", str(source), "-o",
              f"{program}.o"])
        must([CLANG, "-no-pie", "-pthread", "-Wl,--wrap=main", f"{program}.o", runtime, "-o", str(program), "-ldl", "-lm",
              *(["-lstdc++"] if language == "cpp" else [])])
        return str(program)

    def build_sanitized(self, language, chosen):
        source, program = self.folder / f"sanitized.{language}", self.folder / f"sanitized-{language}"
        source.write_text(source_of(chosen, self.paths))
        must(["g++" if language == "cpp" else "gcc", *SANITIZED, str(source), "-o", str(program)])  # they come with it
        return str(program)
