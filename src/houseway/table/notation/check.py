"""Is a written round right? Settled again by the rulebook, every wager to the cent, and its deck held to its word."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec.structs import replace

from houseway.cards import Card, text_of
from houseway.games import Game
from houseway.games.model import Dealt, Settlement
from houseway.paytables import Book, PayTable, ProgressiveTable, Table
from houseway.refusal import Refusal
from houseway.table.commitment import NONCE_BYTES, check_round, opens
from houseway.table.config import Dated, Limits, TableConfig
from houseway.table.notation import steps as line
from houseway.table.notation.awards import Difference, Settled, differ, progressive_differences
from houseway.table.notation.form import DEALER, EMPTY, money, whom
from houseway.table.notation.order import order_differences
from houseway.table.notation.record import RoundRecord, known_game, pays_digest
from houseway.table.play.agenda import has_positions, steps
from houseway.table.play.settle import lines_of, options_of, settled
from houseway.table.play.state import Decided, Hand, Play

NO_MAXIMUM: Final = 10**15


def settle_record(record: RoundRecord, book: Book) -> list[Difference]:
    """Everything in which a round is not what the rulebook makes of its cards, wagers and decisions."""
    game = known_game(record.game)
    tables = _tables(record, game, book)
    found = [*_table_differences(record, tables)]
    config = _config(record, game, tables)
    play = _play(record)
    settlement: Settlement | None = None
    if record.kind != "progressive" and not record.voided:
        found += _incomplete(game, config, play)
        if found:
            return found
        settlement = settled(config, play)
    progressive = tables.get("progressive")
    of = progressive if isinstance(progressive, ProgressiveTable) else None
    ready = Settled(record, config, game, of, play, settlement)
    return [one for compare in COMPARISONS for one in compare(ready)]


# ------------------------------------------------------------------------------------------------ the round as it was


def _tables(record: RoundRecord, game: Game, book: Book) -> dict[str, Table]:
    tables = {}
    for wager, (name, _) in record.pays.items():
        table = book.find(game.families, wager, name)
        if table is None:
            raise Refusal(f"pays.{wager}", f"{name!r} is not a pay table known here; give its file")
        tables[wager] = table
    return tables


def _table_differences(record: RoundRecord, tables: Mapping[str, Table]) -> Iterator[Difference]:
    for wager, (name, digest) in record.pays.items():
        known = pays_digest(tables[wager])
        if known != digest:
            yield Difference(f"pays.{wager}", f"{name} {digest}", f"another table of that name, {known}")


def _config(record: RoundRecord, game: Game, tables: Mapping[str, Table]) -> TableConfig:
    return TableConfig(
        id=record.table,
        game=record.game,
        console=record.console,
        spots=record.spots,
        link=record.link,
        kind=record.kind,  # type: ignore[arg-type]  # one of its own kinds
        tables={wager: table for wager, table in tables.items() if isinstance(table, PayTable)},
        options={**game.defaults, **record.options},
        second_spot_envies=game.second_spot_envies,
        limits={
            wager: Limits(minimum_cents=0, maximum_cents=NO_MAXIMUM, aggregate=(Dated(since=record.day, cents=cents),))
            for wager, cents in record.aggregate.items()
        },
    )


def _play(record: RoundRecord) -> Play:
    """The cards, wagers and decisions of a round as the table held them."""
    players: dict[int, str] = {}
    wagers: dict[int, dict[str, int]] = {}
    cards: dict[int, tuple[Card, ...]] = {}
    decided: dict[int, Decided] = {}
    for step in record.steps:
        match step:
            case line.Placed():
                players[step.spot] = step.player
                there = wagers.setdefault(step.spot, {})
                there.pop(step.wager, None)
                if step.cents:
                    there[step.wager] = step.cents
            case line.Dealt() | line.Entered():
                if step.target != EMPTY:
                    cards[step.target] = step.cards
            case line.Decided():
                decided[step.spot] = Decided(kind=step.kind, low=step.low, double_cents=step.double_cents, how=step.how)
    hands = {
        spot: Hand(
            player=players[spot],
            wagers=made,
            cards=cards.get(spot, ()),
            decision=decided.get(spot),
        )
        for spot, made in sorted(wagers.items())
        if made
    }
    return Play(hands=hands, dealer=cards.get(DEALER, ()))


def _incomplete(game: Game, config: TableConfig, play: Play) -> Iterator[Difference]:
    """What keeps a round from being settled at all: no cards, no decision, wagers that do not stand together."""
    options = options_of(config)
    if not play.hands:
        yield Difference("round", "no wager", "at least one")
    if len(play.dealer) != game.dealer_cards:
        yield Difference("dealer", f"{len(play.dealer)} cards", f"{game.dealer_cards}")
    for spot, hand in play.hands.items():
        try:
            if len(hand.cards) != game.player_cards:
                raise Refusal("cards", f"{game.player_cards} of them")
            game.check_wagers(hand.wagers, options)
            _check_decision(game, hand, options)
        except Refusal as refusal:
            yield Difference(f"spot {spot}", "what cannot be settled", str(refusal))
    for wager in game.tables_needed({wager for hand in play.hands.values() for wager in hand.wagers}):
        if wager not in config.tables and wager != "progressive":
            yield Difference(f"pays.{wager}", "nothing", "a pay table for that wager")


def _check_decision(game: Game, hand: Hand, options: Mapping[str, Any]) -> None:
    made = hand.decision
    if made is None:
        raise Refusal("decision", "a decision")
    if made.kind == "none":
        if game.choices(hand.wagers):
            raise Refusal("decision", f"one of {', '.join(game.choices(hand.wagers))}")
        return
    raw: dict[str, Any] = {"low": text_of((made.low,))} if made.low is not None else {made.kind: True}
    if made.double_cents:
        raw["double_down"] = made.double_cents
    game.read_decision(raw, hand.cards, hand.wagers, options)


# -------------------------------------------------------------------------------------------------------- base wagers


def _dealer(ready: Settled) -> Iterator[Difference]:
    if ready.settlement is None:
        return
    dealer = ready.settlement.dealer
    high, low, _ = dealer.setting if dealer.setting is not None else ((), None, "")
    gives = line.Revealed(name=dealer.hand, plays=dealer.qualifies, high=tuple(high), low=low)
    says = ready.record.of(line.Revealed)
    if says != [gives]:
        yield differ(ready, "dealer", says[0] if says else None, gives)


def _spots(ready: Settled) -> Iterator[Difference]:
    """What every spot holds, and what every wager came to."""
    if ready.settlement is None:
        return
    lines = lines_of(ready.config, ready.settlement, ready.record.day)
    gives: dict[tuple[int, str], line.Step] = {}
    for spot in ready.settlement.spots:
        high, low, by = spot.setting if spot.setting is not None else ((), None, "")
        gives[spot.number, "hand"] = line.Holds(
            spot=spot.number, name=spot.hand, outcome=spot.outcome or "", high=tuple(high), low=low, by=by
        )
        for wager, one in lines[spot.number].items():
            gives[spot.number, wager] = line.Came(
                spot=spot.number,
                wager=wager,
                result=one.result,
                wagered=one.wagered,
                returned=one.returned,
                envy=one.envy,
                why=one.why,
            )
    says: dict[tuple[int, str], line.Step] = {(one.spot, "hand"): one for one in ready.record.of(line.Holds)}
    says |= {(one.spot, one.wager): one for one in ready.record.of(line.Came)}
    for key in sorted({*gives, *says}):
        if _facts(gives.get(key)) != _facts(says.get(key)):
            yield differ(ready, f"spot {key[0]} {key[1]}", says.get(key), gives.get(key))
    counted = len(ready.record.of(line.Holds)) + len(ready.record.of(line.Came))
    if counted != len(says):
        yield Difference("results", f"{counted} of them", f"{len(says)}: one for each hand and wager")


def _facts(step: line.Step | None) -> line.Step | None:
    """A step without its reason in words: money and results must agree, a later version may say why otherwise."""
    return replace(step, why="") if isinstance(step, line.Came) else step


def _reconciled(ready: Settled) -> Iterator[Difference]:
    """TC-13, CSC-5, PGF-3: the order of reconciling, and the sums of every step."""
    if ready.settlement is None:
        return
    lines = lines_of(ready.config, ready.settlement, ready.record.day)
    hands = {spot: replace(hand, lines=lines[spot]) for spot, hand in ready.play.hands.items()}
    gives = [
        (
            step.spot,
            step.wagers,
            sum(lines[step.spot][wager].wagered for wager in step.wagers),
            sum(lines[step.spot][wager].returned for wager in step.wagers),
        )
        for step in steps(ready.game, hands, options_of(ready.config))
    ]
    says = [(one.spot, one.wagers, one.wagered, one.returned) for one in ready.record.of(line.Reconciled)]
    if sorted(says) != sorted(gives):
        for one in sorted({*says} ^ {*gives}):
            told = _step_words(one), "no such step"
            yield Difference("reconcile", *(told if one in says else told[::-1]))
        if {*says} == {*gives}:
            yield Difference("reconcile", f"{len(says)} steps", f"{len(gives)}")
        return
    # CS-11: folded hands may be collected in any order.
    free = {spot for spot, hand in hands.items() if hand.folded} if ready.game.key == "caribbean-stud" else set()
    order = [one[:2] for one in says if one[0] not in free], [one[:2] for one in gives if one[0] not in free]
    if order[0] != order[1]:
        said, right = (", ".join(f"{spot} {' '.join(wagers)}" for spot, wagers in one) for one in order)
        yield Difference("reconcile order", said, right)


def _step_words(one: tuple[int, tuple[str, ...], int, int]) -> str:
    return f"{one[0]} {' '.join(one[1])}: {money(one[2])} -> {money(one[3])}"


def _column(ready: Settled) -> Iterator[Difference]:
    """CSC-4: the number of hands, the dealer's included, where somebody covers all; PG-3: the start position."""
    positions = has_positions(ready.game, options_of(ready.config))
    covered = any("cover_all" in hand.wagers for hand in ready.play.hands.values())
    column = len(ready.play.hands) + 1 if covered else 0
    shown = [one for one in ready.record.of(line.Entered) if one.target == DEALER][-1:]
    for one in (*ready.record.of(line.Committed), *shown):
        if one.column != column:
            yield Difference("column", str(one.column), str(column))
    for one in ready.record.of(line.Committed):
        if not (1 <= one.start <= positions if positions else one.start == 0):
            yield Difference("start", str(one.start), f"1 to {positions}" if positions else "none")


COMPARISONS: Final = (_dealer, _spots, _reconciled, _column, progressive_differences, order_differences)


# ------------------------------------------------------------------------------------------------------------ the deck


def check_deck(record: RoundRecord) -> list[str]:
    """FL-3: everything that is wrong with how the deck was promised, dealt and opened; a sentence each."""
    promised, opened = record.of(line.Committed), record.of(line.Opened)
    packets = record.of(line.Dealt)
    if not promised:
        stray = [*packets, *opened] and record.kind == "virtual"
        return ["cards were dealt without a commitment to their order"] if stray else []
    if len(promised) > 1 or len(opened) != 1:
        return [f"{len(promised)} commitments, of which {len(opened)} opened; a round has one, opened at its end"]
    one, deck = promised[0], opened[0]
    nonce = bytes.fromhex(deck.nonce)
    out = tuple(card for packet in packets for card in packet.cards)
    defects = []
    if out != deck.order[: len(out)]:
        place = next(place for place, card in enumerate(out) if card != deck.order[place])
        defects.append(f"card {place + 1} off the deck was {text_of((out[place],))}; the order has another there")
    game = known_game(record.game)
    dealer = next((packet.cards for packet in packets if packet.target == DEALER), ())
    hands = {packet.target: packet.cards for packet in packets if packet.target > 0}
    if not dealer or len(hands) != len(_play(record).hands):
        if not record.voided:
            missing = [
                whom(spot) for spot in (DEALER, *_play(record).hands) if spot not in (*hands, *[DEALER][: len(dealer)])
            ]
            defects.append(f"no packet went to {', '.join(missing)}")
        if len(nonce) != NONCE_BYTES or not opens(one.commitment, deck.order, nonce, one.start):
            defects.append("the order, the start position and the nonce do not open the commitment")
        return defects
    racked = tuple(card for packet in packets if packet.target == EMPTY for card in packet.cards)
    dealt = Dealt(
        hands,
        dealer,
        tuple(dealer[place] for place in game.dealer_face_up),
        racked + deck.order[len(out) :],
    )
    return defects + check_round(
        one.commitment, deck.order, nonce, dealt, game, {**game.defaults, **record.options}, one.start
    )
