"""Letters and signs that LaTeX writes as commands."""

from __future__ import annotations

from typing import Final
from unicodedata import normalize

ACCENTS: Final = {
    "'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304", ".": "\u0307",
    "c": "\u0327", "v": "\u030c", "u": "\u0306", "H": "\u030b", "k": "\u0328", "r": "\u030a", "d": "\u0323",
    "b": "\u0331",
}  # fmt: skip
"""Commands that put an accent on the next letter."""
SIGNS: Final = {
    "ldots": "…", "dots": "…", "textellipsis": "…", "LaTeX": "LaTeX", "LaTeXe": "LaTeX2e", "TeX": "TeX",
    "BibTeX": "BibTeX", "copyright": "©", "textcopyright": "©", "textregistered": "®", "texttrademark": "™",
    "S": "§", "P": "¶", "dag": "†", "ddag": "‡", "pounds": "£", "euro": "€", "texteuro": "€", "textdegree": "°",
    "textbackslash": "\\", "textasciitilde": "~", "textasciicircum": "^", "textbar": "|", "textless": "<",
    "textgreater": ">", "textunderscore": "_", "textbullet": "•", "textquotedblleft": "“", "textquotedblright": "”",
    "textquoteleft": "‘", "textquoteright": "’", "textquotesingle": "'", "textendash": "–", "textemdash": "—",
    "ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "o": "ø", "O": "Ø", "aa": "å", "AA": "Å", "l": "ł",
    "L": "Ł", "i": "ı", "j": "ȷ", "quad": " ", "qquad": " ", "space": " ", "par": "\n", "newline": " ",
    "textvisiblespace": "␣", "today": "today", "slash": "/", "lbrace": "{", "rbrace": "}",
}  # fmt: skip
PLAIN: Final = {"&": "&", "%": "%", "$": "$", "#": "#", "_": "_", "{": "{", "}": "}", " ": " ", ",": " ", ";": " ",
                ":": " ", "!": "", "-": "", "/": "", "@": "", "\n": "\n"}  # fmt: skip
"""Characters written as a backslash and a sign."""


def accented(accent: str, letter: str) -> str:
    """Return a letter with an accent; a dotless i or j gets its accent as if it had a dot."""
    letter = {"\\i": "i", "\\j": "j", "ı": "i"}.get(letter.strip(), letter.strip())
    return normalize("NFC", letter[:1] + ACCENTS[accent] + letter[1:]) if letter else ""
