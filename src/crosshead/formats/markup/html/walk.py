"""Read a page from its first tag to its last: every tag is handled by its name, all others are
transparent."""

from __future__ import annotations

from typing import Final

from crosshead.formats.markup.html.content.boilerplate import (
    AROUND,
    NO_TEXT,
    ZONES,
    is_around_content,
    is_hidden,
    open_zone,
    skip_hidden,
    skip_without_text,
)
from crosshead.formats.markup.html.elements.code import is_fragment, write_fragment
from crosshead.formats.markup.html.elements.formulas import write_marked_formula
from crosshead.formats.markup.html.elements.inline import INLINE_ENDS, INLINE_STARTS, Handler, open_link
from crosshead.formats.markup.html.elements.notes import is_note_label, open_note
from crosshead.formats.markup.html.elements.structure import BLOCK_ENDS, BLOCK_STARTS
from crosshead.formats.markup.html.page.state import HtmlPage
from crosshead.formats.markup.html.tokens import attribute, find_end


def _pass(_page: HtmlPage, _tag: str, _at: int) -> None:
    """Inline elements without meaning."""


_STARTS: Final[dict[str, Handler]] = {
    **BLOCK_STARTS,
    **INLINE_STARTS,
    **dict.fromkeys(NO_TEXT, skip_without_text),
    "span": _pass,
}
_PLAIN_TAGS: Final[dict[str, Handler]] = {**_STARTS, **BLOCK_ENDS, **INLINE_ENDS, "/span": _pass}
"""By the whole tag, for tags without attributes."""
_CONTENT_TAGS: Final = {tag: handler for tag, handler in _PLAIN_TAGS.items() if tag not in AROUND}


def walk(page: HtmlPage) -> str:
    """Return the Markdown of a page."""
    tags, texts = page.tokens.tags, page.tokens.texts
    known = (_PLAIN_TAGS if page.drops == "nothing" else _CONTENT_TAGS).copy()
    find, line, exits = known.get, page.line, page.exits
    append = line.append
    at, count = 0, len(tags)
    while at < count:
        tag = tags[at]
        if not exits or at not in exits or not exits.pop(at)():
            handler = find(tag)
            if handler is not None:
                if handler is not _pass:
                    at = handler(page, tag, at) or at
            elif tag[:2] == "a ":
                if " id=" in tag or " name=" in tag:
                    page.note_id(attribute(tag, "id") or attribute(tag, "name"))
                at = open_link(page, tag, at) or at
            else:
                at = _handle_rare(page, tag, at, known)
        text = texts[at]
        if text and (line or text != " "):
            append(text)
        at += 1
    page.end_heading()
    return page.sheet.text()


def _handle_rare(page: HtmlPage, tag: str, at: int, known: dict[str, Handler]) -> int:
    """Deal with a tag that has attributes or an unusual name; return the index of the last tag dealt with.

    A tag whose attributes mean nothing is known from then on.
    """
    name = tag.partition(" ")[0]
    if " id=" in tag:
        page.note_id(attribute(tag, "id"))
    if ("hidden" in tag or "style=" in tag or "katex" in tag) and is_hidden(page, name, tag):
        return skip_hidden(page, at)
    if page.drops != "nothing":
        if (name in AROUND or " role=" in tag) and is_around_content(page, name, tag, at):
            return find_end(page.tokens.tags, at)
        if page.drops == "boilerplate" and name in ZONES and open_zone(page, tag, at):
            return _handle_known(page, name, tag, at)
    if page.notes:
        if " id=" in tag and (last := open_note(page, name, tag, at)) is not None:
            return last
        if name == "span" and is_note_label(page, tag):
            return find_end(page.tokens.tags, at)
    if "ath" in tag and name in ("span", "div"):
        written = write_marked_formula(page, tag, at)
        if written is not None:
            return written
    elif name == "div" and is_fragment(page, tag, at):
        return write_fragment(page, at)
    elif name not in AROUND and " role=" not in tag and not (page.notes and (" id=" in tag or name == "span")):
        known[tag] = _STARTS.get(name, _pass)
    return _handle_known(page, name, tag, at)


def _handle_known(page: HtmlPage, name: str, tag: str, at: int) -> int:
    handler = _STARTS.get(name)
    return at if handler is None else handler(page, tag, at) or at
