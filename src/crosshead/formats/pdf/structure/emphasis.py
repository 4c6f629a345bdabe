"""What shows that a run of rows is a heading: its print, a line in italics or capitals, or only the space around it.

Each of the three is a list of named rules, all of which a heading has to follow.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from crosshead.formats.pdf.page.shapes import PdfTable, Row
from crosshead.formats.pdf.structure.exclusions import CAPTION, is_sentence
from crosshead.formats.pdf.structure.looks import LARGER, Prose, gap_between
from crosshead.formats.pdf.structure.numbering import UNNUMBERED, is_numbered, kind_of, series_of
from crosshead.formats.pdf.text.markers import find_marker

_MAX_ROWS: Final = 4
"""The most rows of a heading in large or bold print."""
_MAX_BOLD_ROWS: Final = 2
_MAX_BOLD_LENGTH: Final = 100
"""The most rows and characters of a bold heading without a number."""
_MAX_LENGTH: Final = 80
"""The most characters of a heading that is neither larger nor bold."""
_MAX_SPACED_ROWS: Final = 2
"""The most rows of a heading that only space shows."""
_NOT_SMALLER: Final = 0.9
"""The least size of a heading that print shows, as a share of the size of the text."""
_SAME_SIZE: Final = 0.98
"""The same for a heading that only space shows."""
_MIN_CAPITALS: Final = 6
"""The least characters of a heading that only capitals show."""
_SET_OFF: Final = 1.12
"""The least space above a heading that print does not show, as a multiple of the typical space."""
_SET_OFF_NUMBERED: Final = 1.04
"""The same if it has a number."""
_NEARER: Final = 0.9
"""The most space below a heading that only space shows, as a share of the space above it."""
_NEARER_NUMBERED: Final = 1.1
"""The same if it has a number."""
_ROUNDING: Final = 0.05
"""By how much the leading, which is rounded, may be too large, in ems."""
_MAX_BELOW: Final = 4
"""The most space below a heading, in ems."""
_LEAST_BELOW_FIRST: Final = 1.15
"""The least space below a heading at the top of a page, as a multiple of the leading."""
_MOST_BELOW_FIRST: Final = 0.95
"""The most space below it, as a multiple of the distance of paragraphs, unless it has a number."""
_INDENT: Final = 2.2
"""How far what follows may be indented against a heading, in ems."""
_SAME_STYLE: Final = 0.5
"""By how much the sizes of two lines of a paragraph may differ, in points."""
_CLOSE: Final = 1.1
"""Lines of a paragraph are at most this multiple of the leading apart."""
_FULL: Final = 3
"""A line is full if it ends closer to the right edge than this, in ems."""
_ENDS: Final = (".", ",", ";", ":", "!", "…", "。", "，", "；", "：", "！")
_LINK: Final = re.compile(r"://|www\.|@\w")
_FORMULA: Final = re.compile(r"[=<>≤≥∑∫∈→|{}]")


class Run(NamedTuple):
    """Rows that look the same, and their neighbors on the page."""

    rows: list[Row]
    text: str
    before: Row | PdfTable | None
    after: Row | PdfTable | None


_Rule = tuple[str, Callable[[Run, Prose], bool]]


def is_emphasized(run: Run, prose: Prose) -> bool:
    """Return whether print shows a heading: a larger or bold font, or a line in italics or capitals or underlined."""
    return _stands_out(run, prose) or _follows(_MARKED, run, prose)


def is_set_off(run: Run, prose: Prose) -> bool:
    """Return whether the space around a run shows a heading."""
    return _follows(_SET_OFF_RULES, run, prose)


def _follows(rules: Sequence[_Rule], run: Run, prose: Prose) -> bool:
    return all(holds(run, prose) for _, holds in rules)


def _stands_out(run: Run, prose: Prose) -> bool:
    style = run.rows[0].style
    if len(run.rows) > _MAX_ROWS or style.mono:
        return False
    if style.size >= LARGER * prose.style.size:
        return not is_sentence(run.text)
    return _follows(_BOLD, run, prose)


def _is_bolder(run: Run, prose: Prose) -> bool:
    style = run.rows[0].style
    return style.bold and not prose.style.bold and style.size >= _NOT_SMALLER * prose.style.size


def _ends_as_heading(run: Run, _prose: Prose) -> bool:
    return not run.text.endswith(_ENDS) or (run.text.endswith(".") and kind_of(run.text) < UNNUMBERED)


def _is_short(run: Run, _prose: Prose) -> bool:
    rows = run.rows
    is_within = len(rows) <= _MAX_BOLD_ROWS and len(run.text) < _MAX_BOLD_LENGTH and rows[-1].x1 < rows[-1].right + 1
    return is_within or bool(series_of(run.text))


def _opens_no_paragraph(run: Run, prose: Prose) -> bool:
    """A bold phrase may open a paragraph, which continues in the next line."""
    row, after = run.rows[-1], run.after
    size = row.style.size
    if not isinstance(after, Row) or abs(after.style.size - size) > _SAME_STYLE:
        return True
    if not 0 < row.base - after.base < _CLOSE * prose.leading * size:
        return True
    is_full = row.x1 > row.right - _FULL * size
    first = after.segments[0].words[0].runs[0]
    return not (after.text[:1].islower() or (is_full and (first.style.bold or abs(after.x0 - row.x0) < 1)))


_BOLD: Final[Sequence[_Rule]] = (
    ("bold, and the text is not", _is_bolder),
    ("no punctuation at the end", _ends_as_heading),
    ("short", _is_short),
    ("opens no paragraph", _opens_no_paragraph),
)


def _is_plain_line(run: Run, prose: Prose) -> bool:
    style = run.rows[0].style
    is_small = style.size < _NOT_SMALLER * prose.style.size
    return len(run.rows) == 1 and not style.mono and not is_small and len(run.text) <= _MAX_LENGTH


def _is_marked(run: Run, _prose: Prose) -> bool:
    style = run.rows[0].style
    is_italic = style.italic and not (isinstance(run.after, Row) and run.after.style.italic)
    is_upper = run.text.isupper() and len(run.text) >= _MIN_CAPITALS
    return is_italic or is_upper or _is_underlined(run)


def _is_underlined(run: Run) -> bool:
    """Return whether a line is underlined and no link; underlined lines in a row are not headings."""
    is_list = any(isinstance(other, Row) and other.is_underlined for other in (run.before, run.after))
    return run.rows[0].is_underlined and not is_list and not _LINK.search(run.text)


def _differs_from_above(run: Run, _prose: Prose) -> bool:
    is_alike = isinstance(run.before, Row) and run.before.style == run.rows[0].style
    return not is_alike or _is_underlined(run)


def _has_space_above(run: Run, prose: Prose) -> bool:
    """Return whether there is more space above than between lines, and something not too far below."""
    if run.after is None:
        return False
    size = run.rows[0].style.size
    above = gap_between(run.before, run.rows[0]) if run.before else None
    is_apart = above is None or above > _SET_OFF * prose.leading * size or above < 0
    return is_apart and 0 < gap_between(run.rows[-1], run.after) < _MAX_BELOW * size


def _reads_as_title(run: Run, _prose: Prose) -> bool:
    text = run.text
    if text.endswith(_ENDS) or CAPTION.match(text) or _FORMULA.search(text):
        return False
    if is_numbered(text):
        return True
    return not find_marker(text) and not text[0].islower()


_MARKED: Final[Sequence[_Rule]] = (
    ("one short line, no smaller than the text", _is_plain_line),
    ("italics, capitals or underlined", _is_marked),
    ("reads as a title", _reads_as_title),
    ("differs from the line above", _differs_from_above),
    ("space above", _has_space_above),
)


def _is_plain_print(run: Run, prose: Prose) -> bool:
    style = run.rows[0].style
    is_small = style.size < _SAME_SIZE * prose.style.size
    return not style.mono and not is_small and len(run.rows) <= _MAX_SPACED_ROWS and len(run.text) <= _MAX_LENGTH


def _is_in_one_piece(run: Run, _prose: Prose) -> bool:
    return all(len(row.segments) == 1 for row in run.rows)


def _is_aligned_with_text(run: Run, _prose: Prose) -> bool:
    """Return whether something follows that begins near the left edge of the run."""
    reach = _INDENT * run.rows[0].style.size
    if isinstance(run.after, Row):
        return -reach < run.after.x0 - run.rows[-1].x0 < reach
    return run.after is not None


def _has_space_around(run: Run, prose: Prose) -> bool:
    """Return whether there is more space above than between paragraphs, and less below."""
    assert run.after is not None
    size = run.rows[0].style.size
    above = gap_between(run.before, run.rows[0]) / size if run.before else None
    below = gap_between(run.rows[-1], run.after) / size
    if above is None or above < 0 or below < 0:
        most = _MAX_BELOW if is_numbered(run.text) else _MOST_BELOW_FIRST * prose.paragraph
        return run.before is None and _LEAST_BELOW_FIRST * prose.leading < below < most
    if is_numbered(run.text):
        return above > _SET_OFF_NUMBERED * prose.paragraph and below < _NEARER_NUMBERED * above
    is_apart = above >= _SET_OFF * prose.paragraph and prose.leading <= below + _ROUNDING
    return is_apart and below < _NEARER * above


_SET_OFF_RULES: Final[Sequence[_Rule]] = (
    ("one or two short lines in the size of the text", _is_plain_print),
    ("reads as a title", _reads_as_title),
    ("no wide gaps", _is_in_one_piece),
    ("aligned with what follows", _is_aligned_with_text),
    ("space around it", _has_space_around),
)
