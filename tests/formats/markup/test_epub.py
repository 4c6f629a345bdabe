"""Books: reading order, titles of the table of contents, protection."""

from __future__ import annotations

import pytest
from tests.formats.archives import change_zip, make_zip
from tests.formats.markup.epub_files import BOOK, PACKAGE, XHTML
from tests.formats.sound import headings, kinds, read_soundly

import crosshead
from crosshead.errors import CorruptFile, EncryptedFile, ExtractError
from crosshead.formats import extract

pytest.importorskip("crosshead.formats.markup.html")


def test_documents_in_reading_order_with_titles() -> None:
    document = read_soundly(make_zip(BOOK), "epub")
    assert headings(document) == [(1, "The second"), (1, "First")]
    assert kinds(document) == ["heading", "paragraph", "heading", "list", "code"]


def test_title_of_the_older_table_of_contents() -> None:
    package = PACKAGE.replace(' properties="nav"', "")
    assert headings(read_soundly(make_zip({**BOOK, "OEBPS/content.opf": package}), "epub"))[0] == (1, "Old title")


def test_broken_table_of_contents_is_reported(caplog: pytest.LogCaptureFixture) -> None:
    assert "No heading here." in extract(make_zip({**BOOK, "OEBPS/nav.xhtml": "<a>", "OEBPS/toc.ncx": "<a>"}), "epub")
    assert "the table of contents is left out" in caplog.text


def test_document_that_is_missing_is_reported(caplog: pytest.LogCaptureFixture) -> None:
    assert "No heading here." in extract(change_zip(make_zip(BOOK), {"OEBPS/a.xhtml": None}), "epub")
    assert "OEBPS/a.xhtml is missing from the book and left out" in caplog.text


def test_package_is_found_without_a_container() -> None:
    assert "No heading here." in extract(change_zip(make_zip(BOOK), {"META-INF/container.xml": None}), "epub")


def test_protected_book_says_so() -> None:
    encryption = '<encryption xmlns:e="x"><e:CipherReference URI="OEBPS/{}"/></encryption>'
    fonts = {"META-INF/encryption.xml": encryption.format("font.otf")}
    assert "First" in extract(make_zip({**BOOK, **fonts}), "epub")
    with pytest.raises(EncryptedFile, match="protected"):
        extract(make_zip({**BOOK, "META-INF/encryption.xml": encryption.format("a.xhtml")}), "epub")


@pytest.mark.parametrize(
    "data",
    [b"", make_zip({"a": "b"}), make_zip({**BOOK, "OEBPS/content.opf": "<a>"}), make_zip(BOOK)[:500],
     change_zip(make_zip(BOOK), {"OEBPS/content.opf": None})],
)  # fmt: skip
def test_broken_books_say_so(data: bytes) -> None:
    with pytest.raises(CorruptFile):
        extract(data, "epub")


def chapter(body: str) -> str:
    return f'<html {XHTML} xmlns:epub="http://www.idpf.org/2007/ops"><body>{body}</body></html>'


def test_author_and_description_are_front_matter() -> None:
    more = (
        '<dc:creator id="a">Ann "The Pen" Lee</dc:creator><dc:creator id="b">Bo</dc:creator><dc:creator '
        'xmlns:opf="http://www.idpf.org/2007/opf" opf:role="ill">Cy</dc:creator><dc:creator id="d">Di</dc:creator>'
        '<meta refines="#b" property="role">aut</meta><meta refines="#d" property="role">trl</meta>'
        "<dc:description>&lt;p&gt;All about &lt;b&gt;books&lt;/b&gt; &amp;amp; more&lt;/p&gt;</dc:description>"
        "</metadata>"
    )
    document = read_soundly(make_zip({**BOOK, "OEBPS/content.opf": PACKAGE.replace("</metadata>", more)}), "epub")
    assert document.front_matter == {"author": ['Ann "The Pen" Lee', "Bo"], "description": "All about books & more"}
    assert document.title == "My book"
    assert crosshead.chunk(document)[0].metadata["front_matter"]["description"] == "All about books & more"


def test_book_without_text_is_an_error_whatever_it_says_about_itself() -> None:
    named = PACKAGE.replace("</metadata>", "<dc:creator>Ann</dc:creator></metadata>")
    empty = {name: chapter("") for name in ("OEBPS/a.xhtml", "OEBPS/b c.xhtml")}
    with pytest.raises(ExtractError, match="no text"):
        extract(make_zip({**BOOK, "OEBPS/content.opf": named, **empty}), "epub")


def test_notes_of_all_chapters_are_footnotes_with_labels_of_their_own() -> None:
    pages = {
        "OEBPS/b c.xhtml": chapter(
            '<p>One<a epub:type="noteref" href="#n1">1</a>, two<a epub:type="noteref" href="a.xhtml#n1">2</a>.</p>'
            '<aside id="n1" epub:type="footnote"><p>Here <a href="#r1">↩</a></p></aside>'
        ),
        "OEBPS/a.xhtml": chapter(
            '<h1>Notes</h1><p>Three<a role="doc-noteref" href="./a.xhtml#n3">1</a> <a href="b%20c.xhtml#n9">plain</a>'
            '</p><section epub:type="rearnotes"><ol><li id="n1"><p>There is more <a href="b%20c.xhtml#r">2</a></p></li>'
            '<li id="n3">The end of it</li></ol></section>'
        ),
    }
    text = read_soundly(make_zip({**BOOK, **pages}), "epub").text
    assert text == (
        "# The second\n\nOne[^1], two[^2].\n\n[^1]: Here\n\n"
        "# Notes\n\nThree[^1-3] [plain](b%20c.xhtml#n9)\n\n[^2]: There is more\n\n[^1-3]: The end of it\n"
    )


def test_formulas_of_a_book() -> None:
    page = chapter(
        '<p>So <math xmlns="http://www.w3.org/1998/Math/MathML"><msup><mi>x</mi><mn>2</mn></msup></math>.</p>'
    )
    assert "So $x^{2}$." in extract(make_zip({**BOOK, "OEBPS/a.xhtml": page}), "epub")


def test_pictures_and_recordings_are_counted(caplog: pytest.LogCaptureFixture) -> None:
    page = chapter('<p>x</p><img src="a.png"/><img src="b.png" alt=""/><img src="c.png" alt="C"/><audio src="d.mp3"/>')
    assert "![C](c.png)" in extract(make_zip({**BOOK, "OEBPS/a.xhtml": page}), "epub")
    assert caplog.messages == ["1 picture without alternative text is left out", "1 recording is left out"]


def test_notes_in_vast_numbers_take_no_time() -> None:
    links = "".join([f'<a epub:type="noteref" href="a.xhtml#n{at}">1</a>' for at in range(20_000)])
    notes = "".join([f'<aside id="n{at}">Note {at} of many</aside>' for at in range(20_000)])
    pages = {"OEBPS/b c.xhtml": chapter(f"<p>{links}</p>"), "OEBPS/a.xhtml": chapter(notes)}
    assert "[^1-20000]: Note 19999 of many" in extract(make_zip({**BOOK, **pages}), "epub")
