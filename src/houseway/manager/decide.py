"""What a command makes happen on the floor, or why not. Pure: the state, the order and the past in; events out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple, Protocol

from houseway.manager import access
from houseway.manager import commands as ask
from houseway.manager import events as tell
from houseway.manager.alike import unlike
from houseway.manager.authority import SECOND_PERSON, asked_in, check_authority
from houseway.manager.changes import changes_in_words, check_changes, kept_as
from houseway.manager.clock import CLOCK, SECOND, SHOWN_WITHIN, Reading, utc
from houseway.manager.config import FloorConfig
from houseway.manager.keyring import PURPOSES as SECRET_PURPOSES
from houseway.manager.permissions import PERMISSIONS
from houseway.manager.state import FloorState, Staff, strange_places
from houseway.money import dollars
from houseway.progressive.awards import fixed_amount, share, source_meter
from houseway.progressive.link import LinkState, MeterState
from houseway.progressive.terms import MICROS_PER_CENT, WHOLE_BP, Terms, cents_of
from houseway.refusal import NotAllowed, Refusal
from houseway.table.card_round.cards import Shoe
from houseway.table.card_round.commands import SignOver
from houseway.table.machine import decide as decide_table
from houseway.table.progressive_round.adjustments import REASONS
from houseway.table.progressive_round.commands import TableCommand
from houseway.table.progressive_round.decide import Context, needs_tax_form
from houseway.table.progressive_round.events import RoundClosed
from houseway.table.state import policy_of

Events = tuple[tell.Event, ...]
_PROVES_ITSELF: Final = (ask.SignIn, ask.SetPin, ask.Enter, ask.SignOut)
_AT_ANY_TIME: Final = (ask.SignIn, ask.SetPin, ask.SignOut, ask.ConfirmClock, ask.RepairClock)
"""What is taken also while the time is not certain."""


class PastWin(NamedTuple):
    """A win as the journal has it: who, where, and what it moved, in micros."""

    link: str
    table: str
    round: int
    spot: int
    meter: str
    """Empty for an award from the tray."""
    from_meter: int = 0
    from_house: int = 0
    """From the tray, shortfall included."""
    seed: int = 0
    from_reserve: int = 0
    paid: bool = True
    """False between J-POT and RUN."""
    late: bool = False
    """PR-36: whether it was noticed, and paid, after its round."""

    @property
    def on_meter(self) -> int:
        """What it took off its meter, less what reseeded that."""
        return self.from_meter - self.seed - self.from_reserve


class PastRound(NamedTuple):
    """A closed round as the journal has it."""

    closed: RoundClosed
    entry: int
    terms: Terms


class Past(Protocol):
    """What a decision may look up in the journal."""

    def win(self, number: int) -> PastWin | None: ...

    def round(self, table: str, number: int, configured: Iterable[int]) -> PastRound | None: ...


class Office(NamedTuple):
    """Everything a decision at the Game Manager looks at."""

    state: FloorState
    order: ask.Order
    seq: int
    now: int
    day: str
    past: Past
    shoe: Shoe | None = None
    clock: Reading = Reading(0, 0)


def decide(office: Office) -> Events:
    """What an order makes happen; a Refusal when it is not allowed, a NotAllowed when it is not his to give."""
    command = office.order.command
    if isinstance(command, ask.Found):
        return _DECIDE[type(command)](office, command)
    if office.state.config is None:
        raise Refusal("floor", "it has not been founded; its first start does that")
    if isinstance(command, ask.NoteClock):
        return _note_clock(office, command)
    if office.clock.stops and not isinstance(command, _AT_ANY_TIME):
        raise Refusal("clock", office.clock.words)
    if isinstance(command, _PROVES_ITSELF):
        # What proves who he is comes with these; there is no role to ask for yet.
        return _DECIDE[type(command)](office, command)
    member = check_authority(office.state, asked_in(office.order), office.now)
    if isinstance(command, TableCommand):
        table = office.state.tables.get(command.table)
        if table is None:
            known = ", ".join(office.state.tables)
            raise Refusal("table", f"{command.table!r} is not a table of this floor; it has {known}")
        if isinstance(command, SignOver):
            _dealer(office.state, command.to)
        context = _context(office, member)
        return decide_table(table, office.state.links.get(table.config.link), command, context, office.shoe)
    return _DECIDE[type(command)](office, command)


def _context(office: Office, member: Staff) -> Context:
    """Who asks at a table, when, and on what kind of floor."""
    state = office.state
    guest = state.guests[member.name].id if member.role == "player" else 0
    return Context(
        office.seq,
        office.now,
        member.id,
        member.role,
        office.day,
        state.policies,
        guest,
        state.demonstration,
        member.name,
    )


def _dealer(state: FloorState, staff: str) -> None:
    """FL-24: a table is signed over to somebody who may deal."""
    member = state.staff.get(staff)
    if member is None or not member.active or member.role not in PERMISSIONS["deal"].roles:
        raise Refusal("to", f"{staff!r} is no dealer of this floor")


# ------------------------------------------------------------------------------------------------- the floor, its staff


def _found(office: Office, command: ask.Found) -> Events:
    if office.state.config is not None:
        raise Refusal("floor", "it was founded already")
    _sound(command.config)
    config = kept_as(command.config, command.demonstration or command.config.policies.demonstration)
    enrolled = [
        tell.StaffEnrolled(
            staff=person.staff,
            name=person.name,
            role=person.role,
            card=person.card,
            credential=person.credential,
            demonstration=command.demonstration,
            pin_set=command.pin_set,
        )
        for person in command.people
    ]
    for person in command.people:
        _check_person(person.staff, person.name, person.card)
    if len({person.staff for person in command.people}) < len(enrolled) or len(
        {person.card for person in command.people}
    ) < len(enrolled):
        raise Refusal("people", "must each have an id and a card of their own")
    _keep_two([(person.staff, person.role) for person in command.people])
    configured = tell.FloorConfigured(config=config, changes=("first configuration",), reason="floor founded")
    signing = tell.KeyReplaced(key=command.key, reason="floor founded")
    return configured, *enrolled, signing, *_first_secrets(command.key_ids)


def _first_secrets(ids: dict[str, str]) -> Iterator[tell.KeyReplaced]:
    """TR-14: the secrets that a floor begins with."""
    for purpose in SECRET_PURPOSES:
        if purpose in ids:
            yield tell.KeyReplaced(
                key="", reason="floor founded", purpose=purpose, secret_id=_secret_id("key_ids", ids[purpose])
            )


def _sound(config: FloorConfig) -> None:
    """PR-31, FL-16: whoever sends it, no wager is shared out beyond itself and no unlike games share a link."""
    games = {table.id: table.game for table in config.tables}
    for link in config.links:
        unknown = [table for table in link.tables if table not in games]
        if unknown:
            raise Refusal("floor", f"link {link.id} joins table {unknown[0]}, which is not there")
        for why in unlike(link.terms.table, list(dict.fromkeys(games[table] for table in link.tables))):
            raise Refusal("floor", f"link {link.id}: {why}")
        meters = link.terms.meters.values()
        rates = [rate for meter in meters for rate in (meter.contribution_bp, meter.reserve_bp)]
        if min(rates, default=0) < 0 or sum(rates) > WHOLE_BP:
            raise Refusal("floor", f"the rates of {link.id} must be 0 to 100%, and together at most 100%")
        if link.terms.wager_cents <= 0 or min((meter.seed_cents for meter in meters), default=0) < 0:
            raise Refusal("floor", f"the wager of {link.id} must be above 0, and no seed below 0")


def _configure(office: Office, command: ask.Configure) -> Events:
    _words("reason", command.reason)
    _sound(command.config)
    config = kept_as(command.config, office.state.demonstration)
    check_changes(office.state, config)
    changes = changes_in_words(office.state.config, config)
    if not changes:
        return ()
    return (tell.FloorConfigured(config=config, changes=tuple(changes), reason=command.reason),)


def _enroll(office: Office, command: ask.Enroll) -> Events:
    _check_person(command.staff, command.name, command.card)
    holder = office.state.member(command.card)
    if holder is not None and holder.id != command.staff:
        raise Refusal("card", f"{command.card!r} is the card of {holder.name}; every card is one person's")
    known = office.state.staff.get(command.staff)
    if known is not None and known.active:
        _keep_two_without(office.state, command.staff)
    return (
        tell.StaffEnrolled(
            staff=command.staff,
            name=command.name,
            role=command.role,
            card=command.card,
            credential=command.credential,
            pin_set=False,
        ),
    )


def _check_person(staff: str, name: str, card: str) -> None:
    for field, text, most in (("staff", staff, 40), ("name", name, 100), ("card", card, 40)):
        _words(field, text)
        if len(text) > most or not text.isprintable():
            raise Refusal(field, f"must be at most {most} printable characters")
    if "/" in staff:
        raise Refusal("staff", "must not hold a slash: players and devices are named with one")


def _dismiss(office: Office, command: ask.Dismiss) -> Events:
    member = _member(office.state, command.staff)
    _words("reason", command.reason)
    if not member.active:
        return ()
    _keep_two_without(office.state, member.id)
    return (tell.StaffDismissed(staff=member.id, reason=command.reason),)


def _keep_two_without(state: FloorState, leaving: str) -> None:
    """TR-5: refuse to take somebody's card away where no two people would be left to give another."""
    enroll = PERMISSIONS["enroll"]
    if state.staff[leaving].role in enroll.roles | enroll.seconds:
        staying = [
            member for member in state.staff.values() if member.active and member.pin_set and member.id != leaving
        ]
        _keep_two([(member.id, member.role) for member in staying])


def _keep_two(people: Sequence[tuple[str, str]]) -> None:
    enroll = PERMISSIONS["enroll"]
    firsts = {who for who, role in people if role in enroll.roles}
    seconds_too = {who for who, role in people if role in enroll.seconds}
    if not firsts or len(firsts | seconds_too) < 2:
        seconds = " or ".join(sorted(enroll.seconds))
        raise Refusal("staff", f"the floor must keep a manager and a second person ({seconds}) with a PIN set")


def _unlock(office: Office, command: ask.Unlock) -> Events:
    return (tell.StaffUnlocked(staff=_member(office.state, command.staff).id),)


def _sign_in(office: Office, command: ask.SignIn) -> Events:
    member = _presented(office, command)
    if not member.pin_set:
        raise PinNotSet("new_pin", "set your own PIN first, with this card and code; until then the card opens nothing")
    return (tell.SignedIn(staff=member.id, session=command.session, network=command.network),)


def _set_pin(office: Office, command: ask.SetPin) -> Events:
    member = _presented(office, command)
    if not command.credential:
        raise Refusal("credential", "must come with the new PIN")
    pin_set = tell.PinSet(staff=member.id, card=member.card, credential=command.credential)
    if not command.session:
        return (pin_set,)
    return pin_set, tell.SignedIn(staff=member.id, session=command.session, network=command.network)


class PinNotSet(Refusal):
    """The card and its enrolment code fit, but its holder has not set a PIN."""


def _presented(office: Office, command: ask.SignIn | ask.SetPin) -> Staff:
    """Whose card was presented with what fits it. An unknown card, a locked one and a wrong PIN sound alike (TR-6)."""
    member, sentence = office.state.member(command.card), "this card and PIN do not fit"
    if member is None or not member.active:
        raise NotAllowed("card", sentence, rule="sign-in")
    if member.locked_until > office.now and command.network not in member.opened_from:
        raise NotAllowed("card", sentence, rule="locked card")
    if command.fits != member.credential:
        raise NotAllowed("card", sentence, rule="sign-in")
    return member


def refused_event(office: Office, refusal: NotAllowed, unrecorded: int) -> tell.AuthorityRefused:
    """A refusal of authority as the journal keeps it; wrong PINs from enough places lock the card (TR-6)."""
    order, state = office.order, office.state
    shown = order.command if isinstance(order.command, ask.SignIn | ask.SetPin) else None
    card, network = (shown.card, shown.network) if shown else ("", "")
    member = state.member(card) if card else state.staff.get(order.by)
    failed = refusal.rule == "sign-in" and member is not None and member.active
    locked_until = 0
    strange = strange_places(member, network) if member is not None and network not in member.opened_from else ()
    if failed and len(strange) >= state.policies.failures_before_lockout:
        locked_until = office.now + state.policies.lockout_minutes * 60_000_000
    return tell.AuthorityRefused(
        asked=ask.kind_of(order.command),
        rule=refusal.rule,
        sentence=refusal.sentence,
        staff=member.id if member else "",
        card=card[:_CARD_TEXT],
        locked_until=locked_until,
        failed=failed,
        unrecorded=unrecorded,
        network=network,
    )


_CARD_TEXT: Final = 40


# ----------------------------------------------------------------------------------------------------------- the meters


def _seed_meter(office: Office, command: ask.SeedMeter) -> Events:
    link, _ = _unopened(office.state, command.link, command.meter)
    seed = link.now.meters[command.meter].seed_cents
    return (
        tell.MeterOpened(
            link=link.id,
            meter=command.meter,
            taken_over=False,
            value=seed * MICROS_PER_CENT,
            reserve=0,
            reference="seed",
        ),
    )


def _open_meter(office: Office, command: ask.OpenMeter) -> Events:
    link, _ = _unopened(office.state, command.link, command.meter)
    _words("reference", command.reference)
    for field, cents in (("meter_cents", command.meter_cents), ("reserve_cents", command.reserve_cents)):
        if cents < 0:
            raise Refusal(field, "must be 0 or more")
    maximum = link.now.meters[command.meter].maximum_cents
    if maximum is not None and command.meter_cents > maximum:
        raise Refusal("meter_cents", f"is above the posted maximum, {dollars(maximum)}")
    return (
        tell.MeterOpened(
            link=link.id,
            meter=command.meter,
            taken_over=True,
            value=command.meter_cents * MICROS_PER_CENT,
            reserve=command.reserve_cents * MICROS_PER_CENT,
            reference=command.reference,
        ),
    )


def _unopened(state: FloorState, link_id: str, name: str) -> tuple[LinkState, MeterState]:
    link, meter = _meter(state, link_id, name)
    if meter.opened:
        raise Refusal("meter", f"{name} of {link_id} was opened already; a meter is opened once")
    if meter.retired or name not in link.now.meters:
        raise Refusal("meter", f"{name} of {link_id} is not in use")
    return link, meter


def _undo_win(office: Office, command: ask.UndoWin) -> Events:
    state = office.state
    _words("explanation", command.explanation)
    _listed(command.reason)
    past = office.past.win(command.win)
    if past is None:
        raise Refusal("win", f"there is no win {command.win}")
    if command.win in state.undone:
        raise Refusal("win", f"win {command.win} was undone already, by entry {state.undone[command.win]}")
    if not past.paid:
        raise Refusal("win", f"win {command.win} stands at J-POT; turn the key back to RUN first")
    link = _link(state, past.link)
    on_meter, on_reserve, covered = past.on_meter, past.from_reserve, 0
    if past.meter:
        meter = _undisturbed(link, past.meter)
        if not meter.opened:
            raise Refusal(
                "win", f"meter {past.meter} of {link.id} is not in play any more; adjust the meter its money went to"
            )
        covered = max(0, -(meter.value + on_meter))
        # FL-15: what would lift the meter over its posted maximum goes to the reserve.
        over = _lifted_over(link, past.meter, meter.value, on_meter)
        on_meter, on_reserve = on_meter - over, on_reserve + over
    players = -(past.from_meter + past.from_house)
    return (
        tell.WinUndone(
            win=command.win,
            link=link.id,
            table=past.table,
            round=past.round,
            spot=past.spot,
            meter=past.meter,
            players=players,
            meter_change=on_meter + covered,
            reserve_change=on_reserve,
            house=-players - on_meter - covered - on_reserve,
            covered=covered,
            reason=command.reason,
            explanation=command.explanation,
        ),
    )


def _lifted_over(link: LinkState, name: str, value: int, more: int) -> int:
    """How much of a rise would lie over a meter's posted maximum, in micros."""
    terms = link.now.meters.get(name)
    if terms is None or terms.maximum_cents is None:
        return 0
    return max(0, min(more, value + more - terms.maximum_cents * MICROS_PER_CENT))


def _adjust_meter(office: Office, command: ask.AdjustMeter) -> Events:
    _words("explanation", command.explanation)
    _listed(command.reason)
    link, _ = _meter(office.state, command.link, command.meter)
    meter = _undisturbed(link, command.meter)
    if command.reason == "won":
        raise Refusal("reason", "a win is paid where it was named, or late with its evidence, not by a bare amount")
    if not command.cents:
        raise Refusal("cents", "must not be 0: it says how much the meter rises, or falls when negative")
    if not meter.opened:
        raise Refusal("meter", f"{command.meter} of {link.id} has not been opened")
    if command.cents > 0 and command.reason != "malfunction":
        raise Refusal("reason", "is one for a fall; a meter is raised by hand only to correct a malfunction or mistake")
    change = command.cents * MICROS_PER_CENT
    on_meter, on_reserve = (change, 0) if command.part == "meter" else (0, change)
    if command.reason == "maximum":
        on_reserve = _over_maximum(link, command, meter)
    after = meter.value + on_meter, meter.reserve + on_reserve
    if min(after) < 0:
        holds = meter.value if after[0] < 0 else meter.reserve
        raise Refusal("cents", f"is more than the {command.part} holds, {dollars(cents_of(holds))}")
    maximum = link.now.meters[command.meter].maximum_cents if command.meter in link.now.meters else None
    if command.cents > 0 and command.part == "meter" and maximum is not None and after[0] > maximum * MICROS_PER_CENT:
        raise Refusal("cents", f"would lift the meter over its posted maximum, {dollars(maximum)}")
    return (
        tell.MeterAdjusted(
            link=link.id,
            meter=command.meter,
            meter_change=on_meter,
            reserve_change=on_reserve,
            house=-on_meter - on_reserve,
            reason=command.reason,
            explanation=command.explanation,
        ),
    )


def _over_maximum(link: LinkState, command: ask.AdjustMeter, meter: MeterState) -> int:
    """FL-15: what exceeds a posted maximum goes to the reserve, and no more than that."""
    maximum = link.now.meters[command.meter].maximum_cents if command.meter in link.now.meters else None
    over = 0 if maximum is None else max(0, meter.value - maximum * MICROS_PER_CENT)
    if command.part != "meter" or -command.cents * MICROS_PER_CENT > over:
        raise Refusal("cents", f"is more than the meter exceeds its posted maximum by, {dollars(cents_of(over))}")
    return -command.cents * MICROS_PER_CENT


def _pay_late_win(office: Office, command: ask.PayLateWin) -> Events:
    state = office.state
    _words("evidence", command.evidence)
    if command.reason != "won":
        raise Refusal("reason", "must be won: it was")
    past = office.past.round(command.table, command.round, office.state.configured)
    if past is None:
        raise Refusal("round", f"{command.table} has no closed round {command.round}")
    closed = past.closed
    if command.spot not in closed.spots:
        raise Refusal("spot", f"spot {command.spot} had no progressive wager in that round")
    undone = _undone_since(office, past)
    winners = {*closed.winners} - {win.spot for win in undone}
    if command.spot in winners or f"{command.table}/{command.round}/{command.spot}" in state.late:
        raise Refusal("spot", f"spot {command.spot} has won in that round already; a spot wins once a round")
    row = past.terms.table.row(command.hand)
    if row is None:
        allowed = ", ".join(row.hand for row in past.terms.table.rows)
        raise Refusal("hand", f"{command.hand!r} wins nothing on {past.terms.table.label}; its hands are {allowed}")
    table = state.tables.get(command.table)
    if table is None:
        raise Refusal("table", f"{command.table!r} is not a table of this floor")
    link = _link(state, closed.link)
    policy = policy_of(table.config, past.terms.fixed_from)
    name = source_meter(row, past.terms.table, policy) or ""
    cents = (
        share(cents_of(closed.meters[name] + sum(win.on_meter for win in undone if win.meter == name)), row.percent)
        if row.percent is not None
        else fixed_amount(row, past.terms.table, closed.wager_cents)
    )
    observer = _late_observer(office, cents, command.player)
    amount = cents * MICROS_PER_CENT
    from_meter = seed = from_reserve = before = 0
    reseeded = False
    if name:
        meter = _undisturbed(link, name)
        before = meter.value
        won_since = any(entry > past.entry for entry in meter.reseeds.values())
        floor = past.terms.meters[name].seed_cents * MICROS_PER_CENT if won_since else 0
        from_meter = min(amount, max(0, before - floor))
        # A meter that is out of play starts from nothing again.
        reseeded = row.percent == 100 and not won_since and meter.opened
        if reseeded:
            seed, from_reserve = past.terms.meters[name].seed_cents * MICROS_PER_CENT, meter.reserve
    return (
        tell.LateWinPaid(
            win=office.seq,
            link=link.id,
            table=command.table,
            round=command.round,
            spot=command.spot,
            hand=command.hand,
            meter=name,
            cents=cents,
            from_meter=from_meter,
            from_house=amount - from_meter,
            seed=seed,
            from_reserve=from_reserve,
            reseeded=reseeded,
            before=before,
            after=before - from_meter + seed + from_reserve,
            tax_form=needs_tax_form(state.policies, cents, closed.wager_cents, office.day),
            evidence=command.evidence,
            observer=observer,
            player=command.player,
            reason=command.reason,
        ),
    )


def _late_observer(office: Office, cents: int, player: str) -> str:
    """FL-7, FL-18: who of surveillance seconded a large win that is paid late, and so verified it; else empty."""
    second = office.state.staff[office.order.second]
    needed = office.state.policies.needs_surveillance(cents)
    if needed and second.role != "surveillance":
        raise NotAllowed(
            "second",
            f"surveillance must verify {dollars(cents)}: the second person must be surveillance; "
            f"{second.name} is {second.role}",
            rule=SECOND_PERSON,
        )
    if needed:
        _words("player", player)
        return second.name
    if second.role == "surveillance":
        raise NotAllowed(
            "second", f"surveillance seconds only what it must verify, not {dollars(cents)}", rule=SECOND_PERSON
        )
    return ""


def _undone_since(office: Office, past: PastRound) -> list[PastWin]:
    """PR-23: the wins of a round that were undone after it closed: their spots have not won, their money is back."""
    closed = past.closed
    wins = [office.past.win(win) for win, entry in office.state.undone.items() if entry > past.entry]
    return [win for win in wins if win and not win.late and (win.table, win.round) == (closed.table, closed.round)]


def _transfer(office: Office, command: ask.Transfer) -> Events:
    state = office.state
    _words("authority", command.authority)
    if (command.link, command.meter) == (command.to_link, command.to_meter):
        raise Refusal("to_meter", "must be another meter")
    link, _ = _meter(state, command.link, command.meter)
    meter = _undisturbed(link, command.meter)
    to_link, target = _meter(state, command.to_link, command.to_meter)
    if not target.opened or target.retired or command.to_meter not in to_link.now.meters:
        raise Refusal("to_meter", f"{command.to_meter} of {to_link.id} is not open; money goes only to a meter in play")
    if not meter.opened:
        raise Refusal("meter", f"{command.meter} of {link.id} has not been opened")
    for table in link.tables:
        if state.tables[table].round.locked:
            raise Refusal("link", f"table {table} is in a round; close it first")
    maximum = to_link.now.meters[command.to_meter].maximum_cents
    over = 0
    if maximum is not None:
        over = min(meter.value, max(0, target.value + meter.value - maximum * MICROS_PER_CENT))
    if over:
        raise Refusal("to_meter", f"would rise over its posted maximum by {dollars(cents_of(over))}")
    return (
        tell.MeterTransferred(
            link=link.id,
            meter=command.meter,
            to_link=to_link.id,
            to_meter=command.to_meter,
            value=meter.value,
            reserve=meter.reserve,
            authority=command.authority,
            retired=command.retire,
        ),
    )


def _undisturbed(link: LinkState, name: str) -> MeterState:
    """A meter on which no claim is open: a claim has been promised what the meter held."""
    waiting = [claim for claim in link.claims if claim.meter == name]
    if waiting:
        first = waiting[0]
        raise Refusal(
            "meter", f"table {first.table} spot {first.spot} has an open claim on {name}; confirm or drop it first"
        )
    return link.meters[name]


# ---------------------------------------------------------------------------------------- accounts, stops, alarms, keys


def _enter_account(office: Office, command: ask.EnterAccount) -> Events:
    link = _link(office.state, command.link)
    _words("reference", command.reference)
    if command.balance_cents < 0:
        raise Refusal("balance_cents", "must be 0 or more")
    return (
        tell.AccountEntered(
            link=link.id,
            balance_cents=command.balance_cents,
            short=command.short,
            reference=command.reference,
        ),
    )


def _record_deposit(office: Office, command: ask.RecordDeposit) -> Events:
    link = _link(office.state, command.link)
    _words("reference", command.reference)
    _day("week", command.week)
    if command.cents <= 0:
        raise Refusal("cents", "must be above 0")
    return (tell.DepositRecorded(link=link.id, week=command.week, cents=command.cents, reference=command.reference),)


def _suspend(office: Office, command: ask.Suspend) -> Events:
    _words("why", command.why)
    _named(office.state, command.what, command.id)
    return (tell.Suspended(what=command.what, id=command.id, why=command.why),)


def _resume(office: Office, command: ask.Resume) -> Events:
    stops = _named(office.state, command.what, command.id)
    if "suspended" not in stops:
        return ()
    return (tell.Resumed(what=command.what, id=command.id),)


def _acknowledge(office: Office, command: ask.Acknowledge) -> Events:
    if not any(alarm.number == command.alarm for alarm in office.state.alarms):
        raise Refusal("alarm", f"there is no open alarm {command.alarm}")
    return (tell.AlarmSeen(alarm=command.alarm),)


def _replace_key(office: Office, command: ask.ReplaceKey) -> Events:
    _words("reason", command.reason)
    if command.purpose != "signing":
        return _replace_secret(office, command)
    if command.secret_id:
        raise Refusal("secret_id", "must be empty for the key that signs; its public half is what is named")
    if len(command.key) != 64 or any(digit not in "0123456789abcdef" for digit in command.key):
        raise Refusal("key", "must be an Ed25519 public key: 64 hexadecimal digits")
    if command.key == office.state.key:
        raise Refusal("key", "is the key in force; a replacement is another")
    return (tell.KeyReplaced(key=command.key, reason=command.reason),)


def _replace_secret(office: Office, command: ask.ReplaceKey) -> Events:
    """TR-14: the codes, the sealing of decks, the cookies or the pepper get another secret."""
    if command.key:
        raise Refusal("key", f"must be empty: the {command.purpose} secret has no public half, only a name")
    name = _secret_id("secret_id", command.secret_id)
    if name == office.state.key_ids.get(command.purpose):
        raise Refusal("secret_id", "is the secret in force; a replacement is another")
    return (tell.KeyReplaced(key="", reason=command.reason, purpose=command.purpose, secret_id=name),)


def _recover(office: Office, command: ask.Recover) -> Events:
    """Two people go on from a restored journal, and write down what it is known to lack."""
    _words("reason", command.reason)
    if not 0 < command.entries <= office.state.seq:
        raise Refusal("entries", f"must be between 1 and {office.state.seq}, where the journal ends")
    if not 0 < command.known_to < 2**63:
        raise Refusal("known_to", "must be the number of the last entry that this floor is known to have had")
    for field, text in (("known_hash", command.known_hash), ("root", command.root)):
        if text and (len(text) != 64 or any(digit not in "0123456789abcdef" for digit in text)):
            raise Refusal(field, "must be a SHA-256 hash, 64 hexadecimal digits, or empty")
    restored = tell.Restored(
        entries=command.entries,
        known_to=command.known_to,
        known_hash=command.known_hash,
        root=command.root,
        reason=command.reason,
    )
    return (restored,)


def _secret_id(field: str, text: str) -> str:
    if len(text) != 32 or any(digit not in "0123456789abcdef" for digit in text):
        raise Refusal(
            field, "must be the name of a secret, 32 hexadecimal digits; houseway journal key replace makes one"
        )
    return text


# ------------------------------------------------------------------------------------------------------------ the clock


def _note_clock(office: Office, command: ask.NoteClock) -> Events:
    if office.order.by != CLOCK:
        raise NotAllowed("by", "the floor alone writes down what it makes of its clock", rule="role")
    if command.doubt:
        return (tell.ClockDoubted(where=command.where, doubt=command.doubt, shown=command.shown),)
    return (tell.ClockTrusted(where=command.where),)


def _confirm_clock(office: Office, command: ask.ConfirmClock) -> Events:
    clock = office.clock
    if not clock.doubt:
        raise Refusal("clock_seconds", "the clock is believed; there is nothing to confirm")
    _is_shown(clock, command.clock_seconds)
    if clock.is_behind:
        raise Refusal(
            "clock_seconds",
            f"the clock shows {utc(clock.wall)}, before the last entry, {utc(clock.last)}; set the clock right, "
            "or, if it is right, repair the floor's time (repair_clock)",
        )
    return (tell.ClockConfirmed(was=clock.now),)


def _repair_clock(office: Office, command: ask.RepairClock) -> Events:
    _words("reason", command.reason)
    clock = office.clock
    _is_shown(clock, command.clock_seconds)
    if not clock.is_behind:
        raise Refusal(
            "clock_seconds",
            f"the last entry, {utc(clock.last)}, is not later than what the clock shows, {utc(clock.wall)}; "
            "there is nothing to repair",
        )
    return (tell.ClockRepaired(was=office.state.at, reason=command.reason),)


def _is_shown(clock: Reading, seconds: int) -> None:
    """Two people confirm a time that they have seen, not whatever the clock shows by then."""
    if abs(seconds * SECOND - clock.wall) > SHOWN_WITHIN:
        raise Refusal(
            "clock_seconds",
            f"must be what the clock shows now, {utc(clock.wall)}, to within {SHOWN_WITHIN // SECOND // 60} minutes",
        )


# ----------------------------------------------------------------------------------------------------- small questions


def _link(state: FloorState, id: str) -> LinkState:
    link = state.links.get(id)
    if link is None:
        raise Refusal("link", f"{id!r} is not a link of this floor; it has {', '.join(state.links) or 'none'}")
    return link


def _meter(state: FloorState, link_id: str, name: str) -> tuple[LinkState, MeterState]:
    link = _link(state, link_id)
    meter = link.meters.get(name)
    if meter is None:
        raise Refusal("meter", f"{name!r} is not a meter of {link_id}; it has {', '.join(link.meters)}")
    return link, meter


def _member(state: FloorState, id: str) -> Staff:
    member = state.staff.get(id)
    if member is None:
        raise Refusal("staff", f"{id!r} is not on the staff of this floor")
    return member


def _named(state: FloorState, what: str, id: str) -> dict[str, str]:
    if what == "link":
        return _link(state, id).stops
    table = state.tables.get(id)
    if table is None:
        raise Refusal("id", f"{id!r} is not a table of this floor; it has {', '.join(state.tables)}")
    return table.stops


def _words(field: str, text: str) -> None:
    if not text.strip():
        raise Refusal(field, "must be given in words")


def _listed(reason: str) -> None:
    """FL-15: the list of reasons is closed."""
    if reason not in REASONS:
        allowed = ", ".join(f"{name} ({words})" for name, words in REASONS.items())
        raise Refusal("reason", f"{reason!r} is not one for which a meter is adjusted; those are: {allowed}")


def _day(field: str, text: str) -> None:
    from datetime import date

    try:
        date.fromisoformat(text)
    except ValueError:
        raise Refusal(field, f"{text!r} is not a day; write it as 2026-11-30") from None


_DECIDE: Final[dict[type, Callable[[Office, Any], Events]]] = {
    ask.Found: _found,
    ask.Configure: _configure,
    ask.Enroll: _enroll,
    ask.Dismiss: _dismiss,
    ask.Unlock: _unlock,
    ask.SignIn: _sign_in,
    ask.SetPin: _set_pin,
    ask.SeedMeter: _seed_meter,
    ask.OpenMeter: _open_meter,
    ask.UndoWin: _undo_win,
    ask.AdjustMeter: _adjust_meter,
    ask.PayLateWin: _pay_late_win,
    ask.Transfer: _transfer,
    ask.EnterAccount: _enter_account,
    ask.RecordDeposit: _record_deposit,
    ask.Suspend: _suspend,
    ask.Resume: _resume,
    ask.Acknowledge: _acknowledge,
    ask.ReplaceKey: _replace_key,
    ask.Recover: _recover,
    ask.ConfirmClock: _confirm_clock,
    ask.RepairClock: _repair_clock,
    ask.Admit: access.admit,
    ask.Enter: access.enter,
    ask.SignOut: access.sign_out,
    ask.IssueDevice: access.issue_device,
    ask.RevokeDevice: access.revoke_device,
}
