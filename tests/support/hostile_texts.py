"""Texts of a megabyte that once took quadratic time, and a program that reads, cuts and checks one of them.

usage: python hostile.py NAME

The system ends the program if it takes far more CPU time than a linear reader needs.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import crosshead
from crosshead.errors import CrossheadError
from crosshead.formats import detect_format

SIZE = 1_000_000
CPU_SECONDS = 20
"""A linear reader takes less than two seconds; a quadratic one takes minutes."""


def repeat(unit: str) -> str:
    return unit * (SIZE // len(unit))


def _table_heads() -> str:
    heads = "\\endfirsthead" * 20_000
    return f"\\begin{{tabular}}{{ll}}\nKey & Price \\\\\n{heads}\n\\end{{tabular}}\n"


TEXTS: dict[str, tuple[str, Callable[[], str]]] = {
    "comments that end at once": ("html", lambda: repeat("<!-->a")),
    "readings in each other": ("html", lambda: "<rt>" * 110_000 + "x" + "</rt>" * 110_000),
    "indented lines": ("text", lambda: repeat("    a\n")),
    "boxes": ("text", lambda: repeat("+--+\n|a |\n")),
    "lines with tabs": ("text", lambda: repeat("a\tb\n")),
    "a heading of spaces": ("asciidoc", lambda: f"= a{' ' * SIZE}b"),
    "a picture named by spaces": ("asciidoc", lambda: f"image::a[a{' ' * SIZE}b]"),
    "a reference of spaces": ("rst", lambda: f"`a{' ' * SIZE}b`_"),
    "an object of dots": ("rst", lambda: f".. py:function:: f{'.' * SIZE}"),
    "a table of contents": ("rst", lambda: ".. toctree::\n\n" + "   a\n" * 50_000),
    "formulas that nothing closes": ("latex", lambda: "\\[a " * 40_000),
    "a macro of spaces": ("latex", lambda: f"\\newcommand{' ' * SIZE}a"),
    "a table head without an end": ("latex", _table_heads),
    "a row of empty cells": ("tsv", lambda: "\t" * 60_000),
    "a line of spaces": ("python", lambda: f"def a():\n    {' ' * SIZE}"),
    "definitions": ("rust", lambda: "mod a {\n" * 10_000),
}


def main(name: str) -> None:
    import resource

    format, make = TEXTS[name]
    data = make().encode()
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    detect_format(data)
    try:
        document = crosshead.read(data, format)
    except CrossheadError:
        print("refused")
        return
    report = crosshead.check(document, crosshead.chunk(document))
    print("read" if report.ok else report.violations[0].message)


if __name__ == "__main__":
    main(sys.argv[1])
