"""The guarantees on generated documents.

`make test` tries 500 documents per property. By hand, for an afternoon and with a seed of its own:

    HYPOTHESIS_PROFILE=thorough .venv/bin/python -m pytest tests/test_properties.py --hypothesis-seed=7
"""

from __future__ import annotations

import json
from typing import Any

import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st

import crosshead
from crosshead.pipeline import parse_document
from tests import strategies

any_document = st.one_of(
    strategies.documents().map(lambda text: (text, "markdown")),
    strategies.raw_documents().map(lambda text: (text, "markdown")),
    strategies.mdx_documents().map(lambda text: (text, "mdx")),
)


def errors_of(text: str, format: str, options: dict[str, Any]) -> list[str]:
    document = parse_document(text, format=format)
    report = crosshead.check(document, crosshead.chunk(document, **options))
    return [f"{each.rule}: {each.message}" for each in report.violations if each.severity == "error"]


@given(any_document, strategies.any_options())
def test_every_guarantee_holds(document: tuple[str, str], options: dict[str, Any]) -> None:
    assert errors_of(*document, options) == []


@given(any_document, strategies.any_options(budgets=st.integers(1, 15)))
def test_every_guarantee_holds_at_tiny_budgets(document: tuple[str, str], options: dict[str, Any]) -> None:
    assert errors_of(*document, options) == []


@pytest.mark.parametrize("tokenizer", strategies.EXACT_TOKENIZERS)
@given(
    document=any_document,
    max_tokens=st.sampled_from((16, 40, 64, 200, 400)),
    oversize=st.sampled_from(("keep", "split")),
)
def test_counts_are_those_of_tiktoken(
    tokenizer: str, document: tuple[str, str], max_tokens: int, oversize: str
) -> None:
    encoding = tiktoken.get_encoding(tokenizer)
    text, format = document
    chunks = crosshead.chunk(
        parse_document(text, format=format), max_tokens=max_tokens, oversize=oversize, tokenizer=tokenizer
    )
    for chunk in chunks:
        assert chunk.token_count == len(encoding.encode_ordinary(chunk.content))


@given(any_document, strategies.any_options())
def test_same_input_gives_the_same_chunks(document: tuple[str, str], options: dict[str, Any]) -> None:
    text, format = document
    first = crosshead.chunk(parse_document(text, format=format), **options)
    assert first == crosshead.chunk(parse_document(text, format=format), **options)


@given(any_document, strategies.any_options())
def test_views_and_notes_never_change_a_chunk(document: tuple[str, str], options: dict[str, Any]) -> None:
    parsed = parse_document(document[0], format=document[1])
    plain = crosshead.chunk(parsed, **options)
    explained = crosshead.chunk(parsed, **{**options, "explain": True})
    assert [chunk.id for chunk in plain] == [chunk.id for chunk in explained]
    for chunk in explained:
        assert chunk.notes
        assert chunk.content in chunk.render(headings=True, overlap=True, breadcrumb=True)
        assert json.loads(json.dumps(chunk.to_json()))["id"] == chunk.id


@given(st.lists(strategies.section_texts(), min_size=2, max_size=6), st.integers(0, 5), st.sampled_from((40, 200, 400)))
def test_editing_a_section_leaves_the_others_alone(texts: list[str], edited: int, max_tokens: int) -> None:
    """Top-level sections share no heading, so a change in one cannot move a cut in another."""

    def chunks_by_section(bodies: list[str]) -> dict[str, list[str]]:
        text = "\n\n".join(f"# Section {number}\n\nText.\n\n{body}\n\nThe end." for number, body in enumerate(bodies))
        found: dict[str, list[str]] = {}
        for chunk in crosshead.chunk(text, max_tokens=max_tokens):
            found.setdefault(chunk.section_path[0] if chunk.section_path else "", []).append(chunk.id)
        return found

    edited %= len(texts)
    changed = [f"{body}\n\nOne more sentence." if number == edited else body for number, body in enumerate(texts)]
    before, after = chunks_by_section(texts), chunks_by_section(changed)
    for number in range(len(texts)):
        if number != edited:
            assert after[f"Section {number}"] == before[f"Section {number}"]
