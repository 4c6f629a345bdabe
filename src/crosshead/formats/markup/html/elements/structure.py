"""Block elements: headings, paragraphs, lists, quotes, terms and their definitions."""

from __future__ import annotations

from crosshead.formats.markup.html.elements.cells import (
    close_caption,
    close_cell,
    close_table,
    open_caption,
    open_cell,
    open_heading_cell,
    open_row,
    open_table,
)
from crosshead.formats.markup.html.elements.code import write_code_block
from crosshead.formats.markup.html.elements.formulas import write_math, write_tex
from crosshead.formats.markup.html.elements.inline import Handler, open_mark
from crosshead.formats.markup.html.page import marks
from crosshead.formats.markup.html.page.state import HtmlPage
from crosshead.formats.markup.html.tokens import attribute, attributes, read_number
from crosshead.formats.shared import gfm

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
    page.sheet.open_list(is_ordered=True, number=read_number(attribute(tag, "start"), otherwise=1))


def close_list(page: HtmlPage, _tag: str, _at: int) -> None:
    """End a list."""
    page.flush()
    page.sheet.close_list()


def open_item(page: HtmlPage, tag: str, _at: int) -> None:
    """Begin an item."""
    page.end_heading()
    number = attribute(tag, "value")
    page.sheet.open_item(read_number(number, otherwise=1) if number else None)


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
