"""Hits -> passages: whole sections instead of fragments; passages -> the prompt for a language model."""

from crosshead.search.passages.cited import cited_span, quote_citation, quote_span
from crosshead.search.passages.consolidate import consolidate
from crosshead.search.passages.focus import focus
from crosshead.search.passages.lookup import chunks_of, quote_section, sections_around
from crosshead.search.passages.prompt import CitedSource, Passages, Prompt

__all__ = [
    "CitedSource",
    "Passages",
    "Prompt",
    "chunks_of",
    "cited_span",
    "consolidate",
    "focus",
    "quote_citation",
    "quote_section",
    "quote_span",
    "sections_around",
]
