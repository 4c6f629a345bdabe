"""How the documents of an index are read, cut and embedded.

An index is made with one recipe and keeps it among its settings, so that all its documents stay comparable.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any, Final, Literal, get_args

from crosshead.errors import CorruptIndex, OptionsError, OptionsMismatch
from crosshead.ids import canonical_json, content_hash
from crosshead.model import Chunk
from crosshead.options import ChunkOptions, ExtractOptions, chunk_options, extract_options

EmbedText = Literal["breadcrumb+content", "content"]

PIPELINE_VERSION: Final = 2
"""Goes up when the same file and options would give other rows, so that every document is made again."""


@dataclass(frozen=True)
class Recipe:
    """Everything that decides what becomes of a file."""

    chunk: ChunkOptions
    extract: ExtractOptions
    embed_text: EmbedText
    language: str
    embedder_revision: str

    def __post_init__(self) -> None:
        if self.embed_text not in get_args(EmbedText):
            raise OptionsError(f"embed_text={self.embed_text!r} is not one of {', '.join(get_args(EmbedText))}")

    @cached_property
    def fingerprint(self) -> str:
        """Changes with everything but the file itself."""
        return canonical_json([PIPELINE_VERSION, asdict(self)])

    def revision_of(self, data: bytes, *more: object) -> str:
        """Return what a document's revision is if its file has these bytes; `more` is what was given beside them."""
        return sha256(canonical_json([sha256(data).hexdigest(), self.fingerprint, *more]).encode()).hexdigest()

    def text_to_embed(self, chunk: Chunk) -> str:
        """Return what the vector of a chunk is made from."""
        if self.embed_text == "content":
            return chunk.content
        return f"{' > '.join(chunk.full_path)}\n{chunk.content}"

    def text_hash(self, chunk: Chunk) -> str:
        """Return what the vector of a chunk is known by."""
        return content_hash(self.text_to_embed(chunk))

    def to_settings(self) -> dict[str, Any]:
        """Return the recipe as an index keeps it."""
        return asdict(self)

    @classmethod
    def from_settings(cls, settings: Mapping[str, Any], location: str) -> Recipe:
        """Read what `to_settings` wrote into the settings of an index."""
        try:
            return cls(
                chunk=chunk_options(**settings["chunk"]),
                extract=extract_options(**settings["extract"]),
                embed_text=settings["embed_text"],
                language=settings["language"],
                embedder_revision=settings["embedder_revision"],
            )
        except (KeyError, TypeError, OptionsError) as error:
            raise CorruptIndex(f"{location}: its settings are damaged ({error}); remove it and index again") from error


def check_same(stored: Mapping[str, Any], asked: Mapping[str, Any], location: str) -> None:
    """Raise `OptionsMismatch` if an option is asked for that an index was not made with."""
    for name, value in asked.items():
        if canonical_json(stored.get(name)) != canonical_json(value):
            raise OptionsMismatch(
                f"{location}: made with {name}={stored.get(name)!r}, not {value!r}: "
                f"leave {name} out, or make a new index in another place"
            )
