"""The pictures of a document, found in its file when they are asked for; nothing about them is stored.

1. `packages`, `web` and `formats.pdf.locate` find pictures, with the text around them and their captions (`found`)
2. `placing` finds their places in the text of the document by that text
3. `images` returns the bytes of one

`listing` runs these steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from crosshead.formats.includes import Nearby
from crosshead.types import Figure, FigureImage, StoredDocument

_TYPES: Final = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg", b"GIF8": "image/gif"}


class PicturedFile(NamedTuple):
    """What is known of a document whose pictures are looked for."""

    data: bytes
    """Of its file."""
    document: StoredDocument
    code: Sequence[tuple[int, int]] = ()
    """Where its text is code, which shows no pictures."""
    nearby: Nearby | None = None
    """The files that its pictures may be in."""


def find_figures(file: PicturedFile) -> list[Figure]:
    """Return the pictures of a document in order."""
    from crosshead.formats.figures import listing

    return listing.list_figures(file)


def read_figure(file: PicturedFile, number: int) -> FigureImage:
    """Return a picture of a document by its number."""
    from crosshead.formats.figures import listing

    return listing.read_figure(file, number)


def image_type(data: bytes) -> str:
    """Return the type of a picture by its first bytes, as in `image/png`; empty for all that could run something."""
    is_webp = data.startswith(b"RIFF") and data[8:12] == b"WEBP"
    return "image/webp" if is_webp else next((type for start, type in _TYPES.items() if data.startswith(start)), "")
