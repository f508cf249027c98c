"""Each room includes only what the table of docs/architecture.md allows, so that the arrows between them stay true;
every folder belongs to a room of that table, and none is so full that a newcomer would not find anything in it."""
import pathlib
import re
import sys

FULL = 40  # files in one folder


def table(root):
    """The rooms of the table, each with what it may include; `base` and itself come with every room but `base`."""
    rooms = {}
    text = (root / "docs/architecture.md").read_text()
    for line in text[text.index("| room |"):].partition("\n\n")[0].splitlines():
        row = re.fullmatch(r"\| (`[^|]*`) \| .* \| ([^|]*) \|", line)
        if not row:
            continue
        names = re.findall(r"`([\w/]+)`", row[1])
        for name in names:
            rooms[name] = set(re.findall(r"`([\w/]+)`", row[2])) | ({"base"} if name != "base" else set())
    return rooms


def room_of(folder, rooms):
    """The innermost room that the folder lies in."""
    while folder and folder not in rooms:
        folder = folder.rpartition("/")[0]
    return folder or None


def mistakes(root):
    source, rooms = root / "src", table(root)
    assert len(rooms) > 20, "the table of rooms was not found"
    for name in rooms:
        if not (source / name).is_dir():
            yield f"docs/architecture.md names a room {name}, which is no folder"
    full = {}
    for path in sorted(source.rglob("*.?pp")):
        folder = str(path.relative_to(source).parent)
        full[folder] = full.get(folder, 0) + 1
        room = room_of(folder, rooms)
        if not room:
            yield f"src/{folder} belongs to no room of docs/architecture.md"
            continue
        for include in re.findall(r'^#include "([^"]+)"', path.read_text(), re.M):
            used = room_of(include.rpartition("/")[0], rooms)
            if used is None:
                yield f"{path.relative_to(source)} includes {include}, which is not named from src"
            elif used != room and used not in rooms[room]:
                yield f"{path.relative_to(source)} includes {include}"
    for folder, files in full.items():
        if files > FULL:
            yield f"src/{folder} has {files} files"


found = sorted(set(mistakes(pathlib.Path(sys.argv[1]))))
print("\n".join(found) or "every include goes along the arrows")
sys.exit(1 if found else 0)
