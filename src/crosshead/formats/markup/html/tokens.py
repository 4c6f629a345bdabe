"""Parsed HTML as two lists: the tags, and the text that follows each.

Lexbor repairs the page and writes it back; what it writes is regular enough to be cut with plain string operations,
which is several times as fast as visiting its nodes one by one. All texts are prepared at once, joined by a character
that no page can contain.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple

from crosshead.formats.shared.gfm import BOUNDARY, escape

_RARE_RAW_NAMES = ("iframe", "noembed", "noframes", "xmp", "plaintext")
_RARE = re.compile(rf"<(?:/(?:{'|'.join(_RARE_RAW_NAMES)}|listing)>|\?)")
_ATTRIBUTE = re.compile(r'(?<= )([^ ][^ =]*)="([^"]*)"')
"""As Lexbor writes each of them; a value holds no quotation mark, but a name may."""
MAX_NUMBER: Final = 999_999_999
"""Markdown reads no larger number before an item."""
_NUMBER = re.compile(r"\s*(\d{1,18})")
_SPACES = re.compile("  +")
_CONTROL = "".join(map(chr, range(1, 9)))
_BROKEN_TAG: Final = re.compile("<[^<>]*+(?:<[^<>]*+)++>")
"""A name of a tag or an attribute may hold a `<`; everywhere else Lexbor writes it as an entity."""


class Tokens(NamedTuple):
    """A page, tag by tag: `texts[i]` is Markdown and `raws[i]` HTML, both of the text between tag `i` and the next."""

    tags: list[str]
    """Without the angle brackets: `p`, `/p`, `a href="x"`."""
    texts: list[str]
    raws: list[str]
    preformatted: list[str]
    """The HTML inside `pre`, whose text is only an index into this list."""


def tokenize(html: str) -> Tokens:
    """Cut HTML that Lexbor wrote."""
    html = _remove_raw_text(html)
    if html.count("<") != html.count(">"):
        html = _BROKEN_TAG.sub(_repair_tag, html)
    preformatted: list[str] = []
    html = _replace_elements(html, "pre", partial(_set_aside, preformatted))
    pieces = html.replace(">", "<").split("<")
    tags, raws = pieces[1::2], pieces[2::2]
    return Tokens(tags, prepare_text(BOUNDARY.join(raws)).split(BOUNDARY), raws, preformatted)


def _repair_tag(broken: re.Match[str]) -> str:
    return "<" + broken[0][1:].replace("<", "_")


def prepare_text(text: str) -> str:
    """Turn text of HTML into Markdown: white space collapsed, entities replaced, special characters escaped."""
    text = text.replace("\n", " ").replace("\t", " ").replace("\r", " ").replace("\f", " ").replace("&nbsp;", " ")
    if "  " in text:
        text = _SPACES.sub(" ", text)
    for character in _CONTROL:  # they mark emphasis on the way
        if character in text:
            text = text.replace(character, "")
    return escape(replace_entities(text))


def replace_entities(text: str) -> str:
    """Replace the few entities that Lexbor writes."""
    if "&" not in text:
        return text
    text = text.replace("&nbsp;", " ").replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", '"')
    return text.replace("&amp;", "&")


def attributes(tag: str) -> dict[str, str]:
    """Return the attributes of a start tag."""
    return {name: replace_entities(value) for name, value in _ATTRIBUTE.findall(tag)}


def attribute(tag: str, name: str) -> str:
    """Return one attribute of a start tag; an empty string if it has none."""
    start = tag.find(f' {name}="')
    if start < 0:
        return ""
    if '"' in tag[:start]:  # it may be the end of another attribute's value
        return attributes(tag).get(name, "")
    start += len(name) + 3
    value = tag[start : tag.index('"', start)]
    return replace_entities(value) if "&" in value else value


def classes(tag: str) -> list[str]:
    """Return the classes of a start tag."""
    return attribute(tag, "class").split()


def name_of(tag: str) -> str:
    """Return the name of a start or end tag."""
    return tag.partition(" ")[0]


VOID: Final = frozenset((
    "area", "base", "br", "col", "embed", "frame", "hr", "img", "input", "keygen", "link", "meta",
    "param", "source", "track", "wbr", "basefont", "bgsound",
))  # fmt: skip


def find_end(tags: list[str], at: int, *, limit: int | None = None) -> int:
    """Return the index of the tag that closes the one at `at`; -1 if it is not among the next `limit` tags."""
    name = name_of(tags[at])
    if name in VOID:
        return at
    end, start, opening = f"/{name}", f"\0{name}\0", f"\0{name} "
    stop = len(tags) if limit is None else min(len(tags), at + limit)
    depth, place = 1, at
    while depth:
        try:
            found = tags.index(end, place + 1, stop)
        except ValueError:
            return stop - 1 if limit is None else -1
        if found > place + 1:
            between = "\0\0".join(tags[place + 1 : found])
            between = f"\0{between}\0"
            depth += between.count(start) + between.count(opening)
        depth -= 1
        place = found
    return place


def _remove_raw_text(html: str) -> str:
    """Remove scripts, styles and comments, which are not HTML."""
    for name in ("script", "style"):
        html = _replace_elements(html, name, partial(_without_raw_text, name))
    if _RARE.search(html):
        html = _remove_rare(html)
    return _cut_out(html, "<!--", "-->")


def _remove_rare(html: str) -> str:
    """Remove the kinds of raw text that hardly any page has; a `listing` is an old name for `pre`."""
    for name in _RARE_RAW_NAMES:
        html = _replace_elements(html, name, partial(_without_raw_text, name))
    html = _cut_out(html, "<!--", "-->")
    html = html.replace("<listing", "<pre").replace("</listing>", "</pre>")
    return _cut_out(html, "<?", ">")


def _cut_out(html: str, start: str, end: str) -> str:
    """Remove everything from each start to the next end; a match inside a tag name does not count."""
    place = html.find(start)
    if place < 0:
        return html
    kept = []
    last = 0
    while place >= 0:
        if html.rfind("<", last, place) > html.rfind(">", last, place):
            place = html.find(start, place + 1)
            continue
        kept.append(html[last:place])
        found = html.find(end, place)
        last = found + len(end) if found >= 0 else len(html)
        place = html.find(start, last)
    kept.append(html[last:])
    return "".join(kept)


def _replace_elements(html: str, name: str, replace: Callable[[str, str], str]) -> str:
    """Replace every element of this name by what `replace` makes of its attributes and its content.

    This is a job for a regular expression, but plain searches are several times as fast.
    """
    start, end = f"<{name}", f"</{name}>"
    if end not in html:
        return html
    pieces: list[str] = []
    last, place = 0, html.find(start)
    while place >= 0:
        inside = html.find(">", place) + 1
        if html[place + len(start)] in " >" and inside:
            stop = html.find(end, inside)
            stop = stop if stop >= 0 else len(html)
            pieces += (html[last:place], replace(html[place + len(start) : inside - 1], html[inside:stop]))
            last = stop + len(end)
        place = html.find(start, max(last, place + 1))
    pieces.append(html[last:])
    return "".join(pieces)


def _set_aside(preformatted: list[str], given: str, content: str) -> str:
    preformatted.append(content)
    return f"<pre{given}>{len(preformatted) - 1}</pre>"


def _without_raw_text(name: str, given: str, content: str) -> str:
    """Drop non-text; raw text gets entities like all other text."""
    escaped = content.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    if name == "script" and attribute(given, "type").startswith("math/tex"):
        return f"<tex{given}>{escaped}</tex>"
    if name in ("xmp", "plaintext"):
        return f"<pre>{escaped}</pre>"
    return ""


def read_number(text: str, *, otherwise: int) -> int:
    """Return the number that a text begins with."""
    number = _NUMBER.match(text)
    return min(int(number[1]), MAX_NUMBER) if number else otherwise
