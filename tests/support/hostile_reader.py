"""A format whose documents crash their reader, run for ever, or eat memory."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

import crosshead
from crosshead.formats import registry as formats
from crosshead.options import ExtractOptions

KINDS = ("crash", "hang", "eat")
REASONS = {"crash": "crashed (SIGSEGV)", "hang": "longer than", "eat": "more than 0.6 GB of memory"}
LIMITS = ExtractOptions(max_seconds=8, max_memory=600_000_000)
FLAGS = ("--max-seconds", "8", "--max-memory", "600MB")


def read_hostile(data: bytes, _: ExtractOptions) -> crosshead.Extracted:
    """Do what the document says."""
    match data.decode().strip():
        case "crash":
            os.kill(os.getpid(), signal.SIGSEGV)
        case "hang":
            time.sleep(3600)
        case "eat":
            eaten = []
            while True:
                eaten.append(bytearray(50_000_000))
    return crosshead.Extracted(f"# Peace\n\n{data.decode()}\n")


@pytest.fixture
def _hostile(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the format for one test."""
    for name in ("_FORMATS", "_SUFFIXES", "_ALIASES"):
        monkeypatch.setattr(formats, name, dict(getattr(formats, name)))
    crosshead.register_format(crosshead.Format("hostile", read_hostile, (".hostile",)))


def write_documents(folder: Path) -> None:
    """Write one document of each kind between two that can be read."""
    folder.mkdir(exist_ok=True)
    (folder / "a.md").write_text("# Keys\n\nRotate keys every year.\n")
    (folder / "z.hostile").write_text("Backups run at night.")
    for kind in KINDS:
        (folder / f"{kind}.hostile").write_text(kind)


def check_failures(failed: Mapping[str, str]) -> None:
    """Each of the three fails with its own reason, and nothing else does."""
    reasons = {Path(source).stem: reason for source, reason in failed.items()}
    assert {*reasons} == {*KINDS}
    for kind, reason in reasons.items():
        assert REASONS[kind] in reason
