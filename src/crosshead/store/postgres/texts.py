"""Texts as the database can store them, and words in the notation of its text search vectors.

The database casts that notation to a vector without a parser of its own. Words and queries are made by
`crosshead.words` for every store alike; the parser of the database would take identifiers apart again, and it does not
know the languages without spaces.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

MOST_POSITIONS: Final = 255
"""Of one word; the database keeps no more."""
LAST_POSITION: Final = 16_383
MOST_BYTES: Final = 400_000
"""A vector holds less than a megabyte, of content and headings together; what a longer text says further on is not
found by its words."""

_UNSTORABLE: Final = re.compile("[\x00\ud800-\udfff]")


def storable(text: str) -> str:
    """Return a text that can be stored: U+0000 and half a surrogate pair are replaced."""
    return _UNSTORABLE.sub("\ufffd", text)


def lexemes(words: Iterable[str]) -> str:
    """Return words with their positions.

    >>> lexemes(["rotat", "it's", "rotat"])
    "'rotat':1,3 'it''s':2"
    """
    places: dict[str, list[str]] = {}
    size = 0
    for position, word in enumerate(words, 1):
        known = places.get(word)
        if known is None:
            size += 4 * len(word) + 8
            if size > MOST_BYTES:
                break
            places[word] = [str(min(position, LAST_POSITION))]
        elif len(known) < MOST_POSITIONS and position <= LAST_POSITION:
            size += 2
            known.append(str(position))
    return " ".join(f"{quote(word)}:{','.join(positions)}" for word, positions in places.items())


def quote(word: str) -> str:
    """Return a word as it stands in a vector or a query."""
    return "'" + word.replace("\\", "\\\\").replace("'", "''") + "'"
