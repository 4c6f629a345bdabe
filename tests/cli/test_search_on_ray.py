"""crosshead search and serve with --engine ray: two processes of their own, and a cluster that is lost."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from tests.support.ray_clusters import MARKS, made_cluster, write

from crosshead import Index

PROGRAM = [sys.executable, "-m", "crosshead"]

pytestmark = MARKS


@pytest.fixture
def location(tmp_path: Path) -> str:
    (tmp_path / "docs").mkdir()
    for number in range(8):
        write(tmp_path / "docs", number)
    Index.add_to_parts(tmp_path / "index", tmp_path / "docs", parts=2, embedder="static")
    return str(tmp_path / "index")


@contextmanager
def served(*flags: str) -> Iterator[str]:
    """Yield the address of a server."""
    arguments = [*PROGRAM, "serve", "--port", "0", *flags]
    with subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr
        try:
            found = (re.search(r"Crosshead is at (\S+)", line) for line in iter(process.stderr.readline, ""))
            yield next(filter(None, found))[1]
        finally:
            process.kill()


def test_a_search_on_a_temporary_cluster_is_that_of_this_machine(location: str) -> None:
    arguments = [*PROGRAM, "search", "part 2 of 3", "--index", location, "--json"]
    near = subprocess.run(arguments, capture_output=True, text=True, check=True)
    environment = {**os.environ, "RAY_ADDRESS": ""}
    far = subprocess.run([*arguments, "--engine", "ray"], check=False, capture_output=True, text=True, env=environment)
    assert (far.returncode, far.stdout) == (0, near.stdout), far.stderr
    assert [json.loads(line)["source"] for line in near.stdout.splitlines()]


def test_an_unknown_engine_is_an_error_of_one_line(location: str) -> None:
    arguments = [*PROGRAM, "search", "part", "--index", location, "--engine", "spark"]
    found = subprocess.run(arguments, check=False, capture_output=True, text=True)
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr == "error: engine='spark' is not one of local, ray\n"


def test_a_server_answers_from_a_cluster_and_survives_its_loss(location: str) -> None:
    with made_cluster(1) as cluster:
        cluster.add_node(num_cpus=1, node_ip_address="127.0.0.3")
        flags = ["--engine", "ray", "--ray-address", cluster.address, "--part-timeout", "20"]
        with served("--index", location, *flags) as url, httpx.Client(base_url=url, timeout=60) as client:
            answer = client.get("/v1/search", params={"q": "part 2 of 3"}).json()
            with Index.join(location) as near:
                hits = near.search("part 2 of 3")
            assert [hit["citation"] for hit in answer["hits"]] == [hit.citation for hit in hits]
            assert client.get("/v1/status").json()["documents"] == 8
            cluster.shutdown()
            lost = client.get("/v1/search", params={"q": "part 2 of 3"})
            assert (lost.status_code, lost.json()["type"]) == (503, "urn:crosshead:incomplete-index")
            assert client.get("/healthz").status_code == 503
