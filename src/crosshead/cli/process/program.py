"""Turn errors into one line on standard error and an exit code."""

from __future__ import annotations

import os
import re
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

import typer

from crosshead.cli.process.interrupts import INTERRUPTED
from crosshead.cli.program.common_flags import DEBUG_FLAG
from crosshead.cli.program.loading import LazyGroup
from crosshead.cli.terminal.output import one_line, own_quietness, print_error, print_note
from crosshead.errors import CrossheadError

FINE: Final = 0
CHECK_FAILED: Final = 1
USER_MISTAKE: Final = 2
OUR_FAULT: Final = 3
PIPE_CLOSED: Final = 141
"""What a shell reports for a program ended by SIGPIPE."""

ALIASES: Final = {
    "query": "search", "find": "search", "add": "index", "rm": "remove", "ls": "list",
}  # fmt: skip
"""Command names that people try first."""
HELP: Final = "help"
TO_A_FILE: Final = "the output goes to a file with: > FILE"
HINTS: Final = {"-o": TO_A_FILE, "--output": TO_A_FILE, "--out": TO_A_FILE}
"""Hints for options that people try and that do not exist."""

_NOT_A_NUMBER: Final = re.compile("Input should be a valid (?:integer|number), unable to parse string as an? \\w+")


class PipeClosed(Exception):
    """The reader of the output closed it, as `head` does."""


class Faults(Exception):
    """Internal errors in single documents, already printed; the arguments are their tracebacks."""

    def __init__(self, *tracebacks: str, code: int) -> None:
        super().__init__(*tracebacks)
        self.code = code


class Program(LazyGroup):
    """The root of all commands."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Run a command and exit."""
        debug = DEBUG_FLAG in _before_double_dash(sys.argv[1:] if args is None else args)
        with own_quietness():
            try:
                code = super().main(args, prog_name or "crosshead", complete_var, False, windows_expand_args, **extra)
                sys.stdout.flush()
            except (PipeClosed, BrokenPipeError):
                _discard_output()
                code = PIPE_CLOSED
            except (typer.Abort, KeyboardInterrupt):
                code = INTERRUPTED
            except Exception as error:
                code = report(error, debug=debug)
        sys.exit(code or FINE)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find a command by its name or an alias; `help COMMAND` shows its help."""
        if args[0] == HELP:
            if not args[1:] and ctx.resilient_parsing:  # a shell completes the name of the command
                return HELP, None, []
            if not args[1:]:
                typer.echo(ctx.get_help())
                raise typer.Exit
            args = [*args[1:], "--help"]
        return super().resolve_command(ctx, [ALIASES.get(args[0], args[0]), *args[1:]])

    def invoke(self, ctx: Any) -> Any:
        """Run a command; a closed pipe is not reported as an error, as Typer would."""
        _never_fail_to_print()
        try:
            try:
                return super().invoke(ctx)
            finally:
                sys.stdout.flush()
        except BrokenPipeError as error:
            raise PipeClosed from error


def report(error: Exception, *, debug: bool) -> int:
    """Print what went wrong and return the exit code."""
    if isinstance(error, Faults):
        if debug:
            print(*error.args, sep="\n", file=sys.stderr)
        else:
            print_note(f"{DEBUG_FLAG} shows where it failed")
        return error.code
    if debug:
        traceback.print_exception(error)
    if hasattr(error, "format_message"):  # a usage error, whose class is not public in Typer
        print_error(_usage_message(error))
        return USER_MISTAKE
    if isinstance(error, CrossheadError):
        print_error(str(error))
        return USER_MISTAKE
    if isinstance(error, OSError):
        print_error(f"{error.filename}: {error.strerror}" if error.filename else error.strerror or str(error))
        return USER_MISTAKE
    where = f" ({'; '.join(error.__notes__)})" if getattr(error, "__notes__", None) else ""
    print_error(
        f"{type(error).__name__}: {error}{where}; please report this; {DEBUG_FLAG} shows the traceback",
        label="internal error",
    )
    return OUR_FAULT


def _usage_message(error: Any) -> str:
    message = _NOT_A_NUMBER.sub("it must be a number", one_line(error.format_message()).rstrip("."))
    parts = [message, HINTS.get(getattr(error, "option_name", ""), "") if message.startswith("No such option") else ""]
    context = getattr(error, "ctx", None)
    parts.append(f"see {context.command_path} --help" if context else "")
    return "; ".join(filter(None, parts)).replace("?; ", "? ")


def _before_double_dash(args: Sequence[str]) -> Sequence[str]:
    return args[: args.index("--")] if "--" in args else args


def _never_fail_to_print() -> None:
    """Escape characters that the encoding of the terminal lacks, as in file names."""
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure:
        reconfigure(errors="backslashreplace")


def _discard_output() -> None:
    """Send what the interpreter flushes at exit to the null device."""
    with suppress(OSError):  # standard output is not a file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
