"""OpenDocument: texts, spreadsheets and presentations."""

from __future__ import annotations

import logging
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.formats.archives import change_zip, make_zip
from tests.formats.office.opendocument_files import NAMES, ODP, ODS, ODT, content, make_odt, make_opendocument
from tests.formats.sound import headings, read_soundly

from crosshead.errors import CorruptFile, CrossheadError, EncryptedFile, ExtractError, TooLarge, UnsupportedFormat
from crosshead.formats import extract


def text(body: str, **options: object) -> str:
    """The Markdown of a text document, cut and checked on the way."""
    read_soundly(make_odt(body), "odt")
    return extract(make_odt(body), "odt", **options)


def test_whole_document() -> None:
    document = read_soundly(ODT, "odt")
    assert document.title == "Report"
    assert document.text == "# Report\n\n## Scope\n\nSome **bold** text.\n\n1. One\n\n| a | b |\n| --- | --- |\n"


def test_flat_document_is_read_alike() -> None:
    flat = f"<office:document {NAMES}><office:body><office:text><text:h>A</text:h></office:text></office:body>"
    assert extract(f"{flat}</office:document>".encode(), "odt") == "# A\n"


def test_headings_by_level_and_by_style() -> None:
    body = (
        '<text:h text:outline-level="3">Three</text:h><text:h text:outline-level="9">Nine</text:h>'
        '<text:p text:style-name="P1">By a style</text:p><text:p text:style-name="Heading_20_2">By a name</text:p>'
    )
    found = headings(read_soundly(make_odt(body), "odt"))
    assert found == [(3, "Three"), (6, "Nine"), (1, "By a style"), (2, "By a name")]


def test_numbered_heading_is_no_item() -> None:
    item = '<text:list-item><text:h text:outline-level="1">Scope</text:h></text:list-item>'
    assert text(f'<text:list text:style-name="N">{item}</text:list>') == "# Scope\n"


def test_marks_links_and_spaces() -> None:
    body = (
        '<text:p>a<text:s text:c="3"/>b <text:span text:style-name="I">it</text:span> x<text:span text:style-name="S">2'
        '</text:span> <text:span text:style-name="M">f(x)</text:span> <text:a xlink:href="https://e.org/?a=1&amp;b=2">'
        'link</text:a> <text:a xlink:href="#Scope|outline">inner</text:a><text:line-break/>next</text:p>'
    )
    assert text(body) == "a b *it* x^2 `f(x)` [link](https://e.org/?a=1&b=2) inner\\\nnext\n"


def test_reading_follows_its_word_in_parentheses() -> None:
    ruby = "<text:ruby><text:ruby-base>雲雀</text:ruby-base><text:ruby-text>ひばり</text:ruby-text></text:ruby>"
    assert text(f"<text:p>{ruby}が</text:p>") == "雲雀(ひばり)が\n"


def test_text_that_looks_like_markup_stays_text() -> None:
    assert text("<text:p>&lt;b&gt; &amp;amp; # *x*</text:p>") == "\\<b> \\&amp; # \\*x\\*\n"


def test_lists_are_nested_and_go_on_counting() -> None:
    item = "<text:list-item><text:p>{}</text:p>{}</text:list-item>"
    inner = f"<text:list>{item.format('inner', '')}</text:list>"
    body = (
        f'<text:list text:style-name="N">{item.format("one", inner)}{item.format("two", "")}</text:list>'
        f'<text:p>between</text:p><text:list text:style-name="N" text:continue-numbering="true">'
        f"{item.format('three', '')}</text:list>"
    )
    assert text(body) == "1. one\n   - inner\n2. two\n\nbetween\n\n3. three\n"


def test_list_of_which_each_item_is_a_list() -> None:
    item = "<text:list-item>{}</text:list-item>"
    whole = '<text:list text:style-name="U">{}</text:list>'
    deeper = item.format(f"<text:list>{item.format('<text:p>deeper</text:p>')}</text:list>")
    lists = [whole.format(item.format("<text:p>one</text:p>")), whole.format(deeper)]
    assert text("".join([*lists, whole.format(item.format("<text:p>two</text:p>"))])) == "- one\n  - deeper\n- two\n"


def test_code_and_quotes_of_several_paragraphs() -> None:
    body = (
        '<text:p text:style-name="Preformatted_20_Text">if x:</text:p><text:p text:style-name="Preformatted_20_Text">'
        '<text:s text:c="4"/>y</text:p><text:p text:style-name="Quotations">To be</text:p>'
        '<text:p><text:span text:style-name="M">all()</text:span></text:p>'
    )
    assert text(body) == "```\nif x:\n    y\n```\n\n> To be\n\n```\nall()\n```\n"


def test_footnotes_stand_at_the_end_of_their_section() -> None:
    inner = "<text:note-citation>7</text:note-citation><text:note-body><text:p>See.</text:p></text:note-body>"
    note = f"<text:note>{inner}</text:note>"
    body = f"<text:h>A</text:h><text:p>Fact{note}.</text:p><text:h>B</text:h><text:p>More.</text:p>"
    assert text(body) == "# A\n\nFact[^1].\n\n[^1]: See.\n\n# B\n\nMore.\n"


def test_comments_are_kept_if_asked_for() -> None:
    comment = "<dc:creator>Ann</dc:creator><dc:date>2024</dc:date><text:p>Why?</text:p>"
    body = f"<text:p>Fact<office:annotation>{comment}</office:annotation>.</text:p>"
    assert text(body) == "Fact.\n"
    assert extract(make_odt(body), "odt", comments=True) == "Fact[^1].\n\n[^1]: Ann:\n\n    Why?\n"


def test_what_was_deleted_and_tables_of_contents_are_left_out() -> None:
    body = (
        "<text:tracked-changes><text:changed-region><text:deletion><text:p>gone</text:p></text:deletion>"
        "</text:changed-region></text:tracked-changes><text:table-of-content><text:index-body><text:p>Scope 1</text:p>"
        "</text:index-body></text:table-of-content><text:p>stays</text:p>"
    )
    assert text(body) == "stays\n"


def test_text_boxes_follow_their_paragraph_and_pictures_are_their_descriptions() -> None:
    box = "<draw:frame><draw:text-box><text:p>boxed</text:p></draw:text-box></draw:frame>"
    picture = "<draw:frame><draw:image/><svg:title>t</svg:title><svg:desc>a cat</svg:desc></draw:frame>"
    assert text(f"<text:p>before{box} after {picture}</text:p><text:p>last</text:p>") == (
        "before after a cat\n\nboxed\n\nlast\n"
    )


def test_tables_with_spans_and_frames() -> None:
    cell = "<table:table-cell{}><text:p>{}</text:p></table:table-cell>"
    rows = [
        [cell.format(' table:number-columns-spanned="2"', "wide"), "<table:covered-table-cell/>"],
        [cell.format("", "a|b"), cell.format("", "c")],
    ]
    made = "".join(f"<table:table-row>{''.join(row)}</table:table-row>" for row in rows)
    assert text(f"<table:table>{made}</table:table>") == "| wide |  |\n| --- | --- |\n| a\\|b | c |\n"
    frame = f"<table:table><table:table-row>{cell.format('', 'framed')}</table:table-row></table:table>"
    assert text(f"<text:p>x</text:p>{frame}") == "x\n\nframed\n"


def test_formulas_and_charts() -> None:
    chart = content(
        "chart",
        '<chart:chart><chart:title><text:p>Sales</text:p></chart:title><table:table table:name="local-table">'
        "<table:table-row><table:table-cell><text:p>Q</text:p></table:table-cell><table:table-cell><text:p>EUR</text:p>"
        "</table:table-cell></table:table-row><table:table-row><table:table-cell><text:p>1</text:p></table:table-cell>"
        "<table:table-cell><text:p>42</text:p></table:table-cell></table:table-row></table:table></chart:chart>",
    )
    frame = '<draw:frame><draw:object xlink:href="./{}"/><draw:image/></draw:frame>'
    math = f"<math:math {NAMES}><math:mi>x</math:mi></math:math>"
    data = make_odt(
        f"<text:p>Let {frame.format('Object 1')} be.{frame.format('Object 2')}</text:p>",
        **{"Object 1/content.xml": math, "Object 2/content.xml": chart},
    )
    found = read_soundly(data, "odt").text
    assert "x" in found.partition("Let ")[2].partition(" be.")[0]
    assert found.endswith("be.\n\nSales\n\n| Q | EUR |\n| --- | --- |\n| 1 | 42 |\n")


def test_object_that_cannot_be_read_is_told(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        text('<text:p>x<draw:frame><draw:object xlink:href="../../etc"/></draw:frame></text:p>')
    assert "left out" in caplog.text


def test_spreadsheet() -> None:
    document = read_soundly(ODS, "ods")
    assert document.title == "The title"
    assert document.text == "## Sales\n\n| Item | Amount |\n| --- | --- |\n| Ink | -$4.50 |\n"


def test_cells_of_a_spreadsheet() -> None:
    cell = "<table:table-cell{}>{}</table:table-cell>"
    row = "<table:table-row{}>{}</table:table-row>"
    rows = [
        row.format("", "".join(cell.format("", f"<text:p>{name}</text:p>") for name in ("Day", "What", "Who"))),
        row.format(
            ' table:number-rows-repeated="2"',
            cell.format(
                ' office:value-type="date" office:date-value="2024-03-01T00:00:00"', "<text:p>01/03/24</text:p>"
            )
            + cell.format(' table:number-columns-repeated="2"', "<text:p>a<text:s/>b</text:p><text:p>c</text:p>"),
        ),
        row.format(' table:number-rows-repeated="1048000"', cell.format(' table:number-columns-repeated="16384"', "")),
    ]
    found = extract(
        make_opendocument("spreadsheet", f"<table:table table:name='S'>{''.join(rows)}</table:table>"), "ods"
    )
    line = "| 2024-03-01 | a b<br>c | a b<br>c |\n"
    assert found == f"## S\n\n| Day | What | Who |\n| --- | --- | --- |\n{line}{line}"


def test_presentation() -> None:
    document = read_soundly(ODP, "odp")
    assert document.text == "## Agenda\n\n- First\n"
    assert document.pages == ((1, 1),)


def test_slides_without_title_tables_and_notes() -> None:
    cells = "".join(f"<table:table-cell><text:p>{each}</text:p></table:table-cell>" for each in "ab")
    table = f"<table:table><table:table-row>{cells}</table:table-row></table:table>"
    box = '<draw:frame presentation:class="{}"><draw:text-box><text:p>{}</text:p></draw:text-box></draw:frame>'
    notes = f"<presentation:notes>{box.format('notes', 'Slowly.')}</presentation:notes>"
    footer = box.format("footer", "ACME")
    data = make_opendocument(
        "presentation", f"<draw:page><draw:frame>{table}<draw:image/></draw:frame>{footer}{notes}</draw:page>"
    )
    assert read_soundly(data, "odp").text == "## Slide 1\n\n| a | b |\n| --- | --- |\n\n> Notes: Slowly.\n"


def test_encrypted_file() -> None:
    entry = "<manifest:file-entry><manifest:encryption-data/></manifest:file-entry>"
    manifest = f"<manifest:manifest {NAMES}>{entry}</manifest:manifest>"
    with pytest.raises(EncryptedFile, match="without a password"):
        extract(make_odt("", **{"META-INF/manifest.xml": manifest}), "odt")


@pytest.mark.parametrize(
    ("data", "format", "error"),
    [
        (b"PK\x03\x04", "odt", CorruptFile),
        (make_zip({"content.xml": "<a"}), "odt", CorruptFile),
        (make_zip({"other.xml": "<a/>"}), "ods", CorruptFile),
        (change_zip(ODT, {"content.xml": '<!DOCTYPE a [<!ENTITY b "x">]><a>&b;</a>'}), "odt", CorruptFile),
        (ODT, "ods", UnsupportedFormat),
        (make_odt(""), "odt", ExtractError),
        (b"<not xml", "odt", CorruptFile),
    ],
)
def test_what_cannot_be_read_is_a_typed_error(data: bytes, format: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        extract(data, format)


@pytest.mark.parametrize(
    "body",
    [
        "<text:span>" * 30_000 + "x" + "</text:span>" * 30_000,
        "<text:p>" * 10_000 + "x" + "</text:p>" * 10_000,
        "<text:list><text:list-item>" * 4_000 + "<text:p>x</text:p>" + "</text:list-item></text:list>" * 4_000,
        "<table:table><table:table-row><table:table-cell>" * 3_000
        + "x"
        + "</table:table-cell></table:table-row></table:table>" * 3_000,
        '<text:p>x<text:s text:c="999999999"/>' * 2_000 + "</text:p>" * 2_000,
        "<text:h>x</text:h>" * 20_000,
        "<text:p/>" * 1_100_000,
    ],
)
def test_hostile_documents_are_read_or_refused(body: str) -> None:
    with suppress(CrossheadError):
        extract(make_odt(body), "odt")


def test_repeated_cells_beyond_the_limit_are_refused() -> None:
    cell = '<table:table-cell table:number-columns-repeated="16384"><text:p>x</text:p></table:table-cell>'
    row = f'<table:table-row table:number-rows-repeated="1048576">{cell}</table:table-row>'
    with pytest.raises(TooLarge, match="cells"):
        extract(make_opendocument("spreadsheet", f"<table:table>{row}</table:table>"), "ods")


@given(st.sampled_from([(ODT, "odt"), (ODS, "ods"), (ODP, "odp")]), st.data())
def test_damage_is_a_typed_error(file: tuple[bytes, str], data: st.DataObject) -> None:
    changed = bytearray(file[0])
    for at in data.draw(st.lists(st.integers(0, len(changed) - 1), max_size=6)):
        changed[at] = data.draw(st.integers(0, 255))
    with suppress(CrossheadError):
        extract(bytes(changed), file[1])
