"""Signed notes (c2sp.org/signed-note), with Ed25519 signatures and cosignatures (c2sp.org/tlog-cosignature).

A note is text, a blank line, and signature lines. Who checks it knows the keys beforehand: a line names a key only by
its name and four bytes.
"""

from __future__ import annotations

import binascii
import hashlib
from base64 import b64decode, b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from houseway.refusal import Refusal

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

ED25519: Final = 0x01
"""A signature over the note's text."""
COSIGNATURE: Final = 0x04
"""A signature over a time and the text of a checkpoint."""
KINDS: Final = {ED25519: "of a log", COSIGNATURE: "of a witness"}

MOST_NOTE_BYTES: Final = 32_000
MOST_SIGNATURES: Final = 64
_DASH: Final = "— "
_PRIVATE: Final = "PRIVATE+KEY+"
_KEY_BYTES: Final = 32
_SIGNATURE_BYTES: Final = 64
_TIME_BYTES: Final = 8
_ID_BYTES: Final = 4
_MOST_NAME: Final = 200
_COSIGNED: Final = "cosignature/v1\ntime {time}\n{text}"


class Signature(NamedTuple):
    """One signature line."""

    name: str
    id: bytes
    """The four bytes that tell keys of one name apart."""
    signature: bytes

    @property
    def line(self) -> str:
        return f"{_DASH}{self.name} {b64encode(self.id + self.signature).decode()}\n"


class Note(NamedTuple):
    """A note as it was read. Nothing it says is to be believed before a known key's signature has been checked."""

    text: str
    """With its last line break."""
    signatures: tuple[Signature, ...]

    @property
    def whole(self) -> str:
        """The note as it is written."""
        return f"{self.text}\n{''.join(signature.line for signature in self.signatures)}"

    def signed_also(self, new: Iterable[Signature]) -> Note:
        """The note with more signatures; one by a key that has signed before takes the place of the earlier."""
        signatures = {(signature.name, signature.id): signature for signature in self.signatures}
        signatures |= {(signature.name, signature.id): signature for signature in new}
        return self._replace(signatures=tuple(signatures.values()))


@dataclass(frozen=True)
class Verifier:
    """The public half of a key, with its name."""

    name: str
    public: bytes
    kind: int = ED25519

    @property
    def id(self) -> bytes:
        return key_id(self.name, self.kind, self.public)

    @property
    def text(self) -> str:
        """The key as people pass it on: a "vkey"."""
        return f"{self.name}+{self.id.hex()}+{b64encode(bytes([self.kind]) + self.public).decode()}"

    def signature_in(self, note: Note) -> Signature | None:
        """The note's signature by this key; refused where there is one that does not hold."""
        for signature in note.signatures:
            if (signature.name, signature.id) == (self.name, self.id):
                if not self._holds(note.text, signature.signature):
                    raise Refusal("note", f"its signature by {self.name} does not hold")
                return signature
        return None

    def time_of(self, signature: Signature) -> int:
        """When a cosignature was made, in seconds since 1970; 0 for a signature without a time."""
        return int.from_bytes(signature.signature[:_TIME_BYTES], "big") if self.kind == COSIGNATURE else 0

    def _holds(self, text: str, signature: bytes) -> bool:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        message = text
        if self.kind == COSIGNATURE:
            time = int.from_bytes(signature[:_TIME_BYTES], "big")
            if len(signature) != _TIME_BYTES + _SIGNATURE_BYTES or not 0 < time < 1 << 63:
                return False
            message, signature = _COSIGNED.format(time=time, text=text), signature[_TIME_BYTES:]
        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(signature, message.encode())
        except (InvalidSignature, ValueError):
            return False
        return True


@dataclass(frozen=True)
class Signer:
    """A key that signs under a name."""

    name: str
    key: Ed25519PrivateKey
    kind: int = ED25519

    @property
    def verifier(self) -> Verifier:
        return Verifier(self.name, self.key.public_key().public_bytes_raw(), self.kind)

    @property
    def secret_text(self) -> str:
        """The key as its owner keeps it: an "skey"."""
        secret = b64encode(bytes([self.kind]) + self.key.private_bytes_raw()).decode()
        return f"{_PRIVATE}{self.name}+{self.verifier.id.hex()}+{secret}"

    def sign(self, text: str, time: int = 0) -> Signature:
        """This key's signature; a cosignature says at which second it was made."""
        if self.kind == COSIGNATURE:
            signature = self.key.sign(_COSIGNED.format(time=time, text=text).encode())
            return Signature(self.name, self.verifier.id, time.to_bytes(_TIME_BYTES, "big") + signature)
        return Signature(self.name, self.verifier.id, self.key.sign(text.encode()))


def key_id(name: str, kind: int, public: bytes) -> bytes:
    """How a signature line names a key beside its name."""
    return hashlib.sha256(name.encode() + b"\n" + bytes([kind]) + public).digest()[:_ID_BYTES]


def is_name(text: str) -> bool:
    """Whether a key may be called so."""
    return (
        bool(text) and len(text) <= 200 and "+" not in text and text.isprintable() and not any(map(str.isspace, text))
    )


def read_verifier(field: str, text: str, kinds: Iterable[int] = KINDS) -> Verifier:
    """A public key from its text; refused where it is none, or of another kind than is asked for."""
    name, number, public = _parts(field, text.strip(), "name+id+key")
    if public[0] not in kinds:
        allowed = ", ".join(f"{kind:02x} ({KINDS[kind]})" for kind in kinds)
        raise Refusal(field, f"is a key of type {public[0]:02x}; allowed: {allowed}")
    verifier = Verifier(name, public[1:], public[0])
    if verifier.id != number:
        raise Refusal(
            field, f"its id is {number.hex()}, but its name and key make {verifier.id.hex()}: it was mistyped"
        )
    return verifier


def read_signer(field: str, text: str, kind: int) -> Signer:
    """A secret key from its text, to sign in one way; a key of either kind will do, as for the tools of others."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    text = text.strip()
    if not text.startswith(_PRIVATE):
        raise Refusal(field, f"is not a secret key; it begins with {_PRIVATE}")
    name, number, secret = _parts(field, text.removeprefix(_PRIVATE), f"{_PRIVATE}name+id+key")
    signer = Signer(name, Ed25519PrivateKey.from_private_bytes(secret[1:]), secret[0])
    if secret[0] not in KINDS or signer.verifier.id != number:
        raise Refusal(field, "its id does not fit its name and key: it was damaged")
    return Signer(name, signer.key, kind)


def _parts(field: str, text: str, form: str) -> tuple[str, bytes, bytes]:
    """Name, id, and the kind with the key, of a key's text."""
    name, _, rest = text.partition("+")
    number, _, key = rest.partition("+")
    try:
        key_bytes = from_base64(key)
        if not is_name(name) or len(number) != 2 * _ID_BYTES or number != bytes.fromhex(number).hex():
            raise ValueError(form)
        if len(key_bytes) != 1 + _KEY_BYTES:
            raise ValueError(form)
    except ValueError:
        raise Refusal(field, f"is not a key; it is written as {form}") from None
    return name, bytes.fromhex(number), key_bytes


def read_note(field: str, text: str) -> Note:
    """A note from its text; its signatures are not looked at."""
    wrong = Refusal(field, "is not a signed note: text, a blank line, and signature lines")
    if len(text) > MOST_NOTE_BYTES or len(text.encode("utf-8", "surrogatepass")) > MOST_NOTE_BYTES:
        raise Refusal(field, f"is longer than {MOST_NOTE_BYTES:,} bytes, which no note is")
    if any((ord(character) < 0x20 and character != "\n") or 0xD800 <= ord(character) < 0xE000 for character in text):
        raise Refusal(field, "has characters that no note may have")
    body, blank, signed = text.rpartition("\n\n")
    lines = signed.removesuffix("\n").split("\n")
    if not blank or not body or not signed.endswith("\n"):
        raise wrong
    if len(lines) > MOST_SIGNATURES:
        raise Refusal(field, f"has more than {MOST_SIGNATURES} signatures")
    signatures = []
    for line in lines:
        name, _, encoded = line.removeprefix(_DASH).partition(" ")
        if not line.startswith(_DASH) or not is_name(name):
            raise wrong
        try:
            raw = from_base64(encoded)
        except ValueError:
            raise wrong from None
        if len(raw) <= _ID_BYTES:
            raise wrong
        signatures.append(Signature(name, raw[:_ID_BYTES], raw[_ID_BYTES:]))
    return Note(f"{body}\n", tuple(signatures))


def read_signatures(field: str, text: str) -> tuple[Signature, ...]:
    """Signature lines alone, as a witness answers with."""
    return read_note(field, f"-\n\n{text}").signatures


def from_base64(text: str) -> bytes:
    """Bytes in base64, in the one spelling that they have."""
    try:
        data = b64decode(text, validate=True)
    except binascii.Error as error:
        raise ValueError(text) from error
    if b64encode(data).decode() != text:
        raise ValueError(text)
    return data
