"""Exact counters equal tiktoken; estimates follow their divisors."""

from __future__ import annotations

from pathlib import Path

import pytest
import tiktoken

from crosshead import estimate_tokens
from crosshead.errors import OptionsError
from crosshead.tokens import get_counter

ROOT = Path(__file__).parent.parent
TEXTS = {
    "readme": (ROOT / "README.md").read_text(encoding="utf-8"),
    "russian": (ROOT / "examples/docs/ru/guide.md").read_text(encoding="utf-8"),
    "code": (ROOT / "src/crosshead/model.py").read_text(encoding="utf-8"),
    "crlf": (ROOT / "examples/docs/handbook.md").read_text(encoding="utf-8").replace("\n", "\r\n"),
    "chinese": "密钥每九十天轮换一次。请先备份!\n\n" * 5,
    "emoji": "🔑 rotates 👩‍👩‍👧‍👦 every e\u0301 day\n",
    "special look-alike": "before <|endoftext|> after <|fim_prefix|>",
    "lone surrogate": "a \ud800 b",
    "spaces": "a  \t \n\n   b\x0c\u00a0c",
    "empty": "",
}


@pytest.mark.parametrize("encoding", ["cl100k_base", "o200k_base"])
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_exact_counters_equal_tiktoken(encoding: str, text: str) -> None:
    assert get_counter(encoding)(text) == len(tiktoken.get_encoding(encoding).encode_ordinary(text))


@pytest.mark.parametrize(("bias", "prose", "code"), [("balanced", 4, 2.75), ("prose", 4.4, 3.0), ("code", 3.6, 2.4)])
def test_estimate_divides_prose_and_code(bias: str, prose: float, code: float) -> None:
    assert estimate_tokens("a" * 3960, bias) == round(3960 / prose)
    fenced = "```\n" + "x" * 3952 + "\n```"
    assert estimate_tokens(fenced, bias) == round(3960 / code)


@pytest.mark.parametrize("line", ["import A from './a'", "export const a = {1}", "<Tabs groupId='os'>", "</Tabs>"])
def test_estimate_counts_mdx_lines_as_code(line: str) -> None:
    assert estimate_tokens(line * 9) > len(line * 9) / 4 + 1


def test_estimate_counts_an_unclosed_fence_as_code_to_the_end() -> None:
    assert estimate_tokens("```\n" + "word " * 80) == 147  # 404 characters of code


def test_characters_count_themselves() -> None:
    assert get_counter("characters")("añ🔑") == 3


def test_unknown_bias_is_an_error_that_names_the_known_ones() -> None:
    with pytest.raises(OptionsError, match="balanced, prose, code"):
        estimate_tokens("text", "poetry")
