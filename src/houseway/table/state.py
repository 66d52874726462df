"""A table as it stands: its configuration, and the round it is in."""

from __future__ import annotations

from msgspec import Struct

from houseway.progressive import Policy
from houseway.table.card_round.state import DeckSeeds, Play, ShoeState
from houseway.table.config import TableConfig


class Win(Struct, frozen=True, kw_only=True):
    """A confirmed win of the present round."""

    number: int
    spot: int
    hand: str
    cents: int
    paid: bool = False
    """False between J-POT and RUN."""
    undone: bool = False
    envy_cents: int = 0
    surveillance: bool = False
    """FL-18: whether surveillance must verify it."""
    verified: bool = False
    tax_form: bool = False

    @property
    def stands(self) -> bool:
        """Whether it has not been undone by an adjustment."""
        return not self.undone


class Round(Struct, frozen=True, kw_only=True):
    """The present round of a table."""

    number: int = 1
    locked: bool = False
    """After COIN IN / START GAME."""
    dealt: bool = False
    """After the first card."""
    lit: tuple[int, ...] = ()
    """Spots whose sensor is lit; after lock-in these are the wagers booked (PR-28)."""
    waiting: tuple[int, ...] = ()
    """Chips that came after lock-in and wait for the next round (PR-11)."""
    terms: int = 0
    wager_cents: int = 0
    meters: dict[str, int] = {}
    """What this round put on each meter, in micros; a void takes it off again."""
    reserves: dict[str, int] = {}
    excess: dict[str, int] = {}
    folded: tuple[int, ...] = ()
    seen: dict[int, str] = {}
    """PR-13: what the system saw each spot to hold, where it saw the cards."""
    players: tuple[tuple[int, ...], ...] = ()
    """Spots that one person plays."""
    wins: tuple[Win, ...] = ()
    play: Play = Play()
    """The cards and wagers, at a table that plays with cards."""
    called_at: int = 0
    """PR-29: when a supervisor was called, and when he came; 0 for not."""
    arrived_at: int = 0
    calls: dict[int, int] = {}
    """PR-29: by spot, when each win was named that nobody has confirmed or taken back."""

    @property
    def booked(self) -> tuple[int, ...]:
        """The spots with a progressive wager in this round."""
        return self.lit if self.locked else ()

    def win(self, spot: int) -> Win | None:
        """The standing win of a spot."""
        return next((win for win in self.wins if win.spot == spot and win.stands), None)


class TableState(Struct, frozen=True, kw_only=True):
    """A table as it stands."""

    config: TableConfig
    round: Round = Round()
    seats: dict[int, str] = {}
    """Who sits where."""
    guests: dict[int, int] = {}
    """TR-8: by spot, the admission of the player who took the seat; none where a dealer wrote the name down."""
    commission: dict[int, int] = {}
    """BA-10: by spot, the commission in cents that is marked there and not collected yet."""
    malfunction: str = ""
    """FL-13: where the repair of its shuffler stands; empty when it works."""
    shoe: ShoeState | None = None
    """Where its game is dealt from a shoe: the one in use."""
    last_deck: DeckSeeds | None = None
    """TR-11: the deck of the round before, opened."""
    stops: dict[str, str] = {}
    """Why it locks nothing in now: reason by kind. Empty when it plays."""

    @property
    def id(self) -> str:
        return self.config.id


def policy_of(config: TableConfig, fixed_from: str) -> Policy:
    """The house options that bear on awards and envy; where open rows are paid from is the link's to say (PR-6)."""
    return Policy.of({**config.options, "fixed_from": fixed_from}, config.second_spot_envies)
