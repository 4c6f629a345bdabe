"""Subtitles, WebVTT and SubRip -> paragraphs of speech, cited by time.

1. A line with two times begins a cue; the lines below it, up to a blank line, are its text. All else is left out.
2. Lines that a cue repeats from the one before, as rolling captions do, are written once.
3. Cues become paragraphs, a line each: a new one begins with another speaker, after a pause, and after a sentence
   when it is long enough.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import unescape
from typing import Final, NamedTuple

from crosshead.errors import CorruptFile
from crosshead.formats.base import Extracted
from crosshead.formats.shared import gfm
from crosshead.formats.shared.decoding.text import decode, without_controls
from crosshead.formats.shared.tables.writing import TablePart, join_parts
from crosshead.options import ExtractOptions

PAUSE_SECONDS: Final = 4.0
ROLL_SECONDS: Final = 0.5
"""Maximum gap between cues that repeat each other."""
LONG_ENOUGH: Final = 400
TOO_LONG: Final = 1_200
"""Characters of a paragraph: from the first on it ends with a sentence, from the second on with any cue."""

_TIME: Final = r"(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})[.,](\d{1,3})"
_TIMES = re.compile(rf"\s*{_TIME}\s*-->\s*{_TIME}(?:\s|$)")
_VOICE = re.compile(r"<v(?:\.[^\s>]{0,100})?\s+([^<>]{1,200})>")
_TAG = re.compile(r"</?[A-Za-z\d][^<>]{0,200}>|\{\\[^{}]{0,200}\}")
_SENTENCE_END = re.compile(r"[.?!…。？！]['\"”’)\]]*$")
_TITLE = re.compile(r"WEBVTT[ \t]+(?:-[ \t]*)?(.{1,200})")


class Cue(NamedTuple):
    """Text shown at one time."""

    start: float
    end: float
    speaker: str
    lines: tuple[str, ...]


def read_subtitles(data: bytes, _options: ExtractOptions) -> Extracted:
    """Read WebVTT or SubRip."""
    warnings: list[str] = []
    text = without_controls(decode(data, warnings))
    if not text.strip():
        return Extracted("")
    cues = sorted(_cues(text.split("\n")), key=lambda cue: cue.start)
    if not cues:
        raise CorruptFile("no subtitles found: no line has two times, as in 00:01:02.000 --> 00:01:05.000")
    title = _TITLE.match(text)
    found, lines = join_parts(map(_paragraph, _paragraphs(list(_without_repeats(cues)))))
    return Extracted(found, title[1].strip() if title else "", lines=lines, warnings=tuple(warnings))


def _cues(lines: Sequence[str]) -> Iterator[Cue]:
    at = 0
    while at < len(lines):
        times = _TIMES.match(lines[at])
        at += 1
        if times:
            start = at
            while at < len(lines) and lines[at].strip() and not _TIMES.match(lines[at]):
                at += 1
            yield _cue(times, lines[start:at])


def _cue(times: re.Match[str], lines: Sequence[str]) -> Cue:
    voice = next((found[1] for line in lines if (found := _VOICE.search(line))), "")
    texts = (" ".join(unescape(_TAG.sub("", line)).split()) for line in lines)
    start, end = _seconds(times.groups()[:4]), _seconds(times.groups()[4:])
    return Cue(start, max(start, end), " ".join(unescape(voice).split()), tuple(filter(None, texts)))


def _seconds(time: Sequence[str | None]) -> float:
    hours, minutes, seconds, fraction = time
    return int(hours or 0) * 3600 + int(minutes or 0) * 60 + int(seconds or 0) + float(f"0.{fraction}")


def _without_repeats(cues: Sequence[Cue]) -> Iterator[Cue]:
    before: tuple[str, ...] = ()
    end = 0.0
    for cue in cues:
        lines = cue.lines
        before = before if cue.start - end < ROLL_SECONDS else ()
        overlap = next(
            (size for size in range(min(len(before), len(lines)), 0, -1) if before[-size:] == lines[:size]), 0
        )
        if lines[overlap:]:
            yield cue._replace(lines=lines[overlap:])
        before, end = lines or before, cue.end


def _paragraphs(cues: Sequence[Cue]) -> Iterator[list[Cue]]:
    paragraph: list[Cue] = []
    size = 0
    for cue in cues:
        if paragraph and _ends(paragraph[-1], cue, size):
            yield paragraph
            paragraph, size = [], 0
        paragraph.append(cue)
        size += sum(map(len, cue.lines))
    if paragraph:
        yield paragraph


def _ends(last: Cue, cue: Cue, size: int) -> bool:
    if cue.speaker != last.speaker or cue.start - last.end >= PAUSE_SECONDS or size >= TOO_LONG:
        return True
    return size >= LONG_ENOUGH and bool(_SENTENCE_END.search(last.lines[-1]))


def _paragraph(cues: Sequence[Cue]) -> TablePart:
    """Each line is marked with the second in which it begins, and the line after the last with the one after it."""
    lines = [gfm.escape_start(gfm.escape(" ".join(cue.lines))) for cue in cues]
    if cues[0].speaker:
        lines[0] = f"**{gfm.escape(cues[0].speaker)}:** {lines[0]}"
    marks = [(at, int(cue.start)) for at, cue in enumerate(cues)]
    return TablePart("\n".join(lines), (*marks, (len(cues), int(cues[-1].end) + 1)))
