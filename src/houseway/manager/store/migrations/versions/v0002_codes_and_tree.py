"""An authentication code for every entry and for the saved state, and the nodes of the journal's Merkle tree."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
WORDS = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Entries of before have no code; the tree is computed from them when it is next needed."""
    op.add_column("journal", sa.Column("code", WORDS, nullable=False, server_default=""))
    op.add_column("snapshot", sa.Column("code", WORDS, nullable=False, server_default=""))
    op.create_table(
        "tree",
        sa.Column("level", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("place", BIG, autoincrement=False, nullable=False),
        sa.Column("hash", WORDS, nullable=False),
        sa.PrimaryKeyConstraint("level", "place", name="tree_pkey"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
