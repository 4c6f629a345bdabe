"""Links inside the document: bookmarks become the anchors of headings.

Where a link points is known only when all headings are written, so that links are written with marks that no XML text
can hold, and become Markdown at the end.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from crosshead.types import Link

_MARK = re.compile("\x01([^\x02]*)\x02|\x03([^\x04]*)\x04")
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

    def resolve(self, text: str) -> tuple[str, list[Link]]:
        """Turn marked links into Markdown; a link to anything but a heading is only its text, and is returned."""
        if "\x01" not in text:
            return text, []
        pieces: list[str] = []
        links: list[Link] = []
        at = length = 0
        for mark in _MARK.finditer(text):
            target = self._targets.get(mark[1] or mark[2] or "")
            pieces += text[at : mark.start()], self._written(mark, target)
            length += len(pieces[-2]) + len(pieces[-1])
            at = mark.end()
            if target is None and mark[1]:
                shown = _MARK.sub("", text[at : text.find("\x03", at)])
                links.append(Link(length, shown, f"#{mark[1]}"))
        return "".join([*pieces, text[at:]]), links

    def _written(self, mark: re.Match[str], target: str | None) -> str:
        if target is None:
            return ""
        return "[" if mark[1] is not None else f"](#{target})"
