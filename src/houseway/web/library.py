"""The library, open to everybody: games and their rules, pay tables, figures, strategies, and the sign of a table."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import Any, Final

import msgspec

from houseway.api import library as api_library
from houseway.api.library import (
    FigureDoc,
    Figures,
    GameItem,
    Games,
    Letter,
    Letters,
    NamedGame,
    PayTables,
    QuantityDoc,
    SignDoc,
    Strategies,
    StrategyDoc,
    Thumb,
)
from houseway.api.pay_table import describe_table
from houseway.books.signage import signage
from houseway.games import Game, all_games, approved_book, find_game
from houseway.games.card import RuleCard, rule_card
from houseway.games.letters import letters
from houseway.proof.figure import BASE, Figure, Quantity
from houseway.proof.store import approved_figures, shipped
from houseway.proof.strategy import in_words, thumbs_of
from houseway.web.listing import config_of, page
from houseway.web.problem import Problem, away
from houseway.web.routes import Ask, Handlers

library = Handlers()
NOT_COMPUTED: Final = "the figures that come with the program are not those of its rules; run houseway figures"


def named_game(key: str) -> Game:
    """The game of that name; there is none otherwise."""
    game = find_game(key)
    if game is None:
        raise Problem(404, "no-game", f"{key[:40]!r} is not a game here; known are {', '.join(all_games())}", "game")
    return game


# -------------------------------------------------------------------------------------------------- games and letters


@library.answers(api_library.GAMES)
def games(ask: Ask) -> Games:
    every = (
        GameItem(
            game=game.key,
            title=game.title,
            short_title=game.short_title or game.title,
            document=game.document,
            most_spots=game.most_spots,
        )
        for game in all_games().values()
    )
    items, following = page(every, lambda item: item.game, ask.query)
    return Games(items=items, next=following)


@library.answers(api_library.APPROVAL_LETTERS)
def approval_letters(ask: Ask) -> Letters:
    every = (
        Letter(
            letter=letter.number,
            date=letter.date,
            games=tuple(
                NamedGame(number=game.number, name=game.name, status=game.status, rules=game.rules)
                for game in letter.games
            ),
        )
        for letter in letters()
    )
    items, following = page(every, lambda item: str(item.letter), ask.query)
    return Letters(items=items, next=following)


@library.answers(api_library.RULES)
def rules(ask: Ask) -> RuleCard:
    return rule_card(named_game(ask.path["game"]))


# --------------------------------------------------------------------------------------------------------- pay tables


@library.answers(api_library.PAY_TABLES)
def pay_tables(ask: Ask) -> PayTables:
    query = ask.query
    if query.game:
        families: tuple[str, ...] = tuple(named_game(query.game).families)
    else:
        families = tuple(dict.fromkeys(family for game in all_games().values() for family in game.families))
    every = [describe_table(table) for table in approved_book().of(families) if query.wager in ("", table.wager)]
    items, following = page(every, lambda item: f"{item.game}/{item.wager}/{item.id}", query)
    return PayTables(items=items, next=following)


# ------------------------------------------------------------------------------------------------------------ figures


@cache
def _figures() -> tuple[Figure, ...] | None:
    return approved_figures()


@library.answers(api_library.FIGURES, slow=True)
def figures(ask: Ask) -> Figures:
    query, counted = ask.query, _figures()
    if query.game:
        named_game(query.game)
    if counted is None:
        raise away("not-computed", NOT_COMPUTED, 60)
    every = [figure for figure in counted if query.game in ("", figure.game) and query.wager in ("", figure.wager)]
    chosen, following = page(every, lambda figure: f"{figure.game}/{figure.wager}/{figure.table}", query)
    return Figures(items=tuple(_figure_doc(figure, query.distribution) for figure in chosen), next=following)


def _figure_doc(figure: Figure, distribution: bool) -> FigureDoc:
    data: dict[str, Any] = figure.to_json(distribution=distribution)
    data.pop("break_even_meter", None)
    even = figure.returns.break_even_dollars if figure.returns is not None else None
    data["break_even_meter_cents"] = None if even is None else _nearest(even * 100)
    data["notes"] = figure.notes
    return msgspec.convert(data, FigureDoc)


def _nearest(number: Fraction) -> int:
    """The nearest whole number, halves up."""
    return (2 * number + 1) // 2


@library.answers(api_library.STRATEGY, slow=True)
def strategy(ask: Ask) -> Strategies:
    game, counts = named_game(ask.path["game"]), shipped()
    if counts is None:
        raise away("not-computed", NOT_COMPUTED, 60)
    every = [
        StrategyDoc(
            table=count.table,
            strategy=in_words(count),
            house_edge=_quantity(count.distribution.house_edge) if count.distribution else None,
            rules_of_thumb=tuple(
                Thumb(rule=thumb.words, house_edge=_quantity(thumb.house_edge), cost=_quantity(thumb.cost))
                for thumb in thumbs_of(count)
            ),
        )
        for (of, wager, _), count in counts.items()
        if (of, wager) == (game.key, BASE)
    ]
    items, following = page(every, lambda item: item.table, ask.query)
    return Strategies(game=game.key, items=items, next=following)


def _quantity(number: Fraction) -> QuantityDoc:
    data: Mapping[str, Any] = Quantity.of(number).to_json()
    return QuantityDoc(exact=data["exact"], value=data["value"])


# --------------------------------------------------------------------------------------------------------------- signs


@library.answers(api_library.SIGN)
def sign(ask: Ask) -> SignDoc:
    config, table = config_of(ask), ask.path["table"]
    if table not in ask.site.state.tables:
        known = ", ".join(ask.site.state.tables)
        raise Problem(404, "no-table", f"there is no table {table!r}; the floor has {known}", "table")
    return SignDoc(currency=config.policies.currency, sign=signage(config, table, ask.site.state.day))
