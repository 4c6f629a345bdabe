"""Comments on slides, of both kinds."""

from __future__ import annotations

import io

import pytest
from pptx import Presentation
from tests.formats.archives import change_zip, read_part

from crosshead.formats import extract

P = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
NEW = (
    'xmlns:n="http://schemas.microsoft.com/office/powerpoint/2018/8/main" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
)
SLIDE, BOOK = "ppt/slides/_rels/slide1.xml.rels", "ppt/_rels/presentation.xml.rels"


def commented(comments: str, authors: str, kind: str) -> bytes:
    presentation = Presentation()
    presentation.slides.add_slide(presentation.slide_layouts[5]).shapes.title.text = "A"
    file = io.BytesIO()
    presentation.save(file)
    data = file.getvalue()

    def with_relation(part: str, kind: str, target: str) -> str:
        added = f'<Relationship Id="rId99" Type="x/{kind}" Target="{target}"/></Relationships>'
        return read_part(data, part).replace("</Relationships>", added)

    return change_zip(data, {
        SLIDE: with_relation(SLIDE, "comments", "../comments/c.xml"),
        BOOK: with_relation(BOOK, kind, "who.xml"),
        "ppt/comments/c.xml": comments,
        "ppt/who.xml": authors,
    })  # fmt: skip


OLD = commented(
    f'<p:cmLst {P}><p:cm authorId="0"><p:text>Is it *true*?\n# Yes</p:text></p:cm><p:cm authorId="7"><p:text>'
    "Hm</p:text></p:cm><p:cm/></p:cmLst>",
    f'<p:cmAuthorLst {P}><p:cmAuthor id="0" name="Ann"/></p:cmAuthorLst>',
    "commentAuthors",
)


def test_older_comments_are_quotes() -> None:
    text = extract(OLD, "pptx", comments=True)
    assert text == "## A\n\n> Comment by Ann: Is it \\*true\\*?\n> \\# Yes\n\n> Comment: Hm\n"


def test_newer_comments_have_replies() -> None:
    said = "<n:txBody><a:p><a:r><a:t>{}</a:t></a:r></a:p></n:txBody>"
    comments = (
        f'<n:cmLst {NEW}><n:cm authorId="{{A}}"><n:replyLst><n:reply authorId="{{B}}">{said.format("Done")}</n:reply>'
        f"</n:replyLst>{said.format('Fix this')}</n:cm></n:cmLst>"
    )
    authors = f'<n:authorLst {NEW}><n:author id="{{A}}" name="Ann"/><n:author id="{{B}}" name="Bo"/></n:authorLst>'
    text = extract(commented(comments, authors, "authors"), "pptx", comments=True)
    assert text == "## A\n\n> Comment by Ann: Fix this\n>\n> Bo: Done\n"


def test_comments_that_nobody_asked_for_are_counted(caplog: pytest.LogCaptureFixture) -> None:
    assert extract(OLD, "pptx") == "## A\n"
    assert caplog.messages == ["2 comments are left out: keep them with the option comments"]


def test_broken_comments_are_reported(caplog: pytest.LogCaptureFixture) -> None:
    assert extract(change_zip(OLD, {"ppt/comments/c.xml": "<a>"}), "pptx", comments=True) == "## A\n"
    assert "ppt/comments/c.xml is left out" in caplog.text
