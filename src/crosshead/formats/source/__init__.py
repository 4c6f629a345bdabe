"""Source code and data as fenced text: a section for every definition or key, and citations that name lines.

1. `languages`: how a language shows its definitions, comments and strings.
2. `definitions`, `keys`: the lines where sections begin.
3. `shared.fences` writes them.

Nothing is parsed, so a file with mistakes in it is read as well as any other.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from crosshead.formats.base import Extracted
from crosshead.formats.shared.fences import write_fences
from crosshead.formats.shared.text import decode, without_controls
from crosshead.formats.source.definitions import find_definitions
from crosshead.formats.source.keys import JSON, XML, YAML, Keys, find_keys
from crosshead.formats.source.languages import LANGUAGES
from crosshead.options import ExtractOptions

MAX_CODE_LINES: Final = 200_000
"""About what five seconds are enough for, whatever is in them."""


def read_code(language: str, data: bytes, _options: ExtractOptions) -> Extracted:
    """Read source code."""
    lines, warnings = _lines(data, MAX_CODE_LINES)
    found = write_fences(lines, find_definitions(lines, LANGUAGES[language]), language)
    return found._replace(warnings=warnings)


def read_data(keys: Keys, data: bytes, _options: ExtractOptions) -> Extracted:
    """Read data that is text: a section for every key of several lines."""
    lines, warnings = _lines(data)
    return write_fences(lines, find_keys(lines, keys), keys.language)._replace(warnings=warnings)


def read_log(data: bytes, _options: ExtractOptions) -> Extracted:
    """Read lines that have no structure but their order."""
    lines, warnings = _lines(data)
    return write_fences(lines, (), "log")._replace(warnings=warnings)


def _lines(data: bytes, max_lines: int | None = None) -> tuple[list[str], tuple[str, ...]]:
    """Return the lines of a file, and warnings about its encoding."""
    warnings: list[str] = []
    text = without_controls(decode(data, warnings), max_lines)
    return text.replace("\f", " ").split("\n"), tuple(warnings)


read_python = partial(read_code, "python")
read_javascript = partial(read_code, "javascript")
read_typescript = partial(read_code, "typescript")
read_java = partial(read_code, "java")
read_c = partial(read_code, "c")
read_cpp = partial(read_code, "cpp")
read_csharp = partial(read_code, "csharp")
read_go = partial(read_code, "go")
read_rust = partial(read_code, "rust")
read_ruby = partial(read_code, "ruby")
read_php = partial(read_code, "php")
read_shell = partial(read_code, "shell")
read_sql = partial(read_code, "sql")
read_toml = partial(read_code, "toml")
read_json = partial(read_data, JSON)
read_yaml = partial(read_data, YAML)
read_xml = partial(read_data, XML)
