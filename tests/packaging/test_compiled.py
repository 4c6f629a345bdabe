"""A wheel with compiled modules does what the pure wheel does, with them."""

from __future__ import annotations

import shutil
import sys
import sysconfig
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hatch_build import COMPILE, COMPILED, COMPILER
from tests.packaging.conftest import ROOT, WHEELS, Environment, build, files_of_the_package, fresh_environment

DOCS = ROOT / "examples/docs"
MODULES = sorted(f"{room}.{name}" for room, names in COMPILED.items() for name in names)
SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")
IMPORTED = f"""
import sys
import crosshead
crosshead.chunk("# A")
modules = {{name: module.__file__ for name, module in sys.modules.items() if name.startswith("crosshead.")}}
print(*sorted(name.removeprefix("crosshead.") for name, path in modules.items() if path.endswith("{SUFFIX}")))
"""
HELP = """
import pydoc
import crosshead
for name in crosshead.__all__:
    print(pydoc.plain(pydoc.render_doc(getattr(crosshead, name))))
"""


def has_compiler() -> bool:
    """Return whether extension modules of this Python can be built here; on Windows, nothing says so."""
    compiler = (sysconfig.get_config_var("CC") or "").split()
    return bool(compiler and shutil.which(compiler[0]) and Path(sysconfig.get_path("include"), "Python.h").is_file())


@pytest.fixture(scope="module")
def compiled_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not has_compiler():
        pytest.skip("no C compiler, or no headers of Python")
    if not any(WHEELS.glob("mypy-*.whl")):
        pytest.skip("no compiler of modules to install; `make test` fetches it")
    folder = build(tmp_path_factory.mktemp("compiled"), ["hatchling", COMPILER], "-t", "wheel", **{COMPILE: "1"})
    (path,) = folder.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def compiled(compiled_wheel: Path) -> Iterator[Environment]:
    with fresh_environment(compiled_wheel) as environment:
        yield environment


def test_compiled_wheel_holds_the_sources_and_extension_modules(compiled_wheel: Path) -> None:
    assert f"cp{sys.version_info.major}{sys.version_info.minor}" in compiled_wheel.name
    names = {name for name in zipfile.ZipFile(compiled_wheel).namelist() if ".dist-info/" not in name}
    added = names - files_of_the_package()
    assert names > files_of_the_package()
    (shared,) = [name for name in added if "/" not in name]
    assert shared.endswith(f"__mypyc{SUFFIX}")
    assert added - {shared} == {f"crosshead/{name.replace('.', '/')}{SUFFIX}" for name in MODULES}


def test_installed_wheel_uses_extension_modules(base: Environment, compiled: Environment) -> None:
    assert compiled.python(IMPORTED).split() == MODULES
    assert base.python(IMPORTED).split() == []


def test_help_is_the_same(base: Environment, compiled: Environment) -> None:
    assert "parse_blocks(text: str, mdx: bool = False)" in base.python(HELP)
    assert compiled.python(HELP) == base.python(HELP)


@pytest.mark.parametrize("options", [[], ["--max-tokens", 64, "--oversize", "split", "--explain"]])
def test_chunks_and_checks_are_the_same(base: Environment, compiled: Environment, options: list[object]) -> None:
    for command in (["chunk", DOCS, "--json", *options], ["check", DOCS, "--json"], ["outline", DOCS]):
        pure, other = (environment.crosshead(*command) for environment in (base, compiled))
        assert pure.stdout
        assert (other.returncode, other.stdout, other.stderr) == (pure.returncode, pure.stdout, pure.stderr)
