"""How far work has come -> what is said about it, with the rate and the time left.

Indexing goes by the texts that are embedded: that is what takes long. While documents are still read, those to come are
expected to bring as many texts as the others did.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from crosshead.index import Progress


class Pace:
    """How quickly one thing after the other gets done."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._since = clock()
        """When the first was begun, as far as is known."""
        self._begun = False

    def tell(self, done: int, total: int) -> str:
        """Say how many are done, how many that is in a second, and how long the rest will take."""
        return f"{done:,} of {total:,}{self._tell_rate(done, total)}"

    def tell_indexing(self, progress: Progress) -> str:
        """Say how far indexing has come; how many texts there are is known when all documents are read."""
        documents, texts = progress.documents_done, progress.texts_embedded
        rate = self._tell_rate(texts, expected_texts(progress))
        if documents < progress.documents_total or not progress.texts_total:
            embedded = f", {texts:,} texts embedded" if texts else ""
            return f"{documents:,} of {progress.documents_total:,} documents read{embedded}{rate}"
        return f"{texts:,} of {progress.texts_total:,} texts embedded{rate}"

    def _tell_rate(self, done: int, expected: int) -> str:
        now = self._clock()
        if not self._begun:
            self._begun = done > 0
            if not done:
                self._since = now
        seconds = now - self._since
        if not 0 < done < expected or seconds <= 0:
            return ""
        left = timedelta(seconds=round((expected - done) * seconds / done))
        return f", {done / seconds:,.0f}/s, {left} left"


def expected_texts(progress: Progress) -> int:
    """Return how many texts there will be in all."""
    done, total = progress.documents_done, progress.documents_total
    return progress.texts_total * total // done if 0 < done < total else progress.texts_total
