"""Document -> chunks.

    blocks --measure--> counts --units--> pieces that are never cut --pack--> drafts --assemble--> chunks

Headings join the text below them before packing, so no chunk ends with a heading. Overlap, paths and links are made
after the last cut, so none needs repair. `strategy="auto"` and `"section"` are two names for these steps;
`"fixed"` cuts windows of tokens instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from crosshead.chunking.assemble import Assembler
from crosshead.chunking.fixed import fixed_windows
from crosshead.chunking.measure import BlockSums, Measure
from crosshead.chunking.pack import Draft, pack_units
from crosshead.chunking.splitting import BlockSplitter
from crosshead.chunking.units import make_units
from crosshead.markdown import Outline, find_ink, outline
from crosshead.options import ChunkOptions
from crosshead.tokens import get_counter
from crosshead.types import Block, Chunks, Document

__all__ = ["chunk_document"]


def chunk_document(document: Document, options: ChunkOptions) -> Chunks:
    """Cut a document into chunks."""
    numbers: Sequence[int] = range(len(document.blocks))
    solid = _solid_blocks(document)
    if solid is not None:
        numbers = list(solid)
        document = replace(document, blocks=tuple(solid.values()))
    sections = outline(document.blocks)
    counter = get_counter(options.tokenizer)
    measure = Measure(document.text, counter, fences_may_be_cut=options.oversize == "split")
    sums = BlockSums(measure, document.blocks)
    first_block = _first_block(document, options)
    if options.strategy == "fixed":
        start = document.blocks[first_block].start if first_block < len(document.blocks) else len(document.text)
        drafts = fixed_windows(document.text, start, options.max_tokens, counter)
    else:
        drafts = _section_drafts(document, sections, sums, options, first_block)
    return Chunks(Assembler(document, sections, sums, options, first_block, numbers).assemble(drafts), options)


def _solid_blocks(document: Document) -> dict[int, Block] | None:
    """Return the blocks that hold text by number, without leading blank lines; None if that changes nothing.

    CommonMark takes a line of no-break spaces for a paragraph; readers do not.
    """
    text = document.text
    solid: dict[int, Block] | None = None
    for number, block in [
        (number, block) for number, block in enumerate(document.blocks) if text[block.start].isspace()
    ]:
        ink = find_ink(text, block.start, block.end)
        line_start = text.rfind("\n", block.start, ink.start() if ink else block.end) + 1
        if ink and not line_start:
            continue
        solid = dict(enumerate(document.blocks)) if solid is None else solid
        if not ink:
            del solid[number]
        else:
            lines = text.count("\n", block.start, line_start)
            solid[number] = block._replace(start=line_start, start_line=block.start_line + lines)
    return solid


def _first_block(document: Document, options: ChunkOptions) -> int:
    """Return the first block to chunk: front matter is skipped unless it should be included."""
    is_skipped = (
        bool(document.blocks) and document.blocks[0].kind == "front_matter" and options.front_matter != "include"
    )
    return int(is_skipped)


def _section_drafts(
    document: Document, sections: Outline, sums: BlockSums, options: ChunkOptions, first_block: int
) -> list[Draft]:
    splitter = BlockSplitter(sums.measure, document.text, options.max_tokens, split_atoms=options.oversize == "split")
    units = make_units(
        document.blocks, sections.heads[1:], sums, splitter, options, first_block, titled=document.has_own_title
    )
    drafts = pack_units(units, options)
    if sums.measure.exact and not sums.measure.recount:
        return drafts
    return [_recount(document.text, sums, draft, options) for draft in drafts]


def _recount(text: str, sums: BlockSums, draft: Draft, options: ChunkOptions) -> Draft:
    """Count the content of a draft, whose token count is only an upper bound."""
    tokens = sums.measure.counter(text[draft.start : draft.end])
    return draft._replace(tokens=tokens, reason=draft.reason if tokens > options.max_tokens else None)
