"""Images -> text, by a program or function of the user."""

from __future__ import annotations

import shlex
import struct
import subprocess
import zlib
from typing import Final

from crosshead.errors import ExtractError, TooLarge
from crosshead.options import Ocr

TIMEOUT_SECONDS: Final = 120
"""For one image."""


def recognize(picture: bytes, ocr: Ocr) -> str:
    """Return the text in an image; a program gets it on standard input."""
    if callable(ocr):
        return str(ocr(picture))
    command = shlex.split(ocr)
    try:
        done = subprocess.run(command, input=picture, capture_output=True, timeout=TIMEOUT_SECONDS, check=False)
    except OSError as error:
        raise ExtractError(f"text recognition with {command[0]!r} does not start: {error.strerror or error}") from error
    except subprocess.TimeoutExpired as error:
        raise TooLarge(f"text recognition took more than {TIMEOUT_SECONDS} seconds for one image") from error
    if done.returncode:
        reason = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
        raise ExtractError(f"text recognition with {command[0]!r} failed: {reason or f'exit code {done.returncode}'}")
    return done.stdout.decode("utf-8", "replace")


def write_png(pixels: bytes, width: int, height: int, stride: int) -> bytes:
    """Return grayscale pixels as PNG; each row takes `stride` bytes."""
    rows = b"".join([b"\0" + pixels[at * stride : at * stride + width] for at in range(height)])
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    parts = (b"IHDR", head), (b"IDAT", zlib.compress(rows, 1)), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join([_part(kind, data) for kind, data in parts])


def _part(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
