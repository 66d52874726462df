"""Casino War: one card against the dealer's, and a war where they are equal (clauses CW)."""

from __future__ import annotations

from typing import Final

from houseway.games import options as house
from houseway.games.model import (
    PUBLIC_RULES,
    Choice,
    Decide,
    DeckShoe,
    Derived,
    Game,
    Hand,
    LaterDeal,
    LiteratureFigure,
    RuleLine,
    RuleSection,
    Stake,
    Thumb,
    Wager,
    Zone,
)
from houseway.games.rules import LOSE, WIN, always, even_money, returned_to
from houseway.paytables import Schema
from houseway.ranking.points import SINGLE_CARD
from houseway.rule import Ints, rule

WAR: Final = "war"
WAR_CARDS: Final = ("war_player", "war_dealer")
TIE_HANDS: Final = ("", "tie")


@rule
def equal_cards(player: int, dealer: int) -> bool:
    """CW-4: whether a spot must choose between surrender and war."""
    return player == dealer


@rule
def war_is_won(war_player: int, war_dealer: int) -> bool:
    """CW-5: a higher or an equal card wins the war."""
    return war_player >= war_dealer


@rule
def bet_returned(player: int, dealer: int, war_player: int, war_dealer: int, bet: int) -> int:
    """CW-3, CW-5: what a Bet gives back that was not surrendered."""
    if player > dealer:
        return even_money(bet)
    if player < dealer:
        return 0
    return bet if war_is_won(war_player, war_dealer) else 0


@rule
def war_returned(war_player: int, war_dealer: int, war: int) -> int:
    """CW-5: what the War wager gives back."""
    return even_money(war) if war_is_won(war_player, war_dealer) else 0


@rule
def war_bonus_paid(war_player: int, war_dealer: int, bet: int, war_tie_bonus: int) -> int:
    """CW-6: what an equal card in the war pays beside the War wager."""
    return bet if war_tie_bonus and war_player == war_dealer else 0


@rule
def tie_returned(player: int, dealer: int, stake: int, num: Ints, den: Ints) -> int:
    """CW-7: what Tie gives back, by the first two cards alone."""
    return returned_to(stake, 1 if equal_cards(player, dealer) else 0, num, den)


@rule
def round_result(player: int, dealer: int, war_player: int, war_dealer: int) -> int:
    """Whether the spot won, in the war where there was one."""
    if player != dealer:
        return WIN if player > dealer else LOSE
    return WIN if war_is_won(war_player, war_dealer) else LOSE


@rule
def never() -> bool:
    """The first of two choices: to surrender."""
    return False


GAME = Game(
    key="casino-war",
    title="Casino War",
    document=PUBLIC_RULES,
    most_spots=7,
    shoe=DeckShoe("decks", penetration="penetration"),
    zones=(
        Zone("card", "spot", 1, shown=(0,), later=("war_card",)),
        Zone("dealers", "dealer", 1, shown=(0,), later=("war_dealer",)),
    ),
    values=(
        Hand("player", SINGLE_CARD, (("card", 0),)),
        Hand("dealer", SINGLE_CARD, (("dealers", 0),)),
        Hand("war_player", SINGLE_CARD, (("card", 1),)),
        Hand("war_dealer", SINGLE_CARD, (("dealers", 1),)),
        Derived("round_outcome", round_result),
    ),
    flow=(
        Decide(
            "equal",
            (
                Choice("surrender", "Surrender", surrenders="bet"),
                Choice(WAR, "Go to war", stakes=(Stake(WAR, of="bet"),)),
            ),
            sample=always,
            left="surrender",
            when=equal_cards,
            label="Equal cards",
        ),
        LaterDeal((("card", 1), ("dealers", 1)), "War", wager=WAR, burns=3),
    ),
    base=("bet", WAR, "war_bonus"),
    wagers=(
        Wager("bet", "Bet", "required", bet_returned, compares=WAR_CARDS),
        Wager(WAR, "War", "follows", war_returned, compares=WAR_CARDS),
        Wager("war_bonus", "War Bonus", "award", war_bonus_paid, of=WAR, compares=WAR_CARDS),
        Wager("tie", "Tie", "optional", tie_returned, needs="bet", hands=TIE_HANDS),
    ),
    outcome="round_outcome",
    families=("casino-war",),
    schemas=(Schema("casino-war", "tie", "odds", ("tie",)),),
    table_defaults={"tie": "10"},
    options=(
        house.one_of("decks", (6, 8), "How many decks are in the shoe.", "CW-1"),
        house.number("penetration", 50, 25, 90, "After how many percent of the shoe the cut card comes.", "CW-1"),
        house.switch(
            "war_tie_bonus", False, "An equal card in the war pays a further amount equal to the Bet.", "CW-6"
        ),
        house.DECISION_TIMEOUT,
    ),
    reconcile=("bet", WAR, "war_bonus", "tie"),
    dealt_by_hand=True,
    method=(
        "Cards are told apart by rank alone. Every pair of first cards, and after equal ones every pair of war cards, "
        "is weighed with the number of ways in which a full shoe deals it. The choice between surrender and war is the "
        "one that is worth more."
    ),
    thumbs=(
        Thumb("go to war on every tie", {"equal": always}, in_full="Go to war on every tie; never surrender"),
        Thumb("surrender every tie", {"equal": never}, in_full="Surrender every tie"),
    ),
    published=(
        LiteratureFigure("base", "standard", "2.88%"),
        LiteratureFigure("base", "standard", "2.33%", options=(("war_tie_bonus", True),)),
        LiteratureFigure("tie", "10", "18.65%"),
    ),
    example_hands={"Ace": "As", "Seven": "7h", "Deuce": "2c"},
    rule_card=(
        RuleSection(
            "The game",
            (
                RuleLine("A shoe of six or eight decks, shuffled again when the cut card comes out.", ("CW-1",)),
                RuleLine("A round begins only with enough cards in the shoe for all of it.", ("CW-1",)),
                RuleLine("A Bet is required, Tie is optional. One card each, face up; suits do not matter.", ("CW-2",)),
                RuleLine("The higher card wins: the Bet pays 1 to 1. A lower card loses it.", ("CW-3",)),
                RuleLine(
                    "Equal cards: surrender and lose half the Bet, rounded up to a cent, or go to war with a War wager "
                    "equal to the Bet.",
                    ("CW-4",),
                ),
            ),
        ),
        RuleSection(
            "War",
            (
                RuleLine(
                    "The dealer burns three cards, then deals one to the spot and one to the dealer. With a higher or "
                    "equal card War pays 1 to 1 and the Bet pushes; with a lower one both lose.",
                    ("CW-5",),
                ),
                RuleLine("The house may pay an equal card in the war a further amount equal to the Bet.", ("CW-6",)),
                RuleLine(
                    "Spots in war get their cards from the dealer's left; the dealer's one card counts against all.",
                    ("CW-8",),
                ),
            ),
        ),
        RuleSection(
            "Tie",
            (
                RuleLine("Tie pays 10 to 1 (or 11 to 1) when the first two cards are equal, else it loses.", ("CW-7",)),
                RuleLine("Figures are those of a freshly shuffled shoe.", ("CW-9",)),
            ),
        ),
    ),
)
