"""E-mail as it is sent (.eml)."""

from __future__ import annotations

import logging
import re
from email import message_from_bytes
from email.errors import CloseBoundaryNotFoundDefect, MessageError
from email.message import Message
from typing import Final

from crosshead.errors import CorruptFile, TooLarge
from crosshead.extract.base import Extracted
from crosshead.extract.readers.mail.writing import write_message
from crosshead.options import ExtractOptions

logger = logging.getLogger("crosshead")

MAX_PARTS: Final = 2_000
_BOUNDARY = re.compile(rb"\bboundary=", re.I)


def read_email(data: bytes, options: ExtractOptions) -> Extracted:
    """Read a message."""
    message = parse_email(data)
    if any(isinstance(each, CloseBoundaryNotFoundDefect) for each in message.defects):
        logger.warning("the message ends before its last part does: something may be missing")
    return write_message(message, options)


def parse_email(data: bytes) -> Message:
    """Return a message with its parts; a mailbox line may stand above the headers."""
    if len(_BOUNDARY.findall(data)) > MAX_PARTS:
        raise TooLarge(f"more than {MAX_PARTS:,} nested parts: save the message without its attachments")
    if data.startswith(b"From "):
        data = data.partition(b"\n")[2]
    try:
        message = message_from_bytes(data.lstrip(b"\r\n"))
    except (MessageError, ValueError, LookupError, AttributeError, RecursionError) as error:
        raise CorruptFile("the message cannot be read: its MIME structure is broken") from error
    if not message.keys():
        raise CorruptFile("not an e-mail: there are no header lines; name the format if it is another one")
    return message
