"""A par sheet counted again: everything in the file is made anew and compared, figure by figure."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from houseway.proof.compiled import Progress
from houseway.proof.par.asked import Asked
from houseway.proof.par.sheet import HASH, KIND, content_hash, make
from houseway.refusal import Refusal

MOST_BYTES: Final = 50_000_000
LONGEST: Final = 80
MISSING: Final = "nothing"


class Difference(NamedTuple):
    """A place at which a sheet does not hold."""

    where: str
    says: str
    counted: str

    def __str__(self) -> str:
        return f"{self.where}: the sheet says {self.says}, counted is {self.counted}"


def read(path: Path) -> dict[str, Any]:
    """The sheet in a file; whatever is no par sheet is refused."""
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise Refusal(str(path), f"cannot be read: {error.strerror}") from None
    if len(content) > MOST_BYTES:
        raise Refusal(str(path), f"is longer than {MOST_BYTES:,} bytes and no par sheet")
    try:
        data = json.loads(content, object_pairs_hook=_each_once)
    except Refusal as refusal:
        raise Refusal(str(path), str(refusal)) from None
    except (ValueError, RecursionError):
        raise Refusal(str(path), "is not JSON; a par sheet is verified from its JSON file") from None
    if not isinstance(data, dict) or not {"kind", "digest", "asked", "wagers"} <= data.keys():
        raise Refusal(str(path), "is JSON but no par sheet; houseway par GAME -o FILE.json writes one")
    return data


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) != len(pairs):
        raise Refusal("", "holds a name twice in one object")
    return data


def check(data: Mapping[str, Any], *, fresh: bool = True, progress: Progress | None = None) -> list[Difference]:
    """Every place at which the sheet is not what a count gives now; none where it holds.

    With ``fresh`` every case is counted again by the solvers. Without it the counts that are kept under the digest of
    the rules are believed, and everything else is made from them again.
    """
    if data["kind"] != KIND:
        return [Difference("kind", _shown(data["kind"]), _shown(KIND))]
    try:
        from_json = Asked.from_json(data["asked"])
        from_json.questions(from_json.request(from_json.book(), fresh=False))
    except Refusal as refusal:
        return [Difference(f"asked.{refusal.field}", "what cannot be counted", refusal.sentence)]
    except (KeyError, TypeError, ValueError, AttributeError, ZeroDivisionError):
        return [Difference("asked", _shown(data["asked"]), "no question that can be counted")]
    sheet = make(from_json, fresh=fresh, progress=progress)
    differences = [
        difference
        for name in sheet
        if name != HASH
        for difference in _differences(name, data.get(name, ...), sheet[name])
    ]
    differences += [Difference(name, "more than a sheet holds", MISSING) for name in data if name not in sheet]
    own = content_hash(data)
    if data.get(HASH) != own:
        differences.append(Difference(HASH, _shown(data.get(HASH, ...)), f"{own} for what the file holds"))
    return differences


def _differences(where: str, says: Any, counted: Any) -> Iterator[Difference]:
    if isinstance(says, dict) and isinstance(counted, dict):
        for name in dict.fromkeys([*counted, *says]):
            yield from _differences(_inside(where, name), says.get(name, ...), counted.get(name, ...))
    elif isinstance(says, list) and isinstance(counted, list):
        for place in range(max(len(says), len(counted))):
            left, right = (side[place] if place < len(side) else ... for side in (says, counted))
            yield from _differences(_at(where, place, right), left, right)
    elif type(says) is not type(counted) or says != counted:
        yield Difference(where, _shown(says), _shown(counted))


def _inside(where: str, name: str) -> str:
    return f"{where}.{name[:40]}"


def _at(where: str, place: int, element: Any) -> str:
    """A place in a list, by its name where the element has one."""
    if isinstance(element, dict):
        for name in ("title", "what", "hand", "rounds", "rule", "option", "word"):
            if isinstance(element.get(name), str | int):
                return f"{where}[{element[name]}]"
    return f"{where}[{place + 1}]"


def _shown(value: Any) -> str:
    if value is ...:
        return MISSING
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
