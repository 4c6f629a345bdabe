"""Field codes: of all that Word can compute, only links matter to a reader; of the others the result is kept."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from crosshead.formats.office.docx.paragraph.pieces import IN_DOCUMENT, LINK_END, LINK_START, Piece

_WORD = re.compile(r'"((?:[^"\\]|\\.)*+)"?|(\\[A-Za-z])|([^\s"]+)')
_ESCAPED = re.compile(r"\\(.)")
_MAX_INSTRUCTION = 8192


def link_target(instruction: str) -> str | None:
    """Return where a HYPERLINK field leads.

    >>> link_target(r' HYPERLINK "https://example.org/a" \\l "part" \\o "tip" ')
    'https://example.org/a#part'
    """
    words = _WORD.findall(instruction[:_MAX_INSTRUCTION])
    if not words or words[0][2].upper() != "HYPERLINK":
        return None
    address = anchor = switch = ""
    for quoted, option, bare in words[1:]:
        value = _ESCAPED.sub(r"\1", quoted) or bare
        if switch == "\\l":
            anchor = anchor or value
        elif not switch:
            address = address or value
        switch = option.lower()
    if not anchor:
        return address or None
    return f"{address}#{anchor}" if address else f"{IN_DOCUMENT}{anchor}"


@dataclass(slots=True)
class _Field:
    instruction: list[str] = field(default_factory=list)
    has_result: bool = False
    is_link: bool = False


class Fields:
    """The fields that are open; they can go on over many paragraphs."""

    def __init__(self) -> None:
        self._open: list[_Field] = []
        self._open_links: list[_Field] = []

    def instruct(self, text: str | None) -> None:
        """Take a part of the instruction of the innermost field."""
        if text and self._open and not self._open[-1].has_result:
            self._open[-1].instruction.append(text)

    def step(self, kind: str | None, pieces: list[Piece]) -> None:
        """Begin a field, go on to its result, or end it."""
        if kind == "begin":
            self._open.append(_Field())
        elif kind == "separate" and self._open:
            self._begin_result(self._open[-1], pieces)
        elif kind == "end" and self._open and self._open.pop().is_link:
            self._open_links.pop()
            pieces.append((LINK_END, ""))

    def leave_paragraph(self, pieces: list[Piece]) -> None:
        """Close open links: a link ends with its paragraph."""
        for each in self._open_links:
            each.is_link = False
            pieces.append((LINK_END, ""))
        self._open_links.clear()

    def _begin_result(self, found: _Field, pieces: list[Piece]) -> None:
        found.has_result = True
        target = link_target("".join(found.instruction))
        if target:
            found.is_link = True
            self._open_links.append(found)
            pieces.append((LINK_START, target))
