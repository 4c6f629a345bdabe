"""An open index that follows changes of its settings, which this or another process makes.

Work that a change interrupts is done again on the index as it is then. A search could otherwise look up chunks that no
longer exist, or compare vectors of two models.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

from crosshead.errors import IndexChanged, StoreError
from crosshead.indexing.opened import IndexSettings, OpenedIndex

if TYPE_CHECKING:
    from crosshead.indexing.change.run import ChangeResult

T = TypeVar("T")
Work = Callable[[OpenedIndex], T]


class CurrentIndex:
    """An index as it is now; threads may share it."""

    def __init__(self, opened: OpenedIndex) -> None:
        self.opened = opened
        self._reopening = Lock()
        self._is_closed = False

    def close(self) -> None:
        """Close the store; work that is asked for later is an error."""
        self._is_closed = True
        self.opened.close()

    def read(self, work: Work[T]) -> T:
        """Return the result of reading."""
        self._check_open()
        while True:
            index = self.opened
            try:
                result = work(index)
                index.store.check_current()
            except StoreError as error:
                if not isinstance(error, IndexChanged) and not _is_changed(index):
                    raise
            else:
                return result
            self._reopen(index)

    def write(self, work: Work[T]) -> T:
        """Return the result of writing, which starts again after a change: what it wrote before is unchanged then."""
        self._check_open()
        while True:
            index = self.opened
            try:
                return work(index)
            except IndexChanged:
                self._reopen(index)

    def change(self, named: IndexSettings, **options: Any) -> ChangeResult:
        """Change the settings to those that the caller names; the options are those of `change_index`."""
        from crosshead.indexing.change.run import change_index  # a search does without

        self._check_open()
        self.opened, result = change_index(self.opened, named, **options)
        return result

    def _check_open(self) -> None:
        if self._is_closed:
            raise StoreError(f"{self.opened.location}: this index is closed: open it again with crosshead.Index(...)")

    def _reopen(self, index: OpenedIndex) -> None:
        with self._reopening:
            if self.opened is index:
                self.opened = index.reopened()


def _is_changed(index: OpenedIndex) -> bool:
    """Return whether an error may come from a change that is complete now."""
    try:
        index.store.check_current()
    except IndexChanged:
        return True
    except StoreError:
        return False
    return False
