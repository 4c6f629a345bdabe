"""Groups that hold something other than the text of the document."""

from __future__ import annotations

from typing import Final

TEXT: Final = "text"
SKIPPED: Final = "skipped"
FONTS: Final = "fonts"
STYLES: Final = "styles"
TITLE: Final = "title"
LABEL: Final = "label"
"""The label of a list item."""
FIELD: Final = "field"
"""The instruction of a field, such as the target of a link."""
RESULT: Final = "result"
BOX: Final = "box"
NOTE: Final = "note"
COMMENT: Final = "comment"
AUTHOR: Final = "author"
SHAPE: Final = "shape"
"""Only the text boxes in it are text."""
ROW: Final = "row"
"""Properties of the row of a table inside a table."""
INFO: Final = "info"

DESTINATIONS: Final = {
    b"fonttbl": FONTS,
    b"stylesheet": STYLES,
    b"info": INFO,
    b"title": TITLE,
    b"listtext": LABEL,
    b"pntext": LABEL,
    b"fldinst": FIELD,
    b"fldrslt": RESULT,
    b"shptxt": BOX,
    b"footnote": NOTE,
    b"annotation": COMMENT,
    b"atnauthor": AUTHOR,
    b"shpinst": SHAPE,
    b"nesttableprops": ROW,
    **dict.fromkeys(
        (
            b"colortbl", b"pict", b"header", b"headerl", b"headerr", b"headerf", b"footer", b"footerl", b"footerr",
            b"footerf", b"ftnsep", b"ftnsepc", b"ftncn", b"aftnsep", b"aftnsepc", b"aftncn", b"xe", b"tc", b"rxe",
            b"nonshppict", b"shprslt", b"sp", b"filetbl", b"listtable", b"listoverridetable", b"revtbl",
            b"mmathPict", b"objdata", b"objclass", b"objname", b"bkmkstart", b"bkmkend", b"template", b"private",
            b"author", b"operator", b"keywords", b"doccomm", b"subject", b"company", b"manager", b"category",
            b"creatim", b"revtim", b"printim", b"buptim", b"hlinkbase", b"comment", b"nonesttables",
        ),
        SKIPPED,
    ),
}  # fmt: skip
"""By the word that begins the group."""
INSIDE_OF_SHAPES: Final = frozenset((BOX, SKIPPED))

CHARACTERS: Final = {
    b"tab": "\t", b"emdash": "—", b"endash": "–", b"bullet": "•", b"lquote": "‘", b"rquote": "’", b"ldblquote": "“",
    b"rdblquote": "”", b"emspace": " ", b"enspace": " ", b"qmspace": " ", b"zwj": "\u200d", b"zwnj": "\u200c",
    b"line": "\n", b"lbr": "\n", b"softline": "\n",
}  # fmt: skip
SYMBOLS: Final = {b"~": "\u00a0", b"_": "\u2011", b"{": "{", b"}": "}", b"\\": "\\"}
