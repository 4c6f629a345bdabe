"""Results of the index -> answers for an assistant, within a token budget.

Nothing is omitted silently: an answer says how much did not fit, and how to see it.
"""

from crosshead.mcp.answers.hits import SearchAnswer, search_answer
from crosshead.mcp.answers.indexing import Indexed, indexed_answer
from crosshead.mcp.answers.outlines import DEEPEST, Outlined, below, outline_answer
from crosshead.mcp.answers.pages import ShownPage, page_answer
from crosshead.mcp.answers.related import RelatedAnswer, related_answer
from crosshead.mcp.answers.sections import WholeSection, section_answer

__all__ = [
    "DEEPEST",
    "Indexed",
    "Outlined",
    "RelatedAnswer",
    "SearchAnswer",
    "ShownPage",
    "WholeSection",
    "below",
    "indexed_answer",
    "outline_answer",
    "page_answer",
    "related_answer",
    "search_answer",
    "section_answer",
]
