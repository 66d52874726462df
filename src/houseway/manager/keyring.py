"""The floor's keys: one that signs, and a secret of its own for every other purpose (TR-14).

All of them live in the key file, which only its owner may read. The signing key stands there in PEM. Every other secret
is derived from it until one of them is replaced; from then on they stand in the file on lines of their own, which PEM
readers skip:

    houseway pepper 6f1c… (64 hexadecimal digits)

Nothing is taken out of the file: what was closed with an earlier secret must stay open to it. Which of them is in force
the journal says, by the name of the secret; so a file may hold one that is not in force yet, and a replacement that was
cut short, before or after its order, leaves a floor that starts. Where a journal of before names none, it is the first.

One more line says which entries have no code, because they were made before there were codes:

    houseway uncoded 1234 9ab0… (the last such entry and its hash; 0 and 64 zeros where every entry has one)

Without it, somebody who can write to the database could write the whole journal anew as one of an earlier version.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

from houseway.manager.signing import key_in, keys_in, pem_of, public_hex, read_key_file
from houseway.manager.store.base import Head
from houseway.refusal import Refusal

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

Purpose: TypeAlias = Literal["codes", "sealing", "web", "pepper"]
PURPOSES: Final[tuple[Purpose, ...]] = get_args(Purpose)
SECRET_BYTES: Final = 32
LABELS: Final[dict[Purpose, bytes]] = {
    "codes": b"houseway entry codes",
    "sealing": b"houseway sealed decks",
    "web": b"houseway web",
    "pepper": b"houseway PIN pepper",
}
"""What each secret is derived with. A label never changes: what was closed under it must stay open to it."""
_LINE: Final = re.compile(rb"^houseway ([a-z]+) ([0-9a-f]{64})$", re.MULTILINE)
_UNCODED: Final = re.compile(rb"^houseway uncoded ([0-9]{1,18}) ([0-9a-f]{64})$", re.MULTILINE)


def secret_id(purpose: Purpose, secret: bytes) -> str:
    """How the journal names a secret: enough to tell two apart, nothing to guess one from."""
    return hashlib.sha256(LABELS[purpose] + b" id\n" + secret).hexdigest()[:32]


@dataclass(frozen=True)
class Keyring:
    """The keys of a floor, in memory. They never leave the process."""

    signing: Ed25519PrivateKey
    replaced: Mapping[Purpose, tuple[bytes, ...]] = field(default_factory=dict)
    """Secrets that stand in the file, by purpose, oldest first."""
    others: tuple[Ed25519PrivateKey, ...] = ()
    """Further signing keys in the file: earlier ones, and one that is not in force yet."""
    uncoded: Head | None = None
    """The last entry without a code; None where the file does not say."""
    ids: Mapping[str, str] = field(default_factory=dict)
    """By purpose: the secret that is in force by the journal."""
    file: Path | None = None
    """Where they came from; None for keys that are kept in no file."""

    @classmethod
    def new(cls) -> Keyring:
        """Keys nobody has seen, kept in no file: for a floor that is thrown away."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        return cls(Ed25519PrivateKey.generate())

    @classmethod
    def load(cls, path: Path) -> Keyring:
        """The keys in a file; refused when anybody but its owner may read it."""
        text = read_key_file(path)
        first, *others = keys_in(text, path)
        replaced: dict[Purpose, tuple[bytes, ...]] = {}
        for name, digits in _LINE.findall(text):
            for purpose in PURPOSES:
                if purpose.encode() == name:
                    replaced[purpose] = (*replaced.get(purpose, ()), bytes.fromhex(digits.decode()))
        uncoded = None
        for seq, digits in _UNCODED.findall(text)[:1]:
            uncoded = Head(int(seq), digits.decode())
        return cls(first, replaced, tuple(others), uncoded, file=path)

    def in_force(self, ids: Mapping[str, str], public: str = "") -> Keyring:
        """The same keys, those in force by a journal first; refused where one of them is not there.

        The signing key alone may be another: a floor can go on without, and who signs is told so.
        """
        for purpose in PURPOSES:
            key_id = ids.get(purpose)
            if key_id and key_id not in self._by_id[purpose]:
                where = f"{self.file} does" if self.file else "the keys given do"
                raise Refusal(
                    "key_file",
                    f"{where} not hold the {purpose} secret {key_id} that is in force by the journal; "
                    "start with the key file that the secret was written to",
                )
        keys = (self.signing, *self.others)
        signing = next((key for key in keys if public_hex(key) == public), self.signing)
        return replace(self, signing=signing, others=tuple(key for key in keys if key is not signing), ids=dict(ids))

    def again(self) -> Keyring:
        """The keys as their file holds them now."""
        return Keyring.load(self.file) if self.file is not None else self

    @property
    def public(self) -> str:
        """The public half of the signing key, as the journal names it."""
        return public_hex(self.signing)

    @property
    def names(self) -> dict[str, str]:
        """The secrets in force, as the journal names them."""
        return {purpose: secret_id(purpose, self.secret(purpose)) for purpose in PURPOSES}

    def secret(self, purpose: Purpose) -> bytes:
        """The secret of a purpose that is in force."""
        return self.secrets(purpose)[0]

    def secrets(self, purpose: Purpose) -> tuple[bytes, ...]:
        """Every secret that a purpose ever had, the one in force first."""
        known = self._by_id[purpose]
        first = known.get(self.ids.get(purpose, ""))
        every = tuple(known.values())
        return every if first is None else (first, *(item for item in every if item != first))

    def newest(self, purpose: Purpose) -> bytes:
        """The secret that was written to the file last: what an earlier one may have given away is worth nothing."""
        old_keys = self.replaced.get(purpose)
        return old_keys[-1] if old_keys else self.secrets(purpose)[0]

    def named(self, purpose: Purpose, name: str) -> bytes | None:
        """A secret by its name in the journal, None where it is not there; without a name, the first there was."""
        known = self._by_id[purpose]
        return known.get(name) if name else next(iter(known.values()))

    @cached_property
    def _by_id(self) -> dict[Purpose, dict[str, bytes]]:
        """Every secret by its name: those in the file, oldest first, then those derived."""
        from cryptography.hazmat.primitives.hashes import SHA256
        from cryptography.hazmat.primitives.kdf.hkdf import HKDF

        keys_by_purpose: dict[Purpose, dict[str, bytes]] = {}
        for purpose in PURPOSES:
            derived = (
                HKDF(SHA256(), SECRET_BYTES, None, LABELS[purpose]).derive(key.private_bytes_raw())
                for key in (self.signing, *self.others)
            )
            every = (*self.replaced.get(purpose, ()), *derived)
            keys_by_purpose[purpose] = {secret_id(purpose, secret): secret for secret in every}
        return keys_by_purpose


# ------------------------------------------------------------------------------------------------- writing the file


def add_secret(path: Path, keys: Keyring, purpose: Purpose, secret: bytes | None = None) -> str:
    """Write a new secret of a purpose beside all that the file holds; answers its name for the journal."""
    new = os.urandom(SECRET_BYTES) if secret is None else secret
    _write(path, _spelled_out(path, keys), f"houseway {purpose} {new.hex()}\n")
    return secret_id(purpose, new)


def add_signing_key(path: Path, keys: Keyring) -> str:
    """Write a new signing key beside all that the file holds; answers its public half for the journal."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    new = Ed25519PrivateKey.generate()
    _write(path, _spelled_out(path, keys), pem_of(new).decode())
    return public_hex(new)


def note_uncoded(path: Path, last: Head) -> None:
    """Write down which entries have no code, once: the first start with a key file decides it."""
    text = read_key_file(path)
    if not _UNCODED.search(text):
        _write(path, _as_pem(text, path), f"houseway uncoded {last.seq} {last.hash}\n")


def _spelled_out(path: Path, keys: Keyring) -> str:
    """The file's text with every secret in force on a line of its own: none may change with the key it came from."""
    text = _as_pem(read_key_file(path), path)
    for purpose in PURPOSES:
        if purpose not in keys.replaced:
            text += f"houseway {purpose} {keys.secret(purpose).hex()}\n"
    return text


def _as_pem(text: bytes, path: Path) -> str:
    """The text of a key file; 32 raw bytes, beside which no line can stand, become PEM."""
    if not text.lstrip().startswith(b"-----") and b"-----BEGIN" not in text:
        text = pem_of(key_in(text, path))
    return text.decode().rstrip("\n") + "\n"


def _write(path: Path, text: str, more: str) -> None:
    """The file with something added, whole or not at all, for its owner alone."""
    part = path.with_name(f"{path.name}.part")
    try:
        file = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
        with os.fdopen(file, "wb") as out:
            os.fchmod(out.fileno(), 0o600)
            out.write((text + more).encode())
            out.flush()
            os.fsync(out.fileno())
        part.replace(path)
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise Refusal(str(path), f"cannot be written: {error.strerror}") from None
