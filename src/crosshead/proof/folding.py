"""A text without what a faithful quotation may change: Markdown marks, white space, letter case, forms of signs."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_SIGNS: Final = str.maketrans(
    {**dict.fromkeys("’‘‚‛′", "'"), **dict.fromkeys("“”„‟«»″", '"'), **dict.fromkeys("‐‑‒–—―−", "-"), "\u00ad": ""}
)
_LINE_MARKS: Final = re.compile(r"^[ \t]*(?:>[ \t]?|[-*+•][ \t]+|\d{1,3}[.)][ \t]+|#{1,6}[ \t]+|\|)+", re.M)
_LINK: Final = re.compile(r"!?\[([^\[\]]*)\](?:\([^()\s]*(?:[ \t]\"[^\"]*\")?\)|\[[^\[\]]*\])")
_TAG: Final = re.compile(r"</?[a-zA-Z][^<>\n]{0,200}>")
_ESCAPE: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
_NOTE: Final = re.compile(r"\[\^[^\]\s]+\]")
_MARKS: Final = re.compile(r"[*`|]+|~~|(?<!\w)_+(?=\w)|(?<=\w)_+(?!\w)")
_SPACE: Final = re.compile(r"\s+")
_UNSPACED: Final = r"[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]"
_SPACE_INSIDE: Final = re.compile(rf"(?<={_UNSPACED})\s+(?={_UNSPACED})")
_SEPARATORS: Final = re.compile(r"[\s_\-./]+")


def fold(text: str) -> str:
    """Return a text as quotations are compared: lower case, without Markdown, one space between words."""
    text = _NOTE.sub("", _LINE_MARKS.sub("", text))
    text = _TAG.sub("", _LINK.sub(r"\1", text))
    text = _MARKS.sub("", _ESCAPE.sub(r"\1", text))
    if not text.isascii():
        text = _SPACE_INSIDE.sub("", unicodedata.normalize("NFKC", text.translate(_SIGNS)))
    return _SPACE.sub(" ", text).strip().casefold()


def squeeze(text: str) -> str:
    """Return a folded text without what separates the parts of a name: `wi-fi 6` is `wifi6`."""
    return _SEPARATORS.sub("", text)
