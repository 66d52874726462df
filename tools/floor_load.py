"""A seeded, random mixture of everything that a floor is asked: mostly sensible, so that wins are paid, partly not.

The simulation and the crash test draw their orders from here. Given the same seed and the same views of the floor, the
same orders come out.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, Final, NamedTuple

from card_load import CARD_TABLES, CardRounds, acts_for, card_table
from msgspec.structs import replace

from houseway.games import all_games, approved_book, find_game, five_card_link
from houseway.manager import commands as ask
from houseway.manager.commands import Command, Role
from houseway.manager.config import FloorConfig, LinkConfig
from houseway.paytables import ProgressiveTable
from houseway.progressive.terms import MeterTerms, Terms
from houseway.table.card_round.commands import VerifyPayout
from houseway.table.config import Policies, TableConfig
from houseway.table.progressive_round import commands as deal
from houseway.table.progressive_round.adjustments import Reason
from houseway.table.progressive_round.commands import TableCommand

View = dict[str, Any]
"""What `houseway.books.view.floor_view` gives."""

FIRST: Final = "manager-1"
"""The manager a floor is founded with."""
STAFF: Final[dict[str, Role]] = {
    "d1": "dealer",
    "d2": "dealer",
    "d3": "dealer",
    "s1": "supervisor",
    "s2": "supervisor",
    "o1": "surveillance",
    "e1": "executive",
    "m2": "manager",
    "a1": "auditor",
    "t1": "technician",
}
"""Who is enrolled before the mixture begins; each one's card is named after him."""
CLUMSY: Final = "d3"
"""The only one who mistypes his PIN: a card that is locked is of no use to a test that must sign in again."""
PIN: Final = "246810"
RIGHT: Final = "right"
"""Stands in a wish to sign in for what the right PIN shows; whoever sends the order puts that there."""
TEMPORARY: Final = ("x1", "x2")
"""Who comes and goes while the floor runs."""

KEYPADS: Final = ("S2", "P2", "M2", "M4", "M6", "C1")
STUD: Final = "caribbean-stud"
SIX_GAMES: Final = tuple(sorted(key for key, game in all_games().items() if five_card_link.FAMILY in game.families))
"""FV-1: the games that may share a mega / major / minor link, by their own declarations."""

_REMEMBERED: Final = 200


class Wish(NamedTuple):
    """What somebody wants of the floor."""

    by: str
    command: Command
    second: str = ""


class Sent(NamedTuple):
    """A wish under the id it is sent with."""

    id: str
    wish: Wish


def card_of(staff: str) -> str:
    """The card of a member of staff of this mixture."""
    return f"card-{staff}"


# ----------------------------------------------------------------------------------------------------------- the floor


def random_floor(rng: Random, joined: Sequence[str] = (STUD, STUD)) -> FloorConfig:
    """Tables on three links: one meter, two meters, and mega / major / minor, which joins a table of each of the games
    in ``joined``; both consoles on each.

    Most use the system for the progressive alone; V1 is virtual and C1 enters its cards, on the links of two others.
    Where different games are joined, V1 is on their link.
    """
    mixed = len(set(joined)) > 1
    policies = Policies(
        site="Test Card Room",
        jurisdiction="Washington",
        time_zone=rng.choice(("America/Los_Angeles", "America/New_York", "Australia/Lord_Howe")),
        day_starts=rng.choice(("06:00", "00:00", "02:30")),
        washington=rng.random() < 0.5,
        executive_from_cents=rng.choice((5_000, 20_000, 1_000_000)),
        surveillance_over_cents=rng.choice((10_000, 300_000)),
    )
    stud = _progressive(rng.choice(("CSTUD-01", "CSTUD-08", "CSTUD-15")), STUD)
    fortune = _progressive("3", "six-card-pai-gow")
    sources = ("as_marked", "tray", "meter:royal flush")
    levels = _progressive("ML03", five_card_link.FAMILY)
    virtual = ("V1",)
    at_stud = ("S1", "S2", *(() if mixed else virtual))
    at_levels = (*(f"M{number}" for number in range(1, len(joined) + 1)), *(virtual if mixed else ()))
    links = (
        _link(rng, "stud", at_stud, stud, stud.stated_wager_cents or 100, ("as_marked", "tray")),
        _link(rng, "fortune", ("P1", "P2", "C1"), fortune, rng.choice((100, 125)), sources),
        _link(rng, "levels", at_levels, levels, rng.choice((100, 333)), ("as_marked", "tray", "meter:minor")),
    )
    games = dict(zip(at_levels, joined, strict=False)) | dict.fromkeys(("P1", "P2", "C1"), "six-card-pai-gow")
    tables = tuple(_table(rng, table, games.get(table, STUD), link.id) for link in links for table in link.tables)
    return FloorConfig(policies=policies, tables=tables, links=links)


def _progressive(name: str, family: str) -> ProgressiveTable:
    found = approved_book().find((family,), "progressive", name)
    if not isinstance(found, ProgressiveTable):
        raise LookupError(f"{family} has no progressive table {name}")
    return found


def _defaults(game: str) -> dict[str, Any]:
    found = find_game(game)
    if found is None:
        raise LookupError(f"there is no game {game}")
    return dict(found.defaults)


def _table(rng: Random, id: str, game: str, link: str) -> TableConfig:
    spots = rng.randint(4, 7)
    order: Any = rng.choice(("right_to_left", "left_to_right", rng.sample(range(1, spots + 1), spots)))
    options = {
        **_defaults(game),
        "award_order": order,
        "folded_qualifies": rng.random() < 0.3,
        "envy_needs_wager": rng.random() < 0.7,
        "folded_wins_envy": rng.random() < 0.7,
    }
    table = TableConfig(
        id=id,
        game=game,
        console="keypad" if id in KEYPADS else "touch",
        spots=spots,
        link=link,
        options=options,
        second_spot_envies=rng.random() < 0.5,
        award_order_reference="" if order == "right_to_left" else "Internal controls 4.2",
    )
    return replace(table, **card_table(rng, table)) if id in CARD_TABLES else table


def _link(
    rng: Random, id: str, tables: tuple[str, ...], table: ProgressiveTable, wager_cents: int, sources: Sequence[str]
) -> LinkConfig:
    meters = {name: random_meter(rng, len(table.meters)) for name in table.meters}
    terms = Terms(table=table, wager_cents=wager_cents, meters=meters, fixed_from=rng.choice(sources))
    return LinkConfig(id=id, name=id.title(), tables=tables, terms=terms)


def random_meter(rng: Random, of: int) -> MeterTerms:
    """Terms for one of so many meters: rates that leave parts of a cent, low seeds, now and then a near maximum."""
    seed = rng.choice((0, 5_000, 100_000, 1_000_000))
    return MeterTerms(
        contribution_bp=rng.randint(1, 7_500 // of),
        reserve_bp=rng.choice((0, rng.randint(1, 2_500 // of))),
        seed_cents=seed,
        maximum_cents=rng.choice((None, None, None, seed + rng.randint(0, 500), 2_000_000)),
    )


# --------------------------------------------------------------------------------------------------------- the mixture


class Load:
    """The orders of one run, one after another."""

    def __init__(self, rng: Random, config: FloorConfig, prefix: str = "o") -> None:
        self._rng = rng
        self._config = config
        self._prefix = prefix
        self._number = 0
        self._history: deque[Sent] = deque(maxlen=_REMEMBERED)
        self._held: deque[Sent] = deque()
        self._rounds: deque[tuple[str, int, tuple[int, ...]]] = deque(maxlen=40)
        self._last: dict[str, tuple[int, tuple[int, ...]]] = {}
        self._wins: deque[int] = deque(maxlen=40)
        self._verified: set[int] = set()
        self._haste = rng.choice((30, 30, 6))
        """How soon supervisors come; where they are late, claims gather (PR-32)."""
        self._cards = {table.id: self._card_rounds(table) for table in config.tables if table.id in CARD_TABLES}

    def next(self, view: View) -> Sent:
        """The next order: a new one, or one that was sent before, or one that was held up on its way."""
        self._remember(view)
        chance = self._rng.random()
        if self._held and chance < 0.06:
            return self._held.popleft()
        if self._history and chance < 0.10:
            return self._rng.choice(self._history)
        if self._history and chance < 0.11:
            return Sent(self._rng.choice(self._history).id, self._wish(view))
        if self._history and chance < 0.15:
            return self._new(self._history[-1].wish)
        sent = self._new(self._wish(view))
        if chance < 0.18:
            self._held.append(sent)
            sent = self._new(self._wish(view))
        return sent

    def learn(self, win: int) -> None:
        """A win that no view shows: one that was paid late."""
        if win not in self._wins:
            self._wins.append(win)

    def _new(self, wish: Wish) -> Sent:
        self._number += 1
        sent = Sent(f"{self._prefix}-{self._number}", wish)
        self._history.append(sent)
        return sent

    def _remember(self, view: View) -> None:
        """Keep rounds that closed, for late wins, and wins, for undoing."""
        for table in view["tables"]:
            here = (table["round"], tuple(table["lit"]) if table["locked"] else ())
            before = self._last.get(table["id"])
            if before is not None and before[0] != here[0] and before[1]:
                self._rounds.append((table["id"], *before))
            self._last[table["id"]] = here
            for win in table["wins"]:
                if win["paid"] and win["win"] not in self._wins:
                    self._wins.append(win["win"])

    def _wish(self, view: View) -> Wish:
        chance = self._rng.random()
        if chance < 0.06:
            return self._at_the_office(view)
        wish = self._at_a_table(view) if chance < 0.94 else self._people(view)
        return self._spoilt(wish, view) if self._rng.random() < 0.07 else wish

    # ------------------------------------------------------------------------------------------------------ at a table

    def _at_a_table(self, view: View) -> Wish:
        with_cards = self._rng.random() < 0.4
        table = self._rng.choice([table for table in view["tables"] if (table["id"] in self._cards) == with_cards])
        link = next(link for link in view["links"] if link["id"] == table["link"])
        wish = self._unstopped(table, link) or (
            self._with_claims(table, link) if _claims(table, link) else self._in_play(table, link, view)
        )
        if isinstance(wish.command, TableCommand) and self._rng.random() < 0.5:
            wish = wish._replace(command=replace(wish.command, round=table["round"]))
        return wish

    def _unstopped(self, table: View, link: View) -> Wish | None:
        """What gets a link going again that cannot play."""
        for meter in link["meters"]:
            if not meter["opened"] and not meter["retired"] and self._rng.random() < 0.5:
                return self._opening(link["id"], meter["meter"])
        if table["locked"] or self._rng.random() < 0.5:
            return None
        if table["stops"]:
            return Wish("t1", ask.Resume(what="table", id=table["id"]))
        if any("account" in why for why in link["stops"]):
            return Wish("a1", _account(link["id"], short=False))
        if link["stops"]:
            return Wish("t1", ask.Resume(what="link", id=link["id"]))
        return None

    def _opening(self, link: str, meter: str) -> Wish:
        if self._rng.random() < 0.5:
            return Wish(FIRST, ask.SeedMeter(link=link, meter=meter))
        command = ask.OpenMeter(
            link=link,
            meter=meter,
            meter_cents=self._rng.randint(0, 90_000),
            reserve_cents=self._rng.choice((0, 1_234)),
            reference="last reading of the old system, page 7",
        )
        return Wish(FIRST, command, "m2")

    def _in_play(self, table: View, link: View, view: View) -> Wish:
        """A step of a round with no claim open."""
        name, spot = table["id"], self._rng.randint(1, 7 if self._rng.random() < 0.03 else 4)
        if not table["locked"] and name not in self._cards:
            return self._before_lock_in(table, spot)
        for win in table["wins"]:
            if win["win"] not in self._verified and self._rng.random() < 0.7:
                self._verified.add(win["win"])
                return Wish("o1", deal.Surveillance(table=name, win=win["win"], player="p"))
        if name in self._cards:
            return self._card_round(table)
        hand = self._hand(link)
        lit = table["lit"]
        steps: list[tuple[int, Callable[[], Wish]]] = [
            (34, lambda: self._naming(name, link, lit, hand)),
            (20, lambda: self._dealer(deal.CloseRound(table=name))),
            (5, lambda: self._dealer(deal.FirstCard(table=name))),
            (5, lambda: self._dealer(deal.Fold(table=name, spot=spot))),
            (4, lambda: self._dealer(deal.Light(table=name, spot=spot))),
            (2, lambda: self._dealer(deal.Unlight(table=name, spot=spot))),
            (2, lambda: self._dealer(deal.SamePlayer(table=name, spots=(spot, spot % 4 + 1)))),
            (2, lambda: self._dealer(deal.SeeHand(table=name, spot=spot, hand=self._rng.choice((hand, ""))))),
            (4, lambda: self._correcting(name, spot, lit)),
            (2, lambda: self._voiding(name)),
            (1, lambda: Wish(self._supervisor(), deal.Run(table=name))),
            (1, lambda: Wish(self._supervisor(), deal.Confirm(table=name, spot=spot))),
            (1, lambda: Wish(self._supervisor(), deal.Arrive(table=name))),
        ]
        return self._weighted(steps)

    def _card_rounds(self, table: TableConfig) -> CardRounds:
        terms = next(link.terms for link in self._config.links if link.id == table.link)
        return CardRounds(self._rng, table, terms.wager_cents, tuple(row.hand for row in terms.table.rows))

    def _card_round(self, table: View) -> Wish:
        """A step of a round with cards."""
        command = self._cards[table["id"]].next(table["round"], tuple(table["lit"]), locked=table["locked"])
        if isinstance(command, deal.VoidRound):
            return self._seconded(command)
        if isinstance(command, deal.CorrectCount):
            return Wish(self._supervisor(), command)
        if isinstance(command, VerifyPayout):
            return Wish("o1", command)
        player = acts_for(command) if table["kind"] == "virtual" else ""
        if player and self._rng.random() < 0.95:
            return Wish(f"player/{player}", command)
        return Wish(self._rng.choice(("d1", "d2")), command)

    def _before_lock_in(self, table: View, spot: int) -> Wish:
        name = table["id"]
        spots = tuple(self._rng.sample(range(1, 5), self._rng.randint(0, 4)))
        steps: list[tuple[int, Callable[[], Wish]]] = [
            (12, lambda: self._dealer(deal.Light(table=name, spot=spot, base_wager=self._rng.random() < 0.95))),
            (2, lambda: self._dealer(deal.Unlight(table=name, spot=spot))),
            (14, lambda: self._dealer(deal.LockIn(table=name, lit=self._rng.choice((spots, None))))),
            (1, lambda: self._dealer(deal.CloseRound(table=name))),
        ]
        return self._weighted(steps)

    def _with_claims(self, table: View, link: View) -> Wish:
        """A step of a round with claims: most often the one that is due."""
        name, claims = table["id"], _claims(table, link)
        claim = min(claims, key=lambda claim: (not claim["at_j_pot"], claim["turn"]))
        waits = [one for one in link["claims"] if one["meter"] == claim["meter"] and one["turn"] == 1]
        if claim["turn"] > 1 and waits and self._rng.random() < 0.6:
            # Another table comes first on this meter: somebody goes there.
            claim = waits[0]
            name = claim["table"]
        spot = claim["spot"]
        steps: list[tuple[int, Callable[[], Wish]]] = [
            (self._haste, lambda: self._recording(name, claim)),
            (12, lambda: self._naming(name, link, table["lit"], self._rng.choice((claim["hand"], self._hand(link))))),
            (2, lambda: self._dealer(deal.NameWin(table=name, spot=spot, hand=claim["hand"]))),
            (2, lambda: Wish(self._supervisor(), deal.DropClaim(table=name, spot=spot, reason="not that hand"))),
            (2, lambda: Wish(self._supervisor(), deal.Arrive(table=name))),
            (1, lambda: self._dealer(deal.CloseRound(table=name))),
            (1, lambda: self._dealer(deal.Fold(table=name, spot=spot))),
            (1, lambda: self._voiding(name)),
        ]
        return self._weighted(steps)

    def _recording(self, table: str, claim: View) -> Wish:
        """Confirm, or J-POT and RUN, most often by somebody who may and did not name the win."""
        needs = self._config.policies.executive_from_cents
        by = "e1" if claim["due_cents"] >= needs and self._rng.random() < 0.8 else self._supervisor(claim["named_by"])
        if self._rng.random() < 0.08:
            by = claim["named_by"]
        if claim["at_j_pot"]:
            return Wish(by, deal.Run(table=table))
        keypad = next(one.console for one in self._config.tables if one.id == table) == "keypad"
        if keypad != (self._rng.random() < 0.02):
            return Wish(by, deal.JPot(table=table, spot=claim["spot"]))
        return Wish(by, deal.Confirm(table=table, spot=claim["spot"]))

    def _naming(self, table: str, link: View, lit: Sequence[int], hand: str) -> Wish:
        spot = self._rng.choice(lit) if lit and self._rng.random() < 0.97 else self._rng.randint(1, 7)
        by = self._rng.choice(("s1", "s2")) if self._rng.random() < 0.25 else self._rng.choice(("d1", "d2"))
        return Wish(by, deal.NameWin(table=table, spot=spot, hand=hand))

    def _correcting(self, table: str, spot: int, lit: Sequence[int]) -> Wish:
        wagered = spot not in lit if self._rng.random() < 0.9 else spot in lit
        command = deal.CorrectCount(table=table, spot=spot, wagered=wagered, reason="the sensor was covered")
        return Wish(self._supervisor(), command)

    def _voiding(self, table: str) -> Wish:
        return self._seconded(
            deal.VoidRound(table=table, cause="eight cards dealt", malfunction=self._rng.random() < 0.6)
        )

    def _seconded(self, command: deal.VoidRound) -> Wish:
        """TR-7: most often with a second person, whom a void takes once the cards are turned."""
        return Wish(self._supervisor(), command, self._rng.choice(("", "e1", "m2", "m2")))

    def _hand(self, link: View) -> str:
        """A hand of the link's pay table, the ones that draw on a meter more often than the cards would."""
        rows = next(one for one in self._config.links if one.id == link["id"]).terms.table.rows
        drawing = [row for row in rows if row.percent or row.source == "meter"]
        return self._rng.choice(drawing if self._rng.random() < 0.7 else rows).hand

    def _dealer(self, command: Command) -> Wish:
        return Wish(self._rng.choice(("d1", "d2", "d2", "s1")), command)

    def _supervisor(self, other_than: str = "") -> str:
        return self._rng.choice([one for one in ("s1", "s2", "e1") if one != other_than])

    # ------------------------------------------------------------------------------------------- at the Game Manager

    def _at_the_office(self, view: View) -> Wish:
        link = self._rng.choice(view["links"])
        meter = self._rng.choice(link["meters"])
        steps: list[tuple[int, Callable[[], Wish]]] = [
            (8, self._undoing),
            (6, lambda: self._adjusting(link["id"], meter)),
            (8, self._late_win),
            (6, lambda: self._transferring(link["id"], meter["meter"], view)),
            (8, self._configuring),
            (3, lambda: self._stopping(view)),
            (3, lambda: Wish("a1", _account(link["id"], short=self._rng.random() < 0.3))),
            (2, lambda: self._depositing(link["id"])),
            (3, lambda: self._acknowledging(view)),
            (1, lambda: Wish(FIRST, ask.ReplaceKey(key=f"{self._rng.getrandbits(256):064x}", reason="yearly"), "a1")),
            (1, lambda: self._opening(link["id"], meter["meter"])),
        ]
        return self._weighted(steps)

    def _undoing(self) -> Wish:
        win = self._rng.choice(self._wins) if self._wins else self._rng.randint(1, 50)
        reason: Reason = self._rng.choice(("malfunction", "won"))
        return Wish(FIRST, ask.UndoWin(win=win, reason=reason, explanation="the hand was read wrongly"), "a1")

    def _adjusting(self, link: str, meter: View) -> Wish:
        reason: Reason = self._rng.choice(
            ("malfunction", "malfunction", "malfunction", "maximum", "undisplayed_funds", "seed_recovered", "won")
        )
        up = reason == "malfunction" and self._rng.random() < 0.6
        cents = self._rng.randint(1, 5_000) if up else -self._rng.randint(0, max(1, meter["cents"] // 2))
        command = ask.AdjustMeter(
            link=link,
            meter=meter["meter"],
            part=self._rng.choice(("meter", "meter", "reserve")),
            cents=cents,
            reason=reason,
            explanation="the controller counted wrongly",
        )
        return Wish(FIRST, command, self._rng.choice(("m2", "a1", "e1")))

    def _late_win(self) -> Wish:
        if not self._rounds:
            return self._undoing()
        table, number, spots = self._rng.choice(self._rounds)
        link = next(link for link in self._config.links if table in link.tables)
        command = ask.PayLateWin(
            table=table,
            round=number,
            spot=self._rng.choice(spots),
            hand=self._rng.choice(link.terms.table.rows).hand,
            evidence="camera 4, 21:07",
            player="p" if self._rng.random() < 0.8 else "",
        )
        return Wish("m2", command, self._rng.choice(("e1", "o1")))

    def _transferring(self, link: str, meter: str, view: View) -> Wish:
        other = self._rng.choice(view["links"])
        command = ask.Transfer(
            link=link,
            meter=meter,
            to_link=other["id"],
            to_meter=self._rng.choice(other["meters"])["meter"],
            authority="letter of the commission",
            retire=self._rng.random() < 0.05,
        )
        return Wish(FIRST, command, "a1")

    def _configuring(self) -> Wish:
        """PR-3: another rate, seed or maximum on one meter; or, rarely, another limit of the site."""
        config = self._config
        if self._rng.random() < 0.15:
            limit = self._rng.choice((5_000, 20_000, 1_000_000))
            config = replace(config, policies=replace(config.policies, executive_from_cents=limit))
        else:
            config = replace(config, links=tuple(self._changed(config.links)))
        self._config = config
        return Wish("m2", ask.Configure(config=config, reason="internal memo 12"), "e1")

    def _changed(self, links: Sequence[LinkConfig]) -> Iterator[LinkConfig]:
        chosen = self._rng.choice(links)
        for link in links:
            if link is not chosen:
                yield link
                continue
            name = self._rng.choice(list(link.terms.meters))
            meters = {**link.terms.meters, name: random_meter(self._rng, len(link.terms.meters))}
            yield replace(link, terms=replace(link.terms, meters=meters, reference="internal memo 12"))

    def _stopping(self, view: View) -> Wish:
        if self._rng.random() < 0.5:
            return Wish("t1", ask.Suspend(what="table", id=self._rng.choice(view["tables"])["id"], why="cable loose"))
        return Wish("t1", ask.Suspend(what="link", id=self._rng.choice(view["links"])["id"], why="network down"))

    def _depositing(self, link: str) -> Wish:
        cents = self._rng.randint(-1, 9_000)
        return Wish("a1", ask.RecordDeposit(link=link, week="2026-03-02", cents=cents, reference="slip 9"))

    def _acknowledging(self, view: View) -> Wish:
        number = self._rng.choice(view["alarms"])["alarm"] if view["alarms"] else self._rng.randint(1, 99)
        return Wish("s1", ask.Acknowledge(alarm=number))

    # ----------------------------------------------------------------------------------------------------------- people

    def _people(self, view: View) -> Wish:
        who = self._rng.choice(TEMPORARY)
        chance = self._rng.random()
        if chance < 0.10:
            role: Role = self._rng.choice(("dealer", "supervisor", "manager"))
            command = ask.Enroll(staff=who, name=who.upper(), role=role, card=card_of(who), credential="")
            return Wish(FIRST, command, "e1")
        if chance < 0.15:
            return Wish(who, ask.SetPin(card=card_of(who), fits=self._rng.choice((RIGHT, RIGHT, "")), credential=""))
        if chance < 0.22:
            return Wish(FIRST, ask.Dismiss(staff=who, reason="end of season"), "a1")
        if chance < 0.30:
            return Wish("m2", ask.Unlock(staff=CLUMSY), "e1")
        if chance < 0.60:
            fits, place = RIGHT if self._rng.random() < 0.3 else "", f"10.0.0.{self._rng.randint(1, 9)}"
            return Wish(CLUMSY, ask.SignIn(card=card_of(CLUMSY), fits=fits, network=place))
        if chance < 0.65:
            return Wish("", ask.SignIn(card="card-nobody", fits=""))
        if chance < 0.70:
            return Wish("s1", ask.SignIn(card=card_of("s1"), fits=RIGHT))
        # Somebody who came for a season does a dealer's work, whether or not he still may.
        return self._at_a_table(view)._replace(by=who)

    # ---------------------------------------------------------------------------------------------------- what is wrong

    def _spoilt(self, wish: Wish, view: View) -> Wish:
        """The same wish with something wrong about it: who, with whom, which round, which spot, which table."""
        command = wish.command
        changes: list[Wish] = [
            wish._replace(by=self._rng.choice([*STAFF, *TEMPORARY, FIRST, "nobody"])),
            wish._replace(second=self._rng.choice(["", wish.by, "d1", "t1"])),
        ]
        if isinstance(command, TableCommand):
            number = next((table["round"] for table in view["tables"] if table["id"] == command.table), 1)
            late = self._rng.choice((number - 1, number + 1))
            changes += [
                wish._replace(command=replace(command, round=late)),
                wish._replace(command=replace(command, table=self._rng.choice(("", "Q9", "S1")))),
            ]
        for field, wrong in (("spot", 99), ("hand", "seven_sisters"), ("link", "nowhere"), ("meter", "none")):
            if hasattr(command, field):
                changes.append(wish._replace(command=replace(command, **{field: wrong})))
        return self._rng.choice(changes)

    def _weighted(self, steps: Sequence[tuple[int, Callable[[], Wish]]]) -> Wish:
        (step,) = self._rng.choices([make for _, make in steps], [weight for weight, _ in steps])
        return step()


def _claims(table: View, link: View) -> list[View]:
    return [claim for claim in link["claims"] if claim["table"] == table["id"]]


def _account(link: str, *, short: bool) -> ask.EnterAccount:
    return ask.EnterAccount(link=link, balance_cents=100_000, short=short, reference="statement of Monday")
