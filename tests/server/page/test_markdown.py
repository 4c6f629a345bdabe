"""Documents are shown as Markdown, and nothing in them becomes markup or loads anything."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

RENDER = "([text, source]) => import('/page/markdown/render.js').then(({ render }) => render(text, source).innerHTML)"
AWAY = 'rel="noopener noreferrer" target="_blank"'
CODE = '<pre tabindex="0" role="region" aria-label="Code">'
TABLE = '<div class="table" tabindex="0" role="region" aria-label="Table"><table>'


@pytest.fixture(scope="module")
def rendering(url: str, browser: Any) -> Any:
    """A page that renders texts."""
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(url)
        yield page


def render(page: Page, text: str, source: str = "docs/guide.md") -> str:
    return str(page.evaluate(RENDER, [text, source]))


@pytest.mark.parametrize(
    ("text", "html"),
    [
        (
            "a *b* **c** ***d*** ~~e~~",
            "<p>a <em>b</em> <strong>c</strong> <em><strong>d</strong></em> <del>e</del></p>",
        ),
        ("snake_case_name and 2 * 3 * 4 and **open", "<p>snake_case_name and 2 * 3 * 4 and **open</p>"),
        ("`a *b*` and ``c ` d``", "<p><code>a *b*</code> and <code>c ` d</code></p>"),
        (r"\*not\* &lt;b&gt; &#8364; &nothing;", "<p>*not* &lt;b&gt; € &amp;nothing;</p>"),
        ("one\ntwo  \nthree\\\nfour<br>five", "<p>one\ntwo<br>three<br>four<br>five</p>"),
        ("## Keys `x` ##", '<p class="heading level-2" role="heading" aria-level="4">Keys <code>x</code></p>'),
        ("Keys\n====\nb", '<p class="heading level-1" role="heading" aria-level="3">Keys</p><p>b</p>'),
        ("a\n\n---\n\nb", "<p>a</p><hr><p>b</p>"),
        ("> a\n> b\n\nc", "<blockquote><p>a\nb</p></blockquote><p>c</p>"),
        ("> [!WARNING]\n> Hot", "<blockquote><p><strong>Warning</strong></p><p>Hot</p></blockquote>"),
        (
            "- a\n  - b\n\n  c\n- [x] d",
            "<ul><li><p>a</p><ul><li><p>b</p></li></ul><p>c</p></li><li><p>☑ d</p></li></ul>",
        ),
        ("3. a\n4. b\n   more\nlazy", '<ol start="3"><li><p>a</p></li><li><p>b\nmore\nlazy</p></li></ol>'),
        ("    - cut from a list\n    - again", "<ul><li><p>cut from a list</p></li><li><p>again</p></li></ul>"),
        ("```sh\n<b> *x*\n\n# no\n```\nz", f"{CODE}&lt;b&gt; *x*\n\n# no</pre><p>z</p>"),
        ("~~~\nnever closed\n```", f"{CODE}never closed\n```</pre>"),
        ("a\n\n    code\n      more", f"<p>a</p>{CODE}code\n  more</pre>"),
        (
            "| a | b |\n|---|--:|\n| **x** | 1 \\| 2 |\nz",
            f'{TABLE}<thead><tr><th scope="col">a</th><th scope="col" class="end">b</th></tr></thead>'
            '<tbody><tr><td><strong>x</strong></td><td class="end">1 | 2</td></tr></tbody></table></div><p>z</p>',
        ),
        ("| x | y |", f"{TABLE}<thead></thead><tbody><tr><td>x</td><td>y</td></tr></tbody></table></div>"),
        ("<!-- a\nnote -->\n<details><summary>More</summary> text", "<p><br>More  text</p>"),
        ("![A chart](chart.png) ![](x.png)", '<p><span class="image">A chart</span> </p>'),
        ("a[^1]", "<p>a<sup>1</sup></p>"),
    ],
)
def test_markdown_is_rendered(rendering: Page, text: str, html: str) -> None:
    assert render(rendering, text) == html


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("[a](https://b.example/c?d=1#e)", f'<a href="https://b.example/c?d=1#e" {AWAY}>a</a>'),
        ('[a **b**](<mailto:a@b.example> "title")', f'<a href="mailto:a@b.example" {AWAY}>a <strong>b</strong></a>'),
        ("<https://b.example> or <a@b.example>", None),
        (
            "See https://b.example/a_b_c. Then",
            f'See <a href="https://b.example/a_b_c" {AWAY}>https://b.example/a_b_c</a>. Then',
        ),
        ("[a](../other/b%20c.md#d)", '<a href="#/read?path=other%2Fb+c.md&amp;heading=d">a</a>'),
        ("[a][r]\n\n[r]: https://b.example", f'<a href="https://b.example/" {AWAY}>a</a>'),
        ("[a][missing] [b]", "[a][missing] [b]"),
        (
            "[[![ci](x.svg)](https://b.example)",
            f'[<a href="https://b.example/" {AWAY}><span class="image">ci</span></a>',
        ),
    ],
)
def test_links_lead_to_pages_and_documents(rendering: Page, text: str, html: str | None) -> None:
    rendered = render(rendering, text)
    assert rendered == f"<p>{html}</p>" if html else rendered.count(AWAY) == 2


HOSTILE = [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java\tscript:alert(1)",
    "&#106;avascript:alert(1)",
    "\x01javascript:alert(1)",
    "vbscript:x",
    "data:text/html,<script>alert(1)</script>",
    "file:///etc/passwd",
    "//evil.example/x",
    "\\\\evil.example",
    "http:evil",
    "../../../../v1/documents",
]


@pytest.mark.parametrize("form", ["[a]({})", "[a](<{}>)", "<{}>", "[a]\n\n[a]: {}", "![a]({})"])
def test_links_never_lead_to_scripts_or_addresses_of_the_server(rendering: Page, form: str) -> None:
    links = rendering.evaluate(
        "(texts) => import('/page/markdown/render.js').then(({ render }) => texts.flatMap((text) => "
        "[...render(text, 'docs/guide.md').querySelectorAll('a')].map((link) => link.getAttribute('href'))))",
        [form.format(href) for href in HOSTILE],
    )
    assert all(link.startswith(("#/read?path=", "http://evil/", "mailto:")) for link in links)


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        '<a href="javascript:alert(1)">x</a>',
        "<svg onload=alert(1)><style>*{display:none}</style></svg>",
        "<iframe src=//evil.example></iframe>",
        "`<b>`\n\n    <i>\n\n| <b onclick=x> |\n|---|\n| <form> |",
        "![<img src=x>](http://evil.example/pixel.png)",
    ],
)
def test_no_html_of_a_document_becomes_markup(rendering: Page, text: str) -> None:
    found = rendering.evaluate(
        "(text) => import('/page/markdown/render.js').then(({ render }) => [...render(text).querySelectorAll('*')]"
        ".flatMap((each) => [each.localName, ...[...each.attributes].map((one) => one.name)]))",
        text,
    )
    elements = {"p", "pre", "code", "div", "table", "thead", "tbody", "tr", "th", "td", "span", "br"}
    assert set(found) <= elements | {"class", "tabindex", "role", "aria-label", "scope"}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("see [`fs.open()`][] and [the *other*][1]!", "<p>see <code>fs.open()</code> and the <em>other</em>!</p>"),
        ("x[0][1] and [note]", "<p>x[0][1] and [note]</p>"),
    ],
)
def test_links_without_definition_are_text_in_a_part_of_a_document(rendering: Page, text: str, shown: str) -> None:
    render = "(text) => import('/page/markdown/render.js').then(({ renderPart }) => renderPart(text).innerHTML)"
    assert rendering.evaluate(render, text) == shown


@pytest.mark.parametrize(
    "piece", ["*a **b ", "[", "![a](", '](x "', "`a``b", "<!--", "<a ", "> ", "- ", "| ", "#  ", "&", "_*~", "http://)"]
)
def test_hostile_repetition_is_quick(rendering: Page, piece: str) -> None:
    texts = [piece * (19_000 // len(piece)), piece + " " * 19_000 + "x", f"{piece}\n" * 5_000]
    took = rendering.evaluate(
        "(texts) => import('/page/markdown/render.js').then(({ render }) => "
        "{ const start = Date.now(); texts.forEach((text) => render(text)); return Date.now() - start; })",
        texts,
    )
    assert took < 5_000
