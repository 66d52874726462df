"""What a declaration lacks is one sentence when it is made; a package that cannot be loaded is refused by name."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.games.small_games import RANK, SET, SMALL, first, is_high, returned, set_game, small, two_tens

from houseway.cards import DECK_52
from houseway.games import all_games
from houseway.games.check import DeclarationError
from houseway.games.model import (
    Choice,
    Derived,
    Hand,
    Mode,
    ProgressiveHand,
    Reveal,
    RuleLine,
    RuleSection,
    Stake,
    Thumb,
    Zone,
)
from houseway.paytables import Schema

BEFORE, TURN, AFTER = SMALL["flow"]
(SET_POINT,) = SET["flow"]
CARD, DEALERS, BOARD = SMALL["zones"]


def asks_for(*names: str) -> Any:
    """A rule that asks for these."""
    text = f"lambda {', '.join(names)}: 0"
    return eval(text)


def wagers(key: str, /, **changes: Any) -> dict[str, Any]:
    """The wagers of the small game, one of them changed."""
    changed = tuple(replace(wager, **changes) if wager.key == key else wager for wager in SMALL["wagers"])
    return {"wagers": changed}


def before(**changes: Any) -> dict[str, Any]:
    """The flow of the small game with its first decision changed."""
    return {"flow": (replace(BEFORE, **changes), TURN, AFTER)}


def after(*choices: Choice, **changes: Any) -> dict[str, Any]:
    """The flow of the small game with other choices at its second decision, beside the fold."""
    return {"flow": (BEFORE, TURN, replace(AFTER, choices=(AFTER.choices[0], *choices), **changes))}


def schemas(*more: Schema) -> dict[str, Any]:
    return {"schemas": (*SMALL["schemas"], *more)}


def values(key: str, value: Any) -> dict[str, Any]:
    return {"values": tuple(value if old.key == key else old for old in SMALL["values"])}


STAKE = Stake("play", of="ante")
BROKEN: list[tuple[dict[str, Any], str]] = [
    # words and names
    ({"key": "Small Game"}, "its key is 'Small Game'; a key is small letters and digits, with hyphens between them"),
    ({"title": " "}, "its title is empty"),
    ({"document": ""}, "its document is empty"),
    ({"rule_card": ()}, "it has no rule card"),
    ({"rule_card": (RuleSection("The game", ()),)}, "its rule card has no line under 'The game'"),
    (
        {"rule_card": (RuleSection("A", (RuleLine("B.", ()),)),)},
        "a line of its rule card lacks its words or its clause",
    ),
    ({"most_spots": 0}, "no spot can play it"),
    (wagers("ratio", key="the-ratio"), "'the-ratio' cannot be the name of an argument"),
    (wagers("ratio", key="_ratio"), "'_ratio' cannot be the name of an argument"),
    (wagers("ratio", key="side"), "side is the name of two things; values, wagers and options share one set of names"),
    (wagers("ratio", key="stake"), "stake means something to every rule and cannot name anything else"),
    ({"zones": (CARD, replace(DEALERS, key="card"), BOARD)}, "two zones are called card"),
    # cards
    (
        {"zones": (CARD, replace(DEALERS, owner="house"), BOARD)},
        "zone dealers belongs to 'house': spot, dealer or table",
    ),
    ({"zones": (CARD, replace(DEALERS, cards=0), BOARD)}, "zone dealers has 0 cards"),
    ({"zones": (CARD, replace(DEALERS, shown=(1,)), BOARD)}, "zone dealers shows place 1; it has 1 cards"),
    ({"zones": (CARD, replace(DEALERS, shown=(0, 0)), BOARD)}, "zone dealers shows place 0 twice"),
    ({"zones": (CARD, DEALERS, BOARD, Zone("more", "table", 1))}, "it has two zones for the table"),
    ({"zones": (DEALERS, BOARD)}, "it has no zone for a spot's cards"),
    ({"deck": (*DECK_52, DECK_52[0])}, "its deck holds a card twice"),
    ({"deck": DECK_52[:5]}, "4 spots need 6 cards, and its deck has 5"),
    # values
    (values("margin", Derived("margin", asks_for("player", "later"))), "value margin needs later, which no value"),
    (values("hole", Hand("hole", RANK, ("pocket",))), "value hole looks at pocket, which is no zone"),
    (values("hole", Hand("hole", RANK, (("card", 1),))), "value hole looks in card at place 1; it has 1 cards"),
    (
        values("hole", Hand("hole", RANK, ("card", "board"))),
        "value hole gives 2 cards to the ranking rank_of, which takes 1",
    ),
    ({"hand": "margin"}, "its hand is 'margin', which is no value of cards"),
    ({"hand": ""}, "it does not say by which value a spot's hand is called"),
    ({"dealer_hand": "house"}, "its dealer_hand is 'house', which is no value of cards"),
    ({"dealer_hand": "player"}, "its dealer_hand player looks at a spot's cards"),
    # wagers
    ({"base": ("ante", "raise")}, "its base game has a wager raise, which is not declared"),
    ({"base": ()}, "it names no wager of its base game"),
    ({"base": ("play", "ante")}, "its base game begins with play, which is not placed before the deal"),
    (wagers("ratio", kind="side"), "wager ratio is 'side': required, optional, follows or award"),
    (wagers("ratio", label=""), "wager ratio has no label"),
    (wagers("ratio", pays=None), "wager ratio has no rule that says what it pays"),
    (wagers("progressive", pays=returned), "wager progressive has a rule that says what it pays"),
    (
        wagers("ratio", pays=asks_for("num")),
        "the rule of wager ratio asks for num, which it cannot be given; it may ask for ",
    ),
    (wagers("bonus", pays=asks_for("stake")), "the rule of wager bonus asks for stake, which it cannot be given"),
    (wagers("ratio", needs="anti"), "wager ratio depends on anti, which is no other wager"),
    (wagers("ratio", equals="ratio"), "wager ratio depends on ratio, which is no other wager"),
    (wagers("bonus", of=""), "wager bonus: an award says on which wager it is paid (of), and no other wager does"),
    (wagers("ratio", of="ante"), "wager ratio: an award says on which wager it is paid (of), and no other wager does"),
    (wagers("ratio", kind="follows"), "wager ratio follows from a choice, and no choice makes it"),
    (wagers("ratio", after_fold="stay"), "wager ratio after a fold is 'stay': loses, stays, or a house option"),
    (wagers("ratio", table="base"), "wager ratio pays by the table base without saying by which rows"),
    (wagers("ratio", advice_cents=-1), "wager ratio recommends -1 cents"),
    ({"at_least_one": ("ante",)}, "at_least_one names ante, which is no optional wager"),
    ({"required_by": {"side": "always"}}, "the option always makes side required: that must be an option"),
    # tables
    ({"families": ()}, "it names no family of pay tables"),
    (schemas(Schema("other", "side", "odds", ("ace",))), "the schema of other side belongs to a family"),
    (schemas(Schema("small-game", "tail", "odds", ("ace",))), "the schema of small-game tail is for no wager"),
    (
        {"schemas": SMALL["schemas"][1:]},
        "wager bonus: the rows of a table (hands) and the schema of such a table go together",
    ),
    (wagers("side", hands=("", "king")), "a table for side may hold the row ace, which is not among its hands"),
    (wagers("side", by_hands_dealt=True), "wager side: by_hands_dealt and a schema with columns go together"),
    (wagers("side", envy_row=two_tens), "wager side: tables that pay envy, and the row in which a hand is envied"),
    ({"progressive": None}, "it has a progressive wager or a progressive hand without the other"),
    ({"progressive": ProgressiveHand(asks_for("stake"), ("", "twenty"))}, "the progressive hand asks for stake"),
    ({"table_files": (Path("nowhere.toml"),)}, "its pay table file nowhere.toml is not there"),
    # decisions
    ({"flow": (BEFORE, TURN, replace(AFTER, key="before"))}, "two decisions are called before"),
    (
        {"flow": (BEFORE, Reveal("card", (0,)), AFTER)},
        "it turns over card, which is no zone of the dealer or the table",
    ),
    ({"flow": (BEFORE, Reveal("board", ()), AFTER)}, "it turns over no card of board"),
    ({"flow": (BEFORE, Reveal("board", (1,)), AFTER)}, "it turns over board at place 1; it has 1 cards"),
    ({"flow": (BEFORE, TURN, TURN, AFTER)}, "it turns over board at place 0, which is face up already"),
    (before(key="Before!"), "a decision is called 'Before!'; small letters, digits and underscores are allowed"),
    (before(left="fold"), "a player who left at before would choose 'fold', which is none of its choices"),
    (before(left="3x"), "a player who left at before would choose 3x, which costs a wager or is not always open"),
    (before(sample=asks_for("player")), "the simple way to play at before asks for player, which it cannot be given"),
    (before(needs="extras"), "the decision before looks for the wager extras, which is not declared"),
    (before(choices=(*BEFORE.choices, Choice("check"))), "two choices at before are called check"),
    (before(choices=(*BEFORE.choices, Choice("Go on"))), "a choice at before is called 'Go on'"),
    (
        before(choices=(*BEFORE.choices, Choice("look", when=asks_for("dealer")))),
        "the condition of look at before asks",
    ),
    (before(choices=(*BEFORE.choices, Choice("set", sets="player"))), "choice set sets a hand, and no zone is split"),
    (after(Choice("quit", folds=True, stakes=(STAKE,))), "choice quit folds and does something else"),
    (
        after(Choice("back", takes_back="play"), Choice("bet", stakes=(STAKE,))),
        "choice back takes back play, which is no",
    ),
    (after(Choice("bet", stakes=(Stake("side", of="ante"),))), "choice bet makes side, which is no wager that follows"),
    (
        after(Choice("bet", stakes=(Stake("play", of="bonus"),))),
        "choice bet makes a multiple of bonus, which is no wager",
    ),
    (
        after(Choice("bet", stakes=(Stake("play", of="side"),))),
        "choice bet makes a multiple of side, which the decision after must then need",
    ),
    (after(Choice("bet", stakes=(Stake("play", of="ante", times=0),))), "choice bet makes 0 times ante"),
    (
        after(Choice("bet", stakes=(Stake("play", of="ante", less="keeps_side"),))),
        "choice bet asks the option keeps_side",
    ),
    (after(*AFTER.choices[1:], unless=()), "after may make play a second time; let it be asked unless play is made"),
    (
        after(Choice("take_back", takes_back="extra"), Choice("1x", stakes=(STAKE,))),
        "after may take back extra a second time",
    ),
    ({"thumbs": (Thumb("play on"),)}, "the rule of thumb 'play on' needs rules, or blind_to"),
    (
        {"thumbs": (Thumb("play on", {"river": first}),)},
        "the rule of thumb 'play on' is for river, which is no decision",
    ),
    ({"thumbs": (Thumb("play on", {"before": asks_for("dealer")}),)}, "the rule of thumb 'play on' asks for dealer"),
    ({"thumbs": (Thumb("look away", blind_to="turn"),)}, "the rule of thumb 'look away' does not look at turn"),
    # the table
    ({"outcome": "antes"}, "its outcome is 'antes', which is no wager and no value"),
    ({"qualifies": asks_for("player")}, "whether the dealer qualifies asks for player, which it cannot be given"),
    ({"qualifies": asks_for("dealer"), "dealer_hand": ""}, "the dealer may qualify, and has no hand (dealer_hand)"),
    ({"reconcile": (*SMALL["reconcile"], "tip")}, "the order of reconciling names tip, which is no wager"),
    ({"reconcile": (*SMALL["reconcile"], "ante")}, "the order of reconciling names ante twice"),
    ({"reconcile": SMALL["reconcile"][1:]}, "wager ante has no place in the order of reconciling"),
    ({"later": (("bonus",),)}, "bonus waits for the other spots (later), and has no place in the order of reconciling"),
    # the house
    (
        {"options": (replace(SMALL["options"][0], default="no"),)},
        "the default of the option keeps_side is 'no'; allowed is true or false",
    ),
    ({"options": (replace(SMALL["options"][0], says=""),)}, "the option keeps_side lacks its words or its clause"),
    ({"by_positions": True}, "it deals by positions without the options positions and dealer_position"),
    ({"shuffler": (Mode("a", "A"), Mode("a", "B"))}, "two shuffler modes are called a"),
    ({"never_linked_with": ("small-game",)}, "it may not be linked with itself"),
    ({"example_hands": {"Ace": "Ax"}}, "the example hand 'Ace' cannot be read: "),
    ({"example_hands": {"Aces": "As Ah"}}, "the example hand 'Aces' is not 1 cards of its deck"),
]
SPLIT = SET["splits"][0]
BROKEN_SETS: list[tuple[dict[str, Any], str]] = [
    ({"splits": (replace(SPLIT, zone="hands"),)}, "it splits hands, which is no zone"),
    ({"splits": (replace(SPLIT, given=("pair", "low")),)}, "the setting of hand is judged on pair, which is no value"),
    ({"splits": (replace(SPLIT, merit=is_high),)}, "the merit of a setting of hand must take two values"),
    ({"highest": replace(SET["highest"], of="high")}, "the highest hand is looked for by high, which is no value"),
    ({"highest": replace(SET["highest"], dealer="pair")}, "the highest hand counts pair, which is no value"),
    ({"highest": replace(SET["highest"], counts_folded="folds")}, "the highest hand asks the option folds"),
    ({"highest": replace(SET["highest"], exposes=asks_for("stake"))}, "whether a hand stays exposed as the"),
    (
        {"flow": (replace(SET_POINT, choices=(replace(SET_POINT.choices[0], stakes=(
            Stake("double", of="base", optional=True, less="no_less"),)), SET_POINT.choices[1])),)},
        "choice low asks the option no_less: for optional wagers, and one the game has",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "sentence"), BROKEN)
def test_what_is_missing_is_one_sentence(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(DeclarationError) as error:
        small(**changes)
    said = str(error.value).split(" cannot be used: ", 1)[1]
    assert said.startswith(sentence)
    assert "\n" not in said


@pytest.mark.parametrize(("changes", "sentence"), BROKEN_SETS)
def test_what_is_missing_of_a_setting_is_one_sentence(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(DeclarationError) as error:
        set_game(**changes)
    assert str(error.value).split(" cannot be used: ", 1)[1].startswith(sentence)


def test_the_unbroken_games_can_be_used() -> None:
    assert small().key == "small-game"
    assert set_game().key == "set-game"


# ------------------------------------------------------------------------------------------------ other people's games

MODULES = {
    "syntax": ("def broken(:\n", "SyntaxError: "),
    "missing": ("import houseway_of_cards\n", "ModuleNotFoundError: No module named 'houseway_of_cards'"),
    "nothing": ("GAMES = ()\n", "AttributeError: "),
    "raises": ("raise RuntimeError('out of\\npaper')\n", "RuntimeError: out of paper"),
    "silent": ("raise KeyError\n", "KeyError"),
    "leaves": ("import sys\nsys.exit('good bye')\n", "SystemExit: good bye"),
    "broken": (
        "from dataclasses import replace\nfrom houseway.games.three_card_poker import GAME as OTHER\n"
        "GAME = replace(OTHER, key='my-game', outcome='')\n",
        "the declaration of my-game cannot be used: its outcome is '', which is no wager and no value",
    ),
}


def installed(folder: Path, module: str) -> dict[str, str]:
    """The environment of a program beside which a package with this module is installed as my-game."""
    (folder / "my_game.py").write_text(module, "utf-8")
    about = folder / "my_game-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: my-game\nVersion: 1\n", "utf-8")
    (about / "entry_points.txt").write_text("[houseway.games]\nmy-game = my_game:GAME\n", "utf-8")
    return {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}


def games_command(environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "houseway.cli", "rules", "my-game"]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


WHERE = "houseway: entry point my-game = my_game:GAME of houseway.games: "


@pytest.mark.parametrize("name", MODULES)
def test_a_package_that_cannot_be_loaded_is_refused_by_its_entry_point(name: str, tmp_path: Path) -> None:
    module, sentence = MODULES[name]
    done = games_command(installed(tmp_path, module))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"{WHERE}cannot be loaded: {sentence}")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("module", "sentence"),
    [
        ("GAME = 'three-card-poker'\n", "must be a Game, and is a str"),
        (
            "from houseway.games.three_card_poker import GAME\n",
            "must have the key of its game, three-card-poker, as its name",
        ),
    ],
)
def test_what_is_no_game_of_that_name_is_refused(module: str, sentence: str, tmp_path: Path) -> None:
    done = games_command(installed(tmp_path, module))
    assert (done.returncode, done.stderr) == (2, f"{WHERE}{sentence}\n")


def test_all_games_are_checked_when_they_are_made() -> None:
    for game in all_games().values():
        with pytest.raises(DeclarationError):
            replace(game, rule_card=())
