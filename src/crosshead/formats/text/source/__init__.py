"""Source code and data as fenced text: a section for each definition or key, and citations that name lines.

1. `languages`: what definitions, comments and strings look like in each language.
2. `definitions`, `keys`: the lines where sections begin.
3. `shared.fences` writes them.

Nothing is parsed, so a file with syntax errors is read like any other.
"""

from __future__ import annotations

from collections.abc import Sequence

from crosshead.formats.base import Extracted
from crosshead.formats.shared.decoding.text import decode, without_controls
from crosshead.formats.shared.fences import SectionStart, write_fences
from crosshead.formats.text.source.definitions import find_definitions
from crosshead.formats.text.source.keys import KEYS, find_keys
from crosshead.formats.text.source.languages import LANGUAGES
from crosshead.options import ExtractOptions


def read_source(language: str, data: bytes, _options: ExtractOptions) -> Extracted:
    """Read code, data or a log as lines of text."""
    warnings: list[str] = []
    lines = without_controls(decode(data, warnings)).replace("\f", " ").split("\n")
    return write_fences(lines, _sections(language, lines), language)._replace(warnings=tuple(warnings))


def _sections(language: str, lines: Sequence[str]) -> Sequence[SectionStart]:
    """Return where sections begin: at definitions, or at keys of several lines; a log has none."""
    if language in LANGUAGES:
        return find_definitions(lines, LANGUAGES[language])
    return find_keys(lines, KEYS[language]) if language in KEYS else ()
