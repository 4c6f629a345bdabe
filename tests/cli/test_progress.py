"""What is said about the progress of indexing."""

from __future__ import annotations

from crosshead.cli.terminal.progress import Pace
from crosshead.index import Progress


class Clock:
    """Shows the time that it is set to."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_rate_and_time_left_go_by_texts_and_not_by_the_reading_before_them() -> None:
    clock = Clock()
    pace = Pace(clock)
    assert pace.tell_indexing(Progress(9, 10, 0, 800)) == "9 of 10 documents read"
    clock.now = 160.0
    assert pace.tell_indexing(Progress(10, 10, 0, 900)) == "0 of 900 texts embedded"
    clock.now = 170.0
    assert pace.tell_indexing(Progress(10, 10, 300, 900)) == "300 of 900 texts embedded, 30/s, 0:00:20 left"
    assert pace.tell_indexing(Progress(10, 10, 900, 900)) == "900 of 900 texts embedded"


def test_documents_to_come_bring_texts_as_the_others_did() -> None:
    clock = Clock()
    pace = Pace(clock)
    clock.now = 110.0
    told = pace.tell_indexing(Progress(100, 1_000, 200, 200))
    assert told == "100 of 1,000 documents read, 200 texts embedded, 20/s, 0:01:30 left"


def test_where_nothing_is_embedded_the_documents_are_told() -> None:
    assert Pace().tell_indexing(Progress(10, 10, 0, 0)) == "10 of 10 documents read"


def test_anything_can_be_counted() -> None:
    clock = Clock()
    pace = Pace(clock)
    assert pace.tell(0, 5_000) == "0 of 5,000"
    clock.now = 110.0
    assert pace.tell(1_000, 5_000) == "1,000 of 5,000, 100/s, 0:00:40 left"
