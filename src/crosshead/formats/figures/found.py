"""A picture as a reader finds it in a file, with the text around it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

MOST_FIGURES: Final = 1_000
"""Of one document."""
_LONGEST_CAPTION: Final = 1_000
_CAPTION = re.compile(
    r"(?:fig(?:ure|ura|uur)?|abb(?:ildung)?|image|illustration|chart|diagram|plate|scheme|exhibit|photo|picture|bild|"
    r"grafik|図|图)\b\.? ?[\dIVXA-Z]{1,4}(?:[.:–-]|\b)",
    re.I,
)


class FoundPicture(NamedTuple):
    """A picture, and how to find its place in the text."""

    target: str
    """Where its bytes are: a member of an archive, a file, a `data:` address, or part of a page."""
    alt: str = ""
    caption: str = ""
    before: str = ""
    """The text before it, as far as it helps to find its place."""
    after: str = ""
    page: int = 0
    """The page or slide that it is on, if known."""
    written: str = ""
    """The target as the text may name it."""
    is_named: bool = False
    """The text names it, unless it leaves out the part of the document around it."""
    span: tuple[int, int] | None = None
    """Where the text names it."""


class CaptionText(NamedTuple):
    """A paragraph that its document marks as a caption."""

    text: str


def is_caption(text: str) -> bool:
    """Return whether a paragraph begins as captions do: `Figure 3: ...`."""
    return len(text) <= _LONGEST_CAPTION and _CAPTION.match(text.lstrip("*_ \\")) is not None


def with_surroundings(stream: Iterable[str | CaptionText | FoundPicture]) -> Iterator[FoundPicture]:
    """Yield the pictures among paragraphs, with the text around them and their captions."""
    parts = [each for each in stream if not isinstance(each, str) or each.strip()]
    for at, each in enumerate(parts):
        if isinstance(each, FoundPicture):
            before, after = _text(parts[max(0, at - 3) : at]), _text(parts[at + 1 : at + 4])
            yield each._replace(before=before, after=after, caption=each.caption or _caption(parts, at))


def _text(parts: Iterable[str | CaptionText | FoundPicture]) -> str:
    texts = (each.text if isinstance(each, CaptionText) else each for each in parts)
    return "\n".join([each for each in texts if isinstance(each, str)])


def _caption(parts: list[str | CaptionText | FoundPicture], at: int) -> str:
    """Return the paragraph below a picture if it is a caption, or else the one above, unless that is another's."""
    below = next((each for each in parts[at + 1 : at + 3] if not isinstance(each, FoundPicture)), "")
    if _captions(below):
        return _plain(below)
    above = parts[at - 1] if at else ""
    belongs_to_other = at > 1 and isinstance(parts[at - 2], FoundPicture)
    return _plain(above) if _captions(above) and not belongs_to_other else ""


def _captions(part: str | CaptionText | FoundPicture) -> bool:
    return isinstance(part, CaptionText) or (isinstance(part, str) and is_caption(part.strip()))


def _plain(part: str | CaptionText | FoundPicture) -> str:
    text = part.text if isinstance(part, CaptionText) else str(part)
    return " ".join(text.split())[:_LONGEST_CAPTION]
