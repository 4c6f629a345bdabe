"""Names of paragraph styles that word processors share, and what they say about the structure."""

from __future__ import annotations

import re
from typing import Final

CODE: Final = "code"
QUOTE: Final = "quote"

_HEADING: Final = re.compile(r"heading ([1-9])", re.I)
_TITLES: Final = frozenset(("title",))
_CODES: Final = frozenset((
    "preformatted text", "source code", "html preformatted", "code", "code block", "macro text", "program listing",
))  # fmt: skip
_QUOTES: Final = frozenset((
    "quotations", "quotation", "quote", "intense quote", "block text", "block quote", "blockquote",
))  # fmt: skip
_MONOSPACE: Final = re.compile(
    r"courier|consol|menlo|monaco|\bmono\b|monospace|inconsolata|cascadia|(?:source|fira) code|typewriter"
    r"|letter gothic|fixedsys",
    re.I,
)


def meaning_of(name: str) -> str:
    """Return the heading level of a style, or `code`, `quote`, or an empty string."""
    name = name.strip().lower()
    heading = _HEADING.fullmatch(name)
    if heading or name in _TITLES:
        return str(min(int(heading[1]), 6)) if heading else "1"
    return CODE if name in _CODES else QUOTE if name in _QUOTES else ""


def is_monospace(font: str) -> bool:
    """Return whether a font is monospaced, judging by its name."""
    return _MONOSPACE.search(font) is not None
