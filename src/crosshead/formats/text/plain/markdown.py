"""Recognize plain text that is Markdown.

A `#` may as well begin a comment. Comments stand above what they explain, or in several lines; headings stand apart.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_HEADING = re.compile(r"(#{1,6}) +[^\s#]").match
_FENCE = re.compile(r"(`{3,}|~{3,})[^`]*$").match


def is_markdown(lines: Sequence[str]) -> bool:
    """Return whether two headings, or a heading and a fence, outnumber lines that look like comments."""
    headings, others, fences = _count(lines)
    return headings > 2 * others and headings + bool(fences) > 1


def recognize_markdown(text: str) -> str:
    """Return what shows that a text is Markdown; an empty string if it may be something else."""
    lines = text.split("\n")
    headings, _, fences = _count(lines)
    return f"{headings:,} headings with #, {fences:,} fences" if is_markdown(lines) else ""


def _count(lines: Sequence[str]) -> tuple[int, int, int]:
    """Count headings, other lines that begin with a hash, and fences."""
    headings = others = fences = 0
    closing = ""
    for above, line, below in zip(["", *lines], lines, [*lines[1:], ""], strict=False):
        if closing:
            if line.startswith(closing) and not line.strip(f"{closing[0]} "):
                closing, fences = "", fences + 1
        elif fence := _FENCE(line):
            closing = fence[1]
        elif level := _level(line):
            apart = _stands_apart(level, above, below)
            headings, others = headings + apart, others + (not apart)
    return headings, others, fences


def _level(line: str) -> int:
    heading = _HEADING(line)
    return len(heading[1]) if heading else 0


def _stands_apart(level: int, above: str, below: str) -> bool:
    """One hash needs free space below it too, because most comments have one."""
    free_above = not above.strip("- ") or 0 < _level(above) < level
    return free_above and (level > 1 or not below.strip() or _level(below) > level)
