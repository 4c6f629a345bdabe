"""The flags that every command has."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Final

import typer
from typer.main import get_command

from crosshead.cli.terminal.output import be_quiet

DEBUG_FLAG: Final = "--debug"
HELP_ALL: Final = "--help-all"


def _print_all_help(context: typer.Context, is_set: bool) -> None:
    if is_set and not context.resilient_parsing:
        from crosshead.cli.program.help import help_text

        typer.echo(help_text(context, is_whole=True))
        raise typer.Exit


def _set_quiet(is_set: bool) -> None:
    if is_set:
        be_quiet()


_Quiet = Annotated[
    bool,
    typer.Option(
        "--quiet", "-q", metavar="", callback=_set_quiet, expose_value=False, help="Only results, warnings and errors."
    ),
]
_Debug = Annotated[
    bool, typer.Option(DEBUG_FLAG, metavar="", expose_value=False, help="Show the traceback of an error.")
]
_HelpAll = Annotated[
    bool,
    typer.Option(
        HELP_ALL, metavar="", is_eager=True, callback=_print_all_help, expose_value=False, help="Show all options."
    ),
]


def _every_command(quiet: _Quiet = False, debug: _Debug = False, help_all: _HelpAll = False) -> None:
    """Only its flags are used."""


@cache
def common_flags() -> tuple[Any, ...]:
    """Return the flags as parameters of a command."""
    app = typer.Typer(add_completion=False)
    app.command()(_every_command)
    parameters: list[Any] = get_command(app).params
    return tuple(parameters)
