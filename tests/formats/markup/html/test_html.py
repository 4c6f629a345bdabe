"""The reader of HTML as a whole: titles, encodings, errors, and inputs that are meant to hurt."""

from __future__ import annotations

import pytest

import crosshead
from crosshead.errors import CorruptFile, ExtractError, TooLarge
from crosshead.formats.markup.html import limits, read_html
from crosshead.options import ExtractOptions
from crosshead.pipeline import parse_document

OPTIONS = ExtractOptions()


def warnings_of(html: str | bytes) -> tuple[str, ...]:
    return read_html(html.encode() if isinstance(html, str) else html, ExtractOptions()).warnings


def to_markdown(html: str | bytes, **options: str) -> str:
    data = html.encode() if isinstance(html, str) else html
    return read_html(data, ExtractOptions(**options)).text  # type: ignore[arg-type]


def test_same_tree_as_markdown() -> None:
    html = (
        "<h1>A</h1><p>text<h2>B</h2><ul><li>x<li>y</ul><h3>C</h3><pre>code</pre>"
        "<h2>D</h2><table><tr><th>a<th>b<tr><td>1<td>2</table>"
    )
    markdown = (
        "# A\n\ntext\n\n## B\n\n- x\n- y\n\n### C\n\n```\ncode\n```\n\n## D\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n"
    )
    found = parse_document(to_markdown(html))
    wanted = parse_document(markdown)
    assert [block.kind for block in found.blocks] == [block.kind for block in wanted.blocks]
    assert found.root == wanted.root


@pytest.mark.parametrize(
    ("html", "title"),
    [
        ("<title> The\n title &amp; more </title><p>x", "The title & more"),
        ("<html><head><meta charset=utf-8><title>T</title></head><body>x", "T"),
        ("<p>x", ""),
        ("<svg><title>no</title></svg><p>x", ""),
    ],
)
def test_title(html: str, title: str) -> None:
    assert read_html(html.encode(), OPTIONS).title == title


def test_never_three_newlines_in_a_row() -> None:
    html = "<div><p></p><p>a</p><p> </p><br><br><br><ul><li> </li><li>b<br><br><br>c</ul><hr><div></div></div>"
    assert "\n\n\n" not in to_markdown(html)


@pytest.mark.parametrize("data", [b"", b" \n\t "])
def test_nothing_stays_nothing(data: bytes) -> None:
    assert read_html(data, OPTIONS).text == ""


@pytest.mark.parametrize(
    "html",
    [
        "<script>app()</script>",
        "<html><body></body></html>",
        "<p hidden>x",
        "<frameset><frame></frameset>",
        "\ufeff\xa0",
    ],
)
def test_page_without_text_is_an_error(html: str) -> None:
    with pytest.raises(ExtractError, match="the page has no text"):
        to_markdown(html)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ('<meta charset="windows-1251"><p>Привет мир'.encode("cp1251"), "Привет мир"),
        (
            '<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS"><p>日本語の文書'.encode("cp932"),
            "日本語の文書",
        ),
        ("<?xml version='1.0' encoding='ISO-8859-2'?><html><p>żółć".encode("iso-8859-2"), "żółć"),
        ("<meta charset=gb2312><p>简体字镕".encode("gb18030"), "简体字镕"),
        ("<meta charset=latin1><p>“café”".encode("cp1252"), "“café”"),
        ("<meta charset=iso-2022-jp><p>日本語".encode("iso2022_jp"), "日本語"),
        ("<p>Привет мир".encode("utf-16"), "Привет мир"),
        ("<p>plain text in an encoding without a mark".encode("utf-16-le"), "plain text in an encoding without a mark"),
        ("<meta charset=utf-16><p>Привет".encode(), "Привет"),
        ("<meta charset=iso-8859-1><p>Привет".encode(), "Привет"),
        (("<p>" + "Обычный русский текст без указания кодировки. " * 9).encode("cp1251"), "русский текст"),
        (
            ("<meta charset=utf-8><p>" + "Обычный русский текст, но объявлен не так. " * 9).encode("cp1251"),
            "русский текст",
        ),
        (
            ("<meta charset=no-such-thing><p>" + "Un café crème, s'il vous plaît, à Genève. " * 9).encode("cp1252"),
            "café crème",
        ),
    ],
)
def test_encoding(data: bytes, text: str) -> None:
    assert text in to_markdown(data)


def test_a_few_wrong_bytes_are_reported() -> None:
    data = ("<meta charset=utf-8><p>" + "Обычный текст " * 20).encode() + b"\xff end"
    assert to_markdown(data).endswith("\ufffd end\n")
    assert warnings_of(data) == ("line 1: not valid utf-8; replaced by U+FFFD, 1 in total",)


@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)) * 40, b"\0" * 5000])
def test_binary_data_is_an_error(data: bytes) -> None:
    with pytest.raises(CorruptFile):
        read_html(data, OPTIONS)


NEEDLE = "<p>needle"
DEEP = {
    "div": "<div>" * 5000 + NEEDLE,
    "list": "<ul><li>x" * 1000 + NEEDLE,
    "numbered list": "<ol><li>x" * 1000 + NEEDLE,
    "quote": "<blockquote>" * 3000 + NEEDLE,
    "inline": "<span><b><i><code>" * 2500 + "needle",
    "link": "<a href=x>" * 5000 + "needle",
    "table": "<table><tr><td>x" * 500 + NEEDLE,
    "table with headings": "<table><tr><th>x" * 200 + NEEDLE,
    "definition": "<dl><dt>a<dd>" * 2000 + NEEDLE,
    "details": "<details><summary>x</summary>" * 2000 + NEEDLE,
    "heading": "<h1><div>" * 2000 + "needle",
    "pre": "<pre>" * 2000 + "needle",
    "navigation": '<div class="nav">' * 2000 + NEEDLE,
    "header": "<header>" * 2000 + "<h1>x</h1>" + NEEDLE,
    "formula": "<span class=math>" * 2000 + "needle",
    "unclosed": "<p><b>x" * 5000 + NEEDLE,
    "footnote": '<a href="#fn1" class="footnote-ref">1</a>' + "<div class=footnote id=fn1>" * 2000 + "needle",
}


@pytest.mark.parametrize("name", DEEP)
def test_deep_nesting_loses_no_text(name: str) -> None:
    text = to_markdown(DEEP[name])
    assert "needle" in text
    document = parse_document(text)
    assert crosshead.check(document, crosshead.chunk(document)).ok


LARGE = {
    "rows": "<table>" + "<tr><td>a</td><td><b>b</b></td></tr>" * 5000 + "<tr><td>needle</table>",
    "spans": "<table>" + "<tr><td rowspan=60000 colspan=100>a" * 300 + "<tr><td>needle</table>",
    "columns": "<table><tr>" + "<td colspan=100>a" * 3000 + "<tr><td>needle<td>b</table>",
    "huge span": "<table><tr><td colspan=10000000 rowspan=10000000>needle</td><td>x</td></tr><tr><td>y</table>",
    "attributes": "<p " + " ".join(f"a{number}=1" for number in range(5000)) + ">needle",
    "special characters": "<p>" + "*_[`~&lt;" * 20_000 + "needle",
    "angle brackets": "<p>needle" + "<" * 100_000,
    "breaks": "<p>" + "x<br>" * 20_000 + "needle",
    "emphasis": "<p>" + "<b>x</b> <i>(y)</i>, " * 5000 + "needle",
    "footnotes": "".join(f'<sup><a href="#fn{n}">{n}</a></sup>' for n in range(2000))
    + "".join(f'<li id="fn{n}">note {n}' for n in range(2000))
    + NEEDLE,
}


@pytest.mark.parametrize("name", LARGE)
def test_large_input_loses_no_text(name: str) -> None:
    assert "needle" in to_markdown(LARGE[name])


@pytest.mark.parametrize(
    ("html", "message"),
    [
        ("<div>" * 200_000 + NEEDLE, "nested more than"),
        ("<span></x>" * 200_000 + NEEDLE, "nested more than"),
        ("<p " + " ".join(f"a{number}=1" for number in range(100_000)) + ">", "attributes"),
        ("<p " + " ".join(f'a{number}=">"' for number in range(100_000)) + ">", "attributes"),
    ],
    ids=["div", "span", "attributes", "quoted attributes"],
)
def test_what_would_take_too_long_is_refused(html: str, message: str) -> None:
    with pytest.raises(TooLarge, match=message):
        to_markdown(html)


def test_too_many_tags_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_TAGS", 50_000)
    with pytest.raises(TooLarge, match="more than 50,000"):
        to_markdown("<p>x" * 60_000)


def test_many_elements_without_end_tags_are_not_deep() -> None:
    assert to_markdown("<ul>" + "<li>item\n" * 25_000 + "</ul>").count("- item\n") == 25_000


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<table><td><u<!--l>x<tr><td>y", "x\n\ny\n"),
        ("<p>a</p><u<!--l>b</u<!--l><p>world</p>", "a\n\nb\n\nworld\n"),
        ("<p>a</p><m<pre>import x</m<pre><p>world</p>", "a\n\nimport x\n\nworld\n"),
        ("<pre<u<>import json</pre<u<><p>x</p>", "import json\n\nx\n"),
        ("<p>a<!-- <u> --> b</p>", "a b\n"),
    ],
)
def test_marks_inside_the_name_of_a_tag_are_no_marks(html: str, text: str) -> None:
    assert crosshead.extract(html.encode(), "html") == text


TEXT = "Some words that readers see. "


@pytest.mark.parametrize(
    "given",
    [
        'style="overflow: hidden"',
        'style="backface-visibility: hidden; x-display: none"',
        'class="col hidden-xs"',
        'class="hidden"',
        'title="The hidden cost of cloud"',
        'data-x="a hidden"',
        'data-hidden="true"',
        'hidden="until-found"',
        'role="tabpanel" hidden',
        'alt=" style=" data-y="display:none"',
        'aria-hidden="false"',
    ],
)
@pytest.mark.parametrize("main_content", ["auto", "off"])
def test_attributes_are_parsed_and_not_searched(given: str, main_content: str) -> None:
    assert to_markdown(f"<p>a<div {given}>shown</div>", main_content=main_content) == "a\n\nshown\n"


@pytest.mark.parametrize(
    "given", ["hidden", 'hidden="hidden"', 'style="DISPLAY : none"', 'style="color:red;visibility:hidden !important"']
)
@pytest.mark.parametrize("main_content", ["auto", "off"])
def test_what_is_hidden_is_left_out(given: str, main_content: str) -> None:
    assert to_markdown(f"<p>a<div {given}>no</div><a {given} href=x>no</a>", main_content=main_content) == "a\n"


def test_what_is_only_not_read_aloud_is_text_of_the_whole_page() -> None:
    html = '<p>a<div aria-hidden="true">menu</div>'
    assert to_markdown(html, main_content="off") == "a\n\nmenu\n"
    assert to_markdown(html) == "a\n"


def test_a_page_that_hides_most_of_itself_is_read_whole() -> None:
    html = f"<p>menu<div style='display:none'><p>{TEXT * 50}</div>"
    assert to_markdown(html).count("readers") == 50
    assert warnings_of(html) == ("scripts reveal 99 % of the page's text: all of it is read",)


def test_a_hidden_tenth_is_a_warning() -> None:
    html = f"<p>{TEXT * 150}<div hidden><p>{TEXT * 50}</div>"
    assert to_markdown(html).count("readers") == 150
    assert warnings_of(html) == ("hidden text is left out: 25 % of the page",)


@pytest.mark.parametrize(
    "open",
    [
        "<noscript><div></noscript>",
        "<NOSCRIPT ><div><b></NOSCRIPT\n>",
        "<p><noscript><table><tr><td></noscript>",
        "<iframe><div></iframe>",
        "<noembed><div></noembed>",
        "<textarea><div></textarea>",
        "<template><div></template>",
        "<svg><g><path></svg>",
        "<select><option><div></select>",
        "<button><div></button>",
        "<object><div></object>",
        "<map><p></map>",
    ],
)
def test_an_element_without_its_end_tag_does_not_swallow_the_page(open: str) -> None:
    assert "the rest" in to_markdown(f"<body><p>a</p>{open}<p>the rest")


@pytest.mark.parametrize("open", ["<video><p>x</video>", "<canvas><div></canvas>", "<audio><div></audio>"])
def test_fallback_content_that_swallows_a_page_is_read(open: str) -> None:
    assert to_markdown(f"<body><p>a</p>{open}{TEXT * 50}").count("readers") == 50


def test_what_a_page_says_to_browsers_without_scripts_is_read_if_it_is_all_there_is() -> None:
    assert to_markdown(f"<title>T</title><noscript><h1>A</h1><p>{TEXT * 9}</noscript>").startswith("# A\n\nSome words")
    with pytest.raises(ExtractError, match="no text"):
        to_markdown("<noscript>You need to enable JavaScript to run this app.</noscript>")


def test_title_after_noscript_is_the_title() -> None:
    html = b"<head><noscript><link href=x></noscript><title>T</title></head><p>x"
    assert read_html(html, OPTIONS).title == "T"


def test_code_that_has_line_numbers_is_no_line_number() -> None:
    html = '<pre><code class="language-py line-numbers">x = 1</code></pre>'
    assert to_markdown(html) == "```py\nx = 1\n```\n"
    html = '<pre><span class="linenos">1</span>x = 1\n<span class="linenos">2</span>y = 2</pre>'
    assert to_markdown(html) == "```\nx = 1\ny = 2\n```\n"
    assert to_markdown('<table><tr><th>a<th class="gutter">b<tr><td>1<td>2</table>').startswith("| a | b |")


def test_link_that_holds_a_whole_heading_is_no_permalink() -> None:
    assert to_markdown('<h2><a class="header-anchor" href="#x"><span>Scope</span></a></h2>') == "## [Scope](#x)\n"
    assert to_markdown('<h2>Scope<a class="header-anchor" href="#x">Permalink</a></h2>') == "## Scope\n"


def test_button_that_is_a_heading_is_text() -> None:
    assert to_markdown("<h3><button>What is it?</button></h3><p>It.<button>Copy</button>") == "### What is it?\n\nIt.\n"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<ruby>雲雀<rt>ひばり</ruby>が", "雲雀(ひばり)が"),
        ("<ruby>雲<rt>ひ</rt>雀<rt>ばり</rt></ruby>が", "雲雀(ひばり)が"),
        ("<ruby><rb>雲雀</rb><rp>（</rp><rt>ひ<b>ば</b>り</rt><rp>）</rp></ruby>が", "雲雀(ひばり)が"),
        ("<a href=x><ruby>東京<rtc><rt>とうきょう</rtc></ruby></a>", "[東京(とうきょう)](x)"),
        ("<ruby>漢<rt></rt></ruby>字", "漢字"),
        ("<p>a <rt>b</rt> <rp>c</rp>", "a b"),
    ],
)
def test_reading_follows_its_word_in_parentheses(html: str, text: str) -> None:
    assert to_markdown(html) == f"{text}\n"
