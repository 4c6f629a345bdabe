"""Charts, diagrams, pictures and objects in texts."""

from __future__ import annotations

from tests.formats.office.docx.docx_files import (
    PACKAGE,
    RELATIONSHIPS,
    archive,
    cell,
    convert,
    docx,
    p,
    parts_of,
    pieces,
    row,
    run,
    tbl,
    warnings_of,
)

CHART = "http://schemas.openxmlformats.org/drawingml/2006/chart"
DIAGRAM = "http://schemas.openxmlformats.org/drawingml/2006/diagram"
DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"


def with_parts(body: str, *parts: tuple[str, str, str]) -> bytes:
    """A document that refers to parts by their ids `r0`, `r1`: kind, name and content of each."""
    files = parts_of(docx(body))
    relations = "".join(
        f'<Relationship Id="r{at}" Type="{RELATIONSHIPS}/{kind}" Target="{name}"/>'
        for at, (kind, name, _) in enumerate(parts)
    )
    files["word/_rels/document.xml.rels"] = f'<Relationships xmlns="{PACKAGE}">{relations}</Relationships>'.encode()
    return archive({**files, **{f"word/{name}": content.encode() for _, name, content in parts}})


def drawing(inner: str, alt: str = "", size: int = 3_000_000) -> str:
    return (
        f'<w:r><w:drawing><wp:inline><wp:extent cx="{size}" cy="{size}"/><wp:docPr id="1" name="x" descr="{alt}"/>'
        f"<a:graphic><a:graphicData>{inner}</a:graphicData></a:graphic></wp:inline></w:drawing></w:r>"
    )


REFERENCE = f'<c:chart xmlns:c="{CHART}" r:id="r0"/>'
VALUES = (
    f'<chartSpace xmlns="{CHART}"><chart><plotArea><barChart><ser><tx><v>Sum</v></tx><cat><strLit><pt idx="0"><v>a</v>'
    '</pt></strLit></cat><val><numLit><pt idx="0"><v>7</v></pt></numLit></val></ser></barChart></plotArea></chart>'
    "</chartSpace>"
)
TABLE = "Chart\n\n|  | Sum |\n| --- | --- |\n| a | 7 |\n"


def test_chart_follows_its_paragraph() -> None:
    data = with_parts(pieces(run("See") + drawing(REFERENCE)) + p("After"), ("chart", "c.xml", VALUES))
    assert convert(data) == f"See\n\n{TABLE}\nAfter\n"


def test_chart_in_a_cell_follows_the_table() -> None:
    table = tbl(row(cell(p("x")), cell(pieces(drawing(REFERENCE, "All sums")))), row(cell(p("y")), cell(p("z"))))
    data = with_parts(table, ("chart", "c.xml", VALUES))
    assert convert(data) == f"| x | All sums |\n| --- | --- |\n| y | z |\n\n{TABLE}"


def test_diagram_is_a_list() -> None:
    reference = f'<d:relIds xmlns:d="{DIAGRAM}" r:dm="r0"/>'
    model = (
        f'<m xmlns:a="{DRAWING}"><a:p><a:r><a:t>Plan</a:t></a:r></a:p><a:p/><a:p><a:r><a:t>- Do</a:t></a:r></a:p></m>'
    )
    data = with_parts(pieces(drawing(reference)), ("diagramData", "d.xml", model))
    assert convert(data) == "- Plan\n- \\- Do\n"


def test_what_is_left_out_is_counted() -> None:
    picture = '<a:blip r:embed="r9"/>'
    old = '<w:r><w:pict><v:shape style="width:90pt;height:90pt"{}><v:imagedata r:id="r9"/></v:shape></w:pict></w:r>'
    decorative = '<e:decorative xmlns:e="http://schemas.microsoft.com/office/drawing/2017/decorative" val="1"/>'
    body = pieces(
        run("x") + drawing(picture) + drawing(picture, size=9_000) + drawing(picture + decorative)
        + drawing(picture, "A car") + old.format("") + old.format(' alt="A bus"').replace("90pt", "90.5pt")
        + "<w:r><w:object><v:shape><v:imagedata/></v:shape></w:object></w:r>" + drawing(REFERENCE)
        + '<w:r><w:commentReference w:id="1"/></w:r>'
    )  # fmt: skip
    data = with_parts(body, ("oleObject", "embeddings/o.bin", "?"), ("package", "embeddings/p.xlsx", "?"))
    assert convert(data) == "x ![A car]() ![A bus]()\n"
    assert warnings_of(data) == (
        "2 pictures without alternative text are left out",
        "1 chart without readable values is left out",
        "1 comment is left out: keep them with the option comments",
        "2 embedded objects are left out: save them as separate files",
    )
