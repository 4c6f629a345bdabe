"""The parts of pages that are made from the source: help texts, docstrings, documented fields, and programs.

A page says where such a part goes; `with_parts` fills it, and everything else in the page is prose:

    <!-- made from the source: chunk_options -->
    ...
    <!-- end -->
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cached_property
from textwrap import dedent
from types import FunctionType, NoneType, UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from tests.docs import listings
from tests.docs.blocks import PART

import crosshead
from crosshead import errors, options
from crosshead.citation import cites
from crosshead.cli import app
from crosshead.cli.flags import CHUNKING, READING
from crosshead.cli.program.common_flags import common_flags
from crosshead.cli.program.help import effect, usage
from crosshead.formats.built_in import BUILT_IN
from crosshead.runtime.field_docs import field_docs
from crosshead.types import SearchRequest, door_fields

PANELS: Final = {CHUNKING: "crosshead chunk", READING: "crosshead extract"}
"""The command that lists the options of a panel; the others refer to it."""
OPTIONS: Final = {
    "ChunkOptions": "options.md#chunking",
    "ExtractOptions": "options.md#reading",
    "SearchOptions": "options.md#search",
    "SearchRequest": "options.md#search",
}
"""Values whose fields are on the page of options."""
_CITATIONS: Final = {"file": "lines", "marks": "lines", "times": "times", "cells": "cells", "slides": "slides"}
_VALUES: Final = {bool: "true, false", int: "whole number", float: "number", str: "text"}


def with_parts(page: str) -> str:
    """Return a page with its generated parts as the source has them now."""
    return PART.sub(lambda part: f"{part[1]}\n{PARTS[part[2]]().strip()}\n\n{part[3]}", page)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    cells = [head, ["---"] * len(head), *([cell.replace("|", "\\|") for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(row)} |" for row in cells)


# ------------------------------------------------------------------ options


def chunk_options() -> str:
    return _options(options.ChunkOptions, fields(options.ChunkOptions))


def extract_options() -> str:
    return _options(options.ExtractOptions, fields(options.ExtractOptions))


def search_request() -> str:
    return _options(SearchRequest, [each for each in door_fields(SearchRequest) if each.name != "query"])


def search_tuning() -> str:
    offered = {each.name for each in door_fields(SearchRequest)}
    own = [each for each in fields(options.SearchOptions) if each.name not in offered]
    return _options(options.SearchOptions, own)


def option_names() -> set[str]:
    """Return the names of all options that the page of options lists."""
    kinds = (options.ChunkOptions, options.ExtractOptions, options.SearchOptions)
    return {each.name for own in (*map(fields, kinds), door_fields(SearchRequest)) for each in own}


def _options(kind: type, own: Iterable[Field[Any]]) -> str:
    docs, hints = field_docs(kind), get_type_hints(kind)
    rows = [(f"`{each.name}`", _values(hints[each.name]), _default(each), docs.get(each.name, "")) for each in own]
    return table(("option", "values", "default", "effect"), rows)


def _values(hint: Any) -> str:
    """Return the values of a type: the names of a choice, or what kind of value it is."""
    if get_origin(hint) is Literal:
        return ", ".join(f"`{value}`" for value in get_args(hint))
    if isinstance(hint, type) and hint in _VALUES:
        return _VALUES[hint]
    if get_origin(hint) is Mapping:
        return "table"
    if get_origin(hint) in (Union, UnionType):
        return ", ".join(dict.fromkeys(_values(each) for each in get_args(hint) if each is not NoneType))
    return "function"


def _default(field: Field[Any]) -> str:
    if field.default_factory is not MISSING or field.default in ("", ()):
        return "none"
    if field.default is None:
        return _followed(field.name)
    return f"`{str(field.default).lower()}`" if isinstance(field.default, bool) else f"`{field.default}`"


def _followed(name: str) -> str:
    """Return the default of an option that follows `max_tokens`, or none."""
    value = getattr(options.ChunkOptions(), name, None)
    follows = "" if name == "max_tokens" else ", [or follows](#sizes-that-follow)"
    return f"`{value}`{follows}" if value is not None else "none"


# ------------------------------------------------------------------ formats


def formats() -> str:
    return table(
        ("format", "suffixes", "also named", "limits", "citation", "needs"),
        [
            (
                f"`{each.name}`",
                " ".join(f"`{suffix}`" for suffix in each.suffixes),
                " ".join(f"`{alias}`" for alias in each.aliases),
                f"{each.max_bytes >> 20:,} MiB" + (f", {each.max_lines:,} lines" if each.max_lines else ""),
                _CITATIONS.get(cites(each.name) or "", "page or section"),
                f"`crosshead[{each.extra.name}]`" if each.extra else "",
            )
            for each in BUILT_IN
        ],
    )


# ------------------------------------------------------------------ Python


def public(kind: type) -> list[str]:
    """Return the names of a class that users see: fields, properties and methods, its own and inherited ones."""
    own = [each.name for each in fields(kind)] if is_dataclass(kind) else []
    own += getattr(kind, "_fields", ())
    members = [name for base in kind.__mro__[:-1] for name, value in vars(base).items() if _is_member(base, value)]
    return [name for name in dict.fromkeys([*own, *members]) if not name.startswith("_")]


def _is_member(base: type, value: Any) -> bool:
    kinds = (FunctionType, property, cached_property, classmethod, staticmethod)
    return isinstance(value, kinds) and base.__module__.startswith("crosshead")


def public_functions() -> list[str]:
    return [name for name in crosshead.__all__ if inspect.isfunction(getattr(crosshead, name))]


def public_values() -> list[str]:
    """Return the names of the classes that hold values: not errors, and not the index."""
    classes = [name for name in crosshead.__all__ if inspect.isclass(getattr(crosshead, name))]
    return [name for name in classes if name != "Index" and not issubclass(getattr(crosshead, name), Exception)]


def python_functions() -> str:
    return "\n\n".join(_described(name, f"crosshead.{name}", getattr(crosshead, name)) for name in public_functions())


def python_index() -> str:
    first = _described("Index", "crosshead.Index", crosshead.Index.__init__)
    members = [(name, inspect.getattr_static(crosshead.Index, name)) for name in public(crosshead.Index)]
    static = [(f"Index.{name}", value.__func__) for name, value in members if isinstance(value, staticmethod)]
    methods = [(f"index.{name}", value) for name, value in members if isinstance(value, FunctionType)]
    described = [_described(f"I{name[1:]}", name, value) for name, value in (*static, *methods)]
    others = [(name, value) for name, value in members if not isinstance(value, FunctionType | staticmethod)]
    properties = [(f"`index.{name}`", _text(value)) for name, value in others]
    return "\n\n".join([first, *described, table(("property", "is"), properties)])


def python_values() -> str:
    return "\n\n".join(_value(name, getattr(crosshead, name)) for name in public_values())


def error_tree() -> str:
    tree = (errors.__doc__ or "").partition("\n\n")[2].rpartition("\n\n")[0]
    return f"```text\n{dedent(tree).strip()}\n```"


def _value(name: str, kind: type) -> str:
    """Return a table of what is documented, and the names that say it themselves; options have a page of their own."""
    docs, rows, others = field_docs(kind), [], []
    elsewhere = f" Its options are listed under [Options]({OPTIONS[name]})." if name in OPTIONS else ""
    for each in public(kind):
        if elsewhere and each in option_names():
            continue
        value = inspect.getattr_static(kind, each, None)
        shown = f"`{each}()`" if isinstance(value, FunctionType | classmethod | staticmethod) else f"`{each}`"
        doc = docs.get(each) or _text(value)
        rows.append((shown, doc)) if doc else others.append(shown)
    parts = [f"### {name}", _text(kind) + elsewhere, table(("name", "is"), rows) if rows else ""]
    parts += [f"{'Also: ' if rows else ''}{', '.join(others)}."] if others else []
    return "\n\n".join(filter(None, parts))


def _described(heading: str, name: str, function: Any) -> str:
    """Return what a docstring says, without its doctest."""
    first, _, rest = (inspect.getdoc(function) or "").partition(">>>")[0].partition("\n\n")
    call = f"`{name}{_signature(function)}`"
    return "\n\n".join(filter(None, [f"### {heading}", call, _joined(first), _listed(rest)]))


def _signature(function: Any) -> str:
    parameters = [*inspect.signature(function).parameters.values()]
    own = [each.replace(annotation=inspect.Parameter.empty) for each in parameters if each.name != "self"]
    return str(inspect.Signature(own)).replace(", /", "")


def _text(value: Any) -> str:
    """Return the first paragraph of a docstring, unless Python wrote it for a field."""
    if not isinstance(value, type | FunctionType | property | cached_property | classmethod):
        return ""
    return _joined((inspect.getdoc(value) or "").partition("\n\n")[0])


def _joined(text: str) -> str:
    return " ".join(text.split())


def _listed(text: str) -> str:
    """Return paragraphs in which every argument is an item of a list."""
    lines: list[str] = []
    for line in text.splitlines():
        if re.match(r"`[\w=\".]+`: ", line):
            lines.append(f"- {line}")
        elif lines and line and lines[-1]:
            lines[-1] += f" {line.strip()}"
        else:
            lines.append(line)
    spaced = "\n".join(lines)
    return re.sub(r"(?m)^(?!- )(.+)\n(?=- )", r"\1\n\n", spaced).strip()


# ------------------------------------------------------------------ command line


def commands() -> Iterator[tuple[str, Any]]:
    """Every command and group with its whole name."""
    from typer.main import get_command

    def walk(name: str, command: Any) -> Iterator[tuple[str, Any]]:
        yield name, command
        for below in getattr(command, "commands", {}).values():
            yield from walk(f"{name} {below.name}", below)

    return walk("crosshead", get_command(app))


def command_line() -> str:
    return "\n".join(_command(name, command) for name, command in commands() if not hasattr(command, "commands"))


def common_options() -> str:
    return table(("option", "effect"), [(_flags(param), effect(param)) for param in common_flags()])


def _command(name: str, command: Any) -> str:
    arguments = [param for param in command.params if param.param_type_name == "argument"]
    flags = [param for param in command.params if param.param_type_name == "option"]
    own = [param for param in flags if PANELS.get(param.rich_help_panel, name) == name]
    panels = dict.fromkeys(param.rich_help_panel for param in flags if param not in own)
    parts = [f"## {name}", command.help, f"```\n{usage(name, command)}\n```"]
    parts += ["\n".join(f"`{param.metavar}`: {param.help}" for param in arguments)] if arguments else []
    parts += [table(("option", "effect"), [(_flags(param), effect(param)) for param in own])] if own else []
    for panel in panels:
        link = f"[{PANELS[panel]}](#{PANELS[panel].replace(' ', '-')})"
        parts.append(f"Also the options of {panel.lower()}, as for {link}.")
    return "\n\n".join([*parts, "\n".join(["```console", *examples(command), "```"]), ""])


def _flags(param: Any) -> str:
    value = f" {param.metavar}" if param.metavar else ""
    return ", ".join(f"`{flag}{value}`" for flag in [*param.opts, *param.secondary_opts])


def examples(command: Any) -> Sequence[str]:
    """Return the examples of a command's help."""
    return re.findall(r"^ +(crosshead .+)$", command.epilog or "", re.M)


PARTS: Final[dict[str, Callable[[], str]]] = {
    part.__name__: part
    for part in (
        formats, chunk_options, extract_options, search_request, search_tuning,
        python_functions, python_index, python_values, error_tree, common_options, command_line,
    )
} | listings.PARTS  # fmt: skip
