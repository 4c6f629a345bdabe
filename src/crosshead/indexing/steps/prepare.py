"""One file -> the rows of its document, without vectors."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime
from hashlib import sha256
from typing import Any, Final, NamedTuple

from crosshead import pipeline
from crosshead.checking import check_stored
from crosshead.errors import InvariantViolated
from crosshead.formats import split_path
from crosshead.indexing.embedding.pieces import PieceCutter
from crosshead.indexing.language.choice import language_of
from crosshead.indexing.recipe import Recipe
from crosshead.indexing.steps.links import links_in
from crosshead.indexing.steps.source_file import (
    UNREAD_PAGES,
    SourceFile,
    content_revision,
    has_content,
    has_unread_pages,
    with_metadata,
)
from crosshead.types import (
    TEXT_REVISION,
    Chunks,
    Document,
    DocumentRows,
    Section,
    StoredChunk,
    StoredDocument,
    StoredSection,
)

DATE_KEYS: Final = ("date", "content_date")

_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}")


class FileContent(NamedTuple):
    """What is in a file, and the hashes that its revision is made of."""

    data: bytes
    digest: str
    included: list[str] | None
    """Of the files that it includes; None if it asks for no file."""

    @property
    def lasting_digest(self) -> str:
        """The hash, if the document stays the same as long as the file does, else ""."""
        return self.digest if self.included is None else ""


class PreparedFile(NamedTuple):
    """What comes of a file."""

    rows: DocumentRows
    lasting_digest: str
    """As in `FileContent`."""


def read_file(recipe: Recipe, file: SourceFile) -> FileContent:
    """Read and hash a file."""
    data = pipeline.read_bytes(file.path, recipe.extract, source=file.source)
    nearby = file.nearby
    included = pipeline.include_digests(data, file.format, file.source, nearby) if nearby else None
    return FileContent(data, sha256(data).hexdigest(), included)


def prepare_file(recipe: Recipe, file: SourceFile) -> tuple[PreparedFile, tuple[str, ...]]:
    """Read a file and chunk its document; return what comes of it, and the warnings about it."""
    content = read_file(recipe, file)
    document = pipeline.read_document(
        content.data,
        file.format,
        source=file.source,
        metadata=file.own_metadata,
        options=recipe.extract,
        nearby=file.nearby,
    )
    document = pipeline.with_syntax(document, recipe.chunk.mdx)
    revision = content_revision(recipe, file, content.digest, content.included)
    revision += UNREAD_PAGES if document.unread_pages else ""
    rows = make_rows(recipe, document, with_metadata(revision, file.metadata), file_date(file.path))
    return PreparedFile(rows, content.lasting_digest), document.warnings


def is_current(recipe: Recipe, known: str, content: str) -> bool:
    """Return whether a stored revision is that of this content, and its unread pages cannot be read now either."""
    return has_content(known, content) and not (has_unread_pages(known) and pipeline.can_recognize(recipe.extract))


def remake_rows(recipe: Recipe, stored: StoredDocument, metadata: Mapping[str, Any], revision: str) -> DocumentRows:
    """Cut a stored document again, without its file; `metadata` is that besides its front matter."""
    document = replace(pipeline.reopen(stored), metadata=metadata)
    return make_rows(recipe, pipeline.with_syntax(document, recipe.chunk.mdx), revision, stored.date)


def prepare_text(
    recipe: Recipe, text: str, source: str, format: str, metadata: Mapping[str, Any]
) -> tuple[DocumentRows, tuple[str, ...]]:
    """Parse and chunk a text that is not in a file; return its rows and warnings."""
    data = text.encode("utf-8", "replace")
    document = pipeline.read_document(data, format, source=source, metadata=metadata, options=recipe.extract)
    document = pipeline.with_syntax(document, recipe.chunk.mdx)
    return make_rows(recipe, document, text_revision(recipe, text, format, metadata), ""), document.warnings


def text_revision(recipe: Recipe, text: str, format: str, metadata: Mapping[str, Any]) -> str:
    """Return the revision of a document that is added as text."""
    digest = sha256(text.encode("utf-8", "replace")).hexdigest()
    return TEXT_REVISION + recipe.revision_of(digest, format, metadata)


def make_rows(recipe: Recipe, document: Document, revision: str, date_of_file: str) -> DocumentRows:
    """Chunk a document; the date in its metadata comes before that in its front matter, and both before the file's."""
    stored = StoredDocument(
        id=document.id,
        source=document.source,
        format=document.format,
        title=document.title,
        text=document.text,
        revision=revision,
        content_hash=document.content_hash,
        date=_stated_date(document.metadata) or _stated_date(document.front_matter) or date_of_file,
        metadata=_metadata(document, recipe),
        pages=document.pages,
        lines=document.lines,
        language=language_of(document.text, recipe),
    )
    text_hash = PieceCutter(recipe).text_hash
    chunks = tuple(StoredChunk(chunk, text_hash(chunk), None) for chunk in _cut(document, recipe))
    sections = tuple(sections_of(document.root, document.id))
    return DocumentRows(stored, sections, chunks, links_in(document, sections))


def _cut(document: Document, recipe: Recipe) -> Chunks:
    """Chunk a document; raise an error if a chunk breaks a guarantee, because in an index it would go unnoticed."""
    chunks = pipeline.chunk(document, recipe.chunk)
    broken = next(check_stored(document, chunks, recipe.chunk), None)
    if broken:
        raise InvariantViolated(
            f"{broken.message} (rule {broken.rule}): a fault of Crosshead; please report it", document.source
        )
    return chunks


def _metadata(document: Document, recipe: Recipe) -> dict[str, Any]:
    """Return the front matter and the metadata that was added with the document."""
    front_matter = document.front_matter if recipe.chunk.front_matter == "metadata" else {}
    return {**front_matter, **document.metadata}


def sections_of(root: Section, document_id: str) -> Iterator[StoredSection]:
    """Yield a section and all below it in the order of the text."""
    pending = [root]
    while pending:
        section = pending.pop()
        pending.extend(reversed(section.children))
        yield StoredSection(
            section.id, section.parent_id, document_id, section.title, section.level, section.path,
            section.start, section.end, section.start_line, section.end_line,
        )  # fmt: skip


def _stated_date(metadata: Mapping[str, Any]) -> str:
    for key in DATE_KEYS:
        found = _DAY.match(str(metadata.get(key, "")))
        if found and _is_day(found[0]):
            return found[0]
    return ""


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def file_date(path: str) -> str:
    """Return the day of the last change of a file, "" if it is gone."""
    try:
        outer, _ = (path, "") if os.path.exists(path) else split_path(path) or (path, "")
        return datetime.fromtimestamp(os.stat(outer).st_mtime, UTC).date().isoformat()
    except (OSError, ValueError, OverflowError):  # removed meanwhile, or a time outside the calendar
        return ""
