"""The indexes of all parts, opened; those that are missing are made with the settings of the first."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any, NamedTuple

from crosshead.indexing.adding import OF_ONE_INDEX, AddRequest, open_to_add
from crosshead.indexing.files.sources import Sources
from crosshead.indexing.opened import IndexSettings, OpenedIndex, check_settings
from crosshead.store import Parts, open_store
from crosshead.types import CALIBRATION


class PartedIndex(NamedTuple):
    """All parts of an index."""

    parts: Parts
    opened: list[OpenedIndex]
    settings: IndexSettings
    """Those that the caller names."""

    @property
    def first(self) -> OpenedIndex:
        """The first part, whose settings all have."""
        return self.opened[0]

    def close(self) -> None:
        """Close all parts."""
        with ExitStack() as closing:
            for each in self.opened:
                closing.callback(each.close)


def open_parts(
    parts: Parts,
    settings: IndexSettings,
    request: AddRequest,
    *,
    may_differ: bool = False,
    wait_seconds: float = 0,
    offer_model: Callable[[str], None] | None = None,
) -> tuple[PartedIndex, Sources | None]:
    """Open all parts, and make those that are missing; for a new index, also return the documents to add.

    With `may_differ`, they may have other settings than those that the caller names.
    """
    index = PartedIndex(parts, [], settings)
    with ExitStack() as failed:
        failed.callback(index.close)
        opened, found = open_to_add(
            parts.locations[0],
            settings,
            request,
            may_be_empty=False,
            wait_seconds=wait_seconds,
            offer_model=offer_model,
        )
        index.opened.append(opened)
        if not may_differ:
            check_settings(opened.store, settings)
        own = (*OF_ONE_INDEX, CALIBRATION)
        stored = {name: value for name, value in opened.store.settings.items() if name not in own}
        for location in parts.locations[1:]:
            index.opened.append(_open(location, stored, settings, wait_seconds))
        failed.pop_all()
    return index, found


def _open(location: str, stored: dict[str, Any], settings: IndexSettings, wait_seconds: float) -> OpenedIndex:
    open_store(location, create=stored).close()
    return OpenedIndex(
        location, settings, create=False, may_differ=True, find_documents=lambda: (), wait_seconds=wait_seconds
    )
