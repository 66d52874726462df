"""What is kept: found again exactly, and never taken for something it is not."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from houseway.games import all_games, approved_book, find_game
from houseway.paytables import Odds, OddsRow, PayTable, ProgressiveTable
from houseway.proof import compiled, store
from houseway.proof.collect import Question, Request, count, questions_of
from houseway.proof.digest import game_digest
from houseway.proof.figure import Counted
from houseway.proof.solver import _kernel_by_shape, choose_kernel
from houseway.proof.store import Store, approved_figures, shipped, shipped_text


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache of this test's own."""
    monkeypatch.setenv(compiled.CACHE_VARIABLE, str(tmp_path))
    compiled.cache_folder.cache_clear()
    yield tmp_path
    compiled.cache_folder.cache_clear()


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the package that may be changed."""
    made = tmp_path / "houseway"
    shutil.copytree(compiled.PACKAGE, made, ignore=shutil.ignore_patterns("__pycache__"))
    return made


def question(wager: str = "pair_plus", name: str = "A") -> Question:
    asked = Request(games=("three-card-poker",), wagers=(wager,), tables=(name,))
    return questions_of(asked)[0]


def house_question(paid: int) -> Question:
    game = find_game("three-card-poker")
    table = approved_book().find(("three-card-poker",), "pair_plus", "A")
    assert game is not None
    assert isinstance(table, PayTable)
    rows = (OddsRow("straight_flush", (Odds(paid, 1),)), *table.rows[1:])
    return Question(game, "pair_plus", "HOUSE", replace(table, id="HOUSE", rows=rows, approved=False))


# ------------------------------------------------------------------------------------------------ the digests


GAMES = tuple(all_games())
FIVE_CARD_LINK = tuple(key for key, game in all_games().items() if "five-card-link" in game.families)
SWEPT = ("caribbean-stud", "crazy-four-poker", "dj-wild", "four-card-poker", "three-card-poker")


def digests(package: Path) -> dict[str, str]:
    """The digest of every game, as a copy of the package has it."""
    code = (
        f"import sys; sys.path.insert(0, {str(package.parent)!r})\n"
        "import json; from houseway.games import all_games; from houseway.proof.digest import game_digest\n"
        "print(json.dumps({key: game_digest(game) for key, game in all_games().items()}))\n"
        "assert 'numpy' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, str] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("rule.py", GAMES),
        ("cards/card.py", GAMES),
        ("proof/leaves.py", GAMES),
        ("games/caribbean_stud.py", ("caribbean-stud",)),
        ("games/straight_edge.py", ("straight-edge-1", "straight-edge-2")),
        ("games/straight_edge_1.py", ("straight-edge-1",)),
        ("paytables/data/three-card-poker.toml", ("three-card-poker",)),
        ("paytables/data/five-card-link.toml", FIVE_CARD_LINK),
        ("proof/kernels/sweep.py", SWEPT),
        ("proof/kernels/by_ranks.py", ("straight-edge-1", "straight-edge-2")),
        ("proof/cover_all.py", ("caribbean-stud",)),
        ("proof/pai_gow_hands.py", ("six-card-pai-gow",)),
        ("proof/strategy.py", ()),
        ("proof/figure.py", ()),
        ("proof/printed.py", ()),
        ("proof/collect.py", ()),
        ("commands/proof.py", ()),
    ],
)
def test_a_change_discards_the_figures_that_come_from_it_and_no_others(
    package: Path, name: str, changed: tuple[str, ...]
) -> None:
    with (package / name).open("a") as file:
        file.write("\n")
    ours = {key: game_digest(game) for key, game in all_games().items()}
    assert {key for key, digest in digests(package).items() if digest != ours[key]} == set(changed)


@pytest.mark.parametrize("game", GAMES)
def test_the_modules_of_a_digest_are_those_of_the_kernel_that_counts(game: str) -> None:
    """A digest is found without the proof extra, so it does not ask the kernels themselves."""
    assert _kernel_by_shape(all_games()[game]) == choose_kernel(all_games()[game]).kernel


# ------------------------------------------------------------------------------------------------ the shipped file


def test_the_shipped_file_is_of_these_rules() -> None:
    data = json.loads(store.SHIPPED.read_text("utf-8"))
    assert data["digests"] == {key: game_digest(all_games()[key]) for key in GAMES}, "run tools/ship_figures.py"
    known = shipped()
    assert known is not None
    assert set(known) == {(one.game.key, one.wager, one.label) for one in questions_of(Request())}


def test_a_file_of_other_rules_is_as_if_it_were_not_there(tmp_path: Path) -> None:
    text = store.SHIPPED.read_text("utf-8")
    file = tmp_path / "approved_figures.json"
    digest = game_digest(all_games()["caribbean-stud"])
    assert digest is not None
    file.write_text(text.replace(digest, "0" * 64))
    others = shipped(file)
    assert others is not None
    assert {game for game, _, _ in others} == set(GAMES) - {"caribbean-stud"}
    for broken in ("", "[]", "{}", text[: len(text) // 2], text.replace('"counts"', '"count"')):
        file.write_text(broken)
        shipped.cache_clear()
        assert shipped(file) is None
    assert shipped(tmp_path / "nothing.json") is None
    shipped.cache_clear()
    file.write_text(text)
    assert shipped(file) is not None


def test_a_changed_rule_means_not_computed_and_no_old_figure(package: Path) -> None:
    """The dealer plays with king high: what is shipped of that game does not hold any more, and the others stand."""
    rules = package / "games" / "three_card_poker.py"
    source = rules.read_text("utf-8")
    changed = source.replace("return dealer >= QUEEN << 8", "return dealer >= (QUEEN + 1) << 8")
    assert changed != source
    code = (
        f"import sys; sys.path.insert(0, {str(package.parent)!r})\n"
        "import houseway; from houseway.proof import approved_figures\n"
        f"assert houseway.__file__.startswith({str(package.parent)!r})\n"
        "print('three-card-poker' in {one.game for one in approved_figures()}, len({one.game for one in "
        "approved_figures()}))"
    )
    for text, answer in ((source, f"True {len(GAMES)}"), (changed, f"False {len(GAMES) - 1}")):
        rules.write_text(text, "utf-8")
        done = subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, text=True, check=False)
        assert done.stdout.strip() == answer, done.stderr


def test_a_game_that_misses_a_table_is_not_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    known = shipped()
    assert known is not None
    missing = next(iter(known))
    monkeypatch.setattr(store, "shipped", lambda: {key: one for key, one in known.items() if key != missing})
    figures = approved_figures()
    assert figures is not None
    assert missing[0] not in {one.game for one in figures}
    monkeypatch.setattr(store, "shipped", lambda: None)
    assert approved_figures() is None


def test_the_floor_reads_figures_without_numba() -> None:
    code = (
        "import sys, time; from houseway.proof import approved_figures\n"
        "made = approved_figures(); assert made is not None\n"
        "print(len(made), 'numba' in sys.modules, 'numpy' in sys.modules, time.process_time() < 2)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(len(questions_of(Request()))), "False", "False", "True"]


def test_the_file_is_written_one_count_a_line() -> None:
    known = shipped()
    assert known is not None
    text = shipped_text(known.values())
    assert text.count("\n") == len(known) + 2
    assert text == store.SHIPPED.read_text("utf-8")


# ------------------------------------------------------------------------------------------------ the cache


def test_what_was_counted_is_found_again(own_cache: Path) -> None:
    asked = house_question(35)
    assert Store().find(asked) is None
    counted = count([asked])[0]
    found = Store().find(asked)
    assert found is not None
    assert replace(found, seconds=0.0) == replace(counted, seconds=0.0)
    assert list((own_cache / "games").glob("*/counts/*.json"))
    assert not list(own_cache.rglob("*.part"))


def test_a_changed_pay_is_another_question(own_cache: Path) -> None:
    edges = [counted.distribution for counted in count([house_question(35), house_question(36)])]
    assert None not in edges
    assert edges[0] != edges[1]
    assert Store().find(house_question(37)) is None


def test_an_option_is_another_question(own_cache: Path) -> None:
    asked = questions_of(
        Request(games=("three-card-poker",), wagers=("base",), tables=("A",), options={"equal_hands": "lose"})
    )[0]
    assert Store().find(asked) is None
    assert Store().find(replace(asked, options=())) is not None


def test_a_house_progressive_is_made_of_the_hands_of_its_game(own_cache: Path) -> None:
    known = question("progressive", "1")
    assert isinstance(known.paytable, ProgressiveTable)
    mine = replace(known, label="MINE", paytable=replace(known.paytable, id="MINE", approved=False))
    found = Store().find(mine)
    assert found is not None
    assert found.table == "MINE"
    assert found.rows["akq_spades"] == 1
    assert found.total == 22100


def test_a_house_progressive_without_the_shipped_file(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "shipped", lambda: None)
    asked = question("progressive", "1")
    assert Store().find(asked) is None
    count([asked])
    found = Store().find(question("progressive", "2"))
    assert found is not None
    assert found.table == "2"


def test_a_broken_cache_is_counted_over(own_cache: Path) -> None:
    asked = house_question(35)
    count([asked])
    for file in own_cache.rglob("counts/*.json"):
        file.write_text('{"game": ')
    assert Store().find(asked) is None
    assert count([asked])[0].distribution is not None
    for file in own_cache.rglob("counts/*.json"):
        assert Counted.from_json(json.loads(file.read_text("utf-8"))).game == "three-card-poker"


def test_without_a_place_to_write_nothing_breaks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "cache_root", lambda: None)
    asked = house_question(35)
    assert count([asked])[0].distribution is not None
    assert Store().find(asked) is None


def test_a_full_disk_loses_only_the_cache(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, os.strerror(28))

    asked = house_question(35)
    counted = count([asked])[0]
    monkeypatch.setattr(store.tempfile, "mkstemp", full)
    Store().save(house_question(36), counted)
    assert Store().find(house_question(36)) is None
