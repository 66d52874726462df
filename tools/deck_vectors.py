"""Writes docs/deck-vectors.json: decks worked out step by step, for people who write a checker of their own (TR-11).

    python tools/deck_vectors.py

Nothing in it is random. A test holds that the file is what this writes, and a second opinion computes it another way.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from houseway.cards import text_of
from houseway.games import all_games
from houseway.table.card_round.agenda import has_positions
from houseway.table.commitment import SeedStream, commit, committed_text, deck_key, key_text, shuffle

FILE: Final = Path(__file__).parents[1] / "docs" / "deck-vectors.json"
FIRST_NUMBERS: Final = 8
PAGE_SEED: Final = hashlib.sha256(b"what a page adds").hexdigest()
OWN_TEXT: Final = "my lucky number is 7!"
ADDED: Final[tuple[dict[int, str], ...]] = (
    {},
    {3: PAGE_SEED},
    {1: OWN_TEXT, 2: "~", 5: PAGE_SEED, 6: "x" * 128},
)
"""Nobody, one, many: what a page adds, the player's own text, the shortest and the longest."""


def vectors() -> Iterator[dict[str, Any]]:
    """Every game with nobody, one and many who added to the deck; pai gow with another number of positions too."""
    for key in all_games():
        for place, added in enumerate(ADDED):
            yield vector(key, f"V-{place + 1}", 1 + 10**place, added)
    yield vector("six-card-pai-gow", "Tisch 8, große Halle", 123_456_789, {4: OWN_TEXT}, positions=5)


def vector(key: str, table: str, number: int, added: dict[int, str], positions: int | None = None) -> dict[str, Any]:
    """One deck, with everything on the way to it."""
    game = all_games()[key]
    pack = game.pack(game.defaults)
    drawn_from = has_positions(game, game.defaults) if positions is None else positions
    seed = hashlib.sha256(f"the house's seed of {key} {table} {number}".encode()).digest()
    stream = SeedStream(deck_key(seed, added, table=table, round=number))
    deal = shuffle(pack, seed, added, drawn_from, table=table, round=number)
    size = len(pack)
    return {
        "game": key,
        "table": table,
        "round": number,
        "seed": seed.hex(),
        "player_seeds": {str(spot): text for spot, text in added.items()},
        "positions": drawn_from,
        "committed_text": committed_text(seed, table=table, round=number),
        "commitment": commit(seed, table=table, round=number),
        "key_text": key_text(added, table=table, round=number),
        "key": deck_key(seed, added, table=table, round=number).hex(),
        "first_block": stream.block(0).hex(),
        "first_numbers": [[size - turn, stream.randrange(size - turn)] for turn in range(FIRST_NUMBERS)],
        "new_deck": text_of(pack),
        "order": text_of(deal.order),
        "start": deal.start,
    }


def text() -> str:
    """The file."""
    about = {
        "procedure": "houseway deck 2",
        "described_in": "docs/deck.md",
        "first_numbers": "each as [n, randrange(n)], in the order in which the shuffle draws them",
        "vectors": list(vectors()),
    }
    return json.dumps(about, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")
