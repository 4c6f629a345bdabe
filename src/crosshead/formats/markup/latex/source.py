"""A LaTeX file: its text, the same without comments and verbatim text, the ends of its groups, its macros."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Final, NamedTuple

VERBATIM: Final = frozenset((
    "verbatim", "verbatim*", "Verbatim", "Verbatim*", "BVerbatim", "lstlisting", "minted", "alltt", "comment",
    "filecontents", "filecontents*",
))  # fmt: skip
MAX_BODY: Final = 2_000
"""Characters of a macro that is understood."""
MAX_VERBATIM: Final = 5_000
"""Characters of a piece of verbatim text inside a line."""

_ODD = re.compile(
    r"\\begin\{(\w{1,20}\*?)\}|\\(?:verb|lstinline)\*?(?P<sign>[^A-Za-z\s*\[{])|(?P<comment>%)[^\n]*|\\[^A-Za-z]"
)
_BRACE = re.compile(r"\\.|[{}]", re.S)
_MACRO = re.compile(
    r"\\(?:(?:re)?newcommand|providecommand|DeclareRobustCommand)\*?\s*+(?:\{\s*+)?+\\([A-Za-z@]{1,50})\s*+(?:\}\s*+)?+"
    r"(?:\[(\d)\]\s*+)?+(\[[^\[\]]{0,200}\]\s*+)?+(?=\{)|\\def\s*\\([A-Za-z@]{1,50})\s*(?=\{)"
)
_TITLE = re.compile(r"\\title\s*+(?:\[[^\[\]]{0,300}\]\s*+)?+(?=\{)")


class Macro(NamedTuple):
    """A command that the document defines."""

    arguments: int
    body: str


class LatexSource:
    """The text of a file. `clean` has the same offsets, with blanks for comments and verbatim text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.clean = "".join(_blanked(text))
        self.ends = match_braces(self.clean)
        begin = self.clean.find("\\begin{document}")
        end = self.clean.find("\\end{document}", max(begin, 0))
        self.start = begin + len("\\begin{document}") if begin >= 0 else 0
        self.end = end if end >= 0 else len(text)
        self.macros = self._macros()
        found = _TITLE.search(self.clean)
        self.title = (self.group(found.end()) or ("", 0))[0] if found else ""
        self._newlines = [at for at, character in enumerate(text) if character == "\n"]

    def line(self, at: int) -> int:
        """Return the line of a place, counted from 1."""
        return bisect_right(self._newlines, at - 1) + 1

    def group(self, at: int) -> tuple[str, int] | None:
        """Return the group that opens at a place, without its braces, and the place after it."""
        end = self.ends.get(at)
        return None if end is None else (self.clean[at + 1 : end], end + 1)

    def _macros(self) -> dict[str, Macro]:
        macros = {}
        for found in _MACRO.finditer(self.clean):
            body = self.group(found.end())
            if body and len(body[0]) <= MAX_BODY and not found[3]:
                macros[found[1] or found[4]] = Macro(int(found[2] or 0), body[0].strip())
        return macros


def match_braces(text: str) -> dict[int, int]:
    """Return where each group ends, by where it begins."""
    opened: list[int] = []
    ends: dict[int, int] = {}
    for found in _BRACE.finditer(text):
        if found[0] == "{":
            opened.append(found.start())
        elif found[0] == "}" and opened:
            ends[opened.pop()] = found.start()
    return ends


def _blanked(text: str) -> Iterator[str]:
    """Blank out verbatim text; a comment leaves its `%`, so that its line does not look blank."""
    at = 0
    while found := _ODD.search(text, at):
        end = found.end()
        if found["comment"]:
            yield text[at : found.start()] + "%" + " " * (end - found.start() - 1)
        elif found["sign"]:
            newline = text.find("\n", end, end + MAX_VERBATIM)
            closing = text.find(found["sign"], end, newline if newline >= 0 else end + MAX_VERBATIM)
            yield text[at:end] + ("\x1a" * (closing - end) + text[closing] if closing >= 0 else "")
            end = max(end, closing + 1)
        elif found[1] in VERBATIM:
            closing = text.find(f"\\end{{{found[1]}}}", end)
            closing = len(text) if closing < 0 else closing
            yield text[at:end] + _blank(text[end:closing])
            end = closing
        else:
            yield text[at:end]
        at = end
    yield text[at:]


def _blank(text: str) -> str:
    return "\n".join("\x1a" * len(line) for line in text.split("\n"))
