"""PDF -> Markdown. A PDF says where characters are drawn, not what they are; each stage finds out a little more.

1. `page`: pdfium opens the bytes and gives the characters and lines of each page: *words*, *segments* and *rules*.
2. `text`: what is in the text of a line: amounts, marks of list items, entries of contents, broken words.
3. `layout`: running heads and page numbers are removed; segments become *rows*.
4. `tables`: *grids* of rules, and *regions* of lines whose columns are aligned, become tables.
5. `order`: the rows and tables of a page in the order in which they are read.
6. `structure`: headings get levels; rows and tables become *blocks*.
7. `write`: blocks become Markdown, with the page of every line.

`reading` runs these stages; `recognition` replaces the first one on scanned pages. What the words mean:

word      characters without a space between them, with position and font
piece     words that are drawn in one go: one number for all of them
segment   words on one baseline without a wide gap between them
row       segments that make one line of text in its column
line      all segments at one height, whatever their column: perhaps the row of a table
unit      a word, or a figure with its signs; a *group* is units without a wide gap between them
rule      a drawn line, or the edge of a box or of shading
frame     rules that touch each other; they part it into *fields*, and fields without a rule between them are one *cell*
grid      the cells of a frame
region    lines that may be a table without borders
run       rows that look the same, perhaps a heading
block     what becomes one block of Markdown: a heading, a paragraph, an item of a list, code or a table
em        the font size: thresholds are in ems as far as possible, so that they hold for print of any size
"""

from __future__ import annotations

from crosshead.formats.pdf.reading import has_pdf_mark, read_pdf

__all__ = ["has_pdf_mark", "read_pdf"]
