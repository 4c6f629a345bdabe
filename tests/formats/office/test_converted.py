"""Files of before 2007 that LibreOffice converts, where it is installed."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from tests.formats.compound_files import SLIDES, WORD, make_compound
from tests.formats.sound import headings, read_soundly
from tests.support.killing import kill_when

from crosshead.errors import CorruptFile, EncryptedFile, TooLarge, UnsupportedFormat
from crosshead.formats import extract
from crosshead.formats.office import libreoffice


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program of the name of LibreOffice's, which does nothing yet."""
    path = tmp_path / "soffice"
    monkeypatch.setenv("PATH", str(tmp_path))
    path.write_text(f"#!{sys.executable}\n")
    path.chmod(0o755)
    return path


def test_without_libreoffice_the_error_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(UnsupportedFormat, match=r"DOC.*LibreOffice.*install it.*or save the file as DOCX"):
        extract(WORD, "doc")
    with pytest.raises(UnsupportedFormat, match=r"PPT.*or save the file as PPTX"):
        extract(SLIDES, "ppt")


@pytest.mark.usefixtures("program")
def test_program_that_makes_nothing_is_an_error() -> None:
    with pytest.raises(CorruptFile, match="LibreOffice cannot read this DOC file"):
        extract(WORD, "doc")


def test_program_that_takes_too_long_is_ended_with_its_children(
    program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(libreoffice, "TIMEOUT_SECONDS", 0.5)
    child = f"import time; time.sleep(3); open({str(tmp_path / 'late')!r}, 'w')"
    program.write_text(
        f"#!{sys.executable}\nimport subprocess, sys\nsubprocess.run([sys.executable, '-c', {child!r}])\n"
    )
    with pytest.raises(TooLarge, match="seconds"):
        extract(WORD, "doc")
    assert not (tmp_path / "late").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="programs are found by their suffixes there")
def test_what_a_killed_process_left_is_removed_by_the_next_one(
    program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr(tempfile, "tempdir", None)  # so that it is looked for again
    (tmp_path / "old.doc").write_bytes(WORD)
    reached = tmp_path / "reached"
    work = f"import tempfile, time\ntempfile.mkdtemp()\nopen({str(reached)!r}, 'w')\ntime.sleep(600)\n"
    program.write_text(f"#!{sys.executable}\n{work}")
    kill_when(reached, "extract", str(tmp_path / "old.doc"))
    (left,) = temporary.iterdir()
    assert left.name.startswith("crosshead-")
    assert (left / "document.doc").read_bytes() == WORD
    program.write_text(f"#!{sys.executable}\n")
    with pytest.raises(CorruptFile):
        extract(WORD, "doc")
    assert [*temporary.iterdir()] == []


def test_encrypted_files() -> None:
    with pytest.raises(EncryptedFile, match="password"):
        extract(make_compound({"WordDocument": bytes(10) + b"\x00\x01" + bytes(5000)}), "doc")
    with pytest.raises(EncryptedFile, match="password"):
        extract(make_compound({"PowerPoint Document": b"x", "EncryptedSummary": b"x"}), "ppt")


def test_what_only_has_the_suffix() -> None:
    assert extract(b"Just text.\n", "doc") == "Just text.\n"
    with pytest.raises(CorruptFile, match="not a PowerPoint file"):
        extract(b"Just text.\n", "ppt")


@pytest.mark.skipif(
    shutil.which("soffice") is None, reason="LibreOffice is not installed: apt-get install libreoffice-writer"
)
def test_word_document_by_libreoffice(tmp_path: Path) -> None:
    given = tmp_path / "a.html"
    given.write_text("<h1>Report</h1><p>Some <b>bold</b> text.</p><h2>Scope</h2><ul><li>one</li></ul>")
    profile = f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}"
    filters = ["--infilter=HTML (StarWriter)", "--convert-to", "doc:MS Word 97", "--outdir", str(tmp_path), str(given)]
    subprocess.run(["soffice", "--headless", profile, *filters], check=True, capture_output=True)
    document = read_soundly((tmp_path / "a.doc").read_bytes(), "doc")
    assert headings(document) == [(1, "Report"), (2, "Scope")]
    assert "Some **bold** text." in document.text
