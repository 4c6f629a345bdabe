"""Words that name something exactly: identifiers, paths, flags, versions, addresses, numbers of defects."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_TOKEN: Final = re.compile(
    r"https?://[^\s<>()\"“”]+|[\w.+-]+@[\w-]+\.[\w.-]+|(?:(?<!\S)--?|(?<![\w\])])[$@~./\\]{0,3})?[^\W](?:[\w./\\@:#+%=-]*\w)?(?:\(\))?"
)
_SHAPES: Final = tuple(
    re.compile(pattern)
    for pattern in (
        r"https?://.*|.*@\w.*\.\w+",
        r"--?[A-Za-z][\w-]*(?:=.*)?",
        r"\$[A-Za-z_]\w*|@\w+|(?:~|\.{1,2})?[/\\].*\w.*",
        r".*[^\W\d]_\w.*|\w*__\w*|_\w+",
        r".*\(\)|.*::.*",
        r"[^\W\d_]*[a-z][A-Z]\w*|[A-Z]{2,}[a-z]+[A-Z]\w*",
        r"(?!(?:[A-Za-z]\.)+[A-Za-z]?$)(?=.*[^\W\d])[\w-]+(?:\.[\w-]+)*\.[a-z]\w{0,9}",
        r"v?\d+(?:\.\d+){2,}[\w.+-]*|v\d+(?:\.\d+)*",
        r"[^\W\d_][^\W_]*-?\d[\w.-]*",
        r"\w+/\w+/[\w/.-]+",
    )
)
_DOTTED_PROSE: Final = re.compile(r"[^\W\d_]+\.[A-ZÀ-Þ].*|.*\.(?:[^\W\d_]{1,1})")
_VERSION_BEFORE: Final = re.compile(
    r"(?:\b(?:[Vv]ersion|versión|versão|[Rr]elease|верси[яию]|ver\.|[A-Z][A-Za-z]+)|バージョン|版本)[ \u00a0]$"
)


def find_identifiers(text: str) -> Iterator[tuple[int, int]]:
    """Yield where a text has words with the shape of code."""
    for found in _TOKEN.finditer(text):
        token = found[0]
        if token.isalpha() and (token.islower() or token[1:].islower() or token.isupper()):
            continue
        if not token.isascii() and not any(mark in token for mark in "_/\\@"):
            continue
        if any(shape.fullmatch(token) for shape in _SHAPES) and not _DOTTED_PROSE.fullmatch(token):
            yield found.span()


def is_version(text: str, start: int, digits: str) -> bool:
    """Return whether a number with a dot is a version, as in "Python 3.10": 3.1 is another one."""
    if digits.count(".") != 1 or "," in digits:
        return False
    found = _VERSION_BEFORE.search(text[max(0, start - 24) : start])
    return found is not None
