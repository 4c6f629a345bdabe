"""Guarantee 3: code, tables, formulas and components stay whole, or their pieces are valid Markdown.

  1. Only a chunk that begins or ends inside a block can cut an atom: the block itself, or one nested in it.
  2. With `keep`, and with `split` for an atom that fits the budget, such a cut is an error.
  3. What `split` may cut is cut between lines, unless one line alone exceeds the budget.
  4. Every piece is rendered and parsed again: its code is still code of the same language, its rows still a table.

An unclosed fence is not an atom, but its pieces may be closed.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from crosshead.checking.guarantees import rows
from crosshead.checking.source import ATOM_KINDS, HEADING_KINDS, CheckedSource, PlacedChunk, broken
from crosshead.markdown import find_ink, parse_blocks, strip_indent
from crosshead.types import Block, Chunk, Violation

DEEP_INDENT: Final = 4
"""Lines nested this deep are indented code outside their list, even in a fence."""
COMMON_TOKEN: Final = 8
LONGEST_TOKEN: Final = 256
"""Characters: texts with longer tokens on average are rare (8), or do not exist (256)."""
CUT_TOKENS: Final = 8
"""Tokens that a text may gain if it is cut inside a word."""

_delimiter_cells = re.compile(r":?-+:?").findall
_fence = re.compile(r"[\s>*+\-0-9.)]*(?:`{3}|~{3})").match
_container_marks = re.compile(r"[ >]*").match


class CutAtom(NamedTuple):
    """An atom that a chunk begins or ends inside of."""

    atom: Block
    block: int
    """The block that is the atom, or holds it."""
    is_within_line: bool


def check_atoms(source: CheckedSource, places: Sequence[PlacedChunk]) -> Iterator[Violation]:
    """Atoms are cut only if `oversize` allows it, and then each piece renders as valid Markdown."""
    pending: tuple[Chunk, CutAtom] | None = None
    for place in places:
        chunk = place.chunk
        begins_inside, ends_inside = source.starts_inside(place), source.ends_inside(place)
        opening = _cut_atom(source, place.first, chunk.start) if begins_inside else None
        closing = _cut_atom(source, place.last, chunk.end) if ends_inside else None
        # A cut is reported once: for the chunk after it, or for the one before it if no chunk follows.
        if pending and not (opening and opening.atom == pending[1].atom):
            yield from _check_cut(source, *pending, "ends")
        if opening:
            yield from _check_cut(source, chunk, opening, "begins")
        pending = (chunk, closing) if closing else None
        may_be_closed = ends_inside or not source.blocks[place.last].closed
        if (chunk.prefix and not begins_inside) or (chunk.suffix and not may_be_closed):
            yield broken("atoms", chunk, "has a prefix or suffix where it cuts no block")
        # After a cut in a block that is not an atom, such as HTML, the rest may parse differently.
        is_readable = opening is not None or not begins_inside or source.kinds[place.first] != "html"
        if source.options.oversize == "split" and (opening or closing) and is_readable:
            yield from _check_pieces(source, chunk, opening, closing)
    if pending:
        yield from _check_cut(source, *pending, "ends")


def glued_start(source: CheckedSource, atom: Block, block: int, first: int = 0) -> int:
    """Return the start of the headings directly before an atom, or of the atom; not before the block `first`."""
    if atom.start > source.starts[block]:
        return atom.start
    while block > first and source.kinds[block - 1] in HEADING_KINDS:
        block -= 1
    return source.starts[block]


def exceeds_budget(source: CheckedSource, start: int, end: int) -> bool:
    """Is this text larger than the budget? Counting its beginning is nearly always enough."""
    maximum = source.options.max_tokens
    for length in (COMMON_TOKEN * maximum, LONGEST_TOKEN * maximum):
        if start + length < end and source.count(source.text[start : start + length]) > maximum + CUT_TOKENS:
            return True
    return source.count(source.text[start:end]) > maximum


def _cut_atom(source: CheckedSource, block: int, at: int) -> CutAtom | None:
    """Return the atom that a cut at this offset of a block goes through, if any."""
    atom, text = source.blocks[block], source.text
    if atom.kind not in ATOM_KINDS:
        before = bisect_right(atom.atoms, at, key=lambda nested: nested.start)
        if not before:
            return None
        atom = atom.atoms[before - 1]
    following = find_ink(text, at, atom.end) if at < atom.end else None
    if not atom.closed or not following or not source.has_ink(atom.start, at):
        return None
    is_within_line = text[at - 1] != "\n" and "\n" not in text[at : following.start()]
    return CutAtom(atom, block, is_within_line)


def _check_cut(source: CheckedSource, chunk: Chunk, cut: CutAtom, verb: str) -> Iterator[Violation]:
    atom = cut.atom
    what = f"{verb} inside the {atom.kind} on lines {atom.start_line}-{atom.end_line}"
    head = glued_start(source, atom, cut.block)
    if source.options.oversize == "keep":
        yield broken("atoms", chunk, what)
    elif not exceeds_budget(source, atom.start, atom.end):
        yield broken("atoms", chunk, f"{what}, which fits the budget")
    elif _is_html(atom):
        if not _is_between_rows(source, chunk.start if verb == "begins" else chunk.end, atom, head):
            yield broken("atoms", chunk, f"{what}, within a row that fits the budget")
    elif cut.is_within_line:
        at = chunk.start if verb == "begins" else chunk.end
        if not _is_in_long_line(source, at, atom, head):
            yield broken("atoms", chunk, f"{what}, within a line that fits the budget")


def _is_html(atom: Block) -> bool:
    return atom.kind == "table" and atom.lang == rows.HTML_TABLE


def _is_between_rows(source: CheckedSource, at: int, atom: Block, head: int) -> bool:
    """Does an HTML row begin here, or is the row, or the head of the table, too large for a chunk?

    `head` is the start of the headings that share a chunk with the head of the table and its first row.
    """
    table = rows.rows_at(rows.read_rows(source.text, atom), at)
    if rows.begins_row(source.text, table, at) or not source.count.slices("").exact:
        return True
    start, end = table.around(at)
    return exceeds_budget(source, head if start == atom.start else start, end)


def _is_in_long_line(source: CheckedSource, at: int, atom: Block, head: int) -> bool:
    """Is the line too large for a chunk?

    The first two lines share a chunk with the headings that begin at `head`; in a table they stay together.
    """
    start, end = _line_around(source, at, atom)
    if not source.count.slices("").exact or exceeds_budget(source, start, end):  # an estimate sees no code in a line
        return True
    head_end = _head_end(source.text, atom)
    return start < head_end and exceeds_budget(source, head, head_end if atom.kind == "table" else end)


def _line_around(source: CheckedSource, at: int, atom: Block) -> tuple[int, int]:
    """Return the bounds of a line, or of a part of it that is certainly too large."""
    reach = LONGEST_TOKEN * source.options.max_tokens
    first, last = max(atom.start, at - reach), min(atom.end, at + reach)
    start = source.text.rfind("\n", first, at) + 1 or first
    end = source.text.find("\n", at, last)
    return start, last if end < 0 else end


def _check_pieces(
    source: CheckedSource, chunk: Chunk, opening: CutAtom | None, closing: CutAtom | None
) -> Iterator[Violation]:
    rendered = chunk.render(headings=False)
    shown = [atom for block in parse_blocks(rendered, mdx=source.mdx) for atom in (block, *block.atoms)]
    cuts = [cut for cut in (opening, closing) if cut]
    if opening and closing and opening.atom == closing.atom:
        cuts = [opening._replace(is_within_line=opening.is_within_line or closing.is_within_line)]
    for cut in cuts:
        check = {"code": _code_problem, "table": _table_problem}.get(cut.atom.kind)
        problem = (
            check(source, chunk, cut, rendered, shown) if check else ""
        )  # a part of a formula cannot be made valid
        if problem:
            lines = f"{cut.atom.start_line}-{cut.atom.end_line}"
            yield broken("atoms", chunk, f"holds a piece of the {cut.atom.kind} on lines {lines} {problem}")


def _code_problem(source: CheckedSource, chunk: Chunk, cut: CutAtom, _rendered: str, shown: Sequence[Block]) -> str:
    """Return what is wrong with a piece of code in the rendered chunk, whose blocks and atoms are `shown`."""
    atom = cut.atom
    if cut.is_within_line and _is_cut_in_fence(source, chunk, atom):
        return ""  # half a fence is not a fence
    begins_inside = _begins_inside(source, chunk, atom)
    if _is_fenced(source, cut):
        if begins_inside and not chunk.prefix:
            return "without the opening fence"
        if chunk.end < atom.end and not chunk.suffix:
            return "without a closing fence"
    elif source.leaves_out_indentation(chunk.start):
        return ""  # the indentation is too wide for a chunk
    if _needs_container(source, cut):
        return "" if not begins_inside or atom.lang in chunk.prefix else "without its language"
    piece = _shown_piece(chunk, atom, shown)
    if piece is None:
        return "that does not render as code"
    return "" if piece.lang == atom.lang else f"in the language {piece.lang!r}, not {atom.lang!r}"


def _table_problem(source: CheckedSource, chunk: Chunk, cut: CutAtom, rendered: str, shown: Sequence[Block]) -> str:
    """Return what is wrong with a piece of a table."""
    atom = cut.atom
    if _is_html(atom):
        return _html_problem(source, chunk, cut, rendered, shown)
    head_end = _head_end(source.text, atom)
    begins_inside = _begins_inside(source, chunk, atom)
    if (chunk.start if begins_inside else chunk.end) < head_end:
        head_fits = not exceeds_budget(source, glued_start(source, atom, cut.block), head_end)
        return "without its delimiter row" if head_fits else ""
    if begins_inside and not chunk.prefix:
        return "without its header rows"
    if cut.is_within_line or _needs_container(source, cut):
        return ""  # half a row is not a row
    piece = _shown_piece(chunk, atom, shown)
    if piece is None:
        return "that does not render as a table"
    columns, expected = _columns(rendered, piece), _columns(source.text, atom)
    return "" if columns == expected else f"with {columns} columns, not {expected}"


def _html_problem(source: CheckedSource, chunk: Chunk, cut: CutAtom, rendered: str, shown: Sequence[Block]) -> str:
    """Return what is wrong with a piece of an HTML table; a piece cut inside a row is not judged."""
    atom, text = cut.atom, source.text
    tables = rows.read_rows(text, atom)
    inside = [at for at in (chunk.start, chunk.end) if atom.start < at < atom.end and source.has_ink(at, atom.end)]
    cuts = [(rows.rows_at(tables, at), at) for at in inside]
    if _needs_container(source, cut) or not all(rows.begins_row(text, table, at) for table, at in cuts):
        return ""
    return rows.piece_problem(text, cuts[0][0], chunk, rendered, shown) if cuts else ""


def _shown_piece(chunk: Chunk, atom: Block, shown: Sequence[Block]) -> Block | None:
    """Return the block of the rendered chunk that shows all of the chunk's part of an atom."""
    shift = len(chunk.prefix) - chunk.start
    start, end = max(atom.start, chunk.start) + shift, min(atom.end, chunk.end) + shift
    for piece in shown:
        if piece.kind == atom.kind and piece.closed and piece.start <= start and piece.end >= end:
            return piece
    return None


def _begins_inside(source: CheckedSource, chunk: Chunk, atom: Block) -> bool:
    return chunk.start > atom.start and source.has_ink(atom.start, chunk.start)


def _is_cut_in_fence(source: CheckedSource, chunk: Chunk, atom: Block) -> bool:
    """Does the chunk begin or end within the first or the last line of an atom?"""
    first_end = _line_end(source.text, atom.start)
    last_start = source.text.rfind("\n", atom.start, atom.end) + 1
    return any(atom.start < at < first_end or last_start < at < atom.end for at in (chunk.start, chunk.end))


def _is_fenced(source: CheckedSource, cut: CutAtom) -> bool:
    line = source.text[cut.atom.start : _line_end(source.text, cut.atom.start)]
    if not source.mdx and source.blocks[cut.block].kind == "code" and strip_indent(line)[0] >= DEEP_INDENT:
        return False
    return _fence(line) is not None


def _needs_container(source: CheckedSource, cut: CutAtom) -> bool:
    """Are the lines of a nested atom indented so deeply that they are an atom only inside their list?"""
    if source.blocks[cut.block].kind in ATOM_KINDS:
        return False
    last = source.text[source.text.rfind("\n", cut.atom.start, cut.atom.end) + 1 : cut.atom.end].expandtabs(DEEP_INDENT)
    marks = _container_marks(last)
    return marks is not None and marks.end() >= DEEP_INDENT


def _head_end(text: str, table: Block) -> int:
    """Return the end of the second line: the delimiter row of a table."""
    return min(table.end, _line_end(text, _line_end(text, table.start) + 1))


def _columns(text: str, table: Block) -> int:
    second = _line_end(text, table.start) + 1
    return len(_delimiter_cells(text, second, _line_end(text, second)))


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end
