"""Drafts -> chunks. A chunk is made once, when all its fields are known."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from functools import lru_cache
from typing import Any, NamedTuple

from crosshead import ids
from crosshead.chunking.draft_position import DraftPosition, place_drafts
from crosshead.chunking.explain import Explainer
from crosshead.chunking.fixed import window_overlaps
from crosshead.chunking.link import link_chunks
from crosshead.chunking.measure import BlockSums
from crosshead.chunking.overlap import find_overlap
from crosshead.chunking.pack import Draft
from crosshead.citation import cited_span, page_of
from crosshead.markdown import Outline, find_ink, section_ordinals
from crosshead.options import ChunkOptions
from crosshead.types import Block, BlockKind, Chunk, ContentType, Document, OpenChunk

LONGEST_HEADING_PREFIX = 4_000
"""Characters; a longer heading is not repeated in the other parts of its section."""

SILENT_KINDS: Set[BlockKind] = frozenset(("rule", "import", "html", "expression"))
"""Blocks that may hold no text to search for."""

_is_only_tags = re.compile(
    r"(?:</?(?!(?:a|audio|embed|iframe|img|input|object|picture|source|svg|video)\b)[A-Za-z][^<>]*>\s*)+", re.I
).fullmatch
"""HTML that only lays out the text around it."""

_CONTENT_TYPES: dict[str, ContentType] = {
    **dict.fromkeys(("code", "math", "component", "expression", "import"), "code"), "table": "table", "list": "list",
}  # fmt: skip


class _Section(NamedTuple):
    """Values that all chunks of a section share."""

    id: str
    tokens: int
    """Of the heading and own text of the section, without subsections."""
    start: int
    end: int


class Assembler:
    """Turns the drafts of one document into chunks."""

    def __init__(
        self,
        document: Document,
        sections: Outline,
        sums: BlockSums,
        options: ChunkOptions,
        first_block: int,
        block_numbers: Sequence[int],
    ) -> None:
        self.document = document
        self.text = document.text
        self.blocks = document.blocks
        self.sums = sums
        self.options = options
        self.first_block = first_block
        """The first block that is not metadata."""
        self.block_numbers = block_numbers
        """The numbers of the blocks in the whole document, blank ones included."""
        self.outline = sections
        self.own_ends = [*sections.heads[1:], len(document.blocks)]
        self.ends = _section_ends(sections.parents, self.own_ends)
        self.ordinals = section_ordinals(self.outline.paths)
        self.sections: dict[int, _Section] = {}
        self.heading_lines: dict[int, str] = {}
        self.silent: dict[int, bool] = {}
        """By block, because a large one may be in many chunks."""

    def assemble(self, drafts: Sequence[Draft]) -> list[Chunk]:
        """Return the chunks of all drafts, in order."""
        text, options = self.text, self.options
        positions = place_drafts(text, self.sums.starts, self.outline, drafts)
        links = link_chunks(self.outline, positions, self.own_ends, self.first_block)
        contents = [text[draft.start : draft.end] for draft in drafts]
        hashes = list(map(ids.content_hash, contents))
        chunk_ids = self.chunk_ids(positions, hashes)
        overlaps = self.overlaps(drafts, positions, [number > parts.start for number, (parts, *_) in enumerate(links)])
        metadata = chunk_metadata(self.document, options)
        explainer = Explainer(self.outline, self.own_ends, self.ends, self.sums, options) if options.explain else None
        chunks = []
        for number, (draft, position, (parts, parent, siblings)) in enumerate(
            zip(drafts, positions, links, strict=True)
        ):
            part = number - parts.start
            chunk = OpenChunk()
            chunk.id = chunk_ids[number]
            chunk.index = number
            chunk.content = contents[number]
            chunk.content_hash = hashes[number]
            chunk.part = part
            chunk.parts = len(parts)
            chunk.parent_chunk_id = None if parent is None else chunk_ids[parent]
            chunk.prev_id = chunk_ids[number - 1] if number else None
            chunk.next_id = chunk_ids[number + 1] if number + 1 < len(chunk_ids) else None
            chunk.sibling_chunk_ids = tuple([chunk_ids[other] for other in siblings])
            chunk.overlap = overlaps[number]
            chunk.metadata = metadata
            chunk.notes = explainer.explain(number, draft, position, part, len(parts)) if explainer else ()
            self._set_content(chunk, draft, position)
            self._set_section(chunk, draft, position, parts)
            self._set_source(chunk, position)
            chunks.append(chunk.freeze())
        return chunks

    def _set_content(self, chunk: OpenChunk, draft: Draft, position: DraftPosition) -> None:
        """Set what follows from the draft and its blocks."""
        first, last = position.first_block, position.last_block
        kinds = frozenset([block.kind for block in self.blocks[first : last + 1]])
        chunk.start = draft.start
        chunk.end = draft.end
        chunk.start_line = position.start_line
        chunk.end_line = position.end_line
        chunk.block_start = self.block_numbers[first]
        chunk.block_end = self.block_numbers[last]
        chunk.token_count = draft.tokens
        chunk.content_type = content_type(kinds)
        chunk.prefix = draft.prefix
        chunk.suffix = draft.suffix
        chunk.oversize_reason = draft.reason
        chunk.indexable = not kinds <= SILENT_KINDS or self.is_indexable(position)

    def _set_section(self, chunk: OpenChunk, draft: Draft, position: DraftPosition, parts: range) -> None:
        """Set what follows from the section tree."""
        paths = self.outline.paths
        section = self.section(position.section, draft, position, parts)
        chunk.section_id = section.id
        chunk.section_path = paths[position.section]
        chunk.section_level = self.outline.levels[position.section]
        chunk.section_token_count = section.tokens
        chunk.is_complete_section = self.is_complete(draft, section)
        chunk.inner_headings = tuple([paths[heading][-1] for heading in position.headings])
        chunk.heading_prefix = self.heading_prefix(draft, position.section)

    def _set_source(self, chunk: OpenChunk, position: DraftPosition) -> None:
        """Set what follows from the document."""
        document, start, end = self.document, position.start_line, position.end_line
        lines = cited_span(document.format, document.lines, start, end) if document.lines else None
        chunk.document_id = document.id
        chunk.source = document.source
        chunk.document_title = document.title
        chunk.format = document.format
        chunk.page_start = page_of(document.pages, start) if document.pages else None
        chunk.page_end = page_of(document.pages, end) if document.pages else None
        chunk.source_start_line = lines[0] if lines else None
        chunk.source_end_line = lines[1] if lines else None
        chunk.source_file = lines.file or None if lines else None

    # ------------------------------------------------------------------ ids

    def chunk_ids(self, places: Sequence[DraftPosition], hashes: Sequence[str]) -> list[str]:
        seen: dict[tuple[tuple[str, ...], str], int] = {}
        names = []
        for place, content_hash in zip(places, hashes, strict=True):
            path = self.outline.paths[place.section]
            ordinal = seen.get((path, content_hash), 0)
            seen[path, content_hash] = ordinal + 1
            names.append(ids.chunk_id(self.document.id, path, content_hash, ordinal))
        return names

    # ------------------------------------------------------------------ sections

    def section(self, number: int, draft: Draft, place: DraftPosition, parts: range) -> _Section:
        """Return the section of a chunk; if the chunk is its whole own text, its tokens are already counted."""
        section = self.sections.get(number)
        if section is None:
            first = self.outline.heads[number] if number else self.first_block
            start, end, own_end = self.blocks[first].start, self.ends[number], self.own_ends[number]
            name = ids.section_id(self.document.id, self.outline.paths[number], self.ordinals[number])
            is_own_text = draft.start == start and place.last_block + 1 == own_end and len(parts) == 1
            if is_own_text and self.options.strategy != "fixed":
                tokens = draft.tokens
            else:
                tokens = self.sums.count(first, own_end) if first < own_end else 0
            section = _Section(name, tokens, start, self.blocks[end - 1].end)
            self.sections[number] = section
        return section

    def is_complete(self, draft: Draft, section: _Section) -> bool:
        return not (
            (draft.start > section.start and find_ink(self.text, section.start, draft.start))
            or (draft.end < section.end and find_ink(self.text, draft.end, section.end))
        )

    def heading_prefix(self, draft: Draft, section: int) -> str:
        """Return the heading lines of the section: those in the chunk, or else those above its text."""
        if not section:
            return ""
        heading = self.blocks[self.outline.heads[section]]
        if draft.start <= heading.start:
            return self._heading_text(draft.start, heading.end)
        if draft.start < heading.end:
            return ""  # the chunk is a part of the heading itself
        lines = self.heading_lines.get(section)
        if lines is None:
            outermost, heads, parents = section, self.outline.heads, self.outline.parents
            while parents[outermost] and heads[parents[outermost]] == heads[outermost] - 1:
                outermost = parents[outermost]
            lines = self._heading_text(self.blocks[heads[outermost]].start, heading.end)
            self.heading_lines[section] = lines
        return lines

    def _heading_text(self, start: int, end: int) -> str:
        return self.text[start:end].rstrip() if end - start <= LONGEST_HEADING_PREFIX else ""

    # ------------------------------------------------------------------ content

    def is_indexable(self, place: DraftPosition) -> bool:
        """Is there anything to search for, besides rules, imports and comments?"""
        return not all(map(self.is_silent, range(place.first_block, place.last_block + 1)))

    def is_silent(self, number: int) -> bool:
        is_silent = self.silent.get(number)
        if is_silent is None:
            is_silent = self.silent[number] = self._is_silent(self.blocks[number])
        return is_silent

    def _is_silent(self, block: Block) -> bool:
        if block.kind in ("rule", "import"):
            return True
        if block.kind not in SILENT_KINDS:
            return False
        opening, closing = ("<!--", "-->") if block.kind == "html" else ("{/*", "*/}")
        at = find_ink(self.text, block.start, block.end)
        while at and self.text.startswith(opening, at.start()):
            end = self.text.find(closing, at.start() + 2, block.end)
            at = (
                find_ink(self.text, end + len(closing), block.end) if end >= 0 else None
            )  # an open comment hides the rest
        return not at or (block.kind == "html" and _is_only_tags(self.text, at.start(), block.end) is not None)

    def overlaps(
        self, drafts: Sequence[Draft], places: Sequence[DraftPosition], continues: Sequence[bool]
    ) -> list[str]:
        budget, blocks, sums = self.options.overlap_tokens, self.blocks, self.sums
        if not drafts or not budget:
            return [""] * len(drafts)
        if self.options.strategy == "fixed":
            return window_overlaps(self.text, drafts, budget, sums.measure.counter)
        return [
            "",
            *[
                find_overlap(blocks, sums, previous, place, draft, budget, continues=goes_on)
                for previous, place, draft, goes_on in zip(drafts, places, drafts[1:], continues[1:], strict=False)
            ],
        ]


@lru_cache(maxsize=1024)
def content_type(kinds: frozenset[BlockKind]) -> ContentType:
    """Return the type of a chunk from the kinds of its blocks; headings do not count."""
    types = {_CONTENT_TYPES.get(kind, "prose") for kind in kinds if kind != "heading"}
    return types.pop() if len(types) == 1 else "mixed" if types else "prose"


def chunk_metadata(document: Document, options: ChunkOptions) -> Mapping[str, Any]:
    """Return the user's metadata, with the front matter as one more entry."""
    if options.front_matter == "metadata" and document.front_matter:
        return {**document.metadata, "front_matter": document.front_matter}
    return document.metadata


def _section_ends(parents: Sequence[int], own_ends: Sequence[int]) -> list[int]:
    """Return for each section the block after its last one, subsections included."""
    ends = list(own_ends)
    for section in range(len(ends) - 1, 0, -1):
        parent = parents[section]
        ends[parent] = max(ends[parent], ends[section])
    return ends
