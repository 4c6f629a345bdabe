"""Whether the text layer is what a page shows; if it is not, recognition reads the page better."""

from __future__ import annotations

import re
from typing import Any, Final

from crosshead.formats.pdf.page import native

_MEANINGLESS: Final = re.compile("[\x01-\x08\x0e-\x1f\x7f-\x9f\ue000-\uf8ff\ufffd\ufffe]")
"""Controls and private characters: what pdfium gives for a font that does not say which letters it draws."""
_LETTER: Final = re.compile("[A-Za-z]")
_COMMON: Final = re.compile("[etaoinsrETAOINSR]")
"""Six of ten letters in European languages; two of ten where glyph numbers are taken for letters."""
_FEW_COMMON: Final = 0.4
_LEAST_LETTERS: Final = 40
_MOSTLY: Final = 0.3
"""The share of characters without a meaning above which a page is unreadable."""
_SAMPLES: Final = 64
_HARDLY_ANY: Final = 20
"""The most words of a stamp or a page number."""
_COVERED: Final = 0.7
"""The share of the page that the image of a scan covers."""
_IMAGE: Final = 3
_INVISIBLE: Final = 3


def is_garbled(textpage: Any, text: str) -> bool:
    """Return whether most characters of a page have lost their meaning, because a font has no map to Unicode."""
    drawn = sum(map(len, text.split()))
    if len(_MEANINGLESS.findall(text)) > _MOSTLY * drawn:
        return True
    letters = len(_LETTER.findall(text))
    if letters < max(_LEAST_LETTERS, drawn / 2) or len(_COMMON.findall(text)) > _FEW_COMMON * letters:
        return False
    places = [index for index, character in enumerate(text) if character.isalpha()]
    sample = places[:: max(1, len(places) // _SAMPLES)]
    has_error = native.raw().FPDFText_HasUnicodeMapError
    return bool(sum(has_error(textpage, index) == 1 for index in sample) > _MOSTLY * len(sample))


def is_scan(page: Any, text: str) -> bool:
    """Return whether a page is an image with hardly any text, such as a stamp or a page number.

    Invisible text was recognized in the image before.
    """
    if len(text.split()) > _HARDLY_ANY:
        return False
    raw = native.raw()
    width, height = page.get_size()
    covered = 0.0
    for each in page.get_objects(max_depth=2):
        if each.type == raw.FPDF_PAGEOBJ_TEXT and raw.FPDFTextObj_GetTextRenderMode(each) == _INVISIBLE:
            return False
        if each.type == _IMAGE:
            left, bottom, right, top = each.get_bounds()
            covered = max(covered, (right - left) * (top - bottom))
    return bool(covered > _COVERED * width * height)
