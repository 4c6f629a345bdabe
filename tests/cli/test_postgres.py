"""Every command that takes an index takes one in PostgreSQL, and shows nothing that lets one in."""

from __future__ import annotations

import json
import logging
import random
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from tests.cli.elsewhere import Run, go_the_way_of_a_document, make_docs
from tests.embedding.servers import running_server
from typer.testing import Result

from crosshead.index import Index
from crosshead.search import make_request
from crosshead.search.defaults import with_defaults
from crosshead.search.retrieve import Retriever
from crosshead.store.postgres.legacy import migrate
from crosshead.types import SearchRequest, Store

SECRET = "hunter2"


@pytest.fixture(autouse=True)
def _no_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROSSHEAD_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def secret(database: str) -> str:
    """The password; the server that the tests start lets everybody in, whatever it is."""
    return urlsplit(database).password or SECRET


@pytest.fixture
def url(database: str, secret: str) -> str:
    parts = urlsplit(database)
    user, _, place = parts.netloc.rpartition("@")
    return parts._replace(netloc=f"{user.partition(':')[0]}:{secret}@{place}").geturl()


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    return make_docs(tmp_path)


def test_the_way_of_a_document(run: Run, url: str, secret: str, docs: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    assert secret not in go_the_way_of_a_document(run, url, docs) + caplog.text


@pytest.mark.parametrize("command", [("status",), ("search", "x"), ("show", "x"), ("remove", "x"), ("optimize",)])
def test_no_index(run: Run, url: str, command: tuple[str, ...]) -> None:
    check_error(run(*command, "--index", url), "crosshead index PATH")


def test_a_mistyped_path_leaves_no_index_behind(run: Run, url: str) -> None:
    check_error(run("index", "nowhere", "--index", url), "no such file or folder")
    check_error(run("status", "--index", url), "crosshead index PATH")


def test_older_tables(run: Run, url: str, docs: Path) -> None:
    migrate.upgrade(url, "0002")
    check_error(run("index", "docs", "--index", url), "crosshead db upgrade")


def test_odd_documents_are_stored(run: Run, url: str, docs: Path) -> None:
    """A paragraph above dashes is a heading, whose title no index of the database could hold; JSON has no NaN."""
    chars = random.Random(3).choices([chr(code) for code in range(0x4E00, 0x9FA0)], k=900)
    (docs / "long.md").write_text(f"{''.join(chars)}\n---\n\nwalrus\n", encoding="utf-8")
    (docs / "odd.md").write_text("---\nprice: .nan\n---\n\nodd\n")
    result = run("index", str(docs), "--index", url, "--json")
    told = json.loads(result.stdout)
    assert (result.exit_code, told["added"], told["failed"]) == (0, 4, {})
    found = run("search", "walrus", "--index", url, "--json")
    assert json.loads(found.stdout.splitlines()[0])["chunk"]["source"] == "docs/long.md"


def test_other_options(run: Run, url: str, docs: Path) -> None:
    assert run("index", "docs", "--index", url).exit_code == 0
    changed = run("index", "docs", "--index", url, "--max-tokens", "77")
    assert changed.exit_code == 0
    assert changed.stdout.startswith("changed max_tokens 400 -> 77: ")
    assert json.loads(run("status", "--index", url, "--json").stdout)["settings"]["chunk"]["max_tokens"] == 77


@pytest.mark.parametrize(
    ("wrong", "advice"),
    [
        (f"postgresql://me:{SECRET}@127.0.0.1:1/docs", "check that it runs"),
        (f"postgresql://me:{SECRET}/x@host/docs", "%XX"),
        (f"postgresql://me:{SECRET}@host:port/docs", "PORT"),
        (f"mysql://me:{SECRET}@host/docs", "postgresql://"),
    ],
)
def test_wrong_urls(run: Run, docs: Path, wrong: str, advice: str) -> None:
    for command in (("index", "docs"), ("search", "x"), ("status",)):
        check_error(run(*command, "--index", wrong), advice)


def check_error(result: Result, advice: str) -> None:
    assert result.exit_code == 2, result.output
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1
    assert advice in result.stderr
    assert SECRET not in result.output + result.stderr


def test_both_stores_answer_alike(url: str, tmp_path: Path) -> None:
    """Where both sides find the same, what is made of it is the same."""
    text = "\n".join(f"## Topic {name}\n\n{name} is about {name} and the {other}.\n" for name, other in TOPICS)
    with (
        Index(url, embedder="static", max_tokens=40) as remote,
        Index(tmp_path / "i", embedder="static", max_tokens=40) as local,
    ):
        for index in (remote, local):
            index.add_text(f"# Animals\n\n{text}", source="animals.md", metadata={"team": "zoo"})
        for name, other in TOPICS:
            for question in (f"{name} and {other}", f"what is {name} about"):
                found = [index.search(question, limit=5) for index in (remote, local)]
                ours, theirs = ([(hit.chunk, hit.dense_rank) for hit in hits[:1]] for hits in found)
                assert ours == theirs
            dense = [index.search(name, limit=5, mode="dense") for index in (remote, local)]
            assert [hit.chunk.id for hit in dense[0]] == [hit.chunk.id for hit in dense[1]]
        passages = [index.passages("walrus", budget_tokens=100) for index in (remote, local)]
        assert [each.content for each in passages[0]] == [each.content for each in passages[1]]
        assert [passage.citation for passage in passages[0]] == [passage.citation for passage in passages[1]]


class WithListsOf:
    """A store whose searches are those of another one."""

    def __init__(self, store: Store, other: Store) -> None:
        self._store = store
        self.search_lexical = other.search_lexical
        self.search_dense = other.search_dense

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


@pytest.mark.parametrize("options", [{}, {"limit": 3, "per_document": 1}, {"mode": "lexical"}, {"dense_weight": 2.0}])
def test_of_the_same_lists_both_stores_make_the_same_hits(url: str, tmp_path: Path, options: dict[str, Any]) -> None:
    docs = Path(__file__).parents[2] / "examples/docs"
    with (
        Index(url, embedder="static", root=docs) as remote,
        Index(tmp_path / "i", embedder="static", root=docs) as local,
    ):
        for index in (remote, local):
            index.add(docs)
        mixed = WithListsOf(remote._store, local._store)
        for question in ("how do I rotate keys", "install", "backups of the database", "prices", "who is on call"):
            expected = local.search(question, **options)
            request = with_defaults(make_request(SearchRequest, question, options), local._store.settings)
            found = Retriever(mixed, local.embedder).search(request)  # type: ignore[arg-type]
            assert found == expected != []


TOPICS = [("walrus", "ocean"), ("zebra", "savanna"), ("pangolin", "forest"), ("lynx", "mountain"), ("otter", "river")]


def test_an_index_is_copied_into_a_database_and_back(
    run: Run, url: str, secret: str, docs: Path, tmp_path: Path
) -> None:
    first, last = str(tmp_path / "first"), str(tmp_path / "last")
    assert run("index", str(docs), "--index", first, "--root", str(tmp_path)).exit_code == 0
    for source, target in ((first, url), (url, last)):
        result = run("copy", source, target)
        assert result.exit_code == 0, result.output
        assert "2 documents copied" in result.output
        assert secret not in result.output
    again = run("index", str(docs), "--index", last)
    assert "2 unchanged; 0 texts embedded" in again.output
    with Index(first) as one, Index(last) as other:
        assert other.search("rotate keys") == one.search("rotate keys")
    refused = run("copy", first, url)
    assert refused.exit_code == 2
    assert "there are documents already" in refused.output
    assert secret not in refused.output


def test_texts_that_a_model_refuses_are_told_and_may_be_tried_again(
    run: Run, url: str, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running_server() as server:
        monkeypatch.setenv("OLLAMA_HOST", server.address)
        run("index", str(docs), "--index", url, "--no-embed", "--embedder", "ollama:model")
        server.refused_words = ["Apple"]
        result = run("embed", "--pending", "--index", url)
        assert (result.exit_code, result.stdout) == (1, "1 chunk embedded, 1 failed\n")
        assert "a word is not allowed" in result.stderr
        status = run("status", "--index", url).stdout
        assert "not embedded    1: crosshead embed --pending --retry-failed" in status
        assert run("embed", "--pending", "--index", url).stdout == "0 chunks embedded\n"
        server.refused_words = []
        assert run("embed", "--pending", "--retry-failed", "--index", url).stdout == "1 chunk embedded\n"
        assert json.loads(run("status", "--index", url, "--json").stdout)["failed"] == 0


def test_vectors_may_be_made_later(run: Run, url: str, docs: Path) -> None:
    assert "2 wait for" in run("index", str(docs), "--index", url, "--no-embed").output
    assert "2 chunks embedded" in run("embed", "--pending", "--index", url).output
    assert "0 chunks embedded" in run("embed", "--pending", "--index", url).output
    with Index(url) as index:
        assert index.search("rotate keys", mode="dense")
