"""crosshead extract of whole folders: the same tree of Markdown, and a report."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import Run
from tests.formats.pictures import draw_line
from tests.support.killing import kill_when

from crosshead.formats.scans import engine


@pytest.fixture
def reports(run: Run) -> Path:
    folder = Path("reports")
    (folder / "deep").mkdir(parents=True)
    (folder / "a.html").write_text("<h1>One</h1>")
    (folder / "a.csv").write_text("x,y\n1,2\n")
    (folder / "deep" / "b.adoc").write_text("= Two\n\ninclude::c.adoc[]\n")
    (folder / "app.py").write_text("x = 1\n")
    return folder


def written(folder: str) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in Path(folder).rglob("*") if path.is_file())


def test_folder_becomes_the_same_tree_of_markdown(run: Run, reports: Path) -> None:
    done = run("extract", "reports", "--output", "out")
    assert done.exit_code == 0
    assert done.stdout == "3 documents written to out\n"
    assert done.stderr == "warning: reports/deep/b.adoc: includes are not followed: line 3\n"
    assert written("out") == ["a.csv.md", "a.html.md", "deep/b.md"]
    assert Path("out/a.html.md").read_text() == "# One\n"
    run("extract", "reports", "-o", "out", "--include", "python")
    assert "app.md" in written("out")


def test_report_for_programs_tells_what_failed(run: Run, reports: Path) -> None:
    (reports / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")
    done = run("extract", "reports", "--output", "out", "--json")
    assert done.exit_code == 1
    told = {each["source"]: each for each in map(json.loads, done.stdout.splitlines())}
    assert told["reports/a.csv"] == {"source": "reports/a.csv", "output": "out/a.csv.md", "warnings": [], "error": None}
    assert told["reports/broken.pdf"]["output"] is None
    assert told["reports/broken.pdf"]["error"].startswith("reports/broken.pdf: ")
    assert told["reports/deep/b.adoc"]["warnings"]


def test_single_file_and_parallel_work(run: Run, reports: Path) -> None:
    assert run("extract", "reports/a.html", "--output", "one").stdout == "1 document written to one\n"
    assert written("one") == ["a.md"]
    assert run("extract", "reports", "--output", "out", "--jobs", "2").exit_code == 0
    assert len(written("out")) == 3


def test_output_with_a_suffix_is_a_file(run: Run, reports: Path) -> None:
    assert run("extract", "reports/a.html", "-o", "out.md").stdout == "written to out.md\n"
    assert Path("out.md").read_text() == "# One\n"
    assert run("extract", "-", "--format", "csv", "-o", "out.md", input="x\n1\n").exit_code == 0
    assert Path("out.md").read_text() == "| x |\n| --- |\n| 1 |\n"
    assert json.loads(run("extract", "reports/a.html", "-o", "out.md", "--json").stdout)["output"] == "out.md"
    assert written(".") == ["out.md", "reports/a.csv", "reports/a.html", "reports/app.py", "reports/deep/b.adoc"]
    assert run("extract", "reports/a.html", "-o", "/dev/stdout").exit_code == 0
    assert Path("/dev/stdout").exists()


@pytest.mark.parametrize(
    ("path", "output", "part"),
    [
        ("reports", "out.md", "reports: is a folder; name a folder"),
        ("reports/a.html", "reports/a.html", "reports/a.html: is the document itself"),
        ("reports/a.html", "none/out.md", "none: no such folder; create it first"),
        ("missing.html", "out.md", "missing.html: no such file"),
    ],
)
def test_mistakes_with_a_file_leave_everything_as_it_is(
    run: Run, reports: Path, path: str, output: str, part: str
) -> None:
    before = written(".")
    done = run("extract", path, "-o", output)
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert part in done.stderr
    assert (written("."), (reports / "a.html").read_text()) == (before, "<h1>One</h1>")


def test_nothing_outside_of_the_output_is_touched(run: Run, reports: Path) -> None:
    Path("outside").mkdir()
    Path("kept.md").write_text("mine")
    Path("out").mkdir()
    Path("out/deep").symlink_to(Path("outside").absolute())
    Path("out/a.html.md").symlink_to(Path("kept.md").absolute())
    done = run("extract", "reports", "--output", "out")
    assert "leads out of out" in done.stderr
    assert (done.exit_code, written("outside"), Path("kept.md").read_text()) == (1, [], "mine")


@pytest.mark.parametrize("output", ["reports", "reports/inner"])
def test_output_inside_of_the_folder_is_a_mistake(run: Run, reports: Path, output: str) -> None:
    done = run("extract", "reports", "--output", output)
    assert (done.exit_code, "choose a folder outside" in done.stderr) == (2, True)
    assert "--output DIR" in run("extract", "reports").stderr


def test_reading_is_measured_by_format(run: Run, reports: Path) -> None:
    told = json.loads(run("bench", "extract", "reports", "--rounds", "1", "--json").stdout)
    assert [step["name"] for step in told["steps"]] == ["asciidoc", "csv", "html"]
    assert (told["documents"], "chunks" in told) == (3, False)
    assert "MB per CPU s" in run("bench", "extract", "reports", "--rounds", "1").stdout


def test_format_of_a_document_is_explained(run: Run) -> None:
    Path("guide.txt").write_text("Guide\n=====\n\n.. note:: Take care.\n")
    Path("notes.txt").write_text("Notes\n=====\n\ntext\n")
    explained = run("extract", "guide.txt", "--explain").stderr
    assert explained == "guide.txt: read as rst: 1 directive, 1 underlined title (name says text)\n"
    assert run("extract", "notes.txt", "--explain").stderr == "notes.txt: read as text: its name says so\n"
    given = run("extract", "notes.txt", "--explain", "--format", "md")
    assert given.stderr == "notes.txt: read as markdown: the format that was given\n"
    assert given.stdout == "Notes\n=====\n\ntext\n"


@pytest.mark.skipif(sys.platform == "win32", reason="the program that recognizes text is a shell")
def test_a_killed_command_leaves_nothing_after_the_next_one(run: Run, tmp_path: Path) -> None:
    folder, output, reached = tmp_path / "pictures", tmp_path / "out", tmp_path / "reached"
    folder.mkdir()
    (folder / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    killed = kill_when(
        reached, "extract", str(folder), "-o", str(output), "--ocr", f"sh -c 'touch {reached}; sleep 600'"
    )
    assert [each.name.startswith(f".crosshead-{killed}-") for each in output.iterdir()] == [True]
    assert run("extract", str(folder), "-o", str(output), "--ocr", "echo text").exit_code == 0
    assert [each.name for each in output.iterdir()] == ["picture.md"]


def test_image_is_recognized(run: Run) -> None:
    pytest.importorskip("rapidocr", reason="rapidocr is missing: pip install 'crosshead[ocr]'")
    Path("scan.png").write_bytes(draw_line("Rotate the keys once a year."))
    assert run("extract", "scan.png").stdout == "Rotate the keys once a year.\n"
    assert "use --ocr auto" in run("extract", "scan.png", "--ocr", "never").stderr


@pytest.mark.usefixtures("_in_process")
def test_missing_extra_is_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_MODULES", ("no_such_module",))
    Path("scan.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    done = run("extract", "scan.png")
    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1
    assert "pip install 'crosshead[ocr]'" in done.stderr
