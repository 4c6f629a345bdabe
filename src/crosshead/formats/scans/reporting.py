"""What users should know about recognized pages: how sure the text is, and what is missing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from crosshead.formats.base import Extracted
from crosshead.formats.pdf.reading import name_pages
from crosshead.formats.scans.pages import ScannedPage

LOW_CONFIDENCE: Final = 0.985
"""Clean pages have .99 and more; a blurred one with 7 % misread words still has .98 (`bench/extraction/ocr.py`)."""


def report(found: Extracted, pages: Mapping[int, ScannedPage]) -> Extracted:
    """Add the confidence of recognized pages, and warnings about those that are unsure or incomplete."""
    read = {number: page for number, page in pages.items() if page.lines}
    unsure = {number: page.confidence for number, page in pages.items() if page.confidence < LOW_CONFIDENCE}
    cut = [number for number, page in pages.items() if not page.is_whole]
    warnings = []
    if unsure:
        worst = min(unsure.values())
        warnings.append(
            f"the text of {name_pages(sorted(unsure))} was recognized with low confidence ({worst:.2f}) and may be "
            "misread: scan at 300 dpi or more, or compare it with the original"
        )
    if cut:
        warnings.append(f"recognition took too long on {name_pages(cut)}: part of the text is missing")
    confidences = tuple([(number, round(page.confidence, 3)) for number, page in sorted(read.items())])
    return found._replace(recognized=confidences, warnings=(*found.warnings, *warnings))
