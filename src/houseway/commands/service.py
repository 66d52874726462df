"""A headless Game Manager: orders in, answers out, one JSON object a line.

    {"op": "sign_in", "id": "1", "card": "…", "pin": "…"}          -> {"id": "1", "ok": true, "token": "…", …}
    {"op": "do", "id": "2", "token": "…", "command": {"type": "lock_in", "table": "T1", "lit": [1, 3]}}
    {"op": "enroll", "id": "3", "token": "…", "second": "…", "staff": "…", "name": "…", "role": "dealer"}
    {"op": "set_pin", "id": "4", "card": "…", "pin": "…", "new_pin": "…"}
    {"op": "view", "id": "5"}

Answers come when their order is durable, so not always in the order asked; the id tells which is which. An order that
is not carried out answers ``"ok": false`` with the field and the sentence.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from typing import Any, Final

import msgspec
from msgspec import Struct

from houseway.books.view import floor_view
from houseway.manager.commands import Enroll, Order, PlainCommand, Role
from houseway.manager.credentials import credential_digest, new_credential, random_card, random_code
from houseway.manager.floor import Done, Floor
from houseway.manager.state import LONGEST_SIGNED_IN
from houseway.manager.store.base import StoreFault
from houseway.refusal import Refusal


class Ask(Struct, frozen=True, kw_only=True, tag_field="op", forbid_unknown_fields=True):
    """One line asked of the service."""

    id: str


class AskSignIn(Ask, frozen=True, kw_only=True, tag="sign_in", forbid_unknown_fields=True):
    card: str
    pin: str


class AskDo(Ask, frozen=True, kw_only=True, tag="do", forbid_unknown_fields=True):
    token: str
    second: str = ""
    """The token of the second person, where one is needed."""
    command: PlainCommand


class AskEnroll(Ask, frozen=True, kw_only=True, tag="enroll", forbid_unknown_fields=True):
    token: str
    second: str
    staff: str
    name: str
    role: Role
    card: str = ""
    """The new card; made up where none is given."""


class AskSetPin(Ask, frozen=True, kw_only=True, tag="set_pin", forbid_unknown_fields=True):
    card: str
    pin: str
    """The enrolment code, or the PIN so far."""
    new_pin: str


class AskView(Ask, frozen=True, kw_only=True, tag="view", forbid_unknown_fields=True):
    """What stands where on the floor."""


_DECODER: Final = msgspec.json.Decoder(AskSignIn | AskSetPin | AskDo | AskEnroll | AskView)
_ENCODER: Final = msgspec.json.Encoder()
Answer = dict[str, Any]


class Service:
    """Serves a floor by lines; who has signed in is remembered by token until the process ends."""

    def __init__(self, floor: Floor, write: Callable[[bytes], None]) -> None:
        self._floor = floor
        self._write = write
        self._writing = Lock()
        self._tokens: dict[str, str] = {}
        self._slow = ThreadPoolExecutor(2, thread_name_prefix="houseway-pin")

    def serve(self, lines: Iterable[bytes]) -> None:
        """Answer every line, until there are no more."""
        for line in lines:
            if line.strip():
                self.take(line)
        self._slow.shutdown(wait=True)

    def take(self, line: bytes) -> None:
        """Take one line; its answer is written when there is one."""
        try:
            ask = _DECODER.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as wrong:
            self._say({"id": _id_of(line), "ok": False, "field": "line", "error": str(wrong)})
            return
        try:
            match ask:
                case AskView():
                    self._say({"id": ask.id, "ok": True, "floor": floor_view(self._floor.state)})
                case AskSignIn() | AskSetPin() | AskEnroll():
                    # Argon2 takes its time on purpose; the floor must not wait for it.
                    self._slow.submit(self._with_pin, ask)
                case AskDo():
                    order = Order(
                        id=ask.id,
                        by=self._giver(ask.token),
                        second=self._staff("second", ask.second) if ask.second else "",
                        command=ask.command,
                    )
                    self._answer(ask.id, self._floor.submit(order))
        except Refusal as refusal:
            self._refuse(ask.id, refusal)

    def _with_pin(self, ask: AskSignIn | AskSetPin | AskEnroll) -> None:
        try:
            if isinstance(ask, AskSignIn):
                member = self._floor.sign_in(ask.card, ask.pin)
                token = secrets.token_urlsafe(24)
                self._tokens[token] = member.id
                self._say({"id": ask.id, "ok": True, "token": token, "staff": member.id, "role": member.role})
                return
            if isinstance(ask, AskSetPin):
                member = self._floor.set_pin(ask.card, ask.pin, ask.new_pin)
                self._say({"id": ask.id, "ok": True, "staff": member.id, "role": member.role})
                return
            by, second = self._staff("token", ask.token), self._staff("second", ask.second)
            card, code = ask.card or random_card(), random_code()
            credential = new_credential(card, ask.staff, code, self._floor.keys)
            command = Enroll(
                staff=ask.staff, name=ask.name, role=ask.role, card=card, credential=credential_digest(credential)
            )
            order = Order(id=ask.id, by=by, second=second, command=command)
            self._answer(ask.id, self._floor.submit(order, credential), card=card, code=code)
        except Refusal as refusal:
            self._refuse(ask.id, refusal)
        except StoreFault as fault:
            self._say({"id": ask.id, "ok": False, "fault": True, "error": str(fault)})

    def _giver(self, token: str) -> str:
        """Who gives an order: staff who signed in here, or a player by the session of an admission (TR-8)."""
        signed = self._floor.state.signed.get(hashlib.sha256(token.encode()).hexdigest())
        if signed is not None and signed.guest and signed.since > self._floor.clock.now - LONGEST_SIGNED_IN:
            return signed.who
        return self._staff("token", token)

    def _staff(self, field: str, token: str) -> str:
        staff = self._tokens.get(token)
        if staff is None:
            raise Refusal(field, "is not that of anybody signed in; sign in first")
        return staff

    def _answer(self, id: str, future: Future[Done], **secrets: str) -> None:
        future.add_done_callback(lambda done: self._done(id, done, secrets))

    def _done(self, id: str, future: Future[Done], secrets: dict[str, str]) -> None:
        failed = future.exception()
        if failed is None:
            entry, repeated = future.result()
            self._say(
                {
                    "id": id,
                    "ok": True,
                    "entry": entry.seq,
                    "at": entry.at,
                    "day": entry.day,
                    "repeated": repeated,
                    "events": entry.shown_events(),
                    # What was made for an order is kept nowhere: sent again, it has none to show.
                    **({} if repeated else secrets),
                }
            )
        elif isinstance(failed, Refusal):
            self._refuse(id, failed)
        else:
            unknown = "the program failed on this order; nothing was recorded"
            sentence = str(failed) if isinstance(failed, StoreFault) else unknown
            self._say({"id": id, "ok": False, "fault": True, "error": sentence})

    def _refuse(self, id: str, refusal: Refusal) -> None:
        self._say({"id": id, "ok": False, "field": refusal.field, "error": refusal.sentence})

    def _say(self, answer: Answer) -> None:
        text = _ENCODER.encode(answer) + b"\n"
        with self._writing:
            self._write(text)


def _id_of(line: bytes) -> str:
    """The id of a line that is wrong otherwise, if it has one."""
    try:
        record = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return ""
    return str(record.get("id", "")) if isinstance(record, dict) else ""
