"""Office Math -> LaTeX. What has no simple LaTeX form becomes the text in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from lxml import etree

from crosshead.extract.readers.office.docx.names import NOT_TEXT, M, W

MAX_ELEMENTS: Final = 5_000

_SPECIAL = re.compile(r"[#%&_{}$]")
_VAL = f"{M}val"
_TEXTS = frozenset({f"{M}t", f"{W}t"})
_FUNCTIONS = frozenset(
    {
        "sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh", "arcsin", "arccos", "arctan",
        "log", "ln", "lg", "exp", "lim", "max", "min", "sup", "inf", "det", "gcd", "dim",
    }
)  # fmt: skip
_OPERATORS = {
    "∑": "\\sum", "∏": "\\prod", "∐": "\\coprod", "∫": "\\int", "∬": "\\iint", "∭": "\\iiint", "∮": "\\oint",
    "⋃": "\\bigcup", "⋂": "\\bigcap", "⋁": "\\bigvee", "⋀": "\\bigwedge", "⨁": "\\bigoplus", "⨂": "\\bigotimes",
}  # fmt: skip
_ACCENTS = {
    "\u0302": "\\hat", "\u0303": "\\tilde", "\u0304": "\\bar", "\u0305": "\\overline", "\u0307": "\\dot",
    "\u0308": "\\ddot", "\u030c": "\\check", "\u0306": "\\breve", "\u20d7": "\\vec", "\u20d6": "\\overleftarrow",
}  # fmt: skip
_FENCES = {"{": "\\{", "}": "\\}", "⟨": "\\langle ", "⟩": "\\rangle ", "‖": "\\|", "": "."}

Part = tuple[str, str]
"""The name of an element, and its LaTeX."""


def latex(element: etree._Element) -> str:
    """Return the LaTeX of an equation."""
    elements = [each for each in element.iter() if isinstance(each.tag, str)]
    if len(elements) > MAX_ELEMENTS:
        return _escape(" ".join(each.text for each in elements if each.tag in _TEXTS and each.text))
    done: dict[etree._Element, str] = {}
    for each in reversed(elements):  # what lies inside comes first
        parts = [(child.tag.removeprefix(M), done.pop(child)) for child in each if child in done]
        done[each] = _convert(each, parts)
    return " ".join(done[element].split())


def _convert(element: etree._Element, parts: list[Part]) -> str:
    tag = element.tag
    if tag in _TEXTS:
        return _escape(element.text or "")
    if tag in NOT_TEXT or tag.endswith("Pr"):
        return ""
    convert = _CONVERTERS.get(tag.removeprefix(M))
    return convert(element, parts) if convert else "".join([text for _, text in parts])


def _escape(text: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", text.replace("\\", "\\backslash "))


def _get(parts: Sequence[Part], name: str) -> str:
    return next((text for each, text in parts if each == name), "")


def _property(element: etree._Element, name: str, default: str) -> str:
    """Return a property of an equation's part; one without a value is empty."""
    found = element.find(f"{element.tag}Pr/{M}{name}")
    return default if found is None else found.get(_VAL) or ""


def _scripts(base: str, sub: str, sup: str) -> str:
    return f"{base}{f'_{{{sub}}}' if sub else ''}{f'^{{{sup}}}' if sup else ''}"


def _fraction(element: etree._Element, parts: list[Part]) -> str:
    over, under = _get(parts, "num"), _get(parts, "den")
    kind = _property(element, "type", "bar")
    if kind in ("lin", "skw"):
        return f"{over}/{under}"
    return f"\\binom{{{over}}}{{{under}}}" if kind == "noBar" else f"\\frac{{{over}}}{{{under}}}"


def _script(_element: etree._Element, parts: list[Part]) -> str:
    base = _get(parts, "e")
    return _scripts(base if len(base) < 2 else f"{{{base}}}", _get(parts, "sub"), _get(parts, "sup"))


def _before_script(_element: etree._Element, parts: list[Part]) -> str:
    return f"{_scripts('{}', _get(parts, 'sub'), _get(parts, 'sup'))}{_get(parts, 'e')}"


def _root(_element: etree._Element, parts: list[Part]) -> str:
    degree = _get(parts, "deg")
    return f"\\sqrt{f'[{degree}]' if degree else ''}{{{_get(parts, 'e')}}}"


def _large_operator(element: etree._Element, parts: list[Part]) -> str:
    sign = _property(element, "chr", "∫")
    return f"{_scripts(_OPERATORS.get(sign, sign), _get(parts, 'sub'), _get(parts, 'sup'))} {_get(parts, 'e')}"


def _delimited(element: etree._Element, parts: list[Part]) -> str:
    opening, closing = _property(element, "begChr", "("), _property(element, "endChr", ")")
    between = _property(element, "sepChr", "|")
    inner = between.join([text for name, text in parts if name == "e"])
    if opening == "(" and closing == ")" and inner.startswith("\\binom"):
        return inner
    return f"\\left{_FENCES.get(opening, opening)}{inner}\\right{_FENCES.get(closing, closing)}"


def _function(_element: etree._Element, parts: list[Part]) -> str:
    return f"{_named(_get(parts, 'fName'))} {_get(parts, 'e')}"


def _named(name: str) -> str:
    word = name.strip()
    head = word.partition("_")[0].partition("^")[0].strip("{}")
    if head not in _FUNCTIONS:
        return word if word.startswith("\\") else f"\\operatorname{{{word}}}"
    return word.replace(f"{{{head}}}", head, 1).replace(head, f"\\{head}", 1)


def _limit(element: etree._Element, parts: list[Part]) -> str:
    mark = "_" if element.tag == f"{M}limLow" else "^"
    return f"{_get(parts, 'e')}{mark}{{{_get(parts, 'lim')}}}"


def _accent(element: etree._Element, parts: list[Part]) -> str:
    accent = _ACCENTS.get(_property(element, "chr", "\u0302"))
    return f"{accent}{{{_get(parts, 'e')}}}" if accent else _get(parts, "e")


def _bar(element: etree._Element, parts: list[Part]) -> str:
    command = "overline" if _property(element, "pos", "bot") == "top" else "underline"
    return f"\\{command}{{{_get(parts, 'e')}}}"


def _matrix(_element: etree._Element, parts: list[Part]) -> str:
    rows = " \\\\ ".join([text for name, text in parts if name == "mr"])
    return f"\\begin{{matrix}}{rows}\\end{{matrix}}"


def _matrix_row(_element: etree._Element, parts: list[Part]) -> str:
    return " & ".join([text for name, text in parts if name == "e"])


def _equations(_element: etree._Element, parts: list[Part]) -> str:
    rows = " \\\\ ".join([text for name, text in parts if name == "e"])
    return f"\\begin{{aligned}}{rows}\\end{{aligned}}"


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
