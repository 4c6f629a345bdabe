"""Printed pages, changed in how they are drawn but not in what they show."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

import pypdfium2
from pypdfium2 import raw

from .look import Sheet


def finish(path: Path, sheet: Sheet) -> None:
    """Turn the pages of a PDF or put them into form XObjects, in place."""
    if sheet == "plain":
        return
    with pypdfium2.PdfDocument(path.read_bytes()) as printed, pypdfium2.PdfDocument.new() as finished:
        if sheet == "turned":
            finished.import_pages(printed)
            for page in finished:
                _turn(page)
        else:
            for index in range(len(printed)):
                _wrap(printed, index, finished)
        finished.save(str(path))


def _turn(page: Any) -> None:
    """Draw a page on its side, and say that it is to be shown upright."""
    width, height = page.get_size()
    matrix = raw.FS_MATRIX(0, 1, -1, 0, height, 0)
    clip = raw.FS_RECTF(0, width, height, 0)
    raw.FPDFPage_TransFormWithClip(page, ctypes.byref(matrix), ctypes.byref(clip))
    page.set_mediabox(0, 0, height, width)
    page.set_cropbox(0, 0, height, width)
    page.set_rotation(90)
    page.gen_content()


def _wrap(printed: Any, index: int, finished: Any) -> None:
    """Show a page as one form XObject, moved and a little smaller."""
    width, height = printed[index].get_size()
    page = finished.new_page(width, height)
    shown = printed.page_as_xobject(index, finished).as_pageobject()
    shown.set_matrix(pypdfium2.PdfMatrix(0.95, 0, 0, 0.95, 0.025 * width, 0.025 * height))
    page.insert_obj(shown)
    page.gen_content()
