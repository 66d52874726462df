"""The answer of ``houseway settle``: a settled round as the JSON contract writes it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

import msgspec

from houseway.adjudication.request import Request, read_request
from houseway.cards import Card, text_of
from houseway.games.round import Settlement, Spot, SpotSettlement
from houseway.paytables import Book
from houseway.progressive import Awards, Entry, award_round
from houseway.refusal import Refusal


def settle_text(text: str, book: Book) -> dict[str, Any]:
    """The answer to one request in JSON; a text that is no JSON is refused too."""
    return settle_object(parse_json(text), book)


def settle_object(raw: Any, book: Book) -> dict[str, Any]:
    """The answer to one request."""
    request = read_request(raw, book)
    settlement = request.game.settle(request.round)
    awards = _awards(request, settlement)
    won = _won(awards)
    answer: dict[str, Any] = {
        "game": request.game.key,
        **({"dealer": _dealer(settlement)} if request.game.dealer_hand else {}),
        **({"winner": settlement.winner} if request.game.winner else {}),
        "spots": [_spot(spot, placed, won) for spot, placed in zip(settlement.spots, request.round.spots, strict=True)],
    }
    if request.progressive is not None:
        answer["meters"] = dict(awards.meters)
        answer["reseeded"] = list(awards.reseeded)
    house = [table.label for table in _tables(request) if not table.approved]
    if house:
        answer["not_approved"] = house
    return answer


def _tables(request: Request) -> Iterable[Any]:
    yield from request.round.tables.values()
    if request.progressive is not None:
        yield request.progressive


def _awards(request: Request, settlement: Settlement) -> Awards:
    if request.progressive is None or not request.meters:
        return Awards((), (), {}, ())
    entries = [
        Entry(spot.number, spot.progressive_hand, placed.wagers.get("progressive", 0), spot.folded, placed.player)
        for spot, placed in zip(settlement.spots, request.round.spots, strict=True)
    ]
    return award_round(request.progressive, request.meters, entries, request.policy)


def _dealer(settlement: Settlement) -> dict[str, Any]:
    dealer = settlement.dealer
    answer: dict[str, Any] = {"hand": dealer.hand, "category": dealer.category, "qualifies": dealer.qualifies}
    if dealer.setting is not None:
        answer["set"] = _setting(dealer.setting)
    return answer


def _spot(spot: SpotSettlement, placed: Spot, won: Mapping[int, list[int]]) -> dict[str, Any]:
    wagers: dict[str, dict[str, Any]] = {}
    wagered = returned = 0
    for key, result in spot.wagers.items():
        wager: dict[str, Any] = {"result": result.result, "wagered": result.wagered, "returned": result.returned}
        if result.envy is not None:
            wager["envy"] = result.envy
        wagers[key] = wager
        if result.result != "taken_back":
            wagered += result.wagered
            returned += result.returned
    progressive = placed.wagers.get("progressive")
    if progressive is not None:
        from_meter, from_tray, envy = won.get(spot.number, (0, 0, 0))
        together = from_meter + from_tray + envy
        wagers["progressive"] = {
            "result": "win" if together else "lose",
            "wagered": progressive,
            "returned": together,
            "from_meter": from_meter,
            "from_tray": from_tray,
            "envy": envy,
        }
        wagered += progressive
        returned += together
    answer: dict[str, Any] = {
        "spot": spot.number,
        "hand": spot.hand,
        "category": spot.category,
        "outcome": spot.outcome,
        "wagers": wagers,
        "wagered": wagered,
        "returned": returned,
    }
    if spot.setting is not None:
        answer["set"] = _setting(spot.setting)
    return answer


def _won(awards: Awards) -> dict[int, list[int]]:
    """By spot: what comes from the meter, from the tray, and by envy."""
    won: dict[int, list[int]] = {}
    for award in awards.awards:
        sums = won.setdefault(award.spot, [0, 0, 0])
        sums[0] += award.from_meter_cents
        sums[1] += award.from_tray_cents
    for envy in awards.envy:
        won.setdefault(envy.spot, [0, 0, 0])[2] += envy.amount_cents
    return won


def _setting(setting: tuple[tuple[Card, ...], Card, str]) -> dict[str, str]:
    high, low, by = setting
    return {"high": text_of(high), "low": text_of([low]), "by": by}


def is_one_object(text: str) -> bool:
    """Whether a text is a single JSON object, whatever is wrong inside it."""
    try:
        return isinstance(json.loads(text, parse_int=str), dict)
    except (ValueError, RecursionError):
        return False


def parse_json(text: str) -> Any:
    """JSON as the contract takes it: no key twice, no NaN; anything else wrong is refused with a sentence."""
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise Refusal("request", f"is not JSON: {error.msg} at line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise Refusal("request", "is nested too deeply") from None
    except ValueError as error:
        if isinstance(error, Refusal):
            raise
        raise Refusal("request", "holds a number that is too long") from None


def _object(pairs: list[tuple[str, Any]]) -> Mapping[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        keys: set[str] = set()
        for key, _ in pairs:
            if key in keys:
                raise Refusal(repr(key[:40])[1:-1], "is there twice in one object")
            keys.add(key)
    return fields


def _constant(name: str) -> NoReturn:
    raise Refusal("request", f"holds {name}, which is not a number in JSON")


def write_json(answer: Any) -> str:
    """An answer on one line."""
    return msgspec.json.encode(answer).decode()


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant)
