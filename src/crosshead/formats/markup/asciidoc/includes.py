"""`include::` of AsciiDoc: replaced by the lines of other files.

Files below the root are read, with the lines (`lines=`) or parts (`tag=`) that are asked for and their headings at
another level (`leveloffset=`). A file inside itself is refused, and so is what is nested too deeply or too much.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from crosshead.formats.includes import ExpandedText, Nearby, Origin
from crosshead.formats.shared.decoding.text import decode

MAX_DEPTH: Final = 10
MAX_INCLUDES: Final = 500
MAX_BYTES: Final = 8 << 20
"""Of a document with all that it includes."""

NOT_FOUND: Final = "no such file below the root"

_INCLUDE = re.compile(r"(\\?)include::([^\[\s][^\[]{0,500}?)\[(.{0,1000})\]\s*$")
_ATTRIBUTE = re.compile(r":([\w][\w-]{0,60}):(?:[ ]+(.*))?$")
_REFERENCE = re.compile(r"\{([\w][\w-]{0,60})\}")
_TAG = re.compile(r"\b(tag|end)::(\S{1,100}?)\[\](?=\s|$|-->|\*/)")
_OPTION = re.compile(r"(\w+)\s*=\s*(\"[^\"]*\"|'[^']*'|[^,]*)")
_FAMILY = re.compile(r"(?:[\w.-]+@)?(?:[\w.-]+:)?(?:([\w.-]+):)?(partial|example|page|attachment|image)\$(.+)")


def expand(data: bytes, nearby: Nearby) -> ExpandedText:
    """Return a text with the files that it includes."""
    return _Expansion(nearby).run(data)


class _Expansion:
    def __init__(self, nearby: Nearby) -> None:
        self.nearby = nearby
        self.lines: list[str] = []
        self.origins: list[Origin] = []
        self.included: list[bytes] = []
        self.warnings: list[str] = []
        self.attributes: dict[str, str] = {}
        self.offset = 0
        self.size = 0

    def run(self, data: bytes) -> ExpandedText:
        if b"include::" not in data:
            return ExpandedText(data, [Origin(1, 1, "")])
        text = decode(data, self.warnings)
        self._take(text.split("\n"), self.nearby.path, "", [self.nearby.path], 1)
        if not self.included:
            return ExpandedText(data, [Origin(1, 1, "")], warnings=self.warnings)
        return ExpandedText(
            "\n".join(self.lines).encode("utf-8", "replace"), self.origins, self.included, self.warnings
        )

    def _take(self, lines: list[str], path: str, file: str, around: list[str], first: int) -> None:
        """Append the lines of a file, those that it includes in their places."""
        self.origins.append(Origin(len(self.lines) + 1, first, file))
        for number, line in enumerate(lines):
            if found := _ATTRIBUTE.match(line):
                self.attributes[found[1].lower()] = (found[2] or "")[:500]
            found = _INCLUDE.match(line) if "include::" in line else None
            if found and not found[1] and self._include(found, path, around):
                self.origins.append(Origin(len(self.lines) + 1, first + number + 1, file))
            else:
                self.lines.append(line)

    def _include(self, found: re.Match[str], path: str, around: list[str]) -> bool:
        target = _REFERENCE.sub(lambda each: self.attributes.get(each[1].lower(), each[0]), found[2])
        options = {each[1]: each[2].strip("\"' ") for each in _OPTION.finditer(found[3])}
        where = self._find(target, path)
        reason = self._refusal(target, where, around)
        data = None if reason else self.nearby.read(where)
        if data is None:
            if reason != NOT_FOUND:  # an include that is not found stays, and the reader warns
                self.warnings.append(f"include::{target} is not followed: {reason or 'unreadable'}")
            return False
        self.size += len(data)
        self.included.append(data)
        lines = decode(data, self.warnings).rstrip("\n").split("\n")
        before = self.offset
        self._shift(options.get("leveloffset", ""))
        for start, part in _selected(lines, options):
            self._take(part, where, self.nearby.source(where), [*around, where], start)
        self._shift_to(before)
        return True

    def _find(self, target: str, path: str) -> str:
        if family := _FAMILY.match(target):
            return self._find_resource(path, family[1], family[2], family[3])
        return self.nearby.find(target, path)

    def _find_resource(self, path: str, module: str | None, family: str, name: str) -> str:
        """Find a file as Antora names it: `partial$name` is in the folder `partials` of the module."""
        before, sign, after = path.rpartition("/modules/")
        own = after.partition("/")[0]
        target = f"{before}{sign}{module or own}/{family}s/{name}"
        return self.nearby.find(target, path) if sign else ""

    def _refusal(self, target: str, where: str, around: list[str]) -> str:
        if "://" in target:
            return "it is not a file"
        if not where:
            return NOT_FOUND
        if where in around:
            return "it includes itself"
        if len(around) > MAX_DEPTH or len(self.included) >= MAX_INCLUDES or self.size > MAX_BYTES:
            return f"more than {MAX_DEPTH} files deep, {MAX_INCLUDES} files or {MAX_BYTES >> 20} MiB"
        return ""

    def _shift(self, given: str) -> None:
        if re.fullmatch(r"[+-]?\d{1,2}", given):
            self._shift_to(self.offset + int(given) if given[0] in "+-" else int(given))

    def _shift_to(self, offset: int) -> None:
        """Headings below are at another level."""
        if offset != self.offset:
            self.offset = offset
            self.lines += ["", f":leveloffset: {offset}", ""]


def _selected(lines: list[str], options: dict[str, str]) -> Iterator[tuple[int, list[str]]]:
    """Return the parts of a file that are asked for, each with its first line; lines that mark a tag are left out."""
    tags = options.get("tags", options.get("tag", ""))
    if "lines" in options:
        keep = _numbered(options["lines"], len(lines))
    elif tags:
        keep = _tagged(lines, [tag for tag in re.split(r"[;,]", tags) if tag])
    else:
        keep = [True] * len(lines)
    has_tags = any("::" in line and "[]" in line and _TAG.search(line) for line in lines)
    part: list[str] = []
    for number, line in enumerate(lines):
        if keep[number] and not (has_tags and _TAG.search(line)):
            part.append(line)
        elif part:
            yield number + 1 - len(part), part
            part = []
    if part:
        yield len(lines) + 1 - len(part), part


def _numbered(given: str, count: int) -> list[bool]:
    """`1..5;9..-1`"""
    keep = [False] * count
    for part in re.split(r"[;,]", given):
        found = re.fullmatch(r"\s*(\d{1,7})(?:\.\.(-1|\d{0,7}))?\s*", part)
        if found:
            first = int(found[1])
            last = first if found[2] is None else count if found[2] in ("", "-1") else int(found[2])
            keep[max(0, first - 1) : last] = [True] * len(keep[max(0, first - 1) : last])
    return keep


def _tagged(lines: list[str], tags: list[str]) -> list[bool]:
    """Return which lines are between the marks of these tags; `*` is any tag, `**` any line, `!` leaves a tag out."""
    wanted = {tag for tag in tags if tag[0] != "!"}
    unwanted = {tag[1:] for tag in tags if tag[0] == "!"}
    everything = "**" in wanted or not wanted
    opened: list[str] = []
    keep = []
    for line in lines:
        found = _TAG.search(line) if "[]" in line else None
        if found and found[1] == "tag":
            opened.append(found[2])
        elif found and found[2] in opened:
            opened.remove(found[2])
        inner = opened[-1] if opened else ""
        is_wanted = any(tag in wanted for tag in opened) or (bool(opened) and "*" in wanted)
        keep.append((everything or is_wanted) and inner not in unwanted and not (inner and "*" in unwanted))
    return keep
