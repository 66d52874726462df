"""What must be true of a pay table, as a list of small functions that each give back the defects they find.

The loader turns a file's values into a table as far as they can be read; these checks then judge the table as
a whole. None stops at the first defect, and none repeats what the loader has already said about a value that
could not be read: such a row is simply not in the table, while `raw` still shows what the file wrote.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, Generic, TypeAlias, TypeVar

from houseway.paytables.model import Odds, PayTable, ProgressiveTable, Schema, Table

KEYS = ("game", "wager", "id", "alias", "by", "rows", "printed")
KEYS_OF_KIND: Mapping[str, tuple[str, ...]] = {
    "odds": (*KEYS, "pays", "envy", "envy_minimum_wager"),
    "columns": (*KEYS, "pays", "by_hands_in_round", "envy", "envy_minimum_wager"),
    "progressive": (*KEYS, "stated_wager", "figures_for_wager", "seed", "multi_game"),
}
ROW_KEYS = ("percent", "meter", "fixed", "for_one", "from", "envy")


@dataclass(frozen=True, slots=True)
class Defect:
    """One thing that is wrong with a file, as a sentence for the person who wrote it."""

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


AnyTable = TypeVar("AnyTable", bound=Table)


@dataclass(frozen=True, slots=True)
class Draft(Generic[AnyTable]):
    """A table that is being judged, beside what its file wrote."""

    where: str
    schema: Schema
    raw: Mapping[str, object]
    table: AnyTable
    taken: Mapping[str, str]
    """The ids and aliases of earlier tables of the same game and wager, and where those tables are."""

    @property
    def raw_rows(self) -> Mapping[str, object]:
        rows = self.raw.get("rows")
        return rows if isinstance(rows, dict) else {}

    def row_defect(self, hand: str, what: str) -> Defect:
        return Defect(f"{self.where}, row {hand}", what)


Defects: TypeAlias = Iterator[Defect]


def shown(value: object) -> str:
    """A value as a message may show it: short, printable and on one line, whatever the file holds."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            short = value if len(value) <= 40 else value[:40] + "…"
            return f'"{short}"' if short.isprintable() else ascii(short)
        case dict():
            return "a table" if value else "an empty table"
        case list():
            return "a list" if value else "an empty list"
        case int() if abs(value) >= 10**15:
            return "a number too large"
    short = str(value)
    return short if len(short) <= 40 else short[:40] + "…"


def listed(names: Iterable[object]) -> str:
    """What is allowed, for the end of a message; a long list is cut, since a message is one line."""
    every = [str(name) for name in names]
    return ", ".join(every[:20] + ["…"] * (len(every) > 20)) or "none"


def unknown_keys(where: str, raw: Mapping[str, object], allowed: Iterable[str]) -> Defects:
    """A key nobody reads is a spelling mistake or a hope; either way the writer must know."""
    for key in raw:
        if key not in allowed:
            yield Defect(where, f"unknown key {shown(key)}; allowed are {listed(allowed)}")


def dollars(cents: Fraction) -> str:
    whole, rest = divmod(int(cents), 100)
    return f"${whole:,}.{rest:02}"


def paid_less(
    draft: Draft[Any], ladder: Mapping[str, Fraction], verb: str, show: Callable[[Fraction], str] = str
) -> Defects:
    """The hands of `ladder` that get less than a weaker one.

    They are taken in the schema's order, so that a misplaced row is not blamed for its pay as well.
    """
    for better, weaker in pairwise(hand for hand in draft.schema.hands if hand in ladder):
        if ladder[better] < ladder[weaker]:
            yield draft.row_defect(
                better,
                f"{verb} {show(ladder[better])}, less than {show(ladder[weaker])} for the weaker {weaker}; "
                "a better hand must get at least as much",
            )


# ------------------------------------------------------------------------------------------- every table


def keys_are_known(draft: Draft[Any]) -> Defects:
    yield from unknown_keys(draft.where, draft.raw, KEYS_OF_KIND[draft.schema.kind])


def name_is_free(draft: Draft[Any]) -> Defects:
    """Two tables with one name could not be told apart on a rule card."""
    own: set[str] = set()
    for key, name in [("id", draft.table.id), *(("alias", alias) for alias in draft.table.aliases)]:
        if name in own:
            yield Defect(draft.where, f"{key} {shown(name)} names this table twice; write each name once")
        elif name in draft.taken:
            yield Defect(
                draft.where,
                f"{key} {shown(name)} is already a name of {draft.taken[name]}; every name of a game and "
                "wager must be used once",
            )
        own.add(name)


def hands_are_known(draft: Draft[Any]) -> Defects:
    for hand in draft.raw_rows:
        if hand not in draft.schema.hands:
            yield Defect(
                draft.where,
                f"rows names an unknown hand {shown(hand)}; allowed are {listed(draft.schema.hands)}",
            )


def rows_are_best_first(draft: Draft[Any]) -> Defects:
    """Signs are printed from the file, so its order is the players' order."""
    hands = draft.schema.hands
    for before, hand in pairwise(hand for hand in draft.raw_rows if hand in hands):
        if hands.index(before) > hands.index(hand):
            yield draft.row_defect(
                hand,
                f"stands below the weaker {before}; rows go from the best hand down: {listed(hands)}",
            )


# ---------------------------------------------------------------------------------------- tables of odds


def better_hands_pay_more(draft: Draft[PayTable]) -> Defects:
    rows = draft.table.rows
    for place, column in enumerate(draft.table.columns or (None,)):
        pays = "pays" if column is None else f"with {column} hands in the round pays"
        yield from paid_less(draft, {row.hand: _fraction(row.odds[place]) for row in rows}, pays)


def columns_are_the_games(draft: Draft[PayTable]) -> Defects:
    """A missing column would be a round that cannot be paid."""
    if draft.table.columns != draft.schema.columns:
        yield Defect(
            draft.where,
            f"by_hands_in_round is {listed(draft.table.columns)}; it must be {listed(draft.schema.columns)}",
        )


def every_hand_has_a_row(draft: Draft[PayTable]) -> Defects:
    """A wager that was won must never meet a table that has nothing for it."""
    missing = [hand for hand in draft.schema.hands if hand not in draft.raw_rows]
    if draft.schema.every_hand and missing:
        yield Defect(
            draft.where, f"rows has nothing for {listed(missing)}; a {draft.schema.wager} table needs every hand"
        )


def a_push_is_in_a_table_that_pays_to(draft: Draft[PayTable]) -> Defects:
    """Where pays are "for" one, a wager that comes back is a row that pays 1."""
    if draft.table.returns_wager is False and any(odds.num == 0 for row in draft.table.rows for odds in row.odds):
        yield Defect(draft.where, 'a row says "push" in a table that pays "for" one; write 1 there')


def an_award_pays_to(draft: Draft[PayTable]) -> Defects:
    if draft.schema.award and draft.raw.get("pays") == "for":
        yield Defect(draft.where, f'pays is "for", but {draft.schema.wager} has no wager of its own; it must be "to"')


def envy_is_paid(draft: Draft[PayTable]) -> Defects:
    """Envy that no rule pays would be a promise on a sign."""
    if "envy" in draft.raw and not draft.schema.envy:
        yield Defect(draft.where, f"envy is given, but {draft.schema.wager} pays none; leave envy out")


def flat_envy_is_whole(draft: Draft[PayTable]) -> Defects:
    """Flat envy does not grow with the wager, so without a least wager a cent could envy a fortune."""
    given = draft.raw
    if "envy" in given and "envy_minimum_wager" not in given:
        yield Defect(
            draft.where,
            "envy_minimum_wager is missing; a table with envy must say the least wager that takes part",
        )
    if "envy_minimum_wager" in given and "envy" not in given:
        yield Defect(draft.where, "envy_minimum_wager is given without envy; write both or neither")


def flat_envy_names_known_hands(draft: Draft[PayTable]) -> Defects:
    envy = draft.raw.get("envy")
    for hand in envy if isinstance(envy, dict) else ():
        if hand not in draft.schema.hands:
            yield Defect(
                draft.where,
                f"envy names an unknown hand {shown(hand)}; allowed are {listed(draft.schema.hands)}",
            )


def better_hands_envy_more(draft: Draft[PayTable]) -> Defects:
    envy = draft.raw.get("envy")
    if not isinstance(envy, dict):
        return
    # A hand whose envy could not be read is left out; one that has a row and no envy counts as none.
    ladder = {hand: 0 for hand in draft.raw_rows if hand not in envy} | dict(draft.table.envy_cents)
    yield from paid_less(draft, {hand: Fraction(cents) for hand, cents in ladder.items()}, "has envy of", dollars)


# ------------------------------------------------------------------------------------------ progressives


def fixed_rows_have_a_stated_wager(draft: Draft[ProgressiveTable]) -> Defects:
    if "stated_wager" in draft.raw:
        return
    for row in draft.table.rows:
        if row.fixed_cents is not None:
            yield draft.row_defect(
                row.hand,
                "fixed is dollars for the table's stated wager, which is missing; give stated_wager, or pay "
                "a multiple of the wager with for_one",
            )


def meters_are_named_alike(draft: Draft[ProgressiveTable]) -> Defects:
    """One unnamed meter is the table's only one; beside a named meter nobody could say which it is."""
    shares = [row.hand for row in draft.table.rows if row.percent is not None]
    unnamed = [hand for hand in shares if "meter" not in _raw_row(draft, hand)]
    if len(unnamed) == len(shares):
        return
    for hand in unnamed:
        yield draft.row_defect(
            hand,
            "meter is missing while other percentages name theirs; name it on every percentage or on none",
        )


def a_meter_is_won_once(draft: Draft[ProgressiveTable]) -> Defects:
    """Two hands that each win all of one meter are one row, or two meters."""
    winners: dict[str | None, str] = {}
    for row in draft.table.rows:
        if row.percent == 100:
            first = winners.setdefault(row.meter, row.hand)
            if first != row.hand and _meters_are_clear(draft):
                yield draft.row_defect(
                    row.hand,
                    f"takes 100% of the meter {shown(row.meter)}, as {first} does; "
                    "a meter has one 100% row, so name another meter",
                )


def shares_are_of_meters_that_can_be_won(draft: Draft[ProgressiveTable]) -> Defects:
    """A share of a meter that no 100% row names is almost always a misspelt meter."""
    won = list(dict.fromkeys(row.meter for row in draft.table.rows if row.percent == 100))
    for row in draft.table.rows:
        if won and row.percent is not None and row.meter not in won and _meters_are_clear(draft):
            yield draft.row_defect(
                row.hand, f"meter {shown(row.meter)} has no 100% row in this table; allowed are {listed(won)}"
            )


def rows_from_the_meter_have_one_meter(draft: Draft[ProgressiveTable]) -> Defects:
    if len(draft.table.meters) == 1 or not _meters_are_clear(draft):
        return
    for row in draft.table.rows:
        if row.percent is None and row.source == "meter":
            yield draft.row_defect(
                row.hand,
                f'from is "meter", but the table has several ({listed(draft.table.meters)}); '
                'write "tray" or "tray or meter"',
            )


def one_seed_has_one_meter(draft: Draft[ProgressiveTable]) -> Defects:
    if draft.table.seed_cents is not None and len(draft.table.meters) > 1 and _meters_are_clear(draft):
        yield Defect(
            draft.where,
            f"seed does not say which meter it is for ({listed(draft.table.meters)}); "
            "leave it out of a table with several meters",
        )


def better_hands_win_more(draft: Draft[ProgressiveTable]) -> Defects:
    """Amounts are compared with amounts, and shares with shares of the same meter; nothing else can be."""
    rows, wager_cents = draft.table.rows, draft.table.stated_wager_cents
    multiples = {row.hand: _fraction(row.for_one) for row in rows if row.for_one is not None}
    fixed = {row.hand: Fraction(row.fixed_cents) for row in rows if row.fixed_cents is not None}
    if multiples and fixed and wager_cents:
        won = {hand: multiple * wager_cents for hand, multiple in multiples.items()} | fixed
        yield from paid_less(draft, won, "pays", dollars)
    else:
        yield from paid_less(draft, multiples, "pays")
        yield from paid_less(draft, fixed, "pays", dollars)
    for meter in draft.table.meters:
        shares = {row.hand: Fraction(row.percent) for row in rows if row.percent and row.meter == meter}
        yield from paid_less(draft, shares, "takes", lambda percent: f"{percent}%")


def better_hands_win_more_envy(draft: Draft[ProgressiveTable]) -> Defects:
    envy = {row.hand: Fraction(row.envy_cents) for row in draft.table.rows}
    yield from paid_less(draft, envy, "has envy of", dollars)


def _fraction(odds: Odds) -> Fraction:
    return Fraction(odds.num, odds.den)


def _raw_row(draft: Draft[Any], hand: str) -> Mapping[str, object]:
    row = draft.raw_rows.get(hand)
    return row if isinstance(row, dict) else {}


def _meters_are_clear(draft: Draft[ProgressiveTable]) -> bool:
    """Until every row is read and the meters are named alike, nothing more can be said about the meters."""
    known = sum(hand in draft.schema.hands for hand in draft.raw_rows)
    return len(draft.table.rows) == known and not any(meters_are_named_alike(draft))


EVERY_TABLE: tuple[Callable[[Draft[Any]], Defects], ...] = (
    keys_are_known,
    name_is_free,
    hands_are_known,
    rows_are_best_first,
)
ODDS_TABLE: tuple[Callable[[Draft[PayTable]], Defects], ...] = (
    better_hands_pay_more,
    columns_are_the_games,
    every_hand_has_a_row,
    a_push_is_in_a_table_that_pays_to,
    an_award_pays_to,
    envy_is_paid,
    flat_envy_is_whole,
    flat_envy_names_known_hands,
    better_hands_envy_more,
)
PROGRESSIVE_TABLE: tuple[Callable[[Draft[ProgressiveTable]], Defects], ...] = (
    fixed_rows_have_a_stated_wager,
    meters_are_named_alike,
    a_meter_is_won_once,
    shares_are_of_meters_that_can_be_won,
    rows_from_the_meter_have_one_meter,
    one_seed_has_one_meter,
    better_hands_win_more,
    better_hands_win_more_envy,
)


def defects_of_odds(draft: Draft[PayTable]) -> list[Defect]:
    return [defect for check in (*EVERY_TABLE, *ODDS_TABLE) for defect in check(draft)]


def defects_of_progressive(draft: Draft[ProgressiveTable]) -> list[Defect]:
    return [defect for check in (*EVERY_TABLE, *PROGRESSIVE_TABLE) for defect in check(draft)]
