"""The links out of a document or section, and those into it; all that are broken; documents that nothing links to."""

from __future__ import annotations

import posixpath
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import Final

from crosshead import ids
from crosshead.linking.anchors import AnchorRules
from crosshead.linking.names import names_of_link
from crosshead.linking.resolving import Resolver
from crosshead.linking.sites import SiteFiles
from crosshead.types import (
    DocumentLinks,
    LinkReport,
    LinksAround,
    ReadableStore,
    ResolvedLink,
    StoredLink,
    StoredSection,
    has_key,
    link_key,
)

MOST_LINKING: Final = 200
"""Documents that link to one, which are read; there may be more."""
MOST_NAMED: Final = 1_000
"""Documents that are read for the names of some links."""
MOST_CACHED: Final = 5_000
"""Names whose documents are held in memory."""
DOCUMENTS_AT_ONCE: Final = 200
NAMES_AT_ONCE: Final = 400


class StorePages:
    """Finds documents by name in a store, many names with one query."""

    def __init__(self, store: ReadableStore) -> None:
        self._store = store
        self._known: dict[str, list[DocumentLinks]] = {}

    def load(self, names: Iterable[str]) -> None:
        """Read the documents that have some names, unless they are known."""
        missing = [name for name in dict.fromkeys(names) if name not in self._known]
        if len(self._known) + len(missing) > MOST_CACHED:
            self._known.clear()
        for at in range(0, len(missing), NAMES_AT_ONCE):
            part = missing[at : at + NAMES_AT_ONCE]
            found: defaultdict[str, list[DocumentLinks]] = defaultdict(list)
            for document in self._store.linked_documents([has_key(name) for name in part], MOST_NAMED):
                for name in document.names:
                    found[name].append(document)
            self._known.update({name: found.get(name, []) for name in part})

    def named(self, names: Iterable[str]) -> list[DocumentLinks]:
        """Return the documents that have one of some names."""
        names = list(names)
        if any(name not in self._known for name in names):
            self.load(names)
        found = {each.document_id: each for name in names for each in self._known.get(name, ())}
        return list(found.values())

    def near(self, path: str) -> Sequence[str]:
        """Return the sources with the same file name, and those in the same folder."""
        name = posixpath.basename(path)
        return [*self._by_name.get(name, ()), *self._by_folder.get(posixpath.dirname(path), ())]

    @cached_property
    def _sources(self) -> list[str]:
        return sorted(self._store.document_revisions())

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        return _grouped((posixpath.basename(source), source) for source in self._sources)

    @cached_property
    def _by_folder(self) -> dict[str, list[str]]:
        return _grouped((posixpath.dirname(source), source) for source in self._sources)


def links_of(
    store: ReadableStore,
    files: SiteFiles,
    document_id: str,
    *,
    section: StoredSection | None = None,
    rules: AnchorRules | None = None,
) -> LinksAround | None:
    """Return the links out of a document, or of a section of it, and into it; None if none were read."""
    span = (section.start, section.end) if section else None
    document = next(iter(store.document_links([document_id])), None)
    if document is None:
        return None
    pages = StorePages(store)
    resolver = Resolver(pages, files, rules)
    inside = [link for link in document.links if span is None or span[0] <= link.start < span[1]]
    linking = store.linked_documents([link_key(name) for name in document.names], MOST_LINKING + 1)
    incoming = [*_incoming(document, linking[:MOST_LINKING])]
    own = [] if span is None else [(document, link) for link in document.links if link not in inside]
    pages.load(name for link in inside for name in names_of_link(link, document.source))
    pages.load(name for other, link in incoming for name in names_of_link(link, other.source))
    into = (resolver.resolve(link, other) for other, link in (*incoming, *own))
    return LinksAround(
        document.source,
        section.id if section else "",
        tuple([resolver.resolve(link, document) for link in inside]),
        tuple([link for link in into if _leads_into(link, document, span)]),
        omitted=document.omitted,
        more_into=len(linking) > MOST_LINKING,
    )


def follow_links(store: ReadableStore, spans: Sequence[tuple[str, int, int]]) -> list[list[str]]:
    """Return for each span of a document the ids of the sections that it links to, in order.

    A link to a document, or to an anchor that is not known there, leads to its first heading.
    """
    documents = {each.document_id: each for each in store.document_links([*dict.fromkeys(id for id, _, _ in spans)])}
    pages = StorePages(store)
    resolver = Resolver(pages, SiteFiles(None))
    inside = [
        [(documents[id], link) for link in documents[id].links if start <= link.start < end] if id in documents else []
        for id, start, end in spans
    ]
    pages.load(name for each in inside for document, link in each for name in names_of_link(link, document.source))
    ends = [[resolver.resolve(link, document) for document, link in each] for each in inside]
    others = store.document_links([*{each.to_document_id: None for found in ends for each in found}])
    first = {each.document_id: each.anchors[0].section_id for each in others if each.anchors}
    return [
        [id for each in found if (id := each.to_section_id or first.get(each.to_document_id, ""))] for found in ends
    ]


def find_section(
    store: ReadableStore, files: SiteFiles, document_id: str, anchor: str, rules: AnchorRules | None = None
) -> StoredSection | None:
    """Return the section of a document that an anchor names."""
    document = next(iter(store.document_links([document_id])), None)
    found = Resolver(StorePages(store), files, rules).find_anchor(document, anchor) if document else None
    return next(iter(store.sections([found.section_id])), None) if found else None


def check_links(store: ReadableStore, files: SiteFiles, rules: AnchorRules | None = None) -> LinkReport:
    """Resolve all links of an index."""
    sources = sorted(store.document_revisions())
    pages = StorePages(store)
    resolver = Resolver(pages, files, rules)
    if any(site.has_other_labels for site in files.sites):
        resolver.labels = _labels(store, sources)
    broken: list[ResolvedLink] = []
    counts: Counter[str] = Counter()
    omitted: dict[str, int] = {}
    linked, read = set[str](), set[str]()
    for batch in _batches(sources):
        documents = store.document_links([ids.document_id(source) for source in batch])
        pages.load(name for each in documents for link in each.links for name in names_of_link(link, each.source))
        for document in documents:
            read.add(document.source)
            omitted |= {document.source: document.omitted} if document.omitted else {}
            for link in document.links:
                found = resolver.resolve(link, document)
                counts[found.state] += 1
                counts["wiki"] += found.kind == "wiki" and not found.is_broken
                if found.to_source != document.source:
                    linked.add(found.to_source)
                if found.is_broken:
                    broken.append(found)
    return LinkReport(
        documents=len(sources),
        links=counts.total() - counts["wiki"],
        broken=tuple([each for each in broken if each.kind != "wiki" or counts["wiki"]]),
        orphans=tuple([source for source in sources if source in read and source not in linked]),
        unchecked=counts["unchecked"] + counts["outside"],
        omitted=omitted,
        without_links=tuple([source for source in sources if source not in read]),
    )


def _labels(store: ReadableStore, sources: Sequence[str]) -> set[str]:
    documents = (each for batch in _batches(sources) for each in store.document_links([*map(ids.document_id, batch)]))
    return {anchor.name for each in documents for anchor in each.anchors if anchor.kind == "label"}


def _incoming(document: DocumentLinks, linking: Iterable[DocumentLinks]) -> Iterator[tuple[DocumentLinks, StoredLink]]:
    """Yield the links of other documents that may lead to a document."""
    names = set(document.names)
    for other in linking:
        if other.document_id != document.document_id:
            for link in other.links:
                if not names.isdisjoint(names_of_link(link, other.source)):
                    yield other, link


def _leads_into(link: ResolvedLink, document: DocumentLinks, span: tuple[int, int] | None) -> bool:
    """Return whether a link leads to a document, or into a span of it; links to no section lead to its beginning."""
    if link.to_document_id != document.document_id or link.is_broken:
        return False
    if span is None:
        return True
    anchors = (each for each in document.anchors if each.section_id == link.to_section_id)
    anchor = next(anchors, None) if link.to_section_id else next(iter(document.anchors), None)
    start = anchor.start if anchor else 0
    return span[0] <= start < span[1]


def _grouped(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for key, value in pairs:
        found[key].append(value)
    return found


def _batches(sources: Sequence[str]) -> Iterator[list[str]]:
    rest = iter(sources)
    while batch := list(islice(rest, DOCUMENTS_AT_ONCE)):
        yield batch
