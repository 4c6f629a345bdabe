"""Rows and tables -> blocks: headings with levels, paragraphs, items of lists, code and tables.

1. `looks`: what the text looks like. `candidates`: runs of rows that may be headings, by print and space (`emphasis`)
   or because the printed contents name them (`contents`); `exclusions`: what looks like one and is not.
2. `numbering`: the numbers of headings; `ranking`: levels by look and number; `nesting`: one tree of all headings, with
   the levels of the printed `contents`, if there are any.
3. `headings`: the outline and the tags first, then the candidates; `blocks`: everything else around them.
"""
