"""Office Math -> LaTeX. Elements without a simple LaTeX form become their text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from lxml import etree

from crosshead.formats.office.docx.names import NOT_TEXT, M, W
from crosshead.formats.shared import latex as tex

MAX_ELEMENTS: Final = 5_000

_VAL = f"{M}val"
_TEXTS = frozenset({f"{M}t", f"{W}t"})
Part = tuple[str, str]
"""The name of an element, and its LaTeX."""


def latex(element: etree._Element) -> str:
    """Return the LaTeX of an equation."""
    elements = [each for each in element.iter() if isinstance(each.tag, str)]
    if len(elements) > MAX_ELEMENTS:
        return tex.escape(" ".join(each.text for each in elements if each.tag in _TEXTS and each.text))
    done: dict[etree._Element, str] = {}
    for each in reversed(elements):  # what lies inside comes first
        parts = [(child.tag.removeprefix(M), done.pop(child)) for child in each if child in done]
        done[each] = _convert(each, parts)
    return " ".join(done[element].split())


def _convert(element: etree._Element, parts: list[Part]) -> str:
    tag = element.tag
    if tag in _TEXTS:
        return tex.escape(element.text or "")
    if tag in NOT_TEXT or tag.endswith("Pr"):
        return ""
    convert = _CONVERTERS.get(tag.removeprefix(M))
    return convert(element, parts) if convert else "".join([text for _, text in parts])


def _get(parts: Sequence[Part], name: str) -> str:
    return next((text for each, text in parts if each == name), "")


def _property(element: etree._Element, name: str, default: str) -> str:
    """Return a property of an equation's part; one without a value is empty."""
    found = element.find(f"{element.tag}Pr/{M}{name}")
    return default if found is None else found.get(_VAL) or ""


def _fraction(element: etree._Element, parts: list[Part]) -> str:
    over, under = _get(parts, "num"), _get(parts, "den")
    kind = _property(element, "type", "bar")
    if kind in ("lin", "skw"):
        return f"{over}/{under}"
    return tex.fraction(over, under, has_line=kind != "noBar")


def _script(_element: etree._Element, parts: list[Part]) -> str:
    base = _get(parts, "e")
    return tex.scripts(base if len(base) < 2 else f"{{{base}}}", _get(parts, "sub"), _get(parts, "sup"))


def _before_script(_element: etree._Element, parts: list[Part]) -> str:
    return f"{tex.scripts('{}', _get(parts, 'sub'), _get(parts, 'sup'))}{_get(parts, 'e')}"


def _root(_element: etree._Element, parts: list[Part]) -> str:
    return tex.root(_get(parts, "e"), _get(parts, "deg"))


def _large_operator(element: etree._Element, parts: list[Part]) -> str:
    sign = _property(element, "chr", "∫")
    return f"{tex.scripts(tex.OPERATORS.get(sign, sign), _get(parts, 'sub'), _get(parts, 'sup'))} {_get(parts, 'e')}"


def _delimited(element: etree._Element, parts: list[Part]) -> str:
    opening, closing = _property(element, "begChr", "("), _property(element, "endChr", ")")
    between = _property(element, "sepChr", "|")
    inner = between.join([text for name, text in parts if name == "e"])
    return tex.fenced(opening, inner, closing)


def _function(_element: etree._Element, parts: list[Part]) -> str:
    return f"{_named(_get(parts, 'fName'))} {_get(parts, 'e')}"


def _named(name: str) -> str:
    word = name.strip()
    head = word.partition("_")[0].partition("^")[0].strip("{}")
    if head not in tex.FUNCTIONS:
        return word if word.startswith("\\") else f"\\operatorname{{{word}}}"
    return word.replace(f"{{{head}}}", head, 1).replace(head, f"\\{head}", 1)


def _limit(element: etree._Element, parts: list[Part]) -> str:
    mark = "_" if element.tag == f"{M}limLow" else "^"
    return f"{_get(parts, 'e')}{mark}{{{_get(parts, 'lim')}}}"


def _accent(element: etree._Element, parts: list[Part]) -> str:
    accent = tex.ACCENTS.get(_property(element, "chr", "\u0302"))
    return f"{accent}{{{_get(parts, 'e')}}}" if accent else _get(parts, "e")


def _bar(element: etree._Element, parts: list[Part]) -> str:
    command = "overline" if _property(element, "pos", "bot") == "top" else "underline"
    return f"\\{command}{{{_get(parts, 'e')}}}"


def _matrix(_element: etree._Element, parts: list[Part]) -> str:
    return tex.rows([text for name, text in parts if name == "mr"])


def _matrix_row(_element: etree._Element, parts: list[Part]) -> str:
    return " & ".join([text for name, text in parts if name == "e"])


def _equations(_element: etree._Element, parts: list[Part]) -> str:
    return tex.rows([text for name, text in parts if name == "e"], "aligned")


_CONVERTERS: Final[dict[str, Callable[[etree._Element, list[Part]], str]]] = {
    "f": _fraction,
    "sSup": _script,
    "sSub": _script,
    "sSubSup": _script,
    "sPre": _before_script,
    "rad": _root,
    "nary": _large_operator,
    "d": _delimited,
    "func": _function,
    "limLow": _limit,
    "limUpp": _limit,
    "acc": _accent,
    "bar": _bar,
    "m": _matrix,
    "mr": _matrix_row,
    "eqArr": _equations,
}
