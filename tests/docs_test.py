#!/usr/bin/env python3
"""Every link in the documents leads somewhere: to a file of this repository, and to a heading that is in it.

Usage: docs_test.py SOURCE_DIR
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1]).resolve()
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def anchors(path):
    """As on GitHub: small letters, no punctuation, hyphens for spaces."""
    text = re.sub(r"```.*?```", "", path.read_text(), flags=re.S)
    for heading in re.findall(r"^#+ (.*)$", text, re.M):
        yield re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def problems(page):
    text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(), flags=re.S)
    for target in LINK.findall(text):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        path = (page.parent / file).resolve() if file else page
        if not path.exists() or ROOT not in path.parents and path != ROOT:
            yield f"{page.relative_to(ROOT)}: there is no {target}"
        elif anchor and path.suffix == ".md" and anchor not in anchors(path):
            yield f"{page.relative_to(ROOT)}: {file or page.name} has no heading #{anchor}"


def citations(page, known):
    text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(), flags=re.S)
    for key in re.findall(r"\[([A-Z][A-Za-z]+\d\d)\](?!\()", text):
        if key not in known:
            yield f"{page.relative_to(ROOT)}: [{key}] is not in references.bib"


def main():
    known = set(re.findall(r"^@\w+\{(\w+),", (ROOT / "docs/references.bib").read_text(), re.M))
    pages = [p for p in ROOT.rglob("*.md") if not {"build", "node_modules", ".git"} & set(p.relative_to(ROOT).parts)]
    assert len(pages) > 10
    found = [problem for page in pages for problem in (*problems(page), *citations(page, known))]
    print("\n".join(found) or f"{len(pages)} documents: all links lead somewhere")
    return 1 if found else 0


sys.exit(main())
