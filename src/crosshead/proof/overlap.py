"""Whether a sentence has the words of the spans that it cites, or rather those of another part of the document.

A paraphrase may share few words with its source. So a sentence is doubted only if it shares hardly any, or if another
part of the document has many more of them.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from crosshead.language.frequent import CODES, FUNCTION_WORDS
from crosshead.language.words import words
from crosshead.proof.evidence import CitedEvidence, CitedText

LEAST_WORDS: Final = 4
"""A sentence with fewer words that carry meaning is not judged."""
LEAST_SHARE: Final = 0.25
CLEARLY_LESS: Final = 0.65
"""A sentence that shares more than this with its span is not compared with other parts."""
CLEARLY_MORE: Final = 0.34
"""How much more of the words another part must have."""
WINDOW: Final = 1200
"""Characters of such a part."""
_MOST_PLACES: Final = 12
_RAREST: Final = 3
_KANA: Final = re.compile(r"[\u3040-\u309f]+")


def better_place(text: str, language: str, evidence: CitedEvidence) -> tuple[float, tuple[CitedText, int] | None]:
    """Return the share of a sentence's words that its spans have, and the offset of a part that has clearly more."""
    wanted = content_words(text, language)
    if len(wanted) < LEAST_WORDS:
        return 1.0, None
    share = sum(each in evidence.stems for each in wanted) / len(wanted)
    if share >= CLEARLY_LESS:
        return share, None
    missing = [each for each in wanted if each not in evidence.stems]
    for span in {each.document.id: each for each in evidence.spans}.values():
        at = _window(span, evidence.language, wanted, missing, share)
        if at is not None:
            return share, (span, at)
    return share, None


def content_words(text: str, language: str) -> frozenset[str]:
    """Return the stems of the words that carry meaning."""
    found = words(text, language)
    function = _function_stems(language)
    return frozenset(
        each
        for each in found
        if each not in function and not each.isdigit() and _is_long(each) and not _KANA.fullmatch(each)
    )


def _is_long(stem: str) -> bool:
    return len(stem) > 2 or (len(stem) == 2 and stem[0] >= "\u3000")


@cache
def _function_stems(language: str) -> frozenset[str]:
    names = [name for name, code in CODES.items() if code == language and name in FUNCTION_WORDS]
    return frozenset(stem for name in names for stem in words(FUNCTION_WORDS[name], language))


def _window(span: CitedText, language: str, wanted: frozenset[str], missing: list[str], share: float) -> int | None:
    """Return where a part of the document, outside the span, has clearly more of some words."""
    text = span.document.text.casefold()
    for rare in sorted((each for each in missing if each in text), key=text.count)[:_RAREST]:
        at = text.find(rare)
        for _ in range(_MOST_PLACES):
            if at < 0:
                break
            first, last = (0, span.start) if at < span.start else (span.end, len(text))
            if first <= at < last:
                around = text[max(first, at - WINDOW // 2) : min(last, at + WINDOW // 2)]
                if len(wanted.intersection(words(around, language))) >= (share + CLEARLY_MORE) * len(wanted):
                    return at
            at = text.find(rare, at + WINDOW // 4)
    return None
