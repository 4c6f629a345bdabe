"""Hypothesis strategies for documents: every construct of Markdown and MDX, nested, repeated, broken off and mixed up.

    documents()         whole documents of structured blocks, now and then with raw lines between them
    mdx_documents()     the same with imports, components and expressions
    raw_documents()     awkward lines and characters without any plan
    section_texts()     the closed text of one section, for documents that are put together from sections
    any_options()       chunk options: budgets, modes, strategies, tokenizers

Blocks are built from small parts and repeated, because a large document drawn word by word is slow to draw and slow to
shrink. Every text here is valid input: there is no text that is not.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

TOKENIZERS = ("cl100k_base", "o200k_base", "estimate", "estimate:prose", "estimate:code", "characters")
EXACT_TOKENIZERS = ("cl100k_base", "o200k_base")

WORDS = (
    "key", "the", "rotates", "configuration", "a", "I", "42", "3.14", "v1.2.3", "e.g.", "Inc.", "don't", "C++",
    "--flag", "https://example.org/a/b?c=d&e=f#g", "/usr/local/bin", "`code`", "**bold**", "*it*", "[link](to.md)",
    "![i](p.png)", "x_y_z", "snake_case_identifier_that_is_long", "ключ", "Каждый", "раздел", "鍵",
    "設定を変更します。", "密钥", "키를", "مفتاح", "🔑", "👩‍👩‍👧‍👦", "e\u0301", "naïve", "ﬁ", "\u200b", "\u00a0",
    "\u3000", "…", "—", "«так»", "“so”", "?!", "...", "<br>", "<b>x</b>", "&amp;", "$x^2$", "<|endoftext|>", "\\*",
    "|", "{x}", "#tag", "a:b", "100%", "(see", "below)", "l" * 60, "0x" + "deadbeef" * 6, "////", "-----", "=====",
    "\t", "\x0c", "\x00", "\ud800", "\u2028", "\x85",
)  # fmt: skip
ENDS = ("", ".", ".", "!", "?", ":", ";", "。", "...", '."', ".)", ",", "/")
TITLES = (
    "Install", "Install", "Use", "Critical Rules", "Rotate keys", "A > B", "`code` title", "Ключи", "鍵の設定", "FAQ",
    "1.", "Very long heading that goes on and on until nobody remembers how it began", "<b>x</b>", "/etc/hosts",
    "***", "🔑",
)  # fmt: skip
CODE_LINES = (
    "x = 1", "def rotate(key: str) -> None:", "    return key", "", "# not a heading", "| not | a table |",
    "- not a list", "```", "~~~", "``` nested", "$$", "<div>", "---", "/* comment */", "/path",
    "const a = () => ({ b: 1 });", "\tindented", "print('ключ')", "{", "}", "x" * 120, "   ", "import a from 'b'",
    "<Tag />",
)  # fmt: skip
LANGUAGES = ("", "python", "sh", 'js title="a.js"', "mermaid", "c++", "text", "md")
AWKWARD_LINES = (
    "#", "#hashtag", "# ", "####### seven", "   # indented", "    # code", "Setext", "===", "---", "- - -", "***",
    "+", "-", "*", "1.", "1)", "12345678901. x", "- a\n- b", "-\ta", "- \n  x", "> ", ">>> deep", ">\ttab", "```",
    "~~~", "````md", "``` a`b", "| a | b |", "|---|", "|:-:|--:|", "a | b", "--- | ---", "|", "\\|", "$$", "$$ x $$",
    "\\[", "\\]", "\\begin{align}", "\\end{align}", "<div>", "</div>", "<!--", "-->", "<!-- c -->", "<?php", "?>",
    "<h1>x</h1>", "<h2>", "</h2>", "<h3>y</h3>\ntext", "<table>", "</table>", "<tr><td>x", "</td></tr>", "> <table>",
    "- <table>", "</table>x",
    "<Tag>", "</Tag>", "<Tag", "/>", "{", "}", "{/* c */}", "import x from 'y'", "export const a = {", "};", "[a]: b",
    "[^1]: note", "[^1]:", "  continued", "\t", "\x0c", "\u00a0", "\u2003x", "\x1f", "\x00", "\ud83d", "\ufeff",
    "\u2028", "/", "//", "  \\", "x  ", "+++", "...", "a: b", "---\na: b\n---", "[x", "![", "`", "``", "a`b", "*a",
    "_", "&nbsp;", "\\", "é" * 30, "鍵" * 30, "🔑" * 12, " " * 40, " " * 40 + "x", "\t\t\tx", "word " * 30, "w" * 200,
)  # fmt: skip
"""Beginnings, ends and odd spellings of constructs, and characters that split or join tokens."""

words = st.sampled_from(WORDS)
sentences = st.builds(
    lambda parts, end, times: " ".join(f"{' '.join(parts)}{end}" for _ in range(times)),
    st.lists(words, min_size=1, max_size=7), st.sampled_from(ENDS), st.sampled_from((1, 1, 2, 3, 9)),
)  # fmt: skip
paragraphs = st.builds(
    lambda parts, glue: glue.join(parts),
    st.lists(sentences, min_size=1, max_size=3), st.sampled_from((" ", "\n", "  \n", "\\\n")),
)  # fmt: skip
titles = st.one_of(st.sampled_from(TITLES), st.lists(words, min_size=1, max_size=4).map(" ".join))
code_lines = st.builds(
    lambda lines, times: lines * times,
    st.lists(st.sampled_from(CODE_LINES), max_size=5), st.sampled_from((1, 1, 2, 8)),
)  # fmt: skip


def indent(text: str, first: str, rest: str | None = None) -> str:
    """Put a mark before the first line, and as many spaces (or `rest`) before the others."""
    rest = " " * len(first) if rest is None else rest
    return "\n".join(
        f"{first if not number else rest}{line}".rstrip(" ") for number, line in enumerate(text.split("\n"))
    )


def _closed(draw: st.DrawFn) -> str:
    """A fence of either kind whose body cannot close it."""
    char, size = draw(st.sampled_from("`~")), draw(st.integers(3, 5))
    body = [line for line in draw(code_lines) if not line.startswith(char * 3)]
    info = draw(st.sampled_from(LANGUAGES))
    return "\n".join([f"{char * size}{info}", *body, char * size])


@st.composite
def fences(draw: st.DrawFn) -> str:
    return _closed(draw)


@st.composite
def unclosed_fences(draw: st.DrawFn) -> str:
    return _closed(draw).rpartition("\n")[0]


@st.composite
def headings(draw: st.DrawFn) -> str:
    title, level = draw(titles), draw(st.integers(1, 6))
    style = draw(st.sampled_from(("atx", "atx", "atx", "closed", "setext", "id")))
    if style == "setext":
        return f"{title}\n{'=-'[level % 2] * (level + 2)}"
    return f"{'#' * level} {title}{' ' + '#' * level if style == 'closed' else ' {#id}' if style == 'id' else ''}"


@st.composite
def tables(draw: st.DrawFn) -> str:
    columns, rows = draw(st.integers(1, 3)), draw(st.sampled_from((0, 1, 3, 12)))
    cells = draw(st.lists(words.filter(lambda word: "|" not in word), min_size=columns, max_size=columns))
    row = f"| {' | '.join(cells)} |"
    return "\n".join([row, f"|{draw(st.sampled_from(('---', ':-:', '--:')))}" * columns + "|", *[row] * rows])


@st.composite
def html_tables(draw: st.DrawFn) -> str:
    """A table of HTML: on one line or on many, with and without a head, end tags, blank lines and what is around it."""
    glue = draw(st.sampled_from(("\n", "\n", "", "\n  ", "\n\n")))
    opened, closed = draw(st.sampled_from((("<td>", "</td>"), ("<td>", ""), ('<td align="left">', "</td>"))))
    end = draw(st.sampled_from(("</tr>", "</tr>", "")))
    cell = draw(
        st.one_of(words, sentences, fences().map(lambda code: f"\n\n{code}\n\n"), st.just("<table><tr><td>x</table>"))
    )
    row = f"<tr>{glue}{opened}{cell}{closed}{glue}{end}"
    head = draw(st.sampled_from(("", "<thead><tr><th>A</th></tr></thead>", "<caption>T</caption><tr><th>A</th></tr>")))
    before, after = draw(st.sampled_from((("<tbody>", "</tbody>"), ("", ""), ("<tbody>", ""))))
    rows = [row] * draw(st.sampled_from((0, 1, 3, 12)))
    table = glue.join(["<table>", head, before, *rows, f"{after}</table>"])
    shell = draw(st.sampled_from(("{}", "{}", "<div>\n{}\n</div>", '<div align="center">\n\n{}\n\n</div>', "{0}{0}")))
    return shell.replace("{0}", table).replace("{}", table)


@st.composite
def lists(draw: st.DrawFn, depth: int = 0) -> str:
    mark = draw(st.sampled_from(("-", "*", "+", "1.", "7)", "-  ")))
    glue = draw(st.sampled_from(("\n", "\n\n")))
    inner: list[st.SearchStrategy[str]] = [paragraphs, fences(), tables(), maths(), html_tables()]
    if depth < 2:
        inner.append(st.deferred(lambda: lists(depth + 1)))
    items = []
    for _ in range(draw(st.integers(1, 3))):
        parts = [draw(sentences), *draw(st.lists(st.one_of(inner), max_size=1))]
        items.append(indent(glue.join(parts), f"{mark} "))
    return glue.join(items * draw(st.sampled_from((1, 1, 1, 4))))


@st.composite
def quotes(draw: st.DrawFn) -> str:
    inner = st.one_of(paragraphs, fences(), tables(), html_tables(), st.deferred(lambda: lists(1)), headings())
    parts = draw(st.lists(inner, min_size=1, max_size=3))
    return indent("\n\n".join(parts), "> ", draw(st.sampled_from(("> ", ">"))))


@st.composite
def maths(draw: st.DrawFn) -> str:
    opening, closing = draw(
        st.sampled_from((("$$", "$$"), ("\\[", "\\]"), ("\\begin{align}", "\\end{align}"), ("$$ x", "y $$")))
    )
    # The blank line keeps `$$` from going on with a paragraph, where it would mean something else after a cut.
    return "\n".join(["", opening, *["x &= y + z \\\\"] * draw(st.sampled_from((1, 2, 20))), closing])


html_blocks = st.builds(
    lambda shell, text, times: shell.format("\n".join([text.replace("\n\n", "\n")] * times)),
    st.sampled_from(
        (
            "<div>\n{}\n</div>", "<!-- {} -->", "<details>\n<summary>{}</summary>\n\ntext\n\n</details>",
            "<pre>\n\n{}\n</pre>", "<table><tr><td>\n{}\n</td></tr></table>", "<script>\n{}\n</script>",
            "<br>{}", "<?php\n{}\n?>",
        )
    ),
    sentences, st.sampled_from((1, 1, 6)),
)  # fmt: skip
footnotes = st.builds(lambda text: indent(text, "[^n]: ", "    "), st.one_of(paragraphs, fences()))
definitions = st.integers(1, 8).map(
    lambda count: "\n".join(f"[ref {n}]: https://example.org/{n} 'T'" for n in range(count))
)
indented_code = code_lines.map(lambda lines: "\n".join(f"    {line}" for line in ["x", *lines]).rstrip())
raw_lines = st.lists(st.sampled_from(AWKWARD_LINES), min_size=1, max_size=4).map("\n".join)
rules = st.sampled_from(("---", "***", "_ _ _"))

closed_blocks = st.one_of(
    paragraphs, paragraphs, lists(), tables(), fences(), quotes(), maths(), html_blocks, footnotes, definitions,
    indented_code, rules, html_tables(),
)  # fmt: skip
markdown_blocks = st.one_of(headings(), headings(), closed_blocks, closed_blocks, closed_blocks, raw_lines)

imports = st.builds(
    lambda name, times: "\n".join([f"import {name} from '../{name}'"] * times),
    st.sampled_from(("A", "{ b }")), st.sampled_from((1, 3, 30)),
)  # fmt: skip
exports = st.sampled_from(("export const meta = {\n  a: 1,\n};", "export default function X() {\n  return <p/>;\n}"))
components = st.builds(
    lambda shell, text: shell.format(text),
    st.sampled_from(
        (
            "<Tabs>\n\n{}\n\n</Tabs>", '<Card title="x" />', '<Card\n  title="x"\n  body={{{{ a: 1 }}}}\n/>',
            "<A>\n{}\n</A>", "<Steps>\n  <Step>\n\n  {}\n\n  </Step>\n</Steps>", "<Note>{}</Note>",
            "<Grid\n" + '  a="b"\n' * 30 + "/>",
        )
    ),
    paragraphs,
)  # fmt: skip
expressions = st.sampled_from(("{/* a comment */}", "{props.value}", "{[1, 2].map((x) => (\n  <li>{x}</li>\n))}"))
mdx_blocks = st.one_of(markdown_blocks, markdown_blocks, imports, exports, components, expressions)

front_matters = st.sampled_from(
    (
        "---\ntitle: A guide\ntags: [a, b]\n---", "---\nteam: infra\n---", "---\n---", "+++\ntitle = 'T'\n+++",
        "---\na: [b\n---", "---\ntitle: unclosed", "---\ntext: >\n" + "  long text\n" * 30 + "---",
    )
)  # fmt: skip


@st.composite
def _documents(draw: st.DrawFn, blocks: st.SearchStrategy[str]) -> str:
    parts = draw(st.lists(blocks, max_size=9))
    if draw(st.integers(0, 4)) == 0:
        parts.append(draw(unclosed_fences()))
    glues = draw(st.lists(st.sampled_from(("\n\n", "\n\n", "\n\n", "\n", "\n \n\n")), min_size=2, max_size=2))
    text = "".join(part + glues[number % 2] for number, part in enumerate(parts))
    if draw(st.integers(0, 3)) == 0:
        # Indented code right behind the last line of front matter that had to be cut would go on with that line.
        text = f"{draw(front_matters)}\n{'' if text[:1].strip() else chr(10)}{text}"
    return draw(st.sampled_from(("", "", "", "\n\n", "  ", "\ufeff"))) + text.removeprefix("\ufeff")


def documents() -> st.SearchStrategy[str]:
    """Markdown of all constructs."""
    return _documents(markdown_blocks)


def mdx_documents() -> st.SearchStrategy[str]:
    """MDX of all constructs."""
    return _documents(mdx_blocks)


def raw_documents() -> st.SearchStrategy[str]:
    """Lines and characters without any plan, with every kind of newline."""
    lines = st.lists(st.sampled_from(AWKWARD_LINES), max_size=14)
    newlines = st.sampled_from(("\n", "\n", "\n\n", "\r\n", "\r"))
    characters = st.text(st.sampled_from("#`~-*+|><{}$\\\n\n\t =_[]^:/!.a1 é鍵🔑\x0c\xa0\u2028\r\0\ud800"), max_size=80)
    return st.one_of(st.builds(lambda parts, newline: newline.join(parts), lines, newlines), characters)


def section_texts() -> st.SearchStrategy[str]:
    """What may stand in one section and leaves nothing open at its end."""
    subsections = st.builds(lambda level, title: f"{'#' * level} {title}", st.integers(2, 5), st.sampled_from(TITLES))
    blocks = st.one_of(subsections, paragraphs, tables(), fences(), lists(), quotes())
    return st.lists(blocks, min_size=1, max_size=5).map("\n\n".join)


def outlines() -> st.SearchStrategy[str]:
    """Documents of headings and plain text: sections of all sizes, most of them under one title."""
    sections = st.tuples(st.integers(1, 4), st.integers(0, 90)).map(
        lambda drawn: f"{'#' * drawn[0]} Title\n\n{'word ' * drawn[1]}".rstrip()
    )
    return st.lists(sections, min_size=3, max_size=16).map(lambda drawn: "\n\n".join(["# Guide", *drawn]))


BUDGETS = st.one_of(st.integers(16, 120), st.sampled_from((200, 400, 1000, 4000)))
TINY_BUDGETS = st.integers(1, 15)


@st.composite
def any_options(draw: st.DrawFn, budgets: st.SearchStrategy[int] = BUDGETS, **fixed: Any) -> dict[str, Any]:
    """Options of all kinds; `fixed` are given, not drawn."""
    options: dict[str, Any] = {
        "max_tokens": draw(budgets),
        "strategy": draw(st.sampled_from(("auto", "section", "auto", "fixed"))),
        "oversize": draw(st.sampled_from(("keep", "split"))),
        "tokenizer": draw(st.sampled_from(TOKENIZERS)),
        "front_matter": draw(st.sampled_from(("metadata", "include", "strip"))),
        "heading_depth": draw(st.sampled_from((6, 6, 1, 3))),
        **fixed,
    }
    maximum = options["max_tokens"]
    if draw(st.booleans()):
        options["overlap_tokens"] = draw(st.integers(0, maximum - 1))
    if draw(st.integers(0, 2)) == 0:
        options["target_tokens"] = draw(st.integers(1, maximum))
        options["min_tokens"] = draw(st.integers(0, options["target_tokens"]))
    return options
