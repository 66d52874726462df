"""How rules become machine code: late, without the interpreter's lock, and never stale."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from houseway.games.three_card_poker import dealer_plays
from houseway.proof import compiled
from houseway.proof.compiled import digest_of, jit, part, rules_digest, side_by_side


def run(code: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def copied(to: Path) -> Path:
    """The package, without what earlier runs left in it."""
    package = to / "houseway"
    shutil.copytree(compiled.PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    return package


@part
def doubled(number: int) -> int:
    return 2 * number


@jit()
def counted(values: Any) -> Any:
    """How many of the values are dealer's hands that play, twice."""
    found = 0
    for value in values:
        if dealer_plays(value):
            found += 1
    return doubled(found)


def test_nothing_compiles_before_something_is_counted() -> None:
    loaded = run(
        "import sys\n"
        "import houseway.proof, houseway.proof.compiled, houseway.proof.distribution\n"
        "import houseway.proof.solver, houseway.proof.leaves, houseway.proof.kernels.sweep, houseway.proof.cover_all\n"
        "print('numba' in sys.modules)"
    )
    assert loaded.strip() == "False"


def test_a_kernel_gives_what_the_rule_gives() -> None:
    values = np.arange(5000, dtype=np.int64)
    expected = 2 * sum(bool(dealer_plays(value)) for value in range(5000))
    assert counted(values) == expected
    assert side_by_side(lambda: counted(values), lambda: counted(values[:10])) == [expected, 0]


def test_compiled_code_lies_in_the_folder_of_its_digest() -> None:
    folder = compiled.cache_folder()
    assert folder is not None
    assert folder.name == rules_digest()
    assert counted.dispatcher.stats.cache_path.startswith(str(folder))


def test_where_nothing_can_be_written_it_is_counted_all_the_same(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.touch()
    said = run(
        "from houseway.proof import compiled\n"
        "from houseway.games.three_card_poker import dealer_plays\n"
        "print(compiled.cache_folder())\n"
        "compiled.register_rules(); compiled.register_rules()\n"
        "import numba\n"
        "print(numba.njit(lambda: dealer_plays(0xC32))())",
        HOUSEWAY_CACHE=str(blocked / "below"),
    )
    assert said.split() == ["None", "True"]


@pytest.mark.parametrize(
    "name",
    [
        "rule.py",
        "cards/card.py",
        "ranking/poker.py",
        "games/three_card_poker.py",
        "paytables/model.py",
        "paytables/data/three-card-poker.toml",
        "proof/kernels/sweep.py",
    ],
)
def test_the_digest_sees_a_change_in(tmp_path: Path, name: str) -> None:
    package = copied(tmp_path)
    before = digest_of(package)
    with (package / name).open("a") as source:
        source.write("\n")
    assert digest_of(package) != before


def test_the_digest_leaves_out_what_bears_on_no_figure(tmp_path: Path) -> None:
    package = copied(tmp_path)
    before = digest_of(package)
    (package / "clauses" / "new.py").touch()
    (package / "proof" / "figures.json").touch()
    assert digest_of(package) == before
    (package / "games" / "new.py").touch()
    assert digest_of(package) != before


SETTLED_AND_COUNTED = """
import json
from houseway.cards import read_cards
from houseway.games import approved_book
from houseway.games.round import PLAY, Round, Spot
from houseway.games.three_card_poker import GAME
from houseway.proof import leaves
from houseway.proof.solver import solve

bonus = approved_book().find(GAME.families, "ante_bonus", "A")
spot = Spot(1, read_cards("9c 9d 2h"), {"ante": 100}, (PLAY,))
round_ = Round(read_cards("Qs 7d 3c"), (spot,), {"ante_bonus": bonus}, GAME.defaults)
short = tuple(card for card in GAME.deck if card % 13 >= 8)
settled = GAME.settle(round_).spots[0].wagers["play"].returned
leaves.PLAIN_PAIRS = 0
found = solve(GAME, {"ante_bonus": bonus}, deck=short)
print(json.dumps([settled, str(found.best.distribution.house_edge)]))
"""


@pytest.mark.clause("TC-7")
def test_a_changed_rule_moves_settlement_and_figure_with_the_compile_cache_shared(tmp_path: Path) -> None:
    package = copied(tmp_path)
    environment = {"PYTHONPATH": str(tmp_path), "HOUSEWAY_CACHE": str(tmp_path / "cache")}
    rules = package / "games" / "three_card_poker.py"
    source = rules.read_text()
    assert source.count("dealer >= QUEEN << 8") == 1
    changed = source.replace("dealer >= QUEEN << 8", "dealer >= ACE << 8")

    def both(prelude: str = "") -> list[list[object]]:
        answers = []
        for text in (source, changed):
            rules.write_text(text)
            answers.append(json.loads(run(prelude + SETTLED_AND_COUNTED, **environment)))
        return answers

    (settled, figure), (changed_settled, changed_figure) = both()
    assert (settled, changed_settled) == (200, 100)
    assert figure != changed_figure


HOUSE_WAYS = """
from houseway.cards import DECK_53
from houseway.proof.pai_gow_hands import set_hands
print(int(set_hands(tuple(card for card in DECK_53 if card % 13 in (0, 5, 9, 12))).house.sum()))
"""


def test_a_kernel_with_a_changed_rule_is_compiled_again(tmp_path: Path) -> None:
    package = copied(tmp_path)
    environment = {"PYTHONPATH": str(tmp_path), "HOUSEWAY_CACHE": str(tmp_path / "cache")}
    before, old_digest = run(HOUSE_WAYS, **environment), digest_of(package)
    rules = package / "games" / "six_card_pai_gow.py"
    source = rules.read_text()
    assert source.count("<< 28 | low << 24") == 1
    rules.write_text(source.replace("<< 28 | low << 24", "<< 28 | (15 - low) << 24"))
    assert run(HOUSE_WAYS, **environment) != before

    # The planted bug: with the folder of the old digest the compiled rule is stale, and this test would see it.
    stale = f"import houseway.proof.compiled as c\nc.rules_digest = lambda: {old_digest!r}\n"
    assert run(stale + HOUSE_WAYS, **environment) == before
