"""Bots decide as the proof says, and remember what they worked out."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from houseway.cards import Card, rank_of, suit_of, text_of
from houseway.client import strategy
from houseway.client.strategy import HIDDEN, Best, Sight, Simple, alike, seen_cards
from houseway.games import Game, all_games
from houseway.games.round import Action
from houseway.games.settle import house_way_place
from houseway.proof.advise import choices
from houseway.ranking import three_card

GAMES = all_games()
HANDS = {"caribbean-stud": 2, "six-card-pai-gow": 3, "straight-edge-1": 6, "straight-edge-2": 6, "three-card-poker": 8}


def sights(game: Game, count: int, random: Random, extra_cents: int = 500) -> list[Sight]:
    made = []
    for _ in range(count):
        deck = random.sample(game.deck, game.player_cards + game.dealer_cards)
        cards, dealer = deck[: game.player_cards], deck[game.player_cards :]
        shown = tuple(card if place in game.dealer_face_up else HIDDEN for place, card in enumerate(dealer))
        extra = any(stake.optional for choice in game.points[0].choices for stake in choice.stakes)
        made.append(Sight(game, game.points[0], tuple(cards), shown, extra_cents=extra_cents if extra else 0))
    return made


def up_card(sight: Sight) -> Card | None:
    return next((card for card in sight.dealer if card != HIDDEN), None)


@pytest.mark.parametrize("name", HANDS)
def test_the_best_decision_is_the_proofs(name: str) -> None:
    mind = Best()
    for sight in sights(GAMES[name], HANDS[name], Random(7)):
        action = mind.choose(sight)
        best = choices(sight.game, sight.cards, up_card(sight)).choices
        worth = {one.what: one.value for one in best}
        said = action.name
        if sight.game.splits:
            place = house_way_place(sight.game, sight.game.splits[0], sight.cards)
            low = sight.cards[place] if action.card is None else action.card
            high = [card for card in sight.cards if card != low]
            assert action.cents in (0, 500)
            said = f"low {text_of([low])}, high {text_of(high)}" + (", double down" if action.cents else "")
        assert worth[said] == best[0].value


def test_where_the_limits_leave_no_double_none_is_made() -> None:
    for sight in sights(GAMES["six-card-pai-gow"], 3, Random(11), extra_cents=0):
        action = Best().choose(sight)
        assert action.cents == 0
        undoubled = [one for one in choices(sight.game, sight.cards).choices if not one.what.endswith("double down")]
        assert action.card is None or undoubled[0].what.startswith(f"low {text_of([action.card])},")


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
        assert mind.choose(Sight(game, game.points[0], cards)).name == best
    assert mind.thought == 0


def test_a_hand_is_worked_out_once_whatever_its_suits_are_called(monkeypatch: pytest.MonkeyPatch) -> None:
    game, worked = GAMES["caribbean-stud"], Counter[Sight]()

    def once(sight: Sight) -> Action:
        worked[sight] += 1
        return Action("play")

    monkeypatch.setattr(strategy, "_worked_out", once)
    mind, sight = Best(), sights(game, 1, Random(1))[0]
    renamed = {card: other for card in game.deck for other in game.deck if _next_suit(card, other)} | {HIDDEN: HIDDEN}
    for _ in range(4):
        mind.choose(sight)
        mind.choose(sight._replace(cards=tuple(reversed(sight.cards))))
        sight = sight._replace(
            cards=tuple(renamed[card] for card in sight.cards), dealer=tuple(renamed[card] for card in sight.dealer)
        )
    assert worked.total() == mind.thought == 1


def _next_suit(card: Card, other: Card) -> bool:
    return rank_of(card) == rank_of(other) and (suit_of(card) + 1) % 4 == suit_of(other)


def test_hands_that_differ_are_not_taken_for_each_other() -> None:
    game = GAMES["caribbean-stud"]
    suited, mixed = "Ah Kh 9h 5h 2h", "Ah Kh 9h 5h 2s"
    keys = {
        alike(Sight(game, game.points[0], seen_cards(cards), seen_cards(f"?? ?? ?? ?? {up}")))
        for cards in (suited, mixed)
        for up in ("9s", "9c", "8h", "8c")
    }
    # 9s and 9c are one for the flush, two for the other hand; so are 8h and 8c for neither.
    assert len(keys) == 3 + 4


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strategy, "_worked_out", lambda sight: Action("fold"))
    mind = Best(most=10)
    for sight in sights(GAMES["straight-edge-1"], 50, Random(2)):
        mind.choose(sight)
    assert len(mind._known) == 10


@pytest.mark.parametrize("name", HANDS)
def test_a_simple_decision_is_one_that_the_game_takes(name: str) -> None:
    for sight in sights(GAMES[name], 20, Random(4)):
        assert sight.point.choice(Simple().choose(sight).name) is not None


def test_a_simple_decision_is_one_that_the_table_offers() -> None:
    for sight in sights(GAMES["three-card-poker"], 20, Random(4)):
        assert Simple().choose(sight._replace(offered=("fold",))) == Action("fold")


def test_without_the_proof_it_plays_simply(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "houseway.proof.advise", None)
    for name in ("straight-edge-2", "six-card-pai-gow"):
        sight = sights(GAMES[name], 1, Random(5))[0]
        assert Best().choose(sight) == Simple().choose(sight)
