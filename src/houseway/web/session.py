"""Signing in and out, and presenting a card for one order on another's screen."""

from __future__ import annotations

from typing import Final
from urllib.parse import unquote
from uuid import uuid4

from starlette.responses import Response

from houseway.api import session as api_session
from houseway.api.orders import KEY_FORM
from houseway.api.session import Present, SessionDoc
from houseway.manager.access import player_with
from houseway.manager.commands import Admit, Enter, Order, SignOut
from houseway.manager.events import PlayerEntered
from houseway.manager.floor import Done
from houseway.manager.state import Staff
from houseway.refusal import Refusal
from houseway.table.card_round.decide import PLAYER
from houseway.web.limiter import network_of
from houseway.web.problem import Problem
from houseway.web.routes import Ask, Handlers, address_of, json_response, set_cookie
from houseway.web.secrets import PRESENCE_SECONDS, Keys, Presence, Press, digest

LONGEST: Final = 200
sessions = Handlers()


@sessions.answers(api_session.SESSION)
def session_doc(ask: Ask) -> SessionDoc:
    who, site = ask.who, ask.site
    return SessionDoc(
        kind=who.kind,
        id=who.id,
        name=who.name,
        role="" if who.kind == "nobody" else who.reader,
        csrf=site.keys.csrf(who.secret) if who.secret else "",
        demonstration=site.demonstration,
        site=site.state.policies.site,
    )


@sessions.answers(api_session.SIGN_IN)
async def sign_in(ask: Ask) -> Response:
    secret = Keys.new_secret()
    member = await _checked(ask, ask.body.card, ask.body.pin, digest(secret))
    return _welcome(ask, secret, "staff", member.id, member.name, member.role)


@sessions.answers(api_session.SET_PIN)
async def set_pin(ask: Ask) -> Response:
    secret, body = Keys.new_secret(), ask.body
    _take_try(ask, card=body.card, pin=body.pin, new_pin=body.new_pin)
    place = network_of(address_of(ask.request))
    attempt = (body.card, body.pin, body.new_pin, digest(secret), place)
    member = await ask.site.deadlines.recorded(ask.site.pins.submit(ask.site.floor.set_pin, *attempt))
    return _welcome(ask, secret, "staff", member.id, member.name, member.role)


async def _checked(ask: Ask, card: str, pin: str, session: str = "") -> Staff:
    """Whose card and PIN these are."""
    _take_try(ask, card=card, pin=pin)
    place = network_of(address_of(ask.request))
    return await ask.site.deadlines.recorded(ask.site.pins.submit(ask.site.floor.sign_in, card, pin, session, place))


def _take_try(ask: Ask, **facts: str) -> None:
    """Count a try of the place it comes from, and refuse text that no card or PIN is."""
    ask.site.limiter.count(address_of(ask.request))
    for name, text in facts.items():
        if len(text) > LONGEST or not text.isprintable():
            raise Problem(422, "invalid", f"must be at most {LONGEST} printable characters", name)


@sessions.answers(api_session.ENTER)
async def enter(ask: Ask) -> Response:
    ask.site.limiter.count(address_of(ask.request))
    return await _entered(ask, ask.body.code.strip().upper()[:LONGEST])


async def _entered(ask: Ask, code: str) -> Response:
    secret, again, keys = Keys.new_secret(), Keys.return_code(), ask.site.keys
    command = Enter(code=keys.code_mark(code), session=digest(secret), again=keys.code_mark(again))
    known = player_with(ask.site.state, command.code, now=0)
    done = await _given(ask, f"{PLAYER}{known}", command)
    who = next(event.player for event in done.entry.events if isinstance(event, PlayerEntered))
    return _welcome(ask, secret, "player", f"{PLAYER}{who}", who, "player", again)


@sessions.answers(api_session.GUEST)
async def guest(ask: Ask) -> Response:
    site = ask.site
    ask.site.limiter.count(address_of(ask.request))
    host = next(
        (
            person
            for person in site.state.staff.values()
            if person.demonstration and person.active and person.role == "dealer"
        ),
        None,
    )
    if not site.demonstration or host is None:
        raise Problem(403, "not-allowed", "guests sign in on a demonstration floor alone; ask the dealer for a code")
    if any(code.player == ask.body.name for code in site.state.codes.values()):
        raise Problem(409, "refused", f"{ask.body.name!r} has a code from the dealer; take another name", "name")
    code = Keys.new_secret()
    try:
        await _given(ask, host.id, Admit(player=ask.body.name, code=site.keys.code_mark(code)))
    except Refusal as refusal:
        raise Problem(409, "refused", refusal.sentence, "name") from None
    return await _entered(ask, code)


async def _given(ask: Ask, by: str, command: Admit | Enter | SignOut) -> Done:
    order = Order(id=f"{uuid4()}", by=by, command=command)
    return await ask.site.deadlines.recorded(ask.site.floor.submit(order))


def _welcome(ask: Ask, secret: str, kind: str, id: str, name: str, role: str, again: str = "") -> Response:
    site = ask.site
    doc = SessionDoc(
        kind=kind,
        id=id,
        name=name,
        role=role,
        csrf=site.keys.csrf(secret),
        demonstration=site.demonstration,
        site=site.state.policies.site,
        again=again,
    )
    response = json_response(doc)
    set_cookie(site, response, secret, site.seconds())
    return response


@sessions.answers(api_session.SIGN_OUT)
async def sign_out(ask: Ask) -> Response:
    response = Response(status_code=204)
    if ask.who.secret:
        await _given(ask, ask.who.id, SignOut(session=digest(ask.who.secret)))
        response.delete_cookie(ask.site.door.cookie_name, path="/", secure=ask.site.door.secure, httponly=True)
    return response


@sessions.answers(api_session.PRESENT)
async def present(ask: Ask) -> Response:
    body, site = ask.body, ask.site
    if ask.who.kind == "nobody":
        raise Problem(401, "sign-in", "nobody is signed in on this screen; sign in there first")
    if not KEY_FORM.fullmatch(body.key):
        raise Problem(422, "invalid", "must be the Idempotency-Key of the order", "key")
    member = await _checked(ask, body.card, body.pin)
    until = site.seconds() + PRESENCE_SECONDS
    press = Press(ask.who.session, body.key, unquote(body.path[:LONGEST]), body.role)
    token = site.keys.presence(Presence(member.id, until, member.credential, press))
    return json_response(
        Present(token=token, staff=member.id, name=member.name, role=member.role, seconds=PRESENCE_SECONDS)
    )
