"""Who may see what of a round with cards: a view holds exactly that, and nothing of anything else.

A player sees his own hands, the dealer's cards that lie face up, and what has been turned over. A dealer, a supervisor
or surveillance at a virtual table sees no more than lies open on a real one: the system deals face down. Where people
dealt and entered the cards, staff see what they entered.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from houseway.cards import text_of
from houseway.games.flow import DEALER, made_by
from houseway.games.settle import values_for
from houseway.table.card_round.agenda import counts_hands
from houseway.table.card_round.decide import Felt, display_of, fault_of, large_wins, owns, without
from houseway.table.card_round.exposed import discards, kept_for, place_of
from houseway.table.card_round.forfeits import forfeits
from houseway.table.card_round.shoe import ShoeView, shoe_to_change, view_shoe
from houseway.table.card_round.state import DeckSeeds, Hand, Line, SpotAction, Step
from houseway.table.card_round.streets import (
    UNKNOWN,
    Street,
    actions_of,
    board_of,
    face_up_places,
    lacking_cards,
    next_street,
    point_of,
    street_label,
    waiting,
)
from houseway.table.event import name_target
from houseway.table.progressive_round.console import WORDS
from houseway.table.progressive_round.decide import unnamed
from houseway.table.shuffler import HAND, Shuffler, next_words, usual_dealing
from houseway.table.shuffler import screen as shuffler_screen
from houseway.table.verify_display import Shown, screen

Viewer = Literal["player", "dealer", "surveillance", "display"]

EMPTY_PLACE = "--"
"""A place of the board that no card was dealt to."""


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
    """What it did last, where it has nothing to decide now; ``none`` where it never had. How a hand was set is told at
    the reveal."""
    actions: tuple[str, ...]
    """Everything it did so far, in words, which the whole table sees."""
    deciding: str
    """The decision that it has come to and not made, in words; empty where it has none now."""
    folded: bool
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
    envy_marker: bool
    """PGF-2: whether a marker lies at the spot: its wager is large enough to win envy by its pay table."""
    discards: str
    """SE-5: the cards outside its run, which lie at the spot until it is settled; backs where he may not see them."""


class SideView(Struct, frozen=True, kw_only=True):
    """One of the hands that all share, such as the Player's and the Banker's."""

    name: str
    cards: str
    points: str
    """What it is worth so far; empty before it has its first cards."""
    won: bool


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
    board: str
    """The cards that everybody shares; ``??`` for those that are face down. Empty where the game has none."""
    sides: tuple[SideView, ...]
    """Where the board is several hands: each of them; none where it is one."""
    street: str
    """What the street that was turned over last is called; empty before the first."""
    commitment: str
    deck: DeckSeeds | None
    """TR-11: the deck of this round, or the shoe; none where people deal."""
    shoe: ShoeView | None
    """How much is left of the shoe, and its history; none where every round has a deck of its own."""
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
    commission: dict[int, int]
    """BA-10: by spot, the commission in cents that is marked there, until the player leaves."""
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
        board=_board(felt),
        sides=tuple(_sides(felt)),
        street=street_label(felt.game, play.streets),
        commitment=felt.table.shoe.commitment if felt.table.shoe is not None else play.commitment,
        deck=_deck(felt),
        shoe=view_shoe(felt.table, felt.game, felt.options),
        last_deck=_last_deck(felt, who),
        packets_out=play.out,
        stacked=tuple(sorted(play.stacked)),
        start=play.start,
        column=_column(felt),
        screen=_screen(felt),
        display=screen(display_of(felt.game, play)).sentence if _has_display(felt) else "",
        on_display=tuple(one for one in play.shown if _sees_display(felt, who, one)),
        without=without(felt) if play.called else {},
        commission=dict(felt.table.commission),
        next_step=play.steps[0] if play.steps else None,
        unnamed=tuple(unnamed(desk)) if staff and desk is not None and play.revealed else (),
        large_wins=tuple(large_wins(felt.play, felt.context.policies)) if staff else (),
        malfunction=felt.table.malfunction,
    )


def _deck(felt: Felt) -> DeckSeeds | None:
    if not felt.is_virtual:
        return None
    play, shoe = felt.play, felt.table.shoe
    if shoe is not None:
        return DeckSeeds(
            round=shoe.round,
            commitment=shoe.commitment,
            player_seeds=shoe.player_seeds if shoe.shuffled else play.contributed,
            house_only=shoe.house_only if shoe.shuffled else play.house_only,
            players={spot: hand.player for spot, hand in sorted(play.hands.items())},
            decks=shoe.decks or felt.game.copies(felt.options),
        )
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
    mode = config.dealing or usual_dealing(felt.game, cover_all=bool(counts_hands(felt.game, config.tables)))
    if mode == HAND:
        return (f"Cover All: {_column(felt)} hands",) if _column(felt) else ()
    shuffler = Shuffler(mode=mode, packets=play.out, start=play.start, column=_column(felt), fault=fault_of(felt.table))
    rest = ("the remaining cards are out; the next deck is shuffled",) if play.dealt else ()
    return (*shuffler_screen(shuffler).words, *rest)


def _has_display(felt: Felt) -> bool:
    return bool(felt.game.splits) and felt.play.dealer_dealt


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
    lacks_dealer = felt.game.dealer_cards and not play.dealer_dealt
    lacks_hand = felt.game.player_cards and not all(hand.dealt for hand in play.hands.values())
    if (felt.is_virtual and not play.dealt) or lacks_dealer or lacks_hand:
        return "dealing"
    if not play.revealed and waiting(felt.game, play):
        return "deciding"
    if not play.revealed:
        if next_street(felt.game, play) is not None:
            return "turning"
        return "collecting" if forfeits(felt.table.config, play) else "revealing"
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
            if shoe_to_change(felt.table, felt.game, felt.options):
                return 'the cut card is out: change the shoe, then press "new shoe"'
            return 'place your bets; then call "no more bets"'
        case "locking in":
            return f'"no more bets"; {words.lock_in}'
        case "dealing":
            return "press the green button for the next packet" if felt.is_virtual else _to_enter(felt)
        case "deciding":
            return f"waiting for spot {', '.join(map(str, waiting(felt.game, play)))}"
        case "turning":
            street = next_street(felt.game, play)
            if street is not None and street.deal is not None:
                return _to_draw(felt, street)
            turn = f"turn over {street.words}" if street is not None else ""
            return turn if felt.is_virtual else f"{turn} and enter its cards"
        case "collecting":
            return _to_collect(felt)
        case "revealing":
            return "turn the dealer's cards over" if felt.game.dealer_cards else "turn the hands over"
        case "reconciling":
            return "; ".join(part for part in (_call(felt), _to_reconcile(felt)) if part)
        case _:
            return words.close


def _to_draw(felt: Felt, street: Street) -> str:
    """What the dealer deals now because the cards, or a wager, call for it."""
    to = ", ".join(name_target(target) for target, _ in lacking_cards(felt.game, felt.play, street))
    burns = f"burn {street.deal.burns} cards; " if street.deal is not None and street.deal.burns else ""
    return f"{burns}deal {street.words} to {to}{'' if felt.is_virtual else ' and enter it'}"


def _to_enter(felt: Felt) -> str:
    """FL-4: whose cards a physical table has still to enter."""
    missing = [f"spot {spot}" for spot, hand in sorted(felt.play.hands.items()) if not hand.cards]
    missing += ["the dealer"] if felt.game.dealer_cards and not felt.play.dealer else []
    return f"enter the cards of {', '.join(missing)}"


def _to_collect(felt: Felt) -> str:
    """CS-5, TC-15: the forfeits of which spots, and what is done with the cards, where the documents say."""
    spots = ", ".join(map(str, forfeits(felt.table.config, felt.play)))
    return f"collect the forfeits of spot {spots}; {felt.game.fold_words or 'rack the cards'}"


def _to_reconcile(felt: Felt) -> str:
    """The next step, or the whole pass around the table where the dealer has no hand (CS-7, SE2-4)."""
    step = felt.play.steps[0]
    if step.at_once:
        return f"{felt.game.at_once_words}, in one pass around the table"
    return f"spot {step.spot}: {', '.join(step.wagers).replace('_', ' ')}"


def _call(felt: Felt) -> str:
    """FL-22: "no hand", "dealer plays with a queen" or "dealer doesn't play", where the game has such a call."""
    play, game = felt.play, felt.game
    if play.dealer_plays is None:
        return ""
    call = game.call_plays if play.dealer_plays else game.call_does_not_play
    return f"{call} ({play.dealer_hand})" if call and game.call_plays else call


def _spot(felt: Felt, who: Who, spot: int, hand: Hand) -> SpotView:
    # CSC-A2: a folded hand that is kept as the highest lies open for everybody.
    seen = _sees(felt, who, hand) or bool(kept_for(felt, spot))
    open_ = felt.play.revealed and seen
    return SpotView(
        spot=spot,
        player=hand.player,
        wagers=lying(felt, who, hand),
        cards=text_of((*hand.cards, *hand.later)) if seen else _backs(len(hand.cards)),
        decided=_decided(felt, who, hand),
        actions=tuple(_action_words(felt, who, hand, action) for action in hand.actions),
        deciding=_deciding(felt, hand),
        folded=hand.folded,
        set_high=text_of(hand.set_high) if open_ else "",
        set_low=text_of((hand.set_low,)) if open_ and hand.set_low is not None else "",
        name=hand.name if open_ else "",
        outcome=hand.outcome if open_ else "",
        lines=_lines(felt, seen, hand),
        reconciled=hand.reconciled,
        place=place_of(felt, spot),
        face_up_for=kept_for(felt, spot),
        held_for=hand.player if hand.left else "",
        envy_marker=_has_envy_marker(felt, hand),
        discards=_discards(felt, hand, seen=seen),
    )


def _has_envy_marker(felt: Felt, hand: Hand) -> bool:
    """PGF-2: from the moment that the wager is placed."""
    tables = felt.table.config.tables
    return any(
        bool(tables[wager.table_key].envy_cents)
        and hand.wagers.get(wager.key, 0) >= max(1, tables[wager.table_key].envy_minimum_cents)
        for wager in felt.game.wagers
        if wager.envy_row is not None and wager.table_key in tables
    )


def lying(felt: Felt, who: Who, hand: Hand) -> dict[str, int]:
    """Every wager of a spot that lies on the layout, those of its choices too; what the setting of a hand adds is told
    with the setting.
    """
    if any(_told(felt, who, hand, action) != action.action for action in hand.actions):
        return dict(hand.wagers)
    made = made_by(felt.game, hand.wagers, actions_of(hand))
    return {wager: cents for wager, cents in made.wagers.items() if wager not in made.taken_back}


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
    if is_own(felt, who, hand) or (felt.game.deals_open and hand.cards):
        return True
    staff = who.kind in ("dealer", "surveillance")
    if felt.play.revealed:
        return staff or not hand.folded
    return staff and not felt.is_virtual


def _decided(felt: Felt, who: Who, hand: Hand) -> str:
    if not felt.play.revealed and point_of(felt.game, felt.play, hand) is not None:
        return ""
    if hand.actions:
        return _told(felt, who, hand, hand.actions[-1])
    return "none" if hand.dealt and stage_of(felt) not in ("betting", "locking in", "dealing") else ""


def _told(felt: Felt, who: Who, hand: Hand, action: SpotAction) -> str:
    """What a spot did, as somebody may know it: how a hand was set is not seen by the table until the reveal."""
    choices = [choice for point in felt.game.points for choice in point.choices if choice.key == action.action]
    open_to_all = felt.play.revealed or is_own(felt, who, hand) or not any(choice.sets for choice in choices)
    return action.action if open_to_all else "set"


def _action_words(felt: Felt, who: Who, hand: Hand, action: SpotAction) -> str:
    told = _told(felt, who, hand, action)
    choices = [choice for point in felt.game.points for choice in point.choices if choice.key == told]
    return choices[0].words if choices else told.replace("_", " ").capitalize()


def _deciding(felt: Felt, hand: Hand) -> str:
    if felt.play.revealed or stage_of(felt) != "deciding":
        return ""
    point = point_of(felt.game, felt.play, hand)
    return "" if point is None else point.label or point.key.replace("_", " ").capitalize()


def _dealer(felt: Felt, who: Who) -> str:
    play = felt.play
    if play.revealed or (who.kind in ("dealer", "surveillance") and not felt.is_virtual):
        return text_of((*play.dealer, *play.dealer_later))
    if not play.dealer:
        return ""
    if felt.game.deals_open:
        return text_of((*play.dealer, *play.dealer_later))
    up = face_up_places(felt.game, DEALER, play.streets) if all(hand.cards for hand in play.hands.values()) else ()
    return " ".join(text_of((card,)) if place in up else "??" for place, card in enumerate(play.dealer))


def _board(felt: Felt) -> str:
    """The board as everybody sees it, once it is dealt."""
    play, game = felt.play, felt.game
    if not game.board_cards or not (play.board_count or play.board_up or play.called):
        return ""
    zone = game.zone_of("table")
    cards = board_of(game, play) or (UNKNOWN,) * (zone.places if zone else 0)
    up = play.board_up
    # A place that is dealt later, and was not, is empty.
    return " ".join(
        text_of((card,)) if place in up else "??" if place < game.board_cards else EMPTY_PLACE
        for place, card in enumerate(cards)
    )


def _sides(felt: Felt) -> Iterator[SideView]:
    """The hands that the board consists of, as everybody sees them."""
    play, game, shoe = felt.play, felt.game, felt.table.shoe
    dealt = all(place in play.board_up for place in range(game.board_cards))
    for name, places in game.board_parts:
        cards = text_of(play.board_up[place] for place in places if place in play.board_up)
        value, points = game.side_values.get(name, ""), ""
        if dealt and value:
            points = str(values_for(game, (value,), (), (), board_of(game, play), felt.options)[value])
        won = play.revealed and shoe is not None and shoe.results[-1:] == (name,)
        yield SideView(name=name, cards=cards, points=points, won=won)


def _backs(count: int) -> str:
    return " ".join(["??"] * count)
