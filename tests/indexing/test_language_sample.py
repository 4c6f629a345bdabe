from __future__ import annotations

import logging
from pathlib import Path

import pytest

from crosshead import Index
from crosshead.embedding.base import choose_name
from crosshead.embedding.minilm import encoder as minilm
from crosshead.embedding.multilingual import encoder as multilingual
from crosshead.indexing.language.sample import main_language

TEXTS = {
    "en": "# Keys\n\nThe keys of the vault are rotated every ninety days, and the log book says by whom.\n",
    "ja": "# 鍵\n\n保管庫の鍵は九十日ごとに交換され、だれが交換したかは記録に残されます。\n",
    "de": "# Schlüssel\n\nDie Schlüssel werden alle neunzig Tage gewechselt, und das Buch sagt, von wem.\n",
    "el": "# Κλειδιά\n\nΤα κλειδιά αλλάζουν κάθε ενενήντα ημέρες και το βιβλίο λέει από ποιον.\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "documents"


def write(folder: Path, **counts: int) -> Path:
    for language, count in counts.items():
        for number in range(count):
            path = folder / f"{language}-{number}.md"
            path.parent.mkdir(exist_ok=True)
            path.write_text(TEXTS[language], encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("counts", "language"),
    [
        ({"en": 5}, "en"),
        ({"ja": 5}, "ja"),
        ({"ja": 3, "en": 2}, "ja"),
        ({"ja": 2, "en": 3}, "en"),
        ({"en": 2, "ja": 2, "de": 3}, "de"),
        ({"ja": 300, "en": 100}, "ja"),
    ],
)
def test_the_language_is_that_of_most_documents(folder: Path, counts: dict[str, int], language: str) -> None:
    assert main_language([write(folder, **counts)]) == language


def test_files_that_tell_nothing_do_not_count(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    write(folder, ja=1)
    (folder / "data.md").write_text("```\nx = 1\n```\n")
    (folder / "broken.docx").write_bytes(b"PK\3\4")
    (folder / "matter.md").write_text("---\na: [\n---\n")
    with caplog.at_level(logging.WARNING, "crosshead"):
        assert main_language([folder, folder / "missing", folder / "ja-0.md"]) == "ja"
        assert main_language([folder / "data.md"]) == ""
        assert main_language([]) == ""
    assert not caplog.records


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The names of models that are there."""
    names: set[str] = set()
    monkeypatch.setattr(minilm, "is_ready", lambda name: name in names)
    monkeypatch.setattr(multilingual, "is_ready", lambda: "multilingual" in names)
    return names


def test_auto_is_the_best_model_for_the_language(installed: set[str]) -> None:
    assert [choose_name(language) for language in ("", "en", "ja")] == ["static"] * 3
    installed.add("multilingual")
    assert [choose_name(language) for language in ("", "en", "ja")] == ["multilingual"] * 3
    installed.update(("minilm", "minilm:fp32"))
    assert [choose_name(language) for language in ("", "en", "ja")] == ["minilm", "minilm", "multilingual"]
    installed.remove("multilingual")
    assert choose_name("ja") == "minilm"


@pytest.mark.parametrize(
    ("language", "advice"), [("en", "model install minilm"), ("ja", "model install multilingual"), ("el", None)]
)
def test_advice_is_given_where_it_helps(folder: Path, installed: set[str], language: str, advice: str | None) -> None:
    with Index(folder.parent / "index", documents=[write(folder, **{language: 2})]) as index:
        assert index.embedder.name == "static"
        first = index.add_text("# First\n", source="first.md")
        second = index.add_text("# Second\n", source="second.md")
    assert not first.notes if advice is None else advice in first.notes[0]
    assert not second.notes


def test_an_index_with_a_root_looks_there(folder: Path, installed: set[str]) -> None:
    with Index(folder.parent / "index", root=write(folder, ja=2)) as index:
        assert "multilingual" in index.add(folder).notes[0]


def test_no_advice_where_the_model_is_chosen(folder: Path) -> None:
    with Index(folder.parent / "index", documents=[write(folder, ja=2)], embedder="static") as index:
        assert index.add(folder).notes == ()
