"""Jobs are done one after the other, and tell how far they are."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from crosshead.errors import Locked
from crosshead.ingest.run import Progress
from crosshead.server import jobs as module
from crosshead.server.errors import Refusal
from crosshead.server.jobs import Job, Jobs, Tell


@pytest.fixture
def jobs() -> Iterator[Jobs]:
    jobs = Jobs()
    yield jobs
    jobs.close()


def done(jobs: Jobs, job: Job) -> Job:
    """Wait until a job is over: the one behind it is begun then."""
    passed = threading.Event()
    jobs.submit("index", "next", lambda _: passed.set() or {})
    assert passed.wait(20)
    return job


def test_progress_and_result(jobs: Jobs) -> None:
    half, go_on = threading.Event(), threading.Event()

    def work(tell: Tell) -> Mapping[str, Any]:
        tell(Progress(1, 2, 30, 40))
        half.set()
        go_on.wait(20)
        return {"added": 2}

    job = jobs.submit("index", "docs", work)
    assert half.wait(20)
    assert (job.state, job.documents_done, job.documents_total, job.texts_embedded) == ("running", 1, 2, 30)
    go_on.set()
    assert done(jobs, job).to_json()["result"] == {"added": 2}
    assert job.state == "done"
    assert jobs.get(job.id) is job


def test_failure_is_a_problem_and_the_next_job_is_done(jobs: Jobs) -> None:
    def fail(_: Tell) -> Mapping[str, Any]:
        raise Refusal(409, "bad-source", "no")

    ended = threading.Event()
    job = done(jobs, jobs.submit("index", "docs", fail, at_end=ended.set))
    assert job.state == "failed"
    assert job.error
    assert job.error["type"] == "urn:crosshead:bad-source"
    assert ended.is_set()


def test_fault_of_ours_is_told_as_one(jobs: Jobs) -> None:
    job = done(jobs, jobs.submit("index", "docs", lambda _: {}["nothing"]))
    assert job.error
    assert job.error["type"] == "urn:crosshead:internal-error"


def test_job_waits_for_another_writer(jobs: Jobs) -> None:
    times = iter([True, True, False])

    def work(_: Tell) -> Mapping[str, Any]:
        if next(times):
            raise Locked("another process writes")
        return {}

    assert done(jobs, jobs.submit("index", "docs", work)).state == "done"


def test_job_does_not_wait_forever(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LOCKED_SECONDS", 0)

    def work(_: Tell) -> Mapping[str, Any]:
        raise Locked("another process writes")

    job = done(jobs, jobs.submit("index", "docs", work))
    assert job.error
    assert job.error["type"] == "urn:crosshead:locked"


def test_end_of_the_server_stops_a_job_at_its_next_step() -> None:
    jobs, begun = Jobs(), threading.Event()

    def work(tell: Tell) -> Mapping[str, Any]:
        while True:
            begun.set()
            tell(Progress(0, 1, 0, 0))

    job = jobs.submit("index", "docs", work)
    cleaned = threading.Event()
    undone = jobs.submit("index", "more", lambda _: {}, at_end=cleaned.set)
    assert begun.wait(20)
    jobs.close()
    for each in (job, undone):
        assert each.error
        assert each.error["type"] == "urn:crosshead:server-stopped"
    assert cleaned.is_set()


def test_old_jobs_are_forgotten(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_KEPT", 2)
    first = done(jobs, jobs.submit("index", "a", lambda _: {}))
    jobs.submit("index", "b", lambda _: {})
    assert jobs.get(first.id) is None
    assert [each.target for each in jobs.newest(1)] == ["b"]


def test_too_many_are_refused(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_WAITING", 0)
    with pytest.raises(Refusal, match="too many"):
        jobs.submit("index", "a", lambda _: {})
