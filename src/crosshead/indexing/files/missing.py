"""Documents whose files are missing -> those to remove, and those to keep until the user allows it.

A disk that is not mounted looks like a folder whose files were deleted. So nothing is removed if all known documents
below a path are missing, or more than half of a larger index. Renamed files do not count.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final, NamedTuple

from crosshead.indexing.files.sources import lies_in

LARGE_INDEX: Final = 20
"""From this many documents on, more than half of them are not removed without asking."""
HOW_TO_ALLOW: Final = "restore them, or remove them with --yes (allow_removal=True)"


class Removal(NamedTuple):
    """Which documents to remove and which to keep."""

    removed: list[str]
    kept: list[str]
    reasons: list[str]
    """Messages that say why some are kept."""


def guard_removal(
    missing: Sequence[str], lost: Collection[str], known: Collection[str], searched: Iterable[str]
) -> Removal:
    """Decide about missing documents; the content of those that are `lost` is in no other file."""
    if len(known) >= LARGE_INDEX and 2 * len(lost) > len(known):
        reason = f"{len(lost):,} of {len(known):,} documents are missing; none were removed: {HOW_TO_ALLOW}"
        return Removal([], [*missing], [reason])
    emptied = {folder: count for folder in searched if (count := _count_if_all(folder, lost, known))}
    return Removal(
        removed=[source for source in missing if not lies_in(source, emptied)],
        kept=[source for source in missing if lies_in(source, emptied)],
        reasons=[_reason(folder, count) for folder, count in emptied.items()],
    )


def _reason(folder: str, count: int) -> str:
    documents = "the only document" if count == 1 else f"all {count:,} documents"
    return f"{folder}: {documents} there {'is' if count == 1 else 'are'} missing; none were removed: {HOW_TO_ALLOW}"


def _count_if_all(folder: str, lost: Collection[str], known: Collection[str]) -> int:
    """Return the number of known documents in a folder if all of them are lost, else 0."""
    below = [source for source in known if lies_in(source, [folder])]
    return len(below) if folder not in known and all(source in lost for source in below) else 0
