"""Plain token windows, as most splitters cut them: a baseline to compare with."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from crosshead.chunking.pack import Draft
from crosshead.chunking.prices import Cut
from crosshead.tokens import Count

CUT = Cut(0.0, "where the window before was full")
_BLANK = re.compile(r"\s*")
_WORD_START = re.compile(r"(?<=\s)\S")
_CLOSE_ENOUGH = 4
"""The search for the end of a window stops when it is known to this many characters."""


def fixed_windows(text: str, start: int, max_tokens: int, count: Count) -> list[Draft]:
    """Cut the text from `start` on into windows of at most `max_tokens`, between words if possible."""
    drafts: list[Draft] = []
    size = 4 * max_tokens
    start = _next_content(text, start)
    while start < len(text):
        filled = _after_blank(text, start)
        if count(text[start : filled + 1]) > max_tokens:
            start = filled  # there is no room for the indentation
        end = max(_window_end(text, start, max_tokens, size, count), filled + 1)
        drafts.append(Draft(start, end, count(text[start:end]), None, "", "", 1, CUT))
        size = end - start
        start = _next_content(text, end)
    return drafts


def window_overlaps(text: str, windows: Sequence[Draft], max_tokens: int, count: Count) -> list[str]:
    """Return for each window the end of the previous one, from the start of a word if one is near."""
    ends = [_window_tail(text, window, max_tokens, count) for window in windows[:-1]]
    return ["", *ends][: len(windows)]


def _window_tail(text: str, window: Draft, max_tokens: int, count: Count) -> str:
    """Return the longest end of a window that fits; it begins inside a word only if no word starts near."""
    start, end = window.start, window.end

    def fits(at: int) -> bool:
        return count(text[at:end]) <= max_tokens

    first = start + bisect_left(range(start, end), True, key=fits)
    if first == start and not text[start].isspace():
        return text[start:end]
    words = [word.start() for word in _WORD_START.finditer(text, first, first + (end - first) // 2 + 1)]
    if not words:
        return text[first:end].lstrip()
    return next(
        (text[word:end] for word in words if fits(word)), ""
    )  # without the space before it a word may count more


def _next_content(text: str, at: int) -> int:
    """Return where the next window begins: at the indentation of a line, or inside a line after the space."""
    after = _after_blank(text, at)
    if after == len(text):
        return after
    line_start = text.rfind("\n", max(0, at - 1), after) + 1
    return line_start if line_start or not at else after


def _window_end(text: str, start: int, max_tokens: int, guess: int, count: Count) -> int:
    """Return the end of the longest window that fits, but at least one character."""
    fits, too_long = start, len(text) + 1
    end = min(len(text), start + guess)
    while too_long - fits > _CLOSE_ENOUGH or fits == start:
        tokens = count(text[start:end].rstrip())
        if tokens <= max_tokens:
            fits = end
        else:
            too_long = end
        if fits == len(text) or too_long - start <= 2:
            break
        scaled = start + max(1, (end - start) * max_tokens // max(tokens, 1))
        end = min(max(scaled, fits + 1), too_long - 1, len(text))
        if end in (fits, too_long):
            end = (fits + too_long) // 2
    fits = max(fits, start + 1)
    return _between_words(text, start, fits)


def _between_words(text: str, start: int, end: int) -> int:
    """Move an end inside a word back to the white space before the word, if there is any near."""
    if end < len(text) and not text[end].isspace() and not text[end - 1].isspace():
        for at in range(end - 1, start + (end - start) // 2, -1):
            if text[at].isspace():
                end = at
                break
    while end > start + 1 and text[end - 1].isspace():
        end -= 1
    return end


def _after_blank(text: str, at: int) -> int:
    blank = _BLANK.match(text, at)
    return blank.end() if blank else at
