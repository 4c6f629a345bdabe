"""The plain text of a heading: inline markup is parsed as in CommonMark, and removed.

1. walk the characters: escapes, entities, code spans, tags and autolinks resolve at once
2. at a closing bracket, decide whether it ends a link or an image; an image is left out, unless it is the whole heading
3. emphasis delimiters are matched last, innermost first; those that match disappear
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container
from html import unescape
from html.entities import html5

from crosshead.markdown.definitions import normalize_label

MAX_LENGTH = 2_000
"""Longer headings are machine-made; their title is the beginning of the source."""

_MARKUP = re.compile(r"[\\`*_\[\]<&\n]").search
_PLAIN_RUN = re.compile(r"[^\\`*_\[\]<&!]++").match
_HEADING_ID = re.compile(r"\{(?:#[^{}\\]*|/\*\s*#[^{}]*\*/)\\?\}$").match
_ESCAPABLE = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~\n")
CODE_SPAN = re.compile(r"(`++)(?:(.+?)(?<!`)\1(?!`))?+", re.S).match
_ENTITY = re.compile(r"&(?:#[xX][0-9a-fA-F]{1,6}|#[0-9]{1,7}|([A-Za-z][A-Za-z0-9]{1,31}));").match
_HOST = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?+"
_AUTOLINK = re.compile(
    r"<([A-Za-z][A-Za-z0-9+.-]{1,31}:[^\x00-\x20\x7f<>]*+"
    rf"|[A-Za-z0-9.!#$%&'*+/=?^_`{{|}}~-]++@{_HOST}(?:\.{_HOST})*+)>"
).match
TAG = re.compile(
    r"""<(?:[A-Za-z][A-Za-z0-9.-]*+(?:\s++[A-Za-z_:][\w.:-]*+(?:\s*+=\s*+(?:[^\s"'=<>`{]++|'[^']*+'|"[^"]*+"|\{[^{}]*+\}))?+)*+\s*+/?>
    |/[A-Za-z][A-Za-z0-9.-]*+\s*+>)""",
    re.A | re.X,
).match
_RAW_MARKUP = (("<!--", "-->"), ("<?", "?>"), ("<![CDATA[", "]]>"))
_DECLARATION = re.compile(r"<![A-Za-z][^>]*+>").match
_NO_PARENTHESIS = r"\\[^\x00-\x20\x7f]|[^\x00-\x20\x7f()\\]|\\(?![!-~])"
_ONE_DEEP = rf"\((?:{_NO_PARENTHESIS})*+\)"
_TWO_DEEP = rf"\((?:{_NO_PARENTHESIS}|{_ONE_DEEP})*+\)"
LINK_TARGET = re.compile(
    rf"""\(\s*+(?:<(?:\\.|[^<>\n\\])*+>|(?!<)(?:{_NO_PARENTHESIS}|{_TWO_DEEP})++)?+
    (?:\s++(?:"(?:\\.|[^"\\])*+"|'(?:\\.|[^'\\])*+'|\((?:\\.|[^()\\])*+\)))?+\s*+\)""",
    re.S | re.X,
).match
LINK_LABEL = re.compile(r"\[((?:\\.|[^\\\[\]]){0,999}+)\]", re.S).match


def plain_text(source: str, labels: Container[str] = ()) -> str:
    """Return the visible text of a heading; `labels` are the document's link definitions."""
    if len(source) > MAX_LENGTH:
        return " ".join(source[:MAX_LENGTH].split())
    if source.endswith("}"):
        source = _without_id(source)
    if not _MARKUP(source):
        return source
    text = _InlineReader(source, labels).read()
    if not text and "![" in source:
        text = _InlineReader(source, labels, images=True).read()
    return text or " ".join(source.split())


class _Delimiter:
    """A run of `*` or `_` that may open or close emphasis."""

    __slots__ = ("can_close", "can_open", "char", "count", "length", "piece")

    def __init__(self, source: str, start: int, end: int, piece: int) -> None:
        self.char = source[start]
        self.length = self.count = end - start
        self.piece = piece
        before = source[start - 1] if start else " "
        after = source[end] if end < len(source) else " "
        left = not after.isspace() and (not _is_punctuation(after) or before.isspace() or _is_punctuation(before))
        right = not before.isspace() and (not _is_punctuation(before) or after.isspace() or _is_punctuation(after))
        if self.char == "*":
            self.can_open, self.can_close = left, right
        else:
            self.can_open = left and (not right or _is_punctuation(before))
            self.can_close = right and (not left or _is_punctuation(after))

    def pairs_with(self, closer: _Delimiter) -> bool:
        """Return whether this delimiter can open what `closer` closes, by CommonMark's rule of three too."""
        if self.char != closer.char or not self.can_open or not self.count:
            return False
        either_both = self.can_close or closer.can_open
        blocked = either_both and (self.length + closer.length) % 3 == 0
        return not blocked or (self.length % 3 == 0 and closer.length % 3 == 0)


class _InlineReader:
    """Reads one heading; `pieces` is its text so far, delimiters are pieces that may still shrink."""

    def __init__(self, source: str, labels: Container[str], *, images: bool = False) -> None:
        self.source = source
        self.labels = labels
        self.images = images
        self.pieces: list[str] = []
        self.delimiters: list[_Delimiter] = []
        self.brackets: list[tuple[int, int, bool]] = []
        """Piece, offset of the text in the source (0: cannot open a link any more), is an image."""

    def read(self) -> str:
        at = 0
        while at < len(self.source):
            at = self.step(at)
        if self.delimiters:
            self.match_emphasis(0)
        return " ".join("".join(self.pieces).split())

    def step(self, at: int) -> int:
        """Read one construct and return the offset after it."""
        source, char = self.source, self.source[at]
        if plain := _PLAIN_RUN(source, at):
            return self.add(plain[0], plain.end())
        if char == "\\" and source[at + 1 : at + 2] in _ESCAPABLE:
            return self.add(source[at + 1], at + 2)
        if char == "`":
            return self.code_span(at)
        if char == "<":
            if link := _AUTOLINK(source, at):
                return self.add(link[1], link.end())
            if tag := TAG(source, at) or _DECLARATION(source, at):
                return tag.end()
            if end := raw_markup_end(source, at):
                return end
        elif char == "&":
            if entity := _ENTITY(source, at):
                return self.add(_character(entity), entity.end())
        elif char in "*_":
            end = at
            while end < len(source) and source[end] == char:
                end += 1
            self.delimiters.append(_Delimiter(source, at, end, len(self.pieces)))
            return self.add(source[at:end], end)
        elif char == "[" or source.startswith("![", at):
            end = at + 1 + (char == "!")
            self.brackets.append((len(self.pieces), end, char == "!"))
            return self.add(source[at:end], end)
        elif char == "]" and self.brackets:
            return self.close_bracket(at)
        return self.add(char, at + 1)

    def add(self, text: str, end: int) -> int:
        self.pieces.append(text)
        return end

    def code_span(self, at: int) -> int:
        span = CODE_SPAN(self.source, at)
        assert span is not None  # there is a backtick
        if not span[2]:
            return self.add(span[1], span.end())
        code = span[2].replace("\n", " ")
        if code[0] == code[-1] == " " and code.strip(" "):
            code = code[1:-1]
        return self.add(code, span.end())

    def close_bracket(self, at: int) -> int:
        piece, start, is_image = self.brackets.pop()
        end = self.link_end(at, self.source[start:at]) if start else 0
        if not end:
            return self.add("]", at + 1)
        self.match_emphasis(piece)
        if is_image and not self.images:
            del self.pieces[piece:]
            return end
        self.pieces[piece] = ""
        if not is_image:
            self.brackets = [each if each[2] else (0, 0, False) for each in self.brackets]  # links do not nest
        return end

    def link_end(self, at: int, text: str) -> int:
        """Return the offset after the link that `]` at `at` ends, or 0 if it ends none."""
        if target := LINK_TARGET(self.source, at + 1):
            return target.end()
        label = LINK_LABEL(self.source, at + 1)
        if label and label[1].strip():
            return label.end() if normalize_label(label[1]) in self.labels else 0
        if normalize_label(text) in self.labels:
            return label.end() if label else at + 1
        return 0

    def match_emphasis(self, from_piece: int) -> None:
        """Pair the delimiters from a piece on, and shorten the pieces of the pairs."""
        first = next((i for i, each in enumerate(self.delimiters) if each.piece >= from_piece), len(self.delimiters))
        stack: list[_Delimiter] = []
        floors: dict[tuple[str, bool, int], int] = {}
        """By kind of closer: nothing below this index of the stack pairs; searching again would be quadratic."""
        for closer in self.delimiters[first:]:
            kind = (closer.char, closer.can_open, closer.length % 3)
            while closer.can_close and closer.count:
                places = range(len(stack) - 1, floors.get(kind, 0) - 1, -1)
                place = next((each for each in places if stack[each].pairs_with(closer)), None)
                if place is None:
                    floors[kind] = len(stack)
                    break
                opener = stack[place]
                del stack[place + 1 :]
                floors = {each: min(floor, place) for each, floor in floors.items()}
                used = 2 if opener.count > 1 and closer.count > 1 else 1
                for each in (opener, closer):
                    each.count -= used
                    self.pieces[each.piece] = each.char * each.count
                if not opener.count:
                    stack.pop()
            if closer.can_open and closer.count:
                stack.append(closer)
        del self.delimiters[first:]


def _without_id(source: str) -> str:
    """Leave out the `{#id}` at the end of a heading, which may be escaped or a comment for MDX."""
    start = source.rfind("{")
    if not _HEADING_ID(source, start):
        return source
    return source[:start].removesuffix("\\").rstrip(" \t")


def raw_markup_end(source: str, at: int) -> int:
    """Return the offset after a comment, an instruction or CDATA; 0 if none starts here or it has no end."""
    for opening, closing in _RAW_MARKUP:
        if source.startswith(opening, at):
            if opening == "<!--" and source.startswith((">", "->"), at + 4):
                return source.index(">", at) + 1
            end = source.find(closing, at + len(opening))
            return end + len(closing) if end >= 0 else 0
    return 0


def _character(entity: re.Match[str]) -> str:
    """Return the characters of an entity; `unescape` alone would also accept prefixes of names."""
    return html5.get(f"{entity[1]};", entity[0]) if entity[1] else unescape(entity[0])


def _is_punctuation(char: str) -> bool:
    return unicodedata.category(char)[0] in "PS"
