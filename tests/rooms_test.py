"""Each room includes only what the table of docs/architecture.md allows, so that the arrows between them stay true;
every folder belongs to a room of that table, and none is so full that a newcomer would not find anything in it."""
import pathlib
import sys
from collections import Counter

ROOT = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(ROOT / "scripts"))
from map import includes, room_of, room_table  # noqa: E402: found by the line above

FULL = 40  # files in one folder


def mistakes():
    source, rooms = ROOT / "src", room_table(ROOT)
    assert len(rooms) > 20, "the table of rooms was not found"
    for name in rooms:
        if not (source / name).is_dir():
            yield f"docs/architecture.md names a room {name}, which is no folder"
    full = Counter(str(path.relative_to(source).parent) for path in source.rglob("*.?pp"))
    for folder, files in full.items():
        if not room_of(folder, rooms):
            yield f"src/{folder} belongs to no room of docs/architecture.md"
        if files > FULL:
            yield f"src/{folder} has {files} files"
    for path, folder, include in includes(ROOT):
        room, used = room_of(folder, rooms), room_of(include.rpartition("/")[0], rooms)
        if used is None:
            yield f"{path} includes {include}, which is not named from src"
        elif room and used != room and used not in rooms[room]:
            yield f"{path} includes {include}"


found = sorted(set(mistakes()))
print("\n".join(found) or "every include goes along the arrows")
sys.exit(1 if found else 0)
