"""A citation -> the passage that it leads to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import accumulate

from crosshead import ids
from crosshead.citation import Citation, cited_lines, section_address
from crosshead.search.passages.lookup import all_below, chunks_of, name_indexes
from crosshead.search.passages.passage import make_passage
from crosshead.tokens import Count
from crosshead.types import Passage, ReadableStore, StoredDocument, StoredSection


def quote_citation(store: ReadableStore, citation: Citation, count: Count, *, document_id: str = "") -> Passage | None:
    """Return the text that a citation leads to; None if the store does not have it.

    `document_id`: that of its document, if several may have its source.
    """
    found = find_cited(store, citation, document_id)
    if found is None:
        return None
    document, sections, span = found
    section, (start, end) = _innermost(sections, span), span
    chunks = chunks_of(store, section) if section else []
    chunk_ids = [chunk.id for chunk in chunks if chunk.start < end and chunk.end > start]
    passage = quote_span(document, sections, span, count, chunk_ids=chunk_ids)
    return name_indexes(store, [passage])[0]


def find_cited(
    store: ReadableStore, citation: Citation, id: str = ""
) -> tuple[StoredDocument, Mapping[str, StoredSection], tuple[int, int]] | None:
    """Return the document that a citation leads to, its sections by id, and the offsets of the text, or None."""
    document = next(iter(store.documents([id or ids.document_id(citation.source)])), None)
    if document is None:
        return None
    root = ids.root_section_id(document.id)
    sections = {each.id: each for each in (*store.sections([root]), *all_below(store, [root]))}
    span = cited_span(document, sections, citation)
    return (document, sections, span) if span else None


def quote_span(
    document: StoredDocument,
    sections: Mapping[str, StoredSection],
    span: tuple[int, int],
    count: Count,
    *,
    chunk_ids: list[str],
) -> Passage:
    """Quote a part of a document as it is, named by the innermost section around it."""
    section = _innermost(sections, span)
    section_id = section.id if section else ""
    return make_passage(document, sections, section_id, *span, chunk_ids=chunk_ids, count=count, with_heading=False)


def cited_span(
    document: StoredDocument, sections: Mapping[str, StoredSection], citation: Citation
) -> tuple[int, int] | None:
    """Return the offsets of the text that a citation leads to, without blank lines around it."""
    if citation.section:
        found = _section_at(citation.section, sections.values())
        return _trimmed(document.text, found.start, found.end) if found else None
    offsets = [0, *accumulate(len(line) + 1 for line in document.text.rstrip("\n").split("\n"))]
    lines = cited_lines(
        citation, document.format, lines=document.lines, pages=document.pages, last_line=len(offsets) - 1
    )
    return _trimmed(document.text, offsets[lines[0] - 1], offsets[lines[1]]) if lines else None


def _section_at(address: str, sections: Iterable[StoredSection]) -> StoredSection | None:
    """Return the section that a citation calls by an address."""
    ordinals: Counter[tuple[str, ...]] = Counter()
    for section in sorted(sections, key=lambda each: each.start):
        if section.level and section_address(section.path, ordinals[section.path]) == address:
            return section
        ordinals[section.path] += 1
    return None


def _trimmed(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Return a span from the first line that is not blank to the last."""
    content = text[start:end]
    blank = len(content) - len(content.lstrip())
    start += content.rfind("\n", 0, blank) + 1
    end = start + len(text[start:end].rstrip())
    return (start, end) if end > start else None


def _innermost(sections: Mapping[str, StoredSection], span: tuple[int, int]) -> StoredSection | None:
    """Return the deepest section that holds all of a span."""
    start, end = span
    around = [each for each in sections.values() if each.start <= start and end <= each.end]
    return max(around, key=lambda section: section.level, default=None)
