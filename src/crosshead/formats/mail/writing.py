"""A message -> Markdown.

The subject is the heading, sender, recipients and date are a list below it, then comes the body: the plain text if
there is one, else the HTML. Attachments are named, messages inside a message follow under their own subject.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.message import Message
from typing import Final

from crosshead.errors import ExtractError
from crosshead.formats.base import Extracted
from crosshead.formats.mail.calendars import write_calendar
from crosshead.formats.mail.parts import CALENDAR, HTML, MESSAGE, RTF, MailPart, header, walk
from crosshead.formats.registry import get_format
from crosshead.formats.shared import gfm
from crosshead.formats.shared.decoding.text import normalize
from crosshead.formats.text.plain import write_plain
from crosshead.options import ExtractOptions

SHOWN: Final = ("From", "To", "Cc", "Date")
FACTS: Final = "X-Crosshead-Fact"
"""Header for the fields of other kinds of messages, such as an appointment: `Place: Room 1`."""
MAX_LEVEL: Final = 5
"""Maximum level of a subject, so that headings of the body fit below it."""

_QUOTE = re.compile(r"^(>[> ]{0,40})", re.M)


def write_message(message: Message, options: ExtractOptions, warnings: list[str]) -> Extracted:
    """Return a message as Markdown; `warnings` are those about reading it."""
    text = gfm.join_blocks(_blocks(message, options, warnings))
    return Extracted(text, title=header(message, "Subject", []), warnings=tuple(warnings))


def _blocks(message: Message, options: ExtractOptions, warnings: list[str]) -> Iterator[str]:
    attachments: list[str] = []
    yield from _head(message, 1, warnings)
    has_body = False
    for part in walk(message):
        level = min(part.depth + 1, MAX_LEVEL)
        if part.kind == MESSAGE and not part.is_attachment:
            yield from _head(part.message, level, warnings)
        elif part.is_attachment:
            attachments.append(part.name)
        elif part.kind == CALENDAR:
            yield from write_calendar(normalize(part.text(warnings)), has_body=has_body)
        else:
            body = gfm.lower_headings(_body(part, options, warnings), level + 1)
            has_body = has_body or bool(body)
            yield body
    if attachments:
        yield "Attachments:\n\n" + "\n".join([gfm.item("-", gfm.escape(name)) for name in attachments])


def _head(message: Message, level: int, warnings: list[str]) -> Iterator[str]:
    subject = header(message, "Subject", warnings)
    if subject:
        yield gfm.heading(level, gfm.escape(subject))
    items = [f"{name}: {value}" for name in SHOWN if (value := header(message, name, warnings))]
    items += [str(fact) for fact in message.get_all(FACTS, [])]
    yield "\n".join([gfm.item("-", gfm.escape(item)) for item in items])


def _body(part: MailPart, options: ExtractOptions, warnings: list[str]) -> str:
    """Return a body; one without text, or a damaged one, does not take the rest of the message with it."""
    try:
        return _read_body(part, options, warnings)
    except ExtractError as error:
        warnings.append(f"the body of the message ({part.kind}) is left out: {error}")
        return ""


def _read_body(part: MailPart, options: ExtractOptions, warnings: list[str]) -> str:
    text = part.text(warnings)
    if part.kind in (HTML, RTF) and text.strip():
        format, data = ("html", text.encode()) if part.kind == HTML else ("rtf", part.data())
        body = get_format(format).load_reader()(data, options)
        warnings += body.warnings
        return body.text.strip("\n")
    return _write_quotes(normalize(text).strip("\n"))


def _write_quotes(text: str) -> str:
    """Keep lines quoted from an earlier message as a quote."""
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
