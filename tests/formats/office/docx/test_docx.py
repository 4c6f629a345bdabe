"""A DOCX file as a whole: what becomes of each kind of block, and of files that are not as they should be."""

from __future__ import annotations

import pytest
from tests.formats.office.docx.docx_files import (
    BULLET,
    NAMESPACES,
    PACKAGE,
    RELATIONSHIPS,
    WORD,
    archive,
    body,
    cell,
    convert,
    docx,
    outline,
    p,
    parts_of,
    pieces,
    row,
    run,
    style,
    table,
    tbl,
    warnings_of,
)

import crosshead
from crosshead.errors import CorruptFile, ExtractError, TooLarge, UnsupportedFormat
from crosshead.formats.office.docx import MAX_TAGS, read_docx
from crosshead.options import ExtractOptions
from crosshead.pipeline import parse_document


@pytest.mark.parametrize("level", range(1, 10))
def test_heading_levels(level: int) -> None:
    assert body(p("Scope", style=f"Heading{level}")) == f"{'#' * min(level, 6)} Scope\n"


@pytest.mark.parametrize(("id", "name"), [("Heading2", "heading 2"), ("x7", "Heading 2"), ("Heading2", "")])
def test_heading_by_id_and_name(id: str, name: str) -> None:
    assert convert(docx(p("Scope", style=id), styles=style(id, name))) == "## Scope\n"


def test_body_has_no_prefix() -> None:
    assert body(p("One."), p("Two.", style="Normal")) == "One.\n\nTwo.\n"


def test_title_is_a_heading_of_level_1_and_so_is_heading_1() -> None:
    assert body(p("Report", style="Title"), p("Scope", style="Heading1")) == "# Report\n\n# Scope\n"


def test_table_between_paragraphs() -> None:
    text = body(p("Before"), table([["Name", "Age"], ["Alice", "30"]]), p("After"))
    assert text == "Before\n\n| Name | Age |\n| --- | --- |\n| Alice | 30 |\n\nAfter\n"


def test_empty_paragraph() -> None:
    assert body(p("A"), p(), pieces("<w:r><w:t> </w:t></w:r>"), p("B")) == "A\n\nB\n"


def test_empty_heading_is_skipped() -> None:
    assert body(p("", style="Heading1"), p("B")) == "B\n"


def test_page_breaks_are_ignored() -> None:
    assert body(pieces(f'{run("A")}<w:r><w:br w:type="page"/></w:r>{run("B")}')) == "A B\n"


def test_text_that_looks_like_markdown_stays_text() -> None:
    lines = ["# no heading", "- no item", "1. no item", "> no quote", "```", "| a | b |", "---", "<div>", "[a]: b"]
    blocks = parse_document(body(*[p(line) for line in lines])).blocks
    assert {block.kind for block in blocks} == {"paragraph"}
    assert len(blocks) == len(lines)


def test_quotes_that_follow_each_other_are_one() -> None:
    assert body(p("A", style="Quote"), p("# B", style="Quote"), p("C")) == "> A\n>\n> \\# B\n\nC\n"


def test_code_paragraphs_become_one_block() -> None:
    text = body(p("def f():", style="SourceCode"), p(style="SourceCode"), p("    # x", style="SourceCode"), p("B"))
    assert text == "```\ndef f():\n\n    # x\n```\n\nB\n"


def test_code_paragraphs_with_line_breaks_are_blocks_of_their_own() -> None:
    first = pieces(f"{run('a')}<w:r><w:br/></w:r>{run('b')}", style="SourceCode")
    assert body(first, p("c", style="SourceCode")) == "```\na\nb\n```\n\n```\nc\n```\n"


def test_monospace_paragraphs_are_code() -> None:
    font = '<w:rFonts w:ascii="Courier New"/>'
    text = body(pieces(run("x = 1", font)), pieces(f"{run('y', font)}<w:r><w:tab/></w:r>{run('= 2', font)}"), p("z"))
    assert text == "```\nx = 1\ny\t= 2\n```\n\nz\n"


def test_blank_code_is_nothing() -> None:
    assert body(p("   ", style="SourceCode"), p("B")) == "B\n"


def test_controls_insertions_and_custom_xml_are_looked_through() -> None:
    wrapped = (
        f"<w:sdt><w:sdtPr><w:alias w:val='no'/></w:sdtPr><w:sdtContent>{p('A')}</w:sdtContent></w:sdt>"
        f"<w:customXml>{p('B')}</w:customXml><w:ins>{p('C')}</w:ins>"
        f"<mc:AlternateContent><mc:Choice>{p('D')}</mc:Choice><mc:Fallback>{p('no')}</mc:Fallback></mc:AlternateContent>"
        f"<mc:AlternateContent><mc:Fallback>{p('E')}</mc:Fallback></mc:AlternateContent><mc:AlternateContent/>"
    )
    assert body(wrapped) == "A\n\nB\n\nC\n\nD\n\nE\n"


def test_deleted_blocks_are_gone() -> None:
    assert body(f"<w:del>{p('old')}</w:del>", f"<w:moveFrom>{p('moved')}</w:moveFrom>", p("new")) == "new\n"


def test_text_box_follows_its_paragraph() -> None:
    box = f"<w:txbxContent>{p('Boxed', style='Heading2')}{p('text')}</w:txbxContent>"
    shape = f"<w:r><mc:AlternateContent><mc:Choice><w:drawing>{box}</w:drawing></mc:Choice><mc:Fallback><w:pict>{box}"
    shape += "</w:pict></mc:Fallback></mc:AlternateContent></w:r>"
    assert body(pieces(run("Anchor") + shape), p("Next")) == "Anchor\n\n## Boxed\n\ntext\n\nNext\n"


def test_title_of_the_properties() -> None:
    found = read_docx(docx(p("x"), title=" The\nReport "), ExtractOptions())
    assert found.title == "The Report"
    assert read_docx(docx(p("x")), ExtractOptions()).title == ""


def test_file_without_a_body_element() -> None:
    files = {"word/document.xml": f"<w:document {NAMESPACES}>{p('x')}</w:document>"}
    assert convert(archive(files)) == "x\n"


def test_main_part_is_found_by_its_relationship() -> None:
    target = f'<Relationship Id="a" Type="{RELATIONSHIPS}/officeDocument" Target="/x/main.xml"/>'
    files = {
        "_rels/.rels": f'<Relationships xmlns="{PACKAGE}">{target}</Relationships>',
        "x/main.xml": f"<w:document {NAMESPACES}><w:body>{p('Kapitel', style='b1')}</w:body></w:document>",
        "x/_rels/main.xml.rels": f'<Relationships xmlns="{PACKAGE}"><Relationship Id="a" '
        f'Type="{RELATIONSHIPS}/styles" Target="../y/s.xml"/></Relationships>',
        "y/s.xml": f"<w:styles {NAMESPACES}>{style('b1', 'heading 1')}</w:styles>",
    }
    assert convert(archive(files)) == "# Kapitel\n"


def test_strict_open_xml() -> None:
    files = parts_of(docx(p("Scope", style="Heading1") + p("x", item=(BULLET, 0))))
    for name, content in files.items():
        strict = content.replace(WORD.encode(), b"http://purl.oclc.org/ooxml/wordprocessingml/main")
        files[name] = strict.replace(RELATIONSHIPS.encode(), b"http://purl.oclc.org/ooxml/officeDocument/relationships")
    assert convert(archive(files)) == "# Scope\n\n- x\n"


def test_embedded_document_is_reported() -> None:
    data = docx(p("x") + '<w:altChunk r:id="r1"/>')
    assert convert(data) == "x\n"
    assert warnings_of(data) == ("1 embedded document is left out: open and save the file in Word",)


INNER_NOTE = '<p>A<sup><a href="#fn1">1</a></sup></p><div id="fn1" class="footnote">Note.</div>'


@pytest.mark.parametrize(
    ("name", "content", "text"),
    [
        ("a.htm", b"<h2>Scope</h2><p>Some <b>bold</b> text.<nav>more</nav>", "## Scope\n\nSome **bold** text.\n\nmore"),
        ("a.html", INNER_NOTE.encode(), "A[^1-1]\n\n[^1-1]: Note."),
        ("a.rtf", rb"{\rtf1\ansi\pard Some {\b bold} text.\par}", "Some **bold** text."),
        ("a.docx", docx(p("Inner", style="Heading2") + p("text")), "## Inner\n\ntext"),
        ("a.txt", b"Plain text.", "Plain text."),
        ("a.mht", b"MIME-Version: 1.0\nContent-Type: text/html\n\n<p>From the web", "From the web"),
    ],
)
def test_document_of_another_format_is_read_in_place(name: str, content: bytes, text: str) -> None:
    assert convert(with_chunk(name, content)) == f"before\n\n{text}\n\nafter\n"


@pytest.mark.parametrize(("name", "content"), [("a.docx", b"PK damaged"), ("a.bin", b"?"), ("a.html", b"<img>")])
def test_document_in_a_document_that_cannot_be_read_is_reported(name: str, content: bytes) -> None:
    data = with_chunk(name, content)
    assert convert(data) == "before\n\nafter\n"
    [warning] = warnings_of(data)
    assert warning.startswith(f"word/{name} is left out: ")


def test_documents_inside_of_a_document_inside_are_reported() -> None:
    data = with_chunk("a.docx", with_chunk("a.txt", b"deep"))
    assert convert(data) == "before\n\nbefore\n\nafter\n\nafter\n"
    assert warnings_of(data) == ("1 embedded document is left out: open and save the file in Word",)


def with_chunk(name: str, content: bytes) -> bytes:
    files = parts_of(docx(p("before") + '<w:altChunk r:id="c1"/>' + p("after")))
    link = f'<Relationship Id="c1" Type="{RELATIONSHIPS}/aFChunk" Target="{name}"/></Relationships>'
    links = files["word/_rels/document.xml.rels"].decode().replace("</Relationships>", link)
    return archive({**files, "word/_rels/document.xml.rels": links, f"word/{name}": content})


def test_empty_document_is_reported() -> None:
    assert body(p()) == ""
    assert warnings_of(docx(p())) == ("the DOCX file is empty",)


def test_document_of_pictures_is_an_error() -> None:
    with pytest.raises(ExtractError, match="no text"):
        body(pieces("<w:r><w:drawing/></w:r>"))


@pytest.mark.parametrize(
    ("files", "error", "message"),
    [
        ({"a.txt": "x"}, CorruptFile, "the main part of the DOCX file is missing"),
        ({"word/document.xml": "<a/>"}, UnsupportedFormat, "presentation or a spreadsheet"),
        ({"word/document.xml": "<w:document"}, CorruptFile, "not valid XML"),
        ({"word/document.xml": ""}, CorruptFile, "not valid XML"),
    ],
)
def test_files_that_are_no_documents(files: dict[str, str], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        convert(archive(files))


def _fractions(depth: int) -> str:
    inner = "<m:f><m:num>" * depth + "<m:r><m:t>needle</m:t></m:r>" + "</m:num></m:f>" * depth
    return pieces(f"<m:oMath>{inner}</m:oMath>")


@pytest.mark.parametrize(
    "content",
    [
        "<w:sdt><w:sdtContent>" * 5000 + p("needle") + "</w:sdtContent></w:sdt>" * 5000,
        "<w:tbl><w:tr><w:tc>" * 500 + p("needle") + "</w:tc></w:tr></w:tbl>" * 500,
        "<w:tbl><w:tr><w:tc><w:p/></w:tc><w:tc>" * 500 + p("needle") + "</w:tc></w:tr></w:tbl>" * 500,
        pieces("<w:smartTag>" * 9000 + run("needle") + "</w:smartTag>" * 9000),
        pieces("<w:r><w:txbxContent><w:p>" * 3000 + run("needle") + "</w:p></w:txbxContent></w:r>" * 3000),
        _fractions(2000),
        _fractions(4000),
        pieces('<w:r><w:fldChar w:fldCharType="begin"/></w:r>' * 20_000 + run("needle")) + p("x") * 20_000,
        pieces('<w:hyperlink w:anchor="a">' * 5000 + run("needle") + "</w:hyperlink>" * 5000),
        tbl("<w:tr><w:tc><w:p/></w:tc><w:tc><w:p/></w:tc></w:tr>" * 20_000, row(cell(p("needle")))),
        tbl(row(cell(p("needle"), '<w:gridSpan w:val="100000000"/>'), cell(p("x")))),
        tbl(row(cell(p("needle")), cell(p("x")), properties='<w:gridBefore w:val="999999999"/>')),
        p("needle", style="A0"),
    ],
)  # fmt: skip
def test_hostile_structure_keeps_its_text(content: str) -> None:
    chain = "".join(style(f"A{at}", f"a{at}", based_on=f"A{(at + 1) % 5000}") for at in range(5000))
    assert "needle" in convert(docx(content, styles=chain))


def test_table_that_fills_memory_is_refused() -> None:
    wide = row(*[cell("<w:p/>")] * 30_000)
    with pytest.raises(TooLarge, match="cells"):
        body("<w:tbl>" + wide + row(cell(p("x"))) * 200 + "</w:tbl>")


def test_more_tags_than_a_document_can_have_are_refused() -> None:
    with pytest.raises(TooLarge, match="tags"):
        body("<w:p/>" * MAX_TAGS)


def test_secrets_of_the_machine_are_not_read() -> None:
    prolog = '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/hostname">]>'
    with pytest.raises(CorruptFile, match="entities"):
        convert(docx("<w:p><w:r><w:t>&x;</w:t></w:r></w:p>", prolog=prolog))


def test_long_document_passes_the_check() -> None:
    blocks = [
        block
        for at in range(60)
        for block in (
            p(f"Part {at}", style=f"Heading{at % 4 + 1}"),
            p("A sentence about it. " * 20),
            p("first", item=(BULLET, 0)),
            p("second", item=(BULLET, at % 3)),
            table([["a", "b"], ["c", f"{at}"]]),
            p("code()", style="SourceCode"),
        )
    ]
    document = parse_document(body(*blocks))
    assert crosshead.check(document, crosshead.chunk(document)).ok


def test_levels_of_styles_count_unless_the_paragraph_says_otherwise() -> None:
    styles = style("A", "Own", outline(1)) + style("B", "Text", based_on="Heading1") + style("Heading1", "heading 1")
    blocks = p("a", style="A") + p("b", style="B") + p("c", style="A", properties='<w:outlineLvl w:val="9"/>')
    blocks += p("d", properties='<w:outlineLvl w:val="2"/>') + p("e", properties='<w:outlineLvl w:val="x"/>')
    assert convert(docx(blocks, styles=styles)) == "## a\n\n# b\n\nc\n\n### d\n\ne\n"
