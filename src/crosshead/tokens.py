"""Token counters: exact encodings without any network, estimates from characters, and characters.

A counter maps a text to a number. `slices(text)` returns functions to count many pieces of one text, as the chunker
does, and whether these counts add up.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache, partial
from math import ceil
from typing import Final, NamedTuple

from crosshead.errors import OptionsError
from crosshead.ids import encodable
from crosshead.options import Tokenizer, check_types

Count = Callable[[str], int]

_FENCE_LINE = re.compile(r"^[ \t>]*(?:[*+-][ \t]+|[0-9]{1,9}[.)][ \t]+)*(`{3,}(?=[^`\n]*$)|~{3,})", re.M)
_CODE_MARK = re.compile(r"```|~~~|</?[A-Z]|\b(?:import|export)\b[ \t{*\"']")
_NEXT_LINE = r"\n(?:(?:[ ]{4}|[ ]{0,3}\t)[ \t]*+(?=\S)|[ ]{0,3}+(?=[^\s\#>*+\-_=`~<|:\[$\\0-9]))"
"""A name or tag continues on the next line only if that line could not open a block."""
_NAMES = rf"\{{[^{{}}\n]*+(?:{_NEXT_LINE}[^{{}}\n]*+)*+\}}"
_MDX = re.compile(
    rf"""
      ^[ ]{{0,3}}<[A-Z](?:[^>\n]|(?<==)>)*+(?:{_NEXT_LINE}(?:[^>\n]|(?<==)>)*+)*+
      (?:>.*$|(?=\n[ \t]*>[ \t]*$))
    | ^[ \t]*</?[A-Z].*$
    | ^import(?=[ \t{{*"'])(?:[ \t]+type(?=[ \t{{*]))?[ \t]*+
      (?:["'] | (?:[\w$]++[ \t]*+,?+[ \t]*+)?+(?:{_NAMES}|\*[ \t]*+as[ \t]++[\w$]++)?+[ \t]*+from[ \t]*+["']).*$
    | ^export(?=[ \t{{*])[ \t]*+
      (?: {_NAMES} | \*
        | default[ \t]++[\w$.]++;?+[ \t]*+$
        | (?:default|const|let|var|async|function|class|type|interface|enum)\b(?=[^\n]*[=({{\[;<`])).*$
    """,
    re.M | re.X,
)
"""Tags of components, and JavaScript imports and exports, but not sentences that begin with these words. Matches share
no line, so that one pass finds all."""

ESTIMATE_DIVISORS: Final = {"balanced": (4.0, 2.75), "prose": (4.4, 3.0), "code": (3.6, 2.4)}
"""Characters per token in prose and in code, by bias."""


class SliceCounts(NamedTuple):
    """How to count the pieces of one text."""

    prose: Count
    code: Count
    """For pieces of code; the same function unless the counter is an estimate."""
    many: Callable[[Iterable[str]], list[int]]
    """Counts many pieces in one call."""
    exact: bool
    """Counts of pieces that end with a newline add up. Otherwise their sum is an upper bound."""
    joiner: str = ""
    """A character that shares a token with the newlines before it, so that counts do not add up there."""


class ExactCounter:
    """Counts the tokens of an encoding exactly."""

    _JOINERS: Final = {"o200k_base": "/"}

    def __init__(self, name: str) -> None:
        from splintr import Tokenizer as SplintrTokenizer

        self.name = name
        self.joiner = self._JOINERS.get(name, "")
        self.tails: dict[str, int] = {}
        """By the characters at the end of a text: what leaving out its last white space changes."""
        self.ends: dict[str, tuple[int, int]] = {}
        """By the last few characters, where they are enough: the length of that white space, and the same change."""
        tokenizer = SplintrTokenizer.from_pretrained(name)
        flat, ordinary = tokenizer.encode_flat, tokenizer.encode_ordinary

        def count(piece: str) -> int:
            return len(flat(piece)) >> 2

        def count_many(pieces: Iterable[str]) -> list[int]:
            return [len(encoded) >> 2 for encoded in map(flat, pieces)]

        def count_ordinary(piece: str) -> int:
            return len(ordinary(piece))

        def count_encodable(piece: str) -> int:
            return len(ordinary(encodable(piece)))

        self._flat = SliceCounts(count, count, count_many, exact=True, joiner=self.joiner)
        self._ordinary, self._encodable = [
            SliceCounts(each, each, partial(_count_each, each), exact=True, joiner=self.joiner)
            for each in (count_ordinary, count_encodable)
        ]

    def __call__(self, text: str) -> int:
        return self.slices(text).prose(text)

    def slices(self, text: str) -> SliceCounts:
        """Return the fastest counts that are right for a text.

        `encode_flat` is the fastest, but reads "<|endoftext|>" as one special token and refuses surrogates.
        """
        if _has_surrogates(text):
            return self._encodable
        return self._ordinary if "<|" in text else self._flat


class EstimateCounter:
    """Estimates tokens from the number of characters: fast, and the same for every model."""

    def __init__(self, bias: str) -> None:
        self.name = "estimate" if bias == "balanced" else f"estimate:{bias}"
        self._bias = bias

    def __call__(self, text: str) -> int:
        return estimate_tokens(text, self._bias)

    def slices(self, text: str) -> SliceCounts:
        prose, code = ESTIMATE_DIVISORS[self._bias]

        def count(piece: str) -> int:
            return ceil(len(piece) / prose)

        def count_code(piece: str) -> int:
            return ceil(len(piece) / code)

        return SliceCounts(count, count_code, lambda pieces: list(map(count, pieces)), exact=False)


class CharacterCounter:
    """Counts characters, for limits in characters."""

    name = "characters"

    def __call__(self, text: str) -> int:
        return len(text)

    def slices(self, text: str) -> SliceCounts:
        return SliceCounts(len, len, lambda pieces: list(map(len, pieces)), exact=True)


AnyCounter = ExactCounter | EstimateCounter | CharacterCounter


def _count_each(count: Count, pieces: Iterable[str]) -> list[int]:
    return list(map(count, pieces))


@cache
def get_counter(name: Tokenizer) -> AnyCounter:
    """Return the counter of a tokenizer."""
    if name in ("cl100k_base", "o200k_base"):
        return ExactCounter(name)
    if name == "characters":
        return CharacterCounter()
    kind, _, bias = name.partition(":")
    if kind == "estimate" and (bias or "balanced") in ESTIMATE_DIVISORS:
        return EstimateCounter(bias or "balanced")
    raise OptionsError(f"unknown tokenizer {name!r}")


def _has_surrogates(text: str) -> bool:
    if text.isascii():
        return False
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def estimate_tokens(text: str, bias: str = "balanced") -> int:
    """Estimate the tokens of a Markdown text; code and the tags of components count more than prose.

    >>> estimate_tokens("word" * 10)
    10
    """
    check_types(str, text=text)
    if bias not in ESTIMATE_DIVISORS:
        raise OptionsError(f"unknown bias {bias!r}: use {', '.join(ESTIMATE_DIVISORS)}")
    prose, code = ESTIMATE_DIVISORS[bias]
    code_length = _code_length(text)
    return ceil((len(text) - code_length) / prose + code_length / code)


def may_be_code(text: str) -> bool:
    """Return whether `estimate_tokens` may count a part of this text as code, wherever the text is cut."""
    return _CODE_MARK.search(text) is not None


def has_fence_line(text: str) -> bool:
    """Return whether any line looks like a code fence."""
    return ("```" in text or "~~~" in text) and _FENCE_LINE.search(text) is not None


def leaves_fence_open(text: str) -> bool:
    """Return whether `estimate_tokens` would count text after this one as code."""
    return has_fence_line(text) and _code_length(f"{text}\nx") > _code_length(text)


def _code_length(text: str) -> int:
    """Return the number of characters in fences, in tags of components, and on lines that import or export."""
    total, after = 0, 0
    opening = _FENCE_LINE.search(text)
    while opening:
        total += _mdx_length(text[after : opening.start()])
        fence = opening[1]
        after = _fence_end(text, opening.end(), fence)
        total += after - opening.start()
        opening = _FENCE_LINE.search(text, after)
    return total + _mdx_length(text[after:])


def _fence_end(text: str, at: int, fence: str) -> int:
    while (closing := _FENCE_LINE.search(text, at)) is not None:
        line_end = text.find("\n", closing.end())
        line_end = len(text) if line_end < 0 else line_end
        if closing[1].startswith(fence) and not text[closing.end() : line_end].strip():
            return line_end
        at = line_end
    return len(text)


def _mdx_length(text: str) -> int:
    return sum(len(found[0]) for found in _MDX.finditer(text))
