"""Elements of tables: rows and cells. Most cells hold only text, a link or code, and are taken a row at a time."""

from __future__ import annotations

import re

from crosshead.formats.markup.html.elements.code import is_line_numbers
from crosshead.formats.markup.html.elements.inline import Handler, open_link, write_code
from crosshead.formats.markup.html.elements.tables import MAX_ROW_SPAN, Cell, TableReader, write_table
from crosshead.formats.markup.html.page.state import HtmlPage
from crosshead.formats.markup.html.tokens import attribute, find_end, read_number

_SPECIAL_CELL = re.compile("span=|style=|hidden|lin|gutter")
"""In the tag of a cell that needs a closer look: it spans others, is hidden, or numbers lines."""
_HIDES = re.compile("style=|hidden")
_NO_SPAN = (1, 1)
_SINGLE: dict[str, Handler] = {"/a": open_link, **dict.fromkeys(("/code", "/kbd", "/samp", "/tt"), write_code)}
"""Handlers of an element that fills a cell, by its end tag."""


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
            elif tags[at + 3] in _SINGLE and tags[at + 4][:2] == "/t" and not _HIDES.search(tags[at + 2]):
                text = _take_single(page, at + 1)
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


def _take_single(page: HtmlPage, at: int) -> str:
    """Return the text of a cell that holds one element and in that no other."""
    tags, texts, line = page.tokens.tags, page.tokens.texts, page.line
    line.append(texts[at])
    if _SINGLE[tags[at + 2]](page, tags[at + 1], at + 1) is None:
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


def _span(text: str) -> int:
    return max(1, read_number(text, otherwise=1))
