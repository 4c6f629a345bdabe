"""Print lines and JSON without importing Rich, which `--json` runs do not need."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

import typer

from crosshead.runtime.json_output import json_line

# Control characters could move the cursor, directional marks could turn a line round, surrogates have no width.
_UNPRINTABLE: Final = {
    **dict.fromkeys((*range(0x20), *range(0x7F, 0xA0), *range(0xD800, 0xE000)), "\ufffd"),
    **dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)), None),
    **dict.fromkeys((0x09, 0x0A, 0x0D, 0x2028, 0x2029), " "),
}
_UNPRINTABLE_IN_LINES: Final = {code: shown for code, shown in _UNPRINTABLE.items() if code not in (0x09, 0x0A)}
_STYLES: Final = {"note": "bold cyan", "warning": "bold yellow"}
_QUIET: Final = ContextVar("_QUIET", default=False)


@contextmanager
def own_quietness() -> Iterator[None]:
    """Make `be_quiet` end with this run."""
    token = _QUIET.set(False)
    try:
        yield
    finally:
        _QUIET.reset(token)


def be_quiet() -> None:
    """Leave out notes, progress and what was done."""
    _QUIET.set(True)


def shows_progress() -> bool:
    """Whether standard error is a terminal to show progress on."""
    return sys.stderr.isatty() and not _QUIET.get()


def one_line(text: str) -> str:
    """Return untrusted text so that it is safe to print on one line of a terminal."""
    return text.translate(_UNPRINTABLE)


def printable(text: str) -> str:
    """Return untrusted text of several lines so that it is safe to print on a terminal."""
    return text.translate(_UNPRINTABLE_IN_LINES)


def print_error(message: str, label: str = "error") -> None:
    """Print one line on standard error."""
    from rich.text import Text

    from crosshead.cli.views.layout import make_console

    line = Text.assemble((f"{label}: ", _STYLES.get(label, "bold red")), one_line(message))
    make_console(stderr=True).print(line, soft_wrap=True)


def print_warning(message: str) -> None:
    """Print on standard error what the user should look at."""
    print_error(message, "warning")


def print_note(message: str) -> None:
    """Print on standard error what helps the user, unless --quiet is set."""
    if not _QUIET.get():
        print_error(message, "note")


def print_done(text: str, *, err: bool = False) -> None:
    """Print what a command did, unless --quiet is set."""
    if not _QUIET.get():
        typer.echo(text, err=err)


def write_json(*values: object) -> None:
    """Write one line of JSON per value to standard output."""
    write_bytes(b"".join(map(json_line, values)))


def print_text(text: str) -> None:
    """Write a text to standard output: unchanged to a file or a program, printable on a terminal."""
    write_bytes((printable(text) if sys.stdout.isatty() else text).encode("utf-8", "replace"))


def write_bytes(data: bytes) -> None:
    """Write bytes to standard output: JSON and Markdown are UTF-8 in any terminal."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
