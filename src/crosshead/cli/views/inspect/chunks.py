"""A summary of chunks: a table, or one line per file if there are many, and the sizes of all."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import Final

from rich.console import Console
from rich.text import Text

from crosshead.cli.commands.inspect.chunk import FULL_TABLES, FileChunks
from crosshead.cli.terminal.output import one_line
from crosshead.cli.views.inspect.sizes import show_histogram, size_line
from crosshead.cli.views.layout import (
    DOT,
    GAP,
    Column,
    count,
    fit_left,
    fit_path,
    fit_right,
    make_console,
    mean_fill,
    number,
    print_table,
    room_beside,
    span,
    unless_zero,
)
from crosshead.options import ChunkOptions
from crosshead.types import Chunk

CHUNK_COLUMNS: Final = (
    Column("#", "dim"),
    Column("lines"),
    Column("tokens"),
    Column("type", left=True),
    Column("path", left=True),
)
FILE_COLUMNS: Final = (
    Column("file", left=True),
    Column("chunks"),
    Column("tokens"),
    Column("fill"),
    Column("small"),
    Column("oversize", "yellow"),
)
TYPE_STYLES: Final = {"code": "magenta", "table": "blue", "list": "cyan", "mixed": "yellow"}


def show_files(files: Sequence[FileChunks], options: ChunkOptions) -> None:
    """Print the chunks, or one line per file if there are many files, then the sizes of all."""
    if not files:
        return
    console = make_console()
    if len(files) > FULL_TABLES:
        _show_totals(console, files, options)
        console.print()
    else:
        for each in files:
            _show_file(console, each, options)
    if any(each.sizes for each in files):
        show_histogram(console, [size for each in files for size in each.sizes], options.max_tokens)
        console.print()
    show_sizes(console, files, options)


def show_sizes(console: Console, files: Sequence[FileChunks], options: ChunkOptions) -> None:
    """Print the sizes of all chunks on one line."""
    sizes = [size for each in files for size in each.sizes]
    if sizes:
        several = count(len(files), "file") + DOT if len(files) > 1 else ""
        console.print(several + size_line(sizes, sum(each.oversize for each in files), options), style="bold")


def _show_file(console: Console, file: FileChunks, options: ChunkOptions) -> None:
    console.print(one_line(file.source), style="bold cyan")
    if file.chunks:
        _show_chunks(console, file.chunks, options)
    else:
        console.print("no chunks", style="dim")
    console.print()


def _show_chunks(console: Console, chunks: Sequence[Chunk], options: ChunkOptions) -> None:
    rows = [
        (str(each.index), span(each.start_line, each.end_line), number(each.token_count), each.content_type)
        for each in chunks
    ]
    room = room_beside(console.width, [column.name for column in CHUNK_COLUMNS[:-1]], rows)
    styled = [
        (
            index,
            lines,
            Text(tokens, style=_size_style(each.token_count, options)),
            Text(kind, style=TYPE_STYLES.get(kind, "")),
            Text("\n").join([_path_and_flags(each, room), *notes_of(each, room)]),
        )
        for each, (index, lines, tokens, kind) in zip(chunks, rows, strict=True)
    ]
    print_table(console, CHUNK_COLUMNS, styled)


def _path_and_flags(chunk: Chunk, room: int) -> Text:
    """Return the path and the flags of a chunk; few chunks have flags, so they have no column."""
    flags = ", ".join(traits(chunk))
    if not flags:
        return path_of(chunk, room)
    return Text.assemble(path_of(chunk, room - len(flags) - GAP), " " * GAP, (flags, "yellow"))


def path_of(chunk: Chunk, width: int) -> Text:
    """Return the path of a chunk, or the document's title, dimmed, if it is above all headings."""
    if chunk.section_path:
        return fit_path(chunk.section_path, width)
    return Text(fit_right(chunk.document_title, width), style="dim italic")


def notes_of(chunk: Chunk, width: int) -> list[Text]:
    """Return why a chunk begins and ends where it does, if the options ask for it."""
    lines = [line for note in chunk.notes for line in wrap(one_line(note), width - 2, subsequent_indent="  ")]
    return [Text(f"  {line}", style="dim") for line in lines]


def traits(chunk: Chunk) -> list[str]:
    """Return what is special about a chunk."""
    flags = []
    if chunk.parts > 1:
        flags.append(f"part {chunk.part + 1}/{chunk.parts}")
    if chunk.oversize_reason:
        flags.append(f"oversize {chunk.oversize_reason}")
    if not chunk.indexable:
        flags.append("nothing to find")
    return flags


def _size_style(tokens: int, options: ChunkOptions) -> str:
    if tokens > options.max_tokens:
        return "bold yellow"
    return "dim" if tokens < options.min_tokens else ""


def _show_totals(console: Console, files: Sequence[FileChunks], options: ChunkOptions) -> None:
    rows = [
        (
            number(len(each.sizes)),
            number(sum(each.sizes)),
            mean_fill(each.sizes, options.target_tokens),
            unless_zero(sum(size < options.min_tokens for size in each.sizes)),
            unless_zero(each.oversize),
        )
        for each in files
    ]
    room = room_beside(console.width, [column.name for column in FILE_COLUMNS[1:]], rows)
    names = (fit_left(each.source, room) for each in files)
    print_table(console, FILE_COLUMNS, [(name, *row) for name, row in zip(names, rows, strict=True)])
