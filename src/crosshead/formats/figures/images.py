"""The bytes of a picture: a member of an archive, a `data:` address, or a file. Nothing is fetched from the network."""

from __future__ import annotations

import binascii
import os
import re
from base64 import b64decode
from typing import Final
from urllib.parse import unquote, unquote_to_bytes

from crosshead.errors import NoSuchFigure
from crosshead.formats.figures import image_type
from crosshead.formats.includes import Nearby
from crosshead.formats.shared.containers.archive import Archive
from crosshead.types import FigureImage

MAX_BYTES: Final = 20 << 20
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]{1,20}:|//", re.I)
_DATA = re.compile(r"data:[^,]{0,200},", re.I)
_OTHER = re.compile(r"\.(svgz?|emf|wmf|tiff?|bmp|pdf|eps|avif|heic)(?:[?#].*)?$", re.I)
_ALL_TYPES: Final = "only PNG, JPEG, GIF and WebP are shown"


def problem_of(target: str) -> str:
    """Return why a picture cannot be shown, as far as its name says; empty if it may be."""
    if _DATA.match(target):
        return ""
    if _SCHEME.match(target):
        return "it is not in the document, and nothing is fetched from the network"
    other = _OTHER.search(target)
    return f"it is of the type {other[1].upper()}, and {_ALL_TYPES}" if other else ""


def image_of(data: bytes) -> FigureImage:
    """Return bytes as a picture; refuse types that could run something, and what is too large."""
    if len(data) > MAX_BYTES:
        raise NoSuchFigure(f"the picture has more than {MAX_BYTES >> 20} MiB")
    type = image_type(data)
    if not type:
        raise NoSuchFigure(f"the picture is of another type, and {_ALL_TYPES}")
    return FigureImage(data, type)


def read_member(data: bytes, name: str) -> FigureImage:
    """Return a picture that is a member of an archive."""
    archive = Archive(data, what="document")
    if name not in archive:
        raise NoSuchFigure("the picture is missing from the file")
    return image_of(archive.read(name))


def read_target(target: str, nearby: Nearby | None) -> FigureImage:
    """Return a picture that a text names: in a `data:` address, or in a file below the root that is not hidden."""
    found = _DATA.match(target)
    if found:
        return image_of(_decoded(found[0], target[found.end() :]))
    path = nearby.find(unquote(re.split("[?#]", target)[0]), nearby.path) if nearby else ""
    if not path:
        raise NoSuchFigure("the picture is not in a file below the root of the index")
    try:
        if os.path.getsize(path) > MAX_BYTES:
            raise NoSuchFigure(f"the picture has more than {MAX_BYTES >> 20} MiB")
        with open(path, "rb") as file:
            return image_of(file.read(MAX_BYTES + 1))
    except OSError as error:
        raise NoSuchFigure("the file of the picture cannot be read") from error


def _decoded(head: str, body: str) -> bytes:
    if not head.lower().rstrip(",").endswith(";base64"):
        return unquote_to_bytes(body)
    try:
        return b64decode("".join(unquote(body).split()))
    except (binascii.Error, ValueError) as error:
        raise NoSuchFigure("the picture is damaged") from error
