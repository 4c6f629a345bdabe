"""Emphasis: which marks Markdown would take for what they are.

A mark opens only where text follows it, and closes only where text precedes it; next to punctuation the other side
counts too (CommonMark's flanking rules). A pair that would be left standing as plain asterisks is dropped instead.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

STRONG: Final = ("\x01", "\x02")
EMPHASIS: Final = ("\x03", "\x04")
DELETED: Final = ("\x05", "\x06")

_MARKS: Final = {"\x01": "**", "\x02": "**", "\x03": "*", "\x04": "*", "\x05": "~~", "\x06": "~~"}
STARTS: Final = ("\x01", "\x03", "\x05")
_PAIRED: Final = {"\x02": "\x01", "\x04": "\x03", "\x06": "\x05"}
_ANY = re.compile("[\x01-\x06]")
_UNSURE = re.compile(
    r"[\x01-\x06](?:(?<=[\x01\x03\x05])(?!\w)(?:(?<=\S.)|(?=[\s\x01-\x06]|\Z))"
    r"|(?<=[\x02\x04\x06])(?<!\w.)(?:(?=\S)|(?<=[\s\x01-\x06].)))"
)
"""With a letter inside, a mark always works; with other text inside, it does if nothing but space is outside."""


def wrap_marked(characters: tuple[str, str], text: str) -> str:
    """Mark text; spaces stay outside, because a mark next to one would not work."""
    bare = text.strip()
    if not bare:
        return text
    if len(bare) == len(text):
        return f"{characters[0]}{text}{characters[1]}"
    start = text.index(bare)
    return f"{text[:start]}{characters[0]}{bare}{characters[1]}{text[start + len(bare) :]}"


def resolve_marks(text: str) -> str:
    """Replace the control characters by Markdown."""
    for start, end in (STRONG, EMPHASIS, DELETED):
        if start in text:
            text = text.replace(end + start, "")
    if _UNSURE.search(text) is None:
        return _replace_all(text)
    places = [found.start() for found in _ANY.finditer(text)]
    good = _good_places(text, places)
    pieces = []
    last = 0
    for place in places:
        pieces.append(text[last:place])
        if place in good:
            pieces.append(_MARKS[text[place]])
        last = place + 1
    pieces.append(text[last:])
    return "".join(pieces).strip()


def _replace_all(text: str) -> str:
    for character, mark in _MARKS.items():
        if character in text:
            text = text.replace(character, mark)
    return text.strip()


def _good_places(text: str, places: list[int]) -> set[int]:
    """Return where the marks of the pairs are that work on both sides."""
    good: set[int] = set()
    open_places: list[int] = []
    for place in places:
        if text[place] in STARTS:
            open_places.append(place)
        elif open_places and text[open_places[-1]] == _PAIRED[text[place]]:
            start = open_places.pop()
            if _can_open(text, start) and _can_close(text, place):
                good.update((start, place))
    return good


def _can_open(text: str, place: int) -> bool:
    before, after = _neighbors(text, place)
    return not after.isspace() and (not _is_punctuation(after) or before.isspace() or _is_punctuation(before))


def _can_close(text: str, place: int) -> bool:
    before, after = _neighbors(text, place)
    return not before.isspace() and (not _is_punctuation(before) or after.isspace() or _is_punctuation(after))


def _neighbors(text: str, place: int) -> tuple[str, str]:
    before, after = place - 1, place + 1
    while before >= 0 and text[before] in _MARKS:
        before -= 1
    while after < len(text) and text[after] in _MARKS:
        after += 1
    return text[before] if before >= 0 else " ", text[after] if after < len(text) else " "


def _is_punctuation(character: str) -> bool:
    return unicodedata.category(character)[0] in "PS"
