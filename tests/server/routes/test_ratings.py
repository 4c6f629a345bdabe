from __future__ import annotations

import httpx
import pytest

from crosshead.evaluation import load_questions
from crosshead.index import Index

LINES = {"source": "docs/notes.md", "start_line": 5, "end_line": 5}


def test_ratings_become_questions(client: httpx.Client, index: Index) -> None:
    for good, lines in ((True, [LINES]), (False, [{**LINES, "start_line": 1, "end_line": 1}])):
        response = client.post("/v1/ratings", json={"q": "how long are backups kept", "good": good, "lines": lines})
        assert response.json() == {"question": "how long are backups kept", "good": good}
    (question,) = load_questions(index.questions_file)
    assert [each._asdict() for each in question.evidence] == [{"file": "docs/notes.md", "start_line": 5, "end_line": 5}]


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        ({"good": True, "lines": [LINES]}, "q is missing"),
        ({"q": "why", "good": True, "lines": []}, "lines"),
        ({"q": "why", "good": "perhaps", "lines": [LINES]}, "good='perhaps' must be true or false"),
        ({"q": "why", "good": True, "lines": [{**LINES, "start_line": 0}]}, "lines"),
        ({"q": "why", "good": True, "lines": [LINES], "stars": 5}, "unknown option 'stars'"),
    ],
)
def test_wrong_ratings_are_refused(client: httpx.Client, index: Index, body: dict[str, object], detail: str) -> None:
    response = client.post("/v1/ratings", json=body)
    assert response.status_code == 422
    assert detail in response.json()["detail"]
    assert not index.questions_file.exists()
