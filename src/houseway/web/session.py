"""Signing in and out, and presenting a card for one order on another's screen."""

from __future__ import annotations

import asyncio
import time
from typing import Final, Literal
from uuid import uuid4

from msgspec import Struct
from starlette.responses import Response

from houseway.client.answers import Present, SessionDoc
from houseway.manager.commands import Admit, Enter, Order, SignOut
from houseway.manager.events import PlayerEntered
from houseway.manager.floor import Done
from houseway.manager.state import Staff
from houseway.table.play.decide import PLAYER
from houseway.web.orders import KEY_FORM
from houseway.web.problem import Problem
from houseway.web.routes import Ask, Route, Routes, json_response, set_cookie
from houseway.web.secrets import PRESENCE_SECONDS, Keys, Presence, digest

LONGEST: Final = 200


class SignInBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A card and its PIN."""

    card: str
    pin: str


class CodeBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player's code."""

    code: str


class GuestBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A name for a guest of a demonstration."""

    name: str


class PresenceBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A card and PIN for one order."""

    card: str
    pin: str
    key: str
    """The Idempotency-Key of the order."""
    path: str = ""
    """The order's address, such as ``tables/CS-1/confirm``: given it, the card is good for that alone."""
    role: Literal["", "by", "second"] = ""
    """Whether it is presented as who gives the order or as the second person: given it, for that alone."""


def session_doc(ask: Ask) -> SessionDoc:
    """Say who is signed in on this browser."""
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


async def sign_in(ask: Ask) -> Response:
    """Sign in with card and PIN; the answer sets a cookie."""
    secret = Keys.new_secret()
    member = await _checked(ask, ask.body.card, ask.body.pin, digest(secret))
    return _welcome(ask, secret, "staff", member.id, member.name, member.role)


async def _checked(ask: Ask, card: str, pin: str, session: str = "") -> Staff:
    """Whose card and PIN these are."""
    ask.site.limiter.count(address_of(ask))
    for name, text in (("card", card), ("pin", pin)):
        if len(text) > LONGEST or not text.isprintable():
            raise Problem(422, "invalid", f"must be at most {LONGEST} printable characters", name)
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(ask.site.pins, ask.site.floor.sign_in, card, pin, session)


def address_of(ask: Ask) -> str:
    """Where a request comes from; behind a trusted proxy, what that says."""
    return ask.request.client.host if ask.request.client else ""


async def enter(ask: Ask) -> Response:
    """Sign in as a player, with the code that the dealer gave; the answer sets a cookie."""
    ask.site.limiter.count(address_of(ask))
    return await _entered(ask, ask.body.code.strip().upper()[:LONGEST])


async def _entered(ask: Ask, code: str) -> Response:
    secret = Keys.new_secret()
    command = Enter(code=digest(code), session=digest(secret))
    known = ask.site.state.codes.get(command.code)
    done = await _given(ask, f"{PLAYER}{known.player if known else ''}", command)
    who = next(event.player for event in done.entry.events if isinstance(event, PlayerEntered))
    return _welcome(ask, secret, "player", f"{PLAYER}{who}", who, "player")


async def guest(ask: Ask) -> Response:
    """Sign in as a guest, on a demonstration floor alone: no dealer has to let a guest in."""
    site = ask.site
    ask.site.limiter.count(address_of(ask))
    host = next((one for one in site.state.staff.values() if one.demonstration and one.role == "dealer"), None)
    if not site.demonstration or host is None:
        raise Problem(403, "not-allowed", "guests sign in on a demonstration floor alone; ask the dealer for a code")
    name = ask.body.name
    taken = {one.who for one in site.state.signed.values()} | {
        f"{PLAYER}{one.player}" for one in site.state.codes.values()
    }
    seated = {player for table in site.state.tables.values() for player in table.seats.values()}
    if f"{PLAYER}{name}" in taken or name in seated:
        raise Problem(409, "refused", f"{name!r} is here already; take another name", "name")
    code = Keys.new_secret()
    await _given(ask, host.id, Admit(player=ask.body.name, code=digest(code)))
    return await _entered(ask, code)


async def _given(ask: Ask, by: str, command: Admit | Enter | SignOut) -> Done:
    order = Order(id=f"{uuid4()}", by=by, command=command)
    return await asyncio.wrap_future(ask.site.floor.submit(order))


def _welcome(ask: Ask, secret: str, kind: str, id: str, name: str, role: str) -> Response:
    site = ask.site
    doc = SessionDoc(
        kind=kind,
        id=id,
        name=name,
        role=role,
        csrf=site.keys.csrf(secret),
        demonstration=site.demonstration,
        site=site.state.policies.site,
    )
    response = json_response(doc)
    set_cookie(site, response, secret, int(time.time()))
    return response


async def sign_out(ask: Ask) -> Response:
    """Sign out; nobody can use the cookie any more."""
    response = Response(status_code=204)
    if ask.who.secret:
        await _given(ask, ask.who.id, SignOut(session=digest(ask.who.secret)))
        response.delete_cookie(ask.site.door.cookie_name, path="/", secure=ask.site.door.secure, httponly=True)
    return response


async def present(ask: Ask) -> Response:
    """Present card and PIN for one order, on a screen where another is signed in."""
    body, site = ask.body, ask.site
    if not KEY_FORM.fullmatch(body.key):
        raise Problem(422, "invalid", "must be the Idempotency-Key of the order", "key")
    member = await _checked(ask, body.card, body.pin)
    until = int(time.time()) + PRESENCE_SECONDS
    token = site.keys.presence(Presence(member.id, body.key, until, member.credential, body.path, body.role))
    return json_response(
        Present(token=token, staff=member.id, name=member.name, role=member.role, seconds=PRESENCE_SECONDS)
    )


def session_routes() -> list[Route]:
    """Everything about who is here. Whoever may sign in may ask these."""
    routes = Routes("session")
    routes.get("/session", may="", answer=SessionDoc)(session_doc)
    for path, handler, body, answer in (
        ("/session", sign_in, SignInBody, SessionDoc),
        ("/session/player", enter, CodeBody, SessionDoc),
        ("/session/guest", guest, GuestBody, SessionDoc),
        ("/presence", present, PresenceBody, Present),
    ):
        says = " ".join((handler.__doc__ or "").split())
        routes.add(
            Route(
                method="POST",
                path=path,
                name=handler.__name__,
                tag="session",
                says=says,
                may="",
                handler=handler,
                body=body,
                answer=answer,
            )
        )
    routes.add(
        Route(
            method="DELETE",
            path="/session",
            name="sign_out",
            tag="session",
            says="Sign out; nobody can use the cookie any more.",
            may="",
            handler=sign_out,
            status=204,
        )
    )
    return routes.all
