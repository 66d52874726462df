"""What a screen offers at a table with cards: which wagers and within which limits, which choices and what they cost,
what the next step of reconciling takes and pays, and which buttons would not be refused now.

Nothing is decided here: limits, amounts and refusals are those of the rulebook and of `houseway.table.machine`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from msgspec import Struct

from houseway.cards import Card, text_of
from houseway.games.flow import BOARD, DEALER, made_by, stake_cents
from houseway.games.model import Choice, Decide, Stake
from houseway.games.settle import hand_words, settings
from houseway.refusal import Refusal
from houseway.table.card_round import commands as ask
from houseway.table.card_round.cards import Deck, Promise
from houseway.table.card_round.decide import (
    FAILED,
    PROCEDURE,
    Felt,
    base_is_entered,
    closed_because,
    fault_of,
    large_wins,
)
from houseway.table.card_round.law import separate_games_on, too_many
from houseway.table.card_round.state import Hand
from houseway.table.card_round.streets import Street, actions_of, lacking_cards, last_street, next_street, waiting
from houseway.table.card_round.view import Who, is_own, lying
from houseway.table.config import Policies
from houseway.table.limits import effective
from houseway.table.machine import decide
from houseway.table.progressive_round import commands as press
from houseway.table.progressive_round.decide import envy_by, unnamed
from houseway.table.progressive_round.view import Press
from houseway.table.shuffler import STEP_WORDS, next_steps
from houseway.table.state import TableState


class WagerOffer(Struct, frozen=True, kw_only=True):
    """A wager that can be placed before the deal."""

    wager: str
    label: str
    required: bool
    needs: str
    """The wager without which it is not accepted."""
    equals: str
    """The wager whose amount it must match."""
    minimum_cents: int
    maximum_cents: int
    """FL-8: as far as the wagers that follow from it allow."""
    because: tuple[str, ...]
    """The wagers that follow and narrow it."""
    advice_cents: int
    """What the maker recommends; 0 where nothing."""


class SettingOffer(Struct, frozen=True, kw_only=True):
    """PG-4: a way to set a pai gow hand."""

    low: str
    high: str
    hand: str
    """What the high hand is called."""
    fouls: bool


class ActionOffer(Struct, frozen=True, kw_only=True):
    """Something that a spot may do at the decision it has come to."""

    spot: int
    point: str
    """The decision."""
    action: str
    """What the order is sent with."""
    label: str
    folds: bool = False
    adds: dict[str, int] = {}
    """The wagers it makes, in cents."""
    takes_back: str = ""
    """The wager that the player takes back."""
    takes_card: bool = False
    """Whether the order names a card of the hand."""
    optional: dict[str, int] = {}
    """The wager that the player may add, and how many cents it would be."""
    settings: tuple[SettingOffer, ...] = ()
    """For the player's own eyes: the ways to set the hand, one for each low card."""
    seconds_left: int | None = None
    """FL-23: how long the player may still think, as of now; none where the table sets no time."""


class VerifyOffer(Struct, frozen=True, kw_only=True):
    """FL-18: a large win that surveillance has still to verify before the round closes."""

    spot: int
    wager: str
    win: int
    """The number of a progressive win; 0 for another wager's."""
    cents: int


class RepairOffer(Struct, frozen=True, kw_only=True):
    """FL-13: something that may be recorded of the shuffler's malfunction now."""

    step: str
    words: str
    needs_note: bool


class TotalLine(Struct, frozen=True, kw_only=True):
    """What one wager of a spot came to."""

    wager: str
    label: str
    result: str
    """win, lose or push; waiting for a progressive win that nobody has confirmed yet."""
    wagered_cents: int
    returned_cents: int
    net_cents: int
    why: str


class SpotTotal(Struct, frozen=True, kw_only=True):
    """What a spot has in the round, and what it came to."""

    spot: int
    staked_cents: int
    """All its wagers, the progressive one too."""
    lacks: str
    """Why its wagers do not stand together yet; empty where they do."""
    full: tuple[str, ...]
    """FL-9: the wagers that this hand can carry no more, since it carries as many separate games as the law allows."""
    settled: bool
    """Whether the dealer's cards are turned over, and so everything below is known."""
    returned_cents: int
    net_cents: int
    """With confirmed progressive wins and envy; of a win that still waits, only its wager counts so far."""
    lines: tuple[TotalLine, ...]
    """For staff and its own player: the reasons name hands, and a folded one goes to the rack unseen."""


def wagers(felt: Felt) -> Iterator[WagerOffer]:
    """The wagers that this table takes."""
    game, config = felt.game, felt.table.config
    for wager in game.wagers:
        if wager.kind not in ("required", "optional"):
            continue
        because: tuple[str, ...] = ()
        if wager.key == "progressive":
            if felt.link is None:
                continue
            low = high = felt.link.now.wager_cents
        elif any(one not in config.tables for one in game.tables_needed((wager.key,))):
            continue
        elif wager.key in config.limits:
            found = effective(game, wager.key, config.limits)
            low, high, because = found.minimum_cents, found.maximum_cents, tuple(one.wager for one in found.because)
        elif config.limits:
            continue
        else:
            low, high = 1, 10**9
        yield WagerOffer(
            wager=wager.key,
            label=wager.label,
            required=wager.kind == "required",
            needs=wager.needs if felt.options.get(wager.needs_where, True) else "",
            equals=wager.equals,
            minimum_cents=low,
            maximum_cents=high,
            because=because,
            advice_cents=wager.advice_cents,
        )


def actions(felt: Felt, who: Who) -> Iterator[ActionOffer]:
    """What spots may do at the decisions they have come to: a player for their own, the dealer of a physical table for
    all. A choice that would be refused is not offered; the fold comes last.
    """
    play = felt.play
    ready = play.dealt if felt.is_virtual else play.called and not play.revealed
    if not ready or play.revealed:
        return
    for spot, point in waiting(felt.game, play).items():
        hand = play.hands[spot]
        mine = is_own(felt, who, hand)
        if not (mine or (who.kind in ("dealer", "surveillance") and not felt.is_virtual)):
            continue
        for choice in sorted(point.choices, key=lambda choice: choice.folds):
            if closed_because(felt, hand, choice, 0) is None:
                yield _offer(felt, spot, hand, point, choice, mine=mine)


def _offer(felt: Felt, spot: int, hand: Hand, point: Decide, choice: Choice, *, mine: bool) -> ActionOffer:
    amounts = made_by(felt.game, hand.wagers, actions_of(hand)).wagers
    takes_card = choice.sets == "player"
    return ActionOffer(
        spot=spot,
        point=point.key,
        action=choice.key,
        label=choice.words,
        folds=choice.folds,
        adds={stake.wager: stake_cents(stake, amounts) for stake in choice.stakes if not stake.optional},
        takes_back=choice.takes_back,
        takes_card=takes_card,
        optional=dict(_optional(felt, hand, choice, amounts)),
        # At a physical table the cards may not have been entered yet.
        settings=tuple(_settings(felt, hand)) if mine and hand.cards and takes_card else (),
        seconds_left=_seconds_left(felt, hand),
    )


def _optional(felt: Felt, hand: Hand, choice: Choice, amounts: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    """The optional wager of a choice, where its posted limits leave an amount."""
    for stake in choice.stakes:
        if stake.optional:
            cents = _most(felt, stake, amounts)
            if cents and closed_because(felt, hand, choice, cents) is None:
                yield stake.wager, cents


def _most(felt: Felt, stake: Stake, amounts: Mapping[str, int]) -> int:
    limits = felt.table.config.limits.get(stake.wager)
    most = stake_cents(stake, amounts)
    return most if limits is None else min(most, limits.maximum_cents)


def _settings(felt: Felt, hand: Hand) -> Iterator[SettingOffer]:
    split = felt.game.splits[0]
    for high, low, place in settings(felt.game, hand.cards):
        rest = hand.cards[:place] + hand.cards[place + 1 :]
        yield SettingOffer(
            low=text_of((hand.cards[place],)),
            high=text_of(rest),
            hand=hand_words(felt.game, split.given[0], rest),
            fouls=split.merit(high, low) < 0,
        )


def _seconds_left(felt: Felt, hand: Hand) -> int | None:
    seconds = felt.options.get("decision_timeout_seconds", 0)
    if not felt.is_virtual or not seconds or not hand.since:
        return None
    left = hand.since + int(seconds * 1_000_000) - felt.context.now
    return max(0, -(-left // 1_000_000))


def totals(felt: Felt, who: Who) -> Iterator[SpotTotal]:
    """What every spot has in the round, and once the dealer's cards are turned over, what it came to."""
    law = separate_games_on(felt.context.policies, felt.context.day)
    offered = [offer.wager for offer in wagers(felt)]
    for spot, hand in sorted(felt.play.hands.items()):
        lines = tuple(_total_lines(felt, spot, hand)) if felt.play.revealed else ()
        yield SpotTotal(
            spot=spot,
            staked_cents=sum(lying(felt, who, hand).values()),
            lacks="" if felt.play.called else _lacks(felt, hand),
            full=() if felt.play.called else tuple(too_many(felt.game, hand.wagers, offered, law)),
            settled=felt.play.revealed,
            returned_cents=sum(line.returned_cents for line in lines),
            net_cents=sum(line.net_cents for line in lines),
            lines=lines if who.kind not in ("player", "display") or is_own(felt, who, hand) else (),
        )


def _lacks(felt: Felt, hand: Hand) -> str:
    try:
        felt.game.check_wagers(hand.wagers, felt.options)
    except Refusal as refusal:
        return str(refusal)
    return ""


def _total_lines(felt: Felt, spot: int, hand: Hand) -> Iterator[TotalLine]:
    for wager, line in hand.lines.items():
        yield _total_line(felt, wager, line.result, line.wagered, line.returned, line.why)
    desk = felt.desk
    if desk is None or not felt.round.locked:
        return
    won = felt.round.win(spot)
    if spot in felt.round.booked:
        waiting = felt.link is not None and felt.link.claim(felt.table.id, spot)
        waits = bool(waiting) or any(one == spot for one, _ in unnamed(desk))
        result = "win" if won is not None else "waiting" if waits else "lose"
        why = won.hand if won is not None else waiting.hand if waiting else ""
        cents = won.cents if won is not None else 0
        yield _total_line(felt, "progressive", result, felt.round.wager_cents, cents, why.replace("_", " "))
    for envy in envy_by(desk, {win.spot: win.hand for win in felt.round.wins if win.stands}):
        if envy.spot == spot:
            why = f"the hand of spot {envy.winner}"
            yield _total_line(felt, "progressive_envy", "win", 0, envy.amount_cents, why)


def _total_line(felt: Felt, wager: str, result: str, wagered: int, returned: int, why: str) -> TotalLine:
    known = felt.game.wager(wager)
    return TotalLine(
        wager=wager,
        label=known.label if known else wager.replace("_", " ").capitalize(),
        result=result,
        wagered_cents=wagered,
        returned_cents=returned,
        net_cents=returned - wagered,
        why=why,
    )


def to_verify(table: TableState, policies: Policies) -> Iterator[VerifyOffer]:
    """FL-18: the wins that keep the round from closing until surveillance has verified them."""
    for win in table.round.wins:
        if win.stands and win.surveillance and not win.verified:
            yield VerifyOffer(spot=win.spot, wager="progressive", win=win.number, cents=win.cents)
    play = table.round.play
    for spot, wager in large_wins(play, policies):
        hand = play.hands[spot]
        if wager not in hand.verified:
            line = hand.lines[wager]
            yield VerifyOffer(spot=spot, wager=wager, win=0, cents=line.returned - line.wagered)


def repair(felt: Felt) -> Iterator[RepairOffer]:
    """FL-13: that the shuffler failed or, once it has, the steps that may come next."""
    fault = fault_of(felt.table)
    if fault is None:
        yield RepairOffer(step=FAILED, words="the shuffler is out of order", needs_note=True)
        return
    for step in next_steps(fault):
        yield RepairOffer(step=step, words=STEP_WORDS[step], needs_note=step == "replaced")
    if not fault.procedure:
        yield RepairOffer(step=PROCEDURE, words="follow the regulator's own procedure", needs_note=True)


def presses(felt: Felt) -> Iterator[Press]:
    """Every button of the dealer and the supervisor that would not be refused now, whoever presses it."""
    name, words, spots = felt.table.id, felt.words, range(1, felt.table.config.spots + 1)
    hands = [row.hand for row in felt.desk.terms.table.rows] if felt.desk and felt.round.locked else []
    for label, command in (
        ("no more bets", ask.NoMoreBets(table=name)),
        (words.lock_in, press.LockIn(table=name)),
        ("deal a packet", ask.Deal(table=name)),
        (reveal_words(felt), ask.Reveal(table=name)),
        ("done: next", ask.Reconcile(table=name)),
        ("supervisor here", press.Arrive(table=name)),
        ("RUN", press.Run(table=name)),
        ("new shoe", ask.ChangeShoe(table=name)),
        (words.close, press.CloseRound(table=name)),
        ("void the round", press.VoidRound(table=name, cause=_ANY, malfunction=bool(felt.table.malfunction))),
    ):
        if _may(felt, command):
            yield Press(command=_tag(command), label=label)
    by_spot: tuple[tuple[str, list[Iterable[Any]]], ...] = (
        (words.name_win, [[press.NameWin(table=name, spot=spot, hand=hand) for hand in hands] for spot in spots]),
        ("J-POT", [[press.JPot(table=name, spot=spot)] for spot in spots]),
        ("CONFIRM", [[press.Confirm(table=name, spot=spot)] for spot in spots]),
        ("no win", [[press.DropClaim(table=name, spot=spot, reason=_ANY)] for spot in spots]),
        ("time is up", [[ask.TimeUp(table=name, spot=spot)] for spot in spots]),
        ("collect forfeits", [[ask.Collect(table=name, spot=spot)] for spot in spots]),
        ("collect commission", [[ask.CollectCommission(table=name, spot=spot)] for spot in spots]),
        ("write off commission", [[ask.WriteOffCommission(table=name, spot=spot, cause=_ANY)] for spot in spots]),
        ("leave", [[ask.StandUp(table=name, spot=spot)] for spot in spots]),
        ("correct the count", [_corrections(felt, spot) for spot in spots]),
    )
    for label, tried in by_spot:
        able = [
            (spot, allowed)
            for spot, commands in zip(spots, tried, strict=True)
            if (allowed := next((one for one in commands if _may(felt, one)), None)) is not None
        ]
        if able:
            yield Press(command=_tag(able[0][1]), label=label, spots=tuple(spot for spot, _ in able))
    entered = tuple(_to_enter(felt))
    if entered:
        yield Press(command="enter_cards", label="enter cards", spots=entered)


def reveal_words(felt: Felt) -> str:
    """What the dealer turns over next."""
    street = next_street(felt.game, felt.play)
    if street is not None:
        return f"{'turn over' if street.deal is None else 'deal'} {street.words}"
    return "turn over the dealer's cards" if felt.game.dealer_cards else "turn over the hands"


def _corrections(felt: Felt, spot: int) -> Iterable[Any]:
    wagered = spot not in felt.round.booked
    return [press.CorrectCount(table=felt.table.id, spot=spot, wagered=wagered, reason=_ANY)]


def _to_enter(felt: Felt) -> Iterator[int]:
    """FL-4: the hands of a physical table whose cards can be entered, the dealer's (0) and the board (-2) last."""
    play = felt.play
    locked = felt.link is None or felt.round.locked
    if felt.is_virtual or not play.called or not locked or play.revealed or felt.table.malfunction:
        return
    street = later_to_enter(felt)
    if street is not None:
        yield from (target for target, _ in lacking_cards(felt.game, play, street))
        return
    if felt.game.player_cards:
        yield from sorted(spot for spot, hand in play.hands.items() if not (hand.cards and hand.actions))
    if felt.game.dealer_cards:
        yield DEALER
    if board_to_enter(felt) is not None:
        yield BOARD


def board_to_enter(felt: Felt) -> Street | None:
    """The street whose cards a physical table enters next; None while spots decide, and where the board is whole."""
    game, play = felt.game, felt.play
    street = next_street(game, play)
    if waiting(game, play) and (street is None or street.number):
        return None
    street = street or last_street(game, play)
    return street if street is not None and street.target == BOARD and street.deal is None else None


def later_to_enter(felt: Felt) -> Street | None:
    """What a physical table deals and enters now because the cards, or a wager, call for it."""
    game, play = felt.game, felt.play
    street = next_street(game, play)
    if street is None or street.deal is None or waiting(game, play) or not base_is_entered(felt):
        return None
    return street


class _AnyDeck:
    """Stands in for the shuffler where only the question matters whether a packet could be dealt."""

    def promise(self, table: str, round: int) -> Promise:
        return Promise("any", "any")

    def deck(
        self,
        sealed: str,
        table: str,
        round: int,
        cards: tuple[Card, ...],
        player_seeds: Mapping[int, str],
        positions: int,
    ) -> Deck:
        return Deck(cards, 1 if positions else 0)


_ANY: Final = "any"
"""Words that a person will give in their place."""


def _may(felt: Felt, command: Any) -> bool:
    anybody = felt.context._replace(by="", role="executive")
    try:
        return bool(decide(felt.table, felt.link, command, anybody, _AnyDeck()))
    except Refusal:
        return False


def _tag(command: Any) -> str:
    return str(type(command).__struct_config__.tag)
