"""Pieces of a paragraph's text -> Markdown.

A paragraph is read into pieces first. Word cuts text into runs wherever it likes, so marks such as emphasis can only be
set once neighboring pieces with the same marks are one; and only the whole paragraph shows whether it is code.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Final, NamedTuple

from crosshead.formats.office.docx.anchors import close_anchor, open_anchor
from crosshead.formats.office.docx.styles import BOLD, CODE, ITALIC, STRIKE, SUBSCRIPT, SUPERSCRIPT
from crosshead.formats.shared import gfm

BREAK: Final = -1
LINK_START: Final = -2
LINK_END: Final = -3
FINISHED: Final = -4
DISPLAY_MATH: Final = -5
"""Kinds of pieces that are not text; the kind of text is its marks."""

Piece = tuple[int, str]

IN_DOCUMENT: Final = "\0"
"""Begins the target of a link to a bookmark."""

_KIND, _TEXT = itemgetter(0), itemgetter(1)
_SPACES = re.compile(r"[ \t\r\n\f\xa0]+")
_BREAKS = re.compile(r"\s*\n\s*")
_MARKS: Final = ((STRIKE, "~~"), (ITALIC, "*"), (BOLD, "**"))
_EMPHASIS: Final = STRIKE | ITALIC | BOLD
_ORDINALS = frozenset({"st", "nd", "rd", "th", "er", "re", "e", "o", "a", "º", "ª", "tm", "sm", "®", "™"})


class _OpenLink(NamedTuple):
    target: str
    start: int
    """The number of text parts before it."""
    begins_line: bool


def is_code(pieces: Sequence[Piece]) -> bool:
    """All text of the paragraph is code."""
    has_code = False
    for kind, text in pieces:
        if kind > 0 and kind & CODE:
            has_code = has_code or not text.isspace()
        elif kind != BREAK and not text.isspace():
            return False
    return has_code


def is_display_math(pieces: Sequence[Piece]) -> bool:
    """The paragraph holds only display equations."""
    has_math = False
    for kind, text in pieces:
        if kind == DISPLAY_MATH:
            has_math = True
        elif kind != BREAK and not text.isspace():
            return False
    return has_math


def plain_text(pieces: Sequence[Piece]) -> str:
    """Return the plain text, with its breaks and tabs."""
    return "".join(["\n" if kind == BREAK else text for kind, text in pieces if kind >= BREAK]).replace("\xa0", " ")


def render(pieces: Sequence[Piece], *, emphasis: bool = True) -> str:
    """Return the Markdown of a paragraph; a line break in it is a newline."""
    if not any(map(_KIND, pieces)):
        return gfm.escape(_collapse("".join(map(_TEXT, pieces))).strip())
    spans = list(_merge(pieces, 0 if emphasis else _EMPHASIS))
    if any(kind > 0 and kind & _EMPHASIS for kind, _ in spans):
        spans = list(_merge(_drop_doubtful_marks(spans), 0))
    out: list[str] = []
    links: list[_OpenLink] = []
    for kind, text in spans:
        if kind >= 0:
            out.append(_marked(text, kind) if kind else gfm.escape(text))
        elif kind == BREAK:
            out.append("\n")
        elif kind == LINK_START:
            _open_link(out, links, text)
        elif kind == LINK_END:
            _close_link(out, links)
        else:
            out.append(gfm.math(text) if kind == DISPLAY_MATH else text)
    text = "".join(out).strip()
    return _BREAKS.sub("\n", text) if "\n" in text else text


def _merge(pieces: Iterable[Piece], ignored: int) -> Iterator[Piece]:
    """Yield pieces with neighboring texts of the same marks joined."""
    texts: list[str] = []
    marks = 0
    for given, text in pieces:
        kind = given if given <= 0 else CODE if given & CODE else given & ~ignored
        if kind != marks or kind < 0:
            if texts:
                yield marks, _collapse("".join(texts))
                texts = []
            if kind < 0:
                yield kind, text
                continue
            marks = kind
        texts.append(text)
    if texts:
        yield marks, _collapse("".join(texts))


def _collapse(text: str) -> str:
    if "  " in text or "\t" in text or "\xa0" in text or "\n" in text or "\r" in text:
        return _SPACES.sub(" ", text)
    return text


def _drop_doubtful_marks(spans: Sequence[Piece]) -> Iterator[Piece]:
    """Leave emphasis only where Markdown will see it; elsewhere its signs would show up in the text."""
    before = " "
    for index, (kind, text) in enumerate(spans):
        is_marked = kind > 0 and kind & _EMPHASIS and _can_be_marked(text, kind, before, _after(spans, index))
        yield (kind if kind <= 0 or is_marked else kind & ~_EMPHASIS), text
        if kind < 0:
            before = " " if kind == BREAK else "]"
        elif text:
            before = "*" if is_marked and not text[-1].isspace() else text[-1]


def _after(spans: Sequence[Piece], index: int) -> str:
    if index + 1 == len(spans):
        return " "
    kind, text = spans[index + 1]
    return text[:1] if kind >= 0 else " " if kind == BREAK else "["


def _can_be_marked(text: str, marks: int, before: str, after: str) -> bool:
    """Words or spaces must show on which side the signs open and close."""
    bare = text.strip()
    if not bare or marks & (SUPERSCRIPT | SUBSCRIPT):
        return False
    before, after = (" " if text[0].isspace() else before), (" " if text[-1].isspace() else after)
    if any(each in "*~" for each in (before, bare[0], bare[-1], after)):
        return False
    return (bare[0].isalnum() or not before.isalnum()) and (bare[-1].isalnum() or not after.isalnum())


def _marked(text: str, marks: int) -> str:
    bare = text.strip()
    if not bare:
        return text
    start = text.index(bare)
    if marks & CODE:
        inner = gfm.code_span(bare)
    else:
        inner = _raised_or_lowered(gfm.escape(bare), marks)
        for mark, sign in _MARKS:
            inner = gfm.mark(inner, sign) if marks & mark else inner
    return f"{text[:start]}{inner}{text[start + len(bare) :]}"


def _raised_or_lowered(text: str, marks: int) -> str:
    if marks & SUPERSCRIPT and text.lower() not in _ORDINALS:
        return f"<sup>{text}</sup>"
    return f"<sub>{text}</sub>" if marks & SUBSCRIPT else text


def _open_link(out: list[str], links: list[_OpenLink], target: str) -> None:
    if out and out[-1].endswith("!"):  # which would make the link an image
        out[-1] = f"{out[-1][:-1]}\\!"
    links.append(_OpenLink(target, len(out), not out or out[-1] == "\n"))


def _close_link(out: list[str], links: list[_OpenLink]) -> None:
    """Put the link around what was written since it was opened. A link inside a link is only text."""
    if not links:
        return
    target, start, begins_line = links.pop()
    text = "".join(out[start:])
    bare = text.strip()
    if links or not bare:
        return
    at = text.index(bare)
    if begins_line:
        bare = gfm.escape_start(bare)
    if target.startswith(IN_DOCUMENT):
        link = f"{open_anchor(target[1:])}{bare}{close_anchor(target[1:])}"
    else:
        link = gfm.link(bare, target)
    out[start:] = [text[:at], link, text[at + len(bare) :]]
