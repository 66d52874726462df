"""How a database of an earlier version becomes one of this: Alembic's environment, one revision a file."""
