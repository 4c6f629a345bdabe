"""How much of a text a model can read, judged by the tokens that the text becomes.

1. A token of several letters is read: the model has learned it as a word, or as a part of words.
2. A token of one letter is read if longer tokens of the vocabulary hold that letter. If none does, the model saw the
   letter too rarely to learn a word with it: it knows the letters of the text, but not its words.
3. An unknown token, or a byte of a letter that the vocabulary lacks, is not read.
4. Punctuation, digits and one-letter words, such as names of variables, are ignored.

A model of one language recognizes the words of that language: those it has learned are one token. Most words of English
prose are one token, but far fewer words of other languages. Short words, names, identifiers and numbers
are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import islice
from typing import Final, Protocol
from unicodedata import category

LONGER_TOKENS: Final = 5
"""Tokens of several letters that must hold a letter. English vocabularies have a few foreign words by accident."""
SHORTEST_WORD: Final = 4
"""Shorter words are one token in any language that has the letters."""
ASSUMED_WORDS: Final = 4
"""Words that count as learned before any is seen, so that two rare words do not decide about a short query."""

_AROUND_WORDS: Final = ".,;:!?()[]\"'“”„«»‘’¿¡*…"
"""Punctuation of prose. A word with other characters is code, a path or a name."""
_BYTE: Final = re.compile(r"<0x([89A-F][0-9A-F])>")
"""A byte of a character outside of ASCII."""
_MARKS: Final = "▁#"
"""Marks that vocabularies put before tokens that begin or continue a word."""


class Tokenizer(Protocol):
    """A tokenizer, as far as needed here."""

    @property
    def tokens(self) -> Sequence[str]:
        """The vocabulary, ordered by id."""

    @property
    def unknown(self) -> str:
        """The token of characters that the vocabulary lacks."""

    def encode(self, text: str) -> list[int]:
        """Return the token ids of a text."""


class Reader:
    """Measures how much of a text the model of a tokenizer can read."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._is_read = lru_cache(1 << 15)(self._judge)
        self._is_word = lru_cache(1 << 12)(lambda word: len(tokenizer.encode(word)) == 1)
        self._is_learned = lru_cache(1 << 12)(self._has_longer_tokens)

    def read_share(self, text: str) -> float:
        """Return the share of readable tokens, without those that are ignored; 1 if none are left."""
        if text.isascii():  # every model has learned these letters
            return 1.0
        words = " ".join(word for word in text.translate(_LETTERS).split() if len(word) > 1)
        if words.isascii():  # typographic quotes and dashes are not judged
            return 1.0
        judged = [*map(self._is_read, self._tokenizer.encode(words))]
        read, unread = judged.count(True), judged.count(False)
        return read / (read + unread) if unread else 1.0

    def word_share(self, text: str) -> float:
        """Return the share of lower-case words that are one token; near 1 if there are few words."""
        words = [word for word in (each.strip(_AROUND_WORDS) for each in text.split()) if _shows_language(word)]
        return (sum(map(self._is_word, words)) + ASSUMED_WORDS) / (len(words) + ASSUMED_WORDS)

    def _judge(self, number: int) -> bool | None:
        token = self._tokenizer.tokens[number]
        if token == self._tokenizer.unknown or _BYTE.fullmatch(token):
            return False
        letters = [each for each in token if each.isalpha()]
        if not letters or token.startswith("<0x"):
            return None
        return len(letters) > 1 or self._is_learned(letters[0].casefold())

    def _has_longer_tokens(self, letter: str) -> bool:
        return sum(1 for _ in islice(self._longer_tokens(letter), LONGER_TOKENS)) == LONGER_TOKENS

    def _longer_tokens(self, letter: str) -> Iterator[str]:
        at = self._joined.find(letter)
        while at >= 0:
            start, end = self._joined.rfind("\n", 0, at) + 1, self._joined.find("\n", at)
            token = self._joined[start:end].strip(_MARKS)
            if len(token) > 1 and token.isalpha():
                yield token
            at = self._joined.find(letter, end)

    @cached_property
    def _joined(self) -> str:
        """All tokens as one text, which is searched much faster than a list."""
        return "\n".join(self._tokenizer.tokens).casefold() + "\n"


def _shows_language(word: str) -> bool:
    return len(word) >= SHORTEST_WORD and word.islower() and word.isalpha()


class _Letters(dict[int, str]):
    """Maps characters of words to themselves and others to spaces; remembers each."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        self[code] = found = character if category(character)[0] in "LMN" else " "
        return found


_LETTERS: Final = _Letters()
