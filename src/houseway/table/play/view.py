"""Who may see what of a round with cards: a view holds exactly that, and nothing of anything else.

A player sees his own hands, the dealer's cards that lie face up, and what has been turned over. A dealer, a supervisor
or surveillance at a virtual table sees no more than lies open on a real one: the system deals face down. Where people
dealt and entered the cards, staff see what they entered.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from houseway.cards import text_of
from houseway.table.console import WORDS
from houseway.table.decide import unnamed
from houseway.table.play.agenda import has_positions, is_later
from houseway.table.play.decide import Felt, display_of, fault_of, large_wins, owns, without
from houseway.table.play.exposed import discards, kept_for, place_of
from houseway.table.play.settle import game_of
from houseway.table.play.state import DeckSeeds, Hand, Line, Step
from houseway.table.shuffler import HAND, Shuffler, next_words, usual_dealing
from houseway.table.shuffler import screen as shuffler_screen
from houseway.table.verify_display import Shown, screen

Viewer = Literal["player", "dealer", "surveillance", "display"]


class Who(Struct, frozen=True):
    """Who looks: a player by name and admission, or a member of staff."""

    kind: Viewer
    player: str = ""
    guest: int = 0
    """TR-8: the player's admission: no namesake sees the hand."""


class SpotView(Struct, frozen=True, kw_only=True):
    """One spot as somebody sees it."""

    spot: int
    player: str
    wagers: dict[str, int]
    cards: str
    """As text; backs, one ``??`` a card, where he may not see them."""
    decided: str
    """Whether it folds or plays, which the whole table sees; how a pai gow hand was set is told at the reveal."""
    set_high: str
    set_low: str
    name: str
    outcome: str
    lines: dict[str, Line]
    reconciled: tuple[str, ...]
    place: str
    """Where its cards lie: with the player, tucked under a wager (TCB-5), at the spot, face up, or racked."""
    face_up_for: tuple[str, ...]
    """CS-10, CSC-5, PR-30: why its hand stays face up."""
    held_for: str
    """FL-23: the player who left, for whom winnings and envy are held; empty where he is there."""
    discards: str
    """SE-5: the cards outside its run, which lie at the spot until it is settled; backs where he may not see them."""


class PlayView(Struct, frozen=True, kw_only=True):
    """A round with cards as somebody sees it."""

    table: str
    game: str
    round: int
    stage: str
    """Where the round stands, in a word."""
    prompt: str
    """FL-22: what is called or done next."""
    seats: dict[int, str]
    spots: tuple[SpotView, ...]
    dealer: str
    dealer_hand: str
    dealer_plays: bool | None
    commitment: str
    deck: DeckSeeds | None
    """TR-11: the deck of this round; none where people deal."""
    last_deck: DeckSeeds | None
    """The deck of the round before, opened."""
    packets_out: int
    stacked: tuple[int, ...]
    """On a demonstration floor: whose cards were chosen, 0 for the dealer's."""
    start: int
    column: int
    """CSC-4: the Cover All column in force, once the dealer has his packet."""
    screen: tuple[str, ...]
    """FL-2: what stands on the shuffler's screen, a line each."""
    display: str
    """FL-6: whom the verify display may show, or who is missing; empty where the game has none."""
    on_display: tuple[Shown, ...]
    """FL-7: what the verify display showed in this round, for those who may see it."""
    without: dict[str, tuple[int, ...]]
    """TC-5: after the call, the spots without each side wager."""
    next_step: Step | None
    unnamed: tuple[tuple[int, str], ...]
    large_wins: tuple[tuple[int, str], ...]
    malfunction: str


def view(felt: Felt, who: Who) -> PlayView:
    """What somebody may see of the round, and nothing more."""
    play = felt.play
    stage = stage_of(felt)
    desk = felt.desk
    staff = who.kind not in ("player", "display")
    return PlayView(
        table=felt.table.id,
        game=felt.table.config.game,
        round=felt.round.number,
        stage=stage,
        prompt=prompt_of(felt, stage),
        seats=dict(felt.table.seats),
        spots=tuple(_spot(felt, who, spot, hand) for spot, hand in sorted(play.hands.items())),
        dealer=_dealer(felt, who),
        dealer_hand=play.dealer_hand if play.revealed else "",
        dealer_plays=play.dealer_plays if play.revealed else None,
        commitment=play.commitment,
        deck=_deck(felt),
        last_deck=_last_deck(felt, who),
        packets_out=play.out,
        stacked=tuple(sorted(play.stacked)),
        start=play.start,
        column=_column(felt),
        screen=_screen(felt),
        display=screen(display_of(play)).sentence if _has_display(felt) else "",
        on_display=tuple(one for one in play.shown if _sees_display(felt, who, one)),
        without=without(felt) if play.called else {},
        next_step=play.steps[0] if play.steps else None,
        unnamed=tuple(unnamed(desk)) if staff and desk is not None and play.revealed else (),
        large_wins=tuple(large_wins(felt)) if staff else (),
        malfunction=felt.table.malfunction,
    )


def _deck(felt: Felt) -> DeckSeeds | None:
    if not felt.is_virtual:
        return None
    play = felt.play
    return DeckSeeds(
        round=felt.round.number,
        commitment=play.commitment,
        player_seeds=play.contributed,
        house_only=play.house_only,
        players={spot: hand.player for spot, hand in sorted(play.hands.items())},
    )


def _last_deck(felt: Felt, who: Who) -> DeckSeeds | None:
    """FL-3: a player of a round can check its deck, which tells every hand of it; no other player is told."""
    last = felt.table.last_deck
    staff = who.kind in ("dealer", "surveillance")
    if last is None or staff or (who.kind == "player" and who.player in last.players.values()):
        return last
    return replace(last, seed="")


def _column(felt: Felt) -> int:
    """CSC-4: the shuffler counts the hands when the dealer has taken his packet, and not before."""
    return felt.play.column if felt.play.dealer_dealt else 0


def _screen(felt: Felt) -> tuple[str, ...]:
    """FL-2: the shuffler's screen, by the shuffler's own rules for its mode."""
    config, play = felt.table.config, felt.play
    mode = config.dealing or usual_dealing(felt.game, cover_all="cover_all" in config.tables)
    if mode == HAND:
        return (f"Cover All: {_column(felt)} hands",) if _column(felt) else ()
    shuffler = Shuffler(mode=mode, packets=play.out, start=play.start, column=_column(felt), fault=fault_of(felt.table))
    rest = ("the remaining cards are out; the next deck is shuffled",) if play.dealt else ()
    return (*shuffler_screen(shuffler).words, *rest)


def _has_display(felt: Felt) -> bool:
    return bool(has_positions(felt.game, felt.options)) and felt.play.dealer_dealt


def _sees_display(felt: Felt, who: Who, shown: Shown) -> bool:
    """FL-7: surveillance sees the display live; a player his own hand; everybody once the dealer's is turned over."""
    if felt.play.revealed or who.kind == "surveillance":
        return True
    return is_own(felt, who, felt.play.hands[shown.who])


def is_own(felt: Felt, who: Who, hand: Hand) -> bool:
    """Whether a hand is the viewer's own."""
    return who.kind == "player" and bool(who.player) and owns(felt, who.player, who.guest, hand.player, hand.guest)


def stage_of(felt: Felt) -> str:
    """Where the round stands."""
    play = felt.play
    if not play.called:
        return "betting"
    if felt.link is not None and not felt.round.locked:
        return "locking in"
    if not play.dealer_dealt or not all(hand.dealt for hand in play.hands.values()):
        return "dealing"
    if any(hand.decision is None for hand in play.hands.values()):
        return "deciding"
    if not play.revealed:
        return "revealing"
    return "reconciling" if play.steps else "closing"


def prompt_of(felt: Felt, stage: str) -> str:
    """FL-22: the prescribed call, or the next thing to do, in the words of the table's console."""
    words = WORDS[felt.table.config.console]
    play = felt.play
    fault = fault_of(felt.table)
    if fault is not None:
        return f"shuffler out of order; {next_words(fault)}"
    match stage:
        case "betting":
            return 'place your bets; then call "no more bets"'
        case "locking in":
            return f'"no more bets"; {words.lock_in}'
        case "dealing":
            return "press the green button for the next packet" if felt.is_virtual else _to_enter(felt)
        case "deciding":
            waiting = [str(spot) for spot, hand in sorted(play.hands.items()) if hand.decision is None]
            return f"waiting for spot {', '.join(waiting)}"
        case "revealing":
            return "turn the dealer's cards over"
        case "reconciling":
            return "; ".join(part for part in (_call(felt), _to_reconcile(felt)) if part)
        case _:
            return words.close


def _to_enter(felt: Felt) -> str:
    """FL-4: whose cards a physical table has still to enter."""
    missing = [f"spot {spot}" for spot, hand in sorted(felt.play.hands.items()) if not hand.cards]
    missing += [] if felt.play.dealer else ["the dealer"]
    return f"enter the cards of {', '.join(missing)}"


def _to_reconcile(felt: Felt) -> str:
    """The next step; a folded hand of Caribbean Stud is spread and counted before it is racked (CS-5, CS-11)."""
    step = felt.play.steps[0]
    named = f"spot {step.spot}: {', '.join(step.wagers).replace('_', ' ')}"
    folded = felt.play.hands[step.spot].folded and not is_later(felt.game, step)
    if folded and felt.table.config.game == "caribbean-stud":
        return f"{named}; spread and count its {felt.game.player_cards} cards, then rack them"
    return named


def _call(felt: Felt) -> str:
    """FL-22: "no hand", "dealer plays with a queen" or "dealer doesn't play", where the game has such a call."""
    play = felt.play
    if play.dealer_plays is None or felt.table.config.game == "six-card-pai-gow":
        return ""
    if felt.table.config.game == "caribbean-stud":
        return "" if play.dealer_plays else '"no hand"'
    if felt.table.config.game == "three-card-poker":
        call = '"dealer plays with a queen"' if play.dealer_plays else '"dealer doesn\'t play"'
        return f"{call} ({play.dealer_hand})"
    return ""


def _spot(felt: Felt, who: Who, spot: int, hand: Hand) -> SpotView:
    # CSC-A2: a folded hand that is kept as the highest lies open for everybody.
    seen = _sees(felt, who, hand) or bool(kept_for(felt, spot))
    open_ = felt.play.revealed and seen
    return SpotView(
        spot=spot,
        player=hand.player,
        wagers=dict(hand.wagers),
        cards=text_of(hand.cards) if seen else _backs(len(hand.cards)),
        decided=_decided(felt, who, hand),
        set_high=text_of(hand.set_high) if open_ else "",
        set_low=text_of((hand.set_low,)) if open_ and hand.set_low is not None else "",
        name=hand.name if open_ else "",
        outcome=hand.outcome if open_ else "",
        lines=_lines(felt, seen, hand),
        reconciled=hand.reconciled,
        place=place_of(felt, spot),
        face_up_for=kept_for(felt, spot),
        held_for=hand.player if hand.left else "",
        discards=_discards(felt, hand, seen=seen),
    )


def _lines(felt: Felt, seen: bool, hand: Hand) -> dict[str, Line]:
    """What the wagers came to; why tells of the hand, and so only to those who see it."""
    if not felt.play.revealed:
        return {}
    return dict(hand.lines) if seen else {wager: replace(line, why="") for wager, line in hand.lines.items()}


def _discards(felt: Felt, hand: Hand, *, seen: bool) -> str:
    laid_away = discards(felt, hand) if _settles(felt, hand) else ()
    return text_of(laid_away) if seen else _backs(len(laid_away))


def _settles(felt: Felt, hand: Hand) -> bool:
    """Whether something of a spot is still to be settled."""
    return not felt.play.revealed or len(hand.reconciled) < len(hand.lines)


def _sees(felt: Felt, who: Who, hand: Hand) -> bool:
    """Whether somebody may see a hand now. A folded hand goes to the rack unseen by the other players."""
    if is_own(felt, who, hand):
        return True
    staff = who.kind in ("dealer", "surveillance")
    if felt.play.revealed:
        return staff or not hand.folded
    return staff and not felt.is_virtual


def _decided(felt: Felt, who: Who, hand: Hand) -> str:
    if hand.decision is None:
        return ""
    own = is_own(felt, who, hand)
    # A fold or a play is seen by the whole table; how a pai gow hand was set is not, until the reveal.
    if felt.play.revealed or own or hand.decision.kind in ("fold", "play", "none"):
        return hand.decision.kind
    return "set"


def _dealer(felt: Felt, who: Who) -> str:
    play = felt.play
    if play.revealed or (who.kind in ("dealer", "surveillance") and not felt.is_virtual):
        return text_of(play.dealer)
    if not play.dealer:
        return ""
    up: Any = game_of(felt.table.config).dealer_face_up
    if not all(hand.cards for hand in play.hands.values()):
        up = ()
    return " ".join(text_of((card,)) if place in up else "??" for place, card in enumerate(play.dealer))


def _backs(count: int) -> str:
    return " ".join(["??"] * count)
