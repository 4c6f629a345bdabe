"""Names of WordprocessingML, and how to read a property."""

from __future__ import annotations

from typing import Final, NamedTuple

from lxml import etree

W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
M: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
RELATIONSHIP_ID: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"

VAL: Final = f"{W}val"
PARAGRAPH: Final = f"{W}p"
TABLE: Final = f"{W}tbl"
TEXT_BOX: Final = f"{W}txbxContent"
INDENT: Final = f"{W}ind"
BOOKMARK: Final = f"{W}bookmarkStart"

NOT_TEXT: Final = frozenset(
    W + name
    for name in (
        "pPr", "rPr", "sdtPr", "sdtEndPr", "tblPr", "tblPrEx", "tblGrid", "trPr", "tcPr", "sectPr", "customXmlPr",
        "smartTagPr", "ffData", "del", "moveFrom", "delText", "instrText", "delInstrText", "proofErr",
    )
)  # fmt: skip
"""Properties, instructions, and what a reviewer deleted: a reader of the document sees nothing of them."""


class Indent(NamedTuple):
    """The indentation of a paragraph, in twentieths of a point."""

    left: int
    hanging: int
    """How much farther to the left its first line begins; in a list item, the marker is there."""


_LEFT, _START, _HANGING = f"{W}left", f"{W}start", f"{W}hanging"
_OFF = frozenset({"0", "false", "off", "none"})


def first_child(element: etree._Element | None, tag: str) -> etree._Element | None:
    """Return the first child with this name."""
    return None if element is None else next(element.iterchildren(tag), None)


def child_value(element: etree._Element | None, tag: str) -> str | None:
    """Return the value of a property of an element, such as `w:jc`."""
    found = first_child(element, tag)
    value: str | None = None if found is None else found.get(VAL)
    return value


def is_on(element: etree._Element | None) -> bool:
    """Return whether a property such as `w:b` is on: it is if present, unless its value is false."""
    return element is not None and (element.get(VAL) or "on").lower() not in _OFF


def whole_number(value: str | None, default: int) -> int:
    """Return a small number; the default if it is missing or absurd."""
    value = (value or "").strip()
    return int(value) if value.isascii() and value.isdigit() and len(value) <= 9 else default


def read_indent(properties: etree._Element | None) -> Indent | None:
    """Return how far a paragraph is indented; None where its properties do not say."""
    found = first_child(properties, INDENT)
    return None if found is None else indent_of(found)


def indent_of(element: etree._Element) -> Indent | None:
    """Return the indentation; None if the element only sets that of the first line."""
    left = element.get(_LEFT) or element.get(_START)
    return None if left is None else Indent(whole_number(left, 0), whole_number(element.get(_HANGING), 0))
