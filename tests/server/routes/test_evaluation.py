from __future__ import annotations

import httpx
import pytest

from crosshead.evaluation import Evidence, rate
from crosshead.index import Index


@pytest.fixture
def rated(index: Index) -> None:
    """Ratings: one search answers at once, one only in a document that is gone, one never."""
    path = index.questions_file
    rate(path, "how long are backups kept", [Evidence("docs/notes.md", 5, 5)], good=True)
    rate(path, "where was it", [Evidence("docs/gone.md", 1, 1)], good=True)
    rate(path, "zyxw quux", [Evidence("docs/guide.md", 1, 3)], good=True)


@pytest.mark.usefixtures("rated")
def test_figures_have_intervals_and_name_the_worst_questions(client: httpx.Client) -> None:
    found = client.post("/v1/evaluation", json={"settings": {"mode": "lexical"}}).json()
    assert (found["questions"], found["left_out"]) == (2, 1)
    figure = found["figures"]["hit@1"]
    assert figure["low"] <= figure["mean"] == 0.5 <= figure["high"]
    assert found["worst"] == [{"question": "zyxw quux", "rank": None}]


@pytest.mark.usefixtures("rated")
def test_two_settings_are_compared(client: httpx.Client) -> None:
    found = client.post("/v1/evaluation", json={"other": {"mode": "lexical", "heading_weight": 0}}).json()
    assert found["other"].keys() == found["differences"].keys() == found["figures"].keys()
    assert found["worst"][0]["other_rank"] is None


def test_without_ratings_there_is_nothing_to_measure(client: httpx.Client) -> None:
    assert client.post("/v1/evaluation", json={}).json() == {
        "questions": 0, "left_out": 0, "figures": {}, "worst": []
    }  # fmt: skip


@pytest.mark.parametrize("body", [{"settings": {"mode": "best"}}, {"settings": {"heading_weight": -1}}, {"limit": 3}])
def test_wrong_settings_are_refused(client: httpx.Client, body: dict[str, object]) -> None:
    assert client.post("/v1/evaluation", json=body).status_code == 422
