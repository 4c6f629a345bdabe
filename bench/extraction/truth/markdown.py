"""What an extractor's Markdown holds: headings, tables, words, numbers."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)[ \t#]*$")
_DELIMITER = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$")
_CELL_END = re.compile(r"(?<!\\)\|")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_TAG = re.compile(r"</?(?:br|sup|sub|b|i|u)\s*/?>")
_EMPHASIS = re.compile(r"\*\*|__|`|(?<!\w)\*(?=\S)|(?<=\S)\*(?!\w)|(?<!\w)_(?=\w)|(?<=\w)_(?!\w)")
_MARKS = re.compile(r"\s*(?:#{1,6}\s+|[-*+]\s+|>\s*|```.*)")
_WORD = re.compile(r"[^\W_]+")
_TIGHT = re.compile(r"(?<=[$(])[ \u00a0]+(?=[\d($])|(?<=\d)[ \u00a0]+(?=[)%])")
_NUMBER = re.compile(r"[-−$(]*\d(?:[\d,.:/-]*\d)?[)%]*")


class Heading(NamedTuple):
    level: int
    text: str


def plain(text: str) -> str:
    """Return the text without the signs of Markdown."""
    return _EMPHASIS.sub("", _TAG.sub(" ", _ESCAPE.sub(r"\1", text)))


def words(text: str) -> list[str]:
    return [match[0].casefold() for match in _WORD.finditer(text)]


def numbers(text: str) -> list[str]:
    """Return numbers with their signs; blanks between a sign and its number do not count."""
    return [_balance(match[0]) for match in _NUMBER.finditer(_TIGHT.sub("", text))]


def _balance(number: str) -> str:
    """A parenthesis that closes or opens elsewhere does not belong to the number."""
    if ")" in number and "(" not in number:
        return number.replace(")", "")
    return number.replace("(", "") if "(" in number and ")" not in number else number


def headings(markdown: str) -> list[Heading]:
    return [Heading(len(match[1]), plain(match[2])) for match in map(_HEADING.match, prose_lines(markdown)) if match]


def outline(markdown: str, left_out: Collection[tuple[str, ...]] = ()) -> list[tuple[int, str]]:
    """Return headings with their levels and, at level 0, the text between them; some headings count as text."""
    found: list[tuple[int, str]] = []
    for line in markdown.splitlines():
        match = _HEADING.match(line)
        if match and tuple(words(plain(match[2]))) not in left_out:
            found.append((len(match[1]), plain(match[2])))
        elif not (text := running(line)):
            continue
        elif found and not found[-1][0]:
            found[-1] = (0, f"{found[-1][1]} {text}")
        else:
            found.append((0, text))
    return found


def running(markdown: str) -> str:
    """Return the text as one line, without the signs of headings, lists and tables."""
    lines = [_MARKS.sub("", line) for line in markdown.splitlines() if not _is_delimiter(line)]
    return single_spaced(plain(" ".join([_CELL_END.sub(" ", line) for line in lines])))


def single_spaced(text: str) -> str:
    return " ".join(text.split())


def prose_lines(markdown: str) -> list[str]:
    """Return the lines outside of code."""
    lines: list[str] = []
    fenced = False
    for line in markdown.splitlines():
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced:
            lines.append(line)
    return lines


def tables(markdown: str) -> list[list[list[str]]]:
    """Return the cells of every table, the row of labels first."""
    found: list[list[list[str]]] = []
    lines = prose_lines(markdown)
    number = 0
    while number < len(lines):
        if "|" in lines[number] and number + 1 < len(lines) and _is_delimiter(lines[number + 1]):
            rows = [_cells(lines[number])]
            number += 2
            while number < len(lines) and "|" in lines[number]:
                rows.append(_cells(lines[number]))
                number += 1
            found.append(rows)
        else:
            number += 1
    return found


def _is_delimiter(line: str) -> bool:
    return "-" in line and bool(_DELIMITER.match(line))


def _cells(line: str) -> list[str]:
    bare = line.strip().removeprefix("|")
    parts = _CELL_END.split(bare.removesuffix("|") if not bare.endswith("\\|") else bare)
    return [single_spaced(plain(part)) for part in parts]
