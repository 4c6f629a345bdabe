"""Menus that nothing in the markup tells from other lists: many links to other pages, above the page's own heading."""

from __future__ import annotations

import re
from itertools import groupby

MIN_LINKS = 5
MAX_TEXT = 60
"""Letters outside of links above the first heading; more are an introduction, and then a list is part of it."""
_HEADING = re.compile("#{1,6} ")
_LINK_ITEM = re.compile(r" *[-+] \[[^\]]*\]\((?!#)[^)]*\)\Z")
"""An item that is a link out of the page: links into it are its table of contents."""
_LINK = re.compile(r"\[[^\]]*\]\([^)]*\)")


def without_menus(lines: list[str]) -> list[str]:
    """Leave out the menus above the first heading, if the text below it is longer than they are."""
    first = next((index for index, line in enumerate(lines) if line[:1] == "#" and _HEADING.match(line)), 0)
    if first <= MIN_LINKS:
        return lines
    kept: list[str] = []
    dropped = 0
    for is_list, group in groupby(lines[:first], _is_in_list):
        block = list(group)
        if is_list and _is_menu(block):
            dropped += sum(map(len, block))
            kept.append("")
        else:
            kept += block
    if not dropped or _text_length(kept) > MAX_TEXT or dropped > sum(map(len, lines[first:])):
        return lines
    return [*(kept if any(kept) else ()), *lines[first:]]


def _is_in_list(line: str) -> bool:
    return line[:1] in ("", " ", "-", "+")


def _is_menu(block: list[str]) -> bool:
    items = [line for line in block if line]
    return len(items) >= MIN_LINKS and all(map(_LINK_ITEM.match, items))


def _text_length(lines: list[str]) -> int:
    return len(_LINK.sub("", "".join(lines)))
