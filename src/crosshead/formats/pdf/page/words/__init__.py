"""The characters of a page -> words with positions and styles.

1. `reader`: words as pdfium separates its `characters`; `fonts`: what fonts look like; `turning`: in which direction.
2. `touching_amounts` are split; words drawn one by one are joined (`word_by_word`); `right_to_left` words are ordered.
"""

from __future__ import annotations

from crosshead.formats.pdf.page.words.characters import page_text
from crosshead.formats.pdf.page.words.reader import TextReader

__all__ = ["TextReader", "page_text"]
