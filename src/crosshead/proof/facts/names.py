"""Words that are written as names: with a capital letter inside a sentence, or in capital letters.

German writes all nouns like this, so there only words in capital letters, and capitalized words that follow another one
or a title, count. At the beginning of a sentence a capital says nothing: such a word counts if what follows is
capitalized as well, or if the documents write it with a capital inside a sentence and never without.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

_WORD: Final = re.compile(r"[^\W\d_](?:[\w’'&-]*[^\W_])?")
_SENTENCE_START: Final = re.compile(r"(?:^|[.!?:;•|(\[“„«\"「>—–/]|\*\*|^[\s*_#>|-]+)[\s*_\"“„«(\[]*$")
_LABEL: Final = re.compile(
    r"[\s*_#>|-]*(?:\*\*|__)?[^.!?:\n]{1,60}?:(?:\*\*|__)?(?=\s|$)|\s*(?:\*\*|__).{1,80}?(?:\*\*|__)"
)
_LEAD: Final = 60
_TITLES: Final = frozenset(["herr", "frau", "herrn", "dr", "prof"])
_NO_NAMES: Final = frozenset(
    [
        "I",
        "I'm",
        "I'd",
        "I've",
        "I’m",
        "OK",
        "PS",
        "NB",
        "FAQ",
        "AKA",
        "TBD",
        "TL",
        "DR",
        "CAN",
        "MUST",
        "NOT",
        "MAY",
        "SHOULD",
        "AND",
        "OR",
        "NO",
        "YES",
        "NULL",
    ]
)


def find_names(text: str, language: str, is_name: Callable[[str], bool]) -> Iterator[tuple[int, int]]:
    """Yield where a sentence has names; `is_name` says whether documents write a word as one."""
    label = _LABEL.match(text)
    before: re.Match[str] | None = None
    words = [*_WORD.finditer(text)]
    for at, found in enumerate(words):
        word = found[0]
        follows = before is not None and text[before.end() : found.start()] in (" ", ". ", "\u00a0")
        before_capital = follows and before is not None and before[0][0].isupper()
        before = found
        if not word[0].isupper() or word in _NO_NAMES or len(word) < 2 or (label and found.end() <= label.end()):
            continue
        if word.isupper():
            yield found.span()
        elif _SENTENCE_START.search(text[max(0, found.start() - _LEAD) : found.start()]):
            following = words[at + 1] if at + 1 < len(words) else None
            leads = following and text[found.end() : following.start()] == " " and following[0][0].isupper()
            if (leads and language != "de" and not following[0].isupper()) or is_name(word):  # type: ignore[index]
                yield found.span()
        elif language != "de" or (before_capital and at > 1) or (at and words[at - 1][0].casefold() in _TITLES):
            yield found.span()
