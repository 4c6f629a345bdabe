"""Documents get metadata from crosshead.toml and from the caller, and a change of it alone is cheap."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from crosshead import ids
from crosshead.errors import OptionsError
from crosshead.index import AddResult, Index
from crosshead.indexing.steps.source_file import FileMetadata, metadata_of, with_metadata, without_metadata
from crosshead.store.copy import read_documents
from crosshead.types import DocumentRows

FRONT_MATTER = "---\nteam: front\ntags: [a]\ndate: 2024-05-01\n---\n"
FILES = {
    "docs/front.md": f"{FRONT_MATTER}# Keys\n\nRotate the keys.\n\n## Old keys\n\nDestroy them.\n",
    "docs/plain.md": "# Locks\n\nKeys fit into locks.\n",
    "docs/reports/q1.txt": "Keys were lost in the first quarter.",
    "docs/reports/old/q0.txt": "Keys were never counted.",
}

NO_VALUE = "is not a text, a number, true, false, a date, or a list of them"


@pytest.fixture(autouse=True)
def _documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)


@pytest.fixture(params=["folder", "database"])
def location(request: pytest.FixtureRequest) -> str:
    """Where the index is."""
    return ".crosshead" if request.param == "folder" else str(request.getfixturevalue("database"))


@pytest.fixture
def index(location: str) -> Index:
    return Index(location, root=".", embedder="static")


def of(index: Index, source: str) -> dict[str, Any]:
    (listed,) = index.documents([source])
    return dict(listed.metadata)


def found(index: Index, **metadata: Any) -> set[str]:
    return {Path(hit.source).name for hit in index.search("keys", metadata=metadata)}


def rows_of(index: Index) -> list[DocumentRows]:
    documents = [ids.document_id(source) for source in index.sources()]
    return read_documents(index._store, documents, index._index.piece_cutter.text_hash)


def counts(result: AddResult) -> tuple[int, int, int, int]:
    return result.added, result.updated, result.unchanged, result.embedded


def write_tables(text: str, folder: str = ".") -> None:
    Path(folder, "crosshead.toml").write_text(text)


class TestCaller:
    def test_a_mapping_is_for_all_files_and_counts_more_than_front_matter(self, index: Index) -> None:
        index.add("docs", metadata={"team": "infra", "year": 2026, "owners": ("ann", "bob"), "none": None})
        assert of(index, "docs/front.md") == {
            "team": "infra", "tags": ["a"], "date": "2024-05-01", "year": 2026, "owners": ["ann", "bob"],
        }  # fmt: skip
        assert found(index, team="infra", owners="bob", year={">=": 2026}) == {
            "front.md",
            "plain.md",
            "q1.txt",
            "q0.txt",
        }
        assert found(index, team="front") == set()

    def test_a_function_gets_the_whole_path_and_gives_each_file_its_own(self, index: Index) -> None:
        paths: list[Path] = []

        def describe(path: Path) -> dict[str, Any]:
            paths.append(path)
            return {"folder": path.parent.name}

        index.add("docs", metadata=describe)
        assert sorted(paths) == sorted(map(Path.absolute, map(Path, FILES)))
        assert found(index, folder="reports") == {"q1.txt"}
        assert found(index, folder=["docs", "old"]) == {"front.md", "plain.md", "q0.txt"}

    def test_later_runs_keep_it_until_one_gives_something_else(self, index: Index) -> None:
        index.add("docs/reports", metadata={"team": "infra"})
        assert counts(index.add("docs")) == (2, 0, 2, 2)
        assert found(index, team="infra") == {"q1.txt", "q0.txt"}
        Path("docs/reports/q1.txt").write_text("Keys were found again.")
        assert counts(index.add("docs")) == (0, 1, 3, 1)
        assert found(index, team="infra") == {"q1.txt", "q0.txt"}
        assert index.add("docs/reports", metadata={"year": 2026}).updated == 2
        assert of(index, "docs/reports/q1.txt") == {"year": 2026}
        assert index.add("docs", metadata={}).updated == 2
        assert of(index, "docs/reports/q1.txt") == {}

    def test_a_change_of_it_alone_is_noticed_and_embeds_nothing(self, index: Index) -> None:
        index.add("docs", metadata={"year": 1})
        assert counts(index.add("docs", metadata={"year": 1})) == (0, 0, 4, 0)
        assert counts(index.add("docs", metadata={"year": True})) == (0, 4, 0, 0)
        assert found(index, year=True)
        assert not found(index, year=1)

    def test_an_index_is_the_same_whether_a_document_had_it_from_the_beginning(self, tmp_path: Path) -> None:
        given = {"team": "infra", "date": "2020-02-02"}
        with Index("early", root=".", embedder="static") as early, Index("late", root=".", embedder="static") as late:
            early.add("docs", metadata=given)
            late.add("docs")
            assert counts(late.add("docs", metadata=given)) == (0, 4, 0, 0)
            for one, other in zip(rows_of(early), rows_of(late), strict=True):
                assert one.document == other.document
                assert one.sections == other.sections
                assert [each.chunk for each in one.chunks] == [each.chunk for each in other.chunks]
                assert [each.vectors.tolist() for each in one.chunks] == [
                    each.vectors.tolist() for each in other.chunks
                ]

    def test_files_are_not_read_for_it(self, index: Index) -> None:
        Path("docs/open.md").write_text("# Keys\n\n```\nkeys\n")
        assert "never closed" in "".join(index.add("docs").notes)
        relabeled = index.add("docs", metadata={"team": "web"})
        assert (relabeled.updated, relabeled.notes) == (5, ())

    def test_a_function_that_fails_fails_that_document_alone(self, index: Index) -> None:
        index.add("docs", metadata={"team": "infra"})

        def describe(path: Path) -> Any:
            return {"front.md": [1], "q1.txt": {"n": float("nan")}, "plain.md": {"team": "web"}}[path.name]

        result = index.add("docs", metadata=describe)
        assert result.failed == {
            "docs/front.md": "metadata(path)=[1] must be a mapping, as in {'team': 'infra'}",
            "docs/reports/q1.txt": f"metadata(path): n=nan {NO_VALUE}",
            "docs/reports/old/q0.txt": "metadata(path): KeyError: 'q0.txt'",
        }
        assert (result.updated, result.unchanged, result.faults) == (1, 0, {})
        assert of(index, "docs/front.md")["team"] == "infra"

    @pytest.mark.parametrize(
        "wrong", ["team=infra", ["team"], {"team": {"lead": "ann"}}, {"a=b": 1}, {"front_matter": 1}]
    )
    def test_another_shape_is_an_error_before_anything_is_indexed(self, index: Index, wrong: Any) -> None:
        with pytest.raises(OptionsError, match=r"^metadata[:=]"):
            index.add("docs", metadata=wrong)
        assert index.sources() == []

    def test_a_document_inside_an_archive_gets_it_by_its_own_path(self, index: Index, tmp_path: Path) -> None:
        import zipfile

        with zipfile.ZipFile("docs/all.zip", "w") as archive:
            archive.writestr("reports/q2.md", "# Keys\n\nKeys in an archive.\n")
        write_tables("[[metadata]]\nfiles = 'all.zip/reports/'\nkind = 'report'\n", "docs")
        index.add("docs", metadata=lambda path: {"suffix": path.suffix})
        assert of(index, "docs/all.zip/reports/q2.md") == {"kind": "report", "suffix": ".md"}

    def test_a_renamed_file_is_not_missing(self, index: Index) -> None:
        index.add("docs/reports", metadata=lambda path: {"name": path.name})
        for path in [*Path("docs/reports").rglob("*.txt")]:
            path.rename(path.with_suffix(".text"))
        result = index.add("docs/reports", metadata=lambda path: {"name": path.name})
        assert (result.added, result.removed, result.kept) == (2, 2, ())

    def test_it_stays_when_the_settings_change(self, index: Index) -> None:
        index.add("docs", metadata={"team": "infra", "date": "2020-02-02"})
        before = [*index.documents()]
        index.change(max_tokens=64, overlap_tokens=0)
        assert [each.metadata for each in index.documents()] == [each.metadata for each in before]
        assert {each.date for each in index.documents()} == {"2020-02-02"}
        assert counts(index.add("docs"))[2] == 4


class TestTables:
    def test_patterns_are_those_of_ignore_files_and_the_last_one_counts(self, index: Index) -> None:
        write_tables(
            "[[metadata]]\nfiles = '*.txt'\nkind = 'text'\nteam = 'all'\n"
            "[[metadata]]\nfiles = ['docs/reports/**', '!docs/reports/old/']\nteam = 'infra'\ndate = 2025-01-31\n"
        )
        index.add("docs")
        assert of(index, "docs/reports/q1.txt") == {"kind": "text", "team": "infra", "date": "2025-01-31"}
        assert of(index, "docs/reports/old/q0.txt") == {"kind": "text", "team": "all"}
        assert of(index, "docs/plain.md") == {}
        assert {hit.source for hit in index.search("keys", until="2025-01-31", since="2025-01-31")} == {
            "docs/reports/q1.txt"
        }

    def test_front_matter_counts_least_and_the_caller_most(self, index: Index) -> None:
        write_tables("[[metadata]]\nfiles = '*.md'\nteam = 'table'\ntags = ['b', 'c']\n")
        index.add("docs/front.md", metadata={"tags": "d"})
        assert of(index, "docs/front.md") == {"team": "table", "tags": "d", "date": "2024-05-01"}

    def test_changes_and_removal_are_noticed_without_embedding(self, index: Index) -> None:
        index.add("docs", metadata={"given": 1})
        write_tables("[[metadata]]\nfiles = 'reports/'\nteam = 'infra'\n")
        assert counts(index.add("docs")) == (0, 2, 2, 0)
        write_tables("[[metadata]]\nfiles = '/docs/*.md'\nteam = 'web'\n")
        assert counts(index.add("docs")) == (0, 4, 0, 0)
        assert found(index, team="web") == {"front.md", "plain.md"}
        Path("crosshead.toml").unlink()
        assert counts(index.add("docs")) == (0, 2, 2, 0)
        assert found(index, team="front", given=1) == {"front.md"}

    def test_the_nearest_file_counts(self, index: Index) -> None:
        write_tables("[[metadata]]\nfiles = '*'\nteam = 'outer'\n")
        write_tables("[[metadata]]\nfiles = '*'\nteam = 'inner'\n", "docs/reports")
        index.add("docs")
        assert found(index, team="inner") == {"q1.txt", "q0.txt"}
        assert found(index, team="outer") == {"front.md", "plain.md"}

    def test_an_upload_cannot_bring_tables(self, index: Index) -> None:
        Path("uploads").mkdir()
        Path("uploads/keys.md").write_text("# Keys\n\nKeys.\n")
        write_tables("[[metadata]]\nfiles = '*'\nteam = 'outer'\n")
        write_tables("not TOML", "uploads")
        index.add("uploads")
        assert of(index, "uploads/keys.md") == {"team": "outer"}

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            (
                "[[metadata]]\nteam = 'x'\n",
                "[[metadata]] 1: it needs a line that says for which files, as in files = '",
            ),
            ("[[metadata]]\nfiles = []\nteam = 'x'\n", "[[metadata]] 1: it needs a line"),
            ("[[metadata]]\nfiles = 5\nteam = 'x'\n", "[[metadata]] 1: it needs a line"),
            (
                "[[metadata]]\nfiles = 'a['\nteam = 'x'\n",
                "[[metadata]] 1: files: 'a[' is not a pattern: write it as in",
            ),
            ("[[metadata]]\nfiles = '*'\n", "[[metadata]] 1: it has no metadata: add a line such as team = 'infra'"),
            (
                "[[metadata]]\nfiles = '*'\nteam = 'x'\n[[metadata]]\nfiles = '*'\nteam.lead = 'ann'\n",
                f"[[metadata]] 2: team={{'lead': 'ann'}} {NO_VALUE}",
            ),
            ("[metadata]\nteam = 'x'\n", "metadata must be in tables that begin with [[metadata]]"),
            ("metadata = 5", "metadata must be in tables"),
            ("[[metadata", "not valid TOML"),
        ],
    )
    def test_a_table_that_is_wrong_is_named(self, tmp_path: Path, text: str, message: str) -> None:
        write_tables(text)
        with Index(embedder="static") as index, pytest.raises(OptionsError) as error:
            index.add("docs")
        assert str(error.value).startswith(f"{tmp_path}/crosshead.toml: {message}")
        assert "\n" not in str(error.value)


class TestText:
    def test_a_date_in_the_metadata_of_a_text_is_its_date(self, index: Index) -> None:
        index.add_text(FILES["docs/front.md"], source="front")
        index.add_text(FILES["docs/front.md"], source="given", metadata={"date": "2020-01-31"})
        index.add_text("# Keys\n\nKeys.\n", source="content", metadata={"content_date": "2021-01-31T10:00:00Z"})
        index.add_text("# Keys\n\nKeys.\n", source="none", metadata={"date": "soon"})
        assert {each.source: each.date for each in index.documents()} == {
            "front": "2024-05-01", "given": "2020-01-31", "content": "2021-01-31", "none": "",
        }  # fmt: skip
        assert {hit.source for hit in index.search("keys", until="2021-12-31")} == {"given", "content"}

    @pytest.mark.parametrize("wrong", [[1], {"loc": {"lines": 1}}, {"n": float("inf")}])
    def test_another_shape_is_an_error(self, index: Index, wrong: Any) -> None:
        with pytest.raises(OptionsError, match=r"^metadata[:=]"):
            index.add_text("# Keys\n", source="x", metadata=wrong)


@pytest.mark.parametrize("revision", ["text:older layout", "text:ab12", "as:pdf:ab12:unread", "ab12", ""])
def test_revisions_without_metadata_stay_what_they_were(revision: str) -> None:
    none, some = FileMetadata({}, {}), FileMetadata({"a": ":metadata="}, {"b": [1, "c d"]})
    assert metadata_of(revision) == none
    assert with_metadata(revision, none) == without_metadata(revision) == revision
    assert metadata_of(with_metadata(revision, some)) == some
    assert without_metadata(with_metadata(revision, some)) == revision


def test_watching_gives_it_as_well(tmp_path: Path) -> None:
    with Index(embedder="static") as index:
        results = index.watch("docs", metadata={"team": "infra"})
        assert next(results).added == 4
        assert of(index, "docs/plain.md") == {"team": "infra"}
        write_tables("[[metadata]]\nfiles = '*.txt'\nkind = 'text'\n", "docs")
        assert next(results).updated == 2
        assert of(index, "docs/reports/q1.txt") == {"kind": "text", "team": "infra"}
