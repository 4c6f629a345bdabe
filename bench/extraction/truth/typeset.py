"""Documents -> PDF by Typst."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from .cells import DOUBLE, LINE, THICK, Cell, Drawn, Row, borders_of, draw, fill_of
from .look import Look
from .model import Beside, Block, Boxes, Break, Code, Columns, Contents, Document, Heading, Items, Paragraph, Table

if TYPE_CHECKING:
    from .plan import Planned

_STROKES = {LINE: "0.6pt", THICK: "2pt", DOUBLE: "1.2pt"}
_FAMILIES = {"serif": "Libertinus Serif", "sans": "DejaVu Sans", "mono": "DejaVu Sans Mono"}


def print_all(documents: Sequence[Planned], folder: Path) -> None:
    import typst

    for each in documents:
        source = source_of(each.document, each.look)
        (folder / f"{each.name}.pdf").write_bytes(typst.compile(source.encode()))


def source_of(document: Document, look: Look) -> str:
    """Return the whole source."""
    width, height = look.page
    centered = ", align: center" if look.headings == "centered" else ""
    weight = "bold" if look.bold else "regular"
    color = "#1a4d8f" if look.headings == "colored" else "#000000"
    body = "\n\n".join([_block(block, look) for block in [*document.cover, *document.blocks]])
    return f"""
#set page(width: {width}pt, height: {height}pt, margin: (x: 60pt, y: 62pt), {_furniture(document, look)})
#set text(font: "{_FAMILIES[look.font]}", size: {look.size}pt, hyphenate: false)
#set par(justify: true)
#let title(level, size, body) = block(above: 1.6em, below: .9em, sticky: true, width: 100%,
  align({"center" if centered else "left"}, text(size: size * 1pt, weight: "{weight}", fill: rgb("{color}"), body)))

{body}
"""


def _furniture(document: Document, look: Look) -> str:
    number = "#context counter(page).display()"
    at = look.page_number
    head = f"#text(size: 7.5pt, {_text(document.head)}) #h(1fr) {number if at == 'head right' else ''}"
    if at == "foot center":
        foot = f"#align(center, text(size: 7.5pt)[{number}])"
    else:
        foot = f"#text(size: 7.5pt, {_text(document.foot)}) #h(1fr) {number if at != 'head right' else ''}"
    rule = "#v(-6pt) #line(length: 100%, stroke: .5pt)" if at == "above rule" else ""
    return f"header: [{head}], footer: [{foot} {rule}]"


def _text(text: str) -> str:
    """Return a string literal of Typst."""
    return json.dumps(text, ensure_ascii=False)


def _block(block: Block, look: Look) -> str:
    match block:
        case Heading():
            return f"#title({block.level}, {look.size * look.sizes[block.level - 1]:.1f}, {_text(block.text)})"
        case Paragraph():
            size = "size: .85em, " if block.is_small else ""
            if block.has_drop_cap:
                first, rest = _text(block.text[0]), _text(block.text[1:])
                return f"#text(size: 2.4em, {first})#text({rest})"
            lead = f"*#text({_text(block.lead)})* " if block.lead else ""
            return f"{lead}#text({size}{_text(block.text)})"
        case Items():
            return "\n".join([f"{'+' if block.is_ordered else '-'} #text({_text(text)})" for text in block.texts])
        case Code():
            return f"#raw(block: true, {_text(chr(10).join(block.lines))})"
        case Columns():
            inner = "\n\n".join([_block(each, look) for each in block.blocks])
            return f"#block(height: {_height(block, look):.0f}pt, columns(2, gutter: 18pt)[{inner}])"
        case Break():
            return "#pagebreak(weak: true)" + (
                f"\n\n#align(center)[*#text({_text(block.head)})*]" if block.head else ""
            )
        case Table():
            return _titles(block) + _table(block, look)
        case Beside():
            halves = [f"[{_table(each, look)}]" for each in (block.left, block.right)]
            return f"#grid(columns: (1fr, 1fr), gutter: 24pt, {', '.join(halves)})"
        case Contents():
            return _contents(block)
        case Boxes():
            raise NotImplementedError("forms are printed by other renderers")


def _height(columns: Columns, look: Look) -> float:
    """Return about how high the text is in two columns: Typst does not balance columns."""
    texts = [block.text for block in columns.blocks if isinstance(block, Paragraph)]
    lines = sum(len(text) * look.size * 0.5 / (look.width / 2 - 9) + 1.5 for text in texts)
    return (lines / 2 + 2) * look.size * 1.35


def _titles(table: Table) -> str:
    return "".join([f"#align(center, strong({_text(line)}))\n\n" for line in table.title])


def _contents(contents: Contents) -> str:
    lines = [f"#align(center, strong({_text(contents.title)}))"]
    for entry, place in zip(contents.entries, contents.places, strict=True):
        indent = 12 * (entry.level - 2)
        lines.append(f"#h({indent}pt) #text({_text(entry.text)}) #box(width: 1fr, repeat[.]) {place}")
    return "\n\n".join(lines)


def _table(table: Table, look: Look) -> str:
    drawn = draw(table, look)
    cells = [", ".join([_cell(cell, row, number, drawn, look) for cell in row.cells])
             for number, row in enumerate(drawn.rows)]  # fmt: skip
    head, body = cells[: drawn.heads], cells[drawn.heads :]
    if look.labels_apart:
        return f"{_grid(drawn, look, head)}\n\n#v(-4pt)\n\n{_grid(drawn, look, body)}"
    if look.repeats_labels:
        head = [f"table.header({', '.join(head)})"]
    return _grid(drawn, look, [*head, *body])


def _grid(drawn: Drawn, look: Look, rows: Sequence[str]) -> str:
    columns = ", ".join([f"{share:.4f}fr" for share in drawn.shares])
    inset = "(x: 1pt, y: 2.5pt)" if look.signs_apart else "(x: 4pt, y: 2.5pt)"
    family = f'#set text(font: "{_FAMILIES["mono"]}");' if look.is_typewriter else ""
    body = ",\n".join(rows)
    table = f"#table(columns: ({columns}), stroke: none, inset: {inset},\n{body})"
    return f"#block(width: 100%)[{family}#set par(justify: false);{table}]"


def _cell(cell: Cell, row: Row, number: int, drawn: Drawn, look: Look) -> str:
    sides = ", ".join([f"{side}: {_STROKES[line]}" for side, line in borders_of(cell, row, number, drawn, look)])
    fill = fill_of(cell, row, number - drawn.heads, look)
    is_left = not cell.column or cell.kind in ("text", "end")
    align = "left" if is_left else "center" if cell.kind == "span" else "right"
    options = [
        f"colspan: {cell.span}",
        f"align: {align} + bottom",
        f"inset: (left: {4 + 9 * cell.indent}pt)" * bool(cell.indent),
    ]
    options += [f"stroke: ({sides})"] if sides else []
    options += [f'fill: rgb("{fill}")'] if fill else []
    size = f"size: {look.label_size}em, " if row.is_head else ""
    size += 'weight: "bold", ' if row.is_head or row.is_total else ""
    size += "fill: white, " if row.is_head and look.fill == "head" else ""
    mark = f"#super({_text(cell.mark)})" if cell.mark else ""
    return f"table.cell({', '.join(filter(None, options))})[#text({size}{_text(cell.text)}){mark}]"
