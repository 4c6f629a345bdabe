"""Books: reading order, titles of the table of contents, protection."""

from __future__ import annotations

import pytest
from tests.extract.archives import change_zip, make_zip
from tests.extract.sound import headings, kinds, read_soundly

from crosshead.errors import CorruptFile, EncryptedFile
from crosshead.extract import extract

pytest.importorskip("crosshead.extract.readers.html")

XHTML = 'xmlns="http://www.w3.org/1999/xhtml"'
PACKAGE = """<package xmlns="http://www.idpf.org/2007/opf">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>My book</dc:title></metadata>
<manifest>
<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>
<item id="a" href="a.xhtml" media-type="application/xhtml+xml"/>
<item id="b" href="b%20c.xhtml" media-type="application/xhtml+xml"/>
<item id="cover" href="cover.xhtml" media-type="application/xhtml+xml"/>
<item id="style" href="style.css" media-type="text/css"/>
</manifest>
<spine><itemref idref="cover"/><itemref idref="b"/><itemref idref="a"/><itemref idref="style"/>
<itemref idref="x"/></spine>
</package>"""
BOOK = {
    "mimetype": "application/epub+zip",
    "META-INF/container.xml": '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="OEBPS/content.opf"/></rootfiles></container>',
    "OEBPS/content.opf": PACKAGE,
    "OEBPS/nav.xhtml": f'<html {XHTML}><body><nav><ol><li><a href="b%20c.xhtml#top">The <i>second</i></a></li>'
    '<li><a href="b%20c.xhtml#part">A part</a></li></ol></nav></body></html>',
    "OEBPS/toc.ncx": '<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap><navPoint>'
    '<navLabel><text>Old title</text></navLabel><content src="b%20c.xhtml"/></navPoint></navMap></ncx>',
    "OEBPS/cover.xhtml": f'<html {XHTML}><head><title>Cover</title></head><body><img src="x.png"/></body></html>',
    "OEBPS/b c.xhtml": f"<html {XHTML}><body><p>No heading here.</p></body></html>",
    "OEBPS/a.xhtml": f"<html {XHTML}><body><h1>First</h1><ul><li>x</li></ul><pre>code</pre></body></html>",
    "OEBPS/style.css": "p { color: red }",
}  # fmt: skip


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
    assert "OEBPS/a.xhtml is missing in the book and left out" in caplog.text


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
