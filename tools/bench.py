"""Speed, side by side in one run: `make bench`. Exit code 1 when a required ratio is missed.

Every contender runs on the same hands in the same loop, one after another, several times over, and the best time of
each counts: a busy machine hurts all of them alike. Everything here uses one core.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import Any

HANDS = 20_000
SLOW_HANDS = 1_000
COLUMN = 300_000
ROUNDS = 20_000
RANKING_REPEATS = 40
START_REPEATS = 9
PROCESS_REPEATS = 5

ONE_HAND = 0.5
ARRAY_DOOR = 80.0
ROUNDS_A_SECOND = 5_000.0

IMPORT_SECONDS = 0.15
HELP_SECONDS = 0.4

HOUSEWAY = (sys.executable, "-m", "houseway.cli")


@dataclass(frozen=True, slots=True)
class Contender:
    """Something to time: what it is called, what one run does, and how many pieces of work that is."""

    name: str
    run: Callable[[], object]
    pieces: int = 1


@dataclass(frozen=True, slots=True)
class Demand:
    """A figure that must be reached."""

    what: str
    least: float
    reached: float

    @property
    def met(self) -> bool:
        return self.reached >= self.least


def race(contenders: Sequence[Contender], repeats: int, clock: Callable[[], float] = perf_counter) -> dict[str, float]:
    """The best time of each for one piece of work, in seconds; every round runs all of them once."""
    best: dict[str, float] = {}
    for _ in range(repeats):
        for contender in contenders:
            started = clock()
            contender.run()
            seconds = (clock() - started) / contender.pieces
            best[contender.name] = min(seconds, best.get(contender.name, seconds))
    return best


def show(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A plain table: the first column on the left, the others on the right."""
    widths = [max(len(row[place]) for row in [columns, *rows]) for place in range(len(columns))]
    print(f"\n{title}")
    for row in [columns, *rows]:
        first, *others = zip(row, widths, strict=True)
        print("  " + first[0].ljust(first[1]), *(text.rjust(width) for text, width in others), sep="  ")


# ------------------------------------------------------------------------------------------------ one hand


def each(function: Callable[[Any], object], hands: Sequence[Any]) -> None:
    """Call a function that takes a hand."""
    for hand in hands:
        function(hand)


def each_spread(function: Callable[..., object], hands: Sequence[Any]) -> None:
    """Call a function that takes the parts of a hand one by one."""
    for hand in hands:
        function(*hand)


def one_hand_contenders() -> tuple[list[Contender], Contender]:
    """The other libraries, each with its own cards made beforehand, and ours with integers."""
    eval7, phevaluator, pokerkit, treys = map(import_module, ("eval7", "phevaluator", "pokerkit", "treys"))

    from houseway.cards import text_of
    from houseway.ranking import five_card

    source = random.Random(20240607)
    hands = [tuple(source.sample(range(52), 5)) for _ in range(HANDS)]
    texts = [text_of(hand).split() for hand in hands]
    of_eval7 = [[eval7.Card(text) for text in hand] for hand in texts]
    of_phevaluator = [tuple(card % 13 * 4 + card // 13 for card in hand) for hand in hands]
    of_treys = [tuple([treys.Card.new(text) for text in part] for part in (hand[:2], hand[2:])) for hand in texts]
    of_pokerkit = [tuple(pokerkit.Card.parse("".join(hand))) for hand in texts[:SLOW_HANDS]]
    peers = [
        Contender("eval7.evaluate", partial(each, eval7.evaluate, of_eval7), HANDS),
        Contender(
            "phevaluator.evaluate_cards", partial(each_spread, phevaluator.evaluate_cards, of_phevaluator), HANDS
        ),
        Contender(
            "phevaluator.evaluate_5cards", partial(each_spread, phevaluator.evaluate_5cards, of_phevaluator), HANDS
        ),
        Contender("treys Evaluator.evaluate", partial(each_spread, treys.Evaluator().evaluate, of_treys), HANDS),
        Contender("pokerkit.StandardHighHand", partial(each, pokerkit.StandardHighHand, of_pokerkit), SLOW_HANDS),
    ]
    check_agreement(hands[:SLOW_HANDS], [eval7.evaluate(hand) for hand in of_eval7[:SLOW_HANDS]])
    five_card.value(*hands[0])
    return peers, Contender("houseway, one hand, validated", partial(each_spread, five_card.value, hands), HANDS)


def check_agreement(hands: Sequence[tuple[int, ...]], theirs: Sequence[int]) -> None:
    """Speed is of no use where the libraries do not rank alike."""
    from houseway.ranking import five_card

    ours = [five_card.value(*hand) for hand in hands]
    if order_of(ours) != order_of(theirs):
        raise AssertionError("houseway and eval7 do not rank these hands alike")


def order_of(values: Sequence[int]) -> list[int]:
    """Each value's place among the different ones."""
    places = {value: place for place, value in enumerate(sorted(set(values)))}
    return [places[value] for value in values]


def array_contenders() -> list[Contender]:
    """The array door on random hands, compiled beforehand."""
    import numpy as np

    from houseway.ranking import arrays

    source = np.random.default_rng(20240607)
    rows = []
    doors: tuple[tuple[str, Callable[..., Any], int, int], ...] = (
        ("houseway.ranking.arrays.of_five", arrays.of_five, 5, 52),
        ("houseway.ranking.arrays.best_of_six", arrays.best_of_six, 6, 52),
        ("houseway.ranking.arrays.joker_of_five", arrays.joker_of_five, 5, 53),
        ("houseway.ranking.arrays.joker_best_of_six", arrays.joker_best_of_six, 6, 53),
    )
    for name, door, count, deck in doors:
        decks = source.permuted(np.tile(np.arange(deck, dtype=np.uint8), (COLUMN, 1)), axis=1)
        columns = [np.ascontiguousarray(decks[:, place]) for place in range(count)]
        door(*columns)
        rows.append(Contender(name, partial(door, *columns), COLUMN))
    return rows


def rankings() -> list[Demand]:
    """One hand and whole arrays beside the other libraries."""
    peers, ours = one_hand_contenders()
    doors = array_contenders()
    best = race([*peers, ours, *doors], RANKING_REPEATS)
    fastest = min((peer.name for peer in peers), key=best.__getitem__)
    rows = [
        [name, f"{seconds * 1e9:,.1f}", f"{1 / seconds:,.0f}", f"{best[fastest] / seconds:,.2f}"]
        for name, seconds in best.items()
    ]
    show(
        f"Ranking five cards (best of {RANKING_REPEATS}; the fastest other library, {fastest}, is 1)",
        ("", "ns a hand", "hands a second", "times as fast"),
        rows,
    )
    return [
        Demand(f"one validated hand, times {fastest}", ONE_HAND, best[fastest] / best[ours.name]),
        Demand(f"array door, five cards, times {fastest}", ARRAY_DOOR, best[fastest] / best[doors[0].name]),
    ]


# ------------------------------------------------------------------------------------------------ settling


def stud_rounds(*, everything: bool) -> str:
    """Four-spot Caribbean Stud rounds as JSON Lines: Ante and Bonus, or every wager there is."""
    from houseway.cards import DECK_52, shuffled, text_of
    from houseway.games.caribbean_stud import GAME
    from houseway.games.flow import sample_action

    source = random.Random(20240607)
    wagers = {"ante": 1000, "bonus": 500}
    request: dict[str, Any] = {"game": GAME.key, "tables": {"bonus": "CPSB-01"}}
    if everything:
        wagers |= {"cover_all": 500, "progressive": 100}
        request["tables"]["progressive"] = "CSTUD-15"
        request |= {"meters": {"main": 2_500_000}, "seeds": {"main": 1_000_000}, "reserves": {"main": 50_000}}
    lines = []
    for _ in range(ROUNDS):
        dealt = GAME.deal(shuffled(DECK_52, source), (1, 2, 3, 4), GAME.defaults)
        spots = [
            {
                "spot": number,
                "cards": text_of(cards),
                "wagers": wagers,
                "decision": {sample_action(GAME, GAME.points[0], cards).name: True},
            }
            for number, cards in dealt.hands.items()
        ]
        lines.append(json.dumps({**request, "dealer": text_of(dealt.dealer), "spots": spots}))
    return "\n".join(lines) + "\n"


def settle(file: Path, answers: Path) -> None:
    """Run the real command, from its start to its last answer."""
    with file.open("rb") as requests, answers.open("wb") as out:
        subprocess.run([*HOUSEWAY, "settle", "--lines"], stdin=requests, stdout=out, check=True)


def read_and_write(lines: Sequence[str]) -> None:
    """What reading and writing the same JSON costs alone."""
    for line in lines:
        json.dumps(json.loads(line))


def settling(folder: Path) -> list[Demand]:
    """Rounds a second through ``houseway settle --lines``, beside the JSON alone."""
    contenders = []
    for name, everything in (("ante and bonus", False), ("every wager and the progressive", True)):
        file, answers = folder / f"{everything}.jsonl", folder / f"{everything}-answers.jsonl"
        file.write_text(stud_rounds(everything=everything))
        lines = file.read_text().splitlines()
        contenders.append(Contender(name, partial(settle, file, answers), ROUNDS))
        contenders.append(Contender(f"{name}: json.loads and json.dumps alone", partial(read_and_write, lines), ROUNDS))
    best = race(contenders, PROCESS_REPEATS)
    for answers in folder.glob("*-answers.jsonl"):
        if answers.read_text().count('"spots"') != ROUNDS:
            raise AssertionError("not every round was answered")
    rows = [[name, f"{seconds * 1e6:,.1f}", f"{1 / seconds:,.0f}"] for name, seconds in best.items()]
    show(
        f"Settling {ROUNDS:,} four-spot Caribbean Stud rounds, start included (best of {PROCESS_REPEATS})",
        ("", "µs a round", "rounds a second"),
        rows,
    )
    return [
        Demand("rounds a second, four spots, ante and bonus", ROUNDS_A_SECOND, 1 / best[contenders[0].name]),
    ]


# ------------------------------------------------------------------------------------------------ starting


def python(*arguments: str) -> None:
    subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True)


def starting() -> None:
    """What starting costs, for information: other work on the machine weighs most on these."""
    from houseway.ranking import five_card, joker, poker

    best = race(
        [
            Contender("python alone", partial(python, "-c", "pass")),
            Contender("import houseway", partial(python, "-c", "import houseway")),
            Contender("import houseway.adjudication", partial(python, "-c", "import houseway.adjudication")),
            Contender("houseway --help", partial(python, "-m", "houseway.cli", "--help")),
            Contender("tables, five cards", partial(poker.build_tables, five_card.straight_rank, joker=False)),
            Contender("tables, joker", partial(poker.build_tables, joker.straight_rank, joker=True)),
        ],
        START_REPEATS,
    )
    goals = {"import houseway": IMPORT_SECONDS, "houseway --help": HELP_SECONDS}
    rows = []
    for name, seconds in best.items():
        shown = max(0.0, seconds - best["python alone"]) if name.startswith("import") else seconds
        rows.append([name, f"{shown * 1e3:,.1f}", f"under {goals[name] * 1e3:,.0f}" if name in goals else ""])
    show(f"Starting (best of {START_REPEATS}; imports without the start of Python)", ("", "ms", "wanted"), rows)


def main() -> int:
    """Run everything, print it, and say whether what is required was reached."""
    demands = rankings()
    with tempfile.TemporaryDirectory() as folder:
        demands += settling(Path(folder))
    starting()
    show(
        "Required",
        ("", "at least", "reached", ""),
        [
            [demand.what, f"{demand.least:,.1f}", f"{demand.reached:,.2f}", "yes" if demand.met else "MISSED"]
            for demand in demands
        ],
    )
    return 0 if all(demand.met for demand in demands) else 1


if __name__ == "__main__":
    sys.exit(main())
