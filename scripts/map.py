#!/usr/bin/env python3
"""Draws the rooms of src and the arrows between them, as the `#include`s have them, for docs/architecture.md.

    scripts/map.py docs/images/rooms.svg

A hand-made picture would be wrong after the next change; this one is drawn anew by `make map`, and tests/map_test.py
fails when it no longer shows what is there. A room stands above all that it includes. Arrows that follow from others
are left out, as are those that every room would have. Rooms of one folder with the same arrows share a box.

The layout is the usual one for such graphs: rows by the longest chain below, invisible places in the rows that an arrow
passes, an order in each row with few crossings, and then columns that make the arrows as straight as they can be.
"""
import pathlib
import re
import sys
import zlib
from collections import namedtuple
from math import fsum  # whose result is the same in every version of Python

TITLE, SMALL = 13, 11  # sizes of letters
LETTER = 0.602  # the width of a letter in a monospaced font, as a part of its size
PADDING, STRIPE = 11, 5
BETWEEN_BOXES, BETWEEN_ARROWS, BETWEEN_ROWS = 26, 15, 46
MARGIN, LEGEND = 24, 40
HEAD = 7  # of an arrow
STARTS = 30  # attempts to find an order with few crossings
WIDEST = 34  # letters in a line of inner rooms

# What rooms are for, with colours for light and dark pages; a room belongs with the longest name that it begins with.
FAMILIES = {
    "reads programs": ("#c2650c", "#f0a35c", ("frontend",)),
    "says what they mean": ("#2b6cb0", "#7ab3ee", ("program", "machine", "memory", "trace", "base")),
    "searches": ("#7a3fb0", "#c39bea", ("engine",)),
    "checks what was found": ("#237a45", "#74c795", ("check", "verify", "selfcheck", "suite", "native")),
    "speaks with the user": ("#b3315b", "#f08aab", ("cli", "report", "export")),
}

Box = namedtuple("Box", "title lines width height")


# What there is

def room_table(root):
    """The rooms of the table in docs/architecture.md, each with what it may include; `base` comes with all others."""
    rooms = {}
    text = (root / "docs/architecture.md").read_text()
    for line in text[text.index("| room |"):].partition("\n\n")[0].splitlines():
        row = re.fullmatch(r"\| (`[^|]*`) \| .* \| ([^|]*) \|", line)
        if not row:
            continue
        for name in re.findall(r"`([\w/]+)`", row[1]):
            rooms[name] = set(re.findall(r"`([\w/]+)`", row[2])) | ({"base"} if name != "base" else set())
    return rooms


def room_of(folder, rooms):
    """The innermost room that the folder lies in."""
    while folder and folder not in rooms:
        folder = folder.rpartition("/")[0]
    return folder or None


def includes(root):
    """(file, its folder, included file) for every include of a file of this project, all named from src."""
    source = root / "src"
    for path in sorted(source.rglob("*.?pp")):
        name = path.relative_to(source)
        for include in re.findall(r'^#include "([^"]+)"', path.read_text(), re.M):
            yield str(name), str(name.parent), include


def arrows_between(rooms, root):
    """Each room with those that its files include."""
    arrows = {room: set() for room in rooms}
    for _, folder, include in includes(root):
        user, used = room_of(folder, rooms), room_of(include.rpartition("/")[0], rooms)
        if user and used and user != used:
            arrows[user].add(used)
    return arrows


def inner_rooms(room, rooms, root):
    """The folders directly in a room that are no rooms of the table themselves."""
    folders = (path for path in (root / "src" / room).iterdir() if path.is_dir())
    return sorted(path.name for path in folders if f"{room}/{path.name}" not in rooms)


# What is drawn of it

def below(room, arrows):
    """All that can be reached from a room."""
    seen, left = set(), [room]
    while left:
        new = arrows[left.pop()] - seen
        seen |= new
        left.extend(new)
    return seen


def without_detours(arrows):
    """The arrows that do not follow from others."""
    reached = {room: below(room, arrows) for room in arrows}
    return {room: {used for used in direct if not any(used in reached[other] for other in direct)}
            for room, direct in arrows.items()}


def shared_boxes(arrows):
    """Each room with the name of its box: its folder's if all rooms of that have the same arrows, otherwise its own."""
    users = {room: frozenset(user for user in arrows if room in arrows[user]) for room in arrows}
    boxes = {room: room for room in arrows}
    for folder in {room.partition("/")[0] for room in arrows if "/" in room} - set(arrows):
        family = [room for room in arrows if room.startswith(folder + "/")]
        if len({(users[room], frozenset(arrows[room])) for room in family}) == 1:
            boxes.update((room, folder) for room in family)
    return boxes


def wrapped(words, first=""):
    """Names on as many lines as they need."""
    lines = [first]
    for word in words:
        longer = lines[-1] + ("" if lines[-1] in ("", first) else " · ") + word
        if len(longer) <= WIDEST or not lines[-1]:
            lines[-1] = longer
        else:
            lines[-1] += " ·"
            lines.append("  " + word if first else word)
    return [line for line in lines if line]


def box_of(title, members, rooms, root):
    """A room with the names of what is in it."""
    if members == [title]:
        lines = wrapped(inner_rooms(title, rooms, root))
    else:
        inside = {room: inner_rooms(room, rooms, root) for room in members}
        short = {room: room.rpartition("/")[2] for room in members}
        lines = wrapped(sorted(short[room] for room in members if not inside[room]))
        for room in members:
            if inside[room]:
                lines += wrapped(inside[room], short[room] + ": ")
    letters = max([len(title) * TITLE, *(len(line) * SMALL for line in lines)]) * LETTER
    return Box(title, lines, round(letters + 2 * PADDING + STRIPE), 2 * PADDING + TITLE + len(lines) * (SMALL + 4))


def drawn_graph(root):
    """The boxes by their names, and the arrows between them."""
    rooms = room_table(root)
    arrows = without_detours(arrows_between(rooms, root))
    names = shared_boxes(arrows)
    boxes = {}
    for title in sorted(set(names.values())):
        boxes[title] = box_of(title, sorted(room for room in names if names[room] == title), rooms, root)
    joined = {title: {names[used] for room in names if names[room] == title for used in arrows[room]} for title in boxes}
    return boxes, joined


# Rows

def heights(arrows):
    """The length of the longest chain below each box."""
    known = {}

    def height(box):
        if box not in known:
            known[box] = 1 + max((height(used) for used in arrows[box]), default=-1)
        return known[box]

    return {box: height(box) for box in sorted(arrows)}


def rows_of(boxes, arrows):
    """A row for each box, 0 at the bottom. One that could stand in several goes where there is most room."""
    row = heights(arrows)
    users = {box: [user for user in arrows if box in arrows[user]] for box in arrows}
    free = [box for box in arrows if len(users[box]) == len(arrows[box]) == 1]
    taken = [sum(boxes[box].width for box in row if row[box] == r and box not in free) for r in range(max(row.values()) + 1)]
    for box in sorted(free, key=lambda box: (-boxes[box].width, box)):
        possible = range(row[box], min(row[user] for user in users[box]))
        row[box] = min(possible, key=lambda r: (taken[r], -r))
        taken[row[box]] += boxes[box].width
    return row


def places(arrows, row):
    """The places of each row, boxes and passing arrows, and what is linked between neighbouring rows, upper one first."""
    rows = [[box for box in sorted(row) if row[box] == r] for r in range(max(row.values()) + 1)]
    links, ways = [], {}
    for user in sorted(arrows):
        for used in sorted(arrows[user]):
            way = [user]
            for r in range(row[user] - 1, row[used], -1):
                way.append((user, used, r))
                rows[r].append(way[-1])
            way.append(used)
            ways[user, used] = way
            links.extend(zip(way, way[1:]))
    return rows, links, ways


# Order in each row

def between(rows, links):
    """The links below each row but the lowest."""
    row_of = {place: r for r, row in enumerate(rows) for place in row}
    return [[(a, b) for a, b in links if row_of[a] == r] for r in range(1, len(rows))]


def crossings(upper, lower, links):
    """How many links between two neighbouring rows cross."""
    above, below_it = ({place: i for i, place in enumerate(row)} for row in (upper, lower))
    ends = sorted((above[a], below_it[b]) for a, b in links)
    return sum(1 for i, (a, b) in enumerate(ends) for c, d in ends[:i] if c < a and d > b)


def crossings_at(rows, gaps, r):
    """Those above and below one row."""
    return sum(crossings(rows[g + 1], rows[g], gaps[g]) for g in (r - 1, r) if 0 <= g < len(gaps))


def all_crossings(rows, gaps):
    return sum(crossings(rows[g + 1], rows[g], links) for g, links in enumerate(gaps))


def by_neighbours(rows, gaps, r, towards):
    """A row in the order of the means of where its neighbours in the row above (1) or below (-1) are."""
    where = {place: i for i, place in enumerate(rows[r + towards])}
    links = gaps[r - 1] if towards == -1 else [(b, a) for a, b in gaps[r]]
    means = {}
    for i, place in enumerate(rows[r]):
        ends = [where[other] for own, other in links if own == place]
        means[place] = (sum(ends) / len(ends) if ends else i, i)
    return sorted(rows[r], key=means.get)


def with_swaps(rows, gaps):
    """Exchanges neighbours as long as that removes crossings."""
    better = True
    while better:
        better = False
        for r, row in enumerate(rows):
            for i in range(len(row) - 1):
                before = crossings_at(rows, gaps, r)
                row[i], row[i + 1] = row[i + 1], row[i]
                if crossings_at(rows, gaps, r) < before:
                    better = True
                else:
                    row[i], row[i + 1] = row[i + 1], row[i]
    return rows


def swept(rows, gaps):
    """The rows in the best order that sweeps down and up come across, with its crossings."""
    found = []
    for sweep in range(6):
        order, towards = (range(1, len(rows)), -1) if sweep % 2 else (range(len(rows) - 2, -1, -1), 1)
        for r in order:
            rows[r] = by_neighbours(rows, gaps, r, towards)
        tried = with_swaps([list(row) for row in rows], gaps)
        found.append((all_crossings(tried, gaps), tried))
    return min(found, key=lambda one: one[0])


def in_good_order(rows, links):
    """The best of what sweeps make of some orders to begin with, which are arbitrary but always the same."""
    gaps = between(rows, links)
    beginnings = ([sorted(row, key=lambda place: zlib.crc32(f"{start} {place}".encode())) for row in rows]
                  for start in range(STARTS))
    return min((swept(rows, gaps) for rows in beginnings), key=lambda one: one[0])[1]


# Columns

def spread(wanted, weights, gaps):
    """The places nearest to the wanted ones that are in order and at least the gaps apart: least squares, by pooling."""
    offset, offsets = 0, []
    for gap in [0, *gaps]:
        offset += gap
        offsets.append(offset)
    pools = []  # sum of weighted places, weight, how many
    for place, weight, shift in zip(wanted, weights, offsets):
        pools.append((weight * (place - shift), weight, 1))
        while len(pools) > 1 and pools[-2][0] / pools[-2][1] > pools[-1][0] / pools[-1][1]:
            last = pools.pop()
            pools[-1] = tuple(a + b for a, b in zip(pools[-1], last))
    middles = [total / weight for total, weight, count in pools for _ in range(count)]
    return [middle + shift for middle, shift in zip(middles, offsets)]


def gap(a, b, boxes):
    """How far apart the middles of two neighbours have to be."""
    half = [boxes[place].width / 2 if place in boxes else 0 for place in (a, b)]
    return sum(half) + (BETWEEN_BOXES if a in boxes and b in boxes else BETWEEN_ARROWS)


def columns_of(rows, links, boxes):
    """The middle of each place: near to what it is linked with, arrows that pass most of all."""
    x = {}
    for row in rows:
        x.update(zip(row, spread([0] * len(row), [1] * len(row), [gap(a, b, boxes) for a, b in zip(row, row[1:])])))
    neighbours = {place: [] for place in x}
    for a, b in links:
        strength = {0: 1, 1: 2, 2: 8}[(a not in boxes) + (b not in boxes)]
        neighbours[a].append((b, strength))
        neighbours[b].append((a, strength))
    for sweep in range(60):
        for row in rows if sweep % 2 else reversed(rows):
            weights = [sum(strength for _, strength in neighbours[place]) for place in row]
            wanted = [fsum(x[other] * strength for other, strength in neighbours[place]) / weight
                      for place, weight in zip(row, weights)]
            x.update(zip(row, spread(wanted, weights, [gap(a, b, boxes) for a, b in zip(row, row[1:])])))
    return x


def straightened(ways, rows, x, boxes):
    """Moves the places that an arrow passes below each other, as far as their neighbours leave room for it."""
    beside = {}
    for row in rows:
        for left, place, right in zip([None, *row], row, [*row[1:], None]):
            beside[place] = left, right

    def room(place):
        left, right = beside[place]
        return (-10 ** 6 if left is None else x[left] + gap(left, place, boxes),
                10 ** 6 if right is None else x[right] - gap(place, right, boxes))

    def move(run, low, high):
        middle = fsum(x[place] for place in run) / len(run)
        x.update((place, min(max(middle, low), high)) for place in run)

    for way in sorted(ways.values(), key=len, reverse=True) * 4:
        run, low, high = [], -10 ** 6, 10 ** 6
        for place in way[1:-1]:
            least, most = room(place)
            if run and max(low, least) > min(high, most):
                move(run, low, high)
                run, low, high = [], -10 ** 6, 10 ** 6
            run, low, high = [*run, place], max(low, least), min(high, most)
        if run:
            move(run, low, high)
    return x


# The drawing

def ports(boxes, ways, x):
    """Where each arrow leaves its box and where it arrives, side by side in the order of where they go."""
    found = {}
    for end, neighbour in ((0, 1), (-1, -2)):
        for box in boxes:
            ending = sorted((x[way[neighbour]], key) for key, way in ways.items() if way[end] == box)
            apart = min(22, (boxes[box].width - 24) / max(1, len(ending) - 1))
            for i, (_, key) in enumerate(ending):
                found[key, end] = x[box] + (i - (len(ending) - 1) / 2) * apart
    return found


def curve(points):
    """A path through (x, y) that is vertical at each of them."""
    parts = [f"M{points[0][0]:.0f} {points[0][1]:.0f}"]
    for (x, y), (to_x, to_y) in zip(points, points[1:]):
        middle = (y + to_y) / 2
        straight = abs(x - to_x) < 1
        parts.append(f"V{to_y:.0f}" if straight else f"C{x:.0f} {middle:.0f} {to_x:.0f} {middle:.0f} {to_x:.0f} {to_y:.0f}")
    return "".join(parts)


def family_of(room):
    """The number of the family in FAMILIES."""
    for i, (_, _, folders) in enumerate(FAMILIES.values()):
        if room.partition("/")[0] in folders:
            return i
    return len(FAMILIES)


def style():
    """Colours for light and for dark pages; the letters' width is what the layout counts on."""
    def rules(which, paper, ink, line, box):
        families = "".join(f".f{i} .stripe,.f{i}.stripe{{fill:{colours[which]}}}.f{i} .title{{fill:{colours[which]}}}"
                           for i, colours in enumerate(FAMILIES.values()))
        return (f".paper{{fill:{paper}}}text{{fill:{ink}}}.arrow{{stroke:{line}}}.head{{fill:{line}}}"
                f".box{{fill:{box};stroke:{line}}}{families}")
    fixed = (f"text{{font-family:ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;font-size:{SMALL}px}}"
             f".title{{font-size:{TITLE}px;font-weight:bold}}.arrow{{fill:none;stroke-width:1.3}}")
    return (f"<style>{fixed}{rules(0, '#fbfbfd', '#3d4450', '#9aa3b2', '#ffffff')}"
            f"@media(prefers-color-scheme:dark){{{rules(1, '#15181e', '#c3c9d4', '#667085', '#1e232c')}}}</style>")


def box_element(box, x, y):
    left = x - box.width / 2
    parts = [f'<g class="f{family_of(box.title)}" transform="translate({left:.0f} {y:.0f})">'
             f'<rect class="box" width="{box.width}" height="{box.height}" rx="6"/>'
             f'<path class="stripe" d="M6 0H{STRIPE + 1}V{box.height}H6a6 6 0 0 1-6-6V6a6 6 0 0 1 6-6z"/>']
    baseline = PADDING + TITLE - 2
    for i, line in enumerate([box.title, *box.lines]):
        text = line.lstrip()
        kind, size = (' class="title"', TITLE) if i == 0 else ("", SMALL)
        indent = (len(line) - len(text)) * SMALL * LETTER
        parts.append(f'<text{kind} x="{PADDING + STRIPE + indent:.0f}" y="{baseline}" '
                     f'textLength="{len(text) * size * LETTER:.0f}">{text}</text>')
        baseline += SMALL + 4 + (1 if i == 0 else 0)
    return "".join(parts) + "</g>"


def legend(x, y):
    parts = []
    for i, words in enumerate(FAMILIES):
        parts.append(f'<rect class="stripe f{i}" x="{x:.0f}" y="{y - 9}" width="10" height="10" rx="2"/>'
                     f'<text x="{x + 16:.0f}" y="{y}" textLength="{len(words) * SMALL * LETTER:.0f}">{words}</text>')
        x += 16 + len(words) * SMALL * LETTER + 26
    return "".join(parts)


def legend_width():
    return sum(16 + len(words) * SMALL * LETTER + 26 for words in FAMILIES) - 26


def tops_of(rows, boxes):
    """The upper and the lower edge of each row."""
    edges, y = {}, MARGIN
    for r in range(len(rows) - 1, -1, -1):
        height = max(boxes[place].height for place in rows[r] if place in boxes)
        edges[r] = y, y + height
        y += height + BETWEEN_ROWS
    return edges, y - BETWEEN_ROWS


def points_of(key, way, x, row, edges, boxes, found):
    """What an arrow goes through, from box to box. It bends only between rows, where no box is in its way."""
    user, used = key
    leaves, arrives = found[key, 0], found[key, -1]
    points = [(leaves, middle_top(user, row, edges, boxes) + boxes[user].height), (leaves, edges[row[user]][1])]
    for place in way[1:-1]:
        points += [(x[place], edges[place[2]][0]), (x[place], edges[place[2]][1])]
    return [*points, (arrives, edges[row[used]][0] - HEAD), (arrives, middle_top(used, row, edges, boxes) - HEAD)]


def middle_top(box, row, edges, boxes):
    """The upper edge of a box, which stands in the middle of its row."""
    top, bottom = edges[row[box]]
    return (top + bottom - boxes[box].height) / 2


def picture(root):
    """The whole SVG."""
    boxes, arrows = drawn_graph(root)
    row = rows_of(boxes, arrows)
    rows, links, ways = places(arrows, row)
    rows = in_good_order(rows, links)
    x = straightened(ways, rows, columns_of(rows, links, boxes), boxes)
    left = min(x[box] - boxes[box].width / 2 for box in boxes)
    x = {place: value - left + MARGIN for place, value in x.items()}
    width = max([max(x[box] + boxes[box].width / 2 for box in boxes), *x.values(), legend_width() + MARGIN]) + MARGIN
    edges, bottom = tops_of(rows, boxes)
    found = ports(boxes, ways, x)
    height = bottom + LEGEND + MARGIN
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
             f'height="{height:.0f}" role="img"><title>The rooms of src, each above what it includes</title>', style(),
             f'<rect class="paper" width="{width:.0f}" height="{height:.0f}" rx="10"/>']
    for key, way in ways.items():
        points = points_of(key, way, x, row, edges, boxes, found)
        (end_x, end_y) = points[-1]
        parts.append(f'<path class="arrow" d="{curve(points)}"/>'
                     f'<path class="head" d="M{end_x:.0f} {end_y + HEAD:.0f}l-4-{HEAD + 1}h8z"/>')
    parts += [box_element(boxes[box], x[box], middle_top(box, row, edges, boxes)) for box in boxes]
    parts.append(legend((width - legend_width()) / 2, round(bottom + LEGEND)))
    return "\n".join(parts) + "\n</svg>\n"


if __name__ == "__main__":
    pathlib.Path(sys.argv[1]).write_text(picture(pathlib.Path(__file__).resolve().parents[1]))
