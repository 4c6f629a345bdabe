"""Markdown -> the lines that a snippet can show, as plain text.

1. headings above the text, fences, rules, comments, imports, tags, link definitions and page numbers are left out
2. the lines of a paragraph are joined and cut into sentences; rows and lines of code stay as they are
3. links become their text, images go, and so do the marks of emphasis, code, quotes and lists
4. of a paragraph that is only tags or an image, what it says in attributes is left

A text that shows no line cannot answer a question.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from html import unescape
from typing import Final, Literal, NamedTuple

from crosshead.language.sentences import sentence_ends

LONGEST_MARKED: Final = 5_000
"""Characters; a longer line is data, and keeps its marks."""
MOST_TEXTS: Final = 2_000
"""Texts whose lines are remembered, because the same ones are compared with many queries: about 10 MB."""

_ORDINARY: Final = re.compile(r"[^\W\d_]")
"""Begins a line that starts or continues a paragraph, unless it is a row or an import."""
_FENCE: Final = re.compile(r"[ \t>]*(?:[-*+][ \t]+)?(`{3,}|~{3,})")
_TAGS: Final = re.compile("mdx-code-block")
"""Follows a fence around tags of Docusaurus."""
_HEADING: Final = re.compile(r"#{1,6}(?:[ \t]+|$)")
_HEADING_END: Final = re.compile(r"[ \t]*(?:\{[#/][^{}]*\}+)?[ \t]*#*$")
_QUOTE: Final = re.compile(r"(?:>[ \t]?)+")
_ITEM: Final = re.compile(r"(?:[-*+•]|(\d{1,9}[.)]))[ \t]+(?:\[[ xX]\][ \t]+)?")
_RULE: Final = re.compile(r"(?:[-*_=~+.^|][ \t]*){2,}$|:::|\$\$$|\[![A-Z]+\]$")
"""A line of marks only, or one that opens or closes a box or a formula."""
_INCLUDE: Final = re.compile(r"\{\{#\w+ [^{}]*\}\}$")
"""Stands for a file, in books of mdBook."""
_UNDERLINE: Final = re.compile(r"(?:=+|-+)$")
"""Makes a heading of the paragraph above it."""
_DEFINITION: Final = re.compile(r"\[(?!\^)(?:\\.|[^\[\]\\]|\[[^\[\]]{0,200}+\]){1,1000}+\]:\s*\S")
_FOOTNOTE: Final = re.compile(r"\[\^[^\]]+\]:[ \t]*")
_IMPORT: Final = re.compile(r"(?:import|export)\s")
_IMPORT_OUTSIDE_MDX: Final = re.compile(r"import\s(?:[\w$*{][^'\"]{0,500}\sfrom\s+)?(['\"])[^'\"]+\1;?$")
""".md files may hold components, too; no sentence looks like this."""
_PAGE: Final = re.compile(
    r"(?:[-–—]\s*)?(?:(?:page|p\.|seite|página|pagina)\s*)?\d{1,4}(?:\s*(?:/|of|von|de|di|sur)\s*\d{1,4})?(?:\s*[-–—])?",
    re.I,
)
_FIGURE: Final = re.compile(r"!\[([^\[\]]{1,1000})\](?:\([^()]*+\)|\[[^\[\]]*+\])")
_COMPONENT: Final = re.compile(r"<[A-Z]")
_SAID: Final = re.compile(
    r"\b(?:alt|caption|content|description|summary|text|title)\s*[=:]\s*\{?\s*"
    r"(?:\"([^\"]{1,500})\"|'([^']{1,500})'|`([^`]{1,500})`)"
)
"""What an attribute of a tag says to people."""
_DELIMITERS: Final = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?$")
_CELL_END: Final = re.compile(r"(?<!\\)\|")
_CODE_INDENT: Final = re.compile(r" {4}|\t")

_COMMENT: Final = re.compile(r"<!--.*?(?:-->|$)|\{/\*.*?(?:\*/\}|$)", re.S)
_MARK: Final = re.compile(r"[\\`*_\[<&~]")
_IMAGE: Final = re.compile(r"(\[)?!\[[^\[\]]*+\](?:\([^()]*+\)|\[[^\[\]]*+\])(?(1)\](?:\([^()]*+\)|\[[^\[\]]*+\]))")
_LINK: Final = re.compile(
    r"\[((?:[^\[\]]|\[[^\[\]]{0,200}+\]){1,1000}+)\](?:\((?:[^()]|\([^()]{0,500}+\)){0,2000}+\)|\[[^\[\]]{0,200}+\])"
)
_TAG: Final = re.compile(r"<(?:(https?:[^<>\s]++|[^<>\s@]++@[^<>\s]++)|/?[A-Za-z][^<>]*+)>")
_EMPHASIS: Final = re.compile(r"[\\*_~]").search
_FOOTNOTE_MARK: Final = re.compile(r"\[\^[^\]\s]++\]")
_INLINE: Final = re.compile(
    r"(?P<ticks>`+)(?P<code>[^`]+)(?P=ticks)|\\(?P<escaped>[!-/:-@\[-`{-~])"
    r"|(?P<stars>\*{1,3}|~~)(?=\S)(?P<strong>[^*~]+?)(?<=\S)(?P=stars)"
    r"|(?<![^\W_])(?P<bars>_{1,3})(?=[^\W_])(?P<slanted>.{0,200}?)(?<=[^\s_])(?P=bars)(?!\w)"
)


Kind = Literal["text", "item", "code", "row", "head", "title"]


class Line(NamedTuple):
    """A sentence, an item, a row or a line of code."""

    text: str
    kind: Kind
    """`item` is a sentence of a list, `head` the first row of a table, `title` a heading inside the text."""
    block: int
    """Sentences of one paragraph, and rows of one table, have the same number."""


def read_lines(content: str, prefix: str, titles: Collection[str], *, mdx: bool) -> Sequence[Line]:
    """Return what a text in Markdown shows, without the titles of its path.

    `prefix` is the fence or the table head that a part of a block needs in front.
    """
    return _read_lines(content, prefix, frozenset(titles), mdx)


@lru_cache(maxsize=MOST_TEXTS)
def _read_lines(content: str, prefix: str, titles: frozenset[str], mdx: bool) -> tuple[Line, ...]:
    return tuple(_Reader(titles, mdx=mdx).read(content, prefix))


def can_answer(content: str, prefix: str = "", titles: Collection[str] = (), *, mdx: bool) -> bool:
    """Return whether a text shows any line besides titles."""
    return _can_answer(content, prefix, frozenset(titles), mdx)


@lru_cache(maxsize=MOST_TEXTS)
def _can_answer(content: str, prefix: str, titles: frozenset[str], mdx: bool) -> bool:
    return next(_Reader(titles, mdx=mdx).read(content, prefix), None) is not None


def plain(text: str) -> str:
    """Return the text of a line without marks."""
    if not _MARK.search(text):
        return text
    if "<" in text:
        text = _TAG.sub(lambda tag: tag[1] or "", text)
    if "[" in text:
        text = _FOOTNOTE_MARK.sub("", _LINK.sub(r"\1", _IMAGE.sub("", text)))
    if _EMPHASIS(text) and len(text) <= LONGEST_MARKED:
        text = _INLINE.sub(_inside, text)
    elif "`" in text:
        text = text.replace("`", "")
    return " ".join((unescape(text) if "&" in text else text).split())


def _inside(found: re.Match[str]) -> str:
    """Return what marks enclose."""
    inner = found["strong"] or found["slanted"]
    return _INLINE.sub(_inside, inner) if inner else found["escaped"] or found["code"].strip()


class _Reader:
    """Reads the lines of one text."""

    def __init__(self, titles: Collection[str], *, mdx: bool) -> None:
        self._titles = titles
        self._mdx = mdx
        self._paragraph: list[str] = []
        self._number: str | None = None
        """The number of the list item that the paragraph is, or nothing after a bullet."""
        self._block = 0
        self._in_item = self._in_import = False

    def read(self, content: str, prefix: str) -> Iterator[Line]:
        """Yield the lines of a text."""
        if "<!--" in content or "{/*" in content:
            content = _COMMENT.sub("", content)
        fence = around_tags = ""
        in_table = False
        rows = f"{prefix}{content}".split("\n")
        for number, row in enumerate(rows):
            text = row.strip()
            if fence:
                if text.lstrip("> ").startswith(fence):
                    fence = ""
                elif text and not _INCLUDE.match(text):
                    yield self._line(row.rstrip(), "code")
            elif not text:
                yield from self._end()
                in_table = self._in_import = False
            elif self._paragraph and "|" not in text and _ORDINARY.match(row):
                self._paragraph.append(text)
            elif in_table:
                if not _DELIMITERS.match(text):
                    yield from self._row(text, "row")
            elif "|" in text and number + 1 < len(rows) and _DELIMITERS.match(rows[number + 1].strip()):
                yield from self._end()
                in_table = True
                self._block += 1
                yield from self._row(text, "head")
            elif found := _FENCE.match(row):
                yield from self._end()
                if text == around_tags:
                    around_tags = ""
                elif _TAGS.match(row, found.end()):
                    around_tags = found[1]
                else:
                    fence = found[1]
            elif _CODE_INDENT.match(row) and not self._paragraph and not self._in_item:
                if plain(text):
                    yield self._line(row.rstrip(), "code")
            elif not self._in_import:
                yield from self._text(text)
                self._in_item = self._in_item and (bool(self._paragraph) or row[0] in " \t")
        yield from self._end()

    def _text(self, text: str) -> Iterator[Line]:
        """Read a line that is neither code nor a row."""
        in_tag = bool(self._paragraph) and self._paragraph[0][0] == "<"
        if text[0] == ">" and not in_tag:
            text = _QUOTE.sub("", text, count=1)
        if not text or _RULE.match(text) or _INCLUDE.match(text):
            yield from self._end(is_title=bool(_UNDERLINE.match(text)))
        elif _ORDINARY.match(text) and (self._paragraph or not self._is_import(text)):
            self._paragraph.append(text)
        elif _HEADING.match(text):
            yield from self._end()
            title = plain(_HEADING_END.sub("", _HEADING.sub("", text, count=1)))
            if title and title not in self._titles:
                yield self._line(title, "title")
        elif found := _ITEM.match(text):
            yield from self._end()
            self._in_item, self._number = True, f"{found[1]} " if found[1] else ""
            self._paragraph.append(text[found.end() :])
        elif self._paragraph:
            self._paragraph.append(text)
        elif self._is_import(text):
            self._in_import = self._mdx
        elif not _DEFINITION.match(text):
            self._paragraph.append(_FOOTNOTE.sub("", text, count=1))

    def _is_import(self, text: str) -> bool:
        return bool(_IMPORT.match(text) if self._mdx else _IMPORT_OUTSIDE_MDX.match(text))

    def _end(self, *, is_title: bool = False) -> Iterator[Line]:
        """Yield the sentences of the paragraph that ends, unless it is a title of the path or the number of a page."""
        if not self._paragraph:
            return
        rows, number = self._paragraph, self._number
        self._paragraph, self._number = [], None
        text = plain(joined := " ".join(rows))
        if text in self._titles or _PAGE.fullmatch(text):
            return
        self._block += 1
        if not text:
            yield from self._said(joined, rows)
        kind: Kind = "title" if is_title else "text" if number is None else "item"
        for sentence in _sentences(text) if text else ():
            yield Line((number or "") + sentence, kind, self._block)
            number = None

    def _said(self, joined: str, rows: Sequence[str]) -> Iterator[Line]:
        """Yield what tags without text, or an image, say: rows of a component, else phrases."""
        figure = _FIGURE.fullmatch(joined)
        said = [figure[1]] if figure else ["".join(each) for each in _SAID.findall(joined)]
        phrases = [each for each in said if len(each.split()) > 1]
        if phrases and _COMPONENT.match(joined):
            yield from (Line(row, "code", self._block) for row in rows)
        else:
            yield from (Line(phrase, "text", self._block) for phrase in phrases)

    def _row(self, text: str, kind: Kind) -> Iterator[Line]:
        cells = [plain(cell.strip()) for cell in _CELL_END.split(text.strip("|"))]
        if any(cells):
            yield Line(" | ".join(filter(None, cells)), kind, self._block)

    def _line(self, text: str, kind: Kind) -> Line:
        self._block += 1
        return Line(text, kind, self._block)


def _sentences(text: str) -> Iterator[str]:
    start = 0
    for end in sentence_ends(text):
        if not (end.is_inside or text[end.gap[1]].islower()):
            yield text[start : end.gap[0]]
            start = end.gap[1]
    yield text[start:]
