"""Words -> rows in columns, without running heads and page numbers.

1. `rows`: words -> segments -> rows; `baselines` and `lines`: segments at one height, across columns.
2. `furniture` and `page_numbers`: what repeats on every page; `continued_headings`: headings that repeat.
3. `flows` and `short_columns`: columns of text, by the order in which they are drawn; `columns`: their edges.
4. `formulas`, `drop_caps` and `underlines`: rows that need a closer look.
"""
