"""MathML -> LaTeX: elements are closed from the inside out, each becomes LaTeX as soon as its end tag is met."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from crosshead.formats.markup.html.tokens import VOID, Tokens, attribute, attributes, name_of, replace_entities
from crosshead.formats.shared import latex as tex

MAX_TAGS: Final = 10_000

_INVISIBLE: Final = dict.fromkeys(range(0x2061, 0x2065))
_SIGNS: Final = {"−": "-", "\xa0": "\\ "}
_WIDE: Final = {
    "\\bar": "\\overline", "\\hat": "\\widehat", "\\tilde": "\\widetilde", "\\vec": "\\overrightarrow",
}  # fmt: skip
_HIDDEN: Final = ("annotation", "annotation-xml", "mphantom", "none", "maligngroup", "malignmark")


class _OpenMath(NamedTuple):
    """An element whose end is still to come."""

    tag: str
    parts: list[str]
    texts: list[str]


def mathml_tex(tokens: Tokens, at: int, end: int) -> str:
    """Return the LaTeX of the formula between two tags; an empty string if it is too large."""
    if end - at > MAX_TAGS:
        return ""
    opened = [_OpenMath("mrow", [], [])]
    for index in range(at, end + 1):
        tag = tokens.tags[index]
        if tag.startswith("/"):
            if len(opened) > 1:
                done = opened.pop()
                opened[-1].parts.append(_convert(done))
        elif name_of(tag) not in VOID:
            opened.append(_OpenMath(tag, [], []))
        if index < end:
            opened[-1].texts.append(replace_entities(tokens.raws[index]))
    for done in reversed(opened[1:]):
        opened[0].parts.append(_convert(done))
    return " ".join(tex.join(opened[0].parts).split())


def _convert(element: _OpenMath) -> str:
    name = name_of(element.tag)
    if name in _HIDDEN:
        return ""
    if name in _LEAVES:
        return _LEAVES[name](" ".join("".join(element.texts).split()).translate(_INVISIBLE))
    convert = _CONVERTERS.get(name)
    if convert is not None and len(element.parts) >= _LEAST.get(name, 0):
        return convert(element.tag, element.parts)
    return tex.join(element.parts)


def _identifier(text: str) -> str:
    if text in tex.FUNCTIONS:
        return f"\\{text}"
    return f"\\mathrm{{{tex.escape(text)}}}" if len(text) > 1 and text.isalpha() else tex.escape(text)


def _operator(text: str) -> str:
    if text in tex.FUNCTIONS:
        return f"\\{text}"
    if len(text) > 1 and text.isalpha():
        return f"\\operatorname{{{text}}}"
    return tex.OPERATORS.get(text) or _SIGNS.get(text) or tex.escape(text)


def _text(text: str) -> str:
    return f"\\text{{{tex.escape(text)}}}" if text else "\\ "


def _fraction(tag: str, parts: list[str]) -> str:
    return tex.fraction(parts[0], parts[1], has_line=attribute(tag, "linethickness") not in ("0", "0px", "0pt"))


def _square_root(_tag: str, parts: list[str]) -> str:
    return tex.root(tex.join(parts))


def _root(_tag: str, parts: list[str]) -> str:
    return tex.root(parts[0], parts[1])


def _sub(_tag: str, parts: list[str]) -> str:
    return tex.scripts(tex.group(parts[0]), parts[1], "")


def _sup(_tag: str, parts: list[str]) -> str:
    return tex.scripts(tex.group(parts[0]), "", _prime(parts[1]))


def _sub_sup(_tag: str, parts: list[str]) -> str:
    return tex.scripts(tex.group(parts[0]), parts[1], _prime(parts[2]))


def _prime(text: str) -> str:
    return text.replace("″", "\\prime\\prime").replace("′", "\\prime")


def _under(_tag: str, parts: list[str]) -> str:
    base, under = parts[:2]
    if _takes_limits(base):
        return tex.scripts(base, under, "")
    accent = tex.UNDER_ACCENTS.get(under.removeprefix("\\"))
    return f"{accent}{{{base}}}" if accent else f"\\underset{{{under}}}{{{base}}}"


def _over(_tag: str, parts: list[str]) -> str:
    base, over = parts[:2]
    if _takes_limits(base):
        return tex.scripts(base, "", over)
    accent = tex.ACCENTS.get(over, "")
    if len(base) > 1:
        accent = _WIDE.get(accent, accent)
    return f"{accent}{{{base}}}" if accent else f"\\overset{{{over}}}{{{base}}}"


def _under_over(tag: str, parts: list[str]) -> str:
    base, under, over = parts[:3]
    if _takes_limits(base):
        return tex.scripts(base, under, over)
    return _over(tag, [_under(tag, [base, under]), over])


def _takes_limits(base: str) -> bool:
    return base.startswith("\\") and (base in tex.OPERATORS.values() or base[1:] in tex.FUNCTIONS)


def _multi_scripts(_tag: str, parts: list[str]) -> str:
    """Pairs of scripts after the base, and after a mark, pairs of those before it."""
    base, rest = parts[0], parts[1:]
    at = rest.index(_PRESCRIPTS) if _PRESCRIPTS in rest else len(rest)
    before = [tex.scripts("{}", sub, sup) for sub, sup in _pairs(rest[at + 1 :])]
    return "".join(before) + "".join([tex.group(base), *[tex.scripts("", *pair) for pair in _pairs(rest[:at])]])


def _pairs(parts: list[str]) -> Iterator[tuple[str, str]]:
    yield from zip(parts[::2], [*parts[1::2], ""], strict=False)


def _fenced(tag: str, parts: list[str]) -> str:
    given = attributes(tag)
    between = given.get("separators", ",").strip()[:1]
    return tex.fenced(given.get("open", "("), between.join(parts), given.get("close", ")"))


def _table(_tag: str, parts: list[str]) -> str:
    return tex.rows([part for part in parts if part])


def _row(_tag: str, parts: list[str]) -> str:
    return " & ".join(parts)


def _group(_tag: str, parts: list[str]) -> str:
    """Parentheses around a binomial coefficient are a part of it."""
    visible = [part for part in parts if part.strip()]
    is_binomial = len(visible) == 3 and visible[1].startswith("\\binom") and visible[::2] == ["(", ")"]
    return visible[1] if is_binomial else tex.join(parts)


def _first(_tag: str, parts: list[str]) -> str:
    return parts[0]


_PRESCRIPTS: Final = "\0"
_LEAVES: Final[dict[str, Callable[[str], str]]] = {
    "mi": _identifier,
    "mn": tex.escape,
    "mo": _operator,
    "mtext": _text,
    "ms": _text,
    "mspace": lambda _text: " ",
    "mprescripts": lambda _text: _PRESCRIPTS,
}
_CONVERTERS: Final[dict[str, Callable[[str, list[str]], str]]] = {
    "mrow": _group,
    "mfrac": _fraction,
    "msqrt": _square_root,
    "mroot": _root,
    "msub": _sub,
    "msup": _sup,
    "msubsup": _sub_sup,
    "munder": _under,
    "mover": _over,
    "munderover": _under_over,
    "mmultiscripts": _multi_scripts,
    "mfenced": _fenced,
    "mtable": _table,
    "mtr": _row,
    "semantics": _first,
    "maction": _first,
}
_LEAST: Final = {
    **dict.fromkeys(("mfrac", "mroot", "msub", "msup", "munder", "mover"), 2),
    **dict.fromkeys(("msubsup", "munderover"), 3),
    **dict.fromkeys(("mmultiscripts", "semantics", "maction"), 1),
}
"""Minimum number of parts of an element; fewer parts are written in a row."""
