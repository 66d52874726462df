"""What a table needs before it opens and while it is open: FL-1, FL-8 to FL-11, FL-21, by orders on a real floor.

The floor is the example that ``houseway init`` writes, changed where a test says so.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from datetime import date
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from tests.keys import KEYS
from tests.manager.floor_kit import Clock, House

from houseway.books.signage import signage
from houseway.games import all_games
from houseway.manager import commands as office
from houseway.manager.config import FloorConfig
from houseway.manager.floor import Floor
from houseway.manager.floor_file import example_floor, read_floor
from houseway.manager.readiness import why_not_open
from houseway.manager.shoe import SealingShoe
from houseway.manager.store import open_store
from houseway.paytables import Odds
from houseway.refusal import Refusal
from houseway.table.approvals import Approval
from houseway.table.card_round import commands as ask
from houseway.table.config import Dated
from houseway.table.equipment import Equipment, register
from houseway.table.shuffler import modes
from houseway.web.views import table_doc
from houseway.web.who import Principal

EXAMPLE = example_floor()


def written(*changes: tuple[str, str], on: str = "2026-03-01") -> FloorConfig:
    """The example floor with each of these texts replaced wherever it stands."""
    text = EXAMPLE
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    found = read_floor(text.encode(), "floor.toml", Path(), date.fromisoformat(on))
    assert found.config is not None, [str(defect) for defect in found.defects]
    return found.config


def unwritable(*changes: tuple[str, str]) -> list[str]:
    """Why a changed example is no floor."""
    text = EXAMPLE
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    return [str(one) for one in read_floor(text.encode(), "floor.toml", Path(), date(2026, 3, 1)).defects]


def with_table(config: FloorConfig, table: str, **changes: Any) -> FloorConfig:
    """The floor with one table set otherwise, as an order could have it that no file would."""
    tables = tuple(replace(one, **changes) if one.id == table else one for one in config.tables)
    return replace(config, tables=tables)


class Room(House):
    """The example floor in play, its meters seeded."""

    def __init__(self, folder: Path, config: FloorConfig, at: str = "2026-03-01 20:00") -> None:
        self.file = folder / "floor.db"
        self.clock = Clock(at)
        self._numbers = count(1)
        self.config = config
        self._make()
        self._found()
        for link in config.links:
            for meter in link.terms.meters:
                self.do("m1", office.SeedMeter(link=link.id, meter=meter))

    def _open(self) -> None:
        self.store = open_store(str(self.file))
        self.floor = Floor(self.store, keys=KEYS, clock=self.clock, threaded=False, shoe=SealingShoe(b"k" * 32))

    def sit(self, table: str, *spots: int) -> None:
        for spot in spots:
            self.do(f"player/p{spot}", ask.SitDown(table=table, spot=spot, player=f"p{spot}"))

    def bet(self, table: str, wager: str, cents: int, spot: int = 1) -> None:
        self.do(f"player/p{spot}", ask.Bet(table=table, spot=spot, wager=wager, cents=cents))

    def no_bet(self, table: str, wager: str, cents: int, spot: int = 1) -> str:
        """Why a wager is not taken."""
        return str(self.refused(lambda: self.bet(table, wager, cents, spot)))

    def shut(self, table: str) -> str:
        """Why a table is shut; empty where it is open. What its console says is what an order hears."""
        why = self.state.tables[table].stops.get("approval", "")
        config = self.state.tables[table].config
        if why and config.kind == "progressive" and config.link:
            assert why in str(self.refused(lambda: self.coin_in(table, 1)))
        return why


Opener = Callable[..., Room]


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Opener]:
    rooms: list[Room] = []

    def opened(*changes: tuple[str, str], config: FloorConfig | None = None, at: str = "2026-03-01 20:00") -> Room:
        folder = tmp_path / str(len(rooms))
        folder.mkdir()
        rooms.append(Room(folder, config or written(*changes), at))
        return rooms[-1]

    yield opened
    for one in rooms:
        assert one.replayed() == one.state
        one.floor.close()


# ------------------------------------------------------------------------------------------------- FL-1


@pytest.mark.clause("FL-1")
@pytest.mark.parametrize("mode", modes(), ids=lambda mode: mode.key)
def test_a_table_opens_only_with_a_mode_of_its_game(room: Opener, mode: Any) -> None:
    here = room(config=with_table(written(), "SE1-2", dealing=mode.key))
    fits = (mode.packet, mode.deck) == (7, 52)
    assert (here.state.tables["SE1-2"].stops == {}) == fits, "Straight Edge takes any mode of seven from 52"
    if not fits:
        why = here.state.tables["SE1-2"].stops["approval"]
        assert f"deals packets of {mode.packet} from {mode.deck} cards" in why
        assert "(FL-1)" in why


@pytest.mark.clause("FL-1")
def test_a_mode_of_another_game_takes_no_wager(room: Opener) -> None:
    here = room(config=with_table(written(), "V-TCP", dealing="caribbean-stud"))
    here.sit("V-TCP", 1)
    assert "Three Card Poker takes packets of 3 from 52 (FL-1)" in here.no_bet("V-TCP", "ante", 500)
    here.reconfigure(written())
    here.bet("V-TCP", "ante", 500)


@pytest.mark.clause("FL-1")
@pytest.mark.parametrize(
    "game", sorted({game.key for game in all_games().values() if not game.has_public_rules} - {"straight-edge-2"})
)
def test_only_caribbean_stud_is_dealt_by_hand(game: str) -> None:
    table = next(one for one in written().tables if one.game == game and one.kind == "progressive")
    found = unwritable((f'id = "{table.id}"\n', f'id = "{table.id}"\ndealing = "hand"\n'))
    if game == "caribbean-stud":
        assert found == []
    else:
        why = "only Baccarat, Caribbean Stud and Casino War may be dealt by hand (FL-1)"
        assert [one for one in found if why in one] == found != []


# ------------------------------------------------------------------------------------------------- FL-8


@pytest.mark.clause("FL-8")
@pytest.mark.parametrize(("wager", "low", "high"), [("ante", 500, 10_000), ("bonus", 100, 2_500)])
def test_every_wager_is_within_its_own_posted_limits(room: Opener, wager: str, low: int, high: int) -> None:
    here = room()
    here.sit("V-CS", 1)
    for cents in (low - 1, high + 1, 0 - low):
        assert f"{wager} is ${low / 100:,.2f} to ${high / 100:,.2f} here" in here.no_bet("V-CS", wager, cents)
    here.bet("V-CS", wager, low)
    here.bet("V-CS", wager, high)
    assert here.round("V-CS").play.hands[1].wagers == {wager: high}


@pytest.mark.clause("FL-8")
def test_the_ante_can_only_be_what_leaves_room_for_its_bet(room: Opener) -> None:
    here = room(('limits.bet = { min = "10.00", max = "200.00" }', 'limits.bet = { min = "12.00", max = "100.00" }'))
    here.sit("V-CS", 1)
    for cents in (500, 599, 5_001, 10_000):
        said = here.no_bet("V-CS", "ante", cents)
        assert "ante is $6.00 to $50.00 here; the bet that follows must be possible" in said
    here.bet("V-CS", "ante", 600)
    here.bet("V-CS", "ante", 5_000)
    (ante,) = [one for one in signage(here.config, "V-CS").wagers if one.wager == "ante"]
    assert (ante.minimum_cents, ante.maximum_cents) == (500, 10_000)
    assert (ante.effective_minimum_cents, ante.effective_maximum_cents) == (600, 5_000), "the figure the table shows"
    assert ante.narrowed_by == ("bet",)


@pytest.mark.clause("FL-8")
def test_limits_that_changed_under_a_wager_are_asked_again(room: Opener) -> None:
    here = room()
    here.sit("V-TCP", 1)
    here.bet("V-TCP", "ante", 10_000)
    rest = ' }\nlimits.pair_plus = { min = "5.00", max = "50.00" }'
    lower = (f'max = "100.00"{rest}', f'max = "90.00"{rest}')
    here.reconfigure(written(lower))
    said = str(here.refused(lambda: here.do("d1", ask.NoMoreBets(table="V-TCP"))))
    assert "spot 1: cents: ante is $5.00 to $90.00 here" in said
    here.bet("V-TCP", "ante", 9_000)
    here.do("d1", ask.NoMoreBets(table="V-TCP"))


# ------------------------------------------------------------------------------------------------- FL-9

FROM_APRIL = (
    "[policies]",
    '[policies]\nauthorised_limits = [{ since = 2026-04-01, amount = "60.00", reference = "WAC as amended" }]',
)


@pytest.mark.clause("FL-9")
def test_a_change_of_the_law_takes_effect_on_its_gaming_day(room: Opener) -> None:
    here = room(FROM_APRIL, at="2026-03-31 23:00")
    here.sit("V-TCP", 1, 2)
    here.bet("V-TCP", "ante", 10_000)
    here.clock.set("2026-04-01 05:59")  # the gaming day begins at six
    here.bet("V-TCP", "ante", 10_000, spot=2)
    here.clock.set("2026-04-01 06:00")
    law = "ante is posted up to $100.00; authorised on 2026-04-01 are $60.00, since 2026-04-01 (WAC as amended, FL-9)"
    assert law in here.no_bet("V-TCP", "pair_plus", 1_000)
    assert law in str(here.refused(lambda: here.do("d1", ask.NoMoreBets(table="V-TCP"))))
    here.bet("V-TCP", "ante", 0)  # whoever wants may take his wager back
    here.bet("V-TCP", "ante", 0, spot=2)
    assert law in here.state.tables["V-TCP"].stops["approval"]
    assert here.shut("CS-2"), "it posts more than $60 as well"


@pytest.mark.clause("FL-9")
def test_a_table_opens_again_when_it_posts_what_the_law_allows(room: Opener) -> None:
    here = room(FROM_APRIL, at="2026-04-01 20:00")
    here.sit("V-TCP", 1)
    assert "FL-9" in here.no_bet("V-TCP", "ante", 500)
    lawful = [(f'max = "{amount}.00"', 'max = "60.00"') for amount in (100, 200, 400)]
    here.reconfigure(written(FROM_APRIL, *lawful, ('"25,000.00"', '"3,000.00"'), on="2026-04-01"))
    here.bet("V-TCP", "ante", 6_000)
    assert "ante is $5.00 to $60.00 here" in here.no_bet("V-TCP", "ante", 6_001)


@pytest.mark.clause("FL-9")
@pytest.mark.parametrize("game", ["three-card-poker", "caribbean-stud"])
def test_one_hand_carries_three_separate_games(room: Opener, game: str) -> None:
    table, first, third = {
        "three-card-poker": ("V-TCP", "pair_plus", "six_card_bonus"),
        "caribbean-stud": ("V-CS", "bonus", "cover_all"),
    }[game]
    here = room()
    here.sit(table, 1, 2)
    for wager in ("ante", first, third):
        here.bet(table, wager, 500)
    said = here.no_bet(table, "progressive", 100)
    assert "one hand may carry 3 separate games, since 2008-01-01 (WAC 230-15-040, FL-9)" in said
    assert full(here, table) == {1: ("progressive",)}, "the screen offers what may still be added, and no more"
    here.bet(table, third, 0)
    assert full(here, table) == {1: ()}
    here.bet(table, "progressive", 100)
    for wager in ("ante", "progressive", third):
        here.bet(table, wager, 500 if wager != "progressive" else 100, spot=2)


def full(here: Room, table: str) -> dict[int, tuple[str, ...]]:
    """By spot, the wagers that a screen does not offer any more."""
    doc = table_doc(here.state, table, Principal("staff", "d1", "D1", "dealer"), here.floor)
    return {total.spot: total.full for total in doc.totals}


@pytest.mark.clause("FL-9")
def test_what_counts_as_a_separate_game_is_a_policy(room: Opener) -> None:
    """Another reading: two games, and the progressive is none. The sign of the table says so too."""
    reading = 'separate_games = [{ since = 2020-01-01, games = 2, not_counted = ["progressive"], reference = "R-7" }]'
    here = room(("[policies]", f"[policies]\n{reading}"))
    here.sit("V-TCP", 1)
    for wager, cents in (("ante", 500), ("pair_plus", 500), ("progressive", 100)):
        here.bet("V-TCP", wager, cents)
    assert "one hand may carry 2 separate games, since 2020-01-01 (R-7, FL-9)" in here.no_bet(
        "V-TCP", "six_card_bonus", 500
    )
    assert full(here, "V-TCP") == {1: ("six_card_bonus",)}
    posted = signage(here.config, "V-TCP", "2026-03-01").separate_games
    assert posted == (
        "One hand may carry 2 separate games (R-7): Ante, Pair Plus and Progressive; "
        "Ante, 6 Card Bonus and Progressive."
    )
    assert signage(here.config, "V-TCP", "2019-12-31").separate_games.startswith("One hand may carry 3 separate games")
    assert signage(here.config, "CS-2", "2026-03-01").separate_games == "", "it offers nothing beside the progressive"


@pytest.mark.clause("FL-9")
def test_before_2008_nothing_limited_the_games_of_a_hand(room: Opener) -> None:
    here = room(config=replace(written(), approvals_kept=False), at="2007-12-31 20:00")
    here.sit("V-TCP", 1, 2)
    for wager in ("ante", "pair_plus", "six_card_bonus"):
        here.bet("V-TCP", wager, 500)
    here.bet("V-TCP", "progressive", 100)
    here.clock.set("2008-01-01 06:00")
    said = str(here.refused(lambda: here.do("d1", ask.NoMoreBets(table="V-TCP"))))
    assert "spot 1: wager: one hand may carry 3 separate games, since 2008-01-01" in said
    here.bet("V-TCP", "six_card_bonus", 0)
    here.do("d1", ask.NoMoreBets(table="V-TCP"))


@pytest.mark.clause("FL-9")
def test_elsewhere_the_operators_own_limits_are_in_force(room: Opener) -> None:
    compact = 'authorised_limits = [{ since = 2020-01-01, amount = "500.00", reference = "Compact, appendix X" }]'
    tribal = ('kind = "commercial"  ', 'kind = "tribal"  '), ("[policies]", f"[policies]\n{compact}")
    items = (
        ("items.controls_submitted", "items.agency_approved"),
        ("items.controls_approved", "items.supplement_filed"),
        ("items.makers_licensed", "items.makers_certified"),
    )
    config = replace(written(*tribal, *items), approvals_kept=False)
    here = room(config=config)
    here.sit("V-TCP", 1)
    for wager in ("ante", "pair_plus", "six_card_bonus"):
        here.bet("V-TCP", wager, 500)
    here.bet("V-TCP", "progressive", 100)  # what the card rooms may not do is not asked of a tribe
    posted = with_table(
        config, "V-TCP", limits={"ante": replace(config.tables[0].limits["ante"], maximum_cents=50_001)}
    )
    other = room(config=posted)
    other.sit("V-TCP", 1)
    assert "authorised on 2026-03-01 are $500.00, since 2020-01-01 (Compact, appendix X, FL-9)" in other.no_bet(
        "V-TCP", "ante", 500
    )


# ------------------------------------------------------------------------------------------------ FL-10

MISSING = ("items.controls_approved", "# not yet: ")
HIGHER = (
    'limits.six_card_bonus = { min = "1.00", max = "25.00" }',
    'limits.six_card_bonus = { min = "1", max = "20" }',
)
"""A change of every Three Card Poker table, so that a floor file changes what is played."""


@pytest.mark.clause("FL-10")
def test_a_table_stays_shut_until_its_checklist_is_complete(room: Opener) -> None:
    here = room(MISSING)
    here.sit("V-TCP", 1)
    why = "DEMONSTRATION: three-card-poker: its internal controls are approved: missing (FL-10)"
    assert here.shut("TCP-1") == why
    assert why in here.no_bet("V-TCP", "ante", 500)
    assert set(here.state.tables) == {name for name in here.state.tables if here.shut(name)}
    here.restart()
    assert here.shut("TCP-1") == why
    here.reconfigure(written())
    assert [name for name in here.state.tables if here.shut(name)] == []
    here.bet("V-TCP", "ante", 500)
    here.coin_in("TCP-1", 1)


@pytest.mark.clause("FL-10")
def test_an_approval_opens_its_tables_on_its_day_and_no_sooner(room: Opener) -> None:
    here = room(("items.controls_approved = { date = 2023-08-01", "items.controls_approved = { date = 2026-03-05"))
    assert "from 2026-03-05; not yet on 2026-03-01 (FL-10)" in here.shut("CS-1")
    here.clock.set("2026-03-05 05:00")
    here.do("t1", office.Suspend(what="table", id="CS-2", why="cleaning"))
    assert here.shut("CS-1")
    here.clock.set("2026-03-05 06:00")
    here.do("t1", office.Resume(what="table", id="CS-2"))
    assert not here.shut("CS-1")
    here.coin_in("CS-1", 1)


TRIBAL = {
    "agency_approved": "the gaming agency of the Tribe approved",
    "commission_concurred": "the Commission concurred",
    "supplement_filed": "the compact's supplemental information (Appendix A, section 18) is filed",
    "makers_certified": "makers and distributors are certified by the State",
    "makers_licensed_by_tribe": "makers and distributors are licensed by the Tribe",
}


def of_a_tribe(without: str = "", late: str = "") -> FloorConfig:
    """The example floor at a tribal casino with its whole checklist; one item left out, or dated after its sale."""
    config = written()
    limits = (Dated("2020-01-01", 500_00, "Compact, appendix X"),)
    given = {
        key: Approval(
            date="2023-09-01" if key == late else "2023-07-01",
            reference=f"letter about {key}",
            sold="2023-08-01" if key.startswith("makers") else "",
        )
        for key in TRIBAL
        if key != without
    }
    lists = tuple(
        replace(one, items={key: one.items[key] for key in ("game", "rules_compared") if key in one.items} | given)
        for one in config.approvals
    )
    policies = replace(config.policies, kind="tribal", authorised_limits=limits)
    return replace(config, policies=policies, approvals=lists)


@pytest.mark.clause("FL-10")
def test_a_card_rooms_checklist_opens_no_table_of_a_tribe_and_a_tribes_own_does() -> None:
    config, on = written(), date(2026, 3, 1)
    (table,) = (one for one in config.tables if one.id == "TCP-1")
    assert why_not_open(config, table, on) == []
    tribal = replace(config, policies=of_a_tribe().policies)
    assert why_not_open(tribal, table, on) == [
        f"DEMONSTRATION: three-card-poker: {words}: missing (FL-10)" for words in TRIBAL.values()
    ]
    assert [why_not_open(of_a_tribe(), one, on) for one in config.tables] == [[] for _ in config.tables]


@pytest.mark.clause("FL-10")
@pytest.mark.parametrize("item", TRIBAL)
def test_a_tribes_table_stays_shut_for_each_item_that_is_missing_or_came_after_the_sale(item: str) -> None:
    on = date(2026, 3, 1)
    config = of_a_tribe(without=item)
    (table,) = (one for one in config.tables if one.id == "TCP-1")
    assert why_not_open(config, table, on) == [f"DEMONSTRATION: three-card-poker: {TRIBAL[item]}: missing (FL-10)"]
    late = why_not_open(of_a_tribe(late=item), table, on)
    after = (
        f"DEMONSTRATION: three-card-poker: {TRIBAL[item]}: on 2023-09-01, after the sale on 2023-08-01; "
        "it must come before that (FL-10)"
    )
    assert late == ([after] if item.startswith("makers") else [])


@pytest.mark.clause("FL-10")
def test_a_change_beyond_the_options_reopens_the_checklist(room: Opener) -> None:
    here = room()
    config = here.config
    bonus = config.tables[1].tables["bonus"]
    # CPSB-01 in name, but its first row pays more.
    first = bonus.rows[0]
    more = dataclasses.replace(first, odds=tuple(Odds(one.num + 1, one.den) for one in first.odds))
    richer = dataclasses.replace(bonus, rows=(more, *bonus.rows[1:]))
    here.reconfigure(with_table(config, "CS-1", tables={**config.tables[1].tables, "bonus": richer}))
    assert 'pay table "CPSB-01" of "bonus" does not pay as the approved one of that name' in here.shut("CS-1")
    assert "this reopens the checklist (FL-10)" in here.shut("CS-1")
    assert here.shut("CS-2") == "", "the other tables of the game play on"
    here.reconfigure(with_table(config, "CS-1", options={**config.tables[1].options, "jokers": 2}))
    assert 'option "jokers" is none of the approved rules' in here.shut("CS-1")
    here.reconfigure(
        with_table(config, "CS-1", options={**config.tables[1].options, "cover_all_expose_from": "straight"})
    )
    assert here.shut("CS-1") == "", "an option that the rules leave open"


@pytest.mark.clause("FL-10")
def test_an_approval_names_its_letter_and_the_rules_it_approved(room: Opener) -> None:
    wrong_rules = room(("rules = [2023-05-05, 2023-06-05]", "rules = [2022-05-04]"))
    assert "submission 3119 approved the rules of 2023-05-05 and 2023-06-05; this approval names 2022-05-04" in (
        wrong_rules.shut("CS-1")
    )
    wrong_letter = room(("submission = 3119", "submission = 3077"))
    assert "submission 3077 does not name it" in wrong_letter.shut("TCP-1")


@pytest.mark.clause("FL-10")
def test_a_floor_file_without_approvals_opens_no_table(room: Opener) -> None:
    text = EXAMPLE[: EXAMPLE.index("[[approvals]]")]
    config = read_floor(text.encode(), "floor.toml", Path(), date(2026, 3, 1)).config
    here = room(config=config)
    assert all("missing (FL-10)" in here.shut(table.id) for table in here.config.tables)


@pytest.mark.clause("FL-10")
def test_a_demonstration_is_never_taken_for_an_approval(room: Opener) -> None:
    here = room()
    assert all(
        one.reference.startswith("DEMONSTRATION") for list_ in here.config.approvals for one in list_.items.values()
    )
    for table in here.config.tables:
        assert signage(here.config, table.id).notice.startswith("DEMONSTRATION: ")


# ------------------------------------------------------------------------------------------------ FL-11


def with_machine(config: FloorConfig, machine: str, **changes: Any) -> FloorConfig:
    items = tuple(replace(one, **changes) if one.id == machine else one for one in config.equipment)
    assert items != config.equipment
    return replace(config, equipment=items)


@pytest.mark.clause("FL-11")
@pytest.mark.parametrize(
    ("machine", "below", "says", "shut", "open_"),
    [
        ("game-manager", "6.6 build 519", "approved is 6.6 build 520 or higher", "CS-1", "TCP-1"),
        ("controllers", "6.5.7SP", "approved is exactly 6.5.6SP", "CS-2", "CS-3"),
        ("coin-spots", "6.1", "approved is exactly 6.0", "SE1-1", "SE1-2"),
        ("command", "1.2.9", "approved is 1.3.0 or higher", "TCP-1", "CS-1"),
        ("touch-controllers", "2.0.1", "approved is exactly 2.0.0", "TCP-1", "PG-1"),
        ("command-2", "2.5.3", "approved is 2.5.4 or higher", "CS-3", "TCP-1"),
        ("shufflers", "NXP 1.0.113", "approved is NXP 1.0.114 or higher", "PG-1", "CS-1"),
    ],
)
def test_equipment_below_its_approved_version_is_refused(
    room: Opener, machine: str, below: str, says: str, shut: str, open_: str
) -> None:
    version = next(one.version for one in written().equipment if one.id == machine)
    old = f'id = "{machine}"\nkind = "{kind_of(machine)}"\nversion = "{version}"'
    assert any(says in one for one in unwritable((old, old.replace(version, below)))), "a file is refused"
    here = room(config=with_machine(written(), machine, version=below))
    assert says in here.shut(shut)
    assert "(FL-11, document" in here.shut(shut)
    # At CS-1 the older i-Deal Plus is enough: its mode is Cover All's.
    assert here.shut(open_) == ""
    here.reconfigure(written())
    assert here.shut(shut) == ""


def kind_of(machine: str) -> str:
    return next(one.kind for one in written().equipment if one.id == machine)


@pytest.mark.clause("FL-11")
def test_every_kind_that_is_approved_is_held_to_its_version(room: Opener) -> None:
    """A machine of each kind beside the others, without a version: refused wherever a version is printed."""
    for kind in register().kinds.values():
        display: dict[str, Any] = (
            {"intelligence": False, "network": False} if kind.part == "progressive display" else {}
        )
        # At a table of a game whose document names it: at another it is refused for that alone.
        table = "CS-3" if "000" in kind.documents else "PG-1" if "002" in kind.documents else "TCP-1"
        extra = Equipment(id="extra", kind=kind.key, tables=(table,), backup=kind.part == "shuffler", **display)
        config = written()
        here = room(config=replace(config, equipment=(*config.equipment, extra)))
        why = here.state.tables[table].stops.get("approval", "")
        assert (f"extra: {kind.title} has no version" in why) == (kind.approved != "any"), kind.key


@pytest.mark.clause("FL-11")
def test_equipment_is_judged_for_the_game_of_its_table_by_the_document_of_its_approval(room: Opener) -> None:
    """Pai gow on Game Manager 2, Straight Edge with Atlas, Caribbean Stud with Atlas under letter 3077."""
    manager_2 = with_machine(written(), "command-2", tables=("CS-3", "CS-4", "PG-1"))
    assert (
        "Nexus Command Game Manager 2 is not approved for 6 Card Fortune Pai Gow Poker: document 002 does not name it"
        in room(config=manager_2).shut("PG-1")
    )
    atlas = tuple(
        Equipment(id=kind, kind=kind, version=register().kinds[kind].version, tables=("CS-3", "SE1-1"))
        for kind in ("gm-atlas", "nexus-command-2")
    )
    here = room(config=replace(written(), equipment=(*written().equipment, *atlas)))
    assert "GM Atlas is not approved for Straight Edge Poker" in here.shut("SE1-1")
    assert "document 001 does not name it" in here.shut("SE1-1")
    assert here.shut("CS-3") == "", "document 000 names it"
    older = tuple(
        replace(one, submission=3077, rules=("2022-05-04",)) if one.game == "caribbean-stud" else one
        for one in here.config.approvals
    )
    table_config = next(one for one in here.config.tables if one.id == "CS-3")
    assert "document 003 does not name it" in " ".join(
        why_not_open(replace(here.config, approvals=older), table_config, date(2026, 3, 1))
    )


@pytest.mark.clause("FL-11")
def test_a_table_without_its_machines_is_shut_and_a_virtual_one_needs_none(room: Opener) -> None:
    here = room(config=replace(written(), equipment=()))
    assert "CS-1: no shuffler is registered" in here.shut("CS-1")
    assert "its progressive lacks Game Manager, Aquarius controller, Coin Spot" in here.shut("CS-1")
    assert here.shut("CS-2").startswith("CS-2: its progressive lacks"), "dealt by hand, it needs no shuffler"
    assert here.shut("V-TCP") == here.shut("V-CS") == ""
    here.sit("V-CS", 1)
    here.bet("V-CS", "ante", 500)


@pytest.mark.clause("FL-11")
def test_a_progressive_display_has_neither_intelligence_nor_network(room: Opener) -> None:
    here = room(config=with_machine(written(), "monitors", network=True))
    assert "monitors: table mounted monitor: it has network of its own" in here.shut("CS-3")
    assert here.shut("CS-1") == ""


# ------------------------------------------------------------------------------------------------ FL-21


@pytest.mark.clause("FL-21")
def test_the_sign_is_what_the_table_is_set_to(room: Opener) -> None:
    here = room()
    for table in here.state.tables.values():
        sign = signage(here.config, table.id)
        assert {one.wager: (one.minimum_cents, one.maximum_cents, one.aggregate) for one in sign.wagers} == {
            wager: (one.minimum_cents, one.maximum_cents, one.aggregate) for wager, one in table.config.limits.items()
        }
        for posted in sign.pay_tables:
            pays = table.config.tables[posted.wager]
            assert (posted.id, posted.approved) == (pays.id, pays.approved)
            word = "to" if pays.returns_wager else "for"
            assert [(row.hand, row.pays) for row in posted.rows] == [
                (row.hand, tuple(f"{odds.num} {word} {odds.den}" for odds in row.odds)) for row in pays.rows
            ]
        needed = all_games()[table.config.game].tables_needed(table.config.limits)
        assert tuple(one.wager for one in sign.pay_tables) == tuple(dict.fromkeys(needed))
        assert {one.name: one.value for one in sign.options} == table.config.options
    (bet,) = [one for one in signage(here.config, "CS-3").wagers if one.wager == "bet"]
    assert [(one.since, one.cents) for one in bet.aggregate] == [("2026-01-01", 2_500_000)]


@pytest.mark.clause("FL-21")
@pytest.mark.parametrize("hand", ["straight", "three_of_a_kind", "straight_flush", "akq_other_suit"])
def test_a_progressive_pays_what_its_sign_says(room: Opener, hand: str) -> None:
    here = room()
    sign = signage(here.config, "TCP-1").progressive
    assert sign is not None
    assert sign.wager_cents == here.link("three-card").now.wager_cents
    (row,) = [one for one in sign.rows if one.hand == hand]
    here.coin_in("TCP-1", 1, 2, 3)
    here.name("TCP-1", 2, hand)
    assert here.due("TCP-1", 2) == row.cents
    here.confirm("TCP-1", 2)
    paid = here.players_micros("TCP-1")
    here.end("TCP-1")
    assert here.players_micros("TCP-1") - paid == 2 * row.envy_cents * 10_000


@pytest.mark.clause("FL-21")
def test_a_changed_configuration_changes_the_sign(room: Opener) -> None:
    here = room()
    before = signage(here.config, "V-TCP")
    here.reconfigure(written(HIGHER))
    after = signage(here.config, "V-TCP")
    assert before != after
    assert here.state.config is not None
    assert signage(here.state.config, "V-TCP") == after
    (bonus,) = [one for one in after.wagers if one.wager == "six_card_bonus"]
    assert bonus.maximum_cents == 2_000
    with pytest.raises(Refusal, match="'X-1' is not a table of this floor; it has TCP-1"):
        signage(here.config, "X-1")
