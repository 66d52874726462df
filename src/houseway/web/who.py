"""Who asks: a member of staff or a player by cookie, a device by its token, or nobody."""

from __future__ import annotations

import hmac
from collections.abc import Callable
from typing import Final, Literal, NamedTuple

from starlette.requests import HTTPConnection
from starlette.types import Scope

from houseway.manager.access import DEVICE
from houseway.manager.clock import LIMIT, SECOND
from houseway.manager.permissions import MAY_READ, Reader
from houseway.manager.state import LONGEST_SIGNED_IN, FloorState
from houseway.table.card_round.decide import PLAYER
from houseway.table.card_round.view import Who
from houseway.web.problem import Problem
from houseway.web.secrets import Keys, digest

SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
SEEN_EVERY: Final = 60
"""A cookie is written anew when it is older than so many seconds."""
MOST_REMEMBERED: Final = 10_000
COOKIE: Final = "houseway.cookie"
"""Where a request's own cookie is kept, once it has been taken from the headers."""
COOKIE_BYTES: Final = 8 * 1024
"""How long all cookies of a request may be together; other programs on this machine may have set some too."""
_SEES_DISPLAY: Final = frozenset({"supervisor", "executive", "manager", "auditor", "surveillance"})


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
    guest: int = 0
    """TR-8: a player's admission."""

    @property
    def session(self) -> str:
        """The sign-in, or the device, that a card is presented at; empty for nobody."""
        return digest(self.secret) if self.secret else self.id

    @property
    def who(self) -> Who:
        """As which viewer a table shows itself to him."""
        if self.kind == "player":
            return Who("player", self.name, self.guest)
        if self.kind == "staff":
            return Who("surveillance" if self.reader in _SEES_DISPLAY else "dealer")
        return Who("display")


NOBODY: Final = Principal("nobody", "", "", "anyone")


def cookie_name(secure: bool) -> str:
    """The name of our cookie."""
    return "__Host-houseway" if secure else "houseway"


def take_cookie(scope: Scope, name: str) -> None:
    """Keep our own cookie of a request, and take all cookies out of its headers.

    Nothing else ever reads them: the interpreter's own parser takes a second for a cookie of some thousand backslashes.
    Ours is looked for in one pass, and needs no unquoting.
    """
    cookies = [value for header, value in scope["headers"] if header == b"cookie"]
    if not cookies:
        return
    if sum(map(len, cookies)) > COOKIE_BYTES:
        raise Problem(431, "headers-too-large", f"cookies must be at most {COOKIE_BYTES:,} bytes together", "Cookie")
    scope["headers"] = [one for one in scope["headers"] if one[0] != b"cookie"]
    wanted = name.encode()
    for one in b";".join(cookies).split(b";"):
        found, _, value = one.strip().partition(b"=")
        if found == wanted:
            scope[COOKIE] = value.decode("latin-1")
            return


class Doorkeeper:
    """Knows cookies and tokens."""

    def __init__(self, keys: Keys, idle_seconds: int, secure: bool, seconds: Callable[[], int]) -> None:
        self._keys = keys
        self._idle = idle_seconds
        self._seconds = seconds
        self.cookie_name: Final = cookie_name(secure)
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
        cookie = request.scope.get(COOKIE)
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
        read = self._keys.read_cookie(request.scope.get(COOKIE, ""))
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
        now = self._seconds()
        read = self._keys.read_cookie(cookie)
        if read is None:
            raise Problem(401, "signed-out", "your sign-in is not known here; sign in again")
        secret, seen = read
        session = digest(secret)
        signed = state.signed.get(session)
        if signed is None or signed.since + LONGEST_SIGNED_IN < now * 1_000_000:
            raise Problem(401, "signed-out", "you are signed out; sign in again")
        idle = now - max(seen, self._last.get(session, 0))
        if idle < -LIMIT // SECOND:
            raise Problem(401, "signed-out", "the floor's clock was put right; sign in again")
        if idle > self._idle:
            raise Problem(401, "signed-out", f"nothing was done for {self._idle // 60} minutes; sign in again")
        if asks:
            self._note(session, now)
        if signed.who.startswith(PLAYER):
            name = signed.who.removeprefix(PLAYER)
            guest = state.guests.get(name)
            if guest is None or guest.id != signed.guest:
                raise Problem(401, "signed-out", "you are signed out; sign in again")
            return Principal("player", signed.who, name, "player", "", secret, seen, guest.id)
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
