"""The article of a page, without what is around it: comments, related articles, ways to share and to subscribe.

1. Find the elements of the page, and how much text, links and prose each holds (`sizes`).
2. Set aside those that are not the article by their names (`names`).
3. From the top down, go into the element that holds nearly all of the remaining prose.
4. Of that one, leave out what was set aside, what is made of links, and headings of which nothing is left (`cutting`).

The rules know classes, ids and tags, but no words of any language. Everything takes a few passes over the tags, however
deep they are nested.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from itertools import accumulate, pairwise
from typing import Final

from crosshead.formats.markup.html.content.cutting import cut, find_title
from crosshead.formats.markup.html.content.main_content import is_article_body
from crosshead.formats.markup.html.content.names import find_aside, word_of
from crosshead.formats.markup.html.content.sizes import Element, Sums, leave_out, read_elements, sum_up
from crosshead.formats.markup.html.tokens import Tokens, attribute

MIN_PROSE: Final = 500
"""Bytes that an article has at least."""
MIN_SHARE: Final = 0.8
"""Of all prose that an element must hold to be the article."""
MIN_BODY_SHARE: Final = 0.5
"""The same for an element that is marked as the article."""
MIN_CLEAN_SHARE: Final = 0.7
"""Minimum prose next to an element for that text to belong to the article, as a lead does."""
MIN_PEER: Final = 100
"""Minimum prose in two elements of the same kind for both to be content, as posts of a thread."""
MIN_LINK_SHARE: Final = 0.35
"""Links in the text of an element from which on it is not part of an article."""
MAX_PLACES: Final = 8
MIN_TEXT_BETWEEN: Final = 400
"""Bytes of prose between places where something is left out, if there are many."""
_ENTERED: Final = frozenset((
    "body", "div", "section", "article", "main", "table", "tbody", "tr", "td", "ul", "li", "form", "center",
))  # fmt: skip
_MADE_OF_LINKS: Final = frozenset((
    "div", "section", "ul", "ol", "table", "dl", "tr", "td", "form", "center", "header",
))  # fmt: skip


def cut_to_article(tokens: Tokens, notes: Iterable[str]) -> Tokens:
    """Return the tags and texts of the article, and all footnotes, which have these ids."""
    top = read_elements(tokens.tags)
    sums = sum_up(tokens)
    may_go = partial(_holds_no_note, _count_notes(tokens.tags, frozenset(notes)))
    aside = find_aside(top, sums.prose, may_go)
    rest = Sums(*(leave_out(each, aside) for each in sums))
    titles = [0, *accumulate(tag[:2] == "h1" and tag[2:3] in ("", " ") for tag in tokens.tags)]
    root = _descend(top, rest, titles)
    if root.sum_of(rest.prose) < MIN_PROSE:
        return cut(tokens, top, aside)
    known = {element.start for element in aside}

    def goes(element: Element) -> bool:
        return element.start in known or (_is_made_of_links(element, rest) and may_go(element))

    gone = _outermost(root.children, goes)
    is_listing = not _is_article(root) and _is_listing(gone, root, rest.prose)
    return tokens if is_listing else cut(tokens, root, gone, _find_lead(tokens.tags, top, root, rest))


def _is_listing(gone: list[Element], root: Element, prose: list[int]) -> bool:
    """Return whether links and short texts alternate, so that the links are titles of listed items."""
    places = {prose[element.start] for element in gone}
    return len(places) > MAX_PLACES and root.sum_of(prose) < MIN_TEXT_BETWEEN * len(places)


def _is_made_of_links(element: Element, sums: Sums) -> bool:
    is_linked = element.sum_of(sums.links) > MIN_LINK_SHARE * element.sum_of(sums.text)
    return is_linked and element.name in _MADE_OF_LINKS and 2 * element.sum_of(sums.prose) < sums.prose[-1]


def _outermost(elements: list[Element], goes: Callable[[Element], bool]) -> list[Element]:
    """Return the elements for which `goes` is true, in the order of the page, and none that is inside another."""
    found = []
    stack = elements[::-1]
    while stack:
        element = stack.pop()
        if goes(element):
            found.append(element)
        else:
            stack += reversed(element.children)
    return found


def _count_notes(tags: list[str], notes: frozenset[str]) -> list[int]:
    if not notes:
        return []
    return [0, *accumulate(" id=" in tag and attribute(tag, "id") in notes for tag in tags)]


def _holds_no_note(counts: list[int], element: Element) -> bool:
    return not counts or not element.sum_of(counts)


def _descend(top: Element, sums: Sums, titles: list[int]) -> Element:
    """Return the innermost element marked as the text of an article that holds half of the prose; on pages
    without one, the innermost that holds nearly all prose, and has nothing but boilerplate beside it."""
    path = [top]
    while child := _enter(path[-1], sums.prose, titles):
        path.append(child)
    marked = [element for element in path if _is_article(element)]
    if marked:
        return next((element for element in reversed(marked) if is_article_body(element.tag)), marked[0])
    least = MIN_SHARE * sums.prose[-1]
    for element, child in pairwise(path):
        if child.sum_of(sums.prose) < least or _is_main(element) or _has_lead(element, child, sums, titles):
            return element
    return path[-1]


def _enter(element: Element, prose: list[int], titles: list[int]) -> Element | None:
    """Return the element inside another that holds most prose, if the article may be in it alone."""
    child = max(element.children, key=lambda each: each.sum_of(prose), default=None)
    if child is None or child.name not in _ENTERED or child.sum_of(prose) < max(1, MIN_BODY_SHARE * prose[-1]):
        return None
    if word_of(child) and not child.sum_of(titles):
        return None
    kind = _kind(child)
    peers = (each for each in element.children if each is not child and each.sum_of(prose) >= MIN_PEER)
    return None if any(_kind(each) == kind for each in peers) else child


def _has_lead(element: Element, child: Element, sums: Sums, titles: list[int]) -> bool:
    """Return whether prose comes before the child without a title that would begin a lead."""
    prose, text = (each[child.start] - each[element.start] for each in (sums.prose, sums.text))
    return not titles[child.start] and 0 < MIN_CLEAN_SHARE * text <= prose


def _kind(element: Element) -> tuple[str, str]:
    return element.name, attribute(element.tag, "class")


def _is_main(element: Element) -> bool:
    return element.name == "main" or attribute(element.tag, "role") == "main"


def _is_article(element: Element) -> bool:
    return element.name == "article" or is_article_body(element.tag)


def _find_lead(tags: list[str], top: Element, root: Element, sums: Sums) -> list[Element]:
    """Return elements of prose between the title and the article."""
    title = find_title(tags, root)
    if not title:
        return []

    def is_lead(element: Element) -> bool:
        is_between = title[1] <= element.start and element.end < root.start
        return is_between and 0 < MIN_CLEAN_SHARE * element.sum_of(sums.text) <= element.sum_of(sums.prose)

    return _outermost(top.children, is_lead)
