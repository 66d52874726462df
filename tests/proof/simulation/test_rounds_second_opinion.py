"""The same rounds, settled one by one by the rulebook as the table does it: every count must be the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from houseway.cards import ACE, DECK_52, KING, QUEEN, Card, parse_card, rank_of
from houseway.games import Game, find_game
from houseway.games.round import FOLD, PLAY, Action, Round, Spot
from houseway.games.settle import house_way_place, settings
from houseway.games.six_card_pai_gow import GAME as PAI_GOW
from houseway.proof.advise import choices
from houseway.proof.collect import BASE
from houseway.proof.simulation.chunk import play_chunk
from houseway.proof.simulation.plan import Link, Plan, Setup, plan_of, progressive_hands
from houseway.proof.simulation.stream import cards_of_round
from houseway.proof.simulation.tally import ENVIED, ENVY, SQUARES, Tally
from houseway.ranking import five_card, runs, three_card
from houseway.ranking.poker import PAIR

SEED = 77
ROUNDS = 1500

Decide = Callable[[Sequence[Card], Card], Action]
BASE_WAGERS: Mapping[str, tuple[str, ...]] = {
    "caribbean-stud": ("ante", "bet"),
    "three-card-poker": ("ante", "play", "ante_bonus"),
    "straight-edge-1": ("ante", "play"),
    "straight-edge-2": ("ante", "play", "blind"),
    "six-card-pai-gow": ("base", "double_down"),
}


def three_rules(cards: Sequence[Card], up: Card) -> Action:
    """Caribbean Stud's rule of thumb, from its words."""
    value = five_card.value(*cards)
    if value >> 20 >= PAIR:
        return PLAY
    ranks = sorted((rank_of(card) for card in cards), reverse=True)
    if ranks[:2] != [ACE, KING]:
        return FOLD
    shown = rank_of(up)
    if shown <= QUEEN and shown in ranks:
        return PLAY
    if shown >= KING and (QUEEN in ranks or 11 in ranks):
        return PLAY
    return PLAY if QUEEN in ranks and shown not in ranks and shown < ranks[3] else FOLD


def queen_six_four(cards: Sequence[Card], up: Card) -> Action:
    return PLAY if three_card.value(*cards) >= three_card.value(10, 17, 28) else FOLD


def two_to_the_king(run: Callable[[int], int]) -> Decide:
    return lambda cards, up: PLAY if run(runs.ranks_of(cards, 7)) >= 2 << 4 | KING else FOLD


def two_pair_beside_a_queen(cards: Sequence[Card], up: Card) -> Action:
    """Pai gow: the house way, doubled with two pair or better beside a queen or better."""
    high, low, at = settings(PAI_GOW, cards)[house_way_place(PAI_GOW, PAI_GOW.splits[0], cards)]
    return Action("low", cards[at], 100 if low >= QUEEN and high >> 20 >= 2 else 0)


def joker_low(cards: Sequence[Card], up: Card) -> Action:
    """Pai gow: the joker low unless that fouls."""
    if 52 in cards:
        rest = [card for card in cards if card != 52]
        value = five_card.value(*rest)
        if value >> 20 or value >> 16 & 15 == ACE:
            return Action("low", Card(52))
    return Action("low", cards[house_way_place(PAI_GOW, PAI_GOW.splits[0], cards)])


CASES: dict[str, tuple[str, Decide, dict[str, Any]]] = {
    "caribbean": ("caribbean-stud", three_rules, {"strategy": "three rules", "spots": 3}),
    "caribbean options": (
        "caribbean-stud",
        three_rules,
        {
            "strategy": "three rules",
            "spots": 7,
            "options": {"folded_keeps_bonus": True, "cover_all_counts_folded": False, "folded_qualifies": True},
            "progressives": ("CSTUD-15", "CSTUD-01"),
        },
    ),
    "three card": ("three-card-poker", queen_six_four, {"spots": 5, "progressives": ("1",)}),
    "three card lose": (
        "three-card-poker",
        lambda cards, up: PLAY,
        {"strategy": "every hand", "options": {"equal_hands": "lose"}, "tables": {"pair_plus": "D", BASE: "B"}},
    ),
    "straight edge 1": (
        "straight-edge-1",
        two_to_the_king(runs.wrapping_run),
        {
            "strategy": "play a 2-card straight to the king or better",
            "spots": 4,
            "options": {"folded_keeps_bonus": True},
        },
    ),
    "straight edge 2": (
        "straight-edge-2",
        two_to_the_king(runs.straight_run),
        {
            "strategy": "play a 2-card straight to the king or better",
            "spots": 6,
            "options": {"folded_keeps_insurance": False, "folded_keeps_four_plus": True},
            "progressives": ("TWBB-1",),
            "link": Link({"": 1000}, {}, {"": 100_000}),
        },
    ),
    "straight edge 2 zero": (
        "straight-edge-2",
        two_to_the_king(runs.straight_run),
        {
            "strategy": "play a 2-card straight to the king or better",
            "options": {"blind_on_margin_zero": "one_to_one"},
        },
    ),
    "pai gow": (
        "six-card-pai-gow",
        two_pair_beside_a_queen,
        {
            "strategy": "double with two pair or better beside a queen or better",
            "spots": 6,
            "progressives": ("2",),
            "link": Link({"": 1000}, {}, {"": 100_000}),
        },
    ),
    "pai gow joker": (
        "six-card-pai-gow",
        joker_low,
        {"strategy": "the joker low unless that fouls, else the house way", "tables": {"fortune": "3"}},
    ),
}


def settled(plan: Plan, game: Game, decide: Decide, round_: int) -> tuple[list[dict[str, int]], list[int], list[Any]]:
    """By spot: what every wager came to (flat envy apart), the envy, and the settlement; all for wagers of $1."""
    cards = [Card(card) for card in cards_of_round(plan.seed, round_, plan.deck, plan.cards)]
    hands = [tuple(cards[spot * game.player_cards :][: game.player_cards]) for spot in range(plan.spots)]
    dealer = tuple(cards[plan.spots * game.player_cards :])
    made: dict[str, int] = {"base": 100} if game.key == "six-card-pai-gow" else {"ante": 100}
    if game.key == "straight-edge-2":
        made["blind"] = 100
    sides = [line.wager for line in plan.lines if line.wager != BASE]
    spots = tuple(
        Spot(
            number,
            hand,
            made | {side: 500 if side == "fortune" else 100 for side in sides},
            (decide(hand, dealer[-1]),),
        )
        for number, hand in enumerate(hands, start=1)
    )
    settlement = game.settle(Round(dealer, spots, plan.tables, plan.options))
    nets: list[dict[str, int]] = []
    envy = []
    for spot in settlement.spots:
        own = {name: won.returned - won.wagered - (won.envy or 0) for name, won in spot.wagers.items()}
        base = sum(own.pop(name, 0) for name in BASE_WAGERS[game.key])
        nets.append({BASE: base, **own})
        envy.append(spot.wagers["fortune"].envy or 0 if "fortune" in spot.wagers else 0)
    return nets, envy, list(settlement.spots)


@pytest.mark.parametrize("case", CASES)
def test_every_count_is_that_of_the_table(case: str) -> None:  # noqa: PLR0915  a round has many books
    key, decide, asked = CASES[case]
    game = find_game(key)
    assert game is not None
    plan = plan_of(Setup(game, seed=SEED, **asked))
    first = 123_456
    tally = play_chunk(plan, first, ROUNDS)

    counts: dict[str, Counter[int]] = {line.wager: Counter() for line in plan.lines}
    squares = Counter()
    rows = Counter()
    envied = envy_sum = follows = 0
    bankroll = least = most = 0
    cost_squares = [0] * len(plan.progressives)
    envy_cents = [0] * len(plan.progressives)
    events = []
    for round_ in range(ROUNDS):
        nets, envy, spots = settled(plan, game, decide, first + round_)
        moved = 0
        for line in plan.lines:
            stake = 500 if line.wager == "fortune" else 100
            assert all(net[line.wager] * line.unit % stake == 0 for net in nets)
            parts = [net[line.wager] * line.unit // stake for net in nets]
            counts[line.wager].update(parts)
            won = envy if line.wager == "fortune" else [0] * len(nets)
            squares[line.wager] += (sum(parts) * line.money + sum(won)) ** 2
            moved += (parts[0] * line.money + won[0]) * plan.bankroll_unit // line.stake
        envied += sum(amount > 0 for amount in envy)
        envy_sum += sum(envy)
        bankroll += moved
        least, most = min(least, bankroll), max(most, bankroll)
        names = progressive_hands(game)
        folds = [spot.folded for spot in spots]
        follows += sum(not fold for fold in folds) if not game.splits else 0
        if not plan.progressives:
            continue
        totals = [0] * len(plan.progressives)
        for spot in reversed(spots):
            if spot.folded and not plan.options["folded_qualifies"]:
                continue
            row = names.index(spot.progressive_hand) if spot.progressive_hand else 0
            rows[row] += 1
            if any(one.meter[row] >= 0 for one in plan.progressives):
                events.append((round_ * 16 + spot.number - 1) * 16 + row)
            for place, one in enumerate(plan.progressives):
                totals[place] += one.cost[row] + one.envy[row] * (len(spots) - 1)
                envy_cents[place] += one.envy[row] * (len(spots) - 1)
        for place, total in enumerate(totals):
            cost_squares[place] += total**2

    for place, line in enumerate(plan.lines):
        found = {line.low + at: count for at, count in enumerate(tally.counts[place].tolist()) if count}
        assert found == dict(counts[line.wager]), line.wager
        assert tally.sums[place][SQUARES] == squares[line.wager]
        if line.wager == "fortune":
            assert (tally.sums[place][ENVY], tally.sums[place][ENVIED]) == (envy_sum, envied)
    assert tally.bankroll[:3] == (bankroll, least, most)
    assert sum(part.sum() for part in tally.sessions) == bankroll
    if key != "six-card-pai-gow":
        assert tally.played == follows
    if plan.progressives:
        assert {row: count for row, count in enumerate(tally.rows.tolist()) if count} == dict(rows)
        assert tally.events.tolist() == events
        for place in range(len(plan.progressives)):
            assert tally.progressive[place][SQUARES] == cost_squares[place]
            assert tally.progressive[place][ENVY] == envy_cents[place]


def test_a_changed_decision_would_be_seen() -> None:
    """The comparison above can fail: with another rule of thumb the counts differ."""
    game = find_game("caribbean-stud")
    assert game is not None

    def counted(strategy: str) -> Tally:
        return play_chunk(plan_of(Setup(game, seed=SEED, strategy=strategy)), 0, ROUNDS)

    assert counted("three rules").counts[0].tolist() != counted("any pair").counts[0].tolist()


@pytest.mark.parametrize(
    ("key", "hands"),
    [
        ("caribbean-stud", 6),
        ("straight-edge-1", 12),
        ("straight-edge-2", 12),
        pytest.param("six-card-pai-gow", 40, marks=pytest.mark.long),
    ],
)
def test_the_best_way_is_what_the_solver_advises(key: str, hands: int) -> None:
    """Rounds of one spot, one at a time: what was done, against the exact value of each choice.

    Caribbean Stud is compared where it is close, with an ace and a king and no pair.
    """
    game = find_game(key)
    assert game is not None
    plan = plan_of(Setup(game, seed=SEED, wagers=(BASE,)))
    compared = 0
    for round_ in range(40_000):
        cards = [Card(card) for card in cards_of_round(SEED, round_, plan.deck, plan.cards)]
        hand = cards[: game.player_cards]
        if key == "caribbean-stud" and not 0xED000 <= five_card.value(*hand) < 1 << 20:
            continue
        best = choices(game, hand, cards[-1] if game.dealer_face_up else None).choices[0].what
        tally = play_chunk(plan, round_, 1)
        if key == "six-card-pai-gow":
            assert tally.played == ("double" in best)
            low = parse_card(best.removeprefix("low ").partition(",")[0])
            decision = Action("low", low, 100 if "double" in best else 0)
            nets, _, _ = settled(plan, game, lambda _cards, _up, made=decision: made, round_)
            assert tally.counts[0][nets[0][BASE] // 100 - plan.lines[0].low] == 1
        else:
            assert tally.played == (best == "play"), best
        compared += 1
        if compared == hands:
            return
    raise AssertionError(f"only {compared} hands to compare")


def test_every_card_of_the_deck_is_dealt() -> None:
    game = find_game("caribbean-stud")
    assert game is not None
    plan = plan_of(Setup(game, wagers=(BASE,)))
    seen = {card for round_ in range(100) for card in cards_of_round(plan.seed, round_, plan.deck, plan.cards)}
    assert seen == set(DECK_52)
