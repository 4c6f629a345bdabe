"""Archives and messages as folders of documents."""

from __future__ import annotations

import io
import os
import zipfile
from email.message import EmailMessage
from pathlib import Path

import pytest
from tests.formats.archives import make_zip
from tests.formats.mail.messages import MSG, mail

import crosshead
from crosshead.errors import CorruptFile, EncryptedFile, ExtractError, TooLarge, UnsupportedFormat
from crosshead.formats import archives, documents_in, split_path
from crosshead.formats.containers import Inner


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    inner = make_zip({"deep.md": "# Deep\n", "more.zip": make_zip({"deeper.md": "# Deeper\n"})})
    parts = {"guide/start.md": "# Start\n", "mail.eml": mail(notes_md=b"# Notes\n"), "inner.zip": inner, "bad.zip": "x"}
    (tmp_path / "a.zip").write_bytes(make_zip(parts))
    (tmp_path / "mail.eml").write_bytes(mail(report_md=b"# Report\n", logo_png=b"x"))
    (tmp_path / "mail.msg").write_bytes(MSG)
    return tmp_path


def names(path: Path) -> list[str]:
    return [each.name for each in documents_in(str(path)) if not each.problem]


def test_what_is_inside_of_archives_and_messages(folder: Path) -> None:
    assert names(folder / "a.zip") == [
        "guide/start.md", "inner.zip/deep.md", "inner.zip/more.zip", "mail.eml", "mail.eml/notes.md"
    ]  # fmt: skip
    assert names(folder / "mail.eml") == ["logo.png", "report.md"]
    assert names(folder / "mail.msg") == ["report.txt"]


def test_archive_inside_that_is_damaged_is_told(folder: Path) -> None:
    assert [each for each in documents_in(str(folder / "a.zip")) if each.problem] == [
        Inner("bad.zip", "not a ZIP archive, or incomplete: save or download it again")
    ]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.zip/guide/start.md", "# Start\n"),
        ("a.zip/inner.zip/deep.md", "# Deep\n"),
        ("a.zip/mail.eml/notes.md", "# Notes\n"),
        ("mail.eml/report.md", "# Report\n"),
        ("mail.msg/report.txt", "Numbers."),
    ],
)
def test_path_leads_into_a_file(folder: Path, path: str, text: str) -> None:
    document = crosshead.read(folder / path)
    assert document.text == text
    assert document.source == (folder / path).as_posix()


def test_message_still_names_its_attachments(folder: Path) -> None:
    assert "- report.md\n- logo.png" in crosshead.read(folder / "mail.eml").text


def test_archive_itself_is_no_document(folder: Path) -> None:
    with pytest.raises(UnsupportedFormat, match=r"a\.zip: an archive of documents: index it, or name one of them"):
        crosshead.read(folder / "a.zip")


@pytest.mark.parametrize("path", ["a.zip/missing.md", "a.zip/guide", "a.zip/inner.zip/more.zip/deeper.md"])
def test_what_is_not_there_is_an_error(folder: Path, path: str) -> None:
    with pytest.raises(ExtractError, match=r"no such document in a\.zip"):
        crosshead.read(folder / path)


def test_path_through_no_container(folder: Path) -> None:
    assert split_path(folder / "a.zip" / "x" / "y.md") == (str(folder / "a.zip"), "x/y.md")
    assert split_path(folder / "missing.zip" / "y.md") is None
    assert split_path(folder / "missing.md") is None
    (folder / "b.md").write_text("x")
    assert split_path(folder / "b.md" / "y.md") is None
    with pytest.raises(ExtractError, match=r"y\.md: "):
        crosshead.read(folder / "b.md" / "y.md")


def test_change_of_a_file_is_seen(folder: Path) -> None:
    assert crosshead.read(folder / "a.zip" / "guide" / "start.md").text == "# Start\n"
    (folder / "a.zip").write_bytes(make_zip({"guide/start.md": "# Changed\n"}))
    assert crosshead.read(folder / "a.zip" / "guide" / "start.md").text == "# Changed\n"


def test_names_lead_nowhere_but_into_the_archive(tmp_path: Path) -> None:
    given = ["../../up.md", "/abs.md", "C:/drive.md", "a/../b.md", "a\\c.md", "./d.md", "../", "e/.. /f.md"]
    (tmp_path / "a.zip").write_bytes(make_zip(dict.fromkeys(given, "x")))
    assert names(tmp_path / "a.zip") == ["a/b.md", "a/c.md", "abs.md", "d.md", "drive.md", "e/f.md", "up.md"]
    made = EmailMessage()
    made["From"] = "a@b.c"
    for name in ("../../etc/x.md", "x.md", "..", "a\\y.md"):
        made.add_attachment(b"# x", maintype="text", subtype="markdown", filename=name)
    (tmp_path / "m.eml").write_bytes(made.as_bytes())
    assert names(tmp_path / "m.eml") == ["unnamed", "x-2.md", "x.md", "y.md"]


def test_names_that_are_utf_8_without_saying_so(tmp_path: Path) -> None:
    data = make_zip({"gr_en.md": "x"}).replace(b"gr_en", "grü".encode() + b"n")
    (tmp_path / "a.zip").write_bytes(data)
    assert names(tmp_path / "a.zip") == ["grün.md"]


def test_limits_of_archives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(make_zip({f"{number}.md": "x" for number in range(4)}))
    with monkeypatch.context() as patch:
        patch.setattr(archives, "MAX_MEMBERS", 3)
        with pytest.raises(TooLarge, match="more than 3 files"):
            documents_in(str(path))
    os.utime(path, (1, 1))
    monkeypatch.setattr(archives, "_MAX_DIRECTORY", 50)
    with pytest.raises(TooLarge, match="files"):
        documents_in(str(path))


def test_bombs_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.zip"
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(10):
            archive.writestr(f"{number}.md", bytes(10 << 20))
    path.write_bytes(file.getvalue())
    with pytest.raises(TooLarge, match="unpacks to 105 MB"):
        documents_in(str(path))


def test_size_of_a_document_that_lies_is_an_error(tmp_path: Path) -> None:
    data = bytearray(make_zip({"a.md": "x" * 5000}))
    at = data.index(b"PK\x01\x02")
    data[at + 24 : at + 28] = (10).to_bytes(4, "little")
    (tmp_path / "a.zip").write_bytes(data)
    with pytest.raises(CorruptFile, match="damaged in its archive"):
        crosshead.read(tmp_path / "a.zip" / "a.md")


def test_document_that_is_too_large_for_its_format_is_not_unpacked(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(make_zip({"a.txt": bytes(17 << 20)}))
    with pytest.raises(TooLarge, match="the limit for text files"):
        crosshead.read(tmp_path / "a.zip" / "a.txt")


def test_encrypted_document(tmp_path: Path) -> None:
    data = bytearray(make_zip({"a.md": "x"}))
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + place] |= 1
    (tmp_path / "a.zip").write_bytes(data)
    with pytest.raises(EncryptedFile, match="without a password"):
        crosshead.read(tmp_path / "a.zip" / "a.md")


def test_message_with_very_many_attachments_is_refused(tmp_path: Path) -> None:
    part = b"--b\r\nContent-Disposition: attachment; filename=a.md\r\n\r\nx\r\n"
    head = b"From: a@b.c\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n"
    (tmp_path / "m.eml").write_bytes(head + part * 1_001 + b"--b--\r\n")
    with pytest.raises(TooLarge, match="attachments"):
        documents_in(str(tmp_path / "m.eml"))
