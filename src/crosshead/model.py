"""The values that flow between the rooms, all immutable, and the protocols that rooms rely on.

    Document   text, blocks and the section tree of one source
    Block      a paragraph, heading, table, ... with its exact place in the text
    Section    a heading with everything below it
    Chunk      an exact slice of the text with its path, links and citation
    Hit        a chunk that a search found, with its scores
    Passage    text of one or more hits, whole and cited
    Report     what `check` found

Offsets count characters of `Document.text`, lines are 1-based and inclusive.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field, fields
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, Protocol, TypeAlias, cast, runtime_checkable

from crosshead import ids, places
from crosshead.errors import OptionsError
from crosshead.options import ChunkOptions

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BlockKind = Literal[
    "front_matter", "heading", "paragraph", "code", "list", "table", "quote", "html", "rule",
    "definition", "footnote", "math", "import", "component", "expression",
]  # fmt: skip
ContentType = Literal["prose", "code", "table", "list", "mixed"]
OversizeReason = Literal["code", "table", "math", "component"]
Severity = Literal["error", "warning"]

Vectors: TypeAlias = "NDArray[np.float32]"
"""One vector a row, each of length 1."""

CHUNK_SCHEMA = "crosshead.chunk/1"


class TokenCounter(Protocol):
    """Counts the tokens of a text."""

    @property
    def name(self) -> str: ...

    def __call__(self, text: str, /) -> int: ...


class Embedder(Protocol):
    """Turns texts into vectors."""

    @property
    def name(self) -> str:
        """What the user calls it: `static`, `minilm`, `ollama:MODEL`, ..."""

    @property
    def revision(self) -> str:
        """Changes when the same text would get another vector; stored with an index."""

    @property
    def dimension(self) -> int:
        """Numbers in a vector."""

    def embed(self, texts: Sequence[str], *, on_progress: Callable[[int], None] | None = None) -> list[Vectors]:
        """Return the vectors of every text: one, or several where a text is longer than the model's window.

        `on_progress` is told now and then how many of the texts are done.
        """

    def embed_query(self, text: str) -> Vectors:
        """Return the vector of a question, as one row; what does not fit the window is left out."""


@runtime_checkable
class ParallelEmbedder(Embedder, Protocol):
    """An embedder that can use several cores; its vectors do not depend on how many."""

    jobs: int | None
    """Texts that it may work on at once; without it, as many as there are cores."""


@runtime_checkable
class ReadingEmbedder(Embedder, Protocol):
    """An embedder that knows which texts it can read."""

    def read_share(self, text: str) -> float:
        """Return how much of a text is in a language and script that the model has learned, 0 to 1."""


@runtime_checkable
class WordReadingEmbedder(ReadingEmbedder, Protocol):
    """An embedder of one language, which knows the words of that language from others."""

    def word_share(self, text: str) -> float:
        """Return how many of a text's words the model has learned as words, not only their parts, 0 to 1."""


class AskedVectors(NamedTuple):
    """A question as some models read it: as a whole, and token by token."""

    vector: Vectors
    tokens: Vectors


@runtime_checkable
class TokenEmbedder(Embedder, Protocol):
    """An embedder that can compare the tokens of texts, too; how it keeps them is its own affair."""

    def embed_with_tokens(
        self, texts: Sequence[str], *, on_progress: Callable[[int], None] | None = None
    ) -> list[tuple[Vectors, bytes]]:
        """Return what `embed` does, and the tokens of every text; those of several texts may be joined."""

    def embed_question(self, text: str) -> AskedVectors:
        """Return the vector of a question, as `embed_query` does, and those of its tokens."""

    def compare_tokens(self, asked: Vectors, kept: Sequence[bytes]) -> list[float]:
        """Return how near the tokens of texts, none of them empty, are to those of a question, 0 to 1."""


class Reranker(Protocol):
    """Judges how well texts answer a question."""

    @property
    def name(self) -> str: ...

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return a score for every text; higher is better."""


Rerank: TypeAlias = Callable[[str, Sequence[str]], Sequence[float]]
"""`Reranker.score`, or a function of the user's that does the same."""


class Block(NamedTuple):
    """One block of a document. A NamedTuple, because every line of a document ends up in one."""

    kind: BlockKind
    start: int
    """Offset of the first line's first character, indentation included."""
    end: int
    """Offset after the last line's last character, its newline not included."""
    start_line: int
    end_line: int
    level: int = 0
    """1 to 6 for a heading, else 0."""
    lang: str = ""
    """First word of a fence's info string; `html` for a table that is written as HTML."""
    title: str = ""
    """Plain text of a heading."""
    items: tuple[tuple[int, int], ...] = ()
    """First and last line of each item of a list."""
    atoms: tuple[Block, ...] = ()
    """Code, tables and formulas inside a list, quote or footnote, which must not be cut either; code in a table."""
    closed: bool = True
    """False for a fence that the document never closes."""


class Section(NamedTuple):
    """A heading with its own text and its subsections; the root (level 0) is the whole document."""

    id: str
    parent_id: str | None
    title: str
    level: int
    path: tuple[str, ...]
    start: int
    end: int
    start_line: int
    end_line: int
    blocks: tuple[Block, ...]
    """The heading and the section's own text, without the subsections."""
    children: tuple[Section, ...]


@dataclass(frozen=True)
class Document:
    """A source as structured Markdown."""

    id: str
    source: str
    format: str
    title: str
    """`title` of the front matter, else the only level 1 heading, else the format's own title, else the file's name."""
    text: str
    """Markdown without a byte order mark, every newline a `\\n`."""
    front_matter: Mapping[str, Any]
    blocks: tuple[Block, ...]
    content_hash: str
    make_root: Callable[[], Section] = field(repr=False, compare=False)
    """Builds the tree, which chunking does not need, when it is asked for."""
    pages: tuple[tuple[int, int], ...] = ()
    """For paged formats: (first line, page) in order."""
    lines: places.LineMarks = ()
    """Where the lines of the text are not those of the file: (first line, line of the file) in order, with the name of
    the file where the document includes it; of subtitles, (first line, second)."""
    has_own_title: bool = False
    """Does the front matter, or the format itself, name what all top-level sections have in common?"""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    """The user's own."""
    warnings: tuple[str, ...] = ()
    """What is malformed in the text, such as a fence that is never closed, and which pages may be misread."""
    recognized: tuple[tuple[int, float], ...] = ()
    """Pages whose text was recognized in a picture: (page, confidence from 0 to 1) in order."""
    unread_pages: tuple[int, ...] = ()
    """Pages that show images but have no text, and were not recognized."""

    @cached_property
    def root(self) -> Section:
        """The section tree."""
        return self.make_root()

    def source_line(self, line: int) -> int:
        """Return the line of the file that a line of the text comes from."""
        return places.source_line(self.lines, line)

    def source_span(self, first: int, last: int) -> tuple[int, int]:
        """Return the lines of the file that some lines of the text come from."""
        has_lines = self.lines and self.format not in places.FORMATS_WITH_TIMES
        return places.source_span(self.lines, first, last)[:2] if has_lines else (first, last)


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
    """0, 1, 2, ... among the chunks that hold the own text of the section; 0 of 1 where it is not cut."""
    parts: int
    section_token_count: int
    """Of the section's own text, with its heading and without subsections."""
    is_complete_section: bool
    """Does the chunk hold the whole section, subsections included?"""
    parent_chunk_id: str | None
    """The chunk that opens the section of a later part, or else the nearest section around with text of its own."""
    prev_id: str | None
    next_id: str | None
    sibling_chunk_ids: tuple[str, ...]
    """The parts before and after a part, or else the chunks that open the sections before and after under the same
    parent; neighbors where there is nothing else."""
    overlap: str
    """Whole blocks or sentences from the end of the previous chunk, or words from the end of a window."""
    prefix: str
    """What makes a piece of a cut block valid Markdown: its fence, or the table's header rows."""
    suffix: str
    oversize_reason: OversizeReason | None
    indexable: bool
    """False where there is nothing to find: only rules, comments or imports."""
    heading_prefix: str
    """The heading lines of the chunk's section, as they stand in the source."""
    document_title: str
    format: str
    metadata: Mapping[str, Any]
    notes: tuple[str, ...] = ()
    """Why the chunk begins and ends where it does; only with `explain`."""
    source_start_line: int | None = None
    """First line in the file, where the text has other lines than the file; of subtitles, the second."""
    source_end_line: int | None = None
    source_file: str | None = None
    """The file that most of the chunk comes from, and that those lines are in, where the document includes it."""

    @property
    def breadcrumb(self) -> str | None:
        """The path for people: "A > B > C"."""
        return " > ".join(self.section_path) or None

    @property
    def full_path(self) -> tuple[str, ...]:
        """The path with the document's title in front, unless that is the first heading anyway."""
        return _full_path(self.document_title, self.section_path)

    @property
    def citation(self) -> str:
        """Where a person finds the chunk: lines, pages or at least the section."""
        return places.cite(
            self.source,
            self.format,
            self.section_path,
            (self.start_line, self.end_line),
            source_lines=self._source_lines(),
            pages=_pair(self.page_start, self.page_end),
        )

    def _source_lines(self) -> places.SourceSpan | None:
        lines = _pair(self.source_start_line, self.source_end_line)
        return places.SourceSpan(*lines, self.source_file or "") if lines else None

    def render(self, *, headings: bool = True, overlap: bool = False, breadcrumb: bool = False) -> str:
        """Join the content with what a reader wants around it; the chunk itself never changes."""
        parts = []
        if breadcrumb and self.section_path:
            parts.append(f"{self.breadcrumb}\n")
        if headings and self.heading_prefix and not self.content.startswith(self.heading_prefix):
            parts.append(f"{self.heading_prefix}\n\n")
        if overlap and self.overlap:
            parts.append(f"{self.overlap}\n\n")
        return "".join([*parts, self.prefix, self.content, self.suffix])

    def to_json(self) -> dict[str, Any]:
        """One object of the versioned schema."""
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
        values: dict[str, Any] = {each.name: data[each.name] for each in fields(cls) if each.name in data}
        values.update({name: tuple(value) for name, value in values.items() if isinstance(value, list)})
        schema = data.get("schema", CHUNK_SCHEMA)
        if schema == CHUNK_SCHEMA and len(values) == len(fields(cls)):
            return cls(**values)
        _check_schema(schema)
        for name in ("id", "content"):
            if name not in values:
                raise OptionsError(f"this is not the JSON of a chunk: it has no {name!r}")
        return cls(**{**_empty_fields(), "content_hash": ids.content_hash(values["content"]), **values})


class OpenChunk:
    """A chunk whose fields are still being set: one after the other, all of them, before it is frozen.

    `Chunk(...)` sets each of its forty fields by a call of its own, which is slow where a document has many chunks.
    """

    __slots__ = tuple(Chunk.__dataclass_fields__)  # the same as those of a chunk, so that it can become one

    if TYPE_CHECKING:

        def __setattr__(self, name: str, value: object) -> None: ...

    def freeze(self) -> Chunk:
        """Become a chunk, which nobody can change."""
        self.__class__ = Chunk  # type: ignore[assignment]
        return cast(Chunk, self)


class Chunks(list[Chunk]):
    """The chunks of one document in order, with the options that made them."""

    def __init__(self, chunks: Iterable[Chunk], options: ChunkOptions) -> None:
        super().__init__(chunks)
        self.options = options


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk that a search found, and how it got its place."""

    chunk: Chunk
    section_path: tuple[str, ...]
    """Of the section that answers, which may be one of several inside the chunk."""
    start: int
    """Where that section begins in the text of the document, and where it ends, as far as it is in the chunk."""
    end: int
    citation: str
    """Where a person finds that section, as far as it is in the chunk."""
    dense_rank: int | None
    """1 for the best; None where this side did not find it."""
    lexical_rank: int | None
    dense_score: float | None
    """The cosine with the question; for other models than ours, how far it is above that of the last candidate."""
    lexical_score: float | None
    """Share of the best that the words of the question could get."""
    rerank_score: float | None
    entity_boost: float
    """What the final score owes to names that the question has too."""
    final_score: float
    """Between 0 and 1; it can be compared between questions."""
    snippet: str
    """The lines that answer best, with the found words between `[[` and `]]`."""
    is_weak: bool = False
    """True where so little of the question was met that it is probably not answered here."""
    parent: Chunk | None = None
    """The chunk that opens the enclosing section; filled by expansion."""
    siblings: tuple[Chunk, ...] = ()

    @property
    def full_path(self) -> tuple[str, ...]:
        """The path with the document's title in front, as a chunk has it."""
        return _full_path(self.chunk.document_title, self.section_path)

    @property
    def enriched_content(self) -> str:
        """The chunk as a reader without the document needs it: its path as a first line, its heading, the content."""
        return self.chunk.render(breadcrumb=True)

    def to_json(self, *, enriched: bool = False) -> dict[str, Any]:
        """Return the hit by names, its chunks as their own schema says; with `enriched`, also `enriched_content`."""
        return {
            **{each.name: getattr(self, each.name) for each in fields(self)},
            **({"enriched_content": self.enriched_content} if enriched else {}),
            "chunk": self.chunk.to_json(),
            "parent": self.parent.to_json() if self.parent else None,
            "siblings": [each.to_json() for each in self.siblings],
        }


class Piece(NamedTuple):
    """A part of a chunk that has a vector of its own."""

    start: int
    """Offsets in the content of the chunk; of one that was found, in the text of the document."""
    end: int
    prefix: str = ""
    """What makes a part of a cut block whole: a fence, or the head of a table."""
    suffix: str = ""
    score: float = 0.0
    """How well it matches by itself."""


@dataclass(frozen=True, slots=True)
class Passage:
    """Text to give to a reader or a language model, put together from hits."""

    chunk_ids: tuple[str, ...]
    document_id: str
    source: str
    section_id: str
    parent_section_id: str | None
    heading_chain: tuple[str, ...]
    content: str
    start_line: int
    end_line: int
    token_count: int
    score: float
    citation: str

    def to_json(self) -> dict[str, Any]:
        """Return the passage by names; the heading chain is "A > B", or null above all headings."""
        chain = " > ".join(self.heading_chain) or None
        return {**{each.name: getattr(self, each.name) for each in fields(self)}, "heading_chain": chain}


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """What a search is limited to; what is not set does not limit."""

    section: str = ""
    """A glob without case, for the title or the breadcrumb of a section that the chunk lies in or holds."""
    titles: tuple[str, ...] = ()
    """Titles or breadcrumbs without case, one of which such a section has as it stands here."""
    source: str = ""
    """A glob for the document's source."""
    format: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    """Values that the user's metadata must have."""
    since: str = ""
    """First day of the document's date, as YYYY-MM-DD."""
    until: str = ""


KEEPS_TOKENS: Final = "token_signs"
"""The setting of an index that keeps the tokens of its chunks beside their vectors."""
TEXT_REVISION: Final = "text:"
"""Opens the revision of a document that was given as text; no file needs to exist for it."""
MIGRATED_REVISION: Final = f"{TEXT_REVISION}older layout"
"""Of a document that was migrated from an older layout; no pipeline gives this one."""


class StoredDocument(NamedTuple):
    """A document as a store keeps it."""

    id: str
    source: str
    format: str
    title: str
    text: str
    revision: str
    """Changes with the content, the options and the model; an equal one needs no work."""
    content_hash: str
    date: str
    """YYYY-MM-DD: of the front matter, else of the file; empty if neither is known."""
    metadata: Mapping[str, Any]
    pages: tuple[tuple[int, int], ...] = ()
    """As in `Document`, so that a citation can name pages, or the lines of the file."""
    lines: places.LineMarks = ()
    language: str = ""
    """The ISO 639 code of the language that its words are read in, `und` if nothing tells it; empty for a document that
    was indexed before languages were known."""


class ListedDocument(NamedTuple):
    """A document in the list of what an index holds."""

    source: str
    format: str
    date: str
    characters: int
    """Of its text as Markdown."""
    chunks: int
    pending: int
    """Chunks that wait to be embedded."""
    failed: int = 0
    """Chunks that could not be embedded and wait no longer."""
    language: str = ""
    """As in `StoredDocument`."""


class StoredSection(NamedTuple):
    """A section as a store keeps it."""

    id: str
    parent_id: str | None
    document_id: str
    title: str
    level: int
    path: tuple[str, ...]
    start: int
    end: int
    start_line: int
    end_line: int


class StoredChunk(NamedTuple):
    """A chunk with what search needs beside it."""

    chunk: Chunk
    text_hash: str
    """Of the text that is embedded; a vector is used again while it stays."""
    vectors: Vectors | None
    """None while it waits to be embedded."""
    tokens: tuple[bytes, ...] = ()
    """Of every piece, as its embedder keeps them, if the index does."""


class DocumentRows(NamedTuple):
    """Everything that a store keeps of one document."""

    document: StoredDocument
    sections: tuple[StoredSection, ...]
    chunks: tuple[StoredChunk, ...]


class Found(NamedTuple):
    """A chunk that one side of a search found."""

    chunk_id: str
    score: float


class StoreCounts(NamedTuple):
    """How much a store holds."""

    documents: int
    sections: int
    chunks: int
    pending: int
    """Chunks that wait to be embedded."""
    failed: int
    """Chunks that could not be embedded and wait no longer."""


class Embedded(NamedTuple):
    """What came of embedding a chunk: vectors, or the reason why there are none."""

    text_hash: str
    """Of the text that was embedded."""
    vectors: Vectors | None
    error: str = ""
    tokens: tuple[bytes, ...] = ()
    traceback: str = ""
    """Where it failed, unless the embedder refused the text."""


EmbedChunks: TypeAlias = Callable[[Sequence[Chunk]], Mapping[str, Embedded]]
"""Embeds chunks; what came of it is told by their ids."""


IndexVectors: TypeAlias = Callable[[str, Mapping[str, Any]], bool]
"""Builds an index of the vectors of a table, which is known by its address, as told; returns whether it could."""


class Finding(NamedTuple):
    """Something that is wrong with an index, or worth knowing about it."""

    message: str
    repair: str = ""
    """What to do about it."""
    is_fault: bool = True
    """False for what is as it may be."""


class PieceMaker(Protocol):
    """Knows what the vectors of a chunk are made from."""

    def pieces(self, chunk: Chunk) -> list[Piece]:
        """Return the parts of a chunk that have a vector each."""

    def text_hash(self, chunk: Chunk) -> str:
        """Return what the vectors of a chunk are known by."""


class Store(Protocol):
    """Keeps documents, sections and chunks, and finds them again.

    Writing happens between `lock` and its end, in one process at a time unless a store allows several; any number may
    read. A document is replaced in one step: every reader sees all of its old rows or all of its new ones.
    """

    @property
    def location(self) -> str:
        """Where the index is, for people: nothing in it lets anybody in."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """What the index was made with."""

    def lock(self, wait_seconds: float = 0) -> AbstractContextManager[None]:
        """Become a writer, or raise `Locked` after a wait where there can be only one."""

    def change_setting(self, name: str, value: Any) -> None:
        """Store another value of a setting; None removes it."""

    def replace_documents(self, documents: Sequence[DocumentRows]) -> None:
        """Write documents in place of what is stored of them."""

    def delete_documents(self, ids: Sequence[str]) -> None: ...

    def document_revisions(self) -> dict[str, str]:
        """Return the revision of every document by its source."""

    def languages(self) -> Mapping[str, int]:
        """Return how many documents are in each language; those of an earlier index have the empty one."""

    def set_languages(self, languages: Mapping[str, str]) -> None:
        """Read the words of documents again, each in its language; they are given by id."""

    def documents(self, ids: Sequence[str]) -> list[StoredDocument]:
        """Return those documents that exist, in the order asked for, as `sections` and `chunks` do."""

    def listed(self, ids: Sequence[str]) -> list[ListedDocument]:
        """Return how large documents are, by source, without reading their texts."""

    def sections(self, ids: Sequence[str]) -> list[StoredSection]: ...

    def chunks(self, ids: Sequence[str]) -> list[Chunk]: ...

    def subsections(self, parent_ids: Sequence[str]) -> list[StoredSection]:
        """Return the sections directly below these, in order."""

    def section_chunks(self, section_ids: Sequence[str]) -> list[Chunk]:
        """Return the chunks whose section is one of these, in order."""

    def titles(self, beginning: str, limit: int) -> list[str]:
        """Return titles of sections that have a word with this beginning, without case; the best first, each once."""

    def counts(self) -> StoreCounts:
        """Return how much there is."""

    def size_bytes(self) -> int:
        """Return the space that it takes."""

    def known_vectors(self, text_hashes: Sequence[str]) -> dict[str, Vectors]:
        """Return vectors that were made before, by the hash of their text."""

    def known_tokens(self, text_hashes: Sequence[str]) -> dict[str, tuple[bytes, ...]]:
        """Return the tokens that came with such vectors, piece by piece, where they are kept."""

    def known_texts(self) -> list[str]:
        """Return the hashes of all texts that have vectors."""

    def count_waiting(self) -> int:
        """Return how many chunks wait to be embedded, without looking at all others."""

    def embed_waiting(self, limit: int, embed: EmbedChunks, *, skip: Collection[str] = ()) -> int:
        """Let some of the chunks that wait be embedded, and commit what came of it; return how many there were.

        Where several processes may write, no other one takes these chunks meanwhile.
        """

    def retry_failed(self) -> None:
        """Let chunks wait again that could not be embedded."""

    def holds(self, filter: Filter) -> bool:
        """Return whether there is anything that a filter allows."""

    def search_dense(self, vector: Vectors, limit: int, filter: Filter) -> list[Found]:
        """Return the nearest chunks, best first."""

    def search_lexical(self, words: Sequence[str], limit: int, filter: Filter, *, heading_weight: float) -> list[Found]:
        """Return the chunks in which the words weigh most, best first; those in headings count as much as told."""

    def maintain(self, *, thoroughly: bool = False) -> None:
        """Build and refresh indexes, and drop what is no longer needed; `thoroughly`, whatever it costs."""

    def index_with(self, index_vectors: IndexVectors | None) -> None:
        """Let the vectors of a large index be indexed elsewhere from now on, where a store can do that, or here."""

    def inspect(self) -> Iterator[Finding]:
        """Look for damage, and for rows that belong to nothing; nobody writes meanwhile."""

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Violation:
    """One broken guarantee (error) or one thing worth knowing (warning)."""

    rule: str
    chunk_id: str | None
    start_line: int
    end_line: int
    message: str
    severity: Severity = "error"


@dataclass(frozen=True, slots=True)
class Figures:
    """What the chunks of a document look like."""

    chunks: int
    tokens: int
    tokens_min: int
    tokens_median: float
    tokens_max: int
    fill: float
    """Mean size as a share of `target_tokens`."""
    tiny: int
    """Chunks below `min_tokens`."""
    cuts_inside_sections: int
    """Cuts between two blocks of one section, or inside a block."""
    oversize: Mapping[str, int]
    """Chunks above `max_tokens` by reason."""


@dataclass(frozen=True, slots=True)
class Report:
    """What `check` found in the chunks of one document."""

    source: str
    coverage: float
    """Share of the non-blank characters that are in exactly one chunk."""
    line_recall: float
    """Share of the lines with at least 20 characters that appear whole in a chunk."""
    figures: Figures
    violations: tuple[Violation, ...]

    @property
    def ok(self) -> bool:
        """True if no guarantee is broken; warnings do not count."""
        return all(each.severity != "error" for each in self.violations)

    def to_json(self) -> dict[str, Any]:
        """Return the report by names."""
        named = asdict(self)
        return {"source": named.pop("source"), "ok": self.ok, **named}


def _check_schema(schema: object) -> None:
    name, _, version = CHUNK_SCHEMA.partition("/")
    given, _, number = str(schema).partition("/")
    if given != name or not number.isdecimal():
        raise OptionsError(f"{schema!r} is not a schema of chunks: expected {CHUNK_SCHEMA!r}")
    if int(number) > int(version):
        raise OptionsError(f"a newer Crosshead wrote this chunk ({schema}): upgrade, this one reads {CHUNK_SCHEMA}")


@cache
def _empty_fields() -> Mapping[str, Any]:
    """Return what the fields of a chunk are where nothing is known of them."""
    empty: dict[str, Any] = {"str": "", "int": 0, "bool": False, "tuple[str, ...]": (), "Mapping[str, Any]": {}}
    known = {"parts": 1, "indexable": True, "content_type": "prose", "format": "markdown"}
    return {each.name: known.get(each.name, empty.get(str(each.type))) for each in fields(Chunk)}


def _full_path(title: str, path: tuple[str, ...]) -> tuple[str, ...]:
    return path if path[:1] == (title,) else (title, *path)


def _pair(first: int | None, last: int | None) -> tuple[int, int] | None:
    return None if first is None else (first, last or first)
