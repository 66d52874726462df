"""``houseway meter``: what it prints and writes, and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import typer
from tests.proof.meter_risk.meter_kit import STUD, meter_of
from typer.testing import CliRunner, Result

from houseway.commands.meter import meter
from houseway.proof.meter_risk.dry import FINE_RUNGS, dry_risk, from_the_seed
from houseway.refusal import Refusal

app = typer.Typer(pretty_exceptions_enable=False)
app.command()(meter)

ML01 = ("ML01", "--game", "caribbean-stud")
SOLVED = ("--jackpots", "0", "--runs", "0", "--days", "30")


def run(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


def data(*words: str) -> Any:
    done = run(*words, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def refused(*words: str) -> str:
    done = run(*words)
    assert isinstance(done.exception, Refusal), done.output
    assert done.stdout == ""
    return str(done.exception)


def test_solved_and_simulated_stand_side_by_side() -> None:
    done = run(
        "CSTUD-14", "--contribution", "24%", "--reserve", "1%", "--days", "60", "--jackpots", "1000", "--runs", "50"
    )
    assert done.exit_code == 0, done.output
    for words in (
        "Caribbean Stud Poker, progressive CSTUD-14, wager $1.00, meter main: contribution 24%, reserve 1%, seed",
        "mean jackpot",
        "Simulated over 1,000 jackpots",
        "never: no fixed award comes off it",
        "30 days",
        "60 days",
        "House win, solved",
        "The house breaks even where meters and reserves get 47.80% of the wager",
        "Taken as given: wagers come one after another",
    ):
        assert words in " ".join(done.stdout.split()), words


@pytest.mark.clause("PR-A2")
def test_envy_as_printed_does_not_grow_with_the_wager() -> None:
    words = ("TWBB-1", "--game", "straight-edge-1", "--wager", "5", "--contribution", "20%", "--seed-amount", "1,000")
    grows, printed = (
        data(*words, "--others", "4", "--days", "30", "--jackpots", "0", "--runs", "200", *more)["house"]
        for more in ((), ("--envy-as-printed",))
    )
    envy = [Fraction(house["cents_per_wager"]["envy"]["exact"]) for house in (grows, printed)]
    assert envy[0] == 5 * envy[1] > 0
    for house in (grows, printed):
        month = house["win"][0]
        error = month["simulated"]["standard_error_cents"]
        assert abs(month["simulated"]["mean_cents"] - month["mean_cents"]) < 4 * error


def test_the_data_is_what_was_solved() -> None:
    found = data("CSTUD-02", "--contribution", "50%", *SOLVED)
    model = meter_of(STUD, "CSTUD-02", 5_000)
    risk = from_the_seed(model, dry_risk(model, FINE_RUNGS))
    main = found["meters"]["main"]
    assert main["running_dry"]["from_the_seed"]["chance"] == risk.chance
    assert main["running_dry"]["after_a_jackpot"] == main["running_dry"]["from_the_seed"]
    assert main["wagers_between_jackpots"]["mean"] == 649_740
    assert main["drift_cents_per_wager"]["exact"] == str(model.drift)
    assert (main["contribution"], main["reserve"], main["seed_cents"]) == (0.5, 0.0, 1_000_000)
    assert [line["day"] for line in main["level"]] == sorted({line["day"] for line in main["level"]})
    assert main["level"][0]["quantiles_cents"]["0.5"] == pytest.approx(1_000_000, rel=2e-3)
    assert "simulated" not in main
    assert found["house"]["win"][-1]["day"] == 30
    assert found["house"]["covered_cents_per_wager"] > 0
    assert found["house"]["cents_per_wager"]["seeds"]["exact"] == "50000/32487"  # 10,000 dollars × 4 of 2,598,960
    assert found["house"]["break_even_meter_cents"] == 36_929_000  # what fixed awards leave of 2,598,960 dollars, by 4


def test_every_amount_in_the_data_is_named_by_its_unit_and_whole() -> None:
    played = ("--jackpots", "500", "--runs", "50", "--days", "20")
    names = set(check_units(data("CSTUD-02", "--contribution", "50%", *played)))
    assert {"wager_cents", "seed_cents", "shortfall_cents", "mean_cents", "break_even_meter_cents"} <= names


def check_units(part: Any, name: str = "", *, cents: bool = False) -> Iterator[str]:
    """The names below which whole cents stand; nothing that is no amount of money is among them."""
    if isinstance(part, dict):
        for key, value in part.items():
            yield from check_units(value, key, cents=key.endswith("_cents") or (cents and key != "exact"))
    elif isinstance(part, list):
        for value in part:
            yield from check_units(value, name, cents=cents)
    elif cents:
        assert isinstance(part, int | None), (name, part)
        yield name


def test_a_mean_is_an_exact_fraction_where_the_meter_cannot_run_dry() -> None:
    exact = data("CSTUD-14", "--contribution", "25%", *SOLVED)["meters"]["main"]["jackpot_cents"]["mean"]
    assert exact == {"exact": str(meter_of(STUD, "CSTUD-14", 2_500).exact_mean_jackpot), "value": 9_075_526}
    assert data("CSTUD-01", *SOLVED)["meters"]["main"]["jackpot_cents"]["mean"]["exact"] is None


def test_without_a_contribution_it_is_the_one_that_the_printed_edge_tells() -> None:
    assert data("PCSA1", *SOLVED)["meters"]["main"]["contribution"] == 0.7
    with_reserve = data("CSTUD-14", "--reserve", "2%", *SOLVED)
    assert with_reserve["contribution_inferred"] is True
    assert (with_reserve["meters"]["main"]["contribution"], with_reserve["meters"]["main"]["reserve"]) == (0.23, 0.02)


def test_the_same_seed_plays_the_same() -> None:
    words = ("1", "--game", "three-card-poker", "--days", "20", "--jackpots", "1000", "--runs", "50")
    first, again, other = (data(*words, "--seed", seed)["meters"]["main"]["simulated"] for seed in ("3", "3", "4"))
    assert first == again
    assert first != other


def test_every_meter_of_a_link_is_shown() -> None:
    words = ("ML03", *ML01[1:], "--contribution", "mega=5%", "--contribution", "major=3%", "--contribution", "minor=2%")
    seeds = ("--seed-amount", "mega=10000", "--seed-amount", "major=1,000", "--seed-amount", "minor=100")
    found = data(*words, *seeds, "--wager", "5", "--fixed-from", "meter:major", *SOLVED)
    assert list(found["meters"]) == ["mega", "major", "minor"]
    assert found["meters"]["mega"]["running_dry"]["from_the_seed"]["chance"] == 0
    assert found["meters"]["major"]["running_dry"]["from_the_seed"]["chance"] > 0.9
    assert found["wager_cents"] == 500


def test_contributions_side_by_side() -> None:
    done = run("CSTUD-02", "--contribution", "70%", "--compare", "60%", "--compare", "50%", *SOLVED)
    assert done.exit_code == 0, done.output
    lines = [line.split() for line in done.stdout.splitlines() if line.lstrip().startswith(("70%", "60%", "50%"))]
    assert [line[0] for line in lines] == ["70%", "60%", "50%"]
    assert [line[3] for line in lines] == ["0.27%", "0.93%", "6.27%"]
    found = data("CSTUD-14", "--contribution", "70%", "--compare", "60%", *SOLVED)
    assert [one["meters"]["main"]["contribution"] for one in (found, *found["compared"])] == [0.7, 0.6]


def test_it_draws(tmp_path: Path) -> None:
    file = tmp_path / "meter.svg"
    played = ("--jackpots", "500", "--runs", "50", "--days", "20")
    done = run("CSTUD-02", "--contribution", "50%", *played, "--plot", str(file))
    assert done.exit_code == 0, done.output
    text = file.read_text("utf-8")
    assert text.startswith("<?xml")
    for words in ("risk of running dry before the next jackpot", "house win", "simulated", "25% to 75%"):
        assert words in text, words


def test_it_draws_a_meter_that_cannot_run_dry(tmp_path: Path) -> None:
    picture, drawing = tmp_path / "meter.png", tmp_path / "meter.svg"
    for file in (picture, drawing):
        assert run("CSTUD-14", "--compare", "20%", *SOLVED, "--plot", str(file)).exit_code == 0
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert "it cannot run dry" in drawing.read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("CSTUD-99",), "table: 'CSTUD-99' is no progressive table here; there are"),
        (("01",), "game: is missing; 01 is a progressive table of"),
        (("TWBB-1",), "game: is missing; TWBB-1 is a progressive table of straight-edge-1 and straight-edge-2"),
        (("CSTUD-01", "--game", "whist"), "game: "),
        (("CSTUD-01", "--contribution", "lots"), "contribution: 'lots' is not a rate from 0% to 100%"),
        (("CSTUD-01", "--contribution", "101%"), "contribution: '101%' is not a rate from 0% to 100%"),
        (("CSTUD-01", "--contribution", "0.005%"), "contribution: '0.005%' is not a rate"),
        (("CSTUD-01", "--contribution", "nan"), "contribution: 'nan' is not a rate"),
        (("CSTUD-01", "--contribution", "0%"), "contribution: is 0% for meter main"),
        (("CSTUD-01", "--contribution", "60%", "--contribution", "50%"), "contribution: is given twice"),
        (("CSTUD-01", "--contribution", "mega=60%"), "contribution: 'mega' is not a meter of progressive CSTUD-01"),
        (("CSTUD-01", "--contribution", "60%", "--reserve", "41%"), "contribution: and reserve are together at most"),
        (("CSTUD-01", "--reserve", "70%"), "reserve: takes all of the contribution of 70%"),
        (("CSTUD-01", "--seed-amount", "-5"), "seed-amount: '-5' is not an amount in dollars"),
        (("CSTUD-01", "--seed-amount", "1.005"), "seed-amount: '1.005' is not an amount in dollars"),
        (("CSTUD-01", "--wager", "2"), "wager: progressive CSTUD-01 states its wager, $1.00"),
        (("1", "--game", "three-card-poker", "--wager", "0"), "wager: must be above $0.00"),
        (("CSTUD-01", "--fixed-from", "pocket"), "fixed-from: 'pocket' does not fit"),
        ((*ML01, "--fixed-from", "meter", "--contribution", "5%", "--seed-amount", "9"), "must name the meter"),
        (("CSTUD-01", "--others", "7"), "others: is 7; a table of caribbean-stud has at most 6 other spots"),
        (("CSTUD-01", "--envy-as-printed"), "envy-as-printed: is not for caribbean-stud"),
        ((*ML01, "--contribution", "5%"), "seed-amount: is missing; no seed is printed for meter mega"),
        ((*ML01, "--seed-amount", "100"), "contribution: is missing; none can be told"),
        ((*ML01, "--seed-amount", "100", "--contribution", "mega=5%"), "contribution: is missing for meter major"),
        ((*ML01, "--seed-amount", "100", "--contribution", "5%", "--compare", "6%"), "compare: sets contributions"),
        (("CSTUD-01", "--wagers-per-day", "100000000"), "wagers-per-day: comes to more than 1,000,000,000 wagers"),
        (("CSTUD-12", "--contribution", "0.01%", "--seed-amount", "5,000,000"), "seed-amount: is too far from what"),
        (("CSTUD-01", "--plot", "meter.txt"), "plot: meter.txt must end in .svg, .png, .pdf"),
        (("CSTUD-01", "--plot", "nowhere/meter.svg"), "plot: there is no folder nowhere"),
        (("CSTUD-01", "--plot-meter", "mega"), "plot-meter: 'mega' is not a meter of this table; it has main"),
    ],
)  # fmt: skip
def test_bad_words_are_refused_in_one_sentence(words: tuple[str, ...], says: str) -> None:
    assert says in refused(*words, "--jackpots", "0", "--runs", "0")


def test_a_refusal_writes_nothing(tmp_path: Path) -> None:
    file = tmp_path / "meter.svg"
    refused("CSTUD-01", "--contribution", "0%", *SOLVED, "--plot", str(file))
    assert not file.exists()


def test_a_house_table_is_marked(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(
        '[[paytable]]\ngame = "caribbean-stud"\nwager = "progressive"\nid = "OURS"\nstated_wager = 1\nseed = 500\n'
        'rows.royal_flush = { percent = 100 }\nrows.flush = { fixed = 50, from = "meter" }\n'
    )
    done = run("OURS", "--paytable", str(own), "--contribution", "20%", *SOLVED)
    assert done.exit_code == 0, done.output
    assert "progressive OURS (not approved)" in done.stdout


def test_interrupted_it_shows_what_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    from houseway.proof.meter_risk import simulate

    played = simulate.play_cycles

    def stopped(model: Any, jackpots: int, seed: int, progress: Any) -> Any:
        def told(_what: str, done: float) -> None:
            if done > 0:
                raise KeyboardInterrupt

        return played(model, jackpots, seed, told)

    monkeypatch.setattr(simulate, "play_cycles", stopped)
    done = run("CSTUD-14", "--jackpots", "50000000", "--runs", "0", "--days", "30")
    assert done.exit_code == 130
    assert "mean jackpot" in done.stdout
    assert "interrupted: " in done.stderr
    assert "what is shown comes from these" in done.stderr


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("houseway.extras.find_spec", lambda name: None)
    assert refused("CSTUD-01", *SOLVED) == "meter: needs the proof extra: pip install 'houseway[proof]'"
