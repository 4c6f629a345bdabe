"""The program and what is common to all commands: version, errors, help."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from crosshead.cli.commands import COMMANDS
from crosshead.cli.process.program import USER_MISTAKE, Program
from crosshead.cli.program.loading import Commands, examples


class Crosshead(Program):
    """The program with all its commands."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        commands: Any = Commands(COMMANDS)
        self.commands = commands


app = typer.Typer(
    cls=Crosshead,
    add_completion=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)


def _print_version(context: typer.Context, is_set: bool) -> None:
    if is_set and not context.resilient_parsing:
        from importlib.metadata import PackageNotFoundError, version

        try:
            typer.echo(f"crosshead {version('crosshead')}")
        except PackageNotFoundError:
            typer.echo("crosshead (not installed)")
        raise typer.Exit


@app.callback(
    invoke_without_command=True,
    epilog=examples("crosshead index docs/", 'crosshead search "how do I rotate keys"', "crosshead check docs/"),
)
def crosshead(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", "-V", is_eager=True, callback=_print_version, metavar="", help="Print the version."),
    ] = False,
) -> None:
    """Index documents and search them by section. Also: extract Markdown, chunk, check.

    Set options of reading and chunking by flag, by CROSSHEAD_* in the environment, or in crosshead.toml.
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit(USER_MISTAKE)
