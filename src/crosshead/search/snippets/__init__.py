"""Hits -> snippets: the lines that answer, as plain text, and where the words of the query are in them.

lines    Markdown -> sentences, items, rows and lines of code, without marks and headings
words    which words of a text are words of the query
choose   the lines that answer best, within the length of a snippet
"""

from crosshead.search.snippets.choose import LONGEST, Snippet, make_snippets
from crosshead.search.snippets.lines import can_answer

__all__ = ["LONGEST", "Snippet", "can_answer", "make_snippets"]
