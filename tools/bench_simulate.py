"""Speed of the simulation, side by side in one run on one core. Exit code 1 when what is asked for is missed.

A round of Caribbean Stud is one spot against the dealer, ten cards, played by the best rule of thumb that is fixed
beforehand. Beside it stands a bare loop: ten cards off a deck that is never put in order again, by the cheapest
generator there is, and two hands looked up; it keeps no books, and no round of it can be dealt a second time. That is
the limit.

The others play what they have: none of them has a casino game against a dealer but blackjack. Each round of theirs is a
whole hand of heads-up hold'em that is checked and called to the showdown, or a hand of blackjack played at random.
All run one after another, many times over, and the best time of each counts: processor time, so that whatever else the
machine does at the moment hurts none of them.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from time import process_time
from typing import Any, Final

import numpy as np
from bench import Contender, Demand, race, show

from houseway.games import find_game
from houseway.proof.compiled import jit
from houseway.proof.executors import Engine
from houseway.proof.simulation.chunk import play_chunk
from houseway.proof.simulation.plan import Setup, plan_of
from houseway.proof.simulation.run import simulate
from houseway.proof.simulation.stream import deal
from houseway.ranking import arrays
from houseway.ranking.poker import value_of_five

ROUNDS: Final = 100_000
SLOW_ROUNDS: Final = 100
REPEATS: Final = 60
SLOW_REPEATS: Final = 5

ROUNDS_A_SECOND: Final = 5_000_000.0
OF_THE_LIMIT: Final = 0.4

WORKERS: Final = (1, 2, 4)
GROWTH_ROUNDS: Final = 100_000_000

BARE: Final = "a bare numba loop: shuffle ten cards, look up two hands"
OURS: Final = "houseway, Caribbean Stud, best rule of thumb"


@jit()
def _bare(rounds: Any, state: Any, words: Any, values: Any) -> Any:
    deck = np.arange(52)
    won = 0
    for _ in range(rounds):
        for place in range(10):
            state = state * 6364136223846793005 + 1442695040888963407
            other = place + ((state >> 32 & 0xFFFFFFFF) * (52 - place) >> 32)
            card = deck[other]
            deck[other] = deck[place]
            deck[place] = card
        player = value_of_five(deck[0], deck[1], deck[2], deck[3], deck[4], words, values)
        dealer = value_of_five(deck[5], deck[6], deck[7], deck[8], deck[9], words, values)
        won += player > dealer
    return won


def compiled_contenders() -> list[Contender]:
    """The bare loop, our deals alone, and our rounds, everything compiled beforehand."""
    tables = arrays.table_arrays("five_card")

    def played(game: str, **options: Any) -> Callable[[], object]:
        known = find_game(game)
        if known is None:
            raise SystemExit(f"{game} is not a game here")
        plan = plan_of(Setup(known, **options))
        return lambda: play_chunk(plan, 0, ROUNDS)

    return [
        Contender(BARE, lambda: _bare(ROUNDS, 1, *tables), ROUNDS),
        Contender("houseway, ten cards by seed and round", lambda: deal(1, range(ROUNDS), 52, 10), ROUNDS),
        Contender(OURS, played("caribbean-stud", strategy="three rules", wagers=("base",)), ROUNDS),
        Contender("houseway, Caribbean Stud, best play, every wager", played("caribbean-stud"), ROUNDS),
        Contender("houseway, Caribbean Stud, seven spots, every wager", played("caribbean-stud", spots=7), ROUNDS),
        Contender("houseway, Three Card Poker, every wager", played("three-card-poker"), ROUNDS),
        Contender("houseway, Straight Edge 1, every wager", played("straight-edge-1"), ROUNDS),
        Contender("houseway, 6 Card Pai Gow, house way, every wager",
                  played("six-card-pai-gow", strategy="house-way"), ROUNDS),
    ]  # fmt: skip


def other_contenders() -> Iterator[Contender]:
    """What other libraries play; one that is not installed is left out and said so."""
    for name, contender in (("pokerkit", pokerkit_holdem), ("pyspiel", open_spiel), ("rlcard", rlcard)):
        if find_spec(name) is None:
            print(f"{name} is not installed and left out")
        else:
            yield from contender()


def pokerkit_holdem() -> Iterator[Contender]:
    """Fixed-limit hold'em, two players who check and call."""
    kit: Any = import_module("pokerkit")

    def run() -> None:
        for _ in range(SLOW_ROUNDS):
            state = kit.FixedLimitTexasHoldem.create_state(tuple(kit.Automation), True, 0, (1, 2), 2, 4, (200, 200), 2)
            while state.status:
                state.check_or_call()

    yield Contender("PokerKit, heads-up hold'em to the showdown", run, SLOW_ROUNDS)


def open_spiel() -> Iterator[Contender]:
    """Limit hold'em of universal_poker, checked and called, and blackjack at random."""
    spiel: Any = import_module("pyspiel")
    source = random.Random(20240607)
    call = 1
    holdem = spiel.load_game(
        "universal_poker(betting=limit,numPlayers=2,numRounds=4,blind=1 2,firstPlayer=2 1 1 1,numSuits=4,numRanks=13,"
        "numHoleCards=2,numBoardCards=0 3 1 1,stack=200 200,raiseSize=2 2 4 4,maxRaises=3 4 4 4)"
    )
    blackjack = spiel.load_game("blackjack")

    def run(game: Any, choose: Callable[[list[int]], int]) -> Callable[[], None]:
        def rounds() -> None:
            for _ in range(SLOW_ROUNDS):
                state = game.new_initial_state()
                while not state.is_terminal():
                    actions = state.legal_actions()
                    state.apply_action(source.choice(actions) if state.is_chance_node() else choose(actions))

        return rounds

    yield Contender("OpenSpiel, heads-up hold'em to the showdown", run(holdem, lambda _: call), SLOW_ROUNDS)
    yield Contender("OpenSpiel, blackjack at random", run(blackjack, source.choice), SLOW_ROUNDS)


def rlcard() -> Iterator[Contender]:
    """Limit hold'em, checked and called, and blackjack at random."""
    cards: Any = import_module("rlcard")
    source = random.Random(20240607)

    def run(name: str, choose: Callable[[dict[str, Any]], int]) -> Callable[[], None]:
        game = cards.make(name, config={"seed": 7})

        def rounds() -> None:
            for _ in range(SLOW_ROUNDS):
                state, _ = game.reset()
                while not game.is_over():
                    state, _ = game.step(choose(state))

        return rounds

    def check_or_call(state: dict[str, Any]) -> int:
        legal = state["legal_actions"]
        return 3 if 3 in legal else 0

    def at_random(state: dict[str, Any]) -> int:
        return int(source.choice(list(state["legal_actions"])))

    yield Contender("RLCard, heads-up hold'em to the showdown", run("limit-holdem", check_or_call), SLOW_ROUNDS)
    yield Contender("RLCard, blackjack at random", run("blackjack", at_random), SLOW_ROUNDS)


def growth() -> None:
    """How many rounds a second one, two and four processes play, starting them included."""
    known = find_game("caribbean-stud")
    if known is None:
        raise SystemExit("caribbean-stud is not a game here")
    plan = plan_of(Setup(known, strategy="three rules", wagers=("base",)))
    rows = []
    for workers in WORKERS:
        before = os.times()
        seconds = simulate(plan, GROWTH_ROUNDS, Engine(workers=workers)).seconds
        after = os.times()
        spent = sum(after[:4]) - sum(before[:4])
        rows.append((str(workers), f"{seconds:.1f}", f"{GROWTH_ROUNDS / seconds:,.0f}", f"{spent:.1f}"))
    show(
        f"{GROWTH_ROUNDS:,} rounds of Caribbean Stud, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}",
        ("workers", "seconds", "rounds a second", "processor seconds"),
        rows,
    )


def main() -> int:
    """Print the tables and say whether what is asked for is reached."""
    ours = compiled_contenders()
    others = list(other_contenders())
    for contender in ours:
        contender.run()
    seconds = race(ours, REPEATS, process_time) | race(others, SLOW_REPEATS, process_time)
    limit = seconds[BARE]
    show(
        "Rounds on one core",
        ("", "rounds a second", "of the bare loop", "ours to one of theirs"),
        [
            (name, f"{1 / each:,.0f}", f"{limit / each:.2g}", f"{each / seconds[OURS]:,.1f}")
            for name, each in seconds.items()
        ],
    )
    growth()
    demands = [
        Demand("Caribbean Stud rounds a second on one core", ROUNDS_A_SECOND, 1 / seconds[OURS]),
        Demand("of the bare loop", OF_THE_LIMIT, limit / seconds[OURS]),
    ]
    print()
    for demand in demands:
        print(
            f"{demand.what}: {demand.reached:,.2f}, asked for {demand.least:,.2f}" + ("" if demand.met else "  MISSED")
        )
    return 0 if all(demand.met for demand in demands) else 1


if __name__ == "__main__":
    sys.exit(main())
