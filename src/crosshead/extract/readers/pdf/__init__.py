"""PDF -> Markdown.

1. `words`, `rules`, `tags`: what stands on a page, with places and styles.
2. `grids`, `aligned`: tables; `layout`: rows in reading order.
3. `furniture`: running heads and page numbers go; `columns`: edges of columns.
4. `outline`, `headings`: which rows are headings.
5. `blocks`: paragraphs, items, code; `writing`: Markdown with the page of every line.
"""

from __future__ import annotations

from crosshead.extract.readers.pdf.reading import is_pdf, read_pdf

__all__ = ["is_pdf", "read_pdf"]
