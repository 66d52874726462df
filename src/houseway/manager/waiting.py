"""How long somebody who gave a wrong PIN waits before the next try (TR-6).

Waiting belongs to a card at one place, and to a place for all cards: the more wrong PINs there, the longer. A card that
does not exist waits like one that does, and nobody waits because of what was tried elsewhere.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Final, NamedTuple

from houseway.refusal import Refusal

FREE_TRIES: Final = 2
"""Wrong PINs for one card at one place before anybody waits."""
FREE_TRIES_AT_A_PLACE: Final = 10
"""The same for all cards at one place: several people use one terminal."""
MOST_REMEMBERED: Final = 10_000


class MustWait(Refusal):
    """A try that came too soon. Nothing was checked."""

    def __init__(self, seconds: int) -> None:
        super().__init__("card", f"too many wrong PINs here; try again in {seconds} seconds")
        self.seconds = seconds


class _Tries(NamedTuple):
    failed: int = 0
    last: int = 0


class Waiting:
    """Counts wrong PINs, in memory: a try counts as wrong from its beginning until it turns out right."""

    def __init__(self, clock: Callable[[], int]) -> None:
        self._clock = clock
        self._tries: OrderedDict[tuple[str, ...], _Tries] = OrderedDict()
        self._lock = Lock()

    def begin(self, card: str, place: str, longest: int) -> None:
        """Count a try; refused while there is still to wait. ``longest`` is the longest wait, in microseconds."""
        now = self._clock()
        both = (((place, card), FREE_TRIES), ((place,), FREE_TRIES_AT_A_PLACE))
        with self._lock:
            known = {key: self._known(key, now, longest) for key, _ in both}
            until = max(known[key].last + _wait(known[key].failed - free, longest) for key, free in both)
            if until > now:
                raise MustWait(-(-(until - now) // 1_000_000))
            for key, _ in both:
                self._tries[key] = _Tries(known[key].failed + 1, now)
                self._tries.move_to_end(key)
            while len(self._tries) > MOST_REMEMBERED:
                self._tries.popitem(last=False)

    def right(self, card: str, place: str) -> None:
        """The try was right: the card has none behind it here, and the place one less."""
        with self._lock:
            self._tries.pop((place, card), None)
            known = self._tries.get((place,))
            if known is not None:
                self._tries[place,] = known._replace(failed=max(0, known.failed - 1))

    def forget(self, card: str) -> None:
        """A card was freed by two people: nobody waits for it any more."""
        with self._lock:
            for key in [attempt for attempt in self._tries if attempt[1:] == (card,)]:
                del self._tries[key]

    def _known(self, key: tuple[str, ...], now: int, longest: int) -> _Tries:
        """What stands against a card or place; after the longest wait without a wrong PIN, nothing."""
        known = self._tries.get(key, _Tries())
        return known if known.last > now - 2 * longest else _Tries()


def _wait(tries: int, longest: int) -> int:
    """How long to wait after so many wrong PINs too many, in microseconds: 2, 4, 8 … seconds."""
    return 0 if tries < 0 else min(longest, 2 ** min(tries + 1, 40) * 1_000_000)
