"""How many tokens an answer may take.

An answer is sent twice, as text and as structured content. Clients differ in which of them they pass to the model, so
both must fit.
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
"""Tokens for what surrounds the parts of an answer."""
LONGEST_TOKEN: Final = 16
"""Characters per token, more than the average of nearly all texts."""


class ToolAnswer(BaseModel, ABC):
    """Part of an answer: text for a model, and named values for a program."""

    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)

    @abstractmethod
    def text(self) -> str:
        """Return the text for a model."""

    def picture(self) -> bytes:
        """Return a picture that belongs to it, as PNG; empty if there is none."""
        return b""


class Budget:
    """The tokens of one answer."""

    def __init__(self, tokens: int) -> None:
        self.left = tokens - FRAME_TOKENS

    def take(self, part: ToolAnswer) -> bool:
        """Spend the tokens of a part of the answer; return False, and spend nothing, if it does not fit."""
        cost = max(_count(part.text()), _count(part.model_dump_json()))
        if cost > self.left:
            return False
        self.left -= cost
        return True

    def cut(self, text: str) -> str:
        """Return as many whole lines of a text as fit, or a part of the first one."""
        text = text[: self.left * LONGEST_TOKEN]
        end = bisect_right(range(len(text) + 1), self.left, key=partial(_cost_until, text)) - 1
        if end >= len(text):
            return text
        return text[: text.rfind("\n", 0, end + 1)] if "\n" in text[: end + 1] else text[: max(end, 0)]


def _cost_until(text: str, end: int) -> int:
    return _count(json.dumps(text[:end], ensure_ascii=False))


def _count(text: str) -> int:
    return get_counter("cl100k_base")(text)
