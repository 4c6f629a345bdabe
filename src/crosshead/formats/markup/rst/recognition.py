"""Recognize reStructuredText by what only it has: directives, targets and roles, which other texts do not have.

Underlined titles, double backticks and two colons are common in plain text as well; several kinds of them together are
not. The matches are the explanation.
"""

from __future__ import annotations

import re
from typing import Final

from crosshead.formats.markup.rst.titles import title_at

_SAMPLE: Final = 400_000
_DIRECTIVE = re.compile(r"^ *\.\. [a-z][\w:.-]{1,60} ?::(?:\s|$)", re.M)
_TARGET = re.compile(r"^ *\.\. (?:_[^\n:]{1,200}:(?:\s|$)|\[[#*]?[\w.-]{0,60}\] \S)", re.M)
_ROLE = re.compile(r"(?<!\w):[a-z][\w+.:-]{1,40}:`[^`\n]{1,300}`")
_REFERENCE = re.compile(r"(?<!`)`[^`\n]{1,300}`__?(?!\w)")
_LITERAL = re.compile(r"(?<!`)``[^`\n]{1,300}``(?!`)")
_BLOCK = re.compile(r"(?:^|[\w)\]`.\"' ])::\n\n+ +\S", re.M)
_COMMENT = re.compile(r"^\.\. [A-Za-z][^:\n]*$", re.M)
_MARKDOWN = re.compile(r"^(?:#{1,6} \S|```)", re.M)


def recognize_rst(text: str) -> str:
    """Return what shows that a text is reStructuredText, nothing if it may be something else."""
    text = text[:_SAMPLE]
    counts = {
        "directive": len(_DIRECTIVE.findall(text)),
        "target": len(_TARGET.findall(text)),
        "role": len(_ROLE.findall(text)),
        "link": len(_REFERENCE.findall(text)),
    }
    signs = sum(counts.values())
    counts |= {"literal block": len(_BLOCK.findall(text)), "literal": len(_LITERAL.findall(text))}
    if not signs and not counts["literal block"] and not counts["literal"]:
        return ""
    counts |= {"comment": len(_COMMENT.findall(text)), "underlined title": _titles(text)}
    kinds = sum(map(bool, counts.values()))
    has_title = bool(counts["underlined title"])
    is_rst = (
        kinds >= 3
        or (signs and has_title)
        or (signs >= 2 and kinds >= 2)
        or max(counts["directive"], counts["role"]) >= 3
        or (counts["literal block"] and kinds >= 2)
    )
    if not is_rst or len(_MARKDOWN.findall(text)) > 2 * signs:
        return ""
    return ", ".join(f"{count:,} {name}{'s' if count > 1 else ''}" for name, count in counts.items() if count)


def _titles(text: str) -> int:
    lines = [line.rstrip() for line in text.split("\n")]
    found = 0
    for at, line in enumerate(lines):
        if line and (title := title_at(lines, at)) and len(lines[at + title.at + 1]) >= len(title.text):
            found += 1
    return found
