"""Is a chunk readable on its own? Not a guarantee but a goal, judged by rules.

1. A chunk neither begins nor ends inside a sentence. Code, tables and lists are cut between lines, rows and items.
2. A heading above its first words, or above an enclosing section, is in the chunk.
3. What its last words announce, such as a list after a colon, is in the chunk; so is what "the table above" refers to.

Gaps of the document itself are not faults: an announcement at the end of a section, where nothing follows, does not
count.
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
"""Share of the chunks that should be readable on their own."""

LINE_KINDS: Final = ATOM_KINDS | {"import", "definition", "front_matter"}
"""Blocks of lines, not of sentences."""
PROSE_KINDS: Final = frozenset(("paragraph", "list", "quote", "footnote"))
NON_PROSE_KINDS: Final = frozenset(("heading", "rule", "import", "definition", "front_matter", "html", ""))
"""Blocks after which no sentence continues."""
NEAR_BLOCKS: Final = 8
"""How many blocks before a chunk "above" may refer to."""
TAIL: Final = 500
"""Characters that are examined on either side of a cut."""

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
_reference_above = re.compile(
    rf"\b{_THING} (?:above|oben|выше)\b|\b(?:above|preceding|obige\w*|vorstehende\w*|вышеприведённ\w+) {_THING}\b"
    r"|上(?:面|述|記)[的の]?(?:表|代码|コード|图|図|列表|リスト)",
    re.I,
).search


class Judgment(NamedTuple):
    """A chunk and its faults."""

    chunk: Chunk
    faults: tuple[Fault, ...]


def judge_chunks(document: Document, chunks: Sequence[Chunk], options: ChunkOptions) -> list[Judgment]:
    """Judge chunks of a document, which need not be all."""
    source = read_source(document, options)
    return [Judgment(place.chunk, tuple(_find_faults(source, place))) for place in place_chunks(source, chunks)]


def _find_faults(source: CheckedSource, place: PlacedChunk) -> Iterator[Fault]:
    text, chunk = source.text, place.chunk
    before, after = chunk.start, find_ink(text, chunk.end)
    while before and text[before - 1].isspace():
        before -= 1
    if before > source.text_start and _cuts_sentence(source, before, chunk.start):
        yield "begins_inside_sentence"
    if after and _cuts_sentence(source, chunk.end, after.start()):
        yield "ends_inside_sentence"
    if _lacks_heading(source, place):
        yield "no_heading"
    if (after and _announces_absent(source, place, after.start())) or _refers_to_absent(source, place):
        yield "refers_to_absent"


def _cuts_sentence(source: CheckedSource, end: int, start: int) -> bool:
    """Does a sentence continue from the text before `end` to the text after `start`?"""
    block = bisect_right(source.ends, start)
    gap = source.text[end:start]
    if end <= source.starts[block]:
        return source.kinds[block] == "paragraph" and _continues(source, end, start, block - 1)
    if _is_in_lines(source, block, end, start):
        return "\n" not in gap
    before, after = _tail(source, block, end), _head(source, start)
    if "\n" in gap:
        return not _item(after) and not _sentence_end(before) and not _colon_end(before) and _is_lower(after)
    if not _sentence_end(before):
        return _colon_end(before) is None
    return _abbreviation_end(before) is not None and _is_lower(after)


def _continues(source: CheckedSource, end: int, start: int, previous: int) -> bool:
    """Does a paragraph continue a sentence of the block before it: after a formula, or on the next page?"""
    if source.kinds[previous] in NON_PROSE_KINDS or not _is_lower(_head(source, start)):
        return False
    before = _tail(source, previous, end)
    return source.kinds[previous] in ATOM_KINDS or not (_sentence_end(before) or _colon_end(before))


def _is_in_lines(source: CheckedSource, block: int, end: int, start: int) -> bool:
    if source.kinds[block] in LINE_KINDS:
        return True
    return any(atom.start < end and start < atom.end for atom in source.blocks[block].atoms)


def _is_lower(text: str) -> bool:
    """Does it begin with a word in lower case? False in scripts without case."""
    word = _first_word(text)
    return word is not None and word[1].islower()


def _tail(source: CheckedSource, block: int, end: int) -> str:
    """Return the end of a text, without trailing quote marks."""
    tail = source.text[max(source.starts[block], end - TAIL) : end]
    return tail.rstrip() if source.kinds[block] != "quote" else tail.rstrip("> \t\n")


def _head(source: CheckedSource, start: int) -> str:
    return source.text[start : start + TAIL].lstrip("> \t\n")


def _lacks_heading(source: CheckedSource, place: PlacedChunk) -> bool:
    """Are all headings above the first words missing from the chunk?"""
    section, rendered = source.section_of(place.first), place.chunk.render()
    has_headings = section > 0
    while section:
        heading = source.blocks[source.heads[section]]
        if source.text[heading.start : heading.end].strip().partition("\n")[0] in rendered:
            return False
        section = source.parents[section]
    return has_headings


def _announces_absent(source: CheckedSource, place: PlacedChunk, after: int) -> bool:
    """Do the last words announce something that is only after the chunk?"""
    block, kind = bisect_right(source.ends, after), source.kinds[place.last]
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


def _refers_to_absent(source: CheckedSource, place: PlacedChunk) -> bool:
    """Does the text refer to something above that is not in the chunk, but near it in the document?"""
    text, chunk = source.text, place.chunk
    for block in range(place.first, place.last + 1):
        start, end = max(source.starts[block], chunk.start), min(source.ends[block], chunk.end)
        found = _reference_above(text, start, end) if source.kinds[block] == "paragraph" else None
        seen = found.start() if found else end
        if _shows_thing(source, block, start, seen) or text.find("`", start, seen) >= 0:
            return False  # which may be what it refers to
        if found:
            near = range(max(source.first_block, place.first - NEAR_BLOCKS), place.first)
            return any(_shows_thing(source, each, source.starts[each], source.ends[each]) for each in near)
    return False


def _shows_thing(source: CheckedSource, block: int, start: int, end: int) -> bool:
    """Does this part of a block show anything that a text could refer to?"""
    if source.kinds[block] == "paragraph":
        return source.text.find("![", start, end) >= 0
    return source.kinds[block] not in ("heading", "rule", "")
