"""Sources <-> paths as people type and read them, relative to the working folder, and what an address leads to."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from crosshead.citation import Citation, parse_citation
from crosshead.errors import OptionsError

if TYPE_CHECKING:
    from crosshead.index import Index, JoinedIndex
    from crosshead.types import Passage


class FileOfSource:
    """Finds the files of sources, and their paths from the working folder."""

    def __init__(self, root: str | Path) -> None:
        self._root = os.path.realpath(root)

    def of_index(self, index: str) -> FileOfSource:
        """Return itself: there is one index."""
        return self

    def path(self, source: str) -> str | None:
        """Return the whole path of a source's file; None if it has none, as a text or a file that is elsewhere."""
        path = os.path.join(self._root, source)
        return path if os.path.lexists(path) or _is_inside_file(path) else None

    def locate(self, source: str, citation: str) -> tuple[str, Citation]:
        """Return the path of the file that a citation names, and the citation; an error says why it has none."""
        for reading in parse_citation(citation):
            path = self.path(reading.source)
            if path and os.path.isfile(path):
                return path, reading
        path = self.path(source)
        if path:
            raise OptionsError(f"{source} is inside another file: crosshead show prints it")
        raise OptionsError(f"{source} has no file below {self._root}: crosshead show prints it")

    def shown(self, source: str) -> str:
        """Return the path from the working folder, or the whole path if that is shorter."""
        path = self.path(source)
        if path is None:
            return source
        try:
            return min(os.path.relpath(path), path, key=len)
        except ValueError:  # another drive
            return path

    def cite(self, source: str, citation: str) -> str:
        """Return a citation with the path from the working folder; it may name a file that the source includes."""
        if not citation.startswith(source):
            readings = (each.source for each in parse_citation(citation))
            source = next(filter(self.path, readings), citation)
        return self.shown(source) + citation.removeprefix(source)


class FilesOfIndexes(FileOfSource):
    """Finds the files of sources in several indexes, each with a root of its own."""

    def __init__(self, root: str | Path, roots: Mapping[str, str | Path]) -> None:
        """`roots` by what hits name as their index; `root` is for sources whose index is not known."""
        super().__init__(root)
        self._files = {index: FileOfSource(each) for index, each in roots.items()}

    def of_index(self, index: str) -> FileOfSource:
        """Return what finds the files of one index."""
        return self._files.get(index, self)


def files_of(index: Index | JoinedIndex) -> FileOfSource:
    """Return what finds the files of an index, or of several."""
    from crosshead.index import JoinedIndex

    return (
        FilesOfIndexes(index.root, index.roots_by_shown_index)
        if isinstance(index, JoinedIndex)
        else FileOfSource(index.root)
    )


def _is_inside_file(path: str) -> bool:
    from crosshead.formats import split_path  # slow to import, and most sources are files

    return split_path(path) is not None


def find_passage(index: Index | JoinedIndex, address: str) -> Passage | None:
    """Return the text that an address leads to; a path from the working folder comes before a source."""
    for citation in _in_index(index, address):
        if passage := index.passage(citation):
            return passage
    return None


def _in_index(index: Index | JoinedIndex, address: str) -> list[Citation]:
    from crosshead.indexing import source_of

    readings = parse_citation(address)
    return [
        each._replace(source=source)
        for each in readings
        for source in dict.fromkeys((*(source_of(each.source, root) for root in roots_of(index)), each.source))
    ]


def roots_of(index: Index | JoinedIndex) -> Iterable[Path]:
    """Return the folders that sources are relative to."""
    from crosshead.index import JoinedIndex

    return index.roots.values() if isinstance(index, JoinedIndex) else [index.root]


def refuse_position(index: Index | JoinedIndex, address: str) -> None:
    """Raise an error if an address names a document of the index but no part of it."""
    for citation in _in_index(index, address):
        for document in index.documents([citation.source]):
            raise OptionsError(
                f"{document.source} is in the index, but has no {_position(citation)}; "
                "it may have changed: search again"
            )


def read_address(address: str) -> Passage | None:
    """Return the text that an address leads to in a file that is not indexed; None if there is no such file."""
    from crosshead.formats import split_path

    for citation in parse_citation(address):
        if os.path.isfile(citation.source) or split_path(citation.source):
            return _quote_file(citation)
    return None


def _quote_file(citation: Citation) -> Passage:
    from crosshead.indexing import sections_of
    from crosshead.options import ChunkOptions
    from crosshead.pipeline import read
    from crosshead.search import cited_span, quote_span
    from crosshead.tokens import get_counter
    from crosshead.types import StoredDocument

    document = read(citation.source, source=citation.source)
    sections = {each.id: each for each in sections_of(document.root, document.id)}
    stored = StoredDocument(
        document.id, document.source, document.format, document.title, document.text, "", document.content_hash, "",
        document.front_matter, document.pages, document.lines,
    )  # fmt: skip
    span = cited_span(stored, sections, citation)
    if span is None:
        raise OptionsError(f"{citation.source} has no {_position(citation)}")
    return quote_span(stored, sections, span, get_counter(ChunkOptions().tokenizer), chunk_ids=[])


def _position(citation: Citation) -> str:
    """Return the position of a citation in words."""
    position = citation.position.strip(" :")
    if citation.unit == "lines":
        return f"line {position}" if citation.first == citation.last else f"lines {position}"
    return f"section {citation.section}" if citation.section else position or "text"
