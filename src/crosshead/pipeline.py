"""One document through the rooms: read, extract, parse, chunk, check.

bytes --extract--> Markdown --parse--> blocks, sections --chunk--> chunks --check--> report
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path, PurePath
from typing import Any, Literal, ParamSpec, TypeVar

from crosshead import ids
from crosshead.checking import check_chunks
from crosshead.chunking import chunk_document
from crosshead.citation import LineMarks, source_line
from crosshead.errors import ExtractError, OptionsError, UnsupportedFormat, about
from crosshead.formats import (
    Choice,
    Extracted,
    Format,
    Nearby,
    check_size,
    choose_format,
    detect_format,
    extract_document,
    format_of,
    get_format,
    included_files,
    is_ocr_installed,
    log_warnings,
    nearby_of,
    normalize,
    own_formats,
    read_inside,
    split_path,
    use_formats,
)
from crosshead.markdown import MalformedFrontMatter, build_tree, parse_blocks, parse_front_matter
from crosshead.options import ChunkOptions, ExtractOptions, check_types, chunk_options
from crosshead.types import Block, Chunk, Chunks, Document, Report, StoredDocument

__all__ = [
    "can_recognize",
    "check",
    "chunk",
    "chunk_text",
    "explain_format",
    "include_digests",
    "may_include",
    "parse_document",
    "read",
    "read_bytes",
    "read_document",
    "reopen",
    "sendable",
    "with_syntax",
]

logger = logging.getLogger("crosshead")
P = ParamSpec("P")
T = TypeVar("T")

LONGEST_NAME = 255
TEXT_SOURCE = "<text>"
"""Source of a document that is given as text."""


def read(
    path_or_data: str | Path | bytes,
    format: str | None = None,
    *,
    source: str | None = None,
    metadata: Mapping[str, Any] | None = None,
    options: ExtractOptions | None = None,
    nearby: Nearby | None = None,
) -> Document:
    """Read a file or bytes into a document. Without a `format`, content decides first and the file's name second.

    `source` is the name of bytes, and may replace that of a file. Files that the document includes are read if they
    are `nearby`: for a file, by default those below the working folder, or else below its own folder.
    The warnings of the document are also logged.
    """
    document = read_document(path_or_data, format, source=source, metadata=metadata, options=options, nearby=nearby)
    log_warnings(document.warnings, document.source)
    return document


def read_document(
    path_or_data: str | Path | bytes,
    format: str | None = None,
    *,
    source: str | None = None,
    metadata: Mapping[str, Any] | None = None,
    options: ExtractOptions | None = None,
    nearby: Nearby | None = None,
) -> Document:
    """Read a file or bytes as `read` does, without logging."""
    check_types(str | os.PathLike | bytes, path_or_data=path_or_data)
    options = options or ExtractOptions()
    if isinstance(path_or_data, bytes):
        data, name = path_or_data, source or TEXT_SOURCE
        format = format or (_choose_format(source, data) if source else detect_format(data))
        if format is None:
            raise OptionsError("bytes need a format: read(data, format='markdown')")
    else:
        name = source or PurePath(path_or_data).as_posix()
        data = read_bytes(path_or_data, options, format, source=name)
        format = format or _choose_format(str(path_or_data), data)
        nearby = nearby or nearby_of(str(path_or_data))
    format = get_format(format).name
    with about(name):
        extracted = extract_document(data, format, options, nearby)
    return parse_document(extracted, source=name, format=format, metadata=metadata)


def sendable(step: Callable[P, T]) -> Callable[P, T]:
    """Return a step for another process; it registers the formats there that the user registered here."""
    return partial(_with_formats, own_formats(), step)


def _with_formats(own: tuple[Format, ...], step: Callable[..., T], *args: Any, **keywords: Any) -> T:
    use_formats(own)
    return step(*args, **keywords)


def can_recognize(options: ExtractOptions) -> bool:
    """Return whether the text of scanned pages and images can be read."""
    return options.takes_images or (options.ocr == "auto" and is_ocr_installed())


def explain_format(
    path_or_data: str | Path | bytes, format: str | None = None, options: ExtractOptions | None = None
) -> Choice:
    """Return the format that a file, or bytes without a name, is read as, and why."""
    if format:
        return Choice(get_format(format).name, "the format that was given")
    if isinstance(path_or_data, bytes):
        found = detect_format(path_or_data)
        return Choice(found or "markdown", "its content shows it" if found else "nothing shows another format")
    name = PurePath(path_or_data).as_posix()
    data = read_bytes(path_or_data, options or ExtractOptions(), source=name)
    return _choose(name, data)


def may_include(source: str) -> bool:
    """Return whether a document, by its name, may include other files."""
    try:
        return bool(get_format(format_of(source)).expand)
    except UnsupportedFormat:
        return False


def include_digests(data: bytes, format: str | None, source: str, nearby: Nearby) -> list[str] | None:
    """Return the hashes of the files that a document includes; None if it asks for no file."""
    if b"include::" not in data:
        return None
    try:
        format = format or _choose_format(source, data)
    except ExtractError:
        return None
    if not get_format(format).expand:
        return None
    return [sha256(each).hexdigest() for each in included_files(data, format, nearby)]


def parse_document(
    text: str | Extracted,
    *,
    source: str = TEXT_SOURCE,
    format: str = "markdown",
    metadata: Mapping[str, Any] | None = None,
) -> Document:
    """Make a document of Markdown, or of what a reader extracted; faults of the Markdown become warnings."""
    extracted = Extracted(normalize(text)) if isinstance(text, str) else text
    text, lines = extracted.text, extracted.lines
    document_id = ids.document_id(source)
    blocks = parse_blocks(text, mdx=format == "mdx")
    front_matter, warnings = _take_front_matter(text, blocks)
    stated = _stated_title(front_matter)
    return Document(
        id=document_id,
        source=source,
        format=format,
        title=stated or _only_chapter(blocks) or extracted.title or PurePath(source).name,
        has_own_title=bool(stated or extracted.title),
        text=text,
        front_matter=front_matter,
        blocks=tuple(blocks),
        content_hash=ids.content_hash(text),
        pages=extracted.pages,
        lines=lines,
        recognized=extracted.recognized,
        unread_pages=extracted.unread_pages,
        links=extracted.links,
        anchors=extracted.anchors,
        metadata=metadata or {},
        warnings=(*extracted.warnings, *warnings, *_unclosed_fences(blocks, lines)),
        make_root=partial(build_tree, document_id, blocks),
    )


def chunk(document: Document | str | Path, options: ChunkOptions | None = None, **given: Any) -> Chunks:
    """Cut a document, a Markdown text or a file into chunks; pass options by name, or as one value."""
    if options is not None and given:
        raise OptionsError("give either options=... or options by name, not both")
    options = options or chunk_options(**given)
    return chunk_document(_as_document(document, options), options)


def chunk_text(text: str, options: ChunkOptions) -> Chunks:
    """Cut a part of a document as if it were a whole text."""
    return chunk_document(parse_document(Extracted(text), format=_syntax(options.mdx)), options)


def check(document: Document | str | Path, chunks: Sequence[Chunk], options: ChunkOptions | None = None) -> Report:
    """Verify the guarantees of chunking on these chunks; `options` default to those of the chunks."""
    if options is None:
        if not isinstance(chunks, Chunks):
            raise OptionsError("these chunks do not know their options: check(document, chunks, options=...)")
        options = chunks.options
    return check_chunks(_as_document(document, options), chunks, options)


def _as_document(document: Document | str | Path, options: ChunkOptions) -> Document:
    """A string is Markdown text, a `Path` a file; a document is parsed again if the options ask for another syntax."""
    check_types(Document | str | Path, document=document)
    if isinstance(document, Path):
        document = read(document)
    elif isinstance(document, str):
        _warn_of_name(document)
        parsed = parse_document(document, format=_syntax(options.mdx))
        log_warnings(parsed.warnings, parsed.source)
        return parsed
    return with_syntax(document, options.mdx)


def _syntax(mdx: bool | Literal["auto"]) -> str:
    return "mdx" if mdx is True else "markdown"


def _warn_of_name(text: str) -> None:
    """Log a warning if a text is the name of a file: the user probably means the file."""
    if len(text) <= LONGEST_NAME and "\n" not in text and PurePath(text).suffix and os.path.isfile(text):
        logger.warning("%r is taken as text, but there is a file of that name: give Path(%r) to cut it", text, text)


def reopen(stored: StoredDocument) -> Document:
    """Return a document of an index as it was read."""
    extracted = Extracted(stored.text, pages=stored.pages, lines=stored.lines)
    document = parse_document(extracted, source=stored.source, format=stored.format)
    if document.title == stored.title:
        return document
    return replace(document, title=stored.title, has_own_title=True)


def with_syntax(document: Document, mdx: bool | Literal["auto"]) -> Document:
    """Return the document parsed as MDX or as Markdown; other formats, and all with `auto`, stay as they are."""
    syntax = _syntax(mdx)
    if mdx == "auto" or document.format not in ("markdown", "mdx") or document.format == syntax:
        return document
    extracted = Extracted(document.text, lines=document.lines)
    parsed = parse_document(extracted, source=document.source, format=syntax, metadata=document.metadata)
    return replace(parsed, warnings=tuple(dict.fromkeys((*document.warnings, *parsed.warnings))))


def read_bytes(path: str | Path, options: ExtractOptions, format: str | None = None, *, source: str) -> bytes:
    """Return the bytes of a file, unless it is too large for the format, which its name shows if none is given.

    A path may lead into an archive or a message: `archive.zip/guide.md`.
    """
    inside = None if os.path.exists(path) else split_path(path)
    with about(source):
        return read_inside(*inside, options) if inside else _read_file(path, options, format)


def _read_file(path: str | Path, options: ExtractOptions, format: str | None) -> bytes:
    try:
        with open(path, "rb") as file:
            with suppress(UnsupportedFormat):  # an error only if the content does not show the format either
                check_size(os.fstat(file.fileno()).st_size, get_format(format or format_of(str(path))), options)
            return file.read()
    except OSError as error:
        raise ExtractError(error.strerror or str(error)) from error


def _choose_format(path: str, data: bytes) -> str:
    return _choose(path, data).format


def _choose(path: str, data: bytes) -> Choice:
    with about(path):
        return choose_format(path, data)


def _take_front_matter(text: str, blocks: list[Block]) -> tuple[dict[str, Any], list[str]]:
    """Read the front matter; one that is malformed becomes an ordinary paragraph and a warning: nothing is lost."""
    if not blocks or blocks[0].kind != "front_matter":
        return {}, []
    try:
        return parse_front_matter(text[: blocks[0].end]), []
    except MalformedFrontMatter as error:
        blocks[0] = blocks[0]._replace(kind="paragraph")
        return {}, [f"malformed front matter is kept as text: {error}"]


def _unclosed_fences(blocks: Sequence[Block], lines: LineMarks) -> list[str]:
    """Warn of a fence that takes the rest of the document for code; nothing can follow it."""
    return [
        f"the fence that line {source_line(lines, block.start_line)} opens is never closed: the rest is read as code"
        for block in blocks[-1:]
        if not block.closed
    ]


def _stated_title(front_matter: Mapping[str, Any]) -> str:
    title = front_matter.get("title")
    return "" if title is None else str(title).strip()


def _only_chapter(blocks: Sequence[Block]) -> str:
    """Return the title of the level 1 heading if there is one only: of several, none names what the others say."""
    titles = [block.title for block in blocks if block.kind == "heading" and block.level == 1 and block.title]
    return titles[0] if len(titles) == 1 else ""
