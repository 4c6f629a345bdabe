"""The text of a paragraph of LaTeX -> Markdown with the same lines: what is left out leaves its newlines."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from crosshead.formats.markup.latex.letters import ACCENTS, PLAIN, SIGNS, accented
from crosshead.formats.markup.latex.source import MAX_VERBATIM, Macro, match_braces
from crosshead.formats.shared import gfm

MAX_DEPTH: Final = 6
MAX_EXPANDED: Final = 1_000_000
"""Characters that macros may become in one document."""

_TOKEN = re.compile(
    rf"\\(?:verb|lstinline)\*?(?P<sign>[^A-Za-z\s*\[{{])(?P<verbatim>[^\n]{{0,{MAX_VERBATIM - 1}}}?)(?P=sign)"
    r"|\\(?P<command>[A-Za-z@]{1,60})\*?(?P<space>[ \t]*)"
    r"|\\(?P<paren>\()(?P<formula>(?:[^\\]|\\[^()]){1,5000})\\\)"
    r"|\\\\(?:\*?\[[^\[\]\n]{0,40}\])?(?P<break>)"
    r"|\\(?P<symbol>.)"
    r"|\$(?P<math>(?:[^$\\]|\\.){1,5000})\$"
    r"|(?P<brace>[{}])|(?P<comment>%)|(?P<tie>~)|(?P<quotes>``|''|`)|(?P<dash>---?)",
    re.S,
)
_OPTION = re.compile(r"\s*\[((?:[^\[\]]|\[[^\[\]]{0,100}\]){0,400})\]")
_SPACE = re.compile(r"[ \t]*+(?:\n[ \t]*+)?+(?=\{)")
_REFERENCES: Final = frozenset(("ref", "eqref", "autoref", "pageref", "cref", "Cref", "nameref", "vref", "hyperref"))
_CITATIONS = re.compile(r"(?:[A-Za-z]{0,12})?cite(?:[a-zA-Z]{0,12})?")
_SILENT: Final = {
    "label": 1, "vspace": 1, "hspace": 1, "includegraphics": 1, "bibliographystyle": 1, "setlength": 2,
    "addtolength": 2, "setcounter": 2, "addtocounter": 2, "pagestyle": 1, "thispagestyle": 1, "usepackage": 1,
    "documentclass": 1, "index": 1, "hypersetup": 1, "pagenumbering": 1, "color": 1, "fontsize": 2, "graphicspath": 1,
    "addcontentsline": 3, "markboth": 2, "markright": 1, "hypertarget": 1, "lstset": 1, "newlength": 1,
    "newcounter": 1, "stepcounter": 1, "refstepcounter": 1, "usetikzlibrary": 1, "captionsetup": 1, "newtheorem": 2,
    "DeclareMathOperator": 2, "theoremstyle": 1, "title": 1, "author": 1, "date": 1, "rule": 2, "raisebox": 1,
    "selectlanguage": 1,
    "textcolor": 1, "colorbox": 1, "resizebox": 2, "scalebox": 1, "rotatebox": 1, "fontfamily": 1, "phantom": 1,
    "newcommand": 2, "renewcommand": 2, "providecommand": 2, "multirow": 2, "parbox": 1, "makebox": 0, "definecolor": 3,
}  # fmt: skip
"""Commands, and how many of their arguments say nothing to a reader."""
_MARKS: Final = {
    "emph": "*", "textit": "*", "textsl": "*", "textbf": "**", "underline": "", "textsc": "", "textrm": "",
}  # fmt: skip
_CODE: Final = frozenset(("texttt", "code", "lstinline", "url", "path", "nolinkurl", "cmd", "file", "verb"))
_QUOTES: Final = {"``": "“", "''": "”", "`": "‘", "--": "–", "---": "—"}


class LatexInline:
    """Writes inline text; footnotes are collected for the block to put them below itself."""

    def __init__(self, macros: Mapping[str, Macro]) -> None:
        self.macros = macros
        self.notes: list[str] = []
        self._count = 0
        self._depth = 0
        self._expanded = 0

    def write(self, text: str, raw: str | None = None) -> str:
        """Return text as Markdown; `raw` is the same with the text of `verb`."""
        return self._scan(text, raw or text) if self._depth < MAX_DEPTH else gfm.escape(text)

    def plain(self, text: str) -> str:
        """Return text without any markup, as a title or code needs it."""
        return " ".join((self._scan(text, text, is_plain=True) if self._depth < MAX_DEPTH else text).split())

    def _scan(self, text: str, raw: str, *, is_plain: bool = False) -> str:
        self._depth += 1
        found = _Scan(self, text, raw, is_plain=is_plain).run()
        self._depth -= 1
        return found

    def take_notes(self) -> list[str]:
        """Return the footnotes since the last time."""
        notes, self.notes = self.notes, []
        return notes

    def footnote(self, text: str) -> str:
        """Keep a footnote and return what refers to it."""
        self._count += 1
        self.notes.append(gfm.footnote(str(self._count), " ".join(self.write(text).split())))
        return gfm.footnote_reference(str(self._count))

    def expand(self, name: str, arguments: list[str]) -> str | None:
        """Return the expansion of a macro; None if expansion exceeds the limit."""
        body = self.macros[name].body
        for number, argument in enumerate(arguments, 1):
            body = body.replace(f"#{number}", argument)
        self._expanded += len(body) + 1
        return body if self._expanded <= MAX_EXPANDED and self._depth < MAX_DEPTH else None


class _Scan:
    """One walk over a text."""

    def __init__(self, inline: LatexInline, text: str, raw: str, *, is_plain: bool = False) -> None:
        self.inline = inline
        self.text = text
        self.raw = raw
        self.is_plain = is_plain
        self.ends = match_braces(text)
        self.pieces: list[str] = []
        self.open: list[tuple[int, str]] = []
        """Start of the pieces of each open group, and the marks around them."""
        self.is_marked = False
        """Whether marked text is open; nested marks add nothing."""

    def run(self) -> str:
        at = 0
        while found := _TOKEN.search(self.text, at):
            self.add(self.text[at : found.start()])
            at = self.token(found)
        self.add(self.text[at:])
        return "".join(self.pieces)

    def add(self, text: str) -> None:
        """Add text unchanged."""
        if text:
            self.pieces.append(text if self.is_plain else gfm.escape(text))

    def mark(self, markdown: str, plain: str | None = None) -> None:
        self.pieces.append(plain if self.is_plain and plain is not None else markdown)

    def token(self, found: re.Match[str]) -> int:
        """Write a token, and return where the next one may begin."""
        if found["command"]:
            return self.command(found["command"], found.end(), found["space"])
        if found["verbatim"] is not None:
            code = self.raw[found.start("verbatim") : found.end("verbatim")]
            self.mark(gfm.code_span(code) if code else "", code)
        elif found["math"] or found["formula"]:
            tex = found["math"] or found["formula"]
            self.mark(f"${tex.strip()}$" if tex.strip() else "", tex)
        elif found["brace"]:
            self.brace(found)
        elif found["break"] is not None:
            self.mark("\\" if self.text[found.end() : found.end() + 1] == "\n" else " ", " ")
        elif found["symbol"]:
            return self.symbol(found["symbol"], found.end())
        elif found["tie"]:
            self.mark(" ")
        elif not found["comment"]:
            self.mark(_QUOTES[found[0]])
        return found.end()

    def brace(self, found: re.Match[str]) -> None:
        if found[0] == "}" and self.open:
            self.close()
        elif found.start() in self.ends:
            self.open.append((len(self.pieces), ""))

    def close(self) -> None:
        start, sign = self.open.pop()
        if sign:
            self.is_marked = False
            self.pieces[start:] = [gfm.mark("".join(self.pieces[start:]), sign)]

    def symbol(self, sign: str, at: int) -> int:
        if sign in ACCENTS and sign in "'`^\"~=.":
            letter, at = self.letter(at)
            self.add(accented(sign, letter))
        else:
            self.add(PLAIN.get(sign, sign))
        return at

    def letter(self, at: int) -> tuple[str, int]:
        """Return the base of an accent: a letter, a group, or a dotless letter."""
        if at in self.ends:
            return self.text[at + 1 : self.ends[at]], self.ends[at] + 1
        size = 2 if self.text[at : at + 1] == "\\" else 1
        return self.text[at : at + size], at + size

    def command(self, name: str, at: int, space: str) -> int:
        if name in SIGNS:
            self.add(SIGNS[name] + (space if len(SIGNS[name]) > 1 else ""))
            return at
        if name in ACCENTS:
            letter, after = self.letter(at)
            self.add(accented(name, letter))
            return after
        if name in self.inline.macros:
            return self.macro(name, at, space)
        at = self.option(at)
        if name in _MARKS and at in self.ends:
            sign = "" if self.is_plain or self.is_marked else _MARKS[name]
            self.is_marked = self.is_marked or bool(sign)
            self.open.append((len(self.pieces), sign))
            return at + 1
        return self.with_arguments(name, at, space)

    def with_arguments(self, name: str, at: int, space: str) -> int:
        if name in _SILENT:
            _, after = self.arguments(_SILENT[name], at)
            return self.leave_out(at, after)
        writer = _WRITERS.get(name) or (_cite if _CITATIONS.fullmatch(name) else None)
        if name in _CODE:
            writer = _write_code
        elif name in _REFERENCES:
            writer = _write_reference
        if writer is None:
            if space and at not in self.ends:
                self.mark(" ")
            return at  # its arguments, if there are any, are groups of text
        wanted = 2 if name == "href" else 1
        arguments, after = self.arguments(wanted, at)
        if len(arguments) < wanted:
            return at
        writer(self, arguments)
        return self.leave_out(at, after)

    def leave_out(self, start: int, end: int) -> int:
        """Keep only the newlines of some text."""
        self.pieces.append("\n" * self.text.count("\n", start, end))
        return end

    def macro(self, name: str, at: int, space: str) -> int:
        arguments, after = self.arguments(self.inline.macros[name].arguments, at)
        body = self.inline.expand(name, arguments)
        if body is None:
            self.add(f"\\{name}{space}")
            return at
        self.mark(self.inline.plain(body) if self.is_plain else " ".join(self.inline.write(body).split()))
        self.pieces.append(space if not arguments else "")
        return self.leave_out(at, after)

    def option(self, at: int) -> int:
        found = _OPTION.match(self.text, at)
        return found.end() if found else at

    def arguments(self, count: int, at: int) -> tuple[list[str], int]:
        """Return up to `count` groups that follow, and the offset after them."""
        found: list[str] = []
        while len(found) < count:
            space = _SPACE.match(self.text, at)
            start = space.end() if space else self.option(at)
            if start not in self.ends:
                break
            found.append(self.text[start + 1 : self.ends[start]])
            at = self.ends[start] + 1
        return found, at


def _write_code(scan: _Scan, arguments: list[str]) -> None:
    code = scan.inline.plain(arguments[0])
    scan.mark(gfm.code_span(code) if code else "", code)


def _write_reference(scan: _Scan, arguments: list[str]) -> None:
    scan.add(arguments[0].strip())


def _cite(scan: _Scan, arguments: list[str]) -> None:
    scan.add(f"[{', '.join(each.strip() for each in arguments[0].split(','))}]")


def _write_link(scan: _Scan, arguments: list[str]) -> None:
    text = scan.inline.write(arguments[1]).replace("\n", " ")
    scan.mark(gfm.link(text, scan.inline.plain(arguments[0])), scan.inline.plain(arguments[1]))


def _write_footnote(scan: _Scan, arguments: list[str]) -> None:
    if not scan.is_plain:
        scan.pieces.append(scan.inline.footnote(arguments[0]))


def _raise(scan: _Scan, arguments: list[str]) -> None:
    scan.mark(f"<sup>{scan.inline.write(arguments[0])}</sup>", scan.inline.plain(arguments[0]))


_WRITERS: Final[dict[str, Callable[[_Scan, list[str]], None]]] = {
    "href": _write_link,
    "footnote": _write_footnote,
    "thanks": _write_footnote,
    "footnotetext": _write_footnote,
    "textsuperscript": _raise,
}
