"""TR-8: a seat belongs to the person who was let in. The attacks are made over a real socket, on a real file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.web.web_kit import API, Person, ServerHere, serving_here

from houseway.manager import access
from houseway.manager.commands import Order
from houseway.manager.state import CODE_GOOD_FOR, LONGEST_SIGNED_IN
from houseway.refusal import NotAllowed
from houseway.table.card_round import decide as play
from houseway.table.card_round.commands import Act, Bet
from houseway.web import round_books

TABLE = "tables/V-TCP"
BACKS = "?? ?? ??"
pytestmark = pytest.mark.clause("TR-8")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerHere]:
    with serving_here(tmp_path) as running:
        yield running


@pytest.fixture
def dealer(server: ServerHere) -> Person:
    return server.sign_in("2001")


def seated(server: ServerHere, dealer: Person, name: str = "Ann", spot: int = 2) -> Person:
    """A player who was let in, sits and has bet."""
    player = server.player(name, dealer)
    player.order(f"{TABLE}/sit-down", spot=spot, player=name)
    player.order(f"{TABLE}/bet", spot=spot, wager="ante", cents=1000)
    return player


def deal(dealer: Person) -> None:
    dealer.order(f"{TABLE}/no-more-bets")
    dealer.order(f"{TABLE}/lock-in")
    dealer.order(f"{TABLE}/deal", packets=0)


def finish(dealer: Person) -> int:
    """To the close; answers the round that ended."""
    number = int(dealer.get(TABLE)["play"]["round"])
    if dealer.get(TABLE)["play"]["stage"] == "collecting":
        dealer.order(f"{TABLE}/collect")
    dealer.order(f"{TABLE}/reveal")
    while dealer.get(TABLE)["play"]["next_step"]:
        for spot, hand in dealer.get(TABLE)["play"]["unnamed"]:
            dealer.order(f"{TABLE}/name-win", spot=spot, hand=hand)
        dealer.order(f"{TABLE}/reconcile")
    dealer.order(f"{TABLE}/close-round")
    return number


def cards(person: Person, spot: int) -> str:
    return str(next(one["cards"] for one in person.get(TABLE)["play"]["spots"] if one["spot"] == spot))


def entered(server: ServerHere, code: str) -> tuple[int, Person, dict[str, Any]]:
    person = server.somebody()
    answer = person.http.post(f"{API}/session/player", json={"code": code})
    told = person.welcomed(answer) if answer.status_code == 200 else answer.json()
    return answer.status_code, person, told


def test_the_dealer_does_not_become_the_player(server: ServerHere, dealer: Person) -> None:
    """The attack as it was done: let "Ann" in again, read her cards, raise her Ante, fold for her."""
    ann = seated(server, dealer)
    refused = dealer.send("players/admit", player="Ann")
    assert (refused.status_code, refused.json()["field"]) == (409, "player")
    ann.http.delete(f"{API}/session")
    assert dealer.send("players/admit", player="Ann").status_code == 409, "signed out, she still has her seat"
    for path, body in (
        ("bet", {"spot": 2, "wager": "ante", "cents": 5000}),
        ("bet", {"spot": 2, "wager": "ante", "cents": 0}),
        ("sit-down", {"spot": 3, "player": "Ann"}),
        ("sit-down", {"spot": 3, "player": "Shill"}),
        ("stack-deck", {"spot": 2, "cards": "2c 3d 5h"}),
        ("correct-count", {"spot": 2, "wagered": True, "reason": "so it is"}),
    ):
        for person in (dealer, server.sign_in("3001")):
            assert person.send(f"{TABLE}/{path}", **body).status_code == 403, path
    deal(dealer)
    assert cards(dealer, 2) == BACKS
    for action in ("fold", "play"):
        for person in (dealer, server.sign_in("3001")):
            assert person.send(f"{TABLE}/act", spot=2, action=action).status_code == 403
    assert not server.floor.state.tables["V-TCP"].round.play.hands[2].actions


def test_nobody_without_a_session_of_the_admission_gives_a_players_orders(server: ServerHere, dealer: Person) -> None:
    """Not by a name in the body, a card on a screen, or an id that was never let in."""
    seated(server, dealer)
    bet = {"spot": 2, "wager": "ante", "cents": 5000}
    key = "by-card"
    token = dealer.present("3001", key)
    assert dealer.send(f"{TABLE}/bet", key, {"By-Card": token}, **bet).status_code == 403
    assert dealer.http.post(f"{API}/{TABLE}/bet", json={**bet, "by": "player/Ann"}).status_code in (400, 422)
    ben = server.player("Ben", dealer)
    assert ben.send(f"{TABLE}/bet", **bet).status_code == 403
    command = Bet(table="V-TCP", spot=2, wager="ante", cents=5000)
    for by in ("player/Nobody", "player/", "player/ann", "player/Ann "):
        with pytest.raises(NotAllowed):
            server.floor.handle(Order(id=f"as {by}", by=by, command=command))
    enrolled = {"staff": "player/Ann", "name": "A", "role": "dealer"}
    assert server.sign_in("5001").send("staff/enroll", **enrolled).status_code >= 400


def test_a_lost_session_comes_back_with_its_own_code_and_no_other(server: ServerHere, dealer: Person) -> None:
    code = dealer.order("players/admit", player="Ann")["code"]
    _, ann, told = entered(server, code)
    again = told["again"]
    ann.order(f"{TABLE}/sit-down", spot=2, player="Ann")
    ann.order(f"{TABLE}/bet", spot=2, wager="ante", cents=1000)
    deal(dealer)
    mine = cards(ann, 2)
    assert entered(server, code)[0] == 401, "the dealer's code is used up"
    status, back, told = entered(server, again.lower())
    assert (status, told["name"], cards(back, 2)) == (200, "Ann", mine)
    assert ann.http.get(f"{API}/{TABLE}").status_code == 401, "the other screen is signed out"
    assert entered(server, again)[0] == 401, "and the return code is a new one"
    back.order(f"{TABLE}/act", spot=2, action="play")
    text = "".join(row.body for row in server.floor.store.entries())
    for secret in (again, told["again"], code):
        assert secret not in text


def test_a_code_that_was_not_used_is_replaced(server: ServerHere, dealer: Person) -> None:
    first, second = (dealer.order("players/admit", player="Ann")["code"] for _ in range(2))
    assert entered(server, first)[0] == 401
    assert entered(server, second)[0] == 200


def test_a_player_who_went_away_is_stood_up_and_not_played_for(server: ServerHere, dealer: Person) -> None:
    """FL-23: the dealer may end a seat that its player left; the undecided hand folds by the rule, nobody chooses."""
    ann = seated(server, dealer)
    deal(dealer)
    ann.http.delete(f"{API}/session")
    dealer.order(f"{TABLE}/stand-up", spot=2)
    hand = server.floor.state.tables["V-TCP"].round.play.hands[2]
    assert (hand.folded, hand.actions[-1].how if hand.actions else "") == (True, "left")
    assert dealer.send("players/admit", player="Ann").status_code == 409, "her hand is still in the round"
    finish(dealer)
    dealer.order("players/admit", player="Ann")


def test_a_namesake_reads_no_round_of_the_first(server: ServerHere, dealer: Person) -> None:
    ann = seated(server, dealer)
    ben = seated(server, dealer, "Ben", 3)
    stranger = server.player("Cat", dealer)
    stranger.order(f"{TABLE}/sit-down", spot=4, player="Cat")
    stranger.order(f"{TABLE}/bet", spot=4, wager="ante", cents=1000)
    stranger.order(f"{TABLE}/bet", spot=4, wager="ante", cents=0)
    deal(dealer)
    ann.order(f"{TABLE}/act", spot=2, action="fold")
    ben.order(f"{TABLE}/act", spot=3, action="play")
    number = finish(dealer)
    for path in (f"{TABLE}/rounds/{number}", f"{TABLE}/rounds/{number}.txt"):
        assert ann.http.get(f"{API}/{path}").status_code == 200
        assert stranger.http.get(f"{API}/{path}").status_code == 403, "a wager that was taken back is none"
    ann.order(f"{TABLE}/stand-up", spot=2)
    ann.http.delete(f"{API}/session")
    namesake = server.player("Ann", dealer)
    for path in (f"{TABLE}/rounds/{number}", f"{TABLE}/rounds/{number}.txt"):
        assert namesake.http.get(f"{API}/{path}").status_code == 403
    assert ann.http.get(f"{API}/{TABLE}").status_code == 401


def test_a_name_is_free_again_when_nothing_of_it_is_left(server: ServerHere, dealer: Person) -> None:
    told = entered(server, dealer.order("players/admit", player="Ann")["code"])[2]
    server.clock.later(CODE_GOOD_FOR / 1_000_000)
    dealer = server.sign_in("2001")
    assert dealer.send("players/admit", player="Ann").status_code == 409
    server.clock.later(LONGEST_SIGNED_IN / 1_000_000)
    dealer = server.sign_in("2001")
    dealer.order("players/admit", player="Ann")
    assert entered(server, told["again"])[0] == 401, "the return code was the first Ann's"


# ------------------------------------------------------------------------------------------------------- planted bugs


def test_planted_a_name_in_use_lets_in_the_dealer(
    server: ServerHere, dealer: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without that guard the namesake is in; the seat is still the first one's, by its admission."""
    monkeypatch.setattr(access, "taken", lambda state, name, now: "")
    ann = seated(server, dealer)
    deal(dealer)
    mine = cards(ann, 2)
    assert mine != BACKS
    thief = server.player("Ann", dealer)
    assert cards(thief, 2) == BACKS
    assert thief.send(f"{TABLE}/act", spot=2, action="fold").status_code == 403
    # And without the admission in seat and hand the old attack is whole again.
    by_name = lambda felt, name, admission, player, guest: name == player  # noqa: E731
    monkeypatch.setattr(play, "owns", by_name)
    monkeypatch.setattr("houseway.table.card_round.view.owns", by_name)
    assert cards(thief, 2) == mine
    thief.order(f"{TABLE}/act", spot=2, action="fold")


def test_planted_the_dealer_bets_and_folds_for_a_player(
    server: ServerHere, dealer: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play, "_players_own", lambda felt, spot: None)
    seated(server, dealer)
    dealer.order(f"{TABLE}/bet", spot=2, wager="ante", cents=5000)
    deal(dealer)
    dealer.order(f"{TABLE}/act", spot=2, action="fold")
    hand = server.floor.state.tables["V-TCP"].round.play.hands[2]
    assert (hand.wagers["ante"], hand.folded) == (5000, True)


def test_planted_anybody_reads_a_round(server: ServerHere, dealer: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = seated(server, dealer)
    deal(dealer)
    ann.order(f"{TABLE}/act", spot=2, action="fold")
    number = finish(dealer)
    stranger = server.player("Cat", dealer)
    assert stranger.http.get(f"{API}/{TABLE}/rounds/{number}").status_code == 403
    monkeypatch.setattr(round_books, "played_in", lambda rows, guest: True)
    assert stranger.http.get(f"{API}/{TABLE}/rounds/{number}").status_code == 200


def test_the_service_and_the_command_line_sign_in_as_staff_alone(server: ServerHere, dealer: Person) -> None:
    """An order names who gives it only where a card and PIN, or a session, proved it."""
    from houseway.commands.service import _DECODER

    for line in (
        b'{"op":"do","id":"1","token":"t","by":"player/Ann","command":{"type":"stand_up","table":"V-TCP","spot":2}}',
        b'{"op":"sign_in","id":"1","card":"player/Ann","pin":"1","by":"player/Ann"}',
    ):
        with pytest.raises(Exception, match="unknown field `by`"):
            _DECODER.decode(line)
    choose = Act(table="V-TCP", spot=2, action="fold")
    seated(server, dealer)
    with pytest.raises(NotAllowed):
        server.floor.handle(Order(id="of the house", by="demo-dealer", command=choose))
