"""Inline elements: emphasis, links, images, inline code."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from urllib.parse import urljoin

from crosshead.formats.markup.html.content.boilerplate import is_hidden, skip_hidden
from crosshead.formats.markup.html.elements.formulas import image_formula
from crosshead.formats.markup.html.elements.notes import write_note_link
from crosshead.formats.markup.html.page import marks
from crosshead.formats.markup.html.page.state import HtmlPage
from crosshead.formats.markup.html.tokens import attribute, classes, find_end, name_of, replace_entities
from crosshead.formats.shared import gfm

Handler = Callable[[HtmlPage, str, int], int | None]
"""Takes the page, the tag and its index; returns the index of the last tag that it dealt with if that is another."""

MAX_CODE_TAGS = 500
"""Inline code with more tags is not code."""
_BLOCKS = frozenset((
    "p", "div", "pre", "ul", "ol", "li", "table", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6",
    "dl", "section", "article",
))  # fmt: skip
_NO_TARGET = ("javascript:", "data:", "vbscript:")
_WORD = re.compile(r"[^\W_]")
_PERMALINKS = frozenset((
    "headerlink", "header-anchor", "anchor-link", "permalink", "anchorjs-link", "heading-anchor",
))  # fmt: skip
_NUMERIC = re.compile(r"[-+−]?[\dn]{1,4}\Z")


def open_mark(kind: str, characters: tuple[str, str]) -> Handler:
    """Return what begins emphasis: only the outermost of a kind is marked."""
    wrap = partial(marks.wrap_marked, characters)

    def handle(page: HtmlPage, _tag: str, _at: int) -> None:
        page.depths[kind] += 1
        if page.depths[kind] == 1:
            page.open_span(wrap)

    return handle


def close_mark(kind: str) -> Handler:
    """Return what ends emphasis."""

    def handle(page: HtmlPage, _tag: str, _at: int) -> None:
        depth = page.depths[kind]
        if depth:
            page.depths[kind] = depth - 1
            if depth == 1:
                page.close_span()

    return handle


def open_link(page: HtmlPage, tag: str, at: int) -> int | None:
    """Begin a link; one that leads nowhere is only text, and one that holds only text is finished at once."""
    if ("hidden" in tag or "style=" in tag) and is_hidden(page, "a", tag):
        return skip_hidden(page, at)
    target = attribute(tag, "href").strip()
    if target[:1] == "#":
        if page.notes and (end := write_note_link(page, target[1:], at)) is not None:
            return end
        if _is_permalink(page, tag, at):
            return find_end(page.tokens.tags, at)
    elif page.notes and "#" in target and (end := write_note_link(page, target, at)) is not None:
        return end
    elif page.base_url:
        target = resolve(page, target)
    if not target or (":" in target and target[:11].lower().startswith(_NO_TARGET)):
        page.open_span(_wrap_nothing)
        return None
    if page.line and page.line[-1].endswith("!"):
        page.line[-1] = f"{page.line[-1][:-1]}\\!"  # or the link would be an image
    if page.tokens.tags[at + 1] == "/a":
        page.line.append(_wrap_link(page, target, page.tokens.texts[at]))
        return at + 1
    page.open_span(partial(_wrap_link, page, target))
    return None


def close_link(page: HtmlPage, _tag: str, _at: int) -> None:
    """End a link."""
    page.close_span()


def write_image(page: HtmlPage, tag: str, _at: int) -> None:
    """Write an image with alternative text; others are decoration."""
    alt = " ".join(attribute(tag, "alt").split())
    if not alt:
        return
    formula = image_formula(tag, alt)
    if formula:
        page.line.append(formula)
        return
    source = attribute(tag, "src").strip()
    if source.startswith("data:"):
        source = ""
    page.line.append(gfm.image(alt, resolve(page, source)))


def write_break(page: HtmlPage, _tag: str, _at: int) -> None:
    """Write a line break."""
    page.line.append("\n")


def write_superscript(page: HtmlPage, _tag: str, at: int) -> None:
    """A number that is raised is an exponent: without a sign it would become part of the number before it."""
    text = page.tokens.raws[at]
    before = page.line[-1][-1:] if page.line else ""
    if before.isalnum() and page.tokens.tags[at + 1] == "/sup" and _NUMERIC.match(text):
        page.line.append("^")


def open_quotation(page: HtmlPage, _tag: str, _at: int) -> None:
    """Begin a quotation inside a line."""
    page.line.append("“")


def close_quotation(page: HtmlPage, _tag: str, _at: int) -> None:
    """End a quotation inside a line."""
    page.line.append("”")


def open_ruby(page: HtmlPage, _tag: str, _at: int) -> None:
    """Begin text that has its reading above it."""
    page.readings = []


def take_reading(page: HtmlPage, _tag: str, at: int) -> int | None:
    """Keep a reading until the word ends: its signs stay together even if each of them has a reading."""
    if page.readings is None:
        return None
    end = find_end(page.tokens.tags, at)
    page.readings.append("".join(page.tokens.texts[at:end]).strip())
    return end


def skip_parenthesis(page: HtmlPage, _tag: str, at: int) -> int:
    """Skip the fallback parentheses around a reading."""
    return find_end(page.tokens.tags, at)


def close_ruby(page: HtmlPage, _tag: str, _at: int) -> None:
    """Write the reading in parentheses after its word."""
    reading = "".join(page.readings or [])
    page.readings = None
    if reading:
        page.line.append(f"({reading})")


def write_code(page: HtmlPage, tag: str, at: int) -> int | None:
    """Write inline code; links stay links, other markup inside it is dropped. Code around blocks is not code."""
    tags, raws = page.tokens.tags, page.tokens.raws
    if tags[at + 1][:1] == "/":
        _add_code(page, raws[at])
        return at + 1
    if tags[at + 1][:4] == "span" and tags[at + 2] == "/span" and tags[at + 3] == f"/{name_of(tag)}":
        _add_code(page, f"{raws[at]}{raws[at + 1]}{raws[at + 2]}")
        return at + 3
    end = find_end(tags, at, limit=MAX_CODE_TAGS)
    if end < 0 or any(name_of(inner) in _BLOCKS for inner in tags[at + 1 : end]):
        return None
    pieces = [raws[at]]
    for index in range(at + 1, end):
        name = name_of(tags[index])
        if name in ("a", "/a", "img", "br"):
            _add_code(page, "".join(pieces))
            pieces.clear()
            _write_inside_code(page, name, tags[index], index)
        pieces.append(raws[index])
    _add_code(page, "".join(pieces))
    return end


def _write_inside_code(page: HtmlPage, name: str, tag: str, at: int) -> None:
    if name == "a":
        target = attribute(tag, "href").strip()
        page.open_span(partial(_wrap_link, page, resolve(page, target)) if target else _wrap_nothing)
    elif name == "/a":
        page.close_span()
    elif name == "img":
        write_image(page, tag, at)
    else:
        write_break(page, tag, at)


def resolve(page: HtmlPage, target: str) -> str:
    """Return a link's target as a whole address, if it is known where the page comes from."""
    if not page.base_url or not target:
        return target
    try:
        return urljoin(page.base_url, target)
    except ValueError:
        return target


def _add_code(page: HtmlPage, html: str) -> None:
    """Add inline code to the line; code that follows code directly is joined with it."""
    code = replace_entities(html) if "&" in html else html
    if "\n" in code or "\t" in code:
        code = code.replace("\n", " ").replace("\t", " ")
    bare = code.strip()
    line = page.line
    if not bare:
        if code:
            line.append(" ")
        return
    if code[0] == " ":
        line.append(" ")
    elif page.code_end == len(line):
        line.pop()
        bare = f"{page.last_code}{bare}"
    line.append(gfm.code_span(bare))
    page.last_code, page.code_end = bare, len(line)
    if code[-1] == " ":
        line.append(" ")


def _is_permalink(page: HtmlPage, tag: str, at: int) -> bool:
    """Skip a permalink sign inside its heading."""
    tokens = page.tokens
    if tokens.tags[at + 1] == "/a" and not _WORD.search(tokens.raws[at]):
        return True
    return not _PERMALINKS.isdisjoint(classes(tag)) and not _is_whole_heading(page, at)


def _is_whole_heading(page: HtmlPage, at: int) -> bool:
    """Return whether a link holds all the text of the open heading."""
    end = find_end(page.tokens.tags, at)
    follows = page.tokens.tags[end + 1 : end + 2] == [f"/h{page.heading}"]
    return follows and not "".join([*page.line, page.tokens.texts[end]]).strip()


def _wrap_link(page: HtmlPage, target: str, text: str) -> str:
    bare = text.strip()
    if not bare:
        return text
    link = gfm.link(bare, target)
    page.link_length += len(link)
    if len(bare) == len(text):
        return link
    start = text.index(bare)
    return f"{text[:start]}{link}{text[start + len(bare) :]}"


def _wrap_nothing(text: str) -> str:
    return text


INLINE_STARTS: dict[str, Handler] = {
    "a": open_link,
    "img": write_image,
    "br": write_break,
    "sup": write_superscript,
    "q": open_quotation,
    "ruby": open_ruby,
    "rt": take_reading,
    "rp": skip_parenthesis,
    **dict.fromkeys(("b", "strong"), open_mark("strong", marks.STRONG)),
    **dict.fromkeys(("i", "em"), open_mark("em", marks.EMPHASIS)),
    **dict.fromkeys(("s", "del", "strike"), open_mark("del", marks.DELETED)),
    **dict.fromkeys(("code", "kbd", "samp", "tt"), write_code),
}
INLINE_ENDS: dict[str, Handler] = {
    "/a": close_link,
    "/q": close_quotation,
    "/ruby": close_ruby,
    **dict.fromkeys(("/b", "/strong"), close_mark("strong")),
    **dict.fromkeys(("/i", "/em"), close_mark("em")),
    **dict.fromkeys(("/s", "/del", "/strike"), close_mark("del")),
}
