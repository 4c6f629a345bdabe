"""Writes PDFs with tagged structure, which no light library draws."""

from __future__ import annotations

from collections.abc import Sequence


def tagged_pdf(parts: Sequence[tuple[str, str, float]]) -> bytes:
    """Return a page of one line per part: its tag, its text and its size."""
    count = len(parts)
    kids = " ".join([f"{number} 0 R" for number in range(7, 7 + count)])
    content = "".join(
        [
            f"/{tag} <</MCID {number}>> BDC BT /F1 {size} Tf 72 {700 - 24 * number} Td ({text.strip()}) Tj ET EMC\n"
            for number, (tag, text, size) in enumerate(parts)
        ]
    )
    objects = [
        "<</Type/Catalog/Pages 2 0 R/MarkInfo<</Marked true>>/StructTreeRoot 5 0 R>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/StructParents 0"
        "/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>",
        f"<</Length {len(content)}>>stream\n{content}endstream",
        f"<</Type/StructTreeRoot/K[6 0 R]/ParentTree<</Nums[0 [{kids}]]>>>>",
        f"<</Type/StructElem/S/Document/P 5 0 R/K[{kids}]>>",
        *[f"<</Type/StructElem/S/{tag}/P 6 0 R/Pg 3 0 R/K {number}>>" for number, (tag, _, _) in enumerate(parts)],
    ]
    return _file(objects)


def _file(objects: Sequence[str]) -> bytes:
    out = "%PDF-1.7\n"
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n"
    table = "".join([f"{place:010d} 00000 n \n" for place in places])
    size = len(objects) + 1
    out += f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer<</Size {size}/Root 1 0 R>>\nstartxref\n"
    return (out + f"{out.index('xref')}\n%%EOF").encode("latin-1")
