"""Hits -> passages: whole sections instead of fragments."""

from crosshead.search.passages.consolidate import consolidate
from crosshead.search.passages.focus import focus
from crosshead.search.passages.lookup import chunks_of, quote_section, sections_around

__all__ = ["chunks_of", "consolidate", "focus", "quote_section", "sections_around"]
