"""What looks like a heading and is not: figures, quotations, cells, and entries of a table of contents."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Final

from crosshead.formats.pdf.page.outline import letters
from crosshead.formats.pdf.page.shapes import PdfPage, PdfTable, Row
from crosshead.formats.pdf.structure.numbering import is_label, is_numbered

CAPTION: Final = re.compile(r"(?:fig(?:ure|\.)|table|tab\.|listing|algorithm|abb(?:ildung|\.)|tabelle)\s*\d", re.I)
_MAX_LENGTH: Final = 180
"""The most characters of a heading."""
_SAME_LINE: Final = 0.3
"""How far the baselines of one line may be apart, in ems."""
_QUOTES: Final = ("“", "„", "«", "‘", '"')
_LETTER: Final = re.compile(r"[^\W\d_]")
_FIGURE: Final = re.compile(r"\W*\d[\d.,:]*\s?(?:%|[a-z]{0,3}|[A-Z]{1,2}|(?:m|b|tr)illion|thousand)\W*")
_CLOSING: Final = "”’»\"')"
_SENTENCE_ENDS: Final = (".", ",", ";", "。", "，", "；")
_MIN_SENTENCE: Final = 6
"""The least words of a sentence."""
_CONTENTS: Final = {
    "contents", "tableofcontents", "index", "inhalt", "inhaltsverzeichnis", "sommaire", "tabledesmatières", "indice",
    "índice", "sommario", "inhoud", "目录", "目次",
}  # fmt: skip
_TOP: Final = 8
"""How many rows at the top of a page may be a heading such as `Contents`."""
_PAGE: Final = re.compile(r"\s(?:\d{1,4}|[ivxlc]{1,6})$")
_MOSTLY: Final = 0.5
"""The share of rows with a page number at the end above which a page continues the contents."""
_DIGITS: Final = "0123456789"


def says_something(text: str) -> bool:
    """Return whether a text has the words of a title; figures on cards, blanks in forms and quotations have none."""
    if len(text) > _MAX_LENGTH or "___" in text or text.startswith(_QUOTES):
        return False
    return bool(_LETTER.search(text)) and not _FIGURE.fullmatch(text)


def has_neighbor(before: Row | PdfTable | None, run: Sequence[Row], after: Row | PdfTable | None) -> bool:
    """Return whether something else is on the line of a run: then it is a cell or a label of a figure."""
    reach = _SAME_LINE * run[0].style.size
    if isinstance(before, Row) and abs(before.base - run[0].base) < reach:
        return True
    if isinstance(after, Row) and abs(after.base - run[-1].base) < reach:
        return True
    return any(len(row.segments) > 1 and not is_label(row.segments[0].text) for row in run)


def is_sentence(text: str) -> bool:
    """Return whether a text is a sentence: in large print, it is a summary or a quotation."""
    return (
        text.rstrip(_CLOSING).endswith(_SENTENCE_ENDS) and len(text.split()) >= _MIN_SENTENCE and not is_numbered(text)
    )


def contents_items(pages: Sequence[PdfPage]) -> set[int]:
    """Return the ids of the rows and tables that are printed contents: the headings named there come later."""
    found: set[int] = set()
    was_contents = False
    for page in pages:
        rows = [item for item in page.items if isinstance(item, Row)]
        start = next((row for row in rows[:_TOP] if is_contents_title(row.text)), None)
        is_next = was_contents and sum(ends_with_page(row.text) for row in rows) > _MOSTLY * len(rows)
        was_contents = bool(start) or is_next
        if was_contents:
            first = next((number for number, item in enumerate(page.items, 1) if item is start), 0)
            found.update(id(item) for item in page.items[first:])
    return found


def is_contents_title(text: str) -> bool:
    """Return whether a text is the heading of a table of contents."""
    return letters(text) in _CONTENTS


def is_contents(text: str, titles: Collection[str]) -> bool:
    """Return whether a text is one of the titles with a page number, as in a table of contents."""
    text = letters(text)
    bare = text.rstrip(_DIGITS)
    return bare != text and (bare in titles or bare.lstrip(_DIGITS) in titles)


def ends_with_page(text: str) -> bool:
    """Return whether a text ends with a page number."""
    return bool(_PAGE.search(text))
