"""What the name and the flags of a font say about its looks."""

from __future__ import annotations

import re

_FIXED_PITCH, _ITALIC, _FORCE_BOLD = 1, 1 << 6, 1 << 18

# TeX's fonts have short names: cmbx10 is bold, cmtt10 a typewriter's, and NimbusRomNo9L-Medi is Times in bold.
_BOLD = re.compile(
    r"bold|black|heavy|[-,_ ]medi(?:ital)?$|(?:^|\+)(?:cm|sf|ec|la|t1-\w*)(?:bx|ssbx|b)\w*\d|[-_]b$", re.I
)
_ITALIC_NAME = re.compile(r"ital|obli|slant|(?:^|\+)(?:cm|sf|ec)(?:ti|sl|bxti|itt|sltt)\w*\d", re.I)
_MONO = re.compile(
    r"mono(?!type)|courier|consol|typewriter|menlo|monaco|inconsolata|fixed|terminal|(?:source|fira|sourcecode)\s*code"
    r"|(?:^|\+)(?:cm|sf|ec|la|lm|pc)\w*tt\w*\d|(?:^|\+)(?:cmtt|ntxtt|txtt|pcr)|nimbusmon|letter ?gothic",
    re.I,
)
_CJK = re.compile(
    r"gothic|mincho|ming|song|hei|kai|cjk|batang|gulim|dotum|meiryo|ipa|noto ?s\w* ?(?:sc|tc|jp|kr)", re.I
)


def looks(name: str, flags: int) -> tuple[bool, bool, bool]:
    """Return whether a font is bold, italic, and a typewriter's."""
    bold = bool(flags & _FORCE_BOLD) or bool(_BOLD.search(name))
    italic = bool(flags & _ITALIC) or bool(_ITALIC_NAME.search(name))
    mono = bool(_MONO.search(name)) or (bool(flags & _FIXED_PITCH) and not _CJK.search(name))
    return bold, italic, mono
