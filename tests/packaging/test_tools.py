"""The wheel works with the tools that people install commands with."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.packaging.conftest import OFFLINE, ROOT, WHEELS, succeed

DOCS = ROOT / "examples/docs"
PASSED = "passed: every guarantee holds"


def test_pipx_installs_the_command(wheel: Path, tmp_path: Path) -> None:
    places = {f"PIPX_{name}": str(tmp_path / name) for name in ("HOME", "BIN_DIR", "MAN_DIR")}
    where = {**places, "PIPX_DEFAULT_BACKEND": "uv", "UV_CACHE_DIR": str(tmp_path / "cache")}
    succeed([sys.executable, "-m", "pipx", "install", f"--pip-args={' '.join(OFFLINE)}", wheel], env=where)
    assert PASSED in succeed([tmp_path / "BIN_DIR/crosshead", "check", DOCS])


def test_uvx_runs_the_command(wheel: Path, tmp_path: Path) -> None:
    uvx = [sys.executable, "-m", "uv", "tool", "run", "--offline", "--no-index", "--find-links", WHEELS]
    told = succeed([*uvx, "--from", wheel, "crosshead", "check", DOCS], env={"UV_CACHE_DIR": str(tmp_path)})
    assert PASSED in told
