"""What a process that serves a floor does about its memory."""

from __future__ import annotations

import gc


def spare_what_is_loaded() -> None:
    """Have the search for cycles of garbage leave alone what is there now: called once, when a server has its floor.

    Modules, rules and tables stay until the process ends, and every full search went through all of them: with 64
    tables on one meter that took a fifth of the processor's time. What is made later is searched as ever.
    """
    gc.collect()
    gc.freeze()
