"""E-mail as Outlook saves it (.msg): a compound file whose streams are properties -> a message as of EML."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email import message_from_string
from email.message import Message
from email.utils import format_datetime
from typing import Final

from crosshead.errors import CorruptFile, TooLarge, UnsupportedFormat
from crosshead.formats.base import Extracted
from crosshead.formats.mail.compressed_rtf import decompress_rtf
from crosshead.formats.mail.parts import HTML, MAX_DEPTH, MESSAGE, PLAIN, RTF
from crosshead.formats.mail.writing import FACTS, SHOWN, write_message
from crosshead.formats.shared.containers.compound import MARK, ROOT, CompoundFile
from crosshead.formats.shared.decoding.codepages import code_page
from crosshead.formats.shared.decoding.text import decode
from crosshead.options import ExtractOptions

MAX_STREAM_BYTES: Final = 256 << 20
"""Of all streams together: several entries may name the same sectors."""

_SUBJECT, _HEADERS, _SENDER, _SENDER_ADDRESS, _TO, _CC = 0x0037, 0x007D, 0x0C1A, 0x5D01, 0x0E04, 0x0E03
_SENDER_ADDRESS_OF_SERVER: Final = 0x0C1F
_BODY, _HTML, _RTF = 0x1000, 0x1013, 0x1009
_DATA, _NAME, _SHORT_NAME, _TYPE = 0x3701, 0x3707, 0x3704, 0x370E
_START, _END, _DISPLAY_NAME = 0x0060, 0x0061, 0x3001
_RECIPIENT_KIND, _SMTP_ADDRESS, _ADDRESS = 0x0C15, 0x39FE, 0x3003
_RECIPIENTS: Final = {1: "To", 2: "Cc"}
_NAMED: Final = 0x8000
"""Numbers from here on are defined in the message."""
_TIMES: Final = {_START: "Starts", _END: "Ends", 0x820D: "Starts", 0x820E: "Ends", 0x8104: "Starts", 0x8105: "Due"}
_TEXTS: Final = {
    0x8208: "Place", 0x3A16: "Company", 0x3A18: "Department", 0x3A17: "Job title", 0x3A08: "Business phone",
    0x3A09: "Home phone", 0x3A1C: "Mobile phone", 0x3A24: "Fax", 0x3A15: "Address", 0x801B: "Business address",
    0x801A: "Home address", 0x8083: "E-mail", 0x8093: "E-mail", 0x80A3: "E-mail", 0x802B: "Web page",
}  # fmt: skip
"""Of appointments, tasks and contacts."""
_SENT, _RECEIVED, _CODE_PAGE, _INTERNET_CODE_PAGE = 0x0039, 0x0E06, 0x3FFD, 0x3FDE
_UNICODE, _STRING, _BINARY, _STORAGE = "001F", "001E", "0102", "000D"
_PROPERTIES: Final = "__properties_version1.0"
_NAMES: Final = "__nameid_version1.0"
_RECIPIENT: Final = "__recip_version1.0_"
_ATTACHMENT: Final = "__attach_version1.0_"
_OUTER_OFFSET: Final = 32
_INNER_OFFSET: Final = 24
_RECIPIENT_OFFSET: Final = 8
"""Offset of the fixed-size properties of a message, an inner message and a recipient."""
_NAMED_PROPERTY: Final = struct.Struct("<IHH")
_PROPERTY: Final = struct.Struct("<HHIQ")
_EPOCH: Final = datetime(1601, 1, 1, tzinfo=UTC)


def read_msg(data: bytes, options: ExtractOptions) -> Extracted:
    """Read a message of Outlook."""
    warnings: list[str] = []
    return write_message(parse_msg(data, warnings), options, warnings)


def parse_msg(data: bytes, warnings: list[str]) -> Message:
    """Return a message with its parts, and add to `warnings` what is not exact about it."""
    if not data.startswith(MARK):
        raise CorruptFile("not an Outlook message, or damaged: save it again")
    reader = _MsgReader(CompoundFile(data), warnings)
    if _PROPERTIES not in reader.file.entries():
        raise UnsupportedFormat("not an Outlook message: is it an Office document?")
    return reader.message(ROOT, 0)


class _MsgReader:
    def __init__(self, file: CompoundFile, warnings: list[str]) -> None:
        self.file = file
        self._warnings = warnings
        self._bytes_left = MAX_STREAM_BYTES
        self._seen: set[int] = set()
        numbers = self._numbers(file.entries(), _OUTER_OFFSET)
        self._encoding = code_page(numbers.get(_CODE_PAGE) or numbers.get(_INTERNET_CODE_PAGE) or 0)
        self._named = self._named_properties()

    def message(self, storage: int, depth: int) -> Message:
        """Return the message in a storage."""
        if depth > MAX_DEPTH:
            raise TooLarge(f"messages are nested more than {MAX_DEPTH} deep: save the message without its attachments")
        entries = self.file.entries(storage)
        message = Message()
        for name, value in self._headers(entries, is_inner=depth > 0).items():
            message[name] = value
        for fact in self._facts(entries, is_inner=depth > 0):
            message[FACTS] = fact
        message["Content-Type"] = "multipart/mixed"
        message.set_payload([_alternatives(list(self._bodies(entries))), *self._attachments(entries, depth)])
        return message

    def _headers(self, entries: dict[str, int], *, is_inner: bool) -> dict[str, str]:
        """Return the headers of the message; the transport headers have the addresses."""
        numbers = self._numbers(entries, _INNER_OFFSET if is_inner else _OUTER_OFFSET)
        people = self._recipients(entries)
        sent = message_from_string(self._text(entries, _HEADERS))
        sender = self._text(entries, _SENDER)
        address = self._text(entries, _SENDER_ADDRESS) or self._text(entries, _SENDER_ADDRESS_OF_SERVER)
        known = {
            "From": _person(sender, address),
            "To": people["To"] or self._text(entries, _TO),
            "Cc": people["Cc"] or self._text(entries, _CC),
            "Date": _date(numbers.get(_SENT) or numbers.get(_RECEIVED) or 0),
        }
        found = {name: str(sent.get(name) or known[name]) for name in SHOWN}
        subject = self._text(entries, _SUBJECT) or self._text(entries, _DISPLAY_NAME)
        return {"Subject": subject, **{name: value for name, value in found.items() if value}}

    def _recipients(self, entries: dict[str, int]) -> dict[str, str]:
        """Return all people that a message is for, with their addresses."""
        people: dict[str, list[str]] = {kind: [] for kind in _RECIPIENTS.values()}
        for name in sorted(name for name in entries if name.startswith(_RECIPIENT)):
            inner = self.file.entries(entries[name])
            kind = _RECIPIENTS.get(self._numbers(inner, _RECIPIENT_OFFSET).get(_RECIPIENT_KIND, 0) & 0xF)
            if kind:
                shown = self._text(inner, _DISPLAY_NAME).strip("'")
                address = self._text(inner, _SMTP_ADDRESS) or self._text(inner, _ADDRESS)
                people[kind].append(_person(shown, address))
        return {kind: "; ".join(filter(None, names)) for kind, names in people.items()}

    def _facts(self, entries: dict[str, int], *, is_inner: bool) -> Iterator[str]:
        """Yield the fields of an appointment, a task or a contact."""
        numbers = self._numbers(entries, _INNER_OFFSET if is_inner else _OUTER_OFFSET)
        facts = []
        for number, label in _TIMES.items():
            if when := _date(numbers.get(self._named.get(number, number), 0)):
                facts.append(f"{label}: {when}")
        for number, label in _TEXTS.items():
            if text := " ".join(self._text(entries, self._named.get(number, number)).split()):
                facts.append(f"{label}: {text}")
        yield from dict.fromkeys(facts)

    def _named_properties(self) -> dict[int, int]:
        """Return the numbers that properties with names have in this file."""
        storage = self.file.entries().get(_NAMES)
        stream = None if storage is None else self.file.entries(storage).get(_stream(3, _BINARY))
        data = self._read(stream) if stream is not None else b""
        rows = _NAMED_PROPERTY.iter_unpack(data[: len(data) // _NAMED_PROPERTY.size * _NAMED_PROPERTY.size])
        return {name: _NAMED + number for name, kind, number in rows if not kind & 1 and name >= _NAMED}

    def _bodies(self, entries: dict[str, int]) -> Iterator[Message]:
        if text := self._text(entries, _BODY):
            yield _part(PLAIN, text.encode("utf-8", "replace"), charset="utf-8")
        if page := self._binary(entries, _HTML) or self._text(entries, _HTML).encode("utf-8", "replace"):
            yield _part(HTML, page)
        if packed := self._binary(entries, _RTF):
            yield _part(RTF, decompress_rtf(packed))

    def _attachments(self, entries: dict[str, int], depth: int) -> Iterator[Message]:
        for name in sorted(name for name in entries if name.startswith(_ATTACHMENT)):
            number = entries[name]
            if number in self._seen:
                continue
            self._seen.add(number)
            inner = self.file.entries(number)
            storage = inner.get(_stream(_DATA, _STORAGE))
            if storage is not None and _PROPERTIES in self.file.entries(storage):
                part = Message()
                part["Content-Type"] = MESSAGE
                part.set_payload([self.message(storage, depth + 1)])
                yield part
            else:
                yield self._attachment(inner)

    def _attachment(self, entries: dict[str, int]) -> Message:
        name = self._text(entries, _NAME) or self._text(entries, _SHORT_NAME)
        kind = self._text(entries, _TYPE)
        part = _part(kind if kind.count("/") == 1 else "application/octet-stream", self._binary(entries, _DATA))
        part.add_header("Content-Disposition", "attachment", filename=name or "unnamed")
        return part

    def _text(self, entries: dict[str, int], number: int) -> str:
        wide, narrow = entries.get(_stream(number, _UNICODE)), entries.get(_stream(number, _STRING))
        if wide is not None:
            text = self._read(wide).decode("utf-16-le", "replace")
        else:
            text = self._decode(self._read(narrow)) if narrow is not None else ""
        return text.partition("\0")[0]

    def _decode(self, data: bytes) -> str:
        """Strings of one byte per character are in the code page of the outermost message."""
        return data.decode(self._encoding, "replace") if self._encoding else decode(data, self._warnings)

    def _binary(self, entries: dict[str, int], number: int) -> bytes:
        stream = entries.get(_stream(number, _BINARY))
        return self._read(stream) if stream is not None else b""

    def _numbers(self, entries: dict[str, int], start: int) -> dict[int, int]:
        """Return the properties of fixed size, which begin somewhere in their stream."""
        stream = entries.get(_PROPERTIES)
        data = self._read(stream)[start:] if stream is not None else b""
        rows = _PROPERTY.iter_unpack(data[: len(data) // _PROPERTY.size * _PROPERTY.size])
        return {number: value for _, number, _, value in rows}

    def _read(self, number: int) -> bytes:
        data = self.file.read(number) if self.file.is_stream(number) else b""
        self._bytes_left -= len(data)
        if self._bytes_left < 0:
            raise TooLarge(f"the message holds more than {MAX_STREAM_BYTES >> 20} MiB: save it without its attachments")
        return data


def _person(name: str, address: str) -> str:
    return f"{name} <{address}>" if "@" in address and address != name else name or address


def _stream(number: int, kind: str) -> str:
    return f"__substg1.0_{number:04X}{kind}"


def _part(kind: str, data: bytes, charset: str = "") -> Message:
    part = Message()
    part["Content-Type"] = kind
    if charset:
        part.set_param("charset", charset)
    part.set_payload(data)
    return part


def _alternatives(bodies: list[Message | str]) -> Message:
    part = Message()
    part["Content-Type"] = "multipart/alternative"
    part.set_payload(bodies)
    return part


def _date(value: int) -> str:
    """Return a time, which is counted in tenths of microseconds."""
    try:
        return format_datetime(_EPOCH + timedelta(microseconds=value // 10)) if value else ""
    except OverflowError:
        return ""
