"""E-mail: the subject as heading, the body as text, attachments by name."""

from __future__ import annotations

from contextlib import suppress
from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.formats.sound import headings, kinds, read_soundly

from crosshead.errors import CorruptFile, CrossheadError, TooLarge
from crosshead.formats import extract


def message(body: str = "Hello.\n", subject: str = "Plans") -> EmailMessage:
    made = EmailMessage()
    made["From"] = "Ann <ann@example.org>"
    made["To"] = "Bob <bob@example.org>, Eve <eve@example.org>"
    made["Date"] = "Mon, 01 Jan 2024 10:00:00 +0000"
    made["Subject"] = subject
    made.set_content(body)
    return made


def test_subject_headers_and_body() -> None:
    document = read_soundly(message("Hello.\n\n- one\n- two\n", "Grüße *und* Pläne").as_bytes(), "eml")
    assert headings(document) == [(1, "Grüße *und* Pläne")]
    assert kinds(document) == ["heading", "list", "paragraph", "list"]
    assert document.title == "Grüße *und* Pläne"
    assert "- From: Ann \\<ann@example.org>\n- To: Bob \\<bob@example.org>, Eve" in document.text
    assert "- Date: Mon, 01 Jan 2024 10:00:00 +0000\n" in document.text


def test_what_looks_like_markdown_stays_text() -> None:
    assert headings(read_soundly(message("# no heading\n").as_bytes(), "eml")) == [(1, "Plans")]


def test_quoted_text_is_a_quote() -> None:
    text = extract(message("I agree.\n\nBob wrote:\n> first\n> second\n>> deeper\n\nAnn\n").as_bytes(), "eml")
    assert text.endswith("Bob wrote:\n\n> first\n> second\n\n> > deeper\n\nAnn\n")


def test_attachments_are_named() -> None:
    made = message()
    made.add_attachment(b"%PDF-", maintype="application", subtype="pdf", filename="report *1*.pdf")
    made.add_attachment("a,b", subtype="csv", filename="t.csv")
    assert extract(made.as_bytes(), "eml").endswith("Hello.\n\nAttachments:\n\n- report \\*1\\*.pdf\n- t.csv\n")


def test_plain_text_is_preferred_to_html() -> None:
    made = message("The text.\n")
    made.add_alternative("<p>The page.</p>", subtype="html")
    text = extract(made.as_bytes(), "eml")
    assert "The text." in text
    assert "The page." not in text


def test_html_is_read_where_there_is_no_text() -> None:
    pytest.importorskip("crosshead.formats.markup.html")
    made = message(" \n")
    made.add_alternative("<h2>Part</h2><p>The page.</p>", subtype="html")
    document = read_soundly(made.as_bytes(), "eml")
    assert headings(document) == [(1, "Plans"), (2, "Part")]


def test_headings_of_the_body_stand_below_the_subject() -> None:
    page, inner = message(subject="Page"), message("Top\n===\n\nText.\n", "Inner")
    page.set_content("<h1>News</h1><p>Text.</p><h2>More</h2><p>Text.</p>", subtype="html")
    page.add_attachment(inner)
    found = headings(read_soundly(page.as_bytes(), "eml"))
    assert found == [(1, "Page"), (2, "News"), (3, "More"), (2, "Inner"), (3, "Top")]


def test_message_that_is_cut_off_is_reported(caplog: pytest.LogCaptureFixture) -> None:
    made = message("The text.\n")
    made.add_attachment("a,b", subtype="csv", filename="t.csv")
    data = made.as_bytes()
    assert "The text." in extract(data, "eml")
    assert not caplog.text
    assert "The text." in extract(data[: data.index(b"t.csv")], "eml")
    assert "something may be missing" in caplog.text


def test_message_inside_of_a_message_has_its_own_heading() -> None:
    made = message()
    made.add_attachment(message("Inner text.\n", "Forwarded"))
    document = read_soundly(made.as_bytes(), "eml")
    assert headings(document) == [(1, "Plans"), (2, "Forwarded")]
    assert "Inner text." in document.text


@pytest.mark.parametrize(
    ("head", "body", "expected"),
    [
        ("Content-Type: text/plain; charset=latin-1", b"caf\xe9", "café"),
        ("Content-Type: text/plain; charset=nonsense", "café".encode(), "café"),
        ("Content-Type: text/plain; charset=utf-8", b"caf\xe9 cr\xe8me br\xfbl\xe9e", "café"),
        ("Content-Transfer-Encoding: base64", b"SGVsbG8=", "Hello"),
        ("Content-Transfer-Encoding: quoted-printable", b"caf=C3=A9", "café"),
        ("Content-Type: text/plain; charset=ascii", b"\xff\xfe\xff", "\ufffd"),
        ("Content-Type: nonsense", b"text", "text"),
        ("To: <<>,;:@\r\nDate: never\r\nSubject: =?utf-8?b?////?=", b"text", "text"),
    ],
)
def test_odd_encodings_and_headers(head: str, body: bytes, expected: str) -> None:
    assert expected in extract(b"From: a@b.c\r\n" + head.encode() + b"\r\n\r\n" + body, "eml")


def test_long_header_is_cut(caplog: pytest.LogCaptureFixture) -> None:
    text = extract(b"Subject: Plans\nTo: " + b"Ann <a@b.c>, " * 40_000 + b"\n\nText.\n", "eml")
    assert len(text) < 400_000
    assert "the header To is truncated" in caplog.text


def test_line_of_a_mailbox_is_skipped() -> None:
    assert extract(b"From ann Mon Jan 1\nSubject: Plans\n\nText.\n", "eml") == "# Plans\n\nText.\n"


@pytest.mark.parametrize("data", [b"\0\1\0", b"just words"])
def test_what_is_no_message_says_so(data: bytes) -> None:
    with pytest.raises(CorruptFile, match="not an e-mail"):
        extract(data, "eml")


def test_broken_structure_is_kept_as_it_can_be() -> None:
    text = extract(b"Subject: Plans\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\nFirst.\n--x\n\nSecond.", "eml")
    assert "First." in text
    assert "Second." in text


def test_deep_nesting_is_refused() -> None:
    with pytest.raises(TooLarge, match="nested more than 50 deep"):
        extract(b"Content-Type: message/rfc822\n\n" * 90 + b"text", "eml")
    with pytest.raises(TooLarge, match="nested parts"):
        extract(b"From: a\nX: boundary= \n" * 3000, "eml")


PIECES = st.sampled_from(
    [b"From: a@b\n", b"Subject: =?x?q?=?=\n", b"Content-Type: multipart/mixed; boundary=b\n", b"\n", b"--b\n",
     b"--b--\n",
     b"Content-Type: message/rfc822\n", b"Content-Disposition: attachment; filename*=utf-8''%ff\n", b"text\n", b">q\n",
     b"Content-Transfer-Encoding: base64\n", b"Content-Type: text/plain; charset=\xff\n", b": x\n", b"To: \"a <b>,,\n"]
) | st.binary(max_size=10)  # fmt: skip


@given(st.lists(PIECES, max_size=12))
def test_broken_messages_never_crash(pieces: list[bytes]) -> None:
    with suppress(CrossheadError):
        extract(b"".join(pieces), "eml")


CALENDAR = (
    "BEGIN:VCALENDAR\r\nBEGIN:VTIMEZONE\r\nDTSTART:19700101T000000\r\nEND:VTIMEZONE\r\nBEGIN:VEVENT\r\n"
    'SUMMARY:Review\\, part 2\r\nDTSTART;TZID="Europe/Berlin":20240301T093000\r\nDTEND:20240301T093000Z\r\n'
    'LOCATION:Room 5\r\nORGANIZER;CN="Lee; Ann":mailto:ann@example.org\r\nATTENDEE;ROLE=REQ;CN=Bob:MAILTO:bob@exa\r\n'
    " mple.org\r\nDESCRIPTION:First line.\\n\\nSecond.\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
)
EVENT = (
    "- Event: Review, part 2\n- Starts: 2024-03-01 09:30 Europe/Berlin\n- Ends: 2024-03-01 09:30 UTC\n- Place: Room 5\n"
    "- Organizer: Lee; Ann \\<ann@example.org>\n- Attendee: Bob \\<bob@example.org>\n"
)


def test_invitation_is_read() -> None:
    invitation = message()
    invitation.set_content(CALENDAR, subtype="calendar", cte="8bit")
    assert extract(invitation.as_bytes(), "eml").endswith(f"{EVENT}\nFirst line.\n\nSecond.\n")


def test_invitation_follows_the_text_that_describes_it() -> None:
    invitation = message("Please come.\n")
    invitation.add_alternative(CALENDAR, subtype="calendar", cte="8bit")
    assert extract(invitation.as_bytes(), "eml").endswith(f"Please come.\n\n{EVENT}")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig"])
def test_message_that_was_saved_in_another_encoding(encoding: str) -> None:
    sent = "From: a@b.c\r\nSubject: Plans\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\r\nGrüße, Привет\r\n"
    assert extract(sent.encode(encoding), "eml") == "# Plans\n\n- From: a@b.c\n\nGrüße, Привет\n"


def test_all_recipients_are_named() -> None:
    many = message()
    many.replace_header("To", ", ".join(f"Person {number} <p{number}@example.org>" for number in range(900)))
    assert "Person 899 \\<p899@example.org>" in extract(many.as_bytes(), "eml")


def test_message_of_nothing_but_attachments() -> None:
    made = EmailMessage()
    made["Subject"] = "Files"
    made.add_attachment(b"x", maintype="application", subtype="ms-tnef", filename="winmail.dat")
    assert extract(made.as_bytes(), "eml") == "# Files\n\nAttachments:\n\n- winmail.dat\n"
