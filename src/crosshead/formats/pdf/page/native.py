"""Direct calls into pdfium that return plain numbers.

A page needs a few thousand calls, and most of their time is spent on wrapping pointers. These bindings take and return
addresses, and write every output into a buffer that is allocated once.
"""

from __future__ import annotations

import ctypes
import struct
import threading
from collections.abc import Callable
from typing import Any, Final, NamedTuple

LOCK: Final = threading.RLock()
"""Hold this lock around every call: pdfium has global state and is not thread-safe."""

_ADDRESS, _INT, _FLOAT = ctypes.c_void_p, ctypes.c_int, ctypes.c_float


def text_of(get: Callable[[], str]) -> str:
    """Return a text that pdfium encodes as UTF-16; invalid characters are replaced."""
    try:
        return get()
    except UnicodeDecodeError as error:
        return bytes(error.object).decode("utf-16-le", "replace")


class Native(NamedTuple):
    """The functions of pdfium that are called for every word, object or mark."""

    char_code: Callable[[int, int], int]
    text_object: Callable[[int, int], int | None]
    char_box: Callable[[int, int, int], int]
    """The box of a character from its origin to that of the next: left, top, right, bottom."""
    is_generated: Callable[[int, int], int]
    """Whether pdfium inserted this space or newline, which is not in the file."""
    font_size: Callable[[int, int], float]
    matrix: Callable[[int, int, int], int]
    font: Callable[[int], int | None]
    font_name: Callable[[int, int, int], int]
    font_flags: Callable[[int, int], int]
    mark_id: Callable[[int], int]
    count_objects: Callable[[int], int]
    get_object: Callable[[int, int], int]
    object_type: Callable[[int], int]
    object_bounds: Callable[[int, int, int, int, int], int]
    path_segments: Callable[[int], int]
    path_segment: Callable[[int, int], int]
    segment_type: Callable[[int], int]
    segment_point: Callable[[int, int, int], int]
    object_matrix: Callable[[int, int], int]
    draw_mode: Callable[[int, int, int], int]
    """How a path is filled, and whether it is stroked."""
    form_objects: Callable[[int], int]
    form_object: Callable[[int, int], int]


def pdfium() -> Any:
    """Import pypdfium2."""
    import pypdfium2  # type: ignore[import-untyped]

    return pypdfium2


def raw() -> Any:
    """Import the functions and constants of pdfium itself."""
    import pypdfium2.raw  # type: ignore[import-untyped]

    return pypdfium2.raw


def load() -> Native:
    """Bind the functions."""
    ints, address = _INT, _ADDRESS
    return Native(
        char_code=_bind("FPDFText_GetUnicode", ctypes.c_uint, address, ints),
        text_object=_bind("FPDFText_GetTextObject", address, address, ints),
        char_box=_bind("FPDFText_GetLooseCharBox", ints, address, ints, address),
        is_generated=_bind("FPDFText_IsGenerated", ints, address, ints),
        font_size=_bind("FPDFText_GetFontSize", ctypes.c_double, address, ints),
        matrix=_bind("FPDFText_GetMatrix", ints, address, ints, address),
        font=_bind("FPDFTextObj_GetFont", address, address),
        font_name=_bind("FPDFFont_GetBaseFontName", ctypes.c_size_t, address, address, ctypes.c_size_t),
        font_flags=_bind("FPDFFont_GetFlags", ints, address, address),
        mark_id=_bind("FPDFPageObj_GetMarkedContentID", ints, address),
        count_objects=_bind("FPDFPage_CountObjects", ints, address),
        get_object=_bind("FPDFPage_GetObject", address, address, ints),
        object_type=_bind("FPDFPageObj_GetType", ints, address),
        object_bounds=_bind("FPDFPageObj_GetBounds", ints, address, address, address, address, address),
        path_segments=_bind("FPDFPath_CountSegments", ints, address),
        path_segment=_bind("FPDFPath_GetPathSegment", address, address, ints),
        segment_type=_bind("FPDFPathSegment_GetType", ints, address),
        segment_point=_bind("FPDFPathSegment_GetPoint", ints, address, address, address),
        object_matrix=_bind("FPDFPageObj_GetMatrix", ints, address, address),
        draw_mode=_bind("FPDFPath_GetDrawMode", ints, address, address, address),
        form_objects=_bind("FPDFFormObj_CountObjects", ints, address),
        form_object=_bind("FPDFFormObj_GetObject", address, address, ctypes.c_ulong),
    )


def address_of(handle: Any) -> int:
    """Return the address behind a handle of pypdfium2."""
    return ctypes.cast(getattr(handle, "raw", handle), _ADDRESS).value or 0


def _bind(name: str, result: Any, *arguments: Any) -> Any:
    address = ctypes.cast(getattr(raw(), name), _ADDRESS).value or 0
    return ctypes.CFUNCTYPE(result, *arguments)(address)


class Buffer:
    """A buffer for numbers that pdfium writes: floats of 32 bits (`f`) or integers (`i`)."""

    __slots__ = ("_bytes", "_unpack", "addresses")

    def __init__(self, kind: str, count: int) -> None:
        layout = struct.Struct(f"{count}{kind}")
        self._bytes = ctypes.create_string_buffer(layout.size)
        self._unpack = layout.unpack_from
        start, step = ctypes.addressof(self._bytes), layout.size // count
        self.addresses = [start + step * index for index in range(count)]

    def read(self) -> tuple[Any, ...]:
        """Return the numbers that were written last."""
        return self._unpack(self._bytes)
