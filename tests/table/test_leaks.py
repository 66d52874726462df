"""No hand leaks: no view of anybody holds a card he may not have seen, in any field, at any time of a round.

Two ways. A view is searched for the text of every card its viewer may not see. And it must not depend on such cards at
all: with the unseen cards exchanged among their places, in hands, rack and undealt deck, the view is the same to the
byte. What may be seen is worked out here again, from the rules of the table and not from the program's view of it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final

import msgspec
import pytest
from msgspec.structs import replace
from tests.table.card_floor import GAMES, Evening, OnPaper, Staffed, TiltedShoe, floor_of

from houseway.cards import Card, read_cards, text_of
from houseway.games import all_games
from houseway.games.flow import DEALER
from houseway.manager.entry import Entry, row_of
from houseway.manager.store.base import Head
from houseway.ranking import five_card
from houseway.ranking.poker import CATEGORIES, category
from houseway.table.card_round import view as views
from houseway.table.card_round.decide import Felt
from houseway.table.card_round.events import DeckOpened
from houseway.table.card_round.state import Hand
from houseway.table.card_round.streets import face_up_places
from houseway.table.card_round.view import Who, view
from houseway.table.progressive_round.decide import Desk
from houseway.table.progressive_round.events import RoundClosed
from houseway.table.progressive_round.view import table_view

_ENCODER: Final = msgspec.json.Encoder()
_CARDS: Final = re.compile(r"(?<![A-Za-z0-9])(?:[2-9TJQKA][cdhs]|Jk)+(?![A-Za-z0-9])")
_CARD: Final = re.compile(r"[2-9TJQKA][cdhs]|Jk")
NUMBERS_OF_SPOTS: Final = frozenset(
    {"spots", "targets", "claims", "winners", "without", "players", "house_only", "places"}
)
"""Where a list of numbers is one of spots, or of places in a packet."""


# --------------------------------------------------------------------------------------------- what may be seen


def open_to(felt: Felt, who: Who) -> set[Card]:
    """The cards that somebody may have seen by now."""
    play = felt.play
    found: set[Card] = set()
    for spot, hand in play.hands.items():
        if may_see(felt, who, spot, hand):
            found |= set(hand.cards)
    found |= set(play.board_up.values())
    staff = who.kind in ("dealer", "surveillance")
    if play.revealed or (staff and not felt.is_virtual):
        return found | set(play.dealer)
    if play.dealer and all(hand.cards for hand in play.hands.values()):
        # CS-3: the dealer's fifth card lies face up once the cards are dealt; a street may turn more of them over.
        found |= {play.dealer[place] for place in face_up_places(felt.game, DEALER, play.streets)}
    return found


def may_see(felt: Felt, who: Who, spot: int, hand: Hand) -> bool:
    """Whether somebody may see the hand of a spot."""
    if who.kind == "player" and who.player == hand.player:
        return True
    staff = who.kind in ("dealer", "surveillance")
    if staff and (felt.play.revealed or not felt.is_virtual):
        return True
    if not felt.play.revealed:
        # FL-7: surveillance sees the verify display live.
        return who.kind == "surveillance" and any(one.who == spot for one in felt.play.shown)
    return not hand.folded or _kept_open(felt, spot, hand)


def _kept_open(felt: Felt, spot: int, hand: Hand) -> bool:
    """CS-10, CSC-A2: a folded hand that is spread face up, for the progressive or as one of the highest."""
    if felt.options.get("folded_qualifies") and felt.round.seen.get(spot):
        return True
    least = CATEGORIES.index("three_of_a_kind")
    return bool(felt.play.column) and category(five_card.value(*hand.cards)) >= least


# --------------------------------------------------------------------------------------------- how it is searched


def cards_in(text: str) -> set[Card]:
    """Every card that is written somewhere in a text, also where several are written together."""
    return set(read_cards(" ".join(_CARD.findall(" ".join(_CARDS.findall(text))))))


def exchanged(felt: Felt, who: Who, random: Random) -> Felt:
    """The same table with the cards that somebody may not have seen in other places, the undealt ones among them."""
    seen = open_to(felt, who)
    hidden = [card for card in felt.game.deck if card not in seen]
    other = dict(zip(hidden, random.sample(hidden, len(hidden)), strict=True))

    def moved(cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple(other.get(card, card) for card in cards)

    play = felt.play
    hands = {spot: _other_hand(felt, who, spot, hand, moved) for spot, hand in play.hands.items()}
    shown = tuple(
        one
        if one.who == 0 or may_see(felt, who, one.who, play.hands[one.who])
        else replace(one, cards=_other(one.cards, moved), high=_other(one.high, moved), low="", hand="another")
        for one in play.shown
    )
    changed = replace(play, hands=hands, dealer=moved(play.dealer), board=moved(play.board), shown=shown)
    return felt._replace(table=replace(felt.table, round=replace(felt.round, play=changed)))


def _other(text: str, moved: Callable[[tuple[Card, ...]], tuple[Card, ...]]) -> str:
    return text_of(moved(tuple(read_cards(text))))


def _other_hand(
    felt: Felt, who: Who, spot: int, hand: Hand, moved: Callable[[tuple[Card, ...]], tuple[Card, ...]]
) -> Hand:
    if may_see(felt, who, spot, hand):
        return hand
    actions = tuple(
        action if action.card is None else replace(action, card=moved((action.card,))[0]) for action in hand.actions
    )
    return replace(
        hand, cards=moved(hand.cards), actions=actions, name="another hand", outcome="another", set_by="another"
    )


def told(felt: Felt, who: Who) -> views.PlayView:
    """A view, less how many cards a spot of Straight Edge laid away face down: that lies on the layout (SE-5)."""
    made = view(felt, who)
    spots = tuple(replace(spot, discards="") if set(spot.discards) <= {"?", " "} else spot for spot in made.spots)
    return replace(made, spots=spots)


class Searcher:
    """Looks at every view after every command of a round."""

    def __init__(self, staffed: Staffed, random: Random, *, viewers: int = 99) -> None:
        self.staffed, self.random, self._viewers = staffed, random, viewers
        self.looked: Counter[str] = Counter()

    def after(self, entry: Entry) -> None:
        """After a command: what everybody sees, and what the journal holds."""
        felt = self.staffed.felt(entry.table)
        if not (felt.play.shuffled or felt.round.dealt) and self.random.random() < 0.9:
            return  # No card is anywhere yet.
        who = self.who(felt)
        for one in self.random.sample(who, min(len(who), self._viewers)):
            self.look(felt, one)
        if felt.play.shuffled and (entry.kind == "deal" or self.random.random() < 0.3):
            self.journal(entry, felt)
        if felt.link is not None and felt.is_virtual and not felt.play.revealed and self.random.random() < 0.1:
            self.console(felt)

    def who(self, felt: Felt) -> list[Who]:
        """Everybody who may look."""
        guests = self.staffed.state.guests
        names = {*felt.table.seats.values(), *(hand.player for hand in felt.play.hands.values()), "a stranger"}
        return [
            *(Who("player", name, guests[name].id if name in guests else 0) for name in sorted(names)),
            Who("dealer"),
            Who("surveillance"),
            Who("display"),
        ]

    def look(self, felt: Felt, who: Who) -> None:
        made = told(felt, who)
        text = _ENCODER.encode(made).decode()
        found = cards_in(text)
        assert found <= open_to(felt, who), (who, text_of(found - open_to(felt, who)), text)
        assert not felt.play.sealed or felt.play.sealed not in text
        self.looked["views"] += 1
        self.looked["cards"] += len(found)
        if self._spread(felt):
            return
        same = _ENCODER.encode(told(exchanged(felt, who, self.random), who)).decode()
        assert same == text, who
        self.looked["exchanged"] += 1

    @staticmethod
    def _spread(felt: Felt) -> bool:
        """CSC-5: which of the folded hands is kept face up depends on all of them."""
        return felt.play.revealed and bool(felt.play.column)

    def console(self, felt: Felt) -> None:
        """The console of the progressive shows no card, and nothing that follows from one before the reveal."""
        assert felt.link is not None
        text = _ENCODER.encode(table_view(Desk(felt.table, felt.link, felt.context))).decode()
        assert cards_in(text) == set()
        assert felt.round.seen == {}
        self.looked["consoles"] += 1

    def journal(self, entry: Entry, felt: Felt) -> None:
        """TR-10: before the deck is opened at the close, no card is in the journal, nor in what is kept, but what lies
        face up, what the verify display showed, and from the reveal on what was turned over."""
        if any(isinstance(event, DeckOpened) for event in entry.events):
            return
        play, kept = felt.play, self.staffed.state.tables[felt.table.id].round.play
        open_cards = {*kept.face_up, *kept.board_up.values(), *(read_cards(" ".join(one.cards for one in kept.shown)))}
        if play.revealed:
            open_cards |= {*play.dealer, *(card for hand in play.hands.values() for card in hand.cards)}
        for body in (row_of(entry, Head(entry.seq - 1, "")).body, _ENCODER.encode(kept).decode()):
            assert cards_in(body.replace(play.sealed, "")) <= open_cards
            assert set(numbers_in(msgspec.json.decode(body))) <= open_cards
        assert not any(hand.cards for hand in kept.hands.values())
        self.looked["journal"] += 1


def numbers_in(value: Any, key: str = "") -> Iterator[int]:
    """Every number that could be a card: those in lists, but for lists of spots, and single ones that stand for one."""
    if isinstance(value, dict):
        for name, one in value.items():
            yield from numbers_in(one, key if key in NUMBERS_OF_SPOTS else name)
    elif isinstance(value, list):
        for one in value:
            if isinstance(one, int) and key not in NUMBERS_OF_SPOTS:
                yield one
            elif not isinstance(one, int):
                yield from numbers_in(one, key)
    elif isinstance(value, int) and key in ("low", "set_low", "dealer_low", "card"):
        yield value


# --------------------------------------------------------------------------------------------- the rounds


def search(game: str, kind: str, rounds: int, seed: int, *, viewers: int = 99) -> Counter[str]:
    """Random rounds of one game, looked at after every command."""
    random = Random(f"{game} {kind} {seed}")
    looked: Counter[str] = Counter()
    for done in range(0, rounds, 25):
        config = floor_of(random, (kind,), (game,), without_link=0.2)
        staffed = Staffed(OnPaper(TiltedShoe(random, tilt=0.2), keep=False), config)
        searcher = Searcher(staffed, random, viewers=viewers)
        staffed.after_each = searcher.after
        evening = Evening(staffed, random)
        table = config.tables[0]
        for _ in range(min(25, rounds - done)):
            spots = random.sample(range(1, table.spots + 1), random.randint(1, min(4, table.spots)))
            dealt = evening.whole_round(table.id, spots)
            looked["rounds"] += sum(isinstance(event, RoundClosed) for event in dealt.entries[-1].events)
        looked += searcher.looked
    return looked


def looked_at(game: str) -> tuple[str, ...]:
    """What must have been looked at often; a console of its own has only a progressive."""
    return "cards", "exchanged", "journal", *(("consoles",) if all_games()[game].progressive is not None else ())


@pytest.mark.parametrize("game", GAMES)
def test_no_hand_leaks_from_virtual_rounds(game: str) -> None:
    """Somebody looks after every command, and sometimes everybody. The planted leaks below are found in 50 rounds."""
    looked = search(game, "virtual", 100, 1, viewers=1) + search(game, "virtual", 10, 2)
    assert looked["rounds"] == 110
    assert min(looked[what] for what in looked_at(game)) > 15, looked


@pytest.mark.parametrize("game", GAMES)
def test_no_hand_leaks_where_the_cards_are_entered(game: str) -> None:
    looked = search(game, "cards", 15, 3)
    assert looked["rounds"] == 15
    assert min(looked[what] for what in ("cards", "exchanged")) > 100, looked


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("game", GAMES)
def test_no_hand_leaks_for_very_long(game: str, seed: int) -> None:
    assert search(game, "virtual", 1_000, 100 + seed, viewers=2)["rounds"] == 1_000


# --------------------------------------------------------------------------------------------- planted leaks


def _open_dealer(felt: Felt, who: Who) -> str:
    return text_of(felt.play.dealer)


def _open_hands(felt: Felt, who: Who, hand: Hand) -> bool:
    return True


def _hint(felt: Felt, stage: str) -> str:
    """No card is named, but the prompt depends on one."""
    return "the dealer smiles" if felt.play.dealer and felt.play.dealer[0] % 13 > 6 else "the dealer frowns"


def _hand_itself(felt: Felt, who: Who, hand: Hand) -> str:
    return str(hand.cards)


@pytest.mark.parametrize(
    ("name", "leak"),
    [("_dealer", _open_dealer), ("_sees", _open_hands), ("prompt_of", _hint), ("_decided", _hand_itself)],
)
def test_a_planted_leak_is_found(monkeypatch: pytest.MonkeyPatch, name: str, leak: Any) -> None:
    assert callable(getattr(views, name))
    monkeypatch.setattr(views, name, leak)
    with pytest.raises(AssertionError):
        search(all_games()["caribbean-stud"].key, "virtual", 50, 5)
