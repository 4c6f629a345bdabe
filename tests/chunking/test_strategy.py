"""`chunk()` as a whole: strategies, empty and hostile input."""

from __future__ import annotations

import re
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

import crosshead
from crosshead import Chunk, Chunks, CrossheadError
from crosshead.pipeline import parse_document

DOCS = Path(__file__).parents[2] / "docs"
PLAIN = "\n\n".join(f"Paragraph {number} says something in two sentences. Nobody knows why." for number in range(60))
GUIDE = "# Guide\n\n## Install\n\nRun it.\n\n## Use\n\nCall it.\n"


def passes(text: str, format: str = "markdown", **options: Any) -> Chunks:
    """Cut a text, check the result and return it."""
    document = parse_document(text, format=format)
    chunks = crosshead.chunk(document, **options)
    report = crosshead.check(document, chunks)
    assert [each.message for each in report.violations if each.severity == "error"] == []
    assert report.coverage == 1.0
    return chunks


# ---------------------------------------------------------------------- strategies


def test_one_heading_makes_headings_the_boundaries() -> None:
    chunks = passes(f"{PLAIN}\n\n# Heading\n\n{PLAIN}", max_tokens=200)
    heads = [chunk for chunk in chunks if "# Heading" in chunk.content]
    assert [chunk.content.startswith("# Heading\n\nParagraph 0 ") for chunk in heads] == [True]


@pytest.mark.parametrize("format", ["markdown", "mdx", "text"])
def test_auto_cuts_every_format_at_its_structure(format: str) -> None:
    document = parse_document(GUIDE, format=format)
    assert crosshead.chunk(document) == crosshead.chunk(document, strategy="section")


@pytest.mark.parametrize("text", [PLAIN, GUIDE, f"{PLAIN}\n\n{GUIDE}"])
def test_section_and_auto_are_the_same_and_the_docs_say_so(text: str) -> None:
    document = parse_document(text, format="text")
    assert crosshead.chunk(document, strategy="auto") == crosshead.chunk(document, strategy="section")
    (strategies,) = re.findall("### Strategies\n.*?(?=\n#)", (DOCS / "options.md").read_text("utf-8"), re.DOTALL)
    assert "`auto` does the same today" in strategies
    assert "equal chunks and ids" in strategies


def test_section_is_the_default() -> None:
    assert crosshead.chunk(GUIDE) == crosshead.chunk(GUIDE, strategy="section")


def test_fixed_knows_no_sections() -> None:
    chunks = passes(f"# A\n\n{PLAIN}\n\n# B\n\n{PLAIN}", strategy="fixed", max_tokens=100)
    assert not any(chunk.content.startswith("# B") for chunk in chunks)


def test_unknown_strategy_is_an_error() -> None:
    with pytest.raises(CrossheadError, match="auto, section, fixed"):
        crosshead.chunk(GUIDE, strategy="semantic")


def test_text_without_headings_is_packed_by_paragraphs() -> None:
    chunks = passes(PLAIN, max_tokens=100)
    assert len(chunks) > 5
    assert all(chunk.content.startswith("Paragraph ") for chunk in chunks)
    assert all(chunk.section_path == () and chunk.section_level == 0 for chunk in chunks)
    assert all(chunk.breadcrumb is None for chunk in chunks)


@pytest.mark.parametrize("strategy", ["auto", "section", "fixed"])
def test_index_counts_in_document_order(strategy: str) -> None:
    chunks = passes(PLAIN, strategy=strategy, max_tokens=60)
    assert [chunk.index for chunk in chunks] == list(range(len(chunks)))
    assert [chunk.start for chunk in chunks] == sorted(chunk.start for chunk in chunks)


@pytest.mark.parametrize("strategy", ["auto", "fixed"])
def test_every_chunk_has_what_an_index_needs(strategy: str) -> None:
    for chunk in passes(GUIDE, strategy=strategy):
        assert isinstance(chunk, Chunk)
        assert chunk.content
        assert chunk.token_count > 0
        assert len(chunk.content_hash) == 64
        assert chunk.id
        assert chunk.source == "<text>"


def test_chunks_remember_their_options() -> None:
    chunks = crosshead.chunk(GUIDE, max_tokens=77)
    assert (chunks.options.max_tokens, chunks.options.strategy) == (77, "auto")


# ---------------------------------------------------------------------- front matter


FRONT = "---\ntitle: Guide\ntags: [a, b]\n---\n\nText.\n"


def test_front_matter_becomes_metadata() -> None:
    [chunk] = passes(FRONT)
    assert chunk.content == "Text."
    assert chunk.metadata["front_matter"] == {"title": "Guide", "tags": ["a", "b"]}
    assert chunk.document_title == "Guide"


def test_front_matter_is_included_as_text() -> None:
    [chunk] = passes(FRONT, front_matter="include")
    assert chunk.content.startswith("---\ntitle: Guide")
    assert "front_matter" not in chunk.metadata


def test_front_matter_is_stripped() -> None:
    [chunk] = passes(FRONT, front_matter="strip")
    assert chunk.content == "Text."
    assert "front_matter" not in chunk.metadata


def test_users_metadata_stands_beside_the_front_matter() -> None:
    document = parse_document(FRONT, metadata={"team": "infra"})
    [chunk] = crosshead.chunk(document)
    assert set(chunk.metadata) == {"team", "front_matter"}


@pytest.mark.parametrize("mode", ["metadata", "strip"])
def test_only_front_matter_gives_no_chunk(mode: str) -> None:
    assert passes("---\ntitle: Guide\n---\n", front_matter=mode) == []


def test_only_front_matter_is_a_chunk_if_it_is_text() -> None:
    [chunk] = passes("---\ntitle: Guide\n---\n", front_matter="include")
    assert chunk.content == "---\ntitle: Guide\n---"


# ---------------------------------------------------------------------- MDX


def test_components_are_known_only_in_mdx() -> None:
    text = "import X from 'y'\n\n<X\n  a='b'\n/>\n"
    assert {chunk.content_type for chunk in passes(text, format="mdx")} == {"code"}
    assert {chunk.content_type for chunk in passes(text)} == {"prose"}
    assert {chunk.content_type for chunk in crosshead.chunk(text, mdx=True)} == {"code"}


# ---------------------------------------------------------------------- empty and hostile input


@pytest.mark.parametrize("text", ["", " ", "\n", " \n\t\n\x0c\n", "\ufeff", "\u00a0\n\n\u3000\n", "\r\r\n"])
@pytest.mark.parametrize("strategy", ["auto", "fixed"])
def test_blank_text_gives_no_chunk(text: str, strategy: str) -> None:
    assert passes(text, strategy=strategy) == []


def test_empty_sections_give_no_empty_chunk() -> None:
    chunks = passes("# A\n\n## B\n\n## C\n\ntext\n\n## D\n")
    assert all(chunk.content.strip() for chunk in chunks)
    assert "".join(chunk.content for chunk in chunks).count("#") == 7


@pytest.mark.parametrize("text", ["# Heading", "Heading\n===", "# Heading\n\n## Another\n\n### Third\n"])
def test_headings_without_text_are_one_chunk(text: str) -> None:
    [chunk] = passes(text)
    assert chunk.content == text.strip()


@pytest.mark.parametrize("max_tokens", [1, 2, 5, 16])
@pytest.mark.parametrize(
    "text",
    [
        "🔑👩‍👩‍👧‍👦🔑" * 5,
        "設定を変更します。密钥每个月轮换一次！" * 3,
        "# 🔑\n\n🔑\n\n```\n🔑\n```\n",
        "مفتاح " * 9,
        "e\u0301\u0301\u0301" * 9,
        "\x00" * 20,
        "\ud800\udfff lone \ud83d",
    ],
)  # fmt: skip
def test_nothing_is_lost_at_tiny_budgets(text: str, max_tokens: int) -> None:
    document = parse_document(text)
    chunks = crosshead.chunk(document, max_tokens=max_tokens)
    assert crosshead.check(document, chunks).coverage == 1.0
    for chunk in chunks:
        fits = chunk.token_count <= max_tokens or chunk.oversize_reason
        assert fits or (max_tokens < 5 and len(chunk.content) == 1), chunk.content


@pytest.mark.parametrize("tokenizer", ["cl100k_base", "o200k_base", "estimate", "characters"])
def test_lone_surrogates_and_control_characters_are_kept(tokenizer: str) -> None:
    text = "# A\ud800B\n\n\x00 one \udfff two \x7f\n\n- \ud83d\n"
    [chunk] = passes(text, tokenizer=tokenizer)
    assert chunk.content == text.strip()


def test_every_kind_of_newline_is_one() -> None:
    [chunk] = passes("# A\r\n\r\none\rtwo\nthree\r\n")
    assert chunk.content == "# A\n\none\ntwo\nthree"
    assert (chunk.start_line, chunk.end_line) == (1, 5)


@pytest.mark.parametrize("budget", [20, 100])
def test_heading_longer_than_the_budget_terminates(budget: int) -> None:
    chunks = passes(f"# {'word ' * 500}\n\ntext\n", max_tokens=budget)
    assert len(chunks) > 5
    assert len({chunk.section_path for chunk in chunks}) == 1


LARGE = {
    "one line without spaces": "abcdefghij0123456789" * 50_000,
    "one line of words": "words " * 170_000,
    "one line of Chinese": "密钥每个月轮换一次。" * 15_000,
    "one line of punctuation": "=" * 500_000,
    "lines of slashes": "//\n" * 5_000,
    "emoji": "🔑" * 60_000,
    "indentation": " " * 1_000_000 + "x",
    "blank lines": f"a{chr(10) * 1_000_000}b",
    "one list": "- item\n" * 20_000,
    "one item": "- item\n" + "  line\n" * 20_000,
    "nested lists": "".join(f"{'  ' * (number % 40)}- x\n" for number in range(20_000)),
    "one quote": "> line\n" * 20_000,
    "sections": "## Heading\n\ntext\n\n" * 5_000,
    "sections under one heading": "# Top\n\n" + "## Heading\n\ntext\n\n" * 5_000,
    "headings": "# Heading\n" * 20_000,
    "headings of all levels": "".join(f"{'#' * (1 + number % 6)} Heading\n" for number in range(20_000)),
    "a long heading": f"# {'word ' * 100_000}\n\ntext",
    "HTML": "<div>\n" + "<p>x</p>\n" * 20_000 + "</div>\n",
    "an unclosed fence": "```\n" + "x = 1\n" * 20_000,
    "definitions": "".join(f"[a{number}]: https://example.org\n" for number in range(20_000)),
}


@pytest.mark.parametrize("tokenizer", ["cl100k_base", "o200k_base"])
@pytest.mark.parametrize("name", LARGE)
def test_large_input_takes_linear_time(name: str, tokenizer: str, cpu_limit: AbstractContextManager[None]) -> None:
    with cpu_limit:
        passes(LARGE[name], tokenizer=tokenizer)


@pytest.mark.parametrize("name", ["one line without spaces", "one line of words", "blank lines", "one list"])
def test_windows_over_large_input_take_linear_time(name: str, cpu_limit: AbstractContextManager[None]) -> None:
    with cpu_limit:
        passes(LARGE[name], strategy="fixed")


TABLE = "| a | b |\n|---|---|\n" + "| one | two |\n" * 20_000
CODE = "```python\n" + "x = 1\n" * 20_000 + "```\n"


@pytest.mark.parametrize(("text", "kind"), [(TABLE, "table"), (CODE, "code")])
def test_huge_atom_is_kept_whole(text: str, kind: str, cpu_limit: AbstractContextManager[None]) -> None:
    with cpu_limit:
        [chunk] = passes(text)
    assert (chunk.oversize_reason, chunk.content) == (kind, text.strip())


@pytest.mark.parametrize("text", [TABLE, CODE])
def test_huge_atom_is_split(text: str, cpu_limit: AbstractContextManager[None]) -> None:
    with cpu_limit:
        chunks = passes(text, oversize="split")
    assert len(chunks) > 100
    assert max(chunk.token_count for chunk in chunks) <= 400
