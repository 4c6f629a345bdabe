"""A message -> Markdown.

The subject is the heading, sender, recipients and date are a list below it, then comes the body: the plain text if
there is one, else the HTML. Attachments are named, messages inside of a message follow under their own subject.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.message import Message
from typing import Final

from crosshead.extract.base import Extracted
from crosshead.extract.formats import get_format
from crosshead.extract.readers.mail.parts import HTML, MESSAGE, RTF, Part, header, walk
from crosshead.extract.readers.plain import write_plain
from crosshead.extract.shared import gfm
from crosshead.extract.shared.text import normalize
from crosshead.options import ExtractOptions

SHOWN: Final = ("From", "To", "Cc", "Date")
MAX_LEVEL: Final = 5
"""Of a subject, so that headings of the body can stand below it."""

_QUOTE = re.compile(r"^(>[> ]{0,40})", re.M)


def write_message(message: Message, options: ExtractOptions) -> Extracted:
    """Return a message as Markdown."""
    return Extracted(gfm.join_blocks(_blocks(message, options)), title=header(message, "Subject"))


def _blocks(message: Message, options: ExtractOptions) -> Iterator[str]:
    attachments: list[str] = []
    yield from _head(message, 1)
    for part in walk(message):
        level = min(part.depth + 1, MAX_LEVEL)
        if part.kind == MESSAGE and not part.is_attachment:
            yield from _head(part.message, level)
        elif part.is_attachment:
            attachments.append(part.name)
        else:
            yield gfm.lower_headings(_body(part, options), level + 1)
    if attachments:
        yield "Attachments:\n\n" + "\n".join([gfm.item("-", gfm.escape(name)) for name in attachments])


def _head(message: Message, level: int) -> Iterator[str]:
    subject = header(message, "Subject")
    if subject:
        yield gfm.heading(level, gfm.escape(subject))
    items = [(name, header(message, name)) for name in SHOWN]
    yield "\n".join([gfm.item("-", f"{name}: {gfm.escape(value)}") for name, value in items if value])


def _body(part: Part, options: ExtractOptions) -> str:
    text = part.text()
    if part.kind == HTML and text.strip():
        return get_format("html").load_reader()(text.encode(), options).text.strip("\n")
    if part.kind == RTF and text.strip():
        return get_format("rtf").load_reader()(part.data(), options).text.strip("\n")
    return _write_quotes(normalize(text).strip("\n"))


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
