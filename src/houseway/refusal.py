"""The one exception for bad input: a sentence for a person, with the field it is about."""

from __future__ import annotations


class Refusal(ValueError):  # noqa: N818  a refusal is an answer, not an error of the program
    """Something asked of the program that it will not do: which field, what was wrong, what is allowed."""

    def __init__(self, field: str, sentence: str) -> None:
        self.field = field
        self.sentence = sentence
        super().__init__(f"{field}: {sentence}" if field else sentence)
