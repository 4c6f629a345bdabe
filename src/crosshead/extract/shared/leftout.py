"""What a reader leaves out, counted: one warning for each kind says it, however often it happens."""

from __future__ import annotations

import logging
from collections import Counter
from typing import Final

logger = logging.getLogger("crosshead")

PICTURES: Final = "picture{s} without an alternative text"
OBJECTS: Final = "embedded object{s}"
RECORDINGS: Final = "recording{s}"
CHARTS: Final = "chart{s} without values that can be read"
DIAGRAMS: Final = "diagram{s} without a text that can be read"
COMMENTS: Final = "comment{s} (the option comments keeps them)"


class LeftOut:
    """Counts what is left out of one document."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def add(self, kind: str, count: int = 1) -> None:
        """Count something; in the name of its kind `{s}` is where the plural has an s."""
        if count:
            self._counts[kind] += count

    def report(self) -> None:
        """Write a warning for each kind."""
        for kind, count in self._counts.items():
            named = kind.format(s="s" if count > 1 else "")
            logger.warning("%d %s %s left out", count, named, "are" if count > 1 else "is")
