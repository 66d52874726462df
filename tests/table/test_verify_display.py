"""The verify display: what it may show, whom it waits for, and what it leaves on record."""

from __future__ import annotations

import random
from itertools import product
from typing import get_args

import msgspec
import pytest

from houseway.cards import DECK_53, Card, parse_cards, text_of
from houseway.games.round import HOUSE_WAY, Round, Spot
from houseway.games.six_card_pai_gow import GAME
from houseway.refusal import Refusal
from houseway.table import verify_display
from houseway.table.verify_display import DEALER, Display, Shown, Status, ask, hand_set, of_spots, show

STATUSES: tuple[Status, ...] = get_args(Status)
HANDS: list[tuple[Card, ...]] = [tuple(DECK_53[six * at] for at in range(6)) for six in range(1, 9)]
HAND = parse_cards("Ah Kd 9c 7s 4d 2c", 6)


def show_hand(display: Display, who: int, cards: tuple[Card, ...], at: int) -> tuple[Display, Shown]:
    return show(display, GAME, who, cards, at)


def rule_allows(spots: dict[int, Status], who: int) -> bool:
    """FL-6 and FL-20 once more, in the words of the clauses."""
    if who == DEALER:
        return all(status in ("set", "shown") for status in spots.values())
    if spots[who] != "asks":
        return False
    others = [status for spot, status in spots.items() if spot != who]
    higher = [status for spot, status in spots.items() if spot > who]
    return "setting" not in others and "asks" not in higher


def test_a_hand_is_shown_when_the_clauses_say_so_and_never_before() -> None:
    for statuses in product(STATUSES, repeat=4):
        check_who_may_be_shown(dict(zip((1, 3, 4, 6), statuses, strict=True)))


def check_who_may_be_shown(spots: dict[int, Status]) -> None:
    display = Display(spots=spots)
    for who in (DEALER, *spots):
        if rule_allows(spots, who):
            assert verify_display.missing(display, who) == (), spots
            _, shown = show_hand(display, who, HAND, 7)
            assert (shown.who, shown.at) == (who, 7)
        else:
            with pytest.raises(Refusal):
                show_hand(display, who, HAND, 7)
    allowed = [who for who in spots if rule_allows(spots, who)]
    turn = allowed or ([DEALER] if rule_allows(spots, DEALER) else [])
    assert verify_display.next_up(display) == (turn[0] if turn else None), spots
    assert len(allowed) <= 1, "two hands are never both next"


def test_the_refusal_says_who_is_missing() -> None:
    display = ask(hand_set(of_spots([1, 2, 4, 5]), 2), 4)
    with pytest.raises(Refusal, match=r"spot 4 is not shown yet: spots 1 and 5 have not set \(FL-6\)"):
        show_hand(display, 4, HAND, 1)
    with pytest.raises(Refusal, match=r"spots 1 and 5 have not set \(FL-6\); spot 4 has not been set the house way"):
        show_hand(display, DEALER, HAND, 1)
    assert verify_display.missing(display, 4) == (1, 5)
    assert verify_display.missing(display, DEALER) == (1, 4, 5)
    assert verify_display.screen(display).waits_for == (1, 5)


def test_two_who_ask_do_not_wait_for_each_other() -> None:
    display = ask(ask(of_spots([1, 2, 6]), 2), 6)
    assert verify_display.next_up(display) is None
    display = hand_set(display, 1)
    assert verify_display.asking(display) == (6, 2)
    with pytest.raises(Refusal, match=r"spot 6 asked too, and the highest spot is shown first \(FL-20\)"):
        show_hand(display, 2, HAND, 1)
    display, _ = show_hand(display, 6, HANDS[0], 10)
    with pytest.raises(Refusal, match="spot 2 has not been set the house way"):
        show_hand(display, DEALER, HAND, 11)
    display, _ = show_hand(display, 2, HANDS[1], 12)
    display, _ = show_hand(display, DEALER, HANDS[2], 13)
    assert [(one.who, one.at) for one in display.shown] == [(6, 10), (2, 12), (DEALER, 13)]
    assert display.dealer_shown


def test_everybody_who_asks_is_shown() -> None:
    display = of_spots(range(1, 7))
    for spot in range(1, 7):
        display = ask(display, spot)
    order = []
    while (who := verify_display.next_up(display)) is not None:
        display, _ = show_hand(display, who, HAND, len(order))
        order.append(who)
    assert order == [6, 5, 4, 3, 2, 1, DEALER]
    assert verify_display.screen(display).sentence == "the dealer's hand is shown already"


def test_nobody_is_shown_twice_and_nobody_unasked() -> None:
    display = hand_set(of_spots([1, 2]), 1)
    with pytest.raises(Refusal, match="spot 1 has not asked for the house way"):
        show_hand(display, 1, HAND, 1)
    with pytest.raises(Refusal, match="spot 2 has not asked for the house way"):
        show_hand(display, 2, HAND, 1)
    with pytest.raises(Refusal, match="spot 5 has no hand in this round; hands are at spots 1 and 2"):
        show_hand(display, 5, HAND, 1)
    display, _ = show_hand(ask(display, 2), 2, HAND, 1)
    with pytest.raises(Refusal, match="spot 2 is shown already"):
        show_hand(display, 2, HAND, 2)


def test_a_player_who_asked_may_still_set() -> None:
    display = hand_set(ask(of_spots([1]), 1), 1)
    assert display.spots == {1: "set"}
    for act in (ask, hand_set):
        with pytest.raises(Refusal, match="has set its hand already"):
            act(display, 1)
        with pytest.raises(Refusal, match="2 has no hand in this round; hands are at spot 1"):
            act(display, 2)


def test_without_players_the_dealer_waits_for_nobody() -> None:
    assert verify_display.next_up(of_spots([])) == DEALER


def test_it_shows_what_the_table_settles() -> None:
    for seed in range(200):
        check_display_against_settlement(random.Random(seed).sample(DECK_53, 12))


def check_display_against_settlement(cards: list[Card]) -> None:
    mine, dealers = tuple(cards[:6]), tuple(cards[6:])
    display = ask(of_spots([3]), 3)
    display, player = show_hand(display, 3, mine, 1)
    display, dealer = show_hand(display, DEALER, dealers, 2)
    settled = GAME.settle(Round(dealers, (Spot(3, mine, {"base": 500}, (HOUSE_WAY,)),), {}, GAME.defaults))
    for shown, setting in ((player, settled.spots[0].setting), (dealer, settled.dealer.setting)):
        assert setting is not None
        assert (shown.high, shown.low) == (text_of(setting[0]), text_of([setting[1]]))
    assert dealer.hand == settled.dealer.hand
    assert player.cards == text_of(mine)


def test_what_it_shows_is_on_record_and_surveillance_sees_it() -> None:
    display = ask(of_spots([2]), 2)
    assert verify_display.screen(display) == (None, 2, (), "spot 2 may be shown")
    display, shown = show_hand(display, 2, HAND, 1_700_000_000_000_000)
    assert shown.words == "spot 2: Ah 9c 7s 4d 2c and Kd, ace high"
    assert verify_display.screen(display).showing == shown == display.shown[-1]
    assert msgspec.json.decode(msgspec.json.encode(display), type=Display) == display


@pytest.mark.parametrize("cards", ["Ah Kd 9c 7s 4d", "Ah Kd 9c 7s 4d 4d"])
def test_it_reads_six_different_cards(cards: str) -> None:
    hand = tuple(parse_cards(text, 1)[0] for text in cards.split())
    with pytest.raises(Refusal, match="5 different cards; the display reads 6"):
        show_hand(ask(of_spots([2]), 2), 2, hand, 1)


def test_a_refused_showing_leaves_no_record() -> None:
    display = of_spots([1, 2])
    with pytest.raises(Refusal):
        show_hand(display, DEALER, HAND, 1)
    assert display == of_spots([1, 2])
