"""A table as a bot knows it: its game, what may be wagered there, and what its progressive pays for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final, NamedTuple

from houseway.api.floor import TableDoc
from houseway.api.views import WagerOffer
from houseway.games import Game, all_games

USUAL_CENTS: Final = 1_000
"""Where a table posts no limits."""
MOST_SIDES: Final = 2
"""Side wagers of one hand, the progressive among them: with the base game three separate games, as FL-9 allows."""


class Layout(NamedTuple):
    """What does not change from round to round."""

    table: str
    game: Game
    kind: str
    console: str
    spots: int
    link: str
    offers: Mapping[str, WagerOffer]
    """What can be placed here; empty where the system sees no cards."""
    hands: tuple[str, ...]
    """The hands that the progressive pays for, the best first; empty where there is none."""

    @property
    def base(self) -> tuple[str, ...]:
        """The wagers that every bot makes to be dealt in; empty where a spot may choose among several."""
        return tuple(offer.wager for offer in self.offers.values() if offer.required) or self.game.base[:1]

    @property
    def sides(self) -> tuple[str, ...]:
        """The wagers that are offered beside."""
        return tuple(name for name in self.offers if name not in self.base)

    def cents(self, wager: str) -> int:
        """What a bot places: always the least that is taken, or where no limit is posted a usual amount."""
        offer = self.offers[wager]
        if offer.equals:
            return max(self.cents(offer.equals), offer.minimum_cents)
        followers = [offer.minimum_cents for offer in self.offers.values() if offer.equals == wager]
        least = max([offer.minimum_cents, *followers])
        return least if least > 1 else USUAL_CENTS

    def wagers(self, random: Random) -> dict[str, int]:
        """What a bot places this time: the base game, and some of the rest."""
        chosen = list(self.base) or [random.choice([key for key in self.game.at_least_one if key in self.offers])]
        most = len(chosen) + random.randint(0, min(MOST_SIDES, len(self.sides)))
        for side in random.sample(self.sides, len(self.sides)):
            if len(chosen) < most and self._can_join(side, chosen):
                chosen.append(side)
        return {wager: self.cents(wager) for wager in chosen}

    def _can_join(self, side: str, chosen: Sequence[str]) -> bool:
        """Whether a spot with these wagers may add another."""
        wager = self.game.wager(side)
        if wager is None or side in chosen:
            return False
        barred = any(side in pair and any(other in pair for other in chosen) for pair in self.game.not_together)
        needed = wager.needs_one_of or ((wager.needs,) if wager.needs else chosen)
        return not barred and any(other in chosen for other in needed)


def layout_of(table: TableDoc) -> Layout:
    """What the floor says about a table."""
    return Layout(
        table=table.table,
        game=all_games()[table.game],
        kind=table.kind,
        console=table.console,
        spots=table.spots,
        link=table.link,
        offers={offer.wager: offer for offer in table.wagers},
        hands=table.hands,
    )
