"""Which kernel fits a game: read off its declaration alone, so that a floor can tell without loading a solver."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from random import Random
from typing import Final, TypeAlias

from houseway.cards import JOKER, Card, rank_of
from houseway.games.model import Game, Hand, Rule
from houseway.proof.shape import base_rules, decision_rules, needed_hands, nodes, seen_by
from houseway.ranking.ranking import Ranking
from houseway.rule import arguments_of

Deck: TypeAlias = tuple[Card, ...]
Scored: TypeAlias = tuple[str, Rule]
"""A rule and its name: the wager that it pays, or a name of its own."""

ROW: Final = "progressive row"
RANKS: Final = 13
MOST_HANDS: Final = 25_000_000
MOST_CARDS_SWEPT: Final = 6
MOST_CARDS_BY_RANK: Final = 8
TRIED: Final = 300
"""Random hands on which a ranking's claim that suits do not matter is verified."""


def sides_of(game: Game, rules: Sequence[Rule]) -> tuple[tuple[Hand, ...], tuple[Hand, ...], tuple[Hand, ...]]:
    """The values of cards that rules need: of the spot's whole hand, of the dealer's whole hand, and others."""
    spot, dealer = game.zone_of("spot"), game.zone_of("dealer")
    own, theirs, others = [], [], []
    for hand in needed_hands(game, rules):
        if spot is not None and hand.places == ((spot.key, None),):
            own.append(hand)
        elif dealer is not None and hand.places == ((dealer.key, None),):
            theirs.append(hand)
        else:
            others.append(hand)
    return tuple(own), tuple(theirs), tuple(others)


def scored_rules(game: Game) -> tuple[Scored, ...]:
    """The rules whose results steps keep apart: of the base game, and of everything else that sets the two hands
    against each other."""
    base = [(wager.key, wager.pays) for wager in game.wagers if wager.key in game.base and wager.pays is not None]
    beside = [
        (wager.key, wager.pays)
        for wager in game.wagers
        if wager.key not in game.base and wager.pays is not None and _sets_against(game, wager.pays)
    ]
    rows = [(ROW, game.progressive.row)] if game.progressive and _sets_against(game, game.progressive.row) else []
    return (*base, *beside, *rows)


def _sets_against(game: Game, rule: Rule) -> bool:
    _, theirs, others = sides_of(game, [rule])
    asks_highest = game.highest is not None and game.highest.key in arguments_of(rule)
    return bool(theirs) and not others and not asks_highest


def why_not(game: Game) -> str:
    """Why a game does not have one decision against a dealer's own hand, in a sentence; empty where it has."""
    if game.board_cards:
        return "it has cards that everybody shares"
    if game.splits:
        return "its hands are set"
    if len(game.points) > 1 or len(nodes(game)) > 1:
        return "it has several decisions"
    if any(stake.optional for point in game.points for choice in point.choices for stake in choice.stakes):
        return "a stake of its decision is optional"
    _, theirs, others = sides_of(game, [rule for _, rule in scored_rules(game)])
    if others:
        return f"value {others[0].key} looks at cards other than the spot's whole hand or the dealer's"
    if game.highest is not None and any(game.highest.key in arguments_of(rule) for rule in base_rules(game)):
        return "its base game looks at the hands of other spots"
    if not theirs:
        return "no rule of its base game looks at the dealer's hand"
    if len(game.dealer_face_up) > 1:
        return "the dealer shows more than one card"
    loose = [hand for hand in sides_of(game, decision_rules(game))[2] if not _is_shown(game, hand)]
    if loose:
        return f"value {loose[0].key} looks at some places of a hand"
    return ""


def _is_shown(game: Game, hand: Hand) -> bool:
    dealer = game.zone_of("dealer")
    return dealer is not None and all(
        zone == dealer.key and places is not None and set(places) <= set(dealer.shown) for zone, places in hand.places
    )


def seen_columns(game: Game) -> int:
    """How many of the dealer's cards are seen at the decision."""
    return len(seen_by(game, game.points[0])[0]) if game.points else 0


def why_not_swept(game: Game, deck: Deck) -> str:
    """Why the sweep cannot count a game, in a sentence; empty where it can."""
    reason = why_not(game)
    if reason:
        return reason
    for cards in (game.player_cards, game.dealer_cards):
        if cards > MOST_CARDS_SWEPT or comb(len(deck), cards) > MOST_HANDS:
            return f"it has hands of {cards} cards; the sweep counts {MOST_CARDS_SWEPT} at most"
    return ""


def why_not_by_ranks(game: Game, deck: Deck) -> str:
    """Why a game cannot be counted by ranks, in a sentence; empty where it can."""
    reason = why_not(game)
    if reason:
        return reason
    own, theirs, _ = sides_of(game, [rule for _, rule in scored_rules(game)])
    if game.dealer_face_up:
        return "the dealer shows a card"
    if len(theirs) != 1 or not is_by_rank(theirs[0].ranking):
        return "its dealer's hand is not worth what its ranks are worth, whatever their number"
    deciding = sides_of(game, decision_rules(game))[0]
    for hand in (*own, *deciding):
        if hand.ranking.suits_matter or not holds_by_rank(hand, deck, game.player_cards):
            return f"value {hand.key} depends on suits"
    if JOKER in deck:
        return "its deck has a joker"
    if max(game.player_cards, game.dealer_cards) > MOST_CARDS_BY_RANK:
        return f"it has hands of more than {MOST_CARDS_BY_RANK} cards"
    return ""


def is_by_rank(ranking: Ranking) -> bool:
    """Whether a value follows from the set of ranks: a bit for each card, the same for all cards of a rank."""
    if ranking.suits_matter or ranking.card_bit is None:
        return False
    bits = [ranking.card_bit(card) for card in range(4 * RANKS)]
    return all(bit == 1 << card % RANKS for card, bit in enumerate(bits))


def holds_by_rank(hand: Hand, deck: Deck, cards: int) -> bool:
    """Whether the value of random hands stays when other suits of the same ranks are taken."""
    source = Random(20_230_401)
    by_rank: dict[int, list[Card]] = {}
    for card in deck:
        by_rank.setdefault(rank_of(card), []).append(card)
    for _ in range(TRIED):
        held = source.sample(deck, cards)
        other: list[Card] = []
        for rank, alike in by_rank.items():
            count = sum(rank_of(card) == rank for card in held)
            other += source.sample(alike, count)
        if hand.ranking.value(*held) != hand.ranking.value(*other):
            return False
    return True
