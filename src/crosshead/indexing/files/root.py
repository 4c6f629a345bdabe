"""The root: the folder that sources are relative to, and the checks for an index that was moved away from it.

By default the root is the folder that holds the index. If an index is moved without its documents, or a database is
used from another folder, the same files get other sources, and every document would be indexed twice.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path, PurePath

from crosshead.errors import OptionsMismatch
from crosshead.formats import split_path
from crosshead.indexing.files.sources import Sources, lies_in, source_of
from crosshead.indexing.recipe import check_same
from crosshead.types import TEXT_REVISION, Store


def files_of(revisions: Mapping[str, str]) -> list[str]:
    """Return the sources of documents that come from files."""
    return [source for source, revision in revisions.items() if not revision.startswith(TEXT_REVISION)]


def take_root(store: Store, root: Path, named: str) -> Path:
    """Return the root of an index: the named one if it is the same folder, or if the documents are there now."""
    if os.path.realpath(named) == os.path.realpath(root):
        return root
    known = files_of(store.document_revisions())
    if _any_found(root, known) or not _any_found(Path(named), known):
        check_same({"root": str(root)}, {"root": named}, store.location)
    with store.lock():
        store.change_setting("root", named)
    return Path(named)


def check_root(sources: Sources, known: Collection[str], root: Path, location: str, *, pruned: bool) -> None:
    """Raise an error if known files would be added again, because their sources are relative to another root."""
    staying = {source for source in known if not (pruned and lies_in(source, sources.searched))}
    if not staying:
        return
    new = [os.path.realpath(file.path) for file in sources.files if file.source not in staying]
    other = _other_root(new, staying, root)
    if other:
        raise OptionsMismatch(
            f"{location}: these files are already indexed under another root: {other}, or remove them first"
        )


def _other_root(new: list[str], known: Collection[str], root: Path) -> str:
    """Return which root to pass if known documents are not found below this one, else ""."""
    whole = next((path for path in new if path in known), None)
    if whole:
        return f"their sources are whole paths, as {whole}: pass the root that they had with --root (root=)"
    relative = {source for source in known if not PurePath(source).is_absolute()}
    if not relative or _any_found(root, relative):
        return ""
    roots = Counter(other for path in new for other in _roots(path, relative)).most_common(1)
    return f"pass --root {roots[0][0]} (root=) to keep them" if roots else ""


def _any_found(root: Path, sources: Collection[str]) -> bool:
    """Return whether any of these sources is a file below this root."""
    paths = ((os.path.join(root, source), source) for source in sources)
    return any(
        (os.path.lexists(path) or split_path(path)) and source_of(path, root) == source for path, source in paths
    )


def _roots(path: str, known: Collection[str]) -> Iterator[str]:
    """Yield the folders relative to which a path is a known source."""
    parts = PurePath(path).parts
    return (str(PurePath(*parts[:at])) for at in range(1, len(parts)) if "/".join(parts[at:]) in known)
