"""Alembic runs this file: the revisions on the connection it was given, inside that connection's transaction."""

from __future__ import annotations

from alembic import context

from houseway.manager.store.migrate import VERSION_TABLE
from houseway.manager.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    version_table=VERSION_TABLE,
    # A start that was killed half-way must leave the old schema or the new one, in SQLite too.
    transactional_ddl=True,
)
context.run_migrations()
