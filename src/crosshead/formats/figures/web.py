"""The pictures of HTML pages and EPUB books, and those that Markdown names."""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from html import unescape
from operator import itemgetter
from typing import Final
from urllib.parse import unquote

from crosshead.formats.figures.found import CaptionText, FoundPicture, with_surroundings
from crosshead.formats.markup.epub import open_book
from crosshead.formats.markup.html import parse_page
from crosshead.formats.markup.html.tokens import attribute, name_of, tokenize

_BREAKS: Final = (
    "p", "div", "figure", "figcaption", "li", "td", "th", "h1", "h2", "h3", "h4", "h5", "h6", "dt", "dd", "blockquote",
    "pre", "section",
)  # fmt: skip
_IMAGE = re.compile(
    r"(?P<code>(?P<ticks>`{1,9})[^`\n]{1,2000}(?P=ticks))"
    r"|(?<!\\)!\[(?P<alt>(?:\\.|[^\[\]\\]|\[[^\[\]]{0,200}\]){0,2000}+)\]"
    r"(?:\(\s{0,9}(?P<target><[^<>\n]{0,2000}>|[^\s()<>]*+(?:\([^\s()]{0,200}\)[^\s()<>]*+){0,9})"
    r"(?:\s{1,9}(?P<title>\"[^\"]{0,1000}\"|'[^']{0,1000}'))?\s{0,9}\)|(?:\[(?P<label>[^\[\]]{0,999})\])?)"
    r"|<img\s(?P<tag>[^<>]{1,4000})>",
    re.S,
)
_DEFINITION = re.compile(r"^ {0,3}\[([^\[\]\n]{1,999})\]:[ \t]{0,9}<?([^\s<>]+)>?", re.M)
_ATTRIBUTE = re.compile(r"""\b(alt|src|title)\s{0,9}=\s{0,9}("[^"]*"|'[^']*')""", re.I)
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")


def find_in_markdown(text: str, code: Iterable[tuple[int, int]]) -> list[FoundPicture]:
    """Return the pictures that a Markdown text names, some without a target, outside of its blocks of code."""
    definitions = {_label(label): target for label, target in _DEFINITION.findall(text)}
    blocks = sorted(code)
    return [
        picture
        for found in _IMAGE.finditer(text)
        if not found["code"] and not _is_inside(found.start(), blocks)
        for picture in _named(found, definitions)
    ]


def _is_inside(offset: int, blocks: Sequence[tuple[int, int]]) -> bool:
    at = bisect_right(blocks, offset, key=itemgetter(0))
    return at > 0 and offset < blocks[at - 1][1]


def _named(found: re.Match[str], definitions: dict[str, str]) -> Iterator[FoundPicture]:
    if found["tag"]:
        given = {name.lower(): unescape(value[1:-1]) for name, value in _ATTRIBUTE.findall(found["tag"])}
        target, alt, title = given.get("src", ""), given.get("alt", ""), given.get("title", "")
    else:
        alt, title = found["alt"], (found["title"] or "")[1:-1]
        target = found["target"]
        if target is None:
            target = definitions.get(_label(found["label"] or alt), "")
        target = unescape(_ESCAPE.sub(r"\1", target.removeprefix("<").removesuffix(">")))
        alt = unescape(_ESCAPE.sub(r"\1", alt))
    if target or found["target"] is not None:
        yield FoundPicture(target, " ".join(alt.split()), " ".join(title.split()), written=target, span=found.span())


def _label(text: str) -> str:
    return " ".join(text.lower().split())


def find_in_html(data: bytes) -> list[FoundPicture]:
    """Return the pictures of a page that are not decoration: with alternative text, or in a figure."""
    found = with_surroundings(_walk(parse_page(data, [])))
    return [each._replace(is_named=bool(each.alt)) for each in found]


def find_in_book(data: bytes) -> list[FoundPicture]:
    """Return the pictures of a book, by the names of their files in it."""
    return [
        found._replace(target=_member(name, found.target))
        for name, html in open_book(data).items()
        for found in with_surroundings(_walk(html))
    ]


def _member(page: str, target: str) -> str:
    """Return the name of a file of a book that a page names."""
    if ":" in target:
        return target
    path = unquote(target.partition("#")[0])
    return posixpath.normpath(posixpath.join("/", posixpath.dirname(page), path)).lstrip("/")


def _walk(html: str) -> Iterator[str | CaptionText | FoundPicture]:
    tokens = tokenize(html)
    line: list[str] = []
    figures, caption = 0, False
    for tag, text in zip(tokens.tags, tokens.texts, strict=False):
        name = name_of(tag)
        if name.removeprefix("/") in _BREAKS or name == "img":
            whole = " ".join("".join(line).split())
            yield CaptionText(whole) if caption and whole else whole
            line.clear()
            caption = name == "figcaption" or (caption and name != "/figcaption")
            figures += (name == "figure") - (name == "/figure")
        if name == "img":
            target, alt = attribute(tag, "src").strip(), " ".join(attribute(tag, "alt").split())
            if target and (alt or figures > 0):
                yield FoundPicture(target, alt, written=target)
        line.append(text)
    yield "".join(line)
