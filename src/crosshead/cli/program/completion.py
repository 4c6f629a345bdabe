"""The values that a shell completes, by the name of an option or argument.

A shell waits for them, so nothing heavy is imported; only the titles of sections take as long as a search.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple, get_args

from crosshead.errors import CrossheadError
from crosshead.options import (
    DEFAULT_LOCATION,
    OCR_MODES,
    ChunkOptions,
    ExtractOptions,
    SearchMode,
    Strategy,
    choices,
)
from crosshead.store import POSTGRES, find_kind, holds_index, is_folder, is_pattern, matching_locations

MOST: Final = 1000
SHELL: Final = "_CROSSHEAD_COMPLETE"
"""The variable in which a shell says that it completes, and which shell it is."""
_SPECIAL: Final = frozenset(" \t\"'\\$`&|;<>()*?[]{}!#~")
_QUOTES: Final = ("'", '"')


class Completion(NamedTuple):
    """A value, as the shells of Typer read it."""

    value: str
    help: str | None = None
    type: str = "plain"


Values = Callable[[Any, str], Iterable[str]]
"""From the context of the command and the beginning of the value."""


def with_values(parameter: Any) -> Any:
    """Make a parameter complete its values; without any, a shell completes files."""
    name = next((each for each in parameter.opts if each.startswith("--")), parameter.metavar)
    values = VALUES.get(name)
    if values:
        parameter.shell_complete = partial(_complete, values)
    return parameter


def _complete(values: Values, context: Any, beginning: str) -> list[Completion]:
    try:
        found = [each for each in values(context, beginning) if each.startswith(beginning)]
    except (CrossheadError, OSError):  # a message would break the line that is typed
        return []
    return [Completion(_escaped(each)) for each in found[:MOST]]


def _escaped(value: str) -> str:
    """Return a value as Bash reads it; other shells escape it, and so do quotes."""
    word = os.environ.get("COMP_WORDS", "").rpartition(" ")[2]
    if os.environ.get(SHELL) != "complete_bash" or word.startswith(_QUOTES):
        return value
    return "".join(f"\\{each}" if each in _SPECIAL else each for each in value)


def _formats(context: Any, _: str) -> Iterable[str]:
    """Return the formats of an index, as its files' names show them, or of all documents."""
    from crosshead.formats import format_of, known_formats

    if sources := _sources(context):
        return sorted(filter(None, set(map(format_of, sources))))
    return (each.name for each in known_formats())


def _sources(context: Any, _: str = "") -> list[str]:
    from crosshead.indexing import indexed_files

    return [source for location in _locations(context) for source in indexed_files(location)]


def _sections(context: Any, beginning: str) -> Iterable[str]:
    from crosshead.index import Index

    locations = _locations(context)
    if not all(is_folder(each) or find_kind(each) == POSTGRES for each in locations):  # object storage may be slow
        return []
    with Index.join(locations) if len(locations) > 1 else Index(locations[0], create=False) as index:
        return index.titles(beginning)


def _locations(context: Any) -> list[str]:
    """Return the indexes of the command that is typed: one or several; those of a pattern, or of its parts."""
    from crosshead.cli.indexes.default_index import nearest_index

    params = context.params
    named = [params["location"]] if params.get("location") else params.get("index")
    if "index" in params and not named:
        named = [os.environ.get("CROSSHEAD_INDEX") or nearest_index()]
    return [found for each in named or () for found in (matching_locations(each) if is_pattern(each) else [each])]


def _embedders(*_: object) -> Iterable[str]:
    from crosshead.embedding import list_models

    return ["auto", *(each.name.removesuffix("MODEL") for each in list_models())]


def _indexes(_: Any, beginning: str) -> Iterator[str]:
    """Yield the indexes beside what is typed: folders that are one, and folders that hold one."""
    from crosshead.cli.indexes.default_index import nearest_index

    if not beginning and holds_index(Path(nearest_index())):
        yield nearest_index()
    start = os.path.dirname(beginning)
    for folder in sorted(Path(start or ".").glob("*/")):
        for each in (folder, folder / DEFAULT_LOCATION):
            if holds_index(each) and str(each) != nearest_index():
                yield str(each)


def _fixed(*values: str) -> Values:
    return lambda *_: values


def _choices_of(kind: type) -> Mapping[str, Values]:
    """Return the values of all options whose types list them, by flag."""
    listed = {name: [each for each in allowed if isinstance(each, str)] for name, allowed in choices(kind).items()}
    return {f"--{name.replace('_', '-')}": _fixed(*allowed) for name, allowed in listed.items() if allowed}


VALUES: Final[Mapping[str, Values]] = {
    **_choices_of(ChunkOptions),
    **_choices_of(ExtractOptions),
    "--mode": _fixed(*get_args(SearchMode)),
    "--compare": _fixed(*get_args(Strategy)),
    "--ocr": _fixed(*OCR_MODES),
    "--format": _formats,
    "--include": lambda *given: chain(("code", "data", "image"), _formats(*given)),
    "--source": _sources,
    "--section": _sections,
    "--embedder": _embedders,
    "--rerank": _fixed("maxsim", "none"),
    "--language": _fixed("auto", "simple"),
    "--embed-text": _fixed("breadcrumb+content", "content"),
    "--engine": _fixed("local", "ray"),
    "--hyperlink": _fixed("auto", "never", "always"),
    "--variant": _fixed("int8", "fp32"),
    "--index": _indexes,
    "INDEX": _indexes,
    "FROM": _indexes,
    "SOURCE": _sources,
    "ADDRESS": _sources,
    "NAME": _fixed("minilm", "multilingual"),
}
