"""Messages of Outlook: a compound file of properties, read like any other e-mail."""

from __future__ import annotations

import struct
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.formats.compound_files import make_compound
from tests.formats.mail.messages import BODY, MSG, REPORT, SENT, attachment, message, properties, text_of
from tests.formats.sound import headings, read_soundly

from crosshead.errors import CorruptFile, CrossheadError, UnsupportedFormat
from crosshead.formats import extract
from crosshead.formats.mail.compressed_rtf import decompress_rtf


def test_subject_headers_body_and_attachments() -> None:
    document = read_soundly(MSG, "msg")
    assert headings(document) == [(1, "Grüße *und* Pläne")]
    assert document.title == "Grüße *und* Pläne"
    assert document.text == (
        "# Grüße \\*und\\* Pläne\n\n- From: Ann \\<ann@example.org>\n- To: Bob; Eve\n"
        "- Date: Mon, 01 Jan 2024 10:00:00 +0000\n\nHello.\n\n- one\n- two\n\nAttachments:\n\n- report.txt\n"
    )


def test_headers_that_it_was_sent_with_have_the_addresses() -> None:
    headers = "From: Ann <a@b.c>\r\nTo: =?utf-8?q?J=C3=B6rg?= <j@b.c>\r\nDate: Tue, 02 Jan 2024 10:00:00 +0100\r\n\r\n"
    found = extract(message(text_of(0x007D, headers), BODY), "msg")
    assert "- From: Ann \\<a@b.c>\n- To: Jörg \\<j@b.c>\n- Date: Tue, 02 Jan 2024 10:00:00 +0100\n" in found


def test_html_is_read_where_there_is_no_text() -> None:
    page = {"__substg1.0_10130102": "<html><h1>Title</h1><p>Grün</p></html>".encode()}
    assert extract(message(page), "msg").endswith("## Title\n\nGrün\n")
    assert "Title" not in extract(message(BODY, page), "msg")


def test_rtf_is_read_where_there_is_nothing_else() -> None:
    rtf = rb"{\rtf1\ansi\pard Some {\b bold} text.\par}"
    packed = {"__substg1.0_10090102": struct.pack("<IIII", len(rtf) + 12, len(rtf), 0x414C454D, 0) + rtf}
    assert extract(message(packed), "msg").endswith("Some **bold** text.\n")


def test_appointment_without_a_body_is_read() -> None:
    names = [(0x8208, 0), (0x820D, 1), (0x820E, 2)]
    named = {"__nameid_version1.0": {"__substg1.0_00030102": b"".join(struct.pack("<IHH", n, 2, i) for n, i in names)}}
    times = properties({0x8001: SENT, 0x8002: SENT + 36_000_000_000})
    made = {**text_of(0x0037, "Review"), **text_of(0x8000, "Room 5"), **times, **named}
    assert extract(make_compound(made), "msg") == (
        "# Review\n\n- Starts: Mon, 01 Jan 2024 10:00:00 +0000\n"
        "- Ends: Mon, 01 Jan 2024 11:00:00 +0000\n- Place: Room 5\n"
    )


def test_contact_is_read() -> None:
    made = {
        **properties({}),
        **text_of(0x3001, "Ann Lee"),
        **text_of(0x3A16, "Lee & Co"),
        **text_of(0x3A1C, "+49 30 1"),
    }
    assert extract(make_compound(made), "msg") == "# Ann Lee\n\n- Company: Lee & Co\n- Mobile phone: +49 30 1\n"


def test_all_recipients_are_named_with_their_addresses() -> None:
    people = {
        f"__recip_version1.0_#{number:08X}": {
            **properties({0x0C15: 1 + number % 2}, 8),
            **text_of(0x3001, f"Person {number}"),
            **text_of(0x39FE, f"p{number}@example.org"),
        }
        for number in range(400)
    }
    found = extract(message(people, BODY), "msg")
    assert all(f"Person {number} \\<p{number}@example.org>" in found for number in range(400))
    assert found.index("- To: Person 0") < found.index("- Cc: Person 1 ")


@pytest.mark.parametrize(
    "body", [{"__substg1.0_10090102": bytes(16)}, {"__substg1.0_10130102": b"<html><img src=x></html>"}]
)
def test_body_without_text_does_not_refuse_the_message(body: dict[str, Any]) -> None:
    assert extract(message(body, REPORT), "msg").endswith("Attachments:\n\n- report.txt\n")


def test_compressed_rtf() -> None:
    steps = b"\x00{\\rtf1 a" + b"\x01" + struct.pack(">H", (207 << 4) | 6)  # eight bytes from the beginning again
    packed = struct.pack("<IIII", len(steps) + 12, 16, 0x75465A4C, 0) + steps
    assert decompress_rtf(packed) == b"{\\rtf1 a{\\rtf1 a"
    beginning = b"\x01" + struct.pack(">H", 4)  # six bytes of what every text may refer to
    assert decompress_rtf(struct.pack("<IIII", 15, 99, 0x75465A4C, 0) + beginning) == b"{\\rtf1"
    assert decompress_rtf(b"short") == b""


def test_narrow_strings_are_in_the_code_page_of_the_message() -> None:
    parts = {**properties({0x3FFD: 1251}), "__substg1.0_0037001E": "Привет".encode("cp1251"), **text_of(0x1000, "x")}
    assert read_soundly(make_compound(parts), "msg").title == "Привет"


def test_message_inside_of_a_message() -> None:
    inner = {**properties({0x0039: SENT}, 24), **text_of(0x0037, "Inner"), **text_of(0x1000, "Deep."), **REPORT}
    data = message(BODY, attachment(0, {"__substg1.0_3701000D": inner}))
    document = read_soundly(data, "msg")
    assert headings(document) == [(1, "Grüße *und* Pläne"), (2, "Inner")]
    assert document.text.endswith("Deep.\n\nAttachments:\n\n- report.txt\n")


def test_attachment_without_a_name_and_a_storage_that_is_no_message() -> None:
    data = message(BODY, attachment(0, {"__substg1.0_3701000D": {"CONTENTS": b"x"}}), attachment(1))
    assert extract(data, "msg").endswith("Attachments:\n\n- unnamed\n- unnamed\n")


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"text", CorruptFile),
        (MSG[:700], CorruptFile),
        (make_compound({"WordDocument": b"x"}), UnsupportedFormat),
    ],
)
def test_what_is_no_message_is_a_typed_error(data: bytes, error: type[Exception]) -> None:
    with pytest.raises(error):
        extract(data, "msg")


def test_storages_that_lead_in_a_circle_are_read_once() -> None:
    inner = {**properties({}, 24), **text_of(0x0037, "Inner"), "last": b"x"}
    data = bytearray(message(BODY, attachment(0, {"__substg1.0_3701000D": inner})))
    root, storage = data.index("Root Entry".encode("utf-16-le")), data.index("__substg1.0_3701000D".encode("utf-16-le"))
    data[storage + 76 : storage + 80] = data[root + 76 : root + 80]
    assert extract(bytes(data), "msg").count("Attachments") <= 1


@given(st.data())
def test_damage_is_a_typed_error(data: st.DataObject) -> None:
    changed = bytearray(MSG)
    for at in data.draw(st.lists(st.integers(0, len(MSG) - 1), max_size=8)):
        changed[at] = data.draw(st.integers(0, 255))
    with suppress(CrossheadError):
        extract(bytes(changed[: data.draw(st.integers(1, len(MSG)))]), "msg")
