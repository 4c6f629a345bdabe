"""Texts that make a careless reader quadratic: every construct of a format, in every shape.

A construct is what opens and what closes something (`hostile_texts.toml`). A shape repeats it, nests it, opens it
without an end, lets it grow, or puts a long run of one character into it.
"""

from __future__ import annotations

import io
import json
import tomllib
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import count, pairwise
from pathlib import Path
from typing import Final, NamedTuple

from tests.formats.archives import change_zip, read_part
from tests.formats.office.docx.docx_files import docx
from tests.formats.samples import SAMPLES as MADE


class Construct(NamedTuple):
    """What opens and what closes one thing of a format."""

    open: str
    close: str = ""

    @property
    def name(self) -> str:
        """The construct as it is shown."""
        return f"{self.open!r} {self.close!r}" if self.close else repr(self.open)


class Pattern(NamedTuple):
    """A text of any size."""

    format: str
    name: str
    make: Callable[[int], bytes]


def _fill(unit: str, size: int) -> str:
    """Repeat a unit until the text is as long as it shall be."""
    if "{n}" not in unit:
        return unit * max(1, size // len(unit))
    pieces, length = [], 0
    for number in count():
        pieces.append(unit.replace("{n}", str(number)))
        length += len(pieces[-1])
        if length >= size:
            return "".join(pieces)
    return ""


def _nest(opening: str, closing: str, size: int) -> str:
    times = max(1, size // (len(opening) + len(closing)))
    return opening.replace("{n}", "0") * times + "a" + closing * times


def _grow(unit: str, between: str, size: int) -> str:
    """Lines of one, two, three units."""
    unit = unit.replace("{n}", "0")
    times = max(1, int((2 * size / len(unit)) ** 0.5))
    return between.join(unit * number for number in range(1, times + 1))


def _indent(unit: str, size: int) -> str:
    """Lines that are indented more and more, up to 100 columns, and less and less again."""
    lines, length = [], 0
    for number in count():
        depth = number % 200
        lines.append(" " * min(depth, 200 - depth) + unit.replace("{n}", str(number)))
        length += len(lines[-1]) + 1
        if length >= size:
            return "\n".join(lines)
    return ""


Shape = Callable[[Construct, int], str]
SHAPES: Final[Mapping[str, Shape]] = {
    "repeated": lambda it, size: _fill(f"{it.open}a{it.close}", size),
    "lines": lambda it, size: _fill(f"{it.open}a{it.close}\n", size),
    "paragraphs": lambda it, size: _fill(f"{it.open}a{it.close}\n\n", size),
    "blocks": lambda it, size: _fill(f"{it.open}\na\n{it.close}\n", size),
    "empty": lambda it, size: _fill(f"{it.open}{it.close}", size),
    "empty lines": lambda it, size: _fill(f"{it.open}{it.close}\n", size),
    "indented": lambda it, size: _fill(f"    {it.open}a{it.close}\n", size),
    "deeper and deeper": lambda it, size: _indent(f"{it.open}a{it.close}", size),
    "growing lines": lambda it, size: _grow(it.open + it.close, "\n", size),
    "growing paragraphs": lambda it, size: _grow(f"{it.open}a", "\n\n", size),
    "before text": lambda it, size: it.open.replace("{n}", "0") + _fill("a ", size),
    "before lines": lambda it, size: it.open.replace("{n}", "0") + "\n" + _fill("a\n", size),
}
FILLS: Final = {
    "spaces": " ",
    "tabs": "\t",
    "newlines": "\n",
    "letters": "a",
    "digits": "1",
    "dots": ".",
    "colons": ":",
    "dashes": "-",
    "equals": "=",
    "backslashes": "\\",
    "less-than signs": "<",
    "brackets": "[",
}


def _run(it: Construct, size: int, *, fill: str, end: str) -> str:
    """One construct with a long run of one character in it: what tries each end of a run from each of its starts is
    quadratic."""
    start = "a" if end else ""  # before the end, or right after the beginning
    return f"{it.open}{start}{fill * size}{end}{it.close}".replace("{n}", "0")


RUNS: Final[Mapping[str, Shape]] = {
    f"{start}{name}": partial(_run, fill=fill, end=end)
    for name, fill in FILLS.items()
    for start, end in (("around ", "b"), ("all ", ""))
}
PAIRED: Final[Mapping[str, Shape]] = {
    "nested": lambda it, size: _nest(it.open, it.close, size),
    "nested lines": lambda it, size: _nest(f"{it.open}\n", f"{it.close}\n", size),
    "never closed": lambda it, size: _fill(it.open, size),
    "text never closed": lambda it, size: _fill(f"{it.open}a ", size),
    "lines never closed": lambda it, size: _fill(f"{it.open}\n", size),
    "paragraphs never closed": lambda it, size: _fill(f"{it.open}a\n\n", size),
    "never opened": lambda it, size: _fill(it.close, size),
    "lines never opened": lambda it, size: _fill(f"a{it.close}\n", size),
    "closed twice": lambda it, size: _fill(f"{it.open}a{it.close}{it.close}\n", size),
    "half closed": lambda it, size: _fill(it.open, size // 2) + _fill(f"{it.close}\n", size // 2),
}
"""For constructs that something closes."""


def _load() -> dict[str, list[Construct]]:
    data = tomllib.loads(Path(__file__).with_suffix(".toml").read_text())
    return {name: [Construct(*given) for given in constructs] for name, constructs in data.items()}


KNOWN: Final = _load()
Wrap = Callable[[str], bytes]


def _plain(text: str) -> bytes:
    return text.encode()


def _between(start: str, end: str, text: str) -> bytes:
    return f"{start}{text}{end}".encode()


def _notebook(kind: str, text: str) -> bytes:
    outputs = [{"output_type": "stream", "name": "stdout", "text": text}] if kind == "output" else []
    cell = {"cell_type": "markdown" if kind == "markdown" else "code", "metadata": {}, "source": text}
    if kind != "markdown":
        cell |= {"outputs": outputs, "execution_count": None, "source": text if kind == "code" else "a"}
    return json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode()


def _part(format: str, part: str, marks: tuple[str, str], text: str) -> bytes:
    """Put text at a place of a part of an archive, after the first mark and before the second."""
    before = read_part(MADE[format], part)
    start = before.index(marks[0])
    start = before.index(">", start) + 1
    return change_zip(MADE[format], {part: before[:start] + text + before[before.rindex(marks[1]) :]})


def page_of_book(text: str) -> bytes:
    with zipfile.ZipFile(io.BytesIO(MADE["epub"])) as book:
        page = next(name for name in book.namelist() if name.endswith((".xhtml", ".html")) and "nav" not in name)
    head = '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>a</title></head><body>'
    return change_zip(MADE["epub"], {page: f"{head}{text}</body></html>"})


_MAIL: Final = "From: a@b.c\nSubject: a\nMIME-Version: 1.0\n"
_CODE: Final = (
    "python",
    "javascript",
    "typescript",
    "java",
    "c",
    "cpp",
    "csharp",
    "go",
    "rust",
    "ruby",
    "php",
    "shell",
)
_BODY: Final = ("odt", "content.xml", ("<office:text", "</office:text"))

Setting = tuple[str, str, Wrap]
"""What a text is put into: how that is called, which constructs the text has, and the function that does it."""


def _in(start: str, end: str = "") -> Wrap:
    return partial(_between, start, end)


SETTINGS: Final[Mapping[str, Sequence[Setting]]] = {
    "markdown": (
        ("", "markdown", _plain),
        ("in a list: ", "markdown", _in("- x\n  ")),
        ("in a quote: ", "markdown", _in("> ")),
        ("in a table: ", "markdown", _in("| a |\n|---|\n")),
        ("in HTML: ", "markdown", _in("<div>", "</div>")),
        ("in YAML: ", "data", _in("---\na: ", "\n---\n")),
        ("in TOML: ", "data", _in("+++\na = ", "\n+++\n")),
        ("in JSON: ", "data", _in('{"a": ', "}\n")),
    ),
    "mdx": (("", "markdown", _plain), ("", "mdx", _plain)),
    "html": (
        ("", "html", _plain),
        ("in a page: ", "html", _in("<html><body><main><p>", "</main>")),
        ("in a cell: ", "html", _in("<table><tr><td>", "</table>")),
        ("in pre: ", "html", _in("<pre>", "</pre>")),
    ),
    "rst": (("", "rst", _plain), ("in a note: ", "rst", _in(".. note::\n\n   ")), ("in a field: ", "rst", _in(":a: "))),
    "asciidoc": (
        ("", "asciidoc", _plain),
        ("in a block: ", "asciidoc", _in("====\n", "\n====")),
        ("in a table: ", "asciidoc", _in("|===\n|", "\n|===")),
    ),
    "org": (("", "org", _plain), ("in a list: ", "org", _in("- "))),
    "latex": (
        ("", "latex", _plain),
        ("in a document: ", "latex", _in("\\documentclass{a}\\begin{document}\n", "\\end{document}")),
        ("in a formula: ", "latex", _in("$$", "$$")),
        ("in a table: ", "latex", _in("\\begin{tabular}{ll}", "\\end{tabular}")),
    ),
    "man": (("", "man", _in(".TH A 1\n.SH NAME\n")), ("mdoc: ", "man", _in(".Dd a\n.Dt A 1\n.Os\n.Sh NAME\n"))),
    "text": (("", "text", _plain), ("below a heading: ", "text", _in("Title\n=====\n\n"))),
    "csv": (("", "csv", _plain), ("below a head: ", "csv", _in("a,b\n1,2\n"))),
    "tsv": (("", "csv", _plain),),
    "notebook": (
        ("markdown: ", "markdown", partial(_notebook, "markdown")),
        ("code: ", "code", partial(_notebook, "code")),
        ("output: ", "text", partial(_notebook, "output")),
        ("output: ", "terminal", partial(_notebook, "output")),
        ("raw: ", "data", _in('{"nbformat": 4, "cells": ', "}")),
    ),
    **dict.fromkeys((*_CODE, "sql"), (("", "code", _plain),)),
    **dict.fromkeys(("json", "yaml", "toml", "xml", "log"), (("", "data", _plain),)),
    "subtitles": (
        ("", "subtitles", _in("WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n")),
        ("srt: ", "subtitles", _in("1\n00:00:01,000 --> 00:00:02,000\n")),
    ),
    "rtf": (("", "rtf", _in("{\\rtf1 ", "}")),),
    "email": (
        ("in To: ", "headers", _in(f"{_MAIL}To: ", "\n\na")),
        ("in Subject: ", "headers", _in("From: a@b.c\nTo: a@b.c\nSubject: ", "\n\na")),
        ("in Date: ", "headers", _in(f"{_MAIL}Date: ", "\n\na")),
        ("in Content-Type: ", "headers", _in(f"{_MAIL}Content-Type: multipart/mixed; boundary=x", "\n\na")),
        ("", "message", _in(f"{_MAIL}\n")),
        ("parts: ", "message", _in(f"{_MAIL}Content-Type: multipart/mixed; boundary=x\n\n")),
        ("html: ", "html", _in(f"{_MAIL}Content-Type: text/html\n\n")),
        ("quoted: ", "message", _in(f"{_MAIL}Content-Transfer-Encoding: quoted-printable\n\n")),
    ),
    "docx": (("", "docx", docx), ("in a paragraph: ", "docx", lambda text: docx(f"<w:p>{text}</w:p>"))),
    "odt": (
        ("", "open_text", partial(_part, *_BODY)),
        ("in a paragraph: ", "open_text", lambda text: _part(*_BODY, f"<text:p>{text}</text:p>")),
    ),
    "ods": (("", "open_sheet", partial(_part, "ods", "content.xml", ("<table:table ", "</table:table>"))),),
    "xlsx": (("", "sheet", partial(_part, "xlsx", "xl/worksheets/sheet1.xml", ("<sheetData", "</sheetData"))),),
    "pptx": (("", "slide", partial(_part, "pptx", "ppt/slides/slide1.xml", ("<p:spTree", "</p:spTree"))),),
    "epub": (("", "html", page_of_book),),
}


def patterns(format: str) -> Iterator[Pattern]:
    """Yield every construct of a format in every shape."""
    for place, kind, wrap in SETTINGS[format]:
        for construct in KNOWN[kind]:
            shapes = {**SHAPES, **RUNS, **(PAIRED if construct.close else {})}
            for name, shape in shapes.items():
                yield Pattern(format, f"{place}{construct.name} {name}", partial(_make, wrap, shape, construct))
    for name, text in EXPANSIONS.get(format, {}).items():
        yield Pattern(format, name, partial(_encode, text))


def _make(wrap: Wrap, shape: Shape, construct: Construct, size: int) -> bytes:
    return wrap(shape(construct, size))


def _encode(text: Callable[[int], str], size: int) -> bytes:
    return text(size).encode()


def _substitutions(size: int) -> str:
    lines = [".. |a0| replace:: aa", *(f".. |a{n}| replace:: |a{n - 1}| |a{n - 1}|" for n in range(1, 31))]
    return "\n".join(lines) + "\n\n|a30|\n\n" + _fill("|a30| ", size)


def _attributes(size: int) -> str:
    lines = [":a0: aa", *(f":a{n}: " + f"{{a{n - 1}}}" * 10 for n in range(1, 12))]
    return "\n".join(lines) + "\n\n{a11}\n\n" + _fill("{a11} ", size)


def _strings(size: int) -> str:
    lines = [".ds a0 aa", *(f".ds a{n} \\*[a{n - 1}]\\*[a{n - 1}]" for n in range(1, 31))]
    return ".TH A 1\n.SH A\n" + "\n".join(lines) + "\n\\*[a30]\n" + _fill("\\*[a30]\n", size)


def _macros(size: int) -> str:
    lines = [".de a0\naa\n..", *(f".de a{n}\n.a{n - 1}\n.a{n - 1}\n.." for n in range(1, 31))]
    return ".TH A 1\n.SH A\n" + "\n".join(lines) + "\n.a30\n" + _fill(".a30\n", size)


def _commands(size: int) -> str:
    lines = ["\\newcommand{\\aA}{aa}"]
    names = [f"a{chr(65 + n)}" for n in range(26)]
    lines += [f"\\newcommand{{\\{b}}}{{\\{a}\\{a}\\{a}\\{a}}}" for a, b in pairwise(names)]
    return "\n".join(lines) + "\n\\aZ\n" + _fill("\\aZ\n", size)


def _org_macros(size: int) -> str:
    lines = ["#+MACRO: a0 aa", *(f"#+MACRO: a{n} {{{{{{a{n - 1}}}}}}} {{{{{{a{n - 1}}}}}}}" for n in range(1, 31))]
    return "\n".join(lines) + "\n\n{{{a30}}}\n\n" + _fill("{{{a30}}} ", size)


def _aliases(size: int) -> str:
    lines = ["a0: &a0 [a, a]", *(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 31))]
    return "---\n" + "\n".join(lines) + "\n---\n\n" + _fill("a ", size)


EXPANSIONS: Final[Mapping[str, Mapping[str, Callable[[int], str]]]] = {
    "rst": {"substitutions that double thirty times": _substitutions},
    "asciidoc": {"attributes that expand each other tenfold eleven times": _attributes},
    "man": {"strings that double thirty times": _strings, "macros that double thirty times": _macros},
    "latex": {"commands that expand each other fourfold": _commands},
    "org": {"macros that double thirty times": _org_macros},
    "markdown": {"YAML aliases that double thirty times": _aliases},
}
