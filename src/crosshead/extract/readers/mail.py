"""E-mail (.eml) -> Markdown.

The subject is the heading, sender, recipients and date are a list below it, then comes the body: the plain text if
there is one, else the HTML. Attachments are named, messages inside of a message follow under their own subject.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from email import message_from_bytes
from email.errors import CloseBoundaryNotFoundDefect, MessageError
from email.header import decode_header, make_header
from email.message import Message
from typing import Final, NamedTuple

from crosshead.errors import CorruptFile, TooLarge
from crosshead.extract.base import Extracted
from crosshead.extract.formats import get_format
from crosshead.extract.readers.plain import write_plain
from crosshead.extract.shared import gfm
from crosshead.extract.shared.text import decode, normalize
from crosshead.options import ExtractOptions

logger = logging.getLogger("crosshead")

SHOWN: Final = ("From", "To", "Cc", "Date")
MAX_PARTS: Final = 2_000
MAX_DEPTH: Final = 50
MAX_LEVEL: Final = 5
"""Of a subject, so that headings of the body can stand below it."""
MAX_HEADER: Final = 5_000
"""Characters of a header that are shown."""

_BOUNDARY = re.compile(rb"\bboundary=", re.I)
_QUOTE = re.compile(r"^(>[> ]{0,40})", re.M)
_SPACES = re.compile(r"\s+")


class _Part(NamedTuple):
    """One part of a message."""

    message: Message
    depth: int
    """Of nesting."""
    level: int
    """Of the subject that it stands under."""


def read_email(data: bytes, options: ExtractOptions) -> Extracted:
    """Read a message."""
    if len(_BOUNDARY.findall(data)) > MAX_PARTS:
        raise TooLarge(f"more than {MAX_PARTS:,} nested parts: save the message without its attachments")
    message = _parse(data)
    if not message.keys():
        raise CorruptFile("not an e-mail: there are no header lines; name the format if it is another one")
    if any(isinstance(each, CloseBoundaryNotFoundDefect) for each in message.defects):
        logger.warning("the message ends before its last part does: something may be missing")
    blocks = list(_blocks(message, options))
    return Extracted(gfm.join_blocks(blocks), title=_header(message, "Subject"))


def _parse(data: bytes) -> Message:
    """A mailbox line may stand above the headers."""
    if data.startswith(b"From "):
        data = data.partition(b"\n")[2]
    try:
        return message_from_bytes(data.lstrip(b"\r\n"))
    except (MessageError, ValueError, LookupError, AttributeError, RecursionError) as error:
        raise CorruptFile("the message cannot be read: its MIME structure is broken") from error


def _blocks(message: Message, options: ExtractOptions) -> Iterator[str]:
    """Walk the parts in order, without recursion: a message may hold messages that hold messages."""
    attachments: list[str] = []
    stack = [_Part(message, 0, 1)]
    yield from _head(message, 1)
    while stack:
        part = stack.pop()
        inner, blocks = _read_part(part, options, attachments)
        stack.extend(reversed(inner))
        yield from blocks
    if attachments:
        yield "Attachments:\n\n" + "\n".join([gfm.item("-", gfm.escape(name)) for name in attachments])


def _read_part(part: _Part, options: ExtractOptions, attachments: list[str]) -> tuple[list[_Part], list[str]]:
    """Return the parts inside of a part, or what is written for it."""
    message, kind = part.message, part.message.get_content_type()
    if part.depth > MAX_DEPTH:
        raise TooLarge(f"parts are nested more than {MAX_DEPTH} deep: save the message without its attachments")
    if kind == "message/rfc822" and message.is_multipart():
        inner = message.get_payload(0)
        assert isinstance(inner, Message)
        level = min(part.level + 1, MAX_LEVEL)
        return [_Part(inner, part.depth + 1, level)], list(_head(inner, level))
    if message.is_multipart():
        return [_Part(each, part.depth + 1, part.level) for each in _chosen(message, kind)], []
    name = _file_name(message)
    if name or kind not in ("text/plain", "text/html"):
        attachments.append(name or kind)
        return [], []
    return [], [gfm.lower_headings(_body(message, kind, options), part.level + 1)]


def _chosen(message: Message, kind: str) -> list[Message]:
    """Of alternatives, plain text if it says anything, else the first that can be read."""
    parts = [each for each in message.get_payload() if isinstance(each, Message)]
    if kind != "multipart/alternative":
        return parts
    for wanted in ("text/plain", "multipart/related", "multipart/mixed", "text/html"):
        for part in parts:
            if part.get_content_type() == wanted and (part.is_multipart() or _text(part).strip()):
                return [part]
    return parts


def _head(message: Message, level: int) -> Iterator[str]:
    subject = _header(message, "Subject")
    if subject:
        yield gfm.heading(level, gfm.escape(subject))
    items = [(name, _header(message, name)) for name in SHOWN]
    yield "\n".join([gfm.item("-", f"{name}: {gfm.escape(value)}") for name, value in items if value])


def _header(message: Message, name: str) -> str:
    raw = str(message.get(name) or "")
    if len(raw) > MAX_HEADER:
        logger.warning("the header %s is cut after %d characters", name, MAX_HEADER)
        raw = f"{raw[:MAX_HEADER]}…"
    try:
        value = str(make_header(decode_header(raw)))
    except (MessageError, ValueError, LookupError):
        logger.warning("the header %s is malformed: kept as it is", name)
        value = raw
    return _SPACES.sub(" ", _without_surrogates(value)).strip()


def _file_name(message: Message) -> str:
    try:
        name = message.get_filename() or ""
        return _SPACES.sub(" ", _without_surrogates(str(make_header(decode_header(name)))))
    except (MessageError, ValueError, LookupError, TypeError):
        return "unnamed"


def _body(message: Message, kind: str, options: ExtractOptions) -> str:
    text = _text(message)
    if kind == "text/html" and text.strip():
        return get_format("html").load_reader()(text.encode(), options).text.strip("\n")
    return _write_quotes(normalize(text).strip("\n"))


def _text(message: Message) -> str:
    payload = message.get_payload(decode=True)
    data = payload if isinstance(payload, bytes) else b""
    charset = message.get_content_charset() or "utf-8"
    try:
        return data.decode(charset)
    except (LookupError, UnicodeError):
        return _guess(data)


def _guess(data: bytes) -> str:
    try:
        return decode(data)
    except CorruptFile:
        logger.warning("a part of the message is in no known encoding: what is not UTF-8 is replaced")
        return data.decode("utf-8", "replace")


def _write_quotes(text: str) -> str:
    """What is quoted from an earlier message stays a quote."""
    blocks: list[str] = []
    lines: list[str] = []
    depth = 0
    for line in [*text.split("\n"), ">" * 99]:
        mark = _QUOTE.match(line)
        now = mark[1].count(">") if mark else 0
        if now != depth and (line.strip() or depth):
            blocks.append(_quoted(lines, depth))
            depth, lines = now, []
        lines.append(line[len(mark[1]) :] if mark else line)
    return gfm.join_blocks(blocks).strip("\n")


def _quoted(lines: list[str], depth: int) -> str:
    text = write_plain("\n".join(lines)).strip("\n")
    for _ in range(min(depth, 3) if text else 0):
        text = gfm.quote(text)
    return text


def _without_surrogates(text: str) -> str:
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
