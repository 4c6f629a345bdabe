"""What is said about the progress of indexing."""

from __future__ import annotations

from crosshead.cli.pace import Pace
from crosshead.index import Progress


class Clock:
    """Shows the time that it is set to."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_rate_and_time_left_go_by_texts_and_not_by_the_reading_before_them() -> None:
    clock = Clock()
    pace = Pace(clock)
    clock.now = 160.0
    assert pace.tell(Progress(10, 10, 0, 900)) == "10 of 10 documents, 0 of 900 texts embedded"
    clock.now = 170.0
    told = pace.tell(Progress(10, 10, 300, 900))
    assert told == "10 of 10 documents, 300 of 900 texts embedded, 30 a second, 0:00:20 left"


def test_documents_to_come_bring_texts_as_the_others_did() -> None:
    clock = Clock()
    pace = Pace(clock)
    clock.now = 110.0
    told = pace.tell(Progress(100, 1_000, 200, 200))
    assert told == "100 of 1,000 documents, 200 of 200 texts embedded, 20 a second, 0:01:30 left"
