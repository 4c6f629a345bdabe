"""Recognize AsciiDoc by what only it has: macros, lists of attributes, anchors, headings with equals signs.

1. A header that names the type, as that of mail does, says so alone.
2. One kind of signs that no other format has, and one more kind: a heading, underlined titles, terms, continued lists.
"""

from __future__ import annotations

import re
from typing import Final

_SAMPLE: Final = 400_000
_SIGNS: Final = {
    "block macro": re.compile(r"^(?:include|image|ifdef|ifndef|ifeval|endif|toc|video)::[^\s\[]{0,300}\[.*\]$", re.M),
    "attribute list": re.compile(
        r"^\[(?:\[[\w.:-]{1,100}(?:,[^\]\n]{1,100})?\]|(?:source|NOTE|TIP|WARNING|CAUTION|IMPORTANT|verse|quote|listing|"
        r"horizontal|options|cols|width|abstract|appendix|%)[^\]\n]{0,200})\]$",
        re.M,
    ),
    "inline macro": re.compile(
        r"\b(?:link|xref|linkgit|footnote|image|kbd|pass|mailto):[^\s\[\]:]{0,200}\[[^\]\n]{0,200}\]"
    ),
    "cross reference": re.compile(r"<<[\w-]{1,100},[^<>\n]{1,100}>>"),
}
_DECLARED = re.compile(r"^content-type: *text/(?:x-)?asciidoc\b", re.I | re.M)
_HEADING = re.compile(r"^={1,5} \S", re.M)
_UNDERLINED = re.compile(r"^(?=\S)([^\n]{3,100})\n(?:=+|-+|~+|\^+)\n", re.M)
_TERM = re.compile(r"^[^\s:|].{0,100}(?:::|;;)(?: \S.*)?$", re.M)
_TERM_ABOVE_TEXT = re.compile(r"^[^\s:|.].{0,100}::\n[ \t]+\S", re.M)
_CONTINUED = re.compile(r"\S\n\+\n\S")
_DELIMITER = re.compile(r"^(?:-{4,}|={4,}|\.{4,}|\*{4,}|_{4,}|\|={3,})$", re.M)


def recognize_asciidoc(text: str) -> str:
    """Return what shows that a text is AsciiDoc, nothing if it may be something else."""
    text = text[:_SAMPLE]
    if _DECLARED.search(text.partition("\n\n")[0]):
        return "its header says text/asciidoc"
    counts = {name: len(pattern.findall(text)) for name, pattern in _SIGNS.items()}
    if not any(counts.values()):
        return ""
    counts["heading"] = len(_HEADING.findall(text))
    counts |= {name: count for name, count in _usual(text).items() if count > 1}
    terms, delimiters = len(_TERM.findall(text)), len(_DELIMITER.findall(text))
    kinds = sum(map(bool, counts.values()))
    if kinds < 2 and not (terms > 1 and delimiters > 1):
        return ""
    return ", ".join(f"{count:,} {name}{'s' if count > 1 else ''}" for name, count in counts.items() if count)


def _usual(text: str) -> dict[str, int]:
    """Count marks that occur in other texts too, so that a single one proves nothing."""
    underlined = sum(abs(len(found[1]) - (found.end() - found.end(1) - 2)) <= 2 for found in _UNDERLINED.finditer(text))
    return {
        "underlined title": underlined,
        "term": len(_TERM_ABOVE_TEXT.findall(text)),
        "continued list": len(_CONTINUED.findall(text)),
    }
