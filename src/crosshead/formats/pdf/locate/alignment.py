"""Tokens -> the characters of the pages that they are.

Pages draw text mostly in the order in which it is read, but tables by columns, and notes or captions anywhere. So the
tokens are read along the cheapest way through the pages:

1. to go on where the token before ended is free; to jump costs the more the further it is, and a jump along a line or
   to the line below costs less than one to any other place
2. a token may be left out, which costs more the longer it is
3. of all ways through the tokens, the cheapest is taken: one step for each token, with the ways that may still win
4. short texts at the end of a long jump are kept only if the pages have them nowhere else: they may be something else
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from crosshead.formats.pdf.locate.characters import Extent, SeenText
from crosshead.formats.pdf.locate.tokens import Token
from crosshead.formats.pdf.page.words.right_to_left import RIGHT_TO_LEFT

FAR: Final = 4.0
"""The price of a jump to any place."""
_NEXT_PAGE: Final = 2.0
_SIGNS: Final = 0.2
"""To pass signs that the Markdown does not have, such as a bullet."""
_LETTERS: Final = 0.5
_LETTER: Final = 0.15
"""To pass over characters, and for each of them."""
_ALONG: Final = 0.4
"""To jump along a line, and for each em."""
_EM_ALONG: Final = 0.03
_BELOW: Final = 1.0
_EM_BELOW: Final = 0.5
_INSIDE: Final = 0.3
"""To end inside a word of the page."""
_MOST_WAYS: Final = 40
_MOST_BEHIND: Final = FAR + 0.01
"""How many ways go on, and how much more than the cheapest they may cost."""
_MOST_PLACES: Final = 200
"""How many places of a token are considered: those nearest to the cheapest way."""
_FEW: Final = 10
"""How often a page may have a sign that is worth a jump."""
_SURE: Final = 12
"""Letters and digits that are not found by chance at the end of a long jump."""


class Match(NamedTuple):
    """A token on the pages."""

    token: Token
    start: int
    """Where it is in the text of the pages."""
    end: int


class _Way(NamedTuple):
    """A way to read the tokens so far."""

    cost: float
    last: Match | None
    before: _Way | None
    is_far: bool = False
    """Whether it jumped far to its last match."""

    @property
    def end(self) -> int:
        """Return where it goes on; -1 before its first match."""
        return self.last.end if self.last else -1


def align(tokens: Sequence[Token], seen: SeenText) -> list[Match]:
    """Return the tokens that are found on the pages, with their places."""
    prices = _Prices(seen)
    places: dict[str, list[int]] = {}
    ways = [_Way(0.0, None, None)]
    for token in tokens:
        text = token.text
        found = places.get(text)
        if found is None:
            found = seen.find(text)
            found = places[text] = found if token.weight or len(found) < _FEW else []
        ways = _step(ways, token, found, prices)
    return [match for run in _runs(ways[0]) if _is_sure(run, seen) for match in run]


def _step(ways: Sequence[_Way], token: Token, found: Sequence[int], prices: _Prices) -> list[_Way]:
    """Return the cheapest ways once a token is read, or left out; the cheapest first."""
    text, skip, seen = token.text, _price_of_leaving_out(token), prices.seen
    after = {way.end: way._replace(cost=way.cost + skip) for way in ways}
    for way in ways:
        end = way.end + len(text)
        if way.end >= 0 and seen.text.startswith(text, way.end):
            cost = way.cost + (0.0 if seen.bounds[end] else _INSIDE)
            _keep(after, _Way(cost, Match(token, way.end, end), way))
            if cost == ways[0].cost and prices.are_on_one_line(way.end - 1, way.end):
                found = ()  # the cheapest way goes on, and has no reason to jump
    limit = ways[0].cost + min(skip + FAR, _MOST_BEHIND)
    if len(found) > _MOST_PLACES:
        at = bisect_left(found, ways[0].end)
        found = found[max(0, at - _MOST_PLACES // 2) : at + _MOST_PLACES // 2]
    for start in found:
        best, best_cost = None, limit
        for way in ways:
            if way.cost + _SIGNS >= best_cost:
                break
            price = prices.jump(way.end, start)
            if way.cost + price < best_cost:
                best, best_cost, is_far = way, way.cost + price, price >= FAR
        if best:
            _keep(after, _Way(best_cost, Match(token, start, start + len(text)), best, is_far))
            limit = min(limit, best_cost + _MOST_BEHIND)
    ordered = sorted(after.values(), key=_cost)
    return [way for way in ordered[:_MOST_WAYS] if way.cost < ordered[0].cost + _MOST_BEHIND]


def _cost(way: _Way) -> float:
    return way.cost


def _keep(ways: dict[int, _Way], way: _Way) -> None:
    known = ways.get(way.end)
    if known is None or known.cost > way.cost:
        ways[way.end] = way


def _price_of_leaving_out(token: Token) -> float:
    return min(1.2 + 0.6 * (len(token.text) - 1), 5.0) if token.weight else 0.4


class _Prices:
    """The prices of jumps on some pages."""

    def __init__(self, seen: SeenText) -> None:
        self.seen = seen
        self._known: dict[tuple[int, int], float] = {}

    def jump(self, end: int, start: int) -> float:
        """Return the price of going on at `start` after a token that ended at `end`."""
        if start == end:
            return 0.0
        if end < 0:
            return FAR / 2
        known = self._known.get((end, start))
        if known is None:
            known = self._known[end, start] = self._price(end, start)
        return known

    def are_on_one_line(self, first: int, second: int) -> bool:
        """Return whether two characters are side by side."""
        if self.seen.page_at(first) is not self.seen.page_at(second):
            return False
        return _is_beside(self.seen.extent_at(first), self.seen.extent_at(second))

    def _price(self, end: int, start: int) -> float:
        seen, price = self.seen, FAR
        page, last_page = seen.page_at(start), seen.page_at(end - 1)
        if 0 < start - end <= FAR / _LETTER and page is last_page:
            passed = sum(map(str.isalnum, seen.text[end:start]))
            price = _LETTERS + _LETTER * passed if passed else _SIGNS
        if page is not last_page:
            return _NEXT_PAGE if page.number == last_page.number + 1 else FAR
        return min(price, _distance(seen.extent_at(end - 1), seen.extent_at(start), seen.text[start]))


def _distance(last: Extent, first: Extent, letter: str) -> float:
    """Return the price of a jump on one page."""
    em = max(last.bottom - last.top, first.bottom - first.top, 1.0)
    if _is_beside(last, first):
        along = (last.left - first.right if RIGHT_TO_LEFT.match(letter) else first.left - last.right) / em
        return min(FAR, _ALONG + _EM_ALONG * along) if along > -0.5 else FAR
    below = (first.top - last.bottom) / em
    return min(FAR, _BELOW + _EM_BELOW * max(0.0, below)) if below > -0.5 else FAR


def _is_beside(first: Extent, second: Extent) -> bool:
    together = min(first.bottom, second.bottom) - max(first.top, second.top)
    return together > 0.5 * min(first.bottom - first.top, second.bottom - second.top)


def _runs(way: _Way | None) -> Iterator[list[Match]]:
    """Yield the matches of a way, parted where it jumped far; the last ones first."""
    run: list[Match] = []
    while way:
        if way.last and (not run or way.last is not run[0]):
            run.insert(0, way.last)
            if way.is_far:
                yield run
                run = []
        way = way.before
    if run:
        yield run


def _is_sure(run: Sequence[Match], seen: SeenText) -> bool:
    """Return whether a text cannot have been found by chance: it is long, or the pages have it only once."""
    if sum(match.token.weight for match in run) >= _SURE:
        return True
    text = seen.text[run[0].start : run[-1].end]
    return len(seen.find(text)) <= 1
