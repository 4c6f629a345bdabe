"""Which words of a text are words of the query: stems match whole words, and in scripts without spaces, runs."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from typing import ClassVar, Final

from crosshead.language.words import is_unspaced, word_pattern, words
from crosshead.search.query.words import QueryWords

MOST_WORDS: Final = 50_000
"""Words of one language that are remembered with their forms."""

_has_kana: Final = re.compile("[\u3041-\u30ff]").search
_is_han: Final = re.compile("[\u3400-\u9fff]").match
_PATH_PART: Final = re.compile("[^/:]+")
_NONE: Final[frozenset[str]] = frozenset()


class SnippetWords:
    """Finds the words of a query in texts."""

    def __init__(self, readings: Iterable[QueryWords]) -> None:
        self._readings = [(reading.language, reading.wanted) for reading in readings]
        self._held: dict[str, set[str]] = {}
        """Words of texts, with the words of the query that they stand for."""

    def find(self, texts: Sequence[str]) -> list[frozenset[str]]:
        """Return which words of the query each text holds; an identifier counts as a whole, not by its parts too."""
        found = [frozenset(word_pattern(text).findall(text)) for text in texts]
        distinct = _NONE.union(*found)
        for language, wanted in self._readings:
            spellings = _Spellings.of(language, distinct)
            for form in wanted:
                for word in spellings.by_form.get(form, _NONE) & distinct:
                    self._held.setdefault(word, set()).add(form)
        counted = {
            word: forms if is_unspaced(word) else {max(sorted(forms), key=len)} for word, forms in self._held.items()
        }
        matched = counted.keys()
        return [
            _NONE.union(*map(counted.__getitem__, words & matched)) if not matched.isdisjoint(words) else _NONE
            for words in found
        ]

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Return where a text holds words of the query; neighbors in scripts without spaces are joined."""
        joined: list[tuple[int, int]] = []
        for start, end in self._spans(text):
            last = joined[-1] if joined else (0, -2)
            if start <= last[1] or (start == last[1] + 1 and all(map(is_unspaced, text[last[1] - 1 : start + 1]))):
                joined[-1] = last[0], max(last[1], end)
            else:
                joined.append((start, end))
        return joined

    def _spans(self, text: str) -> Iterator[tuple[int, int]]:
        for match in word_pattern(text).finditer(text):
            held = self._held.get(match[0])
            if held and is_unspaced(match[0]):
                yield from _pairs(text, *match.span(), held)
            elif held and "/" in match[0]:
                yield from (part.span() for part in _PATH_PART.finditer(text, *match.span()) if self._is_held(part[0]))
            elif held:
                yield match.span()

    def _is_held(self, word: str) -> bool:
        return any(not set(wanted).isdisjoint(words(word, language)) for language, wanted in self._readings)


class _Spellings:
    """The words of texts in one language, by the forms in which they are compared; most texts share them."""

    _known: ClassVar[dict[str, _Spellings]] = {}

    def __init__(self) -> None:
        self.by_form: dict[str, set[str]] = defaultdict(set)
        self._read: set[str] = set()

    @classmethod
    def of(cls, language: str, found: Set[str]) -> _Spellings:
        """Return those of a language, with these words."""
        spellings = cls._known.get(language)
        if spellings is None or len(spellings._read) > MOST_WORDS:
            spellings = cls._known[language] = cls()
        for word in found - spellings._read:
            for form in words(word, language):
                spellings.by_form[form].add(word)
            spellings._read.add(word)
        return spellings


def _pairs(text: str, start: int, end: int, held: Collection[str]) -> Iterator[tuple[int, int]]:
    """Yield where the pairs of characters of a run are, or single ones; NFKC may make several of one.

    In Japanese, which has kana between words, a single character is a word only if no other one is next to it.
    """
    characters = [(each, at) for at in range(start, end) for each in unicodedata.normalize("NFKC", text[at])]
    is_japanese = _has_kana(text, start, end) is not None
    for number, (character, at) in enumerate(characters):
        following, last = characters[number + 1] if number + 1 < len(characters) else ("", at)
        if character + following in held:
            yield at, last + 1
        elif character in held:
            before = characters[number - 1][0] if number else ""
            if not (is_japanese and (_is_han(before) or _is_han(following))):
                yield at, at + 1
