"""Caribbean Stud Poker with its Bonus and Cover All (clauses CS, CSB, CSC; the progressive's hands, CSP)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import ClassVar, Final

from houseway.cards import ACE, KING, TEN, Card
from houseway.games import options as house
from houseway.games.model import (
    FOLD,
    PLAY,
    DealerSettlement,
    Decision,
    Game,
    Option,
    Outcome,
    Round,
    RuleLine,
    RuleSection,
    Settlement,
    Spot,
    SpotSettlement,
    Wager,
    WagerResult,
    settled,
    settled_by,
)
from houseway.games.rules import even_money, returned_to
from houseway.paytables import Schema
from houseway.ranking import five_card
from houseway.ranking.poker import CATEGORIES, HIGH_CARD, PAIR, category, first_rank
from houseway.rule import Ints, rule

ACE_KING: Final = HIGH_CARD << 20 | ACE << 16 | KING << 12
"""Below every hand that holds an ace and a king, above every other hand without a pair."""


@rule
def dealer_qualifies(dealer: int) -> bool:
    """CS-6: ace-king or better."""
    return dealer >= ACE_KING


@rule
def bet_for(ante: int) -> int:
    """CS-4: the Bet is exactly twice the Ante."""
    return 2 * ante


@rule
def ante_returned(player: int, dealer: int, ante: int) -> int:
    """CS-7, CS-8, CS-9: what the Ante of a hand that was not folded gives back."""
    if not dealer_qualifies(dealer) or player > dealer:
        return even_money(ante)
    if player == dealer:
        return ante
    return 0


@rule
def bet_returned(player: int, dealer: int, bet: int, num: Ints, den: Ints) -> int:
    """CS-7, CS-8, CS-9: what the Bet gives back; a winning one pays by the player's hand."""
    if not dealer_qualifies(dealer) or player == dealer:
        return bet
    if player > dealer:
        return returned_to(bet, category(player), num, den)
    return 0


@rule
def bonus_row(player: int) -> int:
    """CSB-2: a pair pays from tens up; a lower one stands with the hands that do not pay."""
    if category(player) == PAIR and first_rank(player) < TEN:
        return HIGH_CARD
    return category(player)


@rule
def bonus_returned(player: int, bonus: int, num: Ints, den: Ints) -> int:
    """CSB-2: what the Bonus gives back."""
    return returned_to(bonus, bonus_row(player), num, den)


@rule
def cover_all_returned(highest: int, cover_all: int, num: Ints, den: Ints) -> int:
    """CSC-2, CSC-3: what a Cover All gives back on the highest hand of the round, from that round's column."""
    return returned_to(cover_all, category(highest), num, den)


BET_HANDS: Final = CATEGORIES[:10]
BONUS_HANDS: Final = ("", "pair_of_tens_or_better", *CATEGORIES[2:10])
COVER_ALL_COLUMNS: Final = tuple(range(2, 9))
FIVE_CARD_PROGRESSIVE: Final = tuple(reversed(CATEGORIES[2:10]))


class CaribbeanStud(Game):
    """Five cards against the dealer's five, of which one is seen."""

    key = "caribbean-stud"
    title = "Caribbean Stud Poker"
    document = "000 (2023), 003 (2022)"
    player_cards = 5
    dealer_cards = 5
    dealer_face_up = (4,)
    most_spots = 7
    wagers = (
        Wager("ante", "Ante", "required"),
        Wager("bonus", "Caribbean Stud Bonus", "optional", needs="ante"),
        Wager("cover_all", "Cover All", "optional", needs="ante"),
        Wager("progressive", "Progressive", "optional", needs="ante"),
        Wager("bet", "Bet", "follows"),
    )
    table_wagers = ("bet", "bonus", "cover_all", "progressive")
    families = ("caribbean-stud", "five-card-link")
    schemas = (
        Schema("caribbean-stud", "bet", "odds", tuple(reversed(BET_HANDS)), every_hand=True),
        Schema("caribbean-stud", "bonus", "odds", tuple(reversed(BONUS_HANDS[1:]))),
        Schema("caribbean-stud", "cover_all", "columns", tuple(reversed(CATEGORIES[3:10])), COVER_ALL_COLUMNS),
        Schema("caribbean-stud", "progressive", "progressive", FIVE_CARD_PROGRESSIVE),
        Schema("five-card-link", "progressive", "progressive", FIVE_CARD_PROGRESSIVE),
    )
    reconcile = ("ante", "bet", "bonus", "progressive", "cover_all")
    options: ClassVar[tuple[Option, ...]] = (
        house.switch("folded_keeps_bonus", False, "A folded hand keeps its Bonus.", "CSB-A1"),
        house.switch(
            "cover_all_counts_folded",
            True,
            "Folded hands count towards the highest hand of the round.",
            "CSC-A2",
        ),
        house.choice(
            "cover_all_expose_from",
            ("three_of_a_kind", "straight"),
            "From which hand on the dealer leaves cards exposed for Cover All.",
            "CSC-A1",
            settles=False,
        ),
        *house.progressive_options(house.folded_qualifies("CSP-A1")),
    )

    def tables_needed(self, wagers: Collection[str]) -> tuple[str, ...]:
        return ("bet", *super().tables_needed(wagers))

    def settle(self, round_: Round) -> Settlement:
        dealer = five_card.value(*round_.dealer)
        players = [five_card.value(*spot.cards) for spot in round_.spots]
        counts_folded = round_.options["cover_all_counts_folded"]
        highest = dealer
        for player, spot in zip(players, round_.spots, strict=True):
            if player > highest and (counts_folded or not spot.decision.folded):
                highest = player
        return Settlement(
            DealerSettlement(five_card.name(dealer), CATEGORIES[category(dealer)], bool(dealer_qualifies(dealer))),
            tuple(
                self._settle_spot(round_, spot, player, dealer, highest)
                for player, spot in zip(players, round_.spots, strict=True)
            ),
        )

    def _settle_spot(self, round_: Round, spot: Spot, player: int, dealer: int, highest: int) -> SpotSettlement:
        made = spot.wagers
        ante = made["ante"]
        wagers: dict[str, WagerResult] = {}
        outcome: Outcome
        if spot.decision.folded:
            outcome = "fold"
            wagers["ante"] = settled(ante, 0)
        else:
            bet = bet_for(ante)
            num, den = round_.tables["bet"].schedule(BET_HANDS)
            wagers["ante"] = settled(ante, ante_returned(player, dealer, ante))
            wagers["bet"] = settled(bet, bet_returned(player, dealer, bet, num, den))
            outcome = wagers["ante"].result
        if "bonus" in made:
            kept = not spot.decision.folded or round_.options["folded_keeps_bonus"]
            wagers["bonus"] = settled_by(
                round_.tables["bonus"], BONUS_HANDS, bonus_returned, player, made["bonus"], kept=kept
            )
        if "cover_all" in made:
            wagers["cover_all"] = settled_by(
                round_.tables["cover_all"],
                CATEGORIES,
                cover_all_returned,
                highest,
                made["cover_all"],
                column=len(round_.spots) + 1,
            )
        key = CATEGORIES[category(player)]
        return SpotSettlement(spot.number, five_card.name(player), key, outcome, wagers, key, spot.decision.folded)

    def sample_decision(self, cards: Sequence[Card], face_up: Sequence[Card]) -> Decision:
        """Bet what would qualify as a dealer's hand."""
        return PLAY if five_card.value(*cards) >= ACE_KING else FOLD

    rule_card = (
        RuleSection(
            "The game",
            (
                RuleLine("One deck of 52 cards; five cards each, ranked as five-card poker.", ("CS-1",)),
                RuleLine("An Ante puts a spot in the round; Bonus, Cover All and Progressive may go beside it, all "
                         "before the deal.", ("CS-2", "CSB-1", "CSC-1")),
                RuleLine("Cards go to spot 1 first, then clockwise, to the dealer last. The bottom card of the dealer's "
                         "packet lies face up before anyone decides.", ("CS-3",)),
                RuleLine("Each spot folds, or makes a Bet of exactly twice its Ante.", ("CS-4",)),
                RuleLine("A fold loses the Ante.", ("CS-5",)),
                RuleLine("The dealer needs an ace and a king, or a pair or better.", ("CS-6",)),
                RuleLine("Without it every Ante in play wins 1 to 1 and every Bet comes back.", ("CS-7",)),
                RuleLine("With it the higher hand wins; a tie gives Ante and Bet back; a lower hand loses both.",
                         ("CS-8",)),
                RuleLine("A winning Ante pays 1 to 1, a winning Bet by the player's hand.", ("CS-9",)),
            ),
        ),
        RuleSection(
            "Caribbean Stud Bonus",
            (
                RuleLine("Placed before the cards are seen, with limits of its own.", ("CSB-1",)),
                RuleLine("A pair of tens or better in the player's own five cards wins.", ("CSB-2",)),
                RuleLine("Settled after Ante and Bet, before the progressive.", ("CSB-3",)),
            ),
        ),
        RuleSection(
            "Cover All",
            (
                RuleLine("Wins for every spot that bet it when the highest hand of the round, a player's or the "
                         "dealer's, is three of a kind or better.", ("CSC-2",)),
                RuleLine("The one highest hand pays, from the column for the number of hands dealt, the dealer's "
                         "included.", ("CSC-3",)),
                RuleLine("A spot that folded keeps its Cover All.", ("CSC-A4",), fixed=True),
            ),
        ),
        RuleSection(
            "Progressive",
            (
                RuleLine("Judged on the player's own five cards, even when the dealer does not qualify.",
                         ("CSP-1", "CS-10")),
                RuleLine("A table that states its wager takes exactly that wager.", ("CSP-2",)),
                RuleLine("Percentages and rows marked so come off the meter, the others from the tray.", ("CSP-3",)),
                RuleLine("CSTUD-15, CSTUD-16, 01, ML01 and ML03 pay envy; on 01, ML01 and ML03 it grows with the wager.",
                         ("CSP-4",)),
                RuleLine("ML01 and ML03 have several meters; a 100% award reseeds only its own.", ("CSP-5",)),
                RuleLine("CSTUD-16 pays as printed, the $1 table's fixed awards for a $5 wager.", ("CSP-A3",),
                         fixed=True),
            ),
        ),
    )  # fmt: skip


GAME: Final = CaribbeanStud()
