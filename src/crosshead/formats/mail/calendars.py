"""Invitations: the events of a calendar (iCalendar, RFC 5545) -> Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from crosshead.formats.shared import gfm
from crosshead.formats.text.plain import write_plain

_FOLD = re.compile(r"\n[ \t]")
_LINE = re.compile(r'([A-Za-z-]++)((?:;[^:;"]*+(?:"[^"]*+"[^:;"]*+)?+)*+):(.*)')
_NAME = re.compile(r';CN=(?:"([^"]*)"|([^;:]*))', re.I)
_TIME = re.compile(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z?))?")
_ZONE = re.compile(r';TZID="?([^;:"]*)', re.I)
_ESCAPED = re.compile(r"\\([nN,;\\])")
_SHOWN: Final = {
    "SUMMARY": "Event", "DTSTART": "Starts", "DTEND": "Ends", "DUE": "Due", "LOCATION": "Place",
    "ORGANIZER": "Organizer", "ATTENDEE": "Attendee", "STATUS": "Status",
}  # fmt: skip
_COMPONENTS: Final = ("VEVENT", "VTODO", "VJOURNAL")


def write_calendar(text: str, *, has_body: bool) -> Iterator[str]:
    """Yield the events as lists, and their descriptions unless the body of the message is one already."""
    facts: list[str] | None = None
    description = ""
    for found in map(_LINE.match, _FOLD.sub("", text).split("\n")):
        if found is None:
            continue
        name, given, value = found[1].upper(), found[2], found[3].strip()
        if name == "BEGIN" and value in _COMPONENTS:
            facts, description = [], ""
        elif name == "END" and value in _COMPONENTS and facts is not None:
            yield "\n".join([gfm.item("-", gfm.escape(fact)) for fact in facts])
            yield "" if has_body else write_plain(description).strip("\n")
            facts = None
        elif facts is not None and name == "DESCRIPTION":
            description = _unescape(value)
        elif facts is not None and name in _SHOWN and value:
            facts.append(f"{_SHOWN[name]}: {_show(given, value)}")


def _show(given: str, value: str) -> str:
    """Return a time with its zone, a person with the address, or a text on one line."""
    if time := _TIME.fullmatch(value):
        year, month, day, hour, minute, utc = time.groups()
        zone = _ZONE.search(given)
        shown = f"{year}-{month}-{day}" + (f" {hour}:{minute}" if hour else "")
        return f"{shown} UTC" if utc else f"{shown} {zone[1]}" if zone and hour else shown
    if value.lower().startswith("mailto:"):
        name, address = _NAME.search(given), value[len("mailto:") :]
        return f"{name[1] or name[2]} <{address}>" if name else address
    return " ".join(_unescape(value).split())


def _unescape(value: str) -> str:
    return _ESCAPED.sub(lambda found: "\n" if found[1] in "nN" else found[1], value)
