"""Texts as the database can store them, and words in the notation of its text search vectors.

The database casts that notation to a vector without a parser of its own. Words and queries are made by
`crosshead.words` for every store alike; the parser of the database would take identifiers apart again, and it does not
know the languages without spaces.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import accumulate
from typing import Final

LAST_POSITION: Final = 16_383
"""The database tells later ones not apart."""
MOST_BYTES: Final = 400_000
"""A vector holds less than a megabyte, of content and headings together; what a longer text says further on is not
found by its words. Of the places of one word the database itself keeps the first 255."""
BYTES_OF_CHARACTER: Final = 4
"""At most."""

_UNSTORABLE: Final = re.compile("[\x00\ud800-\udfff]")


def storable(text: str) -> str:
    """Return a text that can be stored: U+0000 and half a surrogate pair are replaced."""
    return _UNSTORABLE.sub("\ufffd", text)


def lexemes(words: Iterable[str]) -> str:
    """Return words with their positions.

    >>> lexemes(["rotat", "it's", "rotat"])
    "'rotat':1,3 'it''s':2"
    """
    places: dict[str, str] = {}
    for position, word in enumerate(words, 1):
        known = places.get(word)
        if known is None:
            places[word] = str(position)
        elif position <= LAST_POSITION:
            places[word] = f"{known},{position}"
    found = [f"{quote(word)}:{positions}" for word, positions in places.items()]
    if sum(map(len, found)) * BYTES_OF_CHARACTER > MOST_BYTES:
        del found[_how_many_fit(found) :]
    return " ".join(found)


def _how_many_fit(found: list[str]) -> int:
    sizes = accumulate(BYTES_OF_CHARACTER * len(each) for each in found)
    return sum(size <= MOST_BYTES for size in sizes)


def quote(word: str) -> str:
    """Return a word as it stands in a vector or a query."""
    if "\\" in word or "'" in word:
        word = word.replace("\\", "\\\\").replace("'", "''")
    return f"'{word}'"
