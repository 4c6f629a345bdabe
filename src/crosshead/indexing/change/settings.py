"""The settings of an index, and those that a caller names -> what changes, and what has to be made again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from functools import cached_property
from typing import Any, Final

from crosshead.embedding import AUTO, get_embedder
from crosshead.ids import canonical_json
from crosshead.indexing.opened import IndexSettings
from crosshead.indexing.recipe import FIRST_RECIPE, Recipe
from crosshead.options import DEFAULT_MAX_TOKENS, ChunkOptions, chunk_options, extract_options
from crosshead.store import SCHEMA_SETTING
from crosshead.types import CALIBRATION, HAS_TOKEN_VECTORS, UNCALIBRATED, Embedder, TokenEmbedder

FOLLOWING: Final = ("target_tokens", "min_tokens", "overlap_tokens")
"""Options whose defaults follow `max_tokens`."""
SHOWN: Final = ("embedder", "language", "embed_text", "piece_tokens", HAS_TOKEN_VECTORS, "extract")
"""Settings that a change may have, besides the chunking options."""


class SettingsChange:
    """The settings of an index before and after a change."""

    def __init__(self, before: Mapping[str, Any], named: IndexSettings, location: str) -> None:
        """`named` are the settings that the caller names; all others stay."""
        self.before = before
        self._named = named
        self.old_recipe = Recipe.from_settings(before, location)

    @property
    def own_embedder(self) -> Embedder | None:
        """The embedder that the caller made."""
        return self._named.own_embedder

    @cached_property
    def embedder(self) -> Embedder | None:
        """The embedder that the caller names; None if it stays the same."""
        named = self._named
        if named.embedder_name == AUTO:
            return None
        embedder = named.own_embedder or get_embedder(named.embedder_name)
        known = (self.before["embedder"], self.before["embedder_revision"])
        return None if (embedder.name, embedder.revision) == known else embedder

    @cached_property
    def recipe(self) -> Recipe:
        """The recipe after the change."""
        named, old = self._named.named, self.old_recipe
        recipe = Recipe(
            chunk=_changed_options(self.before["chunk"], self._named.chunking),
            extract=extract_options(**{**old.extract.of_text(), **self._named_extract()}),
            embed_text=named.get("embed_text", old.embed_text),
            piece_tokens=named.get("piece_tokens", old.piece_tokens),
            language=named.get("language", old.language),
            embedder_revision=self.embedder.revision if self.embedder else old.embedder_revision,
        )
        return recipe.following(old)

    def _named_extract(self) -> dict[str, Any]:
        names = self._named.extract_names
        named = self._named.named.get("extract", {})
        return {name: value for name, value in named.items() if names is None or name in names}

    @cached_property
    def after(self) -> dict[str, Any]:
        """All settings after the change."""
        embedder = self.embedder
        kept = {name: value for name, value in self.before.items() if name not in (FIRST_RECIPE, SCHEMA_SETTING)}
        model = {"embedder": embedder.name, "dimension": embedder.dimension} if embedder else {}
        if CALIBRATION in kept:
            kept[CALIBRATION] = UNCALIBRATED
        return {**kept, **model, HAS_TOKEN_VECTORS: self._has_token_vectors(), **self.recipe.to_settings()}

    def _has_token_vectors(self) -> bool:
        wanted = self._named.token_signs
        if self.embedder is None and wanted is None:
            return bool(self.before.get(HAS_TOKEN_VECTORS))
        if wanted is False:
            return False
        return isinstance(self.embedder or get_embedder(self.before["embedder"]), TokenEmbedder)

    @cached_property
    def differences(self) -> dict[str, tuple[Any, Any]]:
        """The settings that differ, each with its value before and after; empty if nothing changes.

        Those that only follow another one are left out.
        """
        before, after = ({**each, **each["chunk"]} for each in (self.before, self.after))
        names = [name for name in (*SHOWN, *after["chunk"]) if _differ(before.get(name), after.get(name))]
        if "max_tokens" in names:
            names = [name for name in names if name not in FOLLOWING or name in self._named.chunking]
        if self.embedder and self._named.token_signs is None:
            names = [name for name in names if name != HAS_TOKEN_VECTORS]
        if self.embedder and "embedder" not in names:  # another version of the same model
            names.insert(0, "embedder")
        return {name: (before.get(name), after.get(name)) for name in names}

    @cached_property
    def cuts(self) -> bool:
        """Whether documents are cut again, from their stored texts."""
        return _differ(asdict(self.old_recipe.chunk), asdict(self.recipe.chunk))

    @cached_property
    def keeps_vectors(self) -> bool:
        """Whether an equal text has equal vectors after the change."""
        old, new = self.old_recipe, self.recipe
        pieces = [(each.piece_tokens, each.embed_text, each.chunk.tokenizer) for each in (old, new)]
        has_tokens = self.before.get(HAS_TOKEN_VECTORS) or not self.after[HAS_TOKEN_VECTORS]
        return bool(pieces[0] == pieces[1] and has_tokens and self.embedder is None)

    @property
    def needs_model(self) -> bool:
        """Whether there may be texts to embed."""
        return self.cuts or not self.keeps_vectors


def _changed_options(stored: Mapping[str, Any], named: Mapping[str, Any]) -> ChunkOptions:
    """Return chunking options with some changed; defaults that follow `max_tokens` follow the new one."""
    largest = stored["max_tokens"]
    if named.get("max_tokens", largest) == largest:
        return chunk_options(**{**stored, **named})
    defaults = [chunk_options(max_tokens=largest), *([chunk_options()] if largest == DEFAULT_MAX_TOKENS else [])]
    following = {each for each in FOLLOWING if stored[each] in [getattr(options, each) for options in defaults]}
    kept = {name: value for name, value in stored.items() if name not in following}
    return chunk_options(**{**kept, **named})


def _differ(one: Any, other: Any) -> bool:
    return canonical_json(one) != canonical_json(other)
