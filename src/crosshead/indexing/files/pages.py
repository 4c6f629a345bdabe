"""The pages of an indexed file, and where they show a text of its document."""

from __future__ import annotations

from itertools import accumulate
from typing import NamedTuple

from crosshead.errors import OptionsError, OriginalMissing, about
from crosshead.formats import PDF, check_pages, draw_page, locate_on_pages, view_page
from crosshead.indexing.files.original import Original, find_original
from crosshead.indexing.files.printed import pdf_of
from crosshead.indexing.opened import OpenedIndex
from crosshead.types import Chunk, Hit, Location, PageView, Passage, PictureSize, StoredDocument, TextSpan


class PagedFile(NamedTuple):
    """The pages of a document; its file is read when one of them is asked for."""

    document: StoredDocument
    original: Original
    pdf: bytes = b""
    """Printed from the file, unless that is a PDF; empty until then."""

    def printed(self) -> PagedFile:
        """Return the same with its PDF, so that another process need not print it."""
        with about(self.document.source):
            return self if self.pdf or self.original.format == PDF else self._replace(pdf=pdf_of(self.original))

    def locate(self, span: TextSpan) -> Location:
        """Return where a part of the text is seen."""
        with about(self.document.source):
            return locate_on_pages(self._read(), self.document, *_inside(span, self.document))

    def view(self, page: int, span: TextSpan | None = None) -> PageView:
        """Return the size of a page, and what it shows of a part of the text; page 0 is the first one that does."""
        with about(self.document.source):
            return view_page(self._read(), self.document, page, *_inside(span, self.document))

    def draw(self, page: int, size: PictureSize, span: TextSpan | None = None) -> bytes:
        """Return the picture of a page as PNG, with marks where it shows a part of the text."""
        with about(self.document.source):
            return draw_page(self._read(), self.document, page, size, *_inside(span, self.document))

    def _read(self) -> bytes:
        return self.printed().pdf or self.original.read()


def open_pages(index: OpenedIndex, document: StoredDocument, *, below_root: bool = False) -> PagedFile:
    """Return the pages of a document; raise `NoSuchPage` if it has none, and what `find_original` raises."""
    with about(document.source):
        check_pages(document.format)
    return PagedFile(document, find_original(index, document, below_root=below_root))


def _inside(span: TextSpan | None, document: StoredDocument) -> tuple[int, int]:
    if span is None:
        return 0, 0
    if not 0 <= span.start < span.end <= len(document.text):
        reason = f"{span.start}-{span.end} is not a part of its {len(document.text):,} characters"
        raise OptionsError(reason, document.source)
    return span.start, span.end


def locate_text(index: OpenedIndex, text: Hit | Passage | Chunk | TextSpan) -> Location:
    """Return where a text is seen on the pages of its file."""
    id = text.chunk.document_id if isinstance(text, Hit) else text.document_id
    document = next(iter(index.store.documents([id])), None)
    if document is None:
        raise OriginalMissing(f"the index has no document {id}")
    return open_pages(index, document).locate(span_of(text, document))


def span_of(text: Hit | Passage | Chunk | TextSpan, document: StoredDocument) -> TextSpan:
    """Return the part of its document that a text is; a passage is made of whole lines."""
    if not isinstance(text, Passage):
        return text if isinstance(text, TextSpan) else TextSpan(document.id, text.start, text.end)
    offsets = [0, *accumulate(len(line) + 1 for line in document.text.split("\n"))]
    return TextSpan(document.id, offsets[text.start_line - 1], min(offsets[text.end_line], len(document.text)))
