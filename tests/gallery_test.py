#!/usr/bin/env python3
"""Classic bugs, told in the programmer's words: docs/gallery.md has what weir says about them, and no report of any C
or C++ example has a raw address, a temporary of the compiler or a header of the system.

Usage: gallery_test.py PATH_TO_WEIR SOURCE_DIR [--write | FILE_OR_FOLDER...]

--write writes docs/gallery.md; files and folders are searched for what no report may have, instead of the examples.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

WEIR = pathlib.Path(sys.argv[1]).resolve()
SOURCE = pathlib.Path(sys.argv[2]).resolve()
GALLERY = SOURCE / "docs/gallery.md"

# The program, the weakest model that is not needed to break it, and the title.
PROGRAMS = [
    ("lost-update.c", "sc", "Lost update"),
    ("aba.c", "sc", "ABA"),
    ("double-checked-locking.cpp", "pso", "Double-checked locking"),
    ("lost-wakeup.c", "sc", "Lost wake-up"),
    ("stolen-wakeup.c", "sc", "Stolen wake-up"),
    ("spurious-wakeup.cpp", "sc", "Spurious wake-up"),
    ("lock-order.c", "sc", "Lock order"),
    ("hazard-pointer.c", "sc", "Use after free by hazard pointer"),
    ("seqlock.c", "sc", "A broken seqlock"),
    ("ring-buffer.c", "pso", "A missing store fence in a ring"),
]

HEAD = """# A gallery of bugs

Ten classic concurrency bugs, each in [a small program](../examples/gallery), and what Weir says about them. The lines
behind the verdict tell what went wrong and where, for a reader who has not seen the program. The outputs are what
`tests/gallery_test.py` gets; it fails if this page shows something else, and `--write` writes the page again. The pictures
are the same answers with `--html`, at the last step.
"""

FORBIDDEN = [
    (r"\b\d{13,}\b", "a raw address"),
    (r"(?<![\w\"])\"?%\d+", "a temporary of the compiler"),
    (r"\b(?:main|t\d+)\.(?:heap|stack)\d+", "a block without a name"),
    (r"private\[\d", "private memory without a name"),
    (r"/usr/(?:lib|include)|bits/\w+\.h|atomic_base\.h", "a header of the system"),
    (r"\b_M_\w+|\.__\w+|\b__weir_\w+", "a member of a type of the library"),
]


def weir(*arguments):
    environment = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1"}
    return subprocess.run([WEIR, *arguments], cwd=SOURCE, env=environment, text=True, timeout=300,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def intention(path):
    """The comment that a program begins with, without the line about verdicts and the name, which is the title."""
    lines = []
    for line in path.read_text().splitlines()[1:]:
        if not line.startswith("//"):
            break
        lines.append(line[2:].strip())
    text = "\n".join(lines)
    text = text[text.index(": ") + 2 :]
    return text[0].upper() + text[1:]


def picture(name, title):
    """The page of the browser at its end, which tests/web/pictures_test.mjs draws."""
    stem = "gallery-" + name.split(".")[0]
    found = [path for look in ("light", "dark") for path in (SOURCE / "docs/images").glob(f"{stem}-{look}.png")]
    return f"![{title}, on the page for the browser](images/{found[0].name})"


def page():
    out = HEAD
    for name, model, title in PROGRAMS:
        path = "examples/gallery/" + name
        # With one job the same engine answers, however busy the machine is.
        shown = weir("check", path, "--model", model, "--jobs", "1").stdout
        shown = re.sub(r"\n\d+ states, .*", "", shown, flags=re.S).rstrip()
        out += f"\n## {title}\n\n{intention(SOURCE / path)} [{name}](../{path})\n\n"
        out += f"```\n$ weir check {path} --model {model}\n{shown}\n```\n\n"
        out += picture(name, title) + "\n"
    return out


def words_of(answer):
    """What a JSON answer says to people; values of pointers are numbers there, and said in `text`."""
    words = [answer["reason"], *answer.get("story", []), answer.get("violation", {}).get("message", "")]
    for step in answer.get("witness", []):
        words += [step.get("text", ""), step.get("address", ""), step.get("change", ""), step.get("file") or ""]
    return "\n".join(words)


def words_of_page(html):
    """Of the data in a page, without the registers, which are shown to those who open them, and the sources."""
    data = json.loads(re.search(r'id="weir-data">(.*?)</script>', html, re.S)[1])
    words = [data["message"], *data.get("story", []), *data["threads"], *data["next"]]
    for execution in data["executions"]:
        accesses = execution.get("violation", {}).get("accesses", [])
        words += [execution["title"], *(access["text"] for access in accesses)]
        words += [event["label"] for event in execution["events"] if not is_internal(execution, event)]
        words += [step["text"] for step in execution["steps"] if not step.get("local")]
        words += [cell["name"] + " " + cell["initial"] for cell in execution["cells"] if not cell.get("internal")]
    return "\n".join(words)


def is_internal(execution, event):
    cell = execution["steps"][event["step"]].get("cell")
    return cell is not None and execution["cells"][cell].get("internal", False)


def words_of_sarif(log):
    found = []

    def visit(node):
        if isinstance(node, dict):
            for key, value in node.items():
                if key in ("text", "uri") and isinstance(value, str):
                    found.append(value)
                elif key not in ("artifacts", "rules"):
                    visit(value)
        elif isinstance(node, list):
            for each in node:
                visit(each)

    visit(log)
    return "\n".join(found)


def reports(path, model, folder):
    """The names of all reports about a program, with what they say."""
    sarif = pathlib.Path(folder) / "x.sarif"
    replay = pathlib.Path(folder) / "w.json"
    sarif.unlink(missing_ok=True)
    replay.unlink(missing_ok=True)
    page = pathlib.Path(folder) / "page.html"
    page.unlink(missing_ok=True)
    limits = ("--timeout", "60", "--no-deadlock") if path.name == "parker.c" else ("--timeout", "60")
    text = weir("check", path, "--model", model, "--sarif", sarif, "--witness", replay, "--html", page, *limits)
    yield "text", text.stdout
    if page.exists():
        yield "page", words_of_page(page.read_text())
    yield "json", words_of(json.loads(weir("check", path, "--model", model, "--json", *limits).stdout))
    if sarif.exists():
        yield "sarif", words_of_sarif(json.loads(sarif.read_text()))
    if text.returncode == 10:
        yield "explain", weir("explain", replay).stdout


def offences(paths, models):
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            for model in models(path):
                for kind, said in reports(path, model, folder):
                    # The user's own lines may have what they like.
                    said = "\n".join(line for line in said.split("\n") if not re.match(r"^ *\d+ \|", line))
                    for pattern, what in FORBIDDEN:
                        for match in re.finditer(pattern, said):
                            count += 1
                            start = said.rfind("\n", 0, match.start()) + 1
                            print(f"{path.name} {model} {kind}: {what}: {said[start:].split(chr(10))[0]}")
                            break
    return count


def all_examples():
    return sorted([*(SOURCE / "examples/gallery").glob("*.c*"), *(SOURCE / "examples/c").glob("*.c")])


def models_of(path):
    """Those under which the program is not safe: the others have no execution to tell of."""
    first = path.read_text().split("\n")[0]
    found = re.findall(r"(sc|tso|pso) unsafe", first)
    return found[:1] or ["sc"]


def main():
    wanted = page()
    if "--write" in sys.argv:
        GALLERY.write_text(wanted)
        return 0
    good = True
    paths = [each for name in sys.argv[3:] for each in ([pathlib.Path(name)] if pathlib.Path(name).is_file()
                                                      else sorted(pathlib.Path(name).glob("*.c*")))]
    if not paths and (not GALLERY.exists() or GALLERY.read_text() != wanted):
        good = False
        print("docs/gallery.md shows something else than weir says: look at what gallery_test.py --write changes")
    count = offences([each.resolve() for each in paths] or all_examples(), models_of)
    print(f"{count} places in reports that are not in the words of the source")
    return 0 if good and count == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
