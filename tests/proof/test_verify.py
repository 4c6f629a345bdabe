"""Answers about an index: what is proved, and what is not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import crosshead
from crosshead.ids import content_hash
from crosshead.types import Answer, CitedSpan, Proof

GUIDE = """# Guide

## Keys

API keys are valid for 90 days. Ana Torres approved this on 12 May 2024, for up to 1,577 users.

## Limits

A queue holds 5 MB. Set `max_tokens` to change that.
"""
KEYS = GUIDE[GUIDE.index("## Keys") : GUIDE.index("\n\n## Limits")]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[crosshead.Index]:
    with crosshead.Index(tmp_path_factory.mktemp("proof") / "index") as index:
        index.add_text(GUIDE, source="guide.md")
        yield index


def answer(text: str, **span: object) -> Answer:
    return Answer("", text, (), (CitedSpan(1, "guide.md", **span),))  # type: ignore[arg-type]


def certified(text: str, document: str = GUIDE) -> Answer:
    start = document.index(KEYS)
    return answer(
        text,
        document_hash=content_hash(document),
        start=start,
        end=start + len(KEYS),
        span_hash=content_hash(KEYS),
        citation="guide.md:3-5",
    )


def verdicts(proof: Proof) -> list[str]:
    return [each.verdict for each in proof.sentences]


def test_each_sentence_has_a_verdict(index: crosshead.Index) -> None:
    text = (
        "# Keys\n\nIn short:\n\nKeys are valid for 90 days [1]. They are valid for 80 days [1]. Rotate them every week."
    )
    proof = index.verify(certified(text))
    assert verdicts(proof) == ["no claim", "no claim", "proved", "not found", "no citation"]
    (doubt,) = proof.sentences[3].doubts
    assert (doubt.kind, text[doubt.start : doubt.end], doubt.reason) == ("number", "80 days", "not in guide.md:3-5")
    assert not proof.ok


def test_json_of_other_programs_is_checked(index: crosshead.Index) -> None:
    value = {"text": "A queue holds 5 MB [1].", "citations": [{"n": 1, "citation": "guide.md:7-9"}]}
    proof = index.verify(value)
    assert (verdicts(proof), proof.citations[0].state) == (["proved"], "not checked")
    assert proof.ok


def test_sentences_may_name_their_citations_outside_the_text(index: crosshead.Index) -> None:
    value = {
        "text": "A queue holds 5 MB. It holds 6 MB.",
        "sentences": [{"text": "A queue holds 5 MB.", "citations": [1]}, {"text": "It holds 6 MB.", "citations": [1]}],
        "citations": [{"n": 1, "source": "guide.md"}],
    }
    assert verdicts(index.verify(value)) == ["proved", "not found"]


@pytest.mark.parametrize(
    ("before", "state", "verdict"),
    [
        (GUIDE, "unchanged", "proved"),
        (GUIDE.replace("5 MB", "6 MB"), "document changed", "proved"),
        (f"# Preface\n\nAnother one.\n\n{GUIDE}", "moved", "proved"),
    ],
)
def test_a_span_is_found_in_a_later_version(index: crosshead.Index, before: str, state: str, verdict: str) -> None:
    proof = index.verify(certified("Keys are valid for 90 days [1].", before))
    assert (proof.citations[0].state, verdicts(proof)) == (state, [verdict])
    assert GUIDE[proof.citations[0].start : proof.citations[0].end] == KEYS


def test_a_span_that_has_changed_proves_nothing(index: crosshead.Index) -> None:
    proof = index.verify(answer("Keys are valid for 90 days [1].", start=9, end=40, span_hash=content_hash("x")))
    assert (proof.citations[0].state, verdicts(proof)) == ("changed", ["not found"])


def test_a_forged_certificate_is_seen(index: crosshead.Index) -> None:
    forged = answer("It is so [1].", start=9, end=40, span_hash=content_hash("x"), document_hash=content_hash(GUIDE))
    assert index.verify(forged).citations[0].note == "the hash of the span is not that of the text at its offsets"


@pytest.mark.parametrize("source", ["missing.md", "guide.md:900"])
def test_a_source_that_is_not_there_is_named(index: crosshead.Index, source: str) -> None:
    proof = index.verify({"text": "So [1].", "citations": [{"n": 1, "source": source}]})
    assert (proof.citations[0].state, proof.citations[0].note) == ("not found", f"{source} is not in the index")


def test_a_number_without_a_source_is_doubted(index: crosshead.Index) -> None:
    assert index.verify(certified("Keys are valid [7].")).sentences[0].doubts[0].reason == "[7]: it has no source"


def test_an_answer_that_there_is_none_needs_no_citation(index: crosshead.Index) -> None:
    assert index.verify(certified("The sources do not say how long backups are kept for this customer.")).ok


def test_words_of_another_section_are_doubted(index: crosshead.Index, tmp_path: Path) -> None:
    filler = "\n\n".join(f"## Part {n}\n\nNothing is said about the matter in hand here, at all." for n in range(40))
    rules = "Operators restart the ingest daemon whenever replication stalls behind the primary."
    document = f"# Manual\n\n## Keys\n\nKeys rotate on their own.\n\n{filler}\n\n## Restarts\n\n{rules}\n"
    index.add_text(document, source="manual.md")
    value = {"text": f"{rules[:-1]} [1].", "citations": [{"n": 1, "citation": "manual.md:3-5"}]}
    (doubt,) = index.verify(value).sentences[0].doubts
    line = document[: document.index("Operators")].count("\n") + 1
    assert doubt.kind == "words"
    assert doubt.reason.startswith(f"manual.md, near line {line} ")


def test_what_only_the_question_says_is_named(index: crosshead.Index) -> None:
    wanted = certified("Keys of the plan Premium are valid for 90 days [1].")
    asked = Answer("How long with Premium?", wanted.text, (), wanted.citations)
    assert index.verify(asked).sentences[0].doubts[0].reason == "not in guide.md:3-5, only in the question"
