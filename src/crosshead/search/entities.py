"""What a question names exactly: quoted phrases, identifiers, paths, flags and proper names."""

from __future__ import annotations

import re
from typing import Final

_QUOTED: Final = re.compile(r'"([^"\n]{2,200})"|“([^”\n]{2,200})”|«([^»\n]{2,200})»|`([^`\n]{2,200})`')
_IDENTIFIER: Final = re.compile(
    r"--?[A-Za-z][\w-]*"  # a flag
    r"|\w+(?:[_:/\\]+\w+)+(?:\.\w+)*"  # snake_case, a::b, a/path.md
    r"|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+"  # dotted.name
    r"|[a-z]+[A-Z]\w*|[A-Z][a-z0-9]+(?:[A-Z]\w*)+"  # camelCase, CamelCase
    r"|[A-Z][A-Z0-9]{1,}\b"  # an acronym
    r"|\b[A-Za-z]+[0-9]\w*"  # sha256
)
_NAME: Final = re.compile(r"(?<=[\w,;)] )[A-ZА-ЯЁ][\w'’-]+(?: [A-ZА-ЯЁ][\w'’-]+)*")
MOST_ENTITIES: Final = 16


def find_entities(query: str) -> list[str]:
    """Return what the query names, without case, each once."""
    quoted = ["".join(groups) for groups in _QUOTED.findall(query)]
    rest = _QUOTED.sub(" ", query)
    found = [*quoted, *_IDENTIFIER.findall(rest), *_NAME.findall(rest)]
    return list(dict.fromkeys(each.casefold() for each in found))[:MOST_ENTITIES]


def entity_share(entities: list[str], text: str) -> float:
    """Return the share of the entities that a text contains."""
    if not entities:
        return 0.0
    text = text.casefold()
    return sum(entity in text for entity in entities) / len(entities)
