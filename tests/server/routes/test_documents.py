"""What is indexed over HTTP, on both stores."""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from tests.formats.mail.messages import mail
from tests.server.running import NOTES, finished, serving

from crosshead import ids, pipeline
from crosshead.index import Index
from crosshead.options import ChunkOptions
from crosshead.server.jobs import queue as jobs
from crosshead.server.routes import documents
from crosshead.types import Chunks, Document


@pytest.fixture(params=["folder", "postgresql"])
def client(request: pytest.FixtureRequest, root: Path) -> Iterator[httpx.Client]:
    """Asks a server of an index in a folder, then of one in a database."""
    location = root / ".crosshead" if request.param == "folder" else request.getfixturevalue("database")
    with Index(location, root=root, embedder="static") as index:
        index.add(root / "docs")
        with serving(index) as url, httpx.Client(base_url=url, timeout=30) as client:
            yield client


def sources(client: httpx.Client) -> list[str]:
    return [each["source"] for each in client.get("/v1/documents").json()["documents"]]


def test_lists_documents_with_their_chunks(client: httpx.Client) -> None:
    found = client.get("/v1/documents").json()
    assert (found["total"], found["next"]) == (2, None)
    guide = found["documents"][0]
    assert guide["source"] == "docs/guide.md"
    assert guide["title"] == "Guide"
    assert guide["chunks"] >= 1
    assert guide["pending"] == 0
    assert "text" not in guide


def test_pages_follow_each_other(client: httpx.Client) -> None:
    first = client.get("/v1/documents", params={"limit": 1}).json()
    second = client.get("/v1/documents", params={"limit": 1, "after": first["next"]}).json()
    assert [page["documents"][0]["source"] for page in (first, second)] == ["docs/guide.md", "docs/notes.md"]
    assert second["next"] is None
    for part in ("*notes*", "NOTES", "docs/n"):
        assert client.get("/v1/documents", params={"source": part}).json()["total"] == 1


def test_document_with_text_and_outline(client: httpx.Client) -> None:
    address = f"/v1/documents/{ids.document_id('docs/notes.md')}"
    assert client.get(address).json()["text"] == NOTES
    outline = client.get(f"{address}/outline").json()
    assert outline["source"] == "docs/notes.md"
    assert outline["children"][0]["children"][0]["title"] == "Backups"


def test_metadata_comes_with_an_upload_or_a_path_and_stays(client: httpx.Client, root: Path) -> None:
    given = {"metadata": ["team=infra", "tags=a,b"]}
    finished(client, client.post("/v1/documents", params={"source": "keys.md", **given}, content=b"# Keys\n"))
    finished(client, client.post("/v1/documents", params={"path": "docs/notes.md", "metadata": "team=web"}))
    finished(client, client.post("/v1/documents", params={"path": "uploads"}))
    finished(client, client.post("/v1/documents", params={"source": "keys.md"}, content=b"# Other keys\n"))
    found = client.get("/v1/documents").json()["documents"]
    assert [each["metadata"] for each in found] == [{}, {"team": "web"}, {"team": "infra", "tags": ["a", "b"]}]
    hits = client.get("/v1/search", params={"q": "keys", "metadata": ["team=infra,web", "tags=b"]}).json()["hits"]
    assert [hit["source"] for hit in hits] == ["uploads/keys.md"]
    wrong = client.post("/v1/documents", params={"source": "no.md", "metadata": "team>=2"}, content=b"# No\n")
    assert wrong.status_code == 400
    assert "'team>=2' is not metadata: write KEY=VALUE" in wrong.json()["detail"]
    assert not (root / "uploads/no.md").exists()


def waiting_documents(root: Path) -> list[str]:
    files = (path for path in (root / "uploads/.incoming").rglob("*") if path.is_file())
    return [path.name for path in files if path.suffix not in (".json", ".lock") and path.name != ".lock"]


def test_unknown_documents_are_not_found(client: httpx.Client) -> None:
    unknown = "/v1/documents/0123456789abcdef"
    for response in (client.get(unknown), client.get(f"{unknown}/outline"), client.delete(unknown)):
        assert response.status_code == 404
        assert response.headers["content-type"] == "application/problem+json"


def test_upload_is_indexed_in_the_background(client: httpx.Client, root: Path) -> None:
    text = "# Coffee\n\nThe machine is cleaned on Fridays.\n"
    job = finished(client, client.post("/v1/documents", params={"source": "team/coffee.md"}, content=text))
    assert (job["state"], job["kind"], job["target"]) == ("done", "index", "uploads/team/coffee.md")
    assert job["result"]["added"] == 1
    assert (root / "uploads/team/coffee.md").read_text() == text
    hit = client.get("/v1/search", params={"q": "who cleans the coffee machine", "limit": 1}).json()["hits"][0]
    assert hit["citation"] == "uploads/team/coffee.md:1-3"
    assert not waiting_documents(root)


def test_upload_takes_the_place_of_its_former_version(client: httpx.Client) -> None:
    for text, counted in (("# A\n\nOne.\n", "added"), ("# A\n\nTwo.\n", "updated"), ("# A\n\nTwo.\n", "unchanged")):
        job = finished(client, client.post("/v1/documents", params={"source": "a.md"}, content=text))
        assert job["result"][counted] == 1
    assert sources(client).count("uploads/a.md") == 1


def test_upload_that_cannot_be_read_leaves_what_was_there(client: httpx.Client, root: Path) -> None:
    finished(client, client.post("/v1/documents", params={"source": "a.docx"}, content=b"# Fine\n"))
    finished(client, client.post("/v1/documents", params={"source": "a.md"}, content=b"# Fine\n"))
    job = finished(client, client.post("/v1/documents", params={"source": "a.md"}, content=bytes(range(256)) * 9))
    assert job["state"] == "failed"
    assert job["error"]["type"] == "urn:crosshead:ingest-error"
    assert "uploads/a.md" in job["error"]["detail"]
    assert (root / "uploads/a.md").read_bytes() == b"# Fine\n"
    assert not (root / "uploads/a.docx").exists()
    assert not waiting_documents(root)


def test_archive_is_refused(client: httpx.Client, root: Path) -> None:
    response = client.post("/v1/documents", params={"source": "docs.zip"}, content=b"PK")
    assert response.status_code == 415
    assert "unpack it" in response.json()["detail"]
    assert not (root / "uploads/docs.zip").exists()


def test_attachments_of_an_upload_are_documents_that_can_be_removed(client: httpx.Client, root: Path) -> None:
    finished(client, client.post("/v1/documents", params={"source": "m.eml"}, content=mail(notes_md=b"# Notes\n")))
    listed = {each["source"]: each["id"] for each in client.get("/v1/documents").json()["documents"]}
    job = finished(client, client.delete(f"/v1/documents/{listed['uploads/m.eml/notes.md']}"))
    assert job["state"] == "done"
    assert (root / "uploads/m.eml").exists()


def test_zip_bomb_is_refused(client: httpx.Client) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("word/document.xml", b" " * 300_000_000)
    response = client.post("/v1/extract", params={"source": "bomb.docx"}, content=packed.getvalue())
    assert response.status_code == 413
    assert response.json()["type"] == "urn:crosshead:too-large"
    job = finished(client, client.post("/v1/documents", params={"source": "bomb.docx"}, content=packed.getvalue()))
    assert job["state"] == "failed"
    assert client.get("/healthz").status_code == 200


def test_path_on_the_server_is_indexed(client: httpx.Client, root: Path) -> None:
    (root / "docs/new.md").write_text("# New\n\nNews.\n")
    (root / "docs/notes.md").unlink()
    job = finished(client, client.post("/v1/documents", params={"path": "docs"}))
    assert (job["result"]["added"], job["result"]["removed"]) == (1, 1)
    assert sources(client) == ["docs/guide.md", "docs/new.md"]


def test_removing_keeps_files_except_uploads(client: httpx.Client, root: Path) -> None:
    finished(client, client.post("/v1/documents", params={"source": "a.md"}, content="# A\n\nText.\n"))
    for source in ("docs/guide.md", "uploads/a.md"):
        job = finished(client, client.delete(f"/v1/documents/{ids.document_id(source)}"))
        assert job["result"]["removed"] == 1
    assert sources(client) == ["docs/notes.md"]
    assert (root / "docs/guide.md").exists()
    assert not (root / "uploads/a.md").exists()


def test_removing_a_document_keeps_those_whose_source_goes_on(client: httpx.Client, root: Path) -> None:
    (root / "docs/guide.md.old").mkdir()
    (root / "docs/guide.md.old/a.md").write_text("# A\n\nText.\n")
    finished(client, client.post("/v1/documents", params={"path": "docs"}))
    finished(client, client.delete(f"/v1/documents/{ids.document_id('docs/guide.md')}"))
    assert sources(client) == ["docs/guide.md.old/a.md", "docs/notes.md"]


def test_paths_outside_of_the_root_are_refused(client: httpx.Client, root: Path) -> None:
    outside = root.parent / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("# Secret\n")
    (root.parent / "secret.md").write_text("# Secret\n")
    os.symlink(outside, root / "out")
    os.symlink(outside / "secret.md", root / "leak.md")
    for path in (
        "../secret.md",
        "docs/../../secret.md",
        "/etc",
        "docs/\0",
        "out",
        "out/secret.md",
        "leak.md",
        ".crosshead",
    ):
        assert client.post("/v1/documents", params={"path": path}).status_code == 403, path
    for path in ("docs/none.md", "x" * 1000):
        assert client.post("/v1/documents", params={"path": path}).status_code == 404, path
    assert sources(client) == ["docs/guide.md", "docs/notes.md"]


def test_link_out_of_a_folder_is_left_out(client: httpx.Client, root: Path) -> None:
    (root.parent / "secret.md").write_text("# Secret\n")
    os.symlink(root.parent / "secret.md", root / "docs/leak.md")
    os.symlink(root.parent, root / "docs/out")
    finished(client, client.post("/v1/documents", params={"path": "docs"}))
    assert sources(client) == ["docs/guide.md", "docs/notes.md"]


def test_names_of_uploads_stay_below_their_folder(client: httpx.Client, root: Path) -> None:
    for source in ("../a.md", "/a.md", "a/../../b.md", "a//b.md", ".hidden.md", "a\\b.md", "C:b.md", "a\n.md", ""):
        assert client.post("/v1/documents", params={"source": source}, content="# A\n").status_code == 400, source
    assert not (root / "uploads").exists()


def test_upload_does_not_follow_links(client: httpx.Client, root: Path) -> None:
    outside = root.parent / "elsewhere"
    outside.mkdir()
    (root / "uploads").mkdir()
    os.symlink(outside, root / "uploads/out")
    (outside / "b.md").write_text("mine")
    os.symlink(outside / "b.md", root / "uploads/b.md")
    for source in ("out/a.md", "b.md"):
        assert client.post("/v1/documents", params={"source": source}, content="# A\n").status_code == 403
    assert [path.name for path in outside.iterdir()] == ["b.md"]
    assert (outside / "b.md").read_text() == "mine"


def test_folder_of_uploads_does_not_lead_out(client: httpx.Client, root: Path) -> None:
    outside = root.parent / "elsewhere"
    outside.mkdir()
    os.symlink(outside, root / "uploads")
    assert client.post("/v1/documents", params={"source": "a.md"}, content="# A\n").status_code == 403
    assert not list(outside.iterdir())


def test_folder_cannot_become_a_file(client: httpx.Client) -> None:
    finished(client, client.post("/v1/documents", params={"source": "a.md/b.md"}, content="# A\n"))
    assert client.post("/v1/documents", params={"source": "a.md"}, content="# A\n").status_code == 409
    assert client.post("/v1/documents", params={"source": "a.md/b.md/c.md"}, content="# A\n").status_code == 409


def test_upload_for_which_there_is_no_room_is_not_kept(
    client: httpx.Client, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "MOST_WAITING", 0)
    assert client.post("/v1/documents", params={"source": "a.md"}, content="# A\n").status_code == 429
    assert not waiting_documents(root)


def test_either_an_upload_or_a_path(client: httpx.Client) -> None:
    for params in ({}, {"source": "a.md", "path": "docs"}):
        assert client.post("/v1/documents", params=params, content="# A\n").status_code == 422


def test_most_listed_is_what_the_schema_says(client: httpx.Client) -> None:
    assert client.get("/v1/documents", params={"limit": documents.MOST_LISTED + 1}).status_code == 422


@pytest.mark.usefixtures("_in_process")
def test_fault_of_ours_in_one_document_is_its_failure_alone(
    client: httpx.Client, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut = pipeline.chunk_document

    def fail(document: Document, options: ChunkOptions) -> Chunks:
        if "bad" in document.source:
            raise RecursionError("too deep")
        return cut(document, options)

    monkeypatch.setattr(pipeline, "chunk_document", fail)
    for name in ("bad", "good"):
        (root / "docs" / f"{name}.md").write_text(f"# {name}\n\nwords\n")
    job = finished(client, client.post("/v1/documents", params={"path": "docs"}))
    assert (job["state"], job["result"]["added"], list(job["result"]["failed"])) == ("done", 1, ["docs/bad.md"])
    assert "RecursionError: too deep" in job["result"]["failed"]["docs/bad.md"]
    upload = finished(client, client.post("/v1/documents", params={"source": "bad.md"}, content="# Bad"))
    assert upload["state"] == "failed"
    assert "RecursionError: too deep" in upload["error"]["detail"]
    assert not (root / "uploads/bad.md").exists()
