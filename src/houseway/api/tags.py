"""The headings under which the API's description lists its routes."""

from __future__ import annotations

from typing import Final

TAGS: Final = {
    "tables": "What is pressed at a table, and what is asked before pressing.",
    "floor": "The present floor, and the orders that change it as a whole.",
    "links": "The meters of the progressives, and the accounts that stand behind them.",
    "adjustments": "What two people put right at the Game Manager.",
    "journal": "The record of everything that happened.",
    "staff": "The people who work here.",
    "players": "The people who play here.",
    "devices": "Displays, sensors and the casino's own programs.",
    "session": "Signing in and out, and presenting a card for one order.",
    "stream": "What happens, as it happens.",
    "registers": "Approvals, equipment and the floor file in force.",
    "rounds": "The rounds of a table.",
    "wins": "The wins of the progressives.",
    "reports": "What the floor took in and paid out.",
    "library": "Games, pay tables, figures and signs, open to everybody.",
    "index": "What this API is.",
}
