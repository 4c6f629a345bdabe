"""The parts of a joined index as they are now; threads may share them.

A search is done with all parts. If some of them fail, it is done again without these, so that its scores are those of
an index with what the others hold; it says which are missing. They are asked again by the next search.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from crosshead import indexing
from crosshead.embedding import get_embedder
from crosshead.errors import CorruptIndex, IncompleteIndex, IndexNotFound, IndexReplaced, StoreError
from crosshead.index.joined.models import OpenedParts
from crosshead.store import JoinedStore, Model, Part, PartFailure, PartsFailed
from crosshead.types import Embedder, MissingIndex

T = TypeVar("T")


class CurrentParts:
    """Several indexes that follow the changes of each."""

    def __init__(
        self,
        find_parts: Callable[[], Sequence[Part]],
        *,
        seconds: float,
        require_all: bool,
        embedders: Sequence[Callable[[], Embedder]],
    ) -> None:
        """`find_parts` returns all parts that there are now.

        `embedders` are those of open indexes, which may be the caller's own.
        """
        self._find_parts = find_parts
        self._seconds = seconds
        self._require_all = require_all
        self._embedders = embedders
        self._known: dict[Model, Embedder] = {}
        self._is_closed = False

    def close(self) -> None:
        """Make what is asked for later an error."""
        self._is_closed = True

    def read(self, work: Callable[[OpenedParts], T], /) -> T:
        """Return the result of reading the parts that answer."""
        if self._is_closed:
            raise StoreError("these indexes are closed: join them again")
        missing: dict[Part, MissingIndex] = {}
        reopened: set[Part] = set()
        known = self._find_parts()
        while True:
            parts = [each for each in known if each not in missing]
            if not parts or (missing and self._require_all):
                raise _incomplete([*missing.values()], len(known))
            try:
                index = OpenedParts(JoinedStore(parts, self._seconds), [*missing.values()], self._find_embedder)
                result = work(index)
                index.store.check_current()
            except PartsFailed as failed:
                for failure in failed.failures:
                    if not _opens_again(failure, reopened):
                        missing[failure.part] = MissingIndex(failure.part.name, _reason(failure))
            else:
                return result

    def _find_embedder(self, model: Model, location: str) -> Embedder:
        key = model._replace(start=0, end=0)
        if key not in self._known:
            own = (each() for each in self._embedders)
            found = next((each for each in own if (each.name, each.revision) == (model.name, model.revision)), None)
            self._known[key] = found or indexing.check_revision(get_embedder(model.name), model.revision, location)
        return self._known[key]


def _opens_again(failure: PartFailure, reopened: set[Part]) -> bool:
    """Open a part again, if its files were replaced; return whether it is worth asking it again at once."""
    if isinstance(failure.error, IndexReplaced | IndexNotFound | CorruptIndex):
        failure.part.reopen()
    is_first = isinstance(failure.error, IndexReplaced) and failure.part not in reopened
    reopened.add(failure.part)
    return is_first


def _reason(failure: PartFailure) -> str:
    return str(failure.error).removeprefix(f"{failure.part.name}: ")


def _incomplete(missing: Sequence[MissingIndex], count: int) -> IncompleteIndex:
    reasons = "; ".join(f"{each.index}: {each.reason}" for each in missing)
    return IncompleteIndex(f"{len(missing)} of {count} indexes could not be searched: {reasons}")
