"""Which wagers a table takes, when, from whom, and in which order it settles them: TC-1, TC-13, TC-14, CS-3,
CSB-1, CSB-3, CSC-1, PGF-3, FL-18 and FL-25, by orders at a table that deals.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.manager.floor_kit import only
from tests.table.table_kit import Opener, Room, rooms

from houseway.books.signage import signage
from houseway.cards import DECK_52
from houseway.manager.floor_file import example_floor, read_floor
from houseway.table import limits
from houseway.table.card_round import commands as ask
from houseway.table.card_round.events import DeckOpened, PacketDealt, PayoutVerified, Reconciled, WagerPlaced
from houseway.table.card_round.view import Viewer
from houseway.table.config import Dated, Limits

ANTE = {"ante": 1000}
VIEWERS: tuple[Viewer, ...] = ("player", "dealer", "surveillance", "display")
STRAIGHT, PAIR_OF_FOURS, ACE_HIGH = "9h 8d 7h", "4c 4d Jc", "As Kd 5c"
QUEEN_HIGH = "Qs 3d 2c"


@pytest.fixture
def open_room(tmp_path: Path) -> Iterator[Opener]:
    yield from rooms(tmp_path)


def settled_order(room: Room) -> list[tuple[int, tuple[str, ...]]]:
    """What was reconciled, step by step: the spot, and its wagers in their order."""
    return [(event.spot, event.wagers) for event in room.events(Reconciled)]


# -------------------------------------------------------------------------------------------------- Three Card Poker


@pytest.mark.clause("TC-1")
def test_three_cards_each_come_out_of_the_shuffler_and_nobody_sees_one_of_the_dealers(open_room: Opener) -> None:
    room = open_room("three-card-poker")
    room.bets({1: ANTE, 4: ANTE})
    room.call()
    room.cards({1: STRAIGHT, 4: PAIR_OF_FOURS, 0: QUEEN_HIGH})
    assert [(event.target, event.count) for event in room.events(PacketDealt)] == [(1, 3), (4, 3), (0, 3)]
    for who in VIEWERS:
        assert room.seen(who, "p1").dealer.split() == ["??", "??", "??"], "the bottom card neither"
    assert room.spot(1, "player", "p1").cards == STRAIGHT
    assert set(room.spot(1, "player", "p4").cards.split()) == {"??"}
    for spot in (1, 4):
        room.act(spot, "play")
    room.reveal()
    assert room.seen("player", "p1").dealer == QUEEN_HIGH
    room.reconcile_all()
    room.end("T1")
    assert sorted(room.events(DeckOpened)[0].order) == sorted(DECK_52)


@pytest.mark.clause("TC-1")
def test_three_card_poker_is_never_dealt_by_hand() -> None:
    text = example_floor()
    here = text.index('id = "TCP-1"')
    by_hand = text[:here] + text[here:].replace("console =", 'dealing = "hand"\nconsole =', 1)
    found = read_floor(by_hand.encode(), "floor.toml", Path())
    (defect,) = found.defects
    assert str(defect).startswith("table TCP-1: dealing: Three Card Poker is dealt from an approved shuffler; only ")


@pytest.mark.clause("TC-13")
@pytest.mark.parametrize(
    ("options", "order"),
    [
        ({}, ("play", "ante_bonus", "ante", "pair_plus")),
        (
            {"reconcile_order": "pair_plus ante play ante_bonus"},
            ("pair_plus", "ante", "play", "ante_bonus"),
        ),
    ],
)
def test_reconciling_runs_from_the_dealers_right_and_each_spot_in_the_houses_order(
    open_room: Opener, options: dict[str, str], order: tuple[str, ...]
) -> None:
    room = open_room("three-card-poker", options=options)
    room.bets({1: ANTE | {"pair_plus": 500}, 2: {"pair_plus": 500}, 4: ANTE | {"pair_plus": 500}})
    room.call()
    room.cards({1: STRAIGHT, 2: PAIR_OF_FOURS, 4: ACE_HIGH, 0: QUEEN_HIGH})
    room.act(1, "play")
    room.act(4, "play")
    room.reveal()
    assert "spot 4 is next" in room.refused(lambda: room.reconcile(1)).sentence
    room.reconcile_all()
    without_bonus = tuple(wager for wager in order if wager != "ante_bonus")
    assert settled_order(room) == [(4, without_bonus), (2, ("pair_plus",)), (1, order)]
    # Whatever the order: two Antes and Plays win $10 each; the straight brings $10 of Ante Bonus and $30 of Pair Plus,
    # the pair of fours $5, and the ace loses its Pair Plus of $5.
    assert room.rack() == -(4000 + 1000 + 3000 + 500 - 500)


@pytest.mark.clause("TC-14")
def test_a_spot_is_one_players_and_nobody_else_bets_on_it(open_room: Opener) -> None:
    room = open_room("three-card-poker")
    room.bets({1: ANTE})
    room.sit(2, 3)
    assert room.not_allowed(lambda: room.bet(1, "pair_plus", 500, by="player/p2")) == "own spot"
    assert room.not_allowed(lambda: room.bet(1, "ante", 0, by="player/p2")) == "own spot"
    taken = ask.SitDown(table="T1", spot=1, player="p3")
    assert "is taken" in room.refused(lambda: room.do("player/p3", taken)).sentence
    on_another = ask.Bet(table="T1", spot=2, wager="spot_1_loses", cents=500)
    assert room.refused(lambda: room.do("player/p2", on_another)).field == "wager"
    assert [(event.spot, event.player, event.wager) for event in room.events(WagerPlaced)] == [(1, "p1", "ante")]


@pytest.mark.clause("TC-14")
@pytest.mark.parametrize("neighbour", ["Ah Kh Qh", "2h 5d 9c"])
def test_no_money_passes_between_players(open_room: Opener, neighbour: str) -> None:
    """Whatever the neighbour holds and wins, a spot wins its own wagers and the house pays them."""
    room = open_room("three-card-poker", linked=False)
    room.bets({1: ANTE, 2: ANTE})
    room.call()
    room.cards({1: PAIR_OF_FOURS, 2: neighbour, 0: QUEEN_HIGH})
    for spot in (1, 2):
        room.act(spot, "play")
    room.reveal()
    room.reconcile_all()
    paid = {event.spot: (event.wagered, event.returned) for event in room.events(Reconciled)}
    assert paid[1] == (2000, 4000)
    assert room.rack() == sum(wagered - returned for wagered, returned in paid.values())


# ------------------------------------------------------------------------------------------------- the progressive


@pytest.mark.clause("PR-39")
@pytest.mark.parametrize("kind", ["virtual", "cards"])
def test_every_spot_of_a_link_makes_the_one_progressive_wager(open_room: Opener, kind: str) -> None:
    room = open_room(kind=kind)
    room.bets({1: ANTE})
    for cents in (50, 200, 500):
        said = room.refused(lambda cents=cents: room.bet(1, "progressive", cents)).sentence
        assert said == "the progressive wager here is $1.00, no other"
    room.bet(1, "progressive", 100)


# ---------------------------------------------------------------------------------- Bonus and Cover All: limits, timing

POSTED = {"ante": (500, 10_000), "bet": (1_000, 20_000), "bonus": (100, 2_500), "cover_all": (200, 1_000)}


@pytest.mark.clause("CSB-1")
def test_the_bonus_is_optional_within_limits_of_its_own_apart_from_the_base_games(open_room: Opener) -> None:
    room = open_room(limits=POSTED)
    room.bets({1: ANTE, 2: ANTE | {"bonus": 100}, 3: {"ante": 10_000, "bonus": 2_500}})
    for cents in (99, 2_501, 10_000):
        assert "bonus is $1.00 to $25.00 here" in room.refused(lambda cents=cents: room.bet(1, "bonus", cents)).sentence
    assert "ante is $5.00 to $100.00 here" in room.refused(lambda: room.bet(1, "ante", 100)).sentence
    room.call()
    assert [spot for spot, hand in sorted(room.play().hands.items()) if "bonus" in hand.wagers] == [2, 3]


@pytest.mark.clause("CSC-1")
def test_cover_all_is_optional_within_limits_of_its_own(open_room: Opener) -> None:
    room = open_room(limits=POSTED)
    room.bets({1: ANTE, 2: ANTE | {"cover_all": 1_000}})
    for cents in (199, 1_001):
        assert "cover_all is $2.00 to $10.00 here" in (
            room.refused(lambda cents=cents: room.bet(1, "cover_all", cents)).sentence
        )
    room.call()
    assert "cover_all" not in room.hand(1).wagers


@pytest.mark.clause("CSB-1", "CSC-1")
@pytest.mark.parametrize("kind", ["virtual", "cards"])
@pytest.mark.parametrize("wager", ["bonus", "cover_all"])
def test_it_is_placed_before_the_round_starts_and_stays_as_it_was_placed(
    open_room: Opener, kind: str, wager: str
) -> None:
    room = open_room(kind=kind, limits=POSTED)
    room.bets({1: ANTE, 2: ANTE | {wager: 500}})
    room.bet(2, wager, 200)
    room.call()
    changes = ((1, 500), (2, 500), (2, 0))
    for spot, cents in changes:
        assert "no more bets" in room.refused(lambda s=spot, c=cents: room.bet(s, wager, c)).sentence
    room.cards({1: "Tc Td 4c 7s 2h", 2: "2c 5d 9d Js Qc", 0: "2d 4h 6c 9h Qs"})
    for spot, cents in changes:
        room.refused(lambda s=spot, c=cents: room.bet(s, wager, c))
    assert "is not for play" in room.refused(lambda: room.act(1, "play", cents=500)).sentence
    assert (wager in room.hand(1).wagers, room.hand(2).wagers[wager]) == (False, 200)


# ------------------------------------------------------------------------------------------------------- Pai Gow: envy


@pytest.mark.clause("PGF-3")
def test_envy_is_paid_after_all_fortune_wagers_and_insurance_after_that(open_room: Opener) -> None:
    room = open_room("six-card-pai-gow")
    made = {"base": 1000, "fortune": 500, "insurance": 200}
    room.bets({1: made, 2: {"base": 1000, "fortune": 500}, 4: made})
    room.call()
    room.cards(
        {1: "Ks Qd 9h 7c 5s 3d", 2: "8c 8d 8h 2s 2c 4d", 4: "Kc Jd Th 8s 6c 4h", 0: "Ac Qh 9c 7d 5h 3c"},
    )
    for spot in (1, 2, 4):
        room.act(spot, "house_way")
    room.reveal()
    room.reconcile_all()
    assert settled_order(room) == [
        (4, ("base", "fortune")),
        (2, ("base", "fortune")),
        (1, ("base", "fortune")),
        (4, ("fortune_envy",)),
        (1, ("fortune_envy",)),
        (4, ("insurance",)),
        (1, ("insurance",)),
    ]


# ------------------------------------------------------------------------------------------------- aggregate payouts


def aggregate_room(open_room: Opener, since: str) -> Room:
    """Caribbean Stud whose Bonus pays $300.00 in all from a day on."""
    room = open_room(limits=POSTED)
    (table,) = room.config.tables
    bonus = Limits(minimum_cents=100, maximum_cents=2_500, aggregate=(Dated(since, 300_00, "WAC 230-15-490"),))
    posted = replace(table, limits={**table.limits, "bonus": bonus})
    room.reconfigure(replace(room.config, tables=(posted,)))
    return room


@pytest.mark.clause("FL-25")
@pytest.mark.parametrize(("since", "shared"), [("2026-03-01", True), ("2026-03-02", False)])
def test_what_a_wager_pays_in_a_round_is_shared_out_within_the_posted_aggregate_limit(
    open_room: Opener, since: str, shared: bool
) -> None:
    """A full house (50 to 1) on $5.00, a straight (25 to 1) on $10.00, and nines that lose: $500.00 in all."""
    room = aggregate_room(open_room, since)
    (on_the_sign,) = [wager.aggregate for wager in signage(room.config, "T1").wagers if wager.wager == "bonus"]
    assert on_the_sign == (Dated(since, 300_00, "WAC 230-15-490"),)
    bonus = {1: 500, 2: 1_000, 3: 500}
    room.bets({spot: ANTE | {"bonus": cents} for spot, cents in bonus.items()})
    room.call()
    room.cards({1: "7c 7d 7h 2s 2h", 2: "9h 8h 7s 6h 5d", 3: "9c 9d 3h 4s Qc", 0: "As Kd 4c 3s 2d"})
    for spot in bonus:
        room.act(spot, "play")
    room.reveal()
    room.reconcile_all()
    lines = {spot: room.hand(spot).lines["bonus"] for spot in bonus}
    won = {spot: line.returned - line.wagered for spot, line in lines.items()}
    assert won == ({1: 150_00, 2: 150_00, 3: -500} if shared else {1: 250_00, 2: 250_00, 3: -500})
    others = sum(
        line.wagered - line.returned
        for spot in bonus
        for wager, line in room.hand(spot).lines.items()
        if wager != "bonus"
    )
    assert room.rack() == others - sum(won.values()), "and that is what leaves the rack"
    assert ("posted aggregate payout limit" in lines[1].why) == shared


@pytest.mark.clause("FL-25")
def test_it_is_dated_and_without_one_none_applies() -> None:
    entries = (Dated("2025-01-01", 10_000), Dated("2026-01-01", 20_000))
    dated = Limits(minimum_cents=1, maximum_cents=100, aggregate=entries)
    days = [date(2024, 12, 31), date(2025, 1, 1), date(2025, 12, 31), date(2026, 1, 1), date(2030, 1, 1)]
    assert [limits.aggregate_on(dated, day) for day in days] == [None, 10_000, 10_000, 20_000, 20_000]
    assert limits.aggregate_on(Limits(minimum_cents=1, maximum_cents=100), date(2026, 3, 1)) is None
    assert limits.within_aggregate([10**9, 5], None) == [10**9, 5]


@pytest.mark.clause("FL-25")
def test_payouts_above_it_are_shared_pro_rata() -> None:
    assert limits.within_aggregate([5_000, 3_000, 2_000], 10_000) == [5_000, 3_000, 2_000]
    assert limits.within_aggregate([10_000, 6_000, 4_000], 10_000) == [5_000, 3_000, 2_000]
    assert limits.within_aggregate([1, 1, 1], 2) == [0, 0, 0]
    assert limits.within_aggregate([7_000, 7_000, 7_000], 10_000) == [3_333, 3_333, 3_333]
    assert limits.within_aggregate([], 100) == []


@pytest.mark.clause("FL-25")
@given(st.lists(st.integers(0, 10**9), max_size=8), st.integers(0, 10**9))
def test_together_they_are_never_above_it_and_nobody_loses_a_cent_too_much(payouts: list[int], limit: int) -> None:
    paid = limits.within_aggregate(payouts, limit)
    total = sum(payouts)
    assert sum(paid) <= limit
    if total <= limit:
        assert paid == payouts
    else:
        assert all(due * limit - one * total in range(total) for due, one in zip(payouts, paid, strict=True))


# ------------------------------------------------------------------------------------------ Caribbean Stud: deal, order


@pytest.mark.clause("CS-3")
@pytest.mark.parametrize("kind", ["virtual", "cards"])
def test_the_deal_is_clockwise_and_the_dealers_fifth_card_is_seen_before_any_decision(
    open_room: Opener, kind: str
) -> None:
    room = open_room(kind=kind)
    room.bets({5: ANTE, 2: ANTE})
    room.call()
    room.cards({2: "Tc Td 4c 7s 2h", 5: "2c 5d 9d Js Qc", 0: "2d 4h 6c 9h Qs"})
    if kind == "virtual":
        assert [event.target for event in room.events(PacketDealt)] == [2, 5, 0]
    for who in ("player", "display"):
        assert room.seen(who, "p2").dealer == "?? ?? ?? ?? Qs"
    assert room.play().hands[2].actions == ()
    for spot in (2, 5):
        room.act(spot, "play")
    assert room.seen("player", "p2").dealer == "?? ?? ?? ?? Qs"


@pytest.mark.clause("CSB-3")
def test_the_bonus_is_resolved_after_ante_and_bet_and_before_the_progressive(open_room: Opener) -> None:
    room = open_room()
    room.bets({1: ANTE | {"bonus": 500, "progressive": 1}})
    room.call()
    room.cards({1: "Ah Jh 9h 6h 3h", 0: "Kd Kh 3s 6d 9s"})
    room.act(1, "play")
    room.reveal()
    room.name("T1", 1, "flush")
    room.reconcile_all()
    assert settled_order(room) == [(1, ("ante", "bet", "bonus"))]
    assert room.round().wins == (), "the progressive comes last"
    room.record("T1", 1)
    room.end("T1")


# --------------------------------------------------------------------------------------------------- large wins


@pytest.mark.clause("FL-18")
@pytest.mark.parametrize(("cents", "needed"), [(300, False), (301, True)])
def test_a_win_of_any_wager_over_3000_dollars_is_verified_before_the_round_closes(
    open_room: Opener, cents: int, needed: bool
) -> None:
    """A royal flush of six cards pays a 6 Card Bonus 1,000 to 1: $3,000.00 on $3.00."""
    room = open_room("three-card-poker", linked=False, washington=True)
    room.bets({1: ANTE | {"six_card_bonus": cents}})
    room.call()
    room.cards({1: "As Ks Qs", 0: "Js Ts 2d"})
    room.act(1, "play")
    room.reveal()
    room.reconcile_all()
    if needed:
        assert "verify the six_card_bonus win of spot 1" in room.refused(lambda: room.end("T1")).sentence
        look = ask.VerifyPayout(table="T1", spot=1, wager="six_card_bonus", player="P. Layer")
        assert room.refused(lambda: room.do("o1", replace(look, player=""))).field == "player"
        assert all(room.not_allowed(lambda who=who: room.do(who, look)) == "role" for who in ("s1", "e1", "m1"))
        entry = room.do("o1", look)
        verified = only(entry, PayoutVerified)
        assert (entry.by, entry.at, verified.wager, verified.observer) == ("o1", room.clock(), "six_card_bonus", "O1")
    room.end("T1")


# ------------------------------------------------------------------------------------------------ order of authority


@pytest.mark.clause("FL-19")
@pytest.mark.parametrize(
    ("law", "maker", "house", "rules"),
    [(300, 400, 200, "house"), (300, 200, 400, "maker"), (200, 400, 300, "law"), (300, 300, 300, "law")],
)
def test_the_lowest_limit_rules_and_of_equals_the_higher_authority(
    law: int, maker: int, house: int, rules: str
) -> None:
    given_limits = [limits.Limit("house", house), limits.Limit("maker", maker), limits.Limit("law", law)]
    ruling = limits.ruling(given_limits)
    assert ruling is not None
    assert (ruling.authority, ruling.cents) == (rules, min(law, maker, house))
