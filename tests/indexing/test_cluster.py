"""What Ray raises, and what is said about it."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
import ray

from crosshead.errors import IngestError, OptionsError
from crosshead.indexing.engines import cluster

TIMED_OUT = "The current node timed out during startup. This could happen because the GCS has become overloaded."


class Failing:
    """Ray as it does not start: this is a bare exception there."""

    def init(self, *_: Any, **__: Any) -> None:
        raise Exception(TIMED_OUT)


@pytest.mark.parametrize(("address", "told"), [("local", "free memory, cores"), ("auto", "`ray start --head` starts")])
def test_whatever_keeps_ray_from_starting_says_what_to_do(
    address: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAY_gcs_server_port_wait_time_s", "1")
    with (
        pytest.raises(IngestError, match=f"^Ray at {address}: {TIMED_OUT[:-1]}: .*{told}.* --engine local$"),
        cluster.connected(Failing(), address, None, ""),
    ):
        pass


@pytest.mark.parametrize(
    "raised",
    [
        ray.exceptions.GetTimeoutError("line\nlast line."),
        ray.exceptions.RaySystemError("last line"),
        ConnectionError("last line"),
        RuntimeError("first\nlast line"),
        Exception("last line"),
    ],
)
def test_whatever_ray_raises_is_one_line(raised: Exception) -> None:
    with (
        pytest.raises(IngestError, match=r"^Ray at auto: [^\n]*last line: `ray status` [^\n]*$"),
        cluster.mapped("auto"),
    ):
        raise raised


def test_errors_of_crosshead_stay_as_they_are() -> None:
    with pytest.raises(OptionsError, match=r"^as it is$"), cluster.mapped("auto"):
        raise OptionsError("as it is")


def test_the_folder_of_a_cluster_has_a_short_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RAY_TMPDIR", raising=False)
    monkeypatch.setattr(tempfile, "tempdir", "/var/tmp")
    assert cluster.cluster_parent() == Path("/var/tmp").absolute()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "deep" / "down"))
    assert cluster.cluster_parent() == Path("/tmp")
    monkeypatch.setenv("RAY_TMPDIR", "/short")
    assert cluster.cluster_parent() == Path("/short").absolute()
