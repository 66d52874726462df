"""What browsers, players and devices hold, and how it is checked: nothing of it is kept but its digest.

Everything is derived from one key, which comes from the floor's key file: all processes of a floor know it, and the
same request asked twice gets the same secret.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from typing import Final, NamedTuple

import msgspec

from houseway.web.problem import Problem

PRESENCE_SECONDS: Final = 90
CODE_LENGTH: Final = 8
_MAC_LENGTH: Final = 32


def digest(secret: str) -> str:
    """What is kept of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


class Presence(NamedTuple):
    """Somebody who presented card and PIN for one order on another's screen."""

    staff: str
    key: str
    """The order's id: for no other is it good."""
    until: int
    credential: str
    path: str = ""
    """The order's address, where he said so."""
    role: str = ""
    """``by`` or ``second``, where he said so."""


class Keys:
    """Makes and checks what only this floor can make."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    @staticmethod
    def new_secret() -> str:
        return secrets.token_urlsafe(32)

    def cookie(self, secret: str, seen: int) -> str:
        """A browser's cookie: its secret, and when it was last seen, which nobody else can move on."""
        return f"{secret}.{seen}.{self._mac('cookie', secret, str(seen))}"

    def read_cookie(self, text: str) -> tuple[str, int] | None:
        """The secret and when it was seen; None for what we did not make."""
        secret, _, rest = text.partition(".")
        seen, _, mac = rest.partition(".")
        if not seen.isascii() or not seen.isdigit() or not self._is(mac, "cookie", secret, seen):
            return None
        return secret, int(seen)

    def csrf(self, secret: str) -> str:
        """What a page must send along with a cookie: a foreign page cannot know it."""
        return self._mac("csrf", secret)

    def csrf_fits(self, given: str, secret: str) -> bool:
        return self._is(given, "csrf", secret)

    def device_token(self, device: str, key: str) -> str:
        """The token of a device; the same when the order is sent again."""
        return f"{device}.{self._long('device', device, key)}"

    def player_code(self, player: str, key: str) -> str:
        """The code of a player; the same when the order is sent again."""
        raw = hashlib.sha256(self._long("code", player, key).encode()).digest()
        # Letters and digits that are not taken for each other.
        return base64.b32encode(raw).decode().translate(str.maketrans("OI", "89"))[:CODE_LENGTH]

    def pin(self, card: str, key: str) -> str:
        """A new PIN for a card; the same when the order is sent again."""
        return f"{int(self._mac('pin', card, key), 16) % 10**6:06}"

    def proof(self, pin: str) -> str:
        """What a PIN comes to: the same for the same, and nothing to anybody without the key."""
        return self._mac("proof", pin)

    def card(self, staff: str, key: str) -> str:
        """A new card number for a member of staff; the same when the order is sent again."""
        return f"{int(self._mac('card', staff, key), 16) % 10**10:010}"

    def presence(self, presence: Presence) -> str:
        """A token that says so for the one order."""
        body = base64.urlsafe_b64encode(msgspec.json.encode(tuple(presence))).decode()
        return f"{body}.{self._mac('presence', body)}"

    def read_presence(self, header: str, token: str, key: str, path: str, now: int) -> Presence:
        """Who presented his card; refused when it is not for this order, or too long ago."""
        body, _, mac = token.partition(".")
        if not self._is(mac, "presence", body):
            raise Problem(401, "presence", "is not one that this floor gave; present card and PIN", header)
        presence = Presence(
            *msgspec.json.decode(base64.urlsafe_b64decode(body), type=tuple[str, str, int, str, str, str])
        )
        if presence.until < now:
            raise Problem(401, "presence", "is too old; present card and PIN again", header)
        if (
            presence.key != key
            or presence.path not in ("", path)
            or presence.role not in ("", header.partition("-")[0])
        ):
            raise Problem(401, "presence", "was given for another order; present card and PIN for this one", header)
        return presence

    def _mac(self, *parts: str) -> str:
        return self._long(*parts)[:_MAC_LENGTH]

    def _long(self, *parts: str) -> str:
        text = "\0".join(f"{len(part)}:{part}" for part in parts)
        return hmac.new(self._key, text.encode(), hashlib.sha256).hexdigest()

    def _is(self, given: str, *parts: str) -> bool:
        return hmac.compare_digest(given.encode(), self._mac(*parts).encode())
