"""The part of a page that it says is its main content."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

MIN_TEXT = 250
"""Characters; a shorter main content must hold at least half of the page's text."""
_MARKS = ("<main", 'role="main"', "role='main'", "role=main", "<article")


def find_main_content(body: LexborNode, source: str) -> str:
    """Return the HTML of the main content; none if the page does not say which it is."""
    if not any(mark in source for mark in _MARKS):
        return ""
    found = body.css("main, [role=main]") or body.css("article")
    if len(found) != 1 or not _is_main(found[0], body):
        return ""
    return f"{_title_outside(found[0], body)}{_html(found[0])}"


def _is_main(node: LexborNode, body: LexborNode) -> bool:
    length = len(node.text())
    return (length >= MIN_TEXT and node.tag != "article") or 2 * length >= len(body.text())


def _title_outside(node: LexborNode, body: LexborNode) -> str:
    """Return the heading of the page if it stands before its main content."""
    headings = body.css("h1")
    return _html(headings[0]) if len(headings) == 1 and not node.css_first("h1") else ""


def _html(node: LexborNode) -> str:
    return node.html or ""
