"""RTF documents for tests."""

from __future__ import annotations

HEAD = (
    r"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\froman\fcharset0 Times;}{\f1\fmodern Courier New;}"
    r"{\f2\fswiss\fcharset204 Arial Cyr;}{\f3\fnil\fcharset128 MS Mincho;}}"
    r"{\stylesheet{\s0 Normal;}{\s1\outlinelevel0 heading 1;}{\s2 heading 2;}{\s3 Title;}{\s4 Quote;}"
    r"{\s5 HTML Preformatted;}{\s6\outlinelevel2 \'dcberschrift 3;}{\*\cs9 Strong;}}"
    r"{\info{\title The title}{\author Ann}}"
)


def rtf(body: str) -> bytes:
    return f"{HEAD}{body}}}".encode("latin-1")


RTF = rtf(
    r"\pard\s1 A\par\trowd\cellx9\intbl x\cell\row{\footnote n\par}\pard {\b y}\u8364\'80"
    r"{\field{\*\fldinst a}{\fldrslt b}}\par"
)
