"""Keys in data -> the headings of its sections, by indentation alone.

1. Of some lines, the keys that are indented least are the children, if nothing else is indented less.
2. A key with several lines becomes a section; keys of one line that follow one another share one.
3. Sections larger than a chunk are split again, a few levels deep.

Lists, and keys that say the same again and again, are records: they get no headings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from crosshead.formats.shared.fences import SectionStart

TOP_LEVEL: Final = 2
_DEEPEST: Final = 4
_LARGE: Final = 1_000
"""Characters; smaller sections fit a chunk."""
_NAMED: Final = 3
"""Maximum number of one-line keys that a heading names."""
_MAX_LINE: Final = 1_000
_BRACKETS = re.compile(r"\s*(?:[\[\]{}],?|---|\.\.\.)\s*")
_CLOSERS = re.compile(r"\s*(?:[\]}]+,?|</[^>]*>)\s*")


class KeyPatterns(NamedTuple):
    """What keys look like in one language."""

    key: re.Pattern[str]
    """Matches the beginning of a line with a key."""
    comment: re.Pattern[str]
    """Matches a line above a key that belongs to it."""


KEYS: Final = {
    "json": KeyPatterns(re.compile(r'\s*"((?:[^"\\\n]|\\.){1,200})"\s*:'), re.compile(r"\s*//")),
    "yaml": KeyPatterns(
        re.compile(r"""\s*((?:"[^"\n]{1,200}"|'[^'\n]{1,200}'|[^\s#:'"\-?&*!|>%@`\[{][^:\n#]{0,200})):(?=\s|$)"""),
        re.compile(r"\s*#"),
    ),
    "xml": KeyPatterns(re.compile(r"\s*<([A-Za-z_][^<>\n]{0,200})"), re.compile(r"\s*<!--.*-->\s*$")),
}


class _Child(NamedTuple):
    first: int
    end: int
    name: str
    is_block: bool


def find_keys(lines: Sequence[str], keys: KeyPatterns) -> list[SectionStart]:
    """Return the headings of a file."""
    return list(_headings(lines, keys, 0, len(lines), TOP_LEVEL))


def _headings(lines: Sequence[str], keys: KeyPatterns, start: int, end: int, level: int) -> Iterator[SectionStart]:
    children = _children(lines, keys, start, end)
    names = {child.name for child in children if child.is_block}
    blocks = sum(child.is_block for child in children)
    if not blocks or 2 * len(names) < blocks:
        return
    is_first, run = True, list[_Child]()
    for child in children:
        if child.is_block:
            yield from _shared(run, level, is_first=is_first)
            yield SectionStart(child.first, level, child.name)
            if level < _DEEPEST and sum(map(len, lines[child.first : child.end])) > _LARGE:
                yield from _headings(lines, keys, child.first + 1, child.end, level + 1)
            is_first, run = False, []
        else:
            run.append(child)
    yield from _shared(run, level, is_first=is_first)


def _shared(run: Sequence[_Child], level: int, *, is_first: bool) -> Iterator[SectionStart]:
    """Yield a heading for one-line keys, which need one only to leave the section above them."""
    if run and not is_first:
        more = ", …" if len(run) > _NAMED else ""
        yield SectionStart(run[0].first, level, ", ".join(child.name for child in run[:_NAMED]) + more)


def _children(lines: Sequence[str], keys: KeyPatterns, start: int, end: int) -> list[_Child]:
    while start < end and _is_nothing(lines[start]):
        start += 1
    while start < end and _is_nothing(lines[end - 1]):
        end -= 1
    filled = [number for number in range(start, end) if lines[number].strip()]
    found = {number: match for number in filled if (match := keys.key.match(lines[number][:_MAX_LINE]))}
    indent = min((_indent(lines[number]) for number in found), default=0)
    if any(_indent(lines[number]) < indent for number in filled if not _is_nothing(lines[number])):
        return []
    own = [number for number in found if _indent(lines[number]) == indent]
    starts = [_with_comments(lines, keys, number, start) for number in own]
    return [
        _Child(first, last, found[number][1].strip().strip("\"'"), _is_block(lines, number, last))
        for (first, last), number in zip(pairwise([*starts, end]), own, strict=True)
    ]


def _is_block(lines: Sequence[str], first: int, end: int) -> bool:
    filled = (line for line in lines[first:end] if line.strip() and not _CLOSERS.fullmatch(line))
    return len([line for line, _ in zip(filled, range(2), strict=False)]) > 1


def _with_comments(lines: Sequence[str], keys: KeyPatterns, key: int, start: int) -> int:
    while key > start and keys.comment.match(lines[key - 1]):
        key -= 1
    return key


def _is_nothing(line: str) -> bool:
    return not line.strip() or bool(_BRACKETS.fullmatch(line))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
