"""Why something was not done, as a sentence for a person: a refusal of wrong input, or a fault outside the program."""

from __future__ import annotations

from typing import Final

FAULT_EXIT: Final = 75
"""How a command ends that met a fault: trying again later may help (EX_TEMPFAIL). Wrong input ends with 2."""


class Refusal(ValueError):  # noqa: N818  a refusal is an answer, not an error of the program
    """Something asked of the program that it will not do: which field, what was wrong, what is allowed."""

    def __init__(self, field: str, sentence: str) -> None:
        self.field = field = _printable(field)
        self.sentence = sentence = _printable(sentence)
        super().__init__(f"{field}: {sentence}" if field else sentence)


class NotAllowed(Refusal):
    """Refused because of who asks: a floor writes these down (sign-in, role, second person, own claim)."""

    def __init__(self, field: str, sentence: str, *, rule: str) -> None:
        super().__init__(field, sentence)
        self.rule = rule
        """Which rule of authority it broke, in a word or two."""


class Fault(RuntimeError):  # noqa: N818  an answer too: what failed is outside the program
    """Something the program needs could not be had: a database, a disk. A sentence for a person."""


class Damaged(Fault):
    """The journal in a database is not what a floor wrote there; starting again changes nothing of that."""


def _printable(text: str) -> str:
    """The text with everything escaped that a terminal or an encoding could stumble over."""
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in text)
