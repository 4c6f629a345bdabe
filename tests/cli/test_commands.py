"""What the commands print."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from typer.testing import Result

import crosshead
from crosshead import pipeline
from crosshead.tokens import get_counter
from crosshead.types import CHUNK_SCHEMA, Block, Chunk, Figures, Report, Violation

Run = Callable[..., Result]

COUNT = get_counter("cl100k_base")
INSTALL = "## Install\n\nRun this:\n\n```sh\npip install crosshead\n```"


def json_lines(result: Result) -> list[dict[str, Any]]:
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


class TestParse:
    def test_table_names_lines_kinds_and_words(self, run: Run, guide: str) -> None:
        lines = [" ".join(line.split()) for line in run("parse", guide).stdout.splitlines()]
        assert lines == [
            "lines kind detail text",
            "1-3 front_matter title: The guide",
            "4 heading level 1 Guide",
            "6 paragraph Words before the first section.",
            "8 heading level 2 Install",
            "10 paragraph Run this:",
            "12-14 code sh pip install crosshead",
            "16 heading level 2 Use",
            "18-19 list 2 items - first",
            "8 blocks",
        ]

    def test_json_has_every_field_also_of_blocks_inside(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "a.md").write_text("# T\n\n- item\n\n  ```py\n  code\n  ```\n")
        heading, items = json_lines(run("parse", "a.md", "--json"))
        assert set(heading) == set(Block._fields)
        assert (heading["kind"], heading["level"], heading["title"]) == ("heading", 1, "T")
        assert items["atoms"][0]["lang"] == "py"

    def test_mdx_by_flag_and_by_suffix(self, run: Run, tmp_path: Path) -> None:
        for name in ("a.md", "a.mdx"):
            (tmp_path / name).write_text("import X from 'x'\n\n# T\n")

        def first_kind(*args: str) -> str:
            return str(json_lines(run("parse", *args, "--json"))[0]["kind"])

        assert first_kind("a.md") == "paragraph"
        assert first_kind("a.md", "--mdx") == "import"
        assert first_kind("a.mdx") == "import"
        assert first_kind("a.mdx", "--no-mdx") == "paragraph"

    def test_unclosed_fence_is_shown(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "a.md").write_text("```py\ncode\n")
        assert "py never closed" in run("parse", "a.md").stdout

    def test_empty_document(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "a.md").write_text("")
        assert run("parse", "a.md").stdout == "0 blocks\n"
        assert run("parse", "a.md", "--json").stdout == ""


class TestOutline:
    def test_tree_with_lines_and_tokens(self, run: Run, guide: str) -> None:
        head, *lines = [line.split() for line in run("outline", guide).stdout.splitlines()]
        assert head == ["lines", "tokens"]
        assert [line[:-1] for line in lines] == [
            ["guide.md", "1-19"], ["└──", "Guide", "4-19"], ["├──", "Install", "8-14"], ["└──", "Use", "16-19"],
        ]  # fmt: skip
        text = Path(guide).read_text()
        wanted = [text, text[text.index("# Guide") :], INSTALL, text[text.index("## Use") :]]
        assert [int(line[-1]) for line in lines] == [COUNT(each.rstrip()) for each in wanted]

    def test_json_is_nested(self, run: Run, guide: str) -> None:
        [document] = json_lines(run("outline", guide, "--json"))
        root = crosshead.read(guide).root
        assert (document["source"], document["title"], document["id"]) == ("guide.md", "The guide", root.id)
        [top] = document["children"]
        assert top["title"] == "Guide"
        assert [child["title"] for child in top["children"]] == ["Install", "Use"]
        assert top["children"][0] == {
            "id": root.children[0].children[0].id, "title": "Install", "level": 2,
            "start_line": 8, "end_line": 14, "token_count": COUNT(INSTALL), "children": [],
        }  # fmt: skip

    def test_folder_gives_a_tree_per_file(self, run: Run, docs: str) -> None:
        assert len(json_lines(run("outline", docs, "--json", "--jobs", 1))) == 40
        assert run("outline", docs, "--jobs", 1).stdout.count(".md") == 40


class TestChunk:
    def test_json_is_the_chunks_of_the_library(self, run: Run, guide: str) -> None:
        lines = json_lines(run("chunk", guide, "--json", "--max-tokens", 40))
        chunks = crosshead.chunk(Path(guide), max_tokens=40)
        assert lines == json.loads(json.dumps([chunk.to_json() for chunk in chunks]))
        assert {field.name for field in fields(Chunk)} < set(lines[0])
        assert lines[0]["schema"] == CHUNK_SCHEMA
        assert lines[0]["metadata"] == {"front_matter": {"title": "The guide"}}

    def test_flags_reach_the_chunker(self, run: Run, guide: str) -> None:
        flags = {
            "strategy": "fixed", "max_tokens": 50, "target_tokens": 40, "min_tokens": 4, "overlap_tokens": 3,
            "heading_depth": 2, "oversize": "split", "front_matter": "strip", "tokenizer": "estimate",
        }  # fmt: skip
        args = [part for name, value in flags.items() for part in (f"--{name.replace('_', '-')}", value)]
        lines = json_lines(run("chunk", guide, "--json", *args, "--mdx", "--explain"))
        chunks = crosshead.chunk(Path(guide), **flags, mdx=True, explain=True)
        assert lines == json.loads(json.dumps([chunk.to_json() for chunk in chunks]))

    def test_table_shows_every_chunk(self, run: Run, guide: str) -> None:
        chunks = crosshead.chunk(Path(guide), max_tokens=20)
        shown = run("chunk", guide, "--summary", "--max-tokens", 20).stdout
        assert f"{len(chunks)} chunks" in shown
        for chunk in chunks:
            assert f"{chunk.start_line}-{chunk.end_line}  " in shown
            assert str(chunk.breadcrumb) in shown

    def test_long_path_is_shortened_from_the_left(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "a.md").write_text(f"# {'Long title ' * 4}\n\n## {'Title ' * 4}\n\n### The end\n\nText.\n")
        for width in ("80", "120"):
            shown = run("chunk", "a.md", "--summary", env={"COLUMNS": width}).stdout
            assert "> The end" in shown
            assert ("…" in shown) == (width == "80")

    @pytest.mark.parametrize("columns", [60, 80, 120])
    @pytest.mark.parametrize("name", ["parse", "outline", "chunk --summary", "check"])
    def test_lines_fit_the_terminal(self, run: Run, tmp_path: Path, name: str, columns: int) -> None:
        folder = tmp_path / "a_rather_long_name_for_a_folder" / "with_another_one_inside"
        folder.mkdir(parents=True)
        (folder / "page.md").write_text(f"# {'Title ' * 20}\n\n## {'漢字' * 40}\n\n{'Words. ' * 400}\n\n```\nopen\n")
        result = run(*name.split(), folder.relative_to(tmp_path) / "page.md", env={"COLUMNS": str(columns)})
        assert result.exit_code == 0
        assert max(map(cell_len, result.stdout.splitlines())) <= columns

    def test_oversize_and_parts_are_flagged(self, run: Run, tmp_path: Path) -> None:
        code = "\n".join(f"line {number}" for number in range(60))
        (tmp_path / "a.md").write_text(f"# A\n\n{'Words. ' * 60}\n\n{'Words. ' * 60}\n\n```\n{code}\n```\n")
        shown = run("chunk", "a.md", "--summary", "--max-tokens", 80).stdout
        assert "part 1/" in shown
        assert "oversize code" in shown
        assert "over 80" in shown
        assert "1 oversize" in shown

    def test_explain_prints_notes(self, run: Run, guide: str) -> None:
        notes = [note for chunk in crosshead.chunk(Path(guide), explain=True) for note in chunk.notes]
        shown = " ".join(run("chunk", guide, "--summary", "--explain", env={"COLUMNS": "200"}).stdout.split())
        assert notes
        assert all(" ".join(note.split()) in shown for note in notes)

    def test_many_files_get_a_line_each(self, run: Run, docs: str) -> None:
        shown = run("chunk", docs, "--summary", "--jobs", 1).stdout
        assert shown.count(".md") == 40
        assert shown.splitlines()[0].split() == ["file", "chunks", "tokens", "fill", "small", "oversize"]
        assert shown.splitlines()[-1].startswith("40 files · ")

    def test_document_without_text(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "a.md").write_text("")
        assert run("chunk", "a.md", "--summary").stdout.split() == ["a.md", "no", "chunks"]
        assert run("chunk", "a.md", "--json").stdout == ""
        assert (run("chunk", "a.md").output, run("chunk", "a.md", "-q").output) == ("note: a.md: no chunks\n", "")

    def test_text_above_all_headings_shows_the_documents_title(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "a.md").write_text("---\ntitle: The name\n---\n\nOnly text.\n")
        assert "The name" in run("chunk", "a.md", "--summary").stdout

    @pytest.mark.parametrize("explain", [[], ["--explain"]])
    def test_texts_are_shown_unchanged_below_their_citations(self, run: Run, guide: str, explain: list[str]) -> None:
        chunks = crosshead.chunk(Path(guide), max_tokens=20)
        shown = run("chunk", guide, "--max-tokens", 20, *explain).stdout
        for chunk in chunks:
            assert shown.count(f"{chunk.citation} · {chunk.token_count} token") == 1
            assert f"\n\n{chunk.content}\n\n" in shown
            assert f"\n  {chunk.breadcrumb}\n" in shown
        assert shown.splitlines()[-1].startswith(f"{len(chunks)} chunks · ")


def report_with(*violations: Violation) -> Callable[..., Report]:
    figures = Figures(1, 5, 5, 5.0, 5, 0.1, 0, 0, {})
    return lambda document, _: Report(document.source, 0.99996, 1.0, figures, violations)


ERROR = Violation("coverage", "abc", 3, 4, "two lines are in no chunk")
WARNING = Violation("oversize", "abc", 3, 3, "500 tokens", "warning")


@pytest.mark.usefixtures("_in_process")
class TestCheck:
    def test_sound_document_passes(self, run: Run, guide: str) -> None:
        result = run("check", guide)
        assert result.exit_code == 0
        assert "✓ guide.md" in result.stdout
        assert "passed: every guarantee holds in 1 file" in result.stdout

    @pytest.mark.parametrize(
        ("violations", "strict", "code"),
        [
            ((), False, 0), ((), True, 0),
            ((WARNING,), False, 0), ((WARNING,), True, 1),
            ((ERROR, WARNING), False, 1), ((ERROR,), True, 1),
        ],
    )  # fmt: skip
    @pytest.mark.parametrize("as_json", [False, True])
    def test_exit_code(
        self,
        run: Run,
        guide: str,
        monkeypatch: pytest.MonkeyPatch,
        violations: tuple[Violation, ...],
        strict: bool,
        code: int,
        as_json: bool,
    ) -> None:
        monkeypatch.setattr(pipeline, "check", report_with(*violations))
        flags = [flag for flag, given in (("--strict", strict), ("--json", as_json)) if given]
        assert run("check", guide, *flags).exit_code == code

    def test_violations_are_listed_below_their_file(
        self, run: Run, guide: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(pipeline, "check", report_with(ERROR, WARNING))
        lines = [" ".join(line.split()) for line in run("check", guide).stdout.splitlines()]
        assert lines[:3] == [
            "✗ guide.md 1 chunk coverage 99.99%",
            "✗ coverage lines 3-4 two lines are in no chunk",
            "! oversize line 3 500 tokens",
        ]
        assert lines[-1] == "failed: 1 error and 1 warning in 1 of 1 file"

    def test_warning_does_not_fail_but_is_told(self, run: Run, guide: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(pipeline, "check", report_with(WARNING))
        shown = run("check", guide).stdout
        assert "! guide.md" in shown
        assert "passed: every guarantee holds; 1 warning in 1 of 1 file" in shown

    def test_summary_is_about_all_files(self, run: Run, docs: str) -> None:
        rows = dict(line.split("  ", 1) for line in run("check", docs, "--jobs", 1).stdout.splitlines() if "  " in line)
        rows = {name: value.strip() for name, value in rows.items()}
        assert rows["files"] == "40"
        assert rows["coverage (lowest)"] == "100%"
        assert rows["oversize (above 400)"] == "0"

    def test_json_is_the_report(self, run: Run, guide: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(pipeline, "check", report_with(replace(WARNING, chunk_id=None)))
        [report] = json_lines(run("check", guide, "--json"))
        assert list(report) == ["source", "ok", "coverage", "line_recall", "figures", "violations"]
        assert report["ok"] is True
        assert set(report["figures"]) == {field.name for field in fields(Figures)}
        assert report["violations"] == [
            {
                "rule": "oversize", "chunk_id": None, "start_line": 3, "end_line": 3,
                "message": "500 tokens", "severity": "warning",
            }
        ]  # fmt: skip


class TestExtract:
    def test_prints_the_text_of_the_document(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "a.md").write_bytes("\ufeff# Grüße\r\n\r\nText.\r\n".encode())
        assert run("extract", "a.md").stdout_bytes == "# Grüße\n\nText.\n".encode()

    @pytest.mark.parametrize("name", ["htm", ".htm", "HTML", "xhtml"])
    def test_format_may_be_named_by_a_suffix(self, run: Run, tmp_path: Path, name: str) -> None:
        (tmp_path / "page").write_text("<p>Some <b>text</b></p>")
        assert run("extract", "page", "--format", name).stdout == "Some **text**\n"


class TestBench:
    def test_json_has_the_figures_of_every_step(self, run: Run, docs: str) -> None:
        [figures] = json_lines(run("bench", "chunk", docs, "--json", "--rounds", 2))
        assert (figures["documents"], figures["rounds"]) == (40, 2)
        assert figures["chunks"] > 40
        assert [step["name"] for step in figures["steps"]] == ["parse", "chunk", "check"]
        for step in figures["steps"]:
            assert 0 < step["p50_ms"] <= step["p99_ms"] <= step["max_ms"]
            assert step["seconds"] > 0
            assert step["megabytes_per_second"] == pytest.approx(figures["megabytes"] / step["seconds"])

    def test_table(self, run: Run, guide: str) -> None:
        lines = run("bench", "chunk", guide).stdout.splitlines()
        assert lines[0].startswith("1 document · ")
        assert [line.split()[0] for line in lines[1:5]] == ["step", "parse", "chunk", "check"]
