"""Every option with its default and its validation, in one place."""

from __future__ import annotations

import re
import reprlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from datetime import date
from functools import cache, lru_cache
from itertools import chain
from os import PathLike
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Final, Literal, Union, cast, get_args, get_origin, get_type_hints

from crosshead.errors import OptionsError

Strategy = Literal["auto", "section", "fixed"]
Oversize = Literal["keep", "split"]
FrontMatterMode = Literal["metadata", "include", "strip"]
Tokenizer = Literal["cl100k_base", "o200k_base", "estimate", "estimate:prose", "estimate:code", "characters"]

MainContent = Literal["auto", "off"]
Ocr = str | Callable[[bytes], str]
"""`auto`, `never`, a command that reads a picture and writes its text, or a function that does the same."""
OCR_MODES: Final = ("auto", "never")
SearchMode = Literal["hybrid", "dense", "lexical"]
MAXSIM: Final = "maxsim"
"""The reranker that compares token vectors."""

DEFAULT_LOCATION: Final = ".crosshead"
PART_SECONDS: Final = 10.0
"""How long a search of several indexes waits for one of them."""
DEFAULT_MAX_TOKENS: Final = 400
DEFAULT_OVERLAP_TOKENS: Final = 80
MIN_SHARE: Final = 4
"""A chunk below a quarter of the maximum counts as small, unless it is half of the target."""
OVERLAP_SHARE: Final = 0.16
"""Overlap follows a given maximum down to this share of it."""

STYLE_MEANINGS: Final = ("1", "2", "3", "4", "5", "6", "code", "quote", "text")
"""Meanings that a paragraph style of a word processor can be given."""

_UNITS: Final = {"": 1, "K": 1_000, "M": 1_000_000, "G": 1_000_000_000}
_SIZE: Final = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,6})?) ?([KMG]?)B?")
_CALLED: Final = {
    str: "a string",
    Path: "a path",
    PathLike: "a path",
    date: "a date",
    Mapping: "a mapping",
    int: "a whole number",
    bool: "True or False",
    bytes: "bytes",
}

_FOLLOW = cast(int, None)
"""Default of an option that follows `max_tokens`; replaced by a number when the options are made."""


OF_ONE_RUN: Final = ("max_file_size", "max_seconds", "max_memory", "ocr")
"""Options of reading that an index does not keep."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractOptions:
    """How a document is turned into Markdown."""

    main_content: MainContent = "auto"
    """HTML: `auto` leaves out navigation and other text around the main content, `off` keeps the whole body."""
    base_url: str = ""
    """HTML: resolve relative links against this URL; without it they stay relative."""
    style_map: Mapping[str, str] = field(default_factory=dict)
    """DOCX: treat paragraphs of a style, given by name or id, as a heading (`1` to `6`), `code`, `quote` or `text`."""
    comments: bool = False
    """DOCX, PPTX, XLSX: keep reviewers' comments, as footnotes or quotes."""
    heading_numbers: bool = False
    """DOCX: include automatic numbering in the text of headings, as in `2.1 Scope`."""
    max_file_size: int = 0
    """Refuse larger files. Bytes, or a number with a unit, as in `300MB`; by default each format has its own limit."""
    max_seconds: int = 600
    """Give up on a document that takes longer to read than this plus 60 seconds per MB; `0` means no limit."""
    max_memory: int = 4_000_000_000
    """Refuse a document that takes more memory to read. Bytes, or a number with a unit, as in `8GB`; by default `4GB`,
    `0` means no limit. Linux only."""

    ocr: Ocr = "auto"
    """PDF pages without text, and images: `auto` recognizes their text if the extra `ocr` is installed, `never` does
    not. A command such as `tesseract - -` gets the picture on standard input and prints its text. In Python also a
    function that takes the picture's bytes and returns its text."""

    def __post_init__(self) -> None:
        check_choices(self)
        _check_extract_values(self)
        check_whole_number(self, "max_seconds", 0)
        for name in ("max_file_size", "max_memory"):
            _set(self, name, _read_size(self, name))
        _set(self, "ocr", self.ocr or "never")
        if not isinstance(self.style_map, Mapping):
            raise OptionsError(f"style_map={self.style_map!r} must be a table of styles: HeadA=1, Code=code")
        for style, meaning in self.style_map.items():
            if str(meaning) not in STYLE_MEANINGS:
                raise OptionsError(
                    f"style_map: {style}={meaning} means nothing; use one of {', '.join(STYLE_MEANINGS)}"
                )

    @property
    def takes_images(self) -> bool:
        """Are images taken from folders? A command or a function asks for that; `auto` would read every logo."""
        return self.ocr not in OCR_MODES

    def of_text(self) -> dict[str, Any]:
        """Return the options that affect the text of a document, as an index stores them.

        Limits do not, and a command is not stored, so that it only runs if the user asks for it.
        """
        return {name: value for name, value in asdict(self).items() if name not in OF_ONE_RUN}


def door(metavar: str, flags: str = "", **bounds: Any) -> Mapping[str, Any]:
    """Mark a field that is also a flag of the command line, a parameter over HTTP and an argument over MCP."""
    return {"metavar": metavar, "flags": tuple(flags.split()), "bounds": bounds}


@dataclass(frozen=True, kw_only=True)
class SearchOptions:
    """How an index is searched."""

    limit: int = field(default=10, metadata=door("N", "-k -n --limit --top-k", ge=1))
    """Hits to return."""
    mode: SearchMode = field(default="hybrid", metadata=door("NAME"))
    """`lexical` compares words, `dense` compares vectors, `hybrid` does both."""
    candidates: int = 100
    """Chunks that each of lexical and dense search may propose."""
    lexical_weight: float = 1.0
    dense_weight: float = 0.8
    """Weight of the cosine, relative to the share of the query's words that a chunk holds."""
    relative_cosines: bool = False
    """Rescale cosine scores relative to the weakest candidate; on by default for models we have not calibrated."""
    heading_weight: float = 0.25
    """Weight of a word in the headings above and inside a chunk, relative to one in its text; 0 ignores headings."""
    entity_weight: float = 0.1
    """Bonus for a chunk that holds every name, identifier and quoted phrase of the query."""
    rerank_depth: int = 50
    """Hits to rerank."""
    rerank_weight: float = 2.0
    """Weight of the reranker's score, relative to all others together."""
    rerank_pieces: bool = False
    """Rerank the best piece of each hit instead of its whole text."""
    per_document: int = field(default=0, metadata=door("N", ge=0))
    """Most hits from one document; 0 is no limit."""
    min_score: float = field(default=0.0, metadata=door("X", ge=0, le=1))
    """Leave out hits with a lower final score, so that a question without an answer gets none: 0 to 1."""
    min_confidence: float = field(default=0.0, metadata=door("X", ge=0, le=1))
    """Leave out hits with a lower confidence, in a calibrated index: 0 to 1."""
    weak_score: float = 0.3
    """Hits with a lower final score are marked as weak, if the index is not calibrated."""

    def __post_init__(self) -> None:
        check_choices(self)
        for name, least in (("limit", 1), ("candidates", 1), ("rerank_depth", 1), ("per_document", 0)):
            check_whole_number(self, name, least)
        for name in ("lexical_weight", "dense_weight", "heading_weight", "entity_weight", "rerank_weight"):
            value = getattr(self, name)
            if not isinstance(value, int | float) or not value >= 0:
                raise OptionsError(f"{name}={reprlib.repr(value)} must be a number that is not negative")
        for name in ("min_score", "min_confidence", "weak_score"):
            value = getattr(self, name)
            if not isinstance(value, int | float) or not 0 <= value <= 1:
                raise OptionsError(f"{name}={reprlib.repr(value)} must be a number from 0 to 1")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkOptions:
    """How a document is cut. Sizes that are not set are derived from `max_tokens`."""

    strategy: Strategy = "auto"
    """`auto`, the same as `section`, cuts at the structure; `fixed` cuts plain token windows, as a baseline."""
    max_tokens: int = _FOLLOW
    """Maximum chunk size. Only a single code block, table, formula or component may exceed it; see `oversize`."""
    target_tokens: int = _FOLLOW
    """Preferred chunk size when a section has to be split; by default `max_tokens`."""
    min_tokens: int = _FOLLOW
    """Join smaller sections with a neighbor under the same heading; with `0` each section is a separate chunk."""
    overlap_tokens: int = _FOLLOW
    """How much of the end of the previous chunk to repeat in the field `overlap`, at most: whole blocks or sentences
    (with `fixed`, words). Never part of `content`."""
    heading_depth: int = 6
    """Deepest heading level at which sections stay apart; deeper ones share chunks, as paragraphs do."""
    oversize: Oversize = "keep"
    """`keep` never cuts code, tables, formulas and components; `split` cuts those above `max_tokens` between lines."""
    front_matter: FrontMatterMode = "metadata"
    """`metadata` moves front matter into the chunks' metadata, `include` keeps it as text, `strip` drops it."""
    mdx: bool | Literal["auto"] = "auto"
    """Parse the text as MDX; `auto` decides by the file's suffix."""
    tokenizer: Tokenizer = "cl100k_base"
    """How to count tokens: with an exact encoding, by an estimate from characters, or as characters."""
    explain: bool = False
    """Record in `notes` why each chunk begins and ends where it does."""

    def __post_init__(self) -> None:
        check_choices(self)
        _follow_max_tokens(self)
        _check_sizes(self)


def check_types(kind: Any, **given: Any) -> None:
    """Raise an error that names the argument whose value has the wrong type."""
    for name, value in given.items():
        if not isinstance(value, kind):
            wanted = [_CALLED.get(each, each.__name__) for each in get_args(kind) or (kind,) if each is not NoneType]
            raise OptionsError(f"{name}={reprlib.repr(value)} must be {' or '.join(wanted)}")


def chunk_options(**given: Any) -> ChunkOptions:
    """Make options from names and values; an unknown name is an error that suggests the right one."""
    try:
        return _checked_options(**given)
    except TypeError:  # a value cannot be hashed, so it is wrong: the check says which one
        return _checked_options.__wrapped__(**given)


@lru_cache(maxsize=64, typed=True)
def _checked_options(**given: Any) -> ChunkOptions:
    """Check options once, not for every document that is cut with them; `typed` keeps `1` apart from `True`."""
    check_names(given, _names(ChunkOptions))
    return ChunkOptions(**given)


def extract_options(**given: Any) -> ExtractOptions:
    """Make options from names and values; an unknown name is an error that suggests the right one."""
    check_names(given, _names(ExtractOptions))
    return ExtractOptions(**given)


def check_names(
    given: Iterable[str], known: Sequence[str], others: Mapping[str, str] | None = None, *, kind: str = "option"
) -> None:
    """Raise an error that suggests the right name for an unknown one; `others` are names that people try first."""
    for name in given:
        if name not in known:
            from difflib import get_close_matches

            close = [*filter(None, [(others or {}).get(name)]), *get_close_matches(name, known, n=1)]
            hint = f"did you mean {close[0]}?" if close else f"known are {', '.join(known)}"
            raise OptionsError(f"unknown {kind} {name!r}: {hint}")


def _names(kind: type[ChunkOptions | ExtractOptions]) -> list[str]:
    return [each.name for each in fields(kind)]


def _check_extract_values(options: ExtractOptions) -> None:
    if not isinstance(options.ocr, str) and not callable(options.ocr):
        raise OptionsError(f"ocr={options.ocr!r} must be auto, never, a command, or a function")
    if not isinstance(options.base_url, str):
        raise OptionsError(f"base_url={options.base_url!r} must be an address")


def _read_size(options: ExtractOptions, name: str) -> int:
    size = getattr(options, name)
    found = _SIZE.fullmatch(str(size).strip().upper())
    if not found or isinstance(size, bool):
        raise OptionsError(f"{name}={size!r} must be a number of bytes, or one with a unit: 300MB")
    return int(float(found[1]) * _UNITS[found[2]])


def check_choices(options: Any) -> None:
    """Raise an error if a field whose type lists its values has another one."""
    for name, allowed in choices(options.__class__).items():
        value = getattr(options, name)
        if value not in allowed:
            raise OptionsError(f"{name}={reprlib.repr(value)} is not one of {', '.join(map(str, allowed))}")


@cache
def choices(kind: type) -> dict[str, tuple[object, ...]]:
    """Return the values of every field whose type lists them, as `Literal` and `bool` do."""
    return {name: allowed for name, hint in get_type_hints(kind).items() if (allowed := _listed(hint))}


def _listed(hint: Any) -> tuple[object, ...]:
    if hint is bool:
        return True, False
    if get_origin(hint) is Literal:
        return get_args(hint)
    alternatives = [_listed(each) for each in get_args(hint)] if get_origin(hint) in (UnionType, Union) else []
    return tuple(chain(*alternatives)) if all(alternatives) else ()


def _follow_max_tokens(options: ChunkOptions) -> None:
    given = options.max_tokens is not None
    check_whole_number(options, "max_tokens", 1) if given else _set(options, "max_tokens", DEFAULT_MAX_TOKENS)
    maximum = options.max_tokens
    overlap = min(DEFAULT_OVERLAP_TOKENS, int(OVERLAP_SHARE * maximum)) if given else DEFAULT_OVERLAP_TOKENS
    for name, value in (
        ("target_tokens", maximum),
        ("min_tokens", min(maximum // MIN_SHARE, (options.target_tokens or maximum) // 2)),
        ("overlap_tokens", overlap),
    ):
        if getattr(options, name) is None:
            _set(options, name, value)


def _check_sizes(options: ChunkOptions) -> None:
    check_whole_number(options, "target_tokens", 1)
    check_whole_number(options, "min_tokens", 0)
    check_whole_number(options, "overlap_tokens", 0)
    check_whole_number(options, "heading_depth", 1, 6)
    for small, large in (("target_tokens", "max_tokens"), ("min_tokens", "target_tokens")):
        if getattr(options, small) > getattr(options, large):
            raise OptionsError(
                f"{small}={getattr(options, small)} is above {large}={getattr(options, large)}: "
                f"lower {small} or raise {large}"
            )
    if options.overlap_tokens >= options.max_tokens:
        raise OptionsError(
            f"overlap_tokens={options.overlap_tokens} must be below max_tokens={options.max_tokens}: "
            "lower overlap_tokens or raise max_tokens"
        )


def check_whole_number(options: object, name: str, least: int, most: int | None = None) -> None:
    """Raise an error if a field is not a whole number within bounds."""
    value = getattr(options, name)
    if not isinstance(value, int) or isinstance(value, bool) or value < least or (most is not None and value > most):
        allowed = f"from {least} to {most}" if most is not None else f"of at least {least}"
        raise OptionsError(f"{name}={reprlib.repr(value)} must be a whole number {allowed}")


def _set(options: ChunkOptions | ExtractOptions, name: str, value: object) -> None:
    object.__setattr__(options, name, value)
