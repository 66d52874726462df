"""Figures on a screen and as comma separated values: what ``houseway figures`` and ``prove`` show."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from houseway.spreadsheet import csv_line

if TYPE_CHECKING:
    from fractions import Fraction

    from houseway.proof.figure import Figure, Quantity

WHOSE = ("published", "counted")
CSV_COLUMNS = (
    *("game", "wager", "table", "approved", "house_edge", "house_edge_exact", "low", "high", "hit_frequency"),
    *("hit_frequency_exact", "standard_deviation", "element_of_risk", "contribution", "inferred"),
    *("break_even_meter", "printed_house_edge", "printed_hit_frequency", "verdict", "why", "method", "seconds"),
)


def show_figures(figures: list[Figure]) -> None:
    """Every game's figures in a table."""
    from houseway.commands import screen
    from houseway.games import all_games

    out = screen.console()
    for key in dict.fromkeys(figure.game for figure in figures):
        columns = ("wager", "table", "house edge", "hits", "deviation", "break-even", "printed", "verdict")
        table = screen.table(all_games()[key].title, *columns, right=columns[2:6])
        for figure in figures:
            if figure.game == key:
                table.add_row(*_cells(figure))
        screen.show(out, table)
    if any(figure.method == "bounds" for figure in figures):
        out.print("~ bounds hold the truth within the digits shown or nearly; --json gives both.", markup=False)
    differing = sum(figure.verdict == "differs" for figure in figures)
    if differing:
        verb = "differs" if differing == 1 else "differ"
        out.print(f"{differing} {verb} from print; houseway prove says why.", markup=False)


def _cells(figure: Figure) -> tuple[str, ...]:
    even = figure.returns.break_even_dollars if figure.returns else None
    printed = " / ".join(text or "-" for text in figure.printed.values()) if any(figure.printed.values()) else ""
    verdict: str = figure.verdict
    if figure.published_verdict != "not published":
        printed = f"published {figure.published['house_edge'] or '-'}"
        verdict = figure.published_verdict
    return (
        figure.wager,
        figure.label,
        _share(figure.house_edge),
        _share(figure.hit_frequency),
        "" if figure.standard_deviation is None else f"{figure.standard_deviation:.3f}",
        "" if even is None else f"${float(even):,.0f}",
        printed,
        verdict,
    )


def _share(quantity: Quantity | None) -> str:
    from houseway.proof.figure import percent

    if quantity is None:
        return ""
    return percent(quantity.middle, 4) if quantity.exact is not None else f"~{percent(quantity.middle, 4)}"


def by_document(figures: list[Figure]) -> dict[str, dict[str, list[Figure]]]:
    """The figures by where their rules come from, and by game."""
    from houseway.games import all_games

    documents: dict[str, dict[str, list[Figure]]] = {}
    for figure in figures:
        game = all_games()[figure.game]
        documents.setdefault(game.source_words, {}).setdefault(game.title, []).append(figure)
    return documents


def show_document(document: str, games: dict[str, list[Figure]]) -> None:
    """Printed against counted, a table for each game."""
    from houseway.commands import screen

    out = screen.console()
    for title, figures in games.items():
        columns = (
            *("wager", "table", "contribution", "edge printed", "edge counted", "hits printed", "hits counted"),
            "verdict",
        )
        heading = f"{document[:1].upper()}{document[1:]}: {title}"
        if any(figure.published_verdict != "not published" for figure in figures):
            _show_published(heading, figures)
            continue
        table = screen.table(heading, *columns, right=columns[2:7])
        for figure in figures:
            printed = figure.printed
            table.add_row(
                *(figure.wager, figure.label, _contribution(figure)),
                *(printed["house_edge"] or "-", _share(figure.house_edge) or "-"),
                *(printed["hit_frequency"] or "-", _share(figure.hit_frequency), figure.verdict),
            )
        screen.show(out, table)
        _show_reasons(figures)


def _show_published(heading: str, figures: list[Figure]) -> None:
    """The figures of a game beside those of the trade's literature."""
    from houseway.commands import screen
    from houseway.proof.figure import percent

    columns = ("wager", "table", *(f"{what} {whose}" for what in ("edge", "risk", "bet") for whose in WHOSE), "verdict")
    table = screen.table(heading, *columns, right=columns[2:8])
    for figure in figures:
        published = figure.published
        risk, bet = figure.element_of_risk, figure.average_bet
        table.add_row(
            *(figure.wager, figure.label, published["house_edge"] or "-", _share(figure.house_edge) or "-"),
            *(published["element_of_risk"] or "-", "-" if risk is None else percent(risk, 4)),
            *(published["average_bet"] or "-", "-" if bet is None else f"{float(bet):.4f}", figure.published_verdict),
        )
    screen.show(screen.console(), table)
    _show_reasons(figures)


def _show_reasons(figures: list[Figure]) -> None:
    from houseway.commands import screen

    out = screen.console()
    reasons_given: dict[tuple[str, str], list[str]] = {}
    for figure in figures:
        reasons = [reason for reason in (figure.why, figure.published_why) if reason]
        for words in (*reasons, *map(_sentence, figure.notes)):
            reasons_given.setdefault((figure.wager, words), []).append(figure.label)
    for (wager, words), labels in reasons_given.items():
        out.print(f"{wager} {', '.join(labels)}: {words}", markup=False)
    out.print()


def _contribution(figure: Figure) -> str:
    from houseway.proof.figure import percent

    if figure.returns is None:
        return ""
    rate = figure.returns.contribution
    if rate is None:
        return "not printed"
    return f"{percent(rate, 0)} {'inferred' if figure.returns.inferred else 'given'}"


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def exact_json(share: Fraction) -> dict[str, Any]:
    """A share as JSON has it."""
    from houseway.proof.figure import Quantity

    return Quantity.of(share).to_json()


def write_csv(figures: list[Figure]) -> None:
    """Comma separated values, for a spreadsheet."""
    sys.stdout.write(csv_line(CSV_COLUMNS))
    for figure in figures:
        data = figure.to_json()
        edge, hits, contribution = data["house_edge"] or {}, data["hit_frequency"], data.get("contribution") or {}
        row = {
            **{name: data.get(name) for name in CSV_COLUMNS},
            "approved": figure.approved,
            "house_edge": edge.get("value"),
            "house_edge_exact": edge.get("exact"),
            "hit_frequency": hits["value"],
            "hit_frequency_exact": hits["exact"],
            "element_of_risk": (data.get("element_of_risk") or {}).get("value"),
            "contribution": contribution.get("value"),
            "inferred": contribution.get("inferred"),
            "printed_house_edge": figure.printed["house_edge"],
            "printed_hit_frequency": figure.printed["hit_frequency"],
        }
        sys.stdout.write(csv_line(row.values()))
