"""Tables without borders, which only the alignment of their text shows.

1. `regions`: lines that may be the rows of one table.
2. `columns`: where its columns are; `side_by_side`: whether its lines are the rows of two tables.
3. `splitting`: the cells of each line; `plausible`: whether they look like a table at all.
4. `labels`: the lines of labels; `spanning`: the columns of each label, and the header row; `rows`: lines -> rows.
"""

from __future__ import annotations

from crosshead.formats.pdf.tables.aligned.finding import find_aligned

__all__ = ["find_aligned"]
