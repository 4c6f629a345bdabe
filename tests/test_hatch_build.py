"""What is done when a wheel, an archive of the source or an editable installation is made."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import hatch_build
import pytest
from hatch_build import FILES, FOLDER, TableHook

ROOT = Path(__file__).parents[1]


def make_hook(root: Path) -> TableHook:
    nothing: Any = None
    return TableHook(str(root), {}, nothing, nothing, "", "wheel")


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


def test_constraints_name_the_same_release() -> None:
    assert make_hook(ROOT / "nowhere").dependencies()[0] in (ROOT / "constraints.txt").read_text().split()
