"""From a JSON object to a checked round. Every wrong request is refused with the field it is about.

Validated here, at the door, and trusted from here on.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple, NoReturn

from houseway.adjudication.shoe import check_copies, check_dealt_later, own_fields, read_later, read_parts
from houseway.cards import JOKER, Card, read_cards
from houseway.games import Game, all_games, find_game
from houseway.games.flow import choice_names, is_asked, next_point, read_actions, read_decision
from houseway.games.round import Action, Round, Spot
from houseway.paytables import Book, PayTable, ProgressiveTable, Table
from houseway.progressive import Meter, Policy
from houseway.progressive.awards import check_policy
from houseway.refusal import Refusal

MOST_CENTS = 10**15
"""Ten trillion dollars: above this an amount is a slip, not a wager."""

MOST_REMEMBERED = 10_000

_FIELDS = dict.fromkeys(("game", "tables", "options", "dealer", "board", "spots", "meters", "seeds", "reserves"))
_SPOT_FIELDS = dict.fromkeys(("spot", "cards", "wagers", "decision", "actions"))


class Request(NamedTuple):
    """A request that can be settled."""

    game: Game
    round: Round
    progressive: ProgressiveTable | None
    meters: Mapping[str, Meter]
    policy: Policy


def read_request(raw: Any, book: Book) -> Request:
    """The request in ``raw``, or a refusal that names the field."""
    fields = _object(raw, "request")
    named = find_game(fields["game"]) if isinstance(fields.get("game"), str) else None
    _known(fields, _FIELDS if named is None else {**_FIELDS, **dict.fromkeys(own_fields(named))})
    game = named or _game(_needed(fields, "game"))
    options = _options(game, fields.get("options", {}))
    names = game.named_tables(_object(fields.get("tables", {}), "tables"), fields.get("options", {}))
    dealer = _shared_cards(fields, "dealer", game.dealer_cards, game)
    if game.later_deals:
        dealer = (*dealer, *read_later(game, "dealer", fields, read_hand))
    if game.board_parts:
        board = read_parts(game, fields, options, read_hand)
    else:
        board = _shared_cards(fields, "board", game.board_cards, game)
    spots = _spots(game, _needed(fields, "spots"), options, dealer, board)
    if game.later_deals:
        check_dealt_later(game, dealer, spots)
    check_copies(game, options, dealer, board, spots)
    tables, progressive = _tables(game, names, spots, book)
    wagered = _progressive_wager(progressive, spots)
    policy = Policy()
    if progressive is not None:
        policy = Policy.of(options, game.second_spot_envies)
        check_policy(progressive, policy)
    _award_order(options.get("award_order"), game, spots)
    meters = _meters(progressive, fields, wagered=wagered)
    return Request(game, Round(dealer, spots, tables, options, board), progressive, meters, policy)


def _object(raw: Any, where: str) -> dict[str, Any]:
    if not isinstance(raw, dict):
        raise Refusal(where, "must be a JSON object")
    return raw


def _known(fields: Mapping[str, Any], allowed: Mapping[str, None]) -> None:
    if not fields.keys() <= allowed.keys():
        unknown = next(key for key in fields if key not in allowed)
        raise Refusal(_short(unknown), f"is not a known field; known are {', '.join(allowed)}")


def _needed(fields: Mapping[str, Any], key: str) -> Any:
    if key not in fields:
        raise Refusal(key, "is missing")
    return fields[key]


def _short(value: Any) -> str:
    if value == "":
        return '""'
    text = value if isinstance(value, str) else repr(value)
    text = text.encode("utf-8", "replace").decode()
    return text if len(text) <= 40 and text.isprintable() else repr(text[:40])[1:-1] + ("…" if len(text) > 40 else "")


def _game(key: Any) -> Game:
    game = find_game(key) if isinstance(key, str) else None
    if game is None:
        raise Refusal("game", f"{_short(key)} is not a game here; known are {', '.join(all_games())}")
    return game


def _options(game: Game, raw: Any) -> Mapping[str, Any]:
    chosen = _object(raw, "options")
    if not chosen:
        return game.defaults
    options = dict(game.defaults)
    for name, value in chosen.items():
        option = next((option for option in game.options if option.name == name), None)
        if option is None:
            known = ", ".join(option.name for option in game.options)
            raise Refusal(f"options.{_short(name)}", f"is not an option of {game.key}; its options are {known}")
        if not option.fits(value):
            raise Refusal(f"options.{name}", f"{_short(value)} is not allowed; allowed is {option.allowed}")
        options[name] = value
    return options


def _named_tables(game: Game, names: Mapping[str, Any], book: Book) -> dict[str, Table]:
    """The tables the request names, by wager; a designator stands for several."""
    named: dict[str, Table] = {}
    for wager, name in names.items():
        where = f"tables.{_short(wager)}"
        if wager == "designator":
            continue
        if wager not in game.table_wagers:
            known = ", ".join(game.table_wagers)
            raise Refusal(where, f"is not a wager of {game.key} that pays by a table; those are {known}")
        if not isinstance(name, str):
            raise Refusal(where, "must be the id of a pay table, as text")
        table = book.find(game.families, wager, name)
        if table is None:
            known = ", ".join(table.id for table in book.of(game.families, wager))
            raise Refusal(where, f"{_short(name)} is not a table for {wager}; known are {known}")
        named[wager] = table
    if "designator" in names:
        _designated(game, names["designator"], named, book)
    return named


def _designated(game: Game, name: Any, named: dict[str, Table], book: Book) -> None:
    designator = book.designator(game.key, name) if isinstance(name, str) else None
    if designator is None:
        raise Refusal("tables.designator", f"{_short(name)} is not a designator of {game.key}")
    for wager, table_id in designator.tables.items():
        table = book.find(game.families, wager, table_id)
        if table is None:
            raise LookupError(f"designator {designator.id} names {wager} {table_id}, which does not exist")
        if named.setdefault(wager, table) is not table:
            raise Refusal(
                "tables.designator", f"{name} stands for {wager} {table.id}, but tables.{wager} names another"
            )


def _cards(raw: Any, where: str, count: int, game: Game) -> tuple[Card, ...]:
    return read_hand(raw, where, (count,), game)


def read_hand(raw: Any, where: str, counts: Sequence[int], game: Game) -> tuple[Card, ...]:
    """Cards as text, one of so many."""
    if not isinstance(raw, str):
        raise Refusal(where, "must be cards as text, such as Ah Kd 3c")
    try:
        cards = read_cards(raw)
    except Refusal as refusal:
        raise Refusal(where, refusal.sentence) from None
    if len(cards) not in counts:
        allowed = f"exactly {counts[0]} are" if len(counts) == 1 else f"{' or '.join(map(str, counts))} are"
        raise Refusal(where, f"has {len(cards)} cards where {allowed} dealt")
    if JOKER in cards and not game.has_joker:
        raise Refusal(where, "has a joker, and this game is played with 52 cards")
    return cards


def _shared_cards(fields: Mapping[str, Any], where: str, count: int, game: Game) -> tuple[Card, ...]:
    """The dealer's cards or the board; a game that has none takes none."""
    if not count:
        if where in fields:
            whose = "the dealer" if where == "dealer" else "the board"
            raise Refusal(where, f"must be left out: {game.key} deals {whose} no cards")
        return ()
    return _cards(_needed(fields, where), where, count, game)


def _spots(
    game: Game, raw: Any, options: Mapping[str, Any], dealer: Sequence[Card], board: Sequence[Card]
) -> tuple[Spot, ...]:
    if not isinstance(raw, list) or not raw:
        raise Refusal("spots", "must be a list of at least one spot")
    if len(raw) > game.most_spots:
        raise Refusal("spots", f"has {len(raw)} spots; {game.key} seats {game.most_spots} at most")
    spots: list[Spot] = []
    spot_numbers: set[int] = set()
    for place, fields in enumerate(raw):
        try:
            spot = _spot(game, fields, options, dealer, board)
            if spot.number in spot_numbers:
                raise Refusal("spot", f"{spot.number} is there twice")
        except Refusal as refusal:
            raise Refusal(f"spots[{place}].{refusal.field}".rstrip("."), refusal.sentence) from None
        spot_numbers.add(spot.number)
        spots.append(spot)
    return tuple(spots)


def _spot(game: Game, raw: Any, options: Mapping[str, Any], dealer: Sequence[Card], board: Sequence[Card]) -> Spot:
    fields = _object(raw, "")
    zone = game.zone_of("spot")
    _known(fields, _SPOT_FIELDS if zone is None or not zone.later else {**_SPOT_FIELDS, **dict.fromkeys(zone.later)})
    try:
        number, raw_wagers = fields["spot"], fields["wagers"]
        raw_cards = fields["cards"] if zone is not None else ""
    except KeyError as missing:
        raise Refusal(missing.args[0], "is missing") from None
    if type(number) is not int or not 1 <= number <= game.most_spots:
        raise Refusal("spot", f"must be a whole number from 1 to {game.most_spots}")
    if zone is None and "cards" in fields:
        raise Refusal("cards", f"must be left out: {game.key} deals a spot no cards")
    cards = _cards(raw_cards, "cards", game.player_cards, game)
    if zone is not None and zone.later:
        cards = (*cards, *read_later(game, "spot", fields, read_hand))
    wagers = _wagers(game, raw_wagers)
    game.check_wagers(wagers, options)
    if "actions" in fields:
        if "decision" in fields:
            raise Refusal("actions", "stands beside decision; give one of the two")
        actions = read_actions(game, fields["actions"], cards, wagers, options, dealer, board)
    else:
        actions = _decision(game, fields.get("decision", {}), cards, wagers, options, dealer, board)
    return Spot(number, cards, wagers, actions)


def _wagers(game: Game, raw: Any) -> dict[str, int]:
    wagers = _object(raw, "wagers")
    for key, amount in wagers.items():
        if type(amount) is not int or not 0 < amount <= MOST_CENTS:
            _refuse_amount(key, amount)
    if not wagers.keys() <= game.wager_keys:
        unknown = next(key for key in wagers if key not in game.wager_keys)
        known = ", ".join(wager.key for wager in game.wagers if wager.kind in ("required", "optional"))
        raise Refusal(f"wagers.{_short(unknown)}", f"is not a wager of {game.key}; its wagers are {known}")
    return wagers


def _refuse_amount(key: str, amount: Any) -> NoReturn:
    if type(amount) is int and amount > MOST_CENTS:
        raise Refusal(f"wagers.{_short(key)}", f"must be at most {MOST_CENTS} cents")
    raise Refusal(f"wagers.{_short(key)}", "must be a whole number of cents above zero")


def _decision(
    game: Game,
    raw: Any,
    cards: Sequence[Card],
    wagers: Mapping[str, int],
    options: Mapping[str, Any],
    dealer: Sequence[Card],
    board: Sequence[Card],
) -> tuple[Action, ...]:
    if not isinstance(raw, dict):
        raise Refusal("decision", "must be a JSON object")
    if raw:
        return read_decision(game, raw, cards, wagers, options, dealer, board)
    point = next_point(game, wagers)
    if point is not None and is_asked(game, point, cards, dealer, board, options):
        field = "decision" if len(game.points) == 1 and not game.has_public_rules else "actions"
        raise Refusal(field, f"is missing; this spot decides between {choice_names(point)}")
    return ()


def _tables(
    game: Game, names: Mapping[str, Any], spots: Sequence[Spot], book: Book
) -> tuple[Mapping[str, PayTable], ProgressiveTable | None]:
    """Every table that the wagers made need, and the progressive one where it is named.

    Round after round asks for the same tables, so what was found is kept with the book.
    """
    wager_keys = frozenset([wager for spot in spots for wager in spot.wagers])
    cache_key = (game.key, tuple(names.items()), wager_keys)
    try:
        known: tuple[Mapping[str, PayTable], ProgressiveTable | None] | None = book.memo.get(cache_key)
    except TypeError:  # a name that is a list or an object; it is refused below
        known = None
    if known is None:
        known = _found_tables(game, names, wager_keys, book)
        if len(book.memo) < MOST_REMEMBERED:
            book.memo[cache_key] = known
    return known


def _found_tables(
    game: Game, names: Mapping[str, Any], wager_keys: Collection[str], book: Book
) -> tuple[Mapping[str, PayTable], ProgressiveTable | None]:
    named = _named_tables(game, names, book)
    needed = {wager: named.get(wager) or _only_table(game, wager, book) for wager in game.tables_needed(wager_keys)}
    progressive = needed.get("progressive") or named.get("progressive")
    if progressive is not None and not isinstance(progressive, ProgressiveTable):
        raise TypeError(f"{progressive.label} is no progressive table")
    return {wager: table for wager, table in needed.items() if isinstance(table, PayTable)}, progressive


def _only_table(game: Game, wager: str, book: Book) -> Table:
    only = book.only_approved(game.families, wager)
    if only is not None:
        return only
    known = ", ".join(table.id for table in book.of(game.families, wager))
    raise Refusal(f"tables.{wager}", f"is missing; several tables are printed for this wager: {known}")


def _progressive_wager(table: ProgressiveTable | None, spots: Sequence[Spot]) -> int:
    """PR-8, PR-39: the one progressive wager of the round, 0 when nobody made it."""
    wagered = 0
    for place, spot in enumerate(spots):
        amount = spot.wagers.get("progressive")
        if amount is None or table is None:
            continue
        where = f"spots[{place}].wagers.progressive"
        if table.stated_wager_cents is not None and amount != table.stated_wager_cents:
            raise Refusal(where, f"must be {table.stated_wager_cents} cents, the wager that table {table.id} states")
        if wagered and amount != wagered:
            raise Refusal(where, f"must be {wagered} cents: every progressive wager of a round is the same")
        wagered = amount
    return wagered


def _award_order(order: Any, game: Game, spots: Sequence[Spot]) -> None:
    if not isinstance(order, list):
        return
    beyond = next((number for number in order if number > game.most_spots), None)
    if beyond is not None:
        raise Refusal("options.award_order", f"{beyond} is not a spot; {game.key} seats {game.most_spots}")
    for spot in spots:
        if "progressive" in spot.wagers and spot.number not in order:
            raise Refusal("options.award_order", f"does not name spot {spot.number}, which has a progressive wager")


def _meters(table: ProgressiveTable | None, fields: Mapping[str, Any], *, wagered: int) -> dict[str, Meter]:
    """The meters of the progressive table; they may be left out only when nobody made the wager."""
    if table is None:
        for key in ("meters", "seeds", "reserves"):
            if _object(fields.get(key, {}), key):
                raise Refusal(key, "is given, but tables.progressive names no progressive table")
        return {}
    if not wagered and not any(key in fields for key in ("meters", "seeds", "reserves")):
        return {}
    amounts = _amounts(_needed(fields, "meters"), "meters", table)
    seeds = _amounts(_needed(fields, "seeds"), "seeds", table)
    reserves = _amounts(fields.get("reserves", {}), "reserves", table)
    jackpots = {row.meter for row in table.rows if row.percent == 100}
    for name in table.meters:
        if name not in amounts:
            _missing_meter("meters", name, table)
        if name in jackpots and name not in seeds:
            _missing_meter("seeds", name, table)
    return {name: Meter(amounts[name], seeds.get(name, 0), reserves.get(name, 0)) for name in table.meters}


def _amounts(raw: Any, where: str, table: ProgressiveTable) -> dict[str, int]:
    amounts = _object(raw, where)
    for name, amount in amounts.items():
        if name not in table.meters:
            known = ", ".join(table.meters)
            raise Refusal(f"{where}.{_short(name)}", f"is not a meter of table {table.id}; it has {known}")
        if type(amount) is not int or not 0 <= amount <= MOST_CENTS:
            raise Refusal(f"{where}.{name}", f"must be a whole number of cents from 0 to {MOST_CENTS}")
    return amounts


def _missing_meter(where: str, name: str, table: ProgressiveTable) -> NoReturn:
    raise Refusal(f"{where}.{name}", f"is missing; table {table.id} has the meters {', '.join(table.meters)}")
