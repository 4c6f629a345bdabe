"""Tokens of a page -> those of an element, without some that are inside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from crosshead.formats.markup.html.content.names import AROUND
from crosshead.formats.markup.html.content.sizes import Element
from crosshead.formats.markup.html.tokens import Tokens

MAX_GAP: Final = 20
"""Tags between a heading and what was left out below it."""
_HEADINGS: Final = frozenset(f"h{level}" for level in range(1, 7))
_LOWER_ENDS: Final = frozenset(f"/h{level}" for level in range(2, 7))


def cut(tokens: Tokens, root: Element, gone: list[Element], lead: Iterable[Element] = ()) -> Tokens:
    """Return the tokens of an element without some of those in it, below the title of the page and a lead."""
    kept = Tokens([], [], [], tokens.preformatted)
    title = find_title(tokens.tags, root)
    if title:
        _append(kept, tokens, *title)
    for element in lead:
        _append(kept, tokens, element.start, element.end + 1)
    seams = []
    start = root.start
    for element in gone:
        if element.name not in AROUND:
            _append(kept, tokens, start, element.start)
            seams.append(len(kept.tags))
            _append(kept, tokens, element.end, element.end + 1)
            kept.tags[-1:] = ["/div"]  # it ends nothing, but the text that follows the element stays apart
            start = element.end + 1
    _append(kept, tokens, start, root.end + 1)
    _remove_empty_headings(kept, [*seams, len(kept.tags)])
    return kept


def _append(kept: Tokens, tokens: Tokens, start: int, end: int) -> None:
    kept.tags.extend(tokens.tags[start:end])
    kept.texts.extend(tokens.texts[start:end])
    kept.raws.extend(tokens.raws[start:end])


def find_title(tags: list[str], root: Element) -> tuple[int, int] | None:
    """Return where the last first-level heading before an element is, unless the element has one."""
    places = [at for at, tag in enumerate(tags[: root.end]) if tag[:2] == "h1" and tag[2:3] in ("", " ")]
    if not places or places[-1] >= root.start:
        return None
    return places[-1], tags.index("/h1", places[-1]) + 1


def _remove_empty_headings(kept: Tokens, seams: list[int]) -> None:
    """Remove headings that end right before a cut, or the end, if no text follows them up to the next heading."""
    ends = {end for seam in seams if (end := _heading_before(kept, seam)) is not None}
    for end in sorted(ends, reverse=True):
        start = end
        while start and kept.tags[start][:2] != kept.tags[end][1:]:
            start -= 1
        for tokens in kept[:3]:
            del tokens[start : end + 1]


def _heading_before(kept: Tokens, seam: int) -> int | None:
    """Return the end tag of a heading of which nothing is left."""
    for end in range(seam - 1, max(-1, seam - MAX_GAP), -1):
        if kept.texts[end].strip():
            return None
        if kept.tags[end] in _LOWER_ENDS:
            return end if _has_no_text(kept, seam) else None
    return None


def _has_no_text(kept: Tokens, seam: int) -> bool:
    """Return whether a heading, or nothing, follows."""
    following: Iterator[int] = iter(range(seam, min(len(kept.tags), seam + MAX_GAP)))
    for at in following:
        if kept.tags[at][:2] in _HEADINGS:
            return True
        if kept.texts[at].strip():
            return False
    return seam + MAX_GAP >= len(kept.tags)
