"""Link reference definitions: `[label]: destination "title"` at the start of a paragraph."""

from __future__ import annotations

import re

_DEFINITION = re.compile(
    r"""[ \t]*\[(?P<label>(?:\\.|[^\\\[\]]){1,999}+)\]:[ \t]*\n?[ \t]*
    (?: <(?P<bracketed>(?:\\.|[^<>\n\\])*+)> | (?P<destination>(?!<)[^\x00-\x20\x7f]++) )
    (?P<end>[ \t]*(?:\n|\Z))?
    (?: (?(end)[ \t]*|[ \t]+\n?[ \t]*)
        (?:"(?:\\.|[^"\\])*+"|'(?:\\.|[^'\\])*+'|\((?:\\.|[^()\\])*+\))
        [ \t]*(?P<titled_end>\n|\Z)
    )?""",
    re.X | re.S,
).match
_ESCAPED = re.compile(r"\\.", re.S)


def read_definitions(paragraph: str) -> tuple[int, list[str]]:
    """Return how many lines of the paragraph are definitions, and their normalized labels."""
    lines, found = _read(paragraph)
    return lines, [label for label, _ in found]


def definition_targets(paragraph: str) -> list[tuple[str, str]]:
    """Return the normalized labels that a paragraph defines, with their targets as written."""
    return _read(paragraph)[1]


def _read(paragraph: str) -> tuple[int, list[tuple[str, str]]]:
    definitions: list[tuple[str, str]] = []
    at = 0
    while at < len(paragraph):
        found = _DEFINITION(paragraph, at)
        if not found or not found["label"].strip() or not _balanced(found["destination"] or ""):
            break
        if found["titled_end"] is not None:
            at = found.end()
        elif found["end"] is not None:
            at = found.end("end")
        else:
            break
        target = found["destination"] or found["bracketed"] or ""
        definitions.append((normalize_label(found["label"]), target))
    lines = paragraph.count("\n", 0, at)
    if at and paragraph[at - 1] != "\n":
        lines += 1
    return lines, definitions


def normalize_label(label: str) -> str:
    """Labels match regardless of case and white space."""
    return " ".join(label.split()).casefold()


def _balanced(destination: str) -> bool:
    """An unescaped parenthesis in a destination needs its partner."""
    if "(" not in destination and ")" not in destination:
        return True
    depth = 0
    for character in _ESCAPED.sub("", destination):
        depth += (character == "(") - (character == ")")
        if depth < 0:
            return False
    return depth == 0
