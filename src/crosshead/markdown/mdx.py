"""The syntax that MDX adds to Markdown: imports and exports, components, expressions.

JavaScript is not parsed: an `import` or `export` ends at the first blank line where its brackets are balanced,
a component is a run of lines made only of tags and expressions. Unclosed constructs are ordinary text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from crosshead.markdown.html import HeadingReader

PATIENCE = 4
"""How often a document may be searched for an end, so that hostile input stays linear."""
LINE_COST = 20
"""Minimum cost of a line, in characters."""
MIN_PATIENCE = 100_000
MAX_LINE_LENGTH = 100_000
MAX_ENDLESS = 50
"""A text with more unfinished tags is hostile: the rest of it is not searched."""
MAX_TAG_LENGTH = 2_000
"""Maximum characters of a tag inside a text; the end of a longer one is not searched."""

_ESM = re.compile(r"(?:import|export)\b(?=[ \t{*\"'])").match
_TAG = re.compile(r"</?(?:[A-Za-z_$][\w.:$-]*+(?=[\s/>{]|$)|(?=>))").match
# An unclosed comment or template runs to the end: that is cheaper than searching for its end again at every opener.
_JS_TOKEN = re.compile(
    r"""[{}()\[\]]|(?<!\\)(?:"(?:\\.|[^"\\\n])*+"|'(?:\\.|[^'\\\n])*+'|`(?:\\.|[^`\\])*+(?:`|(?P<open>\Z)))
    |//[^\n]*+|/\*.*?(?:\*/|\Z)""",
    re.S | re.X,
)
_TAG_TOKEN = re.compile(r"""/\*.*?(?:\*/|$)|"[^"]*+"|'[^']*+'|`[^`]*+`|=>|[{}<>]""")
_NEXT_OPENER = re.compile(r"[ \t]*+([<{]?)").match


class MdxReader:
    """Finds where the MDX constructs of one document end."""

    def __init__(self, lines: list[str], headings: HeadingReader) -> None:
        self._lines = lines
        self._headings = headings
        self._patience = MIN_PATIENCE + PATIENCE * (sum(map(len, lines)) + LINE_COST * len(lines))

    def esm_end(self, first: int) -> int:
        """Return the line after an import or export that starts at `first`, or 0 if none does."""
        lines = self._lines
        if not _ESM(lines[first]) or len(lines[first]) > MAX_LINE_LENGTH:
            return 0
        shortest = end = _next_blank(lines, first)
        depth, template = _bracket_depth("\n".join(lines[first:end]))
        while depth > 0 or template:
            if end >= len(lines) or self._patience < 0:
                return shortest
            following = _next_blank(lines, end)
            source = template + "\n".join(lines[end:following])
            self._patience -= len(source) + LINE_COST * (following - end)
            deeper, template = _bracket_depth(source)
            depth += deeper
            end = following
        return end

    def expression_end(self, first: int) -> int:
        """Return the line after a `{...}` that fills its lines; 0 if text follows or it is not closed."""
        depth, template = 0, ""
        for at, ahead in self._ahead(first):
            line, template = template + ahead, ""
            for token in _JS_TOKEN.finditer(line):
                if token["open"] is not None:
                    template = "`"
                elif token[0] == "{":
                    depth += 1
                elif token[0] == "}":
                    depth -= 1
                    if depth == 0 and line[token.end() :].strip():
                        return 0
            if depth <= 0:
                return at + 1
        return 0

    def component_end(self, first: int, rest: str | None = None) -> int:
        """Return the line after a run of lines made only of tags and expressions, or 0 if `first` is not such a line.

        `rest` is the first line after the marks of lists and quotes.
        """
        lines = self._lines
        depth, in_tag, end = 0, False, 0
        for at, line in self._ahead(first):
            state = _scan_tags(line if rest is None or at > first else rest, depth, in_tag)
            if state is None:
                return end
            depth, in_tag = state
            if in_tag or depth:
                continue
            end = at + 1
            if end < len(lines) and (lines[end].lstrip()[:1] not in ("<", "{") or self._headings.at(end)):
                return end
        return end

    def _ahead(self, first: int) -> Iterator[tuple[int, str]]:
        """The lines from `first` on; only two if the searches are used up."""
        for at in range(first, len(self._lines)):
            line = self._lines[at]
            if len(line) > MAX_LINE_LENGTH or (self._patience < 0 and at > first + 1):
                return
            self._patience -= len(line) + LINE_COST
            yield at, line


class Tag(NamedTuple):
    """A tag inside a text, from `start` to `end`."""

    start: int
    end: int
    name: str
    """Empty for a fragment."""
    opens: bool
    closes: bool
    """A self-closing tag neither opens nor closes."""


def find_tags(text: str, start: int, end: int) -> Iterator[Tag]:
    """Yield the complete tags in a part of a text, ignoring everything else."""
    at = text.find("<", start, end)
    endless = 0
    while at >= 0 and endless <= MAX_ENDLESS:
        opening = _TAG(text, at, end)
        stop = _tag_end(text, opening.end(), min(end, at + MAX_TAG_LENGTH)) if opening else at + 1
        endless += not stop
        if opening and stop > opening.end():
            name, closes = opening[0].lstrip("</"), text[at + 1] == "/"
            yield Tag(at, stop, name, opens=not closes and text[stop - 2] != "/", closes=closes)
        at = text.find("<", max(stop, at + 1), end)


def _tag_end(text: str, at: int, end: int) -> int:
    """Return the offset after a tag's end; `at` if another tag begins before it, 0 if it has no end."""
    depth = 0
    for token in _TAG_TOKEN.finditer(text, at, end):
        mark = token[0]
        if mark == "{":
            depth += 1
        elif mark == "}":
            depth -= 1
        elif depth <= 0 and mark == ">":
            return token.end()
        elif depth <= 0 and mark == "<":
            return at
    return 0


def _scan_tags(line: str, depth: int, in_tag: bool) -> tuple[int, bool] | None:
    """Follow tags and braces through a line; None if it holds text outside them."""
    at = 0
    while at < len(line):
        if in_tag or depth:
            token = _TAG_TOKEN.search(line, at)
            if not token:
                break
            mark, at = token[0], token.end()
            if mark == "{":
                depth += 1
            elif mark == "}":
                depth -= 1
            elif depth == 0 and mark == ">":
                in_tag = False
            elif depth == 0 and mark == "<":
                return None
            continue
        opener = _NEXT_OPENER(line, at)
        assert opener is not None  # every part of the pattern is optional
        at = opener.end()
        if opener[1] == "{":
            depth = 1
        elif opener[1] and _TAG(line, at - 1):
            in_tag = True
        elif at < len(line) or opener[1]:
            return None
    return depth, in_tag


def _next_blank(lines: list[str], first: int) -> int:
    end = first + 1
    while end < len(lines) and lines[end] and not lines[end].isspace():
        end += 1
    return end


def _bracket_depth(source: str) -> tuple[int, str]:
    """Return how many more brackets open than close, and the backtick of a template that is still open."""
    depth, template = 0, ""
    for token in _JS_TOKEN.finditer(source):
        if token["open"] is not None:
            template = "`"
        elif len(token[0]) == 1:
            depth += 1 if token[0] in "{([" else -1
    return depth, template
