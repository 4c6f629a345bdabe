"""Numbers of a spreadsheet as its cells show them, where the format is simple.

A date is a number of days with a format; percent, fixed decimals, thousands and currency signs are followed; whatever
is more than that is left as the plain number.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Final

BUILT_IN: Final = {
    1: "0",
    2: "0.00",
    3: "#,##0",
    4: "#,##0.00",
    9: "0%",
    10: "0.00%",
    11: "0.00E+00",
    **dict.fromkeys((14, 15, 16, 17, *range(27, 37), *range(50, 59)), "yyyy-mm-dd"),
    **dict.fromkeys((18, 19, 20, 21, 45, 46, 47), "hh:mm:ss"),
    22: "yyyy-mm-dd hh:mm",
    37: "#,##0",
    38: "#,##0",
    39: "#,##0.00",
    40: "#,##0.00",
}
"""Formats that a file names by number only."""

_LITERAL = re.compile(r'"([^"]*)"|\\(.)|_.|\*.')
_CURRENCY = re.compile(r"\[\$([^\]-]*)(?:-[^\]]*)?\]")
_BRACKETS = re.compile(r"\[(?!\$|[hms]+\])[^\]]*\]", re.I)
_DATE_LETTER = re.compile(r"[ymdhs]", re.I)
_FIXED = re.compile(r"([^\d#0,.%]{0,5})[#0,]*?(,?)[#0]*0?(?:\.(0+))?(%?)([^\d#0,.%]{0,5})")
_EPOCH: Final = datetime(1899, 12, 30)
_EPOCH_1904: Final = datetime(1904, 1, 1)
_LAST_DAY: Final = 2_958_465
"""The end of the year 9999."""
_EXACT_DIGITS: Final = 15


def show_number(text: str, pattern: str, *, since_1904: bool = False) -> str:
    """Return a stored number as a format shows it."""
    try:
        number = float(text)
    except ValueError:
        return text
    section = _section(pattern)
    if not section or section.lower() == "general":
        return _show_plain(number, text)
    if _is_date(section) and 0 <= number <= _LAST_DAY:
        return _show_date(number, section, _EPOCH_1904 if since_1904 else _EPOCH)
    return _show_fixed(number, section) or _show_plain(number, text)


def is_date_format(pattern: str) -> bool:
    """Return whether a format shows a number as a date or a time."""
    return _is_date(_section(pattern))


@lru_cache(1000)
def _section(pattern: str) -> str:
    """The first part of a format is for positive numbers; the others rarely differ in more than a sign."""
    return _BRACKETS.sub("", pattern.partition(";")[0])


@lru_cache(1000)
def _is_date(section: str) -> bool:
    return bool(_DATE_LETTER.search(_CURRENCY.sub("", _LITERAL.sub("", section)))) and "general" not in section.lower()


def _show_date(number: float, section: str, epoch: datetime) -> str:
    """ISO 8601, with as much of it as the cell shows."""
    letters = _LITERAL.sub("", section).lower()
    has_time = "h" in letters or "s" in letters
    has_date = "y" in letters or "d" in letters or not has_time
    when = epoch + timedelta(seconds=round(number * 86_400))
    if not has_date and number >= 1:  # a duration of more than a day
        hours, rest = divmod(round(number * 86_400), 3600)
        return f"{hours}:{rest // 60:02}:{rest % 60:02}"
    time = when.strftime("%H:%M:%S" if when.second else "%H:%M")
    day = f"{when.year:04}-{when.month:02}-{when.day:02}"
    if not has_date:
        return time
    return f"{day} {time}" if has_time else day


def _show_fixed(number: float, section: str) -> str:
    plain = _LITERAL.sub(lambda found: found[1] or found[2] or "", _CURRENCY.sub(r"\1", section)).strip()
    found = _FIXED.fullmatch(plain)
    if not found or "0" not in plain or abs(number) >= 10**_EXACT_DIGITS:
        return ""
    before, _, decimals, percent, after = found.groups()
    thousands = "," if "," in plain else ""
    shown = f"{number * 100 if percent else number:{thousands}.{len(decimals or '')}f}"
    sign, digits = ("-", shown[1:]) if shown.startswith("-") else ("", shown)
    return f"{sign}{before}{digits}{percent}{after}"


def _show_plain(number: float, text: str) -> str:
    """Numbers are stored with more digits than they have: 0.1 + 0.2 is 0.3."""
    if abs(number) < 10**_EXACT_DIGITS and number == int(number):
        return str(int(number))
    shown = f"{number:.{_EXACT_DIGITS}g}"
    return text if "e" in shown or "n" in shown else shown
