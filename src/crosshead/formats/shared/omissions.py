"""What a reader leaves out of a document: one warning for each kind, however often it happens."""

from __future__ import annotations

from collections import Counter
from typing import Final, NamedTuple


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
    """Counts what is left out of one document, and collects its other warnings."""

    def __init__(self) -> None:
        self._counts: Counter[Kind] = Counter()
        self._messages: list[str] = []

    def add(self, kind: Kind, count: int = 1) -> None:
        """Count something."""
        if count:
            self._counts[kind] += count

    def warn(self, *messages: str) -> None:
        """Add warnings in words of their own."""
        self._messages += messages

    def warnings(self) -> tuple[str, ...]:
        """Return these warnings, then one for each kind."""
        return (*self._messages, *(_warning(kind, count) for kind, count in self._counts.items()))


def _warning(kind: Kind, count: int) -> str:
    named = kind.name.format(s="s" if count > 1 else "")
    advice = f": {kind.advice}" if kind.advice else ""
    return f"{count} {named} {'are' if count > 1 else 'is'} left out{advice}"
