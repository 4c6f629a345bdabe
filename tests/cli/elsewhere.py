"""What an index does that is in no folder, whatever it is in."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from typer.testing import Result

Run = Callable[..., Result]

HANDBOOK = """\
# Handbook

## Keys

Rotate the signing keys every ninety days.

## Backups

Every night a copy of the database is kept for a month.
"""


def make_docs(folder: Path) -> Path:
    docs = folder / "docs"
    docs.mkdir()
    (docs / "handbook.md").write_text(HANDBOOK)
    (docs / "prices.csv").write_text("name,price\nApple,1\nPear,2\n")
    return docs


def go_the_way_of_a_document(run: Run, url: str, docs: Path) -> str:
    """Call every command that takes an index, and return all that they print."""
    results = []

    def call(*args: str) -> str:
        results.append(run(*args, "--index", url))
        assert results[-1].exit_code == 0, results[-1].output
        return results[-1].stdout

    waiting = "2 added; 0 texts embedded, 2 wait for: crosshead embed --pending\n"
    assert call("index", "docs", "--no-embed") == waiting
    assert call("embed", "--pending") == "2 chunks embedded\n"
    assert call("index", "docs") == "2 unchanged; 0 texts embedded\n"
    hit = json.loads(call("search", "rotating keys", "--json").splitlines()[0])
    assert hit["chunk"]["source"] == "docs/handbook.md"
    assert "ninety days" in call("show", hit["chunk"]["id"])
    assert "ninety days" in call("search", "keys", "--passages")
    status = json.loads(call("status", "--json"))
    assert (status["documents"], status["pending"], status["root"]) == (2, 0, str(Path.cwd()))
    assert status["size_bytes"] > 0
    assert call("list", "--json").startswith('{"source": "docs/handbook.md", "format": "markdown"')
    assert call("remove", "docs/prices.csv") == "docs/prices.csv: 1 removed\n"
    assert call("optimize").startswith("optimized")
    results.append(run("doctor", url))
    assert (results[-1].exit_code, results[-1].output) == (0, f"{status['location']}: sound\n")
    (docs / "handbook.md").unlink()
    assert call("index", "docs", "--yes") == "1 added, 1 removed; 1 text embedded\n"
    assert call("status").startswith("index")
    return "".join(result.output + result.stderr for result in results)
