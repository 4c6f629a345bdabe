"""The blocks of a document -> pieces: whole blocks, items, lines, and tables in HTML at their rows."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise

from crosshead.chunking.prices import INNER_BLOCK, INNER_LINE, ITEM, NESTED_ITEM, Cut
from crosshead.chunking.splitting import prose
from crosshead.chunking.splitting.atoms import ATOM_REASONS, CONTAINER_MARK, AtomSplitter
from crosshead.chunking.splitting.html_rows import HtmlTable
from crosshead.chunking.splitting.part import BlockPart
from crosshead.chunking.splitting.prose import Span
from crosshead.markdown import HTML_TABLE
from crosshead.types import Block


class BlockSplitter(AtomSplitter):
    """Cuts the blocks of one document."""

    def pieces(self, block: Block, end: int, tokens: int, budget: int, cut: Cut) -> list[BlockPart]:
        """Cut a block whose slice ends at `end`; `budget` is what the headings before it leave free."""
        reason = ATOM_REASONS.get(block.kind) if block.closed else None
        whole = BlockPart(block.start, block.start, tokens, cut, reason, head=-self.measure.join(block.start))
        if reason:
            if self.split_atoms and self.is_too_large(whole, end, self.max_tokens):
                return self.atom_pieces(block, end, budget, cut)
            return [whole]
        if block.kind == "list" and tokens > min(budget, self.max_tokens // 2):
            return self.item_pieces(block, end, budget, cut)
        if tokens <= budget:
            return [whole]
        if not block.closed:
            return self.atom_pieces(block, end, budget, cut)
        if block.kind in ("paragraph", "heading"):
            return self.prose_pieces(block.start, end, budget, cut, self.measure.count_of(block))
        return self.line_pieces(block, block.start_line, block.end_line, end, budget, cut)

    def item_pieces(self, block: Block, end: int, budget: int, cut: Cut) -> list[BlockPart]:
        pieces: list[BlockPart] = []
        starts = [self.offsets[first - 1] for first, _ in block.items]
        count = self.measure.count_of(block)
        for (first, last), (start, stop) in zip(block.items, pairwise([*starts, end]), strict=True):
            piece = self.line_piece(start, stop, cut, count)
            if piece.tokens > budget:
                pieces += self.line_pieces(block, first, last, stop, budget, cut)
            else:
                pieces.append(piece)
            cut, budget = ITEM, self.max_tokens
        return pieces

    def line_pieces(self, block: Block, first: int, last: int, end: int, budget: int, cut: Cut) -> list[BlockPart]:
        """Cut the lines `first` to `last` of a block; the atoms among them stay whole."""
        pieces: list[BlockPart] = []
        count = self.measure.count_of(block)
        kept = self.kept_spans(self.offsets[first - 1], end, budget, count)
        for start, stop, line_cut, atom in self.line_spans(block, first, last, end, cut, kept):
            behind = self.marks_start(atom, stop) if atom else stop
            piece = self.line_piece(start, behind, line_cut, count)
            if atom and self.split_atoms and self.is_too_large(piece, behind, self.max_tokens):
                pieces += self.atom_pieces(atom, stop, budget, line_cut, nested=True)
            elif atom:
                pieces += self.with_marks(piece._replace(reason=ATOM_REASONS[atom.kind]), behind, stop, count)
            elif piece.tokens > budget:
                pieces += self.prose_pieces(start, stop, budget, line_cut, count)
            else:
                pieces.append(piece)
            budget = self.max_tokens
        return pieces

    def line_spans(
        self, block: Block, first: int, last: int, end: int, cut: Cut, kept: Sequence[Span]
    ) -> Iterator[tuple[int, int, Cut, Block | None]]:
        """Yield (start, end, price of a cut before it, atom) for every line or atom that may be a piece."""
        text, offsets = self.text, self.offsets
        atoms = {atom.start_line: atom for atom in block.atoms}
        starts: list[tuple[int, Cut, Block | None]] = []
        line = first
        while line <= last:
            atom = atoms.get(line)
            start = offsets[line - 1]
            if starts and cut is INNER_LINE and prose.LIST_ITEM(text, start):
                cut = NESTED_ITEM
            starts.append((start, cut, atom))
            line = max(atom.end_line if atom else line, line) + 1
            while not atom and line <= last and line not in atoms and prose.lies_inside(offsets[line - 1], kept):
                line += 1
            cut = INNER_LINE
            while line <= last and not text[offsets[line - 1] : self.line_end(line)].replace(">", " ").strip():
                line += 1
                cut = INNER_BLOCK
        for (start, cut, atom), following in zip(starts, [*starts[1:], None], strict=True):
            yield start, following[0] if following else end, cut, atom

    def atom_pieces(self, atom: Block, end: int, budget: int, cut: Cut, *, nested: bool = False) -> list[BlockPart]:
        """Cut an atom: a table in HTML at its rows, all others at their lines."""
        if atom.lang == HTML_TABLE and atom.kind == "table":
            return self.html_table_pieces(atom, end, budget, cut)
        return self.wrapped_lines(atom, end, budget, cut, nested=nested)

    def html_table_pieces(self, atom: Block, end: int, budget: int, cut: Cut) -> list[BlockPart]:
        """Cut an HTML table before its rows, and a row that is too large like other HTML."""
        text, count, behind = self.text, self.measure.code, self.marks_start(atom, end)
        table = HtmlTable(text, atom.start, atom.end)
        starts = [atom.start, *table.rows]
        if len(starts) > 2 and self.measure.counter(text[atom.start : starts[2]].rstrip()) <= budget:
            del starts[1]  # the head stays with the first row
        pieces: list[BlockPart] = []
        for start, stop in pairwise([*starts, behind]):
            piece = self.inner_piece(start, stop, cut, count)
            if not self.is_too_large(piece, stop, budget):
                pieces.append(piece)
            elif self.begins_line(piece):
                first, last = bisect_right(self.offsets, start), bisect_left(self.offsets, stop)
                pieces += self.line_pieces(atom, first, last, stop, budget, cut)
            else:
                pieces += self.prose_pieces(start, stop, budget, cut, count)
            cut, budget = ITEM, self.max_tokens
        wrapped = list(self.with_tags(pieces, table, CONTAINER_MARK.sub(" ", self.margin(atom)), behind))
        wrapped[0] = wrapped[0]._replace(prefix=pieces[0].prefix, prefix_tokens=0)
        wrapped[-1] = wrapped[-1]._replace(suffix=pieces[-1].suffix, suffix_tokens=0)
        return [*wrapped[:-1], *self.with_marks(wrapped[-1], behind, end, count)]

    def with_tags(self, pieces: Sequence[BlockPart], table: HtmlTable, margin: str, end: int) -> Iterator[BlockPart]:
        """Add the tags that make each piece of an HTML table a table; `margin` holds the marks of a quote."""
        margin = margin if ">" in margin else ""
        sizes: dict[str, int] = {}
        rows = set(table.rows)
        for piece, stop in zip(pieces, [*(piece.start for piece in pieces[1:]), end], strict=True):
            opening, closing = table.prefix(piece.content_start), table.suffix(stop)
            is_apart = piece.content_start not in rows and self.text.endswith("\n\n", 0, piece.start)
            inner = "" if self.begins_line(piece) else margin
            prefix = f"{margin}{opening}\n{chr(10) * is_apart}{inner}{piece.prefix}" if opening else piece.prefix
            suffix = f"{piece.suffix}\n{margin}{closing}" if closing else piece.suffix
            for wrapper in (prefix, suffix):
                sizes[wrapper] = sizes[wrapper] if wrapper in sizes else self.measure.code(wrapper)
            fits = sizes[prefix] + sizes[suffix] <= self.max_tokens // 2  # else there would be no room for rows
            yield piece._replace(
                prefix=prefix, suffix=suffix,
                prefix_tokens=sizes[prefix] if fits else 0, suffix_tokens=sizes[suffix] if fits else 0,
            )  # fmt: skip

    def margin(self, atom: Block) -> str:
        """Return the text before the first tag of an atom: indentation, and the marks of lists and quotes."""
        return self.text[atom.start : max(atom.start, self.text.find("<", atom.start, atom.end))]
