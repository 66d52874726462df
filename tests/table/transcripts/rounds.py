"""The example rounds: one whole round of every game at both consoles, and some that go wrong.

They are committed under examples/rounds and compared byte by byte. After a change of rules, words or notation

    python -m tests.table.transcripts.rounds

writes them anew; the difference is then there to be read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.table.transcripts.boards_and_shoes import BOARDS_AND_SHOES
from tests.table.transcripts.four_and_wild import FOUR_AND_WILD
from tests.table.transcripts.kit import MANAGER, SECOND, SUPERVISOR, PlayTable

from houseway.cards import parse_card
from houseway.games.round import FOLD, HOUSE_WAY, PLAY, Action
from houseway.manager.commands import UndoWin
from houseway.table.card_round import commands as play
from houseway.table.notation import RoundRecord, write_round
from houseway.table.progressive_round import commands as felt

EXAMPLES: Final = Path(__file__).parents[3] / "examples" / "rounds"


def caribbean_stud_touch(folder: Path) -> RoundRecord:
    """A royal flush takes the meter, everybody else has envy, one folds, two cover all."""
    table = PlayTable(folder, "caribbean-stud", "touch", progressive="CSTUD-15")
    table.stack({6: "Ah Kh Qh Jh Th", 4: "9c 9d 4s 4h 2c", 2: "7c 8d 2s 3h Jc", 0: "Ac Kd 8s 5h 3c"})
    return table.play(
        {
            2: {"ante": 1_000, "progressive": 100},
            4: {"ante": 2_500, "bonus": 500, "cover_all": 500, "progressive": 100},
            6: {"ante": 1_000, "cover_all": 500, "progressive": 100},
        },
        {2: FOLD, 4: PLAY, 6: PLAY},
    )


def caribbean_stud_keypad(folder: Path) -> RoundRecord:
    """Three meter wins in a round, paid from the dealer's right; the dealer has no hand."""
    table = PlayTable(folder, "caribbean-stud", "keypad", progressive="CSTUD-15")
    table.stack({5: "9s 8s 7s 6s 5s", 3: "Ad Kd Qd Jd Td", 1: "2h 5h 7h 9h Jh", 0: "Qc Js 8d 4c 2d"})
    bets = {spot: {"ante": 1_500, "bonus": 100, "progressive": 100} for spot in (1, 3, 5)}
    return table.play(bets, {1: PLAY, 3: PLAY, 5: PLAY})


def three_card_poker_touch(folder: Path) -> RoundRecord:
    """Ace, king and queen of spades: all of the meter, and envy."""
    table = PlayTable(folder, "three-card-poker", "touch", progressive="1")
    table.stack({5: "As Ks Qs", 3: "7h 7d 2c", 1: "2s 4d 9h", 0: "Qh 8c 3d"})
    return table.play(
        {
            1: {"ante": 1_000, "pair_plus": 500},
            3: {"ante": 1_000, "pair_plus": 500, "six_card_bonus": 500, "progressive": 100},
            5: {"ante": 1_000, "six_card_bonus": 500, "progressive": 100},
        },
        {1: FOLD, 3: PLAY, 5: PLAY},
    )


def three_card_poker_keypad(folder: Path) -> RoundRecord:
    """The dealer does not play; one spot has Pair Plus alone and nothing to decide."""
    table = PlayTable(folder, "three-card-poker", "keypad", progressive="1")
    table.stack({6: "Ad Kd Qd", 4: "5c 6c 7c", 2: "Tc Th 3s", 0: "Js 9d 4h"})
    return table.play(
        {
            2: {"pair_plus": 2_500},
            4: {"ante": 1_000, "pair_plus": 1_000, "progressive": 100},
            6: {"ante": 500, "six_card_bonus": 500, "progressive": 100},
        },
        {4: PLAY, 6: PLAY},
    )


def straight_edge_1_touch(folder: Path) -> RoundRecord:
    """Seven in a row that lose to seven higher ones: the whole meter, and envy."""
    table = PlayTable(folder, "straight-edge-1", "touch", progressive="TWBB-1")
    table.stack({4: "3c 4d 5h 6s 7c 8d 9h", 2: "2c 2d Ts Jh Kc Qd 3h", 0: "4s 5c 6d 7h 8s 9c Th 6c"})
    bets = {spot: {"ante": 1_000, "bonus": 500, "insurance": 500, "progressive": 100} for spot in (2, 4)}
    return table.play(bets, {2: PLAY, 4: PLAY})


def straight_edge_1_keypad(folder: Path) -> RoundRecord:
    """A fixed award, and a fold."""
    table = PlayTable(folder, "straight-edge-1", "keypad", progressive="TWBB-1")
    table.stack({3: "4c 5d 6h 7s 8c Kd Kh", 1: "2c 2d Th Ts Kc 5h 7h", 0: "Ac Ad 3s 4h 5c 9d Js 6c"})
    return table.play(
        {1: {"ante": 2_000, "progressive": 100}, 3: {"ante": 2_000, "bonus": 1_000, "progressive": 100}},
        {1: FOLD, 3: PLAY},
    )


def straight_edge_2_touch(folder: Path) -> RoundRecord:
    """Six in a row against the dealer's four."""
    table = PlayTable(folder, "straight-edge-2", "touch", progressive="TWBB-2")
    table.stack({6: "8c 9d Th Js Qc Kd 2h", 3: "3c 4d 5h 6s Jc Qd Qh", 0: "Ac 2d 3s 4h 9c 9s Jd"})
    return table.play(
        {
            3: {"ante": 1_000, "blind": 1_000, "four_plus": 500, "progressive": 100},
            6: {"ante": 1_000, "blind": 1_000, "four_plus": 500, "insurance": 500, "progressive": 100},
        },
        {3: PLAY, 6: PLAY},
    )


def straight_edge_2_keypad(folder: Path) -> RoundRecord:
    """A player leaves: his hand folds, his progressive wager stays; another loses with five in a row."""
    table = PlayTable(folder, "straight-edge-2", "keypad", progressive="TWBB-2")
    table.stack({5: "7c 8d 9h Ts Jc 2d 2h", 2: "3c 4d 8h 9s Jd Qc Ah", 0: "8s 9d Td Jh Qs Kd 3s"})
    table.bet(2, {"ante": 500, "blind": 500, "insurance": 500, "progressive": 100})
    table.bet(5, {"ante": 500, "blind": 500, "four_plus": 500, "progressive": 100})
    table.begin()
    table.by_dealer(play.Deal(table=table.id, packets=0))
    table.by_dealer(play.StandUp(table=table.id, spot=2))
    table.act(5, PLAY)
    return table.finish()


def six_card_pai_gow_touch(folder: Path) -> RoundRecord:
    """A hand set by its player and doubled, one set the house way, Fortune with envy, insurance, the progressive."""
    table = PlayTable(folder, "six-card-pai-gow", "touch", progressive="2", seed="six-card-pai-gow touch 8")
    hands = {5: "9c 9d 9h 9s Kd 2c", 3: "Ac Ad Jh Js 4c Qd", 1: "3c 5d 7h Ts Jc Kh", 0: "Qc Qh 8d 6s 4h 2d"}
    table.stack(hands)
    return table.play(
        {
            1: {"base": 1_000, "fortune": 500, "insurance": 500},
            3: {"base": 2_500, "fortune": 500, "progressive": 100},
            5: {"base": 2_500, "fortune": 500, "progressive": 100},
        },
        {1: HOUSE_WAY, 3: HOUSE_WAY, 5: Action("low", parse_card("Kd"), 2_500)},
    )


def six_card_pai_gow_keypad(folder: Path) -> RoundRecord:
    """Five aces with the joker take the meter; another hand fouls."""
    table = PlayTable(folder, "six-card-pai-gow", "keypad", progressive="2", seed="six-card-pai-gow keypad 3")
    table.stack({6: "Ac Ad Ah As Jk Kd", 2: "3c 5d 7h Ts Jc Kh", 0: "9h 8c 7d 6s 5h 2d"})
    return table.play(
        {
            2: {"base": 1_000, "fortune": 500, "progressive": 100},
            6: {"base": 1_000, "fortune": 500, "progressive": 100},
        },
        {2: Action("low", parse_card("Kh")), 6: Action("low", parse_card("Kd"), 1_000)},
    )


def no_hand_cards_touch(folder: Path) -> RoundRecord:
    """Real cards: a forfeit is collected before the reveal; without a dealer's hand every Ante goes back first."""
    table = PlayTable(folder, "straight-edge-2", "touch", kind="cards", progressive="TWBB-2", seed="no hand")
    for spot in (1, 3, 5):
        table.bet(spot, {"ante": 1_000, "blind": 1_000, "insurance": 500})
    table.begin()
    hands = {1: "2c 2d 4h 4s 6c 6d 8h", 3: "9c Td Jh Qs 3c 3d 5h", 5: "Ac Kd 7h 7s 5c 5d 3h", 0: "2h 2s 4c 4d 6h 6s 8c"}
    for spot, cards in hands.items():
        table.by_dealer(play.EnterCards(table=table.id, spot=spot, cards=cards))
    for spot, action in ((1, FOLD), (3, PLAY), (5, PLAY)):
        table.act(spot, action)
    return table.finish()


def void_touch(folder: Path) -> RoundRecord:
    """Real cards: a hand with the wrong number of them voids the round for everybody."""
    table = PlayTable(folder, "caribbean-stud", "touch", kind="cards", seed="void")
    for spot in (2, 5):
        table.bet(spot, {"ante": 1_000, "progressive": 100})
    table.begin()
    table.by_dealer(play.EnterCards(table=table.id, spot=2, cards="Qs Qd 7c 4h 2s"))
    table.do(SUPERVISOR, felt.VoidRound(table=table.id, cause="spot 5 was dealt four cards"))
    return table.record()


def void_keypad(folder: Path) -> RoundRecord:
    """The round is void after two packets; the deck is opened all the same."""
    table = PlayTable(folder, "six-card-pai-gow", "keypad", seed="void")
    for spot in (1, 6):
        table.bet(spot, {"base": 1_000, "progressive": 100})
    table.begin()
    table.by_dealer(play.Deal(table=table.id, packets=2))
    table.by_dealer(play.MalfunctionStep(table=table.id, step="failed", note='it says "no cards"'))
    table.by_dealer(play.MalfunctionStep(table=table.id, step="guide"))
    void = felt.VoidRound(table=table.id, cause="the shuffler stopped after two packets", malfunction=True)
    table.do(SUPERVISOR, void)
    return table.record()


def physical_cards_keypad(folder: Path) -> RoundRecord:
    """Real cards that the dealer enters; the count is corrected before the first of them."""
    table = PlayTable(folder, "three-card-poker", "keypad", kind="cards", options={"folded_wins_envy": False})
    table.bet(2, {"ante": 1_000, "progressive": 100})
    table.bet(4, {"ante": 1_000})
    table.begin()
    counted = felt.CorrectCount(table=table.id, spot=4, wagered=True, reason="the chip lay beside the sensor")
    table.do(SUPERVISOR, counted)
    for spot, cards in ((2, "Ts 9s 8s"), (4, "Kd Jd 4c"), (0, "Qd 6h 2c")):
        table.by_dealer(play.EnterCards(table=table.id, spot=spot, cards=cards))
    table.act(2, PLAY)
    table.act(4, FOLD)
    return table.finish()


def progressive_only_touch(folder: Path) -> RoundRecord:
    """Sensors, hand buttons and confirmation, nothing else; a claim is taken back, a win undone and named again."""
    table = PlayTable(folder, "caribbean-stud", "touch", kind="progressive", progressive="CSTUD-15")
    for spot in (1, 4, 6):
        table.by_dealer(felt.Light(table=table.id, spot=spot))
    table.by_dealer(felt.LockIn(table=table.id))
    table.by_dealer(felt.FirstCard(table=table.id))
    table.by_dealer(felt.Fold(table=table.id, spot=1))
    for spot, hand in ((4, "flush"), (4, "flush"), (6, "straight_flush")):
        table.by_dealer(felt.NameWin(table=table.id, spot=spot, hand=hand))
    table.confirm_all()
    win = table.state.round.wins[0].number
    undo = UndoWin(win=win, reason="malfunction", explanation="the wrong button")
    table.do(MANAGER, undo, second=SECOND)
    table.by_dealer(felt.NameWin(table=table.id, spot=6, hand="four_of_a_kind"))
    table.confirm_all()
    table.close()
    return table.record()


ROUNDS: Final[Mapping[str, Callable[[Path], RoundRecord]]] = {
    made.__name__.replace("_", "-"): made
    for made in (
        caribbean_stud_touch,
        caribbean_stud_keypad,
        three_card_poker_touch,
        three_card_poker_keypad,
        straight_edge_1_touch,
        straight_edge_1_keypad,
        straight_edge_2_touch,
        straight_edge_2_keypad,
        six_card_pai_gow_touch,
        six_card_pai_gow_keypad,
        no_hand_cards_touch,
        void_touch,
        void_keypad,
        physical_cards_keypad,
        progressive_only_touch,
        *FOUR_AND_WILD,
        *BOARDS_AND_SHOES,
    )
}
"""By the name of their file."""


def write_all() -> None:
    """Write every example anew."""
    EXAMPLES.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as folder:
        for name, make in ROUNDS.items():
            (EXAMPLES / f"{name}.round").write_text(write_round(make(Path(folder) / name)), "utf-8")


if __name__ == "__main__":
    write_all()
