"""How far long work has come: its rate, the time that is left, and where this is shown."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from crosshead.cli.terminal.output import print_done, shows_progress

if TYPE_CHECKING:
    from crosshead.indexing import Progress

SECONDS_BETWEEN_LINES: Final = 10.0
"""Where progress goes into a log."""


class Pace:
    """The rate at which items are done."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._since = clock()
        """When work on the first item began."""
        self._begun = False

    def tell(self, done: int, total: int) -> str:
        """Return how many items are done, the rate, and the time that is left."""
        return f"{done:,} of {total:,}{self._rate(done, total)}"

    def tell_indexing(self, progress: Progress) -> str:
        """Return how far indexing has come; the number of texts is known when all documents are read."""
        documents, texts = progress.documents_done, progress.texts_embedded
        rate = self._rate(texts, expected_texts(progress))
        if documents < progress.documents_total or not progress.texts_total:
            embedded = f", {texts:,} texts embedded" if texts else ""
            return f"{documents:,} of {progress.documents_total:,} documents read{embedded}{rate}"
        return f"{texts:,} of {progress.texts_total:,} texts embedded{rate}"

    def _rate(self, done: int, expected: int) -> str:
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
    """Return an estimate of how many texts there will be in all."""
    done, total = progress.documents_done, progress.documents_total
    return progress.texts_total * total // done if 0 < done < total else progress.texts_total


@contextmanager
def indexing_progress() -> Iterator[Callable[[Progress], None]]:
    """Show the progress of indexing on standard error: a bar on a terminal, else a line every few seconds."""
    if not shows_progress():
        yield _print_lines()
        return
    from crosshead.cli.views.indexing import shown_progress

    with shown_progress() as show:
        yield show


def _print_lines() -> Callable[[Progress], None]:
    pace, next_line = Pace(), time.monotonic() + SECONDS_BETWEEN_LINES

    def show(progress: Progress) -> None:
        nonlocal next_line
        line = pace.tell_indexing(progress)
        if time.monotonic() >= next_line:
            print_done(f"indexing: {line}", err=True)
            next_line = time.monotonic() + SECONDS_BETWEEN_LINES

    return show
