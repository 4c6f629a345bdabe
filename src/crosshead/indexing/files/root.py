"""The folder that sources are relative to, and how it is noticed that an index was moved away from it.

By default it follows the folder of the index. Where an index is moved alone, or a database is used from another folder,
the same files get other sources, and every document would be there twice.
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
    """Return the sources of those documents that come from files."""
    return [source for source, revision in revisions.items() if not revision.startswith(TEXT_REVISION)]


def take_root(store: Store, root: Path, asked: str | None) -> Path:
    """Return the root of an index; another one than before is taken over if its documents are there now."""
    if asked is None or os.path.realpath(asked) == os.path.realpath(root):
        return root
    known = files_of(store.document_revisions())
    if _any_found(root, known) or not _any_found(Path(asked), known):
        check_same({"root": str(root)}, {"root": asked}, store.location)
    with store.lock():
        store.change_setting("root", asked)
    return Path(asked)


def check_root(sources: Sources, known: Collection[str], root: Path, location: str, *, pruned: bool) -> None:
    """Raise an error if files would be added once more, because sources were relative to another root."""
    staying = {source for source in known if not (pruned and lies_in(source, sources.searched))}
    if not staying:
        return
    new = [os.path.realpath(file.path) for file in sources.files if file.source not in staying]
    other = _other_root(new, staying, root)
    if other:
        raise OptionsMismatch(f"{location}: the documents would be there twice: {other}, or remove those first")


def _other_root(new: list[str], known: Collection[str], root: Path) -> str:
    """Say how documents are known that are not found below the root; nothing if they are found."""
    whole = next((path for path in new if path in known), None)
    if whole:
        return f"they are known by their whole paths, as {whole}: give the root that they had with --root (root=)"
    relative = {source for source in known if not PurePath(source).is_absolute()}
    if not relative or _any_found(root, relative):
        return ""
    roots = Counter(other for path in new for other in _roots(path, relative)).most_common(1)
    return f"those it knows are not below {root} any more: move it with --root {roots[0][0]} (root=)" if roots else ""


def _any_found(root: Path, sources: Collection[str]) -> bool:
    """Return whether there is a file that has one of these sources with this root."""
    paths = ((os.path.join(root, source), source) for source in sources)
    return any(
        (os.path.lexists(path) or split_path(path)) and source_of(path, root) == source for path, source in paths
    )


def _roots(path: str, known: Collection[str]) -> Iterator[str]:
    """Go through the folders below which a path has a known name."""
    parts = PurePath(path).parts
    return (str(PurePath(*parts[:at])) for at in range(1, len(parts)) if "/".join(parts[at:]) in known)
