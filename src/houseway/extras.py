"""What each extra of the package brings, and the one sentence for a part that is not installed."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

from houseway.refusal import Refusal

EXTRAS: Final = {
    "server": (
        *("alembic", "argon2", "cryptography", "httptools", "httpx", "jinja2", "prometheus_client"),
        *("pydantic", "sqlalchemy", "starlette", "structlog", "uvicorn", "uvloop"),
    ),
    "postgres": ("psycopg",),
    "pdf": ("typst",),
    "proof": ("numba", "numpy"),
    "plot": ("matplotlib",),
    "cluster": ("distributed", "dask"),
    "sheets": ("openpyxl",),
    "parquet": ("pyarrow",),
    "gym": ("gymnasium",),
}
"""Each extra by its name in pyproject.toml, and the modules that it brings."""


class MissingExtra(Refusal):
    """Something that needs a part of Houseway that is not installed."""

    def __init__(self, field: str, extra: str) -> None:
        super().__init__(field, f"needs the {extra} extra: pip install 'houseway[{extra}]'")
        self.extra = extra


def need(extra: str, field: str) -> None:
    """Refuse ``field`` where a module of the extra is not installed."""
    if any(find_spec(module) is None for module in EXTRAS[extra]):
        raise MissingExtra(field, extra)


def missing_extra(error: ImportError, field: str) -> MissingExtra | None:
    """The sentence for a failed import, or None where the module belongs to no extra."""
    package = (error.name or "").partition(".")[0]
    for extra, modules in EXTRAS.items():
        if package in modules:
            return MissingExtra(field, extra)
    return None
