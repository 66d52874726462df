"""Cards, PINs and enrolment codes: checked with argon2 under a pepper, and tied to the journal by a digest.

What is kept of a PIN is ``hw2$<pepper>$<argon2>``: the PIN goes through HMAC with a secret of the key file, named by
its id, and the result through argon2. Somebody who copies the database, but not the key file, cannot try a single PIN
(TR-6). A credential without that beginning is from before: it stays valid until its holder changes the PIN.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from functools import cache
from itertools import pairwise
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

from houseway.manager.commands import AnyRole
from houseway.manager.keyring import Keyring, secret_id
from houseway.manager.permissions import LONG_PIN
from houseway.manager.store.base import Credential
from houseway.refusal import Refusal

LONGEST_PIN: Final = 12
PEPPERED: Final = "hw2$"
_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Letters and digits that are not taken for each other."""
CODE_LENGTH: Final = 10


def credential_digest(credential: Credential) -> str:
    """What the journal holds of a credential: enough to notice a changed one, too little to guess a PIN from.

    The argon2 text in it carries a random salt that the journal never sees.
    """
    text = json.dumps([credential.card, credential.staff, credential.pin_hash])
    return hashlib.sha256(text.encode()).hexdigest()


def new_credential(card: str, staff: str, secret: str, keys: Keyring) -> Credential:
    """A card's credential for a PIN or an enrolment code, which itself is kept nowhere."""
    pepper = keys.secret("pepper")
    return Credential(
        card, staff, f"{PEPPERED}{secret_id('pepper', pepper)}${_hasher().hash(_peppered(pepper, card, secret))}"
    )


def pin_fits(credential: Credential | None, pin: str, keys: Keyring) -> bool:
    """Whether a PIN or code is the card's. An unknown card takes as long as a known one."""
    known, text = _checked_against(credential, pin, keys)
    try:
        return _hasher().verify(known or _nobody(), text) and bool(known)
    except (Argon2Error, InvalidHashError):
        return False


def is_peppered(credential: Credential) -> bool:
    """Whether a copied database gives no PIN away for it."""
    return credential.pin_hash.startswith(PEPPERED)


def check_pin(pin: str, role: AnyRole, card: str) -> None:
    """TR-6: refuse a PIN that is too short for its holder's role, or one that a thief tries first."""
    least = 6 if role in LONG_PIN else 4
    if not pin.isascii() or not pin.isdigit() or not least <= len(pin) <= LONGEST_PIN:
        raise Refusal("new_pin", f"must be {least} to {LONGEST_PIN} digits")
    why = _obvious(pin, card)
    if why:
        raise Refusal("new_pin", f"{why}; choose digits that nobody would try first")


def random_card() -> str:
    """A new card number."""
    return f"{secrets.randbelow(10**10):010}"


def random_code() -> str:
    """A new enrolment code: 50 bits, good once."""
    return code_of(secrets.token_bytes(CODE_LENGTH))


def code_of(raw: bytes) -> str:
    """An enrolment code from random bytes."""
    return "".join(_LETTERS[byte % len(_LETTERS)] for byte in raw[:CODE_LENGTH])


_ROWS: Final = ("1234567890", "147", "258", "369", "159", "357", "2580", "147258369", "123654789", "13579", "24680")
"""Ways over a keypad, and counting."""


def _obvious(pin: str, card: str) -> str:
    """Why a PIN is one that a thief tries first; empty where it is not."""
    for size in range(1, len(pin) // 2 + 1):
        if pin == (pin[:size] * len(pin))[: len(pin)]:
            return "repeats itself"
    steps = {(int(after) - int(before)) % 10 for before, after in pairwise(pin)}
    if steps <= {1} or steps <= {9}:
        return "counts up or down"
    if any(pin in way * 2 or pin in way[::-1] * 2 for way in _ROWS):
        return "is a line on the keypad"
    if len(pin) in (4, 6, 8) and _is_date(pin):
        return "is a year or a date"
    digits = "".join(character for character in card if character.isdigit())
    if pin in digits:
        return "is part of the card's number"
    return ""


def _is_date(pin: str) -> bool:
    """Years 1900 to 2099, and days in the usual orders: day or month first with the year last, or year, month, day."""
    if len(pin) == 4:
        return pin[:2] in ("19", "20")
    if len(pin) == 8:
        if pin[4:6] in ("19", "20") and (_is_day(pin[:2], pin[2:4]) or _is_day(pin[2:4], pin[:2])):
            return True
        return pin[:2] in ("19", "20") and _is_day(pin[4:6], pin[6:])
    return _is_day(pin[:2], pin[2:4]) or _is_day(pin[2:4], pin[:2]) or _is_day(pin[2:4], pin[4:])


def _is_day(month: str, day: str) -> bool:
    return 1 <= int(month) <= 12 and 1 <= int(day) <= 31


def _checked_against(credential: Credential | None, pin: str, keys: Keyring) -> tuple[str, str]:
    """The argon2 text that a PIN must fit, empty for none, and what is tried on it."""
    if credential is None:
        return "", pin
    if not is_peppered(credential):
        return credential.pin_hash, pin
    name, _, hashed = credential.pin_hash.removeprefix(PEPPERED).partition("$")
    pepper = next((secret for secret in keys.secrets("pepper") if secret_id("pepper", secret) == name), None)
    return (hashed, _peppered(pepper, credential.card, pin)) if pepper is not None else ("", pin)


def _peppered(pepper: bytes, card: str, secret: str) -> str:
    return hmac.new(pepper, f"{card}\0{secret}".encode(), hashlib.sha256).hexdigest()


@cache
def _hasher() -> PasswordHasher:
    return PasswordHasher()


@cache
def _nobody() -> str:
    return _hasher().hash(secrets.token_hex())
