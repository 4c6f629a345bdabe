"""Rows of the older layout -> a document with its sections and chunks.

1. The rows are put in document order: along the tree, children of a parent by line, then by id.
2. The original text is not in the database. A new one is joined from headings and contents, so that a chunk is an exact
   slice of it; `lines` maps its lines to those of the rows.
3. Paths, ids, links and counts follow as for any document.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from crosshead.ids import chunk_id, content_hash, document_id, section_id
from crosshead.store.postgres.legacy.adopted import ADOPTED
from crosshead.store.postgres.legacy.titles import read_title
from crosshead.tokens import get_counter
from crosshead.types import Chunk, StoredDocument, StoredSection

FORMAT = "markdown"
_GAP = "\n\n"


class OlderRow(NamedTuple):
    """A row after its breadcrumb was moved out of the content."""

    id: int
    parent_id: int | None
    level: str | None
    content: str | None
    start_line: int | None
    end_line: int | None

    @property
    def heading_level(self) -> int:
        """1 to 6 for a heading, 0 for text."""
        level = self.level or ""
        return int(level[1]) if len(level) == 2 and level[0] == "H" and level[1] in "123456" else 0

    @property
    def title(self) -> str:
        """The title of a heading as a reader sees it, without other text of the row."""
        return read_title(self.content or "").plain

    @property
    def text(self) -> str:
        """The row as part of the document text."""
        return f"{'#' * self.heading_level} {self.title}" if self.heading_level else self.content or ""


class RowSpan(NamedTuple):
    """The span of a row in the document text."""

    start: int
    end: int
    start_line: int
    end_line: int


class AdoptedDocument(NamedTuple):
    """A document with its sections and chunks by the ids of their rows, in order."""

    document: StoredDocument
    root: StoredSection
    sections: Mapping[int, StoredSection]
    chunks: Mapping[int, Chunk]


def adopt(source: str, title: str, rows: Sequence[OlderRow]) -> AdoptedDocument:
    """Make a document from the rows of one work; rows whose parents form a circle are left out."""
    ordered = put_in_order(rows)
    document, spans = _document(source, title, ordered)
    enclosing = _enclosing_headings(ordered)
    sections = _sections(document, ordered, enclosing, spans)
    chunks = _chunks(document, [row for row in ordered if not row.heading_level], enclosing, sections, spans)
    own = {row: section for row, section in sections.items() if row is not None}
    return AdoptedDocument(document, sections[None], own, chunks)


def put_in_order(rows: Sequence[OlderRow]) -> list[OlderRow]:
    """Return the rows in document order."""
    known = {row.id for row in rows}
    below: dict[int | None, list[OlderRow]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: (row.start_line is None, row.start_line or 0, row.id), reverse=True):
        below[row.parent_id if row.parent_id in known else None].append(row)
    ordered: list[OlderRow] = []
    stack = below[None]
    while stack:
        row = stack.pop()
        ordered.append(row)
        stack += below[row.id]
    return ordered


def _document(source: str, title: str, ordered: Sequence[OlderRow]) -> tuple[StoredDocument, dict[int, RowSpan]]:
    spans: dict[int, RowSpan] = {}
    at, line = 0, 1
    for row in ordered:
        end, end_line = at + len(row.text), line + row.text.count("\n")
        spans[row.id] = RowSpan(at, end, line, end_line)
        at, line = end + len(_GAP), end_line + len(_GAP)
    text = _GAP.join(row.text for row in ordered)
    lines = tuple((spans[row.id].start_line, row.start_line) for row in ordered if row.start_line is not None)
    document = StoredDocument(
        document_id(source), source, FORMAT, title, text, ADOPTED, content_hash(text), "", {}, lines=lines
    )
    return document, spans


def _enclosing_headings(ordered: Sequence[OlderRow]) -> dict[int, int | None]:
    """Return for every row the nearest heading above it."""
    headings = {row.id for row in ordered if row.heading_level}
    enclosing: dict[int, int | None] = {}
    for row in ordered:
        parent = row.parent_id if row.parent_id in enclosing else None
        enclosing[row.id] = parent if parent in headings or parent is None else enclosing[parent]
    return enclosing


def _sections(
    document: StoredDocument,
    ordered: Sequence[OlderRow],
    enclosing: Mapping[int, int | None],
    spans: Mapping[int, RowSpan],
) -> dict[int | None, StoredSection]:
    """Return the sections by the rows of their headings; that of no row is the root."""
    ends: dict[int | None, RowSpan] = {None: RowSpan(0, 0, 1, 1)}
    ends.update((row.id, spans[row.id]) for row in ordered)
    for row in reversed(ordered):  # a section ends where the last row below it ends
        ends[enclosing[row.id]] = max(ends[enclosing[row.id]], ends[row.id])
    root_id, end = section_id(document.id, (), 0), ends[None]
    sections: dict[int | None, StoredSection] = {
        None: StoredSection(root_id, None, document.id, "", 0, (), 0, end.end, 1, end.end_line)
    }
    seen: Counter[tuple[str, ...]] = Counter([()])
    for row in ordered:
        if row.heading_level:
            above, span, end = sections[enclosing[row.id]], spans[row.id], ends[row.id]
            path = above.path if row.content is None else (*above.path, row.title)
            own_id = section_id(document.id, path, seen[path])
            seen[path] += 1
            sections[row.id] = StoredSection(
                own_id, above.id, document.id, row.title, row.heading_level, path,
                span.start, end.end, span.start_line, end.end_line,
            )  # fmt: skip
    return sections


def _chunks(
    document: StoredDocument,
    rows: Sequence[OlderRow],
    enclosing: Mapping[int, int | None],
    sections: Mapping[int | None, StoredSection],
    spans: Mapping[int, RowSpan],
) -> dict[int, Chunk]:
    """Return the chunks by their rows."""
    count = get_counter("cl100k_base")
    ids = _chunk_ids(document.id, rows, enclosing, sections)
    openers: dict[int | None, int] = {}
    parts: Counter[int | None] = Counter()
    part: dict[int, int] = {}
    tokens: Counter[int | None] = Counter()
    own_tokens = {row.id: count(row.text) for row in rows}
    for row in rows:
        heading = enclosing[row.id]
        openers.setdefault(heading, row.id)
        part[row.id] = parts[heading]
        parts[heading] += 1
        tokens[heading] += own_tokens[row.id]

    def parent_of(heading: int | None) -> str | None:
        """The chunk that opens the nearest enclosing section with text."""
        while heading is not None:
            heading = enclosing[heading]
            if heading in openers:
                return ids[openers[heading]]
        return None

    chunks: dict[int, Chunk] = {}
    for index, row in enumerate(rows):
        heading = enclosing[row.id]
        section = sections[heading]
        chunks[row.id] = Chunk(
            id=ids[row.id], document_id=document.id, source=document.source, section_id=section.id, index=index,
            content=row.text, token_count=own_tokens[row.id], content_hash=content_hash(row.text), content_type="mixed",
            section_path=section.path, section_level=section.level, inner_headings=(), **spans[row.id]._asdict(),
            page_start=None, page_end=None, block_start=index, block_end=index,
            part=part[row.id], parts=parts[heading], section_token_count=tokens[heading],
            is_complete_section=parts[heading] == 1, parent_chunk_id=parent_of(heading),
            prev_id=ids[rows[index - 1].id] if index else None,
            next_id=ids[rows[index + 1].id] if index + 1 < len(rows) else None,
            sibling_chunk_ids=(), overlap="", prefix="", suffix="", oversize_reason=None,
            indexable=bool(row.text.strip()),
            heading_prefix=f"{'#' * section.level} {section.title}" if section.level else "",
            document_title=document.title, format=FORMAT, metadata={},
            source_start_line=row.start_line, source_end_line=row.end_line,
        )  # fmt: skip
    return chunks


def _chunk_ids(
    document: str,
    rows: Sequence[OlderRow],
    enclosing: Mapping[int, int | None],
    sections: Mapping[int | None, StoredSection],
) -> dict[int, str]:
    seen: Counter[tuple[tuple[str, ...], str]] = Counter()
    ids: dict[int, str] = {}
    for row in rows:
        key = sections[enclosing[row.id]].path, content_hash(row.text)
        ids[row.id] = chunk_id(document, *key, seen[key])
        seen[key] += 1
    return ids
