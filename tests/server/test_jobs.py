"""Jobs are done one after the other, report their progress, and survive the server."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from crosshead.errors import Locked
from crosshead.indexing.steps.run import Progress
from crosshead.server.errors import Refusal
from crosshead.server.jobs import queue as module
from crosshead.server.jobs.files import JobFiles
from crosshead.server.jobs.job import Job
from crosshead.server.jobs.queue import Jobs, OnProgress

Step = Callable[[OnProgress], Mapping[str, Any] | None]


class Steps(dict[str, Step]):
    """What jobs do, by their targets."""

    def __call__(self, job: Job, tell: OnProgress) -> Mapping[str, Any]:
        return self[job.target](tell) or {}


@pytest.fixture
def steps() -> Steps:
    return Steps()


@pytest.fixture
def jobs(tmp_path: Path, steps: Steps) -> Iterator[Jobs]:
    jobs = Jobs(JobFiles(tmp_path), steps)
    yield jobs
    jobs.close()


def submit(jobs: Jobs, steps: Steps, target: str, step: Step) -> Job:
    steps[target] = step
    return jobs.submit(Job("index", target))


def done(jobs: Jobs, steps: Steps, job: Job) -> Job:
    """Wait until a job is over: the one after it is begun then."""
    passed = threading.Event()
    submit(jobs, steps, "next", lambda _: passed.set())
    assert passed.wait(20)
    return job


def test_progress_and_result(jobs: Jobs, steps: Steps) -> None:
    half, go_on = threading.Event(), threading.Event()

    def work(tell: OnProgress) -> Mapping[str, Any]:
        tell(Progress(1, 2, 30, 40))
        half.set()
        go_on.wait(20)
        return {"added": 2}

    job = submit(jobs, steps, "docs", work)
    assert half.wait(20)
    assert (job.state, job.documents_done, job.documents_total, job.texts_embedded) == ("running", 1, 2, 30)
    go_on.set()
    assert done(jobs, steps, job).to_json()["result"] == {"added": 2}
    assert job.state == "done"
    assert jobs.get(job.id) is job


def test_failure_is_a_problem_and_the_next_job_is_done(jobs: Jobs, steps: Steps) -> None:
    def fail(_: OnProgress) -> None:
        raise Refusal(409, "bad-source", "no")

    job = done(jobs, steps, submit(jobs, steps, "docs", fail))
    assert job.state == "failed"
    assert job.error
    assert job.error["type"] == "urn:crosshead:bad-source"


def test_internal_error_is_reported_as_one(jobs: Jobs, steps: Steps) -> None:
    job = done(jobs, steps, submit(jobs, steps, "docs", lambda _: {}["nothing"]))
    assert job.error
    assert job.error["type"] == "urn:crosshead:internal-error"


def test_job_waits_for_another_writer(jobs: Jobs, steps: Steps) -> None:
    times = iter([True, True, False])

    def work(_: OnProgress) -> None:
        if next(times):
            raise Locked("another process writes")

    assert done(jobs, steps, submit(jobs, steps, "docs", work)).state == "done"


def test_job_does_not_wait_forever(jobs: Jobs, steps: Steps, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LOCKED_SECONDS", 0)

    def work(_: OnProgress) -> None:
        raise Locked("another process writes")

    job = done(jobs, steps, submit(jobs, steps, "docs", work))
    assert job.error
    assert job.error["type"] == "urn:crosshead:locked"


def test_stop_lets_the_running_job_finish(jobs: Jobs, steps: Steps) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def work(tell: OnProgress) -> None:
        begun.set()
        go_on.wait(20)
        tell(Progress(1, 1, 0, 0))

    job = submit(jobs, steps, "docs", work)
    assert begun.wait(20)
    threading.Timer(0.2, go_on.set).start()
    jobs.close()
    assert job.state == "done"


def test_stop_leaves_a_long_job_and_all_others_waiting_for_the_next_server(
    tmp_path: Path, steps: Steps, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "STOP_SECONDS", 0.2)
    jobs, begun = Jobs(JobFiles(tmp_path), steps), threading.Event()

    def endless(tell: OnProgress) -> None:
        while True:
            begun.set()
            tell(Progress(0, 1, 0, 0))

    finished = done(jobs, steps, submit(jobs, steps, "first", lambda _: {"added": 1}))
    running, waiting = submit(jobs, steps, "docs", endless), submit(jobs, steps, "more", lambda _: None)
    assert begun.wait(20)
    jobs.close()
    assert [running.state, waiting.state] == ["waiting", "waiting"]

    order: list[str] = []
    steps |= {target: lambda _, target=target: order.append(target) for target in ("docs", "more")}  # type: ignore[misc]
    after = Jobs(JobFiles(tmp_path), steps)
    known = after.get(finished.id)
    assert known
    assert (known.state, known.result) == ("done", {"added": 1})
    assert done(after, steps, waiting)
    assert order == ["docs", "more"]
    job = after.get(running.id)
    assert job
    assert job.state == "done"
    after.close()


def test_jobs_of_a_running_server_are_left_to_it(jobs: Jobs, tmp_path: Path, steps: Steps) -> None:
    job = done(jobs, steps, submit(jobs, steps, "docs", lambda _: None))
    other = Jobs(JobFiles(tmp_path), steps)
    assert other.get(job.id) is None
    other.close()


def test_damaged_files_of_jobs_are_ignored(tmp_path: Path, steps: Steps) -> None:
    (tmp_path / "old").mkdir()
    for name, text in (("a.json", "{"), ("b.json", '{"color": 1}'), ("c.json", "[]"), ("d", "unaccepted")):
        (tmp_path / "old" / name).write_text(text)
    jobs = Jobs(JobFiles(tmp_path), steps)
    assert jobs.newest(10) == []
    assert not (tmp_path / "old").exists()
    jobs.close()


def test_old_jobs_are_forgotten(jobs: Jobs, tmp_path: Path, steps: Steps, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_KEPT", 2)
    first = done(jobs, steps, submit(jobs, steps, "a", lambda _: None))
    submit(jobs, steps, "b", lambda _: None)
    assert jobs.get(first.id) is None
    assert not list(tmp_path.rglob(f"{first.id}*"))
    assert [each.target for each in jobs.newest(1)] == ["b"]


def test_too_many_are_refused(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_WAITING", 0)
    with pytest.raises(Refusal, match="too many"):
        jobs.submit(Job("index", "a"))


def test_without_room_on_the_disk_only_uploads_are_refused(
    jobs: Jobs, steps: Steps, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_files: JobFiles, _job: Job) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(JobFiles, "save", full)
    with pytest.raises(Refusal, match="No space left on device"):
        jobs.submit(Job("index", "uploads/a.md", is_upload=True))
    assert done(jobs, steps, submit(jobs, steps, "docs", lambda _: None)).state == "done"
