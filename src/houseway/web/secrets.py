"""What browsers, players and devices hold, and how it is checked: nothing of it is kept but its digest.

Everything is derived from one key, which comes from the floor's key file: all processes of a floor know it, and the
same request asked twice gets the same secret.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Callable
from typing import Final, NamedTuple

import msgspec

from houseway.manager.credentials import code_of
from houseway.web.problem import Problem

PRESENCE_SECONDS: Final = 90
CODE_LENGTH: Final = 8
_MAC_LENGTH: Final = 32
_READABLE: Final = str.maketrans("OI", "89")
"""Letters and digits that are not taken for each other."""


def digest(secret: str) -> str:
    """What is kept of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


class Press(NamedTuple):
    """One press on one screen: what a card is presented for, and is good for."""

    session: str
    """The digest of what the screen's browser holds, or the device's id."""
    key: str
    """The order's id."""
    path: str
    """The order's address."""
    role: str
    """``by`` for who gives the order, ``second`` for the second person."""


class Presence(NamedTuple):
    """Somebody who presented card and PIN for one press on another's screen."""

    staff: str
    until: int
    credential: str
    press: Press


class Keys:
    """Makes and checks what only this floor can make."""

    def __init__(self, key: Callable[[], bytes]) -> None:
        self._key = key
        """Asked each time: once the key is replaced, nothing made with the old one is good any more (TR-14)."""

    @staticmethod
    def new_secret() -> str:
        return secrets.token_urlsafe(32)

    def cookie(self, secret: str, last_seen: int) -> str:
        """A browser's cookie: its secret, and when it was last seen, which nobody else can move on."""
        return f"{secret}.{last_seen}.{self._mac('cookie', secret, str(last_seen))}"

    def read_cookie(self, text: str) -> tuple[str, int] | None:
        """The secret and when it was seen; None for what we did not make."""
        secret, _, rest = text.partition(".")
        last_seen, _, mac = rest.partition(".")
        if not last_seen.isascii() or not last_seen.isdigit() or not self._is(mac, "cookie", secret, last_seen):
            return None
        return secret, int(last_seen)

    def csrf(self, secret: str) -> str:
        """What a page must send along with a cookie: a foreign page cannot know it."""
        return self._mac("csrf", secret)

    def csrf_fits(self, token: str, secret: str) -> bool:
        return self._is(token, "csrf", secret)

    def device_token(self, device: str, key: str) -> str:
        """The token of a device; the same when the order is sent again."""
        return f"{device}.{self._long('device', device, key)}"

    def player_code(self, player: str, key: str) -> str:
        """The code of a player; the same when the order is sent again."""
        raw = hashlib.sha256(self._long("code", player, key).encode()).digest()
        return base64.b32encode(raw).decode().translate(_READABLE)[:CODE_LENGTH]

    @staticmethod
    def return_code() -> str:
        """A new return code: only the screen that gets it can bring its player back."""
        drawn = base64.b32encode(secrets.token_bytes(10)).decode().translate(_READABLE)
        return "-".join(drawn[place : place + 4] for place in range(0, len(drawn), 4))

    def code_mark(self, code: str) -> str:
        """What is kept of a player's code: keyed, since a short code could be searched for in the journal."""
        return self._long("player-code", code.replace("-", ""))

    def enrolment_code(self, card: str, key: str) -> str:
        """The enrolment code of a new card; the same when the order is sent again."""
        return code_of(bytes.fromhex(self._long("enrolment", card, key)))

    def card(self, staff: str, key: str) -> str:
        """A new card number for a member of staff; the same when the order is sent again."""
        return f"{int(self._mac('card', staff, key), 16) % 10**10:010}"

    def presence(self, presence: Presence) -> str:
        """A token that says so for the one order."""
        body = base64.urlsafe_b64encode(msgspec.json.encode(presence)).decode()
        return f"{body}.{self._mac('presence', body)}"

    def read_presence(self, header: str, token: str, press: Press, now: int) -> Presence:
        """Who presented a card; refused when it was not for this press, or too long ago."""
        body, _, mac = token.partition(".")
        if not self._is(mac, "presence", body):
            raise Problem(401, "presence", "is not one that this floor gave; present card and PIN", header)
        presence = msgspec.json.decode(base64.urlsafe_b64decode(body), type=Presence)
        if presence.until < now:
            raise Problem(401, "presence", "is too old; present card and PIN again", header)
        if presence.press != press:
            raise Problem(
                401, "presence", "was given for another order or screen; present card and PIN for this one", header
            )
        return presence

    def _mac(self, *parts: str) -> str:
        return self._long(*parts)[:_MAC_LENGTH]

    def _long(self, *parts: str) -> str:
        text = "\0".join(f"{len(part)}:{part}" for part in parts)
        return hmac.new(self._key(), text.encode(), hashlib.sha256).hexdigest()

    def _is(self, code: str, *parts: str) -> bool:
        return hmac.compare_digest(code.encode(), self._mac(*parts).encode())
