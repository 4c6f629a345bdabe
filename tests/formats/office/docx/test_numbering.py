from __future__ import annotations

import pytest
from tests.formats.office.docx.docx_files import (
    BULLET,
    BULLETS,
    NUMBER,
    NUMBERS,
    STYLES,
    body,
    convert,
    docx,
    level,
    numbering,
    p,
    pieces,
    style,
)

from crosshead.formats.office.docx.numbering import format_number


def items(*paragraphs: tuple[int, int, str], lists: str = "", **options: bool) -> str:
    content = "".join(p(text, item=(list, at)) for list, at, text in paragraphs)
    return convert(docx(content, numbering=lists) if lists else docx(content), **options)


def test_nested_lists_of_both_kinds() -> None:
    text = items((NUMBER, 0, "a"), (BULLET, 1, "b"), (BULLET, 2, "c"), (NUMBER, 0, "d"), (NUMBER, 1, "e"))
    assert text == "1. a\n   - b\n     - c\n2. d\n   1. e\n"


def test_depth_follows_the_items_above_not_the_level() -> None:
    assert items((BULLET, 1, "a"), (BULLET, 3, "b"), (BULLET, 0, "c"), (BULLET, 2, "d")) == "- a\n  - b\n- c\n  - d\n"


def test_paragraph_ends_a_list_and_numbers_go_on() -> None:
    text = body(p("a", item=(NUMBER, 0)), p("between"), p("b", item=(NUMBER, 0)))
    assert text == "1. a\n\nbetween\n\n2. b\n"


def test_empty_paragraphs_do_not_end_a_list() -> None:
    assert body(p("a", item=(BULLET, 0)), p(), p("", item=(BULLET, 0)), p("b", item=(BULLET, 0))) == "- a\n- b\n"


def test_deeper_levels_count_anew() -> None:
    text = items((NUMBER, 0, "a"), (NUMBER, 1, "b"), (NUMBER, 0, "c"), (NUMBER, 1, "d"), (NUMBER, 1, "e"))
    assert text == "1. a\n   1. b\n2. c\n   1. d\n   2. e\n"


def test_levels_that_never_restart() -> None:
    lists = numbering(
        {0: level(0, "decimal", "%1.") + level(1, "decimal", "%2.", more='<w:lvlRestart w:val="0"/>')}, {1: (0, "")}
    )
    text = items((1, 0, "a"), (1, 1, "b"), (1, 0, "c"), (1, 1, "d"), lists=lists)
    assert text == "1. a\n   1. b\n2. c\n\n   2. d\n"


def test_start_values() -> None:
    lists = numbering({0: level(0, "decimal", "%1)", start=5)}, {1: (0, "")})
    assert items((1, 0, "a"), (1, 0, "b"), lists=lists) == "5) a\n6) b\n"


def test_lists_of_one_definition_count_on_unless_they_start_anew() -> None:
    restart = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>'
    lists = numbering({0: NUMBERS}, {1: (0, ""), 2: (0, ""), 3: (0, restart)})
    text = items((1, 0, "a"), (2, 0, "b"), (3, 0, "c"), (3, 0, "d"), lists=lists)
    assert text == "1. a\n2. b\n1) c\n2) d\n"


def test_list_that_begins_anew_switches_its_mark_back() -> None:
    restart = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>'
    lists = numbering({0: NUMBERS}, {1: (0, ""), 2: (0, restart), 3: (0, restart)})
    assert items((1, 0, "a"), (2, 0, "b"), (3, 0, "c"), lists=lists) == "1. a\n1) b\n1. c\n"


def test_levels_can_be_overridden() -> None:
    override = f'<w:lvlOverride w:ilvl="0">{level(0, "bullet", "o")}</w:lvlOverride>'
    lists = numbering({0: NUMBERS}, {1: (0, override)})
    assert items((1, 0, "a"), (1, 1, "b"), lists=lists) == "- a\n  1. b\n"


def test_nested_list_that_does_not_begin_with_one_needs_a_blank_line() -> None:
    lists = numbering({0: level(0, "bullet") + level(1, "decimal", "%2.", start=3)}, {1: (0, "")})
    assert items((1, 0, "a"), (1, 1, "b"), lists=lists) == "- a\n\n  3. b\n"


@pytest.mark.parametrize(("format", "mark"), [("lowerLetter", "1."), ("upperRoman", "1."), ("bullet", "-")])
def test_formats_of_items(format: str, mark: str) -> None:
    lists = numbering({0: level(0, format, "%1.")}, {1: (0, "")})
    assert items((1, 0, "a"), lists=lists) == f"{mark} a\n"


def test_words_before_a_paragraph_belong_to_its_text() -> None:
    lists = numbering({0: level(0, "upperRoman", "Article %1.") + level(1, "decimal", "Step %1-%2:")}, {1: (0, "")})
    text = items((1, 0, "Scope"), (1, 1, "Begin"), (1, 1, "End"), lists=lists)
    assert text == "Article I. Scope\n\nStep I-1: Begin\n\nStep I-2: End\n"


@pytest.mark.parametrize("format", ["none", ""])
def test_paragraph_without_a_label_is_no_item(format: str) -> None:
    lists = numbering({0: level(0, "none", "%1.")}, {1: (0, "")}) if format else "<w:nothing/>"
    assert items((1, 0, "a"), lists=lists) == "a\n"


def test_list_zero_is_no_list() -> None:
    styles = style("s", "Bulleted", '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>')
    text = convert(docx(p("a", style="s") + p("b", style="s", item=(0, 0)), styles=styles))
    assert text == "- a\n\nb\n"


def test_style_names_its_list_and_the_list_names_its_styles() -> None:
    numbered = '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>'
    styles = style("one", "One", numbered) + style("two", "Two", numbered) + style("own", "Own", based_on="two")
    levels = level(0, "bullet", more='<w:pStyle w:val="one"/>') + level(
        1, "decimal", "%2.", more='<w:pStyle w:val="two"/>'
    )
    content = p("a", style="one") + p("b", style="two") + p("c", style="own")
    assert (
        convert(docx(content, styles=styles, numbering=numbering({0: levels}, {1: (0, "")}))) == "- a\n  1. b\n  2. c\n"
    )


def test_definition_can_point_at_a_list_style() -> None:
    styles = style("ls", "List Style", '<w:pPr><w:numPr><w:numId w:val="2"/></w:numPr></w:pPr>', kind="numbering")
    lists = numbering(
        {0: '<w:numStyleLink w:val="ls"/>', 1: NUMBERS, 2: '<w:numStyleLink w:val="no"/>'},
        {1: (0, ""), 2: (1, ""), 3: (2, "")},
    )
    content = p("a", item=(1, 0)) + p("b", item=(3, 0))
    assert convert(docx(content, styles=styles, numbering=lists)) == "1. a\n- b\n"


def test_headings_are_numbered_only_on_request() -> None:
    numbered = '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>'
    styles = style("Heading1", "heading 1", numbered) + style("Heading2", "heading 2", numbered)
    levels = level(0, "decimal", "%1", more='<w:pStyle w:val="Heading1"/>')
    levels += level(1, "decimal", "%1.%2", more='<w:pStyle w:val="Heading2"/>')
    data = docx(
        p("A", style="Heading1") + p("B", style="Heading1") + p("C", style="Heading2"),
        styles=styles,
        numbering=numbering({0: levels}, {1: (0, "")}),
    )
    assert convert(data) == "# A\n\n# B\n\n## C\n"
    assert convert(data, heading_numbers=True) == "# 1 A\n\n# 2 B\n\n## 2.1 C\n"


def test_bullets_of_headings_are_no_numbers() -> None:
    assert convert(docx(p("A", style="Heading1", item=(BULLET, 0))), heading_numbers=True) == "# A\n"


def test_items_with_line_breaks_stay_whole() -> None:
    content = "<w:r><w:t>a</w:t><w:br/><w:t># b</w:t></w:r>"
    numbered = '<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="2"/></w:numPr></w:pPr>' + content + "</w:p>"
    assert body(numbered, p("c", item=(NUMBER, 0))) == "1. a\\\n   \\# b\n2. c\n"


def test_code_of_many_lines_stays_code_in_a_list() -> None:
    code = "<w:r><w:t>a:</w:t><w:br/><w:t xml:space='preserve'>  b</w:t></w:r>"
    lists = numbering({0: NUMBERS, 1: level(0, "bullet", " ")}, {1: (0, ""), 2: (1, "")})
    content = pieces(code, style="SourceCode", item=(2, 0)) + p("x", item=(1, 0)) + p("y", item=(1, 1))
    content += pieces(code, style="SourceCode", item=(2, 0)) + pieces(code, style="SourceCode", item=(1, 0))
    text = convert(docx(content + p("z", item=(1, 0)), numbering=lists))
    fence = "```\na:\n  b\n```"
    inside = fence.replace("\n", "\n   ")
    first = fence.replace("\n", "\n  ")
    assert text == f"- {first}\n1. x\n   1. y\n   {inside}\n2. {inside}\n3. z\n"


def test_absurd_numbers() -> None:
    lists = numbering(
        {0: level(0, "decimal", "%1.", start=999_999_999), 1: level(0, "x", "%1.", start=-3)}, {1: (0, ""), 2: (1, "")}
    )
    text = items((1, 0, "a"), (1, 0, "b"), (1, 99, "c"), (2, 0, "d"), lists=lists)
    assert text.splitlines()[0] == "999999999. a"
    assert convert(docx(p("a", item=(1, 0)), styles=STYLES, numbering=numbering({0: BULLETS}, {1: (9, "")}))) == "- a\n"


@pytest.mark.parametrize(
    ("number", "format", "expected"),
    [
        (1, "lowerLetter", "a"),
        (27, "upperLetter", "AA"),
        (0, "lowerLetter", "0"),
        (1994, "upperRoman", "MCMXCIV"),
        (4, "lowerRoman", "iv"),
        (4000, "lowerRoman", "4000"),
        (7, "decimalZero", "07"),
        (7, "chineseCounting", "7"),
    ],
)
def test_numbers_are_written_as_the_list_says(number: int, format: str, expected: str) -> None:
    assert format_number(number, format) == expected
