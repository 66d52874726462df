"""Gymnasium environments of the games: one spot against the dealer, settled by the rulebook, rewards in whole cents.

Importing this registers an environment for every installed game that has a decision: ``houseway/ThreeCardPoker-v0`` and
so on.
It needs the ``gym`` extra; ``docs/gym.md`` shows how to use it.
"""

from __future__ import annotations

try:
    import gymnasium
except ImportError as missing:
    raise ImportError("houseway.gym needs the gym extra: pip install 'houseway[gym]'") from missing

from typing import Final

from houseway.games import all_games
from houseway.gym.env import TableEnv

VERSION: Final = 0


def environment_id(key: str) -> str:
    """The id under which the environment of a game is registered: houseway/ThreeCardPoker-v0 for three-card-poker."""
    name = "".join(part[:1].upper() + part[1:] for part in key.split("-"))
    return f"houseway/{name}-v{VERSION}"


def _registered() -> tuple[str, ...]:
    made = []
    for key, game in all_games().items():
        if not game.points:
            continue
        name = environment_id(key)
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point="houseway.gym.env:TableEnv",
                vector_entry_point="houseway.gym.many:ManyTables",
                kwargs={"game": key},
            )
        made.append(name)
    return tuple(made)


ENVIRONMENTS: Final = _registered()
"""The ids of all environments."""

__all__ = ["ENVIRONMENTS", "TableEnv", "environment_id"]
