"""Numbers of sources in answers, as models write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crosshead.proof.cited_numbers import cited_numbers

CITED = {
    "Keys rotate yearly [1].": [1],
    "Keys rotate yearly[1].": [1],
    "Keys rotate [1][3], backups do not [2].": [1, 3, 2],
    "Keys rotate [1, 2] and [1; 3] and [2 and 3].": [1, 2, 1, 3, 2, 3],
    "Keys rotate [1-3].": [1, 2, 3],
    "Keys rotate [1–3, 5].": [1, 2, 3, 5],
    "Keys rotate [3-1].": [3, 1],
    "Since 2024[1], for TLS[2] (and SSH)[3].": [1, 2, 3],
    "鍵は毎年更新される[1]。": [1],
    "| key [1] | days [2] |\n|---|---|\n| a | 90 [3] |": [1, 2, 3],
    "- yearly [1]\n- daily [2]\n\n> quoted [3]": [1, 2, 3],
    "# Keys [1]\n\n**Yearly**[2].": [1, 2],
    "[1]\n[2]": [1, 2],
    "No such source [0] [9].": [0, 9],
    "All of them [2-9].": [2, 3, 4, 5, 9],
    "Much more [1-9999].": [1, 2, 3, 4, 5, 9999],
}
NOT_CITED = [
    "Use `a[1]` or ``x `[2]` y``.",
    "Set a[1] = 5, then a[2].",
    "Set args[1] = 5, call args[2].run or self.args[1] or sys_args[2], as in $x[3].",
    "```python\nx = [1]\n```",
    "    indented = [1]\n",
    "- code:\n  ```\n  x = [1]\n  ```",
    "See [1](https://example.org) and [the guide][1].",
    "[1]: https://example.org",
    "A formula \\[1\\], a note [^1], a task [ ] and [x], a word [one], a year [20245].",
    "$$\nx [1]\n$$",
]


@pytest.mark.parametrize(("answer", "numbers"), CITED.items())
def test_citations_are_found(answer: str, numbers: list[int]) -> None:
    assert [number for number, _, _ in cited_numbers(answer, 5)] == numbers


@pytest.mark.parametrize("answer", NOT_CITED)
def test_code_and_links_cite_nothing(answer: str) -> None:
    assert list(cited_numbers(answer, 5)) == []


def test_spans_are_those_of_the_brackets() -> None:
    answer = "Yearly [1][3], [1, 2]."
    assert [answer[start:end] for _, start, end in cited_numbers(answer, 5)] == ["[1]", "[3]", "[1, 2]", "[1, 2]"]


@given(st.text(st.sampled_from("[]1239-,;`~ \n\\(:a.=$"), max_size=60))
def test_any_answer_is_read(answer: str) -> None:
    for number, start, end in cited_numbers(answer, 5):
        assert answer[start] == "["
        assert answer[end - 1] == "]"
        assert str(number) in answer[start:end] or number <= 5
