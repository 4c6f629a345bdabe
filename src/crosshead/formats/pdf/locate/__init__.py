"""A part of the Markdown of a PDF -> where its words are drawn on the pages.

1. `tokens`: the Markdown without its marks, as words, numbers and signs
2. `characters`: what pdfium sees on the pages, written the same way
3. `alignment`: the cheapest way through the pages that reads the tokens, which may jump to another column or cell
4. `boxes`: the characters that were found, as one rectangle for each line

`finding` runs these steps on the pages that may show the text, `printed` says which these are where the Markdown does
not, and `drawing` draws a page with what was found.
"""

from __future__ import annotations

from crosshead.formats.pdf.locate.characters import Extent
from crosshead.formats.pdf.locate.drawing import draw_page
from crosshead.formats.pdf.locate.figures import draw_region, find_pictures
from crosshead.formats.pdf.locate.finding import Wanted, locate_span, view_page
from crosshead.formats.pdf.locate.printed import pages_of

__all__ = ["Extent", "Wanted", "draw_page", "draw_region", "find_pictures", "locate_span", "pages_of", "view_page"]
