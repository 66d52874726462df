"""How a round with cards changes by what happened. No decision is made here."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from houseway.cards import text_of
from houseway.games import Game
from houseway.games.flow import BOARD, DEALER, EMPTY
from houseway.table.card_round import events as tell
from houseway.table.card_round.settle import game_of
from houseway.table.card_round.state import DeckSeeds, Hand, Play, ShoeState, SpotAction, action_of, forfeit_lines
from houseway.table.config import TableConfig
from houseway.table.state import TableState
from houseway.table.verify_display import Shown


def evolve_play(play: Play, event: Any, now: int) -> Play:
    """The cards and wagers of the round after an event."""
    match event:
        case tell.WagerPlaced():
            return _placed(play, event)
        case tell.BetsClosed():
            return replace(play, called=True)
        case tell.ForfeitCollected():
            return _take_forfeit(play, event)
        case tell.SeedCommitted():
            return replace(play, commitment=event.commitment, sealed=event.sealed)
        case tell.PlayerSeedAdded():
            return replace(play, player_seeds={**play.player_seeds, event.spot: event.player_seed})
        case tell.DeckShuffled():
            return replace(
                play,
                player_seeds=event.player_seeds,
                start=event.start,
                targets=event.targets,
                column=event.column,
                stacked=event.stacked,
            )
        case tell.ShoeContinued():
            return replace(play, first=event.first, taken=event.first, targets=event.targets)
        case tell.DeckCommitted():
            return replace(
                play,
                commitment=event.commitment,
                sealed=event.sealed,
                start=event.start,
                targets=event.targets,
                column=event.column,
                # The order that is sealed has them in their places.
                stacked={},
            )
        case tell.DeckStacked():
            others = {spot: cards for spot, cards in play.stacked.items() if spot != event.spot}
            return replace(play, stacked={**others, event.spot: event.cards} if event.cards else others)
        case tell.PacketDealt():
            dealt = replace(play, out=play.out + 1, taken=event.first + event.count)
            if event.target == DEALER:
                dealt = replace(dealt, dealer=event.cards, dealer_first=event.first, dealer_count=event.count)
            elif event.target == BOARD:
                dealt = replace(dealt, board=event.cards, board_first=event.first, board_count=event.count)
            elif event.target != EMPTY:
                dealt = _hand(dealt, event.target, cards=event.cards, first=event.first, count=event.count)
            return _may_decide(dealt, now)
        case tell.CardDrawn():
            return _draw_card(play, event, now)
        case tell.FaceUpShown():
            return replace(play, face_up=event.cards)
        case tell.CardsEntered():
            entered = replace(play, column=event.column)
            if event.spot == DEALER:
                entered = replace(entered, dealer=event.cards)
            else:
                entered = _hand(entered, event.spot, cards=event.cards)
            return _may_decide(entered, now)
        case tell.Acted():
            action = SpotAction(
                point=event.point,
                action=event.action,
                folds=event.folds,
                card=event.card,
                place=event.place,
                cents=event.cents,
                how=event.how,
            )
            return _hand(play, event.spot, actions=(*play.hands[event.spot].actions, action), since=now)
        case tell.SpotDecided():
            return _hand(play, event.spot, actions=action_of(event.decision))
        case tell.BoardTurned():
            return _turned(play, event, now)
        case tell.SpotResult():
            return _hand(
                play,
                event.spot,
                name=event.name,
                outcome=event.outcome,
                set_high=event.high,
                set_low=event.low,
                set_by=event.by,
                lines=event.lines,
            )
        case tell.DealerRevealed():
            return replace(
                play,
                revealed=True,
                dealer=event.cards,
                dealer_hand=event.name,
                dealer_plays=event.plays,
                dealer_high=event.high,
                dealer_low=event.low,
                steps=event.steps,
            )
        case tell.Reconciled():
            done = play.hands[event.spot].reconciled
            left = tuple(step for step in play.steps if (step.spot, step.wagers) != (event.spot, event.wagers))
            return replace(_hand(play, event.spot, reconciled=(*done, *event.wagers)), steps=left)
        case tell.CommissionMarked():
            return _hand(play, event.spot, marked=play.hands[event.spot].marked + event.cents)
        case tell.PayoutVerified():
            return _hand(play, event.spot, verified=(*play.hands[event.spot].verified, event.wager))
        case tell.HandShown():
            return replace(play, shown=(*play.shown, _shown(event, now)))
        case tell.SignedOver() if event.locked:
            return replace(play, dealers=tuple(dict.fromkeys((*play.dealers, event.by, event.to))))
        case tell.SeatLeft():
            if event.held:
                return _hand(play, event.spot, left=True)
            # What somebody who comes after adds to the deck is not that player's.
            taken_along = not play.called and event.spot in play.player_seeds
            return replace(play, player_seeds=_less(play.player_seeds, event.spot)) if taken_along else play
        case _:
            return play


def evolve_seats(seats: dict[int, str], event: Any) -> dict[int, str]:
    """Who sits where after an event."""
    match event:
        case tell.Seated():
            return {**seats, event.spot: event.player}
        case tell.SeatLeft():
            return {spot: player for spot, player in seats.items() if spot != event.spot}
        case _:
            return seats


def evolve_guests(guests: dict[int, int], event: Any) -> dict[int, int]:
    """TR-8: whose own each seat is after an event."""
    match event:
        case tell.Seated() if event.guest:
            return {**guests, event.spot: event.guest}
        case tell.SeatLeft():
            return {spot: guest for spot, guest in guests.items() if spot != event.spot}
        case _:
            return guests


def evolve_malfunction(step: str, event: Any) -> str:
    """Where the repair of a shuffler stands after an event; empty for nowhere."""
    if isinstance(event, tell.MalfunctionRecorded):
        return "" if event.over else event.step
    return step


def evolve_shoe(table: TableState, event: Any) -> ShoeState | None:
    """The shoe of a table after an event."""
    shoe = table.shoe
    match event:
        case tell.SeedCommitted() if _has_shoe(table):
            # The history of the last shoe stays until this one is shuffled.
            results = shoe.results if shoe is not None else ()
            return ShoeState(
                game=table.config.game,
                round=event.round,
                commitment=event.commitment,
                sealed=event.sealed,
                results=results,
            )
        case tell.DeckShuffled() if shoe is not None and event.decks:
            return replace(
                shoe,
                player_seeds=event.player_seeds,
                house_only=event.house_only,
                decks=event.decks,
                cards=event.decks * cards_in_deck(table.config),
                cut=event.cut,
                out=0,
                results=(),
            )
        case tell.ShoeChanged():
            return ShoeState(
                game=table.config.game,
                round=event.round,
                decks=event.decks,
                cards=event.decks * cards_in_deck(table.config),
                cut=event.cut,
            )
        case tell.PacketDealt() if shoe is not None:
            names = [hand.player for hand in table.round.play.hands.values()]
            players = tuple(dict.fromkeys((*shoe.players, *names)))
            return replace(shoe, out=event.first + event.count, players=players)
        case tell.CardDrawn() if shoe is not None and shoe.commitment:
            return replace(shoe, out=event.first + 1)
        case tell.DealerRevealed() if event.winner:
            known = shoe or ShoeState(game=table.config.game, round=event.round)
            return replace(known, results=(*known.results, event.winner))
        case _:
            return shoe


def shoe_after_round(table: TableState) -> ShoeState | None:
    """The shoe once a round is over: at a physical table by the cards that were entered and burned."""
    shoe = table.shoe
    if shoe is None or shoe.commitment or not shoe.shuffled:
        return shoe
    return replace(shoe, out=min(shoe.cards, shoe.out + cards_used(game_of(table.config), table.round.play)))


def cards_used(game: Game, play: Play) -> int:
    """How many cards of a shoe a round at a physical table took, as far as they were entered."""
    hands = sum(len(hand.cards) + len(hand.later) for hand in play.hands.values())
    later = bool(play.dealer_later) or any(hand.later for hand in play.hands.values())
    burned = sum(deal.burns for deal in game.later_deals) if later else 0
    return hands + len(play.dealer) + len(play.dealer_later) + len(play.board_up) + burned


def _has_shoe(table: TableState) -> bool:
    return game_of(table.config).shoe is not None


def cards_in_deck(config: TableConfig) -> int:
    """How many cards one deck of a table's game has."""
    return len(game_of(config).deck)


def evolve_last_deck(table: TableState, event: Any) -> DeckSeeds | None:
    """TR-11: the deck of the last round that was opened, after an event."""
    if not isinstance(event, tell.DeckOpened):
        return table.last_deck
    play, shoe = table.round.play, table.shoe
    if not event.seed:
        return None
    if event.shoe and shoe is not None:
        return DeckSeeds(
            round=event.shoe,
            commitment=event.commitment,
            player_seeds=event.player_seeds,
            house_only=shoe.house_only,
            players=dict(enumerate(shoe.players)),
            decks=event.decks,
            seed=event.seed,
        )
    return DeckSeeds(
        round=event.round,
        commitment=event.commitment,
        player_seeds=play.contributed,
        house_only=play.house_only,
        players={spot: hand.player for spot, hand in sorted(play.hands.items())},
        seed=event.seed,
    )


def _less(seeds: dict[int, str], spot: int) -> dict[int, str]:
    return {other: text for other, text in seeds.items() if other != spot}


def _placed(play: Play, event: tell.WagerPlaced) -> Play:
    hand = play.hands.get(event.spot) or Hand(player=event.player)
    wagers = {wager: cents for wager, cents in hand.wagers.items() if wager != event.wager}
    if event.cents:
        wagers[event.wager] = event.cents
    hands = {spot: other for spot, other in play.hands.items() if spot != event.spot}
    if wagers:
        hands[event.spot] = replace(hand, player=event.player, guest=event.guest, wagers=wagers)
    return replace(play, hands=hands)


def _take_forfeit(play: Play, event: tell.ForfeitCollected) -> Play:
    hand = play.hands[event.spot]
    lines = {**hand.lines, **forfeit_lines(event.each)}
    return _hand(play, event.spot, lines=lines, reconciled=(*hand.reconciled, *event.wagers))


def _turned(play: Play, event: tell.BoardTurned, now: int) -> Play:
    """A street lies open: whoever is asked next may think from now on."""
    up = play.board_up
    if event.target == BOARD:
        up = {**up, **dict(zip(event.places, event.cards, strict=True))}
    hands = {spot: replace(hand, since=hand.since and now) for spot, hand in play.hands.items()}
    return replace(play, board_up=up, streets=event.street, hands=hands)


def _draw_card(play: Play, event: tell.CardDrawn, now: int) -> Play:
    """A card more lies open: whoever is asked next may think from now on."""
    after = replace(play, streets=event.street, taken=event.first + 1)
    if event.target == BOARD:
        after = replace(after, board_up={**play.board_up, event.place: event.card})
    elif event.target == DEALER:
        after = replace(after, dealer_later=(*play.dealer_later, event.card))
    else:
        after = _hand(after, event.target, later=(*play.hands[event.target].later, event.card))
    hands = {spot: replace(hand, since=hand.since and now) for spot, hand in after.hands.items()}
    return replace(after, hands=hands)


def _shown(event: tell.HandShown, now: int) -> Shown:
    high, low = text_of(event.high), text_of((event.low,))
    return Shown(who=event.spot, at=now, cards=f"{high} {low}", high=high, low=low, hand=event.hand)


def _hand(play: Play, spot: int, **changes: Any) -> Play:
    return replace(play, hands={**play.hands, spot: replace(play.hands[spot], **changes)})


def _may_decide(play: Play, now: int) -> Play:
    """From when every hand has its cards its players may decide."""
    all_out = play.dealt if play.targets else play.dealer_dealt and all(hand.dealt for hand in play.hands.values())
    if not all_out:
        return play
    return replace(play, hands={spot: replace(hand, since=hand.since or now) for spot, hand in play.hands.items()})
