"""How the documents of an index are read, chunked and embedded.

An index stores the recipe that it was made with in its settings, so that all its documents stay comparable.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from typing import Any, Final, Literal, get_args

from crosshead.errors import CorruptIndex, OptionsError, OptionsMismatch
from crosshead.ids import canonical_json
from crosshead.options import OF_ONE_RUN, ChunkOptions, ExtractOptions, chunk_options, extract_options

FIRST_RECIPE: Final = "first_recipe"
"""The setting of an index that was changed: the recipe that the revisions of its documents are made with."""

EmbedText = Literal["breadcrumb+content", "content"]

PIECE_TOKENS: Final = 128
"""Maximum size of the pieces of a chunk that have a vector each."""
PIPELINE_VERSION: Final = 6
"""Increased when the same file and options give other rows, so that every document is indexed again."""


@dataclass(frozen=True)
class Recipe:
    """Everything that decides which rows a file has."""

    chunk: ChunkOptions
    extract: ExtractOptions
    embed_text: EmbedText
    piece_tokens: int
    """A larger chunk has several vectors, one per piece of at most this size; 0 makes one vector per chunk."""
    language: str
    embedder_revision: str
    first: Mapping[str, Any] | None = field(default=None, compare=False)
    """The settings of the recipe that revisions are made with, if the index was changed since.

    A change makes all rows again, so that only a change of the file has to show in a revision.
    """

    def __post_init__(self) -> None:
        if self.embed_text not in get_args(EmbedText):
            raise OptionsError(f"embed_text={self.embed_text!r} is not one of {', '.join(get_args(EmbedText))}")
        if not isinstance(self.piece_tokens, int) or self.piece_tokens < 0:
            raise OptionsError(f"piece_tokens={self.piece_tokens!r} must be a whole number of at least 0")

    @cached_property
    def fingerprint(self) -> str:
        """A text that changes with the recipe and the version of the pipeline."""
        return canonical_json([PIPELINE_VERSION, self.first or self._own_settings()])

    def revision_of(self, digest: str, *more: object) -> str:
        """Return the revision of a document whose file has this hash; `more` is what else its rows depend on."""
        return sha256(canonical_json([digest, self.fingerprint, *more]).encode()).hexdigest()

    def reading_with(self, options: ExtractOptions) -> Recipe:
        """Return the recipe with the options that hold for one run only, which an index does not store."""
        of_this_run = {name: getattr(options, name) for name in OF_ONE_RUN}
        return replace(self, extract=replace(self.extract, **of_this_run))

    def to_settings(self) -> dict[str, Any]:
        """Return the recipe as it is stored in an index."""
        return {**self._own_settings(), **({FIRST_RECIPE: self.first} if self.first else {})}

    def _own_settings(self) -> dict[str, Any]:
        own = {name: value for name, value in asdict(self).items() if name != "first"}
        return {**own, "extract": self.extract.of_text()}

    def following(self, before: Recipe) -> Recipe:
        """Return the recipe for an index that has another one now; its documents keep their revisions.

        Only other options of reading change them, because then every file has to be read again.
        """
        first = {**(before.first or before._own_settings()), "extract": self.extract.of_text()}
        return replace(self, first=None if first == self._own_settings() else first)

    @classmethod
    def from_named(cls, named: Mapping[str, Any], chunk: ChunkOptions, embedder_revision: str) -> Recipe:
        """Return the recipe with the settings that the caller names, and defaults for the rest."""
        return cls(
            chunk=chunk,
            extract=extract_options(**named.get("extract", {})),
            embed_text=named.get("embed_text", "breadcrumb+content"),
            piece_tokens=named.get("piece_tokens", PIECE_TOKENS),
            language=named.get("language", "auto"),
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
                first=settings.get(FIRST_RECIPE),
            )
        except (KeyError, TypeError, OptionsError) as error:
            raise CorruptIndex(f"its settings are damaged ({error}); remove it and index again", location) from error


def how_to_change(name: str, value: Any) -> str:
    """Return what to do to give an index another value of a setting."""
    if name == "root":
        return "make a new index in another place"
    flag = f"crosshead index --{name.replace('_', '-')} {value}, or " if isinstance(value, str | int) else ""
    return f"change the index: {flag}index.change({name}={value!r})"


def check_same(stored: Mapping[str, Any], named: Mapping[str, Any], location: str) -> None:
    """Raise `OptionsMismatch` if the caller names a setting that differs from the stored one."""
    for name, value in named.items():
        if canonical_json(stored.get(name)) != canonical_json(value):
            raise OptionsMismatch(
                f"{location}: made with {name}={stored.get(name)!r}, not {value!r}: "
                f"leave {name} out, or {how_to_change(name, value)}"
            )
