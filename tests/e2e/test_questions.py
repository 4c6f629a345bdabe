"""The sample questions: their evidence says what it should, and most answers are found."""

from __future__ import annotations

from pathlib import Path

import pytest

import crosshead
from crosshead.evaluation import Question, evaluate, load_questions

EXAMPLES = Path(__file__).parents[2] / "examples"
QUESTIONS = load_questions(EXAMPLES / "questions.jsonl")
ANSWERS = {
    "lease-default": ["30", "30", "30"],
    "disk-full": ["507", "507"],
    "amqp": ["The AMQP bridge, deprecated"],
    "telephone": ["Enterprise"],
    "rotate": ["revoke"],
    "restore": ["backup restore"],
    "tls": ["tls_key_file"],
    "leaked": ["Revoke the leaked key"],
    "twice": ["longer than its lease", "longer than the lease"],
    "unnoticed": ["The median stayed low"],
    "kept": ["35 days", "35", "400"],
    "money-back": ["below 95.0 %", "next invoice"],
    "узлы": ["три или пять"],
    "недоставленные": ["queue move"],
}
"""What every item of a question's evidence must hold."""


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.id)
def test_evidence_holds_the_answer(question: Question) -> None:
    assert len(question.evidence) == len(ANSWERS[question.id])
    for item, answer in zip(question.evidence, ANSWERS[question.id], strict=True):
        lines = crosshead.read(EXAMPLES / "docs" / item.file).text.split("\n")[item.start_line - 1 : item.end_line]
        assert len(lines) == item.line_count
        assert lines[0].strip()
        assert lines[-1].strip()
        assert answer in "\n".join(lines)


def test_most_answers_are_found(tmp_path: Path) -> None:
    with crosshead.Index(tmp_path / "index", root=EXAMPLES / "docs", embedder="static") as index:
        index.add(EXAMPLES / "docs")
        means = evaluate(index, QUESTIONS).means
    assert means["hit@10"] >= 0.85
    assert means["mrr@10"] >= 0.75
    assert means["recall@4000"] >= 0.95
