"""Limits on pages, because Lexbor's time grows with the square of nesting and of a tag's attributes."""

from __future__ import annotations

import re
from typing import Final

from crosshead.errors import TooLarge
from crosshead.formats.markup.html.tokens import VOID

MAX_DEPTH: Final = 20_000
MAX_ATTRIBUTES: Final = 20_000
MAX_TAGS: Final = 2_000_000
_SAFE_LENGTH: Final = 4 * MAX_ATTRIBUTES
"""Shorter pages cannot exceed the limits of attributes and depth."""
_OPTIONAL_END: Final = frozenset((
    "p", "li", "dt", "dd", "tr", "td", "th", "thead", "tbody", "tfoot", "option", "optgroup",
    "colgroup", "caption",
))  # fmt: skip
_IN_RUBY: Final = frozenset(("rt", "rp"))
"""They need no end tag inside a ruby; elsewhere they nest."""
_ATTRIBUTE = r"""[\s/]*+[^\s/>][^\s/>=]*+(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|(?=>)|[^\s>"'][^\s>]*+))?+"""
_USUAL_TAG = r"""<[a-zA-Z][^<>"'=]{0,200}+(?:(?<=[\w-])="[^"]*+"[^<>"'=]{0,200}+){0,60}+>"""
"""One without any of the oddities that make it hard to say where a tag ends; it is far below the limit."""
_ANY_TAG = rf"<[a-zA-Z][^\s/>]*+(?:{_ATTRIBUTE}){{0,{MAX_ATTRIBUTES}}}+[\s/]*+(?:>|\Z)"
_COMMENT = r"<!--(?:-?>|(?s:.*?)(?:--!?>|\Z))"
_FEW_ATTRIBUTES = re.compile(rf"(?:[^<]*+(?:</|{_USUAL_TAG}|{_COMMENT}|<(?![a-zA-Z])|{_ANY_TAG}))*+[^<]*+")
_TAG = re.compile(r"<(/?)([a-z][^\s/>]*)")


def check_limits(html: str) -> None:
    """Refuse a page that would take too long."""
    if len(html) < _SAFE_LENGTH:
        return
    tags = html.count("<")
    if tags > MAX_TAGS:
        raise TooLarge(f"{tags:,} tags, more than {MAX_TAGS:,}: split the page")
    found = _FEW_ATTRIBUTES.match(html)
    if found is not None and found.end() < len(html):
        raise TooLarge(f"a tag has more than {MAX_ATTRIBUTES:,} attributes: remove them")
    if tags > MAX_DEPTH and _depth(html) > MAX_DEPTH:
        raise TooLarge(f"tags are nested more than {MAX_DEPTH:,} deep: simplify the page")


def _depth(html: str) -> int:
    """Return how deep tags are nested, without those that need no end tag: they hold each other only through others."""
    open_tags: dict[str, int] = {}
    depth = deepest = 0
    for slash, name in _TAG.findall(html.lower()):
        if name in VOID or name in _OPTIONAL_END or (name in _IN_RUBY and open_tags.get("ruby")):
            continue
        count = open_tags.get(name, 0)
        if not slash:
            open_tags[name] = count + 1
            depth += 1
            deepest = max(deepest, depth)
        elif count:
            open_tags[name] = count - 1
            depth -= 1
    return deepest
