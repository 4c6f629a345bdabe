"""Chunks -> questions that they answer, and questions of the same form that nothing answers.

1. every third question is a heading, one the first sentence of a section, one another sentence of it
2. a few words in a row are kept, with the function words between them
3. users do not know the words of the text: some are replaced by words of other chunks, in a third of the questions most
   of them; a word that hardly any chunk has is changed into one that none has, so that a question holds as many unknown
   words as the language and the size of the index make likely
4. users do know names: these stay in a question that is answered, and are unknown in one that is not
5. what is random depends on the id of the chunk: the same index gets the same questions

No step needs to know the language of the documents, or words of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from random import Random
from typing import Final

from crosshead.language.words import is_unspaced, word_pattern
from crosshead.search.confidence.signals import find_names
from crosshead.search.query.stopwords import content_words, stop_words
from crosshead.search.snippets.lines import read_lines
from crosshead.types import Chunk

SHORTEST, LONGEST = 3, 8
"""Words of a question, if the text has so many."""
REPLACED: Final = 0.45
"""The share of words that are replaced; with the next two, chosen so that questions of users keep the promise."""
REPHRASED: Final = 0.35
"""The share of questions that lose most of their words."""
REPLACED_THEN: Final = 0.8
"""The share of words that these lose, and questions about something else."""
UNKNOWN: Final = 0.3
"""The share of unknown ones among the words of a question about something else."""
RARE: Final = 1.7
"""A word of one or two chunks is less rare than an unknown one by less than this."""
NO_WORD: Final = "zqxjvkzqx"
"""As rare as a word can be."""
KINDS: Final = 3
"""Of text that a question is made from: a heading, the first sentence, another one."""
HEADINGS: Final = 2
"""Headings of the path that make a question."""
SENTENCE_WORDS: Final = 5
"""Words of the shortest sentence that makes a question."""
TRIES: Final = 5
"""Chunks to look into for a word."""

Rarities = Callable[[Sequence[str]], Sequence[float]]
_Span = tuple[int, int]
_Change = Callable[[str], str]

_PIECE: Final = re.compile("[\u30a0-\u30ff]+|[\u3040-\u309f]+|[\u0e00-\u1fff\uac00-\ud7af]{1,4}|[^\u3040-\u30ff]{1,2}")
"""What counts as a word in scripts without spaces."""
_OPERATOR: Final = re.compile(r'["“”]|(?<!\S)-(?=\w)|\bOR\b')
"""What would exclude or require words."""


class QuestionMaker:
    """Makes questions about the chunks of one index."""

    def __init__(self, languages: Sequence[str], chunks: Sequence[Chunk], rarities: Rarities) -> None:
        """Words are taken from `chunks`, of an index in some `languages` that knows how rare words are in it."""
        self._languages = languages
        self._chunks = chunks
        self._rarities = rarities
        self._rarest = max(rarities([NO_WORD]))
        self._spans = cache(self._find_spans)

    def answered(self, chunk: Chunk, number: int) -> str:
        """Return a question that a chunk answers; empty if its text is too short. Every third one is a heading."""
        random = Random(chunk.id)
        share = REPLACED_THEN if random.random() < REPHRASED else REPLACED

        def change(word: str) -> str:
            if self._is_name(word) or random.random() >= share:
                return word
            other = self._other_word(word, random)
            return _shuffled(other, random) if self._is_rare(other) else other

        return self._make(chunk, number, change, random)

    def unanswered(self, chunk: Chunk, number: int) -> str:
        """Return a question of the same form about something else."""
        random = Random(chunk.id)

        def change(word: str) -> str:
            if self._is_name(word):
                return _shuffled(word, random)
            if random.random() >= REPLACED_THEN:
                return word
            other = self._other_word(word, random)
            return _shuffled(other, random) if random.random() < UNKNOWN else other

        return self._make(chunk, number, change, random)

    def _make(self, chunk: Chunk, number: int, change: _Change, random: Random) -> str:
        text = _text(chunk, number % KINDS, random)
        spans = self._spans(text)
        if len(spans) < 2:
            return ""
        count = min(len(spans), random.randint(SHORTEST, LONGEST))
        first = random.randint(0, len(spans) - count)
        return _OPERATOR.sub("", "".join(_changed(text, spans[first : first + count], change)))

    def _other_word(self, word: str, random: Random) -> str:
        """Return a word of another chunk in a like script that is not a name; the same word if none is found."""
        for _ in range(TRIES):
            text = _text(random.choice(self._chunks), 2, random)
            if spans := self._spans(text):
                start, end = random.choice(spans)
                other = text[start:end]
                if other.isascii() == word.isascii() and not self._is_name(other):
                    return other
        return word

    def _find_spans(self, text: str) -> list[_Span]:
        """Return where the words of a text are that say something."""
        return [(start, end) for start, end in _words(text) if self._tells(text[start:end])]

    def _tells(self, word: str) -> bool:
        return (len(word) > 1 or not word.isascii()) and not any(
            stop_words(language).issuperset(content_words(word, language)) for language in self._languages
        )

    def _is_name(self, word: str) -> bool:
        return bool(find_names(f"a {word}", self._languages))  # the first word of a query is not a name

    def _is_rare(self, word: str) -> bool:
        forms = content_words(word, self._languages[0])
        return max(self._rarities(forms), default=0.0) > self._rarest - RARE


def _text(chunk: Chunk, kind: int, random: Random) -> str:
    if kind == 0 and chunk.section_path:
        return " ".join(chunk.section_path[-HEADINGS:])
    sentences = _sentences(chunk)
    return (sentences[0] if kind == 1 else random.choice(sentences)) if sentences else ""


def _sentences(chunk: Chunk) -> list[str]:
    """Return the sentences of a chunk's paragraphs and lists, without Markdown."""
    titles = {chunk.document_title, *chunk.section_path}
    lines = read_lines(chunk.content, chunk.prefix, titles, mdx=chunk.format == "mdx")
    sentences = [line.text for line in lines if line.kind in ("text", "item")]
    return [each for each in sentences if sum(1 for _ in _words(each)) >= SENTENCE_WORDS]


def _words(text: str) -> Iterator[_Span]:
    """Yield where words are; in scripts without spaces, runs of like letters, and a few of them at most."""
    for match in word_pattern(text).finditer(text):
        if is_unspaced(match[0]):
            at = match.start()
            yield from ((at + piece.start(), at + piece.end()) for piece in _PIECE.finditer(match[0]))
        else:
            yield match.span()


def _changed(text: str, spans: Sequence[_Span], change: _Change) -> Iterator[str]:
    """Yield the text of the spans, changed, and what is between them."""
    at = spans[0][0]
    for start, end in spans:
        yield text[at:start]
        yield change(text[start:end])
        at = end


def _shuffled(word: str, random: Random) -> str:
    """Return a word of the same letters and capitals that hardly any text has."""
    letters = random.sample(word.lower(), len(word))
    return "".join(letter.upper() if old.isupper() else letter for letter, old in zip(letters, word, strict=False))
