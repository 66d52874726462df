"""Cards and PINs: made once, checked with argon2, and tied to the journal by a digest."""

from __future__ import annotations

import hashlib
import json
import secrets
from functools import cache
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

from houseway.manager.store.base import Credential
from houseway.refusal import Refusal

PIN_DIGITS: Final = range(4, 13)


def credential_digest(credential: Credential) -> str:
    """What the journal holds of a credential: enough to notice a changed one, too little to guess a PIN from.

    The argon2 text in it carries a random salt that the journal never sees.
    """
    text = json.dumps([credential.card, credential.staff, credential.pin_hash])
    return hashlib.sha256(text.encode()).hexdigest()


def new_credential(card: str, staff: str, pin: str) -> Credential:
    """A card's credential; the PIN itself is kept nowhere."""
    if not pin.isascii() or not pin.isdigit() or len(pin) not in PIN_DIGITS:
        raise Refusal("pin", f"must be {PIN_DIGITS.start} to {PIN_DIGITS.stop - 1} digits")
    return Credential(card, staff, _hasher().hash(pin))


def pin_fits(credential: Credential | None, pin: str) -> bool:
    """Whether a PIN is the card's. An unknown card takes as long as a known one."""
    try:
        return _hasher().verify(credential.pin_hash if credential else _nobody(), pin) and credential is not None
    except (Argon2Error, InvalidHashError):
        return False


def random_card() -> str:
    """A new card number."""
    return f"{secrets.randbelow(10**10):010}"


def random_pin() -> str:
    """A new PIN."""
    return f"{secrets.randbelow(10**6):06}"


@cache
def _hasher() -> PasswordHasher:
    return PasswordHasher()


@cache
def _nobody() -> str:
    return _hasher().hash(secrets.token_hex())
