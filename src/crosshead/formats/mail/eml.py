"""Internet messages (.eml)."""

from __future__ import annotations

import codecs
import re
from email import message_from_bytes
from email.errors import CloseBoundaryNotFoundDefect, MessageError
from email.message import Message
from typing import Final

from crosshead.errors import CorruptFile, TooLarge
from crosshead.formats.base import Extracted
from crosshead.formats.mail.writing import write_message
from crosshead.formats.shared.decoding.encodings import guess_wide
from crosshead.formats.shared.decoding.text import decode
from crosshead.options import ExtractOptions

MAX_PARTS: Final = 2_000
_UNENCODED: Final = ("7bit", "8bit", "binary")
_BOUNDARY = re.compile(rb"\bboundary=", re.I)


def read_email(data: bytes, options: ExtractOptions) -> Extracted:
    """Read a message."""
    warnings: list[str] = []
    message = parse_email(data)
    if any(isinstance(each, CloseBoundaryNotFoundDefect) for each in message.defects):
        warnings.append("the message is cut off in its last part: something may be missing")
    return write_message(message, options, warnings)


def parse_email(data: bytes) -> Message:
    """Return a message with its parts; a mailbox line may precede the headers."""
    if len(_BOUNDARY.findall(data)) > MAX_PARTS:
        raise TooLarge(f"more than {MAX_PARTS:,} nested parts: save the message without its attachments")
    data, is_recoded = _recode(data)
    if data.startswith(b"From "):
        data = data.partition(b"\n")[2]
    try:
        message = message_from_bytes(data.lstrip(b"\r\n"))
    except (MessageError, ValueError, LookupError, AttributeError, RecursionError) as error:
        raise CorruptFile("the MIME structure of the message is broken: save it again") from error
    if not message.keys():
        raise CorruptFile("not an e-mail (no header lines): name its format if it has another one")
    for part in message.walk() if is_recoded else ():
        if part.get("Content-Transfer-Encoding", "8bit").strip().lower() in _UNENCODED and not part.is_multipart():
            part.set_param("charset", "utf-8")
    return message


def _recode(data: bytes) -> tuple[bytes, bool]:
    """Return a message that was saved in Unicode as UTF-8, and whether it was; its parts still name what they had."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or guess_wide(data):
        return decode(data, []).encode("utf-8", "replace"), True  # such bytes are decoded exactly, or not at all
    return data.removeprefix(codecs.BOM_UTF8), data.startswith(codecs.BOM_UTF8)
