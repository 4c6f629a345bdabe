"""Documents whose files are gone -> those that are removed, and those that are kept until somebody allows it.

A disk that is not mounted looks like a folder whose files were deleted. Where that may have happened nothing is
removed: all that is known below a path would go, or more than half of a larger index. A file that only got another name
does not count.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final, NamedTuple

from crosshead.indexing.files.sources import lies_in

LARGE_INDEX: Final = 20
"""Documents of files from which on half of an index is too much to be removed unasked."""
HOW_TO_ALLOW: Final = "restore it, or allow it with --yes (allow_removal=True)"


class Removal(NamedTuple):
    """What becomes of the documents whose files are gone."""

    removed: list[str]
    kept: list[str]
    reasons: list[str]
    """Why some are kept, for people."""


def guard_removal(gone: Sequence[str], lost: Collection[str], known: Collection[str], places: Iterable[str]) -> Removal:
    """Decide about what is gone; `lost` are those of it whose content is in no other file."""
    if len(known) >= LARGE_INDEX and 2 * len(lost) > len(known):
        told = f"{len(lost):,} of {len(known):,} documents are gone; none was removed: {HOW_TO_ALLOW}"
        return Removal([], [*gone], [told])
    emptied = {place: count for place in places if (count := _count_if_all(place, lost, known))}
    return Removal(
        removed=[source for source in gone if not lies_in(source, emptied)],
        kept=[source for source in gone if lies_in(source, emptied)],
        reasons=[_told(place, count) for place, count in emptied.items()],
    )


def _told(place: str, count: int) -> str:
    documents = "1 document" if count == 1 else f"{count:,} documents"
    return f"{place}: all that is known there is gone ({documents}); nothing was removed: {HOW_TO_ALLOW}"


def _count_if_all(place: str, lost: Collection[str], known: Collection[str]) -> int:
    """Return how many documents are known below a place if all of them are lost; a file is no such place."""
    below = [source for source in known if lies_in(source, [place])]
    return len(below) if place not in known and all(source in lost for source in below) else 0
