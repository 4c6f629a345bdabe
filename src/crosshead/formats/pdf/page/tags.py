"""Tagged structure: the role that the document gives to each piece of text."""

from __future__ import annotations

import ctypes
import re
from typing import Any, Final

from crosshead.formats.pdf.page import native

_MAX_ELEMENTS: Final = 50_000
_HEADING: Final = re.compile(r"(?:h|heading[ _#-]?)([1-6])$", re.I)
_NAME_BYTES: Final = 128


def read_tags(page: Any) -> dict[int, str]:
    """Return the names of a page's marked contents: the nearest element that is a heading, else the innermost one."""
    raw = native.raw()
    tree = raw.FPDF_StructTree_GetForPage(page)
    if not tree:
        return {}
    try:
        return _walk(raw, tree)
    finally:
        raw.FPDF_StructTree_Close(tree)


def _walk(raw: Any, tree: Any) -> dict[int, str]:
    tags: dict[int, str] = {}
    roots = [raw.FPDF_StructTree_GetChildAtIndex(tree, n) for n in range(raw.FPDF_StructTree_CountChildren(tree))]
    pending = [(element, "") for element in reversed(roots) if element]
    for _ in range(_MAX_ELEMENTS):
        if not pending:
            break
        element, above = pending.pop()
        name = above if heading_level(above) else _name(raw, element)
        for index in range(max(0, raw.FPDF_StructElement_CountChildren(element))):
            child = raw.FPDF_StructElement_GetChildAtIndex(element, index)
            if child:
                pending.append((child, name))
            else:
                tags[raw.FPDF_StructElement_GetChildMarkedContentID(element, index)] = name
    tags.pop(-1, None)
    return tags


def _name(raw: Any, element: Any) -> str:
    buffer = ctypes.create_string_buffer(_NAME_BYTES)
    length = raw.FPDF_StructElement_GetType(element, buffer, _NAME_BYTES)
    return buffer.raw[: max(0, min(length, _NAME_BYTES) - 2)].decode("utf-16-le", "replace")


def heading_level(tag: str) -> int:
    """Return the heading level of a tag; 0 if it is not a heading."""
    heading = _HEADING.match(tag)
    return int(heading[1]) if heading else 0
