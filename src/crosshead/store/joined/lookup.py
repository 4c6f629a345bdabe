"""Several indexes, looked up as one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from operator import attrgetter
from typing import Any, TypeVar

from crosshead.ids import split_id
from crosshead.store.joined.models import Models, joined_settings
from crosshead.store.joined.names import Names
from crosshead.store.joined.parts import Part, ask
from crosshead.types import (
    Chunk,
    DocumentLinks,
    DocumentProperty,
    ListedDocument,
    ReadableStore,
    StoreContents,
    StoredDocument,
    StoredSection,
    StoredSizes,
)

T = TypeVar("T")
Rows = Mapping[int, Sequence[T]]
"""Rows by the number of their part."""
Read = Callable[[ReadableStore], T]


class JoinedLookup:
    """Several indexes as they are during one search; `PartsFailed` names those that do not answer."""

    def __init__(self, parts: Sequence[Part], seconds: float) -> None:
        """`seconds`: how long to wait for the answer of a part."""
        self._parts = parts
        self._seconds = seconds
        self._names = Names([part.name for part in parts])
        self._settings: Sequence[Mapping[str, Any]] = self._ask(attrgetter("settings"))
        self._models = Models.from_settings(self._settings)
        self.settings: Mapping[str, Any] = joined_settings(self.settings_by_location, self._models)

    @property
    def location(self) -> str:
        """The locations of all parts."""
        return ", ".join(part.name for part in self._parts)

    def index_of(self, id: str) -> str:
        """Return which index a document or chunk was read from, as it is shown."""
        part = self._part_of(id)
        return part.shown if part else ""

    def location_of(self, id: str) -> str:
        """Return the location of the part that a document or chunk was read from."""
        part = self._part_of(id)
        return part.name if part else ""

    def _part_of(self, id: str) -> Part | None:
        home = self._names.home_of(id)
        return None if home is None else self._parts[home]

    @property
    def models(self) -> Models:
        """The models of the parts."""
        return self._models

    @property
    def settings_by_location(self) -> Mapping[str, Mapping[str, Any]]:
        """The settings of all parts."""
        return {part.name: own for part, own in zip(self._parts, self._settings, strict=True)}

    def settings_of(self, id: str) -> Mapping[str, Any]:
        """Return the settings of the part that a document or chunk was read from; of the first if it is not known."""
        return self._settings[self._names.home_of(id) or 0]

    def check_current(self) -> None:
        """Raise an error if other rows took the place of those that this store reads."""
        self._ask(lambda store: store.check_current())

    def close(self) -> None:
        """Do nothing: the parts stay open for the next search."""

    def _ask(self, read: Read[T]) -> list[T]:
        """Ask all parts."""
        return ask([(part, read) for part in self._parts], self._seconds)

    def _ask_some(self, reads: Mapping[int, Read[T]]) -> dict[int, T]:
        """Ask parts by their numbers."""
        numbers = sorted(reads)
        answers = ask([(self._parts[number], reads[number]) for number in numbers], self._seconds)
        return dict(zip(numbers, answers, strict=True))

    # ------------------------------------------------------------------ looking up

    def document_revisions(self) -> dict[str, str]:
        """Return the revision of every document by source; of several with a source, that of the first."""
        found = self._ask(lambda store: store.document_revisions())
        return {source: revision for each in reversed(found) for source, revision in each.items()}

    def known_documents(self, ids: Sequence[str]) -> Collection[str]:
        """Return those of some ids that documents have."""
        found = self._look_up(ids, lambda store, own: store.known_documents(own))
        self._learn({number: [(each, each) for each in own] for number, own in found.items()})
        return {self._names.public(each, each, number) for number, own in found.items() for each in own}

    def documents(self, ids: Sequence[str]) -> list[StoredDocument]:
        """Return documents with their texts, in the order of `ids`."""
        found = self._look_up(ids, lambda store, own: store.documents(own))
        self._learn({number: [(each, each.id) for each in own] for number, own in found.items()})
        return _in_order(ids, (self._names.document(each, number) for number, each in _flat(found)))

    def list_documents(self, ids: Sequence[str]) -> list[ListedDocument]:
        """Return the sizes and counts of documents of all parts, sorted by source, without reading their texts."""
        plain = [split_id(id)[0] for id in ids]
        found = self._ask(lambda store: store.list_documents(plain))
        parts = zip(self._parts, found, strict=True)
        return sorted(each._replace(location=part.name) for part, own in parts for each in own)

    def sections(self, ids: Sequence[str]) -> list[StoredSection]:
        """Return sections in the order of `ids`."""
        return _in_order(ids, self._sections(ids, lambda store, own: store.sections(own)))

    def subsections(self, parent_ids: Sequence[str]) -> list[StoredSection]:
        """Return the direct subsections of some sections, in document order."""
        found = self._sections(parent_ids, lambda store, own: store.subsections(own))
        below = [each for each in found if each.parent_id in set(parent_ids)]
        return sorted(below, key=attrgetter("document_id", "start", "level"))

    def chunks(self, ids: Sequence[str]) -> list[Chunk]:
        """Return chunks in the order of `ids`."""
        return _in_order(ids, self._chunks(ids, lambda store, own: store.chunks(own)))

    def section_chunks(self, section_ids: Sequence[str]) -> list[Chunk]:
        """Return the chunks that begin in some sections, in document order."""
        found = self._chunks(section_ids, lambda store, own: store.section_chunks(own))
        own = [each for each in found if each.section_id in set(section_ids)]
        return sorted(own, key=attrgetter("document_id", "index"))

    def document_links(self, ids: Sequence[str]) -> list[DocumentLinks]:
        """Return the links and anchors of documents, in the order of `ids`."""
        found = self._links(self._look_up(ids, lambda store, own: store.document_links(own)))
        by_id = {each.document_id: each for each in reversed(found)}
        return [by_id[id] for id in ids if id in by_id]

    def linked_documents(self, keys: Sequence[str], limit: int) -> list[DocumentLinks]:
        """Return up to `limit` documents that have one of some `DocumentLinks.keys`, by source."""
        found = self._ask(lambda store: store.linked_documents(keys, limit))
        return sorted(self._links(dict(enumerate(found))), key=attrgetter("source"))[:limit]

    def _links(self, found: Mapping[int, Collection[DocumentLinks]]) -> list[DocumentLinks]:
        self._learn({number: [(each, each.document_id) for each in own] for number, own in found.items()})
        return [self._names.links(each, number) for number, each in _flat(found)]

    def _sections(
        self, ids: Sequence[str], read: Callable[[ReadableStore, Sequence[str]], list[StoredSection]]
    ) -> list[StoredSection]:
        found = self._look_up(ids, read)
        self._learn({number: [(each, each.document_id) for each in own] for number, own in found.items()})
        return [self._names.section(each, number) for number, each in _flat(found)]

    def _chunks(self, ids: Sequence[str], read: Callable[[ReadableStore, Sequence[str]], list[Chunk]]) -> list[Chunk]:
        found = self._look_up(ids, read)
        self._learn({number: [(each, each.document_id) for each in own] for number, own in found.items()})
        return [self._names.chunk(each, number) for number, each in _flat(found)]

    def _look_up(
        self, ids: Sequence[str], read: Callable[[ReadableStore, Sequence[str]], Collection[T]]
    ) -> dict[int, Collection[T]]:
        """Ask the parts that have some ids; all parts for an id of which that is not known."""
        wanted: dict[int, list[str]] = {}
        for id in dict.fromkeys(ids):
            plain, mark = split_id(id)
            home = self._names.home_of(id)
            for number in range(len(self._parts)) if home is None and not mark else [home]:
                if number is not None:
                    wanted.setdefault(number, []).append(plain)
        return self._ask_some({number: partial(_read, read, own) for number, own in wanted.items()})

    def _learn(self, found: Mapping[int, Iterable[tuple[object, str]]]) -> None:
        """Find out which documents of the rows that were found have ids that documents of earlier parts have, too."""
        unknown = {number: self._names.unknown(number, [id for _, id in rows]) for number, rows in found.items()}
        asked = {
            earlier: sorted(set().union(*(unknown[number] for number in unknown if number > earlier)))
            for earlier in range(max((number for number in unknown if unknown[number]), default=0))
        }
        known = self._ask_some({earlier: partial(_known_documents, ids) for earlier, ids in asked.items() if ids})
        for number, ids in unknown.items():
            has = {id: any(id in known[earlier] for earlier in known if earlier < number) for id in ids}
            self._names.learn(number, ids, has)

    def ids_starting_with(self, beginning: str, limit: int) -> list[str]:
        """Return up to `limit` ids of chunks and sections that start with some characters, sorted."""
        found = self._ask(lambda store: store.ids_starting_with(beginning, limit))
        return sorted({each for own in found for each in own})[:limit]

    def complete_titles(self, beginning: str, limit: int) -> list[str]:
        """Return up to `limit` section titles that contain a word starting with `beginning`, ignoring case."""
        found = self._ask(lambda store: store.complete_titles(beginning, limit))
        titles = {title.casefold(): title for own in reversed(found) for title in own}
        lead = beginning.casefold()
        order = sorted(titles, key=lambda title: (not title.startswith(lead), len(title), title))
        return [titles[each] for each in order[:limit]]

    def count_languages(self) -> Mapping[str, int]:
        """Return the number of documents by language code."""
        total: Counter[str] = Counter()
        for each in self._ask(lambda store: store.count_languages()):
            total.update(each)
        return total

    def distinct_values(self, name: DocumentProperty) -> list[str]:
        """Return the distinct values of a property of documents, sorted."""
        return sorted({value for own in self._ask(lambda store: store.distinct_values(name)) for value in own})

    def count_pending(self) -> int:
        """Return the number of pending chunks."""
        return sum(self._ask(lambda store: store.count_pending()))

    def contents(self) -> StoreContents:
        """Return how much the parts hold."""
        found = self._ask(lambda store: store.contents())
        totals = {name: sum(getattr(each, name) for each in found) for name in StoreContents._fields[:-1]}
        return StoreContents(**totals, migrated=tuple(source for each in found for source in each.migrated))

    def size_bytes(self) -> int:
        """Return the space that the parts take."""
        return sum(self._ask(lambda store: store.size_bytes()))

    def sizes(self) -> StoredSizes:
        """Return what this space is taken by."""
        found = self._ask(lambda store: store.sizes())
        return StoredSizes(**{name: sum(getattr(each, name) for each in found) for name in StoredSizes.__slots__})


def _read(read: Callable[[ReadableStore, Sequence[str]], T], ids: Sequence[str], store: ReadableStore) -> T:
    return read(store, ids)


def _known_documents(ids: Sequence[str], store: ReadableStore) -> Collection[str]:
    return store.known_documents(ids)


def _flat(found: Mapping[int, Iterable[T]]) -> Iterable[tuple[int, T]]:
    return ((number, each) for number in sorted(found) for each in found[number])


def _in_order(ids: Sequence[str], found: Iterable[Any]) -> list[Any]:
    """Return rows in the order of their ids, the first of each."""
    by_id: dict[str, Any] = {}
    for each in found:
        by_id.setdefault(each.id, each)
    return [by_id[id] for id in ids if id in by_id]
