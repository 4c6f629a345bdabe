"""Tables with borders.

1. `frames`: rules that touch each other make a frame; `shading`: whether its fields are cells.
2. `grid`: fields without a rule between them are one merged cell. Text belongs to the cell in which it is. Cells with
   several lines at the same heights, each with room for more, are rows without rules between them.
3. The first rows are labels as far as merged cells, or the figures below, show it. They are joined into the header row,
   in which a merged label is repeated for each of its columns; below it, one is repeated for each of its rows.
"""

from __future__ import annotations

from crosshead.formats.pdf.tables.grids.finding import find_grids

__all__ = ["find_grids"]
