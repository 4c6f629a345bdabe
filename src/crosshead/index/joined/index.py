"""The facade over several indexes: everything of `Index` that only reads."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from itertools import count
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final, TypeVar

from crosshead import indexing, search
from crosshead.citation import Citation, parse_citation
from crosshead.errors import CrossheadError, OptionsError
from crosshead.ids import document_id, location_mark, split_id, with_mark
from crosshead.index.joined.current import CurrentParts
from crosshead.index.joined.locations import expand_locations
from crosshead.index.joined.models import OpenedParts
from crosshead.index.lookup import Lookup
from crosshead.index.reading import ReadableIndex
from crosshead.index.searching import Searching
from crosshead.options import PART_SECONDS, check_types
from crosshead.store import Part, find_parts, is_pattern, open_store, public_location
from crosshead.types import (
    CALIBRATIONS,
    Answer,
    Chunk,
    Hit,
    ListedDocument,
    Location,
    MissingIndex,
    Passage,
    ReadableStore,
    Status,
    StoredDocument,
    TextSpan,
)

if TYPE_CHECKING:
    from crosshead.index.index import Index
    from crosshead.indexing import FigureFile, Original, PagedFile
    from crosshead.search import Searcher


T = TypeVar("T")

LOOK_SECONDS: Final = 5.0
"""How often to look for new indexes that match a pattern."""


class JoinedIndex(Searching, Lookup):
    """Several indexes, searched as one; `Index.join` makes it. To write, open one of them."""

    _current: CurrentParts

    def __init__(
        self,
        indexes: Sequence[str | Path | Index],
        *,
        part_seconds: float = PART_SECONDS,
        require_all: bool = False,
        engine: indexing.EngineName = "local",
        ray_address: str | None = None,
    ) -> None:
        """Join indexes; `Index.join` explains the arguments."""
        given = [indexes] if isinstance(indexes, str | Path) else [*indexes]
        if not given:
            raise OptionsError("no index is named: give folders, URLs or patterns of them")
        if not (isinstance(part_seconds, int | float) and part_seconds > 0):
            raise OptionsError(f"part_seconds={part_seconds!r} must be a number above 0")
        indexing.check_engine(engine)
        self._cluster = indexing.StoreCluster(ray_address, part_seconds) if engine == "ray" else None
        self._patterns = [each for each in given if isinstance(each, str | Path) and is_pattern(each)]
        self._looking = Lock()
        self._next_look = time.monotonic() + LOOK_SECONDS
        self._indexes: dict[str, Index] = {}
        """Those that are open as an `Index`, by their names."""
        self._urls: dict[str, str] = {}
        self._opened = ExitStack()
        self._parts: dict[str, Part] = {}
        self._is_one = len(given) == 1
        for each in given:
            self._add(each)
        if self._cluster:
            self._cluster.start([*self._urls.values()])
        self._current = CurrentParts(
            self._find_parts,
            seconds=part_seconds,
            require_all=require_all,
            embedders=[partial(getattr, each, "embedder") for each in self._indexes.values()],
        )

    def __enter__(self) -> JoinedIndex:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the indexes that this has opened."""
        self._current.close()
        self._opened.close()
        for name in self._urls:
            self._parts[name].close()
        if self._cluster:
            self._cluster.close()

    @property
    def locations(self) -> list[str]:
        """The locations of all indexes."""
        return [*self._parts]

    @property
    def location(self) -> str:
        """The locations as one text."""
        return ", ".join(self._parts)

    def missing(self) -> list[MissingIndex]:
        """Return which indexes cannot be searched now, and why."""
        return self._current.read(lambda index: [*index.missing])

    @property
    def roots(self) -> dict[str, Path]:
        """The roots of the indexes that can be read, by location."""
        found = self._current.read(lambda index: index.store.settings_by_location)
        return {name: Path(own.get("root") or indexing.default_root(name)) for name, own in found.items()}

    @property
    def roots_by_shown_index(self) -> dict[str, Path]:
        """The same roots by what hits name in `index`."""
        return {self._parts[name].shown: root for name, root in self.roots.items()}

    @property
    def root(self) -> Path:
        """The innermost folder around the roots of all indexes."""
        return Path(os.path.commonpath([os.path.abspath(each) for each in self.roots.values()]))

    def status(self) -> Status:
        """Return what the indexes hold together."""
        root = str(self.root)
        return self._current.read(lambda index: _status(index.store, root))

    # ------------------------------------------------------------------ documents and their files

    def documents(self, sources: Iterable[str] | None = None) -> Iterator[ListedDocument]:
        """Yield documents of the indexes that can be read, with the location of each: all, or some by their sources."""
        wanted = [sources] if isinstance(sources, str) else None if sources is None else [*sources]
        for location in self.roots:
            for each in self._index_at(location).documents(wanted):
                yield each._replace(location=location)

    def original(self, document_id: str, *, below_root: bool = False) -> Original | None:
        """Return the file of a document, as `Index.original` does."""
        return self._of_document(document_id, lambda index, id: index.original(id, below_root=below_root))

    def pages(self, document_id: str, *, below_root: bool = False) -> PagedFile | None:
        """Return the pages of a document, as `Index.pages` does."""
        return self._of_document(document_id, lambda index, id: index.pages(id, below_root=below_root))

    def figures(self, document_id: str, *, below_root: bool = False) -> FigureFile | None:
        """Return the pictures of a document, as `Index.figures` does."""
        return self._of_document(document_id, lambda index, id: index.figures(id, below_root=below_root))

    def locate(self, text: Hit | Passage | Chunk | TextSpan) -> Location:
        """Return where a text is seen on the pages of its file, as `Index.locate` does."""
        id = text.chunk.document_id if isinstance(text, Hit) else text.document_id
        document, location = self.document(id), self.index_of(id)
        if document is None or not location:
            raise OptionsError("this text is of a document that the indexes do not have")
        span = indexing.span_of(text, document)
        return self._index_at(location).locate(span._replace(document_id=split_id(id)[0]))

    def passage(self, citation: str | Citation, index: str = "") -> Passage | None:
        """Return the text that a citation leads to, as `Index.passage` does: in the index at a location, or else in
        the first that has it."""
        check_types(str | Citation, citation=citation)
        readings = [*parse_citation(citation)] if isinstance(citation, str) else [citation]

        def quote(parts: ReadableIndex) -> Passage | None:
            store, count = parts.store, parts.count_tokens
            ids = ((each, id) for each in readings for id in self._ids_of(each.source))
            quotes = (search.quote_citation(store, each, count, document_id=id) for each, id in ids)
            return next((each for each in quotes if each and index in ("", each.index)), None)

        return self._current.read(quote)

    def _documents_cited(self, store: ReadableStore, answer: Answer) -> Iterable[StoredDocument]:
        """Return the documents that an answer cites; of several with a source, the one that it was made from."""
        cited = {each.source: each.document_hash for each in answer.citations}
        found: dict[str, StoredDocument] = {}
        for each in store.documents([id for source in cited for id in self._ids_of(source)]):
            if each.source not in found or each.content_hash == cited[each.source]:
                found[each.source] = each
        return found.values()

    def _ids_of(self, source: str) -> list[str]:
        """Return the ids that a document with a source may have."""
        plain = document_id(source)
        return [plain, *(with_mark(plain, location_mark(each)) for each in self.locations)]

    def _of_document(self, document_id: str, read: Callable[[Index, str], T]) -> T | None:
        location = self.index_of(document_id)
        return read(self._index_at(location), split_id(document_id)[0]) if location else None

    def index_of(self, document_id: str) -> str:
        """Return the location of the index that has a document; empty if none has it."""

        def find(index: OpenedParts) -> str:
            found: list[StoredDocument] = index.store.documents([document_id])
            return index.store.location_of(document_id) if found else ""

        return self._current.read(find)

    def _index_at(self, location: str) -> Index:
        """Return one of the indexes, opened."""
        from crosshead.index.index import Index  # it imports what joins indexes

        if location not in self._indexes:
            self._indexes[location] = self._opened.enter_context(Index(self._urls[location], create=False))
        return self._indexes[location]

    def _add(self, index: str | Path | Index) -> None:
        if not isinstance(index, str | Path):
            name = self._new_name(index.location)
            self._indexes[name] = index
            self._parts[name] = Part(name, partial(_store_of, index))
            return
        shown = self._shown(index)
        for location in expand_locations([index]):
            name = self._new_name(public_location(location))
            self._urls[name] = location
            opener = self._cluster.open if self._cluster else open_store
            self._parts[name] = Part(name, partial(opener, location), shown=shown)

    def _shown(self, location: str | Path) -> str | None:
        """Return what hits of an index in parts name: the whole, or nothing if there is no other index."""
        if not (is_pattern(location) and find_parts(location)):
            return None
        return "" if self._is_one else public_location(location)

    def _find_parts(self) -> list[Part]:
        """Return all parts; from time to time, look for indexes that match the patterns and did not before."""
        with self._looking:
            if self._patterns and time.monotonic() >= self._next_look:
                with suppress(CrossheadError):  # those that are known are asked, and named if they are missing
                    found = expand_locations(self._patterns)
                    for location in found:
                        if location not in self._urls.values():
                            self._add(location)
                self._next_look = time.monotonic() + LOOK_SECONDS
            return [*self._parts.values()]

    def _new_name(self, location: str) -> str:
        """Return a name for an index: two in one database may have the same public location."""
        if location not in self._parts:
            return location
        return next(name for number in count(2) if (name := f"{location} ({number})") not in self._parts)

    def _next_searcher(self, last: Searcher, index: ReadableIndex) -> Searcher:
        return last.on_store(index.store, index.piece_cutter, partial(getattr, index, "embedder"))


def _status(store: ReadableStore, root: str) -> Status:
    return Status(
        location=store.location,
        root=root,
        **store.contents()._asdict(),
        size_bytes=store.size_bytes(),
        sizes=store.sizes(),
        embedder=store.settings["embedder"],
        settings={name: value for name, value in store.settings.items() if name != CALIBRATIONS},
        languages=dict(store.count_languages()),
        indexed_formats=tuple(store.distinct_values("format")),
        metadata_keys=tuple(dict.fromkeys(tag.partition("=")[0] for tag in store.distinct_values("tags"))),
    )


def _store_of(index: Index) -> ReadableStore:
    """Return the store of an open index, as it is after changes of its settings."""
    return index._current.read(lambda opened: opened.store)
