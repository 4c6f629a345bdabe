"""Questions over HTTP get the answers of the library."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from crosshead.index import Index
from crosshead.runtime.json_output import json_bytes


def as_json(values: list[Any]) -> Any:
    return json.loads(json_bytes([each.to_json() for each in values]))


def test_hits_are_those_of_the_library(client: httpx.Client, index: Index) -> None:
    params: dict[str, Any] = {"q": "rotate keys", "limit": 3, "expand_context": True}
    found = client.get("/v1/search", params=params).json()
    assert found["query"] == "rotate keys"
    assert found["hits"] == as_json(index.search("rotate keys", 3, expand_context=True))


def test_hits_have_their_enriched_content_if_asked(client: httpx.Client) -> None:
    (hit,) = client.get("/v1/search", params={"q": "rotate keys", "limit": 1, "enriched": True}).json()["hits"]
    assert hit["enriched_content"] == f"{' > '.join(hit['section_path'])}\n{hit['content']}"
    assert hit["content"] in hit["chunk"]["content"]
    assert "enriched_content" not in client.get("/v1/search", params={"q": "rotate keys"}).json()["hits"][0]


def test_passages_are_those_of_the_library(client: httpx.Client, index: Index) -> None:
    found = client.get("/v1/passages", params={"q": "rotate keys", "budget_tokens": 50}).json()
    passages = index.passages("rotate keys", 50)
    assert found["passages"] == as_json(passages)
    assert found["token_count"] == sum(each.token_count for each in passages) <= 50


def test_weak_matches_are_for_programs_to_fold_and_no_passages(client: httpx.Client) -> None:
    params: dict[str, Any] = {"q": "stratospheric ballooning for beginners"}
    hits = client.get("/v1/search", params=params).json()["hits"]
    assert hits
    assert all(hit["is_weak"] for hit in hits)
    reason = "no good match; all=true returns weak ones"
    nothing = {"query": params["q"], "hits": [], "note": reason}
    assert client.get("/v1/search", params={**params, "all": False}).json() == nothing
    assert client.post("/v1/search", json={**params, "all": False}).json() == nothing
    passages = client.get("/v1/passages", params=params).json()
    assert (passages["passages"], passages["note"]) == ([], reason)
    passages = client.get("/v1/passages", params={**params, "all": True}).json()
    assert "note" not in passages
    assert all(each["is_weak"] for each in passages["passages"])


def test_titles_of_all_documents_are_found(client: httpx.Client) -> None:
    assert client.get("/v1/titles", params={"beginning": "key"}).json() == {
        "titles": ["Keys", "Lose keys", "Rotate keys"]
    }
    assert client.get("/v1/titles", params={"beginning": "ke", "limit": 1}).json() == {"titles": ["Keys"]}
    assert client.get("/v1/titles").status_code == 422


@pytest.mark.parametrize(
    ("params", "sources"),
    [
        ({"source": "*notes*"}, {"docs/notes.md"}),
        ({"section_filter": "backups"}, {"docs/notes.md"}),
        ({"format": "html"}, set()),
        ({"format": "markdown", "source": "docs/g*"}, {"docs/guide.md"}),
        ({"since": "2999-01-01"}, set()),
        ({"since": "2000-01-01", "until": "2999-01-01"}, {"docs/guide.md", "docs/notes.md"}),
        ({"per_document": 1, "mode": "lexical"}, {"docs/guide.md", "docs/notes.md"}),
    ],
)
def test_filters(client: httpx.Client, params: dict[str, Any], sources: set[str]) -> None:
    hits = client.get("/v1/search", params={"q": "keys backups", **params}).json()["hits"]
    assert {hit["chunk"]["source"] for hit in hits} == sources


def test_request_as_json(client: httpx.Client) -> None:
    request = {"q": "rotate keys", "limit": 2, "source": "docs/g*", "metadata": {}, "since": None, "enriched": True}
    params = {name: value for name, value in request.items() if value}
    assert client.post("/v1/search", json=request).json() == client.get("/v1/search", params=params).json()
    assert client.post("/v1/search", json={"q": "keys", "metadata": {"team": "none"}}).json()["hits"] == []
    assert client.post("/v1/search", json={"q": "keys", "metadata": ["team=none"]}).json()["hits"] == []


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        ("keys", "the body must be a JSON object"),
        ("[1]", "the body must be a JSON object"),
        ("", "the body must be a JSON object"),
        ("{}", "q is missing"),
        ('{"q": "a", "limit": "many", "mode": 1}', "limit='many' must be a whole number; mode=1 is not one of"),
        ('{"q": "a", "limmit": 3}', "unknown option 'limmit': did you mean limit?"),
        ('{"query": "a"}', "unknown option 'query': did you mean q?"),
    ],
)
def test_bodies_that_are_refused_say_why(client: httpx.Client, body: str, detail: str) -> None:
    response = client.post("/v1/search", content=body)
    assert response.status_code == 422
    assert response.json()["detail"].startswith(detail)


@pytest.mark.parametrize(
    ("params", "detail"),
    [
        ({}, "q is missing"),
        ({"q": ""}, "q='' must not be empty"),
        ({"q": "a", "limit": 0}, "limit='0' must be at least 1"),
        ({"q": "a", "limit": 101}, "limit='101' must be at most 100"),
        ({"q": "a", "limit": "x"}, "limit='x' must be a whole number"),
        ({"q": "a", "mode": "magic"}, "mode='magic' is not one of hybrid, dense or lexical"),
        ({"q": "a", "since": "5"}, "since='5' must be a day, as in 2026-01-31"),
        ({"q": "a", "until": "1700000000"}, "until='1700000000' must be a day, as in 2026-01-31"),
        ({"q": "a", "enriched": "perhaps"}, "enriched='perhaps' must be true or false"),
        ({"q": "a", "k": 3}, "unknown option 'k': did you mean limit?"),
        ({"q": "a", "sorce": "docs"}, "unknown option 'sorce': did you mean source?"),
    ],
)
def test_parameters_that_are_refused_say_why(client: httpx.Client, params: dict[str, Any], detail: str) -> None:
    response = client.get("/v1/search", params=params)
    assert (response.status_code, response.json()["detail"]) == (422, detail)


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"q": ""},
        {"q": "a", "limit": 0},
        {"q": "a", "mode": "magic"},
        {"q": "a", "since": "soon"},
        {"q": "a", "x": "1"},
    ],
)
def test_impossible_questions_are_refused(client: httpx.Client, params: dict[str, Any]) -> None:
    assert client.get("/v1/search", params=params).status_code == 422


@pytest.mark.parametrize(
    ("pair", "sources"),
    [
        ("draft=true", {"draft.md"}),
        ("draft=false", {"final.md"}),
        ("level=3", {"draft.md"}),
        ("level=2.5", {"final.md"}),
        ("team=infra", {"draft.md", "final.md"}),
        ("team=true", set()),
    ],
)
def test_metadata_of_any_type_is_compared(client: httpx.Client, index: Index, pair: str, sources: set[str]) -> None:
    for name, draft, level in (("draft.md", True, 3), ("final.md", False, 2.5)):
        metadata = {"draft": draft, "level": level, "team": "infra"}
        index.add_text("# Backups\n\nThey run at night.", source=name, metadata=metadata)
    hits = client.get("/v1/search", params={"q": "backups", "metadata": pair}).json()["hits"]
    assert {hit["source"] for hit in hits} == sources
    passages = client.get("/v1/passages", params={"q": "backups", "metadata": pair}).json()["passages"]
    assert {passage["source"] for passage in passages} <= sources


def test_metadata_that_says_nothing(client: httpx.Client) -> None:
    assert client.get("/v1/search", params={"q": "a", "metadata": "team"}).status_code == 400


def test_chunks_by_id(client: httpx.Client, index: Index) -> None:
    chunk = index.search("rotate keys", 1)[0].chunk
    assert client.get(f"/v1/chunks/{chunk.id}").json() == as_json([chunk])[0]
    expanded = client.get(f"/v1/chunks/{chunk.id}", params={"expand_context": True}).json()
    assert {"parent", "siblings", "ancestors"} <= expanded.keys()


@pytest.mark.parametrize("levels", [0, 1, 2, "true", "false"])
def test_hits_and_chunks_show_as_many_levels_above_as_the_request_says(
    client: httpx.Client, index: Index, levels: Any
) -> None:
    filler = "word " * 300
    text = f"# Top\n\nTop {filler}\n\n## Part\n\nPart {filler}\n\n### Detail\n\nGoldfinch {filler}\n"
    index.add_text(text, source="deep.md")
    (hit,) = client.get("/v1/search", params={"q": "goldfinch", "limit": 1, "expand_context": levels}).json()["hits"]
    above = [each["section_path"][-1] for each in (hit["parent"], *hit["ancestors"]) if each]
    assert above == {0: [], 1: ["Part"], 2: ["Part", "Top"], "true": ["Part"], "false": []}[levels]
    chunk = client.get(f"/v1/chunks/{hit['chunk']['id']}", params={"expand_context": levels}).json()
    assert (chunk.get("parent"), chunk.get("ancestors", [])) == (hit["parent"], hit["ancestors"])
    assert client.get("/v1/search", params={"q": "goldfinch", "expand_context": -1}).status_code in (400, 422)


def test_sections_by_id(client: httpx.Client, index: Index) -> None:
    chunk = index.search("rotate keys", 1)[0].chunk
    section = client.get(f"/v1/sections/{chunk.section_id}").json()
    assert section == as_json([index.section(chunk.section_id)])[0]
    for unknown in ("chunks", "sections"):
        assert client.get(f"/v1/{unknown}/{'0' * 16}").status_code == 404


def test_related_sections_are_those_of_the_library(client: httpx.Client, index: Index) -> None:
    hit = index.search("rotate keys", 1)[0]
    for text in (hit.citation, hit.section_id, hit.source):
        found = client.get("/v1/related", params={"text": text, "limit": 3}).json()["sections"]
        assert found == as_json(index.related(text, 3) or [])
        assert found
        assert hit.source not in {each["source"] for each in found}
    assert client.get("/v1/related", params={"text": "gone.md"}).status_code == 404


def test_status_and_health(client: httpx.Client) -> None:
    assert client.get("/healthz").json()["status"] == "ok"
    status = client.get("/v1/status").json()
    assert (status["documents"], status["embedder"]) == (2, "static")
    assert "pdf" in status["formats"]
    assert sum(status["sizes"].values()) == status["size_bytes"]
    assert status["sizes"]["words"] > 0
