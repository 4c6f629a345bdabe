from __future__ import annotations

from tests.formats.office.docx.docx_files import (
    BULLET,
    NUMBER,
    body,
    cell,
    convert,
    docx,
    level,
    numbering,
    p,
    pieces,
    row,
    run,
    table,
    tbl,
)

from crosshead.pipeline import parse_document

SPAN = '<w:gridSpan w:val="2"/>'
MERGED = "<w:vMerge/>"
FIRST_OF_MERGED = '<w:vMerge w:val="restart"/>'


def grid(text: str) -> list[list[str]]:
    assert [block.kind for block in parse_document(text).blocks] == ["table"]
    lines = text.replace("\\|", "\0").splitlines()
    rows = [[each.strip().replace("\0", "|") for each in line.split("|")[1:-1]] for line in lines]
    assert set(rows.pop(1)) == {"---"}
    return rows


def test_short_rows_are_filled() -> None:
    text = body(tbl(row(cell(p("a"))), row(cell(p("b")), cell(p("c")), cell(p("d")))))
    assert grid(text) == [["a", "", ""], ["b", "c", "d"]]


def test_merged_cells_keep_their_columns() -> None:
    text = body(
        tbl(
            row(cell(p("a"), SPAN), cell(p("b"))),
            row(cell(p("c"), FIRST_OF_MERGED), cell(p("d")), cell(p("e"))),
            row(cell(p(), MERGED), cell(p("f")), cell(p("g"))),
            row(cell(p("h")), cell(p("i")), properties='<w:gridBefore w:val="1"/>'),
        )
    )
    assert grid(text) == [["a", "", "b"], ["c", "d", "e"], ["", "f", "g"], ["", "h", "i"]]


def test_cell_is_one_line() -> None:
    content = p("a|b") + p() + pieces(f"{run('c')}<w:r><w:br/></w:r>{run('d')}")
    assert grid(body(tbl(row(cell(content), cell(p("e"))))))[0][0] == "a|b<br>c<br>d"


def test_lists_and_code_in_cells() -> None:
    listed = p("x", item=(BULLET, 0)) + p("y", item=(NUMBER, 0)) + p("z", style="SourceCode") + p("h", style="Heading1")
    assert grid(body(tbl(row(cell(listed), cell(p("e"))))))[0][0] == "- x<br>- y<br>`z`<br>h"


def test_first_row_is_the_header_and_has_no_marks() -> None:
    bold = pieces(run("a", "<w:b/>"))
    assert grid(body(tbl(row(cell(bold), cell(p("b"))), row(cell(bold), cell(p("c")))))) == [["a", "b"], ["**a**", "c"]]


def test_inner_tables_become_lines() -> None:
    inner = table([["1", "2"], ["3", "4"]])
    assert grid(body(tbl(row(cell(p("a") + inner + p("b")), cell(p("c"))))))[0] == ["a<br>1 | 2<br>3 | 4<br>b", "c"]


def test_frame_around_text_is_no_table() -> None:
    assert body(tbl(row(cell(p("Note", style="Heading2") + p("text"))))) == "## Note\n\ntext\n"


def test_frame_around_a_table_shows_the_table() -> None:
    assert grid(body(tbl(row(cell(table([["a", "b"], ["c", "d"]])))))) == [["a", "b"], ["c", "d"]]


def test_deleted_rows_are_gone() -> None:
    text = body(tbl(row(cell(p("a")), cell(p("b"))), row(cell(p("c")), cell(p("d")), properties="<w:del/>")))
    assert grid(text) == [["a", "b"]]


def test_rows_and_cells_in_controls() -> None:
    rows = f"<w:sdt><w:sdtPr/><w:sdtContent>{row(cell(p('a')), cell(p('b')))}</w:sdtContent></w:sdt>"
    cells = f"<w:tr><w:sdt><w:sdtContent>{cell(p('c'))}</w:sdtContent></w:sdt>{cell(p('d'))}</w:tr>"
    chosen = (
        f"<mc:AlternateContent><mc:Choice>{row(cell(p('e')))}</mc:Choice></mc:AlternateContent><mc:AlternateContent/>"
    )
    assert grid(body(tbl(rows, cells, chosen))) == [["a", "b"], ["c", "d"], ["e", ""]]


def test_table_without_rows_or_cells_is_nothing() -> None:
    assert body(tbl(), tbl("<w:tr/>"), tbl("<w:tr/>", "<w:tr/>"), p("x")) == "x\n"


def test_text_boxes_stay_in_their_cell() -> None:
    def box(content: str) -> str:
        return f"<w:r><w:pict><w:txbxContent>{content}</w:txbxContent></w:pict></w:r>"

    anchor = pieces(run("a") + box(p("b") + pieces(run("c") + box(p("d")))))
    assert grid(body(tbl(row(cell(anchor), cell(p("e"))))))[0] == ["a<br>b<br>c<br>d", "e"]


def test_words_before_a_numbered_paragraph_stay_in_the_cell() -> None:
    lists = numbering({0: level(0, "decimal", "Step %1:")}, {1: (0, "")})
    data = docx(tbl(row(cell(p("Mix", item=(1, 0))), cell(p("b")))), numbering=lists)
    assert grid(convert(data)) == [["Step 1: Mix", "b"]]
