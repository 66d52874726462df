"""The keys of floors in tests: always the same, so that a floor can be opened again."""

from __future__ import annotations

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from houseway.manager.keyring import Keyring

KEYS = Keyring(Ed25519PrivateKey.from_private_bytes(bytes(range(32))))
