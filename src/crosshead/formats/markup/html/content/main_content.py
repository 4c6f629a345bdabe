"""Whether a page declares itself an article, and which part is its main content."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from crosshead.formats.markup.html.tokens import attribute

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

MIN_TEXT = 250
"""Characters; a shorter main content must hold at least half of the page's text."""
_MARKS = ("<main", 'role="main"', "role='main'", "role=main", "<article")
_ARTICLE_MARKS: Final = (
    "<article", 'content="article"', "articleBody", "BlogPosting", 'Article"', "published_time", "datePublished",
)  # fmt: skip
_OTHER_MARKS: Final = (
    "QAPage", "DiscussionForumPosting", "DOCUMENTATION_OPTIONS", "documentation_options.js", "rst-content",
)  # fmt: skip
"""Of questions with answers, threads, and documentation made with Sphinx."""
_SITE_MARKS: Final = ('property="og:', "property='og:", "schema.org")
_FAR_SCRIPT: Final = re.compile(r"""<script[^>]{1,200}?src=["']?(?:https?:)?//""")
"""Marks of web pages made for search engines and trackers, which documentation in files lacks."""
_HEAD_LENGTH: Final = 20_000
_OTHER_GENERATOR: Final = re.compile(
    r"""name=["']?generator["']?\s{1,9}content=["']?[^"'>]{0,99}?(?:docutils|sphinx|mkdocs|docusaurus|doxygen|javadoc|rustdoc"""
    r"|asciidoc|docbook|vitepress|vuepress|gitbook|antora|mdbook|makeinfo|texi2html|pandoc|mediawiki|dokuwiki|discourse"
    r"|phpbb|vbulletin|xenforo)",
    re.I,
)
"""Programs that make documentation, wikis and forums."""


_BODY_NAME: Final = re.compile(
    r"(?<![a-z])(?:article|arti|art|post|entry|story|blog|news|text)[_-]{0,2}(?:body|content|text)(?![a-z])"
    r"|field-{1,2}name-body(?![a-z])",
    re.I,
)
"""In classes and ids of the element that holds the text of an article."""
MAX_NAMES: Final = 500
"""Letters of classes and ids that are looked at."""


def is_article_body(tag: str) -> bool:
    """Return whether an element is marked as the text of an article."""
    return "articleBody" in attribute(tag, "itemprop") or bool(_BODY_NAME.search(names_of(tag)))


def names_of(tag: str) -> str:
    """Return the classes and the id of an element."""
    if " class=" not in tag and " id=" not in tag:
        return ""
    return f"{attribute(tag, 'class')[:MAX_NAMES]} {attribute(tag, 'id')[:MAX_NAMES]}"


def is_article(source: str, *, has_main_content: bool) -> bool:
    """Return whether this is an article, or a page of a web site without marked main content."""
    head = source[:_HEAD_LENGTH]
    if any(mark in source for mark in _OTHER_MARKS) or ("generator" in head and _OTHER_GENERATOR.search(head)):
        return False
    if any(mark in source for mark in _ARTICLE_MARKS):
        return True
    return not has_main_content and (any(mark in source for mark in _SITE_MARKS) or bool(_FAR_SCRIPT.search(source)))


def find_main_content(body: LexborNode, source: str) -> str:
    """Return the HTML of the main content; none if the page does not say which it is."""
    if not any(mark in source for mark in _MARKS):
        return ""
    found = body.css("main, [role=main]") or body.css("article")
    if len(found) != 1 or not _is_main(found[0], body):
        return ""
    return f"{_title_outside(found[0], body)}{_html(found[0])}"


def _is_main(node: LexborNode, body: LexborNode) -> bool:
    length = len(node.text())
    return (length >= MIN_TEXT and node.tag != "article") or 2 * length >= len(body.text())


def _title_outside(node: LexborNode, body: LexborNode) -> str:
    """Return the heading of the page if it comes before the main content."""
    headings = body.css("h1")
    return _html(headings[0]) if len(headings) == 1 and not node.css_first("h1") else ""


def _html(node: LexborNode) -> str:
    return node.html or ""
