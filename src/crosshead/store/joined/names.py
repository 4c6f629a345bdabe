"""Which part has what, and the ids of documents that several parts have.

The id of a document follows from its source, so that the `README.md` of two indexes has the same one, and its sections,
too. The id alone stands for the document of the first part that has it; in the ids of the others, `@` and a hash of
their location follow. Chunks with the same id have the same text: only the first one found is a hit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from crosshead import ids
from crosshead.types import Chunk, DocumentLinks, StoredDocument, StoredSection


class Names:
    """What is known during one search."""

    def __init__(self, locations: Sequence[str]) -> None:
        self._marks = [ids.location_mark(each) for each in locations]
        self._homes: dict[str, int] = {}
        self._shared: dict[tuple[int, str], bool] = {}

    def home_of(self, id: str) -> int | None:
        """Return the number of the part that something is in; None if that is not known."""
        _, mark = ids.split_id(id)
        if mark:
            return self._marks.index(mark) if mark in self._marks else None
        return self._homes.get(id)

    def remember(self, id: str, part: int) -> int:
        """Remember which part has something, unless another one does; return the part."""
        return self._homes.setdefault(id, part)

    def unknown(self, part: int, documents: Iterable[str]) -> set[str]:
        """Return those documents of a part of which it is not known whether an earlier part has the same id."""
        return {each for each in documents if part and (part, each) not in self._shared}

    def learn(self, part: int, documents: Iterable[str], earlier: Mapping[str, bool]) -> None:
        """Remember which documents of a part an earlier part has, too."""
        self._shared.update({(part, each): earlier[each] for each in documents})

    def public(self, id: str, document: str, part: int) -> str:
        """Return the id of a document, or of a section in it, for others."""
        return ids.with_mark(id, self._marks[part]) if self._shared.get((part, document)) else id

    def chunk(self, chunk: Chunk, part: int) -> Chunk:
        """Return a chunk of a part with the ids that its document and section have for others."""
        near = (chunk.prev_id, chunk.next_id, chunk.parent_chunk_id, *chunk.sibling_chunk_ids)
        for each in (chunk.id, *filter(None, near)):
            self.remember(each, part)
        document = self.public(chunk.document_id, chunk.document_id, part)
        section = self.public(chunk.section_id, chunk.document_id, part)
        for each in (document, section):
            self.remember(each, part)
        return chunk if document == chunk.document_id else replace(chunk, document_id=document, section_id=section)

    def section(self, section: StoredSection, part: int) -> StoredSection:
        """Return a section of a part, likewise."""
        own = section.document_id
        id, parent = (self.public(each or "", own, part) for each in (section.id, section.parent_id))
        for each in (id, parent):
            self.remember(each, part)
        return section._replace(
            id=id,
            parent_id=parent if section.parent_id else section.parent_id,
            document_id=self.public(own, own, part),
        )

    def links(self, links: DocumentLinks, part: int) -> DocumentLinks:
        """Return the links of a document of a part, likewise."""
        own = links.document_id
        id = self.public(own, own, part)
        self.remember(id, part)
        if id == own:
            return links
        return links._replace(
            document_id=id,
            links=tuple([each._replace(section_id=self.public(each.section_id, own, part)) for each in links.links]),
            anchors=tuple(
                [each._replace(section_id=self.public(each.section_id, own, part)) for each in links.anchors]
            ),
        )

    def document(self, document: StoredDocument, part: int) -> StoredDocument:
        """Return a document of a part, likewise."""
        id = self.public(document.id, document.id, part)
        self.remember(id, part)
        return document._replace(id=id)
