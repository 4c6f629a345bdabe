"""Documents -> flat OpenDocument text for LibreOffice."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from .look import Look
from .model import Block, Boxes, Break, Code, Columns, Document, Heading, Items, Paragraph, Table, TableRow

_SPACES = {
    "office": "urn:oasis:names:tc:opendocument:xmlns:office:1.0",
    "style": "urn:oasis:names:tc:opendocument:xmlns:style:1.0",
    "text": "urn:oasis:names:tc:opendocument:xmlns:text:1.0",
    "table": "urn:oasis:names:tc:opendocument:xmlns:table:1.0",
    "fo": "urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0",
    "svg": "urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0",
}
_LINE = "0.7pt solid #000000"


class _Writer:
    """Writes the body of one document and collects the tables' widths."""

    def __init__(self, look: Look) -> None:
        self.look = look
        self.widths: dict[str, str] = {}
        self._tables = 0

    def blocks(self, blocks: Sequence[Block], width: float = 1.0) -> str:
        return "".join([self._block(block, width) for block in blocks])

    def _block(self, block: Block, width: float) -> str:
        match block:
            case Heading():
                name = f'text:style-name="H{block.level}" text:outline-level="{block.level}"'
                return f"<text:h {name}>{escape(block.text)}</text:h>"
            case Paragraph():
                lead = f'<text:span text:style-name="Bold">{escape(block.lead)}</text:span> ' if block.lead else ""
                return _paragraph(
                    lead + escape(block.text), "Small" if block.is_small else "Boxed" if block.is_boxed else "P"
                )
            case Items():
                name = "Numbers" if block.is_ordered else "Bullets"
                items = [f"<text:list-item>{_paragraph(escape(text))}</text:list-item>" for text in block.texts]
                return f'<text:list text:style-name="{name}">{"".join(items)}</text:list>'
            case Code():
                return "".join([_paragraph(escape(line), "Code") for line in block.lines])
            case Columns():
                inner = self.blocks(block.blocks, 0.48)
                return f'<text:section text:style-name="Two" text:name="two">{inner}</text:section>'
            case Break():
                return _paragraph(f'<text:span text:style-name="Bold">{escape(block.head)}</text:span>', "Break")
            case Boxes():
                return "".join(
                    [self._form_row(row, width, is_stacked=block.is_stacked) for row in block.rows]
                ) + _paragraph("")
            case Table():
                return self._table(block, width)

    def _form_row(self, pairs: Sequence[tuple[str, str]], width: float, *, is_stacked: bool) -> str:
        if is_stacked:
            boxes = ["".join([_paragraph(escape(pair[place]), "Left") for pair in pairs]) for place in (0, 1)]
        else:
            boxes = [_paragraph(escape(label), "Small") + _paragraph(escape(value), "Left") for label, value in pairs]
        cells = "".join([_cell(box, "Boxed") for box in boxes])
        return self._frame([1.0] * len(boxes), width, f"<table:table-row>{cells}</table:table-row>")

    def _table(self, table: Table, width: float) -> str:
        columns = len(table.chains())
        heads: list[str] = []
        for number, row in enumerate(table.labels, 1):
            last = number == len(table.labels)
            cells = [_cell(_paragraph(escape(table.corner if last else ""), "Left"), self._border(head=last))]
            for label, cell in zip(row, table.rows_of_cells()[0].cells, strict=False):
                aligned = "LeftBold" if cell[:1].isalpha() else "RightBold"
                text = _paragraph(escape(label.text), "Center" if label.span > 1 else aligned)
                cells.append(_cell(text, self._border(head=last), label.span))
            heads.append(f"<table:table-row>{''.join(cells)}</table:table-row>")
        head = "".join(heads)
        if self.look.repeats_labels:
            head = f"<table:table-header-rows>{head}</table:table-header-rows>"
        rows = "".join([self._row(row, columns) for row in table.rows])
        return self._frame([3.0, *[1.0] * columns], width, head + rows) + _paragraph("")

    def _row(self, row: TableRow, columns: int) -> str:
        label = _cell(_paragraph(escape(row.label), "Indented" if row.indent else "Left"), self._border())
        cells = [
            _cell(_paragraph(escape(cell), "Left" if cell[:1].isalpha() else "Right"), self._border(total=row.is_total))
            for cell in row.cells or [""] * columns
        ]
        return f"<table:table-row>{label}{''.join(cells)}</table:table-row>"

    def _border(self, *, head: bool = False, total: bool = False) -> str:
        if self.look.borders == "full":
            return "Boxed"
        if self.look.borders == "rules":
            return "Below" if head else "Above" if total else "Open"
        return "Open"

    def _frame(self, shares: Sequence[float], width: float, rows: str) -> str:
        self._tables += 1
        columns: list[str] = []
        for share in shares:
            points = 492 * width * share / sum(shares)
            name = f"W{round(points * 10)}"
            self.widths[name] = (
                f'<style:style style:name="{name}" style:family="table-column">'
                f'<style:table-column-properties style:column-width="{points:.1f}pt"/></style:style>'
            )
            columns.append(f'<table:table-column table:style-name="{name}"/>')
        return (
            f'<table:table table:name="T{self._tables}" table:style-name="Table">{"".join(columns)}{rows}</table:table>'
        )


def document_of(document: Document, look: Look) -> str:
    """Return the whole file."""
    writer = _Writer(look)
    cover = writer.blocks(document.cover) + _paragraph("", "Break") if document.cover else ""
    body = cover + writer.blocks(document.blocks)
    names = " ".join([f'xmlns:{name}="{uri}"' for name, uri in _SPACES.items()])
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document {names} office:version="1.3" '
        'office:mimetype="application/vnd.oasis.opendocument.text">'
        f"<office:font-face-decls>{_face('Liberation Serif')}{_face('Liberation Sans')}{_face('Liberation Mono')}"
        f"</office:font-face-decls><office:styles>{_styles(look)}</office:styles>"
        f"<office:automatic-styles>{''.join(writer.widths.values())}{_automatic(document)}</office:automatic-styles>"
        f"<office:master-styles>{_master(document)}</office:master-styles>"
        f"<office:body><office:text>{body}</office:text></office:body></office:document>"
    )


def _face(name: str) -> str:
    return f'<style:font-face style:name="{name}" svg:font-family="&apos;{name}&apos;"/>'


def _paragraph(text: str, style: str = "P") -> str:
    return f'<text:p text:style-name="{style}">{text}</text:p>'


def _cell(content: str, border: str, span: int = 1) -> str:
    covered = "<table:covered-table-cell/>" * (span - 1)
    return (
        f'<table:table-cell table:style-name="Cell{border}" table:number-columns-spanned="{span}" '
        f'office:value-type="string">{content}</table:table-cell>{covered}'
    )


def _style(name: str, paragraph: str, text: str, more: str = "") -> str:
    return (
        f'<style:style style:name="{name}" style:family="paragraph" {more}>'
        f"<style:paragraph-properties {paragraph}/><style:text-properties {text}/></style:style>"
    )


def _styles(look: Look) -> str:
    def font(size: float = 1.0, name: str = look.family) -> str:
        return f'style:font-name="{name}" fo:font-size="{look.size * size:.1f}pt"'

    cell = 'fo:margin-bottom="0pt"'
    color = ' fo:color="#1a4d8f"' if look.headings == "colored" else ""
    weight = f'fo:font-weight="{"bold" if look.bold else "normal"}"{color}'
    align = ' fo:text-align="center"' if look.headings == "centered" else ""
    return "".join(
        [
            _style("P", 'fo:margin-bottom="8pt"', font()),
            _style("Small", 'fo:margin-bottom="6pt"', font(0.85)),
            _style("Boxed", f'fo:margin-bottom="8pt" fo:border="{_LINE}" fo:padding="4pt"', font()),
            _style("Break", 'fo:break-before="page" fo:text-align="center"', font()),
            _style("Code", cell, font(0.9, "Liberation Mono")),
            _style("Left", cell, font()),
            _style("Indented", f'{cell} fo:margin-left="9pt"', font()),
            _style("Right", f'{cell} fo:text-align="end"', font()),
            _style("LeftBold", cell, f'{font()} fo:font-weight="bold"'),
            _style("RightBold", f'{cell} fo:text-align="end"', f'{font()} fo:font-weight="bold"'),
            _style("Center", f'{cell} fo:text-align="center"', f'{font()} fo:font-weight="bold"'),
            *[
                _style(
                    f"H{level}",
                    f'fo:margin-top="14pt" fo:margin-bottom="6pt" fo:keep-with-next="always"{align}',
                    f"{font(size)} {weight}",
                    f'style:default-outline-level="{level}"',
                )
                for level, size in enumerate(look.sizes, 1)
            ],
            '<style:style style:name="Bold" style:family="text"><style:text-properties fo:font-weight="bold"/>'
            '</style:style><style:style style:name="Table" style:family="table">'
            '<style:table-properties table:border-model="collapsing"/></style:style>',
            _list("Bullets", '<text:list-level-style-bullet text:level="1" text:bullet-char="•">', "bullet"),
            _list(
                "Numbers",
                '<text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix=".">',
                "number",
            ),
        ]
    )


def _list(name: str, opening: str, kind: str) -> str:
    return (
        f'<text:list-style style:name="{name}">{opening}<style:list-level-properties '
        'text:list-level-position-and-space-mode="label-alignment"><style:list-level-label-alignment '
        'text:label-followed-by="listtab" text:list-tab-stop-position="24pt" fo:text-indent="-14pt" '
        f'fo:margin-left="24pt"/></style:list-level-properties></text:list-level-style-{kind}></text:list-style>'
    )


def _automatic(document: Document) -> str:
    borders = {
        "Open": "",
        "Boxed": f'fo:border="{_LINE}"',
        "Below": f'fo:border-bottom="{_LINE}"',
        "Above": f'fo:border-top="{_LINE}"',
    }
    cells = [
        f'<style:style style:name="Cell{name}" style:family="table-cell">'
        f'<style:table-cell-properties fo:padding="2pt" style:vertical-align="bottom" {border}/></style:style>'
        for name, border in borders.items()
    ]
    furniture = '<style:header-footer-properties fo:min-height="20pt" fo:margin-{side}="8pt"/>'
    head = f"<style:header-style>{furniture.format(side='bottom')}</style:header-style>" if document.head else ""
    foot = f"<style:footer-style>{furniture.format(side='top')}</style:footer-style>" if document.foot else ""
    return (
        f'{"".join(cells)}<style:style style:name="Two" style:family="section"><style:section-properties '
        'text:dont-balance-text-columns="true"><style:columns fo:column-count="2" fo:column-gap="18pt">'
        '<style:column style:rel-width="1*" fo:end-indent="9pt"/><style:column style:rel-width="1*" '
        'fo:start-indent="9pt"/></style:columns></style:section-properties></style:style>'
        '<style:page-layout style:name="Page"><style:page-layout-properties fo:page-width="612pt" '
        'fo:page-height="792pt" fo:margin-top="50pt" fo:margin-bottom="50pt" fo:margin-left="60pt" '
        f'fo:margin-right="60pt"/>{head}{foot}</style:page-layout>'
    )


def _master(document: Document) -> str:
    number = "<text:page-number>1</text:page-number>"
    head = f"<style:header>{_paragraph(escape(document.head), 'Small')}</style:header>" if document.head else ""
    foot = (
        f"<style:footer>{_paragraph(f'{escape(document.foot)} {number}', 'Small')}</style:footer>"
        if document.foot
        else ""
    )
    return f'<style:master-page style:name="Standard" style:page-layout-name="Page">{head}{foot}</style:master-page>'
