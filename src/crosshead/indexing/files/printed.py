"""Files of office programs -> PDF; the last ones are kept in memory, because printing takes seconds."""

from __future__ import annotations

from threading import Lock
from typing import Final

from crosshead.formats import print_as_pdf
from crosshead.indexing.files.original import Original

MOST_BYTES: Final = 64 << 20
"""Of the files that are kept; a larger one is kept until the next."""
_printing: Final = Lock()
_printed: dict[tuple[str, str], bytes] = {}
"""By hash and format of the file, the one used last at the end."""


def pdf_of(original: Original) -> bytes:
    """Return a file as PDF; one is printed at a time."""
    key = original.digest, original.format
    with _printing:
        pdf = _printed.pop(key, None) or print_as_pdf(original.read(), original.format)
        _printed[key] = pdf
        while len(_printed) > 1 and sum(map(len, _printed.values())) > MOST_BYTES:
            _printed.pop(next(iter(_printed)))
    return pdf
