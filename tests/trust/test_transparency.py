"""TR-13: nobody with the key changes the past unseen.

The attacker here has everything the house has: the database, an old backup, and the floor's key. He rewrites the
journal with the program itself, so that chain, postings, totals, tree and snapshot all fit and his heads are signed by
the right key. Witnesses are real processes on a real socket.

Published vectors, taken as facts: the eight leaves and their roots from the Certificate Transparency test data
(transparency-dev/merkle, testonly/constants.go); the note and key of c2sp.org/signed-note; the notes and keys of
golang.org/x/mod/sumdb/note (note_test.go).
"""

from __future__ import annotations

import hashlib
import os
import signal
import socket
import sqlite3
import time
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any, Final

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace
from tests.databases import database, kind, new_postgres, postgres, postgres_url, store  # noqa: F401  fixtures
from tests.keys import KEYS
from tests.manager.floor_kit import House
from tests.nursery import Forked
from tests.web.web_kit import free_port, serving_here
from typer.testing import CliRunner

from houseway.books.verify import Findings, verify
from houseway.commands.journal import journal_app
from houseway.commands.witness import witness_app
from houseway.manager.config import Witnesses
from houseway.manager.floor_file import example_floor, read_floor
from houseway.manager.floor_file.text import floor_text
from houseway.manager.signing import new_key, sign_head
from houseway.manager.store import open_store
from houseway.manager.store.base import Store
from houseway.manager.transparency import check, note, witness
from houseway.manager.transparency.checkpoint import (
    Checkpoint,
    ConsistencyProof,
    WitnessPolicy,
    checked_by,
    checkpoint_text,
    read_checkpoint,
    read_proof,
    signed_checkpoint,
)
from houseway.manager.transparency.kept import frontier_of, node_reader, origin_in
from houseway.manager.transparency.note import (
    COSIGNATURE,
    ED25519,
    Note,
    Signature,
    Signer,
    Verifier,
    read_note,
    read_signer,
    read_verifier,
)
from houseway.manager.transparency.prove import checked_proof, prove_entry, prove_extends
from houseway.manager.transparency.publish import Publisher
from houseway.manager.transparency.tree import (
    BLOCK,
    EMPTY_ROOT,
    Frontier,
    KeptNode,
    consistency_proof,
    consistent,
    included,
    inclusion_proof,
    kept_count,
    leaf_hash,
    node_hash,
    root_of,
)
from houseway.manager.transparency.witness import Witness, read_evidence
from houseway.refusal import Refusal
from houseway.table.progressive_round import commands as felt

clause = pytest.mark.clause("TR-13")

LEAVES: Final = [
    bytes.fromhex(one)
    for one in ("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")
]
ROOTS: Final = (
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)
WITNESS: Final = Signer("regulator.example/w1", Ed25519PrivateKey.from_private_bytes(b"w" * 32), COSIGNATURE)
SECOND: Final = Signer("press.example/w2", Ed25519PrivateKey.from_private_bytes(b"x" * 32), COSIGNATURE)
POLICY: Final = WitnessPolicy((WITNESS.verifier,), 1)


# --------------------------------------------------------------------------------------------- what the tests work with


class Watched(House):
    """A house whose floor names witnesses, so that its journal can be watched."""

    def _make(self) -> None:
        self.config = replace(self.config, witnesses=Witnesses(keys=(WITNESS.verifier.text,), quorum=1))
        self._spots = cycle((felt.Light, felt.Unlight))
        super()._make()

    def work(self, entries: int) -> None:
        """So many entries more."""
        for _ in range(entries):
            self.do("d1", next(self._spots)(table="T1", spot=1))

    def backup(self, name: str) -> Path:
        self.store.backup(file := self.file.with_name(name))
        return file

    @property
    def signer(self) -> Signer:
        return Signer(origin_in(self.store), KEYS.signing)

    @property
    def point(self) -> Checkpoint:
        """Where the journal stands, signed."""
        return signed_checkpoint(self.signer, self.floor.tree.size, self.floor.tree.root)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Watched]:
    made = Watched(tmp_path)
    made.work(10)
    yield made
    made.floor.close()


class Forger(Watched):
    """The house's other journal: from an old backup on, with the same key, something else has happened."""

    def __init__(self, house: Watched, backup: Path, entries: int) -> None:
        self.file, self.clock, self._numbers = backup, house.clock, house._numbers
        self._spots = cycle((felt.Light, felt.Unlight))
        self._open()
        for _ in range(entries):
            self.do("d2", felt.Light(table="T1", spot=3) if _ % 2 == 0 else felt.Unlight(table="T1", spot=3))


@contextmanager
def forged(house: Watched, backup: Path, entries: int) -> Iterator[Forger]:
    made = Forger(house, backup, entries)
    try:
        yield made
    finally:
        made.floor.close()


class Running:
    """A witness as its own process."""

    def __init__(self, folder: Path, logs: Sequence[Verifier], signer: Signer = WITNESS, port: int = 0) -> None:
        self.folder, self.logs, self.signer, self.port = folder, logs, signer, port or free_port()
        folder.mkdir(exist_ok=True)
        self.key = folder / "witness.key"
        if not self.key.exists():
            self.key.write_text(f"{signer.secret_text}\n")
            self.key.chmod(0o600)
        self.state = folder / "state"
        self.log = folder / "witness.log"
        self.url = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self) -> None:
        command = ["witness", "serve", "--key", str(self.key), "--state", str(self.state), "--port", str(self.port)]
        for one in self.logs:
            command += ["--log", one.text]
        self.process = Forked(command, self.log, self.folder, dict(os.environ))
        until = time.monotonic() + 20
        while time.monotonic() < until:
            with suppress(httpx.HTTPError):
                httpx.get(self.url, timeout=1)
                return
            assert self.process.poll() is None, self.log.read_text()
            time.sleep(0.02)
        raise AssertionError(self.log.read_text())

    def stop(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(10)

    def post(self, text: str | bytes) -> httpx.Response:
        return httpx.post(f"{self.url}/add-checkpoint", content=text, timeout=10)

    def send(self, point: Checkpoint, old: int = 0, hashes: Sequence[bytes] = ()) -> httpx.Response:
        return self.post(ConsistencyProof(old, tuple(hashes), point).text)

    @property
    def evidence(self) -> list[Path]:
        return sorted(self.state.glob("*/evidence/*.txt"))


@contextmanager
def watching(folder: Path, *logs: Verifier, signer: Signer = WITNESS) -> Iterator[Running]:
    made = Running(folder, logs, signer)
    try:
        yield made
    finally:
        if made.process.poll() is None:
            assert made.stop() == 0, made.log.read_text()


def verified(file: Path | str, *points: Checkpoint, **given: Any) -> Findings:
    with closing(open_store(str(file), create=False, read_only=True)) as opened:
        return verify(opened, checkpoints=points, **given)


def refusal_of(ask: Callable[[], object]) -> str:
    with pytest.raises(Refusal) as raised:
        ask()
    return str(raised.value)


def cosigned(point: Checkpoint, *signers: Signer, at: int = 1_800_000_000) -> Checkpoint:
    return point._replace(note=point.note.signed_also(one.sign(point.note.text, at) for one in signers))


def memory_node(hashes: Sequence[bytes]) -> Callable[[int, int], bytes]:
    return lambda level, place: root_of(hashes[place << level : (place + 1) << level])


# ------------------------------------------------------------------------------------------------ the published forms


@clause
def test_the_tree_hashes_as_certificate_transparency_does() -> None:
    hashes = [leaf_hash(one) for one in LEAVES]
    assert [root_of(hashes[:size]).hex() for size in range(9)] == list(ROOTS)
    assert [Frontier().with_leaves(LEAVES[:size])[0].root.hex() for size in range(9)] == list(ROOTS)


@clause
def test_notes_and_keys_are_those_of_others() -> None:
    example = read_verifier("key", "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k")
    said = (
        "This is an example message.\n\n— example.com/foo "
        "Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n"
    )
    assert example.signature_in(read_note("note", said)) is not None
    assert read_note("note", said).whole == said
    skey = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
    peter = read_signer("key", skey, ED25519)
    assert peter.secret_text == skey
    assert peter.verifier.text == "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
    text = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
    line = "x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM="
    assert peter.sign(text).line == f"— PeterNeumann {line}\n"
    enoch = read_verifier("key", "EnochRoot+af0cfe78+ATtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop")
    also = "rwz+eBzmZa0SO3NbfRGzPCpDckykFXSdeX+MNtCOXm2/5n2tiOHp+vAF1aGrQ5ovTG01oOTGwnWLox33WWd1RvMc+QQ="
    both = read_note("note", f"{text}\n— PeterNeumann {line}\n— EnochRoot {also}\n")
    assert peter.verifier.signature_in(both)
    assert enoch.signature_in(both)


@clause
def test_a_mangled_key_is_refused() -> None:
    """As in Go's tests: no part of a key is a key, nor is one with any character changed."""
    vkey = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
    bad = [vkey[first:last] for first in range(len(vkey)) for last in range(first, len(vkey) + 1)]
    bad = [one for one in bad if one != vkey]
    bad += [vkey[:at] + chr(ord(vkey[at]) + 1) + vkey[at + 1 :] for at in range(len(vkey))]
    bad += ["PeterNeumann+cc469956+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TWBADKEY=="]
    bad += ["PeterNeumann+173116ae+ZRpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"]
    for one in bad:
        with pytest.raises(Refusal):
            read_verifier("key", one)


@clause
def test_a_cosignature_is_over_the_time_and_the_checkpoint() -> None:
    """Bytes by hand, as c2sp.org/tlog-cosignature says them."""
    text = checkpoint_text("example.com/behind-the-sofa", 20852163, bytes.fromhex(ROOTS[8]))
    made = WITNESS.sign(text, 1_679_315_147)
    public = WITNESS.key.public_key()
    name = b"regulator.example/w1\n\x04" + public.public_bytes_raw()
    assert made.id == hashlib.sha256(name).digest()[:4]
    assert made.signature[:8] == (1_679_315_147).to_bytes(8, "big")
    public.verify(made.signature[8:], b"cosignature/v1\ntime 1679315147\n" + text.encode())
    assert len(made.signature) == 72


# --------------------------------------------------------------------------------------------------------- the proofs


@clause
def test_every_proof_of_every_small_tree_holds_and_none_is_good_for_another() -> None:
    hashes = [leaf_hash(bytes([one])) for one in range(40)]
    node = memory_node(hashes)
    for size in range(1, 41):
        root = root_of(hashes[:size])
        for leaf in range(size):
            proof = inclusion_proof(leaf, size, node)
            assert included(hashes[leaf], leaf, size, proof, root)
            assert not included(hashes[(leaf + 1) % 40], leaf, size, proof, root)
            assert not included(hashes[leaf], leaf, size, [*proof, root], root)
            assert not proof or not included(hashes[leaf], leaf, size, proof[:-1], root)
        for old in range(size + 1):
            proof = consistency_proof(old, size, node)
            before = root_of(hashes[:old])
            assert consistent(old, size, before, root, proof)
            assert not consistent(old, size, before, root, [*proof, root])
            assert old == 0 or not consistent(old, size, leaf_hash(before), root, proof)
            assert old in (0, size) or not consistent(old, size, before, root, proof[:-1])
    assert not consistent(0, 1, hashes[0], hashes[0], [])
    assert not included(hashes[0], 1, 1, [], hashes[0])


@clause
def test_a_proof_with_any_bit_flipped_fails(house: Watched) -> None:
    """Both kinds of proof, as files, checked with the keys and the text: no bit of them is idle."""
    old, point = signed_checkpoint(house.signer, 7, frontier_of(house.store, 7).root), cosigned(house.point, WITNESS)
    keys = [house.signer.verifier]
    for text, given in (
        (prove_entry(house.store, 5, point).text, {}),
        (prove_entry(house.store, 5, point, with_text=True).text, {}),
        (prove_extends(house.store, old, point).text, {"old": old}),
    ):
        assert "cosigned by regulator.example/w1" in checked_proof(read_proof("f", text), keys, POLICY, **given)
        raw = text.encode()
        random = Random(13)
        for bit in random.sample(range(len(raw) * 8), 250):
            flipped = bytearray(raw)
            flipped[bit // 8] ^= 1 << bit % 8
            with pytest.raises((Refusal, UnicodeDecodeError)):
                checked_proof(read_proof("f", flipped.decode()), keys, POLICY, **given)


def test_planted_a_proof_whose_root_nobody_compares(house: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the comparison, a made-up entry passes: the check above is what stops it."""
    proof = prove_entry(house.store, 5, house.point)
    wrong = proof._replace(extra=proof.extra.replace(b'"leaf":"', b'"leaf":"00')[: -len(b'00"}')] + b'"}')
    keys = [house.signer.verifier]
    assert "does not show" in refusal_of(lambda: checked_proof(wrong, keys, WitnessPolicy()))
    monkeypatch.setattr("houseway.manager.transparency.prove.included", lambda *_: True)
    assert "is in the journal" in checked_proof(wrong, keys, WitnessPolicy())


# --------------------------------------------------------------------------------------------------- the kept tree


@clause
def test_the_kept_tree_is_that_of_the_entries(house: Watched) -> None:
    house.work(2 * BLOCK + 30 - house.state.seq)
    size = house.state.seq
    leaves = [leaf_hash(row.body.encode()) for row in house.store.entries()]
    assert house.floor.tree == frontier_of(house.store, size)
    assert house.floor.tree.root == root_of(leaves)
    assert house.store.node_count() == kept_count(size) == 3
    assert verified(house.file, cosigned(house.point, WITNESS)).whole
    for entry in (1, 2, BLOCK, BLOCK + 1, 2 * BLOCK, 2 * BLOCK + 1, size):
        proof = prove_entry(house.store, entry, house.point)
        assert included(leaves[entry - 1], entry - 1, size, proof.hashes, house.point.root)
    house.restart()
    assert house.floor.tree.root == root_of(leaves)


@clause
def test_a_floor_from_before_there_were_trees_gets_one_at_its_start(house: Watched) -> None:
    house.work(BLOCK + 5)
    root = house.floor.tree.root
    with closing(sqlite3.connect(house.file)) as raw:
        raw.execute("DELETE FROM tree")
        raw.commit()
    size = house.state.seq
    assert frontier_of(house.store, size).root == root, "what is not kept is computed"
    assert verified(house.file, cosigned(house.point, WITNESS)).whole, "one that keeps nothing yet is in order"
    house.restart()
    assert house.store.node_count() == kept_count(size)
    assert house.floor.tree.root == root


@clause
def test_a_changed_node_is_found(house: Watched) -> None:
    house.work(2 * BLOCK)
    point = cosigned(house.point, WITNESS)
    for damage, finding in (
        (f"UPDATE tree SET hash = '{'0' * 64}' WHERE level = 8 AND place = 0", "tree 8/0: is not the hash"),
        ("UPDATE tree SET place = 7 WHERE level = 9", "tree 9/7: is no node"),
        ("DELETE FROM tree WHERE level = 9", "tree 9/0: is missing"),
        ("INSERT INTO tree VALUES (11, 0, 'x')", "tree 11/0: is no node"),
    ):
        changed = house.backup(f"{finding.partition(':')[0].replace('/', '-')}.db")
        with closing(sqlite3.connect(changed)) as raw:
            raw.execute(damage)
            raw.commit()
        found = verified(changed, point)
        assert any(finding in str(one) for one in found.bad), found.bad


@clause
def test_both_databases_keep_nodes(store: Store) -> None:  # noqa: F811
    nodes = [KeptNode(8, 0, "a" * 64), KeptNode(8, 1, "b" * 64), KeptNode(9, 0, "c" * 64)]
    store.begin()
    store.add_nodes(nodes[:2])
    store.add_nodes([])
    store.commit()
    store.begin()
    store.add_nodes(nodes)
    store.commit()
    assert [store.node(level, place) for level, place, _ in nodes] == [one.hash for one in nodes]
    assert (store.node(10, 0), store.node_count(), store.bodies(1, 9)) == (None, 3, [])
    store.begin()
    store.add_nodes([KeptNode(10, 0, "d" * 64)])
    store.rollback()
    assert store.node_count() == 3


@clause
def test_a_group_that_was_not_written_leaves_the_tree_as_it_was(
    house: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = house.floor.tree
    monkeypatch.setattr(house.store, "commit", lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        house.work(1)
    monkeypatch.undo()
    assert house.floor.tree == before == frontier_of(house.store, house.state.seq)
    house.work(2)
    assert house.floor.tree == frontier_of(house.store, house.state.seq)


# ------------------------------------------------------------------------------------------ the attacks, with the key


@clause
def test_a_past_rewritten_with_the_key_is_refused_by_the_witness_and_found_by_verify(
    house: Watched, tmp_path: Path
) -> None:
    old = house.backup("old.db")
    house.work(8)
    with watching(tmp_path / "w", house.signer.verifier) as seen:
        honest = Publisher(house.floor, tmp_path / "honest.checkpoint", [seen.url])
        honest.publish()
        assert honest.told[seen.url].good, honest.told
        kept_point = honest.latest
        assert kept_point is not None
        assert POLICY.seen_by(kept_point).keys() == {"regulator.example/w1"}

        for entries, kind_ in ((8, "fork"), (12, "unproved"), (5, "smaller")):
            with forged(house, _copy(old, tmp_path / f"forged-{entries}.db"), entries) as forger:
                assert verified(forger.file, witnesses=WitnessPolicy()).whole, "nothing in it gives it away"
                publisher = Publisher(forger.floor, tmp_path / "forged.checkpoint", [seen.url])
                publisher.publish()
                told = publisher.told[seen.url]
                assert (told.good, told.alarm) == (False, True), told
                assert publisher.alarms
                assert publisher.latest is None, "without a witness there is nothing to publish"
                found = verified(forger.file, kept_point)
                assert found.bad, "the checkpoint that was kept elsewhere shows it"
                assert any("was changed since" in one.what or "cut off" in one.what for one in found.bad)
                (evidence,) = [one for one in seen.evidence if one.name.startswith(kind_)]
                before, refused = read_evidence(evidence.read_text())
                assert (before.size, before.root) == (kept_point.size, kept_point.root)
                assert (refused.size, refused.root) == (forger.point.size, forger.point.root)
                for one in (before, refused):
                    assert checked_by(one, [house.signer.verifier]), "the house's own key signed both"
        honest.publish()
        assert honest.told[seen.url].good, "the true journal goes on"


def _copy(source: Path, target: Path) -> Path:
    target.write_bytes(source.read_bytes())
    return target


@clause
def test_a_cut_tail_is_found(house: Watched, tmp_path: Path) -> None:
    """A backup put in place of the floor: the witness has seen more, and the server itself raises the alarm."""
    old = house.backup("old.db")
    house.work(4)
    with watching(tmp_path / "w", house.signer.verifier) as seen:
        honest = Publisher(house.floor, tmp_path / "c", [seen.url])
        honest.publish()
        with forged(house, old, 0) as cut:
            publisher = Publisher(cut.floor, tmp_path / "d", [seen.url])
            publisher.publish()
            assert "the end was cut off" in publisher.alarms[0]
            assert publisher.latest is None
            kept_point = honest.latest
            assert kept_point is not None
            assert "it was cut off" in str(verified(cut.file, kept_point).bad[0])


@clause
def test_a_fork_shown_to_two_verifiers_is_found_when_they_compare(house: Watched, tmp_path: Path) -> None:
    old = house.backup("old.db")
    house.work(6)
    with forged(house, old, 6) as forger:
        mine, theirs = house.point, forger.point
        assert verified(house.file, mine, witnesses=WitnessPolicy()).whole
        assert verified(forger.file, theirs, witnesses=WitnessPolicy()).whole, "each alone is content"
        assert "has another root" in str(verified(house.file, theirs, witnesses=WitnessPolicy()).bad[0])
        assert "has another root" in refusal_of(lambda: prove_extends(forger.store, mine, theirs))
        forger.work(5)
        proof = ConsistencyProof(
            mine.size,
            tuple(consistency_proof(mine.size, forger.point.size, node_reader(forger.store))),
            forger.point,
        )
        keys = [house.signer.verifier]
        assert "does not show" in refusal_of(lambda: checked_proof(proof, keys, WitnessPolicy(), old=mine))


def test_planted_a_witness_that_believes_every_proof(
    house: Watched, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the check out, the fork is cosigned; and verify with the earlier checkpoint notices even then."""
    old = house.backup("old.db")
    house.work(3)
    made = Witness(WITNESS, tmp_path / "w", [house.signer.verifier])
    assert made.add_checkpoint(ConsistencyProof(0, (), house.point).text.encode()).status == 200
    with forged(house, old, 5) as forger:
        asked = ConsistencyProof(
            house.point.size,
            tuple(consistency_proof(house.point.size, forger.point.size, node_reader(forger.store))),
            forger.point,
        )
        assert made.add_checkpoint(asked.text.encode()).status == 422
        monkeypatch.setattr(witness, "consistent", lambda *_: True)
        assert made.add_checkpoint(asked.text.encode()).status == 200, "the planted bug lets the fork through"
        assert verified(forger.file, cosigned(house.point, WITNESS)).bad
    made.close()


def test_planted_a_verify_that_does_not_compare_roots(house: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    old = house.backup("old.db")
    house.work(3)
    with forged(house, old, 5) as forger:
        point = cosigned(house.point, WITNESS)
        assert verified(forger.file, point).bad
        monkeypatch.setattr(check.TreeCheck, "_compare", lambda self, point, state: self._agreed.append(point))
        assert verified(forger.file, point).whole, "with the comparison out, the rewritten past goes unseen"


# --------------------------------------------------------------------------------------------------- witnesses count


@clause
def test_verify_demands_the_configured_number_of_witnesses(house: Watched, tmp_path: Path) -> None:
    found = verified(house.file)
    assert "1 of regulator.example/w1 must have cosigned" in str(found.bad[0])
    assert (found.witnessed, verified(house.file, house.point).bad[0].where) == (0, "witnesses")
    good = cosigned(house.point, WITNESS)
    assert (verified(house.file, good).whole, verified(house.file, good).witnessed) == (True, house.state.seq)
    assert verified(house.file, cosigned(house.point, SECOND)).bad, "somebody else's cosignature does not count"
    both = WitnessPolicy((WITNESS.verifier, SECOND.verifier), 2)
    assert verified(house.file, good, witnesses=both).bad, "who verifies may demand more than the house"
    assert verified(house.file, cosigned(house.point, WITNESS, SECOND), witnesses=both).whole


@clause
def test_a_forged_cosignature_does_not_count(house: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    thief = Signer(WITNESS.name, Ed25519PrivateKey.generate(), COSIGNATURE)
    text = house.point.note.text
    stolen = thief.sign(text, 1_800_000_000)
    posing = Signature(WITNESS.name, WITNESS.verifier.id, stolen.signature)
    other = cosigned(signed_checkpoint(house.signer, 3, frontier_of(house.store, 3).root), WITNESS)
    moved = other.note.signatures[-1]
    later = Signature(moved.name, moved.id, (9).to_bytes(8, "big") + WITNESS.sign(text, 8).signature[8:])
    plain = Signature(WITNESS.name, WITNESS.verifier.id, WITNESS.key.sign(text.encode()))
    for one in (stolen, posing, moved, later, plain, plain._replace(signature=b"x")):
        forged_point = house.point._replace(note=house.point.note.signed_also([one]))
        assert verified(house.file, forged_point).bad, one
    monkeypatch.setattr(note.Verifier, "_holds", lambda *_: True)
    planted = house.point._replace(note=house.point.note.signed_also([posing]))
    assert verified(house.file, planted).whole, "with the check out, the forged one counts"


@clause
def test_a_checkpoint_by_another_key_or_of_another_floor_is_found(house: Watched, tmp_path: Path) -> None:
    thief = Signer(house.signer.name, Ed25519PrivateKey.generate())
    size, root = house.floor.tree.size, house.floor.tree.root
    point = cosigned(signed_checkpoint(thief, size, root), WITNESS)
    assert "is not signed by the key" in str(verified(house.file, point).bad[0])
    posing = Signature(thief.name, house.signer.verifier.id, thief.sign(point.note.text).signature)
    assert "does not hold" in str(verified(house.file, point._replace(note=Note(point.note.text, (posing,)))).bad[0])
    wrong_id = Signature(house.signer.name, b"\0\0\0\0", house.signer.sign(point.note.text).signature)
    assert "is not signed" in str(verified(house.file, point._replace(note=Note(point.note.text, (wrong_id,)))).bad[0])
    elsewhere = cosigned(signed_checkpoint(Signer("houseway/" + "0" * 32, KEYS.signing), size, root), WITNESS)
    assert "another floor's" in str(verified(house.file, elsewhere).bad[0])
    pinned = verified(house.file, cosigned(house.point, WITNESS), keys=["ab" * 32])
    assert "is not signed by the key" in str(pinned.bad[0])


@clause
def test_old_heads_in_json_still_count(tmp_path: Path, house: Watched) -> None:
    head = sign_head(house.state, KEYS.signing, 5)
    (tmp_path / "head.json").write_text(head.text)
    (tmp_path / "head.note").write_text(cosigned(house.point, WITNESS).text)
    files = [str(tmp_path / name) for name in ("head.json", "head.note")]
    run = CliRunner().invoke(journal_app, ["verify", "--db", str(house.file), "--head", files[0], "--head", files[1]])
    assert (run.exit_code, "agrees with 2 signed heads" in run.stdout) == (0, True), run.output
    assert "witnesses have seen it up to entry" in run.stdout


# ----------------------------------------------------------------------------------------------- the witness's manners


@clause
def test_a_witness_answers_as_the_protocol_says(house: Watched, tmp_path: Path) -> None:
    first = signed_checkpoint(house.signer, 5, frontier_of(house.store, 5).root)
    node = node_reader(house.store)
    point = house.point
    good = tuple(consistency_proof(5, point.size, node))
    with watching(tmp_path / "w", house.signer.verifier) as seen:
        name = hashlib.sha256(house.signer.name.encode()).hexdigest()
        assert httpx.get(f"{seen.url}/{name}/checkpoint").status_code == 404
        assert seen.send(first, 3).status_code == 409
        empty = signed_checkpoint(house.signer, 0, first.root)
        assert seen.send(empty).status_code == 422
        assert seen.send(first, 0, good).status_code == 422, "from nothing there is no proof"
        answer = seen.send(first)
        assert answer.status_code == 200
        assert POLICY.seen_by(read_checkpoint("c", first.text + answer.text)).keys() == {WITNESS.name}
        behind = seen.send(point)
        assert (behind.status_code, behind.text) == (409, "5\n")
        assert behind.headers["content-type"] == "text/x.tlog.size"
        assert seen.send(point, 5).status_code == 422
        assert seen.send(point, 5, [*good[:-1], bytes(32)]).status_code == 422
        assert seen.send(first, point.size).status_code == 400
        unknown = signed_checkpoint(Signer("houseway/other", KEYS.signing), 5, first.root)
        assert seen.send(unknown).status_code == 404
        thief = signed_checkpoint(Signer(house.signer.name, Ed25519PrivateKey.generate()), 5, first.root)
        assert seen.send(thief, 5).status_code == 403
        assert seen.send(point, 5, good).status_code == 200
        again = seen.send(point, point.size)
        assert again.status_code == 200, "cosigned anew with a later time"
        kept_text = httpx.get(f"{seen.url}/{name}/checkpoint").text
        assert POLICY.seen_by(read_checkpoint("c", kept_text))
        for body in (b"", b"\xff" * 50, b"old x\n\n", b"old 1\nnot base64\n\n", point.text.encode()):
            assert seen.post(body).status_code == 400
        assert seen.post(b"x" * 60_000).status_code == 413
        assert httpx.post(f"{seen.url}/else").status_code == 404
        with closing(socket.create_connection(("127.0.0.1", seen.port), 5)) as raw:
            raw.sendall(b"POST /add-checkpoint HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
            assert b" 411 " in raw.recv(200)
        assert "Traceback" not in seen.log.read_text()


@clause
def test_a_witness_killed_and_started_again_remembers(house: Watched, tmp_path: Path) -> None:
    old = house.backup("old.db")
    house.work(2)
    with watching(tmp_path / "w", house.signer.verifier) as seen:
        assert seen.send(house.point).status_code == 200
        seen.stop(signal.SIGKILL)
        seen.start()
        with forged(house, old, 2) as forger:
            assert seen.send(forger.point).status_code == 409
            assert seen.send(forger.point, house.point.size).status_code == 422
        assert [one.name.split("-")[0] for one in seen.evidence] == ["fork"]
        shown = CliRunner().invoke(witness_app, ["show", "--state", str(seen.state), "--key", str(seen.key)])
        assert (shown.exit_code, "evidence:" in shown.stdout) == (1, True), shown.output
        assert WITNESS.verifier.text in shown.stdout


@clause
def test_a_witness_with_a_changed_memory_does_not_start(house: Watched, tmp_path: Path) -> None:
    made = Witness(WITNESS, tmp_path, [house.signer.verifier])
    assert made.add_checkpoint(ConsistencyProof(0, (), house.point).text.encode()).status == 200
    assert "in use by another witness" in refusal_of(lambda: Witness(WITNESS, tmp_path, []))
    made.close()
    (file,) = tmp_path.glob("*/checkpoint")
    older = signed_checkpoint(house.signer, 3, frontier_of(house.store, 3).root)
    for text in (older.text, cosigned(older, SECOND).text, "", file.read_text().replace(str(house.point.size), "1")):
        file.write_text(text)
        assert refusal_of(lambda: Witness(WITNESS, tmp_path, [house.signer.verifier]))


@clause
def test_two_requests_at_once_do_not_roll_a_witness_back(house: Watched, tmp_path: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    made = Witness(WITNESS, tmp_path, [house.signer.verifier])
    points = [
        signed_checkpoint(house.signer, size, frontier_of(house.store, size).root)
        for size in range(1, house.point.size + 1)
    ]
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda one: made.add_checkpoint(ConsistencyProof(0, (), one).text.encode()), points))
    assert [one.status for one in answers].count(200) == 1, "from nothing one may come, and the others must show more"
    made.close()


@clause
def test_nothing_that_is_sent_makes_a_witness_stumble(house: Watched, tmp_path: Path) -> None:
    """Notes and requests, mangled in every way: an answer each time, and never a traceback."""
    made = Witness(WITNESS, tmp_path, [house.signer.verifier])
    good = ConsistencyProof(0, (), cosigned(house.point, SECOND)).text.encode()
    random = Random(7)
    parts = [
        b"",
        b"\n",
        b"\n\n",
        "—".encode(),
        b"+",
        b" ",
        b"\x00",
        b"\xff",
        b"=",
        b"0" * 30,
        b"old 0",
        good,
        b"A" * 5000,
    ]
    for _ in range(1000):
        text = bytearray(good)
        for _ in range(random.randrange(1, 4)):
            at = random.randrange(len(text) + 1)
            cut = random.choice((0, 1, 5, 60))
            text[at : at + cut] = random.choice(parts)
        answer = made.add_checkpoint(bytes(text))
        assert answer.status in (200, 400, 403, 404, 409, 422)
        with suppress(Refusal):
            read_note("note", bytes(text).decode("utf-8", "surrogateescape"))
    made.close()


@clause
def test_slow_and_many_connections_do_not_shut_a_witness(house: Watched, tmp_path: Path) -> None:
    """One address has eight connections; what it does with them ends after some seconds."""
    with watching(tmp_path / "w", house.signer.verifier) as seen:
        held = [socket.create_connection(("127.0.0.1", seen.port), 5) for _ in range(20)]
        for one in held:
            with suppress(OSError):
                one.sendall(b"POST /add-checkpoint HTTP/1.1\r\nContent-Length: 40000\r\n\r\n")
        time.sleep(0.3)
        closed = 0
        for one in held:
            one.settimeout(0.2)
            with suppress(TimeoutError):
                try:
                    closed += one.recv(1) == b""
                except ConnectionError:
                    closed += 1
        assert closed >= 12, "those past the eighth were let go at once"
        for one in held:
            one.close()
        until = time.monotonic() + 5
        while time.monotonic() < until:
            with suppress(httpx.HTTPError):
                assert seen.send(house.point).status_code == 200
                break
        else:
            raise AssertionError("it did not come back")


# ------------------------------------------------------------------------------------------------- the server publishes


@clause
def test_a_server_publishes_what_its_witness_cosigned_and_alarms_where_one_has_seen_another_journal(
    tmp_path: Path,
) -> None:
    text = example_floor() + f'\n[witnesses]\nkeys = ["{WITNESS.verifier.text}"]\nquorum = 1\n'
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    with serving_here(tmp_path, text=text, witnesses=(address,), checkpoint_seconds=3600) as server:
        auditor, publisher = server.sign_in("6001"), server.site.publisher
        vkey = read_verifier("vkey", auditor.get("journal/head")["vkey"])
        while address not in publisher.told:
            time.sleep(0.02)
        head = auditor.get("journal/head")
        assert (head["witnesses"][0]["good"], head["published"]) == (False, ""), "nobody listens there yet"
        assert httpx.get(f"{server.url}/readyz").status_code == 200, "a floor does not wait for a witness"
        made = Running(tmp_path / "w", [vkey], port=port)
        try:
            publisher.work_once()
            head = auditor.get("journal/head")
            point = read_checkpoint("c", head["published"])
            assert checked_by(point, [vkey])
            assert POLICY.seen_by(point)
            assert (head["witnesses"][0]["good"], head["witnessed"]) == (True, point.size)
            assert (tmp_path / "floor.checkpoint").read_text() == point.text
            closed = httpx.get(f"{server.url}/api/v1/journal/checkpoint")
            assert closed.status_code == 401, "how much a house does is not for everybody"
            served = auditor.http.get("/api/v1/journal/checkpoint")
            assert (served.status_code, served.text) == (200, point.text)
        finally:
            made.stop()
        assert "alarm" not in httpx.get(f"{server.url}/readyz").json()
        misled = Running(tmp_path / "misled", [vkey], port=port)
        try:
            other = Frontier().with_leaves([b"another journal"] * point.size)[0]
            lie = signed_checkpoint(Signer(vkey.name, server.floor.keys.signing), other.size, other.root)
            assert misled.send(lie).status_code == 200, "the house's key signed another journal before"
            server.sign_in("6001")
            publisher.work_once()
            assert "it has seen another journal" in publisher.alarms[0]
            assert "another journal" in httpx.get(f"{server.url}/readyz").json()["alarm"]
            assert misled.evidence
        finally:
            misled.stop()
    assert verified(tmp_path / "floor.db", point).whole


@clause
def test_witnesses_stand_in_the_floor_file(tmp_path: Path) -> None:
    text = example_floor() + f'\n[witnesses]\nkeys = ["{WITNESS.verifier.text}"]\nquorum = 1\n'
    found = read_floor(text.encode(), "floor.toml", tmp_path)
    assert found.config is not None, found.defects
    assert found.config.witness_policy == POLICY
    again = read_floor(floor_text(found.config).encode(), "floor.toml", tmp_path).config
    assert again is not None
    assert again.witnesses == found.config.witnesses
    for wrong, said in (
        (text.replace("quorum = 1", "quorum = 2"), "larger than the number"),
        (text.replace("quorum = 1", ""), "quorum is missing"),
        (text.replace(WITNESS.verifier.id.hex(), "00000000"), "each once"),
        (text.replace(WITNESS.verifier.text, Verifier("x", b"x" * 32, ED25519).text), "each once"),
    ):
        bad = read_floor(wrong.encode(), "floor.toml", tmp_path)
        assert any(said in str(one) for one in bad.defects), bad.defects


# -------------------------------------------------------------------------------------------------------- the commands


@clause
def test_the_commands_prove_and_check_without_a_database(tmp_path: Path) -> None:
    run = CliRunner()
    key = tmp_path / "floor.key"
    new_key(key)
    house = _house_with(tmp_path, key)
    db = ["--db", str(house.file)]
    old, proof, longer = tmp_path / "old.head", tmp_path / "entry.tlog-proof", tmp_path / "longer"
    assert run.invoke(journal_app, ["head", "--key-file", str(key), "-o", str(old), *db]).exit_code == 0
    house.work(5)
    vkey = run.invoke(journal_app, ["vkey", *db]).stdout.strip()
    assert read_verifier("v", vkey).public.hex() == house.state.key
    assert run.invoke(journal_app, ["prove", "3", "--key-file", str(key), "-o", str(proof), *db]).exit_code == 0
    extends = ["prove", "--from", str(old), "--key-file", str(key), "-o", str(longer), *db]
    assert run.invoke(journal_app, extends).exit_code == 0
    body = tmp_path / "entry.json"
    row = house.store.entry(3)
    assert row is not None
    body.write_text(row.body)
    house.floor.close()
    house.file.unlink()
    good = run.invoke(journal_app, ["check-proof", str(proof), "--log", vkey, "--text", str(body)])
    assert (good.exit_code, "entry 3, with the text given, is in the journal" in good.stdout) == (0, True), good.output
    good = run.invoke(journal_app, ["check-proof", str(longer), "--log", vkey, "--from", str(old)])
    assert (good.exit_code, "begins with the" in good.stdout) == (0, True), good.output
    body.write_text(row.body.replace('"seq":3', '"seq":4'))
    bad = run.invoke(journal_app, ["check-proof", str(proof), "--log", vkey, "--text", str(body)])
    assert (bad.exit_code, "does not hold" in bad.stdout) == (1, True)
    unseen = ["check-proof", str(proof), "--log", vkey, "--witness", WITNESS.verifier.text]
    assert run.invoke(journal_app, unseen).exit_code == 1, "no witness has seen it"
    for arguments, field in (
        (["check-proof", str(proof)], "--log"),
        (["check-proof", str(old), "--log", vkey], "proof"),
        (["check-proof", str(proof), "--log", "x"], "--log"),
        (["prove", *db], "entry"),
        (["verify", "--quorum", "1", *db], "--quorum"),
    ):
        failed = run.invoke(journal_app, arguments)
        assert isinstance(failed.exception, Refusal), failed.output
        assert field in str(failed.exception)


def _house_with(folder: Path, key: Path) -> Watched:
    """A house whose journal names the key in a file."""
    from unittest.mock import patch

    from houseway.manager.keyring import Keyring

    with patch("tests.manager.floor_kit.KEYS", Keyring.load(key)):
        house = Watched(folder)
    house.work(4)
    return house


@clause
def test_a_witness_is_set_up_from_the_command_line(tmp_path: Path) -> None:
    run, file = CliRunner(), tmp_path / "w.key"
    made = run.invoke(witness_app, ["new-key", "regulator.example/w1", str(file)])
    assert made.exit_code == 0
    vkey = read_verifier("vkey", made.stdout.strip(), (COSIGNATURE,))
    assert read_signer("key", file.read_text(), COSIGNATURE).verifier == vkey
    assert file.stat().st_mode & 0o777 == 0o600
    assert isinstance(run.invoke(witness_app, ["new-key", "x", str(file)]).exception, Refusal), "never written over"
    assert isinstance(run.invoke(witness_app, ["new-key", "a b", str(tmp_path / "n")]).exception, Refusal)
    assert "nothing was seen yet" in run.invoke(witness_app, ["show", "--state", str(tmp_path / "s")]).stdout
    wrong = run.invoke(witness_app, ["serve", "--key", str(file), "--log", vkey.text, "--state", str(tmp_path / "s")])
    assert "allowed: 01 (of a log)" in str(wrong.exception)


@clause
def test_the_doctor_says_whether_witnesses_have_seen_the_journal(house: Watched, tmp_path: Path) -> None:
    from houseway.commands.doctor import _witnesses
    from houseway.manager.server_settings import ServerSettings

    settings = ServerSettings(db=str(house.file))
    file = house.file.with_suffix(".checkpoint")

    def told(text: str | None = None) -> str:
        if text is not None:
            file.write_text(text)
        line = _witnesses(house.store, settings, house.state)
        return f"{line.how}: {line.says}"

    now = int(time.time())
    assert "holds no checkpoint yet" in told()
    assert told(cosigned(house.point, WITNESS, at=now).text).startswith("ok: regulator.example/w1 saw it up to entry")
    assert told(cosigned(house.point, WITNESS, at=now - 200_000).text).startswith("warn")
    assert "0 of the 1 demanded" in told(house.point.text)
    assert "is not the one they saw" in told(cosigned(signed_checkpoint(house.signer, 4, EMPTY_ROOT), WITNESS).text)
    longer = signed_checkpoint(house.signer, house.state.seq + 1, EMPTY_ROOT)
    assert told(cosigned(longer, WITNESS).text).startswith("bad: they have seen entry")


@clause
def test_a_proof_over_many_entries_is_short() -> None:
    """The hashes of a million entries: 20 in a proof; the file is under 2 kB also with three witnesses."""
    size = 1_000_000
    node = lambda level, place: node_hash(level.to_bytes(2, "big"), place.to_bytes(8, "big"))  # noqa: E731
    hashes = inclusion_proof(123_456, size, node)
    assert len(hashes) <= 20
    log = Signer("houseway/" + "0" * 32, KEYS.signing)
    third = Signer("third.example/w3", SECOND.key, COSIGNATURE)
    point = cosigned(signed_checkpoint(log, size, EMPTY_ROOT), WITNESS, SECOND, third)
    lines = "".join(f"{b64encode(one).decode()}\n" for one in hashes)
    assert len(f"c2sp.org/tlog-proof@v1\nextra {'x' * 200}\nindex 123456\n{lines}\n{point.text}") < 2_000
    assert len(consistency_proof(123_457, size, node)) <= 22
