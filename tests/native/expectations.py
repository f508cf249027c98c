"""What C programs of the tests say about themselves, in comments at their beginning."""

import pathlib
import re

MODELS = ("sc", "tso", "pso")


def says(path):
    """The lines `// KEY: TEXT`, by key."""
    result = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        match = re.match(r"// (expect|options|compiler|with): (.*)", line)
        if match:
            result[match[1]] = match[2].strip()
        elif not line.startswith("//"):
            break
    return result


def models_with(verdict, expectation):
    """The models under which this is expected."""
    models = []
    for part in expectation.split(","):
        words = part.split()
        if len(words) > 1 and words[1] == verdict:
            models += MODELS if words[0] == "all" else [words[0]]
    return models


def programs(names, only=""):
    """(path, what it says) of the programs in these folders or files."""
    for name in map(pathlib.Path, names):
        for path in sorted(p for p in name.glob("*") if p.suffix in (".c", ".cpp")) if name.is_dir() else [name]:
            said = says(path)
            if only in path.name and "-m32" not in said.get("compiler", ""):  # the native runtime is for 64 bits
                yield path, said
