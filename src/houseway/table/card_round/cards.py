"""Where the cards of a virtual table are: in the shoe, until something shows them (TR-10).

The state of a table, its journal and its snapshots hold places of the deck. `opened` fills in the cards for a decision
or a view; without the shoe, and so without the key, a hand that was not shown stays sealed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from msgspec.structs import replace

from houseway.cards import Card
from houseway.table.card_round.agenda import arranged, has_positions
from houseway.table.card_round.settle import game_of, options_of
from houseway.table.card_round.state import Hand, Play, SpotAction
from houseway.table.state import TableState


class Promise(NamedTuple):
    """FL-3: a secret seed, committed to and sealed."""

    commitment: str
    sealed: str


class Deck(NamedTuple):
    """A deck in its order, and the secret that opens its commitment."""

    order: tuple[Card, ...]
    start: int
    """PG-3: a random position, from 1; 0 where none was asked for."""
    seed: str = ""
    nonce: str = ""
    """In place of the seed, of a deck of before TR-11."""


class Shoe(Protocol):
    """Where decks come from."""

    def promise(self, table: str, round: int) -> Promise:
        """A new secret seed for a round."""
        ...

    def deck(
        self,
        sealed: str,
        table: str,
        round: int,
        cards: tuple[Card, ...],
        player_seeds: Mapping[int, str],
        positions: int,
    ) -> Deck:
        """The deck that follows from a sealed seed and the players'; ``cards`` is a new pack, in its order."""
        ...


def deck_of(table: TableState, play: Play, shoe: Shoe) -> Deck:
    """The deck of the present round; on a demonstration floor with the chosen cards where they are dealt."""
    game, options = game_of(table.config), options_of(table.config)
    positions = has_positions(game, options)
    if table.shoe is not None and table.shoe.shuffled:
        lives = table.shoe
        return shoe.deck(lives.sealed, table.id, lives.round, game.deck * lives.decks, lives.player_seeds, positions)
    deck = shoe.deck(play.sealed, table.id, table.round.number, game.pack(options), play.player_seeds, positions)
    if not play.stacked:
        return deck
    return deck._replace(order=arranged(game, deck.order, tuple(play.hands), options, deck.start, play.stacked))


def opened(table: TableState, shoe: Shoe | None) -> TableState:
    """A table with the cards of its present round, as far as they are dealt. What it is given stays as it is."""
    play = table.round.play
    if shoe is None or not _sealed(play):
        return table
    return replace(table, round=replace(table.round, play=filled(play, deck_of(table, play, shoe).order)))


def _sealed(play: Play) -> bool:
    hidden = (play.dealer_count > 0 and not play.dealer) or (play.board_count > 0 and not play.board)
    return hidden or any(hand.count and not hand.cards for hand in play.hands.values())


def filled(play: Play, order: tuple[Card, ...]) -> Play:
    """A round with the cards of a deck in the hands that have none shown."""
    dealer = play.dealer or order[play.dealer_first : play.dealer_first + play.dealer_count]
    board = play.board or order[play.board_first : play.board_first + play.board_count]
    hands = {spot: _filled(hand, order) for spot, hand in play.hands.items()}
    return replace(play, dealer=dealer, board=board, hands=hands)


def _filled(hand: Hand, order: tuple[Card, ...]) -> Hand:
    if hand.cards or not hand.count:
        return hand
    cards = order[hand.first : hand.first + hand.count]
    if not any(action.place is not None for action in hand.actions):
        return replace(hand, cards=cards)
    return replace(hand, cards=cards, actions=tuple(with_card(action, cards) for action in hand.actions))


def with_card(action: SpotAction, cards: tuple[Card, ...]) -> SpotAction:
    """An action with the card that it names by its place in the hand."""
    return action if action.place is None else replace(action, card=cards[action.place])
