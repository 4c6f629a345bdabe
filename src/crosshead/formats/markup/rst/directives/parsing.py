"""A directive: its name, argument, options and content."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from crosshead.formats.markup.rst.lines import Lines
from crosshead.formats.markup.rst.lists import FIELD

_DIRECTIVE = re.compile(r"\.\. +(?:\|[^|]{1,200}\| +)?([A-Za-z0-9](?:[\w.+:-]{0,80}[A-Za-z0-9])?) ?::(?: +|$)")


class Directive(NamedTuple):
    """A directive with its parts."""

    name: str
    lines: Lines
    """The argument on the first line, what is below it without its margin, options blank."""
    head: int
    """Lines that the argument takes."""
    options: Mapping[str, str]

    @property
    def argument(self) -> str:
        """The text after the name, on one line or several."""
        return "\n".join(self.lines.texts[: self.head]).strip()

    @property
    def content(self) -> Lines:
        """The lines below the argument and the options."""
        return self.lines.part(self.head, len(self.lines.texts)).trimmed()

    @property
    def line(self) -> int:
        """The context of the directive."""
        return self.lines.first


def parse_directive(lines: Lines, at: int, end: int) -> Directive | None:
    """Return the directive that starts at a line and ends before another."""
    match = _DIRECTIVE.match(lines.texts[at])
    if not match or lines.texts[at].startswith(".. |"):
        return None
    below = lines.dedented(at + 1, end)
    texts = [lines.texts[at][match.end() :], *below.texts]
    head = 1
    while head < len(texts) and texts[head] and not FIELD.match(texts[head]):
        head += 1
    options: dict[str, str] = {}
    number, name = head, ""
    while number < len(texts) and texts[number]:
        if field := FIELD.match(texts[number]):
            name = field[1].lower()
            options[name] = texts[number][field.end() :].strip()
        elif name and texts[number][0] == " ":
            options[name] = f"{options[name]}\n{texts[number].strip()}".strip()
        else:
            break
        texts[number] = ""
        number += 1
    return Directive(match[1].lower(), Lines(texts, lines.number(at)), head, options)
