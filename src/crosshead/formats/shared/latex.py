"""Build LaTeX formulas, for MathML and Office Math. Callers convert inner parts first and pass them as text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

_SPECIAL = re.compile(r"[#%&_{}$]")
_COMMAND_END = re.compile(r"\\[A-Za-z]+\Z")
_ONE = re.compile(r"\\[A-Za-z]+|.?", re.S)
FUNCTIONS: Final = frozenset(
    {
        "sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh", "arcsin", "arccos", "arctan",
        "log", "ln", "lg", "exp", "lim", "max", "min", "sup", "inf", "det", "gcd", "dim",
    }
)  # fmt: skip
OPERATORS: Final = {
    "∑": "\\sum", "∏": "\\prod", "∐": "\\coprod", "∫": "\\int", "∬": "\\iint", "∭": "\\iiint", "∮": "\\oint",
    "⋃": "\\bigcup", "⋂": "\\bigcap", "⋁": "\\bigvee", "⋀": "\\bigwedge", "⨁": "\\bigoplus", "⨂": "\\bigotimes",
}  # fmt: skip
ACCENTS: Final = {
    "\u0302": "\\hat", "\u0303": "\\tilde", "\u0304": "\\bar", "\u0305": "\\overline", "\u0307": "\\dot",
    "\u0308": "\\ddot", "\u030c": "\\check", "\u0306": "\\breve", "\u20d7": "\\vec", "\u20d6": "\\overleftarrow",
    "^": "\\hat", "ˆ": "\\hat", "~": "\\tilde", "˜": "\\tilde", "¯": "\\bar", "‾": "\\overline", "˙": "\\dot",
    "¨": "\\ddot", "ˇ": "\\check", "˘": "\\breve", "→": "\\vec", "⏞": "\\overbrace",
}  # fmt: skip
UNDER_ACCENTS: Final = {"_": "\\underline", "\u0332": "\\underline", "⏟": "\\underbrace"}
_FENCES: Final = {"{": "\\{", "}": "\\}", "⟨": "\\langle ", "⟩": "\\rangle ", "‖": "\\|", "": "."}


def escape(text: str) -> str:
    """Escape characters that LaTeX would read as commands."""
    return _SPECIAL.sub(r"\\\g<0>", text.replace("\\", "\\backslash "))


def join(parts: Iterable[str]) -> str:
    """Join parts, with a space between a command and a letter after it."""
    found = ""
    for part in parts:
        found += f" {part}" if part[:1].isalpha() and _COMMAND_END.search(found) else part
    return found


def group(text: str) -> str:
    """Return a base for scripts: a single sign, or text in braces."""
    return text if _ONE.fullmatch(text) else f"{{{text}}}"


def scripts(base: str, sub: str, sup: str) -> str:
    """Add a subscript and a superscript."""
    return f"{base}{f'_{{{sub}}}' if sub else ''}{f'^{{{sup}}}' if sup else ''}"


def fraction(over: str, under: str, *, has_line: bool = True) -> str:
    """Return a fraction, or a binomial coefficient if it has no line."""
    return f"\\{'frac' if has_line else 'binom'}{{{over}}}{{{under}}}"


def root(inner: str, degree: str = "") -> str:
    """Return a root."""
    return f"\\sqrt{f'[{degree}]' if degree else ''}{{{inner}}}"


def fenced(opening: str, inner: str, closing: str) -> str:
    """Return a formula between delimiters of its height."""
    if opening == "(" and closing == ")" and inner.startswith("\\binom"):
        return inner
    return f"\\left{_FENCES.get(opening, opening)}{inner}\\right{_FENCES.get(closing, closing)}"


def rows(lines: Sequence[str], environment: str = "matrix") -> str:
    """Return the rows of a matrix or of aligned equations."""
    inner = " \\\\ ".join(lines)
    return f"\\begin{{{environment}}}{inner}\\end{{{environment}}}"
