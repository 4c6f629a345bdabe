"""Facts of sentences against a source: the tables of tests/cases/proof."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from crosshead.ids import content_hash
from crosshead.language.detection import detect_language
from crosshead.proof.comparing import compare
from crosshead.proof.evidence import CitedEvidence, CitedText
from crosshead.types import StoredDocument

CASES = Path(__file__).parents[1] / "cases" / "proof" / "facts.md"
LANGUAGES = {"Genehmigt": "de", "Die": "de", "Der": "de", "Утвердила": "ru", "Встреча": "ru"}


def cases() -> list[tuple[str, str, str]]:
    rows = [re.split(r" ?\| ?", line.strip("|\n ")) for line in CASES.read_text("utf-8").splitlines() if "|" in line]
    found = [(row[0].strip(), row[1].strip(), row[2].strip() if len(row) > 2 else "") for row in rows]
    return [each for each in found if each[0] not in ("source", "---")]


def evidence(source: str) -> CitedEvidence:
    language = LANGUAGES.get(source.split(maxsplit=1)[0], detect_language(source))
    document = StoredDocument("", "a", "", "", source, "", content_hash(source), "", {}, language=language)
    return CitedEvidence([CitedText(document, 0, len(source), "a")])


@pytest.mark.parametrize(("source", "sentence", "doubted"), cases())
def test_a_sentence_is_doubted_for_what_its_source_does_not_say(source: str, sentence: str, doubted: str) -> None:
    known = evidence(source)
    facts = [*compare(sentence, known.language, known, lambda word: False)]
    assert [sentence[each.start : each.end] for each in facts if each.reason] == ([doubted] if doubted else [])


def test_a_table_gives_its_numbers_the_scale_of_its_label() -> None:
    known = evidence(
        "Revenue (in millions of EUR)\n\n| year | revenue |\n|---|---|\n| 2024 | 1,577 |\n| 2023 | (5) |\n"
    )
    for sentence in ("Revenue was €1.577 bn.", "Revenue was 1,577 million euros.", "In 2023 it was -5."):
        assert not [each for each in compare(sentence, "en", known, lambda word: False) if each.reason], sentence
    (fact,) = [each for each in compare("Revenue was €15.77 million.", "en", known, lambda word: False) if each.reason]
    assert fact.kind == "number"


def test_the_number_of_an_item_is_no_number_of_its_text() -> None:
    known = evidence("1. Stop.\n2. Start.\n3. Wait.\n")
    assert [each.reason for each in compare("There are 3 keys.", "en", known, lambda word: False)] == ["not in {}"]
    assert [each.reason for each in compare("In step 3, wait.", "en", known, lambda word: False)] == [""]
