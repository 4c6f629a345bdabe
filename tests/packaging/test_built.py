"""The sdist and the wheel hold what they should and nothing else."""

from __future__ import annotations

import tarfile
import zipfile
from email.message import Message
from email.parser import Parser
from pathlib import Path

import pytest
from tests.packaging.conftest import OFFLINE, PIP, PROJECT, ROOT, files_of_the_package, succeed

SHIPPED_SUFFIXES = {".css", ".html", ".js", ".onnx", ".py", ".svg", ".typed"}
TABLE = {f"crosshead/embedding/table/{name}" for name in ("LICENSE", "tokenizer.json", "vectors.safetensors")}
BESIDE_THE_PACKAGE = {
    ".gitignore", "CHANGELOG.md", "LICENSE", "PKG-INFO", "README.md", "hatch_build.py", "pyproject.toml",
}  # fmt: skip


@pytest.fixture
def metadata(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        return Parser().parsestr(archive.read(name).decode())


def test_wheel_holds_the_package_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    package = {name for name in names if ".dist-info/" not in name}
    assert package == files_of_the_package()
    assert package > TABLE
    assert {Path(name).suffix for name in package - TABLE} == SHIPPED_SUFFIXES
    assert sum(name.endswith(".dist-info/licenses/LICENSE") for name in names) == 1


def test_sdist_holds_what_a_wheel_is_built_from_and_nothing_else(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert names == BESIDE_THE_PACKAGE | {f"src/{name}" for name in files_of_the_package()}


def test_wheel_of_the_sdist_is_the_wheel_of_the_checkout(sdist: Path, wheel: Path, tmp_path: Path) -> None:
    """It is built in an environment with what `build-system` declares and nothing else."""
    succeed([*PIP, "wheel", "-qq", "--no-deps", *OFFLINE, "--wheel-dir", tmp_path, sdist])
    (again,) = tmp_path.glob("*.whl")
    assert again.name == wheel.name
    assert contents(again) == contents(wheel)


def contents(wheel: Path) -> dict[str, int]:
    return {each.filename: each.CRC for each in zipfile.ZipFile(wheel).infolist()}


def test_metadata_is_complete(metadata: Message) -> None:
    assert (metadata["Name"], metadata["Version"]) == (PROJECT["name"], PROJECT["version"])
    assert (metadata["Summary"], metadata["Requires-Python"]) == (PROJECT["description"], PROJECT["requires-python"])
    assert (metadata["License-Expression"], metadata["License-File"]) == ("Apache-2.0 AND MIT", "LICENSE")
    assert metadata["Description-Content-Type"] == "text/markdown"
    assert metadata.get_payload() == (ROOT / "README.md").read_text("utf-8")
    assert set(metadata.get_all("Provides-Extra", [])) == set(PROJECT["optional-dependencies"])
    assert "Typing :: Typed" in metadata.get_all("Classifier", [])
