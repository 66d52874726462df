"""Signing in and out, and presenting a card for one order on another's screen."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from houseway.api.route import Chapter, Route


class SessionDoc(Struct, frozen=True, kw_only=True):
    """Who is signed in."""

    kind: str
    """nobody, staff, player or device."""
    id: str
    name: str
    role: str
    csrf: str
    """To be sent as X-CSRF-Token with everything that changes something."""
    demonstration: bool
    """Whether the floor was founded as a demonstration."""
    site: str
    again: str = ""
    """A player's return code, told once, when the player comes in: it alone brings the player back to the seat."""


class Present(Struct, frozen=True, kw_only=True):
    """The token to send with an order, as ``By-Card`` or ``Second-Card``."""

    token: str
    staff: str
    name: str
    role: str
    seconds: int


class SignInBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A card and its PIN."""

    card: str
    pin: str


class PinBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A card, its enrolment code or PIN so far, and the PIN it gets."""

    card: str
    pin: str
    new_pin: str


class CodeBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player's code: the one that the dealer gave, or the return code of a seat."""

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
    path: str
    """The order's address, such as ``tables/CS-1/confirm``."""
    role: Literal["by", "second"]
    """Whether the card is of who gives the order, or of the second person."""


session = Chapter("session")
SESSION = session.get("session_doc", "/session", "Say who is signed in on this browser.", may="", answer=SessionDoc)
SIGN_IN = session.post(
    "sign_in",
    "/session",
    "Sign in with card and PIN; the answer sets a cookie.",
    may="",
    body=SignInBody,
    answer=SessionDoc,
)
SET_PIN = session.post(
    "set_pin",
    "/session/pin",
    "Set your own PIN, with the enrolment code or the PIN so far, and sign in; the answer sets a cookie.",
    may="",
    body=PinBody,
    answer=SessionDoc,
)
ENTER = session.post(
    "enter",
    "/session/player",
    "Sign in as a player, with the dealer's code or your own return code; the answer sets a cookie.",
    may="",
    body=CodeBody,
    answer=SessionDoc,
)
GUEST = session.post(
    "guest",
    "/session/guest",
    "Sign in as a guest, on a demonstration floor alone: no dealer has to let a guest in.",
    may="",
    body=GuestBody,
    answer=SessionDoc,
)
PRESENT = session.post(
    "present",
    "/presence",
    "Present card and PIN for one press on a screen where another is signed in; good there, for that order alone.",
    may="",
    body=PresenceBody,
    answer=Present,
    signed_in=True,
)
SIGN_OUT: Route[None] = session.add(
    Route(
        method="DELETE",
        path="/session",
        name="sign_out",
        tag="session",
        says="Sign out; nobody can use the cookie any more.",
        may="",
        status=204,
    )
)
