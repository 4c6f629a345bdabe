"""The pictures of a document: found by caption, listed in order with their places, and read when asked for."""

import io
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path

import pytest
import xlsxwriter
from PIL import Image
from pptx import Presentation
from pptx.util import Inches
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas
from tests.formats.archives import change_zip, make_zip
from tests.formats.markup.epub_files import BOOK, XHTML
from tests.formats.office.docx.docx_files import PACKAGE, docx, p, run
from tests.formats.office.opendocument_files import make_opendocument

from crosshead import Index, ids
from crosshead.errors import NoSuchFigure, OriginalChanged
from crosshead.indexing import FigureFile
from crosshead.types import Figure, TextSpan

FILLER = "The station pumps water from the river into the canal, and a log is kept of every hour."
CAPTION = "Figure 3: Pressure in the valve during a storm"


def picture(color: str, format: str = "PNG") -> bytes:
    """A picture of one color."""
    file = io.BytesIO()
    Image.new("RGB", (160, 120), color).save(file, format)
    return file.getvalue()


RED, GREEN, BLUE = picture("red"), picture("green", "JPEG"), picture("blue", "GIF")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    return folder


@pytest.fixture
def index(root: Path) -> Iterator[Index]:
    with Index(root / ".crosshead", embedder="static") as index:
        yield index


def figures_of(index: Index, source: str) -> FigureFile:
    found = index.figures(ids.document_id(source), below_root=True)
    assert found
    return found


def text_before(index: Index, source: str, figure: Figure) -> str:
    document = index.document(ids.document_id(source))
    assert document
    return document.text[: figure.start].rstrip()


def drawing(embed: str, alt: str = "") -> str:
    return (
        f'<w:r><w:drawing><wp:inline><wp:extent cx="2000000" cy="1500000"/><wp:docPr id="1" name="x" descr="{alt}"/>'
        f'<a:graphic><a:blip r:embed="{embed}"/></a:graphic></wp:inline></w:drawing></w:r>'
    )


def report() -> bytes:
    """A text of Word: a picture without and one with alternative text, and one that is only linked."""
    body = (
        p("Valves", style="Heading1") + p(FILLER) + f"<w:p>{drawing('r1')}</w:p>" + p(CAPTION, style="Caption")
        + p("After the storm, the valve was replaced.") + f"<w:p>{run('See ')}{drawing('r2', 'A green field')}</w:p>"
        + p("The end.") + f"<w:p>{drawing('r3', 'Elsewhere')}</w:p>"
    )  # fmt: skip
    targets = (
        'Target="media/image1.png"',
        'Target="media/image2.jpeg"',
        'Target="http://x.y/z.png" TargetMode="External"',
    )
    related = "".join(f'<Relationship Id="r{n}" Type="a/image" {each}/>' for n, each in enumerate(targets, 1))
    changes = {
        "word/_rels/document.xml.rels": f'<Relationships xmlns="{PACKAGE}">{related}</Relationships>',
        "word/media/image1.png": RED,
        "word/media/image2.jpeg": GREEN,
    }
    return change_zip(docx(body), changes)


def deck() -> bytes:
    presentation = Presentation()
    for title in ("Rivers", "Pumps"):
        slide = presentation.slides.add_slide(presentation.slide_layouts[5])
        slide.shapes.title.text = title
        slide.shapes.add_picture(io.BytesIO(RED if title == "Rivers" else GREEN), 0, 0, Inches(2))
    slide.shapes[-1]._element.nvPicPr.cNvPr.set("descr", "The pump house at night")
    slide.shapes.add_textbox(0, 0, Inches(2), Inches(1)).text_frame.text = CAPTION
    file = io.BytesIO()
    presentation.save(file)
    return file.getvalue()


def workbook() -> bytes:
    file = io.BytesIO()
    with xlsxwriter.Workbook(file) as book:
        book.add_worksheet("First").write("A1", "Name")
        sheet = book.add_worksheet("Second")
        sheet.write("A1", "Station")
        options = {"image_data": io.BytesIO(RED), "description": "A map of the stations"}
        sheet.insert_image("C3", "map.png", options)
    return file.getvalue()


def letter() -> bytes:
    frame = '<draw:frame><draw:image xlink:href="Pictures/1.png"/><svg:desc>A red door</svg:desc></draw:frame>'
    body = f"<text:p>{FILLER}</text:p><text:p>{frame}</text:p><text:p>{CAPTION}</text:p><text:p>Yours.</text:p>"
    return change_zip(make_opendocument("text", body), {"Pictures/1.png": RED})


def book() -> bytes:
    figure = f'<figure><img src="../img/a.jpg" alt=""/><figcaption>{CAPTION}</figcaption></figure>'
    page = f"<html {XHTML}><body><h1>First</h1><p>{FILLER}</p>{figure}<p>Then it rained.</p></body></html>"
    return make_zip({**BOOK, "OEBPS/a.xhtml": page, "img/a.jpg": GREEN})


PAGE = f"""<html><body><nav><img src="logo.png" alt="Logo of the company"></nav><main><h1>Valves</h1><p>{FILLER}</p>
<figure><img src="img/red.png"><figcaption>{CAPTION}</figcaption></figure><p>After the storm, all was well.</p>
<p>A <img src="data:image/gif;base64,{b64encode(BLUE).decode()}" alt="blue square"> here.</p></main></body></html>"""
GUIDE = f"""# Valves

{FILLER}

![A gauge](img/red.png "Pressure of the red valve")

```md
![not a picture](img/code.png)
```

The gauge was read every hour.

And then, at the end, the storm was over:

![][second] and <img alt="Green &amp; wide" src="img/green.jpg"> and `![code](x.png)`

[second]: data:image/gif;base64,{b64encode(BLUE).decode()}
"""
FILES: dict[str, bytes] = {
    "report.docx": report(), "deck.pptx": deck(), "book.xlsx": workbook(), "letter.odt": letter(), "book.epub": book(),
    "page.html": PAGE.encode(), "guide.md": GUIDE.encode(),
    "guide.rst": f"Valves\n======\n\n{FILLER}\n\n.. figure:: img/red.png\n   :alt: A gauge\n\n   {CAPTION}\n".encode(),
    "img/red.png": RED, "img/green.jpg": GREEN,
}  # fmt: skip
EXPECTED = {
    "report.docx": [("", CAPTION, RED), ("A green field", "", GREEN), ("Elsewhere", "", None)],
    "deck.pptx": [("", "", RED), ("The pump house at night", CAPTION, GREEN)],
    "book.xlsx": [("A map of the stations", "", RED)],
    "letter.odt": [("A red door", CAPTION, RED)],
    "book.epub": [("", CAPTION, GREEN)],
    "page.html": [("", CAPTION, RED), ("blue square", "", BLUE)],
    "guide.md": [("A gauge", "Pressure of the red valve", RED), ("", "", BLUE), ("Green & wide", "", GREEN)],
    "guide.rst": [("A gauge", CAPTION, RED)],
}
BEFORE = {
    "report.docx": [FILLER, "See", "The end."], "deck.pptx": ["## Rivers", "The pump house at night"],
    "book.xlsx": ["A map of the stations"], "letter.odt": ["A red door"], "book.epub": [FILLER],
    "page.html": [FILLER, "A"],
    "guide.md": [FILLER, "was over:", " and"], "guide.rst": [FILLER],
}  # fmt: skip


@pytest.fixture
def written(root: Path, index: Index) -> Index:
    """All documents, indexed."""
    (root / "img").mkdir()
    for name, data in FILES.items():
        (root / name).write_bytes(data)
    index.add(root)
    return index


def test_pictures_are_listed_in_order_and_read_from_the_file(written: Index) -> None:
    for source, expected in EXPECTED.items():
        file = figures_of(written, source)
        found = file.list()
        assert [(each.alt, each.caption) for each in found] == [each[:2] for each in expected], source
        assert [each.number for each in found] == [*range(1, len(found) + 1)]
        for figure, (_, _, data) in zip(found, expected, strict=True):
            assert bool(figure.problem) == (data is None)
            if data:
                assert file.read(figure.number).data == data, (source, figure)


def test_pictures_have_their_place_in_the_text(written: Index) -> None:
    for source, expected in BEFORE.items():
        for figure, before in zip(figures_of(written, source).list(), expected, strict=True):
            assert text_before(written, source, figure).endswith(before.strip()), (source, figure)
    assert [each.citation for each in figures_of(written, "deck.pptx").list()] == [
        "deck.pptx slide 1",
        "deck.pptx slide 2",
    ]
    assert figures_of(written, "guide.md").list()[0].citation == "guide.md:5"


def test_a_search_for_a_caption_finds_its_document_with_a_citation(written: Index) -> None:
    for source, expected in EXPECTED.items():
        for alt, caption, _ in expected:
            if caption or alt:
                hits = written.search(caption or alt, source=source)
                assert hits, (source, caption or alt)
                figure = next(each for each in figures_of(written, source).list() if each.label == (caption or alt))
                assert any(hit.chunk.start <= figure.start <= hit.chunk.end for hit in hits), (source, figure)
                assert hits[0].citation.startswith(source)


def test_the_pictures_of_a_section(written: Index) -> None:
    document = written.document(ids.document_id("deck.pptx"))
    assert document
    second = TextSpan(document.id, document.text.index("## Pumps"), len(document.text))
    assert [each.number for each in figures_of(written, "deck.pptx").list(second)] == [2]


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("https://example.org/x.png", "nothing is fetched from the network"),
        ("//example.org/x.png", "nothing is fetched from the network"),
        ("file:///etc/passwd", "nothing is fetched from the network"),
        ("../secret.png", "not in a file below the root"),
        ("/etc/hostname", "not in a file below the root"),
        ("link.png", "not in a file below the root"),
        (".hidden.png", "not in a file below the root"),
        ("gone.png", "not in a file below the root"),
        ("%2e%2e/secret.png", "not in a file below the root"),
        ("notes.md", "is of another type"),
        ("page.png", "is of another type"),
        ("drawing.svg", "of the type SVG"),
        ("data:image/svg+xml,%3Csvg/%3E", "is of another type"),
        ("data:image/png;base64,AAA", "the picture is damaged"),
    ],
)
def test_what_is_not_a_picture_below_the_root_is_refused(root: Path, index: Index, target: str, reason: str) -> None:
    (root.parent / "secret.png").write_bytes(RED)
    (root / "link.png").symlink_to(root.parent / "secret.png")
    (root / ".hidden.png").write_bytes(RED)
    (root / "page.png").write_bytes(b"<html><script>alert(1)</script></html>")
    (root / "notes.md").write_text(f"# Notes\n\n![A picture](<{target}>)\n")
    index.add(root / "notes.md")
    file = figures_of(index, "notes.md")
    assert [each.alt for each in file.list()] == ["A picture"]
    with pytest.raises(NoSuchFigure, match=reason):
        file.read(1)


def test_numbers_that_do_not_exist_and_changed_files_are_refused(root: Path, written: Index) -> None:
    with pytest.raises(NoSuchFigure, match=r"guide\.md: it has no picture 4: it has 3 pictures"):
        figures_of(written, "guide.md").read(4)
    assert written.figures("0" * 16) is None
    file = figures_of(written, "report.docx")
    (root / "report.docx").write_bytes(deck())
    with pytest.raises(OriginalChanged):
        file.read(1)


def paper() -> bytes:
    """A PDF: a picture in two strips, a chart that is drawn by lines, and one without a caption on a turned page."""
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(400, 500))
    strip = ImageReader(Image.new("RGB", (100, 30), "red"))
    canvas.drawString(40, 460, "The first page begins with a sentence about the river.")
    canvas.drawImage(strip, 60, 380, 200, 60)
    canvas.drawImage(strip, 60, 320, 200, 60)
    canvas.drawString(60, 300, CAPTION)
    canvas.drawString(40, 270, "The sentence after the first picture is about the canal.")
    canvas.setStrokeColorRGB(0, 0, 1)
    canvas.line(60, 120, 60, 240)
    canvas.line(60, 120, 260, 120)
    canvas.line(60, 120, 260, 230)
    canvas.drawString(60, 100, "Fig. 4. Flow over time")
    canvas.showPage()
    canvas.setPageRotation(90)
    canvas.drawString(40, 460, "The second page is turned, and has words as well.")
    canvas.drawImage(ImageReader(Image.new("RGB", (10, 10), "lime")), 100, 100, 50, 150)
    canvas.drawImage(ImageReader(Image.new("RGB", (10, 10), "black")), 300, 100, 10, 10)
    canvas.showPage()
    canvas.save()
    return file.getvalue()


def test_pictures_of_a_pdf_are_parts_of_its_pages(root: Path, index: Index) -> None:
    (root / "paper.pdf").write_bytes(paper())
    index.add(root / "paper.pdf")
    file = figures_of(index, "paper.pdf")
    photo, chart, turned = file.list()
    assert [each.caption for each in (photo, chart, turned)] == [CAPTION, "Fig. 4. Flow over time", ""]
    assert [each.citation for each in (photo, turned)] == ["paper.pdf p. 1", "paper.pdf p. 2"]
    document = index.document(ids.document_id("paper.pdf"))
    assert document
    assert document.text[photo.start :].startswith(CAPTION)
    hit = index.search(CAPTION)[0]
    assert hit.citation.startswith("paper.pdf p. 1")
    assert file.list(hit)[0] == photo

    red, blue, lime = (Image.open(io.BytesIO(file.read(each.number).data)).convert("RGB") for each in file.list())
    assert red.size == pytest.approx((400, 240), abs=4)
    assert {red.getpixel(at) for at in ((10, 10), (390, 10), (200, 60), (390, 230))} == {(255, 0, 0)}
    assert blue.size == pytest.approx((400, 240), abs=12)
    assert lime.size == pytest.approx((300, 100), abs=4), "as the page is shown"
    assert lime.getpixel((150, 50)) == (0, 255, 0)
    with pytest.raises(NoSuchFigure, match="it has no picture 4: it has 3 pictures"):
        file.read(4)


def test_a_scanned_page_is_not_a_picture(root: Path, index: Index) -> None:
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(400, 500))
    canvas.drawImage(ImageReader(Image.new("RGB", (40, 50), "white")), 0, 0, 400, 500)
    for at in range(12):
        canvas.drawString(40, 460 - 20 * at, "Words that were recognized on the page before, all of them.")
    canvas.save()
    (root / "scan.pdf").write_bytes(file.getvalue())
    index.add(root / "scan.pdf")
    assert figures_of(index, "scan.pdf").list() == []


def test_a_picture_has_its_panels_and_labels(root: Path, index: Index) -> None:
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(400, 500))
    canvas.drawString(40, 460, "The page begins with a sentence that is far above all pictures of the river.")
    for left, color in ((60, "red"), (220, "blue")):
        canvas.setStrokeColor(color)
        canvas.setFillColor(color)
        canvas.rect(left, 250, 100, 100, fill=1)
        canvas.drawString(left - 20, 300, "5")
        canvas.drawString(left + 30, 235, "Minutes")
    canvas.drawString(60, 210, "Figure 1: Above its caption")
    canvas.setFillColor("green")
    canvas.rect(100, 60, 100, 100, fill=1)
    canvas.drawString(100, 40, "Figure 2: A caption of its own")
    canvas.save()
    (root / "panels.pdf").write_bytes(file.getvalue())
    index.add(root / "panels.pdf")
    figures = figures_of(index, "panels.pdf")
    panels, single = (Image.open(io.BytesIO(figures.read(each.number).data)).convert("RGB") for each in figures.list())
    assert panels.size == pytest.approx((2 * (320 - 40), 2 * (350 - 232)), abs=12)
    colors = {color for _, color in panels.getcolors(1 << 20) or ()}
    assert {(255, 0, 0), (0, 0, 255)} <= colors
    assert single.size == pytest.approx((200, 200), abs=12)
