"""Texts that make a careless parser quadratic, and a program that parses them one after the other.

usage: python hostile.py GROUP

It prints the name of each text before it parses it, and ends as soon as one takes far more CPU time than a linear
parser needs; then the last name says which.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from crosshead import estimate_tokens, parse_blocks

SIZE = 60_000
"""Characters of a text."""
CPU_SECONDS = 5
"""For one text. A linear parser takes well under a second, a quadratic one far longer than this."""


def repeat(unit: str, start: str = "", end: str = "") -> str:
    return start + unit * (SIZE // len(unit)) + end


def headings(unit: str) -> str:
    """Many headings, each as long as a heading may be to be read as markup."""
    return repeat(f"# {unit * (1990 // len(unit))}\n")


TEXTS: dict[str, dict[str, Callable[[], str]]] = {
    "leaves": {
        "one line": lambda: "x" * 5_000_000,
        "spaces": lambda: f"{' ' * 1_000_000}x{' ' * 1_000_000}x",
        "tabs": lambda: repeat("\t", end="x"),
        "blank lines": lambda: repeat(" \n"),
        "unclosed fence": lambda: repeat("x\n", start="```\n"),
        "fences that close nothing": lambda: repeat("```x\n", start="````\n"),
        "ticks": lambda: repeat("`", end="\n" + "x`\n" * 1000),
        "rows": lambda: repeat("1 | 2\n", start="a | b\n--|--\n") * 3,
        "cells": lambda: repeat("|a") + "\n" + repeat("|-"),
        "delimiter row": lambda: "a | b\n" + "|-" * 500_000 + "x",
        "headers without a table": lambda: repeat("a | b\n"),
        "underline": lambda: "a\n" + "=" * 1_000_000 + "x",
        "rule": lambda: "* " * 100_000 + "x",
        "heading marks": lambda: "# " + "# " * 500_000 + "x",
        "comments": lambda: repeat("<!-- \n\n"),
        "tag": lambda: "<a" + " b" * 500_000,
        "tag with values": lambda: "<a" + " b=c" * 250_000,
        "tag with spaces": lambda: f"<a{' ' * 1_000_000}x",
        "open tags": lambda: repeat("x\n<b\n"),
        "open headings": lambda: repeat("<h1>\n"),
        "heading that nothing closes": lambda: repeat("x\n", start="<h1>\n") + repeat("<h1>x\n\n"),
        "heading with many tags": lambda: repeat(f"<h1>{'<b ' * 600}</h1>\n"),
        "comments in a block": lambda: repeat("<!--\n<h1>", start="<div>\n"),
        "open tables": lambda: repeat("<table>\n\n"),
        "tables in tables": lambda: repeat("<table>\n\n") + repeat("</table>\n\n"),
        "tables": lambda: repeat("<table></table>\n\nx\n\n"),
        "tables in one block": lambda: repeat("<table>\n</table>\n"),
        "tables that others hold": lambda: repeat("<div>\n" * 100 + "<table></table>\n" + "</div>\n" * 100),
        "closing tables": lambda: repeat("</table>\n\n", start="<table>\n\n"),
        "ticks before a table": lambda: "<table>\n\n" + repeat("` "),
        "digits": lambda: "1" * 1_000_000,
        "footnote label": lambda: repeat("[^"),
        "front matter": lambda: repeat("--- x\n", start="---\na: b\n"),
        "front matter key": lambda: f"---\n{'a' * 1_000_000}\n---\n",
        "front matter quote": lambda: f"---\n{chr(34) * 1_000_000}\n---\n",
    },
    "definitions and formulas": {
        "definitions": lambda: repeat("[a]: /u\n"),
        "unclosed titles": lambda: repeat('[a]: /u "t\n'),
        "unclosed titles apart": lambda: repeat("[a]: /u 't\n\n"),
        "brackets": lambda: "[" * 1_000_000,
        "bracket lines": lambda: repeat("[\n"),
        "labels": lambda: repeat(f"[{'a' * 990}\n"),
        "backslashes": lambda: "[" + "\\" * 1_000_000,
        "parentheses": lambda: "[a]: " + "(" * 1_000_000,
        "dollars": lambda: repeat("$$\n"),
        "dollars with text": lambda: repeat("x\n$$ y\n"),
        "dollars apart": lambda: repeat("$$ x\n\n# y\n\n"),
        "bracket formulas": lambda: repeat("\\[\n# x\n"),
        "environments": lambda: repeat("\\begin{a}\n"),
        "environments between headings": lambda: repeat("\\begin{a}\n# x\n"),
        "environments of many names": lambda: "".join(
            f"\\begin{{{chr(97 + n % 26) * (n % 97)}}}\n# x\n" for n in range(4000)
        ),
        "environments in a list": lambda: repeat("  \\begin{a}\n  # x\n", start="- x\n"),
        "environments in a quote": lambda: repeat("> \\begin{a}\n> # x\n"),
        "formulas in a footnote": lambda: repeat("    \\[\n    # x\n", start="[^a]: x\n\n"),
    },
    "containers": {
        "items in items": lambda: "- " * 80_000 + "x",
        "quotes in quotes": lambda: "> " * 100_000 + "x",
        "quotes without spaces": lambda: ">" * 100_000,
        "numbers in numbers": lambda: "1. " * 80_000,
        "deep lines": lambda: repeat("> " * 150 + "a\nb\n"),
        "deep items": lambda: "\n".join("  " * (number % 400) + "- a" for number in range(2000)),
        "items": lambda: repeat("- a\n") * 3,
        "items with blank lines": lambda: repeat("- a\n" + "\n" * 40),
        "items and text": lambda: repeat("- a\n\n  b\n\n"),
        "lists": lambda: repeat("- a\n\n* b\n\n"),
        "blank lines in an item": lambda: repeat("\n", start="- a\n", end="  b"),
        "fences in items": lambda: repeat("- ```\n"),
        "an open fence in an item": lambda: repeat("  x\n", start="- ```\n"),
        "tables of HTML in items": lambda: repeat("- <table>\n  </table>\n"),
        "tables of HTML in one item": lambda: repeat("  <table></table>\n\n  ```\n  x\n  ```\n", start="- x\n\n"),
        "tables in items": lambda: repeat("- a | b\n  --|--\n"),
        "formulas in items": lambda: repeat("- $$ a\n  b\n"),
        "lazy lines": lambda: repeat("b\n", start="> a\n"),
        "empty quote": lambda: repeat(">\n"),
        "footnotes": lambda: repeat("[^a]: x\n"),
        "code in a footnote": lambda: repeat("        y\n\n", start="[^a]: x\n\n"),
    },
    "headings": {
        "long heading": lambda: "# " + "*a " * 500_000,
        "long setext heading": lambda: repeat("a*\n", end="==="),
        "links": lambda: headings("[a](b)"),
        "references": lambda: headings("[a]"),
        "brackets": lambda: headings("["),
        "nested brackets": lambda: repeat(f"# {'[' * 900}{']' * 900}\n"),
        "open links": lambda: headings("[a]("),
        "open targets": lambda: headings("[a](<"),
        "open titles": lambda: headings('[a](b "'),
        "parentheses": lambda: repeat(f"# [a]({'(' * 1900}\n"),
        "images": lambda: headings("!["),
        "emphasis": lambda: headings("*a_ "),
        "closing emphasis": lambda: headings("a* "),
        "delimiters": lambda: headings("*_"),
        "code": lambda: repeat("# " + " ".join("`" * number for number in range(1, 60)) + "\n"),
        "tags": lambda: headings("<a b "),
        "comments": lambda: headings("<!--"),
        "instructions": lambda: headings("<?"),
        "addresses": lambda: headings("<a.b@c"),
        "entities": lambda: headings("&a"),
        "ids": lambda: repeat(f"# a{' ' * 1900}{{#b}}c}}\n"),
        "labels of later definitions": lambda: repeat("# [a]\n") + repeat("[a]: /u\n"),
    },
    "mdx": {
        "braces": lambda: repeat("{\n"),
        "braces on a line": lambda: repeat("{"),
        "lines of braces": lambda: repeat("{" * 1000 + "\n"),
        "braces apart": lambda: repeat("{\n\n"),
        "braces in paragraphs": lambda: repeat("x\n{\n"),
        "braces that close too late": lambda: repeat("{\n" * 290 + "}" * 290 + " x\n"),
        "attributes": lambda: repeat("<B a={\n"),
        "attributes apart": lambda: repeat("<B a={\n\n"),
        "attributes that close too late": lambda: repeat("<B a={\n" * 290 + "}" * 290 + "\n"),
        "tags": lambda: repeat("<B\n"),
        "tags and text": lambda: repeat("<B>\n<C> x\n"),
        "exports": lambda: repeat("export {\n\n"),
        "exports before a long line": lambda: "export {\n\n" * 2000 + "x" * 2_000_000,
        "exports before many lines": lambda: "export {\n\n" * 2000 + "x\n" * 100_000,
        "exports of templates": lambda: repeat("export `\n\n"),
        "comments": lambda: repeat("{/*\n"),
        "quotes": lambda: repeat('{"\n'),
        "escaped quotes": lambda: '{"' + '\\"' * 49_000 + "\n\nexport `" + "\\`" * 49_000,
        "components in items": lambda: repeat("- <B a={\n"),
        "components that leave their items": lambda: repeat("- <B a={\n" + "x\n" * 99 + "}>\n"),
        "components on a line": lambda: repeat("<B/>"),
    },
}


def limit_cpu() -> None:
    try:
        import resource
    except ImportError:  # not on Windows; whoever started the program may still stop it
        return
    resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time()) + CPU_SECONDS, resource.RLIM_INFINITY))


def main(group: str) -> None:
    for name, text in TEXTS[group].items():
        print(name, flush=True)
        limit_cpu()
        parse_blocks(text(), mdx=group == "mdx")
        estimate_tokens(text())
    print("done")


if __name__ == "__main__":
    main(sys.argv[1])
