"""How the documents of an index are read, cut and embedded.

An index is made with one recipe and keeps it among its settings, so that all its documents stay comparable.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from hashlib import sha256
from typing import Any, Final, Literal, get_args

from crosshead.errors import CorruptIndex, OptionsError, OptionsMismatch
from crosshead.ids import canonical_json, content_hash
from crosshead.options import OF_ONE_RUN, ChunkOptions, ExtractOptions, chunk_options, extract_options
from crosshead.pipeline import chunk_text
from crosshead.types import Chunk, Piece

EmbedText = Literal["breadcrumb+content", "content"]

PIECE_TOKENS: Final = 128
"""Of the pieces of a chunk that have a vector each."""
PIPELINE_VERSION: Final = 4
"""Goes up when the same file and options would give other rows, so that every document is made again."""


@dataclass(frozen=True)
class Recipe:
    """Everything that decides what becomes of a file."""

    chunk: ChunkOptions
    extract: ExtractOptions
    embed_text: EmbedText
    piece_tokens: int
    """A larger chunk has several vectors, of pieces of at most this size; 0 makes one vector of a whole chunk."""
    language: str
    embedder_revision: str

    def __post_init__(self) -> None:
        if self.embed_text not in get_args(EmbedText):
            raise OptionsError(f"embed_text={self.embed_text!r} is not one of {', '.join(get_args(EmbedText))}")
        if not isinstance(self.piece_tokens, int) or self.piece_tokens < 0:
            raise OptionsError(f"piece_tokens={self.piece_tokens!r} must be a whole number of at least 0")

    @cached_property
    def fingerprint(self) -> str:
        """Changes with everything but the file itself."""
        return canonical_json([PIPELINE_VERSION, self.to_settings()])

    def revision_of(self, digest: str, *more: object) -> str:
        """Return the revision of a document whose file has this hash; `more` is what else its rows depend on."""
        return sha256(canonical_json([digest, self.fingerprint, *more]).encode()).hexdigest()

    def texts_to_embed(self, chunk: Chunk) -> list[str]:
        """Return what the vectors of a chunk are made from: its pieces, each below the path of the chunk."""
        heading = self._heading(chunk)
        return [
            f"{heading}{piece.prefix}{chunk.content[piece.start : piece.end]}{piece.suffix}"
            for piece in self.pieces(chunk)
        ]

    def pieces(self, chunk: Chunk) -> list[Piece]:
        """Return the parts of a chunk that have a vector each; rows of a large table come with its head.

        A question is mostly answered by a few lines; in the vector of a long text these count for little.
        """
        options, whole = self._piece_options, [Piece(0, len(chunk.content))]
        is_small = self.chunk.tokenizer == options.tokenizer and chunk.token_count <= self.piece_tokens
        if is_small or not self.piece_tokens:
            return whole
        cut = chunk_text(chunk.content, options)
        return [Piece(each.start, each.end, each.prefix, each.suffix) for each in cut] or whole

    def text_hash(self, chunk: Chunk) -> str:
        """Return what the vectors of a chunk are known by."""
        return content_hash(self._heading(chunk) + chunk.content)

    def _heading(self, chunk: Chunk) -> str:
        return "" if self.embed_text == "content" else f"{' > '.join(chunk.full_path)}\n"

    @cached_property
    def _piece_options(self) -> ChunkOptions:
        size = self.piece_tokens or 1
        return ChunkOptions(max_tokens=size, overlap_tokens=0, front_matter="include", oversize="split")

    def reading_with(self, asked: ExtractOptions) -> Recipe:
        """Return the same recipe with those options of one run that an index does not keep."""
        of_this_run = {name: getattr(asked, name) for name in OF_ONE_RUN}
        return replace(self, extract=replace(self.extract, **of_this_run))

    def to_settings(self) -> dict[str, Any]:
        """Return the recipe as an index keeps it."""
        return {**asdict(self), "extract": self.extract.of_text()}

    @classmethod
    def from_asked(cls, asked: Mapping[str, Any], embedder_revision: str) -> Recipe:
        """Take what was asked for, and what is usual for the rest."""
        chunk_names = ChunkOptions.__dataclass_fields__
        return cls(
            chunk=chunk_options(**{name: value for name, value in asked.items() if name in chunk_names}),
            extract=extract_options(**asked.get("extract", {})),
            embed_text=asked.get("embed_text", "breadcrumb+content"),
            piece_tokens=asked.get("piece_tokens", PIECE_TOKENS),
            language=asked.get("language", "auto"),
            embedder_revision=embedder_revision,
        )

    @classmethod
    def from_settings(cls, settings: Mapping[str, Any], location: str) -> Recipe:
        """Read what `to_settings` wrote into the settings of an index."""
        try:
            return cls(
                chunk=chunk_options(**settings["chunk"]),
                extract=extract_options(**settings["extract"]),
                embed_text=settings["embed_text"],
                piece_tokens=settings.get("piece_tokens", 0),
                language=settings["language"],
                embedder_revision=settings["embedder_revision"],
            )
        except (KeyError, TypeError, OptionsError) as error:
            raise CorruptIndex(f"its settings are damaged ({error}); remove it and index again", location) from error


def check_same(stored: Mapping[str, Any], asked: Mapping[str, Any], location: str) -> None:
    """Raise `OptionsMismatch` if an option is asked for that an index was not made with."""
    for name, value in asked.items():
        if canonical_json(stored.get(name)) != canonical_json(value):
            raise OptionsMismatch(
                f"{location}: made with {name}={stored.get(name)!r}, not {value!r}: "
                f"leave {name} out, or make a new index in another place"
            )
