"""A second opinion on straight edge, written for it alone, before one solver counted every game.

Straight Edge Poker, both versions, counted: every player's hand against every dealer's hand beside it.

Suits never matter, so a hand is how many cards of each rank it holds: 49,205 such hands of seven cards, each with its
number of ways. How many dealer hands of every run stand against each of them is counted in two halves of the ranks, two
to seven and eight to ace: for either half, what a player holds of it decides how many ways a dealer has to hold a set
of its ranks with a number of cards. Many sets of a half come to the same whatever the other half holds; they are found
by comparing the run of every set of the thirteen ranks, and only what tells them apart is carried on. Joining two
halves is then a product of two small tables.

Runs and pays are asked of the rules, once for every set of ranks and every pair of runs. Nothing here is compiled: the
products are integer arithmetic of whole arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from houseway.cards import DECK_52, RANK_NAMES, RANK_PLURALS, Card, rank_of
from houseway.games import straight_edge as shared
from houseway.games import straight_edge_1 as one
from houseway.games import straight_edge_2 as two
from houseway.games.straight_edge import INSURANCE_HANDS, LENGTH_HANDS, PLAYER_CARDS
from houseway.paytables import PayTable
from houseway.proof.compiled import Progress, silent
from houseway.proof.distribution import Distribution, exact_wager, side_wager
from houseway.ranking import runs

Deck: TypeAlias = tuple[Card, ...]
Ints: TypeAlias = npt.NDArray[np.int64]
Flags: TypeAlias = npt.NDArray[np.bool_]
Version: TypeAlias = Literal[1, 2]

RANKS: Final = 13
LOWER: Final = 6
"""How many ranks the lower half has."""


# ------------------------------------------------------------------------------------------------ the side wagers


def ways_by_run(version: Version, deck: Deck = DECK_52, cards: int = PLAYER_CARDS) -> dict[int, int]:
    """In how many ways ``cards`` cards come whose longest run is worth a value, by value."""
    table = _run_of_sets(version)
    left = np.array([_ranks_in(deck)], np.int64)
    counts = np.zeros(int(table.max()) + 1, np.int64)
    np.add.at(counts, table, _ways_by_set(left, cards)[0, :, cards])
    return {value: count for value, count in enumerate(counts.tolist()) if count}


def on_length(
    version: Version, table: PayTable, deck: Deck = DECK_52, *, folded: Mapping[int, int] | None = None
) -> Distribution:
    """Bonus (version 1) or 4+ (version 2): a wager on the length of the player's own run (SE1-9, SE2-7).

    ``folded`` counts, by run, the hands with which the wager is lost because they are folded (SE1-A1, SE2-A2).
    """
    num, den = table.schedule(LENGTH_HANDS)
    return _own_run(version, deck, folded, lambda run, wager: shared.length_returned(run, wager, num, den), den)


def insurance(
    version: Version, table: PayTable, deck: Deck = DECK_52, *, folded: Mapping[int, int] | None = None
) -> Distribution:
    """Insurance (SE-3); ``folded`` as for ``on_length``, where the house does not let it survive a fold (SE2-A2)."""
    num, den = table.schedule(INSURANCE_HANDS)
    return _own_run(version, deck, folded, lambda run, wager: shared.insurance_returned(run, wager, num, den), den)


def _own_run(
    version: Version,
    deck: Deck,
    folded: Mapping[int, int] | None,
    returned: Callable[[int, int], int],
    den: Sequence[int],
) -> Distribution:
    lost = folded or {}
    cases = {}
    for run, count in ways_by_run(version, deck).items():
        cases[run, True] = count - lost.get(run, 0)
        cases[run, False] = lost.get(run, 0)
    return side_wager(cases, lambda case, wager: returned(case[0], wager) if case[1] else 0, den)


# ------------------------------------------------------------------------------------------------ the base game


@dataclass(frozen=True, slots=True)
class RunClass:
    """The player's hands with one run, and what playing them is worth per unit of Ante: the other cards matter too."""

    run: int
    ways: int
    played: int
    """How many of the ways are worth playing."""
    least: Fraction
    average: Fraction
    most: Fraction


@dataclass(frozen=True, slots=True)
class Holding:
    """Part of a rule of thumb: hands with one run are played by how many cards of one or two ranks they hold."""

    run: int
    ranks: tuple[int, ...]
    least: int
    """Played from this many cards on …"""
    fewer: bool
    """… or, where this is set, with fewer."""

    def __str__(self) -> str:
        if self.least == 1:
            return ("no " if self.fewer else "any ") + " or ".join(RANK_NAMES[rank] for rank in self.ranks)
        held = " and ".join(RANK_PLURALS[rank] for rank in self.ranks)
        return f"fewer than {self.least} {held}" if self.fewer else f"at least {self.least} {held}"


@dataclass(frozen=True, slots=True)
class RuleOfThumb:
    """Play from a run on, and by what they hold the hands with some run at the border."""

    least: int
    holdings: tuple[Holding, ...]
    cost: Fraction
    """Against the best decision for every hand, per unit of Ante."""
    play_frequency: Fraction

    def __str__(self) -> str:
        words = [f"play a {runs.name(self.least)} or better"]
        for holding in self.holdings:
            but, only = ("but", "only with") if holding.run >= self.least else ("and", "with")
            words.append(f"{but} a {runs.name(holding.run)} {only} {holding}")
        return ", ".join(words)


@dataclass(frozen=True, slots=True, eq=False)
class BaseGame:
    """Ante and what follows it, under the best decision for every hand or under a given one."""

    version: Version
    distribution: Distribution
    """Per unit of Ante; in version 2 the Blind counts as wagered. A hit is a round that the player wins."""
    play_frequency: Fraction
    fold: Fraction
    """What folding is worth, per unit of Ante."""
    pairs: Mapping[tuple[int, int], int]
    """In how many ways player and dealer hold two runs."""
    played_pairs: Mapping[tuple[int, int], int]
    """The same of the hands that are played."""
    classes: tuple[RunClass, ...]
    """By falling run."""
    held: Ints
    """A row for each hand: how many cards of every rank, two to ace."""
    ways: Ints
    run: Ints
    played: Flags
    gain: Ints
    """By hand: the sum over the dealer's hands of what playing brings more than folding, in parts of the Ante."""

    def folded(self) -> dict[int, int]:
        """In how many ways a hand with a run is folded, by run."""
        return {hands.run: int(self.ways[(self.run == hands.run) & ~self.played].sum()) for hands in self.classes}

    def bad_beats(self, *, folded_qualify: bool = False) -> dict[int, int]:
        """The ways of every row of the Two Way Bad Beat (SEB-1, SEB-2), out of ``distribution.total``.

        A folded hand is not eligible (SEB-A1) unless the house says otherwise.
        """
        ways: dict[int, int] = {}
        for (player, dealer), count in (self.pairs if folded_qualify else self.played_pairs).items():
            row = shared.bad_beat_row(player, dealer)
            if row:
                ways[row] = ways.get(row, 0) + count
        return dict(sorted(ways.items(), reverse=True))

    def rules_of_thumb(self) -> list[RuleOfThumb]:
        """Rules that a person can keep in mind, the cheapest first: from a run on, and the best of these refined."""
        simple = [self._rule(hands.run) for hands in self.classes]
        best = min(simple, key=lambda rule: rule.cost)
        refined = best
        for hands in self.classes:
            holding = self._holding(hands, hands.run >= best.least)
            if holding:
                rule = self._rule(best.least, (*refined.holdings, holding))
                # A refinement that hardly pays is not worth remembering.
                if 20 * (refined.cost - rule.cost) > best.cost:
                    refined = rule
        return sorted({*simple, refined}, key=lambda rule: (rule.cost, len(rule.holdings)))

    def _rule(self, least: int, holdings: tuple[Holding, ...] = ()) -> RuleOfThumb:
        played = self.run >= least
        for holding in holdings:
            count = self.held[:, [rank - 2 for rank in holding.ranks]].sum(axis=1)
            fits = count < holding.least if holding.fewer else count >= holding.least
            played = np.where(self.run == holding.run, fits, played)
        lost = np.maximum(self.gain, 0) - np.where(played, self.gain, 0)
        cost = Fraction(_dot(lost, self.ways), self.distribution.total * self.distribution.unit)
        return RuleOfThumb(least, holdings, cost, Fraction(int(self.ways[played].sum()), int(self.ways.sum())))

    def _holding(self, hands: RunClass, played: bool) -> Holding | None:
        """How hands with one run are best told apart, by two ranks only where one does much worse; None where not."""
        if not 0 < hands.played < hands.ways:
            return None
        here = self.run == hands.run
        held, gain = self.held[here], self.gain[here] * self.ways[here]
        otherwise = int(gain.sum()) if played else 0
        bests: list[tuple[int, Holding]] = []
        for size in (1, 2):
            found = []
            for ranks in combinations(range(2, 2 + RANKS), size):
                count = held[:, [rank - 2 for rank in ranks]].sum(axis=1)
                for least in range(1, int(count.max()) + 1):
                    enough = int(gain[count >= least].sum())
                    found.append((enough - otherwise, Holding(hands.run, ranks, least, False)))
                    found.append((int(gain.sum()) - enough - otherwise, Holding(hands.run, ranks, least, True)))
            bests.append(max(found, key=lambda made: made[0]))
        (by_one, one_rank), (by_two, two_ranks) = bests
        if max(by_one, by_two) <= 0:
            return None
        return one_rank if 10 * by_two < 11 * by_one else two_ranks


def base_game(
    version: Version,
    table: PayTable,
    blind_on_margin_zero: str = "push",
    *,
    decide: Callable[[int], bool] | None = None,
    deck: Deck = DECK_52,
    progress: Progress | None = None,
) -> BaseGame:
    """The base game under the best decision for every hand. ``table`` pays Play (version 1) or Blind (version 2).

    ``decide`` says by a hand's run whether it is played; without it every hand is played that is worth it.
    """
    told = progress or silent
    what = f"straight edge {version}"
    told(what, 0.0)
    dealt = _dealt(version, tuple(sorted(deck)))
    told(what, 0.9)
    stakes = _Stakes(version, table, blind_on_margin_zero)
    players, player = np.unique(dealt.run, return_inverse=True)
    nets = np.array([[stakes.net(p, d) for d in dealt.dealer_runs.tolist()] for p in players.tolist()], np.int64)
    against = comb(len(deck) - PLAYER_CARDS, _dealer_cards(version))
    gain = (dealt.against * nets[player]).sum(axis=1) + stakes.before * against
    played: Flags = np.array([decide(run) for run in dealt.run.tolist()], bool) if decide else gain > 0

    total = int(dealt.ways.sum()) * against
    ways: dict[int, int] = {}
    pairs: dict[tuple[int, int], int] = {}
    played_pairs: dict[tuple[int, int], int] = {}
    hits = 0
    for place, (run, here) in enumerate(zip(players.tolist(), _groups(player, len(players)), strict=True)):
        weighted = dealt.against[here] * dealt.ways[here, None]
        every, some = weighted.sum(axis=0).tolist(), weighted[played[here]].sum(axis=0).tolist()
        for dealer, net, all_ways, played_ways in zip(
            dealt.dealer_runs.tolist(), nets[place].tolist(), every, some, strict=True
        ):
            if all_ways:
                pairs[run, dealer] = all_ways
            if played_ways:
                played_pairs[run, dealer] = played_ways
                ways[net] = ways.get(net, 0) + played_ways
                hits += played_ways if net > 0 else 0
    played_total = sum(played_pairs.values())
    ways[-stakes.before] = ways.get(-stakes.before, 0) + total - played_total
    frequency = Fraction(played_total, total)
    wagered = (stakes.before + frequency * stakes.play) / stakes.ante
    told(what, 1.0)
    return BaseGame(
        *(version, Distribution(stakes.ante, ways, total, hits, wagered), frequency),
        *(Fraction(-stakes.before, stakes.ante), pairs, played_pairs),
        _classes(players.tolist(), player, dealt.ways, gain, stakes, against),
        *(dealt.held, dealt.ways, dealt.run),
        *(played, gain),
    )


def advise(
    version: Version,
    cards: Sequence[Card],
    table: PayTable,
    blind_on_margin_zero: str = "push",
    deck: Deck = DECK_52,
) -> dict[str, Fraction]:
    """The average net result of each choice with these cards, per unit of Ante."""
    if len(set(cards)) != PLAYER_CARDS or not set(cards) <= set(deck):
        raise ValueError("seven different cards of the deck")
    stakes = _Stakes(version, table, blind_on_margin_zero)
    run = _rule_of(version)(runs.ranks_of(cards, PLAYER_CARDS))
    rest = tuple(card for card in deck if card not in cards)
    dealers = ways_by_run(version, rest, _dealer_cards(version))
    net = sum(count * stakes.net(run, dealer) for dealer, count in dealers.items())
    return {
        "play": Fraction(net, sum(dealers.values()) * stakes.ante),
        "fold": Fraction(-stakes.before, stakes.ante),
    }


class _Stakes:
    """What is wagered, and what playing comes to, on an Ante on which no pay is rounded."""

    def __init__(self, version: Version, table: PayTable, blind_on_margin_zero: str) -> None:
        self._version = version
        self._num, self._den = table.schedule(LENGTH_HANDS)
        self._zero = two.MARGIN_ZERO.index(blind_on_margin_zero)
        self.ante = exact_wager(self._den)
        self.before = self.ante if version == 1 else 2 * self.ante
        """Wagered before the decision, and lost by a fold."""
        self.play = self.ante if version == 1 else 2 * self.ante

    def net(self, player: int, dealer: int) -> int:
        if self._version == 1:
            returned = one.ante_returned(player, dealer, self.ante) + one.play_returned(
                player, dealer, self.play, self._num, self._den
            )
        else:
            returned = (
                two.ante_returned(player, dealer, self.ante)
                + two.play_returned(player, dealer, self.play)
                + two.blind_returned(player, dealer, self.ante, self._zero, self._num, self._den)
            )
        return returned - self.before - self.play


def _classes(
    values: Sequence[int], player: Ints, ways: Ints, gain: Ints, stakes: _Stakes, against: int
) -> tuple[RunClass, ...]:
    def worth(sum_: int, hands: int = 1) -> Fraction:
        return Fraction(sum_ - stakes.before * against * hands, stakes.ante * against * hands)

    made = []
    for run, here in zip(values, _groups(player, len(values)), strict=True):
        gains, counts = gain[here], ways[here]
        hands = int(counts.sum())
        made.append(
            RunClass(
                *(run, hands, int(counts[gains > 0].sum()), worth(int(gains.min()))),
                *(worth(_dot(gains, counts), hands), worth(int(gains.max()))),
            )
        )
    return tuple(reversed(made))


def _groups(keys: Ints, size: int) -> Iterator[Ints]:
    """Where each key from 0 on stands."""
    order = np.argsort(keys, kind="stable")
    ends = np.searchsorted(keys[order], np.arange(size + 1))
    for key in range(size):
        yield order[ends[key] : ends[key + 1]]


def _dot(a: Ints, b: Ints) -> int:
    """The sum of products that together may be too large for an array's integers."""
    return sum((int(part) for part in (a * b).tolist()), 0)


# ------------------------------------------------------------------------------------------------ the count


@dataclass(frozen=True, slots=True, eq=False)
class _Dealt:
    """Every hand of the player by its ranks, and the dealer hands beside it."""

    held: Ints
    ways: Ints
    run: Ints
    dealer_runs: Ints
    against: Ints
    """A row for each hand: how many dealer hands have every one of ``dealer_runs``."""


@dataclass(frozen=True, slots=True, eq=False)
class _Half:
    """What a player may hold of half the ranks, and what that leaves a dealer."""

    held: Ints
    cards: Ints
    ways: Ints
    ranks: Ints
    """The set of the ranks held, as bits."""
    dealer: Ints
    """By holding, kind of set and number of cards: the ways a dealer has."""


@lru_cache(maxsize=2)
def _dealt(version: Version, deck: Deck) -> _Dealt:
    in_deck = _ranks_in(deck)
    dealt = _dealer_cards(version)
    table = _run_of_sets(version).reshape(1 << RANKS - LOWER, 1 << LOWER)
    lower_kinds, lower_kind = np.unique(table, axis=1, return_inverse=True)
    upper_kinds, upper_kind = np.unique(table, axis=0, return_inverse=True)
    firsts = np.unique(upper_kind.ravel(), return_index=True)[1]
    run_of_kinds = lower_kinds[firsts]
    lower = _half(in_deck[:LOWER], dealt, lower_kind.ravel(), lower_kinds.shape[1])
    upper = _half(in_deck[LOWER:], dealt, upper_kind.ravel(), len(upper_kinds))

    dealer_runs = np.array(sorted(ways_by_run(version, deck, dealt)), np.int64)
    parts = []
    for cards in range(PLAYER_CARDS + 1):
        low, up = np.flatnonzero(lower.cards == cards), np.flatnonzero(upper.cards == PLAYER_CARDS - cards)
        if len(low) and len(up):
            against = _joined(lower.dealer[low], upper.dealer[up], run_of_kinds, dealer_runs)
            pairs = np.repeat(low, len(up)), np.tile(up, len(low))
            parts.append((*pairs, against))
    low, up, against = (np.concatenate(part) for part in zip(*parts, strict=True))
    return _Dealt(
        np.concatenate((lower.held[low], upper.held[up]), axis=1),
        lower.ways[low] * upper.ways[up],
        table[upper.ranks[up], lower.ranks[low]],
        dealer_runs,
        against,
    )


def _joined(lower: Ints, upper: Ints, run_of_kinds: Ints, dealer_runs: Ints) -> Ints:
    """For every pair of holdings, the lower running slower: the dealer hands of each run, from both halves' ways."""
    upper = upper[:, :, ::-1]
    against = np.empty((len(lower), len(upper), len(dealer_runs)), np.int64)
    for place, run in enumerate(dealer_runs.tolist()):
        kinds = [kind for kind in range(len(run_of_kinds)) if run in run_of_kinds[kind]]
        left = [lower[:, run_of_kinds[kind] == run].sum(axis=1) for kind in kinds]
        # The dealer's cards of the lower half rise along the columns as those of the upper half fall.
        against[:, :, place] = np.concatenate(left, axis=1) @ upper[:, kinds].reshape(len(upper), -1).T
    return against.reshape(-1, len(dealer_runs))


def _half(in_deck: Sequence[int], dealt: int, kind: Ints, kinds: int) -> _Half:
    held = np.indices([count + 1 for count in in_deck]).reshape(len(in_deck), -1).T.astype(np.int64)
    held = held[held.sum(axis=1) <= PLAYER_CARDS]
    choose = np.array([[comb(n, k) for k in range(5)] for n in range(5)], np.int64)
    dealer = np.zeros((len(held), kinds, dealt + 1), np.int64)
    by_set = _ways_by_set(np.array(in_deck) - held, dealt)
    for ranks in range(len(kind)):
        dealer[:, kind[ranks]] += by_set[:, ranks]
    return _Half(
        held,
        held.sum(axis=1),
        choose[np.array(in_deck), held].prod(axis=1),
        ((held > 0) << np.arange(len(in_deck))).sum(axis=1),
        dealer,
    )


def _ways_by_set(left: Ints, most: int) -> Ints:
    """In how many ways a dealer holds exactly a set of ranks with a number of cards, where ``left`` of each are left.

    The axes: a row of ``left``, the set of ranks as bits, the number of cards up to ``most``.
    """
    ways = np.zeros((len(left), 1, most + 1), np.int64)
    ways[:, 0, 0] = 1
    for rank in range(left.shape[1]):
        holding = np.zeros_like(ways)
        for cards in range(1, min(most, int(left[:, rank].max())) + 1):
            choices = np.array([comb(count, cards) for count in left[:, rank].tolist()], np.int64)
            holding[:, :, cards:] += ways[:, :, : most + 1 - cards] * choices[:, None, None]
        ways = np.concatenate((ways, holding), axis=1)
    return ways


def _run_of_sets(version: Version) -> Ints:
    """The run of every set of ranks, by the rule."""
    rule = _rule_of(version)
    return np.array([rule(ranks) for ranks in range(1 << RANKS)], np.int64)


def _rule_of(version: Version) -> Callable[[int], int]:
    return runs.wrapping_run if version == 1 else runs.straight_run


def _dealer_cards(version: Version) -> int:
    return one.GAME.dealer_cards if version == 1 else two.GAME.dealer_cards


def _ranks_in(deck: Deck) -> list[int]:
    """How many cards of each rank, two to ace."""
    if len(set(deck)) != len(deck) or any(not 0 <= card < len(DECK_52) for card in deck):
        raise ValueError("a deck is a set of different cards without a joker")
    counts = [0] * RANKS
    for card in deck:
        counts[rank_of(card) - 2] += 1
    return counts
