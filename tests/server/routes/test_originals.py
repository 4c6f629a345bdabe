"""The file of a document over HTTP: exactly what was indexed, or why not."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import httpx
import pytest
from tests.server.running import NOTES, serving

from crosshead import ids
from crosshead.index import Index

ROOT = Path(__file__).parents[3]


def original(client: httpx.Client, source: str) -> httpx.Response:
    return client.get(f"/v1/documents/{ids.document_id(source)}/original")


def refusal(response: httpx.Response) -> tuple[int, str]:
    assert response.headers["content-type"] == "application/problem+json"
    return response.status_code, response.json()["detail"]


def test_returns_the_bytes_that_were_indexed(client: httpx.Client) -> None:
    found = original(client, "docs/notes.md")
    assert (found.status_code, found.content) == (200, NOTES.encode())
    assert found.headers["x-content-type-options"] == "nosniff"
    assert found.headers["content-type"] == "application/octet-stream"
    assert found.headers["content-disposition"] == "attachment; filename*=UTF-8''notes.md"


def test_shows_pdf_and_saves_what_could_run_in_a_browser(index: Index, client: httpx.Client, root: Path) -> None:
    pdf = (ROOT / "examples/docs/incident-report.pdf").read_bytes()
    (root / 'docs/Größe "1".pdf').write_bytes(pdf)
    (root / "docs/page.html").write_text("<h1>Page</h1><script>alert(1)</script><p>Some text.")
    (root / "docs/disguised.md").write_text("<!doctype html><script>alert(1)</script>\n\n# Disguised\n\nText.\n")
    index.add(root / "docs")
    shown = original(client, 'docs/Größe "1".pdf')
    assert shown.content == pdf
    assert shown.headers["content-type"] == "application/pdf"
    assert shown.headers["content-disposition"] == "inline; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%221%22.pdf"
    for source in ("docs/page.html", "docs/disguised.md"):
        headers = original(client, source).headers
        assert headers["content-type"] == "application/octet-stream"
        assert headers["content-disposition"].startswith("attachment;")


def test_refuses_a_file_that_has_changed_or_is_gone(client: httpx.Client, root: Path) -> None:
    notes = root / "docs/notes.md"
    notes.write_text(NOTES.replace("two", "ten"))
    assert refusal(original(client, "docs/notes.md")) == (
        409,
        "docs/notes.md: its file has changed since it was indexed: index it again",
    )
    notes.write_text(NOTES)
    assert original(client, "docs/notes.md").content == NOTES.encode()
    notes.unlink()
    status, detail = refusal(original(client, "docs/notes.md"))
    assert (status, detail) == (
        404,
        "docs/notes.md: its file is gone: index the folder again",
    )
    notes.mkdir()
    assert original(client, "docs/notes.md").status_code == 404


def test_refuses_files_outside_the_root(index: Index, client: httpx.Client, root: Path) -> None:
    outside = root.parent / "outside.md"
    outside.write_text("# Outside\n\nA file next to the root.\n")
    index.add(outside)
    status, detail = refusal(original(client, str(outside)))
    assert status == 403
    assert "outside the root" in detail
    guide = root / "docs/guide.md"
    os.replace(guide, root.parent / "moved.md")
    guide.symlink_to(root.parent / "moved.md")
    assert original(client, "docs/guide.md").status_code == 403


def test_a_text_has_no_file_and_ids_must_exist(index: Index, client: httpx.Client) -> None:
    index.add_text("# Keys\n\nRotate them.\n", source="docs/wiki.md")
    assert refusal(original(client, "docs/wiki.md")) == (404, "docs/wiki.md: it was added as text, and has no file")
    assert original(client, "docs/nothing.md").status_code == 404
    assert client.get("/v1/documents/..%2f..%2fetc/original").status_code == 404
    assert client.get("/v1/documents/xyz/original").status_code == 422


def test_returns_documents_in_archives_and_included_files_count(index: Index, client: httpx.Client, root: Path) -> None:
    with zipfile.ZipFile(root / "docs/old.zip", "w") as archive:
        archive.writestr("guide/start.md", "# Start\n\nBegin here.\n")
    (root / "docs/whole.adoc").write_text("= Whole\n\ninclude::part.adoc[]\n")
    (root / "docs/part.adoc").write_text("A part of it.\n")
    index.add(root / "docs")
    assert original(client, "docs/old.zip/guide/start.md").content == b"# Start\n\nBegin here.\n"
    assert original(client, "docs/whole.adoc").status_code == 200
    (root / "docs/part.adoc").write_text("Another part of it.\n")
    assert original(client, "docs/whole.adoc").status_code == 409
    (root / "docs/old.zip").unlink()
    assert original(client, "docs/old.zip/guide/start.md").status_code == 404


def test_a_changed_index_still_knows_its_files(index: Index, root: Path) -> None:
    index.change(max_tokens=60)
    with serving(index) as url, httpx.Client(base_url=url, timeout=30) as client:
        assert original(client, "docs/notes.md").content == NOTES.encode()


def test_a_token_guards_files_as_well(index: Index) -> None:
    with serving(index, token="secret") as url, httpx.Client(base_url=url, timeout=30) as client:
        assert original(client, "docs/notes.md").status_code == 401
        client.headers["Authorization"] = "Bearer secret"
        assert original(client, "docs/notes.md").status_code == 200


@pytest.mark.parametrize("format", ["text", "markdown"])
def test_a_format_that_the_user_named_is_remembered(
    index: Index, client: httpx.Client, root: Path, format: str
) -> None:
    (root / "docs/page.html").write_text("<h1>Page</h1>\n\nText.\n")
    index.add(root / "docs/page.html", format=format)
    assert original(client, "docs/page.html").status_code == 200
