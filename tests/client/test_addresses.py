"""Every command goes to the address, and in the form, that the server has for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from houseway.api.orders import ORDERS, address_of, place_of
from houseway.api.route import PREFIX
from houseway.manager import commands as manager
from houseway.manager.commands import PlainCommand
from houseway.manager.floor_file import example_floor, read_floor
from houseway.refusal import Refusal
from houseway.table.card_round.commands import Act
from houseway.table.progressive_round.commands import LockIn, TableCommand

COMMANDS: list[Any] = list(get_args(PlainCommand))
SPECIAL = (manager.Configure, manager.Enroll, manager.Admit, manager.IssueDevice)
ROUTES = {route.name: route for route in ORDERS.values()}


def example(kind: Any) -> Any:
    """A value of a type, made of its simplest parts."""
    info = kind if isinstance(kind, msgspec.inspect.Type) else msgspec.inspect.type_info(kind)
    match info:
        case msgspec.inspect.StructType():
            return info.cls(**{one.name: example(one.type) for one in info.fields if one.required})
        case msgspec.inspect.LiteralType():
            return info.values[0]
        case msgspec.inspect.UnionType():
            return example(info.types[0])
        case msgspec.inspect.VarTupleType():
            return (example(info.item_type),)
        case msgspec.inspect.IntType():
            return 3
        case msgspec.inspect.BoolType():
            return True
        case msgspec.inspect.StrType():
            return "a b/c"
    raise AssertionError(info)


def example_of(command: Any) -> Any:
    return command(
        **{
            one.name: example(one.type)
            for one in msgspec.structs.fields(command)
            if one.required or one.name == "round"
        }
    )


@pytest.mark.parametrize("command", [one for one in COMMANDS if one not in SPECIAL], ids=lambda one: one.__name__)
def test_a_command_is_sent_as_its_route_takes_it(command: Any) -> None:
    given = example_of(command)
    address = address_of(given)
    route = ROUTES[str(command.__struct_config__.tag)]
    at_table = issubclass(command, TableCommand)
    assert address.path == f"{PREFIX}{route.path}".replace("{table}", "a%20b%2Fc")
    assert route.body is not None
    body = msgspec.json.decode(address.body, type=route.body)
    fields = {one.name: getattr(body, one.name) for one in msgspec.structs.fields(route.body)}
    assert command(**fields, **({"table": "a b/c"} if at_table else {})) == given


def test_what_comes_with_a_secret_has_a_method_of_its_own() -> None:
    config = read_floor(example_floor().encode(), "floor.toml", Path()).config
    assert config is not None
    given: list[Any] = [
        manager.Configure(config=config, reason="r"),
        manager.Enroll(staff="s", name="n", role="dealer", card="c", credential="d"),
        manager.Admit(player="p", code="c"),
        manager.IssueDevice(device="d", right="display", subject="L", token="t"),
    ]
    assert {type(one) for one in given} == set(SPECIAL)
    for command in given:
        assert place_of(type(command)) == ROUTES[manager.kind_of(command)].path
        with pytest.raises(Refusal, match="method of its own"):
            address_of(command)


def test_what_is_not_for_the_network_is_refused() -> None:
    with pytest.raises(Refusal, match="not given over the network"):
        place_of(manager.Found)


def test_the_body_has_what_the_command_has_and_the_table_is_in_the_address() -> None:
    assert address_of(LockIn(table="CS-1", lit=(1, 4))) == (
        "/api/v1/tables/CS-1/lock-in",
        b'{"round":0,"lit":[1,4]}',
    )
    sent = address_of(Act(table="V", spot=2, action="low", card="As"))
    assert msgspec.json.decode(sent.body)["card"] == "As"
