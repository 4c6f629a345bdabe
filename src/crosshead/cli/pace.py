"""How far indexing has come -> what is said about it, with the rate and the time left.

Both go by the texts that are embedded: that is what takes long. While documents are still read, those to come are
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
    """One run of indexing."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._since = clock()
        """When the first text was begun, as far as is known."""
        self._begun = False

    def tell(self, progress: Progress) -> str:
        """Say how far it has come."""
        documents, texts, now = progress.documents_done, progress.texts_embedded, self._clock()
        if not self._begun:
            self._begun = texts > 0
            if not texts:
                self._since = now
        told = f"{documents:,} of {progress.documents_total:,} documents, {texts:,} of {progress.texts_total:,} texts"
        seconds = now - self._since
        if not texts or seconds <= 0:
            return f"{told} embedded"
        left = timedelta(seconds=round((expected_texts(progress) - texts) * seconds / texts))
        return f"{told} embedded, {texts / seconds:,.0f} a second, {left} left"


def expected_texts(progress: Progress) -> int:
    """Return how many texts there will be in all."""
    done, total = progress.documents_done, progress.documents_total
    return progress.texts_total * total // done if 0 < done < total else progress.texts_total
