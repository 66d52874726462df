"""Live meters: the compiled sequence against the awards of a round as the floor computes them."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from houseway.games import all_games, find_game
from houseway.progressive import Entry, Meter, Policy, award_round
from houseway.progressive.terms import MICROS_PER_CENT, split
from houseway.proof.simulation.meters import FROM_METER, HITS, SHORT, SHORTFALL, STEP, Meters
from houseway.proof.simulation.plan import Link, Plan, Setup, plan_of, progressive_hands
from houseway.refusal import Refusal

SPOTS = 4
THREE = Link({"mega": 800, "major": 500, "minor": 300}, {"mega": 100, "minor": 50},
             {"mega": 1_000_000, "major": 100_000, "minor": 5_000})  # fmt: skip


def plan(game: str, table: str, link: Link | None = None, **options: object) -> Plan:
    found = find_game(game)
    assert found is not None
    return plan_of(
        Setup(
            found,
            spots=SPOTS,
            wagers=("base",),
            strategy="every hand" if game != "six-card-pai-gow" else "house-way",
            progressives=(table,),
            link=link or Link(),
            options=options,
        )
    )


def packed(events: list[tuple[int, int, int]]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array([(round_ * 16 + spot) * 16 + row for round_, spot, row in events], np.int64)


@pytest.mark.clause("PR-2", "PR-4", "PR-5", "PR-6", "PR-7", "PR-17")
@pytest.mark.parametrize(
    ("game", "table", "link", "options"),
    [
        ("caribbean-stud", "CSTUD-01", Link({"": 4000}), {}),
        ("caribbean-stud", "CSTUD-06", Link({"": 700}, {"": 300}), {}),
        ("caribbean-stud", "CSTUD-09", Link(), {"award_order": "left_to_right"}),
        ("caribbean-stud", "ML03", THREE, {}),
        ("caribbean-stud", "ML03", THREE, {"fixed_from": "meter:major"}),
        ("caribbean-stud", "CSTUD-01", Link({"": 4000}), {"fixed_from": "tray"}),
        ("three-card-poker", "1", Link({"": 1400}, {"": 100}), {}),
        (
            "six-card-pai-gow",
            "3",
            Link({"five aces": 900, "royal flush": 333}, {}, {"five aces": 77_777, "royal flush": 1}),
            {},
        ),
    ],
)
def test_every_award_is_that_of_the_floor(game: str, table: str, link: Link, options: dict[str, object]) -> None:
    """Random hands, far luckier than cards are, over several steps: meters, reserves and awards to the micro."""
    made = plan(game, table, link, **options)
    progressive = made.progressives[0]
    hands = progressive_hands(all_games()[game])
    source = Random(f"{game} {table} {options}")
    rounds = 2 * STEP + 1234
    lucky: list[list[tuple[int, int]]] = [[] for _ in range(rounds)]
    events = []
    for round_ in sorted(source.sample(range(rounds), 900)):
        for spot in made.order:
            row = source.randrange(len(hands))
            if source.random() < 0.6:
                lucky[round_].append((spot, row))
                if progressive.meter[row] >= 0:
                    events.append((round_, spot, row))
    meters = Meters(progressive, SPOTS)
    meters.run(packed(events), rounds)
    meters.check()

    terms = progressive.terms
    policy = Policy.of(made.options, second_spot_envies=False)
    held = {name: one.seed_cents * MICROS_PER_CENT for name, one in terms.meters.items()}
    reserve = dict.fromkeys(terms.meters, 0)
    parts = split(terms, SPOTS)
    from_meter: dict[str, int] = {}
    shortfall: dict[str, int] = {}
    whole = 0
    for round_ in range(rounds):
        for name in held:
            held[name] += parts.meters[name]
            reserve[name] += parts.reserves.get(name, 0)
        if not lucky[round_]:
            continue
        state = {
            name: Meter(held[name] // MICROS_PER_CENT, one.seed_cents, reserve[name] // MICROS_PER_CENT)
            for name, one in terms.meters.items()
        }
        entries = [Entry(spot + 1, hands[row], terms.wager_cents) for spot, row in lucky[round_]]
        awards = award_round(progressive.table, state, entries, policy)
        for award in awards.awards:
            if award.meter is None:
                continue
            from_meter[award.row.hand] = from_meter.get(award.row.hand, 0) + award.from_meter_cents
            shortfall[award.row.hand] = shortfall.get(award.row.hand, 0) + award.shortfall_cents
            held[award.meter] -= award.from_meter_cents * MICROS_PER_CENT
            if award.reseeded:
                whole += 1
                # The floor keeps whole cents of a reserve in an award; the parts of a cent stay on the meter too.
                held[award.meter] += terms.meters[award.meter].seed_cents * MICROS_PER_CENT + reserve[award.meter]
                reserve[award.meter] = 0
        for name, cents in awards.meters.items():
            assert abs(held[name] // MICROS_PER_CENT - cents) <= 1

    assert dict(zip(terms.meters, meters.held.tolist(), strict=True)) == held
    assert dict(zip(terms.meters, meters.reserve.tolist(), strict=True)) == reserve
    book = {hand: meters.book[row] for row, hand in enumerate(hands) if meters.book[row, HITS]}
    assert {hand: int(line[FROM_METER]) for hand, line in book.items()} == from_meter
    assert {hand: int(line[SHORTFALL]) for hand, line in book.items()} == shortfall
    assert int(meters.seeded.sum()) == whole == sum(len(part) for part in meters.jackpots)
    assert meters.path[-1] == (rounds, *(amount // MICROS_PER_CENT for amount in held.values()))


@pytest.mark.clause("PR-7")
def test_a_meter_that_cannot_give_all_runs_dry() -> None:
    """CSTUD-01 with nothing put on its meter: two four-of-a-kinds of $500 from a seed of $600."""
    made = plan("caribbean-stud", "CSTUD-01", Link({"": 0}, {}, {"": 60_000}))
    meters = Meters(made.progressives[0], SPOTS)
    meters.run(packed([(5, 0, 7), (9, 1, 7)]), 20)
    meters.check()
    assert meters.book[7].tolist() == [2, 60_000, 1, 40_000]
    assert meters.book[7, SHORT] == 1
    assert meters.held.tolist() == [0]


@pytest.mark.clause("PR-4", "PR-17")
def test_the_second_winner_of_all_gets_the_reseeded_meter() -> None:
    made = plan("caribbean-stud", "CSTUD-01", Link({"": 5000}, {"": 1000}))
    meters = Meters(made.progressives[0], SPOTS)
    meters.run(packed([(99, 3, 9), (99, 0, 9)]), 100)
    meters.check()
    won = np.concatenate(meters.jackpots)[:, 1].tolist()
    assert won == [1_000_000 + 100 * SPOTS * 50, 1_000_000 + 100 * SPOTS * 10]
    assert meters.held.tolist() == [1_000_000 * MICROS_PER_CENT]


def test_money_that_is_lost_is_noticed() -> None:
    meters = Meters(plan("caribbean-stud", "CSTUD-01").progressives[0], SPOTS)
    meters.run(packed([(5, 0, 7)]), 20)
    meters.held[0] -= 1
    with pytest.raises(ArithmeticError, match="micros came"):
        meters.check()


@pytest.mark.parametrize(
    ("table", "link", "said"),
    [
        ("ML01", Link(), "seed-amount: no seed is printed"),
        ("01", Link({}, {}, {"": 500_000}), "contribution: is not known"),
        ("ML01", Link({"": 100}), "contribution: must name the meter"),
        ("CSTUD-01", Link({"mega": 100}), "contribution: must name the meter"),
        ("CSTUD-01", Link({"": 9000}, {"": 1001}), "more than the whole wager"),
        ("CSTUD-99", Link(), "is no progressive table"),
    ],
)
def test_a_link_that_does_not_fit_is_refused(table: str, link: Link, said: str) -> None:
    with pytest.raises(Refusal, match=said):
        plan("caribbean-stud", table, link)
