"""Answers as models write them, cut into sentences with their citations."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crosshead.proof import split_sentences

CUT = {
    "One [1]. Two [2][3]. Three": [("One [1].", 1), ("Two [2][3].", 2, 3), ("Three",)],
    "One. [1] Two.[2] Three.": [("One. [1]", 1), ("Two.[2]", 2), ("Three.",)],
    "Up to 20. [1] Up to 30.[2]": [("Up to 20. [1]", 1), ("Up to 30.[2]", 2)],
    "It is so. [1] [2] It is not.": [("It is so. [1] [2]", 1, 2), ("It is not.",)],
    "It is so [1]. [2] says that it is not.": [("It is so [1].", 1), ("[2] says that it is not.", 2)],
    "Files, e.g. those of Dr. Smith, take 5.5 MB [1]. So it is.": [
        ("Files, e.g. those of Dr. Smith, take 5.5 MB [1].", 1),
        ("So it is.",),
    ],
    "Am 5. Mai waren es 1.577,5 Mio. Euro, z. B. für Strom [1]. Mehr nicht.": [
        ("Am 5. Mai waren es 1.577,5 Mio. Euro, z. B. für Strom [1].", 1),
        ("Mehr nicht.",),
    ],
    "He wrote “A is B. B is C.” [3] Use `a. B` [1].": [("He wrote “A is B. B is C.” [3]", 3), ("Use `a. B` [1].", 1)],
    "鍵は更新される[1]。次は「あ。い」である。[2]": [("鍵は更新される[1]。", 1), ("次は「あ。い」である。[2]", 2)],
    "¿Cada cuánto? Cada año [1]. ¡Así es! [2]": [("¿Cada cuánto?",), ("Cada año [1].", 1), ("¡Así es! [2]", 2)],
    "# Keys\n\nThey rotate [1].": [("# Keys",), ("They rotate [1].", 1)],
    "- 5 MB. Or more [2].\n- [ ] 10 files\n  - nested [1]": [
        ("5 MB.",),
        ("Or more [2].", 2),
        ("10 files",),
        ("nested [1]", 1),
    ],
    "The limits are [1]:\n\n- 5 MB\n- 10 files [2]\n\nThat is all.": [
        ("The limits are [1]:", 1),
        ("5 MB", 1),
        ("10 files [2]", 2),
        ("That is all.",),
    ],
    "1. Run this [2]:\n   ```sh\n   run\n   ```\n2. Stop.": [
        ("Run this [2]:", 2),
        ("```sh\n   run\n   ```", 2),
        ("Stop.",),
    ],
    "| a [1] | b |\n|---|---|\n| 1 | 2 |\n| 3 [2] | 4 |": [
        ("| a [1] | b |", 1),
        ("| 1 | 2 |", 1),
        ("| 3 [2] | 4 |", 2),
    ],
    "The guide says [3]:\n\n> One. Two.\n> Three.": [("The guide says [3]:", 3), ("> One. Two.\n> Three.", 3)],
    "---\n\n[x]: https://example.org\n\nSo [1].": [("So [1].", 1)],
}


@pytest.mark.parametrize(("answer", "sentences"), CUT.items())
def test_answers_are_cut_into_sentences(answer: str, sentences: list[tuple[str, *tuple[int, ...]]]) -> None:
    assert [(each.text, *each.citations) for each in split_sentences(answer)] == sentences


@given(st.text(st.sampled_from('ab1.:;!?。「」“”"`[]12 \n-*#>|'), max_size=80))
def test_sentences_are_exact_slices_in_order(answer: str) -> None:
    at = 0
    for each in split_sentences(answer):
        assert each.start is not None
        assert each.end is not None
        assert at <= each.start < each.end
        assert answer[each.start : each.end] == each.text == each.text.strip()
        at = each.end
