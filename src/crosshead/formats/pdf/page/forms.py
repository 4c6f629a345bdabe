"""Fields of forms: what was filled in is drawn onto the pages, so that it is read where it stands.

The text layer holds no values of fields. pdfium draws them as a viewer does, also where the file has no appearance of
them. A box to tick is a drawing, so that its state is written instead: `[x]` or `[ ]`.
"""

from __future__ import annotations

import ctypes
from typing import Any, Final, NamedTuple

from crosshead.formats.pdf.page import native

_FONT: Final = b"Helvetica"
_LEAST_SIZE: Final = 6.0
"""The least font size of a box to tick, in points."""
_BOX_SIZE: Final = 0.7
"""Its font size, as a share of its height."""
_BOX_BASE: Final = 0.2
"""How far above its bottom the baseline is, in ems."""


class _Box(NamedTuple):
    """A box to tick."""

    left: float
    bottom: float
    size: float
    is_checked: bool


def open_form(document: Any, warnings: list[str]) -> bool:
    """Return whether the document is a form with fields; the caller holds the lock."""
    raw = native.raw()
    kind = document.get_formtype()
    if kind == raw.FORMTYPE_XFA_FULL:
        warnings.append("the PDF is an XFA form: what only its program draws is missing; print it to a PDF to read it")
    if kind == raw.FORMTYPE_NONE:
        return False
    document.init_forms()
    return True


def draw_fields(document: Any, page: Any, index: int, warnings: list[str]) -> Any:
    """Return a page with the values of its fields as text."""
    raw = native.raw()
    boxes, fields = _find_fields(document, page)
    if not fields:
        return page
    for box in boxes:
        _write_box(document, page, box)
    if boxes:
        raw.FPDFPage_GenerateContent(page)
    if raw.FPDFPage_Flatten(page, raw.FLAT_NORMALDISPLAY) == raw.FLATTEN_FAIL:
        warnings.append(f"page {index + 1} of the PDF: the values of {fields} fields are left out")
        return page
    page.close()
    return document[index]


def _find_fields(document: Any, page: Any) -> tuple[list[_Box], int]:
    """Return the boxes to tick, which are removed from the page, and the number of fields."""
    raw = native.raw()
    boxes: list[_Box] = []
    fields = 0
    for number in reversed(range(raw.FPDFPage_GetAnnotCount(page))):
        annotation = raw.FPDFPage_GetAnnot(page, number)
        if not annotation:
            continue
        kind = -1
        if raw.FPDFAnnot_GetSubtype(annotation) == raw.FPDF_ANNOT_WIDGET:
            fields += 1
            kind = raw.FPDFAnnot_GetFormFieldType(document.formenv, annotation)
        is_box = kind in (raw.FPDF_FORMFIELD_CHECKBOX, raw.FPDF_FORMFIELD_RADIOBUTTON)
        if is_box:
            boxes.append(_read_box(document, annotation))
        raw.FPDFPage_CloseAnnot(annotation)
        if is_box:
            raw.FPDFPage_RemoveAnnot(page, number)
    return boxes, fields


def _read_box(document: Any, annotation: Any) -> _Box:
    raw = native.raw()
    area = raw.FS_RECTF()
    raw.FPDFAnnot_GetRect(annotation, ctypes.byref(area))
    bottom, top = sorted((area.bottom, area.top))
    is_checked = bool(raw.FPDFAnnot_IsChecked(document.formenv, annotation))
    return _Box(min(area.left, area.right), bottom, max(_LEAST_SIZE, (top - bottom) * _BOX_SIZE), is_checked)


def _write_box(document: Any, page: Any, box: _Box) -> None:
    raw = native.raw()
    text = raw.FPDFPageObj_NewTextObj(document, _FONT, box.size)
    shown = "[x]" if box.is_checked else "[ ]"
    letters = (ctypes.c_ushort * (len(shown) + 1))(*map(ord, shown), 0)
    raw.FPDFText_SetText(text, letters)
    raw.FPDFPageObj_Transform(text, 1, 0, 0, 1, box.left, box.bottom + box.size * _BOX_BASE)
    raw.FPDFPage_InsertObject(page, text)
