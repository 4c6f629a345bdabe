"""The example notebooks run from top to bottom, each in a kernel of its own, and are stored without what they print."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

EXAMPLES = Path(__file__).parents[2] / "examples"
PRINTED = {
    "first_search": ["100% covered", "unchanged=10", "handbook.md:71-117", "a weak match"],
    "chunks_for_a_language_model": ["of 600 tokens: handbook.md:", "[1] handbook.md:", "release captain decides"],
    "compare_settings": ["windows, 400 tokens", "recall@1000"],
}
"""What every notebook shows, among other things."""


def execute(notebook: Any) -> str:
    """Run all cells where the notebook lies, and return what they show."""
    NotebookClient(notebook, resources={"metadata": {"path": str(EXAMPLES)}}, timeout=120).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    return "\n".join(output.get("text") or output["data"]["text/plain"] for output in outputs)


def test_every_notebook_is_tested() -> None:
    assert {path.stem for path in EXAMPLES.rglob("*.ipynb")} == PRINTED.keys()


@pytest.mark.parametrize("name", PRINTED)
def test_a_notebook_runs_and_shows_what_it_says(name: str) -> None:
    there = set(EXAMPLES.rglob("*"))
    shown = execute(nbformat.read(EXAMPLES / f"{name}.ipynb", as_version=4))
    assert [text for text in PRINTED[name] if text not in shown] == []
    assert set(EXAMPLES.rglob("*")) == there


@pytest.mark.parametrize("name", PRINTED)
def test_a_notebook_is_valid_and_stored_without_outputs(name: str) -> None:
    notebook = nbformat.read(EXAMPLES / f"{name}.ipynb", as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.source for cell in code if cell.outputs or cell.execution_count] == []


def test_a_cell_that_fails_is_an_error() -> None:
    cell = nbformat.v4.new_code_cell("import crosshead\ncrosshead.chunk('text', max_tokens=-1)")
    with pytest.raises(CellExecutionError, match="OptionsError"):
        execute(nbformat.v4.new_notebook(cells=[cell]))
