"""Documents -> HTML for a browser to print."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from .look import Look
from .model import Block, Boxes, Break, Code, Columns, Document, Heading, Items, Paragraph, Table, TableRow

_SIGNS = re.compile(r"(\$?)(.*?)([)%]*)")
BORDERS = {
    "full": "td,th{border:.7pt solid #444;padding:2pt 5pt}",
    "rules": "thead tr:last-child th:not(:empty){border-bottom:.7pt solid #000} "
    "tr.total td.n{border-top:.7pt solid #000} td,th{padding:1.5pt 4pt}",
    "none": "td,th{padding:1.5pt 4pt}",
}


def page_of(document: Document, look: Look) -> str:
    """Return the whole page."""
    cover = f'<section class="cover">{_blocks(document.cover, look)}</section>' if document.cover else ""
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(document.kind)}</title>'
        f"<style>{_css(look)}</style><body>{cover}{_blocks(document.blocks, look)}</body></html>"
    )


def _css(look: Look) -> str:
    sizes = "".join([f"h{level}{{font-size:{size}em}}" for level, size in enumerate(look.sizes, 1)])
    weight = "bold" if look.bold else "normal"
    color = "#1a4d8f" if look.headings == "colored" else "#000"
    extra = "font-variant:small-caps;" if look.headings == "small-caps" else ""
    extra += "text-align:center;" if look.headings == "centered" else ""
    head = "table-header-group" if look.repeats_labels else "table-row-group"
    return f"""
body {{font:{look.size}pt/1.3 '{look.family}'; margin:0; color:#000}}
p, ul, ol, table, pre {{margin:0 0 .8em}}
h1, h2, h3, h4, h5 {{font-weight:{weight}; color:{color}; margin:1.3em 0 .6em; {extra} line-height:1.2;
  break-after:avoid}}
{sizes}
table {{border-collapse:collapse; width:100%}}
td, th {{vertical-align:bottom; text-align:left}}
td.n, th.n {{text-align:right}}
th.span {{text-align:center}}
thead {{display:{head}}}
tr {{break-inside:avoid}}
tr.total td {{font-weight:bold}}
pre {{font:.9em 'Liberation Mono'}}
.small {{font-size:.85em}}
.boxed {{border:1pt solid #000; padding:4pt}}
.two {{column-count:2; column-gap:18pt}}
.cover {{break-after:page; padding-top:160pt; font-size:1.5em; text-align:center}}
.break {{break-before:page}}
.form td {{border:.8pt solid #000; width:30%}}
.form small {{font-size:.8em; color:#333}}
.form + p {{margin-top:1em}}
{BORDERS[look.borders]}
td.sign {{padding-left:9pt; padding-right:0; border-right:0; width:1px}}
td.number {{padding-left:0; padding-right:0; border-left:0; border-right:0}}
td.end {{padding-left:0; padding-right:0; border-left:0; width:1px}}"""


def _blocks(blocks: Sequence[Block], look: Look) -> str:
    return "\n".join([_block(block, look) for block in blocks])


def _block(block: Block, look: Look) -> str:
    match block:
        case Heading():
            return f"<h{block.level}>{escape(block.text)}</h{block.level}>"
        case Paragraph():
            name = "small" if block.is_small else "boxed" if block.is_boxed else ""
            lead = f"<b>{escape(block.lead)}</b> " if block.lead else ""
            return f'<p class="{name}">{lead}{escape(block.text)}</p>'
        case Items():
            name = "ol" if block.is_ordered else "ul"
            return f"<{name}>{''.join([f'<li>{escape(text)}</li>' for text in block.texts])}</{name}>"
        case Code():
            return f"<pre>{escape(chr(10).join(block.lines))}</pre>"
        case Columns():
            return f'<div class="two">{_blocks(block.blocks, look)}</div>'
        case Break():
            head = f'<p style="text-align:center"><b>{escape(block.head)}</b></p>' if block.head else ""
            return f'<div class="break"></div>{head}'
        case Boxes() if block.is_stacked:
            return "".join([_stack(row) for row in block.rows])
        case Boxes():
            return "".join([_form_row(row) for row in block.rows])
        case Table():
            return _table(block, apart=look.signs_apart)


def _form_row(pairs: Sequence[tuple[str, str]]) -> str:
    cells = [f"<td><small>{escape(label)}</small><br>{escape(value)}</td>" for label, value in pairs]
    return f'<table class="form" style="margin:0 0 -.8pt"><tr>{"".join(cells)}</tr></table>'


def _stack(pairs: Sequence[tuple[str, str]]) -> str:
    labels, values = ("<br>".join([escape(pair[place]) for pair in pairs]) for place in (0, 1))
    return f'<table class="form" style="margin:0 0 -.8pt"><tr><td>{labels}</td><td>{values}</td></tr></table>'


def _table(table: Table, *, apart: bool) -> str:
    width = 3 if apart else 1
    heads: list[str] = []
    kinds = [_kind(cell) for cell in table.rows_of_cells()[0].cells]
    for number, row in enumerate(table.labels, 1):
        corner = table.corner if number == len(table.labels) else ""
        names = ["span" if label.span > 1 else kind for label, kind in zip(row, kinds, strict=False)]
        cells = [
            f'<th colspan="{label.span * width}" class="{name}">{escape(label.text)}</th>'
            for label, name in zip(row, names, strict=True)
        ]
        heads.append(f"<tr><th>{escape(corner)}</th>{''.join(cells)}</tr>")
    columns = width * len(kinds)
    rows = [_row(row, columns, apart=apart) for row in table.rows]
    return f"<table><thead>{''.join(heads)}</thead><tbody>{''.join(rows)}</tbody></table>"


def _row(row: TableRow, columns: int, *, apart: bool) -> str:
    label = f'<td style="padding-left:{4 + 9 * row.indent}pt">{escape(row.label)}</td>'
    if not row.cells:
        return f'<tr>{label}<td colspan="{columns}"></td></tr>'
    cells = [_apart(cell) if apart else f'<td class="{_kind(cell)}">{escape(cell)}</td>' for cell in row.cells]
    return f'<tr class="{"total" if row.is_total else ""}">{label}{"".join(cells)}</tr>'


def _kind(cell: str) -> str:
    return "l" if cell[:1].isalpha() else "n"


def _apart(cell: str) -> str:
    match = _SIGNS.fullmatch(cell)
    assert match
    sign, number, end = match.groups()
    return f'<td class="n sign">{sign}</td><td class="n number">{escape(number)}</td><td class="end">{end}</td>'
