"""References of reStructuredText: targets, footnotes, substitutions, and titles below labels.

They may be defined after they are used, so one pass over the lines collects them before anything is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from crosshead.formats.markup.rst.titles import title_at

MAX_EXPANDED: Final = 100_000
"""Characters that substitutions may add to a document."""

_TARGET = re.compile(r"\s*\.\. _(?!_:)(?:`([^`]{1,300})`|((?:\\.|[^\\:`]){1,300})):(?:\s+(.*))?$")
_ANONYMOUS = re.compile(r"\s*(?:\.\. __:|__)\s+(\S.*)$")
_NAME = re.compile(r"\s+:name:\s+(\S.{0,300})$")
_NOTE = re.compile(r"\s*\.\. \[([^\]\s]{1,100})\](?:\s|$)")
_SUBSTITUTION = re.compile(r"\s*\.\. \|([^|\s](?:[^|]{0,200}[^|\s])?)\|\s+([\w:-]{1,40})::(?:\s+(.*))?$")
_EMBEDDED = re.compile(r"`([^`<>]{1,300}?)\s*<([^<>`\s]{1,1000})>`_(?!_)")


class Substitution(NamedTuple):
    """The replacement of `|name|`."""

    directive: str
    argument: str


class References:
    """The definitions of one document."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.targets: dict[str, str] = {}
        """Addresses by their names; that of a place in this document is empty."""
        self.titles: dict[str, str] = {}
        """The title below a label."""
        self.substitutions: dict[str, Substitution] = {}
        self.anchors: list[tuple[int, str]] = []
        """Targets in this document: index of the line, and name."""
        self.labels: set[str] = set()
        self.expanded = 0
        self._anonymous: list[str] = []
        self._numbers: Iterator[int] = iter(())
        self._anonymous_at = self._notes_at = self._defined_at = 0
        waiting: list[str] = []
        for at, line in enumerate(lines):
            if line.lstrip(" ").startswith(("..", "__")):
                if label := self._define(lines, at):
                    waiting.append(label)
            elif line:
                if waiting and (title := title_at(lines, at)):
                    self.titles.update(dict.fromkeys(waiting, title.text))
                waiting = []
            if ":name:" in line and (named := _NAME.match(line)):
                self.anchors.append((at, normal(named[1])))
            if "`_" in line:
                self.targets.update({normal(name): url for name, url in _EMBEDDED.findall(line)})

    def _define(self, lines: Sequence[str], at: int) -> str:
        """Read a definition, and return its label if it refers to the text below it."""
        line = lines[at]
        if found := _TARGET.match(line):
            name = normal(found[1] or found[2].replace("\\", ""))
            self.targets[name] = "".join([found[3] or "", *_continued(lines, at)]).replace("\\", "")
            if self.targets[name]:
                return ""
            self.anchors.append((at, name))
            return name
        if found := _ANONYMOUS.match(line):
            self._anonymous.append(found[1])
        elif found := _NOTE.match(line):
            self.labels.add(found[1].lower())
        elif found := _SUBSTITUTION.match(line):
            text = " ".join([found[3] or "", *_continued(lines, at)]).strip()
            self.substitutions[normal(found[1])] = Substitution(found[2].lower(), text[:2_000])
        return ""

    def address(self, name: str) -> str | None:
        """Return where a name leads: an address, nothing for a place in this document, or None if it is not known."""
        name = normal(name)
        for _ in range(5):
            found = self.targets.get(name)
            if found is None or not found.endswith("_") or "/" in found:
                return found
            name = normal(found[:-1].strip("`"))
        return ""

    def next_anonymous(self) -> str:
        """Return the address that the next anonymous reference leads to."""
        self._anonymous_at += 1
        found = self._anonymous[self._anonymous_at - 1 : self._anonymous_at]
        return found[0] if found else ""

    def note(self, label: str, *, defined: bool = False) -> str:
        """Return the label of a footnote in Markdown, nothing if it is not defined."""
        label = label.lower()
        if label in ("#", "*"):
            self._notes_at, self._defined_at = self._notes_at + (not defined), self._defined_at + defined
            return f"auto{self._defined_at if defined else self._notes_at}"
        return re.sub(r"[^\w.-]", "-", label.lstrip("#")) if label in self.labels else ""

    def substitute(self, name: str) -> Substitution | None:
        """Return the replacement of a name, within the limit of expansion."""
        found = self.substitutions.get(normal(name))
        if found is None or self.expanded + len(found.argument) > MAX_EXPANDED:
            return None
        self.expanded += len(found.argument) + 10
        return found


def _continued(lines: Sequence[str], at: int) -> list[str]:
    """Return the lines below a definition that belong to it; few are enough for what is wanted here."""
    margin = len(lines[at]) - len(lines[at].lstrip())
    found = []
    for line in lines[at + 1 : at + 20]:
        if len(line) - len(line.lstrip()) <= margin:
            break
        found.append(line.strip())
    return found


def normal(name: str) -> str:
    """Return a name as others refer to it."""
    return " ".join(name.replace("\0", "").split()).lower()
