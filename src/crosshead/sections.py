"""Sections of a store by their place in the tree: one query per level, however many are asked for."""

from __future__ import annotations

from collections.abc import Iterable

from crosshead.model import Store, StoredSection


def with_enclosing(store: Store, section_ids: Iterable[str]) -> dict[str, StoredSection]:
    """Return sections and all that enclose them, by their ids."""
    found: dict[str, StoredSection] = {}
    asked = [*dict.fromkeys(section_ids)]
    while asked:
        level = store.sections(asked)
        found.update((section.id, section) for section in level)
        above = dict.fromkeys(section.parent_id for section in level if section.parent_id)
        asked = [each for each in above if each not in found]
    return found


def all_below(store: Store, section_ids: Iterable[str]) -> list[StoredSection]:
    """Return all that lies below sections, each once."""
    found: dict[str, StoredSection] = {}
    asked = [*dict.fromkeys(section_ids)]
    while asked:
        level = [section for section in store.subsections(asked) if section.id not in found]
        found.update((section.id, section) for section in level)
        asked = [section.id for section in level]
    return [*found.values()]
