"""Documents -> PDF by groff and tbl."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from .cells import Cell, Drawn, Row, draw
from .look import Look
from .model import Beside, Block, Boxes, Break, Code, Columns, Contents, Document, Heading, Items, Paragraph, Table

if TYPE_CHECKING:
    from .plan import Planned

_ESCAPES = str.maketrans({"\\": "\\e", "\u202f": "\\ ", "\u00a0": "\\ ", "\u2009": "\\ ", "-": "\\-", "’": "\\[cq]"})
_FAMILIES = {"serif": "T", "sans": "H", "mono": "C"}
_OPTIONS = {"full": "allbox ", "columns": "box ", "sides": ""}


def print_all(documents: Sequence[Planned], folder: Path) -> None:
    for each in documents:
        paper = f"-P-p{each.look.page[1] / 72:.2f}i,{each.look.page[0] / 72:.2f}i"
        command = ["groff", "-k", "-Kutf8", "-t", "-ms", "-Tpdf", paper]
        source = source_of(each.document, each.look).encode()
        done = subprocess.run(command, input=source, capture_output=True, check=True)
        if b"tbl:" in done.stderr:
            raise RuntimeError(f"{each.name}: {done.stderr.decode()[:300]}")
        (folder / f"{each.name}.pdf").write_bytes(done.stdout)


def source_of(document: Document, look: Look) -> str:
    """Return the whole source."""
    width, height = look.page
    setup = [
        f".pl {height}p", ".nr PO 60p", f".nr LL {width - 120}p", f".nr PS {look.size}p", f".nr VS {look.size * 1.25}p",
        ".nr HM 62p", ".nr FM 62p", ".nr PD 5p", f".fam {_FAMILIES[look.font]}", f".ds FAM {_FAMILIES[look.font]}",
        *_furniture(document, look), ".LP",
    ]  # fmt: skip
    return "\n".join([*setup, *[_block(block, look) for block in [*document.cover, *document.blocks]]]) + "\n"


def _furniture(document: Document, look: Look) -> list[str]:
    number, at = "\\\\n[%]", look.page_number
    foot = "" if at in ("foot center", "head right") else _line(document.foot)
    rule = "\\v'3p'\\l'\\n[LL]u'\\v'-3p'" if at == "above rule" else ""
    return [
        f".ds LH \\s-2{_line(document.head)}\\s+2", ".ds CH", f".ds RH {number if at == 'head right' else ''}",
        f".ds LF {rule and chr(92) + 'Z' + chr(39) + rule.replace(chr(39), chr(34)) + chr(39)}\\s-2{foot}\\s+2",
        f".ds CF {number if at == 'foot center' else ''}",
        f".ds RF {number if at in ('foot right', 'above rule') else ''}",
        ".P1",
    ]  # fmt: skip


def _line(text: str) -> str:
    return text.translate(_ESCAPES)


def _text(text: str) -> str:
    """Return a line that groff does not take for a request."""
    return f"\\&{_line(text)}"


def _block(block: Block, look: Look) -> str:
    match block:
        case Heading():
            return _heading(block, look)
        case Paragraph():
            lead = f"\\fB{_line(block.lead)}\\fP " if block.lead else ""
            return f".LP\n\\&{lead}{_line(block.text)}"
        case Items():
            marks = [f"{number}." if block.is_ordered else "\\(bu" for number in range(1, len(block.texts) + 1)]
            return "\n".join([f".IP {mark} 14p\n{_text(text)}" for mark, text in zip(marks, block.texts, strict=True)])
        case Code():
            lines = "\n".join([_text(line) for line in block.lines])
            return f".DS L\n.fam C\n{lines}\n.fam\n.DE"
        case Columns():
            inner = "\n".join([_block(each, look) for each in block.blocks])
            return f".2C\n{inner}\n.1C"
        case Break():
            return ".bp" + (f"\n.ce 1\n\\fB{_line(block.head)}\\fP" if block.head else "")
        case Table():
            return "\n".join([*[f".ce 1\n\\fB{_line(line)}\\fP" for line in block.title], _table(block, look)])
        case Beside():
            return "\n".join([_table(each, look) for each in (block.left, block.right)])
        case Contents():
            return _contents(block, look)
        case Boxes():
            raise NotImplementedError("forms are printed by other renderers")


def _heading(heading: Heading, look: Look) -> str:
    size = look.size * look.sizes[heading.level - 1]
    font = "B" if look.bold else "R"
    request = ".ce 1\n" if look.headings == "centered" else ""
    return f".LP\n.ne 4v\n.sp 6p\n{request}.ps {size:.1f}\n\\f{font}{_text(heading.text)}\\fP\n.br\n.ps {look.size}"


def _contents(contents: Contents, look: Look) -> str:
    lines = [f".ce 1\n\\fB{_line(contents.title)}\\fP\n.nf\n.ta {look.width}pR"]
    for entry, place in zip(contents.entries, contents.places, strict=True):
        lines.append(f"\\&\\h'{12 * (entry.level - 2)}p'{_line(entry.text)}\\a\t{place}".replace("\\a\t", "\t"))
    return "\n".join([*lines, ".fi", ".LP"])


def _table(table: Table, look: Look) -> str:
    drawn = draw(table, look)
    lines = [line for number, row in enumerate(drawn.rows) for line in _row(row, number, drawn, look)]
    heads = [place for place, (row, _) in enumerate(lines) if row.is_head]
    data = [text for _, text in lines]
    repeats = look.repeats_labels and not look.labels_apart
    if look.labels_apart or repeats:
        data.insert(heads[-1] + 1, ".TH" if repeats else ".sp 5p")
    rules = ["_"] if look.borders == "thick" else []
    formats = "\n".join([_format(row, drawn, look) for row, text in lines if text not in ("_", "=")])
    opening = f".TS{' H' if repeats else ''}\n{_OPTIONS.get(look.borders, '')}tab(@);\n{formats}."
    table_lines = [opening, *rules, *data, *rules, ".TE"]
    return "\n".join([".fam C", *table_lines, ".fam"] if look.is_typewriter else [*table_lines, ".LP"])


def _format(row: Row, drawn: Drawn, look: Look) -> str:
    rule = "|" if look.borders == "columns" else ""
    parts: list[str] = []
    for cell in row.cells:
        bold = "b" if row.is_head or row.is_total else ""
        size = f"p{look.size * look.label_size:.0f}" if row.is_head and look.label_size != 1 else ""
        is_left = not cell.column or cell.kind in ("text", "end")
        letter = "l" if is_left else "c" if cell.kind == "span" else "r"
        width = f"w({drawn.shares[cell.column] * look.width - 16:.0f}p)" if cell.span == 1 else ""
        parts.append(
            (rule if cell.column in drawn.starts[1:] else "") + f"{letter}{bold}{size}{width}" + " s" * (cell.span - 1)
        )
    edge = "| " if look.borders == "sides" else ""
    return f"{edge}{' '.join(parts)}{' |' if edge else ''}"


def _row(row: Row, number: int, drawn: Drawn, look: Look) -> Iterator[tuple[Row, str]]:
    """Return the row and the rules around it; each line of data has its own line of format."""
    rule = "@".join(["", *["\\_"] * (len(drawn.shares) - 1)])
    single = Row([Cell(column, 1, "", "amount") for column in range(len(drawn.shares))], is_head=row.is_head)
    if row.is_total and look.borders in ("rules", "double"):
        yield single, rule
    yield row, "@".join([_cell(cell) for cell in row.cells])
    if row.is_total and look.borders == "double":
        yield single, rule
        yield single, rule
    if number == drawn.heads - 1 and look.borders in ("rules", "double", "columns", "thick"):
        yield row, "=" if look.borders == "thick" else "_"


def _cell(cell: Cell) -> str:
    text = _line(cell.text)
    if cell.mark:
        text += f"\\*{{{_line(cell.mark)}\\*}}"
    if cell.indent:
        text = f"\\h'9p'{text}"
    if cell.kind == "text" or "\n" in cell.text:
        lines = "\n.br\n".join([_text(part) for part in cell.text.split("\n")])
        return f"T{{\n{lines}\nT}}"
    return text
