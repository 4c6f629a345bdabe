"""The HTML of a document that is also there as PDF -> truth: headings, tables, text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from lxml import html

from .markdown import single_spaced

_LEFT_OUT = {
    "contents", "contents-heading", "copiable-anchor", "footer", "headerlink", "index-cp", "index-fn", "index-vr",
    "list-of-tables", "menu", "nav", "navfooter", "navheader", "navigation", "related", "shortcontents",
    "sphinxsidebar", "toc",
}  # fmt: skip
"""Classes of elements that are no part of the printed document."""
_BLOCKS = frozenset(["p", "li", "dt", "dd", "pre", "td", "th", "caption", "h1", "h2", "h3", "h4", "h5", "h6"])
_HEADING = re.compile(r"h([1-6])")


def truth_of_html(paths: Iterable[Path]) -> dict[str, Any]:
    """Return what an extractor should find in the PDF, as model.truth_of does."""
    outline: list[tuple[int, str]] = []
    tables: list[list[list[tuple[str, int]]]] = []
    for path in paths:
        root = html.fromstring(path.read_bytes())
        for element in [each for each in root.iter("*") if not _is_printed(each)]:
            if element.getparent() is not None:
                element.drop_tree()
        outline += _parts(root)
        tables += [grid for table in root.iter("table") if _is_data(grid := _grid(table))]
    return {
        "headings": [{"text": text, "level": level, "is_title": False} for level, text in outline if level],
        "outline": _joined(outline),
        "tables": [{"grid": grid, "rows": grid[1:], "columns": []} for grid in tables],
        "text": "\n".join([text for _, text in outline]),
    }


def _is_printed(element: Any) -> bool:
    return element.tag not in ("nav", "script", "style", "head") and not _LEFT_OUT & {*element.get("class", "").split()}


def _parts(root: Any) -> Iterator[tuple[int, str]]:
    """Return headings with their levels and, at level 0, every block of text."""
    for element in root.iter(*_BLOCKS):
        match = _HEADING.fullmatch(element.tag)
        text = _text(element)
        if match and text:
            yield int(match[1]), text
        elif text and not any(inner.tag in _BLOCKS for inner in element.iterdescendants()):
            yield 0, text


def _text(element: Any) -> str:
    return single_spaced(element.text_content())


def _joined(outline: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    """Join runs of text."""
    joined: list[tuple[int, str]] = []
    for level, text in outline:
        if not level and joined and not joined[-1][0]:
            joined[-1] = (0, f"{joined[-1][1]} {text}")
        else:
            joined.append((level, text))
    return joined


def _grid(table: Any) -> list[list[tuple[str, int]]]:
    rows = [row.xpath("td|th") for row in table.iter("tr")]
    return [[(_text(cell), int(cell.get("colspan", 1))) for cell in row] for row in rows if row]


def _is_data(grid: Sequence[Sequence[tuple[str, int]]]) -> bool:
    """Is it a table to a reader? Boxes around notes and lists of files are tables in HTML as well."""
    widths = {sum(span for _, span in row) for row in grid}
    return len(grid) > 2 and len(widths) == 1 and widths.pop() > 1 and all(text for text, _ in grid[0])
