"""The inline markup of AsciiDoc -> that of Markdown. A pattern per kind of markup; lengths are bounded, so that text
that only looks like markup costs little."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from crosshead.formats.shared import gfm
from crosshead.types import Anchor

MAX_DEPTH: Final = 4
"""Markup inside markup."""
MAX_EXPANDED: Final = 1_000_000
"""Characters that attributes may add to a document."""
CHARACTERS: Final = {
    "nbsp": "\u00a0", "zwsp": "\u200b", "amp": "&", "lt": "<", "gt": ">", "plus": "+", "asterisk": "*", "empty": "",
    "sp": " ", "vbar": "|", "apos": "'", "quot": '"', "caret": "^", "tilde": "~", "backtick": "`", "startsb": "[",
    "endsb": "]", "backslash": "\\", "two-colons": "::", "two-semicolons": ";;", "deg": "°", "ldquo": "“",
    "rdquo": "”", "lsquo": "‘", "rsquo": "’", "cpp": "C++", "pp": "++", "blank": "",
}  # fmt: skip
"""Attributes that every document has."""

_TARGET: Final = r"[^\s\[\]<>]{1,400}"
_LABEL: Final = r"\[((?:[^\[\]\\]|\\.|\[[^\[\]]{0,100}\]){0,500})\]"
_PATTERN = re.compile(
    r"\\(?P<escaped>[*_`+#^~{<\[])"
    r"|\+\+\+(?P<raw>[^+]{1,500})\+\+\+"
    r"|``(?P<code2>[^`]{1,500})``|``(?P<curly>[^`']{1,500})''"
    r'|"`(?P<double>[^`]{1,500})`"|\'`(?P<single>[^`]{1,500})`\''
    r"|(?<![\w`])`(?P<code>[^`\s](?:[^`]{0,500}[^`\s])?)`(?![\w`])"
    r"|\+\+(?P<mono2>[^+]{1,500})\+\+"
    r"|(?<![\w+])\+(?P<mono>[^+\s](?:[^+]{0,500}[^+\s])?)\+(?![\w+])"
    r"|\*\*(?P<bold2>[^*]{1,500})\*\*"
    r"|(?<![\w*])\*(?P<bold>[^*\s](?:[^*]{0,500}[^*\s])?)\*(?![\w*])"
    r"|__(?P<italic2>[^_]{1,500})__"
    r"|(?<![\w_])_(?P<italic>[^_\s](?:[^_]{0,500}[^_\s])?)_(?!\w)"
    r"|(?:\[[^\[\]\n]{0,100}\])?(?<![\w#&])#(?P<mark>[^#\s](?:[^#]{0,500}[^#\s])?)#(?![\w#])"
    r"|\^(?P<raised>[^\s^]{1,100})\^|~(?P<lowered>[^\s~]{1,100})~"
    rf"|(?P<url>(?<![\w/])(?:https?|ftp|irc)://[^\s\[\]<>\"]{{1,400}})(?:{_LABEL[:-2]}\])?"
    rf"|(?<!\w)(?P<macro>[a-z][a-z0-9]{{1,20}}):(?P<target>(?!:)[^\s\[\]<>]{{0,400}}?){_LABEL}"
    r"|<<(?P<reference>[^<>]{1,300})>>"
    r"|\(\(\((?P<hidden>[^()]{1,300})\)\)\)|\(\((?P<term>[^()]{1,300})\)\)"
    r"|\[\[(?P<anchor>[^\[\]]{1,200})\]\]"
    r"|\{(?P<attribute>\w[\w-]{0,60})\}"
    r"|(?P<break>[ ]\+$)",
    re.M,
)
_TEX_MACROS: Final = ("stem", "latexmath", "asciimath")
_PLAIN_MACROS: Final = ("kbd", "btn", "pass", "icon")
_REFERENCE = re.compile(r"(?<!\\)\{(\w[\w-]{0,60})\}")


class AsciidocInline:
    """Writes inline markup; footnotes are collected for the block to put them below itself."""

    def __init__(self, attributes: Mapping[str, str], titles: Mapping[str, str] | None = None) -> None:
        self.attributes = attributes
        self.titles = titles or {}
        """Of sections, by their anchors."""
        self.expanded = 0
        self.notes: list[str] = []
        self.line = 0
        """The line that the block begins with."""
        self.anchors: list[Anchor] = []
        """Those inside texts; `start` is the line."""
        self._count = 0
        self._depth = 0

    def write(self, text: str) -> str:
        """Return text as Markdown; it has as many lines."""
        if self._depth >= MAX_DEPTH:
            return gfm.escape(text)
        if not self._depth:
            text = self.expand(text)
        self._depth += 1
        pieces, at = [], 0
        for found in _PATTERN.finditer(text):
            pieces += [gfm.escape(text[at : found.start()]), self._markup(found)]
            at = found.end()
        self._depth -= 1
        return "".join([*pieces, gfm.escape(text[at:])])

    def expand(self, text: str, limit: int = MAX_EXPANDED) -> str:
        """Replace attributes by their values, within what a document may grow by; characters are left for later."""
        return _REFERENCE.sub(lambda found: self._value(found, limit), text) if "{" in text else text

    def _value(self, found: re.Match[str], limit: int) -> str:
        value = None if found[1] in CHARACTERS else self.attributes.get(found[1].lower())
        if value is None or self.expanded + len(value) > limit:
            return found[0]
        self.expanded += len(value)
        return value

    def take_notes(self) -> list[str]:
        """Return the footnotes since the last time."""
        notes, self.notes = self.notes, []
        return notes

    def _markup(self, found: re.Match[str]) -> str:
        kind = next(name for name, text in found.groupdict().items() if text is not None)
        text = found[kind]
        if kind in _WRITERS:
            return _WRITERS[kind](self, text)
        if kind == "url":
            return self._link(text, found[found.re.groupindex["url"] + 1] or "")
        if kind == "attribute":
            return self._attribute(text)
        if kind == "reference":
            target, _, label = text.partition(",")
            return self._reference(target.strip(), label.strip())
        return self._macro(text, found["target"], found[found.re.groupindex["target"] + 1])

    def add_anchor(self, name: str) -> str:
        """Note a place that links can name; nothing of it is shown."""
        self.anchors.append(Anchor(self.line, name.partition(",")[0].strip(), "label"))
        return ""

    def _attribute(self, name: str) -> str:
        value = CHARACTERS.get(name)
        return gfm.escape(f"{{{name}}}" if value is None else value)

    def _reference(self, target: str, label: str) -> str:
        """A place in this document, or in another one, which Antora names by its module: `module:page.adoc#place`."""
        page, _, anchor = target.rpartition("#")
        is_page = target.endswith((".adoc", ".asciidoc", ".txt"))
        page, anchor = (target, "") if is_page and "#" not in target else (page, anchor)
        if page:
            shown = label or page.rpartition(":")[2].rpartition("$")[2]
            return self._link(target, shown)
        return self._link(f"#{anchor}", label or self.titles.get(anchor.lower(), anchor))

    def _link(self, target: str, label: str) -> str:
        label = label.partition(",window=")[0].partition(",role=")[0].strip().strip('"').rstrip("^")
        if not label:
            trail = target[len(target.rstrip(".,;:!?)")) :]
            target = target.removesuffix(trail)
            return f"<{target}>{trail}" if "://" in target else gfm.escape(target) + trail
        return gfm.link(self.write(label), target)

    def _macro(self, name: str, target: str, text: str) -> str:
        text = text.replace("\\]", "]")
        if name == "xref":
            return self._reference(target, text)
        if name == "menu":
            return self.write(" > ".join(filter(None, [target, *map(str.strip, text.split(">"))])))
        if name in ("link", "mailto"):
            address = f"mailto:{target}" if name == "mailto" else target
            return self._link(address, text or target)
        if name in ("footnote", "footnoteref"):
            return self._footnote(text)
        if name == "image":
            return gfm.image(text.partition(",")[0].strip('"'), target)
        if name in _TEX_MACROS:
            return gfm.math(text)
        if name in _PLAIN_MACROS:
            return self.write(text or target)
        if name == "anchor":
            return self.add_anchor(target)
        if name == "indexterm":
            return ""
        return gfm.escape(f"{target}({text})" if text.isdigit() else text or f"{name}:{target}")

    def _footnote(self, text: str) -> str:
        self._count += 1
        self.notes.append(gfm.footnote(str(self._count), self.write(" ".join(text.split()))))
        return gfm.footnote_reference(str(self._count))

    def _marked(self, text: str, sign: str) -> str:
        return gfm.mark(self.write(text), sign)


_WRITERS: Final[dict[str, Callable[[AsciidocInline, str], str]]] = {
    "escaped": lambda _, text: gfm.escape(text),
    "raw": lambda _, text: gfm.escape(text),
    "curly": lambda inline, text: f"“{inline.write(text)}”",
    "double": lambda inline, text: f"“{inline.write(text)}”",
    "single": lambda inline, text: f"‘{inline.write(text)}’",
    **dict.fromkeys(("code2", "code"), lambda inline, text: gfm.code_span(_bare(inline, text))),
    **dict.fromkeys(("mono2", "mono"), lambda inline, text: gfm.code_span(_bare(inline, text))),
    **dict.fromkeys(("bold2", "bold"), lambda inline, text: inline._marked(text, "**")),
    **dict.fromkeys(("italic2", "italic"), lambda inline, text: inline._marked(text, "*")),
    "mark": lambda inline, text: inline.write(text),
    "raised": lambda inline, text: f"<sup>{inline.write(text)}</sup>",
    "lowered": lambda inline, text: f"<sub>{inline.write(text)}</sub>",
    "hidden": lambda _inline, _text: "",
    "term": lambda inline, text: inline.write(text),
    "anchor": lambda inline, text: inline.add_anchor(text),
    "break": lambda _inline, _text: "\\",
}


def _bare(inline: AsciidocInline, text: str) -> str:
    """Code keeps its characters, but attributes are replaced and `+` around it is only a guard."""
    if len(text) > 2 and text[0] == text[-1] == "+":
        return text[1:-1]
    return _REFERENCE.sub(lambda found: CHARACTERS.get(found[1], found[0]), text)
