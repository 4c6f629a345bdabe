"""A citation is an address: what a command prints can be shown and opened again."""

from __future__ import annotations

import json
import os
import shlex
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import Run
from tests.formats.office.xlsx_files import sheet
from tests.formats.pdf.building import build

from crosshead.citation import Citation, cites
from crosshead.cli.citations.addresses import FileOfSource
from crosshead.cli.citations.hyperlinks import link, supports_links
from crosshead.cli.citations.opening import EDITORS, editor_command, viewer_command
from crosshead.formats import BUILT_IN

ODD_NAMES = ("a:3.md", "two words.md", "#1 [draft] (final).md", "отчёт.md", "報告 p. 3.md", "it's 100% ok.md")
GUIDE = "# Guide\n\nIntro.\n\n## Rotate keys\n\nRotate the keys every ninety days.\n\n## Vacation\n\nTwenty days.\n"


@pytest.fixture
def _index(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """An index of documents with odd names in the working folder, and a cache of its own."""
    monkeypatch.setenv("CROSSHEAD_CACHE", str(tmp_path_factory.mktemp("cache")))
    Path("docs").mkdir()
    for name in ODD_NAMES:
        Path("docs", name).write_text(GUIDE, encoding="utf-8")
    Path("prices.xlsx").write_bytes(
        sheet(["item", "price"], *([f"gadget {at}", at] for at in range(200)), name="My list")
    )
    Path("talk.srt").write_text("1\n00:12:30,000 --> 00:12:39,000\nWe speak about pelicans.\n", encoding="utf-8")
    assert run("index", ".").exit_code == 0


@pytest.mark.usefixtures("_index")
class TestShow:
    def test_every_printed_citation_can_be_shown(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        for folder in (".", "docs"):
            monkeypatch.chdir(folder)
            for query in ("rotate keys", "gadget price", "pelicans"):
                lines = run("search", query, "-k", "20", "--all").stdout.splitlines()
                citations = [line[4:] for line in lines if line[:3].strip().isdigit()]
                hits = [json.loads(line) for line in run("search", query, "-k", "20", "--json").stdout.splitlines()]
                assert len(citations) == len(hits) > 0
                for citation, hit in zip(citations, hits, strict=True):
                    shown = run("show", *citation.split(" "))
                    assert shown.exit_code == 0, shown.stderr
                    last = [line for line in hit["content"].splitlines() if line.strip()][-1]
                    assert last in shown.stdout, citation

    def test_lines_of_a_file_are_shown_as_they_are(self, run: Run) -> None:
        shown = run("show", "docs/a:3.md:5-7")
        assert shown.stdout == (
            "docs/a:3.md:5-7 (Guide > Rotate keys)\n\n## Rotate keys\n\nRotate the keys every ninety days.\n"
        )
        assert run("show", "docs/a:3.md").stdout.endswith("\n\n" + GUIDE)
        passage = json.loads(run("show", "docs/a:3.md:7", "--json").stdout)
        assert (passage["start_line"], passage["content"]) == (7, "Rotate the keys every ninety days.")
        assert passage["chunk_ids"]
        assert "Twenty" not in run("show", "docs/a:3.md:7", "--parent").stdout
        assert run("show", "docs/a:3.md:7", "--parent").stdout.startswith("docs/a:3.md:5-7 (Guide > Rotate keys)")

    def test_cells_and_times(self, run: Run) -> None:
        cells = run("show", "prices.xlsx 'My list'!A42:B43").stdout
        assert [line for line in cells.splitlines() if "gadget" in line] == ["| gadget 40 | 40 |", "| gadget 41 | 41 |"]
        assert "pelicans" in run("show", "talk.srt", "00:12:30").stdout

    def test_boxes_of_a_page(self, run: Run) -> None:
        Path("docs/report.pdf").write_bytes(build(lambda sheet: sheet.line("The turbine was inspected in the spring.")))
        assert run("index", "docs").exit_code == 0
        shown = run("show", "docs/report.pdf", "p.", "1", "--boxes")
        assert shown.stdout.splitlines()[:2] == [
            "docs/report.pdf p. 1",
            "    page 1, 595 x 842 points",
        ]
        assert len(shown.stdout.splitlines()) == 4
        located = json.loads(run("show", "docs/report.pdf", "--boxes", "--json").stdout)["location"]
        assert located["share"] == 1
        (page,) = located["pages"]
        assert [round(page["boxes"][0][name]) for name in ("left", "height")] == [72, 12]
        refused = run("show", "docs/a:3.md:7", "--boxes")
        assert (refused.exit_code, refused.stderr) == (
            2,
            "error: docs/a:3.md: markdown documents have no pages: read the text instead\n",
        )

    def test_a_position_that_is_not_there_is_an_error_of_one_line(self, run: Run) -> None:
        for address, missing in (
            ("docs/a:3.md:99", "line 99"),
            ("prices.xlsx p. 2", "p. 2"),
            ("talk.srt (X)", "section X"),
        ):
            result = run("show", address)
            assert result.exit_code == 2
            assert result.stderr.count("\n") == 1
            assert f"is in the index, but has no {missing}" in result.stderr

    def test_a_file_outside_the_index(self, run: Run) -> None:
        Path("new.md").write_text("# New\n\nfresh text\n", encoding="utf-8")
        result = run("show", "new.md:3")
        assert result.stdout == "new.md:3 (New)\n\nfresh text\n"
        assert "new.md is not in the index .crosshead" in result.stderr
        assert "new.md has no line 9" in run("show", "new.md:9").stderr
        assert "nothing found at none.md" in run("show", "none.md").stderr
        Path(".crosshead").rename("elsewhere")
        assert run("show", "new.md:3").stdout == "new.md:3 (New)\n\nfresh text\n"

    def test_the_beginning_of_an_id_is_enough(self, run: Run) -> None:
        hits = [json.loads(line) for line in run("search", "keys", "-k", "6", "--json").stdout.splitlines()]
        for id in [hit["chunk"]["id"] for hit in hits] + [hit["section_id"] for hit in hits]:
            whole = run("show", id).stdout
            assert whole
            assert run("show", id[:15]).stdout == whole

    def test_ids_with_the_same_beginning_are_listed(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        hits = [json.loads(line) for line in run("search", "keys", "-k", "2", "--json").stdout.splitlines()]
        known = [hit["chunk"]["id"] for hit in hits]
        monkeypatch.setattr("crosshead.index.Index.ids", lambda *_: known)
        result = run("show", "abcd")
        assert result.exit_code == 2
        assert result.stderr.count("\n") == 1
        assert all(f"{hit['chunk']['id']} ({hit['chunk']['citation']})" in result.stderr for hit in hits)


@pytest.mark.usefixtures("_index")
class TestLastSearch:
    def test_a_number_is_a_hit(self, run: Run) -> None:
        assert "no search to take hits from" in run("show", "1").stderr
        hits = [json.loads(line) for line in run("search", "rotate keys", "-k", "3", "--json").stdout.splitlines()]
        for rank, hit in enumerate(hits, 1):
            shown = json.loads(run("show", str(rank), "--json").stdout)
            assert (shown["source"], shown["content"]) == (hit["source"], hit["content"])
        assert "there is no hit 4: the last search had 3 hits" in run("show", "4").stderr
        run("search", "pelicans", "-k", "1", "--passages")
        assert "pelicans" in run("show", "1").stdout
        assert "## Guide" not in run("show", "1", "--parent").stdout

    def test_a_hit_that_has_changed_since(self, run: Run) -> None:
        run("search", "rotate keys", "-k", "1")
        source = json.loads(run("show", "1", "--json").stdout)["source"]
        Path(source).write_text(GUIDE.replace("ninety", "thirty"), encoding="utf-8")
        run("index", ".")
        assert "has changed since the search: search again" in run("show", "1").stderr

    def test_a_hit_of_a_search_in_a_folder_below(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir("docs")
        run("search", "rotate keys")
        monkeypatch.chdir("..")
        assert "ninety days" in run("show", "1").stdout

    def test_a_hit_of_another_index(self, run: Run) -> None:
        run("search", "rotate keys", "-k", "1")
        other = run("index", "talk.srt", "--index", "other", "--root", ".")
        assert other.exit_code == 0, other.stderr
        assert "in another index: add --index" in run("show", "1", "--index", "other").stderr

    def test_a_search_does_not_need_the_cache(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        Path("file").touch()
        monkeypatch.setenv("CROSSHEAD_CACHE", str(Path("file").absolute()))
        assert run("search", "pelicans").exit_code == 0


@pytest.mark.usefixtures("_index")
def test_two_terminals_keep_their_searches(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    sessions = {"first": "pelicans", "second": "rotate keys"}
    numbers = {name: 1_000_000 + at for at, name in enumerate(sessions)}
    for name, query in sessions.items():
        monkeypatch.setattr(os, "getsid", lambda _, name=name: numbers[name], raising=False)
        assert run("search", query, "-k", "1").exit_code == 0
    monkeypatch.setattr(os, "getsid", lambda _: numbers["first"], raising=False)
    assert "pelicans" in run("show", "1").stdout
    monkeypatch.setattr(os, "getsid", lambda _: 2_000_000, raising=False)
    assert "Rotate" in run("show", "1").stdout, "a new terminal knows the last search of the folder"


@pytest.mark.usefixtures("_index")
class TestOpen:
    def test_the_editor_gets_line_and_path_without_a_shell(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        script, log = Path("vim"), Path("log").absolute()
        script.write_text(
            f"#!{sys.executable}\nimport json, sys\nopen({str(log)!r}, 'w').write(json.dumps(sys.argv[1:]))\n"
        )
        script.chmod(0o755)
        monkeypatch.setenv("VISUAL", f"{shlex.quote(str(script.absolute()))} '--flag of mine; touch hacked'")
        result = run("search", "twenty", "-k", "6", "--source", "docs/#1*", "--open", "1")
        assert result.exit_code == 0, result.stderr
        path = str(Path("docs/#1 [draft] (final).md").absolute())
        assert json.loads(log.read_text()) == ["--flag of mine; touch hacked", "+9", path]
        assert not Path("hacked").exists()

    def test_without_an_editor_the_message_says_what_to_do(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in ("VISUAL", "EDITOR", "DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"):
            monkeypatch.delenv(name, raising=False)
        result = run("search", "twenty", "-k", "1", "--open", "1")
        assert result.exit_code == 2
        assert "set VISUAL or EDITOR to open" in result.stderr
        assert "--open 9" in run("search", "twenty", "-k", "1", "--open", "9").stderr
        monkeypatch.setenv("EDITOR", "no-such-editor --wait")
        assert "no-such-editor is not installed" in run("search", "twenty", "-k", "1", "--open", "1").stderr
        monkeypatch.setenv("EDITOR", "unbalanced '")
        assert "is not a command" in run("search", "twenty", "-k", "1", "--open", "1").stderr


@pytest.mark.parametrize(
    ("editor", "command"),
    [
        ("vi", ["vi", "+8", "/a b.md"]),
        ("/usr/bin/nano -w", ["/usr/bin/nano", "-w", "+8", "/a b.md"]),
        ("emacs -nw", ["emacs", "-nw", "+8", "/a b.md"]),
        ("code --wait", ["code", "--wait", "--goto", "/a b.md:8"]),
        ("subl", ["subl", "/a b.md:8"]),
        ("hx", ["hx", "/a b.md:8"]),
        ("unknown", ["unknown", "/a b.md"]),
        ("", []),
    ],
)
def test_editors_take_a_line(editor: str, command: list[str]) -> None:
    assert editor_command("/a b.md", 8, {"EDITOR": editor}) == command
    assert (
        editor_command("/a b.md", 8, {"EDITOR": "other", "VISUAL": editor or "other"})[0] == (command or ["other"])[0]
    )
    assert all(any("{path}" in part for part in arguments) for arguments in EDITORS.values())


def test_viewers_take_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: name)
    assert viewer_command("/a #b.pdf", 39, "org.kde.okular.desktop") == ["okular", "--page", "39", "/a #b.pdf"]
    assert viewer_command("/a #b.pdf", 39, "firefox_firefox.desktop") == ["firefox", "file:///a%20%23b.pdf#page=39"]
    assert viewer_command("/a.pdf", 39, "unknown.desktop") == []


class TestPaths:
    def test_paths_are_relative_to_the_working_folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "docs/deep").mkdir(parents=True)
        (tmp_path / "docs/guide.md").touch()
        files = FileOfSource(tmp_path)
        for folder, shown in ((".", "docs/guide.md"), ("docs", "guide.md"), ("docs/deep", "../guide.md")):
            monkeypatch.chdir(tmp_path / folder)
            assert files.cite("docs/guide.md", "docs/guide.md:8") == f"{Path(shown)}:8"
        monkeypatch.chdir("/")
        assert files.shown("docs/guide.md").endswith("docs/guide.md")

    def test_what_has_no_file_keeps_its_source(self, tmp_path: Path) -> None:
        files = FileOfSource(tmp_path)
        assert files.cite("a text", "a text:3") == "a text:3"
        assert files.cite("guide.adoc", "part.adoc:3") == "part.adoc:3"


class TestLinks:
    @pytest.mark.parametrize(
        ("environment", "expected"),
        [
            ({}, False),
            ({"TERM": "xterm-256color"}, False),
            ({"TERM": "dumb", "WT_SESSION": "1"}, False),
            ({"TERM": "screen", "VTE_VERSION": "7000"}, False),
            ({"VTE_VERSION": "4900"}, False),
            ({"VTE_VERSION": "5000"}, True),
            ({"TERM_PROGRAM": "vscode"}, True),
            ({"TERM": "xterm-kitty"}, True),
        ],
    )
    def test_terminals_with_links(self, environment: dict[str, str], expected: bool) -> None:
        assert supports_links(environment) is expected

    def test_no_name_can_end_a_link(self) -> None:
        path = str(Path("/odd\x1b\\name #1.md"))
        assert link("text", path).count("\x1b") == 4

    @pytest.mark.usefixtures("_index")
    def test_links_only_if_wanted(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        assert "\x1b]8" not in run("search", "pelicans").stdout
        linked = run("search", "pelicans", "--hyperlink", "always").stdout
        assert f"\x1b]8;;{Path('talk.srt').absolute().as_uri()}\x1b\\talk.srt 00:12:30" in linked
        monkeypatch.setenv("CROSSHEAD_HYPERLINK", "always")
        assert "\x1b]8" in run("show", "talk.srt").stdout
        assert "\x1b]8" not in run("search", "pelicans", "--hyperlink", "never").stdout
        assert "--hyperlink" in run("search", "pelicans", "--hyperlink", "maybe").stderr


def test_formats_have_a_unit_that_can_be_cited() -> None:
    assert {cites(each.name) for each in BUILT_IN} == {"file", "marks", "times", "cells", "slides", None}
    assert str(Citation("a.md", "lines", 3, 3)) == "a.md:3"
