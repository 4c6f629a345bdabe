"""The block syntax of CommonMark and GFM: one pattern or small predicate per rule.

Patterns match a line whose indentation was removed. They are linear: quantifiers that could backtrack are possessive
(`*+`), so that a hostile line of megabytes costs one pass.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import accumulate

ATX_HEADING = re.compile(r"#{1,6}(?=[ \t]|$)").match
FENCE = re.compile(r"(`{3,}+)(?=[^`]*$)|(~{3,}+)").match
RULE = re.compile(r"(?:(?:\*[ \t]*){3,}+|(?:-[ \t]*){3,}+|(?:_[ \t]*){3,}+)$").match
BULLET = re.compile(r"[*+-](?=[ \t]|$)").match
ORDERED = re.compile(r"([0-9]{1,9})([.)])(?=[ \t]|$)").match
SETEXT_UNDERLINE = re.compile(r"(?:=++|-++)[ \t]*$").match
FOOTNOTE = re.compile(r"\[\^[^\]\s\\]{1,999}\]:").match
MATH_OPEN = re.compile(r"\$\$|\\\[|\\begin\{([A-Za-z]+\*?)\}").match

MAX_UNCLOSED = 50
"""Kinds of unclosed formulas after which the search for an end stops, because the input is hostile."""

_DELIMITER_ROW = re.compile(
    r"\|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*+\|?[ \t]*$",
).match

_HTML_BLOCK_TAGS = (
    "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|"
    "fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|"
    "menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|"
    "track|ul"
)
HTML_OPEN = re.compile(
    r"""(?aix) < (?:
      (?P<raw>(?:script|pre|style|textarea)(?=[\s>]|$))
    | (?P<comment>!--) | (?P<instruction>\?) | (?P<cdata>!\[CDATA\[) | (?P<declaration>![a-z])
    | (?P<tag>/?(?:"""
    + _HTML_BLOCK_TAGS
    + r""")(?=\s|/?>|$))
    )"""
).match
"""Starts an HTML block that may interrupt a paragraph (kinds 1 to 6 of CommonMark)."""

_ATTRIBUTES = r"""(?:\s++[A-Za-z_:][A-Za-z0-9_.:-]*+(?:\s*+=\s*+(?:[^\s"'=<>`]++|'[^']*+'|"[^"]*+"))?+)*+"""
_TAG_NAME = r"[A-Za-z][A-Za-z0-9-]*+"
HTML_SINGLE_TAG = re.compile(rf"(?a)<(?:{_TAG_NAME}{_ATTRIBUTES}\s*+/?|/{_TAG_NAME}\s*+)>\s*+$").match
"""A complete tag alone on its line starts an HTML block too, but not inside a paragraph (kind 7)."""

_HTML_ENDS: dict[str, Callable[..., re.Match[str] | None]] = {
    "raw": re.compile(r"(?ai)</(?:script|pre|style|textarea)>").search,
    "comment": re.compile(r"-->").search,
    "instruction": re.compile(r"\?>").search,
    "declaration": re.compile(r">").search,
    "cdata": re.compile(r"\]\]>").search,
}

PLAIN_LINE_BREAKERS = frozenset(" \t#>*+-_=`~<|:[$\\0123456789")
"""A line that starts with any other character starts or continues a paragraph."""

SIMPLE_ITEM = re.compile(
    r"(?:([*+-])|[0-9]{1,9}([.)])) {1,4}"
    r"(?=[^\s#>*+\-_=`~<|:$\\{0-9]|\*\*?[^\s*]|__?[^\s_]|``?[^\s`]|[0-9]++[^0-9.)])"
).match
"""A list item without indentation whose text opens no other block: most lines of most lists."""

find_ink = re.compile(r"\S").search
"""Find the next character that is not white space; `\\S` is exactly what `str.isspace` denies."""

_NEWLINE = re.compile(r"\r\n?|\n")


def split_lines(text: str) -> tuple[list[str], list[int]]:
    """Return the lines and the offset of each; lines end where CommonMark says, not where `str.splitlines` does."""
    if "\r" in text:
        return _NEWLINE.split(text), [0, *(newline.end() for newline in _NEWLINE.finditer(text))]
    lines = text.split("\n")
    return lines, list(accumulate([len(line) + 1 for line in lines[:-1]], initial=0))


def is_blank(line: str) -> bool:
    """Is the line blank? Only spaces and tabs are, a form feed or a no-break space is text."""
    return not line or not line.strip(" \t")


def last_filled(lines: list[str], first: int, end: int) -> int:
    """Return `end` without the blank lines before it, but never less than `first + 1`."""
    while end - 1 > first and is_blank(lines[end - 1]):
        end -= 1
    return end


def strip_indent(line: str) -> tuple[int, str]:
    """Return the columns of indentation (tabs reach to the next multiple of four) and the rest of the line."""
    rest = line.lstrip(" ")
    if rest[:1] == "\t":
        line = line.expandtabs(4)
        rest = line.lstrip(" ")
    return len(line) - len(rest), rest


def fence_language(line: str, fence: str) -> str:
    """Return the first word of the info string after a fence."""
    info = line[len(fence) :].split(None, 1)
    return info[0] if info else ""


def math_closes(opening: re.Match[str], line: str, *, first: bool = True) -> bool:
    """Return whether a line ends the formula that `opening` began; `first` says that it is the opening line."""
    mark = "$$" if opening[0] == "$$" else "\\]" if opening[0] == "\\[" else f"\\end{{{opening[1]}}}"
    line = line.rstrip()
    if not line.endswith(mark):
        return False
    return not first or (line.find(mark, opening.end()) == len(line) - len(mark) >= opening.end())


def html_end(opening: re.Match[str] | None) -> Callable[..., re.Match[str] | None] | None:
    """Return the search for the end of an HTML block, or None if a blank line ends it."""
    return _HTML_ENDS.get(opening.lastgroup or "") if opening else None


def html_ends_at_once(opening: re.Match[str], line: str) -> bool:
    """Return whether the line that opens an HTML block also ends it; the marks may overlap, as in `<!-->`."""
    end = html_end(opening)
    return end is not None and end(line) is not None


def is_table_start(header: str, delimiter: str) -> bool:
    """Return whether `delimiter` (without indentation) is the delimiter row of a table with the row `header`."""
    if "|" not in header or not _DELIMITER_ROW(delimiter):
        return False
    if delimiter[0] == "-" and delimiter[1:2] in (" ", "\t"):  # a list item
        return False
    return _count_cells(header) == _count_cells(delimiter)


def _count_cells(row: str) -> int:
    row = row.strip().replace("\\|", "  ")
    outer = (row[:1] == "|") + (row[-1:] == "|" and len(row) > 1)
    return row.count("|") + 1 - outer


def interrupts(line: str, *, paragraph: bool, mdx: bool) -> bool:
    """Return whether this line (without indentation, less than four columns) ends a paragraph or a table before it.

    A paragraph is harder to interrupt than a table: only a list that starts with 1 and has text may do so.
    """
    first = line[0]
    if first == "#":
        return ATX_HEADING(line) is not None
    if first == ">":
        return True
    if first in "`~":
        return FENCE(line) is not None
    if first in "*-_+":
        if first != "+" and RULE(line):
            return True
        return BULLET(line) is not None and not (paragraph and is_blank(line[1:]))
    if first in "0123456789":
        number = ORDERED(line)
        if not number or not paragraph:
            return number is not None
        return int(number[1]) == 1 and not is_blank(line[number.end() :])
    if first == "<":
        return not mdx and HTML_OPEN(line) is not None
    return first == "[" and FOOTNOTE(line) is not None
