"""Tables -> HTML and CSS."""

from __future__ import annotations

from html import escape

from .cells import SIGNS, kind_of
from .look import DARK, SHADE, Look
from .model import Table, TableRow, current_column

_RULES = (
    "thead tr:last-child th:not(:empty){border-bottom:.7pt solid #000} tr.total td.n{border-top:.7pt solid #000} "
    "td,th{padding:1.5pt 4pt}"
)
BORDERS = {
    "full": "td,th{border:.7pt solid #444;padding:2pt 5pt}",
    "rules": _RULES,
    "none": "td,th{padding:1.5pt 4pt}",
    "columns": "td,th{padding:1.5pt 4pt} table.data{border:.7pt solid #000} "
    "td.n:not(.number,.end),th{border-left:.7pt solid #000} thead tr:last-child th{border-bottom:.7pt solid #000}",
    "thick": "td,th{padding:1.5pt 4pt} thead tr:first-child th{border-top:2pt solid #000} "
    "thead tr:last-child th{border-bottom:2pt solid #000} tbody tr:last-child td{border-bottom:2pt solid #000}",
    "sides": "td,th{padding:1.5pt 4pt} table.data{border-left:.7pt solid #000;border-right:.7pt solid #000}",
    "double": _RULES + " tr.total td.n{border-bottom:2.2pt double #000}",
}
TIGHT = "td.n, th.n {padding-left:0; padding-right:0; width:1px} td:first-child {width:60%}"
FILLS = {
    "none": "",
    "column": f".now{{background:{SHADE}}}",
    "zebra": f"table.data tbody tr:nth-child(even) td{{background:{SHADE}}}",
    "head": f"table.data thead th{{background:{DARK};color:#fff}}",
}


def table_css(look: Look) -> str:
    head = "table-header-group" if look.repeats_labels else "table-row-group"
    family = "font-family:'Liberation Mono'" if look.is_typewriter else ""
    return f"""
table {{border-collapse:collapse; width:100%}}
table.data {{{family}}}
td, th {{vertical-align:bottom; text-align:left}}
td.n, th.n {{text-align:right}}
th {{font-size:{look.label_size}em}}
th.span {{text-align:center}}
thead {{display:{head}}}
tr {{break-inside:avoid}}
tr.total td {{font-weight:bold}}
{BORDERS[look.borders]}
td.sign {{padding-left:9pt; padding-right:0; border-right:0; width:1px}}
td.number {{padding-left:0; padding-right:0; border-left:0; border-right:0}}
td.end {{padding-left:0; padding-right:0; border-left:0; width:1px}}
{TIGHT if look.is_tight else ""}
sup {{font-size:.65em; line-height:1}}
{FILLS[look.fill]}"""


def table_of(table: Table, look: Look) -> str:
    """Return the table, with the lines above it."""
    title = "".join([f'<p class="title">{escape(line)}</p>' for line in table.title])
    head = f"<thead>{_head(table, look)}</thead>"
    columns = len(table.chains()) * (3 if look.signs_apart else 1)
    now = current_column(table)
    body = f"<tbody>{''.join([_row(row, columns, now, look) for row in table.rows])}</tbody>"
    if not look.labels_apart:
        return f'{title}<table class="data">{head}{body}</table>'
    widths = _widths(table, look)
    fixed = f'class="data" style="table-layout:fixed">{widths}'
    return f"{title}<table {fixed}{head}</table><table {fixed}{body}</table>"


def _widths(table: Table, look: Look) -> str:
    columns = len(table.chains())
    label = look.label_share(columns)
    amount = 100 * (1 - label) / columns
    parts = (0.2, 0.65, 0.15) if look.signs_apart else (1.0,)
    cols = "".join([f'<col style="width:{amount * part:.2f}%">' for part in parts])
    return f'<colgroup><col style="width:{100 * label:.2f}%">{cols * columns}</colgroup>'


def _head(table: Table, look: Look) -> str:
    width = 3 if look.signs_apart else 1
    kinds = [_kind(cell) for cell in table.rows_of_cells()[0].cells]
    now = current_column(table)
    rows: list[str] = []
    for number, row in enumerate(table.labels, 1):
        is_last = number == len(table.labels)
        cells: list[str] = []
        for place, (label, kind) in enumerate(zip(row, kinds, strict=False)):
            name = "span" if label.span > 1 else kind
            name += " now" if is_last and place == now else ""
            cells.append(f'<th colspan="{label.span * width}" class="{name}">{_text(label.text)}</th>')
        rows.append(f"<tr><th>{_text(table.corner if is_last else '')}</th>{''.join(cells)}</tr>")
    return "".join(rows)


def _row(row: TableRow, columns: int, now: int, look: Look) -> str:
    width = 3 if look.signs_apart else 1
    text = escape(look.led(row.label, columns // width) if row.cells else row.label)
    label = f'<td style="padding-left:{4 + 9 * row.indent}pt">{text}</td>'
    if not row.cells:
        return f"<tr>{label}{_blank(columns, now, look)}</tr>"
    cells: list[str] = []
    for column, cell in enumerate(row.cells):
        name = " now" if column == now else ""
        mark = f"<sup>{escape(row.mark(column))}</sup>" if row.mark(column) else ""
        apart = look.signs_apart and _kind(cell) == "n"
        cells.append(_apart(cell, name, mark) if apart else f'<td class="{_kind(cell)}{name}">{_text(cell)}{mark}</td>')
    return f'<tr class="{"total" if row.is_total else ""}">{label}{"".join(cells)}</tr>'


def _blank(columns: int, now: int, look: Look) -> str:
    """Cells of a row that names a group; what shades a column shades them as well."""
    if look.fill != "column" and look.borders != "columns":
        return f'<td colspan="{columns}"></td>'
    width = 3 if look.signs_apart else 1
    return "".join([f'<td class="n{" now" if number == now else ""}" colspan="{width}"></td>'
                    for number in range(columns // width)])  # fmt: skip


def _text(text: str) -> str:
    return escape(text).replace("\n", "<br>")


def _kind(cell: str) -> str:
    return "l" if kind_of(cell) == "text" else "n"


def _apart(cell: str, name: str, mark: str) -> str:
    match = SIGNS.fullmatch(cell)
    assert match
    sign, number, end = match.groups()
    return (
        f'<td class="n sign{name}">{sign}</td><td class="n number{name}">{escape(number)}</td>'
        f'<td class="end{name}">{end}{mark}</td>'
    )
