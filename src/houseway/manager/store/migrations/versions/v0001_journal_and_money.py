"""The journal, the money, the credentials and the snapshot; the head before the first entry."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
WORDS = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Create the six tables and the one row of ``head``."""
    op.create_table(
        "journal",
        sa.Column("seq", BIG, autoincrement=False, nullable=False),
        sa.Column("at", BIG, nullable=False),
        sa.Column("day", WORDS, nullable=False),
        sa.Column("order_id", WORDS, nullable=False),
        sa.Column("kind", WORDS, nullable=False),
        sa.Column("table_id", WORDS, nullable=False),
        sa.Column("round", BIG, nullable=False),
        sa.Column("body", WORDS, nullable=False),
        sa.Column("hash", WORDS, nullable=False),
        sa.PrimaryKeyConstraint("seq", name="journal_pkey"),
        sa.UniqueConstraint("order_id", name="journal_order_id"),
        sa.CheckConstraint("seq > 0", name="journal_seq_counts_from_one"),
        sqlite_strict=True,
    )
    op.create_index("journal_round", "journal", ["table_id", "round"])
    op.create_index("journal_at", "journal", ["at"])
    op.create_table(
        "postings",
        sa.Column("seq", BIG, autoincrement=False, nullable=False),
        sa.Column("line", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("account", WORDS, nullable=False),
        sa.Column("purpose", WORDS, nullable=False),
        sa.Column("micros", BIG, nullable=False),
        sa.PrimaryKeyConstraint("seq", "line", name="postings_pkey"),
        sa.CheckConstraint("seq > 0", name="postings_seq_counts_from_one"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_table(
        "totals",
        sa.Column("day", WORDS, nullable=False),
        sa.Column("table_id", WORDS, nullable=False),
        sa.Column("account", WORDS, nullable=False),
        sa.Column("purpose", WORDS, nullable=False),
        sa.Column("micros", BIG, nullable=False),
        sa.PrimaryKeyConstraint("day", "table_id", "account", "purpose", name="totals_pkey"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    head = op.create_table(
        "head",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seq", BIG, nullable=False),
        sa.Column("hash", WORDS, nullable=False),
        sa.PrimaryKeyConstraint("id", name="head_pkey"),
        sa.CheckConstraint("id = 1", name="head_is_one_row"),
        sqlite_strict=True,
    )
    op.create_table(
        "credentials",
        sa.Column("card", WORDS, nullable=False),
        sa.Column("staff", WORDS, nullable=False),
        sa.Column("pin_hash", WORDS, nullable=False),
        sa.PrimaryKeyConstraint("card", name="credentials_pkey"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_table(
        "snapshot",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seq", BIG, nullable=False),
        sa.Column("hash", WORDS, nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="snapshot_pkey"),
        sa.CheckConstraint("id = 1", name="snapshot_is_one_row"),
        sqlite_strict=True,
    )
    op.bulk_insert(head, [{"id": 1, "seq": 0, "hash": "0" * 64}])
