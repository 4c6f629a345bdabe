"""Make texts storable, and write words in the notation of text search vectors.

The database casts that notation to a vector without parsing it. `crosshead.language.words` makes the words of texts and
queries for all stores: the parser of the database would split identifiers again, and does not know languages without
spaces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

LAST_POSITION: Final = 16_383
"""The database stores no higher position, and 256 positions of a word."""
MOST_BYTES: Final = 400_000
"""A vector holds less than a megabyte, content and headings together. Words further on in a longer text are not
indexed."""
BYTES_OF_CHARACTER: Final = 4
BYTES_OF_WORD: Final = 4
BYTES_OF_POSITION: Final = 2
"""At most, in a vector."""
TITLE_KEY: Final = 600
"""Characters of a title that are indexed; an index entry has room for 2,712 bytes."""
FEW_WORDS: Final = 1_000
"""So few words fit, however long they are."""

_IN_CONTENT: Final = [f"':{position}A '" for position in range(1, LAST_POSITION + 1)]
_IN_HEADINGS: Final = [f"':{position}B '" for position in range(LAST_POSITION, 0, -1)]
"""The text between two words. Positions in headings count from the end, so that both fit into one vector."""
_UNSTORABLE: Final = re.compile("[\x00\ud800-\udfff]")


def storable(text: str) -> str:
    """Return a text with U+0000 and lone surrogates replaced, which PostgreSQL cannot store."""
    return text if text.isascii() and "\0" not in text else _UNSTORABLE.sub("\ufffd", text)


def title_keys(titles: Sequence[str]) -> list[str] | None:
    """Return titles cut to `TITLE_KEY` characters; None if all are short enough."""
    return [title[:TITLE_KEY] for title in titles] if any(len(title) > TITLE_KEY for title in titles) else None


def lexemes(words: Sequence[str]) -> str:
    """Return the words of a content with their positions, in the notation of a vector.

    >>> lexemes(["rotat", "it's", "rotat"])
    "'rotat':1A 'it''s':2A 'rotat':3A "
    """
    return _with_positions(words, _IN_CONTENT)


def heading_lexemes(words: Sequence[str]) -> str:
    """Return the words of headings in the same notation, with another weight."""
    return _with_positions(words, _IN_HEADINGS)


def _with_positions(words: Sequence[str], positions: list[str]) -> str:
    """Join words and positions; filling lists in one step matters for millions of words."""
    if not words:
        return ""
    fitting = list(words if len(words) <= FEW_WORDS else _fitting(words))
    if any(map("".join(fitting).__contains__, "'\\")):
        fitting = list(map(_escape, fitting))
    count = len(fitting)
    parts = fitting * 2
    parts[::2] = fitting
    parts[1::2] = [*positions[:count], *positions[-1:] * (count - len(positions))]
    return f"'{''.join(parts)[:-1]}"


def _fitting(words: Sequence[str]) -> Iterator[str]:
    """Yield as many words as a vector holds; past the last position only words that are new."""
    known: set[str] = set()
    size = 0
    for position, word in enumerate(words, 1):
        if word not in known:
            known.add(word)
            size += BYTES_OF_WORD + BYTES_OF_CHARACTER * len(word)
        elif position > LAST_POSITION:
            continue
        size += BYTES_OF_POSITION
        if size > MOST_BYTES:
            return
        yield word


def quote(word: str) -> str:
    """Return a word in the notation of a vector or query."""
    return f"'{_escape(word)}'"


def _escape(word: str) -> str:
    return word.replace("\\", "\\\\").replace("'", "''")
