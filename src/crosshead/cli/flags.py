"""Arguments and flags that several commands share."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import MISSING, Field, fields
from functools import wraps
from typing import Annotated, Any, Final, Literal, NamedTuple, get_args, get_origin, get_type_hints

import typer

from crosshead.cli.default_index import index_to_read
from crosshead.cli.inputs import ReadSettings
from crosshead.cli.settings import (
    given_chunk_options,
    given_extract_options,
    load_chunk_options,
    load_extract_options,
)
from crosshead.options import ChunkOptions, ExtractOptions, Ocr
from crosshead.runtime.field_docs import field_docs
from crosshead.types import PassageRequest, SearchRequest, door_fields

FilePath = Annotated[
    str, typer.Argument(metavar="FILE", help="A document, or `-` for one on standard input, Markdown by default.")
]
Paths = Annotated[
    list[str],
    typer.Argument(metavar="PATH", help="Documents and folders; `-` is standard input, Markdown by default."),
]
AsJson = Annotated[bool, typer.Option("--json", metavar="", help="Print JSON Lines for programs.")]
Jobs = Annotated[
    int | None,
    typer.Option("--jobs", metavar="N", min=1, help="Processes or threads to use at once; by default what pays off."),
]
Mdx = Annotated[
    bool | None,
    typer.Option("--mdx/--no-mdx", metavar="", help="Read the text as MDX, or not; by default the suffix decides."),
]

_INDEX: Final[dict[str, Any]] = {
    "metavar": "PLACE",
    "envvar": "CROSSHEAD_INDEX",
    "show_envvar": False,
    "help": "The folder of the index, or its URL: postgresql://... or s3://...; by default the nearest .crosshead, "
    "here or in a folder above.",
}
IndexFolder = Annotated[str, typer.Option("--index", callback=index_to_read, show_default=False, **_INDEX)]
NewIndexFolder = Annotated[str | None, typer.Option("--index", show_default=False, **_INDEX)]
Wait = Annotated[
    float,
    typer.Option(
        "--wait", metavar="SECONDS", min=0, help="How long to wait while another process writes to the index."
    ),
]

CHUNKING: Final = "Chunking"
READING: Final = "Reading"
FORMAT_HELP: Final = "The format of the documents; by default the content decides, then the name."
INCLUDE_HELP: Final = (
    "Take these from folders, too, which are searched for documents only: `code`, `data`, `image`, or a format by its "
    "name, as in `python`. May be repeated."
)

Command = Callable[..., None]


def with_chunk_options(*, without: Collection[str] = ()) -> Callable[[Command], Command]:
    """Give a command that takes `options` a flag for every field of `ChunkOptions`."""
    flags = [_parameter(ChunkOptions, field, CHUNKING) for field in fields(ChunkOptions) if field.name not in without]
    return lambda command: _with_flags(command, "options", flags, load_chunk_options)


def with_reading(command: Command) -> Command:
    """Give a command that takes `reading` a flag for the format and for every field of `ExtractOptions`."""

    def load(given: dict[str, Any]) -> ReadSettings:
        format, include = given.pop("format"), given.pop("include")
        return ReadSettings(format, load_extract_options(given), tuple(include or ()))

    return _with_flags(command, "reading", _reading_flags(), load)


def _reading_flags() -> list[inspect.Parameter]:
    format = typer.Option("--format", metavar="NAME", help=FORMAT_HELP, rich_help_panel=READING)
    include = typer.Option("--include", metavar="NAME", help=INCLUDE_HELP, rich_help_panel=READING)
    own = [_parameter(ExtractOptions, field, READING) for field in fields(ExtractOptions)]
    return [_keyword("format", str, format), _keyword("include", list[str], include), *own]


class Making(NamedTuple):
    """What was said about how an index is to be made."""

    chunking: dict[str, Any]
    extract: ExtractOptions | None
    format: str | None = None
    include: tuple[str, ...] = ()


def with_making(command: Command) -> Command:
    """Give a command that takes `making` flags for what an index keeps: only those that are set count."""
    chunking = [_parameter(ChunkOptions, field, CHUNKING) for field in fields(ChunkOptions) if field.name != "explain"]

    def load(given: dict[str, Any]) -> Making:
        flags = {flag.name: given.pop(flag.name) for flag in chunking}
        format, include = given.pop("format"), given.pop("include")
        return Making(given_chunk_options(flags), given_extract_options(given), format, tuple(include or ()))

    return _with_flags(command, "making", [*chunking, *_reading_flags()], load)


def with_search_request(command: Command) -> Command:
    """Give a command that takes `request` a flag for every field of a search that all doors offer.

    The command gets the keywords of `Index.search`, and `budget_tokens`, as far as they are set.
    """

    def load(given: dict[str, Any]) -> dict[str, Any]:
        from crosshead.search import parse_metadata

        given["metadata"] = parse_metadata(given["metadata"]) if given["metadata"] else None
        return {name: value for name, value in given.items() if value is not None}

    return _with_flags(command, "request", [_search_flag(each) for each in _search_fields()], load)


def _search_fields() -> list[Field[Any]]:
    known = door_fields(SearchRequest)
    return [*known, *(each for each in door_fields(PassageRequest) if each.name not in {field.name for field in known})]


def _search_flag(field: Field[Any]) -> inspect.Parameter:
    flags = field.metadata["flags"] or ("--" + field.name.replace("_", "-"),)
    hint = get_type_hints(PassageRequest)[field.name]
    value = list[str] if field.metadata["metavar"] == "KEY=VALUE" else hint if hint in (bool, int, float) else str
    text = _SEARCH_DOCS[field.name]
    if field.default and field.default is not MISSING:
        others = getattr(PassageRequest(query=""), field.name)
        text += f" Default: {field.default}" + (f", with --passages {others}." if others != field.default else ".")
    return _keyword(field.name, value, typer.Option(*flags, metavar=field.metadata["metavar"], help=text))


def _with_flags(
    command: Command, name: str, flags: Sequence[inspect.Parameter], load: Callable[[dict[str, Any]], Any]
) -> Command:
    """Replace a parameter of a command by flags from which its value is made."""

    @wraps(command)
    def run(**values: Any) -> None:
        given = {flag.name: values.pop(flag.name) for flag in flags}
        command(**values, **{name: load(given)})

    signature = inspect.signature(command, eval_str=True)
    own = [each for each in signature.parameters.values() if each.name != name]
    vars(run)["__signature__"] = signature.replace(parameters=[*own, *flags])
    return run


def _parameter(kind: type[Any], field: Field[Any], panel: str) -> inspect.Parameter:
    """Values are read and checked in one place, so they are plain strings here; what is not given stays None."""
    allowed = get_type_hints(kind)[field.name]
    flag = "--" + field.name.replace("_", "-")
    value: Any = str
    metavar = "N" if allowed is int else "NAME"
    if bool in (allowed, *get_args(allowed)):
        value, metavar = bool, ""
        flag = flag if allowed is bool else f"{flag}/--no-{flag[2:]}"
    elif allowed == Ocr:
        metavar = "auto|never|COMMAND"
    elif get_origin(allowed) is Mapping:
        value, metavar = list[str], "NAME=MEANING"
    option = typer.Option(flag, metavar=metavar, help=_help(kind, field.name, allowed), rich_help_panel=panel)
    return _keyword(field.name, value, option)


def _keyword(name: str, value: Any, option: Any) -> inspect.Parameter:
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[value | None, option]
    )


def _help(kind: type[Any], name: str, allowed: Any) -> str:
    """The text under the field, with the choices and the default where it does not tell them."""
    text = FIELD_DOCS.get(name, "")
    choices = get_args(allowed) if get_origin(allowed) is Literal else ()
    default = getattr(kind(), name)
    if any(f"`{choice}`" not in text for choice in choices):
        text += f" One of {', '.join(f'`{choice}`' for choice in choices)}."
    if get_origin(allowed) is Mapping:
        return f"{text} Repeat it for every style."
    if isinstance(default, bool) or default == "" or "by default" in text:
        return text
    return f"{text} Default: {default}."


FIELD_DOCS: Final = {**field_docs(ExtractOptions), **field_docs(ChunkOptions)}
_SEARCH_DOCS: Final = {**field_docs(PassageRequest), **field_docs(SearchRequest)}
