"""Commands that are imported when they are run, so that no command pays for the imports of another."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any, Final, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from crosshead.cli.program.common_flags import common_flags
from crosshead.errors import OptionsError

COMMAND_CLASS: Final = "COMMAND_CLASS"
"""The name under which a module keeps the class of its command, if it is a special one."""
TAKE_SEVERAL: Final = "search, ask, show, related, links, verify, serve and mcp take several"
"""Which commands read several indexes as one."""


class Entry(NamedTuple):
    """Where a command is, and what its help shows besides its docstring."""

    name: str
    function: str
    """Its module in `commands` and its function: `module:function`."""
    examples: tuple[str, ...]
    panel: str | None = None
    """The heading that it is listed under."""
    commands: tuple[Entry, ...] = ()
    """The commands of a group."""
    main_flags: str = ""
    """The options that its short help lists; without any, it lists all."""


class Commands(Mapping[str, Any]):
    """Commands by name; looking one up imports it."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._entries = {entry.name: entry for entry in entries}

    def __getitem__(self, name: str) -> Any:
        return load(self._entries[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)


class Documented:
    """Has the flags of all commands, converts values only if it has to, and prints help for any terminal."""

    main_flags = ""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters."""
        own: list[Any] = super().get_params(ctx)  # type: ignore[misc]  # a command or a group
        parameters = [*map(convert_less, (*own[:-1], *common_flags(), *own[-1:]))]
        if ctx.resilient_parsing:  # for a shell that completes
            from crosshead.cli.program.completion import with_values

            return [*map(with_values, parameters)]
        return parameters

    def get_help(self, ctx: Any) -> str:
        """Return the short help."""
        from crosshead.cli.program.help import help_text

        return help_text(ctx)


class Command(Documented, TyperCommand):
    """A command."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Refuse several indexes, of which Typer would take the last, if the command reads or writes only one."""
        options = args[: args.index("--")] if "--" in args else args
        named = [each for each in options if each.partition("=")[0] == "--index"]
        if len(named) > 1 and not any(each.name == "index" for each in self.params):
            raise OptionsError(f"crosshead {self.name} takes one --index; {TAKE_SEVERAL}")
        return super().parse_args(ctx, args)


class LazyGroup(Documented, TyperGroup):
    """A group that imports a command when it is looked up."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of the commands."""
        return [*self.commands]


def examples(*lines: str) -> str:
    """Return the end of a help text."""
    return "Examples:\n\n" + "\n".join(f"  {line}" for line in lines)


@cache
def load(entry: Entry) -> Any:
    """Import a command; its help is the docstring, whose lines are joined so that they fit any terminal."""
    module, _, name = entry.function.partition(":")
    home = import_module(f"crosshead.cli.commands.{module}")
    run: Callable[..., None] = getattr(home, name)
    settings: dict[str, Any] = {
        "help": "\n\n".join(" ".join(paragraph.split()) for paragraph in (run.__doc__ or "").split("\n\n")),
        "epilog": examples(*entry.examples),
        "rich_help_panel": entry.panel,
    }
    app = typer.Typer(add_completion=False)
    if entry.commands:
        app.callback(cls=LazyGroup, **settings)(run)
    else:
        app.command(cls=getattr(home, COMMAND_CLASS, Command), **settings)(run)
    command: Any = get_command(app)
    command.name, command.main_flags = entry.name, entry.main_flags
    if entry.commands:
        command.commands = Commands(entry.commands)
    return command


def convert_less(parameter: Any) -> Any:
    """Make a parameter take its default and texts as they are: Typer imports Pydantic to convert them."""
    if "process_value" not in vars(parameter):
        parameter.process_value = _process_value(parameter, parameter.process_value)
    return parameter


def _process_value(parameter: Any, convert: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    kind = getattr(getattr(parameter, "type_descriptor", None), "annotation", None)

    def process(context: Any, value: Any) -> Any:
        is_default = value is parameter.default and not parameter.required
        is_text = (kind is str and isinstance(value, str)) or (kind == list[str] and isinstance(value, tuple) and value)
        if not (is_default or is_text or context.resilient_parsing):
            return convert(context, value)
        return parameter.callback(context, parameter, value) if parameter.callback else value

    return process
