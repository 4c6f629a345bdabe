"""Text that an answer presents as word for word: in quotation marks, as inline code or block of code, as a quote."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

_QUOTED: Final = re.compile(
    r"(?P<ticks>`++)(?P<code>.+?)(?<!`)(?P=ticks)(?!`)|“([^“”]+)”|„([^„“”]+)[“”]|«\s?([^«»]+?)\s?»|»([^«»]+)«"
    r"|「([^「」]+)」|『([^『』]+)』|(?<![\w\"])\"(?=\S)([^\"\n]+)\"(?!\w)",
    re.S,
)
_ELISION: Final = re.compile(r"\s*(?:\[[^\]\d]*\]|\.{3,}|…|\(\.\.\.\)|\(…\))\s*")
_QUOTE_MARKS: Final = re.compile(r"^[ \t]*>[ \t]?", re.M)
_EDGE: Final = " \t\n.,;:!?。、，"


class Quotation(NamedTuple):
    """Words that must be in a source as they are."""

    start: int
    end: int
    parts: tuple[str, ...]
    """In this order; between them the answer leaves something out."""
    is_code: bool = False


def find_quotations(text: str) -> Iterator[Quotation]:
    """Yield what a sentence quotes."""
    if text.startswith(("```", "~~~")):
        lines = [line.strip() for line in text.split("\n")[1:] if not line.strip().startswith(("```", "~~~"))]
        yield Quotation(0, len(text), tuple(filter(None, lines)), is_code=True)
    elif text.startswith(">"):
        yield Quotation(0, len(text), _parts(_QUOTE_MARKS.sub("", text)))
    else:
        for found in _QUOTED.finditer(text):
            quoted = next(filter(None, found.groups()[1:]))
            if any(map(str.isalnum, quoted)):
                parts = (quoted.strip(),) if found["code"] else _parts(quoted)
                yield Quotation(*found.span(), parts, is_code=bool(found["code"]))


def _parts(quoted: str) -> tuple[str, ...]:
    return tuple(part for each in _ELISION.split(quoted) if (part := each.strip(_EDGE)))
