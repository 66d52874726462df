"""What a run of `crash` found, counted."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

MOST_SAID: Final = 40


class Stuck(RuntimeError):  # noqa: N818  what it is, in a word
    """A server or a database does not answer any more."""


class Ended(Stuck):
    """A server's process has ended, and everything it said was taken in."""


def progress(text: str) -> None:
    """A line for a person who watches."""
    print(text, file=sys.stderr, flush=True)


@dataclass
class Counts:
    """Events by kind, and what was found after them."""

    events: Counter[str] = field(default_factory=Counter)
    orders: int = 0
    lost: int = 0
    doubled: int = 0
    unbalanced: int = 0
    unnoticed: int = 0
    late: int = 0
    noticed: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Damage that an event did and that the system told of: by kind, and by who told first."""
    harmless: Counter[str] = field(default_factory=Counter)
    """Events that could have done damage and, by the raw tables, did none."""
    bad: Counter[tuple[str, str]] = field(default_factory=Counter)
    """What was found, by the kind of the event before it."""
    said: set[str] = field(default_factory=set)
    """What was found, each thing once, however often it is seen again."""
    now: str = "kill"
    """The kind of event whose outcome is looked at."""
    floor: str = ""
    """Which floor it is that is looked at: ids and numbers are the same on each."""

    @property
    def total(self) -> int:
        return self.events.total()

    @property
    def clean(self) -> bool:
        return not (self.lost or self.doubled or self.unbalanced or self.unnoticed or self.late)

    @property
    def line(self) -> str:
        kinds = ", ".join(f"{kind} {number}" for kind, number in sorted(self.events.items()))
        return f"{self.total} events ({kinds}), {self.orders} orders: {self.found}"

    @property
    def found(self) -> str:
        return (
            f"lost {self.lost}, doubled {self.doubled}, unbalanced {self.unbalanced}, unnoticed {self.unnoticed}, "
            f"late {self.late}, noticed {self.noticed.total()}, harmless {self.harmless.total()}"
        )

    @property
    def by_kind(self) -> str:
        """For each kind of event: what was found, what was noticed and by whom, and what did no harm."""
        lines = []
        for kind, number in sorted(self.events.items()):
            words = [f"{what} {many}" for (of, what), many in sorted(self.bad.items()) if of == kind]
            words += [f"noticed by {who} {many}" for (of, who), many in sorted(self.noticed.items()) if of == kind]
            words += [f"harmless {self.harmless[kind]}"] if self.harmless[kind] else []
            lines.append(f"  {kind} {number}: {', '.join(words) or 'nothing to find'}")
        return "\n".join(lines)

    def find(self, what: str, sentence: str) -> None:
        """Count something that must not be, and say it, where it has not been seen before."""
        if f"{self.floor}: {sentence}" in self.said:
            return
        self.said.add(f"{self.floor}: {sentence}")
        setattr(self, what, getattr(self, what) + 1)
        self.bad[self.now, what] += 1
        if len(self.said) <= MOST_SAID:
            progress(f"{what}: {sentence}")
