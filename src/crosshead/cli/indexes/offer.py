"""On a terminal, the first index asks whether to install the model that gives better answers."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

import typer

from crosshead.cli.terminal.output import print_warning
from crosshead.errors import CrossheadError
from crosshead.runtime.cache import cache_folder

WHAT_IT_IS: Final = (
    "MiniLM finds answers by their meaning, not only by their words. "
    "It takes 24 MB (a download of 80 MB) and about 3 seconds."
)


def offer_model(language: str) -> None:
    """Ask whether to install MiniLM for documents in a language, unless the answer was no before."""
    from crosshead.embedding import advise, install_minilm

    if "install minilm" not in advise("static", language) or not _may_ask() or _answer().exists():
        return
    typer.echo(WHAT_IT_IS, err=True)
    if not typer.confirm("Install it?", default=True, err=True):
        _remember_no()
        return
    from crosshead.cli.views.models import shown_steps

    try:
        with shown_steps() as show_step:
            install_minilm("int8", on_step=show_step)
    except CrossheadError as error:
        print_warning(str(error))


def _may_ask() -> bool:
    return _is_terminal() and not os.environ.get("CI")


def _is_terminal() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()


def _answer() -> Path:
    """Return the file that says that the user wants no MiniLM."""
    return cache_folder() / "no-minilm"


def _remember_no() -> None:
    with suppress(OSError):  # then the next index asks again
        _answer().parent.mkdir(parents=True, exist_ok=True)
        _answer().touch()
