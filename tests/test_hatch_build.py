"""What is done when a wheel, an archive of the source or an editable installation is made."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import hatch_build
import pytest
from hatch_build import COMPILE, COMPILER, FILES, FOLDER, BuildHook

ROOT = Path(__file__).parents[1]


def make_hook(root: Path, target: str = "wheel") -> BuildHook:
    nothing: Any = None
    return BuildHook(str(root), {}, nothing, nothing, "", target)


def test_table_is_copied_once(tmp_path: Path) -> None:
    hook = make_hook(tmp_path)
    assert hook.dependencies() == ["wordllama==0.2.2.post0"]
    hook.initialize("standard", {})
    assert hook.dependencies() == []
    found = {path.name: path.read_bytes() for path in (tmp_path / FOLDER).iterdir()}
    assert found == {name: (ROOT / FOLDER / name).read_bytes() for name in FILES}


def test_another_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hatch_build, "FILES", {"LICENSE": ("wordllama/__init__.py", "0" * 64)})
    with pytest.raises(ValueError, match=r"wordllama/__init__\.py is not the file it should be"):
        make_hook(tmp_path).initialize("standard", {})
    assert not (tmp_path / FOLDER).exists()


def test_constraints_name_the_same_release(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(COMPILE, "1")
    dependencies = [each.replace("[mypyc]", "") for each in make_hook(ROOT / "nowhere").dependencies()]
    assert len(dependencies) == 2
    assert set(dependencies) <= set((ROOT / "constraints.txt").read_text().split())


def test_only_a_wheel_is_compiled_and_only_if_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    assert make_hook(ROOT).dependencies() == []
    monkeypatch.setenv(COMPILE, "1")
    assert make_hook(ROOT).dependencies() == [COMPILER]
    assert make_hook(ROOT, "sdist").dependencies() == []
    build_data: dict[str, Any] = {}
    make_hook(ROOT).initialize("editable", build_data)
    assert build_data == {}
