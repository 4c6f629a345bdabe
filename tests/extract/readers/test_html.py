"""The reader of HTML as a whole: titles, encodings, errors, and inputs that are meant to hurt."""

from __future__ import annotations

import logging

import pytest

import crosshead
from crosshead.errors import CorruptFile, ExtractError, TooLarge
from crosshead.extract.readers.html import is_html, limits, read_html
from crosshead.options import ExtractOptions
from crosshead.pipeline import parse_document

OPTIONS = ExtractOptions()


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
def test_encoding(data: bytes, text: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR, "crosshead"):
        assert text in to_markdown(data)


def test_a_few_wrong_bytes_are_reported(caplog: pytest.LogCaptureFixture) -> None:
    data = ("<meta charset=utf-8><p>" + "Обычный текст " * 20).encode() + b"\xff end"
    assert to_markdown(data).endswith("\ufffd end\n")
    assert "line 1: not valid utf-8" in caplog.text


@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)) * 40, b"\0" * 5000])
def test_binary_data_is_an_error(data: bytes) -> None:
    with pytest.raises(CorruptFile):
        read_html(data, OPTIONS)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"<!DOCTYPE html><p>", True),
        (b"\xef\xbb\xbf\n<html lang=en>", True),
        (b"<HEAD><title>x", True),
        (b'<?xml version="1.0"?>\n<!-- saved -->\n<!DOCTYPE html PUBLIC "x">', True),
        (b"# Title\n<html>", False),
        (b"<?xml version='1.0'?><feed>", False),
        (b"<htmlx>", False),
        (b"%PDF-1.7", False),
        (b"", False),
    ],
)
def test_bytes_that_show_the_format(data: bytes, expected: bool) -> None:
    assert is_html(data) is expected


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
