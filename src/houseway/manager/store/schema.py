"""The seven tables, as SQLAlchemy knows them: what the migrations must end in.

``base`` says what each is for. Three things are so for a reason:

* No foreign key from ``postings`` to ``journal``: PostgreSQL checks it line by line, which cost a quarter of the
  entries a second; ``houseway journal verify`` compares every line with its entry anyway.
* In SQLite every table is STRICT, so that an amount is an integer there too, whoever writes it.
* In PostgreSQL every text sorts by its bytes ("C"), as in SQLite, so that both give reports in the same order.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData()

# STRICT tables of SQLite know only INTEGER, which holds 64 bits there.
BIG = BigInteger().with_variant(Integer(), "sqlite")
WORDS = Text().with_variant(Text(collation="C"), "postgresql")

journal = Table(
    "journal",
    metadata,
    Column("seq", BIG, autoincrement=False, nullable=False),
    Column("at", BIG, nullable=False),
    Column("day", WORDS, nullable=False),
    Column("order_id", WORDS, nullable=False),
    Column("kind", WORDS, nullable=False),
    Column("table_id", WORDS, nullable=False),
    Column("round", BIG, nullable=False),
    Column("body", WORDS, nullable=False),
    Column("hash", WORDS, nullable=False),
    Column("code", WORDS, nullable=False, server_default=""),
    PrimaryKeyConstraint("seq", name="journal_pkey"),
    UniqueConstraint("order_id", name="journal_order_id"),
    CheckConstraint("seq > 0", name="journal_seq_counts_from_one"),
    Index("journal_round", "round", "table_id"),
    Index("journal_at", "at"),
    sqlite_strict=True,
)

postings = Table(
    "postings",
    metadata,
    Column("seq", BIG, autoincrement=False, nullable=False),
    Column("line", Integer, autoincrement=False, nullable=False),
    Column("account", WORDS, nullable=False),
    Column("purpose", WORDS, nullable=False),
    Column("micros", BIG, nullable=False),
    PrimaryKeyConstraint("seq", "line", name="postings_pkey"),
    CheckConstraint("seq > 0", name="postings_seq_counts_from_one"),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)

totals = Table(
    "totals",
    metadata,
    Column("day", WORDS, nullable=False),
    Column("table_id", WORDS, nullable=False),
    Column("account", WORDS, nullable=False),
    Column("purpose", WORDS, nullable=False),
    Column("micros", BIG, nullable=False),
    PrimaryKeyConstraint("day", "table_id", "account", "purpose", name="totals_pkey"),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)

head = Table(
    "head",
    metadata,
    Column("id", Integer, autoincrement=False, nullable=False),
    Column("seq", BIG, nullable=False),
    Column("hash", WORDS, nullable=False),
    PrimaryKeyConstraint("id", name="head_pkey"),
    CheckConstraint("id = 1", name="head_is_one_row"),
    sqlite_strict=True,
)

credentials = Table(
    "credentials",
    metadata,
    Column("card", WORDS, nullable=False),
    Column("staff", WORDS, nullable=False),
    Column("pin_hash", WORDS, nullable=False),
    PrimaryKeyConstraint("card", name="credentials_pkey"),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)

snapshot = Table(
    "snapshot",
    metadata,
    Column("id", Integer, autoincrement=False, nullable=False),
    Column("seq", BIG, nullable=False),
    Column("hash", WORDS, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("code", WORDS, nullable=False, server_default=""),
    PrimaryKeyConstraint("id", name="snapshot_pkey"),
    CheckConstraint("id = 1", name="snapshot_is_one_row"),
    sqlite_strict=True,
)

tree = Table(
    "tree",
    metadata,
    Column("level", Integer, autoincrement=False, nullable=False),
    Column("place", BIG, autoincrement=False, nullable=False),
    Column("hash", WORDS, nullable=False),
    PrimaryKeyConstraint("level", "place", name="tree_pkey"),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)
