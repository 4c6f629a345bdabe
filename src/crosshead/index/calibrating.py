"""Calibrate an open index, and say when it is time to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from crosshead import search
from crosshead.errors import OptionsError
from crosshead.index.searching import searcher_of
from crosshead.types import CALIBRATION, Calibration

if TYPE_CHECKING:
    from crosshead.indexing import OpenedIndex
    from crosshead.search import OnAsked

QUESTIONS: Final = 900
"""Made-up questions of a calibration."""
FEWER_QUESTIONS: Final = 300
"""The same during `index`, which users wait for."""
FALSE_ALARMS: Final = 0.05
OF_SERVERS: Final = ("ollama:", "openai:")
"""Embedders that cost time or money for every question."""
GROWTH: Final = 1.5
"""Growth of the number of chunks after which an index is calibrated again."""


def calibrate_index(
    index: OpenedIndex,
    *,
    asked: Sequence[str] = (),
    false_alarms: float = FALSE_ALARMS,
    questions: int = QUESTIONS,
    on_asked: OnAsked | None = None,
) -> Calibration | None:
    """Calibrate an index, and store the calibration; None if it holds too little text for a promise."""
    if not (isinstance(false_alarms, int | float) and 0.0 < false_alarms < 1.0):
        raise OptionsError(f"false_alarms={false_alarms!r} must be a share between 0 and 1, such as 0.05")
    made = search.Calibrator(searcher_of(index)).calibrate(questions, asked, false_alarms, on_asked)
    if made or CALIBRATION in index.store.settings:
        setting = made.to_json() if made else {"chunks": index.store.contents().chunks}
        with index.lock():
            index.store.change_setting(CALIBRATION, setting)
    return made


def needs_calibration(index: OpenedIndex, *, is_new: bool) -> bool:
    """Return whether an index is new, or has grown by half since it was calibrated, and can be calibrated now.

    An index that never was stays so until its user asks for it, and so does one whose questions a server embeds.
    """
    stored = index.store.settings.get(CALIBRATION)
    if (stored is None and not is_new) or index.store.settings["embedder"].startswith(OF_SERVERS):
        return False
    counts = index.store.contents()
    return not counts.pending and counts.chunks >= GROWTH * (stored or {}).get("chunks", 0)
