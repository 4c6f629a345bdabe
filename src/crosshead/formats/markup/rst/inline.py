"""The inline markup of reStructuredText -> that of Markdown.

A mark opens markup after a space or an opening sign and before text, and closes it after text and before a space or a
closing sign. One pass looks at the marks in order. Where a mark is not closed, no later one of its kind is, so it is
looked for once only, and a text of nothing but marks costs little.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from crosshead.formats.markup.rst.references import References
from crosshead.formats.shared import gfm
from crosshead.types import Anchor, Link, LinkKind

MAX_DEPTH: Final = 8
"""Substitutions inside substitutions."""
TEXT_ROLES: Final = frozenset(
    ["ref", "doc", "term", "abbr", "numref", "any", "dfn", "guilabel", "menuselection", "download", "eq", "index",
     "std-ref", "title-reference", "title", "t", "abbreviation", "ac", "acronym", "mailheader", "newsgroup",
     "manpage", "regexp", "rfc", "pep", "rfc-reference", "pep-reference", "cite", "issue", "ticket", "cve", "cwe"]
)  # fmt: skip
"""Roles that are shown as text; all others, known or not, are code."""
MARKS: Final = {"emphasis": "*", "strong": "**", "math": "$", "sup": "sup", "superscript": "sup", "sub": "sub",
                "subscript": "sub"}  # fmt: skip
LINKS: Final[dict[str, LinkKind]] = {"ref": "label", "numref": "label", "std-ref": "label", "doc": "page"}
"""Roles that refer to a label of any document, or to a document."""
LEADS: Final = {"pep": "PEP ", "rfc": "RFC ", "pep-reference": "PEP ", "rfc-reference": "RFC ", "ticket": "#",
                "issue": "#", "cve": "CVE-", "cwe": "CWE-"}  # fmt: skip

_OPENERS: Final = "'\"([{<-/:‘“«‹¡¿‐‑‒–—„‚「『（《〈【"
_CLOSERS: Final = "'\")]}>-/\\:.,;!?’”»›‐‑‒–—…」』）》〉】、。，！？：；·"
_ESCAPE = re.compile(r"\\(.|\n)", re.S)
_NAME: Final = r"[A-Za-z0-9](?:[\w+.:-]{0,60}[A-Za-z0-9])?"
_START = re.compile(
    rf"(?P<role>:{_NAME}:)?(?P<tick>``?)|(?P<strong>\*\*)|(?P<emphasis>\*)|(?P<bar>\|)|(?P<target>_`)"
    r"|\[(?P<note>[#*]|\#?[\w.:-]{1,100})\]_"
    r"|(?P<url>(?:https?|ftp|mailto|news|irc)://?[^\s<>\0\"'`|]{2,2000})"
    r"|(?P<word>(?<![\w`])[^\W_](?:[\w.+:-]{0,100}[^\W_])?)(?P<ends>__?)(?![\w`])"
)
_END: Final = {"``": "``", "`": "`", "**": "**", "*": "*", "|": "|", "_`": "`"}
_AFTER_TICK = re.compile(rf"(__?)(?!\w)|:({_NAME}):")
_TITLED = re.compile(r"(.+)(?<!\0)<([^<>]*)>\s*$", re.S)
_UNICODE = re.compile(r"(?:0x|x|\\x|U\+?|u|\\u|&#x)([0-9a-fA-F]{1,6});?$|(\d{1,7})$")


class _Markup(NamedTuple):
    text: str
    """Its Markdown."""
    end: int
    """The place after it."""


class RstInline:
    """Writes the text of one document."""

    def __init__(self, references: References) -> None:
        self.references = references
        self.default_role = ""
        self.line = 0
        """The line of the file that the text begins with."""
        self.links: list[Link] = []
        """Those by label or by the path of a page; `start` is the line of the file."""
        self.anchors: list[Anchor] = []
        """Targets inside texts, likewise."""
        self._depth = 0

    def write(self, text: str) -> str:
        """Return text with its markup as Markdown; it has as many lines as before, if its words have room for them."""
        if "\\" in text:
            text = _ESCAPE.sub("\0\\1", text)
        found: list[str] = []
        unclosed: set[str] = set()
        at = plain = owed = 0
        while start := _START.search(text, at):
            at = start.start()
            markup = self._markup(text, start, unclosed)
            if markup is None:
                at = max(start.end() if start["role"] is None else start.end("role"), at + 1)
                continue
            swallowed = text.count("\n", at, markup.end) - markup.text.count("\n")
            before, owed = _pay(text[plain:at], owed)
            if swallowed > 0 and before[-1:] == " " and before[-2:-1] != "\0":
                before, swallowed = f"{before[:-1]}\n", swallowed - 1
            found += [gfm.escape(_bare(before)), markup.text]
            owed += max(0, swallowed)
            at = plain = markup.end
        return "".join([*found, gfm.escape(_bare(_pay(text[plain:], owed)[0]))])

    def plain(self, text: str) -> str:
        """Return text as its readers see it, without markup."""
        return re.sub(rf":{_NAME}:(?=`)|[`*|]+_{{0,2}}", "", text).replace("\\", "")

    def _markup(self, text: str, start: re.Match[str], unclosed: set[str]) -> _Markup | None:
        kind, at = start.lastgroup, start.start()
        before = text[at - 1] if at else " "
        if kind == "ends":
            return self._word(start)
        if kind == "url":
            return _url(start) if not before.isalnum() else None
        if not before.isspace() and before not in _OPENERS:
            return None
        if kind == "note":
            return self._note(start)
        mark = start["tick"] or start[0]
        if _is_quoted(before, text[start.end() : start.end() + 1]):
            return None
        end = _closing(text, start.end(), mark, unclosed)
        if end < 0:
            return None
        inner, end = text[start.end() : end], end + len(_END[mark])
        if mark == "``":
            return _Markup(gfm.code_span(inner.replace("\0", "\\")), end)
        if mark == "`":
            self._note_link(inner, (start["role"] or "")[1:-1], text.count("\n", 0, at))
            return self._interpreted(inner, text, end, (start["role"] or "")[1:-1])
        if mark == "|":
            return self._substitution(inner, text, end)
        if mark == "_`":
            name = " ".join(_bare(inner).split()).lower()
            self.anchors.append(Anchor(self.line + text.count("\n", 0, at), name, "label"))
        inner = gfm.escape(_bare(inner))
        return _Markup(inner if mark == "_`" else gfm.mark(inner, mark), end)

    def _word(self, start: re.Match[str]) -> _Markup | None:
        """A word that ends with an underscore refers to a target, which may be in another file: then it is text.

        An identifier that is no target and has another underscore is meant as it stands.
        """
        address = self.references.address(start["word"]) if start["ends"] == "_" else self.references.next_anonymous()
        if address is None and "_" in start["word"]:
            return None
        return _Markup(_link(start["word"], address or ""), start.end())

    def _note(self, start: re.Match[str]) -> _Markup:
        label = self.references.note(start["note"])
        return _Markup(gfm.footnote_reference(label) if label else gfm.escape(f"[{start['note']}]"), start.end())

    def _interpreted(self, inner: str, text: str, end: int, role: str) -> _Markup:
        after = None if role else _AFTER_TICK.match(text, end)
        if after and after[2]:
            return _Markup(self.role(inner, after[2]), after.end())
        if not after:
            return _Markup(self.role(inner, role or self.default_role), end)
        titled = split_titled(inner)
        if titled:
            address = titled[1].strip()
            if address.endswith("_"):
                address = self.references.address(address[:-1].strip("`")) or ""
            return _Markup(_link(titled[0], "".join(_bare(address).split())), after.end())
        address = self.references.next_anonymous() if after[1] == "__" else self.references.address(inner) or ""
        return _Markup(_link(inner, address), after.end())

    def role(self, text: str, role: str) -> str:
        """Write text with a role; the targets of Sphinx' roles are known to its builder only."""
        name = role.lower().rpartition(":")[2]
        if name in MARKS:
            return _marked(text, MARKS[name])
        titled = split_titled(text)
        shown = _bare(titled[0] if titled else text)
        if not role:
            return gfm.mark(gfm.escape(shown), "*") if " " in shown else gfm.code_span(shown)
        if name in TEXT_ROLES:
            if not titled and name in ("ref", "std-ref"):
                shown = self.plain(self.references.titles.get(" ".join(shown.split()).lower(), shown))
            return gfm.escape(shown if titled else LEADS.get(name, "") + shown)
        if name in ("code", "literal", "file", "samp", "kbd"):
            return gfm.code_span(text.replace("\0", "\\"))
        if shown.startswith("~"):
            shown = shown[1:].rpartition(".")[2]
        return gfm.code_span(shown.removeprefix("!"))

    def _note_link(self, text: str, role: str, lines: int) -> None:
        """Note where a role refers to, which the Markdown does not say."""
        kind = LINKS.get(role.lower().rpartition(":")[2])
        shown, target = split_titled(text) or (text, text)
        if kind and target[:1] not in ("", "!"):
            self.links.append(Link(self.line + lines, _bare(shown), " ".join(_bare(target).split()), kind))

    def _substitution(self, name: str, text: str, end: int) -> _Markup | None:
        found = self.references.substitute(name) if self._depth < MAX_DEPTH else None
        if found is None:
            return None
        end += (text[end : end + 1] == "_") + (text[end : end + 2] == "__")
        if found.directive == "image":
            target, _, given = found.argument.partition(" ")
            return _Markup(gfm.image(given.partition(":alt:")[2].strip() or name, target), end)
        if found.directive == "unicode":
            return _Markup(gfm.escape(_characters(found.argument)), end)
        if found.directive != "replace":
            return None
        self._depth += 1
        written = self.write(found.argument)
        self._depth -= 1
        return _Markup(written, end)


def _closing(text: str, start: int, mark: str, unclosed: set[str]) -> int:
    """Return where markup that is opened before `start` is closed, or -1."""
    if mark in unclosed or text[start : start + 1].isspace():
        return -1
    end, at = _END[mark], start
    while (at := text.find(end, at + 1)) >= 0:
        after = at + len(end)
        is_end = not text[at - 1].isspace() and (text[at - 1] != "\0" or mark == "``")
        if mark == "``" and text[after : after + 1] == "`":
            continue
        if is_end and ((mark in ("`", "|") and _AFTER_TICK.match(text, after)) or _may_follow(text, after)):
            return at
    unclosed.add(mark)
    return -1


def _may_follow(text: str, at: int) -> bool:
    after = text[at : at + 1]
    return not after or after.isspace() or after == "\0" or after in _CLOSERS


def _is_quoted(before: str, after: str) -> bool:
    """A mark between two quotes or brackets is meant as the sign that it is."""
    return bool(after) and before + after in ("''", '""', "()", "[]", "{}", "<>", "‘’", "“”", "«»")


def _url(start: re.Match[str]) -> _Markup:
    url = start[0]
    bare = url.rstrip(".,;:!?)*_]'\"}")
    if bare.count("(") > bare.count(")") and url[len(bare) :].startswith(")"):
        bare += ")"
    return _Markup(f"<{bare}>", start.start() + len(bare))


def _link(text: str, address: str) -> str:
    written = gfm.escape(_bare(text))
    return gfm.link(" ".join(written.split()), address) if address else written


def _marked(text: str, mark: str) -> str:
    if mark == "$":
        return gfm.math(text.replace("\0", "\\"))
    written = gfm.escape(_bare(text))
    return gfm.mark(written, mark) if mark[0] == "*" else f"<{mark}>{written}</{mark}>"


def _characters(argument: str) -> str:
    """Return the characters of codes; other words are text."""
    found = []
    for word in re.sub(r"\s\.\. .*| :\w+:.*", "", argument).split():
        code = _UNICODE.match(word)
        number = int(code[1], 16) if code and code[1] else int(code[2]) if code else 0
        found.append(chr(number) if 0 < number < 0x110000 and not 0xD800 <= number < 0xE000 else word)
    return "".join(found)


def split_titled(text: str) -> tuple[str, str] | None:
    """Split `title <target>`; a text without a target is None."""
    found = _TITLED.match(text)
    return (found[1].rstrip(), found[2]) if found else None


def _bare(text: str) -> str:
    """Return text without escape marks; an escaped space disappears."""
    return re.sub(r"\0[ \n]?", "", text) if "\0" in text else text


def _pay(text: str, owed: int) -> tuple[str, int]:
    """Break lines at the next spaces to replace breaks inside markup, so that line numbers stay right."""
    if owed <= 0 or not text:
        return text, owed
    at = text.find(" ")
    return (text, owed) if at < 0 else (f"{text[:at]}\n{text[at + 1 :]}", owed - 1)
