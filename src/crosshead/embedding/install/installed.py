"""An installed model: a folder with its files and a manifest of their checksums.

The files are written into a temporary folder, which is then renamed: a model is installed completely or not at all.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import file_digest
from pathlib import Path
from typing import Any, Final

from crosshead.errors import EmbedError
from crosshead.runtime.scratch import scratch_folder

MANIFEST_NAME: Final = "manifest.json"
"""Written last; a folder without it is not a complete model."""

Report = Callable[[str], None]
"""Called with each step of an installation."""


def is_installed(folder: Path) -> bool:
    """Is a complete model in this folder? Its files are not verified."""
    return (folder / MANIFEST_NAME).is_file()


@contextmanager
def writing(folder: Path, facts: Mapping[str, str]) -> Iterator[Path]:
    """Yield a folder for the files of a model, and move it into place at the end; `facts` go into the manifest."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with scratch_folder(folder.parent, hidden=True) as scratch:
            unfinished = scratch / "unfinished"
            unfinished.mkdir()
            yield unfinished
            _write_manifest(unfinished, facts)
            _put_in_place(unfinished, folder)
    except OSError as error:
        raise EmbedError(
            f"{folder}: the model could not be written ({error.strerror or error}): "
            "make room there, or name another folder in CROSSHEAD_CACHE"
        ) from error


def _write_manifest(folder: Path, facts: Mapping[str, str]) -> None:
    sums = {path.name: _sha256(path) for path in sorted(folder.iterdir())}
    (folder / MANIFEST_NAME).write_text(json.dumps({**facts, "sha256": sums}, indent=2), encoding="utf-8")


def _put_in_place(unfinished: Path, folder: Path) -> None:
    """Move a folder into place; a broken model there is moved away first, because a folder cannot replace another."""
    unfinished.chmod(0o755)
    if not folder.exists():
        with suppress(OSError):  # another process may have been faster
            unfinished.rename(folder)
            return
    folder.rename(unfinished.with_name("broken"))
    unfinished.rename(folder)


def read_manifest(folder: Path, install_command: str) -> dict[str, Any]:
    """Return the manifest of an installed model."""
    if not is_installed(folder):
        raise EmbedError(f"the model is not installed: {install_command}")
    try:
        manifest = json.loads((folder / MANIFEST_NAME).read_text(encoding="utf-8"))
        if not isinstance(manifest["revision"], str):
            raise TypeError("revision")
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise EmbedError(f"{folder / MANIFEST_NAME} is broken; repair it: {install_command}") from error
    return dict(manifest)


def is_intact(folder: Path) -> bool:
    """Do all files still have the checksums they were written with?"""
    try:
        sums = read_manifest(folder, "")["sha256"]
        return bool(sums) and all(_sha256(folder / name) == value for name, value in sums.items())
    except (OSError, EmbedError, KeyError, TypeError, AttributeError):
        return False


def bytes_used(folder: Path) -> int:
    """Return the size of a model in bytes."""
    return sum(path.stat().st_size for path in folder.iterdir())


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()
