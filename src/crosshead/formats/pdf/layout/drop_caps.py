"""Drop caps: a large letter that the first lines of a paragraph run around."""

from __future__ import annotations

from typing import Final

from crosshead.formats.pdf.page.shapes import Row

_LARGE: Final = 1.8
"""The least size of the letter, in ems of the text."""
_REACH: Final = 1.5
"""The largest gap between the letter and the text, in ems of the text."""
_OVERLAP: Final = 0.3
"""How far the text may reach into the letter, in ems of the text."""
_BELOW: Final = 0.5
"""How far below the letter its last row may be, in ems of the text."""


def attach_initials(rows: list[Row]) -> list[Row]:
    """Join drop caps with their words; the rows beside a letter get its left edge."""
    kept: list[Row] = []
    initial: Row | None = None
    for row in rows:
        if initial is not None and _is_beside(initial, row):
            if kept and kept[-1] is initial:
                kept.pop()
                _prepend(initial, row)
            row.x0 = initial.x0
            kept.append(row)
            continue
        initial = row if len(row.text) == 1 and row.text.isupper() else None
        kept.append(row)
    return kept


def _is_beside(initial: Row, row: Row) -> bool:
    size = row.style.size
    is_large = initial.style.size >= _LARGE * size
    is_near = -_OVERLAP * size < row.x0 - initial.x1 < _REACH * size
    return is_large and is_near and initial.base - _BELOW * size < row.base < initial.base + initial.style.size


def _prepend(initial: Row, row: Row) -> None:
    segment = row.segments[0]
    first = segment.words[0]
    run = first.runs[0]
    word = first._replace(runs=(run._replace(text=initial.text + run.text), *first.runs[1:]))
    segment.replace_first(word)
    row.text = " ".join([each.text for each in row.segments])
