"""Zip archives for tests."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping


def make_zip(parts: Mapping[str, str | bytes]) -> bytes:
    """Return an archive of these parts, in order."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            kind = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            archive.writestr(name, content, kind)
    return file.getvalue()


def change_zip(data: bytes, changes: Mapping[str, str | bytes | None]) -> bytes:
    """Return an archive with parts replaced, or removed where there is None."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts: dict[str, str | bytes] = {name: archive.read(name) for name in archive.namelist()}
    for name, content in changes.items():
        parts.pop(name, None)
        if content is not None:
            parts[name] = content
    return make_zip(parts)


def read_part(data: bytes, name: str) -> str:
    """Return the text of a part."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return archive.read(name).decode()
