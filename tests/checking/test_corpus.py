"""Good chunks pass: what the real chunker makes of varied documents, and what is found when one of them is changed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crosshead import check, chunk
from crosshead.options import Oversize, Strategy
from crosshead.pipeline import parse_document

WORDS = "The quick brown fox jumps over the lazy dog. Does it? It does! "

GUIDE = f"""\
---
title: A guide
---

Preamble with [a link][target].

# Guide

## Install

{WORDS * 8}

```sh
{"pip install something  # a comment" + chr(10)}# done
```

### Linux

1. First, {WORDS * 3}

   ```python
   {"value = compute(1, 2)" + chr(10)}   ```

2. Second.

   | option | meaning |
   | ------ | ------- |
   | `-v`   | verbose |

### Windows

> {WORDS * 4}
>
> - quoted
> - list

---

<!-- a comment -->

## Use

| command | result |
| ------- | ------ |
{"| run the thing | it runs |" + chr(10)}| stop it | it stops |

$$
x = y + z
$$

Setext heading
--------------

{WORDS * 12}

[target]: https://example.org

# Guide

The same title again.[^1]

[^1]: A footnote.

## The end
"""
RUSSIAN = "# Критерии\n\n" + "".join(
    f"## Раздел {number}\n\n{'Каждый раздел содержит несколько предложений. ' * number}\n\n" for number in range(1, 9)
)
LARGE_ATOMS = (
    "# Large\n\n## Code\n\n```python\n"
    + "".join(f"value_{number} = {number}\n" for number in range(120))
    + "```\n\n## Table\n\n| name | value |\n| :--- | ----: |\n"
    + "".join(f"| row {number} | {number} |\n" for number in range(90))
    + "\n## Math\n\n$$\n"
    + "x = y + z \\\\\n" * 60
    + "$$\n\n- item\n\n  ```js\n"
    + "  let value = 1;\n" * 60
    + "  ```\n"
)
MDX = f"""\
import {{ Tabs }} from './tabs'

# Component

<Tabs
  first="one"
  second="two"
>

{WORDS * 3}

</Tabs>

{{[1, 2, 3].map(String)}}

## Next

{WORDS}
"""
DOCUMENTS = {
    "guide": (GUIDE, "markdown"),
    "russian": (RUSSIAN, "markdown"),
    "large atoms": (LARGE_ATOMS, "markdown"),
    "mdx": (MDX, "mdx"),
    "plain text": (f"{WORDS * 30}\n\n" * 3, "text"),
    "unclosed fence": ("# A\n\ntext\n\n```py\n" + "a = 1\n" * 100, "markdown"),
    "many headings": ("".join(f"{'#' * (1 + at % 6)} Heading {at}\n\n" for at in range(25)) + "text\n", "markdown"),
    "long heading": (f"# {WORDS * 20}\n\ntext\n", "markdown"),
    "malformed front matter": ("---\na: [b\n---\n\ntext\n", "markdown"),
    "blank": (" \n\n\t\n", "markdown"),
    "odd white space": ("\x0c\none\n\n\u00a0\n\ntwo\u2003three\n\n\x1f\n", "markdown"),
}


@pytest.mark.parametrize("strategy", ["auto", "section", "fixed"])
@pytest.mark.parametrize("oversize", ["keep", "split"])
@pytest.mark.parametrize("max_tokens", [16, 64, 200, 400, 4000])
@pytest.mark.parametrize("name", DOCUMENTS)
def test_chunks_of_varied_documents_pass(name: str, max_tokens: int, oversize: Oversize, strategy: Strategy) -> None:
    text, format = DOCUMENTS[name]
    document = parse_document(text, source=name, format=format)
    report = check(document, chunk(document, max_tokens=max_tokens, oversize=oversize, strategy=strategy))
    assert [each.message for each in report.violations if each.severity == "error"] == []
    assert (report.coverage, report.ok) == (1.0, True)


@pytest.mark.parametrize("mode", ["metadata", "include", "strip"])
@pytest.mark.parametrize("tokenizer", ["o200k_base", "estimate", "characters"])
def test_chunks_of_other_options_pass(mode: str, tokenizer: str) -> None:
    document = parse_document(GUIDE)
    chunks = chunk(document, max_tokens=150, overlap_tokens=40, front_matter=mode, tokenizer=tokenizer)
    assert [each.message for each in check(document, chunks).violations if each.severity == "error"] == []


CHANGES: dict[str, Any] = {
    "id": "0" * 16,
    "document_id": "0" * 16,
    "source": "other.md",
    "section_id": "0" * 16,
    "index": 99,
    "content": "Something else.",
    "token_count": 1_000,
    "content_hash": "0" * 64,
    "content_type": "table",
    "section_path": ("Elsewhere",),
    "section_level": 5,
    "inner_headings": ("Elsewhere",),
    "start": 0,
    "end": 1,
    "start_line": 999,
    "end_line": 1,
    "block_start": 999,
    "block_end": 999,
    "part": 99,
    "parts": 99,
    "section_token_count": 0,
    "parent_chunk_id": "0" * 16,
    "prev_id": "0" * 16,
    "next_id": "0" * 16,
    "sibling_chunk_ids": ("0" * 16,),
    "overlap": "Something else.",
    "prefix": "```\n",
    "suffix": "\n```",
    "oversize_reason": "section_integrity",
    "indexable": False,
}


@pytest.mark.parametrize("field", CHANGES)
def test_change_of_any_field_is_found(field: str) -> None:
    document = parse_document(GUIDE)
    chunks = chunk(document, max_tokens=100)
    at = next(each.index for each in chunks if each.index > 2 and each.content_type == "prose")
    changed = [*chunks]
    changed[at] = replace(chunks[at], **{field: CHANGES[field]})
    assert not check(document, changed, chunks.options).ok


def test_flipped_completeness_is_found() -> None:
    document = parse_document(GUIDE)
    chunks = chunk(document, max_tokens=100)
    for at, each in enumerate(chunks):
        changed = [*chunks]
        changed[at] = replace(each, is_complete_section=not each.is_complete_section)
        assert not check(document, changed, chunks.options).ok


@given(data=st.data(), max_tokens=st.integers(8, 120))
@settings(max_examples=60, deadline=None)
def test_moved_cut_is_found(data: st.DataObject, max_tokens: int) -> None:
    """A chunk that gives a part of its text away, whatever it is, breaks a guarantee."""
    document = parse_document(GUIDE)
    chunks = chunk(document, max_tokens=max_tokens)
    at = data.draw(st.integers(0, len(chunks) - 1))
    victim = chunks[at]
    end = data.draw(st.integers(victim.start + 1, victim.end - 1)) if len(victim.content) > 1 else victim.start
    changed = [*chunks]
    changed[at] = replace(victim, end=end, content=document.text[victim.start : end])
    assert not check(document, changed, chunks.options).ok
