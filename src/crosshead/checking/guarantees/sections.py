"""Guarantees 6 and 8: a chunk has the path of the deepest section that holds it, its other section fields are right,
and it holds subsections only as a whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from operator import attrgetter
from typing import Final, Literal

from crosshead.checking.source import BLANK, HEADING_KINDS, CheckedSource, PlacedChunk, broken, own_parts
from crosshead.ids import section_id
from crosshead.markdown import section_ordinals
from crosshead.types import ContentType, Violation

COUNTED_SHARE: Final = 8
"""Count sections again up to an eighth of the text; counting all would cost more than chunking."""
COUNTED_LENGTH: Final = 2_000
"""Characters to count in any case."""

_FIELDS = (
    "section_path", "section_level", "section_id", "inner_headings", "block_start", "block_end", "part", "parts",
    "is_complete_section", "content_type",
)  # fmt: skip
_fields_of = attrgetter(*_FIELDS)
_CODE_KINDS = frozenset(("code", "math", "component", "expression", "import"))
_SILENT_KINDS = frozenset(("rule", "import", "html"))
"""Kinds without text to search for; `html` only if it is a comment."""
_UNDECIDED_KINDS = frozenset(("definition", "expression"))
"""The chunker may choose whether a chunk of only these, or of only HTML tags, is indexable."""
_Html = Literal["tags", "comments", "text"]


def check_paths(source: CheckedSource, places: Sequence[PlacedChunk]) -> Iterator[Violation]:
    """The section path is the path of the deepest section that holds the chunk."""
    for place in places:
        path = source.paths[place.section]
        if place.chunk.section_path != path:
            yield broken("section_path", place.chunk, f"has section_path={place.chunk.section_path!r}, not {path!r}")


def check_whole_below(source: CheckedSource, places: Sequence[PlacedChunk]) -> Iterator[Violation]:
    """A chunk holds subsections of its section only as a whole."""
    for place in places:
        first = source.section_of(source.after_headings(place.first, place.last))
        for section in {first, source.section_of(place.last)} - {place.section}:
            cut = _cut_section(source, place, section)
            if cut:
                title = source.paths[cut][-1]
                yield broken("whole", place.chunk, f"holds only a part of {title!r}, a subsection of its section")
                break


def check_section_fields(source: CheckedSource, places: Sequence[PlacedChunk]) -> Iterator[Violation]:
    """The other fields about section and blocks agree with the section tree."""
    ids = section_ids(source, places)
    parts = {
        id(place): (part, len(run)) for run in own_parts(source, places).values() for part, place in enumerate(run)
    }
    for place in places:
        chunk, first, last, section = place
        expected = (
            source.paths[section], source.levels[section], ids[section], source.titles(first, last), first, last,
            *parts.get(id(place), (0, 1)), _holds_section(source, place, section), _content_type(source, first, last),
        )  # fmt: skip
        actual = _fields_of(chunk)
        if actual == expected:
            continue
        for name, value, right in zip(_FIELDS, actual, expected, strict=True):
            if value != right and name != "section_path":  # checked by `check_paths`
                yield broken("section_path", chunk, f"has {name}={value!r}, not {right!r}")


def check_section_sizes(source: CheckedSource, places: Sequence[PlacedChunk]) -> Iterator[Violation]:
    """`section_token_count` is the count of the section's own text, the same in all its chunks."""
    sizes: dict[int, int] = {}
    to_count = []
    for place in places:
        section, size = place.section, place.chunk.section_token_count
        if sizes.setdefault(section, size) != size:
            problem = f"has section_token_count={size}, not {sizes[section]} as in an earlier chunk"
            yield broken("section_path", place.chunk, problem)
            continue
        start, end = source.own_span(section)
        if place.chunk.start == start and place.chunk.end <= end and not source.has_ink(place.chunk.end, end):
            right = place.chunk.token_count  # verified by the budget rule
            if size != right:
                yield broken("section_path", place.chunk, f"has section_token_count={size}, not {right}")
        elif place.chunk.part == 0:
            to_count.append((end - start, start, place))
    left = max(COUNTED_LENGTH, len(source.text) // COUNTED_SHARE)
    for length, start, place in sorted(to_count, key=lambda each: each[:2]):
        left -= length
        if left < 0:
            break
        size, right = place.chunk.section_token_count, source.count(_trim(source.text[start : start + length]))
        if size != right:
            yield broken("section_path", place.chunk, f"has section_token_count={size}, not {right}")


def check_indexable(source: CheckedSource, places: Sequence[PlacedChunk]) -> Iterator[Violation]:
    """Only chunks of rules, comments and imports are not indexable."""
    html_of = cache(partial(_html_of, source))  # a large block may be in many chunks
    for place in places:
        silent = _is_silent(source, place, html_of)
        if silent is not None and place.chunk.indexable is silent:
            yield broken("section_path", place.chunk, f"has indexable={place.chunk.indexable}, not {not silent}")


def section_ids(source: CheckedSource, places: Sequence[PlacedChunk]) -> dict[int, str]:
    """Return the ids of the sections that have chunks."""
    paths, document = source.paths, source.document.id
    ordinals = [0] * len(paths) if len(set(paths)) == len(paths) else section_ordinals(paths)
    used = {place.section for place in places}
    return {section: section_id(document, paths[section], ordinals[section]) for section in used}


def _cut_section(source: CheckedSource, place: PlacedChunk, section: int) -> int:
    """Return the first section, from `section` up to the chunk's own, that is not whole in the chunk; 0 if all are."""
    while section != place.section:
        if not _holds_section(source, place, section):
            return section
        section = source.parents[section]
    return 0


def _holds_section(source: CheckedSource, place: PlacedChunk, section: int) -> bool:
    """Does the chunk hold a whole section, subsections included?"""
    start, end = source.starts[source.section_first(section)], source.ends[source.section_ends[section] - 1]
    if place.chunk.start > start and source.has_ink(start, place.chunk.start):
        return False
    return place.chunk.end >= end or not source.has_ink(place.chunk.end, end)


def _trim(text: str) -> str:
    """Strip the white space that a chunk would not contain."""
    indented = text.lstrip()
    return text[text.rfind("\n", 0, len(text) - len(indented)) + 1 :].rstrip()


def _content_type(source: CheckedSource, first: int, last: int) -> ContentType:
    kinds = set(source.kinds[first : last + 1]) - HEADING_KINDS
    if not kinds:
        return "prose"
    if kinds <= _CODE_KINDS:
        return "code"
    if kinds == {"table"}:
        return "table"
    if kinds == {"list"}:
        return "list"
    return "prose" if kinds.isdisjoint(_CODE_KINDS) and kinds.isdisjoint(("table", "list")) else "mixed"


def _is_silent(source: CheckedSource, place: PlacedChunk, html_of: Callable[[int], _Html]) -> bool | None:
    """Is there nothing to search for in the chunk? None if the chunker may choose."""
    undecided = False
    for index in range(place.first, place.last + 1):
        kind = source.kinds[index]
        if kind in _UNDECIDED_KINDS or (kind == "html" and html_of(index) == "tags"):
            undecided = True
        elif (kind != BLANK and kind not in _SILENT_KINDS) or (kind == "html" and html_of(index) != "comments"):
            return False
    return None if undecided else True


def _html_of(source: CheckedSource, index: int) -> _Html:
    """Return what an HTML block consists of."""
    html = source.text[source.starts[index] : source.ends[index]]
    if _is_tags(html):
        return "tags"
    return "comments" if _is_comments(html.strip()) else "text"


def _is_tags(html: str) -> bool:
    """Does HTML consist of tags only?"""
    outside = "".join(piece.partition(">")[2] for piece in html.split("<"))
    return "<!--" not in html and not html.partition("<")[0].strip() and not outside.strip()


def _is_comments(html: str) -> bool:
    """Does HTML consist of comments only? An unclosed comment runs to the end."""
    at = 0
    while html.startswith("<!--", at):
        end = html.find("-->", at + 2)  # `<!-->` is a comment too
        if end < 0:
            return True
        at = end + 3
        while html[at : at + 1].isspace():
            at += 1
    return at == len(html)
