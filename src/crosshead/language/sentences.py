"""Where sentences end, in any language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

_END = re.compile(
    r"""([.!?:;…؟۔।॥։။។።])["')\]*_`”’»]*(\s+)(?=\S)|[。！？；｡]["'」』）】》”’]*(\s*)(?=[^\W_]|[「『（【《“‘])"""
    r"""|(?<=[\u0e01-\u0eff])(\s+)(?=[\u0e01-\u0eff])"""
)
"""After a mark and a space; in Chinese and Japanese after the mark; in Thai and Lao at a space."""
_LONGEST_WORD: Final = 16
_LAST_WORD = re.compile(r"[^\W_]+(?:\.[^\W_]+)*$").search
_ALWAYS_SHORT: Final = """
    dr drs mr mrs ms prof st sr jr rev hon gen col capt lt sgt gov messrs vs cf approx ca al incl excl resp dept
    hr fr mio mrd tsd bzw ggf vgl evtl inkl exkl sog zzgl abzgl mme mlle env sra srta см ср напр им ул акад проф тов гр
"""
_ABBREVIATIONS: Final = frozenset(_ALWAYS_SHORT.split())
_LONGEST_ABBREVIATION: Final = 4
"""Longest word taken for an abbreviation if a digit or lower-case letter follows: `Fig. 3`, `etc. and`."""


class SentenceEnd(NamedTuple):
    """The end of a sentence, or of a part of it."""

    mark: str
    """The mark at the end, if a space follows it."""
    gap: tuple[int, int]
    """Where the white space after it is, which may be empty."""

    @property
    def is_inside(self) -> bool:
        """Whether the sentence goes on, after a colon or a semicolon."""
        return self.mark in (":", ";")


def sentence_ends(text: str, start: int = 0, end: int | None = None) -> Iterator[SentenceEnd]:
    """Yield where sentences and their parts end, but for the last one."""
    for found in _END.finditer(text, start, len(text) if end is None else end):
        if found[1] != "." or _is_full_stop(text, found):
            yield SentenceEnd(found[1] or "", found.span(found.lastindex or 0))


def _is_full_stop(text: str, end: re.Match[str]) -> bool:
    """Return whether a dot ends a sentence; it may also end an abbreviation, an initial or an ordinal number."""
    at = end.start()
    found = _LAST_WORD(text[max(0, at - _LONGEST_WORD) : at])
    if not found:
        return True
    word = found[0].casefold()
    if len(word) == 1 or "." in word or word in _ABBREVIATIONS or (word.isdigit() and len(word) < 3):
        return False
    following = text[end.end()]
    return len(word) > _LONGEST_ABBREVIATION or not (following.isdigit() or following.islower())
