"""Guarantee 4: token counts are exact, and only an atom may exceed the budget."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final, get_args

from crosshead.checking.guarantees.atoms import glued_start
from crosshead.checking.source import CheckedSource, PlacedChunk, SourceText, broken
from crosshead.types import Block, Chunk, OversizeReason, Violation

KINDS_BY_REASON: Final = {
    "code": ("code",),
    "table": ("table",),
    "math": ("math",),
    "component": ("component", "expression", "import"),
}


def check_budget(source: CheckedSource, chunks: Sequence[Chunk]) -> Iterator[Violation]:
    """The token count is that of the content, and above the maximum only for a reason."""
    for chunk in chunks:
        tokens = source.count(chunk.content)
        if chunk.token_count != tokens:
            yield broken("budget", chunk, f"has {tokens} tokens, not {chunk.token_count}")
        yield from _check_size(chunk, tokens, source.options.max_tokens)


def check_sizes(source: SourceText, chunks: Sequence[Chunk]) -> Iterator[Violation]:
    """The same without counting: the stated size is possible."""
    for chunk in chunks:
        if chunk.token_count < 1:
            yield broken("budget", chunk, f"has {chunk.token_count} tokens")
        yield from _check_size(chunk, chunk.token_count, source.options.max_tokens)


def check_oversize(source: CheckedSource, places: Sequence[PlacedChunk]) -> Iterator[Violation]:
    """An oversize reason is one of four, and the chunk holds an atom of that kind that alone exceeds the budget."""
    for place in places:
        reason = place.chunk.oversize_reason
        if reason is not None:
            problem = _reason_problem(source, place, reason)
            if problem:
                yield broken("budget", place.chunk, f"has the oversize reason {reason!r}, {problem}")


def find_oversize(source: CheckedSource, chunks: Sequence[Chunk]) -> Iterator[Violation]:
    """Warn of each chunk that is larger than the budget."""
    for chunk in chunks:
        if chunk.oversize_reason is not None:
            message = f"has {chunk.token_count} tokens, above {source.options.max_tokens}: {chunk.oversize_reason}"
            yield broken("oversize", chunk, message, "warning")


def _check_size(chunk: Chunk, tokens: int, maximum: int) -> Iterator[Violation]:
    if chunk.oversize_reason is None:
        if tokens > maximum and len(chunk.content) > 1:  # a character cannot be cut
            yield broken("budget", chunk, f"has {tokens} tokens, above {maximum}, without an oversize reason")
    elif tokens <= maximum:
        reason = chunk.oversize_reason
        yield broken("budget", chunk, f"has the oversize reason {reason!r}, but only {tokens} tokens")


def _reason_problem(source: CheckedSource, place: PlacedChunk, reason: str) -> str:
    if reason not in get_args(OversizeReason):
        return f"which is not one of {', '.join(get_args(OversizeReason))}"
    if source.options.strategy == "fixed":
        return "but windows are cut anywhere"
    large = _large_atoms(source, place, KINDS_BY_REASON[reason])
    if not large:
        return f"but holds no {reason} that is larger than the budget"
    if place.chunk.token_count - sum(large) > source.options.max_tokens:
        return f"but is larger than the budget even without its {reason}"
    return ""


def _large_atoms(source: CheckedSource, place: PlacedChunk, kinds: Sequence[str]) -> list[int]:
    """Return the sizes of the atoms in a chunk which, with the headings glued to them, exceed the budget.

    If atoms are split, only those headings can be the reason: an atom that alone is too large is cut. The two header
    rows of a table are then one atom.
    """
    chunk, sizes = place.chunk, []
    for index in range(place.first, place.last + 1):
        block = source.blocks[index]
        for atom in map(partial(_atom_or_header_rows, source, chunk), (block, *block.atoms)):
            if atom.kind in kinds and atom.closed and source.holds(chunk, atom):
                start = glued_start(source, atom, index, place.first)
                size = source.count(source.text[start : atom.end])
                if size > source.options.max_tokens and not _must_be_split(source, atom):
                    sizes.append(size)
    return sizes


def _atom_or_header_rows(source: CheckedSource, chunk: Chunk, atom: Block) -> Block:
    """Return the header rows of a table that is cut after them, else the atom itself."""
    if atom.kind != "table" or source.options.oversize == "keep" or source.holds(chunk, atom):
        return atom
    header_end = source.text.find("\n", source.text.find("\n", atom.start) + 1)
    return atom._replace(end=header_end) if not source.has_ink(*sorted((chunk.end, header_end))) else atom


def _must_be_split(source: CheckedSource, atom: Block) -> bool:
    if source.options.oversize == "keep":
        return False
    return source.count(source.text[atom.start : atom.end]) > source.options.max_tokens
