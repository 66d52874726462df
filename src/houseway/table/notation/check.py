"""Is a written round right? Settled again by the rulebook, every wager to the cent, and its deck held to its word."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec.structs import replace

from houseway.cards import Card, text_of
from houseway.games import Game
from houseway.games.flow import BOARD, DEALER, EMPTY, next_point, read_actions
from houseway.games.round import Dealt, Settlement
from houseway.paytables import Book, PayTable, ProgressiveTable, Table
from houseway.refusal import Refusal
from houseway.table import first_deck
from houseway.table.card_round.agenda import arranged, counts_hands, has_positions, steps
from houseway.table.card_round.forfeits import cards_taken, forfeits
from houseway.table.card_round.settle import lines_of, options_of, settled
from houseway.table.card_round.state import Hand, Play, SpotAction
from houseway.table.card_round.streets import UNKNOWN, board_of
from houseway.table.commitment import Shuffled, check_dealt, opens, shuffle
from houseway.table.config import Dated, Limits, TableConfig
from houseway.table.notation import steps as line
from houseway.table.notation.awards import Difference, Settled, differ, progressive_differences
from houseway.table.notation.events import NO_ACTION
from houseway.table.notation.form import money, whom
from houseway.table.notation.order import order_differences
from houseway.table.notation.record import RoundRecord, known_game, pays_digest

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
    actions: dict[int, tuple[SpotAction, ...]] = {}
    up: dict[int, Card] = {}
    folds = {choice.key for point in known_game(record.game).points for choice in point.choices if choice.folds}
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
            case line.Acted() if step.action != NO_ACTION:
                action = SpotAction(
                    point=step.point,
                    action=step.action,
                    folds=step.action in folds,
                    card=step.card,
                    cents=step.cents,
                    how=step.how,
                )
                actions[step.spot] = (*actions.get(step.spot, ()), action)
            case line.Turned() if step.target == BOARD:
                up |= {place - 1: card for place, card in zip(step.places, step.cards, strict=True)}
    hands = {
        spot: Hand(
            player=players[spot],
            wagers=made,
            cards=cards.get(spot, ()),
            actions=actions.get(spot, ()),
        )
        for spot, made in sorted(wagers.items())
        if made
    }
    return Play(hands=hands, dealer=cards.get(DEALER, ()), board=cards.get(BOARD, ()), board_up=up)


def _incomplete(game: Game, config: TableConfig, play: Play) -> Iterator[Difference]:
    """What keeps a round from being settled at all: no cards, no decision, wagers that do not stand together."""
    options = options_of(config)
    if not play.hands:
        yield Difference("round", "no wager", "at least one")
    if len(play.dealer) != game.dealer_cards:
        yield Difference("dealer", f"{len(play.dealer)} cards", f"{game.dealer_cards}")
    lacking = board_of(game, play).count(UNKNOWN) if play.board or play.board_up else game.board_cards
    if lacking:
        yield Difference("board", f"{game.board_cards - lacking} cards", f"{game.board_cards}")
        return
    for spot, hand in play.hands.items():
        try:
            if len(hand.cards) != game.player_cards:
                raise Refusal("cards", f"{game.player_cards} of them")
            game.check_wagers(hand.wagers, options)
            _check_actions(game, hand, play, options)
        except Refusal as refusal:
            yield Difference(f"spot {spot}", "what cannot be settled", str(refusal))
    for wager in game.tables_needed({wager for hand in play.hands.values() for wager in hand.wagers}):
        if wager not in config.tables and wager != "progressive":
            yield Difference(f"pays.{wager}", "nothing", "a pay table for that wager")


def _check_actions(game: Game, hand: Hand, play: Play, options: Mapping[str, Any]) -> None:
    """Refuse actions that the game does not have, does not allow with these cards, or still waits for."""
    extras = {
        choice.key: stake.wager
        for point in game.points
        for choice in point.choices
        for stake in choice.stakes
        if stake.optional
    }
    raw: list[dict[str, Any]] = []
    for action in hand.actions:
        named: Any = text_of((action.card,)) if action.card is not None else True
        added = {extras.get(action.action, "cents"): action.cents} if action.cents else {}
        raw.append({action.action: named, **added})
    read_actions(game, raw, hand.cards, hand.wagers, options, play.dealer, board_of(game, play))


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
    """TC-13, CS-7, CSC-5, PGF-3: the order of reconciling, and the sums of every step."""
    if ready.settlement is None:
        return
    record, by_procedure = ready.record, ready.record.procedure > 1
    lines = lines_of(ready.config, ready.settlement, record.day)
    collected = {step.spot: step.wagers for step in record.of(line.Forfeit)}
    hands = {
        spot: replace(hand, lines=lines[spot], reconciled=collected.get(spot, ()))
        for spot, hand in ready.play.hands.items()
    }
    qualifies = ready.settlement.dealer.qualifies if by_procedure else None
    gives = [
        (
            step.spot,
            step.wagers,
            sum(lines[step.spot][wager].wagered for wager in step.wagers),
            sum(lines[step.spot][wager].returned for wager in step.wagers),
        )
        for step in steps(ready.game, hands, options_of(ready.config), qualifies)
    ]
    says = [(step.spot, step.wagers, step.wagered, step.returned) for step in record.of(line.Reconciled)]
    if sorted(says) != sorted(gives):
        for step in sorted({*says} ^ {*gives}):
            sides = _step_words(step), "no such step"
            yield Difference("reconcile", *(sides if step in says else sides[::-1]))
        if {*says} == {*gives}:
            yield Difference("reconcile", f"{len(says)} steps", f"{len(gives)}")
        return
    # Before forfeits were collected apart, folded hands came in any order (CS-11).
    any_order = not by_procedure and ready.game.collects_folds == "as_they_fold"
    free = {spot for spot, hand in hands.items() if hand.folded} if any_order else set()
    order = [step[:2] for step in says if step[0] not in free], [step[:2] for step in gives if step[0] not in free]
    if order[0] != order[1]:
        said, right = (", ".join(f"{spot} {' '.join(wagers)}" for spot, wagers in side) for side in order)
        yield Difference("reconcile order", said, right)


def _forfeits(ready: Settled) -> Iterator[Difference]:
    """CS-5, TC-15: of every fold, what it gave up and how many cards were counted with it."""
    if ready.settlement is None or ready.record.procedure == 1:
        return
    due = {
        spot: line.Forfeit(
            spot=spot,
            wagers=tuple(wagers),
            wagered=sum(wagers.values()),
            counted=cards_taken(ready.config, ready.play.hands[spot]),
        )
        for spot, wagers in forfeits(ready.config, ready.play).items()
    }
    collected = {step.spot: step for step in ready.record.of(line.Forfeit)}
    for spot in sorted({*due, *collected}):
        if due.get(spot) != collected.get(spot):
            yield differ(ready, f"spot {spot} forfeit", collected.get(spot), due.get(spot))
    if len(collected) < len(ready.record.of(line.Forfeit)):
        yield Difference("forfeits", "some of them twice", "each once")


def _step_words(one: tuple[int, tuple[str, ...], int, int]) -> str:
    return f"{one[0]} {' '.join(one[1])}: {money(one[2])} -> {money(one[3])}"


def _idle(ready: Settled) -> Iterator[Difference]:
    """A line says of every spot without a decision that it has none, and of no other."""
    if ready.settlement is None:
        return
    says = {one.spot for one in ready.record.of(line.Acted) if one.action == NO_ACTION}
    idle = {spot for spot, hand in ready.play.hands.items() if next_point(ready.game, hand.wagers) is None}
    for spot in sorted(says ^ idle):
        told = "nothing to decide", "a decision"
        yield Difference(f"spot {spot}", *(told if spot in says else told[::-1]))


def _column(ready: Settled) -> Iterator[Difference]:
    """CSC-4: the number of hands, the dealer's included, where the table covers all; PG-3: the start position."""
    positions = has_positions(ready.game, options_of(ready.config))
    column = len(ready.play.hands) + 1 if counts_hands(ready.game, ready.config.tables) else 0
    counted = counts_hands(ready.game)
    bet = any(wager in counted for hand in ready.play.hands.values() for wager in hand.wagers)
    # Before procedure 2 no column was shown where nobody had bet on it.
    right = {column} if bet or ready.record.procedure > 1 else {column, 0}
    shown = [one for one in ready.record.of(line.Entered) if one.target == DEALER][-1:]
    decks = (*ready.record.of(line.Shuffled), *ready.record.of(line.Committed))
    for one in (*decks, *shown):
        if one.column not in right:
            yield Difference("column", str(one.column), str(column))
    for one in decks:
        if not (1 <= one.start <= positions if positions else one.start == 0):
            yield Difference("start", str(one.start), f"1 to {positions}" if positions else "none")


COMPARISONS: Final = (
    *(_dealer, _spots, _forfeits, _reconciled, _idle, _column),
    *(progressive_differences, order_differences),
)


# ------------------------------------------------------------------------------------------------------------ the deck


def check_deck(record: RoundRecord) -> list[str]:
    """FL-3, TR-9, TR-11: everything wrong with how the deck was promised, made, dealt and opened; a sentence each."""
    return [*_chosen(record), *_promised(record)]


def _chosen(record: RoundRecord) -> Iterator[str]:
    """TR-9: on a real floor no card is chosen, whatever was promised and opened afterwards."""
    for target in dict.fromkeys(one.target for one in record.of(line.Stacked) if one.cards):
        if not record.demonstration:
            hand = "the dealer" if target == DEALER else f"spot {target}"
            yield f"cards were chosen for {hand}, and this floor is no demonstration"


def _promised(record: RoundRecord) -> list[str]:
    if record.of(line.Committed) or record.of(line.Opened):
        return _first_deck_defects(record)
    if not record.of(line.Seeded):
        made = (line.PlayerSeed, line.Shuffled, line.Dealt, line.FaceUp, line.OpenedSeed)
        stray = record.kind == "virtual" and any(record.of(kind) for kind in made)
        return ["cards were dealt without a commitment to the house's seed"] if stray else []
    defects = [*_promise_defects(record)]
    opened, shuffles = record.of(line.OpenedSeed), record.of(line.Shuffled)
    if len(opened) != 1:
        return [*defects, f"the house's seed was opened {len(opened)} times; a round opens it once, at its end"]
    seed, order = bytes.fromhex(opened[0].seed), opened[0].order
    commitment = record.of(line.Seeded)[-1].commitment
    if not opens(commitment, seed, table=record.table, round=record.round):
        defects.append("the opened seed is not the one that was committed to: the house chose another")
    if len(shuffles) != 1:
        if shuffles or record.of(line.Dealt) or order or not record.voided:
            defects.append(f"the deck was shuffled {len(shuffles)} times; it is shuffled once, before the first card")
        return defects
    return [*defects, *_seed_defects(record, shuffles[0]), *_deck_defects(record, shuffles[0], seed, order)]


def deck_from_seeds(record: RoundRecord) -> Shuffled | None:
    """TR-11: the deck that follows from the seeds of a round, whatever was dealt; None where it was not shuffled so."""
    opened, shuffles = record.of(line.OpenedSeed), record.of(line.Shuffled)
    if not opened or not shuffles:
        return None
    game = known_game(record.game)
    options = {**game.defaults, **record.options}
    seeds = {spot: text for spot, text in player_seeds_in(record).items() if spot in shuffles[0].seeds}
    positions = has_positions(game, options)
    seed = bytes.fromhex(opened[0].seed)
    made = shuffle(game.deck, seed, seeds, positions, table=record.table, round=record.round)
    if not shuffles[0].stacked:
        return made
    chosen = {one.target: one.cards for one in record.of(line.Stacked)}
    chosen = {target: cards for target, cards in chosen.items() if cards}
    spots = tuple(_play(record).hands)
    return made._replace(order=arranged(game, made.order, spots, options, made.start, chosen))


def _promise_defects(record: RoundRecord) -> Iterator[str]:
    """FL-3: the commitment comes before every wager, and before what any player adds."""
    steps = record.steps
    promised = max(place for place, step in enumerate(steps) if isinstance(step, line.Seeded))
    if any(isinstance(step, line.Placed) for step in steps[:promised]):
        yield "the house committed to its seed after the first wager; it must before"
    for step in steps[:promised]:
        if isinstance(step, line.PlayerSeed):
            yield f"the house committed to its seed after spot {step.spot} had added one: it could choose"


def player_seeds_in(record: RoundRecord) -> dict[int, str]:
    """TR-11: what the spots of the round added before the deck was shuffled."""
    found: dict[int, str] = {}
    for step in record.steps:
        match step:
            case line.PlayerSeed():
                found[step.spot] = step.text
            case line.Left() if not step.held:
                found.pop(step.spot, None)
            case line.Called():
                break
    hands = _play(record).hands
    return {spot: text for spot, text in sorted(found.items()) if spot in hands}


def _seed_defects(record: RoundRecord, shuffled: line.Shuffled) -> Iterator[str]:
    """TR-11: every seed that was added is in the deck, and no other; the round says who added none."""
    added, hands = tuple(player_seeds_in(record)), _play(record).hands
    if shuffled.seeds != added:
        yield f"the deck has the seeds of {_spots_in(shuffled.seeds)}; they were added by {_spots_in(added)}"
    alone = tuple(spot for spot in hands if spot not in added)
    if shuffled.house != alone:
        yield f"the house's seed alone is said to be for {_spots_in(shuffled.house)}; it is for {_spots_in(alone)}"


def _spots_in(spots: tuple[int, ...]) -> str:
    return f"spot {', '.join(map(str, spots))}" if spots else "nobody"


def _deck_defects(record: RoundRecord, shuffled: line.Shuffled, seed: bytes, order: tuple[Card, ...]) -> Iterator[str]:
    """TR-11: the opened deck is the one that follows from the seeds, and the hands are those of it."""
    made = deck_from_seeds(record)
    if made is None or made.order != order:
        yield "the opened deck is not the one that follows from the seeds"
    if made is not None and made.start != shuffled.start:
        yield f"the start position was {shuffled.start}; from the seeds follows {made.start}"
    yield from _dealt_defects(record, order, shuffled.start)
    dealer = next((packet.cards for packet in record.of(line.Dealt) if packet.target == DEALER), ())
    for one in record.of(line.FaceUp):
        if dealer and one.cards != tuple(dealer[place] for place in known_game(record.game).dealer_face_up):
            yield f"face up lay {text_of(one.cards)}, which is not where the dealer's cards have it"
    for turned in record.of(line.Turned):
        packet = next((packet.cards for packet in record.of(line.Dealt) if packet.target == turned.target), ())
        if turned.cards != tuple(packet[place - 1] for place in turned.places if place <= len(packet)):
            whose = "the dealer's cards have" if turned.target == DEALER else "the board has"
            yield f"turned over was {text_of(turned.cards)}, which is not where {whose} it"


def _dealt_defects(record: RoundRecord, order: tuple[Card, ...], start: int) -> Iterator[str]:
    """FL-3: the packets came off the top of the deck, to whom they belong."""
    packets = record.of(line.Dealt)
    out = tuple(card for packet in packets for card in packet.cards)
    if out != order[: len(out)]:
        same = [one == other for one, other in zip(out, order, strict=False)]
        place = same.index(False) if False in same else len(same)
        yield f"card {place + 1} off the deck was {text_of((out[place],))}; the order has another there"
    game, hands = known_game(record.game), {packet.target: packet.cards for packet in packets if packet.target > 0}
    dealer = next((packet.cards for packet in packets if packet.target == DEALER), ())
    board = next((packet.cards for packet in packets if packet.target == BOARD), ())
    wanted = (*([DEALER] if game.dealer_cards else []), *([BOARD] if game.board_cards else []), *_play(record).hands)
    with_packet = (*hands, *[DEALER][: len(dealer)], *[BOARD][: len(board)])
    missing = [whom(target) for target in wanted if target not in with_packet]
    if missing:
        if not record.voided:
            yield f"no packet went to {', '.join(missing)}"
        return
    racked = tuple(card for packet in packets if packet.target == EMPTY for card in packet.cards)
    face_up = tuple(dealer[place] for place in game.dealer_face_up)
    dealt = Dealt(hands, dealer, face_up, racked + order[len(out) :], board)
    yield from check_dealt(order, dealt, game, record.options, start)


def _first_deck_defects(record: RoundRecord) -> list[str]:
    """The same of a round of before TR-11, whose commitment was to the order itself."""
    promised, opened = record.of(line.Committed), record.of(line.Opened)
    if len(promised) != 1 or len(opened) != 1:
        return [f"{len(promised)} commitments, of which {len(opened)} opened; a round has one, opened at its end"]
    one, deck = promised[0], opened[0]
    defects = [*_dealt_defects(record, deck.order, one.start)]
    if not first_deck.opens(one.commitment, deck.order, bytes.fromhex(deck.nonce), one.start):
        defects.append("the order, the start position and the nonce do not open the commitment: another was promised")
    return defects
