"""Elements whose names show that they are not the article: comments, related articles, ways to share and to subscribe.

The names that take least away are believed first, and none where they would leave hardly any prose.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Final

from crosshead.formats.markup.html.content.main_content import names_of
from crosshead.formats.markup.html.content.sizes import Element

MIN_REST: Final = 150
MIN_REST_SHARE: Final = 0.2
ENOUGH_REST: Final = 1_000
"""A name is believed if this share of the prose is left: at least the first bytes, and the last are always enough."""
MAX_LEVELS: Final = 3
"""How many elements of one name, inside one another, are tried."""
AROUND: Final = frozenset(("nav", "footer", "aside"))
"""Not part of an article, but left to `boilerplate`."""
_NAME: Final = re.compile(
    r"(?:^|[\s_-]|(?<=[a-z])(?=[A-Z]))((?i:"
    r"comment(?:s|list|ary)?|respond|reply|replies|disqus\w*|livefyre"
    r"|related\w*|recommend\w*|similar|outbrain|taboola|trending|popular|mostread"
    r"|shar(?:e|es|ed|ing|edaddy|ebar|ethis|ebuttons?|elinks?|etools?)|socials?|socialmedia|addthis\w*|addtoany\w*"
    r"|newsletter\w*|subscri(?:be|ption)\w*|sign-?up|opt-?in"
    r"|promo\w*|sponsor\w*|adverts?|advertis\w*|ads?|banners?"
    r"|tags|taglist|tagcloud|postmetadata|(?:post|entry|article)-?meta"
    r"|author-?(?:bio|info|box)|about-?author"
    r"|breadcrumbs?|pagination|pager|prevnext|nav\w*|menu\w*|sidebar\w*|footer|copyright"
    r"|cookie\w*|consent|gdpr|popup|modal|overlay|login"
    r"))(?:$|[\s_-]|(?<=[a-z])(?=[A-Z]))"
)
_AROUND_NAMED: Final = re.compile(r"(?:^|[\s_-])(?:for|has|with|without|no)[-_]", re.I)
"""Words in names of elements around the content with additions."""


def find_aside(top: Element, prose: list[int], may_go: Callable[[Element], bool]) -> list[Element]:
    """Return the elements that are not the article by their names."""
    named: dict[str, list[Element]] = {}
    stack = [top]
    while stack:
        element = stack.pop()
        word = word_of(element)
        if word and may_go(element):
            named.setdefault(word, []).append(element)
        stack += reversed(element.children)
    least = max(MIN_REST, min(ENOUGH_REST, MIN_REST_SHARE * prose[-1]))
    left = prose[-1]
    found: list[Element] = []
    groups = [_believable(elements, prose, left - least) for elements in named.values()]
    for group in sorted(groups, key=partial(_sum, prose)):
        if left - _sum(prose, group) >= least:
            left -= _sum(prose, group)
            found += group
    return _outer(sorted(found, key=lambda element: element.start))


def _believable(elements: list[Element], prose: list[int], most: float) -> list[Element]:
    """Return the outermost of elements that share a name, or those inside them, that hold little enough prose.

    A name may be that of the whole page (`comments-open`); but where it is on all posts of a thread, they are content.
    """
    for _ in range(MAX_LEVELS):
        outer = _outer(elements)
        if _sum(prose, outer) <= most:
            return outer
        starts = {element.start for element in outer}
        elements = [element for element in elements if element.start not in starts]
    return []


def _outer(elements: list[Element]) -> list[Element]:
    """Return those of elements, in the order of the page, that are not inside another."""
    found: list[Element] = []
    for element in elements:
        if not found or element.start > found[-1].end:
            found.append(element)
    return found


def _sum(prose: list[int], elements: list[Element]) -> int:
    return sum(element.sum_of(prose) for element in elements)


def word_of(element: Element) -> str:
    """Return the word in the names of an element that marks it as something other than the article."""
    if element.name in AROUND:
        return element.name
    names = names_of(element.tag)
    found = _NAME.search(names)
    return found[1][:4].lower() if found and not _AROUND_NAMED.search(names) else ""
