"""The pictures of a document by their numbers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from crosshead import citation
from crosshead.errors import NoSuchFigure
from crosshead.formats.figures import PicturedFile, images
from crosshead.formats.figures.found import MOST_FIGURES, FoundPicture, is_caption
from crosshead.formats.figures.packages import MAINS, find_in_office, find_in_opendocument
from crosshead.formats.figures.placing import PlacedPicture, place
from crosshead.formats.figures.web import find_in_book, find_in_html, find_in_markdown
from crosshead.formats.paging import PDF
from crosshead.types import Figure, FigureImage, StoredDocument

_OPENDOCUMENT: Final = ("odt", "odp", "ods")
_PACKAGES: Final = (*MAINS, *_OPENDOCUMENT, "epub")
_NEAR: Final = 2
"""Lines around a picture that may be its caption."""


def list_figures(file: PicturedFile) -> list[Figure]:
    """Return the pictures of a document in order."""
    return [_figure(file.document, number, each) for number, each in enumerate(_place(file), 1)]


def read_figure(file: PicturedFile, number: int) -> FigureImage:
    """Return a picture of a document by its number."""
    placed = _place(file)
    if not 1 <= number <= len(placed):
        count = f"{len(placed)} picture{'' if len(placed) == 1 else 's'}"
        raise NoSuchFigure(f"it has no picture {number}: it has {count}")
    target = placed[number - 1].picture.target
    if file.document.format == PDF:
        return images.image_of(_draw(file.data, target))
    problem = images.problem_of(target)
    if problem:
        raise NoSuchFigure(f"picture {number} cannot be shown: {problem}")
    if file.document.format in _PACKAGES:
        return images.read_member(file.data, target)
    return images.read_target(target, file.nearby)


def _place(file: PicturedFile) -> list[PlacedPicture]:
    document = file.document
    named = find_in_markdown(document.text, file.code)[:MOST_FIGURES]
    return [*place(_find(file, named)[:MOST_FIGURES], named, document.text, document.pages)]


def _find(file: PicturedFile, named: list[FoundPicture]) -> list[FoundPicture]:
    """Return the pictures of a file; those of formats without a search for them are the ones that the text names."""
    format = file.document.format
    if format == PDF:
        return [*islice(_find_in_pdf(file), MOST_FIGURES)]
    if format in MAINS:
        return find_in_office(file.data, format)
    if format in _OPENDOCUMENT:
        return find_in_opendocument(file.data)
    if format == "epub":
        return find_in_book(file.data)
    return find_in_html(file.data) if format == "html" else [each for each in named if each.target]


def _find_in_pdf(file: PicturedFile) -> Iterator[FoundPicture]:
    """Yield the pictures of a PDF; their targets are a page and a rectangle."""
    from crosshead.formats.pdf import locate

    wanted = locate.Wanted(file.document.text, file.document.pages)
    for each in locate.find_pictures(file.data, wanted, is_caption):
        target = " ".join(map(str, (each.page, *each.extent)))
        yield FoundPicture(target, caption=each.caption, page=each.page, span=(each.start, each.start))


def _draw(data: bytes, target: str) -> bytes:
    from crosshead.formats.pdf import locate

    page, *sides = target.split()
    return locate.draw_region(data, int(page), locate.Extent(*map(float, sides)))


def _figure(document: StoredDocument, number: int, placed: PlacedPicture) -> Figure:
    text, (picture, start, end) = document.text, placed
    line = text.count("\n", 0, start) + 1
    cited = citation.cite_lines(
        document.source, document.format, (), (line, line), lines=document.lines, pages=document.pages, section_id=""
    )
    caption = picture.caption or _caption_near(text, start, end)
    return Figure(number, picture.alt, caption, start, end, line, cited, images.problem_of(picture.target))


def _caption_near(text: str, start: int, end: int) -> str:
    """Return the line below a picture, or else the one above, if it begins as captions do."""
    below = [line.strip() for line in text[end : end + 2_000].split("\n")[: _NEAR + 1]]
    above = [line.strip() for line in text[max(0, start - 2_000) : start].split("\n")[-_NEAR - 1 :]]
    return next((line.strip("*_ ") for line in [*below, *reversed(above)] if is_caption(line)), "")
