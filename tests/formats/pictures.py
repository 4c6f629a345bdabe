"""Pictures of text, which need the extra `ocr`."""

from __future__ import annotations

import io


def draw_line(text: str) -> bytes:
    """Return a PNG file with a line of text."""
    from PIL import Image, ImageDraw, ImageFont

    picture = Image.new("L", (480, 80), 255)
    ImageDraw.Draw(picture).text((20, 25), text, fill=0, font=ImageFont.load_default(size=26))
    file = io.BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()
