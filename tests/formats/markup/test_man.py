"""Man pages keep their sections, terms and code, with the lines of the file beside them."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from tests.formats.sound import headings, read_soundly

import crosshead
from crosshead.errors import ExtractError, TooLarge
from crosshead.formats import extract
from crosshead.formats.detection import is_man
from crosshead.indexing.files.walk import files_in

PAGE = r""".\" A comment
.TH TOOL 1 2024-01-01 "Tools 1"
.SH NAME
tool \- do \(lqthings\(rq
.SH OPTIONS
.TP
.BR \-a ", " \-\-all =\fIFILE\fR
Take all of
.IR it .
.TQ
.B \-b
.RS
.IP \(bu 2
inner
.RE
.PP
After.
.SS Files
.EX
x = 1
  y
.EE
"""
MDOC = r""".Dd January 1, 2024
.Dt TOOL 1
.Os
.Sh NAME
.Nm tool
.Nd do things
.Sh SYNOPSIS
.Nm
.Op Fl a Ar file
.Sh DESCRIPTION
See
.Xr ls 1 ,
or
.Dq quoted text .
.Bl -tag -width x
.It Fl a , Fl -all
Take all.
.Bl -bullet
.It
one
.El
.El
"""


def read(text: str) -> str:
    return extract(text.encode(), "man")


def test_man_page() -> None:
    document = read_soundly(PAGE, "man")
    assert headings(document) == [(1, "TOOL(1)"), (2, "NAME"), (2, "OPTIONS"), (3, "Files")]
    assert document.text == (
        "# TOOL(1)\n\n## NAME\n\ntool - do “things”\n\n## OPTIONS\n\n- **-a, --all=FILE**:\n  Take all of\n  *it*.\n"
        "- **-b**\n\n  - inner\n\nAfter.\n\n### Files\n\n```\nx = 1\n  y\n```\n"
    )


def test_page_of_mdoc() -> None:
    document = read_soundly(MDOC, "man")
    assert document.text == (
        "# tool(1)\n\n## NAME\n\n**tool**\n– do things\n\n"
        "## SYNOPSIS\n\n**tool**\n[**-a** *file*\\]\n\n## DESCRIPTION\n\n"
        "See\nls(1),\nor\n“quoted text”.\n\n- **-a, --all**:\n  Take all.\n\n  - one\n"
    )


def test_citations_name_lines_of_the_file() -> None:
    document = read_soundly(PAGE, "man", source="tool.1")
    chunks = crosshead.chunk(document, max_tokens=12, min_tokens=0, overlap_tokens=0)
    assert {chunk.section_path[-1]: chunk.citation for chunk in reversed(chunks)}["NAME"] == "tool.1:2-4"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"\(co \[u00e9] \('e \[u0065_0301] \(em \e \*(lq \N'65'", "© é é é — \\\\ “ A"),
        (r"a\fBbold\fP and \fIitalic\fR, \s-2small\s0 \&.x", "a**bold** and *italic*, small .x"),
        (".ds X \\fBmany\\fR words\n\\*X here", "**many** words here"),
        (".de MY\n.B \\\\$1\n..\n.MY word\n.MY more", "**word**\n**more**"),
        (".ie n terminal\n.el paper", "terminal"),
        (".if t \\{\\\npaper\n.\\}\ntext", "text"),
        ("one\n.br\ntwo", "one\\\ntwo"),
        (".IP 1. 4\none\n.IP 2. 4\ntwo", "1. one\n2. two"),
        (".TS\ntab(|);\nlb lb\nl l.\nName|Value\na|T{\nlong\ntext\nT}\n.TE", "| Name | Value |\n| --- | --- |\n"
         "| a | long text |"),
        (".BR x (1)\\c\n, end", "**x**(1), end"),
        (".UNKNOWN thing\ntext", "text"),
        (".B\nnext line", "**next line**"),
        (".UR https://a.b\nthe site\n.UE", "⟨https://a.b⟩\nthe site"),
    ],
)  # fmt: skip
def test_markup(text: str, expected: str) -> None:
    assert read(f".TH X 1\n.SH Y\n{text}\n") == f"# X(1)\n\n## Y\n\n{expected}\n"


def test_content_shows_what_a_file_is(tmp_path: Path) -> None:
    (tmp_path / "tool.1").write_text(PAGE)
    (tmp_path / "tool.3pm.gz").write_bytes(gzip.compress(PAGE.encode()))
    (tmp_path / "syslog.1").write_text("Jan 1 kernel: started\n")
    (tmp_path / "data.gz").write_bytes(gzip.compress(b"x"))
    found = [Path(file.path).name for file in files_in(str(tmp_path))]
    assert found == ["tool.1", "tool.3pm.gz"]
    assert crosshead.read(tmp_path / "tool.3pm.gz").text == crosshead.read(tmp_path / "tool.1").text
    assert not is_man(b"A text about\n.TH and\n.SH\n")


def test_pages_of_other_encodings() -> None:
    page = "'\\\" -*- coding: ISO-8859-1 -*-\n.TH X 1\n.SH Überblick\nGrößen ändern für Geräte\n"
    assert "Größen ändern" in extract(page.encode("latin-1"), "man")


def test_what_cannot_be_read_is_told() -> None:
    with pytest.raises(ExtractError, match="only refers to man3"):
        read(".so man3/x.3\n")
    with pytest.raises(TooLarge):
        extract(gzip.compress(b".TH X 1\n" * 2_000_000), "man")
    with pytest.raises(ExtractError):
        extract(b"\x1f\x8bnothing", "man")


@pytest.mark.parametrize(
    "text",
    [
        ".de A\n.A\n.A\n..\n.A\n",
        ".ds A \\*A\\*A\n\\*A\n",
        "".join(f".ds {chr(65 + n)} " + 10 * f"\\*{chr(66 + n)}" + "\n" for n in range(20)) + "\\*A\n" * 500,
        ".RS\n" * 20_000 + "x\n",
        ".TP\n" * 20_000,
        ".IP a\nb\n" * 10_000,
        "\\fB" * 30_000,
        "\\f[" * 30_000,
        ".if n \\{\n" * 20_000,
        ".if n " * 10_000 + "x",
        ".TS\n" * 20_000,
        ".TS\nl.\n" + "T{\n" * 20_000,
        '.B "' * 20_000,
        "x\\\n" * 20_000,
        ".Bl\n.It\n" * 10_000,
        ".Op " + "Op " * 20_000,
        ".nf\n" * 20_000 + "x",
    ],
)
def test_odd_pages_are_read(text: str) -> None:
    read_soundly(f".TH X 1\n.Dd x\n.SH Y\n{text[:100_000]}\n.SH Z\ntext\n", "man")


def test_a_list_is_in_the_section_that_it_is_written_in() -> None:
    page = (
        ".TH X 1\n.SH OPTIONS\n.TP\n.B \\-a\nDo a.\n.RS\n.PP\nMore.\n.RE\n.TP\n.B \\-b\nDo b.\n.SS Files\n.TP\n"
        "/etc/x\nThe file.\n.SH BUGS\nNone.\n"
    )
    text = extract(page.encode(), "man")
    assert text.split("## OPTIONS\n\n")[1] == (
        "- **-a**:\n  Do a.\n\n  More.\n- **-b**:\n  Do b.\n\n"
        "### Files\n\n- **/etc/x**:\n  The file.\n\n## BUGS\n\nNone.\n"
    )
