"""Where a round stands in its game's flow: which decision a spot has come to, and what the dealer turns over next."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from houseway.cards import NO_CARD, Card
from houseway.games import Game
from houseway.games.flow import BOARD, DEALER, is_asked, made_by, next_point, told
from houseway.games.model import Decide, LaterDeal, Reveal
from houseway.games.round import Action
from houseway.table.card_round.state import Hand, Play


class Street(NamedTuple):
    """Cards that are turned over in one go."""

    target: int
    """-2 for the board, 0 for the dealer's cards."""
    places: tuple[int, ...]
    label: str
    number: int
    """How many of the game's streets are turned over after it."""
    deal: LaterDeal | None = None
    """Where its cards are dealt now, and were not before: how."""

    @property
    def words(self) -> str:
        """The street in a sentence."""
        return self.label or ("the board" if self.target == BOARD else "the dealer's cards")


def actions_of(hand: Hand) -> tuple[Action, ...]:
    """What a spot did, as the rulebook takes it."""
    return tuple(Action(action.action, action.card, action.cents) for action in hand.actions)


def point_of(game: Game, play: Play, hand: Hand) -> Decide | None:
    """The decision that a spot has come to and not made; None where it waits for a street, or has none left."""
    point = next_point(game, hand.wagers, actions_of(hand), lambda point: _is_asked(game, play, hand, point))
    if point is None or play.streets == len(game.reveals):
        return point
    turned = 0
    for step in game.flow:
        if step is point:
            return point
        if not isinstance(step, Decide):
            turned += 1
            if turned > play.streets:
                return None
    return None


def _is_asked(game: Game, play: Play, hand: Hand, point: Decide) -> bool:
    """Whether a spot is asked with the cards that lie there; not before they do."""
    dealer = dealer_of(game, play)
    if (game.player_cards and not hand.cards) or (game.dealer_cards and not dealer):
        return False
    own = game.fill_places("spot", (*hand.cards, *hand.later))
    return is_asked(game, point, own, dealer, board_of(game, play))


def dealer_of(game: Game, play: Play) -> tuple[Card, ...]:
    """The dealer's cards as far as they are known, for the rulebook; nothing where none is."""
    face_up = dict(zip(game.dealer_face_up, play.face_up, strict=True)) if play.face_up else {}
    known = play.dealer or by_place(face_up, game.dealer_cards)
    return game.fill_places("dealer", (*known, *play.dealer_later)) if known else ()


def is_called(game: Game, play: Play, deal: LaterDeal) -> bool:
    """Whether the cards, or the wagers, call for a later deal."""
    if deal.when is None:
        return bool(spots_called(game, play, deal))
    return bool(told(game, deal.when, (), dealer_of(game, play), board_of(game, play)))


def spots_called(game: Game, play: Play, deal: LaterDeal) -> tuple[int, ...]:
    """The spots that made the wager which cards are dealt with."""
    hands = sorted(play.hands.items())
    return tuple(spot for spot, hand in hands if deal.wager in made_by(game, hand.wagers, actions_of(hand)).wagers)


def drawn_by(game: Game, play: Play, deal: LaterDeal) -> tuple[tuple[int, int], ...]:
    """Whom the cards of a later deal go to, in order: a spot, the dealer or the board, and the place there."""
    owners = {zone.key: zone.owner for zone in game.zones}
    targets: list[tuple[int, int]] = []
    for zone, place in deal.to:
        if owners[zone] == "spot":
            targets += [(spot, place) for spot in spots_called(game, play, deal)]
        else:
            targets.append((DEALER if owners[zone] == "dealer" else BOARD, place))
    return tuple(targets)


def lacking_cards(game: Game, play: Play, street: Street) -> tuple[tuple[int, int], ...]:
    """Of a street that is dealt: whom cards must still go to, and their places."""
    if street.deal is None:
        return ()
    sizes = {zone.owner: zone.cards for zone in game.zones}
    lacking = []
    for target, place in drawn_by(game, play, street.deal):
        if target == BOARD:
            there = place in play.board_up
        elif target == DEALER:
            there = place < sizes["dealer"] + len(play.dealer_later)
        else:
            there = place < sizes["spot"] + len(play.hands[target].later)
        if not there:
            lacking.append((target, place))
    return tuple(lacking)


def waiting(game: Game, play: Play) -> dict[int, Decide]:
    """By spot: the decisions that must be made before anything is turned over."""
    points = {spot: point_of(game, play, hand) for spot, hand in sorted(play.hands.items())}
    return {spot: point for spot, point in points.items() if point is not None}


def points_before(game: Game, streets: int) -> set[str]:
    """The decisions that come before a street, by its number."""
    keys: set[str] = set()
    turned = 0
    for step in game.flow:
        if not isinstance(step, Decide):
            turned += 1
            if turned == streets:
                break
        elif streets:
            keys.add(step.key)
    return keys


def next_street(game: Game, play: Play) -> Street | None:
    """What is turned over next, before the end; None where only the end is left."""
    shown = face_up_places(game, BOARD, 0)
    if any(place not in play.board_up for place in shown):
        return Street(BOARD, shown, "", 0)
    number = play.streets
    while number < len(game.reveals):
        reveal = game.reveals[number]
        number += 1
        if isinstance(reveal, LaterDeal):
            # One that nothing calls for is passed over.
            if not is_called(game, play, reveal):
                continue
            return Street(BOARD, (), reveal.label, number, reveal)
        return _turned_over(game, reveal, number)
    return None


def _turned_over(game: Game, reveal: Reveal, number: int) -> Street:
    dealer = game.zone_of("dealer")
    target = DEALER if dealer is not None and dealer.key == reveal.zone else BOARD
    return Street(target, reveal.places, reveal.label, number)


def last_street(game: Game, play: Play) -> Street | None:
    """What is still face down on the board at the end."""
    places = tuple(place for place in range(game.board_cards) if place not in play.board_up)
    return Street(BOARD, places, "", play.streets) if places else None


def turned_last(game: Game, play: Play) -> Street | None:
    """The street of the board that was turned over last; None where there is none."""
    board = game.zone_of("table")
    if not play.streets:
        shown = face_up_places(game, BOARD, 0)
        return Street(BOARD, shown, "", 0) if shown and play.board_up else None
    reveal = game.reveals[play.streets - 1]
    if board is None or isinstance(reveal, LaterDeal) or reveal.zone != board.key:
        return None
    return Street(BOARD, reveal.places, reveal.label, play.streets)


def face_up_places(game: Game, target: int, streets: int) -> tuple[int, ...]:
    """The places of the dealer's or the board's packet that lie face up after so many streets."""
    zone = game.zone_of("dealer" if target == DEALER else "table")
    if zone is None:
        return ()
    streets_over = [reveal for reveal in game.reveals[:streets] if isinstance(reveal, Reveal)]
    turned = {place for reveal in streets_over if reveal.zone == zone.key for place in reveal.places}
    return tuple(sorted({*zone.shown, *turned}))


def street_label(game: Game, streets: int) -> str:
    """What the street that was turned over last is called; empty before the first."""
    return game.reveals[streets - 1].label if 0 < streets <= len(game.reveals) else ""


def board_of(game: Game, play: Play) -> tuple[Card, ...]:
    """The board as far as it is known, for the rulebook: whole at a virtual table, else the cards that are up.

    A card that is not known is -1; no rule asks for one that its spot does not see.
    """
    known = play.board or by_place(play.board_up, game.board_cards)
    zone = game.zone_of("table")
    if zone is None or not zone.later or not known:
        return known
    return (*known, *(play.board_up.get(place, NO_CARD) for place in range(zone.cards, zone.places)))


def by_place(up: Mapping[int, Card], count: int) -> tuple[Card, ...]:
    """Cards in the order of their places; -1 for one that is not known."""
    return tuple(up.get(place, UNKNOWN) for place in range(count)) if up else ()


UNKNOWN: Card = Card(-1)
