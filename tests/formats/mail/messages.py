"""E-mail for tests: as it is sent, and as Outlook keeps it."""

from __future__ import annotations

import struct
from datetime import UTC, datetime
from email.message import EmailMessage
from typing import Any

from tests.formats.compound_files import make_compound


def mail(**attachments: bytes) -> bytes:
    made = EmailMessage()
    made["From"], made["Subject"] = "ann@example.org", "Plans"
    made.set_content("Hello.")
    for name, data in attachments.items():
        made.add_attachment(data, maintype="application", subtype="octet-stream", filename=name.replace("_", "."))
    return made.as_bytes()


def text_of(number: int, value: str) -> dict[str, Any]:
    return {f"__substg1.0_{number:04X}001F": value.encode("utf-16-le")}


def properties(numbers: dict[int, int], start: int = 32) -> dict[str, Any]:
    rows = [struct.pack("<HHIQ", 0x40 if number < 0x3000 else 3, number, 6, value) for number, value in numbers.items()]
    return {"__properties_version1.0": bytes(start) + b"".join(rows)}


def filetime(when: datetime) -> int:
    return int((when - datetime(1601, 1, 1, tzinfo=UTC)).total_seconds()) * 10_000_000


SENT = filetime(datetime(2024, 1, 1, 10, tzinfo=UTC))
HEAD = {
    **properties({0x0039: SENT}),
    **text_of(0x0037, "Grüße *und* Pläne"),
    **text_of(0x0C1A, "Ann"),
    **text_of(0x5D01, "ann@example.org"),
    **text_of(0x0E04, "Bob; Eve"),
}


def message(*parts: dict[str, Any]) -> bytes:
    return make_compound({name: value for part in (HEAD, *parts) for name, value in part.items()})


def attachment(number: int, *parts: dict[str, Any]) -> dict[str, Any]:
    inner = {name: value for part in parts for name, value in part.items()}
    return {f"__attach_version1.0_#{number:08X}": {**properties({}, 8), **inner}}


BODY = text_of(0x1000, "Hello.\r\n\r\n- one\r\n- two\r\n")
REPORT = attachment(0, text_of(0x3707, "report.txt"), {"__substg1.0_37010102": b"Numbers."})
MSG = message(BODY, REPORT)
