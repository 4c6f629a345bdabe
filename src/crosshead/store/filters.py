"""What the filters of every store mean: globs and days."""

from __future__ import annotations

import re
from datetime import date
from typing import Final

from crosshead.errors import OptionsError

LONGEST_GLOB: Final = 1_000
"""Characters; the expression that is made of a glob has to fit into the memory of a query."""


def has_wildcard(pattern: str, name: str) -> bool:
    """Return whether a pattern is a glob, not the text itself; raise `OptionsError` if it is too long."""
    if "*" not in pattern and "?" not in pattern:
        return False
    _check_length(pattern, name)
    return True


def part_pattern(part: str, name: str) -> str:
    """Return a regular expression for texts that contain a part, ignoring case, the same for every store."""
    _check_length(part, name)
    return "".join(_any_case(char) for char in part)


def _any_case(char: str) -> str:
    forms = sorted({form for form in (char, char.lower(), char.upper(), char.casefold()) if len(form) == 1})
    return f"[{''.join(forms)}]" if len(forms) > 1 else re.escape(char)


def _check_length(pattern: str, name: str) -> None:
    if len(pattern) > LONGEST_GLOB:
        raise OptionsError(f"{name}: a pattern has at most {LONGEST_GLOB} characters, not {len(pattern)}")


def iso_day(value: str, name: str) -> str:
    """Return a date as ISO text; raise `OptionsError` if it is not a date."""
    try:
        return date.fromisoformat(value).isoformat()
    except ValueError as error:
        raise OptionsError(f"{name}={value!r} is not a date: write it as 2026-01-31") from error
