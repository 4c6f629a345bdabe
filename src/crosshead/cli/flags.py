"""Arguments and flags that several commands share."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import MISSING, Field, fields
from functools import cache, partial, wraps
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, NamedTuple, get_args, get_origin, get_type_hints

import typer

from crosshead.cli.indexes.default_index import import_arrow, index_to_read, nearest_index, whole_or_parts_to_read
from crosshead.cli.settings import FileOptions, SettingsFile, find_settings, load_options, make_options
from crosshead.options import PART_SECONDS, ChunkOptions, ExtractOptions, Ocr
from crosshead.runtime.field_docs import field_docs
from crosshead.store import URL_FORMS, is_pattern
from crosshead.types import AnswerRequest, PassageRequest, SearchRequest, door_fields, parse_metadata

if TYPE_CHECKING:
    from crosshead.index import Index, JoinedIndex
    from crosshead.indexing import EngineName

FilePath = Annotated[
    str,
    typer.Argument(metavar="FILE", help="Document, or `-` for standard input (Markdown unless detected otherwise)."),
]
Paths = Annotated[
    list[str],
    typer.Argument(
        metavar="PATH", help="Documents and folders; `-` is standard input (Markdown unless detected otherwise)."
    ),
]
AsJson = Annotated[bool, typer.Option("--json", metavar="", help="Print JSON Lines.")]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs", metavar="N", min=1, help="Number of worker processes or threads; by default as many as pay off."
    ),
]
Mdx = Annotated[
    bool | None,
    typer.Option("--mdx/--no-mdx", metavar="", help="Parse the text as MDX, or not; by default the suffix decides."),
]

_INDEX: Final[dict[str, Any]] = {
    "metavar": "LOCATION",
    "envvar": "CROSSHEAD_INDEX",
    "show_envvar": False,
    "help": f"Folder or URL of the index ({URL_FORMS}); by default the nearest .crosshead, here or in a parent folder.",
}
IndexFolder = Annotated[str, typer.Option("--index", callback=index_to_read, show_default=False, **_INDEX)]
WholeOrParts = Annotated[str, typer.Option("--index", callback=whole_or_parts_to_read, show_default=False, **_INDEX)]
"""For commands that take an index in parts, too."""
NewIndexFolder = Annotated[str | None, typer.Option("--index", show_default=False, **_INDEX)]
_INDEXES: Final[dict[str, Any]] = {
    "metavar": "LOCATION",
    "help": f"{_INDEX['help']} Several, or a pattern such as `indexes/part-*`, are searched as one.",
}
PART_TIMEOUT_HELP: Final = "How long to wait for one of several indexes; the results say which are missing."
REQUIRE_ALL_HELP: Final = "Fail if one of several indexes cannot be searched."
ENGINE_HELP: Final = (
    "Where to search: `local` (the default), or on a `ray` cluster, whose actors keep the indexes open."
)
RAY_ADDRESS_HELP: Final = (
    "Ray cluster to use, `auto` for one running here; by default RAY_ADDRESS, or a temporary one on this machine."
)
Wait = Annotated[
    float,
    typer.Option("--wait", metavar="SECONDS", min=0, help="How long to wait if another process is writing."),
]

Llm = Annotated[
    str,
    typer.Option(
        "--llm",
        metavar="MODEL",
        envvar="CROSSHEAD_LLM",
        show_envvar=False,
        show_default=False,
        help="The language model: `ollama:MODEL`, at OLLAMA_HOST, or `openai:MODEL`, at OPENAI_BASE_URL with the key "
        "in OPENAI_API_KEY. Environment: CROSSHEAD_LLM.",
    ),
]

CHUNKING: Final = "Chunking"
READING: Final = "Reading"
FORMAT_HELP: Final = "Format of the documents; by default detected from content, then from the name."
INCLUDE_HELP: Final = (
    "Also read these files in folders: `code`, `data`, `image`, or a format by name, as in `python`. Can be repeated."
)
HIDDEN_HELP: Final = "Also read hidden files and folders in folders, except `.git` and `node_modules`."

Command = Callable[..., None]

_hints: Final = cache(get_type_hints)


class FlagGroup(NamedTuple):
    """Flags of a command that together make one of its parameters."""

    parameter: str
    flags: Sequence[inspect.Parameter]
    load: Callable[[dict[str, Any], SettingsFile], Any]


def with_chunk_options(*, without: Collection[str] = ()) -> Callable[[Command], Command]:
    """Replace the parameter `options` of a command by a flag for every field of `ChunkOptions`."""
    flags = [_parameter(ChunkOptions, field, CHUNKING) for field in fields(ChunkOptions) if field.name not in without]
    return lambda command: _with_flags(command, FlagGroup("options", flags, partial(load_options, ChunkOptions)))


def with_reading(command: Command) -> Command:
    """Replace the parameter `reading` of a command by flags for the format and every field of `ExtractOptions`."""

    def load(values: dict[str, Any], file: SettingsFile) -> Any:
        from crosshead.cli.inputs import ReadSettings  # a search does without what reading needs

        format, files = values.pop("format"), _file_options(values, file)
        options = load_options(ExtractOptions, values, file)
        return ReadSettings(format, options, tuple(files.include), files.hidden)

    return _with_flags(command, FlagGroup("reading", _reading_flags(), load))


def _reading_flags() -> list[inspect.Parameter]:
    format = typer.Option("--format", metavar="NAME", help=FORMAT_HELP, rich_help_panel=READING)
    include = typer.Option("--include", metavar="NAME", help=INCLUDE_HELP, rich_help_panel=READING)
    hidden = typer.Option("--hidden", metavar="", help=HIDDEN_HELP, rich_help_panel=READING)
    own = [_parameter(ExtractOptions, field, READING) for field in fields(ExtractOptions)]
    files = [_keyword("include", list[str], include), _keyword("hidden", bool, hidden)]
    return [_keyword("format", str, format), *files, *own]


def _file_options(values: dict[str, Any], file: SettingsFile) -> FileOptions:
    """Take the flags of `FileOptions` from others, and return the options."""
    return load_options(FileOptions, {field.name: values.pop(field.name) for field in fields(FileOptions)}, file)


class IndexFlags(NamedTuple):
    """The flags that an index is made with, as far as they are set."""

    chunking: dict[str, Any]
    extract: ExtractOptions | None
    format: str | None = None
    files: FileOptions = FileOptions()
    extract_names: tuple[str, ...] = ()


def with_index_flags(command: Command) -> Command:
    """Replace the parameter `flags` of a command by the flags for chunking and reading, without their defaults."""
    chunking = [_parameter(ChunkOptions, field, CHUNKING) for field in fields(ChunkOptions) if field.name != "explain"]

    def load(values: dict[str, Any], file: SettingsFile) -> IndexFlags:
        chunk = find_settings(ChunkOptions, {flag.name: values.pop(flag.name) for flag in chunking}, file)
        format, files = values.pop("format"), _file_options(values, file)
        extract = find_settings(ExtractOptions, values, file)
        make_options(ChunkOptions, chunk)  # names the file or variable that sets a wrong one
        return IndexFlags(
            {name: setting.value for name, setting in chunk.items()},
            make_options(ExtractOptions, extract) if extract else None,
            format,
            files,
            tuple(extract),
        )

    return _with_flags(command, FlagGroup("flags", [*chunking, *_reading_flags()], load))


class Indexes(NamedTuple):
    """The indexes that a command reads."""

    locations: Sequence[str]
    part_seconds: float
    require_all: bool
    engine: EngineName
    ray_address: str | None

    @property
    def are_several(self) -> bool:
        """Are they searched as one?"""
        return len(self.locations) > 1 or self.engine != "local" or is_pattern(self.locations[0])

    @property
    def shown(self) -> str:
        """Their locations, for a message."""
        return ", ".join(self.locations)

    def open(self) -> Index | JoinedIndex:
        """Open the index, or join several."""
        from crosshead.index import Index

        if not self.are_several:
            return Index(self.locations[0], create=False)
        return Index.join(
            self.locations,
            part_seconds=self.part_seconds,
            require_all=self.require_all,
            engine=self.engine,
            ray_address=self.ray_address,
        )


def with_indexes(command: Command) -> Command:
    """Replace the parameter `indexes` of a command by flags for one index or several."""

    def load(values: dict[str, Any], _: SettingsFile) -> Indexes:
        locations = values["index"] or [os.environ.get("CROSSHEAD_INDEX") or nearest_index()]
        import_arrow(locations[0])
        return Indexes(
            locations,
            values["part_timeout"] or PART_SECONDS,
            bool(values["require_all"]),
            values["engine"] or "local",
            values["ray_address"],
        )

    timeout = f"{PART_TIMEOUT_HELP} Default: {PART_SECONDS:g}."
    flags = [
        _keyword("index", list[str], typer.Option("--index", show_default=False, **_INDEXES)),
        _keyword("part_timeout", float, typer.Option("--part-timeout", metavar="SECONDS", help=timeout)),
        _keyword("require_all", bool, typer.Option("--require-all", metavar="", help=REQUIRE_ALL_HELP)),
        _keyword("engine", str, typer.Option("--engine", metavar="NAME", help=ENGINE_HELP)),
        _keyword("ray_address", str, typer.Option("--ray-address", metavar="ADDRESS", help=RAY_ADDRESS_HELP)),
    ]
    return _with_flags(command, FlagGroup("indexes", flags, load))


def with_search_request(command: Command) -> Command:
    """Replace the parameter `request` of a command by a flag for every search field that all doors offer.

    The command gets the keywords of `Index.search`, and `budget_tokens`, as far as they are set.
    """
    own = [each for each in door_fields(PassageRequest) if each.name == "budget_tokens"]
    return _with_request(command, SearchRequest, [*door_fields(SearchRequest), *own])


def with_answer_request(command: Command) -> Command:
    """Replace the parameter `request` of a command by a flag for every field of `AnswerRequest`."""
    return _with_request(command, AnswerRequest, door_fields(AnswerRequest))


def _with_request(command: Command, kind: type[SearchRequest], own: Sequence[Field[Any]]) -> Command:
    def load(values: dict[str, Any], _: SettingsFile) -> dict[str, Any]:
        values["metadata"] = parse_metadata(values["metadata"]) if values["metadata"] else None
        levels = values["expand_context"] or ""
        values["expand_context"] = int(levels) if levels.isdecimal() else levels or None
        return {name: value for name, value in values.items() if value is not None}

    return _with_flags(command, FlagGroup("request", [_search_flag(kind, each) for each in own], load))


def _search_flag(kind: type[SearchRequest], field: Field[Any]) -> inspect.Parameter:
    flags = field.metadata["flags"] or ("--" + field.name.replace("_", "-"),)
    hint = _hints(AnswerRequest)[field.name]
    value = list[str] if field.metadata["metavar"] == "KEY=VALUE" else hint if hint in (bool, int, float) else str
    text = field_docs(kind if hasattr(kind, field.name) else PassageRequest)[field.name]
    if field.default and field.default is not MISSING and hint is not bool:
        others = (
            getattr(PassageRequest(query=""), field.name, field.default) if kind is SearchRequest else field.default
        )
        text += f" Default: {field.default}" + (f", with --passages {others}." if others != field.default else ".")
    return _keyword(field.name, value, typer.Option(*flags, metavar=field.metadata["metavar"], help=text))


def _with_flags(command: Command, group: FlagGroup) -> Command:
    """Replace a parameter of a command by flags; all groups of a command share one reading of crosshead.toml."""
    groups: tuple[FlagGroup, ...] = (*vars(command).get("flag_groups", ()), group)
    bare = inspect.unwrap(command)

    @wraps(bare)
    def run(**values: Any) -> None:
        file = SettingsFile()
        flags = [{flag.name: values.pop(flag.name) for flag in group.flags} for group in groups]
        bare(**values, **{group.parameter: group.load(own, file) for group, own in zip(groups, flags, strict=True)})

    signature = inspect.signature(command, eval_str=True)
    own = [each for each in signature.parameters.values() if each.name != group.parameter]
    vars(run).update(__signature__=signature.replace(parameters=[*own, *group.flags]), flag_groups=groups)
    return run


def _parameter(kind: type, field: Field[Any], panel: str) -> inspect.Parameter:
    """Return a flag for a field. Its value is a plain string, checked with the options; None if it is not set."""
    allowed = _hints(kind)[field.name]
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
    """Return the docstring of the field, plus the choices and the default if it does not name them."""
    text = field_docs(kind).get(name, "")
    choices = get_args(allowed) if get_origin(allowed) is Literal else ()
    default = getattr(kind(), name)
    if any(f"`{choice}`" not in text for choice in choices):
        text += f" One of {', '.join(f'`{choice}`' for choice in choices)}."
    if get_origin(allowed) is Mapping:
        return f"{text} Can be repeated."
    if isinstance(default, bool) or default == "" or "by default" in text:
        return text
    return f"{text} Default: {default}."
