"""Words that say nothing about what is asked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_ENGLISH: Final = """
    a an and are as at be by can do doe for from get has have how i if in into is it its me my of on or our should so
    that the their them there these they this to use was we what when where which who whi will with you your
"""
_RUSSIAN: Final = """
    а в во где для до его ее если и из или их к как когда кто ли мне мо мы на не но о об он она они от по при с со так
    то у что чтоб это эт я
"""
STOP_WORDS: Final = frozenset((_ENGLISH + _RUSSIAN).split())
"""Stems, as `words` gives them."""
_IS_GRAMMAR: Final = re.compile("[\u3040-\u309f]+$").match
"""Hiragana alone is mostly endings and particles."""


def content_words(words: Sequence[str]) -> list[str]:
    """Return the words that carry the meaning, in order; all of them if none does."""
    return [word for word in words if word not in STOP_WORDS and not _IS_GRAMMAR(word)] or list(words)
