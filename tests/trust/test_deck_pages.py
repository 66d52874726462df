"""TR-11 in the browser: the player's part of the shuffle, and rounds checked at the seat and without a server."""

from __future__ import annotations

import hashlib
import hmac
import json
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from tests.pages.pages_kit import House, browser, playwright
from tests.pages.test_every_page import tabbed, violations
from tests.web.web_kit import Person, Server, make_floor, serving_here

from houseway.manager.floor_file import example_floor
from houseway.table.card_round.view import view as play_view
from houseway.web import views
from houseway.web.pages import checker_page

__all__ = ["browser", "playwright"]

ROOT = Path(__file__).parents[2]
FILE = ROOT / "docs" / "check.html"
VECTORS = ROOT / "docs" / "deck-vectors.json"
FAIR = ROOT / "src" / "houseway" / "web" / "static" / "js" / "fair.js"
PHONE = {"width": 360, "height": 780}
DECK = [rank + suit for suit in "cdhs" for rank in "23456789TJQKA"]

Record = dict[str, Any]

# ------------------------------------------------------- the procedure a second time, by this file's own reading of it


def stream(key: bytes) -> Iterator[int]:
    counter = 0
    while True:
        yield from hmac.digest(key, counter.to_bytes(8, "big"), "sha256")
        counter += 1


def below(numbers: Iterator[int], stop: int) -> int:
    wide = stop > 256
    size = 65536 if wide else 256
    while True:
        drawn = next(numbers) * 256 + next(numbers) if wide else next(numbers)
        if drawn < size - size % stop:
            return drawn % stop


def shuffled(table: str, round_: int, seed: str, parts: dict[int, str], cards: int, positions: int) -> tuple[str, int]:
    message = f"houseway deck 2\n{table}\n{round_}\n" + "".join(f"{spot} {parts[spot]}\n" for spot in sorted(parts))
    numbers = stream(hmac.digest(bytes.fromhex(seed), message.encode(), "sha256"))
    order = [*DECK, "Jk"][:cards]
    for last in range(cards - 1, 0, -1):
        chosen = below(numbers, last + 1)
        order[last], order[chosen] = order[chosen], order[last]
    return " ".join(order), below(numbers, positions) + 1 if positions else 0


def honest(table: str = "V-CS", round_: int = 7) -> Record:
    """The record of an honest round of Caribbean Stud, with what the page of spot 3 noted."""
    seed = hashlib.sha256(b"a secret of the house").hexdigest()
    parts = {3: "ab" * 32, 5: "seven sevens, please"}
    order, _ = shuffled(table, round_, seed, parts, 52, 0)
    cards = order.split()
    packets = [" ".join(cards[place : place + 5]) for place in (0, 5, 10)]
    commitment = hashlib.sha256(f"houseway seed 2\n{table}\n{round_}\n{seed}\n".encode()).hexdigest()
    return {
        "procedure": "houseway deck 2",
        "table": table,
        "round": round_,
        "game": "caribbean-stud",
        "commitment": commitment,
        "seed": seed,
        "player_seeds": {str(spot): text for spot, text in parts.items()},
        "nonce": "",
        "order": order,
        "start": 0,
        "positions": 0,
        "dealer_position": 1,
        "dealt": [{"target": target, "cards": packet} for target, packet in zip((3, 5, 0), packets, strict=True)],
        "chosen": False,
        "voided": False,
        "seen": {
            "commitment": commitment,
            "late": False,
            "changed": "",
            "player_seeds": {"3": parts[3]},
            "cards": {"3": packets[0]},
        },
    }


def swapped(text: str) -> str:
    """A deck in which two cards that nobody holds have changed places: the hands are the same."""
    cards = text.split()
    cards[-1], cards[-2] = cards[-2], cards[-1]
    return " ".join(cards)


OTHER = "0f" * 32
CHANGES: dict[str, tuple[Callable[[Record], Any], str]] = {
    "seed": (lambda one: one.update(seed=OTHER), "does NOT fit the lock"),
    "commitment": (lambda one: one.update(commitment=OTHER), "does NOT fit the lock"),
    "my part": (lambda one: one["player_seeds"].update({"3": OTHER}), "Your part for spot 3 is missing or was changed"),
    "my part left out": (lambda one: one["player_seeds"].pop("3"), "Your part for spot 3 is missing or was changed"),
    "another's part": (lambda one: one["player_seeds"].update({"5": "x"}), "The deck does NOT follow"),
    "a part more": (lambda one: one["player_seeds"].update({"6": "x"}), "The deck does NOT follow"),
    "order": (lambda one: one.update(order=swapped(one["order"])), "The deck does NOT follow"),
    "start": (lambda one: one.update(start=2), "The deck does NOT follow"),
    "table": (lambda one: one.update(table="V-CX"), "does NOT fit the lock"),
    "round": (lambda one: one.update(round=8), "does NOT fit the lock"),
    "a packet": (lambda one: one["dealt"][0].update(cards=one["dealt"][1]["cards"]), "NOT dealt off the top"),
    "packets of two spots": (
        lambda one: (one["dealt"][0].update(target=5), one["dealt"][1].update(target=3)),
        "NOT dealt off the top",
    ),
    "the cards I saw": (
        lambda one: one["seen"]["cards"].update({"3": "2c 3c 4c 5c 6c"}),
        "Your cards at spot 3 are NOT",
    ),
    "the lock I saw": (lambda one: one["seen"].update(commitment=OTHER), "The lock is NOT the one you were shown"),
    "a lock shown later": (
        lambda one: one["seen"].update(changed=OTHER),
        "showed one lock first and another one later",
    ),
    "no such field": (lambda one: one.pop("seed"), "“seed” is missing"),
    "a hostile part": (lambda one: one["player_seeds"].update({"3": "a\n5 b"}), "“player_seeds” is missing"),
}


@contextmanager
def from_disk(browser: Browser, file: Path) -> Iterator[Page]:
    """The saved file in a browser without a network; nothing else may be asked for, and no error may be reported."""
    context = browser.new_context(offline=True, viewport=PHONE, reduced_motion="reduce")  # type: ignore[arg-type]
    asked: list[str] = []
    errors: list[str] = []
    page = context.new_page()
    page.set_default_timeout(15_000)
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.goto(file.as_uri())
    yield page
    assert [one for one in asked if not one.startswith("data:")] == [file.as_uri()]
    assert errors == []
    context.close()


@pytest.fixture(scope="module")
def fair(browser: Browser) -> Iterator[Page]:
    """A page with the functions of fair.js at hand, and nothing else."""
    page = browser.new_page()
    page.goto("about:blank")
    source = FAIR.read_text("utf-8").replace("export ", "")
    names = (
        "sha256, hmac, hex, fromHex, bytesOf, newDeck, seedText, partsText, dealtFrom, Stream, verifyRound, "
        "partDefect, randomPart"
    )
    page.evaluate(f"(() => {{ {source}; window.fair = {{ {names} }}; }})()")
    yield page
    page.close()


# ----------------------------------------------------------------------------------------------------- the functions


@pytest.mark.clause("TR-11")
def test_hashes_are_those_of_another_implementation(fair: Page) -> None:
    """SHA-256 and HMAC at every length around the blocks, and at random ones, beside the interpreter's own."""
    source = random.Random(11)
    pairs = [(source.randbytes(source.randrange(200)), source.randbytes(size)) for size in (*range(200), 1000, 70_000)]
    given = [(key.hex(), message.hex()) for key, message in pairs]
    found = fair.evaluate(
        "(pairs) => pairs.map(([key, message]) => [fair.hex(fair.sha256(fair.fromHex(message))), "
        "fair.hex(fair.hmac(fair.fromHex(key), fair.fromHex(message)))])",
        given,
    )
    assert found == [
        [hashlib.sha256(message).hexdigest(), hmac.digest(key, message, "sha256").hex()] for key, message in pairs
    ]
    assert (
        fair.evaluate("fair.hex(fair.sha256(fair.bytesOf('Zürich ♠')))")
        == hashlib.sha256("Zürich ♠".encode()).hexdigest()
    )


@pytest.mark.clause("TR-11")
def test_decks_are_those_of_another_implementation(fair: Page) -> None:
    """The whole procedure on random rounds: tables, spots past nine, own texts, both decks, start positions."""
    source = random.Random(12)
    signs = "".join(map(chr, range(33, 127)))
    asked, expected = [], []
    for round_ in range(1, 61):
        spots = source.sample(range(1, 14), source.randrange(6))
        parts = {spot: "".join(source.choices(signs, k=source.randrange(1, 129))) for spot in spots}
        cards, positions = source.choice(((52, 0), (53, 7), (53, 6), (53, 300)))
        seed = source.randbytes(32).hex()
        expected.append(shuffled("Täble 1", round_, seed, parts, cards, positions))
        asked.append(
            {
                "table": "Täble 1",
                "round": round_,
                "seed": seed,
                "player_seeds": {str(spot): text for spot, text in parts.items()},
                "cards": cards,
                "positions": positions,
            }
        )
    found = fair.evaluate("(all) => all.map((one) => fair.dealtFrom(one))", asked)
    assert [(one["order"], one["start"]) for one in found] == expected


@pytest.mark.clause("TR-11")
def test_decks_are_those_of_the_published_vectors(fair: Page) -> None:
    """The file by which anybody can try a program of their own: every value on the way, not the end alone."""
    vectors = json.loads(VECTORS.read_text("utf-8"))["vectors"]
    assert len(vectors) > 1
    found = fair.evaluate(
        """(vectors) => vectors.map((one) => {
          const cards = one.new_deck.split(" ").length, text = fair.seedText(one.table, one.round, one.seed);
          const made = fair.dealtFrom({ ...one, cards });
          const numbers = new fair.Stream(fair.fromHex(made.key));
          return {
            committed_text: text,
            commitment: fair.hex(fair.sha256(fair.bytesOf(text))),
            key_text: fair.partsText(one.table, one.round, one.player_seeds),
            key: made.key,
            first_block: fair.hex(fair.hmac(fair.fromHex(made.key), new Uint8Array(8))),
            first_numbers: one.first_numbers.map(([stop]) => [stop, numbers.randrange(stop)]),
            new_deck: fair.newDeck(cards).join(" "),
            order: made.order,
            start: made.start,
          };
        })""",
        vectors,
    )
    assert found == [{name: vector[name] for name in made} for made, vector in zip(found, vectors, strict=True)]


@pytest.mark.clause("TR-11")
@pytest.mark.parametrize("stop", [1, 3, 52, 53, 255, 256, 257, 1000, 65535, 65536])
def test_every_number_is_equally_likely(fair: Page, stop: int) -> None:
    """All bytes there are, once each (or all pairs): all numbers come equally often, the rest is skipped."""
    counts = fair.evaluate(
        """(stop) => {
          const source = new fair.Stream(new Uint8Array(32)), wide = stop > 256, all = wide ? 65536 : 256;
          const counts = new Array(stop).fill(0);
          for (let number = 0; number < all; number += 1) {
            source.bytes = [...(wide ? [number >> 8, number & 255] : [number]), 0, 0];
            const drawn = source.randrange(stop);
            // What was skipped went on to the noughts behind it.
            if (source.bytes.length === 2) counts[drawn] += 1;
          }
          return [Math.min(...counts), Math.max(...counts)];
        }""",
        stop,
    )
    size = 65536 if stop > 256 else 256
    assert counts == [size // stop, size // stop]


@pytest.mark.clause("TR-11")
def test_a_players_own_bytes_come_from_the_browsers_generator(fair: Page) -> None:
    """32 bytes as 64 digits, never the same twice; and what may not be a part is said."""
    parts = fair.evaluate("Array.from({ length: 100 }, () => fair.randomPart())")
    assert len(set(parts)) == 100
    assert all(len(bytes.fromhex(one)) == 32 for one in parts)
    texts = ["", "x" * 129, " a", "a ", "naïve", "a\nb", "x" * 128, "a b", "~!"]
    found = fair.evaluate("(texts) => texts.map((one) => fair.partDefect(one))", texts)
    assert found == ["empty", "long", "spaces", "spaces", "letters", "letters", "", "", ""]


def prepared(number: int) -> Record:
    """One of the decks of a house that prepares several, whole and consistent, but for what the player noted."""
    record = honest()
    table, round_ = record["table"], record["round"]
    seed = hashlib.sha256(b"%d" % number).hexdigest()
    parts = {int(spot): text for spot, text in record["player_seeds"].items()}
    order, _ = shuffled(table, round_, seed, parts, 52, 0)
    cards = order.split()
    for place, packet in enumerate(record["dealt"]):
        packet["cards"] = " ".join(cards[5 * place : 5 * place + 5])
    commitment = hashlib.sha256(f"houseway seed 2\n{table}\n{round_}\n{seed}\n".encode()).hexdigest()
    record["seen"]["cards"]["3"] = record["dealt"][0]["cards"]
    return {**record, "seed": seed, "order": order, "commitment": commitment}


@pytest.mark.clause("TR-11")
def test_planted_a_house_that_picks_among_seven_secrets(fair: Page) -> None:
    """Each of its decks is right in itself: without the notes nothing shows it, with them each one is found out."""
    for number in range(7):
        record = prepared(number)
        caught = fair.evaluate("(one) => fair.verifyRound(one)", record)
        assert (caught["good"], caught["why"]) == (False, "seen")
        unnoticed = fair.evaluate("(one) => fair.verifyRound({ ...one, seen: null })", record)
        assert unnoticed["good"]


# ------------------------------------------------------------------------------------------------- the stand-alone file


@pytest.mark.clause("TR-11")
def test_the_file_in_the_docs_is_the_one_that_is_served() -> None:
    assert FILE.read_text("utf-8") == checker_page(), "run python tools/checker.py"


def judged(page: Page, record: Record | str) -> str:
    page.get_by_label("Or paste it").fill(record if isinstance(record, str) else json.dumps(record))
    page.get_by_role("button", name="Check it").first.click()
    return page.locator(".check-answer").inner_text()


@pytest.mark.clause("TR-11")
def test_the_saved_file_tells_an_honest_round_from_any_changed_one(browser: Browser, tmp_path: Path) -> None:
    """Opened from a disk, without a network: good for the honest record, bad whatever one thing is changed in it."""
    saved = tmp_path / "saved.html"
    saved.write_bytes(FILE.read_bytes())
    with from_disk(browser, saved) as page:
        assert "All in order." in judged(page, honest())
        for name, (change, words) in CHANGES.items():
            record = honest()
            change(record)
            answer = judged(page, record)
            assert "Something is wrong with this round." in answer, name
            assert words in answer, (name, answer)
        assert "That is not a record" in judged(page, "nonsense")
        assert "That is not a record" in judged(page, "[1]")
        assert "cannot be read" in judged(page, "{}")
        # Without notes it says what it cannot know, and does not call that good.
        bare = {**honest(), "seen": None}
        assert "In order, as far as this record tells." in judged(page, bare)
        page.get_by_text("What you noted yourself").click()
        page.get_by_label("The lock you were shown").fill(bare["commitment"])
        page.get_by_label("Your spot").fill("3")
        page.get_by_label("Your part").fill("ab" * 32)
        assert "All in order." in judged(page, bare)
        page.get_by_label("The lock you were shown").fill(OTHER)
        assert "The lock is NOT the one you were shown" in judged(page, honest())
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


@pytest.mark.clause("TR-11")
def test_the_saved_file_takes_a_file_and_typed_fields(browser: Browser, tmp_path: Path) -> None:
    record = honest()
    file = tmp_path / "V-CS-7.json"
    file.write_text(json.dumps(record), "utf-8")
    with from_disk(browser, FILE) as page:
        page.get_by_label("Open a record").set_input_files(file)
        expect(page.locator(".verdict-head")).to_contain_text("All in order.")
        page.get_by_text("I have no record").click()
        page.get_by_label("Table").fill(record["table"])
        page.get_by_label("Round", exact=True).fill(str(record["round"]))
        page.get_by_label("The house’s lock").fill(record["commitment"].upper())
        page.get_by_label("The house’s secret").fill(record["seed"])
        page.get_by_label("The players’ parts").fill("5 seven sevens, please\n3 " + "ab" * 32)
        page.locator("#typed").get_by_role("button", name="Check it").click()
        expect(page.locator(".verdict-head")).to_contain_text("In order, as far as this record tells.")
        page.get_by_text("The details").click()
        expect(page.locator(".verdict-facts").get_by_text(record["order"])).to_be_visible()
        page.get_by_label("The deck as it was given").fill(swapped(record["order"]))
        page.locator("#typed").get_by_role("button", name="Check it").click()
        expect(page.locator(".verdict-head")).to_contain_text("Something is wrong")


@pytest.mark.clause("TR-11")
def test_the_saved_file_cannot_ask_a_network_even_if_it_wanted(browser: Browser) -> None:
    """Its own policy forbids it: a request from inside fails before it is made."""
    page = browser.new_page()
    page.goto(FILE.as_uri())
    held = page.evaluate(
        """async () => {
          const held = [];
          document.addEventListener("securitypolicyviolation", (event) => held.push(event.effectiveDirective));
          document.body.append(Object.assign(document.createElement("img"), { src: "http://127.0.0.1:9/x.png" }));
          await fetch("http://127.0.0.1:9/").catch(() => {});
          await new Promise((done) => setTimeout(done, 50));
          return held.sort();
        }"""
    )
    assert held == ["connect-src", "img-src"]
    page.close()


@pytest.mark.clause("TR-11")
def test_a_round_of_the_older_procedure_is_still_checked(browser: Browser) -> None:
    order = honest()["order"]
    nonce = "5a" * 32
    lines = f"houseway deck 1\n{order}\n0\n{nonce}\n"
    record = {
        **honest(),
        "procedure": "houseway deck 1",
        "seed": "",
        "player_seeds": {},
        "nonce": nonce,
        "commitment": hashlib.sha256(lines.encode()).hexdigest(),
        "seen": None,
    }
    with from_disk(browser, FILE) as page:
        assert "In order, by the older procedure." in judged(page, record)
        assert "Something is wrong" in judged(page, {**record, "order": swapped(order)})
        assert "Something is wrong" in judged(page, {**record, "nonce": OTHER})
        # A house cannot go back to it once a player has added a part.
        noted = {**honest()["seen"], "commitment": record["commitment"]}
        assert "Your part for spot 3 is missing" in judged(page, {**record, "seen": noted})


# ------------------------------------------------------------------------------------------------------------- the seat

FLOOR = (
    example_floor()
    + """
[[tables]]
id = "V-TWO"
game = "three-card-poker"
console = "touch"
spots = 7
kind = "virtual"
pay_tables = { designator = "TCP-01" }
options = { two_spots = true }
limits.ante = { min = "5.00", max = "100.00" }
limits.play = { min = "5.00", max = "100.00" }
limits.pair_plus = { min = "5.00", max = "50.00" }

[[tables]]
id = "V-PG"
game = "six-card-pai-gow"
console = "touch"
spots = 6
kind = "virtual"
pay_tables = { fortune = "1" }
limits.base = { min = "10.00", max = "200.00" }
limits.double_down = { min = "10.00", max = "200.00" }
limits.fortune = { min = "1.00", max = "50.00" }
"""
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("shuffles")
    database = str(folder / "floor.db")
    running = Server(make_floor(folder, database, FLOOR), database).start()
    yield running
    running.stop()


@contextmanager
def housed(server: Server, browser: Browser) -> Iterator[House]:
    expect.set_options(timeout=15_000)
    made = House(server, browser)
    try:
        yield made
        made.check()
    finally:
        made.close()


@pytest.fixture
def house(server: Server, browser: Browser) -> Iterator[House]:
    """The same floor for all tests here; each plays at a table of its own."""
    with housed(server, browser) as made:
        yield made


class Table:
    """A virtual table with its dealer, who presses by the API."""

    def __init__(self, house: House, name: str) -> None:
        self.name = name
        self.house = house
        self.dealer: Person = house.person("2001")

    @property
    def play(self) -> dict[str, Any]:
        found: dict[str, Any] = self.dealer.get(f"tables/{self.name}")["play"]
        return found

    def order(self, name: str, **body: Any) -> None:
        self.dealer.order(f"tables/{self.name}/{name}", **body)

    def sit(self, player: str, spot: int, size: tuple[int, int] = (1280, 800)) -> Page:
        page = self.house.open(f"/seat/{self.name}", player=player, size=size)
        page.get_by_role("button", name=f"Sit at spot {spot}").click()
        expect(page.get_by_role("heading", name=f"Your spot {spot}")).to_be_visible()
        return page

    def deal(self, *players: Page, press: str = "Play") -> None:
        """From the last bet to the close; each player once for every hand of theirs."""
        self.order("no-more-bets")
        if self.play["stage"] == "locking in":
            self.order("lock-in")
        self.order("deal", packets=0)
        for player in players:
            heading = player.locator(".felt-mine h2")
            before = heading.inner_text()
            player.get_by_role("button", name=press).click()
            # It says what was decided, or goes on to the other hand.
            expect(heading).not_to_have_text(before, use_inner_text=True)
        self.order("reveal")
        for player in players:
            expect(player.locator(".result-figure").first).to_be_visible()
        while self.play["next_step"]:
            self.order("reconcile")
        self.order("close-round")


def bet(table: Table, player: Page, spot: int, wager: str, amount: str, cents: int) -> dict[str, Any]:
    """Put a chip down, and answer with what the page sent for it."""
    player.get_by_role("group", name="Your wagers").get_by_role("button", name=wager).click()
    with player.expect_response(lambda one: one.url.endswith("/bet") and one.status == 200) as sent:
        player.get_by_role("button", name=f"Add {amount}", exact=True).click()
    body: Any = sent.value.request.post_data_json
    assert (body["spot"], body["cents"]) == (spot, cents)
    return dict(body)


def opened(player: Page) -> Locator:
    """The line about the shuffle, opened."""
    line = player.get_by_role("region", name="The shuffle")
    if not line.locator("details").evaluate("one => one.open"):
        line.locator("summary").click()
    return line


def checked(player: Page) -> Locator:
    """The dialog that checks the last round."""
    player.get_by_role("button", name="Check this round").click()
    dialog = player.get_by_role("dialog")
    expect(dialog.locator(".verdict-head")).to_be_visible()
    return dialog


@pytest.mark.clause("TR-11")
def test_the_page_adds_its_part_and_checks_the_round(house: House, browser: Browser, tmp_path: Path) -> None:
    """A whole round of two players: random bytes with the first wager alone, seen by all; then the check, and the
    record and the checker that were saved say the same from a disk, and find anything that was changed."""
    table = Table(house, "V-CS")
    ann = table.sit("Ann", 2)
    line = opened(ann)
    expect(line.locator("summary")).to_have_text(
        "The house has locked its part of the shuffle. Yours goes in with your first wager."
    )
    lock = table.play["deck"]["commitment"]
    expect(line.locator(".shuffle-lock")).to_have_text(lock)
    shown = line.locator(".shuffle-mine").inner_text()
    line.get_by_role("button", name="New random part").click()
    part = line.locator(".shuffle-mine").inner_text()
    assert part != shown
    assert len(bytes.fromhex(part)) == 32
    assert bet(table, ann, 2, "Ante", "$5.00", 500)["player_seed"] == part
    expect(line.locator("summary")).to_have_text("Your part is in the shuffle.")
    # It goes once, and stands: nothing to change it with is left.
    assert "player_seed" not in bet(table, ann, 2, "Ante", "$5.00", 1000)
    expect(line.get_by_role("button", name="New random part")).to_have_count(0)
    # Own text, refused where it cannot be used.
    ben = table.sit("Ben", 5, size=(360, 780))
    line = opened(ben)
    line.get_by_label("Or type your own").fill(" naïve")
    line.get_by_label("Or type your own").press("Enter")
    expect(line.get_by_role("alert")).to_contain_text("Plain letters, digits and signs only")
    line.get_by_label("Or type your own").fill("seven sevens, please")
    line.get_by_role("button", name="Use it").click()
    expect(line.locator(".shuffle-mine")).to_have_text("seven sevens, please")
    assert bet(table, ben, 5, "Ante", "$5.00", 500)["player_seed"] == "seven sevens, please"
    # Everybody sees them.
    parts = {"2": part, "5": "seven sevens, please"}
    assert table.play["deck"]["player_seeds"] == parts
    expect(opened(ann)).to_contain_text("seven sevens, please")
    expect(opened(ben)).to_contain_text(part)
    assert violations(ben) == []
    assert ben.evaluate("document.documentElement.scrollWidth") <= 360
    table.deal(ann, ben)
    dialog = checked(ben)
    expect(dialog.locator(".verdict-head")).to_contain_text("All in order.")
    expect(dialog.locator(".verdict-steps li")).to_have_count(6)
    expect(dialog.locator(".verdict-steps li.is-good")).to_have_count(6)
    assert violations(ben) == []
    assert ben.evaluate("document.documentElement.scrollWidth") <= 360
    # Saved, and opened without us.
    with ben.expect_download() as one:
        dialog.get_by_role("link", name="Save this round’s record").click()
    with ben.expect_download() as other:
        dialog.get_by_role("link", name="Save this checker").click()
    record, file = json.loads(one.value.path().read_text("utf-8")), tmp_path / other.value.suggested_filename
    other.value.save_as(file)
    assert (record["commitment"], record["player_seeds"]) == (lock, parts)
    assert shuffled("V-CS", 1, record["seed"], {int(spot): text for spot, text in parts.items()}, 52, 0) == (
        record["order"],
        0,
    )
    with from_disk(browser, file) as page:
        assert "All in order." in judged(page, record)
        for field, changed in {
            "seed": OTHER,
            "commitment": OTHER,
            "player_seeds": {**parts, "2": "x"},
            "order": swapped(record["order"]),
            "table": "V-TWO",
            "round": 2,
        }.items():
            assert "Something is wrong" in judged(page, {**record, field: changed}), field


@pytest.mark.clause("TR-11")
def test_two_spots_have_a_part_each_and_a_reload_forgets_nothing(house: House) -> None:
    table = Table(house, "V-TWO")
    ann = table.sit("Ann Two", 3)
    first = bet(table, ann, 3, "Ante", "$5.00", 500)["player_seed"]
    ann.get_by_role("button", name="Play spot 4 too").click()
    ann.get_by_role("button", name="Show spot 4").click()
    expect(opened(ann).get_by_role("heading", name="Your part of the shuffle for spot 4")).to_be_visible()
    second = bet(table, ann, 4, "Ante", "$5.00", 500)["player_seed"]
    assert first != second
    assert table.play["deck"]["player_seeds"] == {"3": first, "4": second}
    ann.reload()
    expect(opened(ann)).to_contain_text(first)
    table.deal(ann, ann)
    dialog = checked(ann)
    expect(dialog.locator(".verdict-head")).to_contain_text("All in order.")
    expect(dialog).to_contain_text("Your cards at spot 3 are the ones")
    expect(dialog).to_contain_text("Your part for spot 4 was mixed in unchanged.")
    dialog.get_by_role("button", name="Close").click()
    # A new round, a new lock, a new part; the old round can still be checked.
    third = bet(table, ann, 4, "Ante", "$5.00", 500)["player_seed"]
    assert third not in (first, second)
    opened(ann).get_by_role("button", name="Check round 1").click()
    expect(ann.get_by_role("dialog").locator(".verdict-head")).to_contain_text("All in order.")


@pytest.mark.clause("TR-11")
def test_a_start_position_is_checked_too(house: House) -> None:
    """Pai gow: a joker in the deck, and packets counter-clockwise from a position that follows from the parts."""
    table = Table(house, "V-PG")
    ann = table.sit("Ann PG", 4)
    bet(table, ann, 4, "Base", "$25.00", 2500)
    table.deal(ann, press="House way")
    dialog = checked(ann)
    expect(dialog.locator(".verdict-head")).to_contain_text("All in order.")
    dialog.get_by_text("The details").click()
    expect(dialog).to_contain_text("Start position")


@contextmanager
def lying(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """A server that shows the locks in the list it is given in place of the real one, while there are any."""
    shown: list[str] = []
    honest_view = play_view

    def view(*given: Any) -> Any:
        found = honest_view(*given)
        if not shown or found.deck is None:
            return found
        replaced = msgspec.structs.replace
        return replaced(found, commitment=shown[0], deck=replaced(found.deck, commitment=shown[0]))

    with monkeypatch.context() as patched:
        patched.setattr(views, "play_view", view)
        yield shown


@pytest.mark.clause("TR-11")
def test_planted_a_house_that_shows_one_lock_and_deals_from_another(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the wager one lock, after it another: the page says so at once, and the check later. The record alone,
    without what this browser noted, has nothing wrong in it: with the notes gone the house gets away with it."""
    with lying(monkeypatch) as shown, serving_here(tmp_path, text=FLOOR) as server, housed(server, browser) as house:
        table = Table(house, "V-CS")
        shown.append(OTHER)
        ann = table.sit("Ann", 2)
        expect(opened(ann).locator(".shuffle-lock")).to_have_text(OTHER)
        bet(table, ann, 2, "Ante", "$5.00", 500)
        shown.clear()
        # Any news of the table brings the other one.
        server.player("Ben", table.dealer).order("tables/V-CS/sit-down", spot=5, player="Ben")
        expect(ann.get_by_role("alert").filter(has_text="another lock now than before")).to_be_visible()
        table.deal(ann)
        dialog = checked(ann)
        expect(dialog.locator(".verdict-head")).to_contain_text("Something is wrong with this round.")
        expect(dialog).to_contain_text("The house showed one lock first and another one later.")
        dialog.get_by_role("button", name="Close").click()
        ann.evaluate("sessionStorage.clear()")
        dialog = checked(ann)
        expect(dialog.locator(".verdict-head")).to_contain_text("In order, as far as this record tells.")


@pytest.mark.clause("TR-11")
def test_the_checker_is_served_with_a_policy_that_allows_its_own_script_alone(house: House) -> None:
    page = house.open("/check")
    expect(page.get_by_role("heading", name="Check a round")).to_be_visible()
    assert "All in order." in judged(page, honest())
    for heading in ("The details", "What you noted yourself", "I have no record"):
        page.get_by_text(heading).click()
    assert violations(page) == []
    assert tabbed(page) == []
    answer = page.request.get(f"{house.server.url}/check")
    policy = answer.headers["content-security-policy"]
    assert "script-src 'sha256-" in policy
    assert "'self'" not in policy
    assert "unsafe" not in policy
    assert answer.text() == FILE.read_text("utf-8")
