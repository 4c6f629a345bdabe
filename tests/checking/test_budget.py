from __future__ import annotations

import pytest
from tests.checking.cutting import broken_rules, check, cut, faults, warnings, with_change

from crosshead.options import ChunkOptions, Tokenizer
from crosshead.pipeline import parse_document

CODE = "# Run\n\n```python\n" + "value = 1\n" * 20 + "```\n\nEnd.\n"
SMALL = ChunkOptions(max_tokens=40, overlap_tokens=0)


@pytest.mark.parametrize("tokenizer", ["cl100k_base", "o200k_base", "estimate", "estimate:code", "characters"])
def test_exact_counts_pass(tokenizer: Tokenizer) -> None:
    options = ChunkOptions(max_tokens=400, overlap_tokens=0, tokenizer=tokenizer)
    document, chunks = cut(CODE, "End.", options=options)
    assert faults(document, chunks, options) == []


def test_wrong_count_is_found() -> None:
    document, chunks = cut(CODE, "End.")
    assert any("has 2 tokens, not 1" in fault for fault in faults(document, with_change(chunks, 1, token_count=1)))


def test_large_prose_is_found() -> None:
    document, chunks = cut("word " * 60, options=SMALL)
    assert any("above 40, without an oversize reason" in fault for fault in faults(document, chunks, SMALL))


def test_wrong_count_does_not_hide_large_prose() -> None:
    document, chunks = cut("word " * 60, options=SMALL)
    found = faults(document, with_change(chunks, 0, token_count=40), SMALL)
    assert any("without an oversize reason" in fault for fault in found)


@pytest.mark.parametrize(
    ("text", "format", "reason"),
    [
        (CODE, "markdown", "code"),
        ("- item\n\n  ```\n" + "  value = 1\n" * 20 + "  ```\n", "markdown", "code"),
        ("| a | b |\n| - | - |\n" + "| 1 | 2 |\n" * 20, "markdown", "table"),
        ("$$\n" + "x = y + z\n" * 20 + "$$\n", "markdown", "math"),
        ("<Tabs\n" + "  name='value'\n" * 20 + "/>\n", "mdx", "component"),
        ("{[\n" + "  100, 200,\n" * 20 + "]}\n", "mdx", "component"),
        ("import {\n" + "  first, second,\n" * 20 + "} from 'x'\n", "mdx", "component"),
    ],
)
def test_oversize_atom_is_a_warning(text: str, format: str, reason: str) -> None:
    document, chunks = cut(parse_document(text, format=format), options=SMALL)
    chunks = with_change(chunks, 0, oversize_reason=reason)
    assert faults(document, chunks, SMALL) == []
    assert warnings(document, chunks, SMALL) == ["oversize"]
    assert check(document, chunks, SMALL).figures.oversize == {reason: 1}


def test_section_integrity_is_rejected() -> None:
    """S3-16: the wish to keep a section whole is no reason."""
    document, chunks = cut("word " * 60, options=SMALL)
    found = faults(document, with_change(chunks, 0, oversize_reason="section_integrity"), SMALL)
    assert any("'section_integrity', which is not one of code, table, math, component" in fault for fault in found)


def test_list_item_is_no_oversize_reason() -> None:
    document, chunks = cut("- " + "word " * 60, options=SMALL)
    assert "budget" in broken_rules(document, with_change(chunks, 0, oversize_reason="list_item"), SMALL)


def test_oversize_reason_needs_an_atom_of_its_kind() -> None:
    document, chunks = cut(CODE, "End.", options=SMALL)
    found = faults(document, with_change(chunks, 0, oversize_reason="table"), SMALL)
    assert any("but holds no table that is larger" in fault for fault in found)


def test_small_code_is_no_oversize_reason() -> None:
    document, chunks = cut(f"```\na = 1\n```\n\n{'word ' * 60}", options=SMALL)
    assert chunks[0].oversize_reason == "code"
    assert any("but holds no code that is larger" in fault for fault in faults(document, chunks, SMALL))


def test_large_prose_beside_large_code_is_found() -> None:
    document, chunks = cut(f"{CODE}\n{'word ' * 60}", options=SMALL)
    assert any("even without its code" in fault for fault in faults(document, chunks, SMALL))


def test_unclosed_fence_is_no_oversize_reason() -> None:
    document, chunks = cut("```\n" + "value = 1\n" * 20, options=SMALL)
    assert "budget" in broken_rules(document, chunks, SMALL)


def test_headings_glued_to_an_atom_count_with_it() -> None:
    text = f"# {'Long ' * 15}\n\n## {'Longer ' * 10}\n\n```\n" + "value = 1\n" * 4 + "```\n"
    document, chunks = cut(text, options=SMALL)
    assert chunks[0].oversize_reason == "code"
    assert faults(document, chunks, SMALL) == []


def test_oversize_reason_of_a_small_chunk_is_found() -> None:
    document, chunks = cut(CODE, "End.")
    assert any("but only" in fault for fault in faults(document, with_change(chunks, 0, oversize_reason="code")))


def test_atom_that_can_be_split_is_no_oversize_reason() -> None:
    options = ChunkOptions(max_tokens=40, overlap_tokens=0, oversize="split")
    document, chunks = cut(CODE, "End.", options=options)
    assert any("but holds no code that is larger" in fault for fault in faults(document, chunks, options))


def test_heading_with_an_atom_that_fits_is_oversize_in_split_mode() -> None:
    options = ChunkOptions(max_tokens=40, overlap_tokens=0, oversize="split")
    document, chunks = cut(f"# {'Long ' * 36}\n\n```\nvalue = 1\n```\n", options=options)
    assert chunks[0].oversize_reason == "code"
    assert faults(document, chunks, options) == []
