"""Draw the house from its real imports into docs/house.svg; with `--check`, say whether the drawing is current.

The rooms and their order are the layers of import-linter in pyproject.toml. The first sentence of its docstring says
what the room is for. A mark says that a module of one room imports a module of the other. The picture holds no counts:
it changes only when the house does.
"""

from __future__ import annotations

import ast
import sys
import tomllib
from html import escape
from pathlib import Path
from typing import Final

import grimp

ROOT: Final = Path(__file__).resolve().parents[1]
PICTURE: Final = ROOT / "docs" / "house.svg"
ROW: Final = 30
CELL: Final = 24
NAMES: Final = 130
TOP: Final = 150
STYLE: Final = """
    text { font-family: system-ui, sans-serif; font-size: 13px; fill: #f3efe2; }
    .title { font-size: 20px; font-weight: 700; }
    .room { font-weight: 700; text-anchor: end; }
    .purpose { fill: #cbd5c9; }
    .stripe { fill: #12291e; }
    .self { fill: #14532d; stroke: #c9a227; }
    .import { fill: #c9a227; }
"""


def rooms() -> list[str]:
    """Every room, from the roof to the cellar."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    return [room.strip().removeprefix("houseway.") for layer in layers for room in layer.split("|")]


def imports(names: list[str]) -> set[tuple[str, str]]:
    """Which room imports which."""
    graph = grimp.build_graph("houseway", cache_dir=None)
    inside = {name: {f"houseway.{name}", *graph.find_descendants(f"houseway.{name}")} for name in names}
    room_of = {module: name for name, modules in inside.items() for module in modules}
    return {
        (name, room_of[target])
        for name, modules in inside.items()
        for module in modules
        for target in graph.find_modules_directly_imported_by(module)
        if room_of.get(target, name) != name
    }


def purpose(room: str) -> str:
    """The first sentence of a room's docstring."""
    place = ROOT / "src" / "houseway" / room
    file = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
    says = ast.get_docstring(ast.parse(file.read_text("utf-8"))) or ""
    if not says:
        raise SystemExit(f"{file.relative_to(ROOT)} has no docstring; its first sentence says what the room is for")
    paragraph = " ".join(says.split("\n\n")[0].split())
    return paragraph.split(". ")[0].removesuffix(".").replace("``", "").replace("`", "")


def picture() -> str:
    """The whole drawing."""
    names = rooms()
    known = imports(names)
    right = NAMES + CELL * len(names)
    width, height = right + 800, TOP + ROW * len(names) + 24
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        'aria-label="The rooms of Houseway and which of them each one imports">',
        f"  <style>{STYLE}  </style>",
        f'  <rect width="{width}" height="{height}" rx="14" fill="#0b1f16" />',
        '  <text class="title" x="24" y="40">The house</text>',
        '  <text class="purpose" x="24" y="64">A room imports the marked rooms, all below it.</text>',
    ]
    for place, name in enumerate(names):
        x, y = NAMES + CELL * place, TOP + ROW * place
        if place % 2 == 0:
            parts.append(f'  <rect class="stripe" x="12" y="{y}" width="{width - 24}" height="{ROW}" />')
        parts += [
            f'  <text transform="translate({x + 16} {TOP - 8}) rotate(-60)">{name}</text>',
            f'  <text class="room" x="{NAMES - 14}" y="{y + 20}">{name}</text>',
            f'  <rect class="self" x="{x + 4}" y="{y + 7}" width="16" height="16" rx="3" />',
        ]
        parts += [
            f'  <circle class="import" cx="{NAMES + CELL * below + 12}" cy="{y + 15}" r="5">'
            f"<title>{name} imports {other}</title></circle>"
            for below, other in enumerate(names)
            if (name, other) in known
        ]
        parts.append(f'  <text class="purpose" x="{right + 20}" y="{y + 20}">{escape(purpose(name))}</text>')
    return "\n".join([*parts, "</svg>", ""])


def main() -> int:
    """Draw it, or with --check say whether the drawing is up to date."""
    drawing = picture()
    if "--check" in sys.argv:
        same = PICTURE.exists() and PICTURE.read_text("utf-8") == drawing
        print("docs/house.svg is up to date" if same else "docs/house.svg is out of date: run tools/house.py")
        return 0 if same else 1
    PICTURE.write_text(drawing, "utf-8")
    print(f"wrote {PICTURE.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
