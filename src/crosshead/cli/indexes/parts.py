"""Index documents into the parts of an index."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

from crosshead import indexing  # its names are imported when they are used
from crosshead.cli.indexes.changing import apply_settings, show_change
from crosshead.cli.indexes.offer import offer_model
from crosshead.cli.indexes.results import IndexOutput
from crosshead.cli.terminal.progress import indexing_progress
from crosshead.errors import OptionsError
from crosshead.store import Parts, find_parts, make_parts

if TYPE_CHECKING:
    from crosshead.index import Index, JoinedIndex


def parts_to_write(location: str, count: int | None) -> Parts | None:
    """Return the parts of the index to write to; None if it is one whole."""
    return make_parts(location, count) if count is not None else find_parts(location)


def open_to_read(location: str) -> Index | JoinedIndex:
    """Open an index, or all parts of one, none of which may be missing."""
    from crosshead.index import Index

    return Index.join(location, require_all=True) if find_parts(location) else Index(location, create=False)


def each_location(location: str) -> list[str]:
    """Return the locations of the parts of an index; of one that is whole, its own."""
    parts = find_parts(location)
    return parts.locations if parts else [location]


def index_parts(
    parts: Parts,
    settings: indexing.IndexSettings,
    request: indexing.AddRequest,
    output: IndexOutput,
    *,
    watch: bool,
    wait: float,
) -> indexing.AddResult:
    """Bring all parts up to date, print what became of the documents, and return it."""
    if watch:
        raise OptionsError("--watch follows one index: leave it out, and run the command again after changes")
    offer = None if output.as_json else offer_model
    opened, sources = indexing.open_parts(
        parts, settings, request, may_differ=True, wait_seconds=wait, offer_model=offer
    )
    with closing(opened):
        for number, each in enumerate(opened.opened):
            opened.opened[number], changed = apply_settings(each, settings, jobs=request.jobs)
            output = output._replace(change=changed) if changed.settings else output
        if output.change and not output.as_json:
            show_change(output.change)
        result = _add(opened, request, output, sources)
        if result.kept and output.confirms_removal(len(result.kept)):
            result = _add(opened, replace(request, allow_removal=True), output, None)
        output.show_better_model(opened.first)
    return result


def _add(
    index: indexing.PartedIndex,
    request: indexing.AddRequest,
    output: IndexOutput,
    sources: indexing.Sources | None,
) -> indexing.AddResult:
    with indexing_progress() as on_progress:
        result = indexing.add_to_parts(index, request, sources=sources, on_progress=on_progress)
    output.show(result)
    output.show_skipped(result.skipped)
    return result
