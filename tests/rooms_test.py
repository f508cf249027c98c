"""Each room includes only what docs/architecture.md allows, so that the arrows between them stay true."""
import pathlib
import re
import sys

ALLOWED = {
    "base": set(),
    "program": {"base"},
    "machine": {"base", "program"},
    "memory": {"base", "program", "machine"},
    "trace": {"base", "program"},
    "frontend": {"base", "program"},
    "check": {"base", "program", "trace"},
    "native": {"base", "program", "trace"},
    "engine": {"base", "program", "machine", "memory", "trace"},
    "report": {"base", "program", "trace", "check", "engine"},
    "selfcheck": {"base", "program", "memory", "trace", "check", "engine", "report", "frontend"},
    "cli": {"base", "program", "trace", "check", "native", "engine", "selfcheck", "report", "frontend"},
}


def main(root):
    source = pathlib.Path(root) / "src"
    wrong = []
    for path in sorted(source.rglob("*.?pp")):
        room = path.relative_to(source).parts[0]
        for include in re.findall(r'#include "([^"]+)"', path.read_text()):
            used = include.split("/")[0] if "/" in include else room
            if used != room and used not in ALLOWED[room]:
                wrong.append(f"{path.relative_to(source)} includes {include}")
    print("\n".join(wrong) or "every include goes along the arrows")
    return 1 if wrong else 0


sys.exit(main(sys.argv[1]))
