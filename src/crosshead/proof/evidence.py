"""What the cited spans of a sentence say, in the forms that facts are compared in.

A span is read with what a reader of it sees as well: the title and source of its document, the headings above it, and
the head and caption of a table that it is part of.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import cached_property
from typing import Final, NamedTuple

from crosshead.language.detection import detect_language
from crosshead.language.words import words
from crosshead.proof.facts.dates import DateMention, find_dates
from crosshead.proof.facts.numbers import Quantity, find_quantities
from crosshead.proof.facts.units import label_scales, units_of
from crosshead.proof.folding import fold, squeeze
from crosshead.types import StoredDocument

_HEADING: Final = re.compile(r"^(#{1,6})[ \t]+(.+)$", re.M)
_MARKER: Final = re.compile(r"^[ \t>]*(\d{1,3})[.)](?=[ \t])", re.M)
"""The number of an item of a list."""
_WORD: Final = re.compile(r"[^\W_]+")
_UNIT_WORD: Final = re.compile(r"[%‰€$£¥₽]|°[CF]|[^\W\d_]+")
_LEAST_PREFIX: Final = 3
NEAR: Final = 40
"""Characters."""


class CitedText(NamedTuple):
    """A cited span that was found."""

    document: StoredDocument
    start: int
    end: int
    citation: str

    @property
    def text(self) -> str:
        """The text of the span."""
        return self.document.text[self.start : self.end]


class CitedEvidence:
    """The text of some cited spans, read in several ways; each is made when it is first asked for."""

    def __init__(self, spans: Sequence[CitedText]) -> None:
        self.spans = spans
        self.raw = "\n\n".join(span.text for span in spans)
        self.around = "\n\n".join("\n".join(_context(span)) for span in spans)
        self.text = f"{self.around}\n\n{self.raw}"

    @cached_property
    def language(self) -> str:
        """The language of the documents; `und` if unknown."""
        known = {span.document.language or detect_language(span.text) for span in self.spans}
        return known.pop() if len(known) == 1 else "und"

    @cached_property
    def folded(self) -> str:
        """The text as quotations are compared."""
        return fold(self.text)

    @cached_property
    def squeezed(self) -> str:
        """The text without separators inside names."""
        return squeeze(self.folded)

    @cached_property
    def words(self) -> frozenset[str]:
        """All words, without case."""
        return frozenset(_WORD.findall(self.folded))

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of all words, in the language of the documents."""
        return frozenset(words(self.text, self.language))

    @cached_property
    def dates(self) -> tuple[DateMention, ...]:
        """All dates."""
        return tuple(find_dates(self.text))

    @cached_property
    def quantities(self) -> dict[Decimal, list[Quantity]]:
        """All numbers by value; those of a table also with the scale of its label."""
        found = defaultdict(list)
        scales = label_scales(self.text)
        markers = [found.span(1) for found in _MARKER.finditer(self.text)]
        for each in find_quantities(self.text, markers):
            for value in each.values:
                found[value].append(each)
                if not each.has_scale:
                    for scale in scales:
                        found[value * scale].append(each)
        return found

    @cached_property
    def families(self) -> frozenset[str]:
        """Families of all units that the text names anywhere, such as in the label of a column."""
        return frozenset(unit.family for word in set(_UNIT_WORD.findall(self.text)) for unit in units_of(word))

    @cached_property
    def markers(self) -> frozenset[int]:
        """The numbers of items of lists."""
        return frozenset(int(found) for found in _MARKER.findall(self.text))

    def near(self, quantity: Quantity) -> str:
        """Return the words around a number."""
        return self.text[max(0, quantity.start - NEAR) : quantity.end + NEAR]

    def has_phrase(self, folded: str) -> bool:
        """Return whether words are there as they are, not as parts of longer ones."""
        at = self.folded.find(folded)
        while at >= 0:
            end = at + len(folded)
            if not _joins(self.folded, at) and not _joins(self.folded, end):
                return True
            at = self.folded.find(folded, at + 1)
        return False

    def has_name(self, word: str) -> bool:
        """Return whether a name is there, also in another form of it: "Müllers", "Москве"."""
        folded = fold(word)
        parts = _WORD.findall(folded)
        if self.words.issuperset(parts) or squeeze(folded) in self.squeezed:
            return True
        return all(self._has_beginning(part) for part in parts)

    def _has_beginning(self, word: str) -> bool:
        if word in self.words:
            return True
        cut = 2 if len(word) > 5 and self.language != "en" else 1
        length = max(_LEAST_PREFIX, len(word) - cut)
        return len(word) > _LEAST_PREFIX and any(
            known.startswith(word[:length]) and len(known) <= len(word) + 3 for known in self.words
        )


def _joins(text: str, at: int) -> bool:
    """Return whether a position is inside a word; scripts without spaces have no such positions."""
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    return before.isalnum() and after.isalnum() and before < "\u3000" and after < "\u3000"


def _context(span: CitedText) -> Iterator[str]:
    """Yield what is around a span: title, source, headings, and the head and caption of its table."""
    text, start = span.document.text, span.start
    yield span.document.title
    yield span.document.source
    deepest = 7
    for found in reversed([*_HEADING.finditer(text, 0, start)]):
        if len(found[1]) < deepest:
            deepest = len(found[1])
            yield found[2]
    yield from _table_head(text, start)


def _table_head(text: str, start: int) -> Iterator[str]:
    """Yield the first lines of the table that a span begins in, and the paragraph above it."""
    if not text.startswith("|", start):
        return
    top = start
    while top > 0:
        above = text.rfind("\n", 0, top - 1) + 1
        if not text.startswith("|", above):
            break
        top = above
    yield from text[top:start].split("\n")[:2]
    yield text[:top].rstrip().rpartition("\n")[2]
