"""Block elements: headings, paragraphs, lists, quotes, tables, terms and their definitions."""

from __future__ import annotations

import re

from crosshead.formats.markup.html.elements.code import is_line_numbers, write_code_block
from crosshead.formats.markup.html.elements.formulas import write_math, write_tex
from crosshead.formats.markup.html.elements.inline import Handler, open_link, open_mark, write_code
from crosshead.formats.markup.html.elements.tables import MAX_ROW_SPAN, Cell, TableReader, write_table
from crosshead.formats.markup.html.page import marks
from crosshead.formats.markup.html.page.state import HtmlPage
from crosshead.formats.markup.html.tokens import attribute, attributes, find_end
from crosshead.formats.shared import gfm

MAX_NUMBER = 999_999_999
"""Markdown reads no larger number before an item."""
_SPECIAL_CELL = re.compile("span=|style=|hidden|lin|gutter")
"""In the tag of a cell that needs a closer look: it spans others, is hidden, or numbers lines."""
_HIDES = re.compile("style=|hidden")
_NO_SPAN = (1, 1)
_NUMBER = re.compile(r"\s*(\d{1,18})")
_LONE: dict[str, Handler] = {"/a": open_link, **dict.fromkeys(("/code", "/kbd", "/samp", "/tt"), write_code)}
"""Handlers of an element that fills a cell, by its end tag."""
_open_strong = open_mark("strong", marks.STRONG)


def open_heading(level: int) -> Handler:
    """Return what begins a heading of this level."""

    def handle(page: HtmlPage, _tag: str, _at: int) -> None:
        page.end_heading()
        page.heading = level

    return handle


def close_heading(page: HtmlPage, _tag: str, _at: int) -> None:
    """End a heading."""
    page.end_heading()


def open_unordered(page: HtmlPage, _tag: str, _at: int) -> None:
    """Begin a list with bullets."""
    page.end_heading()
    page.sheet.open_list(is_ordered=False, number=1)


def open_ordered(page: HtmlPage, tag: str, _at: int) -> None:
    """Begin a numbered list."""
    page.end_heading()
    page.sheet.open_list(is_ordered=True, number=_number(attribute(tag, "start"), otherwise=1))


def close_list(page: HtmlPage, _tag: str, _at: int) -> None:
    """End a list."""
    page.flush()
    page.sheet.close_list()


def open_item(page: HtmlPage, tag: str, _at: int) -> None:
    """Begin an item."""
    page.end_heading()
    number = attribute(tag, "value")
    page.sheet.open_item(_number(number, otherwise=1) if number else None)


def close_item(page: HtmlPage, _tag: str, _at: int) -> None:
    """End an item."""
    page.flush()
    page.sheet.close_item()


def write_checkbox(page: HtmlPage, tag: str, _at: int) -> None:
    """A box to tick at the beginning of an item makes it a task."""
    given = attributes(tag)
    if given.get("type") == "checkbox" and page.sheet.first is not None and not "".join(page.line).strip():
        page.line.append("[x] " if "checked" in given else "[ ] ")


def open_quote(page: HtmlPage, _tag: str, _at: int) -> None:
    """Begin a block quote."""
    page.end_heading()
    page.sheet.open_quote()


def close_quote(page: HtmlPage, _tag: str, _at: int) -> None:
    """End a block quote."""
    page.flush()
    page.sheet.close_quote()


def write_rule(page: HtmlPage, _tag: str, _at: int) -> None:
    """Write a line between two parts."""
    page.end_heading()
    page.sheet.write(gfm.rule(), flat="")


def open_term(page: HtmlPage, tag: str, at: int) -> None:
    """Begin a term of a definition list, or the summary of hidden details."""
    page.flush()
    _open_strong(page, tag, at)


def close_term(page: HtmlPage, _tag: str, _at: int) -> None:
    """Write a term in bold above its definition, in the same paragraph if the definition begins with one."""
    depth = page.depths["strong"]
    page.depths["strong"] = max(0, depth - 1)
    if depth == 1:
        page.close_span()
    term = page.take_line().replace("\n", " ") if not page.heading else ""
    if term:
        page.sheet.lead.append(term)


def close_definitions(page: HtmlPage, _tag: str, _at: int) -> None:
    """End a definition list, or hidden details."""
    page.flush()
    if page.sheet.lead:
        page.sheet.write_lead()


def open_definitions(page: HtmlPage, _tag: str, _at: int) -> None:
    """Begin a definition list, or hidden details."""
    page.end_heading()
    if page.sheet.lead:
        page.sheet.write_lead()


def open_table(page: HtmlPage, tag: str, _at: int) -> None:
    """Begin a table."""
    page.end_heading()
    if page.tables:
        page.tables[-1].has_inner_table = True
    page.tables.append(TableReader(is_layout=attribute(tag, "role") in ("presentation", "none")))


def close_table(page: HtmlPage, _tag: str, _at: int) -> None:
    """End a table."""
    page.flush()
    if page.tables:
        write_table(page.sheet, page.tables.pop())


def open_row(page: HtmlPage, _tag: str, at: int) -> int | None:
    """Begin a row."""
    page.flush()
    if not page.tables:
        return None
    page.tables[-1].rows.append([])
    return _take_simple_cells(page, at)


def _take_simple_cells(page: HtmlPage, at: int) -> int:
    """Take the cells after this tag that hold only text, a link or code: most tables are made of them.

    Return the last tag taken.
    """
    if page.spans:
        return at
    tags, texts = page.tokens.tags, page.tokens.texts
    table = page.tables[-1]
    row = table.rows[-1]
    while True:
        tag = tags[at + 1]
        if tag[:2] in ("td", "th"):
            if len(tag) > 2 and _SPECIAL_CELL.search(tag):
                return at
            if tags[at + 2][:2] == "/t":
                text = texts[at + 1].strip()
                page.text_length += len(text)
                at += 2
            elif tags[at + 3] in _LONE and tags[at + 4][:2] == "/t" and not _HIDES.search(tags[at + 2]):
                text = _take_lone(page, at + 1)
                at += 4
            else:
                return at
            if tag[1] == "h":
                table.has_headings = True
            row.append(text)
        elif tag == "/tr" and tags[at + 2] == "tr":
            row = []
            table.rows.append(row)
            at += 2
        else:
            return at


def _take_lone(page: HtmlPage, at: int) -> str:
    """Return the text of a cell that holds one element and in that no other."""
    tags, texts, line = page.tokens.tags, page.tokens.texts, page.line
    line.append(texts[at])
    if _LONE[tags[at + 2]](page, tags[at + 1], at + 1) is None:
        line.append(texts[at + 1])
        page.close_span()
    line.append(texts[at + 2])
    return page.take_line()


def open_cell(page: HtmlPage, tag: str, at: int) -> int | None:
    """Begin a cell."""
    if page.line:
        page.flush()
    if not page.tables:
        return None
    if " class=" in tag and is_line_numbers(page.tokens.tags, page.tokens.raws, at):
        return find_end(page.tokens.tags, at)
    table = page.tables[-1]
    table.span = _NO_SPAN
    if "span=" in tag:
        table.has_spans, table.span = True, _spans(tag)
    page.open_sheet()
    return None


def open_heading_cell(page: HtmlPage, tag: str, at: int) -> int | None:
    """Begin a cell that is the heading of a row or column."""
    if page.tables:
        page.tables[-1].has_headings = True
    return open_cell(page, tag, at)


def close_cell(page: HtmlPage, _tag: str, at: int) -> int | None:
    """End a cell."""
    if not page.tables:
        return None
    table = page.tables[-1]
    if not table.rows:
        table.rows.append([])
    if page.heading or page.sheet.lines or page.sheet.lead:
        page.end_heading()
        sheet = page.close_sheet()
        table.rows[-1].append(Cell(sheet.flat_text(), sheet, *table.span))
    else:
        text = page.take_line() if page.line else ""
        page.spare = page.close_sheet()
        table.rows[-1].append(text if table.span is _NO_SPAN else Cell(text, None, *table.span))
    return _take_simple_cells(page, at)


def open_caption(page: HtmlPage, _tag: str, _at: int) -> None:
    """Begin a table's caption."""
    page.flush()
    page.open_sheet()


def close_caption(page: HtmlPage, _tag: str, _at: int) -> None:
    """End a table's caption."""
    page.flush()
    sheet = page.close_sheet()
    if page.tables:
        page.tables[-1].caption = sheet.flat_text()


def _spans(tag: str) -> tuple[int, int]:
    columns, rows = attribute(tag, "colspan"), attribute(tag, "rowspan")
    return _span(columns), min(_span(rows), MAX_ROW_SPAN)


def _number(text: str, *, otherwise: int) -> int:
    found = _NUMBER.match(text)
    return min(int(found[1]), MAX_NUMBER) if found else otherwise


def _span(text: str) -> int:
    return max(1, _number(text, otherwise=1))


_PLAIN = (
    "p", "div", "section", "article", "main", "header", "footer", "nav", "aside", "figure",
    "figcaption", "address", "center", "form", "fieldset", "body", "html", "hgroup", "legend",
    "dialog", "dd", "thead", "tbody", "tfoot", "colgroup", "option", "menu", "dir", "search",
)  # fmt: skip

BLOCK_STARTS: dict[str, Handler] = {
    **dict.fromkeys(_PLAIN, HtmlPage.flush),
    **{f"h{level}": open_heading(level) for level in range(1, 7)},
    **dict.fromkeys(("ul", "menu", "dir"), open_unordered),
    "ol": open_ordered,
    "li": open_item,
    "input": write_checkbox,
    "blockquote": open_quote,
    "hr": write_rule,
    "pre": write_code_block,
    "listing": write_code_block,
    **dict.fromkeys(("dl", "details"), open_definitions),
    **dict.fromkeys(("dt", "summary"), open_term),
    "table": open_table,
    "tr": open_row,
    "td": open_cell,
    "th": open_heading_cell,
    "caption": open_caption,
    "math": write_math,
    "tex": write_tex,
}
BLOCK_ENDS: dict[str, Handler] = {
    **{f"/{name}": HtmlPage.flush for name in _PLAIN},
    **{f"/h{level}": close_heading for level in range(1, 7)},
    **dict.fromkeys(("/ul", "/ol", "/menu", "/dir"), close_list),
    "/li": close_item,
    "/blockquote": close_quote,
    **dict.fromkeys(("/dl", "/details"), close_definitions),
    **dict.fromkeys(("/dt", "/summary"), close_term),
    "/table": close_table,
    "/tr": HtmlPage.flush,
    **dict.fromkeys(("/td", "/th"), close_cell),
    "/caption": close_caption,
}
