"""The pictures on the pages of a PDF: images, and what is drawn above or below a caption.

1. Drawings and images that touch are joined: many programs cut an image into strips, or draw a chart by lines.
2. A caption takes what is nearest to it, above or below, with the panels beside it and the labels around it. Images
   without a caption are pictures as well; lines are not.
3. A picture is the part of the page that it covers, drawn when it is asked for: masks and turned pages come out right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import sqrt
from typing import Any, Final, NamedTuple

from crosshead.formats.pdf.locate.characters import Extent, shown_positions
from crosshead.formats.pdf.locate.drawing import MOST_PIXELS, to_png
from crosshead.formats.pdf.locate.finding import Wanted, lines_of_page, locate_in, opened, opened_page
from crosshead.formats.pdf.page import native

_TEXT, _PATH, _IMAGE, _SHADING, _FORM = 1, 2, 3, 4, 5
_MOST_OBJECTS: Final = 3_000
"""Of a page: one that draws more is a map or a plan, whose parts are not told apart."""
_SMALLEST: Final = 36.0
"""Half an inch: what is lower or narrower is a line or an icon."""
_WHOLE_PAGE: Final = 0.9
"""The share of the page that a scan, or a background, covers."""
_GAP: Final = 8.0
_NEAR: Final = 60.0
"""The distance from a caption, in points."""
_LABELS: Final = 36.0
"""The distance of labels, as of an axis, from what is drawn."""
_EDGE: Final = 2.0
"""Room for the strokes of letters."""
_SCALE: Final = 2.0


class PdfPicture(NamedTuple):
    """A picture on a page."""

    page: int
    extent: Extent
    start: int
    """Where its caption begins in the text; without one, where the text of the page ends."""
    caption: str = ""


def find_pictures(data: bytes, wanted: Wanted, is_caption: Callable[[str], bool]) -> Iterator[PdfPicture]:
    """Yield the pictures of a PDF, page by page from top to bottom."""
    with opened(data) as document:
        for number in range(1, len(document) + 1):
            with opened_page(document, number) as page:
                drawn = [*_drawn(page, (_PATH, _IMAGE, _SHADING, _FORM))]
                texts = [extent for _, extent in _drawn(page, (_TEXT,))]
                width, height = page.get_size()
            if not any(map(_is_large, _joined([extent for _, extent in drawn], gap=_GAP))):
                continue
            captions = [*_captions(document, wanted._replace(page=number), is_caption)]
            end = lines_of_page(wanted._replace(page=number))[1]
            most = _WHOLE_PAGE * width * height
            found = _match(drawn, captions, texts, most)
            pictures = (
                PdfPicture(number, extent, caption.start, caption.text) if caption else PdfPicture(number, extent, end)
                for extent, caption in found
            )
            yield from sorted(pictures, key=lambda each: each.extent.top)


def draw_region(data: bytes, number: int, extent: Extent) -> bytes:
    """Return a part of a page as PNG."""
    with opened(data) as document, opened_page(document, number) as page:
        width, height = page.get_size()
        crop = extent.left, height - extent.bottom, width - extent.right, extent.top
        size = max(1.0, (extent.right - extent.left) * (extent.bottom - extent.top))
        scale = min(_SCALE, sqrt(MOST_PIXELS / size), sqrt(4 * MOST_PIXELS / max(1.0, width * height)))
        bitmap = page.render(
            scale=scale, crop=tuple(max(0.0, each) for each in crop), rev_byteorder=True, prefer_bgrx=False
        )
        try:
            return to_png(bytearray(bitmap.buffer), bitmap.width, bitmap.height, bitmap.stride)
        finally:
            bitmap.close()


class _Caption(NamedTuple):
    start: int
    text: str
    extent: Extent


def _captions(document: Any, wanted: Wanted, is_caption: Callable[[str], bool]) -> Iterator[_Caption]:
    """Yield the lines of the text that begin as captions do, with where the page shows them."""
    start, end = lines_of_page(wanted)
    for line in wanted.text[start:end].split("\n"):
        if is_caption(line):
            located = locate_in(document, wanted._replace(start=start, end=start + len(line))).pages
            boxes = [box for each in located if each.page == wanted.page for box in each.boxes]
            if boxes:
                right = max(box.left + box.width for box in boxes)
                bottom = max(box.top + box.height for box in boxes)
                extent = Extent(min(box.left for box in boxes), min(box.top for box in boxes), right, bottom)
                yield _Caption(start, line.strip("*_ "), extent)
        start += len(line) + 1


def _drawn(page: Any, kinds: Sequence[int]) -> Iterator[tuple[bool, Extent]]:
    """Yield where a page has objects of some kinds, and whether each is an image."""
    width, height = page.get_size()
    a, b, c, d, e, f = shown_positions(page, width, height)
    objects = page.get_objects(filter=list(kinds), max_depth=1)
    for each, _ in zip(objects, range(_MOST_OBJECTS), strict=False):
        try:
            left, bottom, right, top = each.get_bounds()
        except native.pdfium().PdfiumError:
            continue
        xs = a * left + c * bottom + e, a * right + c * top + e
        ys = b * left + d * bottom + f, b * right + d * top + f
        extent = Extent(max(0.0, min(xs)), max(0.0, min(ys)), min(width, max(xs)), min(height, max(ys)))
        if extent.left <= extent.right and extent.top <= extent.bottom and _area(extent) < _WHOLE_PAGE * width * height:
            yield each.type == _IMAGE, extent


def _match(
    drawn: Sequence[tuple[bool, Extent]], captions: Sequence[_Caption], texts: Sequence[Extent], most: float
) -> list[tuple[Extent, _Caption | None]]:
    """Return the pictures of a page with their captions."""
    images = _joined([extent for is_image, extent in drawn if is_image], gap=1.0)
    anything = _joined([extent for _, extent in drawn], gap=_GAP) if captions else []
    free = [extent for extent in anything if _is_large(extent) and _area(extent) < most]
    distances = (
        (distance, at, extent)
        for at, caption in enumerate(captions)
        for extent in free
        if (distance := _distance(extent, caption.extent)) is not None
    )
    chosen: dict[int, Extent] = {}
    for _, at, extent in sorted(distances):
        if at not in chosen and extent in free:
            free.remove(extent)
            chosen[at] = extent
    found: list[tuple[Extent, _Caption | None]] = []
    for at, extent in chosen.items():
        whole = extent
        while panels := [other for other in free if _are_panels(whole, other)]:
            free = [other for other in free if other not in panels]
            whole = _around([whole, *panels])
        found.append((_with_labels(whole, captions[at].extent, texts), captions[at]))
    covered = [extent for extent, _ in found]
    alone = (image for image in images if _is_large(image) and _area(image) < most)
    return [*found, *((image, None) for image in alone if not any(_touch(image, each, 0.0) for each in covered))]


def _are_panels(one: Extent, other: Extent) -> bool:
    """Are two areas, of which one has no caption, parts of one picture: side by side, or one above the other?"""
    common = min(one.bottom, other.bottom) - max(one.top, other.top)
    return common > max(one.bottom - one.top, other.bottom - other.top) / 2 or _touch(one, other, _LABELS)


def _with_labels(picture: Extent, caption: Extent, texts: Sequence[Extent]) -> Extent:
    """Return a picture with the texts at its edges, but not those beyond its caption."""
    is_above = picture.bottom <= caption.top + _GAP
    room = Extent(
        picture.left - _LABELS,
        picture.top - _LABELS if is_above else max(picture.top - _LABELS, caption.bottom),
        picture.right + _LABELS,
        min(picture.bottom + _NEAR, caption.top) if is_above else picture.bottom + _LABELS,
    )
    labels = [text for text in texts if _holds(room, text)]
    if not labels:
        return picture
    whole = _around([picture, *labels])
    return Extent(whole.left - _EDGE, whole.top - _EDGE, whole.right + _EDGE, whole.bottom + _EDGE)


def _holds(room: Extent, text: Extent) -> bool:
    return room.left <= text.left and text.right <= room.right and room.top <= text.top and text.bottom <= room.bottom


def _around(parts: Sequence[Extent]) -> Extent:
    return Extent(
        min(part.left for part in parts),
        min(part.top for part in parts),
        max(part.right for part in parts),
        max(part.bottom for part in parts),
    )


def _distance(picture: Extent, caption: Extent) -> float | None:
    """Return how far a picture is from a caption; None if it is not near. Most captions are below their pictures."""
    if min(picture.right, caption.right) <= max(picture.left, caption.left):
        return None
    above, below = caption.top - picture.bottom, picture.top - caption.bottom
    if -_GAP <= above <= _NEAR:
        return above
    return _NEAR + below if -_GAP <= below <= _NEAR else None


def _joined(extents: Sequence[Extent], gap: float) -> list[Extent]:
    """Return the areas that are covered, each as one rectangle."""
    found: list[Extent] = []
    for each in sorted(extents, key=lambda each: (each.top, each.left)):
        whole = each
        while touching := [other for other in found if _touch(whole, other, gap)]:
            found = [other for other in found if other not in touching]
            whole = _around([whole, *touching])
        found.append(whole)
    return found


def _touch(one: Extent, other: Extent, gap: float) -> bool:
    return (
        one.left <= other.right + gap
        and other.left <= one.right + gap
        and one.top <= other.bottom + gap
        and other.top <= one.bottom + gap
    )


def _is_large(extent: Extent) -> bool:
    return extent.right - extent.left >= _SMALLEST and extent.bottom - extent.top >= _SMALLEST


def _area(extent: Extent) -> float:
    return (extent.right - extent.left) * (extent.bottom - extent.top)
