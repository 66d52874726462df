"""A par sheet as plain data: the rules and their digest, and for every wager its pay table, cases and figures."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from fractions import Fraction
from math import floor
from typing import Any, Final

from houseway import __version__
from houseway.games import Game
from houseway.paytables import PayTable, ProgressiveTable, Table
from houseway.proof.collect import Question, count, setup_of
from houseway.proof.compiled import Progress
from houseway.proof.digest import game_digest
from houseway.proof.figure import BASE, Counted, Figure, Outcome, Quantity
from houseway.proof.par import words
from houseway.proof.par.asked import Asked
from houseway.proof.par.spread import spread_of
from houseway.proof.printed import Setup, figure_of, odds_of
from houseway.proof.progressive import WHOLE, Odds
from houseway.proof.strategy import thumbs_of

KIND: Final = "houseway par sheet"
FORMAT: Final = 1
HASH: Final = "content_sha256"
METER_STEPS: Final = tuple(Fraction(quarters, 4) for quarters in (0, 1, 2, 3, 4, 5, 6, 8))
"""At which parts of the break-even meter the player's edge is shown."""


def make(sheet_request: Asked, *, fresh: bool = False, progress: Progress | None = None) -> dict[str, Any]:
    """The sheet. With ``fresh`` every case is counted again; else counts of the same digest are taken as they are."""
    book = sheet_request.book()
    request = sheet_request.request(book, fresh=fresh)
    questions = sheet_request.questions(request)
    counts = count(questions, fresh=fresh, progress=progress)
    game = questions[0].game
    wagers = [
        _wager(question, counted, setup_of(question, request))
        for question, counted in zip(questions, counts, strict=True)
    ]
    data = {
        "kind": KIND,
        "format": FORMAT,
        "program": {"name": "houseway", "version": __version__},
        "digest": game_digest(game),
        "asked": sheet_request.to_json(),
        "game": _game(game, sheet_request.options),
        "wagers": wagers,
        "method": words.method(wagers),
    }
    return {**data, HASH: content_hash(data)}


def content_hash(data: Mapping[str, Any]) -> str:
    """The digest of all that a sheet says, itself left out; it stands on every page of the PDF."""
    content = {name: value for name, value in data.items() if name != HASH}
    return hashlib.sha256(json.dumps(content, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def as_text(data: Mapping[str, Any]) -> str:
    """A sheet as the JSON file."""
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def _game(game: Game, options: Mapping[str, Any]) -> dict[str, Any]:
    chosen = {**game.defaults, **options}
    return {
        "key": game.key,
        "title": game.title,
        "documents": game.document,
        "deck": len(game.deck),
        "player_cards": game.player_cards,
        "dealer_cards": game.dealer_cards,
        "dealer_cards_face_up": len(game.dealer_face_up),
        "most_spots": game.most_spots,
        "options": [
            {
                "option": option.name,
                "value": _plain(chosen[option.name]),
                "default": chosen[option.name] == option.default,
                "says": option.says,
                "clauses": list(option.clauses),
            }
            for option in game.options
            if option.settles
        ],
        "rules": [
            {
                "title": section.title,
                "lines": [
                    {"text": line.text, "clauses": list(line.clauses), "fixed": line.fixed} for line in section.lines
                ],
            }
            for section in game.sections
        ],
    }  # fmt: skip


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _wager(question: Question, counted: Counted, setup: Setup) -> dict[str, Any]:
    """One wager on one table."""
    table = question.paytable
    figure = figure_of(counted, table, setup)
    figures = figure.to_json()
    del figures["seconds"]
    spread = spread_of(counted, figure, table, setup)
    return {
        "title": _title(question),
        "unit": words.unit_of(question.game, question.wager),
        "pay_table": None if table is None else _pay_table(question, table),
        "figures": {**figures, "remarks": words.remarks(figure)},
        "distribution": {
            "total": figure.total or None,
            "outcomes": [_outcome(outcome, question) for outcome in figure.outcomes],
        },
        "house_result": None if spread is None else spread.to_json(),
        "strategy": None if question.wager != BASE else _strategy(counted, figure),
        "progressive": _progressive(odds_of(counted, table, setup), figure)
        if isinstance(table, ProgressiveTable)
        else None,
        "method": words.counted_how(question.game, question.wager, counted),
    }


def _title(question: Question) -> str:
    game, wager, table = question.game, question.wager, question.paytable
    if wager == BASE:
        table_wager = game.wager(table.wager) if table is not None else None
        named = (
            f"Base game, {table_wager.label} {question.label}"
            if table_wager is not None
            else f"Base game, {question.label}"
        )
    else:
        table_wager = game.wager(wager)
        label = table_wager.label if table_wager is not None else wager
        hands = " hands" if isinstance(table, PayTable) and table.columns else ""
        named = f"{label}, {'' if hands else 'table '}{question.label}{hands}"
    return named if question.approved else f"{named} (not approved)"


def _pay_table(question: Question, table: Table) -> dict[str, Any]:
    data: dict[str, Any] = {
        "wager": table.wager,
        "id": table.id,
        "aliases": list(table.aliases),
        "approved": table.approved,
        "by": table.by,
        "printed": dict(table.printed),
    }
    if isinstance(table, PayTable):
        column = _column(question, table)
        place = 0 if column is None else table.columns.index(column)
        data["hands_dealt"] = column
        data["pays"] = "to" if table.returns_wager else "for"
        data["rows"] = [
            {"hand": row.hand, "num": row.odds[place].num, "den": row.odds[place].den} for row in table.rows
        ]
        data["envy_cents"] = dict(table.envy_cents)
        data["envy_minimum_cents"] = table.envy_minimum_cents
    return data


def _column(question: Question, table: PayTable) -> int | None:
    return int(question.label.split()[-1]) if table.columns else None


def _outcome(outcome: Outcome, question: Question) -> dict[str, Any]:
    share = None if outcome.net is None or outcome.chance.exact is None else outcome.net * outcome.chance.exact
    data: dict[str, Any] = {
        "what": outcome.what,
        "hands": _hands_paying(outcome.net, question),
        "net": None if outcome.net is None else str(outcome.net),
        "ways": outcome.ways,
        "chance": outcome.chance.to_json(),
        "share": None if share is None else Quantity.of(share).to_json(),
    }
    if outcome.ways is None:
        data["bounds"] = [str(outcome.chance.low), str(outcome.chance.high)]
    return data


def _hands_paying(net: Fraction | None, question: Question) -> list[str]:
    """The rows of a side wager's pay table that come to this net result."""
    table = question.paytable
    if net is None or question.wager == BASE or not isinstance(table, PayTable):
        return []
    stake = 0 if table.returns_wager else 1
    column = _column(question, table)
    paid = {row.hand: table.odds(row.hand, column) for row in table.rows}
    return [hand for hand, odds in paid.items() if odds is not None and Fraction(odds.num, odds.den) - stake == net]


def _strategy(counted: Counted, figure: Figure) -> dict[str, Any]:
    play = counted.play
    return {
        "words": figure.strategy,
        "frequency": None if play is None else Quantity.of(play.frequency).to_json(),
        "rules_of_thumb": [
            {
                "rule": thumb.words,
                "house_edge": Quantity.of(thumb.house_edge).to_json(),
                "cost": Quantity.of(thumb.cost).to_json(),
            }
            for thumb in thumbs_of(counted)
        ],
    }


# ------------------------------------------------------------------------------------------------------- progressives


def _progressive(odds: Odds, figure: Figure) -> dict[str, Any]:
    table = odds.table
    top = [row for row in table.rows if row.percent == WHOLE and odds.rows[row.hand]]
    even = odds.break_even_cents
    return {
        "wager_cents": odds.wager_cents,
        "wager_stated": table.stated_wager_cents is not None,
        "others": odds.others,
        "seeds_cents": {meter: odds.seed_cents(meter) for meter in table.meters},
        "rows": [
            {
                "hand": row.hand,
                "percent": row.percent,
                "meter": odds.drawn_on(row),
                "fixed": None if row.percent is not None else str(odds.fixed(row)),
                "ways": odds.rows[row.hand],
                "chance": Quantity.of(odds.chance(row)).to_json(),
                "returns": None
                if row.percent is not None
                else Quantity.of(odds.chance(row) * odds.fixed(row)).to_json(),
                "envy": str(odds.envy(row)),
            }
            for row in table.rows
        ],
        "fixed_from_meter": Quantity.of(odds.fixed_from_meter).to_json(),
        "top_awards": [
            {"hand": row.hand, "meter": row.meter, "wagers_between": str(1 / odds.chance(row))} for row in top
        ],
        "mean_top_award_cents": _mean_top_award(odds, figure),
        "break_even_cents": None if even is None else str(even),
        "player_edge": [] if not even else _player_edges(odds, even),
    }


def _player_edges(odds: Odds, even: Fraction) -> list[dict[str, Any]]:
    """The player's edge from an empty meter to twice the break-even one, and at the seed."""
    seed = odds.seed_cents(odds.table.meters[0])
    meters = {floor(even * step) for step in METER_STEPS} | ({seed} if seed is not None else set())
    return [
        {"meter_cents": meter, "seed": meter == seed, "edge": Quantity.of(odds.player_edge(meter)).to_json()}
        for meter in sorted(meters)
    ]


def _mean_top_award(odds: Odds, figure: Figure) -> dict[str, Any] | None:
    """The mean meter when it is won: where what goes on it and what is taken off it balance.

    Of a wager c goes on the meter; with chance p it is won and starts again from the seed s; other awards take the
    share S of it and the fixed amount F on average. A mean J won then satisfies J (p + S) = p s + c - F, which is the
    meter at which ``Odds.drift_cents`` is zero. It holds while the meter never runs dry.
    """
    returns = figure.returns
    if returns is None or returns.contribution is None or returns.seed is None or len(odds.table.meters) != 1:
        return None
    empty = odds.drift_cents(returns.contribution, 0)
    slope = empty - odds.drift_cents(returns.contribution, 1)
    if not slope:
        return None
    mean = empty / slope
    return {"exact": str(mean), "cents": floor(mean)}
