"""Chunks -> questions that they answer, made as far from their texts as users' questions are.

1. every third question is a heading, one the first sentence of a section, one another sentence of it
2. function words are left out, and all but a few of the others
3. some of these are replaced by words of similar meaning, because users do not know the words of the text
4. what is random depends on the id of the chunk: the same index gets the same questions
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Final

from crosshead.language.words import words
from crosshead.search.query.stopwords import stop_words
from crosshead.search.snippets.lines import read_lines
from crosshead.types import Chunk

SHORTEST, LONGEST = 3, 7
"""Words of a question, if the text has so many."""
REPLACED: Final = 0.35
"""The share of words that are replaced; chosen so that questions of users keep the promise."""
SIMILAR: Final = 3
"""Similar words to choose from."""
HEADINGS: Final = 2
"""Headings of the path that make a question."""
SENTENCE_WORDS: Final = 5
"""Words of the shortest sentence that makes a question."""

SimilarWords = Callable[[str, int], Sequence[str]]
"""Returns words of similar meaning, nearest first; none for a word that it does not know."""

_WORD: Final = re.compile(r"[^\W_][\w'’]*(?:[./_-][\w'’]+)*")


class QuestionMaker:
    """Makes questions about the chunks of one index."""

    def __init__(self, languages: Sequence[str], similar_words: SimilarWords) -> None:
        self._languages = languages
        self._similar_words = similar_words

    def make(self, chunk: Chunk, number: int) -> str:
        """Return a question that a chunk answers; empty if its text is too short. Every third one is a heading."""
        random = Random(chunk.id)
        text = self._text(chunk, number % 3, random)
        telling = [word for word in _WORD.findall(text) if self._tells(word)]
        if len(telling) < 2:
            return ""
        count = min(len(telling), random.randint(SHORTEST, LONGEST))
        kept = [telling[at] for at in sorted(random.sample(range(len(telling)), count))]
        return " ".join(self._change(word, random) for word in kept)

    def _text(self, chunk: Chunk, kind: int, random: Random) -> str:
        if kind == 0 and chunk.section_path:
            return " ".join(chunk.section_path[-HEADINGS:])
        sentences = _sentences(chunk)
        return (sentences[0] if kind == 1 else random.choice(sentences)) if sentences else ""

    def _tells(self, word: str) -> bool:
        return (len(word) > 1 or not word.isascii()) and not any(
            stop_words(language).issuperset(words(word, language)) for language in self._languages
        )

    def _change(self, word: str, random: Random) -> str:
        if random.random() >= REPLACED:
            return word
        similar = self._similar_words(word, SIMILAR)
        return random.choice(similar) if similar else word


def _sentences(chunk: Chunk) -> list[str]:
    """Return the sentences of a chunk's paragraphs and lists, without Markdown."""
    titles = {chunk.document_title, *chunk.section_path}
    lines = read_lines(chunk.content, chunk.prefix, titles, mdx=chunk.format == "mdx")
    sentences = [line.text for line in lines if line.kind in ("text", "item")]
    return [each for each in sentences if len(_WORD.findall(each)) >= SENTENCE_WORDS or not each.isascii()]
