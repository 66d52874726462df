"""Caribbean Stud Poker with its Bonus and Cover All (clauses CS, CSB, CSC; the progressive's hands, CSP)."""

from __future__ import annotations

from typing import Final

from houseway.cards import ACE, JACK, KING, QUEEN, TEN, rank_of
from houseway.games import five_card_link
from houseway.games import options as house
from houseway.games.model import (
    Choice,
    Decide,
    Game,
    Hand,
    Highest,
    Mode,
    RuleLine,
    RuleSection,
    Stake,
    Thumb,
    Wager,
    Zone,
)
from houseway.games.rules import always, even_money, returned_to
from houseway.paytables import Schema
from houseway.ranking import five_card
from houseway.ranking.poker import CATEGORIES, HIGH_CARD, PAIR, STRAIGHT, THREE_OF_A_KIND, category, first_rank
from houseway.ranking.ranking import by_rule
from houseway.rule import Ints, rule

ACE_KING: Final = HIGH_CARD << 20 | ACE << 16 | KING << 12
"""Below every hand that holds an ace and a king, above every other hand without a pair."""


@rule
def dealer_qualifies(dealer: int) -> bool:
    """CS-6: ace-king or better."""
    return dealer >= ACE_KING


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


@rule
def stays_exposed(player: int, cover_all_expose_from: int) -> bool:
    """CSC-A1: from three of a kind on, or from a straight on, as the house chooses."""
    if cover_all_expose_from == 0:
        return category(player) >= THREE_OF_A_KIND
    return category(player) >= STRAIGHT


@rule
def progressive_row(player: int) -> int:
    """CSP-1: the player's own five cards."""
    return category(player)


@rule
def would_qualify(player: int) -> bool:
    """A simple way to play: bet what would qualify as a dealer's hand."""
    return player >= ACE_KING


@rule
def pair_or_better(player: int) -> bool:
    return player >= PAIR << 20


@rule
def ace_king_432(player: int) -> bool:
    return player >= ACE_KING | 4 << 8 | 3 << 4 | 2


@rule
def ace_king_j83(player: int) -> bool:
    return player >= ACE_KING | JACK << 8 | 8 << 4 | 3


@rule
def ace_king_by_up_card(player: int, up: int) -> bool:
    """Pairs always, below ace-king never, ace-king by the dealer's up card.

    With ace-king, bet where the up card is a queen or lower and pairs one of yours; or is an ace or king and you hold a
    queen or jack; or pairs none of yours, is lower than your fourth highest card, and you hold a queen.
    """
    if player >= PAIR << 20:
        return True
    if player < ACE_KING:
        return False
    third = player >> 8 & 15
    fourth = player >> 4 & 15
    pairs_one = up >= KING or up in (third, fourth, player & 15)
    if up <= QUEEN and pairs_one:
        return True
    if up >= KING:
        return third >= JACK
    return not pairs_one and third == QUEEN and up < fourth


BET_HANDS: Final = CATEGORIES[:10]
BONUS_HANDS: Final = ("", "pair_of_tens_or_better", *CATEGORIES[2:10])
COVER_ALL_COLUMNS: Final = tuple(range(2, 9))
DECIDE: Final = "decide"


RULE_CARD: Final = (
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


GAME: Final = Game(
    key="caribbean-stud",
    title="Caribbean Stud Poker",
    short_title="Caribbean Stud",
    document="000 (2023), 003 (2022)",
    most_spots=7,
    zones=(Zone("hand", "spot", 5), Zone("dealers", "dealer", 5, shown=(4,))),
    values=(
        Hand("player", five_card.FIVE_CARDS, ("hand",)),
        Hand("dealer", five_card.FIVE_CARDS, ("dealers",)),
        Hand("up", by_rule(rank_of, 1), (("dealers", 4),)),
    ),
    highest=Highest("highest", "player", "dealer", "cover_all_counts_folded", stays_exposed),
    flow=(
        Decide(
            DECIDE,
            (Choice("fold", folds=True), Choice("play", stakes=(Stake("bet", of="ante", times=2),))),
            sample=would_qualify,
            left="fold",
        ),
    ),
    base=("ante", "bet"),
    wagers=(
        Wager("ante", "Ante", "required", ante_returned),
        Wager("bet", "Bet", "follows", bet_returned, hands=BET_HANDS, against_dealer=True),
        Wager(
            "bonus",
            "Caribbean Stud Bonus",
            "optional",
            bonus_returned,
            needs="ante",
            hands=BONUS_HANDS,
            after_fold="folded_keeps_bonus",
        ),
        Wager(
            "cover_all",
            "Cover All",
            "optional",
            cover_all_returned,
            needs="ante",
            hands=CATEGORIES,
            by_hands_dealt=True,
            after_fold="stays",
            judged_on="the highest hand at the table",
        ),
        Wager("progressive", "Progressive", "optional", needs="ante"),
    ),
    outcome="ante",
    qualifies=dealer_qualifies,
    progressive=five_card_link.five_cards(progressive_row),
    families=("caribbean-stud", five_card_link.FAMILY),
    schemas=(
        Schema("caribbean-stud", "bet", "odds", tuple(reversed(BET_HANDS)), every_hand=True),
        Schema("caribbean-stud", "bonus", "odds", tuple(reversed(BONUS_HANDS[1:]))),
        Schema("caribbean-stud", "cover_all", "columns", tuple(reversed(CATEGORIES[3:10])), COVER_ALL_COLUMNS),
        Schema("caribbean-stud", "progressive", "progressive", five_card_link.HANDS),
        five_card_link.SCHEMA,
    ),
    options=(
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
    ),
    reconcile=("ante", "bet", "bonus", "progressive", "cover_all"),
    later=(("cover_all",),),
    at_once=("ante", "bet"),
    at_once_words="pay every Ante 1 to 1 and give every Bet back",
    shuffler=(
        Mode("caribbean-stud", "Caribbean Stud Poker"),
        Mode(
            "caribbean-stud-cover-all",
            "Caribbean Stud Poker Cover All",
            ("i-deal-plus",),
            ("packets", "cover_all"),
        ),
    ),
    dealt_by_hand=True,
    call_does_not_play='"no hand"',
    fold_words="take the Ante, then spread and count the 5 cards and rack them",
    method=(
        "Every hand of the player is set against every up card, and against every dealer hand with that card: how many "
        "are lower, equal and higher is found by inclusion and exclusion over the cards already dealt. A hand is bet "
        "where that is worth more on average than the fold."
    ),
    thumbs=(
        Thumb("raise any pair or better", {DECIDE: pair_or_better}),
        Thumb("raise A-K-4-3-2 or better", {DECIDE: ace_king_432}),
        Thumb("raise A-K-J-8-3 or better", {DECIDE: ace_king_j83}),
        Thumb("the best that ignores the up card", blind_to="dealers"),
        Thumb(
            "ace-king by three rules on the up card",
            {DECIDE: ace_king_by_up_card},
            in_full="Raise with any pair or better. Fold anything below ace-king. With ace-king look at the dealer's up "
            "card and raise (1) when it is a queen or lower and you hold its rank; (2) when it is an ace or a king and "
            "you hold a queen or a jack; (3) when you hold a queen, do not hold its rank, and it is lower than your "
            "fourth highest card. Otherwise fold",
        ),
        Thumb("raise every hand", {DECIDE: always}),
    ),
    example_hands={
        "Royal flush": "As Ks Qs Js Ts",
        "Straight flush": "9h 8h 7h 6h 5h",
        "Four of a kind": "Kc Kd Kh Ks 4d",
        "Full house": "Jc Jd Jh 8s 8d",
        "Flush": "Ad Jd 8d 5d 2d",
    },
    rule_card=RULE_CARD,
)
