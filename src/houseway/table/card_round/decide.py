"""The round machine of a table with cards: what a command makes happen, or why not now.

Cards and their order come from outside, through the `Shoe`; the rules from the rulebook; the progressive from
`houseway.table.progressive_round.decide`. Pure, as that is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from houseway.cards import Card, first_repeated, parse_card, read_cards, text_of
from houseway.games import Game
from houseway.games.flow import (
    BOARD,
    DEALER,
    choice_names,
    is_open,
    made_by,
    next_point,
    packet_size,
    stake_cents,
    targets,
)
from houseway.games.model import Choice, Decide, Stake
from houseway.games.round import Action
from houseway.money import dollars
from houseway.progressive.link import LinkState
from houseway.progressive.terms import MICROS_PER_CENT
from houseway.refusal import NotAllowed, Refusal
from houseway.table.card_round import commands as ask
from houseway.table.card_round import commission
from houseway.table.card_round import events as tell
from houseway.table.card_round.agenda import counts_hands, steps
from houseway.table.card_round.cards import Deck, Shoe, deck_of, filled
from houseway.table.card_round.evolve import evolve_play
from houseway.table.card_round.forfeits import cards_taken, forfeits
from houseway.table.card_round.law import separate_games, separate_games_on, unauthorised
from houseway.table.card_round.settle import game_of, lines_of, options_of, round_of
from houseway.table.card_round.shoe import is_over, surplus
from houseway.table.card_round.state import Hand, Play, ShoeState, Step
from houseway.table.card_round.streets import (
    Street,
    actions_of,
    board_of,
    face_up_places,
    lacking_cards,
    last_street,
    next_street,
    point_of,
    points_before,
    turned_last,
    waiting,
)
from houseway.table.commitment import player_seed_in
from houseway.table.config import Policies
from houseway.table.event import name_target
from houseway.table.limits import effective
from houseway.table.progressive_round import commands as base_ask
from houseway.table.progressive_round import events as base_tell
from houseway.table.progressive_round.console import WORDS, Words
from houseway.table.progressive_round.decide import Context, Desk, unnamed
from houseway.table.shuffler import (
    HAND,
    Malfunction,
    Shuffler,
    StepTaken,
    dealing_fits,
    failed,
    name_procedure,
    next_words,
    take_step,
)
from houseway.table.shuffler import STEPS as REPAIR
from houseway.table.state import Round, TableState
from houseway.table.verify_display import Display, Shown, Status, next_up, show

Events = tuple[Any, ...]
PROCEDURE_NOW: Final = 2
"""The dealing procedure of a round that is revealed now (`events.DealerRevealed`)."""
NOBODY: Final = -9
"""No spot: a card that is dealt later lies beside those that are there."""
PLAYER: Final = "player/"
"""How the id of a player who gives an order begins."""


class Felt(NamedTuple):
    """Everything a decision looks at."""

    table: TableState
    link: LinkState | None
    context: Context
    shoe: Shoe | None

    @property
    def round(self) -> Round:
        return self.table.round

    @property
    def play(self) -> Play:
        return self.table.round.play

    @property
    def game(self) -> Game:
        return game_of(self.table.config)

    @property
    def options(self) -> Any:
        return options_of(self.table.config)

    @property
    def words(self) -> Words:
        return WORDS[self.table.config.console]

    @property
    def where(self) -> dict[str, Any]:
        return {"table": self.table.id, "round": self.round.number}

    @property
    def is_virtual(self) -> bool:
        return self.table.config.kind == "virtual"

    @property
    def desk(self) -> Desk | None:
        """The progressive's side of the table."""
        return Desk(self.table, self.link, self.context) if self.link is not None else None


def decide_play(felt: Felt, command: Any) -> Events:
    """What a command of a round with cards makes happen."""
    return _DECIDE[type(command)](felt, command)


# ------------------------------------------------------------------------------------------------------ seats, wagers


def _sit_down(felt: Felt, command: ask.SitDown) -> Events:
    spot, seats = _spot(felt, command.spot), felt.table.seats
    if not command.player.strip():
        raise Refusal("player", "must be named")
    if _is_player(felt) and felt.context.by != f"{PLAYER}{command.player}":
        raise NotAllowed("by", "a player acts for a spot of their own only", rule="own spot")
    _players_own(felt, spot)
    if spot in seats:
        raise Refusal("spot", f"spot {spot} is taken; free are {_free(felt)}")
    others = [other for other, player in seats.items() if player == command.player]
    if others and not felt.options.get("two_spots", False):
        raise Refusal("player", f"{command.player} plays spot {others[0]}; a player has one spot at this table")
    if len(others) > 1 or (others and abs(others[0] - spot) != 1):
        raise Refusal("spot", "a player may have two spots, side by side, and no more")
    seated = tell.Seated(**felt.where, spot=spot, player=command.player, guest=felt.context.guest)
    return (seated, *_seed_committed(felt))


def _seed_committed(felt: Felt) -> tuple[tell.SeedCommitted, ...]:
    """FL-3: the house's promise for the present round, where it has given none yet."""
    shoe = felt.table.shoe
    promised_before = bool(felt.play.commitment) or (shoe is not None and shoe.shuffled)
    return () if promised_before else promised(felt, felt.round.number)


def promised(felt: Felt, number: int) -> tuple[tell.SeedCommitted, ...]:
    """FL-3, TR-11: the house's promise for a round, or for a shoe that begins with it, before its wagers open."""
    if not felt.is_virtual or felt.shoe is None:
        return ()
    if felt.game.shoe is not None and not is_over(felt.table, felt.game, felt.options):
        return ()
    made = felt.shoe.promise(felt.table.id, number)
    return (tell.SeedCommitted(table=felt.table.id, round=number, commitment=made.commitment, sealed=made.sealed),)


def _stand_up(felt: Felt, command: ask.StandUp) -> Events:
    spot = _spot(felt, command.spot)
    player = _seated(felt, spot)
    # FL-23: a dealer may do it too, for a player who went away.
    if _is_player(felt):
        _own_seat(felt, spot)
    return (*commission.collect(felt.table, (spot,)), *_leave(felt, spot, player))


def _leave(felt: Felt, spot: int, player: str) -> Events:
    hand = felt.play.hands.get(spot)
    if hand is not None and not felt.play.called:
        back = [event for wager in hand.wagers for event in _placed(felt, spot, player, wager, 0)]
        return (*back, tell.SeatLeft(**felt.where, spot=spot, player=player, held=False))
    # Who came to a spot whose player left in mid-round has no wager in the round.
    if hand is None or hand.left:
        return (tell.SeatLeft(**felt.where, spot=spot, player=player, held=False),)
    point = point_of(felt.game, felt.play, hand)
    decided = _forced(felt, spot, point, "left") if point is not None and _cards_are_out(felt) else ()
    events = (*decided, tell.SeatLeft(**felt.where, spot=spot, player=player, held=True))
    return (*events, *_now_shown(felt, events))


def _cards_are_out(felt: Felt) -> bool:
    """Whether a hand can be decided on: at a virtual table once every packet is out, else from the first card."""
    if felt.is_virtual:
        return felt.play.dealt
    return felt.play.dealer_dealt or any(hand.dealt or hand.actions for hand in felt.play.hands.values())


def _bet(felt: Felt, command: ask.Bet) -> Events:
    spot = _spot(felt, command.spot)
    player = _seated(felt, spot)
    _players_own(felt, spot)
    _own_seat(felt, spot)
    # What lies there may always be taken back.
    if command.cents:
        _check_open(felt)
    if felt.play.called:
        raise Refusal("wager", "no more bets: the call was made; wagers are placed before it")
    wager = felt.game.wager(command.wager)
    if wager is None or wager.kind in ("follows", "award"):
        places = ", ".join(one.key for one in felt.game.wagers if one.kind in ("required", "optional"))
        raise Refusal("wager", f"{command.wager!r} is not placed before the deal; there are {places}")
    there = felt.play.hands[spot].wagers.get(wager.key, 0) if spot in felt.play.hands else 0
    # Where the house has not promised yet it does now; what it could have looked at first is not in the deck.
    late = _seed_committed(felt) if command.cents else ()
    added = _player_seed_added(felt, spot, player, command)
    before = (*late, *(added if not late else ()))
    if command.cents == there:
        return before
    if command.cents:
        _check_offered(felt, wager.key)
        _check_amount(felt, wager.key, command.cents)
        on_hand = felt.play.hands[spot].wagers if spot in felt.play.hands else {}
        _check_separate_games(felt, {*on_hand, wager.key})
    return (*before, *_placed(felt, spot, player, wager.key, command.cents))


def _player_seed_added(felt: Felt, spot: int, player: str, command: ask.Bet) -> tuple[tell.PlayerSeedAdded, ...]:
    """TR-11: what a player adds to the deck, once a round."""
    if not command.player_seed:
        return ()
    text = player_seed_in(command.player_seed)
    if not felt.is_virtual:
        raise Refusal("player_seed", f"{felt.table.id} deals real cards; a seed is for virtual tables")
    known = felt.play.player_seeds.get(spot)
    shoe = felt.table.shoe
    if not command.cents or known == text or (shoe is not None and shoe.shuffled):
        return ()  # the shoe of this round is shuffled; the next one takes what players add
    if known is not None:
        raise Refusal("player_seed", f"your seed for this round is fixed: it is {known!r}")
    return (tell.PlayerSeedAdded(**felt.where, spot=spot, player=player, player_seed=text),)


def _check_open(felt: Felt) -> None:
    """FL-9, FL-10: a table that is stopped, or posts more than the law of the day, takes no wager."""
    unlawful = unauthorised(felt.table.config.limits, felt.context.policies, felt.context.day)
    for why in (*felt.table.stops.values(), *([unlawful] if unlawful else [])):
        raise Refusal("table", f"{felt.table.id} takes no wager now: {why}")


def _check_separate_games(felt: Felt, wagers: Collection[str]) -> None:
    """FL-9: one hand carries no more separate games than the law of the day allows."""
    law = separate_games_on(felt.context.policies, felt.context.day)
    if law is not None and separate_games(felt.game, wagers, law) > law.games:
        raise Refusal(
            "wager",
            f"one hand may carry {law.games} separate games, since {law.since} ({law.reference}, FL-9); "
            f"with {', '.join(sorted(wagers))} it would carry {separate_games(felt.game, wagers, law)}",
        )


def _check_offered(felt: Felt, wager: str) -> None:
    """A wager that pays by a table needs one here; Cover All needs a shuffler that shows its column (CSC-4)."""
    config = felt.table.config
    if wager != "progressive" and any(one not in config.tables for one in felt.game.tables_needed((wager,))):
        raise Refusal("wager", f"{wager} is not offered at {config.id}: it has no pay table for it")
    counted = config.dealing and wager in counts_hands(felt.game)
    why = dealing_fits(config.dealing, felt.game, cover_all=True) if counted else None
    if why is not None:
        raise Refusal("wager", f"{wager} is not offered at {config.id}: {why}")


def _check_amount(felt: Felt, wager: str, cents: int) -> None:
    """FL-8: within the posted limits, as narrowed by the wagers that follow. PR-39: one progressive wager."""
    if wager == "progressive":
        if felt.link is None:
            raise Refusal("wager", f"{felt.table.id} plays no progressive")
        if cents != felt.link.now.wager_cents:
            raise Refusal("cents", f"the progressive wager here is {dollars(felt.link.now.wager_cents)}, no other")
        return
    limits = felt.table.config.limits
    if wager not in limits:
        if cents < 0:
            raise Refusal("cents", "must be above 0")
        if limits:
            raise Refusal("wager", f"{wager} is not offered at {felt.table.id}: no limits are posted for it")
        return
    allowed = effective(felt.game, wager, limits)
    if not allowed.minimum_cents <= cents <= allowed.maximum_cents:
        because = "".join(f"; the {follow.wager} that follows must be possible" for follow in allowed.because)
        raise Refusal(
            "cents", f"{wager} is {dollars(allowed.minimum_cents)} to {dollars(allowed.maximum_cents)} here{because}"
        )


def _placed(felt: Felt, spot: int, player: str, wager: str, cents: int) -> Events:
    guest = felt.table.guests.get(spot, 0)
    placed = tell.WagerPlaced(**felt.where, spot=spot, player=player, wager=wager, cents=cents, guest=guest)
    if wager != "progressive":
        return (placed,)
    # PR-10: a progressive wager lights the spot's sensor.
    if cents:
        return placed, base_tell.SensorLit(**felt.where, spot=spot, waits=False)
    return placed, base_tell.SensorDark(**felt.where, spot=spot)


def _no_more_bets(felt: Felt, command: ask.NoMoreBets) -> Events:
    if felt.play.called:
        return ()
    hands = felt.play.hands
    if not hands:
        raise Refusal("table", "nobody has bet; a round needs a wager")
    _check_open(felt)
    for spot, hand in sorted(hands.items()):
        try:
            felt.game.check_wagers(hand.wagers, felt.options)
            # They may lie there since the gaming day, or the limits, before.
            for wager, cents in hand.wagers.items():
                _check_amount(felt, wager, cents)
            _check_separate_games(felt, hand.wagers)
        except Refusal as refusal:
            raise Refusal("wagers", f"spot {spot}: {refusal}") from None
    return (tell.BetsClosed(**felt.where, without=without(felt)), *_paired(felt))


def without(felt: Felt) -> dict[str, tuple[int, ...]]:
    """TC-5: the spots of the round without each wager that need not be made."""
    hands = sorted(felt.play.hands.items())
    return {
        wager.key: missing
        for wager in felt.game.wagers
        if wager.kind == "optional" and (missing := tuple(spot for spot, hand in hands if wager.key not in hand.wagers))
    }


def _paired(felt: Felt) -> Iterator[base_tell.PlayersPaired]:
    """PR-18: spots of this round that one person plays."""
    spots: dict[str, list[int]] = {}
    for spot, hand in sorted(felt.play.hands.items()):
        spots.setdefault(hand.player, []).append(spot)
    for both in spots.values():
        if len(both) > 1 and felt.link is not None:
            yield base_tell.PlayersPaired(**felt.where, spots=tuple(both))


# -------------------------------------------------------------------------------------------------------------- cards


def _deal(felt: Felt, command: ask.Deal) -> Events:
    play = felt.play
    if not felt.is_virtual:
        raise Refusal("table", f"{felt.table.id} deals real cards: enter them as they were dealt")
    _ready_for_cards(felt)
    if command.packets < 0:
        raise Refusal("packets", "is how often the green button is pressed; 0 for as many as the round needs")
    if felt.shoe is None:
        raise Refusal("table", "this floor has no shuffler for virtual tables")
    if play.dealt:
        raise Refusal("table", "every packet is out; the rest of the deck is racked and the next one shuffled")
    if play.stacked:
        _check_demonstration(felt)
    events: list[Any] = []
    if not play.shuffled:
        shuffled = _deck_shuffled(felt)
        events += [*shuffled, *_cards_out(felt)]
        play = _evolved(felt, shuffled)
    whom = play.targets
    last = len(whom) if not command.packets else min(len(whom), play.out + command.packets)
    sizes = [packet_size(felt.game, target) for target in whom]
    # Where every card is dealt face up, none of them is a secret.
    order = _deck(felt, play).order if felt.game.deals_open else ()
    for place in range(play.out, last):
        first, count = play.first + sum(sizes[:place]), sizes[place]
        cards = order[first : first + count]
        events.append(tell.PacketDealt(**felt.where, target=whom[place], first=first, count=count, cards=cards))
    if last == len(whom):
        events += _face_up(felt, tuple(events))
        events += _board_shown(felt, tuple(events))
        events += _once_dealt(felt, tuple(events))
    return tuple(events)


def _deck_shuffled(felt: Felt) -> Events:
    """TR-11: from here on the deck is what it is; which seeds are in it is said before its first card."""
    shoe, hands = felt.table.shoe, tuple(felt.play.hands)
    if felt.game.shoe is not None and shoe is not None and shoe.shuffled:
        if shoe.left < felt.game.round_cards(len(hands)):
            raise Refusal("table", f"{shoe.left} cards are left in the shoe, too few for this round; void it")
        whom = targets(felt.game, hands, felt.options, 1)
        return (tell.ShoeContinued(**felt.where, shoe=shoe.round, first=shoe.out, targets=whom),)
    late = _seed_committed(felt)
    play = _evolved(felt, late)
    seeds = play.contributed
    deck = _deck(felt, replace(play, player_seeds=seeds))
    return (
        *late,
        tell.DeckShuffled(
            **felt.where,
            commitment=play.commitment,
            player_seeds=seeds,
            house_only=play.house_only,
            start=deck.start,
            targets=targets(felt.game, tuple(play.hands), felt.options, deck.start),
            column=_column(felt),
            stacked=play.stacked,
            **_shoe_fields(felt),
        ),
    )


def _shoe_fields(felt: Felt) -> dict[str, Any]:
    """CW-1, BA-1: of a new shoe, how many decks it has and where its cut card is."""
    if felt.game.shoe is None:
        return {}
    decks = felt.game.copies(felt.options)
    return {"decks": decks, "cut": felt.game.shoe.cut_at(decks * len(felt.game.deck), felt.options)}


def _deck(felt: Felt, play: Play) -> Deck:
    if felt.shoe is None:
        raise Refusal("table", "this floor has no shuffler for virtual tables")
    return deck_of(felt.table, play, felt.shoe)


def _evolved(felt: Felt, events: Events) -> Play:
    """The round after these events, with the cards that are dealt by then."""
    play = _after(felt, events)
    return filled(play, _deck(felt, play).order) if felt.is_virtual and play.shuffled else play


def _after(felt: Felt, events: Events) -> Play:
    """The round after these events; hands that they dealt are still sealed."""
    play = felt.play
    for event in events:
        play = evolve_play(play, event, felt.context.now)
    return play


def _face_up(felt: Felt, before: Events) -> Events:
    """CS-3: what lies face up is no secret once the cards are dealt."""
    places = felt.game.dealer_face_up
    if not places:
        return ()
    dealer = _evolved(felt, before).dealer
    return (tell.FaceUpShown(**felt.where, cards=tuple(dealer[place] for place in places)),)


def _board_shown(felt: Felt, before: Events) -> Events:
    """The cards of the board that lie face up from the deal on."""
    if not face_up_places(felt.game, BOARD, 0):
        return ()
    play = _evolved(felt, before)
    street = next_street(felt.game, play)
    if street is None or street.number:
        return ()
    return (_board_turned(felt, street, tuple(play.board[place] for place in street.places)),)


def _board_turned(felt: Felt, street: Street, cards: tuple[Card, ...]) -> tell.BoardTurned:
    return tell.BoardTurned(
        **felt.where,
        target=street.target,
        cards=cards,
        places=street.places,
        label=street.label,
        street=street.number,
    )


def _stack_deck(felt: Felt, command: ask.StackDeck) -> Events:
    """On a floor that was founded as a demonstration, before the deck is shuffled; everybody at the table is told."""
    _check_demonstration(felt)
    if not felt.is_virtual:
        raise Refusal("table", f"{felt.table.id} deals real cards: enter them as they were dealt")
    if felt.game.shoe is not None:
        raise Refusal("table", "the cards of a shoe cannot be chosen: it is shuffled as a whole")
    if felt.play.shuffled:
        raise Refusal("table", "the deck of this round is shuffled; choose cards before the first packet")
    spot = command.spot
    if spot not in (DEALER, BOARD):
        _seated(felt, _spot(felt, spot))
        _players_own(felt, spot)
        _own_seat(felt, spot)
    elif _is_player(felt):
        whose = "dealer's cards are" if spot == DEALER else "board is"
        raise NotAllowed("spot", f"the {whose} for the dealer to choose", rule="role")
    cards = read_cards(command.cards) if command.cards.strip() else ()
    size = packet_size(felt.game, spot)
    if cards and len(cards) != size:
        raise Refusal("cards", f"must be {size}, or none for whatever comes")
    for card in cards:
        if card not in felt.game.deck:
            raise Refusal("cards", f"{text_of((card,))} is not in the deck of {felt.game.title}")
    others = [one for other, chosen in felt.play.stacked.items() if other != spot for one in chosen]
    every = (*cards, *others)
    if len(set(every)) < len(every):
        raise Refusal("cards", f"{text_of((first_repeated(every),))} was chosen already")
    if cards == felt.play.stacked.get(spot, ()):
        return ()
    return (tell.DeckStacked(**felt.where, spot=spot, cards=cards),)


def _check_demonstration(felt: Felt) -> None:
    """TR-9: a card is chosen on a floor that was founded as a demonstration, and on no other."""
    if not felt.context.demonstration:
        raise NotAllowed("table", "a deck is stacked on a demonstration floor alone; this is a real one", rule="role")


def _column(felt: Felt) -> int:
    """CSC-4: the number of hands in the round, the dealer's included, where the table takes bets on that.

    It is shown whether or not somebody bet.
    """
    return len(felt.play.hands) + 1 if counts_hands(felt.game, felt.table.config.tables) else 0


def _enter_cards(felt: Felt, command: ask.EnterCards) -> Events:
    play = felt.play
    if felt.is_virtual:
        raise Refusal("table", f"{felt.table.id} is dealt by the shuffler of the system; nothing is entered")
    _ready_for_cards(felt)
    if play.revealed:
        raise Refusal("table", "the round is settled; its cards stand")
    spot, game = command.spot, felt.game
    others = [*([DEALER] if game.dealer_cards else []), *([BOARD] if game.board_cards else [])]
    if spot not in (*play.hands, *others):
        named = {DEALER: "0 for the dealer", BOARD: "-2 for the board"}
        more = "".join(f", and {named[target]}" for target in others)
        raise Refusal("spot", f"spot {spot} is not in this round; in are {_list(play.hands)}{more}")
    cards = read_cards(command.cards)
    street = next_street(game, play)
    if street is not None and street.deal is not None and base_is_entered(felt):
        return _enter_drawn(felt, street, spot, cards)
    if spot == BOARD:
        return _enter_board(felt, cards)
    size = packet_size(game, spot)
    if len(cards) != size:
        raise Refusal("cards", f"must be {size}; a hand with another number of cards voids the round (FL-12)")
    _check_new(felt, cards, spot)
    before = play.dealer if spot == DEALER else play.hands[spot].cards
    if spot != DEALER and before and before != cards and play.hands[spot].actions:
        raise Refusal("cards", f"spot {spot} has decided on its cards; they stand")
    column = _counted(felt, command.hands) if spot == DEALER else play.column
    entered = tell.CardsEntered(**felt.where, spot=spot, cards=cards, column=column)
    missing = [other for other, hand in play.hands.items() if not hand.cards and other != spot]
    missing += [DEALER] if game.dealer_cards and not play.dealer and spot != DEALER else []
    events = (*_cards_out(felt), entered)
    # FL-6: the display reads the players' hands before the dealer's is known.
    return (*events, *(_once_dealt(felt, events) if not before and not missing else _now_shown(felt, events)))


def _check_new(felt: Felt, cards: tuple[Card, ...], spot: int, places: tuple[int, ...] = ()) -> None:
    """Refuse cards that the deck does not have, or that lie somewhere else already."""
    play = felt.play
    for card in cards:
        if card not in felt.game.deck:
            raise Refusal("cards", f"{text_of((card,))} is not in the deck of {felt.game.title}")
    others = [card for other, hand in play.hands.items() if other != spot for card in hand.cards]
    others += play.dealer if spot != DEALER else ()
    others += [card for place, card in play.board_up.items() if place not in places]
    others += [card for hand in play.hands.values() for card in hand.later] + [*play.dealer_later]
    again = surplus(felt.game, felt.options, (*others, *cards))
    if again is not None:
        decks = felt.game.copies(felt.options)
        often = "already" if decks == 1 else f"{decks} times already, once for every deck"
        raise Refusal("cards", f"{text_of((again,))} is in this round {often}")


def base_is_entered(felt: Felt) -> bool:
    """Whether a physical table has entered every card that is dealt at once."""
    play, game = felt.play, felt.game
    hands = not game.player_cards or all(hand.cards for hand in play.hands.values())
    dealer = not game.dealer_cards or bool(play.dealer)
    return hands and dealer and all(place in play.board_up for place in range(game.board_cards))


def _enter_drawn(felt: Felt, street: Street, target: int, cards: tuple[Card, ...]) -> Events:
    """A card that is dealt in the course of the round, as a physical table dealt it."""
    open_spots = waiting(felt.game, felt.play)
    if open_spots:
        raise Refusal("spot", f"{street.words} comes when all have decided; missing: {_spots(open_spots)}")
    lacking = lacking_cards(felt.game, felt.play, street)
    if target not in [whom for whom, _ in lacking]:
        raise Refusal("spot", f"{street.words} is dealt to {_list(name_target(whom) for whom, _ in lacking)}")
    if len(cards) != 1:
        raise Refusal("cards", f"must be 1: {street.words}")
    _check_new(felt, cards, NOBODY)
    place = dict(lacking)[target]
    drawn = _card_drawn(felt, street, target, place, cards[0], last=len(lacking) == 1)
    return (*_cards_out(felt), drawn)


def _card_drawn(
    felt: Felt, street: Street, target: int, place: int, card: Card, *, last: bool, first: int = 0, burned: int = 0
) -> tell.CardDrawn:
    return tell.CardDrawn(
        **felt.where,
        target=target,
        place=place,
        card=card,
        first=first,
        burned=burned,
        label=street.label,
        street=street.number if last else felt.play.streets,
    )


def _draw(felt: Felt, street: Street) -> Events:
    """The cards that the rules call for now, off the top of the deck or shoe."""
    lacking = lacking_cards(felt.game, felt.play, street)
    burned = street.deal.burns if street.deal is not None else 0
    if not felt.is_virtual:
        to = _list(name_target(whom) for whom, _ in lacking)
        burns = f"burn {burned} cards, then " if burned else ""
        raise Refusal("table", f"{burns}deal {street.words} and enter it: to {to}")
    order, first = _deck(felt, felt.play).order, felt.play.taken + burned
    return tuple(
        _card_drawn(
            felt,
            street,
            target,
            place,
            order[first + number],
            last=number == len(lacking) - 1,
            first=first + number,
            burned=0 if number else burned,
        )
        for number, (target, place) in enumerate(lacking)
    )


def _enter_board(felt: Felt, cards: tuple[Card, ...]) -> Events:
    """The next street as it is turned over; or the last one again, as long as no spot has acted on it."""
    game, play = felt.game, felt.play
    open_spots = waiting(game, play)
    street = next_street(game, play)
    if street is not None and street.number and open_spots:
        last = turned_last(game, play)
        if last is None or any(_acted_since(felt, hand, last) for hand in play.hands.values()):
            raise Refusal("spot", f"{street.words} stays down until all have decided; missing: {_spots(open_spots)}")
        street = last
    elif street is None:
        if open_spots:
            raise Refusal("spot", f"the board stays as it is until all have decided; missing: {_spots(open_spots)}")
        street = last_street(game, play) or turned_last(game, play)
    if street is None or street.target != BOARD:
        raise Refusal("spot", "no card of the board is turned over now")
    if len(cards) != len(street.places):
        raise Refusal("cards", f"must be {len(street.places)}: those of {street.words}")
    _check_new(felt, cards, BOARD, street.places)
    turned = _board_turned(felt, street, cards)
    return (*_cards_out(felt), turned, *_of_those_who_left(felt, _after(felt, (turned,))))


def _acted_since(felt: Felt, hand: Hand, street: Street) -> bool:
    """Whether a spot has acted at a decision that comes after a street."""
    before = points_before(felt.game, street.number)
    return any(action.point not in before for action in hand.actions)


def _counted(felt: Felt, hands: int) -> int:
    """CSC-A3: dealt by hand there is no shuffler to count the hands: the dealer enters their number with his own."""
    column = _column(felt)
    if column and felt.table.config.dealing == HAND and hands != column:
        wagers = ", ".join(wager.label for wager in felt.game.wagers if wager.by_hands_dealt)
        said = f"{hands} is not what was dealt" if hands else f"must be entered for {wagers}"
        raise Refusal("hands", f"{said}: {column} hands are in this round, the dealer's included")
    return column


def _ready_for_cards(felt: Felt) -> None:
    if not felt.play.called:
        raise Refusal("table", 'call "no more bets" first; the first packet comes after it')
    if felt.link is not None and not felt.round.locked:
        raise Refusal("table", f"{felt.words.lock_in} comes first: it books the progressive wagers")
    if felt.table.malfunction:
        fault = fault_of(felt.table)
        raise Refusal("table", f"the shuffler is out of order; {next_words(fault) if fault else ''} (FL-13)")


def _cards_out(felt: Felt) -> Events:
    return () if felt.round.dealt or felt.link is None else (base_tell.CardsOut(**felt.where),)


def _once_dealt(felt: Felt, before: Events) -> Events:
    """What is decided as soon as the cards are there: the hands of players who left."""
    events = _of_those_who_left(felt, _after(felt, before))
    return (*events, *_now_shown(felt, (*before, *events)))


def _of_those_who_left(felt: Felt, play: Play) -> Events:
    """FL-23: what the hands of players who left do at the decisions that they have come to."""
    events: list[Any] = []
    for spot, hand in sorted(play.hands.items()):
        point = point_of(felt.game, play, hand) if hand.left else None
        if point is not None:
            events += _forced(felt, spot, point, "left", play)
    return tuple(events)


# ----------------------------------------------------------------------------------------------------------- decisions


def _act(felt: Felt, command: ask.Act) -> Events:
    spot = _spot(felt, command.spot)
    hand = _in_round(felt, spot)
    _players_own(felt, spot)
    _own_hand(felt, hand)
    if felt.is_virtual and not felt.play.dealt:
        # CS-3: also the dealer's card that lies face up comes before any decision.
        raise Refusal("spot", "not every hand has its cards; decisions come after the deal")
    if not felt.is_virtual:
        _ready_for_cards(felt)
    if felt.play.revealed:
        raise Refusal("spot", "the dealer's cards are turned over; decisions came before that")
    point = point_of(felt.game, felt.play, hand)
    if point is None:
        raise Refusal("spot", f"spot {spot} {_nothing_to_decide(hand)}")
    action = _action(felt, spot, hand, point, command)
    # A physical table learns of decisions while its cards are face down: they show that the cards are out.
    out = () if felt.is_virtual else _cards_out(felt)
    events = (*out, *_acted(felt, spot, hand, point, action, "player"))
    return (*events, *_now_shown(felt, events))


def _nothing_to_decide(hand: Hand) -> str:
    """Why a spot has no decision to make now."""
    if not hand.actions:
        return "has nothing to decide"
    return f"has decided: {', '.join(action.action for action in hand.actions).replace('_', ' ')}"


def _action(felt: Felt, spot: int, hand: Hand, point: Decide, command: ask.Act) -> Action:
    """The action that a command asks for, checked."""
    choice = point.choice(command.action)
    if choice is None:
        raise Refusal(
            "action", f"{command.action[:40]!r} is no choice of this decision; allowed: {choice_names(point)}"
        )
    card = None
    if choice.sets == "player":
        card = _named_card(spot, hand, command.card)
    elif command.card:
        raise Refusal("card", f"is not for {choice.key}, which names no card; leave it out")
    if not any(stake.optional for stake in choice.stakes) and command.cents:
        raise Refusal("cents", f"is not for {choice.key}, which has no wager of the player's own amount; leave it out")
    why = closed_because(felt, hand, choice, command.cents)
    if why is not None:
        raise why
    return Action(choice.key, card, command.cents)


def _named_card(spot: int, hand: Hand, text: str) -> Card:
    if not text:
        raise Refusal("card", "must be named: one card of the hand, such as Kd")
    if not hand.cards:
        raise Refusal("spot", f"spot {spot} has no cards yet; enter them before its setting")
    try:
        card = parse_card(text)
    except Refusal as refusal:
        raise Refusal("card", refusal.sentence) from None
    if card not in hand.cards:
        raise Refusal("card", f"{text_of((card,))} is not one of the {len(hand.cards)} cards of this hand")
    return card


def closed_because(felt: Felt, hand: Hand, choice: Choice, cents: int) -> Refusal | None:
    """Why a spot may not take a choice now, with so much on its optional wager; None where it may.

    FL-8: every wager that a choice makes lies within its posted limits, as any other does.
    """
    amounts = made_by(felt.game, hand.wagers, actions_of(hand)).wagers
    for stake in choice.stakes:
        most = stake_cents(stake, amounts)
        limits = felt.table.config.limits.get(stake.wager)
        if stake.optional:
            refusal = _optional_refused(felt, stake, most, cents) if cents else None
            if refusal is not None:
                return refusal
        elif limits is not None and not limits.minimum_cents <= most <= limits.maximum_cents:
            posted = f"{dollars(limits.minimum_cents)} to {dollars(limits.maximum_cents)}"
            label = _label(felt, stake.wager)
            return Refusal("action", f"{choice.key} makes {label} {dollars(most)}; the posted limits are {posted}")
    # A physical table may not have the cards yet: they are held against the choice before the settlement.
    if choice.when is not None and felt.is_virtual:
        board = board_of(felt.game, felt.play)
        if not is_open(felt.game, choice, hand.cards, felt.play.dealer, board):
            return Refusal("action", f"{choice.key} is not open with these cards")
    return None


def _optional_refused(felt: Felt, stake: Stake, most: int, cents: int) -> Refusal | None:
    """PGD-1: exactly the multiple, or the most that its own limit leaves of that where the house takes less."""
    if cents < 0:
        return Refusal("cents", "must be a whole number of cents above zero, or 0 for nothing")
    if cents > most:
        return Refusal("cents", f"must not be more than the {stake.of} wager, {most} cents")
    limits = felt.table.config.limits.get(stake.wager)
    if cents < most and not (stake.less and felt.options[stake.less]):
        return Refusal("cents", f"must equal the {stake.of} wager, {most} cents")
    allowed = most if limits is None else min(most, limits.maximum_cents)
    if cents < allowed:
        return Refusal("cents", f"must be {dollars(allowed)}: less only where its posted limit prevents more")
    if limits is not None and not limits.minimum_cents <= cents <= limits.maximum_cents:
        label = _label(felt, stake.wager)
        return Refusal("cents", f"{label} is {dollars(limits.minimum_cents)} to {dollars(limits.maximum_cents)} here")
    return None


def _label(felt: Felt, wager: str) -> str:
    declared = felt.game.wager(wager)
    return declared.label if declared is not None else wager


def _acted(felt: Felt, spot: int, hand: Hand, point: Decide, action: Action, how: str) -> Events:
    choice = point.choice(action.name)
    folds = choice is not None and choice.folds
    # At a virtual table the hand is sealed, and so is which card of it was set apart.
    sealed = felt.is_virtual and action.card is not None
    acted = tell.Acted(
        **felt.where,
        spot=spot,
        point=point.key,
        action=action.name,
        folds=folds,
        card=None if sealed else action.card,
        place=hand.cards.index(action.card) if sealed and action.card is not None else None,
        cents=action.cents,
        how=how,
    )
    if folds and felt.round.locked and spot not in felt.round.folded:
        return acted, base_tell.Folded(**felt.where, spot=spot)
    return (acted,)


def _forced(felt: Felt, spot: int, point: Decide, how: str, play: Play | None = None) -> Events:
    """FL-23: a player who left, or whose time is up, does what the game says at every decision that is open now."""
    now = play or felt.play
    events: list[Any] = []
    next_one: Decide | None = point
    while next_one is not None:
        made = _acted(felt, spot, now.hands[spot], next_one, Action(next_one.left), how)
        events += made
        for event in made:
            now = evolve_play(now, event, felt.context.now)
        next_one = point_of(felt.game, now, now.hands[spot]) if how == "left" else None
    return tuple(events)


def _time_up(felt: Felt, command: ask.TimeUp) -> Events:
    spot = _spot(felt, command.spot)
    hand = _in_round(felt, spot)
    seconds = felt.options.get("decision_timeout_seconds", 0)
    if not felt.is_virtual or not seconds:
        raise Refusal("table", f"{felt.table.id} gives its players all the time they want")
    point = point_of(felt.game, felt.play, hand)
    if point is None or not hand.since:
        raise Refusal("spot", f"spot {spot} has nothing to decide now")
    if felt.context.now < hand.since + int(seconds * 1_000_000):
        raise Refusal("spot", f"spot {spot} may still think: it has {seconds} seconds")
    events = _forced(felt, spot, point, "time")
    return (*events, *_now_shown(felt, events))


def display_of(game: Game, play: Play) -> Display:
    """The verify display as the round stands: who sets, who asks for the house way, whom it showed."""
    showed = {one.who for one in play.shown}
    spots: dict[int, Status] = {}
    for spot, hand in sorted(play.hands.items()):
        setting = next_point(game, hand.wagers, actions_of(hand)) is not None
        asked = any(action.action in game.house_ways for action in hand.actions)
        spots[spot] = "shown" if spot in showed else "setting" if setting else "asks" if asked else "set"
    return Display(spots=spots, shown=play.shown)


def _now_shown(felt: Felt, events: Events) -> Events:
    """FL-5, FL-6, FL-20: the hands that the display may show once these things have happened."""
    if not felt.game.splits:
        return ()
    play = _evolved(felt, events)
    display, found = display_of(felt.game, play), []
    while (who := next_up(display)) and play.hands[who].cards:
        display, shown = show(display, felt.game, who, play.hands[who].cards, felt.context.now)
        found.append(_hand_shown(felt, shown))
    return tuple(found)


def _hand_shown(felt: Felt, shown: Shown) -> tell.HandShown:
    low = read_cards(shown.low)[0]
    return tell.HandShown(**felt.where, spot=shown.who, high=read_cards(shown.high), low=low, hand=shown.hand)


# ------------------------------------------------------------------------------------------------ reveal and reconcile


def _collect(felt: Felt, command: ask.Collect) -> Events:
    """CS-5, CS-11, TC-15: chips, then counted cards, of the spots that folded; in whatever order the dealer likes."""
    play, config = felt.play, felt.table.config
    if play.revealed:
        raise Refusal("table", "the dealer's cards are turned over; what is left is reconciled")
    if command.spot:
        _in_round(felt, _spot(felt, command.spot))
    lying = forfeits(config, play)
    open_spots = waiting(felt.game, play)
    if lying and open_spots and felt.game.collects_folds == "after_all":
        raise Refusal("table", f"forfeits are collected after all have decided; missing: {_spots(open_spots)}")
    if not lying or (command.spot and command.spot not in lying):
        raise Refusal("spot", "no forfeit lies there" if command.spot else "no forfeit is left to be collected")
    return tuple(
        tell.ForfeitCollected(
            **felt.where,
            spot=spot,
            wagers=tuple(wagers),
            wagered=sum(wagers.values()),
            counted=cards_taken(config, play.hands[spot]),
            each=wagers,
        )
        for spot, wagers in lying.items()
        if command.spot in (0, spot)
    )


def _reveal(felt: Felt, command: ask.Reveal) -> Events:
    play, game = felt.play, felt.game
    if play.revealed:
        return ()
    if felt.is_virtual and not play.dealt:
        raise Refusal("table", "not every hand has its cards; the deal comes first")
    street = next_street(game, play)
    open_spots = waiting(game, play)
    if street is not None:
        return _turn(felt, street, open_spots)
    for spot, hand in sorted(play.hands.items()):
        if not hand.cards and game.player_cards:
            raise Refusal("table", f"spot {spot} has no cards yet")
    if game.dealer_cards and not play.dealer:
        raise Refusal("table", "the dealer has no cards yet")
    shown: Events = ()
    if game.splits:
        # PG-6, FL-6: the display reads the dealer's hand only when every player has set or been set.
        shown = _dealers_shown(felt)
    if open_spots:
        raise Refusal("table", f"the dealer's cards stay down until all have decided; missing: {_spots(open_spots)}")
    left_over = forfeits(felt.table.config, play)
    if left_over:
        face_down = "the dealer's cards" if game.dealer_cards else "the hands"
        raise Refusal("table", f"{face_down} stay down until the forfeits of {_spots(left_over)} are collected")
    rest = last_street(game, play)
    if rest is not None:
        if not felt.is_virtual:
            raise Refusal("table", f"the board lacks {len(rest.places)} of its cards; enter them with spot {BOARD}")
        shown = (_board_turned(felt, rest, tuple(play.board[place] for place in rest.places)), *shown)
    if not felt.is_virtual:
        _check_actions(felt)
    config = felt.table.config
    played = round_of(config, play)
    settlement = game.settle(played)
    lines = lines_of(config, played, settlement, felt.context.day)
    results = []
    hands = dict(play.hands)
    for result in sorted(settlement.spots, key=lambda one: -one.number):
        high, low, by = result.setting if result.setting is not None else ((), None, "")
        results.append(
            tell.SpotResult(
                **felt.where,
                spot=result.number,
                name=result.hand,
                outcome=result.outcome or "",
                high=tuple(high),
                low=low,
                by=by,
                lines=lines[result.number],
            )
        )
        hands[result.number] = replace(hands[result.number], lines=lines[result.number])
    dealer = settlement.dealer
    high, low, _ = dealer.setting if dealer.setting is not None else ((), None, "")
    revealed = tell.DealerRevealed(
        **felt.where,
        cards=play.dealer,
        name=dealer.hand,
        plays=dealer.qualifies,
        high=tuple(high),
        low=low,
        steps=steps(felt.game, hands, felt.options, dealer.qualifies),
        procedure=PROCEDURE_NOW,
        winner=settlement.winner,
    )
    return (*shown, *results, revealed, *_seen(felt, settlement.spots))


def _turn(felt: Felt, street: Street, open_spots: Collection[int]) -> Events:
    """The dealer turns a street over, once every spot has acted; hands of players who left act on it at once."""
    play = felt.play
    if open_spots:
        raise Refusal("table", f"{street.words} stays down until all have decided; missing: {_spots(open_spots)}")
    if not play.called:
        raise Refusal("table", "no cards are out")
    if street.deal is not None:
        return _draw(felt, street)
    packet = play.dealer if street.target == DEALER else play.board
    if street.target == BOARD and not felt.is_virtual:
        raise Refusal("table", f"enter the cards of {street.words} as they are turned over, with spot {BOARD}")
    turned = _board_turned(felt, street, tuple(packet[place] for place in street.places) if packet else ())
    forced = _of_those_who_left(felt, _after(felt, (turned,)))
    events = (turned, *forced)
    return (*events, *_now_shown(felt, events))


def _dealers_shown(felt: Felt) -> Events:
    """FL-5: the dealer's hand on the verify display, where the game sets it."""
    zone = felt.game.zone_of("dealer")
    if zone is None or felt.game.split_of(zone.key) is None:
        return ()
    _, dealers = show(display_of(felt.game, felt.play), felt.game, DEALER, felt.play.dealer, felt.context.now)
    return (_hand_shown(felt, dealers),)


def _check_actions(felt: Felt) -> None:
    """A physical table learns of the cards after the decisions: what they were not open for stops the settlement."""
    for spot, hand in sorted(felt.play.hands.items()):
        for action in hand.actions:
            point = next((point for point in felt.game.points if point.key == action.point), None)
            choice = point.choice(action.action) if point is not None else None
            board = board_of(felt.game, felt.play)
            if choice is not None and not is_open(felt.game, choice, hand.cards, felt.play.dealer, board):
                raise Refusal(
                    "table",
                    f"spot {spot} chose {action.action}, which is not open with its cards; "
                    "correct the cards, or void the round",
                )


def _seen(felt: Felt, spots: Any) -> Iterator[base_tell.HandSeen]:
    """PR-13: what the cards make on the progressive's pay table, spot by spot."""
    if felt.link is None or not felt.round.locked:
        return
    table = felt.link.terms[felt.round.terms].table
    for spot in spots:
        hand = spot.progressive_hand if table.row(spot.progressive_hand) is not None else ""
        yield base_tell.HandSeen(**felt.where, spot=spot.number, hand=hand)


def _reconcile(felt: Felt, command: ask.Reconcile) -> Events:
    play = felt.play
    if not play.revealed:
        raise Refusal("table", "the dealer's cards come first; reconciling follows")
    if not play.steps:
        raise Refusal("table", f"everything is reconciled; {felt.words.close} ends the round")
    step = play.steps[0]
    if command.spot and command.spot != step.spot:
        raise Refusal("spot", f"spot {step.spot} is next, with {_list(step.wagers)}; from the dealer's right")
    if step.at_once:
        return tuple(event for due in play.steps if due.at_once for event in _reconcile_step(felt, due))
    desk = felt.desk
    if desk is not None:
        for spot, holds in unnamed(desk):
            if spot == step.spot:
                named = holds.replace("_", " ")
                raise Refusal("spot", f"spot {spot} holds {named}: name that win before the spot is reconciled")
    return _reconcile_step(felt, step)


def _reconcile_step(felt: Felt, step: Step) -> Events:
    hand = felt.play.hands[step.spot]
    lines = [hand.lines[wager] for wager in step.wagers]
    reconciled = tell.Reconciled(
        **felt.where,
        spot=step.spot,
        wagers=step.wagers,
        # LR-8: a wager that was taken back is no wager any more.
        wagered=sum(line.wagered for line in lines if line.result != "taken_back"),
        returned=sum(line.returned for line in lines if line.result != "taken_back"),
        held_for=hand.player if hand.left else "",
    )
    return (reconciled, *commission.mark(felt.table, step.spot, step.wagers))


def _collect_commission(felt: Felt, command: ask.CollectCommission) -> Events:
    spots = (_spot(felt, command.spot),) if command.spot else sorted(felt.table.commission)
    collected = tuple(commission.collect(felt.table, spots))
    if not collected:
        where = f"at spot {command.spot}" if command.spot else f"at {felt.table.id}"
        raise Refusal("spot", f"no commission is marked {where}")
    return collected


def _write_off_commission(felt: Felt, command: ask.WriteOffCommission) -> Events:
    spot = _spot(felt, command.spot)
    if not command.cause.strip():
        raise Refusal("cause", "must be given in words")
    cents = felt.table.commission.get(spot, 0)
    if not cents:
        raise Refusal("spot", f"no commission is marked at spot {spot}")
    player = felt.table.seats[spot]
    return (
        tell.CommissionWrittenOff(**felt.where, spot=spot, player=player, cents=cents, cause=command.cause.strip()),
    )


def _change_shoe(felt: Felt, command: ask.ChangeShoe) -> Events:
    """BA-1, CW-1: people change the shoe of a physical table between two rounds."""
    if felt.game.shoe is None:
        raise Refusal("table", f"{felt.game.title} is not dealt from a shoe")
    if felt.is_virtual:
        raise Refusal("table", f"{felt.table.id} shuffles its shoe itself when the cut card is out")
    if felt.play.called:
        raise Refusal("table", "a round is being dealt; the shoe is changed when it is over")
    return (tell.ShoeChanged(**felt.where, **_shoe_fields(felt)),)


def _verify_payout(felt: Felt, command: ask.VerifyPayout) -> Events:
    hand = _in_round(felt, _spot(felt, command.spot))
    if (command.spot, command.wager) not in large_wins(felt.play, felt.context.policies):
        raise Refusal("wager", f"{command.wager} of spot {command.spot} has no win that surveillance must verify")
    if not command.player.strip():
        raise Refusal("player", "must be named")
    if command.wager in hand.verified:
        return ()
    return (
        tell.PayoutVerified(
            **felt.where, spot=command.spot, wager=command.wager, observer=felt.context.name, player=command.player
        ),
    )


def large_wins(play: Play, policies: Policies) -> list[tuple[int, str]]:
    """FL-18: wins of any wager over the amount that surveillance must verify, where that rule is in force."""
    return [
        (spot, wager)
        for spot, hand in play.hands.items()
        for wager, line in hand.lines.items()
        if policies.needs_surveillance(line.returned - line.wagered)
    ]


# ---------------------------------------------------------------------------------------------------- the end, and else


def before_close(felt: Felt) -> None:
    """Refuse to close a round with cards that is not finished."""
    play = felt.play
    close = felt.words.close
    if not play.revealed:
        raise Refusal("table", f"{close} must wait: the dealer's cards are not turned over")
    if play.steps:
        step = play.steps[0]
        raise Refusal("table", f"{close} must wait: {_list(step.wagers)} of spot {step.spot} are to be reconciled")
    for spot, wager in large_wins(play, felt.context.policies):
        if wager not in play.hands[spot].verified:
            raise Refusal("table", f"{close} must wait: surveillance must verify the {wager} win of spot {spot}")


def deck_opened(felt: Felt) -> Events:
    """FL-3: the commitment is opened when the round is over, also where no deck was made of it."""
    play, shoe = felt.play, felt.table.shoe
    if shoe is not None and shoe.shuffled:
        return _shoe_opened(felt, shoe)
    if not play.commitment:
        return ()
    deck = _deck(felt, play)
    order = deck.order if play.shuffled else ()
    return (tell.DeckOpened(**felt.where, commitment=play.commitment, order=order, seed=deck.seed, nonce=deck.nonce),)


def _shoe_opened(felt: Felt, shoe: ShoeState) -> Events:
    """TR-11: a shoe is opened when it is over, whole: every round that was dealt from it can be checked then."""
    if not shoe.commitment or not is_over(felt.table, felt.game, felt.options):
        return ()
    deck = _deck(felt, felt.play)
    return (
        tell.DeckOpened(
            **felt.where,
            commitment=shoe.commitment,
            order=deck.order,
            seed=deck.seed,
            shoe=shoe.round,
            decks=shoe.decks,
            player_seeds=shoe.player_seeds,
        ),
    )


def close_without_link(felt: Felt, command: base_ask.CloseRound) -> Events:
    """The close of a round at a table without a progressive."""
    before_close(felt)
    closed = base_tell.RoundClosed(**felt.where, link="", meters={}, spots=(), winners=(), terms=0, wager_cents=0)
    return (*deck_opened(felt), closed)


def void_without_link(felt: Felt, command: base_ask.VoidRound) -> Events:
    """FL-12: at a table without a progressive the wagers lie on the layout and are taken back."""
    if not command.cause.strip():
        raise Refusal("cause", "must be given in words")
    voidable(felt)
    voided = base_tell.RoundVoided(
        **felt.where,
        link="",
        cause=command.cause,
        malfunction=command.malfunction,
        spots=(),
        returned=0,
        meters={},
        reserves={},
        covered=0,
        short=0,
        rack=from_rack(felt),
    )
    return (*commission.unmark(felt.table), *deck_opened(felt), voided)


def voidable(felt: Felt) -> None:
    """Refuse to void a round that has not begun."""
    if not felt.play.called:
        raise Refusal("table", "the round has not begun; wagers are taken back by those who placed them")


def from_rack(felt: Felt) -> int:
    """FL-12: what the rack took of wagers, less what it paid on them, in micros: a void reverses it."""
    lines = [hand.lines[wager] for hand in felt.play.hands.values() for wager in hand.reconciled]
    return sum(line.wagered - line.returned for line in lines) * MICROS_PER_CENT


def _sign_over(felt: Felt, command: ask.SignOver) -> Events:
    if not command.to.strip() or command.to == felt.context.by:
        raise Refusal("to", "must be the dealer who takes over, another than the one who leaves")
    claims = felt.link.claims_at(felt.table.id) if felt.link is not None else ()
    meters = {name: meter.value for name, meter in felt.link.meters.items()} if felt.link is not None else {}
    return (
        tell.SignedOver(
            **felt.where,
            to=command.to,
            by=felt.context.by,
            locked=felt.round.locked or felt.play.called,
            claims=tuple(claim.spot for claim in claims),
            meters=meters,
        ),
    )


FAILED: Final = "failed"
"""How a malfunction begins; the note says what happened."""
PROCEDURE: Final = "procedure"
"""The regulator's own procedure is followed; the note names it."""
VOIDED: Final = "voided"
"""The round was voided instead."""


def fault_of(table: TableState) -> Malfunction | None:
    """The malfunction a table stands in. Where the repair is says it all: who did what is in the journal."""
    at = table.malfunction
    if not at:
        return None
    done = REPAIR[: REPAIR.index(at) + 1] if at in REPAIR else ()
    steps = tuple(StepTaken(step=step, by="", at=0) for step in done)
    return Malfunction(what=FAILED, by="", at=0, steps=steps, procedure=at if at == PROCEDURE else "")


def _malfunction_step(felt: Felt, command: ask.MalfunctionStep) -> Events:
    """FL-13: the shuffler's own record of a fault says what may come next."""
    shuffler = Shuffler(mode=felt.table.config.dealing, fault=fault_of(felt.table))
    by, now, step = felt.context.by, felt.context.now, command.step
    if step == FAILED:
        after = failed(shuffler, command.note, by, now)
    elif step == PROCEDURE:
        after = name_procedure(shuffler, command.note)
    else:
        after = take_step(shuffler, step, by, now, command.note)  # type: ignore[arg-type]  # it refuses other words
    over = after.fault is not None and after.fault.ended
    return (tell.MalfunctionRecorded(**felt.where, step=step, note=command.note.strip(), over=over),)


def fault_voided(felt: Felt, command: base_ask.VoidRound) -> Events:
    """FL-13: a malfunction may end with the round being voided; one that is given as the cause is on record."""
    if not command.malfunction:
        return ()
    if fault_of(felt.table) is None:
        raise Refusal("malfunction", "is not on record; record what happened to the shuffler first (FL-13)")
    return (tell.MalfunctionRecorded(**felt.where, step=VOIDED, note=command.cause, over=True),)


# ----------------------------------------------------------------------------------------------------- small questions


def _is_player(felt: Felt) -> bool:
    return felt.context.by.startswith(PLAYER)


def _players_own(felt: Felt, spot: int) -> None:
    """TR-8: at a virtual table only the player acts for a spot; at a real one the dealer enters what players do."""
    if felt.is_virtual and not _is_player(felt):
        raise NotAllowed("by", f"at {felt.table.id} only the player of spot {spot} may do that", rule="own spot")


def _own_seat(felt: Felt, spot: int) -> None:
    """A player acts for the seat that this very player took; a dealer at a real table for every one."""
    _is_theirs(felt, felt.table.seats[spot], felt.table.guests.get(spot, 0))


def _own_hand(felt: Felt, hand: Hand) -> None:
    _is_theirs(felt, hand.player, hand.guest)


def _is_theirs(felt: Felt, player: str, guest: int) -> None:
    context = felt.context
    if _is_player(felt) and not owns(felt, context.by.removeprefix(PLAYER), context.guest, player, guest):
        raise NotAllowed("by", "a player acts for a spot of their own only", rule="own spot")


def owns(felt: Felt, name: str, admission: int, player: str, guest: int) -> bool:
    """TR-8: whether a seat or hand is that of the player who came in by an admission, not of a namesake.

    Seats that players took before seats carried it are theirs by name: nobody else is let in under a seated one. What
    a dealer wrote down at a real table is no player's own.
    """
    return guest == admission if guest else felt.is_virtual and player == name


def _spot(felt: Felt, spot: int) -> int:
    if not 1 <= spot <= felt.table.config.spots:
        raise Refusal("spot", f"{spot} is not a spot of {felt.table.id}; it has 1 to {felt.table.config.spots}")
    return spot


def _seated(felt: Felt, spot: int) -> str:
    player = felt.table.seats.get(spot)
    if player is None:
        raise Refusal("spot", f"nobody sits at spot {spot}; a player sits down first")
    return player


def _in_round(felt: Felt, spot: int) -> Hand:
    hand = felt.play.hands.get(spot)
    if hand is None:
        raise Refusal("spot", f"spot {spot} is not in this round; in are {_list(felt.play.hands) or 'none'}")
    return hand


def _free(felt: Felt) -> str:
    return _list(spot for spot in range(1, felt.table.config.spots + 1) if spot not in felt.table.seats) or "none"


def _spots(spots: Collection[int]) -> str:
    return f"spot {_list(spots)}"


def _list(items: Any) -> str:
    return ", ".join(str(item).replace("_", " ") for item in items)


_DECIDE: Final[dict[type, Callable[[Felt, Any], Events]]] = {
    ask.SitDown: _sit_down,
    ask.StandUp: _stand_up,
    ask.Bet: _bet,
    ask.NoMoreBets: _no_more_bets,
    ask.Deal: _deal,
    ask.EnterCards: _enter_cards,
    ask.Act: _act,
    ask.TimeUp: _time_up,
    ask.Collect: _collect,
    ask.Reveal: _reveal,
    ask.Reconcile: _reconcile,
    ask.VerifyPayout: _verify_payout,
    ask.CollectCommission: _collect_commission,
    ask.WriteOffCommission: _write_off_commission,
    ask.ChangeShoe: _change_shoe,
    ask.SignOver: _sign_over,
    ask.StackDeck: _stack_deck,
    ask.MalfunctionStep: _malfunction_step,
}
