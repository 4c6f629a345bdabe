"""Names in a query: quoted phrases, identifiers, paths, flags and proper names.

A word is an identifier by its shape. The capital of the first word of a sentence does not make it a proper name.
"""

from __future__ import annotations

import re
from typing import Final

MOST_ENTITIES: Final = 16

_QUOTED: Final = re.compile(
    r'"([^"\n]{2,200})"|“([^”\n]{2,200})”|«([^»\n]{2,200})»|「([^」\n]{2,200})」|`([^`\n]{2,200})`'
)
_WORD: Final = re.compile(r"[\w.:/\\@#+'’-]+")
_FLAG: Final = re.compile(r"--?[A-Za-z]")
_JOINED: Final = re.compile(r"\w[_:/\\]+\w|[A-Za-z_]\w*\.[A-Za-z_]")
_HUMPED: Final = re.compile(r"[a-z][A-Z]")
_ACRONYM: Final = re.compile(r"[A-Z][A-Z0-9]+$")
_NUMBERED: Final = re.compile(r"[A-Za-z]+[0-9]")
_SENTENCE_ENDS: Final = ("?", "!", "\n")
_SHAPES: Final = (_FLAG.match, _JOINED.search, _HUMPED.search, _ACRONYM.match, _NUMBERED.match)


def find_entities(query: str) -> list[str]:
    """Return the names in a query, in lower case, each once."""
    quoted = ["".join(groups) for groups in _QUOTED.findall(query)]
    found = [*quoted, *_named(_QUOTED.sub(" ", query))]
    return list(dict.fromkeys(each.casefold() for each in found))[:MOST_ENTITIES]


def _named(query: str) -> list[str]:
    """Return identifiers and proper names; adjacent names are one."""
    found: list[str] = []
    name_end, is_first = -1, True
    for match in _WORD.finditer(query):
        word = match[0].rstrip(".:'’+-#@/\\").lstrip(".:'’")
        is_identifier = any(has_shape(word) for has_shape in _SHAPES)
        is_name = not is_identifier and not is_first and len(word) > 1 and word[0].isupper()
        if is_name and name_end >= 0 and query[name_end : match.start()] == " ":
            found.append(f"{found.pop()} {word}")
        elif is_identifier or is_name:
            found.append(word)
        name_end = match.end() if is_name and word == match[0] else -1
        is_first = match[0].endswith((".", ":")) or query[match.end() : match.end() + 1] in _SENTENCE_ENDS
    return found


def entity_share(entities: list[str], text: str) -> float:
    """Return the share of the entities that a text contains as whole words."""
    if not entities:
        return 0.0
    text = text.casefold()
    return sum(_contains(text, entity) for entity in entities) / len(entities)


def _contains(text: str, entity: str) -> bool:
    at = text.find(entity)
    while at >= 0:
        before, after = text[at - 1 : at] if at else "", text[at + len(entity) : at + len(entity) + 1]
        if not (_joins(before, entity[0]) or _joins(entity[-1], after)):
            return True
        at = text.find(entity, at + 1)
    return False


def _joins(left: str, right: str) -> bool:
    """Return whether two characters belong to one word, which is never so in scripts without spaces."""
    return bool(left and right) and _is_spaced(left) and _is_spaced(right)


def _is_spaced(char: str) -> bool:
    return (char.isalnum() or char == "_") and char < "\u3000"
