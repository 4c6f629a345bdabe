"""A chunker for tests: cuts where it is told, and derives every field from the section tree in the plainest way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from crosshead import ids
from crosshead.checking import check_chunks
from crosshead.options import ChunkOptions
from crosshead.pipeline import parse_document
from crosshead.tokens import get_counter
from crosshead.types import Block, Chunk, Document, Report, Section

CODE_KINDS = {"code", "math", "component", "expression", "import"}
NO_OVERLAP = ChunkOptions(overlap_tokens=0)


def cut(text: str | Document, *before: str, options: ChunkOptions = NO_OVERLAP) -> tuple[Document, list[Chunk]]:
    """Cut a text before each of these strings; each is looked for behind the one before it."""
    document = text if isinstance(text, Document) else parse_document(text, source="guide.md")
    taken = _taken_blocks(document, options)
    start = document.blocks[0].end if taken else 0
    bounds = [start]
    for mark in before:
        bounds.append(document.text.index(mark, bounds[-1] + 1))
    bounds.append(len(document.text))
    spans = [_trim(document.text, *each) for each in pairwise(bounds)]
    chunks = [_make_chunk(document, span, index, taken, options) for index, span in enumerate(filter(None, spans))]
    return document, _relink(document, _number_parts(document, _rename(chunks)), taken)


def check(document: Document, chunks: Sequence[Chunk], options: ChunkOptions = NO_OVERLAP) -> Report:
    return check_chunks(document, chunks, options)


def faults(document: Document, chunks: Sequence[Chunk], options: ChunkOptions = NO_OVERLAP) -> list[str]:
    """Return rule and message of every error."""
    violations = check(document, chunks, options).violations
    return [f"{each.rule}: {each.message}" for each in violations if each.severity == "error"]


def warnings(document: Document, chunks: Sequence[Chunk], options: ChunkOptions = NO_OVERLAP) -> list[str]:
    return [each.rule for each in check(document, chunks, options).violations if each.severity == "warning"]


def broken_rules(document: Document, chunks: Sequence[Chunk], options: ChunkOptions = NO_OVERLAP) -> set[str]:
    return {each.rule for each in check(document, chunks, options).violations if each.severity == "error"}


def with_change(chunks: Sequence[Chunk], index: int, /, **changes: Any) -> list[Chunk]:
    """Return the chunks with other values in one of them."""
    return [*chunks[:index], replace(chunks[index], **changes), *chunks[index + 1 :]]


def _taken_blocks(document: Document, options: ChunkOptions) -> int:
    taken = document.blocks and document.blocks[0].kind == "front_matter" and options.front_matter != "include"
    return int(bool(taken))


def _trim(text: str, start: int, end: int) -> tuple[int, int] | None:
    piece = text[start:end]
    if not piece.strip():
        return None
    ink = start + len(piece) - len(piece.lstrip())
    line = text.rfind("\n", 0, ink) + 1
    return (line if line >= start and not text[line:ink].strip() else ink), start + len(piece.rstrip())


def _make_chunk(document: Document, span: tuple[int, int], index: int, taken: int, options: ChunkOptions) -> Chunk:
    start, end = span
    content = document.text[start:end]
    touched = [at for at, block in enumerate(document.blocks) if block.start < end and block.end > start]
    blocks = [document.blocks[at] for at in touched]
    section = _section_of(document, blocks)
    count = get_counter(options.tokenizer)
    section_start = section.start if section.level else document.blocks[taken].start
    own = section.blocks if section.level else section.blocks[taken:]
    own_text = document.text[own[0].start : own[-1].end] if own else ""
    tokens = count(content)
    return Chunk(
        id="", document_id=document.id, source=document.source, section_id=section.id, index=index, content=content,
        token_count=tokens, content_hash=ids.content_hash(content), content_type=_content_type(blocks),
        section_path=section.path, section_level=section.level,
        inner_headings=tuple(block.title for block in blocks if block.kind == "heading"), start=start, end=end,
        start_line=document.text[:start].count("\n") + 1, end_line=document.text[:end].count("\n") + 1,
        page_start=None, page_end=None, block_start=touched[0], block_end=touched[-1], part=0, parts=1,
        section_token_count=count(own_text.rstrip()),
        is_complete_section=start <= section_start and end >= section.end, parent_chunk_id=None, prev_id=None,
        next_id=None, sibling_chunk_ids=(), overlap="", prefix="", suffix="",
        oversize_reason=_reason(blocks) if tokens > options.max_tokens else None,
        indexable=any(not _is_silent(document, block) for block in blocks), heading_prefix="",
        document_title=document.title, format=document.format, metadata={},
    )  # fmt: skip


def _section_of(document: Document, blocks: Sequence[Block]) -> Section:
    while len(blocks) > 1 and blocks[0].kind == "heading":
        blocks = blocks[1:]
    holders = [
        section
        for section in _all_sections(document.root)
        if section.start <= blocks[0].start and blocks[-1].end <= section.end
    ]
    return max(holders, key=lambda section: section.level)


def _all_sections(section: Section) -> Iterator[Section]:
    yield section
    for child in section.children:
        yield from _all_sections(child)


def _content_type(blocks: Sequence[Block]) -> Any:
    kinds = {"code" if block.kind in CODE_KINDS else block.kind for block in blocks if block.kind != "heading"}
    if len(kinds) == 1 and kinds <= {"code", "table", "list"}:
        return kinds.pop()
    return "mixed" if kinds & {"code", "table", "list"} else "prose"


def _reason(blocks: Sequence[Block]) -> Any:
    kinds = [atom.kind for block in blocks for atom in (block, *block.atoms)]
    return next((kind for kind in kinds if kind in CODE_KINDS | {"table"}), None)


def _is_silent(document: Document, block: Block) -> bool:
    is_comment = block.kind == "html" and document.text.startswith("<!--", block.start)
    return is_comment or block.kind in ("rule", "import")


def _rename(chunks: Sequence[Chunk]) -> list[Chunk]:
    named: list[Chunk] = []
    for chunk in chunks:
        key = (chunk.section_path, chunk.content_hash)
        ordinal = sum((each.section_path, each.content_hash) == key for each in named)
        named.append(replace(chunk, id=ids.chunk_id(chunk.document_id, *key, ordinal)))
    return named


def _number_parts(document: Document, chunks: Sequence[Chunk]) -> list[Chunk]:
    sections = {section.id: section for section in _all_sections(document.root)}

    def holds_own_text(chunk: Chunk) -> bool:
        own = sections[chunk.section_id].blocks
        return bool(own) and chunk.start < own[-1].end

    numbered = []
    for chunk in chunks:
        group = [each for each in chunks if each.section_id == chunk.section_id and holds_own_text(each)]
        part, parts = (group.index(chunk), len(group)) if chunk in group else (0, 1)
        numbered.append(replace(chunk, part=part, parts=parts))
    return numbered


def _relink(document: Document, chunks: Sequence[Chunk], taken: int) -> list[Chunk]:
    sections = {section.id: section for section in _all_sections(document.root)}

    def opener(section: Section) -> str:
        if not section.level:
            return chunks[0].id
        return next(chunk.id for chunk in chunks if chunk.start <= section.start < chunk.end)

    def parent(chunk: Chunk) -> str | None:
        section: Section | None = sections[chunk.section_id]
        assert section is not None
        if opener(section) == chunk.id:
            section = sections.get(section.parent_id or "")
        while section:
            if len(section.blocks) > (1 if section.level else taken):
                return opener(section)
            section = sections.get(section.parent_id or "")
        return None

    def beside(chunk: Chunk) -> list[str]:
        section = sections[chunk.section_id]
        inside = [section]
        if not section.blocks[taken if not section.level else 0 :] or chunk.start >= section.blocks[-1].end:
            inside = [child for child in section.children if child.start < chunk.end and child.end > chunk.start]
            children = section.children
        elif section.parent_id is not None:
            children = sections[section.parent_id].children
        else:
            return []
        first, last = children.index(inside[0]), children.index(inside[-1])
        around = [children[near] for near in (first - 1, last + 1) if 0 <= near < len(children)]
        return [each for each in dict.fromkeys(map(opener, around)) if each != chunk.id]

    linked = []
    for at, chunk in enumerate(chunks):
        near = [chunks[other].id for other in (at - 1, at + 1) if 0 <= other < len(chunks)]
        of_part = [each.id for each in chunks if each.section_id == chunk.section_id and each.parts > 1]
        siblings = [each for each in near if each in of_part] if chunk.parts > 1 else beside(chunk)
        linked.append(
            replace(
                chunk,
                prev_id=chunks[at - 1].id if at else None,
                next_id=chunks[at + 1].id if at + 1 < len(chunks) else None,
                parent_chunk_id=parent(chunk),
                sibling_chunk_ids=tuple(siblings if siblings or parent(chunk) else near),
            )
        )
    return linked
