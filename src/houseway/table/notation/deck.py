"""Is the deck of a written round the one that was promised, made from its seeds, and dealt in its order?"""

from __future__ import annotations

from collections.abc import Iterator

from houseway.cards import Card, text_of
from houseway.games import Game
from houseway.games.flow import BOARD, DEALER, EMPTY
from houseway.games.round import Dealt
from houseway.table import first_deck
from houseway.table.card_round.agenda import arranged, has_positions
from houseway.table.card_round.events import (
    BetsClosed,
    BoardTurned,
    CardDrawn,
    DeckCommitted,
    DeckOpened,
    DeckShuffled,
    DeckStacked,
    FaceUpShown,
    PacketDealt,
    PlayerSeedAdded,
    SeatLeft,
    SeedCommitted,
    ShoeContinued,
    WagerPlaced,
)
from houseway.table.card_round.evolve import evolve_play
from houseway.table.card_round.state import Hand, Play
from houseway.table.commitment import Shuffled, check_dealt, opens, shuffle
from houseway.table.notation.form import whom
from houseway.table.notation.record import RoundRecord, known_game


def check_deck(record: RoundRecord) -> list[str]:
    """FL-3, TR-9, TR-11: everything wrong with how the deck was promised, made, dealt and opened; a sentence each."""
    return [*_stack_defects(record), *_commitment_defects(record)]


def _stack_defects(record: RoundRecord) -> Iterator[str]:
    """TR-9: on a real floor no card is chosen, whatever was promised and opened afterwards."""
    for target in dict.fromkeys(stacked.spot for stacked in record.of(DeckStacked) if stacked.cards):
        if not record.demonstration:
            hand = "the dealer" if target == DEALER else f"spot {target}"
            yield f"cards were chosen for {hand}, and this floor is no demonstration"


def shoe_number(record: RoundRecord) -> int:
    """The first round of the shoe that a round was dealt from."""
    return next((shoe.shoe for shoe in record.of(ShoeContinued)), record.round)


def opening_of(record: RoundRecord) -> DeckOpened | None:
    """The opening of the shoe, in its last round."""
    return next((deck for deck in record.of(DeckOpened) if deck.decks), None)


def _commitment_defects(record: RoundRecord) -> list[str]:
    if is_from_shoe(record):
        return [*_shoe_defects(record)]
    if record.of(DeckCommitted) or any(deck.nonce for deck in record.of(DeckOpened)):
        return _first_deck_defects(record)
    if not record.of(SeedCommitted):
        dealt = (PlayerSeedAdded, DeckShuffled, PacketDealt, FaceUpShown, DeckOpened)
        stray = record.kind == "virtual" and any(record.of(kind) for kind in dealt)
        return ["cards were dealt without a commitment to the house's seed"] if stray else []
    defects = [*_promise_defects(record)]
    openings, shuffles = record.of(DeckOpened), record.of(DeckShuffled)
    if len(openings) != 1:
        return [*defects, f"the house's seed was opened {len(openings)} times; a round opens it once, at its end"]
    seed, order = bytes.fromhex(openings[0].seed), openings[0].order
    commitment = record.of(SeedCommitted)[-1].commitment
    if not opens(commitment, seed, table=record.table, round=record.round):
        defects.append("the opened seed is not the one that was committed to: the house chose another")
    if len(shuffles) != 1:
        if shuffles or record.of(PacketDealt) or order or not record.voided:
            defects.append(f"the deck was shuffled {len(shuffles)} times; it is shuffled once, before the first card")
        return defects
    return [*defects, *_seed_defects(record, shuffles[0]), *_deck_defects(record, shuffles[0], order)]


def _shoe_defects(record: RoundRecord) -> Iterator[str]:
    """A round that was dealt from a shoe: what its own lines can show. A shoe is opened in its last round."""
    shuffles, openings = record.of(DeckShuffled), record.of(DeckOpened)
    if len(shuffles) + len(record.of(ShoeContinued)) != 1:
        yield "a round is dealt from one shoe: from a new one, or from that of the rounds before"
        return
    if shuffles:
        if not record.of(SeedCommitted):
            yield "the shoe was shuffled without a commitment to the house's seed"
            return
        yield from _promise_defects(record)
        yield from _seed_defects(record, shuffles[0])
    for opening in openings:
        seed = bytes.fromhex(opening.seed)
        if not opens(opening.commitment, seed, table=record.table, round=opening.shoe):
            yield "the opened seed is not the one that was committed to: the house chose another"
        if shuffles and opening.commitment != record.of(SeedCommitted)[-1].commitment:
            yield "the commitment that was opened is not the one that was published"
        if shoe_from_seeds(record, opening) != opening.order:
            yield "the opened shoe is not the one that follows from the seeds"
        yield from cards_not_of(record, opening.order)


def shoe_from_seeds(record: RoundRecord, opening: DeckOpened) -> tuple[Card, ...]:
    """TR-11: the shoe that follows from the seeds with which it was opened."""
    pack = known_game(record.game).deck * opening.decks
    seed = bytes.fromhex(opening.seed)
    return shuffle(pack, seed, opening.player_seeds, 0, table=record.table, round=opening.shoe).order


def cards_not_of(record: RoundRecord, order: tuple[Card, ...]) -> Iterator[str]:
    """What of a round was not dealt from a shoe in this order."""
    place = next((shoe.first for shoe in record.of(ShoeContinued)), 0)
    for step in record.steps:
        if not isinstance(step, PacketDealt | CardDrawn):
            continue
        cards = step.cards if isinstance(step, PacketDealt) else (step.card,)
        place += 0 if isinstance(step, PacketDealt) else step.burned
        if order[place : place + len(cards)] != cards:
            yield f"card {place + 1} of the shoe went to {whom(step.target)} as {text_of(cards)}; the shoe has another"
        place += len(cards)


def is_from_shoe(record: RoundRecord) -> bool:
    """Whether the round was dealt from a shoe, which is opened when it is over."""
    return bool(record.of(ShoeContinued)) or any(deck.decks for deck in record.of(DeckShuffled))


def cards_off(record: RoundRecord, game: Game) -> tuple[Card, ...]:
    """The cards as they came off the deck or shoe, top card first; any card for one that the round does not tell."""
    off = [game.deck[0]] * sum(shoe.first for shoe in record.of(ShoeContinued))
    for step in record.steps:
        if isinstance(step, PacketDealt):
            off += step.cards
        elif isinstance(step, CardDrawn):
            off += [*[game.deck[0]] * step.burned, step.card]
    return tuple(off)


def deck_from_seeds(record: RoundRecord) -> Shuffled | None:
    """TR-11: the deck that follows from the seeds of a round, whatever was dealt; None where it was not shuffled so."""
    openings, shuffles = [deck for deck in record.of(DeckOpened) if deck.seed], record.of(DeckShuffled)
    if openings and openings[0].decks:
        return Shuffled(shoe_from_seeds(record, openings[0]), 0)
    if not openings or not shuffles:
        return None
    game = known_game(record.game)
    options = {**game.defaults, **record.options}
    seeds = {spot: text for spot, text in player_seeds_in(record).items() if spot in shuffles[0].player_seeds}
    positions = has_positions(game, options)
    seed = bytes.fromhex(openings[0].seed)
    deck = shuffle(game.deck, seed, seeds, positions, table=record.table, round=record.round)
    if not shuffles[0].stacked:
        return deck
    chosen = {stacked.spot: stacked.cards for stacked in record.of(DeckStacked)}
    chosen = {target: cards for target, cards in chosen.items() if cards}
    return deck._replace(order=arranged(game, deck.order, tuple(hands_in(record)), options, deck.start, chosen))


def hands_in(record: RoundRecord) -> dict[int, Hand]:
    """The spots with a wager in the round, in the order of the layout."""
    play = Play()
    for step in record.of(WagerPlaced):
        play = evolve_play(play, step, 0)
    return dict(sorted(play.hands.items()))


def _promise_defects(record: RoundRecord) -> Iterator[str]:
    """FL-3: the commitment comes before every wager, and before what any player adds."""
    steps = record.steps
    promised = max(place for place, step in enumerate(steps) if isinstance(step, SeedCommitted))
    if any(isinstance(step, WagerPlaced) for step in steps[:promised]):
        yield "the house committed to its seed after the first wager; it must before"
    for step in steps[:promised]:
        if isinstance(step, PlayerSeedAdded):
            yield f"the house committed to its seed after spot {step.spot} had added one: it could choose"


def player_seeds_in(record: RoundRecord) -> dict[int, str]:
    """TR-11: what the spots of the round added before the deck was shuffled."""
    seeds: dict[int, str] = {}
    for step in record.steps:
        match step:
            case PlayerSeedAdded():
                seeds[step.spot] = step.player_seed
            case SeatLeft() if not step.held:
                seeds.pop(step.spot, None)
            case BetsClosed():
                break
    hands = hands_in(record)
    return {spot: text for spot, text in sorted(seeds.items()) if spot in hands}


def _seed_defects(record: RoundRecord, shuffled: DeckShuffled) -> Iterator[str]:
    """TR-11: every seed that was added is in the deck, and no other; the round says who added none."""
    added, inside = tuple(player_seeds_in(record)), tuple(shuffled.player_seeds)
    if inside != added:
        yield f"the deck has the seeds of {_spots_in(inside)}; they were added by {_spots_in(added)}"
    alone = tuple(spot for spot in hands_in(record) if spot not in added)
    if shuffled.house_only != alone:
        stated = _spots_in(shuffled.house_only)
        yield f"the house's seed alone is said to be for {stated}; it is for {_spots_in(alone)}"


def _spots_in(spots: tuple[int, ...]) -> str:
    return f"spot {', '.join(map(str, spots))}" if spots else "nobody"


def _deck_defects(record: RoundRecord, shuffled: DeckShuffled, order: tuple[Card, ...]) -> Iterator[str]:
    """TR-11: the opened deck is the one that follows from the seeds, and the hands are those of it."""
    deck = deck_from_seeds(record)
    if deck is None or deck.order != order:
        yield "the opened deck is not the one that follows from the seeds"
    if deck is not None and deck.start != shuffled.start:
        yield f"the start position was {shuffled.start}; from the seeds follows {deck.start}"
    yield from _dealt_defects(record, order, shuffled.start)
    packets = {packet.target: packet.cards for packet in reversed(record.of(PacketDealt))}
    dealer = packets.get(DEALER, ())
    for face_up in record.of(FaceUpShown):
        if dealer and face_up.cards != tuple(dealer[place] for place in known_game(record.game).dealer_face_up):
            yield f"face up lay {text_of(face_up.cards)}, which is not where the dealer's cards have it"
    for turned in record.of(BoardTurned):
        packet = packets.get(turned.target, ())
        if turned.cards != tuple(packet[place] for place in turned.places if place < len(packet)):
            whose = "the dealer's cards have" if turned.target == DEALER else "the board has"
            yield f"turned over was {text_of(turned.cards)}, which is not where {whose} it"


def _dealt_defects(record: RoundRecord, order: tuple[Card, ...], start: int) -> Iterator[str]:
    """FL-3: the packets came off the top of the deck, to whom they belong."""
    packets = record.of(PacketDealt)
    out = tuple(card for packet in packets for card in packet.cards)
    if out != order[: len(out)]:
        same = [card == other for card, other in zip(out, order, strict=False)]
        place = same.index(False) if False in same else len(same)
        yield f"card {place + 1} off the deck was {text_of((out[place],))}; the order has another there"
    game, hands = known_game(record.game), {packet.target: packet.cards for packet in packets if packet.target > 0}
    dealer = next((packet.cards for packet in packets if packet.target == DEALER), ())
    board = next((packet.cards for packet in packets if packet.target == BOARD), ())
    expected = (*([DEALER] if game.dealer_cards else []), *([BOARD] if game.board_cards else []), *hands_in(record))
    with_packet = (*hands, *[DEALER][: len(dealer)], *[BOARD][: len(board)])
    missing = [whom(target) for target in expected if target not in with_packet]
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
    promised, openings = record.of(DeckCommitted), [deck for deck in record.of(DeckOpened) if deck.nonce]
    if len(promised) != 1 or len(openings) != 1:
        return [f"{len(promised)} commitments, of which {len(openings)} opened; a round has one, opened at its end"]
    promise, deck = promised[0], openings[0]
    defects = [*_dealt_defects(record, deck.order, promise.start)]
    if not first_deck.opens(promise.commitment, deck.order, bytes.fromhex(deck.nonce), promise.start):
        defects.append("the order, the start position and the nonce do not open the commitment: another was promised")
    return defects
