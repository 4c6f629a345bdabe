"""Definitions in source code -> the headings of its sections.

1. Lines that begin inside a string or a comment are found: they are no code.
2. One pass over the other lines finds where definitions begin and end; those inside functions do not count.
3. A definition begins with the comments and decorators right above it.
4. Code between definitions becomes a section under its first line, unless it only closes blocks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from crosshead.formats.shared.fences import SectionStart
from crosshead.formats.text.source.languages import CONTAINERS, SourceLanguage

TOP_LEVEL: Final = 2
"""The first level is the file itself."""
_DEEPEST: Final = 4
_HEAD_LINES: Final = 30
"""Maximum lines between a definition and its brace."""
_MAX_LINE: Final = 1_000
"""Longer lines are generated, not written."""
_CLOSER = re.compile(r"\s*[)\]}]")
_ONLY_CLOSERS = re.compile(r"(?:\s|[)\]};,]|\bend\b)*+")
_COMMENT_SIGNS = re.compile(r"^\s*(?:/{2,}!?|/\*+|\*+/?|#+!?|--+)\s*")
_END = re.compile(r"\s*end\b")
_ENDS_AT_ONCE = re.compile(r"(?:^|[\s;])end\s*$|\)\s*=\s|\bdef\s+\w+\s*=\s")
_OPENS = re.compile(r"[{;]")


class CodeDefinition(NamedTuple):
    """A named part of code."""

    first: int
    last: int
    """Both are lines counted from 0."""
    level: int
    title: str


class _OpenDefinition(NamedTuple):
    line: int
    indent: int
    level: int
    title: str
    is_container: bool


def find_definitions(lines: Sequence[str], language: SourceLanguage) -> list[SectionStart]:
    """Return the headings of a file."""
    inside = _lines_inside(lines, language)
    definitions = _with_comments(list(_Scanner(lines, language, inside).scan()), lines, language, inside)
    return list(_headings(lines, definitions))


def _lines_inside(lines: Sequence[str], language: SourceLanguage) -> set[int]:
    """Return the lines that begin inside a string or a comment."""
    text = "\n".join(lines)
    found: set[int] = set()
    line = at = 0
    for quoted in language.quoted.finditer(text):
        inner = text.count("\n", quoted.start(), quoted.end())
        if inner:
            line += text.count("\n", at, quoted.start())
            found.update(range(line + 1, line + inner + 1))
            line, at = line + inner, quoted.end()
    return found


class _Scanner:
    """Finds where definitions begin and end, in one pass."""

    def __init__(self, lines: Sequence[str], language: SourceLanguage, inside: set[int]) -> None:
        self.lines = lines
        self.language = language
        self.inside = inside
        self.open: list[_OpenDefinition] = []
        self.last = 0
        """The last line that is not blank."""

    def scan(self) -> Iterator[CodeDefinition]:
        for number, line in enumerate(self.lines):
            if not line.strip():
                continue
            if number not in self.inside and len(line) <= _MAX_LINE:
                indent = len(line) - len(line.lstrip())
                yield from self.close(line, number, indent)
                yield from self.begin(line, number, indent)
            self.last = number
        while self.open:
            yield self.ended(self.last)

    def close(self, line: str, number: int, indent: int) -> Iterator[CodeDefinition]:
        """Close the definitions that a line ends."""
        ending = self.language.ending
        if ending == "indent" and not _CLOSER.match(line) and not self.language.comment.match(line):
            while self.open and indent <= self.open[-1].indent:
                yield self.ended(self.last)
        elif ending in ("brace", "end") and (_CLOSER if ending == "brace" else _END).match(line):
            while self.open and indent < self.open[-1].indent:
                yield self.ended(self.last)
            if self.open and indent == self.open[-1].indent and number > self.open[-1].line:
                yield self.ended(number)

    def begin(self, line: str, number: int, indent: int) -> Iterator[CodeDefinition]:
        found = self.language.definition.match(line)
        if not found:
            return
        has_end = self.head(number)
        if has_end is None:
            return
        while self.open and (indent <= self.open[-1].indent or self.language.ending == "next"):
            yield self.ended(self.last)
        level = TOP_LEVEL + len(self.open)
        if level <= _DEEPEST and all(each.is_container for each in self.open):
            kind, title = _name(found)
            self.open.append(_OpenDefinition(number, indent, level, title, kind in CONTAINERS))
            if has_end:
                yield self.ended(number + has_end - 1)

    def head(self, number: int) -> int | None:
        """Return how many lines a definition has; 0 if its end is unknown so far, None if it is not a definition."""
        line = self.lines[number]
        if self.language.ending == "end":
            return 1 if _ENDS_AT_ONCE.search(line) else 0
        if self.language.ending != "brace":
            return 0
        for size, each in enumerate(self.lines[number : number + _HEAD_LINES], 1):
            opened = _OPENS.search(each)
            if opened:
                if opened[0] == ";":
                    return None
                return size if each.count("{") <= each.count("}") else 0
        return None

    def ended(self, last: int) -> CodeDefinition:
        line, _, level, title, _ = self.open.pop()
        return CodeDefinition(line, max(line, last), level, title)


def _name(found: re.Match[str]) -> tuple[str, str]:
    """Return the kind of a definition, and the title of its section."""
    groups = {name: text for name, text in found.groupdict().items() if text}
    if "impl" in groups:
        return "impl", groups["impl"].strip()
    if "method" in groups or "constant" in groups:
        return "", f"{groups.get('method') or groups['constant']}()"
    kind = " ".join(groups.get("kind", "").lower().split())
    name = f"{groups['owner']}.{groups['name']}" if "owner" in groups else groups["name"]
    return kind.partition(" ")[0], f"{kind} {name}".strip()


def _with_comments(
    definitions: list[CodeDefinition], lines: Sequence[str], language: SourceLanguage, inside: set[int]
) -> list[CodeDefinition]:
    """Let definitions begin with what is right above them, in the order of the file."""
    found = []
    taken = -1
    for definition in sorted(definitions, key=lambda each: (each.first, each.level)):
        first = definition.first
        while first - 1 > taken and _is_above(lines[first - 1], first - 1, language, inside):
            first -= 1
        found.append(definition._replace(first=first))
        taken = definition.first
    return found


def _is_above(line: str, number: int, language: SourceLanguage, inside: set[int]) -> bool:
    if not line.strip():
        return False
    return bool(language.comment.match(line)) or (number in inside and language.ending == "brace")


def _uncomment(line: str) -> str:
    """Return a line without the signs that open and close a comment."""
    text = _COMMENT_SIGNS.sub("", line)
    bare = text.rstrip()
    return bare[:-1].rstrip("*").rstrip() if bare.endswith("*/") else text


def _headings(lines: Sequence[str], definitions: Sequence[CodeDefinition]) -> Iterator[SectionStart]:
    owners = [-1] * len(lines)
    for number, (first, last, _, _) in enumerate(definitions):  # those inside come later
        owners[first : last + 1] = [number] * (last + 1 - first)
    is_first = True
    for owner, run in groupby(range(len(lines)), owners.__getitem__):
        start, *more = run
        level = definitions[owner].level + 1 if owner >= 0 else TOP_LEVEL
        if owner >= 0 and definitions[owner].first == start:
            yield SectionStart(start, level - 1, definitions[owner].title)
            is_first = False
        elif not is_first:
            texts = (_uncomment(lines[line]) for line in (start, *more))
            title = next((text for text in texts if not _ONLY_CLOSERS.fullmatch(text)), None)
            if title is not None:
                yield SectionStart(start, min(level, _DEEPEST), title.strip())
