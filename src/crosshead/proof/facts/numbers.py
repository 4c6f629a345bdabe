"""Numbers with their scale, unit and sign.

`1.577` may be one thousand or one and a half: such a number has two readings, and matches a number that shares one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Final, NamedTuple

from crosshead.proof.facts.units import CURRENCY_BEFORE, MeasureUnit, scale_of, units_of, word_after

_NUMBER: Final = re.compile(r"\d+(?:(?:[.,'’٬٫]|[\u00a0\u202f\u2009 ](?=\d{3}(?!\d)))\d+)*")
_GAP: Final = re.compile(r"[ \n\u00a0\u202f*_|]{0,3}-?(?:US |de (?=[a-z])|d[’'])?")
_MINUS: Final = re.compile(
    r"(?:(?:^|[\s(\[|=:*~≈€$£¥])[-–−]|\bminus |\bмінус |\bминус |\bmoins |\bmenos |−)[€$£¥]?$", re.I
)
_PLUS: Final = re.compile(r"(?:^|[\s(|])\+[€$£¥]?$")
_ABOUT: Final = re.compile(
    r"(?:\b(?:about|around|approximately|approx\.|roughly|nearly|almost|some|over|more than|under|less than|rund|etwa|"
    r"ca\.|"
    r"ungefähr|knapp|fast|über|mehr als|environ|près de|plus de|presque|unos|unas|casi|cerca de|alrededor de|más de|"
    r"около|почти|примерно|более)|[~≈約约])[ \u00a0]?[€$£¥]?$",
    re.I,
)
_ACCOUNTING: Final = re.compile(r"\(\s*[€$£¥]?\s*$")
_DECADE: Final = re.compile(r"(?<=\d\d\d0)").match
_LONGEST_LEAD: Final = 20
_GROUPS: Final = re.compile(r"\d{1,3}(?:\D\d{3})+")


class Quantity(NamedTuple):
    """A number in a text."""

    start: int
    end: int
    text: str
    """With scale and unit."""
    values: tuple[Decimal, ...]
    """Its readings, without sign, scale included."""
    digits: tuple[Decimal, ...]
    """Its readings without scale."""
    units: tuple[MeasureUnit, ...]
    is_negative: bool
    may_be_negative: bool
    """In parentheses, as accountants write losses."""
    is_about: bool
    has_scale: bool

    def rounded(self) -> Iterator[tuple[Decimal, Decimal]]:
        """Yield each reading with half of what its last digit is worth, zeros at its end aside."""
        for value, digits in zip(self.values, self.digits, strict=True):
            exponent = int(digits.normalize().as_tuple().exponent) if digits else 0
            scale = value / digits if digits else Decimal(1)
            yield value, scale * Decimal(10) ** exponent / 2


def find_quantities(text: str, taken: Sequence[tuple[int, int]] = ()) -> Iterator[Quantity]:
    """Yield the numbers of a text; those inside spans that are `taken` are left out."""
    for found in _NUMBER.finditer(text):
        start, end = found.span()
        if any(first < end and start < last for first, last in taken):
            continue
        readings = read_number(found[0])
        if readings:
            yield _quantity(text, start, end, readings)
        else:
            for part in re.finditer(r"\d+", found[0]):
                yield _quantity(text, start + part.start(), start + part.end(), [Decimal(part[0])])


def read_number(token: str) -> list[Decimal]:
    """Return what digits with separators may mean, in either notation; nothing if they are not one number."""
    separators = re.findall(r"\D", token)
    if not separators:
        return [Decimal(token)]
    last = separators[-1]
    if len(set(separators)) == 1:
        grouped = [Decimal(re.sub(r"\D", "", token))] if _GROUPS.fullmatch(token) and token[0] != "0" else []
        if len(separators) > 1 or last not in ".,٫":
            return grouped
        return [*grouped, _decimal(token, last)]
    whole = token[: token.rindex(last)]
    if separators.count(last) == 1 and len(set(separators)) == 2 and last in ".,٫" and _GROUPS.fullmatch(whole):
        return [_decimal(token, last)]
    return []


def _decimal(token: str, mark: str) -> Decimal:
    whole, _, part = token.rpartition(mark)
    return Decimal(f"{re.sub(r'[^0-9]', '', _ascii(whole))}.{_ascii(part)}")


def _ascii(digits: str) -> str:
    return digits if digits.isascii() else "".join(str(int(each)) if each.isdecimal() else each for each in digits)


def _quantity(text: str, start: int, end: int, readings: list[Decimal]) -> Quantity:
    lead = text[max(0, start - _LONGEST_LEAD) : start]
    currency = CURRENCY_BEFORE.search(lead)
    stop, scale, units = _suffix(text, end)
    if currency:
        units = units_of(currency[1] or currency[2])
    first = start - (len(lead) - currency.start() if currency else 0)
    return Quantity(
        first,
        stop,
        text[first:stop],
        tuple(each * scale for each in readings),
        tuple(readings),
        units,
        bool(_MINUS.search(lead)),
        bool(_ACCOUNTING.search(lead)) and text[end : end + 1] == ")",
        bool(_ABOUT.search(text[max(0, first - _LONGEST_LEAD) : first])),
        scale != 1,
    )


def _suffix(text: str, end: int) -> tuple[int, Decimal, tuple[MeasureUnit, ...]]:
    """Return where the scale and the unit after a number end, and what they are."""
    scale, stop = Decimal(1), end
    for _ in range(2):
        gap = _GAP.match(text, stop)
        at = gap.end() if gap else stop
        word = word_after(text, at)
        if text[at + len(word) : at + len(word) + 1].isdigit() or (word == "s" and at == end and _DECADE(text, end)):
            break
        if units := units_of(word):
            return at + len(word), scale, units
        factor = scale_of(word) if word and scale == 1 else None
        if factor is None:
            break
        scale, stop = factor, at + len(word)
        stop += text[stop : stop + 1] == "."
    return stop, scale, ()


def same_measure(one: Quantity, other: Quantity) -> bool:
    """Return whether two numbers with units measure the same, as 5 min and 300 s do."""
    return any(
        a.family == b.family and x * a.factor == y * b.factor
        for a in one.units
        for b in other.units
        for x in one.values
        for y in other.values
    )


def shares_family(one: Quantity, other: Quantity) -> bool:
    """Return whether two numbers have units of one family, such as KB and MB."""
    return not {unit.family for unit in one.units}.isdisjoint(unit.family for unit in other.units)


def shares_unit(one: Iterable[MeasureUnit], other: Iterable[MeasureUnit]) -> bool:
    """Return whether two words may mean one unit."""
    return not set(one).isdisjoint(other)
