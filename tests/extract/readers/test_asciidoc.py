"""AsciiDoc becomes Markdown with the lines of the file beside it."""

from __future__ import annotations

import logging

import pytest
from tests.extract.sound import headings, kinds, read_soundly

import crosshead

GUIDE = """\
= The Guide
:product: Crosshead

Welcome to *{product}* and `code` and _more_.
See https://example.com[the site].footnote:[A note.]

[[install]]
== Install

.Steps
. Get it
.. unpack
. Run it
+
[source,bash]
----
make install
# no heading
----
. Done

[WARNING]
====
Careful.
====

[options="header"]
|===
|Name |Value
|a
|first \\| x
2+|both
|===

Old title
---------

-a::
--all::
\tShow all
"""


def markdown(text: str) -> str:
    return read_soundly(text, "asciidoc").text


def test_guide() -> None:
    assert markdown(GUIDE) == (
        "# The Guide\n\nWelcome to **Crosshead** and `code` and *more*.\nSee [the site](https://example.com).[^1]\n\n"
        "[^1]: A note.\n\n## Install\n\n**Steps**\n\n1. Get it\n   1. unpack\n2. Run it\n\n"
        "   ```bash\n   make install\n   # no heading\n   ```\n3. Done\n\n**Warning**\n\nCareful.\n\n"
        "| Name | Value |\n| --- | --- |\n| a | first \\| x |\n| both |  |\n\n## Old title\n\n"
        "- **-a**\n  **--all**\n  Show all\n"
    )


def test_citations_name_lines_of_the_file() -> None:
    document = read_soundly(GUIDE, "asciidoc", source="guide.adoc")
    lines = ["", *GUIDE.split("\n")]
    found = {
        chunk.section_path[-1]: chunk.citation
        for chunk in crosshead.chunk(document, max_tokens=60, min_tokens=0, overlap_tokens=0)
        if chunk.content.startswith("#")
    }
    assert found["The Guide"] == "guide.adoc:1-5"
    assert found["Old title"] == f"guide.adoc:{lines.index('Old title')}-{len(lines) - 2}"
    code = next(block for block in document.blocks if block.kind == "list").atoms[0]
    at = lines.index("make install")
    assert document.source_span(code.start_line, code.end_line) == (at, at + 2), "with the line that ends it"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("NOTE: Read this.", "**Note:** Read this."),
        ("a `b*c` d", "a `b*c` d"),
        ("``x`` and +y+ and ``quoted''", "`x` and `y` and “quoted”"),
        ("snake_case and 2*3*4", "snake_case and 2\\*3\\*4"),
        ("**b**old", "**b**old"),
        ("linkgit:git-log[1] kbd:[Ctrl]", "git-log(1) Ctrl"),
        ("<<install,Here>> xref:a.adoc[B]", "[Here](#install) [B](a.adoc)"),
        ("stem:[x^2] H~2~O", "$x^2$ H<sub>2</sub>O"),
        ("{unknown} {nbsp}{plus}", "{unknown} \u00a0+"),
        ("image::a.png[An image]", "![An image](a.png)"),
        ("* [x] done\n* [ ] open", "- [x] done\n- [ ] open"),
        ("// comment\ntext", "text"),
        ("////\nhidden\n////\n\ntext", "text"),
        ("____\nsaid\n____", "> said"),
        (" literal\n  text", "```\nliteral\n text\n```"),
        ("term:: said\nother:: more", "- **term**: said\n- **other**: more"),
        (",===\na,b\n1,2\n,===", "|  |  |\n| --- | --- |\n| a | b |\n| 1 | 2 |"),
        ("[cols=2*]\n|===\n.2+|a |b\n|c\n|===", "|  |  |\n| --- | --- |\n| a | b |\n|  | c |"),
        ("- a\n\n\n- b", "- a\n- b"),
        ("'''", "***"),
        ("ifdef::x[]\nkept\nendif::[]", "kept\nendif::\\[\\]"),
    ],
)
def test_markup(text: str, expected: str) -> None:
    assert markdown(text + "\n") == expected + "\n"


def test_includes_stay_text_and_are_told(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "crosshead"):
        assert markdown("= A\n\ninclude::../secret.adoc[]\n") == "# A\n\n`include::../secret.adoc[]`\n"
    assert "includes are not followed: line 3" in caplog.text


def test_unclosed_block_goes_to_the_end_and_is_told(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "crosshead"):
        document = read_soundly("----\ncode\n\n== no heading\n", "asciidoc")
    assert kinds(document) == ["code"]
    assert "blocks are not closed: line 1" in caplog.text


def test_deep_nesting_is_text() -> None:
    deep = "".join(f"{'=' * (at + 4)}\n" for at in range(300))
    assert "end" in markdown(f"{deep}end\n")
    assert headings(read_soundly("* a\n+\n* b\n" * 500, "asciidoc")) == []
