"""PDF -> Markdown.

1. `words`, `rules`, `tags`: what stands on a page, with places and styles.
2. `furniture`: running heads and page numbers go.
3. `grids` (borders and `shading`), `aligned`: tables; `layout`: rows in reading order; `columns`: edges of columns.
4. `outline`, `headings`: which rows are headings.
5. `blocks`: paragraphs, items, code, tables over pages; `writing`: Markdown with the page of every line.
"""

from __future__ import annotations

from crosshead.extract.readers.pdf.reading import is_pdf, read_pdf

__all__ = ["is_pdf", "read_pdf"]
