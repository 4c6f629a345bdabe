"""crosshead show --figures and --figure: the pictures of a document."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from PIL import Image
from tests.cli.conftest import Run

TEXT = """# Valves

![A gauge](gauge.png "Figure 3: Pressure")

## Elsewhere

![](https://example.org/map.png)
"""


@pytest.fixture(autouse=True)
def _index(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """An index of two documents, one without pictures, in the working folder."""
    monkeypatch.setenv("CROSSHEAD_CACHE", str(tmp_path_factory.mktemp("cache")))
    Image.new("RGB", (30, 20), "red").save("gauge.png")
    Path("valves.md").write_text(TEXT)
    Path("plain.md").write_text("# Plain\n\nWords.\n")
    assert run("index", ".").exit_code == 0


def test_lists_the_pictures_of_a_document_or_a_part_of_it(run: Run) -> None:
    elsewhere = (
        "figure 2: no caption (valves.md:7), not shown: it is not in the document, and nothing is fetched from the "
        "network\n"
    )
    assert run("show", "valves.md", "--figures").stdout == f"figure 1: Figure 3: Pressure (valves.md:3)\n{elsewhere}"
    assert run("show", "valves.md:5-7", "--figures").stdout == elsewhere
    first = json.loads(run("show", "valves.md", "--figures", "--json").stdout.splitlines()[0])
    assert (first["number"], first["alt"], first["line"]) == (1, "A gauge", 3)
    nothing = run("show", "plain.md", "--figures")
    assert (nothing.exit_code, nothing.stderr) == (1, "error: no pictures at plain.md\n")


def test_writes_the_bytes_of_one(run: Run) -> None:
    found = run("show", "valves.md", "--figure", "1")
    assert Image.open(io.BytesIO(found.stdout_bytes)).size == (30, 20)


@pytest.mark.parametrize(
    ("options", "code", "reason"),
    [
        (["--figure", "2"], 2, "valves.md: picture 2 cannot be shown: it is not in the document"),
        (["--figure", "9"], 2, "valves.md: it has no picture 9: it has 2 pictures"),
        (["--figures", "--boxes"], 2, "--figures and --figure stand alone"),
    ],
)
def test_refuses_in_one_line(run: Run, options: list[str], code: int, reason: str) -> None:
    refused = run("show", "valves.md", *options)
    assert (refused.exit_code, refused.stdout) == (code, "")
    assert refused.stderr.startswith(f"error: {reason}")
    assert refused.stderr.count("\n") == 1
