"""Why a wager came to what it did, in words: what the hand is, and what it met."""

from __future__ import annotations

from houseway.cards import NO_CARD
from houseway.games import Game
from houseway.games.model import Hand, Wager
from houseway.games.round import Round, Settlement, SpotSettlement, WagerResult
from houseway.games.settle import cards_of, hand_words, values_for


def reason(
    game: Game, played: Round, settlement: Settlement, spot: SpotSettlement, wager: str, result: WagerResult
) -> str:
    """The reason of one wager's result."""
    dealer, declared = settlement.dealer, game.wager(wager)
    if result.result == "taken_back" or declared is None:
        return "taken back"
    if result.result == "surrender":
        return "surrendered for one half"
    if settlement.winner:
        return _winning_side(game, played, settlement.winner)
    if spot.outcome == "fold" and result.result == "lose" and not game.stays(wager, played.options):
        return "folded"
    if spot.outcome == "foul" and wager in game.base:
        return "the hand fouls" if result.result == "lose" else declared.without_action or "the wager has no action"
    if declared.compares is not None and (later := _later_cards(game, declared, played, spot)):
        return later
    if not dealer.hand or (wager in played.tables and not declared.against_dealer):
        verb = {"win": "wins", "push": "comes back", "lose": "does not win"}[result.result]
        return f"{verb} on {declared.judged_on}" if declared.judged_on else f"{spot.hand} {verb}"
    if dealer.qualifies is False and result.result != "lose" and not declared.compared_always:
        return f"the dealer does not play: {dealer.hand}"
    verb = {"win": "beats", "lose": "loses to", "push": "against"}[result.result]
    return f"{spot.hand} {verb} {dealer.hand}"


def _later_cards(game: Game, wager: Wager, played: Round, spot: SpotSettlement) -> str:
    """The cards of a later deal that decide a wager: "War: nine beats five"; nothing where they were not dealt."""
    own_cards = next(player.cards for player in played.spots if player.number == spot.number)
    owners = {"spot": own_cards, "dealer": played.dealer, "table": played.board}
    zones = {zone.key: owners[zone.owner] for zone in game.zones}
    hands = [hand for name in wager.compares or () if isinstance(hand := game.value_of(name), Hand)]
    packets = [cards_of(hand, zones) for hand in hands]
    if any(card == NO_CARD for cards in packets for card in cards):
        return ""
    values = values_for(game, [hand.key for hand in hands], own_cards, played.dealer, played.board)
    mine, theirs = (values[hand.key] for hand in hands)
    verb = "equals" if mine == theirs else "beats" if mine > theirs else "loses to"
    own, other = (hand_words(game, hand.key, cards) for hand, cards in zip(hands, packets, strict=True))
    filled = {(zone, place) for hand in hands for zone, places in hand.places for place in places or ()}
    labels = [f"{deal.label}: " for deal in game.later_deals if filled.intersection(deal.to)]
    return f"{''.join(labels[:1])}{own} {verb} {other}"


def _winning_side(game: Game, played: Round, winner: str) -> str:
    """Which of the hands that all share won: "Banker wins with three cards, 7 to 5", or "a tie, 6 to 6"."""
    values = values_for(game, tuple(game.side_values.values()), (), (), played.board, played.options)
    points = {side: values[value] for side, value in game.side_values.items()}
    if winner not in points:
        return f"a tie, {' to '.join(map(str, points.values()))}"
    cards = [place for place in dict(game.board_parts)[winner] if played.board[place] != NO_CARD]
    third = " with three cards" if len(cards) > 2 else ""
    others = [value for side, value in points.items() if side != winner]
    return f"{winner.capitalize()} wins{third}, {' to '.join(map(str, (points[winner], *others)))}"
