"""Run the stages: the bytes of a PDF -> Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple

from crosshead.errors import CorruptFile, EncryptedFile
from crosshead.formats.base import Extracted
from crosshead.formats.pdf.layout.columns import measure_columns, usual_leading
from crosshead.formats.pdf.layout.continued_headings import remove_continued
from crosshead.formats.pdf.layout.furniture import remove_furniture
from crosshead.formats.pdf.layout.rows import build_segments
from crosshead.formats.pdf.order import lay_out
from crosshead.formats.pdf.page import native
from crosshead.formats.pdf.page.damage import Contents, check_contents
from crosshead.formats.pdf.page.forms import draw_fields, open_form
from crosshead.formats.pdf.page.legibility import is_garbled, is_scan
from crosshead.formats.pdf.page.notes import attachment_warnings, read_notes
from crosshead.formats.pdf.page.outline import Bookmark, mark_outline, read_outline, titles_by_page
from crosshead.formats.pdf.page.repair import repair
from crosshead.formats.pdf.page.rules import RuleReader
from crosshead.formats.pdf.page.shapes import Drawn, PdfPage, Word
from crosshead.formats.pdf.page.tags import read_tags
from crosshead.formats.pdf.page.words import TextReader
from crosshead.formats.pdf.page.words.word_by_word import join_pieces
from crosshead.formats.pdf.structure.blocks import BlockBuilder, iter_rows
from crosshead.formats.pdf.structure.headings import mark_headings
from crosshead.formats.pdf.tables.repeated_labels import restore_labels
from crosshead.formats.pdf.write import MarkdownWriter
from crosshead.options import ExtractOptions

_HEAD: Final = 1024
"""A PDF may have other bytes in front of its mark."""
_MOSTLY_MONO: Final = 0.7
_FILE_NAME: Final = re.compile(r"^\S+\.\w{1,5}$|^(?:microsoft word|untitled|document)\b|^\W*$", re.I)


def has_pdf_mark(data: bytes) -> bool:
    """Return whether the bytes begin like a PDF."""
    return b"%PDF-" in data[:_HEAD]


class DrawnDocument(NamedTuple):
    """What is drawn on the pages of a PDF."""

    pages: Sequence[Drawn]
    entries: Sequence[Bookmark] = ()
    """Its outline."""
    title: str = ""
    warnings: tuple[str, ...] = ()


def read_pdf(data: bytes, _options: ExtractOptions) -> Extracted:
    """Read the text layer of a PDF."""
    return write_pages(read_drawn(data))


def read_drawn(data: bytes) -> DrawnDocument:
    """Return what is drawn on the pages of a PDF."""
    if not data:
        raise CorruptFile("the PDF is empty: 0 bytes")
    with native.LOCK:
        return read_document(data)


def write_pages(document: DrawnDocument) -> Extracted:
    """Lay out pages, and write them as Markdown."""
    drawn, entries, title, _ = document
    warnings = [*document.warnings]
    titles = titles_by_page(entries)
    pages = [
        PdfPage(page.number, lay_out(page, titles.get(index, ())))
        for index, page in enumerate(restore_labels(drawn, remove_furniture(drawn, titles, warnings)))
    ]
    mark_outline(pages, entries)
    remove_continued(pages)
    measure_columns(pages)
    mark_headings(pages, entries)
    all_mono = _is_all_mono(pages)
    blocks = BlockBuilder(usual_leading(pages), all_mono=all_mono).build(pages)
    text, page_starts = MarkdownWriter(_vocabulary(pages), all_mono=all_mono).write(blocks)
    return Extracted(text, title=title, pages=page_starts, warnings=(*warnings, *describe_damage(drawn)))


def describe_damage(drawn: Sequence[Drawn]) -> tuple[str, ...]:
    """Return a warning that names the pages with missing parts."""
    damaged = [page.number for page in drawn if page.is_damaged]
    if not damaged:
        return ()
    return (f"the PDF is damaged: text may be missing on {name_pages(damaged)}; get a complete copy",)


def read_document(data: bytes) -> DrawnDocument:
    """Return what is drawn on the pages; the caller holds `native.LOCK`."""
    warnings: list[str] = []
    document = open_document(data, warnings)
    try:
        if not len(document):
            raise CorruptFile("the PDF has no pages: it may be truncated; get a complete copy")
        pages = _read_pages(document, warnings)
        return DrawnDocument(pages, read_outline(document), _title(document), tuple(warnings))
    finally:
        document.close()


def open_document(data: bytes, warnings: list[str]) -> Any:
    """Open a PDF; the caller holds `native.LOCK`, and closes the document."""
    pdfium, raw = native.pdfium(), native.raw()
    try:
        return pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        if raw.FPDF_GetLastError() in (raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY):
            raise EncryptedFile("the PDF is encrypted: save a copy without a password") from error
        return _open_repaired(data, warnings)


def _open_repaired(data: bytes, warnings: list[str]) -> Any:
    repaired = repair(data) if has_pdf_mark(data) else None
    if repaired:
        with suppress(native.pdfium().PdfiumError):
            document = native.pdfium().PdfDocument(repaired)
            if _has_text(document):
                warnings.append("the PDF is damaged and was repaired: pages or parts of them may be missing")
                return document
            document.close()
    raise CorruptFile("not a PDF, a damaged one, or one without pages: get a complete copy, or repair it")


def _has_text(document: Any) -> bool:
    for page in document:
        textpage = page.get_textpage()
        count = textpage.count_chars()
        textpage.close()
        page.close()
        if count > 0:
            return True
    return False


def _read_pages(document: Any, warnings: list[str]) -> list[Drawn]:
    texts, rules = TextReader(), RuleReader()
    is_tagged = bool(native.raw().FPDFCatalog_IsTagged(document))
    contents = _check_pages(document, warnings)
    is_form = open_form(document, warnings)
    pages: list[Drawn] = []
    for index, state in enumerate(contents):
        try:
            page = document[index]
            notes = read_notes(page)
            page = draw_fields(document, page, index, warnings) if is_form else page
        except native.pdfium().PdfiumError:
            pages.append(Drawn(index + 1, is_empty=True, is_damaged=True))
        else:
            drawn = _read_page(page, index, texts, rules, notes, is_tagged=is_tagged)
            is_damaged = state.is_broken or (drawn.is_empty and state.paints)
            pages.append(drawn._replace(is_damaged=is_damaged))
    return pages


def _check_pages(document: Any, warnings: list[str]) -> list[Contents]:
    """Return the state of the pages that can be read, which may be fewer than the file declares."""
    warnings += attachment_warnings(document)
    contents, count = check_contents(document), len(document)
    if len(contents) > count:
        warnings.append(f"the PDF is damaged: only {count} of its {len(contents)} pages are read; repair it")
    return contents[:count] or [Contents()] * count


def _read_page(
    page: Any, index: int, texts: TextReader, rules: RuleReader, notes: Sequence[Word], *, is_tagged: bool
) -> Drawn:
    try:
        textpage = page.get_textpage()
        words = texts.read(textpage, read_tags(page) if is_tagged else {})
        garbled = is_garbled(textpage, texts.text)
        textpage.close()
        drawn, has_images = rules.read(page, texts.quarter)
        width, height = page.get_size()
        segments = build_segments([*words, *notes])
        join_pieces(segments)
        raw = native.raw()
        return Drawn(
            index + 1,
            (round(width), round(height)),
            segments,
            drawn,
            has_images,
            is_empty=not segments and not raw.FPDFPage_CountObjects(page) and not raw.FPDFPage_GetAnnotCount(page),
            is_garbled=garbled,
            is_scan=has_images and bool(segments) and is_scan(page, texts.text),
        )
    finally:
        page.close()


def _title(document: Any) -> str:
    """Return the title in the metadata, unless it is a file name or a program's default."""
    entry = native.text_of(lambda: str(document.get_metadata_value("Title")))
    title = " ".join(entry.replace("\0", " ").split())
    return "" if _FILE_NAME.search(title) else title


def name_pages(numbers: Sequence[int]) -> str:
    """Return page numbers as people write them: `pages 3, 7-9`."""
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and number == ranges[-1][1] + 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    names = [str(first) if first == last else f"{first}-{last}" for first, last in ranges[:20]]
    more = ", ..." if len(ranges) > 20 else ""
    return f"page{'s' if len(numbers) > 1 else ''} {', '.join(names)}{more}"


def _is_all_mono(pages: Iterable[PdfPage]) -> bool:
    """Return whether the document is in a typewriter's font, so that the font does not show code."""
    total = mono = 0
    for row in iter_rows(pages):
        total += len(row.text)
        mono += len(row.text) * row.style.mono
    return mono > _MOSTLY_MONO * total


def _vocabulary(pages: Iterable[PdfPage]) -> set[str]:
    words: set[str] = set()
    for row in iter_rows(pages):
        words.update(row.text.lower().split())
    return {word.strip(".,;:!?()\"'“”‘’[]") for word in words}
