"""The rounds of all tables lie side by side in their index: orders of one moment then change few of its pages."""

from __future__ import annotations

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """By table first, a group of orders from 64 tables wrote 64 pages of the index: two thirds of all that it wrote."""
    op.drop_index("journal_round", "journal")
    op.create_index("journal_round", "journal", ["round", "table_id"])
