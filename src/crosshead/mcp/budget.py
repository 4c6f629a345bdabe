"""How much of a context an answer may take.

An answer is told twice, as text and by names, and nobody knows which of the two a client hands on to its model. So both
must fit.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from bisect import bisect_right
from functools import partial
from typing import Final

from pydantic import BaseModel, ConfigDict

from crosshead.tokens import get_counter

FRAME_TOKENS: Final = 200
"""What stands around the parts of an answer."""
LONGEST_TOKEN: Final = 16
"""Characters, on an average that hardly any text reaches."""


class ToolAnswer(BaseModel, ABC):
    """Something that is told as text, for a model to read, and by names, for a program."""

    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)

    @abstractmethod
    def text(self) -> str:
        """Return what a model reads."""


class Budget:
    """The tokens of one answer."""

    def __init__(self, tokens: int) -> None:
        self.left = tokens - FRAME_TOKENS

    def take(self, told: ToolAnswer) -> bool:
        """Spend what a part of the answer needs, if there is as much."""
        cost = max(_count(told.text()), _count(told.model_dump_json()))
        if cost > self.left:
            return False
        self.left -= cost
        return True

    def cut(self, text: str) -> str:
        """Return as many whole lines of a text as there is room for, or a part of the first one."""
        text = text[: self.left * LONGEST_TOKEN]
        end = bisect_right(range(len(text) + 1), self.left, key=partial(_cost_until, text)) - 1
        if end >= len(text):
            return text
        return text[: text.rfind("\n", 0, end + 1)] if "\n" in text[: end + 1] else text[: max(end, 0)]


def _cost_until(text: str, end: int) -> int:
    return _count(json.dumps(text[:end], ensure_ascii=False))


def _count(text: str) -> int:
    return get_counter("cl100k_base")(text)
