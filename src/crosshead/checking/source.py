"""The input of the rules: the source, parsed again, and the position of each chunk in it.

Nothing here comes from the chunker. The position of a chunk follows from its offsets; `slices` verifies its text.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from crosshead.markdown import MalformedFrontMatter, find_ink, outline, parse_blocks, parse_front_matter
from crosshead.options import ChunkOptions
from crosshead.tokens import AnyCounter, get_counter
from crosshead.types import Block, Chunk, Document, Severity, Violation

ATOM_KINDS: Final = frozenset(("code", "table", "math", "component", "expression"))
BLANK: Final = ""
"""Kind of a block of unusual white space: a paragraph in Markdown, but not text for a chunk."""
HEADING_KINDS: Final = frozenset(("heading", BLANK))


@dataclass(frozen=True, slots=True)
class SourceText:
    """A document for rules that do not need its structure."""

    document: Document
    options: ChunkOptions
    text: str
    text_start: int
    """Start of the text that chunks must cover."""
    count: AnyCounter

    def leaves_out_indentation(self, start: int) -> bool:
        """Is there indentation, and nothing else, before this offset on its line?"""
        before = start
        while before and self.text[before - 1].isspace() and self.text[before - 1] != "\n":
            before -= 1
        return before < start and (not before or self.text[before - 1] == "\n")

    def has_ink(self, start: int, end: int) -> bool:
        """Is any character between these offsets not blank?"""
        return find_ink(self.text, start, end) is not None

    def line_of(self, offset: int) -> int:
        """Return the line of an offset, 1-based; for messages only, because it counts from the top."""
        return self.text.count("\n", 0, offset) + 1


@dataclass(frozen=True, slots=True)
class CheckedSource(SourceText):
    """A parsed document. Sections are numbered in order; number 0 is the root."""

    mdx: bool
    blocks: Sequence[Block]
    starts: Sequence[int]
    ends: Sequence[int]
    kinds: Sequence[str]
    front_matter_error: str
    """Why the front matter is malformed, or an empty text."""
    first_block: int
    """The first block of text: 1 if front matter was removed, else 0."""
    heads: Sequence[int]
    """By section: the block that opens it."""
    levels: Sequence[int]
    parents: Sequence[int]
    paths: Sequence[tuple[str, ...]]
    section_ends: Sequence[int]
    """By section: the block after its last one, subsections included."""

    def section_of(self, block: int) -> int:
        """Return the section that a block belongs to; a heading belongs to the section that it opens."""
        return bisect_right(self.heads, block, 1) - 1

    def section_first(self, section: int) -> int:
        """Return the first block of a section."""
        return self.heads[section] if section else self.first_block

    def own_end(self, section: int) -> int:
        """Return the block after the own text of a section."""
        return self.heads[section + 1] if section + 1 < len(self.heads) else len(self.blocks)

    def own_span(self, section: int) -> tuple[int, int]:
        """Return the start and end of the own text of a section, heading included."""
        first, end = self.section_first(section), self.own_end(section)
        return self.starts[first], self.ends[end - 1] if first < end else self.starts[first]

    def after_headings(self, first: int, last: int) -> int:
        """Return the first of these blocks that is not a heading, or the last one."""
        while first < last and self.kinds[first] in HEADING_KINDS:
            first += 1
        return first

    def has_own_text(self, section: int) -> bool:
        """Is there any text in the section itself, besides its heading?"""
        start = self.ends[self.heads[section]] if section else self.text_start
        end = self.starts[self.heads[section + 1]] if section + 1 < len(self.heads) else len(self.text)
        return start < end and self.has_ink(start, end)

    def titles(self, first: int, last: int) -> tuple[str, ...]:
        """Return the titles of the headings among these blocks."""
        sections = range(bisect_left(self.heads, first, 1), bisect_right(self.heads, last, 1))
        return tuple([self.paths[section][-1] for section in sections])

    def starts_inside(self, place: PlacedChunk) -> bool:
        """Does the chunk begin inside its first block?"""
        start = self.starts[place.first]
        return place.chunk.start > start and self.has_ink(start, place.chunk.start)

    def ends_inside(self, place: PlacedChunk) -> bool:
        """Does the chunk end inside its last block?"""
        end = self.ends[place.last]
        return place.chunk.end < end and self.has_ink(place.chunk.end, end)

    def holds(self, chunk: Chunk, block: Block) -> bool:
        """Does the chunk hold a whole block or atom?"""
        if chunk.start > block.start and self.has_ink(block.start, chunk.start):
            return False
        return chunk.end >= block.end or (chunk.end > block.start and not self.has_ink(chunk.end, block.end))


class PlacedChunk(NamedTuple):
    """A chunk with the blocks it touches and the section it belongs to."""

    chunk: Chunk
    first: int
    last: int
    section: int


def read_text(document: Document, options: ChunkOptions) -> SourceText:
    """Return a document without parsing it again, for rules that need only its text."""
    taken = _takes_front_matter(document.blocks, options)
    start = document.blocks[0].end if taken else 0
    return SourceText(document, options, document.text, start, get_counter(options.tokenizer))


def read_source(document: Document, options: ChunkOptions) -> CheckedSource:
    """Parse the text of a document again."""
    mdx = document.format == "mdx" if options.mdx == "auto" else options.mdx
    blocks = parse_blocks(document.text, mdx=mdx)
    error = _front_matter_error(document, blocks)
    if error:
        blocks[0] = blocks[0]._replace(kind="paragraph")
    taken = _takes_front_matter(blocks, options)
    heads, levels, parents, paths = outline(blocks)
    section_ends = [*heads[1:], len(blocks)]
    for section in range(len(heads) - 1, 0, -1):  # a section ends with its last subsection
        parent = parents[section]
        if section_ends[parent] < section_ends[section]:
            section_ends[parent] = section_ends[section]
    return CheckedSource(
        document=document, options=options, text=document.text, mdx=mdx, blocks=blocks,
        starts=[block.start for block in blocks], ends=[block.end for block in blocks],
        kinds=[BLANK if _is_blank(document.text, block) else block.kind for block in blocks],
        front_matter_error=error, first_block=int(taken),
        text_start=blocks[0].end if taken else 0, heads=heads, levels=levels, parents=parents, paths=paths,
        section_ends=section_ends, count=get_counter(options.tokenizer),
    )  # fmt: skip


def place_chunks(source: CheckedSource, chunks: Sequence[Chunk]) -> list[PlacedChunk]:
    """Find the blocks and section of each chunk; a chunk on no block is left out (and breaks the rule `slice`)."""
    places = []
    starts, ends, size = source.starts, source.ends, len(source.text)
    for chunk in chunks:
        if not 0 <= chunk.start < chunk.end <= size:
            continue
        first = bisect_right(ends, chunk.start)
        last = bisect_left(starts, chunk.end) - 1
        if first <= last:
            places.append(PlacedChunk(chunk, first, last, _deepest_section(source, first, last)))
    return places


def own_parts(source: CheckedSource, places: Sequence[PlacedChunk]) -> dict[int, list[PlacedChunk]]:
    """Return for each section the chunks that hold its own text and belong to no other section, in order."""
    parts: dict[int, list[PlacedChunk]] = {}
    for place in places:
        if place.first < source.own_end(place.section):
            parts.setdefault(place.section, []).append(place)
    return parts


def broken(rule: str, chunk: Chunk, message: str, severity: Severity = "error") -> Violation:
    """Return a violation; the message continues "chunk 3 (lines 10-14)"."""
    lines = f"lines {chunk.start_line}-{chunk.end_line}"
    return Violation(
        rule, chunk.id, chunk.start_line, chunk.end_line, f"chunk {chunk.index} ({lines}) {message}", severity
    )


def _takes_front_matter(blocks: Sequence[Block], options: ChunkOptions) -> bool:
    return bool(blocks) and blocks[0].kind == "front_matter" and options.front_matter != "include"


def _deepest_section(source: CheckedSource, first: int, last: int) -> int:
    """Return the deepest section that holds these blocks, not counting the headings they begin with."""
    section = source.section_of(source.after_headings(first, last))
    while source.section_ends[section] <= last:
        section = source.parents[section]
    return section


def _is_blank(text: str, block: Block) -> bool:
    return text[block.start].isspace() and find_ink(text, block.start, block.end) is None


def _front_matter_error(document: Document, blocks: Sequence[Block]) -> str:
    if not blocks or blocks[0].kind != "front_matter" or document.front_matter:
        return ""  # parsed values prove that it is well formed, and parsing YAML again is slow
    try:
        parse_front_matter(document.text[: blocks[0].end])
    except MalformedFrontMatter as error:
        return str(error) or "it cannot be read"
    return ""
