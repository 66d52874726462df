"""The example floor with a virtual table of every game that it lacks: for pictures of a seat, and tests of screens.

A table is set up from the declaration alone: the first approved pay table of every wager, and wide limits.
"""

from __future__ import annotations

from collections.abc import Iterable

from houseway.games import Game, all_games, approved_book
from houseway.manager.floor_file import example_floor
from houseway.paytables import PayTable

APPROVED = """
submission = 3119
rules = [2023-05-05, 2023-06-05]
items.game = { date = 2023-06-14, reference = "DEMONSTRATION: no such file" }
items.controls_submitted = { date = 2023-07-03, reference = "DEMONSTRATION: no such file" }
items.controls_approved = { date = 2023-08-01, reference = "DEMONSTRATION: no such file" }
items.makers_licensed = { date = 2023-06-14, reference = "DEMONSTRATION: no such file", sold = 2023-09-01 }
items.rules_compared = { date = 2023-08-15, reference = "DEMONSTRATION: no such file", by = "DEMONSTRATION: nobody" }
"""


def table_id(game: Game) -> str:
    """What the virtual table of a game is called."""
    return f"V-{game.key}"


def seat_floor(games: Iterable[str]) -> str:
    """The example floor with a virtual table, and an approval, of each of these games."""
    example = example_floor()
    place = example.index("[[tables]]")
    added = [all_games()[key] for key in games]
    tables = "\n".join(map(_table, added))
    approvals = "".join(
        f'\n[[approvals]]\ngame = "{game.key}"\ndemonstration = true{APPROVED}'
        for game in added
        if f'[[approvals]]\ngame = "{game.key}"' not in example
    )
    return f"{example[:place]}{tables}\n{example[place:]}{approvals}"


def _table(game: Game) -> str:
    chosen = {}
    for wager in game.table_wagers:
        fitting = [table for table in approved_book().of(game.families, wager) if isinstance(table, PayTable)]
        if fitting:
            chosen[wager] = fitting[0].id
    pays = ", ".join(f'{wager} = "{name}"' for wager, name in chosen.items())
    limits = "".join(
        f'limits.{wager.key} = {{ min = "5.00", max = "300.00" }}\n'
        for wager in game.wagers
        if wager.kind != "award" and wager.pays is not None
    )
    return (
        f'[[tables]]\nid = "{table_id(game)}"\ngame = "{game.key}"\nconsole = "touch"\n'
        f'spots = {min(game.most_spots, 6)}\nkind = "virtual"\npay_tables = {{ {pays} }}\n{limits}'
    )
