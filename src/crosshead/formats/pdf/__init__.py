"""PDF -> Markdown.

1. `words`, `notes`, `rules`, `tags`: what is on a page, with positions and styles; `damage`, `legibility`: what is not.
2. `furniture`: running heads and page numbers go.
3. `grids` (borders and `shading`), `aligned`: tables; `layout`: rows in reading order; `columns`: edges of columns.
4. `outline`, `headings`: which rows are headings.
5. `blocks`: paragraphs, items, code, tables over pages; `writing`: Markdown with the page of every line.
"""

from __future__ import annotations

from crosshead.formats.pdf.reading import is_pdf, read_pdf

__all__ = ["is_pdf", "read_pdf"]
