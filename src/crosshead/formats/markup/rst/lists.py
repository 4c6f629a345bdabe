"""Lists of reStructuredText -> lists of Markdown.

Terms of definition lists, names of fields and options are bold at the beginning of an item, so that they are found by
their name and stay with their description.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeAlias

from crosshead.formats.markup.rst.lines import Lines, indent_of
from crosshead.formats.markup.rst.titles import is_rule, title_at
from crosshead.formats.shared import gfm
from crosshead.formats.shared.source_lines import Block, indent_block, join_blocks

if TYPE_CHECKING:
    from crosshead.formats.markup.rst.blocks import RstParser, Scope

TableWriter: TypeAlias = "Callable[[RstParser, Lines, int, int, Scope], Block | None]"
Written: TypeAlias = tuple[list[Block], int]

_BULLET = re.compile(r"([-+*•‣⁃])(?: +|$)")
_NUMBER = re.compile(r"(\(?)(\d{1,9}|[A-Za-z]|[ivxlcdmIVXLCDM]{1,12}|#)([.)])(?: +|$)")
FIELD = re.compile(r":(?![: ])((?:\\.|[^:\\\n]|:(?!\s|$)(?!`)){1,200}?)(?<! ):(?: +|$)")
_OPTION: Final = r"(?:--?[A-Za-z0-9?][\w?-]*|/[A-Za-z][A-Za-z0-9]*)(?:[ =](?:<[^<>]{1,60}>|[A-Za-z][\w-]*))?"
_OPTIONS = re.compile(rf"({_OPTION}(?:, {_OPTION}){{0,8}})(?:  +|$)")
_FILE_WIDE: Final = frozenset(["orphan", "tocdepth", "nocomments", "nosearch"])
"""Fields above a text that only steer Sphinx."""
_ROMAN: Final = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}


def write_list(parser: RstParser, lines: Lines, at: int, scope: Scope) -> Written | None:
    """Return the list that begins at a line, and the line after it."""
    line = lines.texts[at]
    if line[0] in "-+*•‣⁃" and _BULLET.match(line):
        return _bullets(parser, lines, at, scope)
    if (line[0].isalnum() or line[0] in "(#") and _number(lines, at):
        return _numbers(parser, lines, at, scope)
    if line[0] == ":" and FIELD.match(line):
        return _fields(parser, lines, at, scope)
    if line[0] in "-/" and _is_option(lines, at):
        return _option_list(parser, lines, at, scope)
    if _is_term(lines, at):
        return _definitions(parser, lines, at, scope)
    return None


def _bullets(parser: RstParser, lines: Lines, at: int, scope: Scope) -> Written:
    mark = lines.texts[at][0]
    found: Block = []
    while at < len(lines.texts) and lines.texts[at][:1] == mark and (start := _BULLET.match(lines.texts[at])):
        end = _item_end(lines, at, start.end())
        found += _item(parser, lines, at, end, start.end(), "- ", scope)
        at = _skip_blank(lines, end)
    return [found], at


def _numbers(parser: RstParser, lines: Lines, at: int, scope: Scope) -> Written:
    found: Block = []
    style, number = None, 0
    while at < len(lines.texts) and (start := _number(lines, at)):
        kind = start[1], start[3]
        value = number + 1 if start[2] == "#" else _value(start[2], number + 1)
        if found and (kind != style or value != number + 1):
            break
        style, number = kind, value
        end = _item_end(lines, at, start.end())
        found += _item(parser, lines, at, end, start.end(), f"{number}. ", scope)
        at = _skip_blank(lines, end)
    return [found], at


def _number(lines: Lines, at: int) -> re.Match[str] | None:
    """A number is that of an item if the line below it is blank, indented as the text, or another item."""
    found = _NUMBER.match(lines.texts[at])
    if (
        not found
        or (found[1] and found[3] != ")")
        or (found[2].isalpha() and len(found[2]) > 1 and not _roman(found[2]))
    ):
        return None
    below = lines.texts[at + 1] if at + 1 < len(lines.texts) else ""
    is_item = not below or indent_of(below) >= min(found.end(), 3) or bool(_NUMBER.match(below))
    return found if is_item and not is_rule(below or " ") else None


def _value(text: str, expected: int) -> int:
    """A letter or a Roman number is what continues the list."""
    if text.isdigit():
        return int(text)
    letter = ord(text.lower()) - 96 if len(text) == 1 else 0
    return expected if expected in (letter, _roman(text)) else letter or _roman(text)


def _roman(text: str) -> int:
    values = [_ROMAN.get(sign, 0) for sign in text.lower()]
    if not all(values):
        return 0
    return sum(-value if value < after else value for value, after in zip(values, [*values[1:], 0], strict=True))


def _item_end(lines: Lines, at: int, margin: int) -> int:
    """Return the line after an item: its text is indented below its mark."""
    end = last = at + 1
    while end < len(lines.texts) and (not lines.texts[end] or indent_of(lines.texts[end]) >= min(margin, 2)):
        end += 1
        last = end if lines.texts[end - 1] else last
    return last


def _item(parser: RstParser, lines: Lines, at: int, end: int, margin: int, marker: str, scope: Scope) -> Block:
    body = lines.dedented(at + 1, end)
    body = Lines([lines.texts[at][margin:], *body.texts], lines.number(at))
    blocks = parser.blocks(body.trimmed(), scope.inside())
    return indent_block(_joined(blocks) or [("", lines.number(at))], " " * len(marker), first=marker)


def _joined(blocks: list[Block]) -> Block:
    """A list directly below the text of an item needs no blank line."""
    if len(blocks) > 1 and _is_prose(blocks[0]) and re.match(r"- |1\. ", blocks[1][0][0]):
        blocks = [[*blocks[0], *blocks[1]], *blocks[2:]]
    return join_blocks(blocks)


def _fields(parser: RstParser, lines: Lines, at: int, scope: Scope) -> Written:
    found: Block = []
    is_above = lines.first + at < 4 and scope.depth == 0
    while at < len(lines.texts) and (start := FIELD.match(lines.texts[at])):
        end = lines.after_indented(at + 1)
        if not (is_above and start[1] in _FILE_WIDE):
            body = lines.dedented(at + 1, end)
            body = Lines([lines.texts[at][start.end() :], *body.texts], lines.number(at))
            found += term_item(parser, [(start[1], lines.number(at))], body.trimmed(), scope, code=False)
        at = _skip_blank(lines, end)
    return [found] if found else [], at


def _is_option(lines: Lines, at: int) -> bool:
    found = _OPTIONS.match(lines.texts[at])
    if not found:
        return False
    below = lines.texts[at + 1] if at + 1 < len(lines.texts) else ""
    return found.end() < len(lines.texts[at]) or below.startswith(" ")


def _option_list(parser: RstParser, lines: Lines, at: int, scope: Scope) -> Written:
    found: Block = []
    while at < len(lines.texts) and _is_option(lines, at) and (start := _OPTIONS.match(lines.texts[at])):
        end = lines.after_indented(at + 1)
        body = lines.dedented(at + 1, end)
        body = Lines([lines.texts[at][start.end() :], *body.texts], lines.number(at))
        found += term_item(parser, [(start[1], lines.number(at))], body.trimmed(), scope, code=True)
        at = _skip_blank(lines, end)
    return [found], at


def _is_term(lines: Lines, at: int) -> bool:
    """A line of text with an indented one directly below it."""
    texts = lines.texts
    if at + 1 >= len(texts) or not texts[at + 1].startswith(" ") or texts[at].endswith("::"):
        return False
    return not texts[at].startswith((".. ", ">>>", "| ", "+-", "+=")) and texts[at] != ".." and not is_rule(texts[at])


def _definitions(parser: RstParser, lines: Lines, at: int, scope: Scope) -> Written:
    found: Block = []
    while at < len(lines.texts) and lines.texts[at] and lines.texts[at][0] != " " and _is_term(lines, at):
        if found and (title_at(lines.texts, at) or _starts_other(lines, at)):
            break
        end = lines.after_indented(at + 1)
        found += term_item(
            parser, [(lines.texts[at], lines.number(at))], lines.dedented(at + 1, end), scope, code=False
        )
        at = _skip_blank(lines, end)
    return [found], at


def _starts_other(lines: Lines, at: int) -> bool:
    line = lines.texts[at]
    return bool(_BULLET.match(line) or FIELD.match(line) or _number(lines, at) or _is_option(lines, at))


def term_item(
    parser: RstParser, terms: list[tuple[str, int]], body: Lines, scope: Scope, *, code: bool, sign: str = "- "
) -> Block:
    """Write terms, each with its line, and their description."""
    parser.inline.line = terms[0][1] if terms else 0
    written: Block = [
        (gfm.mark(gfm.code_span(text) if code else parser.inline.write(text), "**"), line) for text, line in terms
    ]
    said = parser.blocks(body, scope.inside()) if body.texts else []
    if said and _is_prose(said[0]):
        first, *more = said[0]
        if first[1] == written[-1][1]:
            written[-1] = f"{written[-1][0]}: {first[0]}", first[1]
            said = [[*written, *more], *said[1:]]
        else:
            said = [[*written, first, *more], *said[1:]]
    else:
        said = [written, *said]
    return indent_block(_joined(said), "  ", first=sign)


def _is_prose(block: Block) -> bool:
    start = block[0][0]
    return not start.startswith(("```", "~~~", "- ", "|", "> ", "$$", "#", "[^", "***")) and not re.match(
        r"\d{1,9}\. ", start
    )


def _skip_blank(lines: Lines, at: int) -> int:
    """Return the next line of text, if the list continues there."""
    while at < len(lines.texts) and not lines.texts[at]:
        at += 1
    return at
