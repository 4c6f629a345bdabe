"""Jupyter notebooks -> Markdown.

Markdown cells are taken as they are, code cells become fences in the language of the kernel, and so do outputs of
text; tables in outputs become tables. Versions 3 and 4 of the format are read. Whatever has another type than the
format says is left out, and that is reported.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from crosshead.errors import CorruptFile, ExtractError, UnsupportedFormat
from crosshead.formats.base import Extracted
from crosshead.formats.registry import get_format
from crosshead.formats.shared import gfm
from crosshead.formats.shared.decoding.text import decode
from crosshead.options import ExtractOptions

OUTPUT_CHARACTERS: Final = 1000
"""Maximum size of a fence of output; a long output becomes several, because a chunk holds whole fences."""

_ANSI = re.compile(r"\x1b(?:\[[0-9;?]{0,40}[ -/]{0,4}[@-~]|[@-Z\\^_])")
_LANGUAGE = re.compile(r"[A-Za-z0-9_+#.-]{1,40}")
_FENCE = re.compile(r"^ {0,3}(`{3,}(?=[^`\n]*$)|~{3,})[^\n]*$", re.M)
_KERNEL_NAMES: Final = {"python2": "python", "python3": "python", "ir": "r", "ipython": "python", "ipython3": "python"}

Cell = Mapping[str, Any]


def read_notebook(data: bytes, _options: ExtractOptions) -> Extracted:
    """Read a notebook."""
    warnings: list[str] = []
    notebook = _load(data, warnings)
    metadata = _map(notebook.get("metadata"))
    language = _language(metadata)
    cells = list(_cells(notebook, warnings))
    blocks = [
        block for at, cell in enumerate(cells) for block in _cell_blocks(cell, language, warnings, is_first=at == 0)
    ]
    title = _plain(metadata.get("title")).strip()
    return Extracted(gfm.join_blocks(blocks), title=title, warnings=tuple(warnings))


def _load(data: bytes, warnings: list[str]) -> Cell:
    try:
        notebook = json.loads(decode(data, warnings))
    except (ValueError, RecursionError) as error:
        raise CorruptFile(f"not a notebook, because it is not valid JSON: {_reason(error)}") from error
    if not isinstance(notebook, dict) or not ("cells" in notebook or "worksheets" in notebook):
        raise CorruptFile("not a notebook: it has no cells")
    version = notebook.get("nbformat", 4)
    if isinstance(version, int) and version > 4:
        raise UnsupportedFormat(f"a notebook of version {version}: save it as version 4")
    return notebook


def _reason(error: Exception) -> str:
    return str(error).partition("\n")[0] if isinstance(error, ValueError) else "it is nested too deep"


def _cells(notebook: Cell, warnings: list[str]) -> Iterator[Cell]:
    """Version 3 keeps its cells in worksheets."""
    sheets = [notebook, *_list(notebook.get("worksheets"))]
    lost = 0
    for sheet in sheets:
        for cell in _list(_map(sheet).get("cells")):
            if isinstance(cell, dict):
                yield cell
            else:
                lost += 1
    if lost:
        warnings.append(f"{lost} malformed cells are left out")


def _language(metadata: Cell) -> str:
    kernel = _map(metadata.get("kernelspec"))
    named = (
        _map(metadata.get("language_info")).get("name"),
        kernel.get("language"),
        metadata.get("language"),
        kernel.get("name"),
        "python",
    )
    name = next(name for name in named if isinstance(name, str) and _LANGUAGE.fullmatch(name)).lower()
    return _KERNEL_NAMES.get(name, name)


def _cell_blocks(cell: Cell, language: str, warnings: list[str], *, is_first: bool) -> Iterator[str]:
    source = _plain(cell.get("source", cell.get("input"))).strip("\n")
    kind = cell.get("cell_type")
    if not source.strip() and kind != "code":
        return
    if kind == "markdown" or (kind == "raw" and is_first and source.startswith("---\n")):
        yield _closed(source)
    elif kind == "heading":
        level = cell.get("level")
        yield gfm.heading(level if isinstance(level, int) else 1, source)
    elif kind == "code":
        own = cell.get("language")
        if source.strip():
            yield gfm.fence(source, own if isinstance(own, str) and _LANGUAGE.fullmatch(own) else language)
        for output in _list(cell.get("outputs")):
            yield from _output_blocks(_map(output), warnings)
    else:
        yield gfm.fence(source)


def _closed(markdown: str) -> str:
    """Close a fence that a cell leaves open."""
    mark = ""
    for found in _FENCE.finditer(markdown):
        if not mark:
            mark = found[1]
        elif found[1].startswith(mark) and not found[0].strip().strip(mark[0]):
            mark = ""
    return f"{markdown}\n{mark}" if mark else markdown


def _output_blocks(output: Cell, warnings: list[str]) -> Iterator[str]:
    kind = output.get("output_type")
    if kind == "stream":
        yield from _fences(_plain(output.get("text")))
    elif kind in ("error", "pyerr"):
        yield from _fences(f"{_plain(output.get('ename'))}: {_plain(output.get('evalue'))}")
    else:
        data = output.get("data")
        yield from _data_blocks(_map(data) if data is not None else output, warnings)


def _data_blocks(data: Cell, warnings: list[str]) -> Iterator[str]:
    """Return the richest of several forms of one result."""
    markdown = _plain(data.get("text/markdown"))
    html = _plain(data.get("text/html", data.get("html")))
    if markdown.strip():
        yield _closed(markdown.strip("\n"))
    elif "<table" in html and (table := _table(html, warnings)):
        yield table
    else:
        yield from _fences(_plain(data.get("text/plain", data.get("text"))))


def _table(html: str, warnings: list[str]) -> str:
    """Return a table in an output as Markdown; empty if it is unreadable, because outputs also have a text form."""
    try:
        read_html = get_format("html").load_reader()
        table = read_html(html.encode("utf-8", "replace"), ExtractOptions(main_content="off"))
    except ExtractError:
        return ""
    warnings += table.warnings
    return table.text.strip("\n")


def _fences(text: str) -> Iterator[str]:
    text = "\n".join([_last_state(line) for line in _ANSI.sub("", text).split("\n")])
    for part in _line_groups(text.strip("\n").split("\n")):
        if part.strip():
            yield gfm.fence(part)


def _last_state(line: str) -> str:
    """Keep only the last state of a progress bar, which overwrites itself."""
    return line.rstrip("\r").rpartition("\r")[2].rstrip()


def _line_groups(lines: Iterable[str]) -> Iterator[str]:
    group: list[str] = []
    size = 0
    for line in lines:
        if group and size + len(line) > OUTPUT_CHARACTERS:
            yield "\n".join(group)
            group, size = [], 0
        group.append(line)
        size += len(line) + 1
    yield "\n".join(group)


def _plain(value: Any) -> str:
    """Text is a string, or a list of its lines. Half of a pair of surrogates is valid in JSON, but is no character."""
    text = value if isinstance(value, str) else "".join([each for each in _list(value) if isinstance(each, str)])
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _map(value: Any) -> Cell:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
