"""The marks in front of the items of a list."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

# Symbol fonts put their bullets where Unicode leaves room for private use.
_BULLETS: Final = "•◦▪▫‣⁃∙●○■□◆◇➢➤➔►▶▸✓✔❖➜⚫⬤\uf0a7\uf0b7\uf0d8\uf0fc\uf076\uf0a8\uf06c\uf06e\uf0e0\uf02d"
_DASHES: Final = "-–—*·+"
_BULLET: Final = re.compile(rf"([{_BULLETS}])\s*(?=\S)|([{re.escape(_DASHES)}])\s+(?=\S)")
_NUMBER: Final = re.compile(r"(\d{1,3})[.)]\s+(?=\S)|\((\d{1,3})\)\s+(?=\S)")
_LABEL: Final = re.compile(r"\(?(?:[a-zA-Z]|[ivxIVX]{1,5})[.)]\s+(?=\S)")
_ALONE: Final = re.compile(rf"[{_BULLETS}{re.escape(_DASHES)}]$|\(?(?:\d{{1,3}}|[a-zA-Z]|[ivx]{{1,5}})[.)]$")


LEADER: Final = re.compile(r"\s*(?:\.{4,}|(?:\. ){3,}\.?|…{2,})\s*")
_CONTENTS: Final = re.compile(r"(?:\.{3}|(?:\. ){3}|…{2})[. …]*(?:\d+|[ivxlc]+)$", re.I)


class Marker(NamedTuple):
    """What opens an item: its Markdown, and how much of the text it takes."""

    markdown: str
    length: int
    kind: str


def find_marker(text: str) -> Marker | None:
    """Return the mark at the beginning of a line."""
    if found := _BULLET.match(text):
        return Marker("-", found.end(), found[1] or found[2])
    if found := _NUMBER.match(text):
        return Marker(f"{int(found[1] or found[2])}.", found.end(), "1" if found[1] else "(1)")
    if found := _LABEL.match(text):
        return Marker("-", 0, "a")  # Markdown has no such numbers: the label stays in the text
    return None


def is_marker(text: str) -> bool:
    """Is this a mark without any text?"""
    return bool(_ALONE.match(text))


def is_contents_line(text: str) -> bool:
    """Do dots lead to the number of a page?"""
    return bool(_CONTENTS.search(text))


def leaderless(text: str) -> str:
    """Return a line without the dots that lead the eye."""
    return LEADER.sub(" ", text).strip()
