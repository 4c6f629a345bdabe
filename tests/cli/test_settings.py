"""Flags > environment > crosshead.toml > defaults."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

import pytest
from typer.testing import Result

from crosshead.cli.settings import FileOptions, SettingsFile, environment_name, load_options
from crosshead.errors import OptionsError
from crosshead.options import ChunkOptions, ExtractOptions
from crosshead.runtime.settings_file import parsed_settings

Run = Callable[..., Result]


def write_toml(folder: Path, text: str) -> None:
    (folder / "crosshead.toml").write_text(text)


def test_nothing_set_is_the_defaults() -> None:
    assert load_options(ChunkOptions, dict.fromkeys(field.name for field in fields(ChunkOptions))) == ChunkOptions()


def test_sizes_that_are_not_given_follow_the_maximum() -> None:
    assert load_options(ChunkOptions, {"max_tokens": "200", "target_tokens": None}) == ChunkOptions(max_tokens=200)


def test_precedence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_toml(tmp_path, "[chunk]\nmax_tokens = 100\nstrategy = 'fixed'\noversize = 'split'\nmdx = true\n")
    monkeypatch.setenv("CROSSHEAD_MAX_TOKENS", "200")
    monkeypatch.setenv("CROSSHEAD_STRATEGY", "section")
    options = load_options(ChunkOptions, {"max_tokens": "300"})
    assert options == ChunkOptions(max_tokens=300, strategy="section", oversize="split", mdx=True)


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("max_tokens", "512", 512),
        ("mdx", "true", True),
        ("mdx", "No", False),
        ("mdx", "auto", "auto"),
        ("tokenizer", "estimate:prose", "estimate:prose"),
        ("explain", "on", True),
        ("min_tokens", "", 100),
    ],
)
def test_every_kind_of_value_in_the_environment(
    monkeypatch: pytest.MonkeyPatch, name: str, text: str, value: object
) -> None:
    monkeypatch.setenv(environment_name(name), text)
    assert getattr(load_options(ChunkOptions, {}), name) == value


def test_file_of_a_parent_folder_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_toml(tmp_path, "[chunk]\nmax_tokens = 120\n")
    (tmp_path / "a" / "b").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "a" / "b")
    assert load_options(ChunkOptions, {}).max_tokens == 120


def test_nearest_file_counts_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_toml(tmp_path, "[chunk]\nmax_tokens = 120\n")
    (tmp_path / "a").mkdir()
    write_toml(tmp_path / "a", "[chunk]\nheading_depth = 2\n")
    monkeypatch.chdir(tmp_path / "a")
    assert load_options(ChunkOptions, {}) == ChunkOptions(heading_depth=2)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("[chunk]\nmax_token = 5\n", "did you mean max_tokens"),
        ("[chunks]\nmax_tokens = 5\n", "unknown key 'chunks'"),
        ("max_tokens = 5\n", "unknown key 'max_tokens'"),
        ("chunk = 5\n", "must be a table"),
        ("[chunk\n", "not valid TOML"),
        ("[chunk]\nmax_tokens = 'five'\n", "max_tokens='five' must be a whole number"),
        ("[chunk]\nstrategy = ['auto']\n", "strategy=['auto'] is not one of"),
    ],
)
def test_mistake_in_the_file_names_the_file(run: Run, guide: str, tmp_path: Path, text: str, part: str) -> None:
    write_toml(tmp_path, text)
    with pytest.raises(OptionsError) as caught:
        load_options(ChunkOptions, {})
    assert part in str(caught.value)
    assert str(tmp_path / "crosshead.toml") in str(caught.value)
    result = run("chunk", guide)
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("hiden = true", "did you mean hidden"),
        ("include = 'code'", "include='code' must be a list of names"),
        ("hidden = 'always'", "hidden='always' must be True or False"),
    ],
)
def test_mistake_in_the_files_to_read_names_the_file(
    run: Run, guide: str, tmp_path: Path, text: str, part: str
) -> None:
    write_toml(tmp_path, f"[files]\n{text}\n")
    result = run("chunk", guide)
    assert result.exit_code == 2
    assert part in result.stderr
    assert "crosshead.toml" in result.stderr


def test_files_to_read_are_set_by_file_environment_and_flag(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_toml(tmp_path, "[files]\nhidden = true\ninclude = ['code']\n")
    assert load_options(FileOptions, {}) == FileOptions(include=["code"], hidden=True)
    monkeypatch.setenv("CROSSHEAD_HIDDEN", "no")
    monkeypatch.setenv("CROSSHEAD_INCLUDE", "data, python")
    assert load_options(FileOptions, {"hidden": None}) == FileOptions(include=["data", "python"])
    assert load_options(FileOptions, {"hidden": True, "include": ["image"]}) == FileOptions(["image"], hidden=True)


def test_mistake_in_the_environment_names_the_variable(run: Run, guide: str) -> None:
    result = run("check", guide, env={"CROSSHEAD_MIN_TOKENS": "few"})
    assert result.exit_code == 2
    assert "min_tokens is set in CROSSHEAD_MIN_TOKENS" in result.stderr


def test_flag_that_contradicts_the_file_says_where_the_other_is(run: Run, guide: str, tmp_path: Path) -> None:
    write_toml(tmp_path, "[chunk]\nmax_tokens = 800\ntarget_tokens = 600\n")
    result = run("chunk", guide, "--max-tokens", 300)
    assert result.exit_code == 2
    assert "target_tokens=600 is above max_tokens=300" in result.stderr
    assert "target_tokens is set in" in result.stderr
    assert "max_tokens is set in" not in result.stderr


@pytest.mark.parametrize("command", [["chunk"], ["check"], ["bench", "chunk"]])
def test_settings_reach_every_command_that_cuts(run: Run, guide: str, tmp_path: Path, command: list[str]) -> None:
    write_toml(tmp_path, "[chunk]\nmax_tokens = 0\n")
    result = run(*command, guide)
    assert result.exit_code == 2
    assert "max_tokens=0" in result.stderr


def test_settings_do_not_reach_commands_that_do_not(run: Run, guide: str, tmp_path: Path) -> None:
    write_toml(tmp_path, "[chunk]\nmax_tokens = 0\n")
    assert run("outline", guide).exit_code == 0
    assert run("parse", guide).exit_code == 0


def test_options_of_reading_have_the_same_precedence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_toml(
        tmp_path,
        "[extract]\nmain_content = 'off'\ncomments = true\nbase_url = 'a'\nstyle_map = { HeadA = 1, Code = 'code' }\n",
    )
    assert load_options(ExtractOptions, {}) == ExtractOptions(
        main_content="off", comments=True, base_url="a", style_map={"HeadA": 1, "Code": "code"}
    )
    monkeypatch.setenv("CROSSHEAD_MAIN_CONTENT", "auto")
    monkeypatch.setenv("CROSSHEAD_BASE_URL", "b")
    monkeypatch.setenv("CROSSHEAD_STYLE_MAP", "Head B=2, Code=text")
    flags = {"base_url": "c", "style_map": [], "comments": None, "main_content": None}
    assert load_options(ExtractOptions, flags) == ExtractOptions(
        main_content="auto", comments=True, base_url="c", style_map={"Head B": "2", "Code": "text"}
    )
    assert load_options(ExtractOptions, {"style_map": ["a=b=3"]}).style_map == {"a=b": "3"}


@pytest.mark.parametrize(
    ("flags", "part"),
    [
        (["--style-map", "HeadA"], "'HeadA' is not a style with its meaning"),
        (["--style-map", "=1"], "is not a style with its meaning"),
        (["--style-map", "HeadA=9"], "HeadA=9 means nothing"),
        (["--main-content", "no"], "main_content='no' is not one of auto, off"),
        (["--format", "xyz"], "no reader for the format 'xyz'"),
    ],
)
@pytest.mark.parametrize("command", ["extract", "parse", "outline", "chunk", "check"])
def test_mistake_in_a_flag_of_reading(run: Run, guide: str, command: str, flags: list[str], part: str) -> None:
    result = run(command, guide, *flags)
    assert result.exit_code == 2
    assert part in result.stderr
    assert result.stderr.count("\n") == 1


def test_mistake_in_the_table_of_reading_names_the_file(run: Run, guide: str, tmp_path: Path) -> None:
    write_toml(tmp_path, "[extract]\nmain_content = 'no'\n")
    result = run("outline", guide)
    assert result.exit_code == 2
    assert "main_content is set in" in result.stderr


def test_no_file_may_ask_for_a_program(run: Run, tmp_path: Path) -> None:
    (tmp_path / "crosshead.toml").write_text('[extract]\nocr = "touch found"\n')
    (tmp_path / "a.md").write_text("# A\n")
    result = run("extract", "a.md")
    assert result.exit_code == 2
    assert "ocr must be auto or never here" in result.stderr
    assert "give a command with --ocr or CROSSHEAD_OCR" in result.stderr
    (tmp_path / "crosshead.toml").write_text('[extract]\nocr = "never"\n')
    assert run("extract", "a.md").stdout == "# A\n"


def test_file_is_read_once_per_command(run: Run, guide: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[str] = []
    loads = tomllib.loads
    write_toml(tmp_path, "[chunk]\nmax_tokens = 300\n[extract]\ncomments = true\n")
    monkeypatch.setattr(tomllib, "loads", lambda text: parsed.append(text) or loads(text))
    for command in (["chunk"], ["check"], ["index"]):
        parsed.clear()
        parsed_settings.cache_clear()
        assert run(*command, guide).exit_code == 0
        assert len(parsed) == 1, command
    parsed.clear()
    assert run("status").exit_code == 0
    assert parsed == []


def test_file_that_is_not_there_sets_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert SettingsFile().settings("chunk") == {}
