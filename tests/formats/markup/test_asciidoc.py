"""AsciiDoc becomes Markdown with the lines of the file beside it."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from tests.formats.sound import headings, kinds, read_soundly

import crosshead
from crosshead.formats import Nearby
from crosshead.formats.registry import choose_format
from crosshead.types import Chunk

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
        ("ifdef::x[]\nkept\nendif::[]", "kept"),
        ("ifdef::x[]\na\nendif::[]\nifndef::x[]\nb\nendif::[]\nifdef::y[c]", "a\nb\nc"),
        (":x:\n\nifdef::x[]\na\nendif::[]\nifndef::x[]\nb\nendif::[]\nifdef::y[c]\nifdef::x[d]\nend", "a\nd\nend"),
        (":u: https://a.b\n\n{u}[site] and {u}/x[it] \\{u}", "[site](https://a.b) and [it](https://a.b/x) {u}"),
        (
            "xref:mod:page.adoc[text], xref:m:a/page.adoc#x[], xref:page.adoc[]",
            "[text](mod:page.adoc), [a/page.adoc](m:a/page.adoc#x), [page.adoc](page.adoc)",
        ),
        (
            "[[in]]\n== Install it\n\n<<in>>, <<in,this>>, <<_install_it>>, xref:in[that], <<none>>",
            "## Install it\n\n[Install it](#in), [this](#in), [Install it](#_install_it), [that](#in), [none](#none)",
        ),
        ("menu:File[Save > As]", "File > Save > As"),
        ("A\n-\n\nOver\n----\nUnder\n~~~~~\ntext", "A\n\\-\n\n## Over\n\n### Under\n\ntext"),
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


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        path = folder / f"{name.replace('__', '/')}.adoc"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder / "guide.adoc"


def test_includes_are_followed_and_their_lines_are_cited(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        guide="= Guide\n\nIntro.\n\ninclude::parts/install.adoc[leveloffset=+1]\n\n== End\n\nBye.\n",
        parts__install="= Install\n\nRun it.\n\ninclude::deep.adoc[]\n",
        parts__deep="== Deep\n\nDown.\n",
    )
    document = crosshead.read(path, nearby=Nearby(str(tmp_path), str(path)), source="guide.adoc")
    assert headings(document) == [(1, "Guide"), (2, "Install"), (3, "Deep"), (2, "End")]
    chunks = crosshead.chunk(document, max_tokens=8, min_tokens=0, overlap_tokens=0)
    assert {chunk.section_path[-1]: chunk.citation for chunk in reversed(chunks)} == {
        "Guide": "guide.adoc:1-3",
        "Install": "parts/install.adoc:1-3",
        "Deep": "parts/deep.adoc:1-3",
        "End": "guide.adoc:7-9",
    }
    again = [Chunk.from_json(chunk.to_json()).citation for chunk in chunks]
    assert again == [chunk.citation for chunk in chunks]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("", "one\ntwo\nthree\nfour"),
        ("lines=2..3", "// tag::a[]\ntwo".replace("// tag::a[]\n", "")),
        ("lines=1;5..-1", "one\nfour"),
        ("tag=a", "two"),
        ("tags=a;b", "two\nthree"),
        ("tags=**;!a", "one\nthree\nfour"),
    ],
)
def test_parts_of_files_are_included(options: str, expected: str, tmp_path: Path) -> None:
    part = "one\n// tag::a[]\ntwo\n// end::a[]\n// tag::b[]\nthree\n// end::b[]\nfour\n"
    path = write(tmp_path, guide=f"----\ninclude::part.adoc[{options}]\n----\n", part=part)
    if options.startswith("lines=1"):
        expected = "one\nthree\nfour"
    assert crosshead.read(path).text == f"```\n{expected}\n```\n"


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("../outside.adoc", "includes are not followed: line 3"),
        ("/etc/hostname", "includes are not followed: line 3"),
        ("link.adoc", "includes are not followed: line 3"),
        (".hidden/keys.adoc", "includes are not followed: line 3"),
        ("https://example.com/x.adoc", "it is not a file"),
        ("none.adoc", "includes are not followed: line 3"),
        ("guide.adoc", "it includes itself"),
    ],
)
def test_includes_that_are_refused_are_told(
    target: str, reason: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "outside.adoc").write_text("secret")
    path = write(tmp_path / "docs", guide=f"text\n\ninclude::{target}[]\n")
    (tmp_path / "docs" / "link.adoc").symlink_to(tmp_path / "outside.adoc")
    write(tmp_path / "docs", **{".hidden__keys": "secret"})
    document = crosshead.read(path)
    assert "secret" not in document.text
    assert f"include::{target}" in document.text
    assert reason in caplog.text


def test_includes_of_antora_and_by_attributes(tmp_path: Path) -> None:
    page = tmp_path / "modules/ROOT/pages/guide.adoc"
    write(page.parent, guide=":dir: ../parts\n\ninclude::partial$a.adoc[]\n\ninclude::{dir}/b.adoc[]\n")
    write(tmp_path / "modules/ROOT", partials__a="From a.\n", parts__b="From b.\n")
    document = crosshead.read(page, nearby=Nearby(str(tmp_path), str(page)))
    assert document.text == "From a.\n\nFrom b.\n"


def test_includes_that_multiply_are_bounded(tmp_path: Path) -> None:
    files = {f"a{n}": f"x\n\ninclude::a{n + 1}.adoc[]\n\n" * 10 for n in range(20)}
    path = write(tmp_path, guide="include::a0.adoc[]\n", **files)
    assert len(crosshead.read(path).text) < 200_000


def test_attributes_that_multiply_are_bounded() -> None:
    values = "".join(f":a{n + 1}: {f'{{a{n}}}' * 10}\n" for n in range(12))
    assert len(markdown(f":a0: 0123456789\n{values}\n{'{a12} {a2} ' * 5_000}\n")) < 2_500_000


def test_index_follows_includes_and_notices_their_changes(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    write(docs, guide="= Guide\n\ninclude::part.adoc[]\n", part="== Part\n\nThe lynx sleeps.\n")
    with crosshead.Index(tmp_path / "index", root=tmp_path, embedder="static") as index:
        index.add(docs)
        hits = index.search("lynx", source="docs/guide.adoc")
        assert hits[0].citation == "docs/part.adoc:1-3"
        assert index.add(docs).unchanged == 2
        write(docs, part="== Part\n\nThe marten sleeps.\n")
        assert index.add(docs).unchanged == 0
        assert index.search("marten", source="docs/guide.adoc")


def test_an_upload_includes_only_other_uploads(tmp_path: Path) -> None:
    write(tmp_path, keys="The secret is 42.\n")
    write(tmp_path / "uploads", sent="= Sent\n\ninclude::../keys.adoc[]\n\ninclude::more.adoc[]\n", more="From more.\n")
    with crosshead.Index(tmp_path / "index", root=tmp_path, embedder="static") as index:
        index.add(tmp_path / "uploads/sent.adoc")
        (chunk,) = (hit.chunk for hit in index.search("sent"))
    assert "From more." in chunk.content
    assert "secret" not in chunk.content


def test_text_file_is_recognized_by_its_content(tmp_path: Path) -> None:
    path = tmp_path / "git-tool.txt"
    path.write_text("git-tool(1)\n===========\n\n[verse]\n'git tool'\n\n-a::\n\tAll. See linkgit:git[1].\n")
    document = crosshead.read(path)
    assert (document.format, document.text.split("\n")[0]) == ("asciidoc", "# git-tool(1)")


@pytest.mark.parametrize(
    "text",
    [
        "Subject: Hooks\nFrom: Ann <a@b.c>\nContent-type: text/asciidoc\n\nHooks\n=====\n\nText.\n",
        "linkgit:git-add[1]::\n\tAdd files.\n\nlinkgit:git-mv[1]::\n\tMove files.\n",
        "[[def_blob]]blob::\n\tAn <<def_object,object>>.\n\n[[def_ref]]ref::\n\tA name.\n",
        "Files\n-----\nSee linkgit:gitignore[5].\n\nNotes\n-----\nNone.\n",
        " - Paths (see linkgit:git-config[1]).\n+\nMore of it.\n\n - Logs.\n+\nAnd more.\n",
    ],
)
def test_text_file_with_signs_of_several_kinds_is_recognized(text: str) -> None:
    assert choose_format("notes.txt", text.encode()).format == "asciidoc"


@pytest.mark.parametrize(
    "text",
    [
        "Files\n=====\nA list.\n\nNotes\n-----\nNone.\n",
        "Files\n=====\nSee link:readme[1].\n",
        "cat <<EOF >> notes\n+\nstd::cout << a, b >> c;\n",
        "Use it::\n    run()\n\nOr::\n    walk()\n",
    ],
)
def test_text_file_that_may_be_something_else_is_not_taken_for_asciidoc(text: str) -> None:
    assert choose_format("notes.txt", text.encode()).format != "asciidoc"
