"""The floor's keys: one that signs, and a secret of its own for every other purpose (TR-14).

All of them live in the key file, which only its owner may read. The signing key stands there in PEM. Every other secret
is derived from it until it is replaced; a replaced one stands in the file on a line of its own, which PEM readers skip:

    houseway pepper 6f1c… (64 hexadecimal digits)

The last line of a purpose is in force; the earlier ones, and the derived one, still open what they closed.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

from houseway.manager.signing import key_in, public_hex, read_key_file

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

Purpose: TypeAlias = Literal["codes", "sealing", "web", "pepper"]
SECRET_BYTES: Final = 32
LABELS: Final[dict[Purpose, bytes]] = {
    "codes": b"houseway entry codes",
    "sealing": b"houseway sealed decks",
    "web": b"houseway web",
    "pepper": b"houseway PIN pepper",
}
"""What each secret is derived with. A label never changes: what was closed under it must stay open to it."""


def secret_id(purpose: Purpose, secret: bytes) -> str:
    """How the journal names a secret: enough to tell two apart, nothing to guess one from."""
    return hashlib.sha256(LABELS[purpose] + b" id\n" + secret).hexdigest()[:32]


@dataclass(frozen=True)
class Keyring:
    """The keys of a floor, in memory. They never leave the process."""

    signing: Ed25519PrivateKey
    replaced: dict[Purpose, tuple[bytes, ...]] = field(default_factory=dict)
    """Secrets that stand in the file, by purpose, oldest first."""

    @classmethod
    def new(cls) -> Keyring:
        """Keys nobody has seen, kept in no file: for a floor that is thrown away."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        return cls(Ed25519PrivateKey.generate())

    @classmethod
    def load(cls, path: Path) -> Keyring:
        """The keys in a file; refused when anybody but its owner may read it."""
        text = read_key_file(path)
        replaced: dict[Purpose, tuple[bytes, ...]] = {}
        for purpose in get_args(Purpose):
            lines = re.findall(rb"^houseway %s ([0-9a-f]{64})$" % purpose.encode(), text, re.MULTILINE)
            if lines:
                replaced[purpose] = tuple(bytes.fromhex(line.decode()) for line in lines)
        return cls(key_in(text, path), replaced)

    @property
    def public(self) -> str:
        """The public half of the signing key, as the journal names it."""
        return public_hex(self.signing)

    def secret(self, purpose: Purpose) -> bytes:
        """The secret of a purpose that is in force."""
        return self.secrets(purpose)[0]

    def secrets(self, purpose: Purpose) -> tuple[bytes, ...]:
        """Every secret that a purpose ever had, the one in force first."""
        from cryptography.hazmat.primitives.hashes import SHA256
        from cryptography.hazmat.primitives.kdf.hkdf import HKDF

        derived = HKDF(SHA256(), SECRET_BYTES, None, LABELS[purpose]).derive(self.signing.private_bytes_raw())
        return (*reversed(self.replaced.get(purpose, ())), derived)
