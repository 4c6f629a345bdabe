"""Count what a reader leaves out of a document, to give one warning for each kind."""

from __future__ import annotations

from collections import Counter
from typing import Final, NamedTuple


class Kind(NamedTuple):
    """Something that may be left out."""

    name: str
    """`{s}` marks the plural s."""
    advice: str = ""


PICTURES: Final = Kind("picture{s} without alternative text")
OBJECTS: Final = Kind("embedded object{s}", "save them as separate files")
DOCUMENTS: Final = Kind("embedded document{s}", "open and save the file in Word")
RECORDINGS: Final = Kind("recording{s}")
CHARTS: Final = Kind("chart{s} without readable values")
DIAGRAMS: Final = Kind("diagram{s} without readable text")
FORMULAS: Final = Kind("formula{s}", "save the file as DOCX")
COMMENTS: Final = Kind("comment{s}", "keep them with the option comments")


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
        """Add other warnings."""
        self._messages += messages

    def warnings(self) -> tuple[str, ...]:
        """Return these warnings, then one for each kind."""
        return (*self._messages, *(_warning(kind, count) for kind, count in self._counts.items()))


def _warning(kind: Kind, count: int) -> str:
    named = kind.name.format(s="s" if count > 1 else "")
    advice = f": {kind.advice}" if kind.advice else ""
    return f"{count} {named} {'are' if count > 1 else 'is'} left out{advice}"
