"""What is handed out, built from this checkout, and fresh environments that have it, all without a network."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import tomllib
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
WHEELS = ROOT / ".venv/wheels"
"""What an installation needs; `make test` fetches it."""

PIP = [sys.executable, "-m", "pip", "--isolated", "--disable-pip-version-check"]
OFFLINE = ["--no-index", "--find-links", str(WHEELS), "--constraint", str(ROOT / "constraints.txt")]
DISTRIBUTIONS = """
import json
from importlib.metadata import distributions
print(json.dumps({each.name: each.version for each in distributions()}))
"""


def run(command: list[object], **options: object) -> subprocess.CompletedProcess[str]:
    """Run a command with none of the settings of whoever runs the tests."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("CROSSHEAD_", "PYTHON", "PIP_"))}
    environment = {**kept, "PYTHONUTF8": "1", "NO_COLOR": "1", **options.pop("env", {})}  # type: ignore[dict-item]
    return subprocess.run(  # type: ignore[call-overload, no-any-return]
        [*map(str, command)], env=environment, capture_output=True, encoding="utf-8", check=False, **options
    )


def succeed(command: list[object], **options: object) -> str:
    ended = run(command, **options)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def files_of_the_package() -> set[str]:
    """Return the files below `src`, by their paths in a wheel."""
    paths = (path for path in (ROOT / "src/crosshead").rglob("*") if path.is_file())
    return {path.relative_to(ROOT / "src").as_posix() for path in paths if "__pycache__" not in path.parts}


@dataclass(frozen=True)
class Environment:
    """A virtual environment, and a folder to work in."""

    folder: Path
    home: Path

    @property
    def programs(self) -> Path:
        return self.folder / ("Scripts" if os.name == "nt" else "bin")

    def install(self, *what: object) -> None:
        """Make the environment, and install packages into it."""
        venv.create(self.folder, symlinks=os.name != "nt")
        succeed([*PIP, "--python", self.folder, "install", "-qq", "--no-compile", *OFFLINE, *what])

    def crosshead(self, *args: object) -> subprocess.CompletedProcess[str]:
        """Run the command that was installed."""
        return run([self.programs / "crosshead", *args], cwd=self.home, env={"CROSSHEAD_CACHE": str(self.home)})

    def python(self, program: str, *args: object) -> str:
        """Run a program with what is installed and nothing else, and return what it prints."""
        command = [self.programs / "python", "-I", "-c", program, *args]
        return succeed(command, cwd=self.home, env={"CROSSHEAD_CACHE": str(self.home)})

    def versions(self) -> dict[str, str]:
        """What is installed: names as indexes write them, with versions."""
        return {canonicalize_name(name): version for name, version in json.loads(self.python(DISTRIBUTIONS)).items()}


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist and the wheel, as the build system that the project names makes them of the checkout."""
    if not WHEELS.is_dir():
        pytest.skip("no packages to install from; `make test` fetches them")
    return build(tmp_path_factory.mktemp("built"), ["hatchling"])


def build(folder: Path, requirements: list[str], *args: object, **environment: str) -> Path:
    """Build what is handed out into a folder, in an environment with these packages."""
    builder = Environment(folder / "builder", folder)
    builder.install(*requirements)
    succeed([builder.programs / "python", "-m", "hatchling", "build", "-d", folder, *args], cwd=ROOT, env=environment)
    return folder


@pytest.fixture(scope="session")
def sdist(built: Path) -> Path:
    (path,) = built.glob("*.tar.gz")
    return path


@pytest.fixture(scope="session")
def wheel(built: Path) -> Path:
    (path,) = built.glob("*.whl")
    return path


@pytest.fixture(scope="session")
def base(wheel: Path) -> Iterator[Environment]:
    """An environment with `pip install crosshead`."""
    with fresh_environment(wheel) as environment:
        yield environment


@pytest.fixture(scope="session")
def index(wheel: Path) -> Iterator[Environment]:
    """An environment with `pip install 'crosshead[index]'`."""
    with fresh_environment(f"{wheel}[index]") as environment:
        yield environment


@contextmanager
def fresh_environment(what: object) -> Iterator[Environment]:
    """Install something into an environment that is removed at once, because pytest would keep its own folders."""
    with tempfile.TemporaryDirectory(prefix="crosshead-", ignore_cleanup_errors=True) as folder:
        environment = Environment(Path(folder, "environment"), Path(folder))
        environment.install(what)
        yield environment
