"""What can be read over the API: lists in pages, rounds, wins, adjustments, reports, the journal, rules and figures."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.web.web_kit import API, Person, ServerHere, serving_here

from houseway.api.routes import ROUTES
from houseway.books.reports import report as make_report
from houseway.books.reports import report_data
from houseway.books.signage import signage
from houseway.books.win_record import win_record
from houseway.cards import text_of
from houseway.games import all_games, approved_book
from houseway.manager.entry import entry_of
from houseway.manager.floor_file import example_floor
from houseway.manager.keyring import PURPOSES, Keyring
from houseway.manager.permissions import MAY_READ
from houseway.manager.transparency.checkpoint import checked_by, read_checkpoint
from houseway.manager.transparency.note import read_verifier
from houseway.proof.store import approved_figures
from houseway.table.card_round.cards import opened
from houseway.table.notation import parse_round
from houseway.web import listing

CARDS = {"manager": "5001", "executive": "4001", "auditor": "6001", "dealer": "2001", "supervisor": "3001"}
CARDS["surveillance"] = "8001"


class House:
    """A server on which some rounds were played, and the people in front of it."""

    def __init__(self, server: ServerHere) -> None:
        self.server = server
        self.people = {role: server.sign_in(card) for role, card in CARDS.items()}
        self.players: dict[str, Person] = {}
        self.wins = [self.win("straight_flush"), self.win("full_house")]
        self.undo(self.wins[0])
        self.deal_in(1)
        self.finish()
        self.deal_in(2)

    def __getitem__(self, role: str) -> Person:
        return self.people[role]

    def at(self, role: str, table: str, what: str, **body: Any) -> dict[str, Any]:
        return self[role].order(f"tables/{table}/{what}", **body)

    def win(self, hand: str) -> int:
        """A round at the keypad that one hand wins."""
        for spot in (1, 2):
            self.at("dealer", "CS-1", "light", spot=spot)
        self.at("dealer", "CS-1", "lock-in")
        self.at("dealer", "CS-1", "first-card")
        self.at("dealer", "CS-1", "name-win", spot=1, hand=hand)
        number = int(self.at("supervisor", "CS-1", "j-pot", spot=1)["entry"])
        self.at("supervisor", "CS-1", "run")
        self.at("surveillance", "CS-1", "surveillance", win=number, player="Bob Winner")
        self.at("dealer", "CS-1", "close-round")
        return number

    def undo(self, win: int) -> None:
        second = self["manager"].present(CARDS["executive"], "undo")
        asked = {"win": win, "reason": "malfunction", "explanation": "the hand was misread"}
        self["manager"].order("adjustments/undo-win", "undo", {"Second-Card": second}, **asked)

    def deal_in(self, spot: int) -> None:
        """A round of cards, as far as the deal."""
        name = f"Player {spot}"
        if name not in self.players:
            self.players[name] = self.server.player(name, self["dealer"])
        self.players[name].order("tables/V-TCP/sit-down", spot=spot, player=name)
        self.players[name].order("tables/V-TCP/bet", spot=spot, wager="ante", cents=500)
        self.at("dealer", "V-TCP", "no-more-bets")
        self.at("dealer", "V-TCP", "lock-in")
        self.at("dealer", "V-TCP", "deal", packets=0)

    def finish(self) -> None:
        """The round of cards to its end."""
        self.players["Player 1"].order("tables/V-TCP/act", spot=1, action="play")
        self.at("dealer", "V-TCP", "reveal")
        while self["dealer"].send("tables/V-TCP/reconcile").status_code == 200:
            pass
        self.at("dealer", "V-TCP", "close-round")
        self.at("dealer", "V-TCP", "stand-up", spot=1)

    def raw(self, role: str, path: str, **headers: str) -> Any:
        return self[role].http.get(f"{API}/{path}", headers=headers)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with serving_here(tmp_path_factory.mktemp("reads")) as server:
        yield House(server)


def pages(person: Person, path: str, **query: Any) -> list[Any]:
    """All of a list, page by page."""
    found: list[Any] = []
    after = ""
    for _ in range(1000):
        answer = person.get(path, **query, after=after)
        found += answer["items"]
        after = answer["next"]
        if after is None:
            return found
    raise AssertionError("the list has no end")


def wrong(response: Any, status: int) -> dict[str, Any]:
    """The problem that a request came to."""
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    found: dict[str, Any] = response.json()
    return found


# --------------------------------------------------------------------------------------------------------- the lists

LISTS = [
    *("tables", "links", "staff", "equipment/approved", "games", "letters", "paytables", "figures", "wins"),
    *("tables/CS-1/rounds", "tables/V-TCP/rounds", "adjustments", "journal", "claims", "devices"),
]


@pytest.mark.parametrize("path", LISTS)
def test_pages_make_up_the_whole_list(house: House, path: str) -> None:
    manager = house["manager"]
    whole = manager.get(path, limit=500)
    assert whole["next"] is None
    assert pages(manager, path, limit=1) == whole["items"]
    assert pages(manager, path, limit=3) == whole["items"]


def test_every_list_is_paged() -> None:
    """Whatever answers with items takes the cursor; the accruals alone come whole: one for each link."""
    for route in ROUTES:
        if route.answer is None or "items" not in getattr(route.answer, "__struct_fields__", ()):
            continue
        taken = set() if route.query is None else {one.name for one in msgspec.structs.fields(route.query)}
        assert {"after", "limit"} <= taken or route.path == "/reports/accruals", route.path


@pytest.mark.parametrize("path", LISTS)
@pytest.mark.parametrize("query", ["limit=0", "limit=501", "limit=x", "after=no-such-name", "page=2"])
def test_a_page_that_is_none_is_refused(house: House, path: str, query: str) -> None:
    problem = wrong(house.raw("manager", f"{path}?{query}"), 422)
    assert problem["type"] == "urn:houseway:problem:invalid"


@pytest.mark.parametrize("path", ["wins", "journal", "adjustments", "tables/CS-1/rounds"])
def test_oldest_first_is_newest_first_turned_round(house: House, path: str) -> None:
    newest = pages(house["manager"], path, limit=2, order="newest")
    oldest = pages(house["manager"], path, limit=2, order="oldest")
    assert len(newest) >= 1
    assert oldest == newest[::-1]


def test_a_walk_that_stops_early_goes_on_with_the_next_page(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = pages(house["manager"], "wins")
    monkeypatch.setattr(listing, "MOST_WALKED", 4)
    first = house["manager"].get("wins", order="oldest")
    assert first["items"] == []
    assert first["next"] == "4"
    assert pages(house["manager"], "wins") == whole
    assert pages(house["manager"], "wins", order="oldest") == whole[::-1]


def test_a_device_is_shown_what_is_its_own(house: House) -> None:
    manager = house["manager"]
    seen: dict[str, tuple[list[str], list[str]]] = {}
    for right, subject in (("display", "stud"), ("sensor", "CS-3"), ("casino", "")):
        token = manager.order("devices/issue-device", device=f"reads-{right}", right=right, subject=subject)["token"]
        device = house.server.somebody()
        device.http.headers["Authorization"] = f"Bearer {token}"
        links = [one["link"] for one in device.get("links")["items"]]
        tables = device.http.get(f"{API}/tables")
        seen[right] = links, [one["table"] for one in tables.json()["items"]] if tables.status_code == 200 else []
    every = [one["link"] for one in manager.get("links")["items"]]
    assert seen == {"display": (["stud"], []), "sensor": (["three-level"], ["CS-3"]), "casino": (every, [])}
    assert {one["id"] for one in manager.get("devices")["items"]} >= {"reads-display", "reads-sensor", "reads-casino"}


def test_an_open_claim_is_listed_until_it_is_dropped(house: House) -> None:
    for what, body in (("light", {"spot": 3}), ("lock-in", {}), ("first-card", {})):
        house.at("dealer", "CS-3", what, **body)
    house.at("dealer", "CS-3", "name-win", spot=3, hand="flush")
    (claim,) = house["dealer"].get("claims")["items"]
    assert (claim["table"], claim["spot"], claim["hand"]) == ("CS-3", 3, "flush")
    house.at("supervisor", "CS-3", "drop-claim", spot=3, reason="a heart among spades")
    assert house["dealer"].get("claims")["items"] == []
    house.at("dealer", "CS-3", "close-round")


# --------------------------------------------------------------------------------------------------------------- rounds


def test_a_round_that_is_over_comes_as_text_and_as_data(house: House) -> None:
    manager = house["manager"]
    text = house.raw("manager", "tables/V-TCP/rounds/1.txt")
    assert text.headers["content-type"] == "text/plain; charset=utf-8"
    record = parse_round(text.text)
    doc = manager.get("tables/V-TCP/rounds/1")
    assert doc["notation"] == text.text == house.raw("manager", "tables/V-TCP/rounds/1", Accept="text/plain").text
    assert len(doc["steps"]) == len(record.steps)
    dealt = [one["cards"] for one in doc["steps"] if one["type"] == "packet_dealt"]
    assert dealt == [text_of(one.cards) for one in record.steps if type(one).__name__ == "PacketDealt"]
    assert len(dealt) >= 2
    assert doc["currency"] == "USD"
    assert doc["pays"]["pair_plus"]["table"] == record.pays["pair_plus"][0]
    assert not doc["voided"]
    (closed, *_), opened = (pages(manager, "tables/V-TCP/rounds", order=order) for order in ("oldest", "newest"))
    assert (closed["round"], closed["state"]) == (1, "closed")
    assert (opened[0]["round"], opened[0]["state"], opened[0]["ended"]) == (2, "open", 0)


@pytest.mark.parametrize("role", CARDS)
@pytest.mark.parametrize("suffix", ["", ".txt"])
def test_an_open_round_is_nobodys_to_read(house: House, role: str, suffix: str) -> None:
    assert wrong(house.raw(role, f"tables/V-TCP/rounds/2{suffix}"), 409)["type"] == "urn:houseway:problem:open"


@pytest.mark.parametrize("path", ["tables/NONE/rounds/1", "tables/NONE/rounds", "tables/CS-1/rounds/999"])
def test_a_round_that_never_was(house: House, path: str) -> None:
    wrong(house.raw("manager", path), 404)


@pytest.mark.parametrize("number", ["x", "-1", "1.5", "9" * 19, "1%00", "٣"])
def test_a_round_is_a_number(house: House, number: str) -> None:
    wrong(house.raw("manager", f"tables/CS-1/rounds/{number}"), 422)


def test_names_that_are_the_houses_own_stay_with_those_who_keep_its_books(house: House) -> None:
    """A dealer may read a round, but not whom surveillance saw, nor why a win was undone."""
    secrets = ("Demo surveillance", "Bob Winner", "misread")
    for suffix in ("", ".txt"):
        told = house.raw("manager", f"tables/CS-1/rounds/1{suffix}").text
        withheld = house.raw("dealer", f"tables/CS-1/rounds/1{suffix}").text
        assert all(secret in told for secret in secrets)
        assert not any(secret in withheld for secret in secrets)
        assert "withheld" in withheld
    assert len(parse_round(house.raw("dealer", "tables/CS-1/rounds/1.txt").text).steps) > 5


# --------------------------------------------------------------------------------------------------- wins, adjustments


def test_wins_are_listed_with_what_became_of_them(house: House) -> None:
    states = {one["win"]: one["state"] for one in pages(house["supervisor"], "wins")}
    assert states == {house.wins[0]: "undone", house.wins[1]: "paid"}
    assert [one["win"] for one in house["manager"].get("wins", table="CS-1", order="oldest")["items"]] == house.wins
    assert house["manager"].get("wins", table="CS-2")["items"] == []
    assert house["manager"].get("wins", link="three-card")["items"] == []


def test_a_win_between_j_pot_and_run_is_logged_and_not_paid(house: House) -> None:
    house.at("dealer", "CS-2", "light", spot=1)
    house.at("dealer", "CS-2", "lock-in")
    house.at("dealer", "CS-2", "first-card")
    house.at("dealer", "CS-2", "name-win", spot=1, hand="flush")
    house.at("supervisor", "CS-2", "j-pot", spot=1)
    assert house["manager"].get("wins", table="CS-2")["items"][0]["state"] == "logged"
    house.at("supervisor", "CS-2", "run")
    assert house["manager"].get("wins", table="CS-2")["items"][0]["state"] == "paid"
    undo = {"win": house["manager"].get("wins", table="CS-2")["items"][0]["win"], "reason": "malfunction"}
    second = house["manager"].present(CARDS["executive"], "undo-cs-2")
    house["manager"].order(
        "adjustments/undo-win", "undo-cs-2", {"Second-Card": second}, **undo, explanation="only for this test"
    )
    house.at("dealer", "CS-2", "close-round")


def test_a_win_page_is_what_the_command_shows(house: House) -> None:
    told = msgspec.json.decode(msgspec.json.encode(win_record(house.server.floor.store, house.wins[0])))
    doc = house["manager"].get(f"wins/{house.wins[0]}")
    assert told == doc
    assert doc["verified"]["player"] == "Bob Winner"
    assert doc["undone"]["explanation"] == "the hand was misread"
    pdf = house.raw("manager", f"wins/{house.wins[0]}/page.pdf")
    assert pdf.headers["content-type"] == "application/pdf"
    assert pdf.headers["content-disposition"] == f'attachment; filename="win-{house.wins[0]}.pdf"'
    assert pdf.content.startswith(b"%PDF-")


@pytest.mark.parametrize("number", [1, 10**17])
def test_what_is_no_win_has_no_page(house: House, number: int) -> None:
    for path in (f"wins/{number}", f"wins/{number}/page.pdf"):
        assert "win" in wrong(house.raw("manager", path), 404)["detail"]


def test_an_adjustment_names_two_people_and_balances(house: House) -> None:
    one = pages(house["auditor"], "adjustments")[-1]
    assert (one["type"], one["win"], one["by"], one["second"]) == (
        *("win_undone", house.wins[0]),
        *("demo-manager", "demo-executive"),
    )
    assert sum(line["micros"] for line in one["lines"]) == 0
    assert any(line["account"] == "meter/stud/main" and line["micros"] > 0 for line in one["lines"])


# -------------------------------------------------------------------------------------------------------------- reports


@pytest.mark.parametrize("by", ["day", "table", "link", "meter"])
def test_a_report_is_the_commands_report(house: House, by: Any) -> None:
    state = house.server.floor.state
    today = house["manager"].get("reports/day")["from"]
    doc = house["manager"].get(f"reports/{by}", **{"from": today, "to": today})
    told = report_data(make_report(house.server.floor.store, state.policies, *[date.fromisoformat(today)] * 2, by))
    assert doc == json.loads(json.dumps(told))
    assert doc["total"]["coin_in_micros"] > 0
    csv = house.raw("manager", f"reports/{by}.csv?from={today}")
    assert csv.text == house.raw("manager", f"reports/{by}?from={today}", Accept="text/csv").text
    assert len(csv.text.splitlines()) == 1 + len(doc["groups"])
    for response in (
        house.raw("manager", f"reports/{by}.pdf"),
        house.raw("manager", f"reports/{by}", Accept="application/pdf;q=0.9, application/json;q=0.1"),
    ):
        assert response.content.startswith(b"%PDF-")


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("from=2026-02-30", "from"),
        ("from=yesterday", "from"),
        ("to=2026-1-1", "to"),
        ("from=2026-02-02&to=2026-02-01", "from"),
        ("from=0001-01-01", "from"),
        ("from=1980-01-01&to=2020-01-01", "to"),
        ("by=day", "query"),
    ],
)
def test_a_period_that_is_none_is_refused(house: House, query: str, field: str) -> None:
    assert wrong(house.raw("manager", f"reports/day?{query}"), 422)["field"] == field


def test_there_is_no_other_report_and_no_other_form(house: House) -> None:
    for path in ("reports/year", "reports/year.csv", "reports/year.pdf"):
        wrong(house.raw("manager", path), 404)
    wrong(house.raw("manager", "reports/day", Accept="image/png"), 406)
    assert house.raw("manager", "reports/day", Accept="*/*").headers["content-type"] == "application/json"
    assert house.raw("manager", "reports/day", Accept="text/*").headers["content-type"].startswith("text/csv")
    refused = "application/json;q=0, */*;q=0.5"
    assert house.raw("manager", "reports/day", Accept=refused).headers["content-type"].startswith("text/csv")


def test_accruals_of_a_week(house: House) -> None:
    manager = house["manager"]
    doc = manager.get("reports/accruals", link="stud")
    (week,) = doc["items"]
    assert (doc["currency"], week["link"]) == ("USD", "stud")
    assert week["accrued_micros"] == sum(day["accrued_micros"] for day in week["days"]) > 0
    assert {one["link"] for one in manager.get("reports/accruals")["items"]} >= {"stud", "three-card"}
    assert house.raw("manager", "reports/accruals.csv").text.startswith("link,day,meter,")
    assert house.raw("manager", "reports/accruals", Accept="application/pdf").content.startswith(b"%PDF-")
    assert wrong(house.raw("manager", "reports/accruals?link=none"), 422)["field"] == "link"
    assert wrong(house.raw("manager", "reports/accruals?day=today"), 422)["field"] == "day"


def test_the_history_of_a_meter_adds_up_page_by_page(house: House) -> None:
    manager = house["manager"]
    path = "links/stud/meters/main/history"
    whole = manager.get(path, limit=500)
    assert pages(manager, path, limit=1) == whole["items"]
    start, *moved = whole["items"]
    assert start["purpose"] == "brought forward"
    held = start["meter_after_micros"] + sum(one["micros"] for one in moved if one["part"] == "meter")
    assert (
        held == whole["items"][-1]["meter_after_micros"] == house.server.floor.state.links["stud"].meters["main"].value
    )
    wrong(house.raw("manager", "links/stud/meters/none/history"), 404)
    wrong(house.raw("manager", "links/none/meters/main/history"), 404)
    assert wrong(house.raw("manager", f"{path}?from=2026-01-01&to=2026-03-01"), 422)["field"] == "to"


# ------------------------------------------------------------------------------------------------- people and registers


def test_staff_are_listed_without_their_cards(house: House) -> None:
    response = house.raw("auditor", "staff")
    roles = {one["id"]: one["role"] for one in response.json()["items"]}
    assert roles["demo-dealer"] == "dealer"
    assert not any(f'"{card}"' in response.text for card in CARDS.values())


def test_approvals_and_equipment(house: House) -> None:
    approvals = house["dealer"].get("approvals")
    config = house.server.floor.state.config
    assert config is not None
    assert {one["game"] for one in approvals["games"]} == {table.game for table in config.tables}
    assert all(one["because"] == [] for one in approvals["tables"])
    assert all(one["missing"] == [] and one["there"] for one in approvals["games"])
    early = house["dealer"].get("approvals", on="2001-01-01")
    assert all(one["missing"] for one in early["games"])
    equipment = house["dealer"].get("equipment")
    assert all(one["missing"] == [] for one in equipment["tables"])
    assert {one["kind"] for one in equipment["equipment"]} >= {"i-deal-plus", "coin-spot"}


def test_a_floor_file_is_looked_through_and_nothing_changes(house: House) -> None:
    manager, before = house["manager"], house.server.floor.state.seq

    def checked(text: str) -> Any:
        return manager.http.post(f"{API}/floor/check", json={"floor": text})

    fine = checked(example_floor()).json()
    assert fine["defects"] == []
    assert "CS-1" in fine["tables"]
    assert next(one for one in fine["links"] if one["id"] == "three-card")["house_edge"]["exact"] == "1234/5525"
    bad = checked(example_floor().replace('game = "caribbean-stud"', 'game = "canasta"')).json()
    assert len(bad["defects"]) >= 4
    assert checked("not toml").json()["defects"][0]["where"] == "floor"
    assert house.server.floor.state.seq == before
    dealer = house["dealer"].http.post(f"{API}/floor/check", json={"floor": ""})
    wrong(dealer, 403)


@pytest.mark.parametrize("key", ["paytable_files", '"paytable\\u005ffiles"'])
def test_a_floor_file_from_outside_opens_no_file_of_the_server(house: House, key: str, tmp_path: Path) -> None:
    secret = tmp_path / "secret.toml"
    secret.write_text("password = 'xyzzy'\n", "utf-8")
    text = f'{key} = ["{secret}"]\n{example_floor()}'
    answer = house["manager"].http.post(f"{API}/floor/check", json={"floor": text})
    assert wrong(answer, 422)["field"] == "floor"


# -------------------------------------------------------------------------------------------------------------- journal


def test_the_journal_is_told_whole_but_for_the_open_round(house: House) -> None:
    """Nothing in it tells a card of the round that is being played, nor could be used to find one."""
    store, state = house.server.floor.store, house.server.floor.state
    rows = store.round_entries("V-TCP", 2)
    play = opened(state.tables["V-TCP"], house.server.floor.shoe).round.play
    dealt = [play.dealer, *(hand.cards for hand in play.hands.values())]
    assert min(map(len, dealt)) == 3
    found = {one["entry"]: one for one in pages(house["manager"], "journal", table="V-TCP")}
    for row in rows:
        one = found[row.seq]
        assert not one["whole"]
        assert (one["order"], one["digest"], one["hash"], one["words"], one["events"]) == ("", "", "", "", [])
        assert json.loads(house.raw("manager", f"journal/{row.seq}").text) == one
    told = "".join(
        house.raw(role, path).text
        for role in ("manager", "executive", "auditor")
        for path in ("journal?limit=500", "journal?limit=500&table=V-TCP", *(f"journal/{row.seq}" for row in rows))
    )
    for cards in dealt:
        assert json.dumps(list(cards), separators=(",", ":")) not in told
        assert text_of(cards) not in told
    for row in rows:
        assert row.hash not in told
        assert row.order not in told
    over = [found[row.seq] for row in store.round_entries("V-TCP", 1)]
    assert all(one["whole"] and one["hash"] and one["words"] for one in over)
    assert any(event["type"] == "packet_dealt" for one in over for event in one["events"])
    assert state.tables["V-TCP"].round.number == 2


def test_a_code_that_is_still_good_is_not_told(house: House) -> None:
    carried = house["dealer"].order("players/admit", player="Zoe")
    assert house["manager"].get(f"journal/{carried['entry']}")["whole"] is False
    person = house.server.somebody()
    person.welcomed(person.http.post(f"{API}/session/player", json={"code": carried["code"]}))
    assert house["manager"].get(f"journal/{carried['entry']}")["whole"] is True


def test_entries_are_those_of_the_journal(house: House) -> None:
    for row in list(house.server.floor.store.entries(0, 25)):
        doc = house["manager"].get(f"journal/{row.seq}")
        entry = entry_of(row.body)
        assert doc["hash"] == row.hash
        assert doc["events"] == json.loads(msgspec.json.encode(entry.events))
        assert (doc["by"], doc["kind"], doc["order"], doc["at"]) == (entry.by, entry.kind, entry.order, entry.at)
    kinds = {one["kind"] for one in pages(house["manager"], "journal", kind="seed_meter")}
    assert kinds == {"seed_meter"}
    for number in ("0", "99999999"):
        wrong(house.raw("manager", f"journal/{number}"), 404)


def test_the_head_is_signed_by_the_floors_key(house: House) -> None:
    head = house["auditor"].get("journal/head")
    point = read_checkpoint("head", head["text"])
    assert checked_by(point, [read_verifier("vkey", head["vkey"])]).public.hex() == house.server.floor.state.key
    assert (point.size, point.root) == (head["seq"], house.server.floor.tree.root)


def test_a_head_without_the_key_in_force_is_not_signed(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    # As it is when the signing key was replaced and this process has not read its file again.
    kept = {purpose: (house.server.floor.keys.secret(purpose),) for purpose in PURPOSES}
    monkeypatch.setattr(house.server.floor, "keys", Keyring(Keyring.new().signing, kept))
    head = house["auditor"].get("journal/head")
    assert (head["text"], head["key"]) == ("", house.server.floor.state.key)


def test_a_changed_entry_is_found(tmp_path: Path) -> None:
    with serving_here(tmp_path) as server:
        auditor = server.sign_in("6001")
        sound = auditor.get("journal/verify")
        assert (sound["whole"], sound["bad"], sound["first"]) == (True, [], 1)
        assert sound["entries"] == sound["last"] >= 10
        with closing(sqlite3.connect(server.database)) as other:
            other.execute("UPDATE journal SET body = replace(body, 'demo', 'fake') WHERE seq = 5")
            other.commit()
        found = auditor.get("journal/verify")
        assert (found["whole"], [one["entry"] for one in found["bad"]]) == (False, [5])
        assert auditor.get("journal/verify", first=6)["whole"] is True
        with closing(sqlite3.connect(server.database)) as other:
            other.execute("DELETE FROM journal WHERE seq = 5")
            other.commit()
        assert auditor.get("journal/verify", first=3, last=5)["bad"] == [{"entry": 5, "what": "is missing"}]
        assert [one["entry"] for one in auditor.get("journal/verify")["bad"]] == [5, 6]
        for query in ("first=7&last=6", "first=-1", f"last={10**19}"):
            wrong(auditor.http.get(f"{API}/journal/verify?{query}"), 422)


# -------------------------------------------------------------------------------------------------------------- library


@pytest.fixture
def anyone(house: House) -> Person:
    return house.server.somebody()


def test_rules_are_open_to_anyone(anyone: Person) -> None:
    assert MAY_READ["rules"] == MAY_READ["figures"] == {"anyone"}
    assert [one["game"] for one in anyone.get("games")["items"]] == list(all_games())
    card = anyone.get("games/six-card-pai-gow")
    assert {option["option"] for option in card["options"]} >= {"positions", "double_down_for_less"}
    assert card["cards"] == 53
    assert any("PG-7" in line["clauses"] for section in card["rules"] for line in section["lines"])
    assert sum(len(letter["games"]) for letter in anyone.get("letters")["items"]) > 20
    wrong(anyone.http.get(f"{API}/games/canasta"), 404)
    wrong(anyone.http.get(f"{API}/paytables?game=canasta"), 404)


def test_a_rule_card_says_what_a_round_consists_of(anyone: Person) -> None:
    card = anyone.get("games/six-card-pai-gow")
    assert (card["short_title"], card["joker"], card["board_cards"]) == ("6 Card Fortune Pai Gow", True, 0)
    assert [(zone["owner"], zone["cards"]) for zone in card["zones"]] == [("spot", 6), ("dealer", 6)]
    assert len(card["splits"]) == 2
    (point,) = card["flow"]
    assert (point["kind"], point["left"]) == ("decide", "house_way")
    low, house_way = point["choices"]
    assert (low["takes_card"], house_way["takes_card"]) == (True, False)
    assert low["stakes"] == [{"wager": "double_down", "of": "base", "times": 1, "optional": True}]
    assert card["example_hands"]["Five aces"] == "As Ac Ad Ah Jk 9s"


def test_pay_tables_are_the_approved_ones(anyone: Person) -> None:
    book = approved_book()
    families = {family for game in all_games().values() for family in game.families}
    known = {(one.game, one.wager, one.id) for one in book.of(tuple(families))}
    found = anyone.get("paytables", limit=500)["items"]
    assert {(one["game"], one["wager"], one["id"]) for one in found} == known
    (stud,) = [one for one in found if one["id"] == "CSTUD-01"]
    assert (stud["kind"], stud["seed_cents"], stud["currency"]) == ("progressive", 1_000_000, "USD")
    assert stud["rows"][0] | {"envy_cents": 0} == {
        "hand": "royal_flush",
        "percent": 100,
        "meter": "main",
        "fixed_cents": None,
        "for_one": None,
        "from": "meter",
        "envy_cents": 0,
    }
    only = anyone.get("paytables", game="caribbean-stud", wager="bonus")["items"]
    assert only
    assert {one["wager"] for one in only} == {"bonus"}


def test_figures_are_the_counted_ones(anyone: Person) -> None:
    counted = approved_figures()
    assert counted is not None
    found = anyone.get("figures", limit=500, distribution="true")["items"]
    assert len(found) == len(counted)
    for figure, doc in zip(counted, found, strict=True):
        told = figure.to_json(distribution=True)
        told.pop("break_even_meter", None)
        assert {name: doc[name] for name in told} == json.loads(json.dumps(told))
    evens = {(one["game"], one["table"]): one["break_even_meter_cents"] for one in found}
    for figure in counted:
        if figure.returns is not None and figure.returns.break_even_dollars is not None:
            exact = figure.returns.break_even_dollars * 100
            assert abs(evens[figure.game, figure.table] - exact) * 2 <= 1
    assert anyone.get("figures", game="three-card-poker", wager="base")["items"][0]["distribution"] is None
    assert anyone.get("games/caribbean-stud/strategy")["items"][0]["rules_of_thumb"]


def test_the_sign_of_a_table_is_posted(house: House, anyone: Person) -> None:
    config = house.server.floor.state.config
    assert config is not None
    doc = anyone.get("tables/CS-1/sign")
    assert doc == {"currency": "USD", "sign": json.loads(msgspec.json.encode(signage(config, "CS-1")))}
    wrong(anyone.http.get(f"{API}/tables/NONE/sign"), 404)
