"""Cutting a block that is too large."""

from __future__ import annotations

import pytest

import crosshead
from crosshead import Chunk, parse_blocks

LINES = "\n".join(f"value_{number} = compute({number})" for number in range(60))
CODE = f"```python\n{LINES}\n```"
TABLE = "| name | value |\n| --- | ---: |\n" + "\n".join(f"| key {number} | {number} |" for number in range(80))


def chunk(text: str, **options: object) -> list[Chunk]:
    chunks = crosshead.chunk(text, **{"max_tokens": 100, **options})
    assert crosshead.check(text, chunks).ok
    return chunks


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (CODE, "code"),
        ("\n".join(f"    {line}" for line in LINES.split("\n")), "code"),
        (TABLE, "table"),
        ("$$\n" + "a + b \\\\\n" * 60 + "$$", "math"),
    ],
)
@pytest.mark.parametrize("around", ["{}", "# A\n\nIntro.\n\n{}\n\nOutro.", "- item\n\n{}\n\n- next"])
def test_atom_is_kept_whole_and_says_why(text: str, reason: str, around: str) -> None:
    if around.startswith("-"):
        text = "\n".join(f"  {line}" if line else line for line in text.split("\n"))
    (whole,) = [each for each in chunk(around.format(text)) if each.oversize_reason]
    assert whole.oversize_reason == reason
    assert text.strip() in whole.content


def test_code_block_integrity_where_it_fits() -> None:
    text = "# A\n\n" + "\n\n".join(
        f"Step {number}:\n\n```sh\nrun {number}\n\n# no heading\n```" for number in range(30)
    )
    for each in chunk(text):
        assert each.content.count("```") % 2 == 0


def test_split_code_repeats_its_fence_and_language() -> None:
    pieces = chunk(f"# A\n\nIntro.\n\n{CODE}", oversize="split")
    code = [each for each in pieces if "value_" in each.content]
    assert len(code) > 3
    for piece in code:
        blocks = parse_blocks(piece.render(headings=False))
        assert [block.lang for block in blocks if block.kind == "code"] == ["python"]
        assert all(block.closed for block in blocks)
        assert piece.token_count <= 100


def test_split_table_repeats_its_header_rows() -> None:
    pieces = chunk(TABLE, oversize="split")
    assert len(pieces) > 3
    for piece in pieces:
        assert [block.kind for block in parse_blocks(piece.render())] == ["table"]
        assert piece.render().startswith("| name | value |\n| --- | ---: |\n")
    assert [piece.content for piece in pieces] == [piece.content.strip() for piece in pieces]


def test_atom_that_fits_is_not_cut_when_splitting() -> None:
    table = "\n".join(TABLE.split("\n")[:8])
    pieces = chunk(f"Words and words here. {'More of them. ' * 20}\n\n{table}", oversize="split")
    assert any(table in piece.content for piece in pieces)


def test_unclosed_fence_is_cut_and_reported_once() -> None:
    text = f"```python\n{LINES}"
    chunks = crosshead.chunk(text, max_tokens=100)
    report = crosshead.check(text, chunks)
    assert len(chunks) > 3
    assert [each.rule for each in report.violations] == ["unclosed_fence"]


def test_list_is_cut_between_items() -> None:
    text = "\n".join(f"- item number {number} has some words in it" for number in range(60))
    for each in chunk(text):
        assert each.content.startswith("- item")


def test_huge_item_is_cut_at_its_blocks_and_sentences() -> None:
    text = "- first\n\n  " + "A sentence of the item. " * 60 + "\n\n  ```\n  code stays\n  whole\n  ```\n- last"
    pieces = chunk(text)
    assert len(pieces) > 3
    assert any("code stays\n  whole" in piece.content for piece in pieces)


def test_introduction_and_text_after_a_list_are_kept() -> None:
    text = "Intro:\n\n" + "\n".join(f"{number}. step number {number} of many" for number in range(1, 60)) + "\n\nAfter."
    joined = "".join(piece.content for piece in chunk(text))
    assert joined.startswith("Intro:")
    assert joined.endswith("After.")


def test_long_prose_is_cut_between_sentences() -> None:
    pieces = chunk("A sentence stands here, as it should. " * 80)
    assert all(piece.content.startswith("A sentence") and piece.content.endswith(".") for piece in pieces)


def test_heading_longer_than_the_budget_is_cut_like_prose() -> None:
    pieces = chunk("# " + "very long heading " * 60 + "\n\nText.", max_tokens=40)
    assert all(piece.token_count <= 40 for piece in pieces)
    assert pieces[-1].content.endswith("Text.")


def test_component_is_an_atom() -> None:
    component = "<Table\n" + "\n".join(f'  column{number}="value {number}"' for number in range(60)) + "\n/>"
    document = crosshead.read(f"# A\n\n{component}\n\nText.".encode(), format="mdx")
    chunks = crosshead.chunk(document, max_tokens=100)
    assert [each.oversize_reason for each in chunks if each.oversize_reason] == ["component"]
    assert crosshead.check(document, chunks).ok


def test_oversized_front_matter_is_cut_by_lines() -> None:
    text = "---\n" + "\n".join(f"key{number}: value {number}" for number in range(80)) + "\n---\n\nText."
    chunks = crosshead.chunk(text, max_tokens=100, front_matter="include")
    assert all(each.token_count <= 100 for each in chunks)
    assert crosshead.check(text, chunks).ok
