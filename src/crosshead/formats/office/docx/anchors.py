"""Links inside the document: bookmarks become the anchors of headings.

Where a link points is known only when all headings are written, so that links are written with marks that no XML text
can hold, and become Markdown at the end.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_OPENING = re.compile("\x01([^\x02]*)\x02")
_CLOSING = re.compile("\x03([^\x04]*)\x04")
_NOT_IN_ANCHOR = re.compile(r"[^\w\- ]")
_MARKUP = re.compile(r"\\(?=[!-/:-@\[-`{-~])|\]\([^)]*\)|</?su[bp]>|\x01[^\x02]*\x02|\x03[^\x04]*\x04")


def open_anchor(name: str) -> str:
    """Mark the beginning of a link to a bookmark."""
    return f"\x01{name}\x02"


def close_anchor(name: str) -> str:
    """Mark its end."""
    return f"\x03{name}\x04"


class Anchors:
    """The anchors of the headings in the Markdown."""

    def __init__(self) -> None:
        self._targets: dict[str, str] = {}
        self._counts: dict[str, int] = {}

    def add_heading(self, text: str, bookmarks: Iterable[str]) -> None:
        """Note a heading and the bookmarks in it."""
        anchor = _NOT_IN_ANCHOR.sub("", _MARKUP.sub("", text).strip().lower()).replace(" ", "-")
        count = self._counts.get(anchor, 0)
        self._counts[anchor] = count + 1
        target = f"{anchor}-{count}" if count else anchor
        for bookmark in bookmarks:
            self._targets.setdefault(bookmark, target)

    def resolve(self, text: str) -> str:
        """Turn marked links into Markdown; a link to anything but a heading is only its text."""
        if "\x01" not in text:
            return text
        text = _OPENING.sub(lambda found: "[" if found[1] in self._targets else "", text)
        return _CLOSING.sub(lambda found: f"](#{self._targets[found[1]]})" if found[1] in self._targets else "", text)
