"""TR-4: a card that is presented is good for one press on one screen, and the journal names everybody."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from tests.web.web_kit import API, Person, ServerHere, serving_here

from houseway.books.export import Site, as_entries_csv, paragraph
from houseway.client import Card, Client
from houseway.manager.commands import Order, Suspend, digest_of
from houseway.manager.entry import Entry, entry_of, row_of
from houseway.manager.store.base import EMPTY
from houseway.web.who import Principal

SUSPEND = {"what": "table", "id": "CS-2", "why": "a test"}
RESUME = {"what": "table", "id": "CS-2"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerHere]:
    with serving_here(tmp_path_factory.mktemp("presented")) as made:
        yield made


def entry_at(server: ServerHere, number: int) -> Entry:
    return next(entry_of(row.body) for row in server.floor.store.entries(number - 1, number))


def refused(person: Person, path: str, key: str, headers: dict[str, str], **body: Any) -> bool:
    response = person.send(path, key, headers, **body)
    return response.status_code == 401 and response.json()["type"] == "urn:houseway:problem:presence"


@pytest.mark.clause("TR-4")
def test_a_token_is_good_in_the_session_it_was_made_in_alone(server: ServerHere) -> None:
    dealer, thief, again = server.sign_in("2001"), server.sign_in("2002"), server.sign_in("2001")
    token = {"By-Card": dealer.present("3001", "one press", "floor/suspend")}
    assert refused(thief, "floor/suspend", "one press", token, **SUSPEND)
    assert refused(again, "floor/suspend", "one press", token, **SUSPEND), "the same person at another screen"
    player = server.player("Mallory", dealer)
    assert refused(player, "floor/suspend", "one press", token, **SUSPEND)
    device = server.sign_in("5001").order("devices/issue-device", device="box", right="casino")["token"]
    by_device = server.somebody()
    by_device.http.headers["Authorization"] = f"Bearer {device}"
    assert refused(by_device, "floor/suspend", "one press", token, **SUSPEND)
    dealer.order("floor/suspend", "one press", token, **SUSPEND)
    dealer.order("floor/resume", "back", {"By-Card": dealer.present("3001", "back")}, **RESUME)


@pytest.mark.clause("TR-4")
def test_planted_with_tokens_for_any_session_a_thief_uses_one(
    server: ServerHere, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Principal, "session", "any")
    dealer, thief = server.sign_in("2001"), server.sign_in("2002")
    token = {"By-Card": dealer.present("3001", "stolen press", "floor/suspend")}
    done = thief.order("floor/suspend", "stolen press", token, **SUSPEND)
    assert entry_at(server, done["entry"]).by == "demo-supervisor"
    dealer.order("floor/resume", "back again", {"By-Card": dealer.present("3001", "back again")}, **RESUME)


@pytest.mark.clause("TR-4")
def test_a_token_is_good_for_its_key_its_address_and_its_role_alone(server: ServerHere) -> None:
    dealer = server.sign_in("2001")
    by = {"By-Card": dealer.present("3001", "this press", "floor/suspend")}
    assert refused(dealer, "floor/suspend", "another press", by, **SUSPEND)
    assert refused(dealer, "floor/resume", "this press", by, **RESUME)
    assert refused(dealer, "floor/suspend", "this press", {"Second-Card": by["By-Card"]}, **SUSPEND)
    second = {"By-Card": dealer.present("3001", "this press", "floor/suspend", "second")}
    assert refused(dealer, "floor/suspend", "this press", second, **SUSPEND)


@pytest.mark.clause("TR-4")
@pytest.mark.parametrize("missing", ["key", "path", "role"])
def test_a_card_is_presented_for_something_or_not_at_all(server: ServerHere, missing: str) -> None:
    asked = {"card": "3001", "pin": "1234", "key": "k", "path": "floor/suspend", "role": "by"}
    del asked[missing]
    answer = server.sign_in("2001").http.post(f"{API}/presence", json=asked)
    assert answer.status_code == 422
    assert missing in answer.json()["detail"]


@pytest.mark.clause("TR-4")
def test_nobody_presents_a_card_where_nobody_is_signed_in(server: ServerHere) -> None:
    asked = {"card": "3001", "pin": "1234", "key": "k", "path": "floor/suspend", "role": "by"}
    assert server.somebody().http.post(f"{API}/presence", json=asked).status_code == 401


@pytest.mark.clause("TR-4")
def test_the_journal_names_whose_card_it_was_and_on_whose_screen(server: ServerHere) -> None:
    dealer, manager = server.sign_in("2001"), server.sign_in("5001")
    done = dealer.order("floor/suspend", "named", {"By-Card": dealer.present("3001", "named")}, **SUSPEND)
    entry = entry_at(server, done["entry"])
    assert (entry.by, entry.second, entry.screen) == ("demo-supervisor", "", "demo-dealer")
    site = Site.of(server.floor.state)
    assert "by Demo supervisor (demo-supervisor), on the screen of Demo dealer (demo-dealer)" in paragraph(entry, site)
    shown = manager.get(f"journal/{done['entry']}")
    assert (shown["by"], shown["screen"]) == ("demo-supervisor", "demo-dealer")
    row = next(iter(server.floor.store.entries(done["entry"] - 1, done["entry"])))
    assert ",demo-supervisor,,demo-dealer,suspend," in list(as_entries_csv([row], site))[1]
    # Who uses a card of their own on their own screen is named once.
    supervisor = server.sign_in("3001")
    own = supervisor.order("floor/resume", "own", {"By-Card": supervisor.present("3001", "own")}, **RESUME)
    assert entry_at(server, own["entry"]).screen == ""


@pytest.mark.clause("TR-4")
def test_the_second_person_is_named_beside_both(server: ServerHere) -> None:
    dealer = server.sign_in("2001")
    adjust = {"link": "stud", "meter": "main", "cents": 5, "reason": "malfunction", "explanation": "a test"}
    cards = {"By-Card": dealer.present("5001", "three"), "Second-Card": dealer.present("4001", "three")}
    done = dealer.order("adjustments/adjust-meter", "three", cards, **adjust)
    entry = entry_at(server, done["entry"])
    assert (entry.by, entry.second, entry.screen) == ("demo-manager", "demo-executive", "demo-dealer")


@pytest.mark.clause("TR-4")
def test_the_client_presents_cards_for_its_own_order(server: ServerHere) -> None:
    with Client(server.url) as dealer:
        dealer.sign_in("2001", "1234")
        done = dealer.order(Suspend(what="table", id="CS-4", why="a test"), by=Card("3001", "1234"))
    assert entry_at(server, done.entry).screen == "demo-dealer"


@pytest.mark.clause("TR-4")
def test_entries_and_orders_from_before_there_was_a_screen_stay_as_they_were(server: ServerHere) -> None:
    row = next(iter(server.floor.store.entries(0, 1)))
    assert "screen" not in row.body
    assert row_of(entry_of(row.body), EMPTY).hash == row.hash
    order = Order(id="a", by="b", command=Suspend(what="table", id="T", why="x"))
    assert digest_of(order) == digest_of(msgspec.structs.replace(order, screen="c"))
    # As it was made before: over the whole order, which had no screen.
    assert digest_of(order) == _digest_before(order)


def _digest_before(order: Order) -> str:
    import hashlib

    class Before(msgspec.Struct, kw_only=True):
        id: str
        by: str
        second: str = ""
        command: Any

    encoded = msgspec.json.Encoder(order="sorted").encode(Before(id=order.id, by=order.by, command=order.command))
    return hashlib.sha256(encoded).hexdigest()[:32]
