"""Opening an index: its store and its settings.

1. the settings that the caller names are checked
2. an existing index is opened, and must have the same settings; else one is created, if the caller allows it
3. a new index without a named embedder takes the best one for the language of its documents
"""

from __future__ import annotations

import copy
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from crosshead.embedding import AUTO, advise, get_embedder
from crosshead.errors import CrossheadError, IndexNotFound, ModelNotChosen, OptionsError, OptionsMismatch, StoreError
from crosshead.indexing.embedding.pieces import PieceCutter
from crosshead.indexing.recipe import EmbedText, Recipe, check_same
from crosshead.options import ChunkOptions, ExtractOptions, Tokenizer, check_types, chunk_options
from crosshead.store import PARTS_FILE, UNFINISHED_COPY, is_folder, open_store
from crosshead.tokens import get_counter
from crosshead.types import (
    HAS_TOKEN_VECTORS,
    Embedder,
    IndexVectors,
    MissingIndex,
    ParallelEmbedder,
    Store,
    TokenEmbedder,
)


@dataclass(frozen=True, kw_only=True)
class IndexSettings:
    """The settings that a caller names for an index; None means that of the index, or the default of a new one."""

    root: str | None = None
    """The whole path of the folder that sources are relative to."""
    embedder: str | Embedder | None = None
    language: str | None = None
    embed_text: EmbedText | None = None
    piece_tokens: int | None = None
    token_signs: bool | None = None
    extract: ExtractOptions | None = None
    extract_names: Collection[str] | None = None
    """The options of reading that a change takes over; None means all of them."""
    chunking: Mapping[str, Any]

    def __post_init__(self) -> None:
        check_types(str | None, language=self.language)
        check_types(ExtractOptions | None, extract=self.extract)
        if not isinstance(self.embedder, str | None) and not hasattr(self.embedder, "embed"):
            raise OptionsError(f"embedder={self.embedder!r} must be a name, or an embedder")
        _ = self.chunk_options  # raises an error for a wrong option

    @property
    def own_embedder(self) -> Embedder | None:
        """The embedder that the caller made."""
        return None if isinstance(self.embedder, str | None) else self.embedder

    @property
    def embedder_name(self) -> str:
        """The name of the embedder; `auto` if the caller names none."""
        return self.own_embedder.name if self.own_embedder else str(self.embedder or AUTO)

    @property
    def is_change(self) -> bool:
        """Whether the caller names any setting that may change in an existing index."""
        return self.embedder_name != AUTO or bool(self.named.keys() - {"root"})

    @cached_property
    def chunk_options(self) -> ChunkOptions:
        """The chunking options that the caller names, with defaults for the rest."""
        return chunk_options(**self.chunking)

    @cached_property
    def named(self) -> dict[str, Any]:
        """The settings that the caller names, in the form in which an index stores them."""
        others = {
            "root": self.root,
            "language": self.language,
            "embed_text": self.embed_text,
            "piece_tokens": self.piece_tokens,
            HAS_TOKEN_VECTORS: self.token_signs,
            "extract": self._extract_of_text(),
        }
        return {**{name: value for name, value in others.items() if value is not None}, **self.chunking}

    def _extract_of_text(self) -> dict[str, Any] | None:
        """Return the options that change the text; those that hold for one run are not stored in an index."""
        extract, default = self.extract, ExtractOptions()
        if extract is None or (extract.of_text() == default.of_text() and extract != default):
            return None
        return extract.of_text()


class OpenedIndex:
    """An open store with the recipe, the root and the embedder of its index."""

    missing: tuple[MissingIndex, ...] = ()
    """None: it is only one index."""

    def __init__(
        self,
        location: str | Path,
        settings: IndexSettings,
        *,
        create: bool,
        may_differ: bool = False,
        find_documents: Callable[[], Sequence[str | Path]],
        wait_seconds: float,
        offer_model: Callable[[str], None] | None = None,
    ) -> None:
        """With `may_differ`, an existing index may have other settings than those that the caller names.

        `offer_model` is called before a new index takes the best model installed for a language, and may install one.
        """
        check_types(str | Path, location=location)
        if not isinstance(wait_seconds, int | float) or wait_seconds < 0:
            raise OptionsError(f"wait_seconds={wait_seconds!r} must be a number of at least 0")
        self._own_embedder = self._embedder = settings.own_embedder
        self.advice = ""
        """Which model would give better answers, if a new index took the best one installed."""
        self._wait_seconds = wait_seconds
        self._find_documents = find_documents
        self._offer_model = offer_model
        self.store = self._open(location, settings, create=create)
        try:
            self._extract = settings.extract or ExtractOptions()
            if not may_differ:
                check_settings(self.store, settings)
            self.recipe = self._read_recipe()
            known_root = Path(self.store.settings.get("root") or default_root(self.store.location))
            self.root = known_root if settings.root is None else self._take_root(known_root, settings.root)
        except CrossheadError:
            self.store.close()
            raise

    def _take_root(self, known: Path, named: str) -> Path:
        from crosshead.indexing.files.root import take_root  # a search does without

        return take_root(self.store, known, named)

    def _open(self, location: str | Path, settings: IndexSettings, *, create: bool) -> Store:
        try:
            return open_store(location)
        except ModelNotChosen:
            if not create and settings.embedder is None:
                raise
        except IndexNotFound:
            if not create:
                raise
        return open_store(location, create=self._new_settings(settings))

    def _new_settings(self, settings: IndexSettings) -> dict[str, Any]:
        from crosshead.indexing.language.sample import main_language  # slow to import, and only a new index needs them
        from crosshead.language.words import stemmer

        stemmer(settings.language or "auto")  # raises an error that lists the known languages
        name, named = settings.embedder_name, settings.named
        documents = self._find_documents() or [*filter(None, [settings.root])]
        is_auto = name == AUTO and not self._embedder
        language = main_language(documents) if is_auto else ""
        if is_auto and self._offer_model:
            self._offer_model(language)
        embedder = self._embedder = self._embedder or get_embedder(name, language)
        self.advice = advise(embedder.name, language) if is_auto else ""
        return {
            "root": settings.root,
            "embedder": embedder.name,
            "dimension": embedder.dimension,
            HAS_TOKEN_VECTORS: isinstance(embedder, TokenEmbedder) and named.get(HAS_TOKEN_VECTORS, True),
            **Recipe.from_named(named, settings.chunk_options, embedder.revision).to_settings(),
        }

    @property
    def location(self) -> str:
        """Where the index is, as it is shown: without a password."""
        return self.store.location

    @cached_property
    def embedder(self) -> Embedder:
        """The embedder that the index was made with."""
        embedder = self._embedder or get_embedder(self.store.settings["embedder"])
        return check_revision(embedder, self.recipe.embedder_revision, self.location)

    @cached_property
    def piece_cutter(self) -> PieceCutter:
        """Cuts chunks into the pieces that have a vector each."""
        return PieceCutter(self.recipe)

    @property
    def tokenizer(self) -> Tokenizer:
        """What counts the tokens of chunks and passages."""
        return self.recipe.chunk.tokenizer

    def count_tokens(self, text: str) -> int:
        """Count tokens as the index does; the first call loads the vocabulary."""
        return get_counter(self.tokenizer)(text)

    @property
    def is_embedder_named(self) -> bool:
        """Whether another process can load the embedder by its name."""
        return self._own_embedder is None

    def embedder_for(self, jobs: int | None) -> Embedder:
        """Return an embedder that works in worker processes, unless the caller made it in this one."""
        return working_embedder(self.embedder, jobs, is_named=self.is_embedder_named)

    def reopened(self, own_embedder: Embedder | None = None) -> OpenedIndex:
        """Return the index as it is after a change of its settings; `own_embedder` is the caller's for the new ones."""
        return self.on_store(self.store.reopened(), own_embedder)

    def on_store(self, store: Store, own_embedder: Embedder | None) -> OpenedIndex:
        """Return the same index with the settings and the rows of another store."""
        other = copy.copy(self)
        for name in ("embedder", "piece_cutter"):
            vars(other).pop(name, None)
        other.store = store
        known = [each for each in (own_embedder, self._embedder) if each and each.name == store.settings["embedder"]]
        own = [each for each in (own_embedder, self._own_embedder) if each in known]
        other._embedder, other._own_embedder = next(iter(known), None), next(iter(own), None)
        other.recipe = other._read_recipe()
        return other

    def _read_recipe(self) -> Recipe:
        return Recipe.from_settings(self.store.settings, self.location).reading_with(self._extract)

    def close(self) -> None:
        """Close the store."""
        self.store.close()

    def lock(self, *, index_vectors: IndexVectors | None = None) -> AbstractContextManager[None]:
        """Take the write lock; raise an error if the index is an unfinished copy."""
        if self.unfinished_copy_of:
            raise StoreError(f"{self.unfinished_copy} before you change or copy it")
        return self.store.lock(self._wait_seconds, index_vectors=index_vectors)

    @property
    def unfinished_copy_of(self) -> str:
        """The index that this is an interrupted copy of; empty for an index that is complete."""
        return self.store.settings.get(UNFINISHED_COPY) or ""

    @property
    def unfinished_copy(self) -> str:
        """What to do about an unfinished copy."""
        source = self.unfinished_copy_of
        return f"{self.location}: the copy of {source} is unfinished: run crosshead copy {source} {self.location}"


def check_settings(store: Store, named: IndexSettings) -> None:
    """Raise `OptionsMismatch` if the caller names other settings than those of the index."""
    settings = store.settings
    others = {name: value for name, value in named.named.items() if name != "root"}
    check_same({**settings, **settings["chunk"]}, others, store.location)
    name = named.embedder_name
    if name not in (AUTO, settings["embedder"]):
        check_same(settings, {"embedder": get_embedder(name).name}, store.location)


def check_revision(embedder: Embedder, revision: str, location: str) -> Embedder:
    """Return an embedder; raise `OptionsMismatch` if an index was made with another version of it."""
    if embedder.revision != revision:
        raise OptionsMismatch(
            f"{location}: made with another version of the model {embedder.name}: install that version, "
            f"or make all vectors again: crosshead index --embedder {embedder.name} (index.change)"
        )
    return embedder


def working_embedder(embedder: Embedder, jobs: int | None, *, is_named: bool) -> Embedder:
    """Return an embedder that works in worker processes, unless they cannot load it by its name."""
    if is_named:
        from crosshead.indexing.embedding.workers import in_workers  # a search does without

        return in_workers(embedder, partial(get_embedder, embedder.name), jobs)
    if isinstance(embedder, ParallelEmbedder):
        embedder.jobs = jobs
    return embedder


def default_root(location: str) -> Path:
    """Return the folder that holds the index, or the index that this is a part of; for a URL, the working folder."""
    if not is_folder(location):
        return Path.cwd()
    folder = Path(location).absolute().parent
    return folder.parent if (folder / PARTS_FILE).is_file() else folder


def whole_path(path: str | Path | None) -> str | None:
    """Return the absolute path."""
    check_types(str | Path | None, root=path)
    return None if path is None else os.path.abspath(path)
