"""Arguments and flags that several commands share."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Collection
from dataclasses import Field, fields
from functools import wraps
from itertools import pairwise
from typing import Annotated, Any, Final, Literal, get_args, get_origin, get_type_hints

import typer

from crosshead import options as options_module
from crosshead.cli.settings import load_chunk_options
from crosshead.options import ChunkOptions

FilePath = Annotated[str, typer.Argument(metavar="FILE", help="A document, or `-` for Markdown on standard input.")]
Paths = Annotated[
    list[str], typer.Argument(metavar="PATH", help="Documents and folders; `-` is Markdown on standard input.")
]
AsJson = Annotated[bool, typer.Option("--json", metavar="", help="Print JSON Lines for programs.")]
Jobs = Annotated[
    int | None, typer.Option("--jobs", metavar="N", min=1, help="Processes to use; by default as many as pay off.")
]
Mdx = Annotated[
    bool | None,
    typer.Option("--mdx/--no-mdx", metavar="", help="Read the text as MDX, or not; by default the suffix decides."),
]

PANEL: Final = "Chunking"
Command = Callable[..., None]


def with_chunk_options(*, without: Collection[str] = ()) -> Callable[[Command], Command]:
    """Give a command that takes `options` a flag for every field of `ChunkOptions`."""

    def decorate(command: Command) -> Command:
        flags = [_parameter(field) for field in fields(ChunkOptions) if field.name not in without]

        @wraps(command)
        def run(**values: Any) -> None:
            given = {flag.name: values.pop(flag.name) for flag in flags}
            command(**values, options=load_chunk_options(given))

        signature = inspect.signature(command, eval_str=True)
        own = [each for each in signature.parameters.values() if each.name != "options"]
        vars(run)["__signature__"] = signature.replace(parameters=[*own, *flags])
        return run

    return decorate


def _parameter(field: Field[Any]) -> inspect.Parameter:
    """Values are read and checked in one place, so they are plain strings here; what is not given stays None."""
    allowed = get_type_hints(ChunkOptions)[field.name]
    flag = "--" + field.name.replace("_", "-")
    kind: Any = str
    metavar = "N" if allowed is int else "NAME"
    if bool in (allowed, *get_args(allowed)):
        kind, metavar = bool, ""
        flag = flag if allowed is bool else f"{flag}/--no-{flag[2:]}"
    option = typer.Option(flag, metavar=metavar, help=_help(field.name, allowed), rich_help_panel=PANEL)
    return inspect.Parameter(
        field.name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[kind | None, option]
    )


def _help(name: str, allowed: Any) -> str:
    """The text under the field, with the choices and the default where it does not tell them."""
    text = FIELD_DOCS.get(name, "")
    choices = get_args(allowed) if get_origin(allowed) is Literal else ()
    default = getattr(ChunkOptions(), name)
    if any(f"`{choice}`" not in text for choice in choices):
        text += f" One of {', '.join(f'`{choice}`' for choice in choices)}."
    if isinstance(default, bool) or "by default" in text:
        return text
    return f"{text} Default: {default}."


def _read_field_docs() -> dict[str, str]:
    """The strings under the fields of `ChunkOptions`: Python drops them, but they are the one place that says it."""
    try:
        module = ast.parse(inspect.getsource(options_module))
    except OSError:  # installed without sources
        return {}
    classes = {node.name: node.body for node in module.body if isinstance(node, ast.ClassDef)}
    return {
        field.target.id: doc.value.value
        for field, doc in pairwise(classes[ChunkOptions.__name__])
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(doc, ast.Expr)
        and isinstance(doc.value, ast.Constant)
        and isinstance(doc.value.value, str)
    }


FIELD_DOCS: Final = _read_field_docs()
