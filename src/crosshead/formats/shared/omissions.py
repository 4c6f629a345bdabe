"""What a reader leaves out, counted: one warning for each kind says it, however often it happens."""

from __future__ import annotations

import logging
from collections import Counter
from typing import Final, NamedTuple

logger = logging.getLogger("crosshead")


class Kind(NamedTuple):
    """Something that may be left out."""

    name: str
    """`{s}` is where the plural has an s."""
    advice: str = ""


PICTURES: Final = Kind("picture{s} without an alternative text")
OBJECTS: Final = Kind("embedded object{s}", "save them as files of their own")
DOCUMENTS: Final = Kind("embedded document{s}", "open and save the file in Word")
RECORDINGS: Final = Kind("recording{s}")
CHARTS: Final = Kind("chart{s} without values that can be read")
DIAGRAMS: Final = Kind("diagram{s} without a text that can be read")
FORMULAS: Final = Kind("formula{s}", "save the file as DOCX")
COMMENTS: Final = Kind("comment{s}", "the option comments keeps them")


class LeftOut:
    """Counts what is left out of one document."""

    def __init__(self) -> None:
        self._counts: Counter[Kind] = Counter()

    def add(self, kind: Kind, count: int = 1) -> None:
        """Count something."""
        if count:
            self._counts[kind] += count

    def report(self) -> None:
        """Write a warning for each kind."""
        for kind, count in self._counts.items():
            named = kind.name.format(s="s" if count > 1 else "")
            advice = f": {kind.advice}" if kind.advice else ""
            logger.warning("%d %s %s left out%s", count, named, "are" if count > 1 else "is", advice)
