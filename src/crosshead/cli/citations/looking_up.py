"""What an address leads to in an index: a citation, a file, the number of a hit, or an id."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple

import typer

from crosshead.cli.citations.addresses import find_passage, refuse_position
from crosshead.cli.citations.last_search import RememberedHit, last_search
from crosshead.errors import OptionsError

if TYPE_CHECKING:
    from crosshead.index import Index, JoinedIndex
    from crosshead.types import Chunk, Passage

MIN_PREFIX: Final = 4
"""Characters of an id; a shorter number is the rank of a hit."""
_is_rank = re.compile(r"[1-9]\d{0,2}").fullmatch
_is_prefix = re.compile(rf"[0-9a-f]{{{MIN_PREFIX},16}}|[0-9a-f]{{16}}@[0-9a-f]{{6}}").fullmatch

Address = Annotated[
    list[str],
    typer.Argument(
        metavar="ADDRESS",
        help="A citation as any command prints it, a file, FILE#anchor, the number of a hit of the last search, "
        "or an id of a chunk or section, of which the beginning is enough.",
    ),
]


class Shown(NamedTuple):
    """A text, and the id that its parent and siblings are found by."""

    text: Chunk | Passage
    id: str


def look_up(index: Index | JoinedIndex, address: str) -> Shown | None:
    """Return what an address leads to in the index; None if it leads nowhere."""
    if _is_rank(address):
        hit = last_search(index.location).hit(int(address))
        answer = _text_of_hit(index, int(address), hit)
        return Shown(answer, answer.section_id)
    if _is_prefix(address):
        known = [address] if "@" in address else index.ids(address)
        if len(known) > 1 and address not in known:
            raise OptionsError(f"{address} is the beginning of several ids: {_candidates(index, known)}")
        text = _by_id(index, address if address in known else known[0]) if known else None
        if text:
            return Shown(text, address if address in known else known[0])
    passage = find_passage(index, address) or _at_anchor(index, address)
    if passage is None:
        refuse_position(index, address)
    return Shown(passage, passage.section_id) if passage else None


def _at_anchor(index: Index | JoinedIndex, address: str) -> Passage | None:
    """Return the section that `FILE#anchor` names; several indexes are not searched for it."""
    from crosshead.index import JoinedIndex
    from crosshead.indexing import source_of

    path, _, anchor = address.partition("#")
    if not anchor or isinstance(index, JoinedIndex):
        return None
    sources = dict.fromkeys((source_of(path, index.root), path))
    found = filter(None, (index.links(f"{source}#{anchor}") for source in sources))
    return next((index.section(each.section_id) for each in found if each.section_id), None)


def _text_of_hit(index: Index | JoinedIndex, rank: int, hit: RememberedHit) -> Passage:
    """Return the text of a hit; an edit since the search changes the id of its chunk."""
    from crosshead.citation import Citation

    is_known = not hit.chunk_id or index.chunk(hit.chunk_id)
    where = {"index": hit.location} if hit.location else {}  # only several indexes take it
    citation = Citation(hit.source, "text", hit.first_line, hit.last_line)
    passage = index.passage(citation, **where) if is_known else None
    if passage is None:
        raise OptionsError(f"hit {rank}, {hit.citation}, has changed since the search: search again")
    return passage


def _by_id(index: Index | JoinedIndex, id: str) -> Chunk | Passage | None:
    return index.chunk(id) or index.section(id)


def _candidates(index: Index | JoinedIndex, known: list[str]) -> str:
    texts = ((id, _by_id(index, id)) for id in known)
    return ", ".join(f"{id} ({text.citation})" for id, text in texts if text)


def missing_text(address: str, *, is_relative: bool = False) -> str:
    """Return the message that an address leads nowhere."""
    if is_relative:
        return f"no parent or siblings of {address}; crosshead search --json prints ids"
    if _is_prefix(address):
        return f"no chunk or section with id {address}; crosshead search --json prints ids"
    return f"nothing found at {address}; crosshead search prints citations, crosshead list prints sources"
