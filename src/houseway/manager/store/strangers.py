"""What a database has beside the floor's own tables (TR-12).

A trigger or a rule changes what is written, a view or a policy what is read, and nothing of it shows in the journal. So
everything is compared with what the migrations make, and a floor is not opened where anything is more or otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, TypeAlias

Ask: TypeAlias = Callable[[str], Iterable[tuple[Any, ...]]]

COLUMNS: Final[dict[str, str]] = {
    "journal": "seq at day order_id kind table_id round body hash code",
    "postings": "seq line account purpose micros",
    "totals": "day table_id account purpose micros",
    "head": "id seq hash",
    "credentials": "card staff pin_hash",
    "snapshot": "id seq hash body code",
    "tree": "level place hash",
    "houseway_version": "version_num",
}
"""Every table and its columns, as `schema` has them; said here again because a start cannot wait for SQLAlchemy."""
INDEXES: Final = frozenset({"journal_round", "journal_at"})
"""Those that are no key's own."""
DEFAULTS: Final = frozenset({("journal", "code"), ("snapshot", "code")})
"""The columns with a default, which is the empty text."""

SQLITE_OBJECTS: Final = "SELECT type, name, tbl_name FROM sqlite_schema"
SQLITE_COLUMNS: Final = """
    SELECT one.name, col.name, col.dflt_value, col.hidden
    FROM sqlite_schema AS one JOIN pragma_table_xinfo(one.name) AS col WHERE one.type = 'table'"""

_OURS: Final = "= current_schema()::regnamespace"
_NO_EXTENSION: Final = "NOT EXISTS (SELECT FROM pg_depend WHERE objid = {0}.oid AND deptype = 'e')"
POSTGRES_OBJECTS: Final = f"""
    SELECT CASE relkind WHEN 'r' THEN 'table' WHEN 'p' THEN 'table' WHEN 'v' THEN 'view' WHEN 'm' THEN 'view'
                        WHEN 'f' THEN 'foreign table' WHEN 'i' THEN 'index' WHEN 'I' THEN 'index'
                        WHEN 'S' THEN 'sequence' ELSE 'type' END,
           relname, coalesce((SELECT conname FROM pg_constraint WHERE conindid = c.oid LIMIT 1), '')
    FROM pg_class AS c WHERE relnamespace {_OURS} AND {_NO_EXTENSION.format("c")}
    UNION ALL SELECT 'trigger', tgname, '' FROM pg_trigger JOIN pg_class AS c ON c.oid = tgrelid
    WHERE relnamespace {_OURS} AND NOT tgisinternal
    UNION ALL SELECT 'rule', rulename, '' FROM pg_rewrite JOIN pg_class AS c ON c.oid = ev_class
    WHERE relnamespace {_OURS} AND rulename <> '_RETURN'
    UNION ALL SELECT 'policy', polname, '' FROM pg_policy JOIN pg_class AS c ON c.oid = polrelid
    WHERE relnamespace {_OURS}
    UNION ALL SELECT 'function', proname, '' FROM pg_proc AS c
    WHERE pronamespace {_OURS} AND {_NO_EXTENSION.format("c")}
    UNION ALL SELECT 'event trigger', evtname, '' FROM pg_event_trigger AS c WHERE {_NO_EXTENSION.format("c")}"""
POSTGRES_COLUMNS: Final = f"""
    SELECT relname, attname, pg_get_expr(adbin, adrelid), CASE WHEN attgenerated = '' THEN 0 ELSE 1 END
    FROM pg_attribute JOIN pg_class AS c ON c.oid = attrelid
    LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE relnamespace {_OURS} AND relkind IN ('r', 'p') AND attnum > 0 AND NOT attisdropped
    AND {_NO_EXTENSION.format("c")}"""


def sqlite_strangers(ask: Ask) -> list[str]:
    """What a SQLite file has beside the floor's own, in words."""

    def is_key(name: str, table: str) -> bool:
        return name.startswith(f"sqlite_autoindex_{table}_")

    return [*_objects(ask(SQLITE_OBJECTS), is_key), *_columns(ask(SQLITE_COLUMNS))]


def postgres_strangers(ask: Ask) -> list[str]:
    """What a PostgreSQL database has beside the floor's own, in words."""

    def is_key(name: str, constraint: str) -> bool:
        return bool(constraint)

    return [*_objects(ask(POSTGRES_OBJECTS), is_key), *_columns(ask(POSTGRES_COLUMNS))]


def _objects(rows: Iterable[tuple[Any, ...]], is_key: Callable[[str, str], bool]) -> Iterator[str]:
    for kind, name, of in sorted(rows, key=repr):
        known = name in COLUMNS if kind == "table" else kind == "index" and (name in INDEXES or is_key(name, of))
        if not known:
            yield f"{kind} {name} is not of a floor"


def _columns(rows: Iterable[tuple[Any, ...]]) -> Iterator[str]:
    for table, column, default, computed in sorted(rows, key=repr):
        if table not in COLUMNS:
            continue
        if column not in COLUMNS[table].split():
            yield f"column {column} of table {table} is not of a floor"
        elif computed or (default is not None and ((table, column) not in DEFAULTS or not _is_empty(default))):
            yield f"column {column} of table {table} is filled by the database, which a floor's is not"


def _is_empty(default: str) -> bool:
    return default in ("''", "''::text")


def refuse(name: str, strangers: list[str]) -> str:
    """Why a database is not opened for writing."""
    more = f", and {len(strangers) - 1} more" if len(strangers) > 1 else ""
    return (
        f"{name}: {strangers[0]}{more}; it could change what is written or read: find out who put it there, and drop it"
    )
