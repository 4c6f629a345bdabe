"""Retrievers search several indexes as one, and say which index a text is from."""

from __future__ import annotations

from pathlib import Path

import pytest
from haystack import default_from_dict

from crosshead.adapters import haystack, langchain, llamaindex
from crosshead.index import Index


@pytest.fixture
def locations(tmp_path: Path) -> list[str]:
    for name, text in (("team", "Rotate the signing keys."), ("notes", "The spare keys are in the red safe.")):
        with Index(tmp_path / name, embedder="static") as index:
            index.add_text(f"# Keys\n\n{text}\n", source="README.md")
    return [str(tmp_path / "team"), str(tmp_path / "notes")]


def test_texts_name_their_index(locations: list[str]) -> None:
    with Index.join(locations) as joined:
        documents = langchain.CrossheadRetriever(index=joined).invoke("keys")
        assert {each.metadata["index"] for each in documents} == {*locations}
        nodes = llamaindex.CrossheadRetriever(joined, budget_tokens=500, all=True).retrieve("keys")
        assert {each.metadata["index"] for each in nodes} == {*locations}


def test_a_component_is_stored_with_all_locations(locations: list[str]) -> None:
    stored = haystack.CrossheadRetriever(locations).to_dict()
    assert stored["init_parameters"]["index"] == locations
    again = default_from_dict(haystack.CrossheadRetriever, stored)
    assert {each.meta["index"] for each in again.run("keys")["documents"]} == {*locations}
