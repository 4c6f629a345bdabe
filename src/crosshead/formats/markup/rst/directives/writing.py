"""Directives of reStructuredText (docutils, Sphinx and unknown ones) -> blocks of Markdown.

Code keeps its language, an admonition its name. An object that is described (`.. method::`, `.. setting::`) becomes a
heading with its name, its signature below it, so that sections, chunks and searches know it; where there can be no
heading, its signature is bold. Directives that only steer a builder are dropped. Of all others, title and content are
kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from crosshead.formats.markup.rst.directives import objects
from crosshead.formats.markup.rst.directives.names import (
    CODE,
    NAMED_CODE,
    QUOTES,
    SHOWN_OPTIONS,
    STEERING,
    TITLES,
    VERSIONS,
)
from crosshead.formats.markup.rst.directives.parsing import Directive
from crosshead.formats.markup.rst.inline import split_titled
from crosshead.formats.markup.rst.lines import Lines, indent_of
from crosshead.formats.markup.rst.lists import term_item
from crosshead.formats.markup.rst.tables import csv_table, list_table
from crosshead.formats.markup.rst.titles import title_at
from crosshead.formats.shared import gfm
from crosshead.formats.shared.source_lines import Block, block_of, join_blocks

if TYPE_CHECKING:
    from crosshead.formats.markup.rst.blocks import RstParser, Scope

_FEW_LINES: Final = 20
_NO_LANGUAGES: Final = ("none", "text", "guess", "default")

_LANGUAGE = re.compile(r"[\w+#.-]{1,40}")
_CSS_CLASS = re.compile(r"[a-z][a-z0-9]*(?:[- ][a-z0-9]+)*")


class Directives:
    """Writes the directives of one document."""

    def __init__(self, parser: RstParser) -> None:
        self.parser = parser

    def write(self, directive: Directive, scope: Scope, around: Lines, after: int) -> list[Block]:
        """Return what a directive becomes; `around` are the lines around it, `after` is the line below it."""
        name = directive.name
        if name == "class" and _is_css(directive):
            return self._nested(directive.content, scope)
        if name in STEERING:
            return self._steer(directive)
        if name in CODE:
            return self._code(directive)
        if write := _WRITERS.get(name):
            return write(self, directive, scope)
        if name in VERSIONS:
            return self._version(directive, scope)
        if name in TITLES or name in QUOTES:
            return self._admonition(directive, scope)
        if objects.is_object(name, directive.argument):
            return self._object(directive, scope, around, after)
        if not directive.content.texts and _names_title(around, after, directive.argument):
            return []
        return [*self._title(directive), *self._nested(directive.content, scope)]

    def _steer(self, directive: Directive) -> list[Block]:
        if directive.name == "highlight":
            self.parser.language = _language(directive.argument)
        if directive.name == "default-role":
            self.parser.inline.default_role = directive.argument
        if directive.name in ("include", "raw"):
            self.parser.faults.append((directive.line, f"{directive.name} {directive.argument} is left out"))
        return []

    def _code(self, directive: Directive) -> list[Block]:
        """Write code; without any, as in a reference to a file, write the reference."""
        language = _language(directive.lines.texts[0])
        first = directive.lines.texts[0].strip()
        is_text = directive.name in ("parsed-literal", "productionlist") or (
            first not in ("", *_NO_LANGUAGES) and not language
        )
        code = directive.lines.part(0 if is_text else 1, len(directive.lines.texts))
        caption = self._paragraph(directive.options.get("caption", ""), directive.line)
        if not any(code.texts):
            return [*caption, [(gfm.code_span(directive.argument), directive.line)]] if directive.argument else caption
        return [*caption, *self.parser.fence(code, NAMED_CODE.get(directive.name, language))]

    def _version(self, directive: Directive, scope: Scope) -> list[Block]:
        version, _, text = directive.lines.texts[0].partition(" ")
        if directive.name == "deprecated-removed":
            removed, _, text = text.strip().partition(" ")
            version = f"{version}, will be removed in version {removed}"
        lead = f"{VERSIONS[directive.name]} {version}".rstrip()
        self.parser.inline.line = directive.line
        text = self.parser.inline.write("\n".join([text.strip(), *directive.lines.texts[1 : directive.head]]))
        separator = ":" if text.startswith("\n") else ": "
        return [block_of(f"{lead}{separator}{text}" if text else lead, directive.line),
                *self._nested(directive.content, scope)]  # fmt: skip

    def _admonition(self, directive: Directive, scope: Scope) -> list[Block]:
        lead = [[(f"**{TITLES[directive.name]}**", directive.line)]] if directive.name in TITLES else []
        blocks = self._nested(directive.lines.trimmed(), scope)
        if directive.name in QUOTES:
            return [[(f"> {text}" if text else ">", line) for text, line in join_blocks(blocks)]]
        return [*lead, *blocks]

    def _titled(self, directive: Directive, scope: Scope) -> list[Block]:
        """A box or a small heading with a title."""
        self.parser.inline.line = directive.line
        title = self.parser.inline.write(" ".join(directive.argument.split()))
        lead = [[(gfm.mark(title, "**"), directive.line)]] if title else []
        return [*lead, *self._paragraph(directive.options.get("subtitle", ""), directive.line),
                *self._nested(directive.content, scope)]  # fmt: skip

    def _object(self, directive: Directive, scope: Scope, around: Lines, after: int) -> list[Block]:
        found = objects.describe(directive.name, directive.argument)
        if not found.signatures:
            return self._nested(directive.content, scope)
        has_body = bool(directive.content.texts)
        if not has_body and _names_title(around, after, found.name):
            return []
        fields = self._fields(directive, scope)
        signatures = [(gfm.code_span(text), directive.line + at) for at, text in found.signatures]
        if scope.level is None or scope.level >= 6 or not has_body:
            terms = [(gfm.mark(text, "**"), line) for text, line in signatures]
            return [_broken(terms), *fields, *self._nested(directive.content, scope)]
        heading = [(gfm.heading(scope.level + 1, gfm.code_span(found.name)), directive.line)]
        is_name = [text for _, text in found.signatures] == [found.name]
        below = scope._replace(level=scope.level + 1, titles=False)
        return [heading, *([] if is_name else [_broken(signatures)]), *fields, *self._nested(directive.content, below)]

    def _fields(self, directive: Directive, scope: Scope) -> list[Block]:
        """Return what options say about an object."""
        found: Block = []
        for name, value in directive.options.items():
            if value and name not in objects.SILENT_OPTIONS:
                body = Lines(value.split("\n"), directive.line)
                found += term_item(self.parser, [(name, directive.line)], body, scope, code=False)
        return [found] if found else []

    def _entries(self, directive: Directive, _scope: Scope) -> list[Block]:
        """The documents that a table of contents leads to."""
        found: Block = []
        content = directive.content
        for at, text in enumerate(content.texts):
            if not text.strip() or text.strip() == "self":
                continue
            title, target = split_titled(text.strip()) or (text.strip(), text.strip())
            found.append((f"- {gfm.link(gfm.escape(title), target)}", content.number(at)))
        return [*self._paragraph(directive.options.get("caption", ""), directive.line), *([found] if found else [])]

    def _image(self, directive: Directive, scope: Scope) -> list[Block]:
        target = "".join(directive.argument.split())
        image = gfm.image(" ".join(directive.options.get("alt", "").split()), target)
        return [[(image, directive.line)], *self._nested(directive.content, scope)] if target else []

    def _math(self, directive: Directive, _scope: Scope) -> list[Block]:
        lines = directive.lines.trimmed()
        return [block_of(gfm.math_block("\n".join(lines.texts)), lines.first - 1)] if lines.texts else []

    def _glossary(self, directive: Directive, scope: Scope) -> list[Block]:
        """Terms, one or several, and what is indented below them."""
        lines = directive.content
        found: Block = []
        at = 0
        while at < len(lines.texts):
            terms = []
            while at < len(lines.texts) and lines.texts[at][:1] not in ("", " "):
                terms.append((lines.texts[at].partition(" : ")[0], lines.number(at)))
                at += 1
            end = lines.after_indented(at)
            if terms and not terms[0][0].startswith(".."):
                found += term_item(self.parser, terms, lines.dedented(at, end).trimmed(), scope, code=False)
            at = max(end, at + (not terms))
        return [found] if found else []

    def _list_table(self, directive: Directive, scope: Scope) -> list[Block]:
        rows: list[list[Lines]] = []
        for row in _items(directive.content):
            rows.append(_items(row))
        if not any(rows):
            return self._nested(directive.content, scope)
        header = _number(directive.options.get("header-rows", "0"))
        return [*self._title(directive), list_table(self.parser, rows, header, scope)]

    def _csv_table(self, directive: Directive, scope: Scope) -> list[Block]:
        if where := directive.options.get("file") or directive.options.get("url"):
            self.parser.faults.append((directive.line, f"csv-table of {where} is left out"))
        header, rows = directive.options.get("header", ""), _number(directive.options.get("header-rows", "0"))
        delimiter = {"tab": "\t", "space": " "}.get(directive.options.get("delim", ","), ",")
        if len(directive.options.get("delim", "")) == 1:
            delimiter = directive.options["delim"]
        table = csv_table(self.parser, directive.content, header, rows, delimiter, scope)
        return [*self._paragraph(directive.argument, directive.line), *([table] if table else [])]

    def _content(self, directive: Directive, scope: Scope) -> list[Block]:
        """Read a directive whose argument only says where or how to show its content."""
        return self.parser.blocks(directive.content, scope._replace(depth=scope.depth + 1))

    def _lines(self, directive: Directive, scope: Scope) -> list[Block]:
        """A directive without an argument: all of it is content."""
        return self._nested(directive.lines.trimmed(), scope)

    def _title(self, directive: Directive) -> list[Block]:
        found = self._paragraph(directive.argument, directive.line)
        for name in SHOWN_OPTIONS:
            found += self._paragraph(directive.options.get(name, ""), directive.line)
        return found

    def _paragraph(self, text: str, line: int) -> list[Block]:
        lines = [each.strip() for each in text.split("\n")]
        self.parser.inline.line = line
        return [block_of(gfm.escape_start(self.parser.inline.write("\n".join(lines))), line)] if text else []

    def _nested(self, lines: Lines, scope: Scope) -> list[Block]:
        """Read content; titles count only in directives that merely restrict where it is shown."""
        return self.parser.blocks(lines, scope._replace(depth=scope.depth + 1, titles=False)) if lines.texts else []


def _items(lines: Lines) -> list[Lines]:
    """Return what is in the items of a list with bullets."""
    found: list[Lines] = []
    at = 0
    while at < len(lines.texts):
        text = lines.texts[at]
        if text[:1] not in ("*", "-", "+") or text[1:2].strip():
            at += 1
            continue
        end = lines.after_indented(at + 1)
        margin = 1 + indent_of(text[1:])
        body = lines.dedented(at + 1, end)
        found.append(Lines([text[margin:], *body.texts], lines.number(at)))
        at = max(end, at + 1)
    return found


def _names_title(lines: Lines, at: int, name: str) -> bool:
    """Return whether the title below, after other targets, holds this name."""
    texts = lines.texts
    last = min(len(texts), at + _FEW_LINES)
    while at < last and (not texts[at] or texts[at].startswith(".. ")):
        at += 1
    title = title_at(texts, at) if at < len(texts) else None
    bare = re.escape(name.removesuffix("()").rpartition(".")[2])
    return bool(title and len(bare) > 1 and re.search(rf"(?<!\w){bare}(?!\w)", title.text.replace("\\", ""), re.I))


def _is_css(directive: Directive) -> bool:
    """Return whether this is a class of style sheets: a class of a program has a body and no hyphen."""
    return _CSS_CLASS.fullmatch(directive.argument) is not None and (
        "-" in directive.argument or not directive.content.texts
    )


def _broken(lines: Block) -> Block:
    """Keep lines apart."""
    return [*[(f"{text}\\", line) for text, line in lines[:-1]], lines[-1]]


def _language(argument: str) -> str:
    argument = argument.strip()
    return argument if _LANGUAGE.fullmatch(argument) and argument not in _NO_LANGUAGES else ""


def _number(text: str) -> int:
    return min(int(text), 100) if text.isdecimal() else 0


_WRITERS: Final[Mapping[str, Callable[[Directives, Directive, Scope], list[Block]]]] = {
    "toctree": Directives._entries,
    "glossary": Directives._glossary,
    "list-table": Directives._list_table,
    "flat-table": Directives._list_table,
    "csv-table": Directives._csv_table,
    "math": Directives._math,
    **dict.fromkeys(("image", "figure", "thumbnail"), Directives._image),
    **dict.fromkeys(("admonition", "topic", "sidebar", "rubric", "centered"), Directives._titled),
    **dict.fromkeys(("container", "only", "ifconfig", "cond"), Directives._content),
    **dict.fromkeys(("compound", "line-block", "hlist"), Directives._lines),
}
