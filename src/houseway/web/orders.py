"""The orders of the API, given to the floor in the name of who asks."""

from __future__ import annotations

from datetime import date
from functools import partial
from pathlib import Path
from typing import Any, Final

from starlette.responses import Response

from houseway.api.orders import KEY_FORM, ORDERS, SPECIAL, Carried
from houseway.api.route import PREFIX, Route
from houseway.manager import commands as manager
from houseway.manager.authority import Asked, check_authority
from houseway.manager.commands import Order
from houseway.manager.credentials import credential_digest, new_credential
from houseway.manager.floor import Done
from houseway.manager.floor_file import names_files, read_floor
from houseway.manager.store.base import Credential
from houseway.refusal import NotAllowed, Refusal
from houseway.table.progressive_round.commands import TableCommand
from houseway.web.limiter import network_of
from houseway.web.problem import Problem
from houseway.web.routes import Ask, Handlers, address_of, json_response
from houseway.web.secrets import Press, digest

KEY: Final = "idempotency-key"

orders = Handlers()


def _answer(command: Any, route: Route[Any]) -> None:
    """Have an order's route give the order."""
    names = route.body.__struct_fields__ if route.body is not None else ()
    at_table = issubclass(command, TableCommand)

    @orders.answers(route)
    async def give(ask: Ask) -> Response:
        if route.name in SPECIAL:
            return await _special(ask, route.name)
        values = {name: getattr(ask.body, name) for name in names}
        if at_table:
            values["table"] = ask.path["table"]
        return await carry_out(ask, command(**values))


for _command, _route in ORDERS.items():
    _answer(_command, _route)


async def carry_out(ask: Ask, command: manager.Command, *credentials: Credential, **secrets: str) -> Response:
    """Give an order in the name of who asks, and answer when it is durable."""
    key = key_of(ask)
    card = _present(ask, "by-card", key)
    second = _present(ask, "second-card", key)
    screen = ask.who.id if card and card != ask.who.id else ""
    order = Order(id=key, by=card or ask.who.id, second=second, screen=screen, command=command)
    done = await ask.site.deadlines.recorded(ask.site.floor.submit(order, *credentials))
    return answer_of(ask, done, **secrets)


def answer_of(ask: Ask, done: Done, **secrets: str) -> Response:
    """What the giver of an order is told."""
    entry, state = done.entry, ask.site.state
    carried = Carried(
        entry=entry.seq,
        at=entry.at,
        day=entry.day,
        type=entry.kind,
        table=entry.table,
        round=entry.round,
        currency=state.policies.currency,
        events=entry.shown_events(),
        **secrets,
    )
    response = json_response(carried)
    if done.repeated:
        response.headers["Idempotent-Replayed"] = "true"
    return response


def key_of(ask: Ask) -> str:
    """The order's id, which its sender chose."""
    key = ask.request.headers.get(KEY, "")
    if not key:
        raise Problem(
            400, "no-key", "must be given with every order: an id of your own, new for each", "Idempotency-Key"
        )
    if not KEY_FORM.fullmatch(key) or key.startswith(("refused/", "sign-in-")):
        raise Problem(
            400, "bad-key", "must be 1 to 100 printable ASCII characters, not begun with refused/", "Idempotency-Key"
        )
    return key


def _present(ask: Ask, header: str, key: str) -> str:
    """Who presented card and PIN for this order; empty where nobody did."""
    token = ask.request.headers.get(header)
    if token is None:
        return ""
    press = Press(ask.who.session, key, _address(ask), header.partition("-")[0])
    presence = ask.site.keys.read_presence(header, token, press, ask.site.seconds())
    member = ask.site.state.staff.get(presence.staff)
    if member is None or not member.active or member.credential != presence.credential:
        raise Problem(401, "presence", "this card is valid no more; see a manager", header)
    return member.id


def _address(ask: Ask) -> str:
    """The order's address, without what all addresses begin with."""
    return str(ask.request.scope["path"]).removeprefix(f"{PREFIX}/")


async def _special(ask: Ask, tag: str) -> Response:
    """The orders that come with something to be checked, made or kept apart from the journal."""
    body, key, keys = ask.body, key_of(ask), ask.site.keys
    if not _may_give(ask, tag, key):
        # Before anything is read or hashed for it: the floor refuses it, and writes that down.
        return await _refused(ask, tag)
    match tag:
        case "configure":
            config = await ask.site.read(network_of(address_of(ask.request)), read_config, body.floor)
            return await carry_out(ask, manager.Configure(config=config, reason=body.reason))
        case "enroll":
            card = body.card or keys.card(body.staff, key)
            code = keys.enrolment_code(card, key)
            credential_maker = partial(new_credential, card, body.staff, code, ask.site.floor.keys)
            credential = await ask.site.deadlines.recorded(ask.site.pins.submit(credential_maker))
            enroll = manager.Enroll(
                staff=body.staff,
                name=body.name,
                role=body.role,
                card=card,
                credential=credential_digest(credential),
            )
            return await carry_out(ask, enroll, credential, card=card, code=code)
        case "admit":
            code = keys.player_code(body.player, key)
            return await carry_out(ask, manager.Admit(player=body.player, code=keys.code_mark(code)), code=code)
        case _:
            token = keys.device_token(body.device, key)
            issue = manager.IssueDevice(device=body.device, right=body.right, subject=body.subject, token=digest(token))
            return await carry_out(ask, issue, token=token)


def _may_give(ask: Ask, tag: str, key: str) -> bool:
    by = _present(ask, "by-card", key) or ask.who.id
    presented = Asked(tag, by, _present(ask, "second-card", key))
    try:
        check_authority(ask.site.state, presented, ask.site.floor.clock.now)
    except Refusal as refusal:
        return not isinstance(refusal, NotAllowed)
    return True


async def _refused(ask: Ask, tag: str) -> Response:
    """Have the floor refuse an order for its giver; what stands in for it would not be carried out for anybody."""
    if tag == "configure":
        config = ask.site.state.config
        assert config is not None
        return await carry_out(ask, manager.Configure(config=config, reason=""))
    if tag == "enroll":
        nobody = Credential("", "", "")
        empty = manager.Enroll(staff="", name="", role="dealer", card="", credential=credential_digest(nobody))
        return await carry_out(ask, empty, nobody)
    if tag == "admit":
        return await carry_out(ask, manager.Admit(player="", code=""))
    return await carry_out(ask, manager.IssueDevice(device="", right="casino", token=""))


def read_config(text: str) -> Any:
    """A floor file sent as text: checked with everything `houseway check` knows."""
    if names_files(text):
        raise Refusal(
            "floor", "names pay table files, which a file sent over the network cannot; use houseway floor apply"
        )
    floor_file = read_floor(text.encode("utf-8", "surrogatepass"), "floor", Path(), date.today())
    if floor_file.config is None:
        first = "; ".join(map(str, floor_file.defects[:3]))
        more = f"; and {len(floor_file.defects) - 3} more" if len(floor_file.defects) > 3 else ""
        raise Refusal("floor", f"{first}{more}")
    return floor_file.config
