"""Headings that a page repeats at its top, such as `Notes to Statements (Continued)`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from crosshead.formats.pdf.page.outline import letters
from crosshead.formats.pdf.page.shapes import PdfPage, Row

_CONTINUED: Final = re.compile(
    r"[\s,:;–—-]*[(\[]?\b(?:continued|cont[’']?d\.?|cont\.|fortsetzung|forts\.|suite|continuación|continuação|segue)"
    r"\s*[)\]]?\s*$",
    re.I,
)
_TOP: Final = 4
"""How many items of a page are its top."""
_MAX_LENGTH: Final = 200
"""The most characters of a heading that may be repeated."""


def remove_continued(pages: Sequence[PdfPage]) -> None:
    """Remove rows at the top of pages that repeat an earlier row and say that it continues."""
    seen: set[str] = set()
    for page in pages:
        repeated = {id(item) for item in page.items[:_TOP] if isinstance(item, Row) and _repeats(item, seen)}
        page.items = [item for item in page.items if id(item) not in repeated]
        seen.update(letters(item.text) for item in page.items if isinstance(item, Row) and len(item.text) < _MAX_LENGTH)


def _repeats(row: Row, seen: set[str]) -> bool:
    found = _CONTINUED.search(row.text)
    return found is not None and not row.title and letters(row.text[: found.start()]) in seen - {""}
