#!/usr/bin/env python3
"""Renders terminal output, colours included, as an SVG picture of a terminal window, for the documentation.

    PROGRAM | scripts/picture.py FILE.svg 'COMMAND AS SHOWN'

draws what comes in on standard input below the command as the reader would type it. The picture in README.md:

    build/release/weir check examples/peterson.imp --model tso --color always |
        scripts/picture.py docs/images/violation.svg 'weir check examples/peterson.imp --model tso'

Every stretch of text gets its own place and width, so columns stay straight whatever monospaced font is at hand.
"""
import re
import sys
from xml.sax.saxutils import escape

CELL_WIDTH, LINE_HEIGHT, FONT_SIZE = 8.4, 19, 14
MARGIN, TITLE_HEIGHT = 18, 34

BACKGROUND, TITLE_BAR, FOREGROUND, PROMPT = "#1b1f27", "#2a303c", "#d7dae0", "#8fbf6f"
COLOURS = {31: "#ff7a85", 32: "#98d379", 33: "#e8c26e", 34: "#6cb2f5", 35: "#cf8be8", 36: "#5cc8d4"}
DIM = "#8b93a3"

ESCAPE = re.compile(r"\x1b\[([0-9;]*)m")
# A stretch of text without two blanks in a row.
STRETCH = re.compile(r"\S+(?: \S+)*")


def apply(codes, style):
    """The style (colour, bold) after an escape sequence with these codes."""
    colour, bold = style
    for code in (int(c or 0) for c in codes.split(";")):
        if code == 0:
            colour, bold = FOREGROUND, False
        elif code == 1:
            bold = True
        elif code == 2:
            colour = DIM
        elif code in COLOURS:
            colour = COLOURS[code]
    return colour, bold


def stretches(output):
    """(row, column, text, colour, bold) for everything visible."""
    style, row, column = (FOREGROUND, False), 0, 0
    for i, part in enumerate(ESCAPE.split(output)):
        if i % 2 == 1:
            style = apply(part, style)
            continue
        for j, line in enumerate(part.split("\n")):
            if j > 0:
                row, column = row + 1, 0
            for found in STRETCH.finditer(line):
                yield row, column + found.start(), found.group(), *style
            column += len(line)


def text_element(row, column, text, colour, bold):
    x = MARGIN + column * CELL_WIDTH
    y = TITLE_HEIGHT + MARGIN + row * LINE_HEIGHT + FONT_SIZE - 2
    weight = ' font-weight="bold"' if bold else ""
    return (f'<text x="{x:.1f}" y="{y:.0f}" fill="{colour}"{weight} textLength="{len(text) * CELL_WIDTH:.1f}" '
            f'lengthAdjust="spacingAndGlyphs">{escape(text)}</text>')


def picture(command, output):
    shown = [(0, 0, "$", PROMPT, True), (0, 2, command, FOREGROUND, True)]
    shown += [(row + 1, *rest) for row, *rest in stretches(output.rstrip("\n"))]
    columns = max(column + len(text) for _, column, text, _, _ in shown)
    rows = max(row for row, *_ in shown) + 1
    width = round(columns * CELL_WIDTH + 2 * MARGIN)
    height = TITLE_HEIGHT + rows * LINE_HEIGHT + 2 * MARGIN - 4
    buttons = "".join(f'<circle cx="{20 + 20 * i}" cy="{TITLE_HEIGHT / 2:.0f}" r="6" fill="{colour}"/>'
                      for i, colour in enumerate(("#ff5f57", "#febc2e", "#28c840")))
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'role="img" aria-label="{escape(command, {chr(34): "&quot;"})}">',
        f'<rect width="{width}" height="{height}" rx="9" fill="{BACKGROUND}"/>',
        f'<path d="M0 {TITLE_HEIGHT}V9A9 9 0 0 1 9 0H{width - 9}A9 9 0 0 1 {width} 9V{TITLE_HEIGHT}Z" '
        f'fill="{TITLE_BAR}"/>',
        buttons,
        f'<g font-family="DejaVu Sans Mono, Menlo, Consolas, Liberation Mono, monospace" font-size="{FONT_SIZE}">',
        *(text_element(*stretch) for stretch in shown),
        "</g>",
        "</svg>",
    ]) + "\n"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    target, command = sys.argv[1:]
    output = sys.stdin.read()
    if not output.strip():
        sys.exit("picture.py: nothing to draw on standard input")
    with open(target, "w", encoding="utf-8") as file:
        file.write(picture(command, output))


if __name__ == "__main__":
    main()
