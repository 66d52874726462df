"""Lists in pages: the queries that ask for a part of a list."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

Limit = Annotated[int, Meta(ge=1, le=500, description="How many, 1 to 500.")]
Day = Annotated[str, Meta(pattern=r"^([0-9]{4}-[0-9]{2}-[0-9]{2})?$", description="A gaming day, such as 2026-11-30.")]
Order = Annotated[Literal["newest", "oldest"], Meta(description="Which come first.")]
Number = Annotated[
    str, Meta(pattern=r"^[0-9]{0,18}$", description="What came as `next` with the page before; empty for the first.")
]


class PageQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A page of a list of names."""

    after: Annotated[
        str, Meta(max_length=200, description="What came as `next` with the page before; empty for the first.")
    ] = ""
    limit: Limit = 100


class WalkQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A page of a list by number."""

    after: Number = ""
    limit: Limit = 100
    order: Order = "newest"
