"""Files of questions: what is read, and what is said about mistakes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from crosshead.errors import CrossheadError
from crosshead.evaluation import Evidence, load_questions

ITEM = {"file": "a.md", "start_line": 3, "end_line": 5}
QUESTION = {"id": "q1", "question": "Why?", "evidence": [ITEM]}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "questions.jsonl"


def write(path: Path, *questions: Any) -> None:
    path.write_text("\n".join(json.dumps(each) for each in questions), encoding="utf-8")


def test_fields_are_read_and_others_left_alone(path: Path) -> None:
    write(path, {**QUESTION, "kind": "lookup", "answer": "Because.", "evidence": [{**ITEM, "note": "found by hand"}]})
    (question,) = load_questions(path)
    assert (question.id, question.text, question.kind) == ("q1", "Why?", "lookup")
    assert question.required == ((Evidence("a.md", 3, 5),),)
    assert question.evidence[0].line_count == 3


def test_alternative_stands_beside_the_item_before_it(path: Path) -> None:
    items = [
        {"file": f"{name}.md", "start_line": 1, "end_line": 1, "alternative": name in ("first", "b", "c")}
        for name in ("first", "b", "c", "d")
    ]
    write(path, {**QUESTION, "evidence": items})
    (question,) = load_questions(path)
    assert [[item.file for item in group] for group in question.required] == [["first.md", "b.md", "c.md"], ["d.md"]]
    assert [item.file for item in question.evidence] == ["first.md", "b.md", "c.md", "d.md"]


def test_blank_lines_line_endings_and_byte_order_mark_do_no_harm(path: Path) -> None:
    lines = ["", json.dumps(QUESTION), "  ", json.dumps({**QUESTION, "id": "q2", "kind": None}), ""]
    path.write_bytes(b"\xef\xbb\xbf" + "\r\n".join(lines).encode())
    assert [(each.id, each.kind) for each in load_questions(path)] == [("q1", ""), ("q2", "")]


def test_unusual_line_separators_are_part_of_the_text(path: Path) -> None:
    path.write_text(json.dumps({**QUESTION, "question": "a\u2028b"}, ensure_ascii=False), encoding="utf-8")
    assert load_questions(path)[0].text == "a\u2028b"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "not valid JSON"),
        ("[" * 100_000, "not valid JSON"),
        ("[]", "not an object"),
        ({"question": "Why?", "evidence": [ITEM]}, "id is missing"),
        ({**QUESTION, "id": 7}, "id must be text"),
        ({**QUESTION, "question": " "}, "question must be text that is not empty"),
        ({**QUESTION, "kind": ["a"]}, "kind must be text"),
        ({"id": "q1", "question": "Why?"}, "evidence must be a list of at least one"),
        ({**QUESTION, "evidence": []}, "evidence must be a list of at least one"),
        ({**QUESTION, "evidence": ITEM}, "evidence must be a list of at least one"),
        ({**QUESTION, "evidence": [ITEM, "a.md:3"]}, "item 2 of the evidence: not an object"),
        ({**QUESTION, "evidence": [{**ITEM, "file": ""}]}, "item 1 of the evidence: file must be text"),
        ({**QUESTION, "evidence": [{"file": "a.md", "start_line": 1}]}, "end_line is missing"),
        ({**QUESTION, "evidence": [{**ITEM, "start_line": 0}]}, "start_line must be a whole number of at least 1"),
        ({**QUESTION, "evidence": [{**ITEM, "start_line": True}]}, "start_line must be a whole number"),
        ({**QUESTION, "evidence": [{**ITEM, "end_line": "5"}]}, "end_line must be a whole number"),
        ({**QUESTION, "evidence": [{**ITEM, "end_line": 2}]}, "end_line=2 is before start_line=3"),
        ({**QUESTION, "evidence": [{**ITEM, "alternative": "yes"}]}, "alternative='yes' must be true or false"),
        ({**QUESTION, "id": "q0"}, "the id 'q0' is already used on an earlier line"),
    ],
)
def test_mistake_names_the_line(path: Path, line: Any, message: str) -> None:
    text = line if isinstance(line, str) else json.dumps(line)
    path.write_text(json.dumps({**QUESTION, "id": "q0"}) + "\n\n" + text + "\n")
    with pytest.raises(CrossheadError) as caught:
        load_questions(path)
    assert str(caught.value).startswith(f"{path}:3: ")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "the file has no questions"),
        (b" \n\n", "the file has no questions"),
        ("{'ä'}".encode("utf-16"), "not text in UTF-8"),
    ],
)
def test_file_without_questions_is_an_error(path: Path, data: bytes, message: str) -> None:
    path.write_bytes(data)
    with pytest.raises(CrossheadError, match=message):
        load_questions(path)


def test_file_that_cannot_be_read_is_an_error(path: Path) -> None:
    with pytest.raises(CrossheadError, match="No such file"):
        load_questions(path)
    with pytest.raises(CrossheadError, match="directory"):
        load_questions(path.parent)
