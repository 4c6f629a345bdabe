"""The pictures of an indexed file."""

from __future__ import annotations

import os
from typing import NamedTuple

from crosshead import pipeline
from crosshead.errors import about
from crosshead.formats import Nearby, PicturedFile, find_figures, read_figure, split_path
from crosshead.indexing.files.original import Original, find_original
from crosshead.indexing.files.pages import span_of
from crosshead.indexing.opened import OpenedIndex
from crosshead.types import Chunk, Figure, FigureImage, Hit, Passage, StoredDocument, TextSpan


class FigureFile(NamedTuple):
    """The pictures of a document; its file is read when they are asked for."""

    document: StoredDocument
    original: Original
    root: str
    """Pictures that the document names are only taken from files below."""

    def list(self, text: Hit | Passage | Chunk | TextSpan | None = None) -> list[Figure]:
        """Return the pictures in order, with their captions: all of them, or those in a part of its text."""
        with about(self.document.source):
            found = find_figures(self._pictured())
        span = span_of(text, self.document) if text else None
        return [each for each in found if span is None or span.start <= each.start < span.end]

    def read(self, number: int) -> FigureImage:
        """Return a picture by its number; raise `NoSuchFigure` if there is none, or none that can be shown."""
        with about(self.document.source):
            return read_figure(self._pictured(), number)

    def _pictured(self) -> PicturedFile:
        blocks = pipeline.reopen(self.document).blocks
        code = [(each.start, each.end) for block in blocks for each in (block, *block.atoms) if each.kind == "code"]
        path = self.original.path
        nearby = None if _is_inside(path) else Nearby(self.root, path)
        return PicturedFile(self.original.read(), self.document, code, nearby)


def open_figures(index: OpenedIndex, document: StoredDocument, *, below_root: bool = False) -> FigureFile:
    """Return the pictures of a document; raise what `find_original` raises."""
    return FigureFile(document, find_original(index, document, below_root=below_root), str(index.root))


def _is_inside(path: str) -> bool:
    """Return whether a path leads into an archive."""
    return not os.path.exists(path) and split_path(path) is not None
