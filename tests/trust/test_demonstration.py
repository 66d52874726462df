"""TR-9: a floor is a demonstration or it is not, from its founding and for ever; on a real one no card is chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from tests.staff_kit import credentials_of, founding
from tests.web.web_kit import Server, free_port
from typer.testing import CliRunner

from houseway.books.replay import replay
from houseway.books.rounds import journalled
from houseway.books.verify import verify
from houseway.cli import program
from houseway.manager import commands as office
from houseway.manager import decide as manager
from houseway.manager.config import DEMONSTRATED, FloorConfig
from houseway.manager.entry import Entry
from houseway.manager.events import FloorConfigured
from houseway.manager.floor import INSTALLATION, Floor
from houseway.manager.floor_file import example_floor, read_floor
from houseway.manager.keyring import Keyring
from houseway.manager.signing import new_key
from houseway.manager.state import FloorState, caught_up
from houseway.manager.store import open_store
from houseway.manager.store.base import Credential
from houseway.refusal import NotAllowed, Refusal
from houseway.table.card_round import commands as ask
from houseway.table.card_round import decide as play
from houseway.table.notation import check_deck, parse_round, write_round
from houseway.table.progressive_round.commands import LockIn, VoidRound

TABLE = "V-TCP"
pytestmark = pytest.mark.clause("TR-9")


@cache
def config_of(*, real: bool) -> FloorConfig:
    """The example floor, with the approvals that a real site would have, or with its own."""
    text = example_floor()
    if real:
        text = text.replace("demonstration = true\n", "").replace("DEMONSTRATION: no such file", "file 7")
    found = read_floor(text.encode(), "floor.toml", Path())
    assert found.config is not None, found.defects
    return found.config


class Place:
    """A floor on a file, founded with a configuration, and its people."""

    def __init__(self, folder: Path, config: FloorConfig, *, open_pins: bool = False) -> None:
        self.file, self.numbers = folder / "floor.db", count(1)
        new_key(folder / "houseway.key")
        self.store = open_store(str(self.file))
        self.floor = Floor(self.store, keys=Keyring.load(folder / "houseway.key"), threaded=False)
        people: dict[str, office.Role] = {"m": "manager", "e": "executive", "d": "dealer", "s": "supervisor"}
        found = replace(founding(config, people, self.floor.keys), demonstration=open_pins)
        self.do(INSTALLATION, found, *credentials_of(found))
        for link in config.links:
            for meter in link.terms.meters:
                self.do("m", office.SeedMeter(link=link.id, meter=meter))
        self.do("d", office.Admit(player="Ann", code="c"))

    def do(self, by: str, command: Any, *credentials: Credential) -> Entry:
        second = "e" if isinstance(command, office.Configure | office.Enroll | office.Dismiss) else ""
        order = office.Order(id=f"order-{next(self.numbers)}", by=by, second=second, command=command)
        return self.floor.handle(order, *credentials).entry

    @property
    def state(self) -> FloorState:
        return self.floor.state

    def configure(self, config: FloorConfig, reason: str = "as the site wants it") -> Entry:
        return self.do("m", office.Configure(config=config, reason=reason))

    def lock_in(self) -> None:
        self.do("player/Ann", ask.SitDown(table=TABLE, spot=2, player="Ann"))
        self.do("player/Ann", ask.Bet(table=TABLE, spot=2, wager="ante", cents=1000))
        self.do("d", ask.NoMoreBets(table=TABLE))
        self.do("d", LockIn(table=TABLE))

    def stack(self) -> None:
        self.do("d", ask.StackDeck(table=TABLE, spot=0, cards="As Ks Qs"))

    def deal_and_void(self) -> int:
        """The cards come out, and the round ends; answers its number."""
        number = self.state.tables[TABLE].round.number
        self.do("d", ask.Deal(table=TABLE, packets=0))
        self.do("s", VoidRound(table=TABLE, cause="enough was seen"))
        return number


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Callable[..., Place]]:
    made: list[Place] = []

    def opened(*, real: bool = True, open_pins: bool = False) -> Place:
        made.append(Place(tmp_path, config_of(real=real), open_pins=open_pins))
        return made[-1]

    yield opened
    for one in made:
        one.floor.close()


def flipped(config: FloorConfig) -> FloorConfig:
    """One unrelated game's approval marked as a demonstration, as in the attack."""
    first, *rest = config.approvals
    assert first.game != "three-card-poker" or rest
    changed = tuple(replace(one, demonstration=one.game == config.approvals[-1].game) for one in config.approvals)
    return replace(config, approvals=changed, policies=replace(config.policies, demonstration=True))


def test_an_approval_is_not_marked_between_lock_in_and_deal(place: Callable[..., Place]) -> None:
    """The attack as it was done, all of it refused; nothing of it is in force afterwards."""
    here = place()
    assert not here.state.demonstration
    here.lock_in()
    before = here.state.config
    with pytest.raises(Refusal, match="this floor is a real one"):
        here.configure(flipped(config_of(real=True)))
    with pytest.raises(NotAllowed, match="a demonstration floor alone"):
        here.stack()
    assert here.state.config == before
    number = here.deal_and_void()
    record = journalled(here.store, TABLE, number, here.state.configured)
    assert check_deck(record) == []
    assert verify(here.store).whole
    assert replay(here.store).equal


@pytest.mark.parametrize("what", ["approval", "policy", "name"])
def test_a_real_floor_takes_nothing_of_a_demonstration(place: Callable[..., Place], what: str) -> None:
    here, config = place(), config_of(real=True)
    changed = {
        "approval": replace(config, approvals=flipped(config).approvals),
        "policy": replace(config, policies=replace(config.policies, demonstration=True)),
        "name": replace(config, policies=replace(config.policies, site=f"{DEMONSTRATED}House")),
    }[what]
    with pytest.raises(Refusal, match="a real one"):
        here.configure(changed)


@pytest.mark.parametrize("open_pins", [True, False])
def test_a_demonstration_stays_one_whatever_its_file_says(place: Callable[..., Place], open_pins: bool) -> None:
    """Its approvals become real ones; its name goes on saying what it is, and so does what a fresh fold makes of it."""
    here = place(real=open_pins, open_pins=open_pins)
    assert here.state.demonstration
    real = config_of(real=True)
    here.configure(replace(real, policies=replace(real.policies, advice=not here.state.policies.advice)))
    assert here.state.demonstration
    assert here.state.policies.site == f"{DEMONSTRATED}{real.policies.site}"
    assert caught_up(FloorState(), here.store).demonstration
    here.lock_in()
    here.stack()
    number = here.deal_and_void()
    assert check_deck(journalled(here.store, TABLE, number, here.state.configured)) == []
    assert verify(here.store).whole


def test_an_old_journal_is_judged_by_its_founding_entry(place: Callable[..., Place]) -> None:
    """Before this was a fact of its own, the first manager's card alone could tell a demonstration."""
    entry = next(place(real=True, open_pins=True).store.entries())
    from houseway.manager.entry import entry_of
    from houseway.manager.state import after

    founding = entry_of(entry.body)
    events = tuple(
        replace(one, config=config_of(real=True)) if isinstance(one, FloorConfigured) else one
        for one in founding.events
    )
    assert after(FloorState(), replace(founding, events=events), "").demonstration


# ------------------------------------------------------------------------------------------------------- planted bugs


def planted(here: Place, patch: pytest.MonkeyPatch) -> int:
    """The attack with its guards taken out: an approval is marked and unmarked, the dealer's cards are chosen."""
    with patch.context() as without:
        without.setattr(manager, "kept_as", lambda config, demonstration: config)
        without.setattr(play, "_check_demonstration", lambda felt: None)
        here.lock_in()
        here.configure(flipped(config_of(real=True)))
        here.stack()
        number = here.deal_and_void()
        here.configure(config_of(real=True), "as it was")
    return number


def test_planted_a_chosen_card_is_found_afterwards(
    place: Callable[..., Place], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    here = place()
    number = planted(here, monkeypatch)
    record = journalled(here.store, TABLE, number, here.state.configured)
    why = "cards were chosen for the dealer, and this floor is no demonstration"
    assert why in check_deck(record)
    assert why in check_deck(parse_round(write_round(record)))
    assert any("cards were chosen at V-TCP" in one.what for one in verify(here.store).bad)
    with pytest.raises(Refusal, match="cards were chosen at V-TCP"):
        replay(here.store)
    here.floor.close()
    for command in (["round", "check", TABLE, str(number)], ["journal", "verify"], ["journal", "replay"]):
        done = CliRunner().invoke(program(), [*command, "--db", str(here.file)])
        assert done.exit_code != 0, command
        assert "cards were chosen" in done.output or "cards were chosen" in str(done.exception), command


def test_planted_the_name_of_a_demonstration_hides_nothing(
    place: Callable[..., Place], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Flipped before the round, the site even calls itself a demonstration; the founding entry says what it is."""
    here = place()
    with monkeypatch.context() as without:
        without.setattr(manager, "kept_as", lambda config, demonstration: config)
        without.setattr(play, "_check_demonstration", lambda felt: None)
        config = flipped(config_of(real=True))
        named = replace(config.policies, site=f"{DEMONSTRATED}{config.policies.site}")
        here.configure(replace(config, policies=named))
        here.lock_in()
        here.stack()
        number = here.deal_and_void()
    assert any("were chosen" in one for one in check_deck(journalled(here.store, TABLE, number, here.state.configured)))
    assert not verify(here.store).whole


def test_planted_the_order_alone_is_not_enough(place: Callable[..., Place], monkeypatch: pytest.MonkeyPatch) -> None:
    """Where cards were chosen all the same, a real floor does not deal them."""
    here = place()
    here.lock_in()
    with monkeypatch.context() as without:
        without.setattr(play, "_check_demonstration", lambda felt: None)
        here.stack()
    with pytest.raises(NotAllowed, match="a demonstration floor alone"):
        here.do("d", ask.Deal(table=TABLE, packets=0))


# ------------------------------------------------------------------------------------------------------ off loopback


def test_the_floor_of_houseway_init_is_not_served_to_others(tmp_path: Path) -> None:
    """`houseway init`, then serve on every address: its approvals are a demonstration's, so the floor is one."""
    file, database = tmp_path / "floor.toml", tmp_path / "floor.db"
    assert CliRunner().invoke(program(), ["init", str(tmp_path)]).exit_code == 0
    new_key(tmp_path / "houseway.key")
    with pytest.raises(AssertionError, match="this floor was founded as a demonstration"):
        Server(file, str(database), "--host", "0.0.0.0", "--plain-http", port=free_port()).start()
