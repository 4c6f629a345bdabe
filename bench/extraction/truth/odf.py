"""Documents -> flat OpenDocument text for LibreOffice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from .cells import LINE, Cell, Drawn, Row, borders_of, draw, fill_of
from .look import Look
from .model import Beside, Block, Boxes, Break, Code, Columns, Contents, Document, Heading, Items, Paragraph, Table

_SPACES = {
    "office": "urn:oasis:names:tc:opendocument:xmlns:office:1.0",
    "style": "urn:oasis:names:tc:opendocument:xmlns:style:1.0",
    "text": "urn:oasis:names:tc:opendocument:xmlns:text:1.0",
    "table": "urn:oasis:names:tc:opendocument:xmlns:table:1.0",
    "fo": "urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0",
    "svg": "urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0",
}


class _Writer:
    """Writes the body of one document and collects the tables' widths."""

    def __init__(self, look: Look) -> None:
        self.look = look
        self.widths: dict[str, str] = {}
        self.cells: dict[str, str] = {}
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
            case Beside():
                halves = [
                    _cell(self._table(each, width * 0.47), self._cell_style("")) for each in (block.left, block.right)
                ]
                return self._frame([1.0, 1.0], width, f"<table:table-row>{''.join(halves)}</table:table-row>")
            case Contents():
                return _contents(block)

    def _form_row(self, pairs: Sequence[tuple[str, str]], width: float, *, is_stacked: bool) -> str:
        if is_stacked:
            boxes = ["".join([_paragraph(escape(pair[place]), "Left") for pair in pairs]) for place in (0, 1)]
        else:
            boxes = [_paragraph(escape(label), "Small") + _paragraph(escape(value), "Left") for label, value in pairs]
        cells = "".join([_cell(box, self._cell_style(f'fo:border="{LINE}"')) for box in boxes])
        return self._frame([1.0] * len(boxes), width, f"<table:table-row>{cells}</table:table-row>")

    def _table(self, table: Table, width: float) -> str:
        titles = "".join([_paragraph(escape(line), "CenterBold") for line in table.title])
        drawn = draw(table, self.look)
        rows = [self._row(row, number, drawn) for number, row in enumerate(drawn.rows)]
        head, body = "".join(rows[: drawn.heads]), "".join(rows[drawn.heads :])
        if self.look.labels_apart:
            gap = _paragraph("", "Gap")
            return titles + self._frame(drawn.shares, width, head) + gap + self._frame(drawn.shares, width, body) + gap
        if self.look.repeats_labels:
            head = f"<table:table-header-rows>{head}</table:table-header-rows>"
        return titles + self._frame(drawn.shares, width, head + body) + _paragraph("")

    def _row(self, row: Row, number: int, drawn: Drawn) -> str:
        texts: list[str] = []
        for cell in row.cells:
            marked = f'<text:span text:style-name="Raised">{escape(cell.mark)}</text:span>' if cell.mark else ""
            content = escape(cell.text).replace("\n", "<text:line-break/>") + marked
            texts.append(
                _cell(
                    _paragraph(content, _style_of(cell, row, drawn)), self._look_of(cell, row, number, drawn), cell.span
                )
            )
        return f"<table:table-row>{''.join(texts)}</table:table-row>"

    def _look_of(self, cell: Cell, row: Row, number: int, drawn: Drawn) -> str:
        """Return the name of the style of a cell: its borders and its fill."""
        parts = [f'fo:border-{side}="{line}"' for side, line in borders_of(cell, row, number, drawn, self.look)]
        fill = fill_of(cell, row, number - drawn.heads, self.look)
        parts += [f'fo:background-color="{fill}"'] if fill else []
        return self._cell_style(" ".join(parts))

    def _cell_style(self, properties: str) -> str:
        return self.cells.setdefault(properties, f"{len(self.cells)}")

    def _frame(self, shares: Sequence[float], width: float, rows: str) -> str:
        self._tables += 1
        columns: list[str] = []
        for share in shares:
            points = self.look.width * width * share / sum(shares)
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
        f"<office:automatic-styles>{''.join(writer.widths.values())}{_automatic(document, writer)}"
        "</office:automatic-styles>"
        f"<office:master-styles>{_master(document, look)}</office:master-styles>"
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
            _style("CenterSmall", 'fo:text-align="center"', font(0.85)),
            _style("Ruled", f'fo:border-bottom="{LINE}" fo:padding-bottom="2pt"', font(0.85)),
            _style("Boxed", f'fo:margin-bottom="8pt" fo:border="{LINE}" fo:padding="4pt"', font()),
            _style("Break", 'fo:break-before="page" fo:text-align="center"', font()),
            _style("Code", cell, font(0.9, "Liberation Mono")),
            *_cell_styles(look, font),
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
            '</style:style><style:style style:name="Raised" style:family="text"><style:text-properties '
            'style:text-position="super 60%"/></style:style><style:style style:name="Table" style:family="table">'
            '<style:table-properties table:border-model="collapsing"/></style:style>',
            _list("Bullets", '<text:list-level-style-bullet text:level="1" text:bullet-char="•">', "bullet"),
            _list(
                "Numbers",
                '<text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix=".">',
                "number",
            ),
        ]
    )


def _cell_styles(look: Look, font: Callable[..., str]) -> list[str]:
    """Styles of paragraphs in cells, of column labels and of lines above tables."""
    cell = 'fo:margin-bottom="0pt"'
    family = "Liberation Mono" if look.is_typewriter else look.family
    plain, bold = font(1.0, family), f'{font(1.0, family)} fo:font-weight="bold"'
    label = f'{font(look.label_size, family)} fo:font-weight="bold"' + ' fo:color="#ffffff"' * (look.fill == "head")
    aligns = {"Left": "", "Right": 'fo:text-align="end"', "Center": 'fo:text-align="center"'}
    styles = [
        _style(f"{align}{name}", f"{cell} {properties}", text)
        for align, properties in aligns.items()
        for name, text in (("", plain), ("Bold", bold), ("Label", label))
    ]
    return [
        *styles,
        _style("Indented", f'{cell} fo:margin-left="9pt"', plain),
        _style("Gap", cell, font(0.6)),
        _style("Entry", f'{cell} style:auto-text-indent="false"', font()),
    ]


def _style_of(cell: Cell, row: Row, drawn: Drawn) -> str:
    """Return the name of the style of a cell's paragraph."""
    is_text = any(each.column == cell.column and each.kind == "text" for other in drawn.rows for each in other.cells)
    is_left = not cell.column or is_text or cell.kind in ("text", "end")
    align = "Left" if is_left else "Center" if cell.kind == "span" else "Right"
    if cell.indent and not row.is_total:
        return "Indented"
    return f"{align}{'Label' if row.is_head else 'Bold' if row.is_total else ''}"


def _contents(contents: Contents) -> str:
    entries = zip(contents.entries, contents.places, strict=True)
    lines = [
        _paragraph("<text:s text:c='3'/>" * (e.level - 2) + f"{escape(e.text)} {'.' * 40} {n}", "Entry")
        for e, n in entries
    ]
    return _paragraph(escape(contents.title), "CenterBold") + "".join(lines) + _paragraph("")


def _list(name: str, opening: str, kind: str) -> str:
    return (
        f'<text:list-style style:name="{name}">{opening}<style:list-level-properties '
        'text:list-level-position-and-space-mode="label-alignment"><style:list-level-label-alignment '
        'text:label-followed-by="listtab" text:list-tab-stop-position="24pt" fo:text-indent="-14pt" '
        f'fo:margin-left="24pt"/></style:list-level-properties></text:list-level-style-{kind}></text:list-style>'
    )


def _automatic(document: Document, writer: _Writer) -> str:
    pad = "1pt" if writer.look.signs_apart else "2pt"
    cells = [
        f'<style:style style:name="Cell{name}" style:family="table-cell">'
        f'<style:table-cell-properties fo:padding="{pad}" style:vertical-align="bottom" {properties}/></style:style>'
        for properties, name in writer.cells.items()
    ]
    width, height = writer.look.page
    furniture = '<style:header-footer-properties fo:min-height="20pt" fo:margin-{side}="8pt"/>'
    head = f"<style:header-style>{furniture.format(side='bottom')}</style:header-style>" if document.head else ""
    foot = f"<style:footer-style>{furniture.format(side='top')}</style:footer-style>" if document.foot else ""
    return (
        f'{"".join(cells)}<style:style style:name="Two" style:family="section"><style:section-properties '
        'text:dont-balance-text-columns="true"><style:columns fo:column-count="2" fo:column-gap="18pt">'
        '<style:column style:rel-width="1*" fo:end-indent="9pt"/><style:column style:rel-width="1*" '
        'fo:start-indent="9pt"/></style:columns></style:section-properties></style:style>'
        f'<style:page-layout style:name="Page"><style:page-layout-properties fo:page-width="{width}pt" '
        f'fo:page-height="{height}pt" fo:margin-top="50pt" fo:margin-bottom="50pt" fo:margin-left="60pt" '
        f'fo:margin-right="60pt"/>{head}{foot}</style:page-layout>'
    )


def _master(document: Document, look: Look) -> str:
    number, at = "<text:page-number>1</text:page-number>", look.page_number
    head = f"{escape(document.head)} {number if at == 'head right' else ''}"
    foot = number if at == "foot center" else f"{escape(document.foot)} {number if at != 'head right' else ''}"
    style = {"foot center": "CenterSmall", "above rule": "Ruled"}.get(at, "Small")
    header = f"<style:header>{_paragraph(head, 'Small')}</style:header>" if document.head else ""
    footer = f"<style:footer>{_paragraph(foot, style)}</style:footer>" if document.foot else ""
    return (
        f'<style:master-page style:name="Standard" style:page-layout-name="Page">{header}{footer}</style:master-page>'
    )
