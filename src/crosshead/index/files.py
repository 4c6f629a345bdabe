"""What one index holds: its documents, their files, and its status."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from crosshead import indexing
from crosshead.index.lookup import Lookup
from crosshead.types import Chunk, Hit, ListedDocument, Location, Passage, Status, TextSpan

if TYPE_CHECKING:
    from crosshead.indexing import CurrentIndex, FigureFile, Original, PagedFile


class Files(Lookup):
    """The part of `Index` that lists documents and reads their files."""

    _current: CurrentIndex

    def original(self, document_id: str, *, below_root: bool = False) -> Original | None:
        """Return the file of a document, or None if the index has no document with this id; `read()` returns its bytes.

        Raises `OriginalMissing` if there is no file, `OriginalChanged` if it is not what was indexed, and, with
        `below_root`, `OutsideRoot` if the file is outside the root of the index.
        """
        document = self.document(document_id)
        return document and indexing.find_original(self._current.opened, document, below_root=below_root)

    def pages(self, document_id: str, *, below_root: bool = False) -> PagedFile | None:
        """Return the pages of a document, or None if the index has no document with this id.

        `view(n)` returns the size of a page, `draw(n, size)` its picture as PNG; with a span, also where they show it.
        Raises `NoSuchPage` if the document has no pages, and what `original` raises.
        """
        document = self.document(document_id)
        return document and indexing.open_pages(self._current.opened, document, below_root=below_root)

    def figures(self, document_id: str, *, below_root: bool = False) -> FigureFile | None:
        """Return the pictures of a document, or None if the index has no document with this id.

        `list()` returns them in order with their captions and places, `read(n)` the bytes of one. They are read
        from the file of the document; those that it only names must be in files below the root. `read` raises
        `NoSuchFigure` if there is no such picture, or it cannot be shown, and both raise what `original` raises.
        """
        document = self.document(document_id)
        return document and indexing.open_figures(self._current.opened, document, below_root=below_root)

    def locate(self, text: Hit | Passage | Chunk | TextSpan) -> Location:
        """Return where a text is seen on the pages of its file: a rectangle for each of its lines or cells.

        Raises what `pages` raises.
        """
        return indexing.locate_text(self._current.opened, text)

    def documents(self, sources: Iterable[str] | None = None) -> Iterator[ListedDocument]:
        """Yield documents by source, with their sizes: all of them, or those with one of these sources."""
        return indexing.list_documents(self._current.read, sources)

    def status(self) -> Status:
        """Return what the index holds."""
        return self._current.read(indexing.status_of)

    @property
    def questions_file(self) -> Path:
        """The file to which ratings of hits and answers are added; `crosshead eval` reads it as questions."""
        return indexing.questions_file(self._current.opened)
