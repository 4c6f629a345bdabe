"""The parts of a message: bodies, attachments, and messages inside it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import Message
from typing import Final, NamedTuple

from crosshead.errors import CorruptFile, TooLarge
from crosshead.formats.shared.decoding.text import decode

MAX_DEPTH: Final = 50
MAX_HEADER: Final = 300_000
"""Characters of a header that are shown."""
PLAIN: Final = "text/plain"
HTML: Final = "text/html"
RTF: Final = "text/rtf"
MESSAGE: Final = "message/rfc822"
CALENDAR: Final = "text/calendar"
_BODIES: Final = (PLAIN, HTML, RTF, CALENDAR)
_CHOICE: Final = (PLAIN, "multipart/related", "multipart/mixed", HTML, RTF)
_SPACES = re.compile(r"\s+")


class MailPart(NamedTuple):
    """One part of a message that is not a list of parts."""

    message: Message
    kind: str
    """A type of a body, that of a message, or of an attachment."""
    depth: int
    """Messages that it is inside."""
    name: str = ""
    """Of an attachment."""

    @property
    def is_attachment(self) -> bool:
        """Whether it is neither a body nor a message."""
        return bool(self.name)

    def text(self, warnings: list[str]) -> str:
        """Return the text of a body, and add warnings about its encoding."""
        return _text(self.message, warnings)

    def data(self) -> bytes:
        """Return the bytes of an attachment."""
        return _data(self.message)


def walk(message: Message) -> Iterator[MailPart]:
    """Yield the parts in order, without recursion: a message may hold messages that hold messages."""
    stack = [(message, 0, 0)]
    while stack:
        each, nesting, depth = stack.pop()
        if nesting > MAX_DEPTH:
            raise TooLarge(f"parts are nested more than {MAX_DEPTH} deep: save the message without its attachments")
        kind = each.get_content_type()
        if kind == MESSAGE and each.is_multipart():
            inner = each.get_payload(0)
            assert isinstance(inner, Message)
            yield MailPart(inner, kind, depth + 1)
            stack.append((inner, nesting + 1, depth + 1))
        elif each.is_multipart():
            stack += [(inner, nesting + 1, depth) for inner in reversed(_chosen(each, kind))]
        else:
            name = _file_name(each)
            yield MailPart(each, kind, depth, name or ("" if kind in _BODIES else kind))


def _chosen(message: Message, kind: str) -> list[Message]:
    """Of alternatives, plain text unless it is blank, else the first readable one; and an invitation."""
    parts = [each for each in message.get_payload() if isinstance(each, Message)]
    if kind != "multipart/alternative":
        return parts
    invitations = [part for part in parts if part.get_content_type() == CALENDAR][:1]
    for wanted in _CHOICE:
        for part in parts:
            if part.get_content_type() == wanted and (part.is_multipart() or _text(part, []).strip()):
                return [part, *invitations]
    return parts


def header(message: Message, name: str, warnings: list[str]) -> str:
    """Return a header on one line, and add warnings about truncated or malformed ones."""
    raw = str(message.get(name) or "")
    if len(raw) > MAX_HEADER:
        warnings.append(f"the header {name} is truncated after {MAX_HEADER} characters")
        raw = f"{raw[:MAX_HEADER]}…"
    try:
        value = str(make_header(decode_header(raw)))
    except (MessageError, ValueError, LookupError):
        warnings.append(f"the header {name} is malformed: kept as is")
        value = raw
    return _SPACES.sub(" ", _without_surrogates(value)).strip()


def _file_name(message: Message) -> str:
    try:
        name = message.get_filename() or ""
        return _SPACES.sub(" ", _without_surrogates(str(make_header(decode_header(name)))))
    except (MessageError, ValueError, LookupError, TypeError):
        return "unnamed"


def _text(message: Message, warnings: list[str]) -> str:
    data = _data(message)
    charset = message.get_content_charset() or "utf-8"
    try:
        return data.decode(charset)
    except (LookupError, ValueError):
        return _guess(data, warnings)


def _data(message: Message) -> bytes:
    payload = message.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def _guess(data: bytes, warnings: list[str]) -> str:
    try:
        return decode(data, warnings)
    except CorruptFile:
        warnings.append("unknown encoding in a part of the message: bytes that are not UTF-8 are replaced")
        return data.decode("utf-8", "replace")


def _without_surrogates(text: str) -> str:
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
