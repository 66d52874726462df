"""``houseway demo``: deal a round of every game and show what came back."""

from __future__ import annotations

import random
import secrets
from typing import TYPE_CHECKING, Annotated, Any

import typer

from houseway.money import dollars

if TYPE_CHECKING:
    from collections.abc import Sequence

    from houseway.cards.shuffle import Source
    from houseway.games import Game
    from houseway.games.round import Action

WAGER_CENTS = 1000
SIDE_CENTS = 500


def demo(
    game: Annotated[str | None, typer.Argument(help="Only this game.")] = None,
    seed: Annotated[int | None, typer.Option(help="Deal the same cards again; without it every deal is new.")] = None,
    spots: Annotated[int, typer.Option(min=1, max=6, help="How many players.")] = 3,
) -> None:
    """Deal one round of every game from a random deck and show hands, decisions and what each wager gave back.

    The decisions are a simple way to play each game, not the best one.
    """
    from houseway.commands.rules import named_game
    from houseway.commands.screen import console
    from houseway.games import all_games

    source: Source = secrets.SystemRandom() if seed is None else random.Random(seed)
    chosen = list(all_games().values()) if game is None else [named_game(game)]
    out = console()
    for shown_game in chosen:
        request = deal_request(shown_game, spots, source)
        show_round(shown_game, request, out)


def deal_request(game: Game, spots: int, source: Source) -> dict[str, Any]:
    """A dealt round as a request to ``houseway settle``, every wager made."""
    from houseway.cards import shuffled, text_of
    from houseway.games import approved_book
    from houseway.games.flow import made_by, sample_actions
    from houseway.games.later import card_fields, deal_rest, later_fields
    from houseway.progressive import seed_amount

    book = approved_book()
    seats = range(1, min(spots, game.most_spots) + 1)
    pack = game.pack(game.defaults)
    dealt = game.deal(shuffled(pack, source), seats, game.defaults, source.randrange(7) + 1)
    tables = {wager: book.of(game.families, wager)[0] for wager in game.table_wagers}
    progressive: Any = tables.get("progressive")
    request: dict[str, Any] = {
        "game": game.key,
        "tables": {wager: table.id for wager, table in tables.items()},
        "spots": [],
    }
    together = game.wagers_together(game.defaults)
    wagers = {
        wager.key: WAGER_CENTS if wager.key in game.base else wager.advice_cents or SIDE_CENTS
        for wager in game.wagers
        if wager.key in together
    }
    if progressive is not None:
        wagers["progressive"] = progressive.stated_wager_cents or 100
    actions_by_spot = {
        number: sample_actions(game, cards, wagers, dealt.dealer, dealt.board) for number, cards in dealt.hands.items()
    }
    wagers_by_spot = {number: made_by(game, wagers, actions).wagers for number, actions in actions_by_spot.items()}
    whole = deal_rest(game, dealt, wagers_by_spot)
    request |= card_fields(game, whole)
    zone = game.zone_of("spot")
    for number, cards in sorted(dealt.hands.items()):
        hand_field = {"cards": text_of(cards)} if zone is not None else {}
        later = later_fields(zone.later, whole.hands[number][zone.cards :]) if zone is not None else {}
        request["spots"].append(
            {"spot": number, **hand_field, **later, "wagers": wagers, **_written(game, actions_by_spot[number])}
        )
    if progressive is not None:
        request["meters"] = dict.fromkeys(progressive.meters, 2_500_000)
        request["seeds"] = dict.fromkeys(
            progressive.meters, seed_amount(progressive, progressive.stated_wager_cents or 100) or 1_000_000
        )
    return request


def _written(game: Game, actions: Sequence[Action]) -> dict[str, Any]:
    """The actions as a request writes them: one is a decision, several are a list."""
    if len(game.points) > 1 or game.has_public_rules:
        return {"actions": [action.name for action in actions]}
    return {"decision": {action.name: True for action in actions}}


def show_round(game: Game, request: dict[str, Any], out: Any) -> None:
    """Print a round and its settlement as a table."""
    from houseway.adjudication import settle_object
    from houseway.commands import screen
    from houseway.games import approved_book

    answer = settle_object(request, approved_book())
    tables = ", ".join(f"{wager} {table}" for wager, table in request["tables"].items())
    out.print(f"[bold]{game.title}[/bold]" + (f"  (pay tables: {tables})" if tables else ""))
    if "board" in request:
        out.print(f"Board {request['board']}")
    for part, _ in game.board_parts:
        out.print(f"{part.capitalize()} {request[part]}")
    if "dealer" in answer:
        dealer = answer["dealer"]
        qualifies = {True: ", qualifies", False: ", does not qualify", None: ""}[dealer["qualifies"]]
        out.print(f"Dealer {request['dealer']}: {dealer['hand']}{qualifies}{_set_words(dealer)}")
    zone = game.zone_of("dealer")
    for name in zone.later if zone is not None else ():
        if name in request:
            out.print(f"{name.replace('_', ' ').capitalize()} {request[name]}")
    rows = screen.table("", "spot", "cards", "hand", "decision", "wager", "bet", "result", "returned",
                        right=("spot", "bet", "returned"))  # fmt: skip
    for spot_request, spot in zip(request["spots"], answer["spots"], strict=True):
        first = [
            str(spot["spot"]),
            _hand_words(game, spot_request),
            spot["hand"] + _set_words(spot),
            _decision(spot_request, spot),
        ]
        for key, wager in spot["wagers"].items():
            rows.add_row(*first, key.replace("_", " "), dollars(wager["wagered"]), wager["result"],
                         dollars(wager["returned"]))  # fmt: skip
            first = ["", "", "", ""]
        rows.add_row(*first, "[bold]together[/bold]", dollars(spot["wagered"]), "",
                     dollars(spot["returned"]), end_section=True)  # fmt: skip
    screen.show(out, rows)


def _hand_words(game: Game, entry: dict[str, Any]) -> str:
    """The cards of a spot, those included that were dealt later."""
    zone = game.zone_of("spot")
    return " ".join(entry[name] for name in ("cards", *(zone.later if zone is not None else ())) if name in entry)


def _set_words(hand: dict[str, Any]) -> str:
    return f"; high {hand['set']['high']}, low {hand['set']['low']}" if "set" in hand else ""


def _decision(spot_request: dict[str, Any], spot: dict[str, Any]) -> str:
    words = ", ".join(
        name.replace("_", " ") for name in spot_request.get("actions") or spot_request.get("decision", ())
    )
    return f"{words}: {spot['outcome']}" if spot["outcome"] not in (None, "fold") else words
