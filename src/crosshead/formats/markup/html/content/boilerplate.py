"""Elements that are not content: scripts, hidden elements, navigation."""

from __future__ import annotations

import re
from functools import partial

from crosshead.formats.markup.html.content.main_content import is_article_body
from crosshead.formats.markup.html.page.state import HtmlPage
from crosshead.formats.markup.html.tokens import VOID, attribute, attributes, find_end, name_of

NO_TEXT = frozenset((
    "script", "style", "template", "noscript", "svg", "head", "title", "select", "datalist",
    "button", "iframe", "object", "embed", "applet", "textarea", "canvas", "audio", "video",
    "frameset",
))  # fmt: skip
_AROUND = frozenset(("nav", "footer", "aside"))
AROUND = _AROUND | {"header"}
_ROLES = frozenset(("navigation", "contentinfo", "complementary", "banner", "search"))
_FALLBACKS = frozenset(("noscript", "object", "applet", "canvas", "audio", "video"))
"""Elements with fallback content, which is also shown if a missing end tag makes it too long."""
_HIDING_STYLE = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\s*(?:!|;|$)", re.I)
_SHOWN_BY_SCRIPT = frozenset(("body", "html", "main"))
_CONTENT_ASIDE = re.compile(r"footnote|note|warning|tip|admonition|callout|important|caution|topic|example")
_KINDS = ("class", "id", "role", "epub:type")
_NAVIGATION_NAME = re.compile(
    r"(?:^|[-_\s])"
    r"(?:nav\w*|sidebar\w*|footer|menu\w*|breadcrumbs?|toc\w*|cookie\w*|share\w*|related|pager|pagination)"
    r"(?:[-_\s]|$)",
    re.I,
)
_AROUND_NAVIGATION = re.compile(r"(?:^|[\s_-])(?:for|has|with|without|no)[-_]", re.I)
"""Words in names of elements that hold navigation and content."""
ZONES = frozenset(("div", "ul", "ol", "section", "table", "p"))
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
MAX_HEADER_TAGS = 500
"""Tags of a `header` that are searched for a heading."""
MIN_LINK_SHARE = 0.6
"""Of the letters in an element that is named like navigation, if it is to be taken for that."""


def skip_without_text(page: HtmlPage, tag: str, at: int) -> int | None:
    """Skip an element that holds no text for readers; a button in a heading is one that unfolds what follows."""
    name = name_of(tag)
    if name == "button" and page.heading:
        return None
    if name in _FALLBACKS:
        return None if page.shows_hidden else skip_hidden(page, at)
    return find_end(page.tokens.tags, at)


def skip_hidden(page: HtmlPage, at: int) -> int:
    """Skip an element that is not shown, and count its letters: a page may not lose most of its text so."""
    end = find_end(page.tokens.tags, at)
    page.hidden_length += sum(map(len, page.tokens.texts[at:end]))
    return end


def is_hidden(page: HtmlPage, name: str, tag: str) -> bool:
    """Return whether the element is hidden.

    Pages that hide all of themselves, or the text of an article, show it by script, and readers open a tab or find what
    is `hidden="until-found"`.
    What `aria-hidden` keeps from being read aloud is visible, but around the content rather than in it.
    """
    given = attributes(tag)
    if "katex-html" in given.get("class", ""):  # the formula a second time
        return True
    if page.shows_hidden or name in _SHOWN_BY_SCRIPT or given.get("role") == "tabpanel":
        return False
    if page.drops != "nothing" and name not in VOID and given.get("aria-hidden") == "true":
        return True
    is_marked = given.get("hidden", "until-found").lower() != "until-found"
    is_invisible = is_marked or _HIDING_STYLE.search(given.get("style", "")) is not None
    return is_invisible and not is_article_body(tag)


def is_around_content(page: HtmlPage, name: str, tag: str, at: int) -> bool:
    """Return whether this element surrounds the content of a page."""
    if name in _AROUND:
        if name == "aside" and _CONTENT_ASIDE.search(" ".join(map(partial(attribute, tag), _KINDS))):
            return False
        return not (name == "footer" and page.sheet.margin.endswith("> "))
    if name == "header":
        return not _holds_heading(page, at)
    role = attribute(tag, "role").partition(" ")[0]
    return role in _ROLES and not (role == "banner" and _holds_heading(page, at))


def open_zone(page: HtmlPage, tag: str, at: int) -> bool:
    """Return whether this element is named like navigation; its content decides later."""
    names = (attribute(tag, "class"), attribute(tag, "id"))
    if not any(map(_NAVIGATION_NAME.search, names)) or any(map(_AROUND_NAVIGATION.search, names)):
        return False
    page.end_heading()
    if page.is_in_zone or page.sheets or page.sheet.containers:
        return True
    page.is_in_zone = True
    before = (len(page.sheet.lines), page.text_length, page.link_length, page.headings, page.titles)
    page.exits[find_end(page.tokens.tags, at)] = partial(_close_zone, page, *before)
    return True


def _close_zone(page: HtmlPage, lines: int, text_length: int, link_length: int, headings: int, titles: int) -> bool:
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


def _holds_heading(page: HtmlPage, at: int) -> bool:
    tags = page.tokens.tags
    return any(name_of(tag) in _HEADINGS for tag in tags[at : min(find_end(tags, at), at + MAX_HEADER_TAGS)])
