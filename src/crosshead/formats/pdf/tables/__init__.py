"""Segments and rules -> tables.

1. `grids`: tables with borders; `aligned`: tables without, by the alignment of their text.
2. `cells`: the text of a cell; `drawing_order`: what is drawn one after the other, though it is side by side.
3. `over_pages`: tables that continue; `repeated_labels`: labels that look like running heads.
"""
