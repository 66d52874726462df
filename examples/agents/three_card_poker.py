"""An agent that learns when to play at Three Card Poker, knowing nothing but cards, actions and rewards.

Monte Carlo with exploring starts: the agent sorts hands by their ranks and by whether they are of one suit, and
practises each kind, playing it against random dealers. As soon as the mean reward of playing is clearly above or below
that of folding, it has made up its mind about the kind and practises only the others. Nobody tells it what a flush is,
that queens matter, or that there is one hand from which on to play; that comes out.

    python examples/agents/three_card_poker.py
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from itertools import combinations_with_replacement
from typing import NamedTuple, TextIO

import gymnasium
import numpy as np
import numpy.typing as npt

from houseway.cards import RANK_NAMES, SUITS
from houseway.gym import environment_id

FOLD, PLAY = 0, 1
RANKS = range(2, 15)
TABLES = 20_000
DEALERS = 5
"""How many dealers each hand is played against before the agent looks at what it has learned."""
SURE = 4.5
"""How many standard errors a mean must lie away from the fold before the agent believes it."""
MOST_STEPS = 1_000


class Kind(NamedTuple):
    """Hands that the agent holds to be alike: their ranks, highest first, and whether they are of one suit."""

    ranks: tuple[int, int, int]
    suited: bool

    def __str__(self) -> str:
        return "-".join(RANK_NAMES[rank] for rank in self.ranks) + (" suited" if self.suited else "")


class Learned(NamedTuple):
    """What the agent knows in the end."""

    plays: dict[Kind, bool]
    worth: dict[Kind, float]
    """The mean reward of playing, in cents."""
    rounds: int
    undecided: tuple[Kind, ...]


def kinds() -> list[Kind]:
    """Every kind of hand that three cards of a deck can be."""
    made = []
    for low, middle, high in combinations_with_replacement(RANKS, 3):
        made.append(Kind((high, middle, low), False))
        if low < middle < high:
            made.append(Kind((high, middle, low), True))
    return made


def hands_of(kind: Kind) -> npt.NDArray[np.int64]:
    """Every hand of a kind, as card numbers."""
    suits = range(len(SUITS))
    found = {
        tuple(sorted(13 * suit + rank - 2 for rank, suit in zip(kind.ranks, chosen, strict=True)))
        for chosen in ((a, b, c) for a in suits for b in suits for c in suits)
        if (len(set(chosen)) == 1) == kind.suited
    }
    return np.array([hand for hand in sorted(found) if len(set(hand)) == len(hand)], dtype=np.int64)


def learn(seed: int = 0, told: Callable[[str], None] = lambda _line: None) -> Learned:
    """Practise until every kind of hand is decided, or too long."""
    env = gymnasium.make_vec(environment_id("three-card-poker"), num_envs=TABLES)
    source = np.random.default_rng(seed)
    every = kinds()
    hands = [hands_of(kind) for kind in every]
    count, total, square = (np.zeros(len(every)) for _ in range(3))
    fold = _fold_is_worth(env, seed)
    open_ = np.arange(len(every))
    rounds = TABLES
    always_play = np.full(TABLES, PLAY)
    for step in range(MOST_STEPS):
        practised = np.resize(open_, TABLES)
        cards = _chosen_hands(hands, practised, source)
        env.reset(options={"cards": cards})
        for _ in range(DEALERS):
            _, rewards, *_ = env.step(always_play)
            rounds += TABLES
            count += np.bincount(practised, minlength=len(every))
            total += np.bincount(practised, rewards, minlength=len(every))
            square += np.bincount(practised, np.square(rewards), minlength=len(every))
        mean = total / count
        error = np.sqrt((square / count - mean**2) / count)
        open_ = open_[np.abs(mean[open_] - fold) < SURE * error[open_]]
        if step % 10 == 0 or not len(open_):
            told(f"{rounds:>11,} rounds, {len(open_):>3} of {len(every)} kinds of hands open{_named(every, open_)}")
        if not len(open_):
            break
    env.close()
    mean = total / count
    return Learned(
        {kind: bool(mean[place] > fold) for place, kind in enumerate(every)},
        {kind: float(mean[place]) for place, kind in enumerate(every)},
        rounds,
        tuple(every[place] for place in open_),
    )


def _fold_is_worth(env: gymnasium.vector.VectorEnv, seed: int) -> float:
    env.reset(seed=seed)
    _, rewards, *_ = env.step(np.full(TABLES, FOLD))
    return float(rewards.mean())


def _chosen_hands(
    hands: Sequence[npt.NDArray[np.int64]], practised: npt.NDArray[np.int64], source: np.random.Generator
) -> npt.NDArray[np.int64]:
    """A random hand of every kind to be practised."""
    made = np.empty((len(practised), 3), dtype=np.int64)
    for kind in np.unique(practised):
        places = np.flatnonzero(practised == kind)
        made[places] = hands[kind][source.integers(len(hands[kind]), size=len(places))]
    return made


def _named(every: Sequence[Kind], open_: npt.NDArray[np.int64]) -> str:
    return f": {', '.join(str(every[place]) for place in open_)}" if 0 < len(open_) <= 4 else ""


def rule(learned: Learned) -> str:
    """What was learned, in a sentence: the lowest high-card hand that is played, if everything above it is too."""
    plain = [kind for kind in learned.plays if _is_high_card(kind)]
    ordered = sorted(plain, key=lambda kind: kind.ranks)
    played = [learned.plays[kind] for kind in ordered]
    lowest = played.index(True)
    others = all(plays for kind, plays in learned.plays.items() if not _is_high_card(kind))
    if not all(played[lowest:]) or not others:
        return "there is no one hand from which on to play"
    return f"play {ordered[lowest]} or better"


def _is_high_card(kind: Kind) -> bool:
    """Only for the words at the end: the kinds that are no more than their highest card."""
    high, middle, low = kind.ranks
    in_a_row = high - middle == middle - low == 1 or kind.ranks == (14, 3, 2)
    return high > middle > low and not kind.suited and not in_a_row


def main() -> None:
    """Learn, and say what."""
    parser = argparse.ArgumentParser(description="Learn when to play at Three Card Poker.")
    parser.add_argument("--seed", type=int, default=0)
    learned = learn(parser.parse_args().seed, lambda line: _write(sys.stderr, line))
    _write(sys.stdout, f"{rule(learned)}, after {learned.rounds:,} rounds")


def _write(stream: TextIO, line: str) -> None:
    stream.write(f"{line}\n")
    stream.flush()


if __name__ == "__main__":
    main()
