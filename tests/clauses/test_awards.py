"""The progressives clause by clause: CSP, TCX, SEB, PGP, the Fortune envy (PGF-2), and what they share of PR.

Meters are in cents. What a spot wins is written as three amounts: from the meter, from the tray, by envy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from houseway.adjudication import settle_object
from houseway.cards import parse_cards
from houseway.games import all_games, approved_book, find_game
from houseway.games.round import HOUSE_WAY, Round, Spot
from houseway.paytables import ProgressiveTable
from houseway.progressive import Awards, Entry, Meter, Policy, award_round, seed_amount
from houseway.refusal import Refusal

ROYALS = ("As Ks Qs Js Ts", "Ah Kh Qh Jh Th", "Ad Kd Qd Jd Td")
STRAIGHT_FLUSH = "9c 8c 7c 6c 5c"
STRAIGHT_FLUSH_2 = "8d 7d 6d 5d 4d"
QUADS = "3c 3d 3h 3s 9d"
FULL_HOUSE = "4c 4h 4s 2c 2h"
FLUSH = "Jc 9c 7c 4c 2c"
STRAIGHT = "9h 8c 7h 6h 5s"
TRIPS = "3c 3d 3h 9h 7c"
TWO_PAIR = "3c 3d 9h 9c 7c"
PAIR = "3c 3d 9h 8c 7c"
LOSER = "3c 4d 9h 8h 7s"
LOSER_2 = "3d 4h 9d 8s 7h"
STUD_DEALER = "Qc Tc 6s 5h 2d"
STUD_HANDS = (ROYALS[0], STRAIGHT_FLUSH, QUADS, FULL_HOUSE, FLUSH, STRAIGHT, TRIPS, TWO_PAIR)


def spot(cards: str, number: int = 1, wager: int | None = 100, *, fold: bool = False, **wagers: int) -> dict[str, Any]:
    """A spot with a progressive wager of $1 beside an Ante of $10, or without one where the wager is None."""
    made = {"ante": 1000, **wagers}
    if wager is not None:
        made["progressive"] = wager
    decision = {"fold": True} if fold else {"play": True}
    return {"spot": number, "cards": cards, "wagers": made, "decision": decision}


def settle(
    game: str, table: str, dealer: str, spots: Sequence[dict[str, Any]], meters: int | Mapping[str, int], **fields: Any
) -> dict[str, Any]:
    """A round at a progressive table; a meter given as a number is the only one, and a seed is $100."""
    amounts = {"main": meters} if isinstance(meters, int) else dict(meters)
    request = {
        "game": game,
        "tables": {"progressive": table, **fields.pop("tables", {})},
        "dealer": dealer,
        "spots": list(spots),
        "meters": amounts,
        "seeds": dict.fromkeys(amounts, 10_000),
        **fields,
    }
    return settle_object(request, approved_book())


def stud(table: str, spots: Sequence[dict[str, Any]], meters: int | Mapping[str, int], **fields: Any) -> dict[str, Any]:
    return settle("caribbean-stud", table, fields.pop("dealer", STUD_DEALER), spots, meters, **fields)


def refused(table: str, *spots: dict[str, Any], **fields: Any) -> str:
    """The field that a wrong Caribbean Stud round is refused for."""
    with pytest.raises(Refusal) as refusal:
        stud(table, spots, fields.pop("meters", 1_000_000), **fields)
    return refusal.value.field


def won(answer: dict[str, Any]) -> dict[int, tuple[int, int, int]]:
    """By spot that made the wager: from the meter, from the tray, by envy."""
    return {
        entry["spot"]: (wager["from_meter"], wager["from_tray"], wager["envy"])
        for entry in answer["spots"]
        if (wager := entry["wagers"].get("progressive")) is not None
    }


def table_of(game: str, name: str) -> ProgressiveTable:
    played = find_game(game)
    assert played is not None
    table = approved_book().find(played.families, "progressive", name)
    assert isinstance(table, ProgressiveTable)
    return table


def awarded(game: str, table: str, meters: Mapping[str, Meter], *entries: Entry, **options: Any) -> Awards:
    """A round of awards by the game's own policy, where the cards of one deck could not make it."""
    played = find_game(game)
    assert played is not None
    policy = Policy.of({**played.defaults, **options}, played.second_spot_envies)
    return award_round(table_of(game, table), meters, entries, policy)


# ------------------------------------------------------------------------------------ percentages and reseeding


@pytest.mark.clause("PR-4", "CSP-3")
def test_a_100_percent_award_pays_the_whole_meter_and_reseeds_it_at_seed_and_reserve() -> None:
    fields = {"seeds": {"main": 1_000_000}, "reserves": {"main": 2_345}}
    answer = stud("CSTUD-01", [spot(ROYALS[0])], 1_234_567, **fields)
    assert answer["spots"][0]["wagers"]["progressive"] == {
        "result": "win",
        "wagered": 100,
        "returned": 1_234_567,
        "from_meter": 1_234_567,
        "from_tray": 0,
        "envy": 0,
    }
    assert answer["meters"] == {"main": 1_002_345}
    assert answer["reseeded"] == ["main"]


@pytest.mark.clause("PR-4")
def test_without_a_reserve_it_restarts_at_the_seed() -> None:
    answer = stud("CSTUD-01", [spot(ROYALS[0])], 1_234_567, seeds={"main": 1_000_000})
    assert answer["meters"] == {"main": 1_000_000}


@pytest.mark.clause("PR-4")
def test_the_reserve_is_empty_after_the_first_reseed_of_a_round() -> None:
    spots = [spot(ROYALS[0], 1), spot(ROYALS[1], 2), spot(ROYALS[2], 3)]
    fields = {"seeds": {"main": 1_000_000}, "reserves": {"main": 2_345}}
    answer = stud("CSTUD-01", spots, 5_000_000, **fields)
    assert won(answer) == {3: (5_000_000, 0, 0), 2: (1_002_345, 0, 0), 1: (1_000_000, 0, 0)}
    assert answer["meters"] == {"main": 1_000_000}
    assert answer["reseeded"] == ["main"], "named once"


@pytest.mark.clause("PR-5", "CSP-3")
@pytest.mark.parametrize(
    ("table", "cards", "meter", "paid", "left"),
    [
        pytest.param("CSTUD-01", STRAIGHT_FLUSH, 1_234_567, 123_456, 1_111_111, id="10%, rounded down"),
        pytest.param("CSTUD-06", QUADS, 1_234_567, 12_345, 1_222_222, id="1%, rounded down"),
        pytest.param("CSTUD-01", STRAIGHT_FLUSH, 9, 0, 9, id="10% of nine cents is nothing"),
        pytest.param("CSTUD-01", STRAIGHT_FLUSH, 10, 1, 9, id="10% of ten cents is one"),
    ],
)
def test_a_smaller_percentage_is_taken_off_the_meter_rounded_down(
    table: str, cards: str, meter: int, paid: int, left: int
) -> None:
    answer = stud(table, [spot(cards)], meter, reserves={"main": 777})
    assert won(answer) == {1: (paid, 0, 0)}
    assert (answer["meters"], answer["reseeded"]) == ({"main": left}, []), "and nothing is reseeded"


@pytest.mark.clause("PR-5", "PR-17")
def test_two_percentages_of_one_round_are_taken_one_after_the_other() -> None:
    spots = [spot(STRAIGHT_FLUSH, 1), spot(STRAIGHT_FLUSH_2, 2)]
    answer = stud("CSTUD-01", spots, 1_000_000)
    assert won(answer) == {2: (100_000, 0, 0), 1: (90_000, 0, 0)}
    assert answer["meters"] == {"main": 810_000}


@pytest.mark.clause("PR-4", "CSP-5")
def test_only_the_meter_that_was_won_is_reseeded() -> None:
    meters = {"mega": 9_000_000, "major": 800_000, "minor": 70_000}
    seeds = {"mega": 1_000_000, "major": 100_000, "minor": 10_000}
    reserves = {"mega": 11, "major": 22, "minor": 33}
    for cards, name, restarted in (
        (ROYALS[0], "mega", 1_000_011),
        (STRAIGHT_FLUSH, "major", 100_022),
        (QUADS, "minor", 10_033),
    ):
        answer = stud("ML03", [spot(cards)], meters, seeds=seeds, reserves=reserves)
        assert won(answer) == {1: (meters[name], 0, 0)}
        assert answer["meters"] == {**meters, name: restarted}
        assert answer["reseeded"] == [name]


@pytest.mark.clause("PR-4", "PR-5", "PR-17")
def test_an_award_records_its_meter_before_and_after_and_whether_it_was_reseeded() -> None:
    entries = Entry(1, "royal_flush", 100), Entry(2, "straight_flush", 100), Entry(3, "straight", 100)
    awards = awarded("caribbean-stud", "CSTUD-09", {"main": Meter(1_000_000, 50_000, 7)}, *entries)
    recorded = [
        (award.spot, award.meter, award.meter_before_cents, award.meter_after_cents, award.reseeded)
        for award in awards.awards
    ]
    assert recorded == [
        (3, None, 0, 0, False),
        (2, "main", 1_000_000, 900_000, False),
        (1, "main", 900_000, 50_007, True),
    ]


# ----------------------------------------------------------------------------------------------- order of payment

TWO_ROYALS = [spot(ROYALS[0], 2), spot(ROYALS[1], 5)]


@pytest.mark.clause("PR-17")
@pytest.mark.parametrize(
    ("order", "first", "second"),
    [
        pytest.param(None, 5, 2, id="the default: the farthest right first"),
        pytest.param("right_to_left", 5, 2, id="right_to_left"),
        pytest.param("left_to_right", 2, 5, id="left_to_right"),
        pytest.param([2, 5], 2, 5, id="a list"),
        pytest.param([7, 5, 1, 2], 5, 2, id="a list with other spots"),
    ],
)
@pytest.mark.parametrize("asked", [TWO_ROYALS, TWO_ROYALS[::-1]], ids=["asked 2, 5", "asked 5, 2"])
def test_the_second_100_percent_winner_gets_the_reseeded_meter(
    order: Any, first: int, second: int, asked: list[dict[str, Any]]
) -> None:
    options = {} if order is None else {"award_order": order}
    answer = stud("CSTUD-01", asked, 7_000_000, reserves={"main": 500}, options=options)
    assert won(answer) == {first: (7_000_000, 0, 0), second: (10_500, 0, 0)}
    assert (answer["meters"], answer["reseeded"]) == ({"main": 10_000}, ["main"])


@pytest.mark.clause("PR-17")
@pytest.mark.parametrize(
    ("order", "royal", "straight_flush", "left"),
    [("right_to_left", 900_000, 100_000, 10_000), ("left_to_right", 1_000_000, 1_000, 9_000)],
)
def test_a_percentage_before_or_after_the_whole_meter(order: str, royal: int, straight_flush: int, left: int) -> None:
    spots = [spot(ROYALS[0], 1), spot(STRAIGHT_FLUSH, 6)]
    answer = stud("CSTUD-01", spots, 1_000_000, options={"award_order": order})
    assert won(answer) == {1: (royal, 0, 0), 6: (straight_flush, 0, 0)}
    assert answer["meters"] == {"main": left}


@pytest.mark.clause("PR-17")
def test_an_order_from_internal_controls_names_every_spot_with_a_wager() -> None:
    assert refused("CSTUD-01", *TWO_ROYALS, options={"award_order": [5]}) == "options.award_order"
    assert refused("CSTUD-01", *TWO_ROYALS, options={"award_order": [5, 5, 2]}) == "options.award_order"
    assert refused("CSTUD-01", *TWO_ROYALS, options={"award_order": [5, 2, 8]}) == "options.award_order"
    assert refused("CSTUD-01", *TWO_ROYALS, options={"award_order": "at_random"}) == "options.award_order"


@pytest.mark.clause("TCX-5")
@pytest.mark.parametrize(("order", "paid"), [("right_to_left", (3, 1)), ("left_to_right", (1, 3)), ((1, 3), (1, 3))])
def test_several_meter_wins_at_three_card_poker_go_from_the_dealers_farthest_right(
    order: Any, paid: tuple[int, ...]
) -> None:
    """One deck holds one A-K-Q of spades; the order is asked of the awards themselves."""
    entries = Entry(1, "akq_spades", 100), Entry(3, "akq_spades", 100)
    meters = {"main": Meter(500_000, 100_000, 7)}
    awards = awarded("three-card-poker", "1", meters, *entries, award_order=order)
    assert tuple(award.spot for award in awards.awards) == paid
    assert [award.from_meter_cents for award in awards.awards] == [500_000, 100_007]
    assert awards.meters == {"main": 100_000}


# ------------------------------------------------------------------------------------- meter, tray and shortfall


@pytest.mark.clause("PR-6", "CSP-3", "CSP-A2")
@pytest.mark.parametrize(
    ("option", "flush", "straight"),
    [
        pytest.param("as_marked", (5_000, 0), (0, 2_500), id="as marked"),
        pytest.param("tray", (0, 5_000), (0, 2_500), id="every fixed row from the tray"),
        pytest.param("meter", (5_000, 0), (0, 2_500), id="meter: open rows only, a marked row stays"),
    ],
)
def test_fixed_rows_come_from_where_the_table_marks_them(
    option: str, flush: tuple[int, int], straight: tuple[int, int]
) -> None:
    spots = [spot(FLUSH, 1), spot(STRAIGHT, 2)]
    answer = stud("CSTUD-07", spots, 1_000_000, options={"fixed_from": option})
    assert won(answer) == {1: (*flush, 0), 2: (*straight, 0)}
    assert answer["meters"] == {"main": 1_000_000 - flush[0]}
    if option == "as_marked":
        assert stud("CSTUD-07", spots, 1_000_000) == answer, "the default"


@pytest.mark.clause("PR-6")
@pytest.mark.parametrize(
    ("option", "from_meter", "from_tray"),
    [("as_marked", 0, 4_000), ("tray", 0, 4_000), ("meter", 4_000, 0), ("meter:main", 4_000, 0)],
)
def test_where_the_table_leaves_it_open_the_link_decides(option: str, from_meter: int, from_tray: int) -> None:
    answer = stud("01", [spot(FLUSH)], 1_000_000, options={"fixed_from": option})
    assert won(answer) == {1: (from_meter, from_tray, 0)}
    assert answer["meters"] == {"main": 1_000_000 - from_meter}


@pytest.mark.clause("PR-6")
@pytest.mark.parametrize(("table", "option"), [("01", "meter"), ("ML01", "meter:major"), ("ML03", "meter:minor")])
def test_every_fixed_row_of_the_link_tables_is_left_open(table: str, option: str) -> None:
    meters = dict.fromkeys(table_of("caribbean-stud", table).meters, 1_000_000)
    rows = [(QUADS, 30_000), (FULL_HOUSE, 5_000), (FLUSH, 4_000), (STRAIGHT, 3_000), (TRIPS, 900)]
    for cards, paid in rows if table != "ML03" else rows[1:]:
        assert won(stud(table, [spot(cards)], meters)) == {1: (0, paid, 0)}, cards
        assert won(stud(table, [spot(cards)], meters, options={"fixed_from": option})) == {1: (paid, 0, 0)}, cards


@pytest.mark.clause("PR-6", "CSP-5")
def test_on_a_table_of_several_meters_the_link_names_the_meter() -> None:
    meters = {"mega": 9_000_000, "major": 800_000}
    answer = stud("ML01", [spot(FLUSH)], meters, options={"fixed_from": "meter:major"})
    assert won(answer) == {1: (4_000, 0, 0)}
    assert answer["meters"] == {"mega": 9_000_000, "major": 796_000}
    for wrong in ("meter", "meter:minor", "meter:main"):
        assert refused("ML01", spot(FLUSH), meters=meters, options={"fixed_from": wrong}) == "options.fixed_from"


@pytest.mark.clause("CSP-3")
@pytest.mark.parametrize("option", ["as_marked", "tray", "meter"])
def test_a_percentage_always_comes_off_the_meter(option: str) -> None:
    answer = stud("CSTUD-14", [spot(STRAIGHT_FLUSH)], 1_000_000, options={"fixed_from": option})
    assert won(answer) == {1: (100_000, 0, 0)}


@pytest.mark.clause("PR-7")
@pytest.mark.parametrize(
    ("meter", "from_meter", "from_tray", "left"),
    [(5_001, 5_000, 0, 1), (5_000, 5_000, 0, 0), (4_999, 4_999, 1, 0), (0, 0, 5_000, 0)],
)
def test_a_fixed_award_beyond_the_meter_is_paid_in_full_and_the_house_covers_the_rest(
    meter: int, from_meter: int, from_tray: int, left: int
) -> None:
    answer = stud("CSTUD-01", [spot(FLUSH)], meter)
    assert won(answer) == {1: (from_meter, from_tray, 0)}
    assert answer["spots"][0]["wagers"]["progressive"]["returned"] == 5_000
    assert (answer["meters"], answer["reseeded"]) == ({"main": left}, []), "an empty meter is not reseeded"


@pytest.mark.clause("PR-7")
def test_the_shortfall_is_recorded_and_the_next_winner_finds_the_meter_empty() -> None:
    entries = Entry(1, "full_house", 100), Entry(2, "flush", 100), Entry(3, "straight", 100)
    awards = awarded("caribbean-stud", "CSTUD-08", {"main": Meter(6_000, 10_000)}, *entries)
    recorded = [
        (award.spot, award.from_meter_cents, award.from_tray_cents, award.shortfall_cents) for award in awards.awards
    ]
    assert recorded == [(3, 0, 1_000, 0), (2, 5_000, 0, 0), (1, 1_000, 9_000, 9_000)]
    assert (awards.meters, awards.reseeded) == ({"main": 0}, ())


# ------------------------------------------------------------------------------------------------- the wager


@pytest.mark.clause("PR-8", "CSP-2")
@pytest.mark.parametrize(
    ("table", "stated"),
    [
        *((f"CSTUD-{number:02}", 100) for number in (1, 2, 3, 4, 5, 6, 7, 8, 9, 14, 15)),
        *((f"CSTUD-{number:02}", 250) for number in (10, 11)),
        *((f"CSTUD-{number:02}", 500) for number in (12, 13, 16)),
    ],
)
def test_a_table_that_states_its_wager_takes_exactly_that_wager(table: str, stated: int) -> None:
    assert won(stud(table, [spot(PAIR, 1, stated)], 1_000_000)) == {1: (0, 0, 0)}
    for wrong in {stated - 1, stated + 1, 2 * stated, 100, 250, 500} - {stated}:
        assert refused(table, spot(PAIR, 1, wrong)) == "spots[0].wagers.progressive"


@pytest.mark.clause("PR-8")
def test_elsewhere_for_1_pays_scale_with_the_wager_and_percentages_do_not() -> None:
    for wager, trips in ((100, 900), (250, 2_250), (333, 2_997)):
        assert won(stud("01", [spot(TRIPS, 1, wager)], 1_000_000)) == {1: (0, trips, 0)}
        assert won(stud("01", [spot(STRAIGHT_FLUSH, 1, wager)], 1_000_000)) == {1: (100_000, 0, 0)}
        assert won(stud("01", [spot(ROYALS[0], 1, wager)], 1_000_000)) == {1: (1_000_000, 0, 0)}


@pytest.mark.clause("PR-8")
def test_the_progressive_wagers_of_a_round_are_equal() -> None:
    assert refused("01", spot(TRIPS, 1, 100), spot(ROYALS[0], 2, 200)) == "spots[1].wagers.progressive"


@pytest.mark.clause("PR-8")
@pytest.mark.parametrize(("wager", "envy"), [(100, 30_000), (250, 75_000), (333, 99_900), (1, 300)])
def test_envy_scales_with_the_wager(wager: int, envy: int) -> None:
    answer = stud("01", [spot(STRAIGHT_FLUSH, 1, wager), spot(LOSER, 2, wager)], 1_000_000)
    assert won(answer) == {1: (100_000, 0, 0), 2: (0, 0, envy)}


# ---------------------------------------------------------------------------------------------- envy


@pytest.mark.clause("PR-18")
def test_envy_goes_to_every_other_spot_with_a_progressive_wager_and_never_to_the_winner() -> None:
    spots = [spot(LOSER, 1), spot(ROYALS[0], 2), spot(LOSER_2, 3, None), spot("3h 3s 9s 8d 7d", 4)]
    answer = stud("CSTUD-15", spots, 2_000_000)
    assert won(answer) == {1: (0, 0, 100_000), 2: (2_000_000, 0, 0), 4: (0, 0, 100_000)}
    envious = answer["spots"][0]["wagers"]["progressive"]
    assert (envious["result"], envious["returned"]) == ("win", 100_000)
    assert "progressive" not in answer["spots"][2]["wagers"], "no wager, no envy"
    assert answer["meters"] == {"main": 10_000}, "envy is not taken off the meter"


@pytest.mark.clause("PR-18")
def test_two_winners_envy_each_other_and_everybody_else_envies_both() -> None:
    spots = [spot(ROYALS[0], 1), spot(STRAIGHT_FLUSH, 2), spot(LOSER_2, 3)]
    answer = stud("CSTUD-15", spots, 1_000_000)
    assert won(answer) == {1: (900_000, 0, 30_000), 2: (100_000, 0, 100_000), 3: (0, 0, 130_000)}


@pytest.mark.clause("PR-18")
def test_nobody_envies_the_dealer() -> None:
    answer = stud("CSTUD-15", [spot(LOSER)], 1_000_000, dealer=ROYALS[0])
    assert won(answer) == {1: (0, 0, 0)}
    assert answer["meters"] == {"main": 1_000_000}


@pytest.mark.clause("PR-18")
def test_envy_comes_from_a_hand_with_a_wager_of_its_own_unless_the_house_says_otherwise() -> None:
    spots = [spot(ROYALS[0], 1, None), spot(LOSER, 2)]
    assert won(stud("CSTUD-15", spots, 1_000_000)) == {2: (0, 0, 0)}
    for needs, envy in ((True, 0), (False, 100_000)):
        answer = stud("CSTUD-15", spots, 1_000_000, options={"envy_needs_wager": needs})
        assert won(answer) == {2: (0, 0, envy)}
        assert answer["meters"] == {"main": 1_000_000}, "the royal itself wins nothing"


@pytest.mark.clause("PR-18")
def test_a_hand_without_an_envy_pay_brings_none() -> None:
    answer = stud("CSTUD-15", [spot(QUADS, 1), spot("4h 4d 9h 8h 7s", 2)], 1_000_000)
    assert won(answer) == {1: (0, 30_000, 0), 2: (0, 0, 0)}


@pytest.mark.clause("PR-A1")
def test_a_spot_that_folded_still_wins_envy_unless_the_house_says_otherwise() -> None:
    spots = [spot(ROYALS[0], 1), spot(LOSER, 2, fold=True)]
    assert won(stud("CSTUD-15", spots, 1_000_000)) == {1: (1_000_000, 0, 0), 2: (0, 0, 100_000)}
    for wins, envy in ((True, 100_000), (False, 0)):
        answer = stud("CSTUD-15", spots, 1_000_000, options={"folded_wins_envy": wins})
        assert won(answer) == {1: (1_000_000, 0, 0), 2: (0, 0, envy)}


@pytest.mark.clause("PR-A2")
@pytest.mark.parametrize(
    ("game", "table", "hand", "printed"),
    [("straight-edge-1", "TWBB-1", "7", 10_000), ("six-card-pai-gow", "2", "five_aces", None)],
)
def test_envy_grows_with_the_wager_unless_the_house_says_otherwise(
    game: str, table: str, hand: str, printed: int | None
) -> None:
    """At the games whose tables print dollars and do not say for which wager."""
    row = table_of(game, table).row(hand)
    assert row is not None
    assert printed in (None, row.envy_cents)
    entries = Entry(1, hand, 500), Entry(2, "", 500), Entry(3, "", 100)
    for options, times in (({}, 5), ({"envy_scales": True}, 5), ({"envy_scales": False}, 1)):
        awards = awarded(game, table, {"main": Meter(1_000_000, 10_000)}, *entries, **options)
        paid = {envy.spot: envy.amount_cents for envy in awards.envy}
        assert paid == {2: times * row.envy_cents, 3: row.envy_cents}


@pytest.mark.clause("PR-18", "CSP-A1")
@pytest.mark.parametrize(("qualifies", "paid", "envy"), [(False, 0, 0), (True, 1_000_000, 100_000)])
def test_a_folded_hand_that_does_not_qualify_brings_no_envy_either(qualifies: bool, paid: int, envy: int) -> None:
    spots = [spot(ROYALS[0], 1, fold=True), spot(LOSER, 2)]
    answer = stud("CSTUD-15", spots, 1_000_000, options={"folded_qualifies": qualifies})
    assert won(answer) == {1: (paid, 0, 0), 2: (0, 0, envy)}


@pytest.mark.clause("PR-18", "TCX-4")
@pytest.mark.parametrize(
    ("game", "table", "hand", "envy"),
    [
        pytest.param("three-card-poker", "1", "akq_spades", 10_000, id="three-card-poker: hands are independent"),
        pytest.param("caribbean-stud", "CSTUD-15", "royal_flush", 0, id="caribbean-stud"),
        pytest.param("straight-edge-1", "TWBB-1", "7", 0, id="straight-edge-1"),
        pytest.param("straight-edge-2", "TWBB-1", "7", 0, id="straight-edge-2"),
        pytest.param("six-card-pai-gow", "2", "five_aces", 0, id="six-card-pai-gow"),
    ],
)
def test_whether_a_players_second_spot_envies_the_first_is_the_games_rule(
    game: str, table: str, hand: str, envy: int
) -> None:
    entries = Entry(1, hand, 100, player="Ada"), Entry(2, "", 100, player="Ada"), Entry(3, "", 100, player="Bob")
    awards = awarded(game, table, {"main": Meter(1_000_000, 10_000)}, *entries)
    paid = {one.spot: one.amount_cents for one in awards.envy}
    assert paid.get(2, 0) == envy
    assert paid[3] > 0, "another player's spot always does"
    assert 1 not in paid, "a winning hand never envies itself"


@pytest.mark.parametrize("game", list(all_games()))
def test_a_policy_without_more_is_that_of_the_default_options(game: str) -> None:
    played = all_games()[game]
    assert Policy.of(played.defaults, False) == Policy()


@pytest.mark.clause("PR-18")
def test_spots_whose_players_are_not_known_are_different_players() -> None:
    entries = Entry(1, "royal_flush", 100), Entry(2, "", 100)
    awards = awarded("caribbean-stud", "CSTUD-15", {"main": Meter(1_000_000, 10_000)}, *entries)
    assert [(one.spot, one.winner, one.amount_cents) for one in awards.envy] == [(2, 1, 100_000)]


# ---------------------------------------------------------------------------------- Caribbean Stud's tables (CSP)

METER = 10_000_000
"""$100,000, of which 10% is 1,000,000 and 1% is 100,000 cents."""
ALL, TENTH, HUNDREDTH = (METER, 0), (METER // 10, 0), (METER // 100, 0)


def meter(dollars: float) -> tuple[int, int]:
    return int(dollars * 100), 0


def tray(dollars: float) -> tuple[int, int]:
    return 0, int(dollars * 100)


CSTUD: dict[str, tuple[str, int, tuple[tuple[int, int], ...]]] = {
    "CSTUD-01": ("PCSA1", 100, (ALL, TENTH, meter(500), meter(100), meter(50))),
    "CSTUD-02": ("PCSA2", 100, (ALL, meter(5000), meter(500), meter(100), meter(50))),
    "CSTUD-03": ("PCSA3", 100, (ALL, meter(5000), meter(250), meter(100), meter(50))),
    "CSTUD-04": ("PCSA4", 100, (ALL, TENTH, meter(250), meter(100), meter(50))),
    "CSTUD-05": ("PCSA5", 100, (ALL, TENTH, meter(100), meter(50), meter(25))),
    "CSTUD-06": ("PCSA6", 100, (ALL, TENTH, HUNDREDTH, meter(50), meter(25))),
    "CSTUD-07": ("PCSA7", 100, (ALL, meter(5000), meter(250), meter(100), meter(50), tray(25))),
    "CSTUD-08": ("PCSB1", 100, (ALL, meter(5000), meter(500), meter(100), meter(50), tray(10), tray(3), tray(2))),
    "CSTUD-09": ("PCSC1", 100, (ALL, TENTH, meter(500), meter(100), meter(50), tray(10), tray(3), tray(2))),
    "CSTUD-10": ("PCSB2", 250, (ALL, meter(12500), meter(1250), meter(250), meter(125), tray(25), tray(7.5), tray(5))),
    "CSTUD-11": ("PCSC2", 250, (ALL, TENTH, meter(1250), meter(250), meter(125), tray(25), tray(7.5), tray(5))),
    "CSTUD-12": ("PCSB5", 500, (ALL, meter(25000), meter(2500), meter(500), meter(250), tray(50), tray(15), tray(10))),
    "CSTUD-13": ("PCSC5", 500, (ALL, TENTH, meter(2500), meter(500), meter(250), tray(50), tray(15), tray(10))),
    "CSTUD-14": ("", 100, (ALL, TENTH, tray(200), tray(50), tray(40), tray(30), tray(9))),
    "CSTUD-15": ("", 100, (ALL, TENTH, tray(300), tray(50), tray(40), tray(30), tray(9))),
    "CSTUD-16": ("", 500, (ALL, TENTH, tray(300), tray(50), tray(40), tray(30), tray(9))),
    "01": ("", 100, (ALL, TENTH, tray(300), tray(50), tray(40), tray(30), tray(9))),
}
"""By table: its other name, the wager, and the pays from the royal flush down, as the documents print them."""


@pytest.mark.clause("CSP-1", "CSP-3", "CSP-A2")
@pytest.mark.parametrize("table", CSTUD)
def test_the_tables_of_the_caribbean_stud_progressive(table: str) -> None:
    alias, wager, pays = CSTUD[table]
    for name in filter(None, (table, alias)):
        for cards, (from_meter, from_tray) in zip(STUD_HANDS, (*pays, *[(0, 0)] * 8), strict=False):
            answer = stud(name, [spot(cards, 1, wager)], METER)
            assert won(answer) == {1: (from_meter, from_tray, 0)}, cards
            assert answer["meters"]["main"] == (10_000 if from_meter == METER else METER - from_meter), cards


@pytest.mark.clause("CSP-1", "CSP-5")
@pytest.mark.parametrize(
    ("table", "levels"),
    [
        ("ML01", {"mega": ROYALS[0], "major": STRAIGHT_FLUSH}),
        ("ML03", {"mega": ROYALS[0], "major": STRAIGHT_FLUSH, "minor": QUADS}),
    ],
)
def test_the_multi_level_tables_have_a_meter_for_each_level(table: str, levels: dict[str, str]) -> None:
    meters = {name: 1_000_000 * (place + 1) for place, name in enumerate(levels)}
    for name, cards in levels.items():
        answer = stud(table, [spot(cards)], meters)
        assert won(answer) == {1: (meters[name], 0, 0)}
        assert answer["meters"] == {**meters, name: 10_000}
    for cards, paid in ((FULL_HOUSE, 5_000), (FLUSH, 4_000), (STRAIGHT, 3_000), (TRIPS, 900), (TWO_PAIR, 0)):
        assert won(stud(table, [spot(cards)], meters)) == {1: (0, paid, 0)}, cards
    assert won(stud("ML01", [spot(QUADS)], {"mega": 100, "major": 100})) == {1: (0, 30_000, 0)}
    for name in meters:
        missing = {other: amount for other, amount in meters.items() if other != name}
        assert refused(table, spot(PAIR), meters=missing) == f"meters.{name}"
        assert refused(table, spot(PAIR), meters=meters, seeds=missing) == f"seeds.{name}"


@pytest.mark.clause("CSP-5")
def test_two_levels_won_in_one_round_are_two_meters() -> None:
    meters = {"mega": 9_000_000, "major": 800_000, "minor": 70_000}
    spots = [spot(ROYALS[0], 1), spot(STRAIGHT_FLUSH, 2), spot(ROYALS[1], 3), spot(QUADS, 4)]
    answer = stud("ML03", spots, meters, reserves={"mega": 5, "minor": 6})
    paid = {number: (from_meter, from_tray) for number, (from_meter, from_tray, _) in won(answer).items()}
    assert paid == {1: (10_005, 0), 2: (800_000, 0), 3: (9_000_000, 0), 4: (70_000, 0)}
    assert answer["meters"] == {"mega": 10_000, "major": 10_000, "minor": 10_006}
    assert sorted(answer["reseeded"]) == ["major", "mega", "minor"]


@pytest.mark.clause("CSP-1")
def test_the_players_own_five_cards_decide_whatever_the_dealer_has() -> None:
    for dealer in (ROYALS[1], STUD_DEALER):
        assert won(stud("CSTUD-01", [spot(FLUSH)], METER, dealer=dealer)) == {1: (5_000, 0, 0)}
    assert won(stud("CSTUD-01", [spot(PAIR)], METER, dealer=ROYALS[1])) == {1: (0, 0, 0)}


@pytest.mark.clause("CSP-1")
def test_which_tables_serve_which_links() -> None:
    tables = approved_book().of(("caribbean-stud", "five-card-link"), "progressive")
    own = [table for table in tables if table.game == "caribbean-stud"]
    assert [table.id for table in own] == [f"CSTUD-{number:02}" for number in range(1, 17)]
    both_uses = [table.id for table in own if isinstance(table, ProgressiveTable) and table.multi_game]
    assert both_uses == ["CSTUD-15", "CSTUD-16"]
    assert [table.id for table in tables if table.game == "five-card-link"] == ["01", "ML01", "ML03"]
    for game in all_games().values():
        found = [approved_book().find(game.families, "progressive", name) for name in ("CSTUD-01", "ML01")]
        assert all(found) is (game.key == "caribbean-stud")


@pytest.mark.clause("CSP-4")
@pytest.mark.parametrize(
    ("table", "wager", "royal", "straight_flush"),
    [
        ("CSTUD-15", 100, 100_000, 30_000),
        ("CSTUD-16", 500, 500_000, 150_000),
        ("01", 100, 100_000, 30_000),
        ("01", 500, 500_000, 150_000),
        ("ML01", 250, 250_000, 75_000),
        ("ML03", 300, 300_000, 90_000),
    ],
)
def test_the_envy_pays_of_caribbean_stud(table: str, wager: int, royal: int, straight_flush: int) -> None:
    meters = dict.fromkeys(table_of("caribbean-stud", table).meters, 1000000)
    for cards, envy in ((ROYALS[0], royal), (STRAIGHT_FLUSH, straight_flush), (QUADS, 0), (FULL_HOUSE, 0)):
        answer = stud(table, [spot(cards, 1, wager), spot("6d 7h 9h Th Jd", 2, wager)], meters)
        assert won(answer)[2] == (0, 0, envy), cards


@pytest.mark.clause("CSP-4")
@pytest.mark.parametrize("table", [f"CSTUD-{number:02}" for number in range(1, 15)])
def test_the_other_tables_have_no_envy(table: str) -> None:
    wager = CSTUD[table][1]
    for cards in (ROYALS[0], STRAIGHT_FLUSH):
        assert won(stud(table, [spot(cards, 1, wager), spot("6d 7h 9h Th Jd", 2, wager)], METER))[2] == (0, 0, 0)


@pytest.mark.clause("CSP-A1")
def test_a_folded_hand_does_not_qualify_unless_the_house_says_otherwise() -> None:
    folded = [spot(ROYALS[0], fold=True)]
    assert won(stud("CSTUD-01", folded, METER)) == {1: (0, 0, 0)}
    for qualifies, paid, left in ((False, 0, METER), (True, METER, 10_000)):
        answer = stud("CSTUD-01", folded, METER, options={"folded_qualifies": qualifies})
        assert won(answer) == {1: (paid, 0, 0)}
        assert answer["meters"] == {"main": left}


@pytest.mark.clause("CSP-A3")
def test_cstud_16_pays_a_5_dollar_wager_the_fixed_awards_of_the_1_dollar_table_as_printed() -> None:
    for cards, paid in ((QUADS, 30_000), (FULL_HOUSE, 5_000), (FLUSH, 4_000), (STRAIGHT, 3_000), (TRIPS, 900)):
        assert won(stud("CSTUD-16", [spot(cards, 1, 500)], METER)) == {1: (0, paid, 0)}
        assert won(stud("CSTUD-15", [spot(cards, 1, 100)], METER)) == {1: (0, paid, 0)}
    rule_card = all_games()["caribbean-stud"].rule_card
    assert [line.fixed for part in rule_card for line in part.lines if "CSP-A3" in line.clauses] == [True]


# ----------------------------------------------------------------------------------------- Three Card Poker (TCX)


def three(table: str, spots: Sequence[dict[str, Any]], meters: int = 400_000, **fields: Any) -> dict[str, Any]:
    dealer = fields.pop("dealer", "Ts 6d 2c")
    return settle("three-card-poker", table, dealer, spots, meters, tables={"ante_bonus": "A"}, **fields)


@pytest.mark.clause("TCX-1")
@pytest.mark.parametrize(
    ("cards", "table_1", "table_2"),
    [
        pytest.param("As Ks Qs", (400_000, 0, 0), (400_000, 0, 0), id="A-K-Q of spades"),
        pytest.param("Qs As Ks", (400_000, 0, 0), (400_000, 0, 0), id="in any order"),
        pytest.param("Ah Kh Qh", (0, 50_000, 0), (0, 50_000, 0), id="A-K-Q of hearts"),
        pytest.param("Ad Kd Qd", (0, 50_000, 0), (0, 50_000, 0), id="A-K-Q of diamonds"),
        pytest.param("Ac Kc Qc", (0, 50_000, 0), (0, 50_000, 0), id="A-K-Q of clubs"),
        pytest.param("Ks Qs Js", (0, 7_000, 0), (0, 10_000, 0), id="K-Q-J of spades"),
        pytest.param("3s 2s As", (0, 7_000, 0), (0, 10_000, 0), id="3-2-A of spades"),
        pytest.param("Ah Ad Ac", (0, 6_000, 0), (0, 9_000, 0), id="three of a kind"),
        pytest.param("Ah Ks Qs", (0, 600, 0), (0, 0, 0), id="a straight, on table 1 alone"),
        pytest.param("Ah Kh Th", (0, 0, 0), (0, 0, 0), id="a flush"),
        pytest.param("Ah Ad Kh", (0, 0, 0), (0, 0, 0), id="a pair"),
    ],
)
def test_what_the_players_own_three_cards_win(
    cards: str, table_1: tuple[int, int, int], table_2: tuple[int, int, int]
) -> None:
    assert won(three("1", [spot(cards)])) == {1: table_1}
    assert won(three("2", [spot(cards)])) == {1: table_2}


@pytest.mark.clause("TCX-1")
@pytest.mark.parametrize("option", ["as_marked", "meter", "tray"])
def test_the_multiples_come_from_the_tray_whatever_the_link_says(option: str) -> None:
    answer = three("1", [spot("Ah Kh Qh")], options={"fixed_from": option})
    assert won(answer) == {1: (0, 50_000, 0)}
    assert answer["meters"] == {"main": 400_000}


@pytest.mark.clause("TCX-1")
def test_the_dealers_cards_do_not_help_and_the_wager_needs_an_ante() -> None:
    assert won(three("1", [spot("Ah 7h 4d")], dealer="As Ks Qs")) == {1: (0, 0, 0)}
    alone = {"spot": 1, "cards": "As Ks Qs", "wagers": {"pair_plus": 100, "progressive": 100}}
    with pytest.raises(Refusal, match="needs a wager on ante"):
        three("1", [alone])


@pytest.mark.clause("TCX-2")
def test_a_folded_hand_never_wins_at_three_card_poker() -> None:
    for cards in ("As Ks Qs", "Ah Kh Qh", "Ah Ad Ac"):
        answer = three("1", [spot(cards, 1, fold=True), spot("Jh 7h 4d", 2)])
        assert won(answer) == {1: (0, 0, 0), 2: (0, 0, 0)}
        assert answer["meters"] == {"main": 400_000}
    assert won(three("1", [spot("As Ks Qs", fold=True)], options={"folded_qualifies": False})) == {1: (0, 0, 0)}
    with pytest.raises(Refusal, match=r"options\.folded_qualifies"):
        three("1", [spot("As Ks Qs", fold=True)], options={"folded_qualifies": True})


@pytest.mark.clause("TCX-3")
@pytest.mark.parametrize("wager", [100, 200, 500])
def test_fixed_pays_and_envy_scale_with_the_wager_and_the_meter_is_paid_whole(wager: int) -> None:
    dollars = wager // 100
    spots = [spot("Ah Kh Qh", 1, wager), spot("Ks Qd Jd", 2, wager)]
    assert won(three("1", spots)) == {1: (0, 50_000 * dollars, 0), 2: (0, 600 * dollars, 2_500 * dollars)}
    top = three("1", [spot("As Ks Qs", 1, wager), spot("Jh 7h 4d", 2, wager)])
    assert won(top) == {1: (400_000, 0, 0), 2: (0, 0, 10_000 * dollars)}


@pytest.mark.clause("TCX-3")
def test_the_printed_seed_is_1000_dollars_for_a_1_dollar_wager() -> None:
    for name in ("1", "2"):
        table = table_of("three-card-poker", name)
        assert (table.seed_cents, table.figures_wager_cents, table.stated_wager_cents) == (100_000, 100, None)


@pytest.mark.clause("TCX-4")
@pytest.mark.parametrize("table", ["1", "2"])
def test_envy_is_100_and_25_per_dollar_for_the_two_top_rows(table: str) -> None:
    for cards, envy in (("As Ks Qs", 10_000), ("Ah Kh Qh", 2_500), ("Kh Qh Jh", 0), ("Ah Ad Ac", 0)):
        assert won(three(table, [spot(cards, 1), spot("Jd 7h 4d", 2)]))[2] == (0, 0, envy), cards


# --------------------------------------------------------------------------------- Two Way Bad Beat (SEB)

EDGE = {
    7: "3c 4c 5c 6c 7c 8c 9c",
    6: "3c 4c 5c 6c 7c 8c Kc",
    5: "3c 4c 5c 6c 7c Tc Kc",
    4: "3c 4c 5c 6c 9c Jc Kc",
    3: "3c 4c 5c 8c Tc Qc Qd",
}
EDGE_DEALER = {
    7: "4h 5h 6h 7h 8h 9h Th",
    6: "4h 5h 6h 7h 8h 9h Kh",
    5: "4h 5h 6h 7h 8h Jh Kh",
    4: "4h 5h 6h 7h 9h Jh Kh",
    3: "4h 5h 6h 8h Th Qh Qs",
}


def edge(version: int, dealer: str, spots: Sequence[dict[str, Any]], meters: int = 400_000, **fields: Any) -> Any:
    """A Two Way Bad Beat round; in version 1 the dealer's eighth card repeats a rank and changes nothing."""
    if version == 1 and len(dealer.split()) == 7:
        dealer += " " + dealer[0] + "s"
    if version == 2:
        for one in spots:
            one["wagers"]["blind"] = one["wagers"]["ante"]
    return settle(f"straight-edge-{version}", fields.pop("table", "TWBB-1"), dealer, spots, meters, **fields)


@pytest.mark.clause("SEB-1", "SEB-2")
@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("table", ["TWBB-1", "TWBB-2", "01", "02"])
@pytest.mark.parametrize(
    ("player", "dealer", "paid"),
    [
        pytest.param(7, 7, (400_000, 0, 0), id="7 beaten by 7"),
        pytest.param(6, 7, (0, 25_000, 0), id="6 beaten by 7"),
        pytest.param(7, 6, (0, 25_000, 0), id="7 beats 6"),
        pytest.param(6, 6, (0, 25_000, 0), id="6 beaten by 6"),
        pytest.param(5, 7, (0, 2_500, 0), id="5 beaten by 7"),
        pytest.param(7, 5, (0, 2_500, 0), id="7 beats 5"),
        pytest.param(4, 5, (0, 500, 0), id="4 beaten by 5"),
        pytest.param(5, 4, (0, 500, 0), id="5 beats 4"),
        pytest.param(4, 4, (0, 500, 0), id="4 beaten by 4"),
        pytest.param(3, 7, (0, 0, 0), id="the player has three"),
        pytest.param(7, 3, (0, 0, 0), id="the dealer has three"),
    ],
)
def test_the_lower_of_two_runs_of_four_or_more_sets_the_pay(
    version: int, table: str, player: int, dealer: int, paid: tuple[int, int, int]
) -> None:
    answer = edge(version, EDGE_DEALER[dealer], [spot(EDGE[player])], table=table)
    assert won(answer) == {1: paid}
    assert answer["meters"] == {"main": 10_000 if paid[0] else 400_000}


@pytest.mark.clause("SEB-1")
@pytest.mark.parametrize("version", [1, 2])
def test_a_tie_loses(version: int) -> None:
    for length in (4, 5, 6, 7):
        copy = EDGE[length].replace("c", "h")
        answer = edge(version, copy, [spot(EDGE[length])])
        assert answer["spots"][0]["wagers"]["progressive"]["result"] == "lose"
        assert won(answer) == {1: (0, 0, 0)}


@pytest.mark.clause("SEB-2")
def test_a_dealers_run_of_eight_beats_a_run_of_seven_for_the_meter() -> None:
    answer = edge(1, "3h 4h 5h 6h 7h 8h 9h Th", [spot(EDGE[7])])
    assert won(answer) == {1: (400_000, 0, 0)}


@pytest.mark.clause("SEB-2")
def test_the_pays_are_for_1() -> None:
    for length, paid in ((6, 125_000), (5, 12_500), (4, 2_500)):
        assert won(edge(2, EDGE_DEALER[7], [spot(EDGE[length], 1, 500)])) == {1: (0, paid, 0)}


@pytest.mark.clause("SEB-3")
@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize(
    ("table", "wager", "envy"), [("TWBB-1", 100, 10_000), ("TWBB-1", 300, 30_000), ("TWBB-2", 100, 0)]
)
def test_table_1_alone_has_envy_and_on_the_seven_card_row_alone(
    version: int, table: str, wager: int, envy: int
) -> None:
    other = "2d 4d 6d 8d Td Qd Qs"
    answer = edge(version, EDGE_DEALER[7], [spot(EDGE[7], 1, wager), spot(other, 2, wager)], table=table)
    assert won(answer) == {1: (400_000, 0, 0), 2: (0, 0, envy)}
    lower = edge(version, EDGE_DEALER[7], [spot(EDGE[6], 1, wager), spot(other, 2, wager)], table=table)
    assert won(lower)[2] == (0, 0, 0)


@pytest.mark.clause("SEB-4", "PR-6")
@pytest.mark.parametrize(("option", "from_meter"), [("as_marked", False), ("tray", False), ("meter", True)])
@pytest.mark.parametrize("table", ["TWBB-1", "TWBB-2"])
def test_the_casino_sets_where_the_fixed_rows_of_the_bad_beat_come_from(
    table: str, option: str, from_meter: bool
) -> None:
    for length, paid in ((6, 25_000), (5, 2_500), (4, 500)):
        answer = edge(2, EDGE_DEALER[7], [spot(EDGE[length])], table=table, options={"fixed_from": option})
        assert won(answer) == {1: (paid, 0, 0) if from_meter else (0, paid, 0)}, length
        assert answer["meters"] == {"main": 400_000 - paid if from_meter else 400_000}
        assert won(edge(1, EDGE_DEALER[7], [spot(EDGE[length])], table=table, options={"fixed_from": option})) == {
            1: (paid, 0, 0) if from_meter else (0, paid, 0)
        }


@pytest.mark.clause("SEB-A1")
@pytest.mark.parametrize("version", [1, 2])
def test_a_folded_hand_is_not_eligible_for_the_bad_beat_unless_the_house_says_otherwise(version: int) -> None:
    assert won(edge(version, EDGE_DEALER[7], [spot(EDGE[5], fold=True)])) == {1: (0, 0, 0)}
    for qualifies, paid in ((False, 0), (True, 2_500)):
        options = {"folded_qualifies": qualifies}
        answer = edge(version, EDGE_DEALER[7], [spot(EDGE[5], fold=True)], options=options)
        assert won(answer) == {1: (0, paid, 0)}


@pytest.mark.clause("SEB-A2")
def test_a_copy_wins_the_base_game_of_version_1_and_still_loses_the_bad_beat() -> None:
    answer = edge(1, EDGE[5].replace("c", "h"), [spot(EDGE[5])])
    assert answer["spots"][0]["outcome"] == "win"
    assert won(answer) == {1: (0, 0, 0)}
    for version in (1, 2):
        game = find_game(f"straight-edge-{version}")
        assert game is not None
        lines = [line for part in game.rule_card for line in part.lines if "SEB-A2" in line.clauses]
        assert [line.fixed for line in lines] == [True]


@pytest.mark.clause("SEB-1", "SE1-2")
def test_the_bad_beat_uses_the_runs_of_its_version() -> None:
    wrapping = "Qc Kc Ac 2c 5c 7c 9c"
    assert won(edge(1, EDGE_DEALER[7], [spot(wrapping)])) == {1: (0, 500, 0)}
    assert won(edge(2, EDGE_DEALER[7], [spot(wrapping)])) == {1: (0, 0, 0)}


# --------------------------------------------------------------------------------- 6 Card Fortune Pai Gow (PGP)

LOW = "Qd Th 9d 6h 4c 3d"
PAI_GOW_DEALER = "Kd Jc 9c 7h 5c 3h"
PAI_GOW_HANDS = (
    "As Ad Ah Ac Jk Kc",
    "As Ks Qs Js Jk 2d",
    "9s 8s 7s 6s 5s Ad",
    "8s 8d 8h 8c Ks 4d",
    "8s 8d 8h 5d 5s Ad",
    "Ks 9s 7s 4s 2s Ad",
    "9s 8d 7s 6c 5s Kc",
    "8s 8d 8h Ac Ks 2d",
)


def six(
    table: str, spots: Sequence[dict[str, Any]], meters: int | Mapping[str, int] = 400_000, **fields: Any
) -> dict[str, Any]:
    made = []
    for one in spots:
        wagers = {"base" if wager == "ante" else wager: cents for wager, cents in one["wagers"].items()}
        made.append({**one, "wagers": wagers, "decision": one.get("set", {"house_way": True})})
        made[-1].pop("set", None)
    return settle("six-card-pai-gow", table, fields.pop("dealer", PAI_GOW_DEALER), made, meters, **fields)


@pytest.mark.clause("PGP-1")
@pytest.mark.parametrize(
    ("table", "rows"),
    [
        ("2", ((400_000, 0), (40_000, 0), (0, 30_000), (0, 15_000), (0, 1_500), (0, 600), (0, 300), (0, 0))),
        ("4", ((400_000, 0), (40_000, 0), (0, 10_000), (0, 7_500), (0, 1_000), (0, 800), (0, 400), (0, 0))),
        ("5", ((400_000, 0), (40_000, 0), (0, 30_000), (0, 15_000), (0, 1_500), (0, 600), (0, 400), (0, 0))),
    ],
)
def test_the_best_hand_among_all_six_cards_wins_by_the_table(table: str, rows: Sequence[tuple[int, int]]) -> None:
    for cards, (from_meter, from_tray) in zip(PAI_GOW_HANDS, rows, strict=True):
        answer = six(table, [spot(cards)])
        assert won(answer) == {1: (from_meter, from_tray, 0)}, cards
        assert answer["meters"] == {"main": 10_000 if from_meter == 400_000 else 400_000 - from_meter}


@pytest.mark.clause("PGP-1")
def test_the_pays_are_for_1_and_scale_with_the_wager() -> None:
    assert won(six("2", [spot("9s 8s 7s 6s 5s Ad", 1, 500)])) == {1: (0, 150_000, 0)}
    assert won(six("2", [spot("As Ad Ah Ac Jk Kc", 1, 500)])) == {1: (400_000, 0, 0)}


@pytest.mark.clause("PGP-1")
def test_how_the_hand_is_set_does_not_matter_to_the_progressive() -> None:
    broken = {**spot("9s 8d 7s 6c 5s Kc"), "set": {"low": "8d"}}
    assert won(six("2", [broken])) == {1: (0, 300, 0)}
    fouled = {**spot("Ks 9s 7s 4s 2s Qd"), "set": {"low": "Ks"}}
    answer = six("2", [fouled])
    assert (answer["spots"][0]["outcome"], won(answer)) == ("foul", {1: (0, 600, 0)})


@pytest.mark.clause("PGP-2", "PR-4")
@pytest.mark.parametrize("table", ["3", "QH"])
def test_on_table_3_five_aces_and_the_royal_flush_own_a_meter_each(table: str) -> None:
    meters = {"five aces": 700_000, "royal flush": 300_000}
    seeds = {"five aces": 50_000, "royal flush": 20_000}
    reserves = {"five aces": 11, "royal flush": 22}
    fields = {"seeds": seeds, "reserves": reserves}
    aces = six(table, [spot(PAI_GOW_HANDS[0])], meters, **fields)
    assert won(aces) == {1: (700_000, 0, 0)}
    assert (aces["meters"], aces["reseeded"]) == ({"five aces": 50_011, "royal flush": 300_000}, ["five aces"])
    royal = six(table, [spot(PAI_GOW_HANDS[1])], meters, **fields)
    assert won(royal) == {1: (300_000, 0, 0)}
    assert (royal["meters"], royal["reseeded"]) == ({"five aces": 700_000, "royal flush": 20_022}, ["royal flush"])
    two = six(table, [spot("As Ks Qs Js Ts 2d", 1), spot("Ah Kh Qh Jh Th 2c", 2)], meters, **fields)
    assert won(two) == {2: (300_000, 0, 0), 1: (20_022, 0, 0)}
    assert two["meters"] == {"five aces": 700_000, "royal flush": 20_000}
    for cards, paid in zip(PAI_GOW_HANDS[2:], (10_000, 7_500, 1_000, 800, 400, 0), strict=True):
        assert won(six(table, [spot(cards)], meters, **fields)) == {1: (0, paid, 0)}, cards


@pytest.mark.clause("PGP-2")
def test_both_meters_of_table_3_in_one_round() -> None:
    """One joker makes that impossible at one table; the awards themselves keep the meters apart."""
    meters = {"five aces": Meter(700_000, 50_000, 11), "royal flush": Meter(300_000, 20_000, 22)}
    entries = Entry(1, "five_aces", 100), Entry(2, "royal_flush", 100)
    awards = awarded("six-card-pai-gow", "3", meters, *entries)
    assert [(award.spot, award.meter, award.from_meter_cents) for award in awards.awards] == [
        (2, "royal flush", 300_000),
        (1, "five aces", 700_000),
    ]
    assert awards.meters == {"five aces": 50_011, "royal flush": 20_022}


@pytest.mark.clause("PGP-3")
@pytest.mark.parametrize(
    ("table", "rows"),
    [
        ("2", (10_000, 5_000, 1_000, 500, 0, 0, 0, 0)),
        ("3", (10_000, 0, 0, 0, 0, 0, 0, 0)),
        ("4", (50_000, 10_000, 0, 0, 0, 0, 0, 0)),
        ("5", (0, 0, 0, 0, 0, 0, 0, 0)),
    ],
)
@pytest.mark.parametrize("wager", [100, 500])
def test_the_envy_of_the_pai_gow_progressive(table: str, rows: Sequence[int], wager: int) -> None:
    meters = dict.fromkeys(table_of("six-card-pai-gow", table).meters, 400_000)
    for cards, envy in zip(PAI_GOW_HANDS, rows, strict=True):
        answer = six(table, [spot(cards, 1, wager), spot(LOW, 2, wager)], meters)
        assert won(answer)[2] == (0, 0, envy * wager // 100), cards
        assert won(answer)[1][2] == 0


@pytest.mark.clause("PGP-4", "PR-6")
@pytest.mark.parametrize(
    ("table", "rows"),
    [
        ("2", (30_000, 15_000, 1_500, 600, 300)),
        ("3", (10_000, 7_500, 1_000, 800, 400)),
        ("4", (10_000, 7_500, 1_000, 800, 400)),
        ("5", (30_000, 15_000, 1_500, 600, 400)),
    ],
)
def test_the_casino_sets_where_the_fixed_rows_of_pai_gow_come_from(table: str, rows: Sequence[int]) -> None:
    meters = dict.fromkeys(table_of("six-card-pai-gow", table).meters, 400_000)
    from_meter = "meter:five aces" if table == "3" else "meter"
    for cards, paid in zip(PAI_GOW_HANDS[2:7], rows, strict=True):
        for option in ("as_marked", "tray"):
            assert won(six(table, [spot(cards)], meters, options={"fixed_from": option})) == {1: (0, paid, 0)}, cards
        answer = six(table, [spot(cards)], meters, options={"fixed_from": from_meter})
        assert won(answer) == {1: (paid, 0, 0)}, cards
        assert sorted(answer["meters"].values())[0] == 400_000 - paid


@pytest.mark.clause("PGP-4")
def test_on_table_3_the_casino_names_the_meter() -> None:
    meters = {"five aces": 700_000, "royal flush": 300_000}
    flush = [spot("Ks 9s 7s 4s 2s Ad")]
    answer = six("3", flush, meters, options={"fixed_from": "meter:royal flush"})
    assert won(answer) == {1: (800, 0, 0)}
    assert answer["meters"] == {"five aces": 700_000, "royal flush": 299_200}
    with pytest.raises(Refusal, match=r"options\.fixed_from"):
        six("3", flush, meters, options={"fixed_from": "meter"})


# ------------------------------------------------------------------------------------------ Fortune envy (PGF-2)


def fortune(table: str, *spots: tuple[str, int | None], dealer: str = PAI_GOW_DEALER) -> list[dict[str, Any]]:
    """What the Fortune wager of every spot comes to: (cards, Fortune wager or None) for spots 1, 2, 3 …"""
    made = [
        {
            "spot": number,
            "cards": cards,
            "wagers": {"base": 1000, **({} if wager is None else {"fortune": wager})},
            "decision": {"house_way": True},
        }
        for number, (cards, wager) in enumerate(spots, start=1)
    ]
    request = {"game": "six-card-pai-gow", "tables": {"fortune": table}, "dealer": dealer, "spots": made}
    answer = settle_object(request, approved_book())
    return [entry["wagers"].get("fortune", {}) for entry in answer["spots"]]


@pytest.mark.clause("PGF-2")
def test_on_table_1_a_fortune_wager_envies_a_full_house_or_better() -> None:
    for cards, envy in zip(PAI_GOW_HANDS, (100_000, 20_000, 5_000, 1_500, 500, 0, 0, 0), strict=True):
        mine = fortune("1", (LOW, 500), (cards, 500))[0]
        assert mine == {"result": "win" if envy else "lose", "wagered": 500, "returned": envy, "envy": envy}, cards


@pytest.mark.clause("PGF-2")
@pytest.mark.parametrize(("wager", "envy"), [(499, 0), (500, 1_500), (501, 1_500), (50_000, 1_500)])
def test_envy_needs_five_dollars_and_is_a_flat_amount_whatever_the_wager(wager: int, envy: int) -> None:
    assert fortune("1", (LOW, wager), (PAI_GOW_HANDS[3], None))[0]["envy"] == envy


@pytest.mark.clause("PGF-2")
def test_the_other_player_needs_no_fortune_wager_of_his_own() -> None:
    assert fortune("1", (LOW, 500), (PAI_GOW_HANDS[4], None))[0]["envy"] == 500
    assert fortune("1", (LOW, 500), (PAI_GOW_HANDS[4], 100))[0]["envy"] == 500


@pytest.mark.clause("PGF-2")
def test_nobody_envies_the_dealer_or_himself() -> None:
    assert fortune("1", (LOW, 500), dealer=PAI_GOW_HANDS[3])[0] == {
        "result": "lose",
        "wagered": 500,
        "returned": 0,
        "envy": 0,
    }
    own = fortune("1", (PAI_GOW_HANDS[3], 500), (LOW, 500))
    assert [entry["envy"] for entry in own] == [0, 1_500]
    assert own[0]["returned"] == 25_500


@pytest.mark.clause("PGF-2")
def test_envy_is_won_from_every_other_player_and_beside_a_win_of_ones_own() -> None:
    full_house, quads = "Ts Td Th 4c 4s Qd", "8s 8d 8h 8c Ks 4d"
    straight = "9d 8c 7s 6c 5s Kc"
    spots = fortune("1", (full_house, 500), ("2s 2d 2h 2c Ah 6d", 500), (straight, 500))
    assert [entry["envy"] for entry in spots] == [1_500, 500, 2_000]
    assert [entry["returned"] for entry in spots] == [8_000 + 1_500, 25_500 + 500, 4_500 + 2_000]
    assert fortune("1", (LOW, 500), (quads, 500))[0]["returned"] == 1_500


@pytest.mark.clause("PGF-2")
@pytest.mark.parametrize("table", ["2", "3"])
def test_tables_2_and_3_have_no_envy(table: str) -> None:
    assert fortune(table, (LOW, 500), (PAI_GOW_HANDS[0], 500))[0] == {"result": "lose", "wagered": 500, "returned": 0}


@pytest.mark.clause("PGF-2")
def test_a_player_does_not_envy_his_own_second_spot() -> None:
    game = find_game("six-card-pai-gow")
    assert game is not None
    table = approved_book().find(game.families, "fortune", "1")
    for owner, envy in (("Ada", 0), ("Bob", 1_500)):
        spots = (
            Spot(1, parse_cards(LOW, 6, joker=True), {"base": 1000, "fortune": 500}, (HOUSE_WAY,), player="Ada"),
            Spot(2, parse_cards(PAI_GOW_HANDS[3], 6, joker=True), {"base": 1000}, (HOUSE_WAY,), player=owner),
        )
        dealer = parse_cards(PAI_GOW_DEALER, 6, joker=True)
        settled = game.settle(Round(dealer, spots, {"fortune": table}, game.defaults))
        assert settled.spots[0].wagers["fortune"].envy == envy


@pytest.mark.clause("TCX-3")
@pytest.mark.parametrize(("wager", "seed"), [(100, 100_000), (250, 250_000), (500, 500_000)])
def test_the_printed_seed_of_three_card_poker_grows_with_the_wager(wager: int, seed: int) -> None:
    for table in ("1", "2"):
        assert seed_amount(table_of("three-card-poker", table), wager) == seed


@pytest.mark.clause("CSP-2")
def test_a_table_that_states_its_wager_has_one_seed() -> None:
    assert seed_amount(table_of("caribbean-stud", "CSTUD-12"), 500) == 5_000_000
    assert seed_amount(table_of("caribbean-stud", "01"), 500) is None
