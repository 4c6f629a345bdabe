"""A search: its request, its filter, and the hits and passages it returns.

A new filter is a field of `Filter`, a line of `SearchKeywords`, and a condition in each store: the command line, HTTP,
MCP and the reference page take it from here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields
from datetime import date
from typing import Any, Final, Literal, TypeAlias, TypedDict

from crosshead.errors import OptionsError
from crosshead.options import SearchMode, SearchOptions, check_whole_number, door
from crosshead.types.chunk import Chunk, full_path
from crosshead.types.embedding import Rerank, Reranker

Expansion: TypeAlias = bool | int | Literal["links"]
"""What to add to hits: levels of the chunks around them, or the sections that they link to."""
LINKS: Final = "links"


@dataclass(frozen=True, kw_only=True)
class Filter:
    """Which chunks a search considers; a field that is not set allows all."""

    section_filter: str = field(default="", metadata=door("GLOB", "--section", max_length=500, examples=["Install*"]))
    """Only sections whose title or breadcrumb matches this glob, ignoring case, as in `Install*`."""
    source: str = field(default="", metadata=door("GLOB", max_length=500, examples=["docs/*.md"]))
    """Only documents with this source, those that match a glob (`docs/*.md`), or whose source contains a text, ignoring
    case (`distribute`)."""
    format: str = field(default="", metadata=door("NAME", max_length=50))
    """Only documents of this format."""
    metadata: Mapping[str, Any] = field(
        default_factory=dict, metadata=door("KEY=VALUE", "--where", max_length=20, examples=[["team=infra"]])
    )
    """Only documents with this metadata: `team=infra`, `team=infra,web` (one of them), `team!=web`, `year>=2024` (also
    `>`, `<=`, `<`, and days), `team=*` (any value), `team!=*` (none). Can be repeated."""
    since: str = field(default="", metadata=door("DAY"))
    """Only documents dated this day or later, as in `2026-01-31`: by `date` in their metadata or front matter, else by
    the last change of the file."""
    until: str = field(default="", metadata=door("DAY"))
    """Only documents dated this day or earlier."""
    source_part: str = ""
    """Only documents whose source contains this text, ignoring case; search sets it itself."""
    titles: tuple[str, ...] = ()
    """Titles or breadcrumbs, ignoring case, one of which a section of the chunk must have; search sets it itself."""


@dataclass(frozen=True, kw_only=True)
class SearchRequest(Filter, SearchOptions):
    """Everything about one search. A door makes it once, and passes it whole to all steps and the store."""

    query: str
    expand_context: Expansion = field(default=False, metadata=door("LEVELS|links", "--expand"))
    """Add the chunks above and beside each hit; with `2`, also the parent of its parent, and so on; with `links`, those
    of the sections that it links to. Passages take as many as the budget has room for."""
    all: bool = field(default=True, metadata=door("", "--all"))
    """Return weak matches, too, which may well not answer. Without it, passages are empty if all matches are weak."""
    rerank: str | Reranker | Rerank | None = field(default=None, metadata=door("NAME"))
    """Rerank the first hits: `maxsim`, `sentence-transformers:MODEL`, `http:MODEL`, or `none`. By default, an index
    that stores token vectors compares them. In Python also a function that takes the query and texts and returns a
    score for each text, a probability or its logit."""
    given: frozenset[str] = field(default=frozenset(), repr=False)
    """Names of the fields that the caller set; the others follow the index."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.expand_context, str):
            if self.expand_context != LINKS:
                raise OptionsError(f"expand_context={self.expand_context!r} is neither a number nor {LINKS!r}")
        elif not isinstance(self.expand_context, bool):
            check_whole_number(self, "expand_context", 0)


@dataclass(frozen=True, kw_only=True)
class PassageRequest(SearchRequest):
    """A search whose hits become passages."""

    limit: int = field(default=30, metadata=door("N", "-k -n --limit --top-k", ge=1))
    """Hits to compose passages from."""
    all: bool = field(default=False, metadata=door("", "--all"))
    """Quote weak matches even if there is no better one; they may well not answer."""
    budget_tokens: int = field(default=2000, metadata=door("N", "--budget", ge=1))
    """Maximum tokens of all passages together."""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_whole_number(self, "budget_tokens", 1)


@dataclass(frozen=True, kw_only=True)
class AnswerRequest(PassageRequest):
    """A search whose passages a language model turns into an answer."""

    max_answer_tokens: int = field(default=1024, metadata=door("N", ge=1))
    """Maximum tokens of the answer."""
    max_answer_seconds: int = field(default=300, metadata=door("N", ge=1))
    """How long the model may take for the whole answer."""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_whole_number(self, "max_answer_tokens", 1)
        check_whole_number(self, "max_answer_seconds", 1)


def door_fields(kind: type[SearchRequest]) -> list[Field[Any]]:
    """Return the fields that every door offers; the others are for tuning, in Python."""
    return [each for each in fields(kind) if each.metadata]


class SearchKeywords(TypedDict, total=False):
    """The other keywords of `Index.search`, for type checkers."""

    section_filter: str | None
    source: str | None
    format: str | None
    metadata: Mapping[str, Any] | None
    since: str | date | None
    until: str | date | None
    expand_context: Expansion
    all: bool
    rerank: str | Reranker | Rerank | None
    per_document: int | None
    min_score: float
    min_confidence: float
    weak_score: float
    candidates: int
    lexical_weight: float
    dense_weight: float
    relative_cosines: bool
    heading_weight: float
    entity_weight: float
    rerank_depth: int
    rerank_weight: float
    rerank_pieces: bool


class AnswerKeywords(SearchKeywords, total=False):
    """The other keywords of `Index.ask`, for type checkers."""

    budget_tokens: int
    limit: int
    mode: SearchMode
    max_answer_tokens: int
    max_answer_seconds: int


OF_HITS: Final = ("content", "start_line", "end_line", "score", "source", "title", "metadata")
"""Properties of a hit that are also in its JSON."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A section that matches a query, as far as it is in one chunk, with its scores.

    Id, path, text, position and citation are those of one section: the one that answers. A chunk may hold several.
    """

    chunk: Chunk
    section_id: str
    section_path: tuple[str, ...]
    start: int
    """Offset of `content` in the text of the document."""
    end: int
    citation: str
    """Where to find `content`: lines, pages, or at least the section."""
    pages: tuple[int, int] | None
    """First and last page of `content`, in formats with pages."""
    dense_rank: int | None
    """1 for the best; None if dense search did not find it."""
    lexical_rank: int | None
    dense_score: float | None
    """Cosine with the query; for models we have not calibrated, relative to the weakest candidate."""
    lexical_score: float | None
    """BM25, as a share of the highest score that the query's words could reach."""
    rerank_score: float | None
    entity_boost: float
    """Part of the final score that comes from names in the query."""
    final_score: float
    """Between 0 and 1; can be compared between queries."""
    snippet: str
    """The lines of `content` that answer best, as plain text without Markdown and headings."""
    highlights: tuple[tuple[int, int], ...] = ()
    """Where the snippet has words of the query: their first character and the one after the last."""
    is_weak: bool = False
    """True if it probably does not answer the query: its confidence is below the threshold of a calibrated index, or
    its score is low."""
    confidence: float | None = None
    """How likely it is to answer, 0 to 1, and never higher than that of the hit before; None if the index is not
    calibrated, or not for such searches."""
    parent: Chunk | None = None
    """The chunk that opens the enclosing section; set by `expand_context`."""
    siblings: tuple[Chunk, ...] = ()
    """The chunks next to it; set by `expand_context`."""
    ancestors: tuple[Chunk, ...] = ()
    """The parent of the parent, its parent and so on; set by `expand_context=2` or more."""
    linked: tuple[Chunk, ...] = ()
    """The chunks that open the sections it links to; set by `expand_context="links"`."""
    index: str = ""
    """The location of the index that it is from, if several are searched as one."""

    @property
    def content(self) -> str:
        """The text of the section, as far as it is in the chunk: an exact slice of the document."""
        return self.chunk.content[self.start - self.chunk.start : self.end - self.chunk.start]

    @property
    def start_line(self) -> int:
        """The first line of `content` in the document as Markdown."""
        return self.chunk.start_line + self.chunk.content.count("\n", 0, self.start - self.chunk.start)

    @property
    def end_line(self) -> int:
        """The last line of `content` in the document as Markdown."""
        return self.start_line + self.content.count("\n")

    @property
    def score(self) -> float:
        """The final score."""
        return self.final_score

    @property
    def source(self) -> str:
        """The source of the document."""
        return self.chunk.source

    @property
    def title(self) -> str:
        """The title of the document."""
        return self.chunk.document_title

    @property
    def metadata(self) -> Mapping[str, Any]:
        """The metadata of the document, its front matter included, as in a passage."""
        own = self.chunk.metadata
        return {**own.get("front_matter", {}), **{name: own[name] for name in own if name != "front_matter"}}

    @property
    def full_path(self) -> tuple[str, ...]:
        """The path below the document's title."""
        return full_path(self.chunk.document_title, self.section_path)

    @property
    def enriched_content(self) -> str:
        """The text for a reader without the document: the path as a first line, the heading, the content."""
        if self.content == self.chunk.content:
            return self.chunk.render(breadcrumb=True)
        return f"{' > '.join(self.section_path)}\n{self.content}"

    def to_json(self, *, enriched: bool = False) -> dict[str, Any]:
        """Return the hit as JSON, its chunks in their own schema; with `enriched`, also `enriched_content`."""
        return {
            **_fields(self),
            **{name: getattr(self, name) for name in OF_HITS},
            **({"enriched_content": self.enriched_content} if enriched else {}),
            "chunk": self.chunk.to_json(),
            "parent": self.parent.to_json() if self.parent else None,
            "siblings": [each.to_json() for each in self.siblings],
            "ancestors": [each.to_json() for each in self.ancestors],
            "linked": [each.to_json() for each in self.linked],
        }


@dataclass(frozen=True, slots=True)
class Passage:
    """Text for a reader or a language model, composed from hits."""

    chunk_ids: tuple[str, ...]
    document_id: str
    source: str
    section_id: str
    parent_section_id: str | None
    heading_chain: tuple[str, ...]
    content: str
    """The cited text; if its heading or table head is outside the cited lines, it is added in front."""
    start_line: int
    end_line: int
    token_count: int
    score: float
    citation: str
    title: str
    """The title of the document."""
    metadata: Mapping[str, Any]
    """The metadata of the document."""
    pages: tuple[int, int] | None
    """First and last page, in formats with pages."""
    is_weak: bool = False
    """True if it probably does not answer the query, as for hits."""
    index: str = ""
    """The location of the index that it is from, if several are searched as one."""

    def to_json(self) -> dict[str, Any]:
        """Return the passage as JSON; the heading chain is "A > B", or null above all headings."""
        chain = " > ".join(self.heading_chain) or None
        return {**_fields(self), "heading_chain": chain}


def _fields(found: Hit | Passage) -> dict[str, Any]:
    """Return the fields by name; the index only if several are searched."""
    return {each.name: getattr(found, each.name) for each in fields(found) if each.name != "index" or found.index}
