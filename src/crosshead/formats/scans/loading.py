"""The bytes of an image -> the pictures of its pages."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from math import sqrt
from typing import Any, Final

from crosshead.errors import CorruptFile, TooLarge
from crosshead.formats.scans.engine import Picture

MAX_PIXELS: Final = 40_000_000
"""A larger picture is made smaller."""
_PAGED: Final = ("TIFF", "MPO")
"""The frames of other formats are an animation, of which the first one is read."""


def load_pictures(data: bytes) -> Iterator[Picture]:
    """Yield the pages of an image, upright by its metadata, as arrays of blue, green and red."""
    from PIL import Image, ImageSequence, UnidentifiedImageError

    with warnings.catch_warnings():
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        try:
            with Image.open(io.BytesIO(data)) as image:
                frames = ImageSequence.Iterator(image) if image.format in _PAGED else iter([image])
                for frame in frames:
                    yield _to_array(frame)
        except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
            raise TooLarge("the image has too many pixels: save a smaller copy") from error
        except (UnidentifiedImageError, OSError, SyntaxError, ValueError) as error:
            raise CorruptFile("not an image, or a damaged one: save or download it again") from error


def _to_array(frame: Any) -> Picture:
    import numpy as np
    from PIL import Image, ImageOps

    frame = ImageOps.exif_transpose(frame)
    scale = sqrt(MAX_PIXELS / max(1, frame.width * frame.height))
    if scale < 1:
        frame = frame.resize((max(1, int(frame.width * scale)), max(1, int(frame.height * scale))))
    if "A" in frame.getbands() or "transparency" in frame.info:
        ground = Image.new("RGBA", frame.size, "white")
        ground.alpha_composite(frame.convert("RGBA"))
        frame = ground
    return np.ascontiguousarray(np.asarray(_to_eight_bits(frame).convert("RGB"))[:, :, ::-1])


def _to_eight_bits(frame: Any) -> Any:
    """Pillow cuts 16 bits off at 255 where it converts them to colors."""
    if not frame.mode.startswith(("I", "F")):
        return frame
    low, high = frame.getextrema()
    return frame.convert("F").point(lambda value: (value - low) * (255 / max(1, high - low))).convert("L")
