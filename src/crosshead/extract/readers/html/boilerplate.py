"""What is no content: scripts, hidden elements, navigation."""

from __future__ import annotations

import re
from functools import partial

from crosshead.extract.readers.html.page import Page
from crosshead.extract.readers.html.tokens import find_end, name_of

NO_TEXT = frozenset((
    "script", "style", "template", "noscript", "svg", "head", "title", "select", "datalist",
    "button", "iframe", "object", "embed", "applet", "textarea", "canvas", "audio", "video", "map",
    "frameset",
))  # fmt: skip
_AROUND = frozenset(("nav", "footer", "aside"))
AROUND = _AROUND | {"header"}
_ROLES = frozenset(("navigation", "contentinfo", "complementary", "banner", "search"))
_ROLE = re.compile(r' role="([\w-]+)')
_HIDDEN = re.compile(r' (?:hidden|aria-hidden="true"|style="[^"]*(?:display\s*:\s*none|visibility\s*:\s*hidden))')
_CONTENT_ASIDE = re.compile(r"footnote|note|warning|tip|admonition|callout|important|caution|topic|example")
_NAVIGATION_NAME = re.compile(
    r' (?:class|id)="(?:[^"]*[-_ ])?'
    r"(?:nav\w*|sidebar\w*|footer|menu\w*|breadcrumbs?|toc\w*|cookie\w*|share\w*|related|pager|pagination)"
    r'(?:[-_ ][^"]*)?"',
    re.I,
)
_AROUND_NAVIGATION = re.compile(r'[" _-](?:for|has|with|without|no)[-_]', re.I)
"""In names of elements that have navigation beside their content."""
ZONES = frozenset(("div", "ul", "ol", "section", "table", "p"))
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
MAX_HEADER_TAGS = 500
"""A heading is looked for in so many tags of a `header`."""
MIN_LINK_SHARE = 0.6
"""Of the letters in an element that is named like navigation, if it is to be taken for that."""


def skip_without_text(page: Page, _tag: str, at: int) -> int:
    """Skip an element that holds no text for readers."""
    return find_end(page.tokens.tags, at)


def is_hidden(name: str, tag: str) -> bool:
    """Is the element not shown? Pages that hide all of themselves show it by script."""
    return _HIDDEN.search(tag) is not None and name not in ("body", "html", "main")


def is_around_content(page: Page, name: str, tag: str, at: int) -> bool:
    """Is this an element that is around the content of a page?"""
    if name in _AROUND:
        if name == "aside" and _CONTENT_ASIDE.search(tag):
            return False
        return not (name == "footer" and page.sheet.margin.endswith("> "))
    if name == "header":
        return not _holds_heading(page, at)
    if " role=" in tag:
        role = _ROLE.search(tag)
        return role is not None and role[1] in _ROLES and not (role[1] == "banner" and _holds_heading(page, at))
    return False


def open_zone(page: Page, tag: str, at: int) -> bool:
    """Is this element named like navigation? What it holds will show whether it is."""
    if not _NAVIGATION_NAME.search(tag) or _AROUND_NAVIGATION.search(tag):
        return False
    page.end_heading()
    if page.is_in_zone or page.sheets or page.sheet.containers:
        return True
    page.is_in_zone = True
    before = (len(page.sheet.lines), page.text_length, page.link_length, page.headings, page.titles)
    page.exits[find_end(page.tokens.tags, at)] = partial(_close_zone, page, *before)
    return True


def _close_zone(page: Page, lines: int, text_length: int, link_length: int, headings: int, titles: int) -> bool:
    """Take back what was written since, if it was navigation."""
    page.end_heading()
    page.is_in_zone = False
    text_length = page.text_length - text_length
    link_length = page.link_length - link_length
    is_plain = page.headings - headings <= 1 and page.titles == titles
    if is_plain and link_length >= MIN_LINK_SHARE * text_length:
        page.sheet.take_back(lines)
        page.dropped_length += text_length
    return False


def _holds_heading(page: Page, at: int) -> bool:
    tags = page.tokens.tags
    return any(name_of(tag) in _HEADINGS for tag in tags[at : min(find_end(tags, at), at + MAX_HEADER_TAGS)])
