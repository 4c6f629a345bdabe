"""Help texts: a short one with the options that most people need, and one with all.

Usage, what the command does, its arguments, options and commands, then examples. A narrow terminal gets the text of an
option below its name, a wide one beside it.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Sequence
from textwrap import wrap
from typing import Any, Final

import typer

from crosshead.cli.program.common_flags import DEBUG_FLAG, HELP_ALL

MAX_WIDTH: Final = 100
BESIDE_FROM: Final = 72
"""A terminal with fewer columns shows texts below the names of options."""
MAX_NAMES: Final = 30
INDENT: Final = 2
BELOW: Final = 6
_ALWAYS_SHORT: Final = ("--quiet", "--help")
_ONLY_WHOLE: Final = (DEBUG_FLAG, HELP_ALL, "--install-completion", "--show-completion")

Row = tuple[str, str]


def help_text(context: Any, *, is_whole: bool = False) -> str:
    """Return the help of a command."""
    width = min(shutil.get_terminal_size().columns, MAX_WIDTH)
    command = context.command
    parameters = [each for each in command.get_params(context) if not getattr(each, "hidden", False)]
    arguments = [each for each in parameters if each.param_type_name == "argument"]
    options = [each for each in parameters if each.param_type_name == "option"]
    shown = options if is_whole else _main(options, command.main_flags)
    parts = [f"{_bold('Usage:')} {usage(context.command_path, command)}"]
    parts += ["\n".join(wrap(each, width)) for each in (command.help or "").split("\n\n")]
    parts += [_listed("Arguments", [(each.metavar, each.help) for each in arguments], width)] if arguments else []
    parts += _commands(context, width)
    for panel in dict.fromkeys(_panel(each) if is_whole else "" for each in shown):
        rows = [(names(each), effect(each)) for each in shown if not is_whole or _panel(each) == panel]
        parts.append(_listed(panel or "Options", rows, width))
    if len(shown) < len(options):
        parts.append(f"All {len(options)} options: {context.command_path} {HELP_ALL}")
    return "\n\n".join([*parts, (command.epilog or "").strip()]) + "\n"


def usage(path: str, command: Any) -> str:
    """Return how a command is called."""
    arguments = [_called(each) for each in command.params if each.param_type_name == "argument"]
    return " ".join([path, *arguments, "COMMAND" if hasattr(command, "commands") else "", "[OPTIONS]"]).replace(
        "  ", " "
    )


def names(parameter: Any) -> str:
    """Return the spellings of an option, short ones first, and its value."""
    opts = sorted(parameter.opts, key=lambda name: name.startswith("--"))
    negated = [f"--no-{name[2:]}" for name in opts]
    if parameter.secondary_opts and parameter.secondary_opts == negated:
        opts = [f"--[no-]{name[2:]}" for name in opts]
    return " ".join([", ".join(opts), "" if parameter.is_flag else parameter.metavar or "VALUE"]).strip()


def effect(parameter: Any) -> str:
    """Return what an option does, its default and its environment variable."""
    text, default = str(parameter.help), parameter.default
    if default is True and parameter.secondary_opts:
        text += f" Default: {parameter.opts[0]}."
    elif default not in (None, False, True, "") and "default" not in text:
        text += f" Default: {default}."
    if parameter.envvar and parameter.envvar not in text:
        text += f" Environment: {parameter.envvar}."
    return text


def _called(argument: Any) -> str:
    name = argument.metavar if argument.required else f"[{argument.metavar}]"
    return str(name) + ("..." if argument.nargs == -1 else "")


def _panel(parameter: Any) -> str:
    return getattr(parameter, "rich_help_panel", None) or ""


def _main(options: Sequence[Any], flags: str) -> list[Any]:
    """Return the options for the short help, in the order of their flags; without flags, all but a few."""
    if not flags:
        return [each for each in options if each.opts[0] not in _ONLY_WHOLE]
    found = {name: each for each in options for name in each.opts}
    return [found[name] for name in (*flags.split(), *_ALWAYS_SHORT)]


def _commands(context: Any, width: int) -> Iterable[str]:
    commands = getattr(context.command, "commands", {})
    named = max(map(len, commands), default=0)
    for panel in dict.fromkeys(_panel(each) for each in commands.values()):
        rows = [(name, _first_sentence(each.help)) for name, each in commands.items() if _panel(each) == panel]
        yield _listed(panel or "Commands", rows, width, named)


def _first_sentence(text: str) -> str:
    return text.partition("\n\n")[0].partition(". ")[0].rstrip(".")


def _listed(title: str, rows: Sequence[Row], width: int, named: int = 0) -> str:
    """Return names with their texts; `named` is the width of the names if they are short in any terminal."""
    is_beside = named > 0 or width >= BESIDE_FROM
    left = named or min(max(len(name) for name, _ in rows), MAX_NAMES)
    margin = INDENT + left + INDENT if is_beside else BELOW
    lines = [_bold(f"{title}:")]
    for name, text in rows:
        texts = wrap(text, width - margin, break_long_words=False, break_on_hyphens=False) or [""]
        first = " " * INDENT + _bold(name)
        if is_beside and len(name) <= left:
            first += " " * (margin - INDENT - len(name)) + texts.pop(0)
        lines += [first.rstrip(), *(" " * margin + each for each in texts)]
    return "\n".join(lines)


def _bold(text: str) -> str:
    return text if os.environ.get("NO_COLOR") else typer.style(text, bold=True)
