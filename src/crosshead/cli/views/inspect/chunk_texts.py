"""Chunks as they are found: citation, size, path and text."""

from __future__ import annotations

from collections.abc import Iterable

from rich.text import Text

from crosshead.cli.commands.inspect.chunk import FileChunks
from crosshead.cli.terminal.output import one_line, print_note, printable, write_bytes
from crosshead.cli.views.inspect.chunks import notes_of, path_of, show_sizes, traits
from crosshead.cli.views.layout import DOT, count, make_console
from crosshead.options import ChunkOptions

INDENT = "  "


def show_texts_of(files: Iterable[FileChunks], options: ChunkOptions) -> None:
    """Print the chunks of each file as soon as it is cut, then the sizes of all."""
    console = make_console()
    done = []
    for file in files:
        if not file.chunks:
            print_note(f"{file.source}: no chunks")
        for each in file.chunks:
            facts = DOT.join(["", count(each.token_count, "token"), each.content_type, *traits(each)])
            console.print(Text.assemble((one_line(each.citation), "bold cyan"), (facts, "dim")), soft_wrap=True)
            path = path_of(each, console.width - len(INDENT))
            if path:
                console.print(Text(INDENT).append_text(path))
            for note in notes_of(each, console.width - len(INDENT)):
                console.print(note)
            write_bytes(f"\n{printable(each.content)}\n\n".encode("utf-8", "replace"))
        done.append(file._replace(chunks=()))
    show_sizes(console, done, options)
