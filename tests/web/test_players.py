"""Players at virtual tables: a code from the dealer, a spot of one's own, and one's own cards."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from tests.web.web_kit import API, NEW_PIN, Person, ServerHere, serving_here

from houseway.manager.state import CODE_GOOD_FOR
from houseway.table.card_round.cards import opened
from houseway.web.demonstration import FIRST, STAFF
from houseway.web.secrets import CODE_LENGTH

TABLE = "tables/V-TCP"
BACKS = "?? ?? ??"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerHere]:
    with serving_here(tmp_path) as running:
        yield running


@pytest.fixture
def dealer(server: ServerHere) -> Person:
    return server.sign_in("2001")


def status(response: httpx.Response) -> tuple[int, str]:
    return response.status_code, response.json()["type"].rpartition(":")[2]


def give(server: ServerHere, code: str) -> httpx.Response:
    """A code is given in, on a browser of its own."""
    return server.somebody().http.post(f"{API}/session/player", json={"code": code})


# --------------------------------------------------------------------------------------------------------------- codes


def test_a_code_is_good_once(server: ServerHere, dealer: Person) -> None:
    told = dealer.order("players/admit", player="Ann")
    assert told["events"] == [{"type": "player_admitted", "player": "Ann"}]
    code = told["code"]
    assert len(code) == CODE_LENGTH
    welcome = give(server, f" {code.lower()} ")
    assert welcome.status_code == 200
    assert {key: welcome.json()[key] for key in ("kind", "id", "name", "role")} == {
        "kind": "player",
        "id": "player/Ann",
        "name": "Ann",
        "role": "player",
    }
    assert status(give(server, code)) == (401, "sign-in")
    assert code not in "".join(row.body for row in server.floor.store.entries())


@pytest.mark.parametrize("code", ["", "A", "AAAAAAAA", "x" * 500, "'", "AAAAAAA\u0130"])
def test_a_code_that_nobody_gave_is_none(server: ServerHere, dealer: Person, code: str) -> None:
    dealer.order("players/admit", player="Ann")
    assert status(give(server, code)) == (401, "sign-in")


def test_a_code_waits_only_so_long(server: ServerHere, dealer: Person) -> None:
    codes = [dealer.order("players/admit", player=name)["code"] for name in ("Ann", "Ben")]
    server.clock.later(CODE_GOOD_FOR / 1_000_000 - 5)
    assert give(server, codes[0]).status_code == 200
    server.clock.later(6)
    assert status(give(server, codes[1])) == (401, "sign-in")


def test_a_new_code_takes_the_place_of_one_that_was_not_used(server: ServerHere, dealer: Person) -> None:
    first = dealer.order("players/admit", player="Ann")["code"]
    second = dealer.order("players/admit", player="Ann")["code"]
    assert first != second
    assert status(give(server, first)) == (401, "sign-in")
    assert give(server, second).status_code == 200


@pytest.mark.parametrize("name", ["", " ", " Ann", "Ann ", "x" * 41, "a\nb", "\u200b"])
def test_a_player_is_admitted_under_a_proper_name(dealer: Person, name: str) -> None:
    assert status(dealer.send("players/admit", player=name)) == (409, "refused")


def test_only_who_deals_lets_players_in(server: ServerHere, dealer: Person) -> None:
    ann = server.player("Ann", dealer)
    for person in (ann, *(server.sign_in(card) for card in ("4001", "5001", "6001", "7001"))):
        assert status(person.send("players/admit", player="Ben")) == (403, "not-allowed")
    server.sign_in("3001").order("players/admit", player="Ben")


# ------------------------------------------------------------------------------------------------------- his own spot


def test_a_player_acts_for_his_own_spot_alone(server: ServerHere, dealer: Person) -> None:
    ann, ben = server.player("Ann", dealer), server.player("Ben", dealer)
    ann.order(f"{TABLE}/sit-down", spot=2, player="Ann")
    for path, body in (
        ("sit-down", {"spot": 3, "player": "Ann"}),
        ("sit-down", {"spot": 3, "player": "player/Ben"}),
        ("stand-up", {"spot": 2}),
        ("bet", {"spot": 2, "wager": "ante", "cents": 1000}),
        ("act", {"spot": 2, "action": "fold"}),
    ):
        refused = ben.send(f"{TABLE}/{path}", **body)
        assert status(refused) in ((403, "not-allowed"), (409, "refused")), path
    assert status(ben.send(f"{TABLE}/bet", spot=2, wager="ante", cents=1000)) == (403, "not-allowed")
    assert server.floor.state.tables["V-TCP"].seats == {2: "Ann"}
    ben.order(f"{TABLE}/sit-down", spot=3, player="Ben")
    ann.order(f"{TABLE}/bet", spot=2, wager="ante", cents=1000)
    ben.order(f"{TABLE}/bet", spot=3, wager="ante", cents=500)
    for path in ("no-more-bets", "deal", "reveal", "reconcile", "close-round", "lock-in"):
        assert status(ann.send(f"{TABLE}/{path}")) == (403, "not-allowed"), path
    dealer.order(f"{TABLE}/no-more-bets")
    dealer.order(f"{TABLE}/lock-in")
    dealer.order(f"{TABLE}/deal", packets=0)
    assert status(ben.send(f"{TABLE}/act", spot=2, action="fold")) == (403, "not-allowed")
    assert status(ben.send(f"{TABLE}/stand-up", spot=2)) == (403, "not-allowed")
    ann.order(f"{TABLE}/act", spot=2, action="fold")
    # With a supervisor's card on a player's screen it is the supervisor who asks, and no player (TR-8).
    key = "by card"
    token = ben.present("3001", key)
    refused = ben.send(f"{TABLE}/act", key, {"By-Card": token}, spot=3, action="play")
    assert status(refused) == (403, "not-allowed")
    ben.order(f"{TABLE}/act", spot=3, action="play")


def test_a_player_sees_his_own_cards_and_the_others_backs(server: ServerHere, dealer: Person) -> None:
    ann, ben = server.player("Ann", dealer), server.player("Ben", dealer)
    watchers = [server.sign_in(card) for card in ("3001", "4001", "5001", "6001", "7001")]
    for person, name, spot in ((ann, "Ann", 2), (ben, "Ben", 3)):
        person.order(f"{TABLE}/sit-down", spot=spot, player=name)
        person.order(f"{TABLE}/bet", spot=spot, wager="ante", cents=1000)
    dealer.order(f"{TABLE}/no-more-bets")
    dealer.order(f"{TABLE}/lock-in")
    dealer.order(f"{TABLE}/deal", packets=0)

    def cards(person: Person) -> dict[int, str]:
        play = person.get(TABLE)["play"]
        assert play["dealer"] == BACKS
        return {spot["spot"]: spot["cards"] for spot in play["spots"]}

    hands = opened(server.floor.state.tables["V-TCP"], server.floor.shoe).round.play.hands
    assert cards(ann)[3] == BACKS
    assert cards(ben)[2] == BACKS
    assert "?" not in cards(ann)[2] + cards(ben)[3]
    assert len(cards(ann)[2].split()) == len(hands[2].cards) == 3
    for person in (dealer, *watchers):
        assert cards(person) == {2: BACKS, 3: BACKS}
    # A fold is seen by the whole table; the folded cards are not.
    ann.order(f"{TABLE}/act", spot=2, action="fold")
    assert cards(ben)[2] == cards(dealer)[2] == BACKS


def test_a_player_looks_at_tables_before_cards_are_entered_at_one(server: ServerHere, dealer: Person) -> None:
    """Somebody of the same name sits where a dealer enters the cards: there is nothing to set yet."""
    ann = server.player("Ann", dealer)
    dealer.order("tables/PG-2/sit-down", spot=2, player="Ann")
    dealer.order("tables/PG-2/bet", spot=2, wager="base", cents=1_000)
    dealer.order("tables/PG-2/no-more-bets")
    dealer.order("tables/PG-2/lock-in")
    (table,) = (one for one in ann.get("tables", limit=100)["items"] if one["table"] == "PG-2")
    assert [one["settings"] for one in table["actions"]] == [[]] * len(table["actions"])


def test_a_player_is_told_nothing_of_the_houses_own(server: ServerHere, dealer: Person) -> None:
    ann = server.player("Ann", dealer)
    for path in ("floor", "manager", "claims", "wins", "staff", "devices", "journal", "reports/day", "adjustments"):
        assert ann.http.get(f"{API}/{path}").status_code == 403, path
    dealer.order("tables/CS-1/lock-in", lit=[1])
    dealer.order("tables/CS-1/name-win", spot=1, hand="flush")
    for path in ("tables/CS-1", "links/stud", "tables", "links"):
        assert "demo-dealer" not in ann.http.get(f"{API}/{path}").text
        assert "reserve" not in ann.http.get(f"{API}/{path}").text


# -------------------------------------------------------------------------------------------------------------- guests


def test_a_guest_comes_in_by_himself_on_a_demonstration_floor(server: ServerHere) -> None:
    guest = server.somebody()
    told = guest.welcomed(guest.http.post(f"{API}/session/guest", json={"name": "Gus"}))
    assert (told["kind"], told["name"], told["demonstration"]) == ("player", "Gus", True)
    guest.order(f"{TABLE}/sit-down", spot=1, player="Gus")
    for name in ("", " x", "a\nb", "y" * 41):
        assert status(server.somebody().http.post(f"{API}/session/guest", json={"name": name})) == (409, "refused")


def test_a_guest_does_not_come_in_under_the_name_of_one_who_is_there(server: ServerHere, dealer: Person) -> None:
    """He would take her spot, her wagers and her cards."""
    ann = server.player("Ann", dealer)
    ann.order(f"{TABLE}/sit-down", spot=2, player="Ann")
    ben = server.player("Ben", dealer)
    ben.order(f"{TABLE}/sit-down", spot=3, player="Ben")
    ben.http.delete(f"{API}/session")
    waiting = dealer.order("players/admit", player="Cat")["code"]
    for name in ("Ann", "Ben", "Cat"):
        assert status(server.somebody().http.post(f"{API}/session/guest", json={"name": name})) == (409, "refused")
    assert ann.get(TABLE)["table"] == "V-TCP"
    assert give(server, waiting).status_code == 200


def test_where_cards_are_secret_there_are_no_guests(server: ServerHere) -> None:
    """The demonstration's staff is replaced, one by one; with the last of them go the guests."""
    manager = server.sign_in("5001")
    assert manager.enroll("real", "manager", card="9001") == "9001"
    manager.enroll("real-2", "executive", card="9002")
    real = server.sign_in("9001", NEW_PIN)
    for one in (*STAFF, FIRST):
        key = f"dismiss {one.staff}"
        second = {"Second-Card": real.present("9002", key, pin=NEW_PIN)}
        real.order("staff/dismiss", key, second, staff=one.staff, reason="their cards are no secret")
    assert server.somebody().get("session")["demonstration"], "TR-9: once a demonstration, always one"
    refused = server.somebody().http.post(f"{API}/session/guest", json={"name": "Gus"})
    assert status(refused) == (403, "not-allowed")
