"""Pages of documents that have none in their file: LibreOffice prints them, where it is installed."""

from __future__ import annotations

import re
import shutil
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import httpx
import pypdfium2
import pytest
from pptx import Presentation
from tests.server.running import serving

from crosshead.errors import NoSuchPage
from crosshead.formats import has_pages, print_as_pdf
from crosshead.ids import document_id
from crosshead.index import Index
from crosshead.types import Location, PictureSize, TextSpan

needs_libreoffice = pytest.mark.skipif(
    shutil.which("soffice") is None,
    reason="LibreOffice is not installed: apt-get install libreoffice-writer libreoffice-impress",
)
SPACES = "urn:oasis:names:tc:opendocument:xmlns"
TEXT = (
    '<?xml version="1.0" encoding="UTF-8"?>'
    f'<office:document xmlns:office="{SPACES}:office:1.0" xmlns:text="{SPACES}:text:1.0" office:version="1.2" '
    'office:mimetype="application/vnd.oasis.opendocument.text">'
    "<office:body><office:text>BLOCKS</office:text></office:body></office:document>"
)
AGREEMENT = Path(__file__).parents[2] / "examples/docs/agreement.docx"
FILLER = "Each valve is opened slowly, because cold water in a hot pipe makes the flanges leak. " * 6


def report(chapters: int) -> str:
    """Return a text of many pages, whose chapters look alike, as OpenDocument."""
    blocks = [
        f'<text:h text:outline-level="1">Chapter {number}</text:h><text:h text:outline-level="2">Notes</text:h>'
        + f"<text:p>Valve {number}. {FILLER}</text:p>" * 2
        for number in range(1, chapters + 1)
    ]
    return TEXT.replace("BLOCKS", "".join(blocks))


def words_in(pdf: bytes, location: Location) -> list[tuple[int, str]]:
    """Return the page and the words of each rectangle."""
    found = []
    with pypdfium2.PdfDocument(pdf) as document:
        for shown in location.pages:
            textpage = document[shown.page - 1].get_textpage()
            for box in shown.boxes:
                bottom = shown.height - box.top - box.height
                text = textpage.get_text_bounded(box.left, bottom, box.left + box.width, bottom + box.height)
                found.append((shown.page, " ".join(text.split())))
    return found


def test_without_libreoffice_the_error_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    shutil.copy(AGREEMENT, tmp_path / "a.docx")
    (tmp_path / "a.md").write_text("# A\n\nText.\n")
    with Index(tmp_path / ".crosshead", embedder="static") as index:
        index.add(tmp_path)
        with pytest.raises(
            NoSuchPage, match=r"a\.docx: docx documents have no pages: install LibreOffice.*or read the"
        ):
            index.pages(document_id("a.docx"))
        with pytest.raises(NoSuchPage, match="markdown documents have no pages: read the text instead"):
            index.pages(document_id("a.md"))
    assert [has_pages(format) for format in ("pdf", "docx", "odp", "markdown")] == [True, False, False, False]


@needs_libreoffice
def test_chapters_that_look_alike_are_found_on_their_pages(tmp_path: Path) -> None:
    (tmp_path / "report.fodt").write_text(report(24))
    with Index(tmp_path / ".crosshead", embedder="static") as index:
        index.add(tmp_path / "report.fodt")
        file = index.pages(document_id("report.fodt"))
        assert file
        file, text = file.printed(), file.document.text
        assert file.view(1).pages > 3
        for number in (1, 5, 24):
            start = text.index(f"# Chapter {number}\n")
            location = file.locate(TextSpan(file.document.id, start, text.index(f"Valve {number}.", start)))
            shown = words_in(file.pdf, location)
            assert [words for _, words in shown] == [f"Chapter {number}", "Notes"]
            assert location.share == 1
            with pypdfium2.PdfDocument(file.pdf) as printed:
                assert f"Chapter {number}\r" in printed[shown[0][0] - 1].get_textpage().get_text_range()
            view = file.view(0, TextSpan(file.document.id, start, start + 12))
            assert view.page == shown[0][0]
            assert view.start <= start < view.end


@needs_libreoffice
def test_a_word_document_is_shown_as_pages(tmp_path: Path) -> None:
    shutil.copy(AGREEMENT, tmp_path / "a.docx")
    with Index(tmp_path / ".crosshead", embedder="static") as index:
        index.add(tmp_path / "a.docx")
        (file,) = [file.printed() for file in [index.pages(document_id("a.docx"))] if file]
        start = file.document.text.index("## ")
        end = file.document.text.index("\n", start)
        location = index.locate(TextSpan(file.document.id, start, end))
        assert " ".join(words for _, words in words_in(file.pdf, location)) == file.document.text[start + 3 : end]


@needs_libreoffice
def test_pages_of_slides_have_their_numbers_though_one_is_hidden(tmp_path: Path) -> None:
    presentation = Presentation()
    for title in ("Start", "Hidden", "End"):
        presentation.slides.add_slide(presentation.slide_layouts[5]).shapes.title.text = title
    presentation.slides[1]._element.set("show", "0")
    presentation.save(tmp_path / "a.pptx")
    with Index(tmp_path / ".crosshead", embedder="static") as index:
        index.add(tmp_path / "a.pptx")
        (file,) = [file.printed() for file in [index.pages(document_id("a.pptx"))] if file]
        start = file.document.text.index("End")
        assert words_in(file.pdf, file.locate(TextSpan(file.document.id, start, start + 3))) == [(3, "End")]


@needs_libreoffice
def test_page_with_marks_over_http(tmp_path: Path) -> None:
    (tmp_path / "report.fodt").write_text(report(24))
    with Index(tmp_path / ".crosshead", embedder="static") as index:
        index.add(tmp_path / "report.fodt")
        id = document_id("report.fodt")
        with serving(index) as url:
            blocks = httpx.get(f"{url}v1/documents/{id}/blocks", timeout=60).json()
            start = blocks["text"].index("# Chapter 24")
            params = {"highlight": f"{start}-{start + 12}"}
            view = httpx.get(f"{url}v1/documents/{id}/pages/0", params=params, timeout=60).json()
            picture = httpx.get(f"{url}v1/documents/{id}/pages/{view['page']}.png", params=params, timeout=60)
        assert blocks["has_pages"]
        assert view["page"] > 2
        assert len(view["boxes"]) == 1
        assert picture.content.startswith(b"\x89PNG")
        file = index.pages(id)
        assert file
        assert picture.content == file.draw(view["page"], PictureSize(), TextSpan(id, start, start + 12))


class _Asked(BaseHTTPRequestHandler):
    """Refuses every request, and keeps it."""

    requests: list[str]

    def log_message(self, format: str, *args: object) -> None:
        self.requests.append(self.requestline)


@needs_libreoffice
def test_printing_follows_no_links_and_runs_no_macros(tmp_path: Path) -> None:
    _Asked.requests = []
    server = HTTPServer(("127.0.0.1", 0), _Asked)
    Thread(target=server.serve_forever, daemon=True).start()
    (tmp_path / "secret.txt").write_text("SECRET")
    template = (Path(__file__).parent / "linking.fodt").read_text()
    places = {"FOLDER": str(tmp_path), "PORT": str(server.server_port)}
    data = re.sub("FOLDER|PORT", lambda name: places[name[0]], template).encode()
    try:
        with pypdfium2.PdfDocument(print_as_pdf(data, "odt")) as document:
            text = document[0].get_textpage().get_text_range()
    finally:
        server.shutdown()
        server.server_close()
    assert "The valve is opened by the engineer." in text
    assert "SECRET" not in text
    assert _Asked.requests == []
    assert not (tmp_path / "ran").exists()
