"""crosshead verify."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Run

CITATIONS = [{"n": 1, "citation": "keys.md:3"}]
SHOWN = """\
proved       Keys are valid for 90 days [1].
not found    A queue accepts 4 keys [1].
             4: not in keys.md:3

[1] keys.md:3  not checked: without a hash, nothing says what the text was
1 proved · 1 not found
"""


@pytest.fixture(autouse=True)
def _index(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """An index of one document in the working folder."""
    monkeypatch.setenv("CROSSHEAD_CACHE", str(tmp_path_factory.mktemp("cache")))
    Path("keys.md").write_text("# Keys\n\nKeys are valid for 90 days. A queue accepts 2 keys.\n")
    assert run("index", ".").exit_code == 0


def write(text: str) -> None:
    Path("answer.json").write_text(json.dumps({"text": text, "citations": CITATIONS}))


def test_an_answer_that_is_proved(run: Run) -> None:
    write("Keys are valid for 90 days [1].")
    done = run("verify", "answer.json", "--json")
    assert (done.exit_code, json.loads(done.stdout)["ok"]) == (0, True)
    assert run("verify", "-", input=Path("answer.json").read_bytes()).exit_code == 0


def test_an_answer_with_a_fault(run: Run) -> None:
    write("Keys are valid for 90 days [1]. A queue accepts 4 keys [1].")
    done = run("verify", "answer.json")
    assert (done.exit_code, done.stdout) == (1, SHOWN)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("{", "answer.json: not JSON: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
        ("[]", "answer.json: must be a JSON object, as crosshead ask --json prints it"),
        ('{"text": 5}', "answer.json: text must be text"),
        (None, "answer.json: No such file or directory"),
    ],
)
def test_mistakes(run: Run, content: str | None, reason: str) -> None:
    if content is not None:
        Path("answer.json").write_text(content)
    done = run("verify", "answer.json")
    assert (done.exit_code, done.stderr) == (2, f"error: {reason}\n")
