"""Presentations, made with python-pptx."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pytest
from pptx import Presentation
from pptx.util import Inches
from tests.formats.archives import change_zip, make_zip, read_part
from tests.formats.compound_files import make_compound
from tests.formats.sound import headings, kinds, read_soundly

import crosshead
from crosshead.errors import CorruptFile, EncryptedFile, ExtractError, TooLarge, UnsupportedFormat
from crosshead.formats import extract
from crosshead.formats.shared.containers import archive

TITLE, BODY, TITLE_ONLY, BLANK = 0, 1, 5, 6
TEXT_BOX = (0, 0, Inches(2), Inches(1))


def deck(*fill: Callable[[Any], None]) -> bytes:
    """A presentation that the functions add slides to."""
    presentation = Presentation()
    for each in fill:
        each(presentation)
    file = io.BytesIO()
    presentation.save(file)
    return file.getvalue()


def add(presentation: Any, layout: int, title: str = "") -> Any:
    slide = presentation.slides.add_slide(presentation.slide_layouts[layout])
    if title:
        slide.shapes.title.text = title
    return slide


def add_bullets(presentation: Any) -> None:
    slide = add(presentation, BODY, "Agenda # 1")
    frame = slide.placeholders[1].text_frame
    frame.text = "One"
    for text, level in (("One a", 1), ("One a i", 2), ("", 0), ("2. *Two*", 0), ("one\vtwo", 1)):
        paragraph = frame.add_paragraph()
        paragraph.text, paragraph.level = text, level


def test_titles_and_bullets() -> None:
    document = read_soundly(deck(lambda each: add(each, TITLE, "The deck"), add_bullets), "pptx")
    assert headings(document) == [(1, "The deck"), (2, "Agenda # 1")]
    assert document.text.endswith("- One\n  - One a\n    - One a i\n- 2\\. \\*Two\\*\n  - one\n    two\n")


def test_slide_without_a_title_is_named_by_its_number() -> None:
    def fill(presentation: Any) -> None:
        add(presentation, BLANK).shapes.add_textbox(*TEXT_BOX).text_frame.text = "1. Some text"

    assert extract(deck(fill), "pptx") == "## Slide 1\n\n1\\. Some text\n"


def test_citation_names_the_slide() -> None:
    document = read_soundly(deck(add_bullets, add_bullets, add_bullets), "pptx", "deck.pptx")
    chunks = crosshead.chunk(document, max_tokens=30, min_tokens=1)
    assert chunks[0].citation == "deck.pptx slide 1"
    assert chunks[-1].citation == "deck.pptx slide 3"


def test_tables_with_merged_cells() -> None:
    def fill(presentation: Any) -> None:
        table = add(presentation, TITLE_ONLY, "Table").shapes.add_table(3, 3, *TEXT_BOX).table
        for row in range(3):
            for column in range(3):
                table.cell(row, column).text = f"{row}|{column}"
        for origin, other in (((1, 0), (2, 0)), ((1, 1), (1, 2))):
            table.cell(*other).text = ""
            table.cell(*origin).merge(table.cell(*other))

    document = read_soundly(deck(fill), "pptx")
    assert kinds(document) == ["heading", "table"]
    assert "| 0\\|0 | 0\\|1 | 0\\|2 |\n| --- | --- | --- |\n| 1\\|0 | 1\\|1 | 1\\|1 |\n| 1\\|0 |" in document.text


def test_notes_are_a_quote() -> None:
    def fill(presentation: Any) -> None:
        add(presentation, TITLE_ONLY, "A").notes_slide.notes_text_frame.text = "Speak\n# slowly"

    assert extract(deck(fill), "pptx") == "## A\n\n> Notes: Speak\n>\n> \\# slowly\n"


def test_links_groups_and_alternative_texts() -> None:
    def fill(presentation: Any) -> None:
        slide = add(presentation, TITLE_ONLY, "A")
        group = slide.shapes.add_group_shape()
        run = group.shapes.add_textbox(*TEXT_BOX).text_frame.paragraphs[0].add_run()
        run.text, run.hyperlink.address = "the *page*", "https://example.org/a b"

    assert "[the \\*page\\*](https://example.org/a%20b)" in extract(deck(fill), "pptx")


def test_numbered_and_monospace_paragraphs() -> None:
    def fill(presentation: Any) -> None:
        frame = add(presentation, TITLE_ONLY, "A").shapes.add_textbox(*TEXT_BOX).text_frame
        for text in ("first", "second"):
            paragraph = frame.add_paragraph()
            paragraph.text = text
            paragraph._p.get_or_add_pPr().insert(0, paragraph._p.makeelement(f"{A}buAutoNum", {"type": "arabicPeriod"}))
        run = frame.add_paragraph().add_run()
        run.text, run.font.name = "x = *y*", "Courier New"

    assert extract(deck(fill), "pptx").endswith("1. first\n2. second\n\n```\nx = *y*\n```\n")


A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"


def test_layout_may_take_the_bullets_away() -> None:
    data = deck(add_bullets)
    layout = "ppt/slideLayouts/slideLayout2.xml"
    text = read_part(data, layout)
    at = text.index('<p:ph idx="1"')
    body = text[at:].replace("<a:lstStyle/>", "<a:lstStyle><a:lvl1pPr><a:buNone/></a:lvl1pPr></a:lstStyle>", 1)
    changed = change_zip(data, {layout: text[:at] + body})
    assert "\n\nOne\n\n- One a\n" in extract(changed, "pptx")


def test_pictures_diagrams_and_alternative_content() -> None:
    data = deck(lambda each: add(each, TITLE_ONLY, "A"))
    slide, relations = "ppt/slides/slide1.xml", "ppt/slides/_rels/slide1.xml.rels"
    shapes = (
        '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice '
        'Requires="x"><p:pic><p:nvPicPr><p:cNvPr id="9" name="x" descr="A red car"/><p:cNvPicPr/><p:nvPr/></p:nvPicPr>'
        '</p:pic></mc:Choice><mc:Fallback/></mc:AlternateContent><p:pic><p:nvPicPr><p:cNvPr id="8" name="x" '
        'descr="Picture 7"/></p:nvPicPr></p:pic><p:graphicFrame><a:graphic><a:graphicData><dgm:relIds '
        'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" r:dm="rId77"/></a:graphicData>'
        "</a:graphic></p:graphicFrame></p:spTree>"
    )
    changed = change_zip(data, {
        slide: read_part(data, slide).replace("</p:spTree>", shapes),
        relations: read_part(data, relations).replace(
            "</Relationships>", '<Relationship Id="rId77" Type="x/diagramData" Target="../d.xml"/></Relationships>'
        ),
        "ppt/d.xml": f'<d xmlns:a="{A[1:-1]}"><a:p><a:r><a:t>Step one</a:t></a:r></a:p><a:p/></d>',
    })  # fmt: skip
    assert extract(changed, "pptx") == "## A\n\nA red car\n\n- Step one\n"


def test_links_of_notes_are_those_of_their_part() -> None:
    def fill(presentation: Any) -> None:
        slide = add(presentation, TITLE_ONLY, "A")
        run = slide.notes_slide.notes_text_frame.paragraphs[0].add_run()
        run.text, run.hyperlink.address = "see", "https://example.org/notes"
        box = slide.shapes.add_textbox(*TEXT_BOX).text_frame.paragraphs[0].add_run()
        box.text, box.hyperlink.address = "look", "https://example.org/slide"

    text = extract(deck(fill), "pptx")
    assert "[look](https://example.org/slide)" in text
    assert "> Notes: [see](https://example.org/notes)" in text


def test_slide_that_is_missing_is_reported_and_counted(caplog: pytest.LogCaptureFixture) -> None:
    data = change_zip(deck(*[add_bullets] * 3), {"ppt/slides/slide2.xml": None})
    document = read_soundly(data, "pptx", "deck.pptx")
    assert [chunk.page_end for chunk in crosshead.chunk(document)] == [1, 3]
    assert "slide 2 is missing" in caplog.text


def test_deck_without_relationships_of_the_package() -> None:
    data = change_zip(deck(add_bullets), {"_rels/.rels": None})
    assert extract(data, "pptx") == extract(deck(add_bullets), "pptx")


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("My deck", "My deck"),
        ("PowerPoint basics", "PowerPoint basics"),
        ("PowerPoint Presentation", "deck.pptx"),
        ("PowerPoint-Präsentation", "deck.pptx"),
        ("Présentation PowerPoint", "deck.pptx"),
        ("Presentación de PowerPoint", "deck.pptx"),
    ],
)
def test_title_of_the_properties_unless_it_is_a_default(title: str, expected: str) -> None:
    def fill(presentation: Any) -> None:
        presentation.core_properties.title = title
        add(presentation, TITLE_ONLY, "A")

    assert read_soundly(deck(fill), "pptx", "deck.pptx").title == expected


def test_broken_files_say_what_to_do() -> None:
    data = deck(add_bullets)
    for broken in (b"", b"PK\x03\x04", data[: len(data) // 2], b"x" * 100, make_zip({"a": "b"})):
        with pytest.raises(CorruptFile):
            extract(broken, "pptx")
    with pytest.raises(CorruptFile, match="not valid XML"):
        extract(change_zip(data, {"ppt/slides/slide1.xml": "<a>"}), "pptx")
    bomb = '<!DOCTYPE a [<!ENTITY b "x">]><a>&b;</a>'
    with pytest.raises(CorruptFile, match="entities"):
        extract(change_zip(data, {"ppt/slides/slide1.xml": bomb}), "pptx")
    with pytest.raises(CorruptFile, match="main part"):
        extract(change_zip(data, {"ppt/presentation.xml": None}), "pptx")


def test_old_and_encrypted_files_say_what_to_do() -> None:
    compound = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)
    with pytest.raises(UnsupportedFormat, match="save it as PPTX"):
        extract(compound, "pptx")
    with pytest.raises(EncryptedFile):
        extract(make_compound({"EncryptedPackage": b"x"}), "pptx")


def test_presentation_without_text_is_an_error() -> None:
    with pytest.raises(ExtractError, match="no text found"):
        extract(deck(), "pptx")


def test_bomb_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MAX_UNPACKED_BYTES", 20 << 20)
    data = change_zip(deck(add_bullets), {"ppt/slides/slide1.xml": b"<a>" + b" " * (30 << 20) + b"</a>"})
    with pytest.raises(TooLarge, match="MiB"):
        extract(data, "pptx")
