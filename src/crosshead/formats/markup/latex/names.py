"""Names of commands and environments, by what becomes of them."""

from __future__ import annotations

from typing import Final

SECTIONS: Final = ("part", "chapter", "section", "subsection", "subsubsection", "paragraph", "subparagraph")
LISTS: Final = {
    "itemize": "-", "compactitem": "-", "enumerate": "1.", "compactenum": "1.", "description": "-",
    "thebibliography": "-",
}  # fmt: skip
QUOTES: Final = frozenset(("quote", "quotation", "verse"))
TABLES: Final = {"tabular": 1, "tabular*": 2, "tabularx": 2, "tabulary": 2, "longtable": 1, "supertabular": 1}
"""With the number of arguments before the rows."""
FORMULAS: Final = frozenset(("equation", "displaymath", "math"))
ALIGNED: Final = frozenset(("align", "gather", "multline", "eqnarray", "flalign", "alignat", "split", "dmath", "array"))
PICTURES: Final = frozenset(("tikzpicture", "picture", "pspicture", "pgfpicture", "forest", "asy"))
NAMED: Final = frozenset((
    "abstract", "theorem", "lemma", "proof", "definition", "proposition", "corollary", "example", "remark", "exercise",
    "solution", "conjecture", "claim", "note", "warning", "tip", "keywords", "acknowledgments", "acknowledgements",
))  # fmt: skip
ARGUMENTS: Final = {"minipage": 1, "multicols": 1, "wrapfigure": 2, "spacing": 1, "adjustbox": 1, "column": 1,
                    "subfigure": 1, "otherlanguage": 1}  # fmt: skip
