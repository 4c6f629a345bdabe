"""Escapes of roff: fonts, special characters, strings -> runs of text, each in a font."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple
from unicodedata import normalize

from crosshead.formats.shared import gfm

SPECIAL: Final = {
    "co": "©", "rg": "®", "tm": "™", "bu": "•", "em": "—", "en": "–", "hy": "-", "lq": "“", "rq": "”", "oq": "‘",
    "cq": "’", "aq": "'", "dq": '"', "ga": "`", "aa": "´", "ha": "^", "ti": "~", "rs": "\\", "ul": "_", "sl": "/",
    "ba": "|", "or": "|", "br": "│", "bv": "│", "lB": "[", "rB": "]", "lC": "{", "rC": "}", "la": "⟨", "ra": "⟩",
    "at": "@", "sh": "#", "Do": "$", "Eu": "€", "eu": "€", "Po": "£", "Ye": "¥", "ct": "¢", "sc": "§", "ps": "¶",
    "dg": "†", "dd": "‡", "de": "°", "mu": "×", "di": "÷", "+-": "±", "mi": "−", "pl": "+", "eq": "=", "!=": "≠",
    "<=": "≤", ">=": "≥", "<<": "≪", ">>": "≫", "==": "≡", "~~": "≈", "~=": "≅", "ap": "∼", "if": "∞", "->": "→",
    "<-": "←", "<>": "↔", "ua": "↑", "da": "↓", "rA": "⇒", "lA": "⇐", "12": "½", "14": "¼", "34": "¾", "S1": "¹",
    "S2": "²", "S3": "³", "fm": "′", "sd": "″", "Fo": "«", "Fc": "»", "fo": "‹", "fc": "›", "Bq": "„", "bq": "‚",
    "r!": "¡", "r?": "¿", "ss": "ß", "AE": "Æ", "ae": "æ", "OE": "Œ", "oe": "œ", "/o": "ø", "/O": "Ø", "oA": "Å",
    "oa": "å", "-D": "Ð", "Sd": "ð", "TP": "Þ", "Tp": "þ", "/l": "ł", "/L": "Ł", "ci": "○", "sq": "□", "lh": "☜",
    "rh": "☞", "OK": "✓", "no": "¬", "mo": "∈", "es": "∅", "*a": "α", "*b": "β", "*m": "μ", "*p": "π", "lz": "◊",
    "ff": "ff", "fi": "fi", "fl": "fl", "Fi": "ffi", "Fl": "ffl", "nb": "⊄", "pc": "·", "md": "⋅", "tf": "∴",
    "vA": "⇕", "sr": "√", "fa": "∀", "te": "∃", "is": "∫", "pd": "∂", "gr": "∇", "ca": "∩", "cu": "∪", "AN": "∧",
    "OR": "∨", "rn": "‾", "coproduct": "∐", "lf": "⌊", "rf": "⌋", "lc": "⌈", "rc": "⌉", "mc": "µ", "Of": "ª", "Om": "º",
}  # fmt: skip
_ACCENTS: Final = {"'": "\u0301", "`": "\u0300", "^": "\u0302", ":": "\u0308", "~": "\u0303", ",": "\u0327"}
STRINGS: Final = {
    "R": "®",
    "Tm": "™",
    "lq": "“",
    "rq": "”",
    "S": "",
    "C+": "C++",
    'L"': '"',
    'R"': '"',
    "--": "—",
    "PI": "π",
    "Aq": "'",
    "Am": "&",
    "Ba": "|",
    "Lt": "<",
    "Gt": ">",
    "Le": "≤",
    "Ge": "≥",
    "Lq": "“",
    "Rq": "”",
    "Pm": "±",
    "Na": "NaN",
    "If": "∞",
    "Ne": "≠",
    "Pi": "π",
    "q": '"',
}
_SINGLE: Final = {
    "-": "-",
    "e": "\\",
    "\\": "\\",
    "&": "",
    "|": "",
    "^": "",
    "~": "\u00a0",
    "0": " ",
    " ": " ",
    "%": "",
    "/": "",
    ",": "",
    ")": "",
    "'": "'",
    "`": "`",
    ".": ".",
    "c": "",
    "t": "\t",
    "p": "",
    "d": "",
    "u": "",
    "r": "",
    "{": "",
    "}": "",
    "!": "",
    "_": "_",
    ":": "",
    "a": "",
    "E": "\\",
    "\n": "",
}
_NAME: Final = r"(?:\((..)|\[([^\]\n]{0,40})\]|(.))"
_ESCAPE = re.compile(
    rf"\\(?:(?P<font>f){_NAME}|(?P<string>\*){_NAME}|(?P<special>\((..)|\[([^\]\n]{{0,40}})\])"
    r"|(?P<size>s)(?:[-+]?\d{1,2}|\([-+]?\d\d|[-+]\(\d\d|\[[^\]\n]{0,20}\]|'[^'\n]{0,20}')"
    r"|(?P<code>N)'(\d{1,7})'|(?P<drawn>[hvwlLDoxXbZCRHSBY])'(?P<inside>[^'\n]{0,200})'"
    rf"|(?P<color>[mMnFkgVOA]){_NAME}|(?P<comment>[\"#].*)|(?P<zero>z)|(?P<one>.|\n|$))",
)
_FONTS: Final = {"B": "B", "I": "I", "R": "", "P": "P", "1": "", "2": "I", "3": "B", "4": "B", "BI": "B", "CB": "B",
                 "CI": "I", "CW": "", "CR": "", "C": "", "": "P"}  # fmt: skip
MAX_STRING_DEPTH: Final = 5


class FontRun(NamedTuple):
    """Text in one font: `B`, `I`, or nothing."""

    text: str
    font: str


class Fonts:
    """The current font of a page, and its strings for `\\*`."""

    def __init__(self) -> None:
        self.now = self.before = ""
        self.strings: dict[str, str] = dict(STRINGS)
        self.budget = 200_000

    def set(self, font: str) -> None:
        """Change the font; `P` is the one before."""
        self.now, self.before = (self.before if font == "P" else font), self.now

    def runs(self, text: str, depth: int = 0) -> list[FontRun]:
        """Read a text."""
        if "\\" not in text:
            return [FontRun(text, self.now)] if text else []
        found: list[FontRun] = []
        at = 0
        for escape in _ESCAPE.finditer(text):
            if escape.start() > at:
                found.append(FontRun(text[at : escape.start()], self.now))
            at = escape.end()
            found += self._escape(escape, depth)
        return [*found, FontRun(text[at:], self.now)] if at < len(text) else found

    def _escape(self, escape: re.Match[str], depth: int) -> list[FontRun]:
        kind = escape.lastgroup
        if escape["font"]:
            name = escape[2] or escape[3] or escape[4] or ""
            self.set(_FONTS.get(name, ""))
            return []
        if escape["string"]:
            value = self.strings.get(escape[6] or escape[7] or escape[8] or "", "")
            self.budget -= len(value)
            return self.runs(value, depth + 1) if depth < MAX_STRING_DEPTH and self.budget > 0 else []
        if escape["special"]:
            return [FontRun(special(escape[10] or escape[11] or ""), self.now)]
        if escape["code"]:
            return [FontRun(_character(int(escape.group(escape.re.groupindex["code"] + 1))), self.now)]
        if escape["drawn"]:
            return [FontRun(escape["inside"], self.now)] if escape["drawn"] in "oZ" else []
        if kind == "one" or escape["one"] is not None:
            return [FontRun(_SINGLE.get(escape["one"], escape["one"]), self.now)]
        return []


def special(name: str) -> str:
    """Return the character of a name: `co`, `u00E9`, `'e`, `u0065_0301`."""
    if name in SPECIAL:
        return SPECIAL[name]
    if re.fullmatch(r"u[0-9A-Fa-f]{4,6}(?:_[0-9A-Fa-f]{4,6}){0,4}", name):
        return normalize("NFC", "".join(_character(int(code, 16)) for code in name[1:].split("_")))
    if re.fullmatch(r"char\d{1,3}", name):
        return _character(int(name[4:]))
    if len(name) == 2 and name[0] in _ACCENTS:
        return normalize("NFC", name[1] + _ACCENTS[name[0]])
    return name if len(name) > 2 else ""


def _character(code: int) -> str:
    return chr(code) if 31 < code < 0x110000 and not 0xD800 <= code < 0xE000 else ""


def plain(runs: Sequence[FontRun]) -> str:
    """Return the text alone."""
    return "".join([run.text for run in runs])


def markdown(runs: Sequence[FontRun]) -> str:
    """Return runs as Markdown; with marks only where Markdown reads them as such."""
    joined: list[FontRun] = []
    for run in runs:
        if joined and (joined[-1].font == run.font or not run.text.strip()):
            joined[-1] = FontRun(joined[-1].text + run.text, joined[-1].font)
        elif run.text:
            joined.append(run)
    found: list[str] = []
    for at, run in enumerate(joined):
        before = joined[at - 1].text[-1:] if at else ""
        after = joined[at + 1].text[:1] if at + 1 < len(joined) else ""
        text = gfm.escape(run.text)
        is_marked = run.font and _can_mark(before, run.text.strip(), after) and not (found and found[-1].endswith("*"))
        found.append(gfm.mark(text, _MARKS[run.font]) if is_marked else text)
    return "".join(found)


_MARKS: Final[Mapping[str, str]] = {"B": "**", "I": "*"}


def _can_mark(before: str, text: str, after: str) -> bool:
    if not text or "\\" in (text[0], text[-1]):
        return False
    opens = text[0].isalnum() or not before.isalnum()
    closes = text[-1].isalnum() or not after.isalnum()
    return opens and closes
