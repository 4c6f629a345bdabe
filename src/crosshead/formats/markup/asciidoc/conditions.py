"""Conditions of AsciiDoc (`ifdef`, `ifndef`): which lines are part of the document?

Where a document itself sets one of the attributes that its conditions name, they are decided as a converter decides
them. Where it sets none, they depend on who converts it, and all branches are kept. `ifeval` is always kept.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from crosshead.formats.includes import Origin

_CONDITION = re.compile(r"(ifdef|ifndef|ifeval|endif)::([^\s\[]{0,300})\[(.*)\]\s*$")
_SET = re.compile(r":(!?)([\w][\w-]{0,60})(!?):(?:\s|$)")
_ALWAYS: Final = frozenset(["backend-html5", "basebackend-html", "asciidoctor", "asciidoctor-version"])


def resolve(lines: Sequence[str]) -> tuple[list[str], list[Origin]]:
    """Return the lines that are part of the document, and their origin."""
    if not any(line.startswith(("ifdef::", "ifndef::", "ifeval::", "endif::")) for line in lines):
        return list(lines), [Origin(1, 1, "")]
    decides = _is_decided(lines)
    attributes = set(_ALWAYS)
    opened: list[bool] = []
    kept: list[str] = []
    origins: list[Origin] = []
    last = 0
    for number, line in enumerate(lines, 1):
        text = line
        if condition := _CONDITION.match(line):
            kind, names, text = condition.groups()
            holds = not decides or kind == "ifeval" or _holds(kind, names, attributes)
            if kind == "endif":
                opened[-1:] = []
            elif kind == "ifeval" or not text:
                opened.append(holds)
            if kind in ("endif", "ifeval") or not text or not holds:
                continue
        elif found := _SET.match(line) if all(opened) else None:
            (attributes.discard if found[1] or found[3] else attributes.add)(found[2].lower())
        if all(opened):
            kept.append(text)
            if number != last + 1:
                origins.append(Origin(len(kept), number, ""))
            last = number
    return kept, origins if origins and origins[0].first == 1 else [Origin(1, 1, ""), *origins]


def _is_decided(lines: Sequence[str]) -> bool:
    """Return whether the document sets an attribute that a condition names."""
    named: set[str] = set()
    given: set[str] = set()
    for line in lines:
        if condition := _CONDITION.match(line) if "::" in line else None:
            named.update(re.split("[,+]", condition[2].lower()))
        elif line[:1] == ":" and (found := _SET.match(line)):
            given.add(found[2].lower())
    return bool((named - {""}) & given)


def _holds(kind: str, names: str, attributes: set[str]) -> bool:
    """`a,b` is one of them, `a+b` all of them."""
    every = "+" in names
    found = [name.lower() in attributes for name in re.split("[,+]", names) if name]
    is_set = all(found) if every else any(found)
    return is_set if kind == "ifdef" else not is_set
