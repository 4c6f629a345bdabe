"""Find damaged files and orphaned rows of an embedded index."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from crosshead.store.lance import indexes, rows
from crosshead.store.lance.inspection import checksums
from crosshead.types import Finding


def inspect_files(location: Path, names: tuple[str, ...]) -> Iterator[Finding]:
    """Compare the files with their checksums."""
    repair = f"restore it from a copy, or remove {location} and index again"
    try:
        found = checksums.compare(location, names)
    except ValueError:
        yield Finding(f"{checksums.CHECKSUMS_FILE}: damaged", f"{repair}; other files were not compared")
        return
    for path in found.changed:
        yield Finding(f"{path}: damaged since it was written", repair)
    for path in [] if found.unknown else found.missing:
        yield Finding(f"{path}: missing", repair)
    if found.unknown:
        what = f"{len(found.unknown):,} files have no checksum: an earlier version or a killed run wrote them"
        yield Finding(what, f"crosshead optimize --index {location}", is_fault=False)


def inspect_rows(table: Any, location: str) -> Iterator[Finding]:
    """Look for orphaned rows, duplicates, and rows outside the indexes."""
    found = table.to_table(columns=["key", "kind", "document_id"]).to_pydict()
    keys: dict[str, set[str]] = {kind: set() for kind in (rows.DOCUMENT, rows.SECTION, rows.CHUNK, rows.WINDOW)}
    for key, kind in zip(found["key"], found["kind"], strict=True):
        keys.setdefault(kind, set()).add(key)
    repair = f"remove {location} and index again"
    orphans = [each for each in found["document_id"] if each not in keys[rows.DOCUMENT]]
    if orphans:
        yield Finding(f"{len(orphans):,} rows belong to no document, for example {orphans[0]}", repair)
    strays = [key for key in keys[rows.WINDOW] if rows.chunk_id_of(key) not in keys[rows.CHUNK]]
    if strays:
        yield Finding(f"{len(strays):,} vectors belong to no chunk, for example {min(strays)}", repair)
    twice = len(found["key"]) - sum(map(len, keys.values()))
    if twice:
        yield Finding(f"{twice:,} rows are duplicates", repair)
    outside = indexes.rows_outside(table)
    if outside:
        what = f"{outside:,} of {len(found['key']):,} rows are outside the indexes, and slow to search"
        yield Finding(what, f"crosshead optimize --index {location}", is_fault=False)
