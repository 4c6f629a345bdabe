"""Comments on cells: notes, and the threads of newer programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Final, NamedTuple

from lxml import etree

from crosshead.errors import TooLarge
from crosshead.formats.office.openxml.opc import OpcPackage
from crosshead.formats.office.xlsx.cells import Area, S, read_area, rich_text, whole_number
from crosshead.formats.shared import gfm

MAX_COMMENTS: Final = 50_000


class Comment(NamedTuple):
    """The comments on a cell."""

    cell: Area
    reference: str
    text: str
    """Markdown, each remark with its author."""


class SheetComments:
    """The comments of a workbook."""

    def __init__(self, package: OpcPackage) -> None:
        self._package = package

    def of_sheet(self, part: str) -> list[Comment]:
        """Return the comments on a sheet in the order of its cells; where there is a thread, the note repeats it."""
        threads = list(self._remarks(part, "threadedComment", self._thread_remarks))
        notes = list(self._remarks(part, "comments", _note_remarks))
        by_cell: dict[str, list[str]] = {}
        for reference, text in threads:
            by_cell.setdefault(reference, []).append(text)
        for reference, text in notes:
            by_cell.setdefault(reference, [text])
        found = [
            Comment(cell, reference, "\n\n".join(texts))
            for reference, texts in by_cell.items()
            if (cell := read_area(reference))
        ]
        return sorted(found)

    def _remarks(
        self, part: str, kind: str, read: Callable[[etree._Element], Iterator[tuple[str, str, str]]]
    ) -> Iterator[tuple[str, str]]:
        for root in self._package.related_roots(part, kind):
            if sum(1 for _ in root.iter("{*}comment", "{*}threadedComment")) > MAX_COMMENTS:
                raise TooLarge(f"more than {MAX_COMMENTS:,} comments on a sheet: split the workbook")
            for reference, author, text in read(root):
                lines = [gfm.escape_start(gfm.escape(line.strip())) for line in text.split("\n") if line.strip()]
                if lines:
                    said = "\n".join(lines)
                    yield reference, f"{gfm.escape(author)}: {said}" if author else said

    def _thread_remarks(self, root: etree._Element) -> Iterator[tuple[str, str, str]]:
        for each in root.iterfind("{*}threadedComment"):
            author = self._people.get(each.get("personId"), "")
            yield each.get("ref") or "", author, each.findtext("{*}text") or ""

    @cached_property
    def _people(self) -> dict[str | None, str]:
        roots = self._package.related_roots(self._package.main, "person")
        return {each.get("id"): each.get("displayName") or "" for root in roots for each in root}


def _note_remarks(root: etree._Element) -> Iterator[tuple[str, str, str]]:
    authors = [" ".join((each.text or "").split()) for each in root.iterfind(f"{S}authors/{S}author")]
    for each in root.iterfind(f"{S}commentList/{S}comment"):
        at, holder = whole_number(each.get("authorId")), each.find(f"{S}text")
        author = authors[at] if at < len(authors) else ""
        text = "" if holder is None else rich_text(holder)
        yield each.get("ref") or "", author, text.removeprefix(f"{author}:")
