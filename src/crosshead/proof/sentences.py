"""The text of an answer -> its sentences, each an exact slice with the numbers that it cites.

1. blocks become units: a paragraph, an item of a list, a row of a table, a heading, a quotation, a code block
2. prose is cut where sentences end, but not inside quotation marks and inline code; a citation after the full stop
   belongs to the sentence before it, unless the next one goes on in lower case: "[2] says that ..."
3. items, rows, quotations and code that cite nothing take over the citations of the words that lead to them, "as in
   [1]:", and rows those of the head of their table
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Final, Literal, NamedTuple

from crosshead.language.sentences import sentence_ends
from crosshead.markdown import parse_blocks
from crosshead.proof.cited_numbers import cited_numbers
from crosshead.types import Block, Sentence

MOST_SOURCES: Final = 999
"""Ranges of numbers, as in `[1-3]`, are expanded up to this one."""

_ITEM = re.compile(r"[ \t>]*(?:[-*+•]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")
_DELIMITER_ROW = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-*:?[ \t]*)*")
_UNCUT = re.compile(
    r'(`++).+?(?<!`)\1(?!`)|“[^“”]{1,600}”|«[^«»]{1,600}»|„[^„“”]{1,600}[“”]|「[^「」]{1,600}」|『[^『』]{1,600}』|(?<!\w)"[^"]{1,600}"(?!\w)',
    re.S,
)
_MARK_BEFORE = re.compile(r"""[.!?…。！？।؟]["'”’»」』)*_]*\s*$""")
_LEADS_ON = re.compile(r"[:：][\s*_]*$")
_NO_WORDS: Final = frozenset(("rule", "definition", "front_matter", "import", "expression"))

UnitKind = Literal["prose", "heading", "item", "head", "row", "quote", "code"]
Citations = Sequence[tuple[int, int, int]]
"""Number, start and end of the brackets."""


class AnswerUnit(NamedTuple):
    """A part of an answer that has sentences of its own."""

    kind: UnitKind
    start: int
    end: int


def split_sentences(text: str) -> tuple[Sentence, ...]:
    """Return the sentences of an answer in Markdown, with the numbers that they cite and their offsets."""
    cited = [*cited_numbers(text, MOST_SOURCES)]
    sentences: list[Sentence] = []
    leads: list[tuple[int, tuple[int, ...]]] = []
    """Citations of words that lead to what follows, with their indentation; what is not deeper ends them."""
    for unit in answer_units(text):
        indent = -1 if unit.kind in ("prose", "heading") else _indent(text, unit.start)
        while leads and leads[-1][0] >= indent:
            leads.pop()
        lead = leads[-1][1] if leads else ()
        found = [each if each.citations else replace(each, citations=lead) for each in _cut(text, unit, cited)]
        if found and found[-1].citations and (unit.kind == "head" or _leads_on(text, found[-1], cited)):
            leads.append((indent - (unit.kind == "head"), found[-1].citations))
        sentences += found
    return tuple(sentences)


def answer_units(text: str) -> Iterator[AnswerUnit]:
    """Yield the units of an answer in order; blank ones are left out."""
    for block in parse_blocks(text):
        for unit in _units(text, block):
            start = unit.start + len(text[unit.start : unit.end]) - len(text[unit.start : unit.end].lstrip())
            end = unit.start + len(text[unit.start : unit.end].rstrip())
            if start < end:
                yield AnswerUnit(unit.kind, start, end)


def _units(text: str, block: Block) -> Iterator[AnswerUnit]:
    match block.kind:
        case "list":
            yield from _items(text, block)
        case "table":
            yield from _rows(text, block)
        case "heading" | "quote":
            yield AnswerUnit(block.kind, block.start, block.end)
        case "code" | "math":
            yield AnswerUnit("code", block.start, block.end)
        case kind if kind not in _NO_WORDS:
            yield AnswerUnit("prose", block.start, block.end)


def _items(text: str, block: Block) -> Iterator[AnswerUnit]:
    """Yield the items of a list, nested ones too, and code in them."""
    start = at = block.start
    for atom in (*block.atoms, None):
        for line, end in _lines(text, at, atom.start if atom else block.end):
            if found := _ITEM.match(text, line, end):
                yield AnswerUnit("item", start, line)
                start = found.end()
        yield AnswerUnit("item", start, atom.start if atom else block.end)
        if atom:
            yield from _units(text, atom)
            start = at = atom.end


def _rows(text: str, block: Block) -> Iterator[AnswerUnit]:
    """Yield the rows of a table; rows above the line of dashes are its head."""
    kind: UnitKind = "head"
    if block.lang == "html":
        yield AnswerUnit("row", block.start, block.end)
        return
    for start, end in _lines(text, block.start, block.end):
        if kind == "head" and _DELIMITER_ROW.fullmatch(text, start, end):
            kind = "row"
        else:
            yield AnswerUnit(kind, start, end)


def _lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end:
        stop = text.find("\n", start, end)
        stop = end if stop < 0 else stop
        yield start, stop
        start = stop + 1


def _cut(text: str, unit: AnswerUnit, cited: Citations) -> Iterator[Sentence]:
    """Yield the sentences of a unit."""
    first, last = (bisect_left(cited, at, key=itemgetter(1)) for at in (unit.start, unit.end))
    inside = cited[first:last]
    start = unit.start
    ends = [] if unit.kind not in ("prose", "item") else _ends(text, unit, inside)
    for end in (*ends, unit.end):
        numbers = dict.fromkeys(n for n, at, _ in inside if start <= at < end)
        slice_ = text[start:end]
        begin, stop = start + len(slice_) - len(slice_.lstrip()), start + len(slice_.rstrip())
        if begin < stop:
            yield Sentence(text[begin:stop], tuple(numbers), begin, stop)
        start = end


def _ends(text: str, unit: AnswerUnit, cited: Citations) -> list[int]:
    """Return where sentences of prose end, citations after the full stop included."""
    masked, after_mark = _masked(text, unit, cited)
    uncut = [found.span() for found in _UNCUT.finditer(text, unit.start, unit.end)]
    ends = {
        unit.start + each.gap[0]
        for each in sentence_ends(masked)
        if not each.is_inside and not any(start < unit.start + each.gap[0] < end for start, end in uncut)
    }
    return sorted(ends | after_mark)


def _masked(text: str, unit: AnswerUnit, cited: Citations) -> tuple[str, set[int]]:
    """Return a text where citations look like closing quotation marks, and where those after a full stop end."""
    pieces, at = [], unit.start
    after_mark = set()
    for start, end in dict.fromkeys((start, end) for _, start, end in cited):
        before = text[at:start]
        following = text[end : end + 2].strip()
        has_mark = bool(_MARK_BEFORE.search(before)) or (not before.strip() and at in after_mark)
        if has_mark and following[:1].islower():
            continue
        gap = len(before) - len(before.rstrip())
        pieces += [before[: len(before) - gap], '"' * (gap + end - start)]
        if not before.strip():
            after_mark.discard(at)
        if has_mark:
            after_mark.add(end)
        at = end
    return "".join((*pieces, text[at : unit.end])), after_mark


def _leads_on(text: str, sentence: Sentence, cited: Citations) -> bool:
    """Return whether a sentence ends with a colon, citations aside."""
    start, end = sentence.start or 0, sentence.end or 0
    for _, opening, closing in reversed(cited):
        if start <= opening and closing == end:
            end = len(text[:opening].rstrip())
    return bool(_LEADS_ON.search(text[max(start, end - 9) : end]))


def _indent(text: str, at: int) -> int:
    """Return the indentation of a line."""
    line = text[text.rfind("\n", 0, at) + 1 : at + 1]
    return len(line) - len(line.lstrip())
