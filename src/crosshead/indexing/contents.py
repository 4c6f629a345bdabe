"""What an index holds: its status, its documents, and which of them a path or source names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from crosshead import ids
from crosshead.embedding import ENGLISH, advise
from crosshead.errors import OptionsError
from crosshead.indexing.opened import OpenedIndex
from crosshead.options import check_types
from crosshead.store import QUESTIONS_FILE, is_folder
from crosshead.types import CALIBRATION, Calibration, ListedDocument, Status

LISTED_AT_ONCE: Final = 500


def status_of(index: OpenedIndex) -> Status:
    """Return what an index holds, and what it was made with."""
    store = index.store
    return Status(
        location=store.location,
        root=str(index.root),
        **store.contents()._asdict(),
        size_bytes=store.size_bytes(),
        sizes=store.sizes(),
        embedder=store.settings["embedder"],
        settings={name: value for name, value in store.settings.items() if name != CALIBRATION},
        languages=dict(store.count_languages()),
        indexed_formats=tuple(store.distinct_values("format")),
        metadata_keys=tuple(dict.fromkeys(tag.partition("=")[0] for tag in store.distinct_values("tags"))),
        calibration=Calibration.from_settings(store.settings),
        advice=advice_about(index),
        unfinished_copy_of=index.unfinished_copy_of,
    )


def questions_file(index: OpenedIndex) -> Path:
    """Return where ratings are kept: in the folder of an index, or else in its root."""
    location = index.store.location
    return Path(location) / QUESTIONS_FILE if is_folder(location) else index.root / f".crosshead-{QUESTIONS_FILE}"


def advice_about(index: OpenedIndex) -> str:
    """Return which model would give better answers to most documents of an index."""
    languages = {language: count for language, count in index.store.count_languages().items() if language}
    return advise(index.store.settings["embedder"], max(languages, key=lambda each: languages[each], default=ENGLISH))


def list_documents(
    read: Callable[[Callable[[OpenedIndex], list[Any]]], list[Any]], sources: Iterable[str] | None
) -> Iterator[ListedDocument]:
    """Yield documents by source, without reading their texts: all of them, or those with one of some sources.

    `read` reads an index, as it is at the time.
    """
    if isinstance(sources, str):
        sources = [sources]
    ordered = read(lambda index: sorted(index.store.document_revisions())) if sources is None else sorted(set(sources))
    for at in range(0, len(ordered), LISTED_AT_ONCE):
        batch = [ids.document_id(source) for source in ordered[at : at + LISTED_AT_ONCE]]
        yield from read(partial(_list, ids=batch))


def _list(index: OpenedIndex, ids: Sequence[str]) -> list[ListedDocument]:
    return index.store.list_documents(ids)


def remove_source(index: OpenedIndex, source: str | Path) -> int:
    """Remove a document, or all below a folder, by source or by path; return how many were removed."""
    from crosshead.indexing.files.sources import lies_in, source_of  # the status does without

    check_types(str | Path, source=source)
    if not str(source).strip():
        raise OptionsError("no document is named: give a source, or the path of a file or folder")
    literal = {str(source).rstrip("/") or "/"} - {"."}  # "." is a path, and the root only if it is one
    names = literal | {source_of(source, index.root)}
    with index.lock():
        removed = [each for each in index.store.document_revisions() if lies_in(each, names)]
        index.store.delete_documents([ids.document_id(each) for each in removed])
    return len(removed)


def remove_documents(index: OpenedIndex, ids: Sequence[str]) -> None:
    """Remove documents by their ids."""
    with index.lock():
        index.store.delete_documents([ids] if isinstance(ids, str) else ids)


def optimize_index(index: OpenedIndex) -> None:
    """Detect missing languages of documents, refresh the search indexes, and drop old versions."""
    from crosshead.indexing.language.choice import add_languages  # the status does without

    with index.lock():
        add_languages(index.store, index.recipe)
        index.store.maintain(thoroughly=True)
