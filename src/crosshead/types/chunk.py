"""A chunk: an exact slice of a document with its path, links and citation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Literal, cast

from crosshead import ids
from crosshead.citation import SourceSpan, cite
from crosshead.errors import OptionsError
from crosshead.options import ChunkOptions

ContentType = Literal["prose", "code", "table", "list", "mixed"]


OversizeReason = Literal["code", "table", "math", "component"]


CHUNK_SCHEMA = "crosshead.chunk/1"


@dataclass(frozen=True, slots=True)
class Chunk:
    """An exact slice of a document: `document.text[chunk.start:chunk.end] == chunk.content`."""

    id: str
    document_id: str
    source: str
    section_id: str
    index: int
    content: str
    token_count: int
    content_hash: str
    content_type: ContentType
    section_path: tuple[str, ...]
    """Titles from the outermost heading to the deepest section that holds the whole chunk."""
    section_level: int
    inner_headings: tuple[str, ...]
    """Titles of the headings inside the content."""
    start: int
    end: int
    start_line: int
    end_line: int
    page_start: int | None
    page_end: int | None
    block_start: int
    """Index of the first block in `document.blocks`."""
    block_end: int
    """Index of the last block, inclusive."""
    part: int
    """0, 1, 2, ... among the chunks of the section's own text; 0 of 1 if the section is not split."""
    parts: int
    section_token_count: int
    """Tokens of the section's own text, with its heading and without subsections."""
    is_complete_section: bool
    """Does the chunk hold the whole section, subsections included?"""
    parent_chunk_id: str | None
    """For a later part, the chunk that opens its section; else the one that opens the nearest enclosing section that
    has text outside its subsections."""
    prev_id: str | None
    next_id: str | None
    sibling_chunk_ids: tuple[str, ...]
    """The parts before and after a part, or else the chunks that open the sections before and after it under the same
    parent, or else its neighbors."""
    overlap: str
    """Whole blocks or sentences from the end of the previous chunk, or words from the end of a window."""
    prefix: str
    """Text that makes a part of a cut block valid Markdown: its fence, or the table's header rows."""
    suffix: str
    oversize_reason: OversizeReason | None
    indexable: bool
    """False if the chunk holds nothing to search for: only rules, comments or imports."""
    heading_prefix: str
    """The heading lines of the chunk's section, as in the source."""
    document_title: str
    format: str
    metadata: Mapping[str, Any]
    notes: tuple[str, ...] = ()
    """Why the chunk begins and ends where it does; only with `explain`."""
    source_start_line: int | None = None
    """First line in the file, if its lines differ from those of the text; for subtitles, the second; for workbooks,
    the row."""
    source_end_line: int | None = None
    source_file: str | None = None
    """The included file that those lines are in, and that most of the chunk comes from; for workbooks, the sheet and
    the columns, as in `Revenue!A:D`."""

    @property
    def breadcrumb(self) -> str | None:
        """The path as text: "A > B > C"."""
        return " > ".join(self.section_path) or None

    @property
    def full_path(self) -> tuple[str, ...]:
        """The path below the document's title, unless that is the first heading anyway."""
        return full_path(self.document_title, self.section_path)

    @property
    def citation(self) -> str:
        """Where to find the chunk: lines, pages, or at least the section."""
        return self.cite_as(self.section_path, self.section_id)

    @property
    def pages(self) -> tuple[int, int] | None:
        """First and last page, in formats with pages."""
        return _pair(self.page_start, self.page_end)

    def cite_as(self, path: tuple[str, ...], section_id: str) -> str:
        """Return the citation of the chunk, named by a section around it."""
        return cite(
            self.source,
            self.format,
            path,
            (self.start_line, self.end_line),
            source_lines=self._source_lines(),
            pages=self.pages,
            section_id=section_id,
        )

    def _source_lines(self) -> SourceSpan | None:
        lines = _pair(self.source_start_line, self.source_end_line)
        return SourceSpan(*lines, self.source_file or "") if lines else None

    def render(self, *, headings: bool = True, overlap: bool = False, breadcrumb: bool = False) -> str:
        """Return the content with its headings, and with the overlap or the breadcrumb if asked."""
        parts = []
        if breadcrumb and self.section_path:
            parts.append(f"{self.breadcrumb}\n")
        if headings and self.heading_prefix and not self.content.startswith(self.heading_prefix):
            parts.append(f"{self.heading_prefix}\n\n")
        if overlap and self.overlap:
            parts.append(f"{self.overlap}\n\n")
        return "".join([*parts, self.prefix, self.content, self.suffix])

    def to_json(self) -> dict[str, Any]:
        """Return the chunk as one object of the versioned schema."""
        data: dict[str, Any] = {"schema": CHUNK_SCHEMA}
        for name in self.__dataclass_fields__:
            data[name] = getattr(self, name)
        data.update(breadcrumb=self.breadcrumb, citation=self.citation)
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Chunk:
        """Return the chunk that `to_json` wrote, in this version or in an older one.

        Fields that an older version did not have are empty, unknown keys are ignored. A newer schema is an error.
        """
        values: dict[str, Any] = {name: data[name] for name in cls.__dataclass_fields__ if name in data}
        values.update({name: tuple(values[name]) for name in _LISTED if isinstance(values.get(name), list)})
        schema = data.get("schema", CHUNK_SCHEMA)
        if schema == CHUNK_SCHEMA and len(values) == len(cls.__dataclass_fields__):
            return cls(**values)
        _check_schema(schema)
        for name in ("id", "content"):
            if name not in values:
                raise OptionsError(f"this is not the JSON of a chunk: it has no {name!r}")
        return cls(**{**_empty_fields(), "content_hash": ids.content_hash(values["content"]), **values})


_LISTED: Final = tuple(each.name for each in fields(Chunk) if str(each.type).startswith("tuple"))
"""Fields that are lists in JSON."""


class OpenChunk:
    """A chunk under construction: set all fields, then `freeze` it.

    `Chunk(...)` calls `object.__setattr__` for each of its forty fields and takes 3.5 µs; this takes 0.8 µs.
    """

    __slots__ = tuple(Chunk.__dataclass_fields__)  # the same layout as `Chunk`, so that `freeze` can swap the class

    if TYPE_CHECKING:

        def __setattr__(self, name: str, value: object) -> None: ...

    def freeze(self) -> Chunk:
        """Become an immutable chunk."""
        self.__class__ = Chunk  # type: ignore[assignment]
        return cast(Chunk, self)


class Chunks(list[Chunk]):
    """The chunks of one document in order, with the options that made them."""

    def __init__(self, chunks: Iterable[Chunk], options: ChunkOptions) -> None:
        super().__init__(chunks)
        self.options = options


def _check_schema(schema: object) -> None:
    name, _, version = CHUNK_SCHEMA.partition("/")
    given, _, number = str(schema).partition("/")
    if given != name or not number.isdecimal():
        raise OptionsError(f"{schema!r} is not a schema of chunks: expected {CHUNK_SCHEMA!r}")
    if int(number) > int(version):
        raise OptionsError(f"a newer Crosshead wrote this chunk ({schema}): upgrade, this one reads {CHUNK_SCHEMA}")


@cache
def _empty_fields() -> Mapping[str, Any]:
    """Return the fields of a chunk with the values that they have if unknown."""
    empty: dict[str, Any] = {"str": "", "int": 0, "bool": False, "tuple[str, ...]": (), "Mapping[str, Any]": {}}
    known = {"parts": 1, "indexable": True, "content_type": "prose", "format": "markdown"}
    return {each.name: known.get(each.name, empty.get(str(each.type))) for each in fields(Chunk)}


def full_path(title: str, path: tuple[str, ...]) -> tuple[str, ...]:
    return path if path[:1] == (title,) else (title, *path)


def _pair(first: int | None, last: int | None) -> tuple[int, int] | None:
    return None if first is None else (first, last or first)
