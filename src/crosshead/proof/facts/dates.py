"""Dates in many notations and languages: 12 May 2024, 2024-05-12, 12.05.2024, 12 de mayo de 2024, 2024年5月12日.

`05/06/2024` has two readings, and matches a date that shares one. A time of day is minutes after midnight.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

_MONTHS: Final = (
    "january jan januar jänner janvier janv enero ene gennaio gen janeiro januari января январь янв stycznia",
    "february feb februar février févr febrero febbraio fevereiro februari февраля февраль фев lutego",
    "march mar märz mrz mars marzo março maart марта март marca",
    "april apr avril avr abril abr aprile апреля апрель апр kwietnia",
    "may mai mayo maggio maio mei мая май maja",
    "june jun juni juin junio giugno junho июня июнь июн czerwca",
    "july jul juli juillet juil julio luglio julho июля июль июл lipca",
    "august aug août agosto ago augustus августа август авг sierpnia",
    "september sep sept septembre septiembre settembre setembro сентября сентябрь сен września",
    "october oct oktober okt octobre octubre ottobre outubro октября октябрь окт października",
    "november nov novembre noviembre novembro ноября ноябрь ноя listopada",
    "december dec dezember dez décembre déc diciembre dic dicembre dezembro desember декабря декабрь дек grudnia",
)
_NUMBER_OF: Final = {name: number for number, names in enumerate(_MONTHS, 1) for name in names.split()}
_MONTH: Final = rf"(?P<name>{'|'.join(sorted(_NUMBER_OF, key=len, reverse=True))})\b\.?"
_DAY: Final = r"(?P<day>[0-3]?\d)"
_YEAR: Final = r"(?P<year>(?:1[5-9]|20|21)\d\d)"
_PATTERNS: Final = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        rf"(?<![\d.,/-]){_YEAR}(?P<mark>[-/.])(?P<month>\d{{1,2}})(?P=mark){_DAY}(?!\d|[-/.]\d)",
        rf"(?<![\d.,/-])(?P<one>\d{{1,2}})(?P<mark>[-/.])(?P<two>\d{{1,2}})(?P=mark){_YEAR}(?!\d|[-/.]\d)",
        rf"(?<![\d.,/-]){_YEAR}-(?P<month>0[1-9]|1[0-2])(?![\d-])",
        rf"(?<![\d.,]){_DAY}(?:st|nd|rd|th|\.|er|º|-го)?[ \u00a0\n](?:of |de |d’|d')?{_MONTH}"
        rf"(?:,?[ \u00a0\n](?:de |del )?{_YEAR}(?!\d))?",
        rf"\b{_MONTH}[ \u00a0\n]{_DAY}(?:st|nd|rd|th)?(?![\d.,:]*\d)(?:,?[ \u00a0\n]{_YEAR}(?!\d))?",
        rf"\b{_MONTH},?[ \u00a0\n](?:de |del )?{_YEAR}(?!\d)",
        rf"{_YEAR}\s?[年년]\s?(?P<month>\d{{1,2}})\s?[月월](?:\s?{_DAY}\s?[日일])?",
        rf"(?P<month>\d{{1,2}})\s?[月월]\s?{_DAY}\s?[日일]",
    )
)
_TIME: Final = re.compile(
    r"(?<![\d:.])(?P<hour>[0-2]?\d)[:h](?P<minute>[0-5]\d)(?::[0-5]\d)?(?![\d:])[ \u00a0\n]?(?P<half>[ap]\.?m\b\.?)?"
    r"|(?<![\d:.,])(?P<hour2>1?\d)[ \u00a0\n]?(?P<half2>[ap]\.?m\b\.?)",
    re.I,
)


class Day(NamedTuple):
    """A reading of a date; 0 for what it does not say."""

    year: int
    month: int
    day: int


class DateMention(NamedTuple):
    """A date or a time of day in a text."""

    start: int
    end: int
    text: str
    readings: frozenset[Day]
    minutes: frozenset[int] = frozenset()
    """A time of day."""


def find_dates(text: str) -> Iterator[DateMention]:
    """Yield the dates and times of day of a text."""
    taken: list[tuple[int, int]] = []
    for pattern in _PATTERNS:
        for found in pattern.finditer(text):
            start, end = found.span()
            readings = frozenset(_readings(found))
            if readings and not any(first < end and start < last for first, last in taken):
                taken.append((start, end))
                yield DateMention(start, end, found[0], readings)
    for found in _TIME.finditer(text):
        minutes = frozenset(_minutes(found))
        if minutes and not any(first < found.end() and found.start() < last for first, last in taken):
            yield DateMention(*found.span(), found[0], frozenset(), minutes)


def _readings(found: re.Match[str]) -> Iterator[Day]:
    parts = found.groupdict()
    year = int(parts.get("year") or 0)
    if parts.get("one"):
        one, two = int(parts["one"]), int(parts["two"])
        orders = [(two, one)] if parts["mark"] == "." else [(two, one), (one, two)]
    else:
        name = parts.get("name")
        month = _NUMBER_OF[name.casefold()] if name else int(parts["month"])
        orders = [(month, int(parts.get("day") or 0))]
    for month, day in orders:
        if 1 <= month <= 12 and day <= 31 and (day or not parts.get("day")):
            yield Day(year, month, day)


def _minutes(found: re.Match[str]) -> Iterator[int]:
    """Yield the readings of a time of day: without am or pm, 2:30 may be both."""
    half = (found["half"] or found["half2"] or "").casefold()
    hour, minute = int(found["hour"] or found["hour2"]), int(found["minute"] or 0)
    if half:
        if 1 <= hour <= 12:
            yield (hour % 12 + (12 if half[0] == "p" else 0)) * 60 + minute
    elif hour < 24:
        yield hour * 60 + minute


def says(wanted: Day, known: Day) -> bool:
    """Return whether a date says all that another one does."""
    return all(ours in (0, theirs) for ours, theirs in zip(wanted, known, strict=True))
