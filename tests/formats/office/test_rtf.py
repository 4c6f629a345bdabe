"""RTF: structure from styles and outline levels, text in any encoding."""

from __future__ import annotations

import logging
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.formats.office.rtf_files import RTF, rtf
from tests.formats.sound import headings, read_soundly

from crosshead.errors import CorruptFile, CrossheadError, ExtractError, TooLarge
from crosshead.formats import extract


def text(body: str, **options: object) -> str:
    """The Markdown of a document, cut and checked on the way."""
    read_soundly(rtf(body), "rtf")
    return extract(rtf(body), "rtf", **options)


def test_headings_by_style_and_by_outline_level() -> None:
    document = read_soundly(
        rtf(
            r"\pard\s3 Report\par\pard\s1 One\par\pard\s2 Two\par\pard\s6 Three\par\pard\outlinelevel3 Four\par"
            r"\pard\s1\b Bold\b0\par\pard Text.\par"
        ),
        "rtf",
    )
    assert headings(document) == [(1, "Report"), (1, "One"), (2, "Two"), (3, "Three"), (4, "Four"), (1, "Bold")]
    assert document.text.endswith("# Bold\n\nText.\n")


def test_title_of_the_properties() -> None:
    assert read_soundly(rtf(r"\pard x\par"), "rtf").title == "The title"


def test_marks_end_with_their_group_or_word() -> None:
    body = r"\pard a {\b bold} {\i it}\b  more\b0  x{\super 2} {\strike old} {\v hidden}{\deleted gone}{\f1 f()}\par"
    assert text(body) == "a **bold** *it* **more** x^2 ~~old~~ `f()`\n"


def test_characters() -> None:
    body = (
        r"\pard Gr\u252\'fc\u223?e \'80 \emdash \lquote q\rquote\~x\_y\-z \{\}\\ \u-10179?\u-8704? "
        r"{\uc0\u1055}{\uc2\u1088 ab} {\f2 \'cf\'f0} {\f3 \'93\'fa\'96\'7b}\par"
    )
    assert text(body) == "Grüße € —‘q’\u00a0x‑yz {}\\\\ 😀 Пр Пр 日本\n".replace("\u00a0", " ")


def test_encoding_of_the_document() -> None:
    assert extract(b"{\\rtf1\\ansi\\ansicpg1251 \\'cf\\'f0\\par}", "rtf") == "Пр\n"
    assert extract(b"{\\rtf1\\mac \\'8a\\par}", "rtf") == "ä\n"
    assert extract(b"{\\rtf1\\ansi\\ansicpg99999 \\'e4\\par}", "rtf") == "ä\n"


def test_lists_by_their_labels() -> None:
    item = r"{{\listtext\pard {} \tab}}\pard\ls1\ilvl{} {}\par "
    body = "".join(
        item.format(*each)
        for each in [
            (r"\'b7", 0, "a"),
            ("o", 1, "b"),
            (r"\'b7", 0, "c"),
            ("3.", 0, "three"),
            ("4.", 0, "four"),
            ("a)", 1, "x"),
        ]
    )
    assert text(body) == "- a\n  - b\n- c\n\n3. three\n4. four\n   1. x\n"


def test_lists_that_were_typed() -> None:
    item = r"\pard\li{}\fi-360 {}\tab {}\par"
    items = [(360, r"\bullet", "one"), (720, r"\bullet", "in"), (360, "1.", "x")]
    body = "".join(item.format(*each) for each in items) + r"\pard - no\par"
    assert text(body) == "- one\n  - in\n\n1. x\n\n\\- no\n"


def test_old_lists() -> None:
    assert text(r"{\pntext\f0 2.\tab}\pard x\par{\pntext\f0 3.\tab}y\par\pard z\par") == "2. x\n3. y\n\nz\n"


def test_code_and_quotes() -> None:
    body = r"\pard\s5 if x:\par\pard\s5\par\pard\s5   y\par\pard\s4 To be\par\pard {\f1 all()}\par"
    assert text(body) == "```\nif x:\n\n  y\n```\n\n> To be\n\n```\nall()\n```\n"


def test_document_in_a_typewriter_font_is_no_code() -> None:
    assert extract(rtf(r"\pard\f1 All of it.\par\pard And more.\par"), "rtf") == "All of it.\n\nAnd more.\n"


def test_tables() -> None:
    row = r"\trowd\cellx1000\cellx2000\pard\intbl {}\cell\pard\intbl {}\cell\row "
    body = row.format(r"{\b Name}", "Amount") + row.format("a|b", r"(425)\par next") + r"\pard after\par"
    assert text(body) == "| Name | Amount |\n| --- | --- |\n| a\\|b | (425)<br>next |\n\nafter\n"


def test_cells_as_wide_as_several_columns() -> None:
    body = (
        r"\trowd\cellx2000\cellx3000\pard\intbl wide\cell\pard\intbl c\cell\row"
        r"\trowd\cellx1010\cellx2010\cellx3000\pard\intbl 1\cell 2\cell 3\cell\row\pard"
    )
    assert text(body) == "| wide |  | c |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n"


def test_tables_that_follow_one_another_and_frames() -> None:
    one = r"\trowd\cellx1000\cellx2000\pard\intbl a\cell b\cell\row"
    two = r"\trowd\cellx1500\cellx3500\cellx4000\pard\intbl c\cell d\cell e\cell\row\pard"
    assert text(one + two) == "| a | b |\n| --- | --- |\n\n| c | d | e |\n| --- | --- | --- |\n"
    assert text(r"\trowd\cellx1000\pard\intbl framed\cell\row\pard x\par") == "framed\n\nx\n"


def test_table_inside_of_a_table() -> None:
    inner = (
        r"\pard\intbl\itap2 i1\nestcell\pard\intbl\itap2 i2\nestcell{\*\nesttableprops\trowd\cellx500\cellx900\nestrow}"
        r"{\nonesttables\par}"
    )
    body = rf"\trowd\cellx1000\cellx2000\pard\intbl a\cell{inner}\pard\intbl b\cell\row\pard"
    assert text(body) == "| a | i1 \\| i2<br>b |\n| --- | --- |\n"


def test_links_fields_and_bookmarks() -> None:
    field = r"{{\field{{\*\fldinst{{ {} }}}}{{\fldrslt{{{}}}}}}}"
    body = (
        r"\pard See " + field.format(r'HYPERLINK "https://e.org/?a=1&b=2"', "this") + " and "
        + field.format(r'HYPERLINK \\l "mark"', "that") + ", page " + field.format("PAGEREF x", "7")
        + r"{\*\bkmkstart m}{\*\bkmkend m}.\par"
    )  # fmt: skip
    assert text(body) == "See [this](https://e.org/?a=1&b=2) and that, page 7.\n"


def test_footnotes_and_text_boxes() -> None:
    body = (
        r"\pard Fact{\super\chftn{\footnote\pard\chftn  See {\i there}.\par}}, {\shp{\*\shpinst\shpleft0"
        r"{\sp{\sn a}{\sv 1}}{\shptxt\pard boxed\par}}{\shprslt old}}end.\par\pard\s1 Next\par"
    )
    assert text(body) == "boxed\n\nFact[^1], end.\n\n[^1]: See *there*.\n\n# Next\n"


def test_comments_are_kept_if_asked_for() -> None:
    body = r"\pard Fact{\*\atnid A}{\*\atnauthor Ann}\chatn{\*\annotation\pard Why?\par}.\par"
    assert text(body) == "Fact.\n"
    assert extract(rtf(body), "rtf", comments=True) == "Fact[^1].\n\n[^1]: Ann:\n\n    Why?\n"


def test_what_is_no_text_is_left_out(caplog: pytest.LogCaptureFixture) -> None:
    body = (
        r"{\header\pard head\par}{\footer foot}{\pict\wmetafile8 0102ff}{\*\unknown x{y}}\bin3 \}\{{"
        r"{\object{\*\objdata 0102}{\result\pard shown\par}}{\mmath{\*\moMath x}}\pard text\par"
    )
    with caplog.at_level(logging.WARNING):
        assert "head" not in extract(rtf(body.replace("{{", "{", 1).replace(r"\bin3 \}\{{", "")), "rtf")
    assert "1 formula is left out" in caplog.text
    assert "1 picture" in caplog.text


def test_binary_data_is_skipped() -> None:
    assert extract(b"{\\rtf1 a{\\pict\\bin4 }}}}} b\\par}", "rtf") == "a b\n"


def test_text_that_looks_like_markup_stays_text() -> None:
    assert text(r"\pard # <b> &amp; *x* [y](z)\par") == "\\# \\<b> \\&amp; \\*x\\* \\[y\\](z)\n"


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"", CorruptFile),
        (b"plain text", CorruptFile),
        (b"{\\rtf1}", ExtractError),
        (b"{\\rtf1{\\pict 00}}", ExtractError),
        (b"{\\rtf1" + b"{" * 6_000, TooLarge),
        (b"{\\rtf1" + b"\\b\\i" * 800_000, TooLarge),
    ],
)
def test_what_cannot_be_read_is_a_typed_error(data: bytes, error: type[Exception]) -> None:
    with pytest.raises(error):
        extract(data, "rtf")


@pytest.mark.parametrize(
    "body",
    [
        r"\par" * 50_000,
        r"x\par " * 20_000,
        r"\pard\intbl\itap20 x\nestcell" * 20_000,
        r"\trowd" + r"\cellx1" * 50_000 + r"\intbl x\cell\row" * 20_000,
        r"{\footnote x\par}" * 20_000,
        r"{\field{\*\fldinst HYPERLINK " * 1_000 + "x",
        r"\u-1?" * 100_000,
        r"{\listtext 1.}\ls1\ilvl8 x\par" * 10_000,
        r"{\fonttbl" + r"{\f9 x;}" * 20_000 + "}x",
        r"{\stylesheet" + r"{\s9 x" * 4_000,
        r"\'80" * 100_000,
        "}" * 100_000 + "x",
        r"\bin999999999 x",
        r"\cellx99999999999999\uc99999999 \u99999999999 x\par",
    ],
)
def test_hostile_documents_are_read_or_refused(body: str) -> None:
    with suppress(CrossheadError):
        extract(rtf(body), "rtf")


@given(st.data())
def test_damage_is_a_typed_error(data: st.DataObject) -> None:
    changed = bytearray(RTF)
    for at in data.draw(st.lists(st.integers(0, len(RTF) - 1), max_size=8)):
        changed[at] = data.draw(st.sampled_from(b"{}\\ \0'a0;*"))
    with suppress(CrossheadError):
        read_soundly(bytes(changed[: data.draw(st.integers(1, len(RTF)))]), "rtf")
