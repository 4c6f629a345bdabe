"""Counts of any span follow from the counts of its blocks, exactly."""

from __future__ import annotations

import pytest

import crosshead
from crosshead.chunking.measure import BlockSums, Measure
from crosshead.options import Tokenizer
from crosshead.pipeline import parse_document
from crosshead.tokens import get_counter

EXACT: list[Tokenizer] = ["cl100k_base", "o200k_base"]
ESTIMATES: list[Tokenizer] = ["estimate", "estimate:prose", "estimate:code"]

TEXT = """\
# Heading!

A paragraph that ends with a letter

Another one...

/usr/bin starts with a slash, and ends with one/

//

- item (one)
- item *two*

```python
print("x")  # done
```

| a | b |
|---|---|
| 1 | 2 |

«Так?» — сказал он.   \n

密钥每个月轮换一次。

<div>
</div>

The end\u00a0
"""
"""Blocks whose ends and beginnings make tokens reach over the newline, and such that do not."""


@pytest.mark.parametrize("tokenizer", [*EXACT, "characters"])
def test_every_run_of_blocks_has_the_count_of_its_text(tokenizer: Tokenizer) -> None:
    document = parse_document(TEXT)
    counter = get_counter(tokenizer)
    sums = BlockSums(Measure(document.text, counter), document.blocks)
    blocks = document.blocks
    for first in range(len(blocks)):
        for end in range(first + 1, len(blocks) + 1):
            text = document.text[blocks[first].start : blocks[end - 1].end].rstrip()
            assert sums.count(first, end) == counter(text), repr(text)


@pytest.mark.parametrize("tokenizer", ESTIMATES)
def test_estimates_never_count_too_little_while_packing(tokenizer: Tokenizer) -> None:
    document = parse_document(TEXT)
    counter = get_counter(tokenizer)
    sums = BlockSums(Measure(document.text, counter), document.blocks)
    for first in range(len(document.blocks)):
        for end in range(first + 1, len(document.blocks) + 1):
            tokens, head, tail, content_end = sums.span(first, end)
            text = document.text[document.blocks[first].start : content_end]
            assert tokens + head + tail >= counter(text) == sums.count(first, end)


@pytest.mark.parametrize("tokenizer", EXACT)
@pytest.mark.parametrize("end", ["x", ".", "!?", ")", "...", '."', "`", "—", "。", "🔑", "*/", "e\u0301", "1", "²"])
@pytest.mark.parametrize("blank", ["", "\n", "\n\n", "  \n", "\n \n\t\n", "\u00a0\n", "\x0c"])
def test_tail_is_what_the_white_space_at_the_end_counts(tokenizer: Tokenizer, end: str, blank: str) -> None:
    text = f"Some words {end}{blank}"
    measure = Measure(text, get_counter(tokenizer))
    stop, tail = measure.tail(0, len(text))
    assert text[:stop] == text.rstrip()
    assert measure.prose(text) + tail == measure.prose(text.rstrip())
    assert measure.tail(0, len(text)) == (stop, tail), "the second call answers from memory"


@pytest.mark.parametrize("before", ["a", "a.", "*", "```", "x)", "🔑", '"', "/", "|"])
@pytest.mark.parametrize("behind", ["/", "//", "/usr", "/*", "/don't", "x", "-"])
@pytest.mark.parametrize("blank", ["\n", "\n\n"])
def test_counts_are_exact_where_a_slash_reaches_over_the_newline(before: str, behind: str, blank: str) -> None:
    text = f"Words {before}{blank}{behind} more words"
    for max_tokens in (3, 4, 5, 6, 8, 400):
        for chunk in crosshead.chunk(text, max_tokens=max_tokens, tokenizer="o200k_base"):
            assert chunk.token_count == get_counter("o200k_base")(chunk.content)


@pytest.mark.parametrize("tokenizer", [*EXACT, *ESTIMATES, "characters"])
@pytest.mark.parametrize("max_tokens", [5, 13, 40, 400])
@pytest.mark.parametrize("oversize", ["keep", "split"])
def test_token_count_is_the_count_of_the_content(tokenizer: Tokenizer, max_tokens: int, oversize: str) -> None:
    counter = get_counter(tokenizer)
    for chunk in crosshead.chunk(TEXT, tokenizer=tokenizer, max_tokens=max_tokens, oversize=oversize):
        assert chunk.token_count == counter(chunk.content)
        assert chunk.token_count <= max_tokens or chunk.oversize_reason


def test_special_tokens_are_ordinary_text() -> None:
    [chunk] = crosshead.chunk("Say <|endoftext|> twice: <|endoftext|>\n")
    assert chunk.token_count > 10


def test_estimate_counts_code_dearer_than_prose() -> None:
    code, prose = crosshead.chunk("# A\n\n```\n" + "x" * 400 + "\n```\n\n# B\n\n" + "x" * 400, tokenizer="estimate")
    assert code.token_count > 1.3 * prose.token_count


@pytest.mark.parametrize("tokenizer", ESTIMATES)
def test_estimate_of_a_fence_that_is_cut_open_is_within_the_budget(tokenizer: Tokenizer) -> None:
    """A piece of code without its fence counts as prose, what follows an open fence as code."""
    text = "Text.\n\n```\n" + "some code here\n" * 40 + "```\n\n" + "More text. " * 60
    for chunk in crosshead.chunk(text, tokenizer=tokenizer, max_tokens=50, oversize="split"):
        assert chunk.token_count <= 50


def test_estimate_of_headings_above_an_open_fence_is_that_of_prose() -> None:
    text = f"# Install\n\n## {'key ' * 32}\n\n# Install\n```\n"
    chunks = crosshead.chunk(text, max_tokens=58, tokenizer="estimate:prose")
    assert crosshead.check(text, chunks).ok
    assert not chunks[0].content.endswith("key")


def test_estimate_of_headings_without_text_above_an_open_fence_is_that_of_prose() -> None:
    text = f"# Install\n\n# Install\n\n{' ' * 40}\n\n# Install\n\n# Install\n\n```\n"
    assert crosshead.check(text, crosshead.chunk(text, max_tokens=16, tokenizer="estimate")).ok
