"""A man page line by line: requests of roff, then the macros of `man` or `mdoc`.

Macros that a page defines are replaced by their lines, within a bound; conditions are those of a terminal. Unknown
macros are left out, as roff does.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from crosshead.formats.markup.man.escapes import FontRun, Fonts
from crosshead.formats.markup.man.macros import MACROS
from crosshead.formats.markup.man.mdoc import Mdoc
from crosshead.formats.markup.man.tables import write_table
from crosshead.formats.markup.man.writing import ManWriter

MAX_EXPANDED: Final = 100_000
"""Lines that macros of a page may add to it."""
MAX_DEPTH: Final = 10

_REQUEST = re.compile(r"[.'][ \t]*([^\s\\]+|\\[\"}{].*)?[ \t]*(.*)$")
_ARGUMENT = re.compile(r'"((?:[^"]|"")*)"?|((?:\\.|\S)+)')
_CONDITION = re.compile(r"(!?)\s*(?:([nteo])(?=\s|\\|$|\.)|(\\n\(\.g|\\n\[\.g\]|\S+))\s*(.*)$")
_PARAMETER = re.compile(r"\\{1,2}\$(?:([1-9*@])|\((\d\d)|\[(\d{1,2})\])")
_DROPPED: Final = frozenset(
    ["ad", "ne", "ce", "hy", "nh", "ll", "pl", "po", "lt", "ta", "ps", "vs", "ss", "cs", "fp", "fl", "tr", "nr",
     "af", "rn", "rm", "ev", "mk", "rt", "ec", "eo", "cc", "c2", "lg", "ul", "cu", "uf", "it", "tl", "pc", "ex",
     "ab", "tm", "sy", "so", "mso", "pso", "psfile", "defcolor", "warn", "hla", "hpf", "hcode", "na", "nop",
     "device", "PD", "DT", "IX", "UC", "AT", "rr", "als", "aln", "lf", "nm", "nn", "bd", "bp", "wh", "ch"]
)  # fmt: skip


class ManPage:
    """One man page."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.writer = ManWriter()
        self.fonts = Fonts()
        self.title = ""
        self.tag = ""
        """Role of the next text: the tag of an item (`TP`), another one (`TQ`), or in a font (`B`, `I`)."""
        self.mdoc = Mdoc(self) if any(line.startswith((".Dd", ".Sh ", ".Dt")) for line in lines[:2_000]) else None
        self._macros: dict[str, list[str]] = {}
        self._defining: list[str] | None = None
        self._skipping = 0
        self._held = False
        self._table: tuple[int, list[str]] | None = None
        self._expanded = 0
        self._depth = 0
        at = 0
        while at < len(lines):
            line, number = lines[at], at + 1
            while line.endswith("\\") and not line.endswith("\\\\") and at + 1 < len(lines) and at - number < 50:
                at += 1
                line = line[:-1] + lines[at]
            at += 1
            self.feed(line, number)

    def feed(self, line: str, number: int) -> None:
        """Read a line."""
        if self._is_taken(line):
            return
        if line[:1] in (".", "'"):
            self._request(line, number)
        elif not line.strip() and self.writer.code is None:
            self.writer.end_paragraph()
        else:
            self.put(self.fonts.runs(line.replace("\\}", "")), number, joins=line.endswith("\\c"))

    def put(self, runs: Sequence[FontRun], number: int, *, joins: bool = False) -> None:
        """Add text, which may be what a macro before it has asked for."""
        tag, self.tag = self.tag, ""
        if tag in ("TP", "TQ"):
            (self.writer.begin_item if tag == "TP" else self.writer.add_term)(runs, number)
            return
        if tag:
            runs = [FontRun(run.text, tag) for run in runs]
        if runs and runs[0].text[:1] == " " and self.writer.code is None:
            self.writer.line_break()
        self.writer.text(runs, number, joins=joins)

    def _is_taken(self, line: str) -> bool:
        """Return whether this line is part of a definition, a table, or a false condition."""
        if self._defining is not None:
            if line.startswith(".."):
                self._defining = None
            else:
                self._defining.append(line)
            return True
        if self._skipping:
            self._skipping += line.count("\\{") - line.count("\\}")
            return True
        if self._table is not None:
            if line.startswith(".TE"):
                first, lines = self._table
                self._table = None
                self.writer.add(write_table(lines, first, self.fonts))
            else:
                self._table[1].append(line)
            return True
        return False

    def _request(self, line: str, number: int) -> None:
        found = _REQUEST.match(line)
        name = (found[1] or "") if found else ""
        rest = found[2] if found else ""
        if not name or name[0] == "\\" or name in _DROPPED:
            return
        if name in self._macros:
            self._call(name, arguments(rest), number)
        elif name in ("if", "ie", "el", "while"):
            self._condition(name, rest, number)
        elif name in ("de", "de1", "am", "ig", "dei"):
            self._defining = self._macros.setdefault(rest.split()[0], []) if name != "ig" and rest.split() else []
            self._defining.clear()
        elif name in ("ds", "as", "ds1"):
            key, _, value = rest.partition(" ")
            before = self.fonts.strings.get(key, "") if name == "as" else ""
            self.fonts.strings[key] = (before + value.strip().removeprefix('"'))[:2_000]
        elif name == "TS":
            self._table = number + 1, []
        elif self.mdoc and self.mdoc.macro(name, rest, number):
            return
        elif macro := MACROS.get(name):
            macro(self, arguments(rest), number)

    def _condition(self, name: str, rest: str, number: int) -> None:
        holds = not self._held
        if name != "el":
            found = _CONDITION.match(rest)
            if not found:
                return
            holds = (found[2] == "n" or found[2] == "o" or "\\n(.g" in (found[3] or "")) != bool(found[1])
            self._held, rest = holds, found[4]
        if name == "while":
            holds = False
        rest = rest.strip()
        if rest.startswith("\\{"):
            rest = rest[2:].strip()
            if not holds:
                self._skipping = max(0, 1 + rest.count("\\{") - rest.count("\\}"))
        if holds and rest and self._depth < MAX_DEPTH:
            self._depth += 1
            self.feed(rest, number)
            self._depth -= 1

    def _call(self, name: str, given: list[str], number: int) -> None:
        """Read the lines of a macro that the page defines."""
        if self._depth >= MAX_DEPTH:
            return
        self._depth += 1
        for line in list(self._macros[name]):
            self._expanded += 1
            if self._expanded > MAX_EXPANDED:
                break
            self.feed(_PARAMETER.sub(lambda found: _given(found, given), line).replace("\\\\", "\\")[:5_000], number)
        self._depth -= 1


def arguments(text: str) -> list[str]:
    """Return the arguments of a macro; quotes hold words together."""
    comment = text.find('\\"')
    if comment >= 0:
        text = text[:comment]
    return [found[1].replace('""', '"') if found[1] is not None else found[2] for found in _ARGUMENT.finditer(text)]


def _given(found: re.Match[str], given: list[str]) -> str:
    number = found[1] or found[2] or found[3]
    if number in ("*", "@"):
        return " ".join(given)
    return given[int(number) - 1] if int(number) <= len(given) else ""
