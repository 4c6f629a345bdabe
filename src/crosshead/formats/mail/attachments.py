"""The attachments of a message."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from email.message import Message
from pathlib import Path, PurePosixPath
from typing import Final

from crosshead.errors import TooLarge
from crosshead.formats.base import Member
from crosshead.formats.mail.eml import parse_email
from crosshead.formats.mail.msg import parse_msg
from crosshead.formats.mail.parts import walk

MAX_ATTACHMENTS: Final = 1_000


def list_of_email(given: Path | bytes) -> Iterator[Member]:
    """Yield the attachments of a message."""
    return _attachments(parse_email(_bytes(given)))


def list_of_msg(given: Path | bytes) -> Iterator[Member]:
    """Yield the attachments of a message of Outlook."""
    return _attachments(parse_msg(_bytes(given), []))


def _attachments(message: Message) -> Iterator[Member]:
    """Yield attachments, also of inner messages; repeated names get a number."""
    taken: Counter[str] = Counter()
    for part in walk(message):
        if not part.is_attachment or part.name == part.kind:  # without a name
            continue
        name = _safe_name(part.name)
        taken[name] += 1
        if taken.total() > MAX_ATTACHMENTS:
            raise TooLarge(f"the message has more than {MAX_ATTACHMENTS:,} attachments: save them as files")
        yield Member(_numbered(name, taken[name]), 0, part.data)


def _numbered(name: str, number: int) -> str:
    path = PurePosixPath(name)
    return name if number == 1 else f"{path.stem}-{number}{path.suffix}"


def _safe_name(name: str) -> str:
    """Return a name without folders."""
    name = name.replace("\\", "/").rpartition("/")[2].strip()
    return name if name.strip(".") else "unnamed"


def _bytes(given: Path | bytes) -> bytes:
    return given.read_bytes() if isinstance(given, Path) else given
