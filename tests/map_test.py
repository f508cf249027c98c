"""The picture of the rooms in docs/architecture.md is what scripts/map.py draws of src now, and well-formed.

Usage: map_test.py SOURCE_DIR
"""
import pathlib
import sys
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(ROOT / "scripts"))
from map import picture  # noqa: E402: found by the line above

drawn = picture(ROOT)
ElementTree.fromstring(drawn)
if (ROOT / "docs/images/rooms.svg").read_text() != drawn:
    sys.exit("docs/images/rooms.svg shows other rooms or arrows than src has now: run make map")
print("the picture shows the rooms as they are")
