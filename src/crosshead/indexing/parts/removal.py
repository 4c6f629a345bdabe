"""Missing documents of all parts -> those to remove.

A part alone may hold only one document of a folder, and a renamed file may have another part. So it is decided for all
parts together, as if they were one index.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from crosshead.indexing.files.missing import Removal, guard_removal
from crosshead.indexing.files.root import files_of
from crosshead.indexing.files.sources import Sources
from crosshead.indexing.recipe import Recipe
from crosshead.indexing.steps.prepare import read_file
from crosshead.indexing.steps.source_file import content_revision, without_metadata


def decide_removal(
    sources: Sources, known: Mapping[str, str], recipe: Recipe, *, prune: bool, allow_removal: bool
) -> Removal:
    """Return which documents to remove; `known` are the revisions of all documents by source."""
    files = files_of(known)
    gone = sources.missing(files) if prune else []
    if allow_removal or not gone:
        return Removal(gone, [], [])
    contents = {source: without_metadata(known[source]) for source in gone}
    kept = {without_metadata(known[file.source]) for file in sources.files if file.source in known}
    removal = _guard(gone, contents, kept, files, sources)
    if removal.kept:
        kept |= _contents_of_new(sources, known, recipe)
        removal = _guard(gone, contents, kept, files, sources)
    return removal


def _guard(gone: list[str], contents: Mapping[str, str], kept: set[str], known: list[str], sources: Sources) -> Removal:
    lost = {source for source in gone if contents[source] not in kept}
    return guard_removal(gone, lost, known, sources.searched)


def _contents_of_new(sources: Sources, known: Mapping[str, str], recipe: Recipe) -> set[str]:
    """Return the revisions that new files will have: some of them may be renamed."""
    found = set[str]()
    for file in sources.files:
        if file.source not in known:
            with suppress(Exception):  # the part that it belongs to reports what is wrong
                content = read_file(recipe, file)
                found.add(content_revision(recipe, file, content.digest, content.included))
    return found
