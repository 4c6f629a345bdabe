"""Comments on slides, of the older kind, which are all in one piece, and of the newer with replies -> quotes."""

from __future__ import annotations

from functools import cached_property
from typing import Final

from lxml import etree

from crosshead.formats.office.openxml.drawing import A, text_pieces
from crosshead.formats.office.openxml.opc import OpcPackage
from crosshead.formats.shared import gfm

_AUTHORS: Final = ("commentAuthors", "authors")


class SlideComments:
    """The comments of a presentation."""

    def __init__(self, package: OpcPackage) -> None:
        self._package = package

    def of_slide(self, part: str) -> list[str]:
        """Return a quote for every comment on a slide."""
        roots = self._package.related_roots(part, "comments")
        return [text for root in roots for each in root.iterfind("{*}cm") if (text := self._quote(each))]

    def _quote(self, comment: etree._Element) -> str:
        text = _text(comment)
        if not text:
            return ""
        author = self._author(comment)
        said = [f"Comment by {author}: {text}" if author else f"Comment: {text}"]
        for reply in comment.iterfind("{*}replyLst/{*}reply"):
            said.append(f"{self._author(reply) or 'Reply'}: {_text(reply)}")
        return gfm.quote("\n\n".join(said))

    def _author(self, comment: etree._Element) -> str:
        return self._names.get(comment.get("authorId"), "")

    @cached_property
    def _names(self) -> dict[str | None, str]:
        roots = [root for kind in _AUTHORS for root in self._package.related_roots(self._package.main, kind)]
        return {
            each.get("id"): gfm.escape(" ".join((each.get("name") or "").split())) for root in roots for each in root
        }


def _text(comment: etree._Element) -> str:
    plain = comment.findtext("{*}text")
    paragraphs = [
        "".join(text_pieces(paragraph))
        for body in comment.iterfind("{*}txBody")
        for paragraph in body.iterfind(f"{A}p")
    ]
    lines = "\n".join([plain or "", *paragraphs]).split("\n")
    return "\n".join([gfm.escape_start(gfm.escape(line.strip())) for line in lines if line.strip()])
