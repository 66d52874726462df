"""A par sheet as a workbook: flat tables to sort and filter, every number the one of the sheet.

A count that a spreadsheet's numbers cannot hold exactly stands as text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from io import BytesIO
from typing import Any, Final, NamedTuple

from houseway.extras import need
from houseway.proof.par.sheet import HASH
from houseway.proof.par.spread import LEVELS
from houseway.spreadsheet import runs

EXACT_DIGITS: Final = 15
WIDEST: Final = 60


class Page(NamedTuple):
    """One sheet of the workbook."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


def pages(data: Mapping[str, Any]) -> tuple[Page, ...]:
    """The tables of the workbook, before any cell is made."""
    wagers = data["wagers"]
    level_headings = tuple(f"{level} {side}" for level in LEVELS for side in ("low", "high"))
    return (
        Page("Sheet", ("what", "value"), tuple(_identity(data))),
        Page(
            "Figures",
            ("wager", "table", "title", "house edge", "house edge, exactly", "low", "high", "hit frequency",
             "hit frequency, exactly", "standard deviation", "house's deviation", "volatility index", "skewness",
             "normal from rounds", "element of risk", "printed house edge", "printed hit frequency", "verdict"),
            tuple(map(_figures, wagers)),
        ),
        Page("Pay tables", ("title", "hand", "pays", "to or for", "of"), tuple(_each(wagers, _pays))),
        Page(
            "Distribution",
            ("title", "result", "hands", "net", "cases", "of", "chance", "chance, exactly", "at least", "at most",
             "share of the result"),
            tuple(_each(wagers, _distribution)),
        ),
        Page("Confidence", ("title", "rounds", "normal", *level_headings, "house behind"),
             tuple(_each(wagers, _confidence))),
        Page("Strategy", ("title", "rule", "house edge", "house edge, exactly", "costs", "costs, exactly"),
             tuple(_each(wagers, _strategy))),
        Page(
            "Progressive",
            ("title", "hand", "percent", "meter", "fixed, per unit", "cases", "chance", "chance, exactly", "returns",
             "envy, per unit"),
            tuple(_each(wagers, _awards)),
        ),
        Page(
            "Progressive figures",
            ("title", "wager cents", "others", "tray", "seed cost", "envy per other", "contribution", "inferred",
             "contribution and seed", "fixed from meter", "mean top award cents", "break-even cents, exactly"),
            tuple(_progressive(wager) for wager in wagers if wager["progressive"]),
        ),
        Page("Player's edge", ("title", "meter cents", "seed", "edge", "edge, exactly"), tuple(_each(wagers, _edges))),
        Page("Remarks", ("title", "remark"), tuple(_each(wagers, _remarks))),
        Page("Rules", ("section", "rule", "clauses"), tuple(_rules(data))),
        Page("Options", ("option", "value", "default", "decides"), tuple(_options(data))),
        Page("Method", ("word", "means"), tuple((row["word"], row["means"]) for row in data["method"])),
    )  # fmt: skip


def render(data: Mapping[str, Any]) -> bytes:
    """The sheet as an XLSX file."""
    need("sheets", "a workbook")
    from openpyxl import Workbook  # type: ignore[import-untyped]
    from openpyxl.styles import Alignment, Font  # type: ignore[import-untyped]
    from openpyxl.utils import get_column_letter  # type: ignore[import-untyped]

    book = Workbook()
    book.remove(book.active)
    book.properties.title = f"Par sheet: {data['game']['title']}"
    book.properties.creator = f"{data['program']['name']} {data['program']['version']}"
    for page in pages(data):
        sheet = book.create_sheet(page.title)
        for number, row in enumerate((page.headings, *page.rows), start=1):
            for place, value in enumerate(row, start=1):
                cell = sheet.cell(number, place)
                cell.value = _cell(value)
                if isinstance(value, str):
                    cell.data_type = "s"  # a name that begins with = is a name and no formula
                    cell.quotePrefix = runs(value)
                if number == 1:
                    cell.font = Font(bold=True)
                cell.alignment = Alignment(vertical="top", wrap_text=isinstance(value, str) and len(value) > WIDEST)
        for place in range(1, len(page.headings) + 1):
            longest = max((len(str(row[place - 1])) for row in (page.headings, *page.rows)), default=0)
            sheet.column_dimensions[get_column_letter(place)].width = min(max(longest + 2, 8), WIDEST)
        sheet.freeze_panes = "A2"
        if page.rows:
            sheet.auto_filter.ref = sheet.dimensions
    buffer = BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def _cell(value: Any) -> Any:
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 10**EXACT_DIGITS:
        return str(value)
    return value


def _each(wagers: Iterable[Mapping[str, Any]], rows: Any) -> Iterator[tuple[Any, ...]]:
    for wager in wagers:
        for row in rows(wager):
            yield (wager["title"], *row)


def _identity(data: Mapping[str, Any]) -> Iterator[tuple[Any, ...]]:
    game, request = data["game"], data["asked"]
    yield "game", game["key"]
    yield "title", game["title"]
    yield "documents", game["documents"]
    yield "program", f"{data['program']['name']} {data['program']['version']}"
    yield "digest of rules, rankings, pay tables and solvers", data["digest"]
    yield "content of the sheet, SHA-256", data[HASH]
    for name in ("deck", "player_cards", "dealer_cards", "dealer_cards_face_up", "most_spots"):
        yield name.replace("_", " "), game[name]
    for name in ("wagers", "tables"):
        if request[name]:
            yield f"{name} asked for", ", ".join(request[name])
    if request["contribution"] is not None:
        yield "contribution given", request["contribution"]
    for meter, cents in request["seeds_cents"].items():
        yield f"seed given, {meter}, cents", cents
    for file in request["house_tables"]:
        yield "not approved: tables of the house's own file", file["file"]


def _part(quantity: Mapping[str, Any] | None, name: str) -> Any:
    return None if quantity is None else quantity[name]


def _figures(wager: Mapping[str, Any]) -> tuple[Any, ...]:
    figures, result = wager["figures"], wager["house_result"] or {}
    return (
        *(figures["wager"], figures["table"], wager["title"]),
        *(_part(figures["house_edge"], "value"), _part(figures["house_edge"], "exact")),
        *(figures.get("low"), figures.get("high")),
        *(figures["hit_frequency"]["value"], figures["hit_frequency"]["exact"]),
        *(figures["standard_deviation"], result.get("standard_deviation"), result.get("volatility_index")),
        *(result.get("skewness"), result.get("normal_from")),
        _part(figures.get("element_of_risk"), "value"),
        *(figures["printed"]["house_edge"], figures["printed"]["hit_frequency"], figures["verdict"]),
    )


def _pays(wager: Mapping[str, Any]) -> Iterator[tuple[Any, ...]]:
    table = wager["pay_table"]
    if table is not None and "rows" in table:
        for row in table["rows"]:
            yield row["hand"], row["num"], table["pays"], row["den"]


def _distribution(wager: Mapping[str, Any]) -> Iterator[tuple[Any, ...]]:
    for row in wager["distribution"]["outcomes"]:
        low, high = row.get("bounds", (None, None))
        yield (
            *(row["what"], ", ".join(row["hands"]), row["net"], row["ways"], wager["distribution"]["total"]),
            *(row["chance"]["value"], row["chance"]["exact"], low, high, _part(row["share"], "value")),
        )


def _confidence(wager: Mapping[str, Any]) -> Iterator[tuple[Any, ...]]:
    for row in (wager["house_result"] or {"confidence": ()})["confidence"]:
        yield row["rounds"], row["normal"], *(side for level in LEVELS for side in row[level]), row["house_behind"]


def _strategy(wager: Mapping[str, Any]) -> Iterator[tuple[Any, ...]]:
    strategy = wager["strategy"]
    if strategy is not None:
        edge = wager["figures"]["house_edge"]
        yield strategy["words"], edge["value"], edge["exact"], 0, "0"
        for rule in strategy["rules_of_thumb"]:
            yield (
                *(rule["rule"], rule["house_edge"]["value"], rule["house_edge"]["exact"]),
                *(rule["cost"]["value"], rule["cost"]["exact"]),
            )


def _awards(wager: Mapping[str, Any]) -> Iterator[tuple[Any, ...]]:
    for row in (wager["progressive"] or {"rows": ()})["rows"]:
        yield (
            *(row["hand"], row["percent"], row["meter"] or "tray", row["fixed"], row["ways"]),
            *(row["chance"]["value"], row["chance"]["exact"], _part(row["returns"], "value"), row["envy"]),
        )


def _progressive(wager: Mapping[str, Any]) -> tuple[Any, ...]:
    figures, progressive = wager["figures"], wager["progressive"]
    returns, contribution = figures["returns"], figures["contribution"]
    return (
        *(wager["title"], progressive["wager_cents"], progressive["others"], returns["tray"]["value"]),
        *(_part(returns["seed"], "value"), returns["envy_per_other"]["value"]),
        *(_part(contribution, "value"), _part(contribution, "inferred")),
        *(_part(figures.get("contribution_and_seed"), "value"), progressive["fixed_from_meter"]["value"]),
        *(_part(progressive["mean_top_award_cents"], "cents"), progressive["break_even_cents"]),
    )


def _edges(wager: Mapping[str, Any]) -> Iterator[tuple[Any, ...]]:
    for row in (wager["progressive"] or {"player_edge": ()})["player_edge"]:
        yield row["meter_cents"], row["seed"], row["edge"]["value"], row["edge"]["exact"]


def _remarks(wager: Mapping[str, Any]) -> Iterator[tuple[Any, ...]]:
    yield ("how it was counted: " + wager["method"],)
    for text in wager["figures"]["assumptions"]:
        yield (f"taken as given: {text}",)
    for text in wager["figures"]["remarks"]:
        yield (text,)


def _rules(data: Mapping[str, Any]) -> Iterator[tuple[Any, ...]]:
    for section in data["game"]["rules"]:
        for line in section["lines"]:
            yield section["title"], line["text"], " ".join(line["clauses"])


def _options(data: Mapping[str, Any]) -> Iterator[tuple[Any, ...]]:
    for option in data["game"]["options"]:
        value = option["value"]
        yield (
            option["option"],
            value if isinstance(value, bool | int | str) else str(value),
            option["default"],
            option["says"],
        )
