"""Bots decide as the proof says, and remember what they worked out."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from houseway.cards import Card, parse_card, rank_of, suit_of, text_of
from houseway.client import strategy
from houseway.client.strategy import Best, Hand, Simple, alike
from houseway.games import Game, all_games
from houseway.games.settle import house_way_place
from houseway.proof.advise import choices
from houseway.ranking import three_card

GAMES = all_games()
HANDS = {"caribbean-stud": 2, "six-card-pai-gow": 3, "straight-edge-1": 6, "straight-edge-2": 6, "three-card-poker": 8}


def hands(game: Game, count: int, random: Random, double: int = 500) -> list[Hand]:
    made = []
    for _ in range(count):
        cards = random.sample(game.deck, game.player_cards + 1)
        up = cards.pop() if game.dealer_face_up else None
        made.append(Hand(game, tuple(cards[: game.player_cards]), up, double if "base" in _keys(game) else 0))
    return made


def _keys(game: Game) -> set[str]:
    return {wager.key for wager in game.wagers}


@pytest.mark.parametrize("name", HANDS)
def test_the_best_decision_is_the_proofs(name: str) -> None:
    mind = Best()
    for hand in hands(GAMES[name], HANDS[name], Random(7)):
        made = mind.choose(hand)
        best = choices(hand.game, hand.cards, hand.up).choices
        worth = {one.what: one.value for one in best}
        if name != "six-card-pai-gow":
            said = "play" if made.play else "fold"
        else:
            low = (
                parse_card(made.low)
                if made.low
                else hand.cards[house_way_place(hand.game, hand.game.splits[0], hand.cards)]
            )
            high = [card for card in hand.cards if card != low]
            said = f"low {text_of([low])}, high {text_of(high)}"
            assert made.double_down in (0, 500)
            said += ", double down" if made.double_down else ""
        assert worth[said] == best[0].value


@pytest.mark.long
def test_the_looked_up_decision_at_three_card_poker_is_the_proofs_for_every_value() -> None:
    game, mind = GAMES["three-card-poker"], Best()
    by_value: dict[int, tuple[Card, ...]] = {}
    random = Random(3)
    for _ in range(20_000):
        cards = tuple(random.sample(game.deck, 3))
        by_value.setdefault(three_card.value(*cards), cards)
    for cards in by_value.values():
        best = choices(game, cards).choices[0].what
        assert mind.choose(Hand(game, cards, None)).play == (best == "play")
    assert mind.thought == 0


def test_a_hand_is_worked_out_once_whatever_its_suits_are_called(monkeypatch: pytest.MonkeyPatch) -> None:
    game, worked = GAMES["caribbean-stud"], Counter[Hand]()

    def once(hand: Hand) -> strategy.Choice:
        worked[hand] += 1
        return strategy.PLAY

    monkeypatch.setattr(strategy, "_worked_out", once)
    mind, hand = Best(), hands(game, 1, Random(1))[0]
    renamed = {card: other for card in game.deck for other in game.deck if _next_suit(card, other)}
    up = hand.up
    assert up is not None
    for _ in range(4):
        mind.choose(hand)
        mind.choose(hand._replace(cards=tuple(reversed(hand.cards))))
        hand = hand._replace(cards=tuple(renamed[card] for card in hand.cards), up=renamed[hand.up or up])
    assert worked.total() == mind.thought == 1


def _next_suit(card: Card, other: Card) -> bool:
    return rank_of(card) == rank_of(other) and (suit_of(card) + 1) % 4 == suit_of(other)


def test_hands_that_differ_are_not_taken_for_each_other() -> None:
    game = GAMES["caribbean-stud"]
    suited, mixed = "Ah Kh 9h 5h 2h", "Ah Kh 9h 5h 2s"
    keys = {
        alike(Hand(game, tuple(parse_card(one) for one in cards.split()), parse_card(up)))
        for cards in (suited, mixed)
        for up in ("9s", "9c", "8h", "8c")
    }
    # 9s and 9c are one for the flush, two for the other hand; so are 8h and 8c for neither.
    assert len(keys) == 3 + 4


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strategy, "_worked_out", lambda hand: strategy.FOLD)
    mind = Best(most=10)
    for hand in hands(GAMES["straight-edge-1"], 50, Random(2)):
        mind.choose(hand)
    assert len(mind._known) == 10


@pytest.mark.parametrize("name", HANDS)
def test_a_simple_decision_is_one_that_the_game_takes(name: str) -> None:
    for hand in hands(GAMES[name], 20, Random(4)):
        made = Simple().choose(hand)
        assert [made.play, made.fold, made.house_way].count(True) == 1


def test_without_the_proof_it_plays_simply(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    for module in ("houseway.proof.advise", "houseway.proof.six_card_pai_gow"):
        monkeypatch.setitem(sys.modules, module, None)
    for name in ("straight-edge-2", "six-card-pai-gow"):
        hand = hands(GAMES[name], 1, Random(5))[0]
        assert Best().choose(hand) == Simple().choose(hand)
