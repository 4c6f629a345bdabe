"""Is a chunk readable by itself? No guarantee, but a goal: rules that judge what a reader gets, and what stays outside.

1. A cut goes through a sentence where the text before it has no end, or the text behind it no beginning. Code, tables
   and lists have lines, rows and items instead.
2. A heading that the first words stand below, be it that of an enclosing section, is in sight.
3. What the last words announce, such as a list after a colon, is in the chunk; so is what "the table above" means.

What the document itself leaves out is no fault of a chunk: words that announce something at the end of a section, where
nothing follows, do not count.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final, Literal, NamedTuple

from crosshead.checking import ATOM_KINDS, CheckedSource, PlacedChunk, place_chunks, read_source
from crosshead.markdown import find_ink
from crosshead.options import ChunkOptions
from crosshead.types import Chunk, Document

Fault = Literal["begins_inside_sentence", "ends_inside_sentence", "no_heading", "refers_to_absent"]

READABLE_GOAL: Final = 0.9
"""More than this share of the chunks should be readable by themselves."""

LINE_KINDS: Final = ATOM_KINDS | {"import", "definition", "front_matter"}
"""Blocks of lines, not of sentences."""
PROSE_KINDS: Final = frozenset(("paragraph", "list", "quote", "footnote"))
SILENT_KINDS: Final = frozenset(("heading", "rule", "import", "definition", "front_matter", "html", ""))
"""Blocks that no sentence goes on from."""
NEAR_BLOCKS: Final = 8
"""Blocks in front of a chunk in which "above" may find what it means."""
TAIL: Final = 500
"""Characters that are looked at on either side of a cut."""

_CLOSERS = r"""["'”’»)\]}*_`~」』）】》〉]*(?:\[\^\w{1,64}\])?(?:</?\w{1,16}/?>)?"""
_sentence_end = re.compile(rf"[.!?…。！？｡．؟۔।॥။።]{_CLOSERS}$").search
_colon_end = re.compile(rf"[^\s:：]\s?[:：]{_CLOSERS}$").search
_abbreviation_end = re.compile(r"(?:\b\w{1,4}|\.\w{1,8})\.$").search
_first_word = re.compile(r"""["'“‘„«(\[*_]*([^\W\d_][\w'’-]*)(?=[\s,;:)*]|$)""").match
_opening_tag_end = re.compile(
    r"(?:^|\n)[ \t]*<(?!(?:area|br|col|embed|hr|img|input|link|meta|source|wbr)\b)\w[^<>]*(?<!/)>$"
).search
_item = re.compile(r"(?:[*+-]|[0-9]{1,9}[.)])(?:[ \t]|$)").match
_sentence_starts = re.compile(r"[.!?]\s+|[。！？]").finditer

_announcing = re.compile(
    r"\b(?:following|as follows|below|folgend\w*|wie folgt|unten|suivante?s?|ci-dessous|siguientes?|a continuación"
    r"|следующ\w+|ниже)\b|如下|以下|下列|下面|下記|次の",
    re.I,
).search
_THING = (
    r"(?:tables?|code|snippets?|listings?|commands?|scripts?|lists?|figures?|diagrams?|images?|screenshots?"
    r"|formulas?|equations?|tabellen?|codes?|befehle?|listen?|abbildung(?:en)?|bild|formeln?"
    r"|таблиц\w+|код\w*|команд\w+|спис\w+|рисун\w+|схем\w+|формул\w+)"
)
_meant_above = re.compile(
    rf"\b{_THING} (?:above|oben|выше)\b|\b(?:above|preceding|obige\w*|vorstehende\w*|вышеприведённ\w+) {_THING}\b"
    r"|上(?:面|述|記)[的の]?(?:表|代码|コード|图|図|列表|リスト)",
    re.I,
).search


class Judgment(NamedTuple):
    """A chunk and what keeps it from being readable by itself."""

    chunk: Chunk
    faults: tuple[Fault, ...]


def judge_chunks(document: Document, chunks: Sequence[Chunk], options: ChunkOptions) -> list[Judgment]:
    """Judge any chunks of a document, each by itself."""
    source = read_source(document, options)
    return [Judgment(place.chunk, tuple(_find_faults(source, place))) for place in place_chunks(source, chunks)]


def _find_faults(source: CheckedSource, place: PlacedChunk) -> Iterator[Fault]:
    text, chunk = source.text, place.chunk
    before, behind = chunk.start, find_ink(text, chunk.end)
    while before and text[before - 1].isspace():
        before -= 1
    if before > source.text_start and _tears_sentence(source, before, chunk.start):
        yield "begins_inside_sentence"
    if behind and _tears_sentence(source, chunk.end, behind.start()):
        yield "ends_inside_sentence"
    if _lacks_heading(source, place):
        yield "no_heading"
    if (behind and _announces_absent(source, place, behind.start())) or _means_absent(source, place):
        yield "refers_to_absent"


def _tears_sentence(source: CheckedSource, end: int, start: int) -> bool:
    """Does a sentence go on from what ends at one offset to what starts at the other?"""
    block = bisect_right(source.ends, start)
    gap = source.text[end:start]
    if end <= source.starts[block]:
        return source.kinds[block] == "paragraph" and _goes_on(source, end, start, block - 1)
    if _is_in_lines(source, block, end, start):
        return "\n" not in gap
    before, after = _tail(source, block, end), _head(source, start)
    if "\n" in gap:
        return not _item(after) and not _sentence_end(before) and not _colon_end(before) and _is_lower(after)
    if not _sentence_end(before):
        return _colon_end(before) is None
    return _abbreviation_end(before) is not None and _is_lower(after)


def _goes_on(source: CheckedSource, end: int, start: int, previous: int) -> bool:
    """Does a paragraph go on with a sentence of the block before it: after a formula, or on the next page?"""
    if source.kinds[previous] in SILENT_KINDS or not _is_lower(_head(source, start)):
        return False
    before = _tail(source, previous, end)
    return source.kinds[previous] in ATOM_KINDS or not (_sentence_end(before) or _colon_end(before))


def _is_in_lines(source: CheckedSource, block: int, end: int, start: int) -> bool:
    if source.kinds[block] in LINE_KINDS:
        return True
    return any(atom.start < end and start < atom.end for atom in source.blocks[block].atoms)


def _is_lower(text: str) -> bool:
    """Does it begin with a word in lower case? Scripts without case do not tell."""
    word = _first_word(text)
    return word is not None and word[1].islower()


def _tail(source: CheckedSource, block: int, end: int) -> str:
    """Return the end of a text without the marks of a quote that stand alone behind it."""
    tail = source.text[max(source.starts[block], end - TAIL) : end]
    return tail.rstrip() if source.kinds[block] != "quote" else tail.rstrip("> \t\n")


def _head(source: CheckedSource, start: int) -> str:
    return source.text[start : start + TAIL].lstrip("> \t\n")


def _lacks_heading(source: CheckedSource, place: PlacedChunk) -> bool:
    """Are all headings out of sight that the first words stand below?"""
    section, rendered = source.section_of(place.first), place.chunk.render()
    has_headings = section > 0
    while section:
        heading = source.blocks[source.heads[section]]
        if source.text[heading.start : heading.end].strip().partition("\n")[0] in rendered:
            return False
        section = source.parents[section]
    return has_headings


def _announces_absent(source: CheckedSource, place: PlacedChunk, behind: int) -> bool:
    """Do the last words announce what follows only outside?"""
    block, kind = bisect_right(source.ends, behind), source.kinds[place.last]
    if block >= source.section_ends[source.section_of(place.last)]:
        return False
    tail = _tail(source, place.last, place.chunk.end)
    if kind in ("html", "component"):
        return _opening_tag_end(tail) is not None
    if kind not in PROSE_KINDS:
        return False
    if _colon_end(tail):
        return True
    if block == place.last or source.kinds[block] in ("paragraph", "heading"):
        return False
    starts = [mark.end() for mark in _sentence_starts(tail)]
    last_sentence = tail[next((at for at in reversed(starts) if at < len(tail)), 0) :]
    return _announcing(last_sentence) is not None


def _means_absent(source: CheckedSource, place: PlacedChunk) -> bool:
    """Does the text mean something above that is not in the chunk, although it is near in the document?"""
    text, chunk = source.text, place.chunk
    for block in range(place.first, place.last + 1):
        start, end = max(source.starts[block], chunk.start), min(source.ends[block], chunk.end)
        found = _meant_above(text, start, end) if source.kinds[block] == "paragraph" else None
        seen = found.start() if found else end
        if _shows_thing(source, block, start, seen) or text.find("`", start, seen) >= 0:
            return False  # which may be what is meant, now or further down
        if found:
            near = range(max(source.first_block, place.first - NEAR_BLOCKS), place.first)
            return any(_shows_thing(source, each, source.starts[each], source.ends[each]) for each in near)
    return False


def _shows_thing(source: CheckedSource, block: int, start: int, end: int) -> bool:
    """Is there anything in this part of a block that a reader could be pointed to?"""
    if source.kinds[block] == "paragraph":
        return source.text.find("![", start, end) >= 0
    return source.kinds[block] not in ("heading", "rule", "")
