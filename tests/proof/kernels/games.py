"""The four games with a shared board, and their pay tables by name: to test the board kernels with."""

from __future__ import annotations

from typing import Final

from houseway.games import approved_book, let_it_ride, mississippi_stud, texas_holdem_bonus, ultimate_texas_holdem
from houseway.games.model import Game
from houseway.paytables import PayTable

MISSISSIPPI_STUD: Final = mississippi_stud.GAME
LET_IT_RIDE: Final = let_it_ride.GAME
ULTIMATE_TEXAS_HOLDEM: Final = ultimate_texas_holdem.GAME
TEXAS_HOLDEM_BONUS: Final = texas_holdem_bonus.GAME
GAMES: Final = (MISSISSIPPI_STUD, LET_IT_RIDE, ULTIMATE_TEXAS_HOLDEM, TEXAS_HOLDEM_BONUS)


def pay_tables(game: Game, **names: str) -> dict[str, PayTable]:
    """Tables by wager: those named, the first of its kind for every other wager of the game."""
    tables: dict[str, PayTable] = {}
    for key in game.table_wagers:
        known = [table for table in approved_book().of((game.key,), key) if table.id == names.get(key, table.id)]
        if known and isinstance(known[0], PayTable):
            tables[key] = known[0]
    return tables
