"""Paths that lead out of what may be read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.mcp.conftest import Connect, call, failure

pytestmark = pytest.mark.anyio


async def test_paths_that_lead_out_are_refused(connect: Connect, root: Path) -> None:
    secret = root.parent / "secret"
    (secret / ".crosshead").mkdir(parents=True)
    (secret / "secret.md").write_text("# Secret\n")
    (root / "project").mkdir()
    os.symlink(secret, root / "out")
    os.symlink(secret / "secret.md", root / "project/leak.md")
    (root / "linked").mkdir()
    os.symlink(secret / ".crosshead", root / "linked/.crosshead")
    beyond_project = [("../docs", "project"), (str(root / "docs"), "project")]
    beyond_root = [
        (str(secret / "secret.md"), "project"),
        ("leak.md", "project"),
        ("a\0b", "project"),
        ("~", "project"),
        ("secret.md", ".."),
        ("secret.md", str(secret)),
        ("secret.md", "~"),
        ("secret.md", "out"),
        (".", "linked"),
    ]
    async with connect() as client:
        for path, project in [*beyond_project, *beyond_root]:
            wanted = "outside" if (path, project) in beyond_root else "give the folder of its project as project_path"
            for tool in ("rag_index", "rag_outline"):
                assert wanted in await failure(client, tool, path=path, project_path=project), (path, project)
        for tool, given in {"rag_search": {"query": "x"}, "rag_section": {"section_id": "0" * 16}}.items():
            reason = f"'out' is outside {root}: only crosshead mcp --root can allow it"
            assert await failure(client, tool, project_path="out", **given) == reason
        assert "not a folder" in await failure(client, "rag_index", path=".", project_path="docs/guide.md")
        assert not (root / "project/.crosshead").exists()
        whole = await call(client, "rag_index", path=str(root / "docs"), project_path=str(root))
        assert whole["added"] == 2
        assert (await call(client, "rag_index", path=".", project_path="project"))["added"] == 0
