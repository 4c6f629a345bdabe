"""The inline markup of Org mode -> that of Markdown; lengths are bounded, so that odd text costs little."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from crosshead.formats.shared import gfm

MAX_DEPTH: Final = 3
_BEFORE: Final = r"(?<![\w*/_=~+}])"
_AFTER: Final = r"(?![\w*/=~+])"


def _marked(sign: str, name: str) -> str:
    sign = re.escape(sign)
    inner = rf"[^{sign}\n]{{0,300}}(?:\n[^{sign}\n]{{0,300}})?"
    return rf"{_BEFORE}{sign}(?P<{name}>[^\s{sign}](?:{inner}[^\s{sign}])?){sign}{_AFTER}"


_PATTERN = re.compile(
    r"\[\[(?P<target>(?:[^\[\]\\]|\\.){1,1000})\](?:\[(?P<label>[^\[\]]{1,1000})\])?\]"
    r"|\[fn:(?P<note>[\w-]{0,60})(?::(?P<inside>[^\[\]]{1,1000}))?\]"
    rf"|{_marked('=', 'verbatim')}|{_marked('~', 'code')}|{_marked('*', 'bold')}|{_marked('/', 'italic')}"
    rf"|{_marked('_', 'under')}|{_marked('+', 'struck')}"
    r"|(?P<url>(?<![\w/])(?:https?|ftp)://[^\s\[\]<>\"]{1,500})|<(?P<angle>(?:https?|ftp|mailto):[^\s<>]{1,500})>"
    r"|<<<?(?P<anchor>[^<>\n]{1,200})>>>?|(?P<break>\\\\$)"
    r"|\\(?P<entity>[A-Za-z]{2,12})(?:\{\})?(?![A-Za-z])|(?P<math>\$[^\s$][^$\n]{0,300}\$|\\\([^\n]{1,300}?\\\))"
    r"|(?<=\w)\^\{(?P<raised>[^{}]{1,100})\}|(?<=\w)_\{(?P<lowered>[^{}]{1,100})\}"
    r"|src_[\w-]{1,30}(?:\[[^\]\n]{0,100}\])?\{(?P<inline>[^{}\n]{1,300})\}"
    r"|\{\{\{(?P<macro>\w[\w-]{0,40})(?:\((?P<given>[^(){}]{0,300})\))?\}\}\}",
    re.M,
)
ENTITIES: Final = {
    "alpha": "α",
    "beta": "β",
    "gamma": "γ",
    "delta": "δ",
    "lambda": "λ",
    "mu": "μ",
    "pi": "π",
    "to": "→",
    "rarr": "→",
    "larr": "←",
    "rightarrow": "→",
    "leftarrow": "←",
    "times": "×",
    "deg": "°",
    "nbsp": "\u00a0",
    "ge": "≥",
    "le": "≤",
    "ne": "≠",
    "copy": "©",
    "dots": "…",
    "hellip": "…",
    "mdash": "—",
    "ndash": "–",
    "amp": "&",
    "lt": "<",
    "gt": ">",
    "star": "*",
    "vert": "|",
    "vbar": "|",
    "slash": "/",
    "plus": "+",
    "under": "_",
    "equal": "=",
    "tilde": "~",
    "shy": "",
    "laquo": "«",
    "raquo": "»",
}


class OrgInline:
    """Writes the text of one document; footnotes inside it are collected for the block to put them below itself."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self._count = 0
        self._depth = 0

    def write(self, text: str) -> str:
        """Return text as Markdown."""
        if self._depth >= MAX_DEPTH:
            return gfm.escape(text)
        self._depth += 1
        found, at = [], 0
        for markup in _PATTERN.finditer(text):
            found += [gfm.escape(text[at : markup.start()]), self._markup(markup)]
            at = markup.end()
        self._depth -= 1
        return "".join([*found, gfm.escape(text[at:])])

    def _markup(self, found: re.Match[str]) -> str:
        if found["target"]:
            return self._link(found["target"], found["label"] or "")
        if found["note"] is not None:
            return self._note(found["note"], found["inside"] or "")
        if found["macro"]:
            return gfm.escape(found["given"] or found[0])
        kind = next(name for name, text in found.groupdict().items() if text is not None)
        return _WRITERS[kind](self, found[kind])

    def _link(self, target: str, label: str) -> str:
        target = target.replace("\\", "").removeprefix("file:")
        if re.search(r"\.(?:png|jpe?g|gif|svg|webp)$", target, re.I) and not label:
            return gfm.image("", target)
        if "://" in target or target.startswith("mailto:"):
            return gfm.link(self.write(label), target) if label else f"<{target}>"
        return self.write(label) if label else gfm.escape(target.lstrip("*#"))

    def _note(self, label: str, inside: str) -> str:
        if not label:
            self._count += 1
            label = f"inline{self._count}"
        if inside:
            self.notes.append(gfm.footnote(label, gfm.guard_note(self.write(" ".join(inside.split())))))
        return gfm.footnote_reference(label)


_WRITERS: Final[dict[str, Callable[[OrgInline, str], str]]] = {
    **dict.fromkeys(("verbatim", "code", "inline"), lambda _, text: gfm.code_span(text)),
    "bold": lambda inline, text: gfm.mark(inline.write(text), "**"),
    **dict.fromkeys(("italic", "under"), lambda inline, text: gfm.mark(inline.write(text), "*")),
    "struck": lambda inline, text: gfm.mark(inline.write(text), "~~"),
    "url": lambda _, text: f"<{text.rstrip('.,;:!?)')}>{text[len(text.rstrip('.,;:!?)')) :]}",
    "angle": lambda _, text: f"<{text}>",
    "anchor": lambda inline, text: inline.write(text),
    "break": lambda _inline, _text: "\\",
    "entity": lambda _, text: gfm.escape(ENTITIES.get(text, f"\\{text}")),
    "math": lambda _, text: gfm.math(text[1:-1] if text[0] == "$" else text[2:-2]),
    "raised": lambda inline, text: f"<sup>{inline.write(text)}</sup>",
    "lowered": lambda inline, text: f"<sub>{inline.write(text)}</sub>",
}
