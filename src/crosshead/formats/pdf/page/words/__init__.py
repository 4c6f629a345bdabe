"""The characters of a page -> words with positions and styles."""

from __future__ import annotations

from crosshead.formats.pdf.page.words.reader import TextReader

__all__ = ["TextReader"]
