"""Who asks: a member of staff or a player by cookie, a device by its token, or nobody."""

from __future__ import annotations

import hmac
import time
from typing import Final, Literal, NamedTuple

from starlette.requests import HTTPConnection

from houseway.manager.access import DEVICE
from houseway.manager.permissions import MAY_READ, Reader
from houseway.manager.state import LONGEST_SIGNED_IN, FloorState
from houseway.table.play.decide import PLAYER
from houseway.table.play.view import Who
from houseway.web.problem import Problem
from houseway.web.secrets import Keys, digest

SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
SEEN_EVERY: Final = 60
"""A cookie is written anew when it is older than so many seconds."""
MOST_REMEMBERED: Final = 10_000
_SEES_DISPLAY: Final = frozenset({"supervisor", "executive", "manager", "auditor"})


class Principal(NamedTuple):
    """Somebody, or something, that asks."""

    kind: Literal["nobody", "staff", "player", "device"]
    id: str
    """As orders and the journal write it."""
    name: str
    reader: Reader
    subject: str = ""
    """The link or table that a device is for."""
    secret: str = ""
    """What a browser holds; for the CSRF check and signing out."""
    seen: int = 0

    @property
    def who(self) -> Who:
        """As which viewer a table shows itself to him."""
        if self.kind == "player":
            return Who("player", self.name)
        if self.kind == "staff":
            return Who("surveillance" if self.reader in _SEES_DISPLAY else "dealer")
        return Who("display")


NOBODY: Final = Principal("nobody", "", "", "anyone")


class Doorkeeper:
    """Knows cookies and tokens."""

    def __init__(self, keys: Keys, idle_seconds: int, secure: bool) -> None:
        self._keys = keys
        self._idle = idle_seconds
        self.cookie_name: Final = "__Host-houseway" if secure else "houseway"
        self.secure = secure
        self._last: dict[str, int] = {}
        """When each secret was last used here, in between what its cookie says."""

    def who(self, state: FloorState, request: HTTPConnection, *, asks: bool = True) -> Principal:
        """Who sends a request; refused when what he shows is not, or no more, good.

        ``asks`` is false where he only goes on watching, which does not count as doing something.
        """
        bearer = request.headers.get("authorization")
        if bearer is not None:
            return self._device(state, bearer)
        cookie = request.cookies.get(self.cookie_name)
        if cookie is None:
            return NOBODY
        return self._signed(state, cookie, asks)

    def known(self, state: FloorState, request: HTTPConnection, *, asks: bool = True) -> Principal:
        """Who sends a request, nobody where what he shows is not good."""
        try:
            return self.who(state, request, asks=asks)
        except Problem:
            return NOBODY

    def is_unheard(self, state: FloorState, request: HTTPConnection) -> bool:
        """Whether a cookie is one that we made, for a sign-in that this process does not know."""
        read = self._keys.read_cookie(request.cookies.get(self.cookie_name, ""))
        return read is not None and digest(read[0]) not in state.signed

    def check_origin(self, request: HTTPConnection, principal: Principal) -> None:
        """CSRF: what changes something by cookie must come from our own pages."""
        if request.scope["method"] in SAFE_METHODS or principal.kind in ("nobody", "device"):
            return
        if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            raise Problem(403, "cross-site", "comes from another site's page; use the floor's own", "Sec-Fetch-Site")
        if not self._keys.csrf_fits(request.headers.get("x-csrf-token", ""), principal.secret):
            raise Problem(403, "csrf", "must be the token that signing in gave", "X-CSRF-Token")

    def _device(self, state: FloorState, bearer: str) -> Principal:
        scheme, _, token = bearer.partition(" ")
        name = token.partition(".")[0]
        device = state.devices.get(name)
        good = hmac.compare_digest(digest(token).encode(), (device.token if device else "").encode())
        if scheme.lower() != "bearer" or device is None or not good or not device.active:
            raise Problem(
                401,
                "token",
                "is not a valid token of this floor",
                "Authorization",
                WWW_Authenticate='Bearer realm="floor"',
            )
        return Principal("device", f"{DEVICE}{device.id}", device.id, device.right, device.subject)

    def _signed(self, state: FloorState, cookie: str, asks: bool) -> Principal:
        now = int(time.time())
        read = self._keys.read_cookie(cookie)
        if read is None:
            raise Problem(401, "signed-out", "your sign-in is not known here; sign in again")
        secret, seen = read
        session = digest(secret)
        signed = state.signed.get(session)
        if signed is None or signed.since + LONGEST_SIGNED_IN < now * 1_000_000:
            raise Problem(401, "signed-out", "you are signed out; sign in again")
        if now - max(seen, self._last.get(session, 0)) > self._idle:
            raise Problem(401, "signed-out", f"nothing was done for {self._idle // 60} minutes; sign in again")
        if asks:
            self._note(session, now)
        if signed.who.startswith(PLAYER):
            return Principal("player", signed.who, signed.who.removeprefix(PLAYER), "player", "", secret, seen)
        member = state.staff.get(signed.who)
        if member is None or not member.active:
            raise Problem(401, "signed-out", "this card is valid no more; see a manager")
        return Principal("staff", member.id, member.name, member.role, "", secret, seen)

    def _note(self, session: str, now: int) -> None:
        if len(self._last) >= MOST_REMEMBERED:
            self._last = {key: at for key, at in self._last.items() if now - at <= SEEN_EVERY}
        self._last[session] = now


def check_may_read(principal: Principal, what: str) -> None:
    """Refuse who may not look at it."""
    allowed = MAY_READ[what]
    if "anyone" in allowed or principal.reader in allowed:
        return
    if principal.kind == "nobody":
        raise Problem(401, "sign-in", "sign in with card and PIN, or send a device's token")
    spoken = " or ".join(sorted(allowed))
    raise Problem(403, "not-allowed", f"{what} is for: {spoken}; you are {principal.reader}")
