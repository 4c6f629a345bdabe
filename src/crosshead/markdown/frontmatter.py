"""Front matter: a YAML (`---`) or TOML (`+++`) map at the start of the document."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime, time
from math import isfinite
from typing import Any

MAX_LENGTH = 1_000_000
MAX_DEPTH = 100
"""Maximum nesting of lists and maps: the native YAML parser crashes at about 10,000."""
_FIRST_ENTRY = re.compile(
    r"""[ \t]*(?:[#{\[]|---|\+\+\+|[^\s:"']+[ \t]*[:=]|"[^"]*"[ \t]*[:=]|'[^']*'[ \t]*[:=]|-[ \t])"""
).match
_TEXT, _LIST, _MAP = [f"tag:yaml.org,2002:{name}" for name in ("str", "seq", "map")]


class MalformedFrontMatter(ValueError):
    """The text between the delimiters is not a mapping."""


def front_matter_end(lines: list[str]) -> int:
    """Return the line after the front matter at the start of a document, or 0 without front matter.

    A document may also begin with a thematic break; then what follows does not look like an entry of a map.
    """
    delimiter = lines[0].rstrip()
    if delimiter not in ("---", "+++"):
        return 0
    first = next((line for line in lines[1:] if line.strip()), "")
    if not _FIRST_ENTRY(first):
        return 0
    closing = ("---", "...") if delimiter == "---" else ("+++",)
    for at in range(1, len(lines)):
        if lines[at][:3] in closing and lines[at].rstrip() in closing:
            return at + 1
    return 0


def parse_front_matter(source: str) -> dict[str, Any]:
    """Read the source of a front matter block, delimiters included, into plain JSON values."""
    if len(source) > MAX_LENGTH:
        raise MalformedFrontMatter(f"longer than {MAX_LENGTH} characters")
    body = source[3:].rstrip()[:-3].partition("\n")[2]
    try:
        loaded = tomllib.loads(body) if source.startswith("+++") else _load_yaml(body)
        values = _plain(loaded)
    except (ValueError, RecursionError) as error:
        raise MalformedFrontMatter(_first_line(error)) from error
    if values is None:
        return {}
    if not isinstance(values, dict):
        raise MalformedFrontMatter("not a map of names and values")
    return values


def _load_yaml(body: str) -> object:
    import yaml

    kind = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        if _looks_risky(body):
            _check_events(yaml.parse(body, Loader=kind))
        loader = kind(body)
        try:
            node = loader.get_single_node()
            return None if node is None else _construct(node, loader.construct_document)
        finally:
            loader.dispose()
    except yaml.YAMLError as error:
        raise ValueError(_first_line(error)) from error


def _looks_risky(body: str) -> bool:
    """Parse the events only if the text has aliases or enough brackets and dashes to nest too deep."""
    return "*" in body or sum(map(body.count, ("[", "{", "-", "?", ":\n"))) > MAX_DEPTH


def _check_events(events: Iterable[Any]) -> None:
    depth = 0
    for event in events:
        kind = type(event).__name__
        if kind == "AliasEvent":
            raise ValueError("aliases are not supported")  # they can unfold to gigabytes
        depth += kind.endswith(("SequenceStartEvent", "MappingStartEvent"))
        depth -= kind.endswith(("SequenceEndEvent", "MappingEndEvent"))
        if depth > MAX_DEPTH:
            raise ValueError(f"it nests deeper than {MAX_DEPTH} levels")


def _construct(node: Any, construct_other: Callable[[Any], object]) -> object:
    """Return the value of a YAML node: strings, lists and maps here, other types by the slower constructor of YAML."""
    if _is_text(node):
        return node.value
    if node.id == "mapping" and node.tag == _MAP and all(_is_text(key) for key, _ in node.value):
        return {key.value: _construct(value, construct_other) for key, value in node.value}
    if node.id == "sequence" and node.tag == _LIST:
        return [_construct(each, construct_other) for each in node.value]
    return construct_other(node)


def _is_text(node: Any) -> bool:
    return bool(node.id == "scalar" and node.tag == _TEXT)


def _plain(value: object) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple, set)):
        return [_plain(each) for each in value]
    if isinstance(value, (datetime, date, time)):
        return value.isoformat()
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, float) and not isfinite(value):  # JSON has no such number
        return str(value)
    return value


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0] or type(error).__name__
